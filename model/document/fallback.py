"""The way out for what cannot be spliced: write the whole file anew with ruamel, after the user has seen the price."""

from __future__ import annotations

import copy
import io
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from model.document.adding import child_index
from model.document.edits import Delete, Edit, Insert, InsertItem, Move, Quote, Rename, Set
from model.document.errors import Unsafe
from model.document.finding import breadcrumb
from model.document.operations import Simple
from model.document.patching import typed_bytes
from model.document.proof import comments
from model.document.simplifying import simplified
from model.document.style import Style
from model.document.tree import parse
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.document.document import YamlDoc


@dataclass(frozen=True, slots=True)
class FallbackPlan:
    """What writing the file anew would cost; `doc` is the result, to be used only once the user has agreed."""

    lines_changed: int
    comments_lost: int
    doc: YamlDoc


def round_trip(doc: YamlDoc, edits: tuple[Edit, ...]) -> FallbackPlan:
    """Raises Unsafe if the round trip loses a comment or changes any other data."""
    wanted, text = _edited(doc, edits)
    new = doc.rewritten(text)
    if typed_bytes(new.data) != typed_bytes(wanted):
        raise Unsafe("writing the file anew would change other data")
    lost = _lost_comments(doc.text, text)
    if lost:
        raise Unsafe(f"writing the file anew would lose {lost} comment{'s' if lost > 1 else ''}")
    return FallbackPlan(_lines_changed(doc.text, text), lost, new)


def _edited(doc: YamlDoc, edits: tuple[Edit, ...]) -> tuple[Any, str]:
    """The data as it should be, and the text that ruamel writes."""
    from ruamel.yaml.error import YAMLError

    yaml = _round_tripper(doc.origin.style, doc.text)
    try:
        documents = list(yaml.load_all(io.StringIO(doc.text)))
    except YAMLError as error:
        raise Unsafe(f"ruamel cannot read the file: {error}") from None
    data, index = copy.deepcopy(doc.data), doc.document or 0
    for edit in edits:
        simple = simplified(data, edit)
        data = _with_edit(data, simple)
        documents[index] = _with_edit(documents[index], simple)
    out = io.StringIO(newline="")
    yaml.dump_all(documents, out)
    return data, out.getvalue().replace("\n", doc.origin.style.eol)


def _round_tripper(style: Style, text: str) -> Any:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    yaml.indent(mapping=style.step, sequence=style.offset + 1 + style.gap, offset=style.offset)
    yaml.explicit_start = text.startswith("---") or None
    return yaml


def _with_edit(root: Any, edit: Simple) -> Any:
    """The edit done on plain data or on ruamel's."""
    try:
        _edit(root, edit)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise Unsafe(f"{breadcrumb(edit.path)} does not exist") from None
    return root


def _edit(root: Any, edit: Simple) -> None:
    match edit:
        case Set():
            _at(root, edit.path[:-1])[edit.path[-1]] = edit.value
        case Quote():
            raise Unsafe("what stands there in the file is told by its text only")
        case Delete():
            del _at(root, edit.path[:-1])[edit.path[-1]]
        case InsertItem():
            _at(root, edit.path).insert(edit.index, edit.value)
        case Move():
            items = _at(root, edit.path)
            items.insert(edit.target, items.pop(edit.source))
        case Insert():
            mapping = _at(root, edit.path)
            at = child_index(list(mapping), edit.key, edit.order, edit.before, edit.after)
            _insert(mapping, at, edit.key, edit.value)
        case Rename():
            mapping, old = _at(root, edit.path[:-1]), edit.path[-1]
            at = list(mapping).index(old)
            _insert(mapping, at, edit.key, mapping.pop(old))


def _at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def _insert(mapping: Any, at: int, key: Any, value: Any) -> None:
    if hasattr(mapping, "insert"):  # ruamel's own mapping keeps its comments this way
        mapping.insert(at, key, value)
        return
    pairs = list(mapping.items())
    mapping.clear()
    mapping.update([*pairs[:at], (key, value), *pairs[at:]])


def _lost_comments(old: str, new: str) -> int:
    before = Counter(text.strip() for _, text in comments(parse(old)))
    after = Counter(text.strip() for _, text in comments(parse(new)))
    return sum((before - after).values())


def _lines_changed(old: str, new: str) -> int:
    one, other = old.splitlines(), new.splitlines()
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in codes if tag != "equal")
