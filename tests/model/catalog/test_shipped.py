"""The shipped catalog answers the same row by row and as a whole."""

from __future__ import annotations

import datetime

from model.catalog import Catalog
from model.catalog.catalog import _CHECKED, _FILE, ShippedCatalog


def test_a_name_finds_the_same_row_either_way() -> None:
    text = _FILE.read_text(encoding="utf-8")
    whole = Catalog.parse(text, _FILE.name)
    names = [name for row in whole.rows for name in (row.model_id, *row.aliases)]
    for name in [*names, "", "claude", "gpt", "no such model", "text_input"]:
        assert ShippedCatalog(text, _FILE.name).find(name) == whole.find(name), name


def test_every_row_is_a_block() -> None:
    text = _FILE.read_text(encoding="utf-8")
    shipped = ShippedCatalog(text, _FILE.name)
    assert len(set(shipped._blocks.values())) == len(shipped.rows)


def test_many_names_read_it_whole() -> None:
    text = _FILE.read_text(encoding="utf-8")
    shipped, whole = ShippedCatalog(text, _FILE.name), Catalog.parse(text, _FILE.name)
    for name in whole.names:
        assert shipped.find(name) == whole.find(name)
    assert "_whole" in vars(shipped)


def test_stale_rows_are_the_same_either_way() -> None:
    text = _FILE.read_text(encoding="utf-8")
    whole = Catalog.parse(text, _FILE.name)
    for days in (0, 100, 180, 181, 400):
        today = whole.newest + datetime.timedelta(days)
        assert ShippedCatalog(text, _FILE.name).stale(today) == whole.stale(today)
    assert len(_CHECKED.findall(text)) == len(whole.rows)


def test_the_names_are_those_of_all_rows() -> None:
    text = _FILE.read_text(encoding="utf-8")
    assert list(ShippedCatalog(text, _FILE.name).names) == list(Catalog.parse(text, _FILE.name).names)
