"""The same edits by other libraries, each used as well as its documentation allows."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from model.document import Delete, Edit, Insert, InsertItem, Move, Rename, Set


def ruamel_round_trip(text: str, edit: Edit) -> str:
    """ruamel at the best settings that a file shows: quotes kept, no wrapping, its indents."""
    from ruamel.yaml import YAML
    from ruamel.yaml.util import load_yaml_guess_indent

    bom = text.startswith("\ufeff")
    _, indent, offset = load_yaml_guess_indent(text.removeprefix("\ufeff"))
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    yaml.allow_duplicate_keys = True
    yaml.explicit_start = text.lstrip("\ufeff").startswith("---") or None
    if indent:
        yaml.indent(mapping=2, sequence=indent, offset=offset or 0)
    crlf = "\r\n" in text
    documents = list(yaml.load_all(text.removeprefix("\ufeff")))
    documents = documents or [{}]
    documents[0] = _edited(documents[0], edit)
    out = io.StringIO()
    yaml.dump_all(documents, out)
    result = out.getvalue().replace("\n", "\r\n") if crlf else out.getvalue()
    return "\ufeff" + result if bom else result


def yaml_edit(text: str, edit: Edit) -> str:
    """The Python binding of the Rust library of that name."""
    from yaml_edit import YamlFile

    file: Any = YamlFile.parse(text)
    document = file[0]
    _edit_in_place(document, edit, _step_of_yaml_edit)
    return str(file)


def _edited(root: Any, edit: Edit) -> Any:
    _edit_in_place(root, edit, lambda node, step: node[step])
    return root


def _step_of_yaml_edit(node: Any, step: Any) -> Any:
    child = node[step]
    return child.as_mapping() or child.as_sequence() or child


def _edit_in_place(root: Any, edit: Edit, step: Callable[[Any, Any], Any]) -> None:
    def at(path: tuple[Any, ...]) -> Any:
        node = root
        for part in path:
            node = step(node, part)
        return node

    match edit:
        case Set(path, value):
            at(path[:-1])[path[-1]] = value
        case Insert(path, key, value):
            _insert(at, edit)
        case Rename(path, key):
            _rename(at(path[:-1]), path[-1], key)
        case Delete(path):
            del at(path[:-1])[path[-1]]
        case InsertItem(path, index, value):
            at(path).insert(index, value)
        case Move(path, source, target):
            items = at(path)
            item = items[source]
            item = item.to_python() if hasattr(item, "to_python") else item
            del items[source]
            items.insert(target, item)


def _insert(at: Callable[[tuple[Any, ...]], Any], edit: Insert) -> None:
    mapping = at(edit.path)
    if mapping is None or (hasattr(mapping, "to_python") and mapping.to_python() is None):
        at(edit.path[:-1])[edit.path[-1]] = {edit.key: edit.value}
    elif edit.before is None and edit.after is None:
        mapping[edit.key] = edit.value
    elif hasattr(mapping, "insert_after"):
        place = mapping.insert_before if edit.before is not None else mapping.insert_after
        place(edit.before if edit.before is not None else edit.after, edit.key, edit.value)
    else:
        keys = list(mapping)
        index = keys.index(edit.before) if edit.before is not None else keys.index(edit.after) + 1
        mapping.insert(index, edit.key, edit.value)


def _rename(mapping: Any, old: Any, new: Any) -> None:
    if hasattr(mapping, "rename_key"):
        mapping.rename_key(old, new)
        return
    index = list(mapping).index(old)
    mapping.insert(index, new, mapping.pop(old))


PEERS: dict[str, Callable[[str, Edit], str]] = {"ruamel round trip": ruamel_round_trip, "yaml-edit": yaml_edit}
