"""The price columns: off by default, dated, not to be edited; and what a model's card says of its retirement."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, timedelta

import pytest

from model.editing import CannotEdit
from model.model_ref import ModelRef
from tests.model.samples import open_text
from tui.cell_changes import Cells
from tui.columns import ALL_FIELDS, ALWAYS, ColumnGroup, columns_for
from tui.detail import detail_line
from tui.screens.cards import card_of, model_card

TEXT = """\
providers:
  - provider_id: a
    provider_kind: anthropic
    models: [{model_id: claude-opus-4-5}, {model_id: no-such-model}, {model_id: claude-haiku-4-5}]
"""


def test_price_columns_show_and_sort() -> None:
    snapshot = open_text(TEXT)
    opus, unknown, haiku = snapshot.matrix.rows
    price_in, price_out = (each for each in columns_for(frozenset(ColumnGroup), ()) if each.is_price)
    assert [price_in.show(snapshot, row).text for row in (opus, unknown, haiku)] == ["5", "", "1"]
    assert price_out.show(snapshot, opus).text == "25"
    ordered = sorted(snapshot.matrix.rows, key=lambda row: price_in.order(snapshot, row))  # type: ignore[arg-type,return-value]  # comparable
    assert ordered == [haiku, opus, unknown]


def test_they_are_off_by_default_and_no_jump_opens_them() -> None:
    assert ColumnGroup.PRICES not in ALWAYS
    assert ColumnGroup.PRICES not in ALL_FIELDS


def test_a_price_is_told_and_cannot_be_set() -> None:
    snapshot = open_text(TEXT)
    row = snapshot.matrix.rows[0]
    column = next(each for each in columns_for(frozenset(ColumnGroup), ()) if each.is_price)
    told = detail_line(snapshot, row, column, frozenset()).plain
    assert "5 in, 25 out USD per million tokens" in told
    assert "suggests cost_tier high" in told
    assert card_of(snapshot, row, column)[0] == "price of a/claude-opus-4-5"
    with pytest.raises(CannotEdit, match="genai-prices"):
        Cells(snapshot, (row.ref,), ModelRef("a", "claude-opus-4-5"), column, None).field_name()


def test_nothing_loads_the_table_before_a_price_is_shown() -> None:
    code = "import sys, tui.columns, tui.prices, tui.app; assert 'genai_prices' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("days", "told"), [(30, ", in 30 days"), (0, ", today"), (-3, ", 3 days ago")])
def test_a_models_card_counts_the_days_to_its_retirement(days: int, told: str) -> None:
    catalog_row = next(each for each in open_text(TEXT).catalog.rows if each.retirement)
    assert catalog_row.retirement is not None
    snapshot = open_text(f"providers: [{{provider_id: a, models: [{{model_id: {catalog_row.model_id}}}]}}]")
    today: date = catalog_row.retirement.date - timedelta(days=days)
    lines = [str(line) for line in model_card(snapshot, snapshot.matrix.rows[0], today)[1]]
    assert any(f"{catalog_row.retirement.date.isoformat()}{told}" in line for line in lines)
