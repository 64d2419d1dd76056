"""The rules that every row keeps, whether it stands in catalog.yaml or comes from a plugin (IBEX ADR-0041)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from model.capability_set import CapabilitySet
from model.catalog.errors import InvalidRow, one_of
from model.catalog.rows import CatalogRow, Retirement, Vendor
from model.vocabulary import Capability, ScoreDimension, TokenizerFamily

SNAPSHOT = "snapshot: "
"""How the source of a row begins that no document of the vendor confirms."""

Broken: TypeAlias = tuple[str, str]
"""A field and the rule that it breaks."""


def check(row: CatalogRow, place: str = "") -> None:
    """Raises InvalidRow for the first rule that the row breaks. Types are checked too: plugins are not."""
    for rule in _RULES:
        for field, text in rule(row):
            raise InvalidRow(str(row.model_id), field, text, place)


def _texts(row: CatalogRow) -> Iterator[Broken]:
    yield from _text("model_id", row.model_id)
    yield from _text("display_name", row.display_name)
    yield from _text("source", row.source)
    if row.note:
        yield from _text("note", row.note)
    if not isinstance(row.aliases, tuple):
        yield "aliases", "must be a tuple of texts"
        return
    for alias in row.aliases:
        yield from _text("aliases", alias)


def _text(field: str, value: object) -> Iterator[Broken]:
    if not isinstance(value, str) or not value:
        yield field, "must be a text, and not empty"
    elif value != value.strip():
        yield field, f"{value!r} must not begin or end with a blank"
    elif not value.isprintable():
        yield field, f"{value!r} must not hold control characters"


def _enums(row: CatalogRow) -> Iterator[Broken]:
    if not isinstance(row.vendor, Vendor):
        yield "vendor", one_of(str(row.vendor), Vendor)
    if not isinstance(row.tokenizer_family, TokenizerFamily):
        yield "tokenizer_family", one_of(str(row.tokenizer_family), TokenizerFamily)
    elif row.tokenizer_family is TokenizerFamily.UNKNOWN:
        yield "tokenizer_family", "'unknown' is only for models outside the catalog"


def _limits(row: CatalogRow) -> Iterator[Broken]:
    window, output = row.context_window_tokens, row.max_output_tokens
    yield from _tokens("context_window_tokens", window)
    yield from _tokens("max_output_tokens", output)
    if window is not None and output is not None and output > window:
        yield "max_output_tokens", f"{output} must not exceed the window of {window} tokens"


def _tokens(field: str, value: object) -> Iterator[Broken]:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        yield field, f"{value!r} must be a whole number of tokens above 0, or null where it is not known"


def _flags(row: CatalogRow) -> Iterator[Broken]:
    if not isinstance(row.yes, CapabilitySet) or not isinstance(row.no, CapabilitySet):
        yield "yes", "yes and no must be sets of capabilities"
        return
    for capability in row.yes & row.no:
        yield "no", f"{capability} stands under yes as well"
    if Capability.PARALLEL_TOOL_USE in row.yes and Capability.TOOL_USE not in row.yes:
        yield "yes", "parallel_tool_use needs tool_use"
    if not row.yes:
        yield "yes", "must name at least one capability"


def _scores(row: CatalogRow) -> Iterator[Broken]:
    if not isinstance(row.scores, Mapping):
        yield "scores", "must map dimensions to points"
        return
    for dimension, points in row.scores.items():
        if not isinstance(dimension, ScoreDimension):
            yield "scores", one_of(str(dimension), ScoreDimension)
        elif not isinstance(points, int) or isinstance(points, bool) or not 0 <= points <= 100:
            yield f"scores.{dimension}", f"{points!r} must be a whole number from 0 to 100"
    if 0 < len(row.scores) < len(ScoreDimension):
        missing = ", ".join(dimension for dimension in ScoreDimension if dimension not in row.scores)
        yield "scores", f"must have all seven dimensions or none; missing: {missing}"


def _retirement(row: CatalogRow) -> Iterator[Broken]:
    retirement = row.retirement
    if retirement is None:
        return
    if not isinstance(retirement, Retirement):
        yield "retirement", "must have a date, a replacement and a source"
        return
    yield from _date("retirement.date", retirement.date)
    yield from _text("retirement.source", retirement.source)
    yield from _source("retirement.source", retirement.source)
    if retirement.replacement is not None:
        yield from _text("retirement.replacement", retirement.replacement)
    if retirement.replacement in (row.model_id, *row.aliases):
        yield "retirement.replacement", "must be another model"


def _provenance(row: CatalogRow) -> Iterator[Broken]:
    yield from _source("source", row.source)
    yield from _date("checked", row.checked)


def _source(field: str, value: str) -> Iterator[Broken]:
    if not value.startswith(("https://", SNAPSHOT)):
        yield field, f"{value!r} must be the vendor's document (https://…) or begin with '{SNAPSHOT.strip()}'"


def _date(field: str, value: object) -> Iterator[Broken]:
    if not isinstance(value, datetime.date) or isinstance(value, datetime.datetime):
        yield field, f"{value!r} must be a date (YYYY-MM-DD)"


_RULES = (_texts, _enums, _limits, _flags, _scores, _retirement, _provenance)
