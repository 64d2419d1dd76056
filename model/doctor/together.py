"""Many mends as one change: what can be done at once, and what has to wait for another look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from model.document import Delete, DocumentError, Insert, InsertItem, YamlPath
from model.findings import Finding, Fix
from model.quick_dataclass import dataclass
from model.workbench import Change

if TYPE_CHECKING:
    from model.document import Edit, YamlDoc
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Together:
    """`change` does what the findings in `mended` offer. Those in `left` touch the same place as one of them, or the
    document refuses theirs."""

    change: Change
    mended: tuple[Finding, ...]
    left: tuple[Finding, ...]


def together(snapshot: Snapshot, findings: Iterable[Finding]) -> Together | None:
    """The mends of these findings as one change; None if none can be made. From the end of a list to its start, so
    that no mend moves what another one names."""
    making = _Making({file.name: file.doc for file in snapshot.files if file.doc and file.writable})
    for finding in sorted((each for each in findings if each.fix), key=_last_place, reverse=True):
        making.add(finding)
    if not making.mended:
        return None
    edits = {name: tuple(edit for fix in fixes for edit in fix.edits) for name, fixes in making.fixes.items()}
    titles = [each.fix.title for each in making.mended if each.fix]
    title = titles[0] if len(titles) == 1 else f"{len(titles)} mends"
    return Together(Change(title, edits), tuple(reversed(making.mended)), tuple(reversed(making.left)))


class _Making:
    """The change while it grows; each mend is tried on the document as the mends before it leave it."""

    def __init__(self, docs: dict[str, YamlDoc]) -> None:
        self._docs = docs
        self.fixes: dict[str, list[Fix]] = {}
        self.mended: list[Finding] = []
        self.left: list[Finding] = []

    def add(self, finding: Finding) -> None:
        fix = finding.fix
        assert fix is not None
        earlier = self.fixes.get(fix.file, [])
        same = any(fix.edits == other.edits for other in earlier)
        done = same or (not any(_collide(other, fix) for other in earlier) and self._applied(fix))
        (self.mended if done else self.left).append(finding)
        if done and not same:
            self.fixes.setdefault(fix.file, []).append(fix)

    def _applied(self, fix: Fix) -> bool:
        try:
            self._docs[fix.file] = self._docs[fix.file].apply(*fix.edits)
        except (DocumentError, KeyError):
            return False
        return True


def _last_place(finding: Finding) -> tuple[int, ...]:
    """Orders the items of one list; other places stand in any order."""
    assert finding.fix is not None
    return max(tuple(step if isinstance(step, int) else -1 for step in _touched(edit)) for edit in finding.fix.edits)


def _touched(edit: Edit) -> YamlPath:
    """The place that the edit changes, with all below it."""
    if isinstance(edit, Insert):
        return (*edit.path, str(edit.key))
    return (*edit.path, edit.index) if isinstance(edit, InsertItem) else edit.path


def _collide(earlier: Fix, later: Fix) -> bool:
    """Whether the earlier changes or moves a place that the later names."""
    pairs = ((one, _touched(other)) for one in earlier.edits for other in later.edits)
    return any(_overlap(_touched(one), place) or _moves(one, place) for one, place in pairs)


def _overlap(one: YamlPath, other: YamlPath) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def _moves(edit: Edit, place: YamlPath) -> bool:
    """Whether the edit shifts the item of a list that the place lies in."""
    touched = _touched(edit)
    if not isinstance(edit, Delete | InsertItem) or not touched or len(place) < len(touched):
        return False
    index, other = touched[-1], place[len(touched) - 1]
    same_list = place[: len(touched) - 1] == touched[:-1]
    return same_list and isinstance(index, int) and isinstance(other, int) and other >= index
