"""A reader and a way of working out edits that share nothing with ours, to judge ours by."""

from __future__ import annotations

import copy
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.resolver import implicit_resolvers

from model.document import Delete, Edit, Insert, InsertItem, Move, Rename, Set

_BASE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

YAML_ERRORS = (yaml.YAMLError, YAMLError, ValueError)


class CoreLoader(_BASE):  # type: ignore[misc,valid-type]
    """PyYAML's loader with ruamel's table of YAML 1.2 scalars; dates stay text, unknown tags are looked through."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # PyYAML's own name and shape


def _number(loader: Any, node: Any) -> int:
    text = loader.construct_scalar(node).replace("_", "")
    digits = text.lstrip("+-")
    bases = {"0b": 2, "0o": 8, "0x": 16}
    number = int(digits[2:], bases[digits[:2]]) if digits[:2] in bases else int(digits)
    return -number if text.startswith("-") else number


def _real(loader: Any, node: Any) -> float:
    text = loader.construct_scalar(node).replace("_", "").lower()
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


def _opaque(loader: Any, suffix: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


for _versions, _tag, _pattern, _first in implicit_resolvers:
    if (1, 2) in _versions and "timestamp" not in str(_tag):
        CoreLoader.add_implicit_resolver(str(_tag), _pattern, list(_first))
CoreLoader.add_constructor("tag:yaml.org,2002:int", _number)
CoreLoader.add_constructor("tag:yaml.org,2002:float", _real)
CoreLoader.add_constructor(
    "tag:yaml.org,2002:bool", lambda loader, node: loader.construct_scalar(node).lower() == "true"
)
CoreLoader.add_multi_constructor("!", _opaque)
CoreLoader.add_multi_constructor("tag:yaml.org,2002:python/", _opaque)


def core(text: str) -> list[Any]:
    """All documents of the text, by PyYAML under YAML 1.2 core rules."""
    return list(yaml.load_all(text.removeprefix("\ufeff"), Loader=CoreLoader))


def ruamel(text: str) -> list[Any]:
    """All documents of the text, by ruamel's own parser (of duplicate keys it takes the first)."""
    reader = YAML(typ="safe", pure=True)
    reader.allow_duplicate_keys = True
    return list(reader.load_all(text))


def typed(value: Any, *, ordered: bool = True) -> Any:
    """A form in which 1, 1.0, True and "1" differ, NaN equals NaN, and the order of keys counts or not."""
    if isinstance(value, dict):
        pairs = [(typed(key), typed(item, ordered=ordered)) for key, item in value.items()]
        return ("map", *(pairs if ordered else sorted(pairs, key=repr)))
    if isinstance(value, list | tuple):
        return ("list", *(typed(item, ordered=ordered) for item in value))
    return (type(value).__name__, repr(value))


def expected(data: Any, edit: Edit) -> Any:
    """What `data` should be after the edit, worked out on plain data."""
    result = copy.deepcopy(data)
    match edit:
        case Set(path, value):
            _at(result, path[:-1])[path[-1]] = value
        case Insert(path, key, value):
            if path and _at(result, path) is None:
                _at(result, path[:-1])[path[-1]] = {}
            _insert(_at(result, path), edit)
        case Rename(path, key):
            parent = _at(result, path[:-1])
            pairs = [(key if k == path[-1] and type(k) is type(path[-1]) else k, v) for k, v in parent.items()]
            parent.clear()
            parent.update(pairs)
        case Delete(path):
            del _at(result, path[:-1])[path[-1]]
        case InsertItem(path, index, value):
            _at(result, path).insert(index, value)
        case Move(path, source, target):
            items = _at(result, path)
            items.insert(target, items.pop(source))
        case _:
            raise AssertionError(edit)
    return result


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def _insert(mapping: dict[Any, Any], edit: Insert) -> None:
    pairs = list(mapping.items())
    at = len(pairs)
    for index, (key, _) in enumerate(pairs):
        if edit.before is not None and key == edit.before:
            at = index
        if edit.after is not None and key == edit.after:
            at = index + 1
    pairs.insert(at, (edit.key, edit.value))
    mapping.clear()
    mapping.update(pairs)
