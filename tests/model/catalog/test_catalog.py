"""Finding rows, adding rows, and what two rows may not share."""

from __future__ import annotations

import datetime

import pytest

from model.catalog import Catalog, DuplicateRow, InvalidRow, MatchedAs, MissingRow, Retirement
from tests.model.catalog.rows import GOOD, row

OTHER = row(model_id="other-2", aliases=("vendor/other-2",))
CATALOG = Catalog([GOOD, OTHER])


def test_finds_by_id_and_by_alias() -> None:
    by_id = CATALOG.find("other-2")
    by_alias = CATALOG.find("vendor/other-2")
    assert by_id is not None
    assert by_alias is not None
    assert (by_id.row, by_id.matched_as) == (OTHER, MatchedAs.ID)
    assert (by_alias.row, by_alias.matched_as) == (OTHER, MatchedAs.ALIAS)


@pytest.mark.parametrize("near", ["good", "good-1-2026", "GOOD-1", "good-1 ", "x/good-1", ""])
def test_never_finds_by_a_part_of_a_name(near: str) -> None:
    assert CATALOG.find(near) is None


def test_require_names_the_nearest() -> None:
    assert CATALOG.require("good-1").row == GOOD
    with pytest.raises(MissingRow, match="catalog row 'god-1', model_id: has no row in the catalog; nearest: good-1"):
        CATALOG.require("god-1")


@pytest.mark.parametrize(
    ("clash", "field"),
    [
        (GOOD, "model_id"),
        (row(model_id="good-1-20260101", aliases=()), "model_id"),
        (row(model_id="new", aliases=("good-1",)), "aliases"),
        (row(model_id="new", aliases=("vendor/other-2",)), "aliases"),
        (row(model_id="new", aliases=("new",)), "aliases"),
        (row(model_id="new", aliases=("twice", "twice")), "aliases"),
    ],
)
def test_no_two_rows_share_a_name(clash: object, field: str) -> None:
    with pytest.raises(DuplicateRow) as caught:
        CATALOG.with_rows([clash])  # type: ignore[list-item]  # parametrized as object
    assert caught.value.field == field


def test_more_rows_leave_the_catalog_as_it_was() -> None:
    more = CATALOG.with_rows([row(model_id="new", aliases=())])
    assert more.find("new") is not None
    assert CATALOG.find("new") is None


def test_more_rows_pass_the_same_rules() -> None:
    with pytest.raises(InvalidRow, match="source"):
        CATALOG.with_rows([row(model_id="new", aliases=(), source="hearsay")])


def test_a_replacement_has_a_row() -> None:
    retirement = Retirement(datetime.date(2027, 1, 14), "vendor/other-2", "https://vendor.example/gone")
    assert Catalog([row(retirement=retirement), OTHER]).rows[0].retirement == retirement
    with pytest.raises(MissingRow, match="'vendor/other-2' has no row"):
        Catalog([row(retirement=retirement)])


def test_newest_is_the_latest_check() -> None:
    older = row(model_id="older", aliases=(), checked=datetime.date(2026, 1, 1))
    assert Catalog([older, GOOD]).newest == GOOD.checked
    assert Catalog([]).newest == datetime.date.min


def test_stale_after_180_days() -> None:
    assert CATALOG.stale(GOOD.checked + datetime.timedelta(days=180)) == ()
    assert CATALOG.stale(GOOD.checked + datetime.timedelta(days=181)) == (GOOD, OTHER)
