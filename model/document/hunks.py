"""What changed between two texts, as spans: kept while editing, so that a diff costs what the edit did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from model.document.plan import Splice
from model.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Hunk:
    """The characters `old_start` to `old_end` became `new_start` to `new_end` of the other text."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int

    def moved(self, old: int, new: int) -> Hunk:
        """The same hunk in texts that begin with so many more characters."""
        return Hunk(self.old_start + old, self.old_end + old, self.new_start + new, self.new_end + new)

    @property
    def shift(self) -> int:
        """How far what stands behind this hunk has moved."""
        return self.new_end - self.old_end


def followed_by(hunks: Sequence[Hunk], splices: Sequence[Splice]) -> tuple[Hunk, ...]:
    """The hunks from the first text to the one that the splices make of the second."""
    for splice in reversed(splices):
        hunks = _followed_by_one(hunks, splice)
    return tuple(hunks)


def _followed_by_one(hunks: Sequence[Hunk], splice: Splice) -> list[Hunk]:
    delta = len(splice.text) - (splice.end - splice.start)
    before = [h for h in hunks if h.new_end < splice.start]
    after = [h for h in hunks if h.new_start > splice.end]
    touched = hunks[len(before) : len(hunks) - len(after)]
    shift = before[-1].shift if before else 0
    start = min([splice.start, *(h.new_start for h in touched)])
    end = max([splice.end, *(h.new_end for h in touched)])
    old_start = min([splice.start - shift, *(h.old_start for h in touched)])
    tail = touched[-1].shift if touched else shift
    merged = Hunk(old_start, max(end - tail, old_start), start, end + delta)
    moved = [Hunk(h.old_start, h.old_end, h.new_start + delta, h.new_end + delta) for h in after]
    return [*before, merged, *moved]


def between(first: Sequence[Hunk], second: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """From two texts that come from one origin: the hunks from the first of them to the second."""
    spans = _united([(h.old_start, h.old_end) for h in (*first, *second)])
    return tuple(Hunk(*_moved(first, start, end), *_moved(second, start, end)) for start, end in spans)


def _united(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united


def _moved(hunks: Sequence[Hunk], start: int, end: int) -> tuple[int, int]:
    """Where a span of the origin, whose edges cut no hunk, stands afterwards."""
    ahead = [hunk.shift for hunk in hunks if hunk.old_end < start]
    inside = [hunk.shift for hunk in hunks if hunk.old_end <= end]
    return start + (ahead[-1] if ahead else 0), end + (inside[-1] if inside else 0)


def moved_back(hunks: Sequence[Hunk], offset: int) -> int:
    """Where an offset of the new text, outside the hunks or behind one, stood in the old text."""
    behind = [hunk.shift for hunk in hunks if hunk.new_end <= offset]
    return offset - (behind[-1] if behind else 0)


def common(old: str, new: str) -> tuple[Hunk, ...]:
    """One hunk: all but what the texts begin and end with alike."""
    if old == new:
        return ()
    start = _common_length(old, new)
    most = min(len(old), len(new)) - start
    end = _common_length(old[len(old) - most :][::-1], new[len(new) - most :][::-1])
    return (Hunk(start, len(old) - end, start, len(new) - end),)


def _common_length(one: str, other: str) -> int:
    """By halving: comparing slices is quick, comparing characters is not."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
