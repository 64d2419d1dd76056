"""The proof that an edit did what it should and nothing else.

1. The new text reads as the old one with exactly this edit: values, types, tags, anchors, order, duplicates.
2. Whatever stands outside the splices is the same event at the same place, moved by what was spliced before it.
3. No comment is lost or made, but those that the plan gives up or brings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from model.document.errors import Unsafe
from model.document.plan import Plan, Splice
from model.document.raw import Raw, raw_node
from model.document.tree import Event, Scalar, Tree, walk


def prove(old: Tree, new: Tree, plan: Plan, wanted: list[Raw]) -> None:
    """Raises Unsafe if the new text is not what the edit should give."""
    if [raw_node(new, root) for root in new.roots] != wanted:
        raise Unsafe("the result would read differently")
    if _outside(old.events, _Regions(plan.splices)) != _outside(new.events, _Regions(plan.splices, after=True)):
        raise Unsafe("something outside the edit would change")
    _prove_comments(old, new, plan)


class _Regions:
    """The spliced spans, before or after splicing, and how far each place outside them moves."""

    def __init__(self, splices: Sequence[Splice], *, after: bool = False) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.shifts = [0]
        shift = 0
        for splice in splices:
            self.starts.append(splice.start + (shift if after else 0))
            shift += len(splice.text) - (splice.end - splice.start)
            self.ends.append(splice.end + (shift if after else 0))
            self.shifts.append(0 if after else shift)

    def touch(self, start: int, end: int) -> bool:
        """Whether a span reaches into a region; one without width does at the region's edges too."""
        index = bisect_right(self.starts, end if start == end else end - 1) - 1
        if index < 0:
            return False
        return self.ends[index] >= start if start == end else self.ends[index] > start

    def moved(self, offset: int) -> int:
        return offset + self.shifts[bisect_right(self.starts, offset)]


def _outside(events: list[Event], regions: _Regions) -> list[Event]:
    return [
        (kind, regions.moved(start), regions.moved(end - 1) + 1 if end > start else regions.moved(start), *rest)
        for kind, start, end, *rest in events
        if not regions.touch(start, end)
    ]


def _prove_comments(old: Tree, new: Tree, plan: Plan) -> None:
    before = comments(old)
    everything = [text for _, text in before]
    kept = [text for start, text in before if not any(a <= start < b for a, b in plan.gives_up)]
    brought = _Regions(plan.splices if plan.brings else (), after=True)
    after = [text for start, text in comments(new) if not brought.touch(start, start + 1)]
    if plan.reorders:
        everything, kept, after = sorted(everything), sorted(kept), sorted(after)
    if not (_in_order(kept, after) and _in_order(after, everything)):
        raise Unsafe("a comment would be lost or changed")


def _in_order(some: Sequence[str], more: Sequence[str]) -> bool:
    """Whether `some` is `more` with nothing but items left out."""
    rest = iter(more)
    return all(item in rest for item in some)


def comments(tree: Tree) -> list[tuple[int, str]]:
    """All comments with their offsets."""
    found: list[tuple[int, str]] = []
    done = 0
    spans = sorted((node.start, node.end) for root in tree.roots for node in walk(root) if isinstance(node, Scalar))
    for start, end in [*spans, (len(tree.text), len(tree.text))]:
        _comments_between(tree.text, done, start, found)
        done = max(done, end)
    return found


def _comments_between(text: str, start: int, end: int, found: list[tuple[int, str]]) -> None:
    while (mark := text.find("#", start, end)) >= 0:
        stop = text.find("\n", mark, end)
        stop = end if stop < 0 else stop
        if mark == 0 or text[mark - 1] in " \t\r\n,[]{}\ufeff":
            found.append((mark, text[mark:stop].rstrip("\r")))
            start = stop
        else:
            start = mark + 1
