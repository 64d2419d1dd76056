"""`capdeck explain` of models and cells."""

from __future__ import annotations

from tests.tui.cli.conftest import Desk, Run
from tests.tui.cli.shapes import ERROR, EXPLAIN_CELL, check


def test_a_cell_lists_its_layers_and_marks_the_decider(run: Run, desk: Desk) -> None:
    out = run("explain", "local/house:30b", "tool_use").out
    assert "tool_use = yes   decided by global" in out
    [decider] = [line for line in out.splitlines() if line.startswith("→")]
    assert f"{desk.file}:23:21" in decider


def test_a_cell_in_json(run: Run) -> None:
    document = run("explain", "local/house:30b", "tool_use", "--json").json
    check(document, EXPLAIN_CELL)
    assert (document["value"], document["decided_by"]) == ("yes", "global")


def test_a_scalar_field_has_layers_too(run: Run) -> None:
    assert "context_window_tokens = 131072" in run("explain", "local/house:30b", "context_window_tokens").out
    assert "default_use.execute = true" in run("explain", "anthropic-main/claude-opus-4-7", "default_use.execute").out


def test_a_model_lists_all_cells(run: Run) -> None:
    out = run("explain", "anthropic-main/claude-opus-4-7").out
    assert "note: kept for hard work" in out
    assert "computer_use" in out
    cells = run("explain", "anthropic-main/claude-opus-4-7", "--json").json["cells"]
    assert len(cells) == 22


def test_unknown_words_are_answered_with_known_ones(run: Run) -> None:
    answer = run("explain", "local/house:30b", "tool_us", "--json")
    check(answer.json, ERROR)
    assert (answer.code, answer.json["error"]["help"]) == (2, "did you mean 'tool_use'?")
    assert "did you mean 'local/house:30b'?" in run("explain", "local/house").err
