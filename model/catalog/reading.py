"""catalog.yaml → rows, each error with its line.

libyaml composes plain text nodes and this module alone says what a text means: no YAML type guessing (the key `no`
stays a word), and several times faster than a loader. The file is read at each start.
"""

from __future__ import annotations

import datetime
from enum import StrEnum
from typing import TypeVar

import yaml

from model.capability_set import CapabilitySet
from model.catalog.errors import InvalidRow, one_of
from model.catalog.plain_yaml import plain_nodes
from model.catalog.rows import NO_SCORES, CatalogRow, Retirement, Vendor
from model.catalog.rules import check
from model.vocabulary import Capability, ScoreDimension, TokenizerFamily

_Word = TypeVar("_Word", bound=StrEnum)

_BITS = {str(capability): capability.bit for capability in Capability}

_REQUIRED = (
    "model_id",
    "display_name",
    "context_window_tokens",
    "max_output_tokens",
    "yes",
    "no",
    "tokenizer_family",
    "source",
    "checked",
)
_FIELDS = frozenset({*_REQUIRED, "aliases", "scores", "retirement", "note"})
_RETIREMENT = ("date", "replacement", "source")


def read_rows(text: str, name: str) -> tuple[CatalogRow, ...]:
    """The rows of a catalog text, in its order; `name` is what errors call the text. Raises InvalidRow."""
    try:
        root = plain_nodes(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise InvalidRow(name, "file", f"must be YAML: {error}") from error
    file = _Reader(name, name)
    return tuple(
        _row(node, file.word(Vendor, "vendor", vendor), name)
        for vendor, group in file.pairs("file", root)
        for node in file.items(str(vendor.value), group)
    )


def _row(node: yaml.Node, vendor: Vendor, name: str) -> CatalogRow:
    reader = _Reader(name, f"line {node.start_mark.line + 1}")
    fields = reader.fields("row", node, _FIELDS)
    if "model_id" in fields:
        reader.row = reader.text("model_id", fields["model_id"])
    for missing in (field for field in _REQUIRED if field not in fields):
        raise reader.error(missing, node, "must be stated (null where it is not known)")
    row = CatalogRow(
        model_id=reader.row,
        vendor=vendor,
        display_name=reader.text("display_name", fields["display_name"]),
        aliases=tuple(reader.words("aliases", fields["aliases"])) if "aliases" in fields else (),
        context_window_tokens=reader.tokens("context_window_tokens", fields["context_window_tokens"]),
        max_output_tokens=reader.tokens("max_output_tokens", fields["max_output_tokens"]),
        yes=reader.capabilities("yes", fields["yes"]),
        no=reader.capabilities("no", fields["no"]),
        tokenizer_family=reader.word(TokenizerFamily, "tokenizer_family", fields["tokenizer_family"]),
        source=reader.text("source", fields["source"]),
        checked=reader.date("checked", fields["checked"]),
        scores=reader.scores(fields["scores"]) if "scores" in fields else NO_SCORES,
        retirement=reader.retirement(fields["retirement"]) if "retirement" in fields else None,
        note=reader.text("note", fields["note"]) if "note" in fields else "",
    )
    check(row, reader.place(node))
    return row


class _Reader:
    """Turns the nodes of one row into values; knows the row and the text they stand in, for the errors."""

    def __init__(self, name: str, row: str) -> None:
        self.name = name
        self.row = row

    def place(self, node: yaml.Node | None) -> str:
        return self.name if node is None else f"{self.name}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"

    def error(self, field: str, node: yaml.Node | None, rule: str) -> InvalidRow:
        return InvalidRow(self.row, field, rule, self.place(node))

    def text(self, field: str, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self.error(field, node, "must be a single value")
        return str(node.value)

    def items(self, field: str, node: yaml.Node | None) -> list[yaml.Node]:
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            raise self.error(field, node, "must be a list")
        return list(node.value)

    def pairs(self, field: str, node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            raise self.error(field, node, "must be a mapping")
        seen = set()
        for key, _ in node.value:
            name = self.text(field, key)
            if name in seen:
                raise self.error(field, key, f"{name!r} stands twice")
            seen.add(name)
        return list(node.value)

    def fields(self, field: str, node: yaml.Node, allowed: frozenset[str]) -> dict[str, yaml.Node]:
        pairs = node.value if isinstance(node, yaml.MappingNode) else self.pairs(field, node)
        found = {str(key.value): value for key, value in pairs}
        if len(found) < len(pairs) or not allowed.issuperset(found):  # the slow way round, to say which and where
            for key, _ in self.pairs(field, node):
                if key.value not in allowed:
                    raise self.error(str(key.value), key, one_of(str(key.value), sorted(allowed)))
        return found

    def word(self, kind: type[_Word], field: str, node: yaml.Node) -> _Word:
        text = self.text(field, node)
        try:
            return kind(text)
        except ValueError:
            raise self.error(field, node, one_of(text, kind)) from None

    def words(self, field: str, node: yaml.Node) -> list[str]:
        return self.text(field, node).split()

    def capabilities(self, field: str, node: yaml.Node) -> CapabilitySet:
        mask = 0
        for name in self.words(field, node):
            bit = _BITS.get(name)
            if bit is None:
                raise self.error(field, node, one_of(name, Capability))
            if mask & bit:
                raise self.error(field, node, f"{name} stands twice")
            mask |= bit
        return CapabilitySet(mask)

    def number(self, field: str, node: yaml.Node) -> int:
        text = self.text(field, node)
        if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 19):
            raise self.error(field, node, f"{text!r} must be a whole number")
        return int(text)

    def tokens(self, field: str, node: yaml.Node) -> int | None:
        return None if self.text(field, node) == "null" else self.number(field, node)

    def date(self, field: str, node: yaml.Node) -> datetime.date:
        text = self.text(field, node)
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            raise self.error(field, node, f"{text!r} must be a date (YYYY-MM-DD)") from None

    def scores(self, node: yaml.Node) -> dict[ScoreDimension, int]:
        return {
            self.word(ScoreDimension, "scores", key): self.number(f"scores.{key.value}", value)
            for key, value in self.pairs("scores", node)
        }

    def retirement(self, node: yaml.Node) -> Retirement:
        fields = self.fields("retirement", node, frozenset(_RETIREMENT))
        for missing in (field for field in _RETIREMENT if field not in fields):
            raise self.error(f"retirement.{missing}", node, "must be stated (null for no replacement)")
        replacement = self.text("retirement.replacement", fields["replacement"])
        return Retirement(
            date=self.date("retirement.date", fields["date"]),
            replacement=None if replacement == "null" else replacement,
            source=self.text("retirement.source", fields["source"]),
        )
