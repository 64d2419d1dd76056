"""Unified diffs from hunks, not from comparing whole files: as fast as the edit was small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.document.hunks import Hunk
from model.document.lines import next_line

CONTEXT = 3
_NO_BREAK = "\\ No newline at end of file\n"


@dataclass(slots=True)
class _Lines:
    """Lines `old_from` to `old_to` (character offsets, whole lines) became `new_from` to `new_to`."""

    old_from: int
    old_to: int
    new_from: int
    new_to: int


def unified(old: str, new: str, hunks: Sequence[Hunk], label: str) -> str:
    """In the format that `patch` reads; empty if the texts are the same. A path from the root is told as git does."""
    blocks = [block for block in _line_blocks(old, new, hunks) if block is not None]
    if not blocks:
        return ""
    label = label.removeprefix("/")
    parts = [f"--- a/{label}\n", f"+++ b/{label}\n"]
    for group in _groups(old, blocks):
        parts += _group_text(old, new, group)
    return "".join(parts)


def _line_blocks(old: str, new: str, hunks: Sequence[Hunk]) -> Iterator[_Lines]:
    """Each hunk widened to whole lines, without the lines that are the same at its start and end."""
    widened: list[_Lines] = []
    for hunk in hunks:
        head = min(_back(old, hunk.old_start), _back(new, hunk.new_start))
        tail = max(_forth(old, hunk.old_end), _forth(new, hunk.new_end))
        block = _Lines(hunk.old_start - head, hunk.old_end + tail, hunk.new_start - head, hunk.new_end + tail)
        if widened and block.old_from <= widened[-1].old_to:
            widened[-1].old_to, widened[-1].new_to = block.old_to, block.new_to
        else:
            widened.append(block)
    for block in widened:
        yield from _trimmed(old, new, block)


def _back(text: str, offset: int) -> int:
    """How far the line's start is; 0 at the start of a line."""
    return offset - (text.rfind("\n", 0, offset) + 1)


def _forth(text: str, offset: int) -> int:
    """How far the line's end is; 0 at the start of a line."""
    return 0 if offset == 0 or text[offset - 1 : offset] == "\n" else next_line(text, offset) - offset


def _trimmed(old: str, new: str, block: _Lines) -> Iterator[_Lines]:
    before = old[block.old_from : block.old_to].splitlines(keepends=True)
    after = new[block.new_from : block.new_to].splitlines(keepends=True)
    before, after = _split(old[block.old_from : block.old_to]), _split(new[block.new_from : block.new_to])
    front = _common_lines(before, after)
    back = _common_lines(before[front:][::-1], after[front:][::-1])
    skip, cut = sum(map(len, before[:front])), sum(map(len, before[len(before) - back :]))
    if front < len(before) - back or front < len(after) - back:
        yield _Lines(block.old_from + skip, block.old_to - cut, block.new_from + skip, block.new_to - cut)


def _split(text: str) -> list[str]:
    """Lines with their breaks; only LF breaks a line, as for `patch`."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _common_lines(one: list[str], other: list[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _groups(old: str, blocks: list[_Lines]) -> Iterator[list[_Lines]]:
    """Blocks whose context would touch are shown together."""
    group = [blocks[0]]
    for block in blocks[1:]:
        if old.count("\n", group[-1].old_to, block.old_from) > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    yield group


def _group_text(old: str, new: str, group: list[_Lines]) -> list[str]:
    start = _lines_up(old, group[0].old_from, CONTEXT)
    end = _lines_down(old, group[-1].old_to, CONTEXT)
    new_start = group[0].new_from - (group[0].old_from - start)
    body: list[str] = []
    done = start
    for block in group:
        body += _marked(" ", old[done : block.old_from])
        body += _marked("-", old[block.old_from : block.old_to])
        body += _marked("+", new[block.new_from : block.new_to])
        done = block.old_to
    body += _marked(" ", old[done:end])
    old_count = sum(line[0] in " -" for line in body)
    new_count = sum(line[0] in " +" for line in body)
    ranges = _range(old, start, old_count), _range(new, new_start, new_count)
    return [f"@@ -{ranges[0]} +{ranges[1]} @@\n", *body]


def _range(text: str, start: int, count: int) -> str:
    line = text.count("\n", 0, start) + 1
    return f"{line if count else line - 1},{count}"


def _marked(mark: str, text: str) -> list[str]:
    lines = [mark + line for line in _split(text)]
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n" + _NO_BREAK
    return lines


def _lines_up(text: str, offset: int, count: int) -> int:
    for _ in range(count):
        if offset == 0:
            break
        offset = text.rfind("\n", 0, offset - 1) + 1
    return offset


def _lines_down(text: str, offset: int, count: int) -> int:
    for _ in range(count):
        offset = next_line(text, offset)
    return offset
