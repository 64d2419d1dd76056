"""The curated catalog: rows found by exact id or listed alias (DOMAIN.md §9)."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Self

from model.catalog.errors import DuplicateRow, MissingRow
from model.catalog.reading import read_rows
from model.catalog.rows import CatalogRow
from model.catalog.rules import check
from model.quick_dataclass import dataclass

FRESH_FOR = datetime.timedelta(days=180)
"""How long a checked row counts as fresh."""

_FILE = Path(__file__).with_name("catalog.yaml")


class MatchedAs(StrEnum):
    """Which name of a row a model_id is."""

    ID = "id"
    ALIAS = "alias"


@dataclass(frozen=True, slots=True)
class Match:
    """The row that a model_id names, and whether by its own id or by a listed alias."""

    row: CatalogRow
    matched_as: MatchedAs

    @classmethod
    def of(cls, row: CatalogRow, name: str) -> Match:
        """`name` is one of the row's names."""
        return cls(row, MatchedAs.ID if row.model_id == name else MatchedAs.ALIAS)


class Catalog:
    """An immutable set of checked rows in which each id and alias names one row."""

    def __init__(self, rows: Iterable[CatalogRow]) -> None:
        """Rows are taken as checked one by one. Raises DuplicateRow, and MissingRow for a replacement without a row."""
        self._rows = tuple(rows)
        self._by_name = _index(self._rows)
        for row in self._rows:
            self._check_replacement(row)

    @property
    def rows(self) -> tuple[CatalogRow, ...]:
        return self._rows

    @property
    def names(self) -> Iterable[str]:
        """Ids and aliases of all rows."""
        return self._by_name

    @classmethod
    def parse(cls, text: str, name: str) -> Self:
        """A catalog from the text of a catalog file; `name` is what errors call it. Raises CatalogError."""
        return cls(read_rows(text, name))

    @property
    def newest(self) -> datetime.date:
        """The day of the latest check of a row; date.min for a catalog without rows."""
        return max((row.checked for row in self.rows), default=datetime.date.min)

    def find(self, model_id: str) -> Match | None:
        """By exact id or listed alias, never by a part of a name."""
        row = self._by_name.get(model_id)
        return None if row is None else Match.of(row, model_id)

    def require(self, model_id: str) -> Match:
        """As `find`. Raises MissingRow, with the nearest names."""
        match = self.find(model_id)
        if match is None:
            raise MissingRow(model_id, "model_id", f"has no row in the catalog{self._nearest(model_id)}")
        return match

    def with_rows(self, rows: Iterable[CatalogRow]) -> Catalog:
        """This catalog and more rows, such as a plugin's, through the same checks.

        Raises InvalidRow, and DuplicateRow where a row would take a name that a built-in row has.
        """
        more = tuple(rows)
        for row in more:
            check(row)
        return Catalog((*self.rows, *more))

    def stale(self, today: datetime.date) -> tuple[CatalogRow, ...]:
        """The rows that were checked over 180 days ago."""
        return tuple(row for row in self.rows if today - row.checked > FRESH_FOR)

    def _check_replacement(self, row: CatalogRow) -> None:
        replacement = row.retirement.replacement if row.retirement else None
        if replacement is not None and replacement not in self._by_name:
            raise MissingRow(row.model_id, "retirement.replacement", f"{replacement!r} has no row in the catalog")

    def _nearest(self, model_id: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(model_id, self._by_name, n=3)
        return f"; nearest: {', '.join(near)}" if near else ""


def _index(rows: tuple[CatalogRow, ...]) -> Mapping[str, CatalogRow]:
    by_name: dict[str, CatalogRow] = {}
    for row in rows:
        for field, name in (("model_id", row.model_id), *(("aliases", alias) for alias in row.aliases)):
            if name in by_name:
                raise DuplicateRow(row.model_id, field, f"{name!r} already names {by_name[name].model_id!r}")
            by_name[name] = row
    return by_name


class ShippedCatalog(Catalog):
    """The catalog that capdeck ships. A few names are looked up row by row, since most files name few models and the
    whole would cost a good part of the start; what asks for more reads it whole, as a test does."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._found: dict[str, Match] = {}

    @cached_property
    def _whole(self) -> Catalog:
        return Catalog.parse(self._text, self._name)

    @property
    def rows(self) -> tuple[CatalogRow, ...]:
        return self._whole.rows

    def find(self, model_id: str) -> Match | None:
        if model_id not in self._blocks:
            return None
        if len(self._found) >= _FEW_NAMES:
            return self._whole.find(model_id)
        if model_id not in self._found:
            self._found[model_id] = self._look_up(model_id)
        return self._found[model_id]

    def require(self, model_id: str) -> Match:
        return self._whole.require(model_id)

    def stale(self, today: datetime.date) -> tuple[CatalogRow, ...]:
        """As ever, but without reading a row where all dates in the text are fresh."""
        oldest = min(_CHECKED.findall(self._text), default="")
        fresh = oldest and today - datetime.date.fromisoformat(oldest) <= FRESH_FOR
        return () if fresh else self._whole.stale(today)

    @property
    def names(self) -> Iterable[str]:
        return self._blocks

    @cached_property
    def _blocks(self) -> Mapping[str, tuple[str, str]]:
        """Vendor and text of the row that each name names."""
        vendor = ""
        blocks: dict[str, tuple[str, str]] = {}
        for heading, block in _BLOCK.findall(self._text):
            vendor = heading or vendor
            for names in _NAMES.findall(block):
                blocks |= dict.fromkeys(names.split(), (vendor, block))
        return blocks

    def _look_up(self, name: str) -> Match:
        vendor, block = self._blocks[name]
        (row,) = read_rows(f"{vendor}:\n{block}", self._name)
        return Match.of(row, name)


_FEW_NAMES = 150
_CHECKED = re.compile(r"^  checked: (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_NAMES = re.compile(r"^(?:- model_id|  aliases): (.*(?:\n   .*)*)", re.MULTILINE)
_BLOCK = re.compile(r"^(?:([a-z]+):\n)?(- .*\n(?:  .*\n)*)", re.MULTILINE)


@cache
def builtin() -> Catalog:
    """The catalog that capdeck ships. Raises CatalogError where a row that is needed is broken."""
    return ShippedCatalog(_FILE.read_text(encoding="utf-8"), _FILE.name)
