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
        assert ShippedCatalog(text, _FILE.name)._look_up(name) == whole.find(name), name


def test_every_row_is_a_block() -> None:
    text = _FILE.read_text(encoding="utf-8")
    shipped = ShippedCatalog(text, _FILE.name)
    assert len(shipped._blocks) == len(shipped.rows)


def test_many_names_read_it_whole() -> None:
    shipped = ShippedCatalog(_FILE.read_text(encoding="utf-8"), _FILE.name)
    for number in range(1_000):
        assert shipped.find(f"unheard-of-{number}") is None
    assert shipped.find(shipped.rows[0].model_id) is not None


def test_stale_rows_are_the_same_either_way() -> None:
    text = _FILE.read_text(encoding="utf-8")
    whole = Catalog.parse(text, _FILE.name)
    for days in (0, 100, 180, 181, 400):
        today = whole.newest + datetime.timedelta(days)
        assert ShippedCatalog(text, _FILE.name).stale(today) == whole.stale(today)
    assert len(_CHECKED.findall(text)) == len(whole.rows)
