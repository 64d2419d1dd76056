"""Does one edit: parse the piece it touches, plan, splice and prove."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.document.adding import child_index
from model.document.edits import Delete, Edit, Insert, InsertItem, Move, Put, Rename, Set
from model.document.errors import DocumentError, FromMerge, Unsafe
from model.document.gc_pause import without_gc
from model.document.operations import Proposal, Simple, Target, propose
from model.document.plan import Plan, Site, Splice, spliced
from model.document.proof import prove
from model.document.shortening import check_head, leaves_neighbours, shortened
from model.document.simplifying import simplified
from model.document.style import detect
from model.document.tree import Alias, Tree, parse, walk
from model.document.window import Path, Window, window_of_entries, window_of_value
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document.document import YamlDoc


@dataclass(frozen=True, slots=True)
class Change:
    """A proved change of the text inside a window; the splices' offsets count from the window's start."""

    window: Window
    text: str  # of the window, afterwards
    splices: tuple[Splice, ...]
    warnings: tuple[str, ...]

    def below(self, head: str) -> Change:
        """Without the `head`, which is no part of the file there and stays as it is."""
        moved = (Splice(each.start - len(head), each.end - len(head), each.text) for each in self.splices)
        return replace(self, text=self.text[len(head) :], splices=tuple(moved))


def change(doc: YamlDoc, edit: Edit) -> Change | None:
    """The change that the edit makes, None if the text says it already. Raises Unsafe."""
    if doc.documents > 1 and doc.document is None:
        raise Unsafe(f"the file holds {doc.documents} documents", help="say which one to edit")
    simple = simplified(doc.data, edit)
    if doc.source.odd_breaks and not _is_one_line(simple):
        raise Unsafe("the file has line breaks that most editors do not show (lone CR, NEL, LS or PS)")
    with without_gc():
        try:
            return _in_window(doc, simple)
        except FromMerge:
            if not isinstance(edit, Put):
                raise
            return _in_window(doc, Insert(edit.path[:-1], edit.path[-1], edit.value, edit.order))


def _is_one_line(edit: Simple) -> bool:
    if not isinstance(edit, Set):
        return isinstance(edit, Rename)
    return not isinstance(edit.value, dict | list) and not (isinstance(edit.value, str) and "\n" in edit.value)


def _in_window(doc: YamlDoc, edit: Simple) -> Change | None:
    window, inner = _window(doc, edit)
    if window.chain is None:
        return _change(doc, edit, window)
    try:
        return _change(doc, inner, window)
    except DocumentError:  # the whole text may allow it, or name the reason better
        return _change(doc, edit, Window(0, len(doc.source), edit.path))


def _window(doc: YamlDoc, edit: Simple) -> tuple[Window, Simple]:
    """The window, and the edit as it reads inside."""
    length, outline, end = len(doc.source), doc.outline, doc.end
    path, first, last = edit.path, None, None
    inner: Simple = edit
    match edit:
        case Delete() if path:
            path, first = path[:-1], _index(doc, path[:-1], path[-1])
        case InsertItem():
            first, last = edit.index, edit.index
        case Move():
            first, last = min(edit.source, edit.target), max(edit.source, edit.target) + 1
        case Insert():
            first, inner = _insertion(doc, edit)
            last = first
        case Rename() if path and edit.key != path[-1] and _index(doc, path[:-1], edit.key) is not None:
            raise Unsafe(f"the key {edit.key!r} is there already")
    if first is None:
        return window_of_value(length, outline, end, edit.path), edit
    last = first + 1 if last is None else last
    window = window_of_entries(length, outline, end, path, first, last)
    if window.is_run_of_target and outline is not None and (run := outline.at(path)) is not None:
        window = shortened(doc.source, run, window, first, last)
    if isinstance(edit, Delete):
        step = edit.path[-1]
        own = type(step) is int and window.is_run_of_target
        window = replace(window, path=(*window.path, step - window.first if own and type(step) is int else step))
    return window, inner


def _index(doc: YamlDoc, path: Path, step: object) -> int | None:
    outline = doc.outline.at(path) if doc.outline is not None else None
    return outline.index(step) if outline is not None else None


def _insertion(doc: YamlDoc, edit: Insert) -> tuple[int | None, Insert]:
    """For a large mapping: the index of the new key, and the edit told by its neighbour."""
    outline = doc.outline.at(edit.path) if doc.outline is not None else None
    if outline is None or outline.keys is None or edit.key in outline.keys:
        return None, edit
    try:
        index = child_index(outline.keys, edit.key, edit.order, edit.before, edit.after)
    except ValueError:
        return None, edit
    if index == 0 or outline.keys[index - 1] is None:  # as a neighbour, None says that none is named
        return None, edit
    return index, replace(edit, before=None, after=outline.keys[index - 1])


def _change(doc: YamlDoc, edit: Simple, window: Window) -> Change | None:
    whole = window.chain is None
    text = window.head + doc.source.slice(window.start, window.end)
    tree = parse(text)
    if window.head:
        check_head(tree, window)
    if not whole and any(node.anchor and not isinstance(node, Alias) for root in tree.roots for node in walk(root)):
        raise Unsafe("anchors have to be seen as a whole")
    site = Site(tree, detect(text, doc.origin.style))
    first = window.first if window.is_run_of_target else 0
    root, end = (doc.document or 0, doc.end) if whole else (0, len(text))
    proposal = propose(Target(site, root, window.path, end, first), edit)
    if proposal is None:
        return None
    plan, new = _first_proved(tree, proposal)
    if not leaves_neighbours(text, window, plan.splices):
        raise Unsafe("an entry seen in part would change")
    return Change(window, new, plan.splices, (*proposal.notes, *plan.warnings)).below(window.head)


def _first_proved(tree: Tree, proposal: Proposal) -> tuple[Plan, str]:
    failure: DocumentError | None = None
    for plan in proposal.plans:
        new = spliced(tree.text, plan.splices)
        try:
            prove(tree, parse(new), plan, proposal.wanted)
        except DocumentError as error:
            failure = failure or error
            continue
        return plan, new
    raise Unsafe(f"this cannot be written faithfully here: {failure.reason if failure else 'no way to write it'}")
