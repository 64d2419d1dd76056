"""The user's settings become the app's, before its first frame; what could not be had is told."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from tui.columns import ColumnGroup
from tui.panes.matrix import MatrixPane
from tui.safe_text import safe_text
from tui.screens.card import Card, Line
from tui.settings import Problem, Settings

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def put_in_force(app: CapdeckApp) -> None:
    settings = app.settings
    if settings.keys:
        app.set_keymap({id: ",".join(keys) for id, keys in settings.keys.items()})
    if settings.theme and "TEXTUAL_THEME" not in os.environ:  # which is for this one run
        app.theme = settings.theme
    if settings.columns is not None:
        pane = app.query_one(MatrixPane)
        groups = frozenset({ColumnGroup.IDENTITY, *map(ColumnGroup, settings.columns)})
        pane.view = replace(pane.view, groups=groups)
        pane.rearrange()
    if settings.problems:
        app.call_after_refresh(app.push_screen, problems_card(settings))


def problems_card(settings: Settings) -> Card:
    """Every line of the settings that is passed over, with its place."""
    lines: list[Line] = [line for problem in settings.problems for line in _lines(settings, problem)]
    return Card(
        "settings: what is passed over",
        [*lines, "All else is as the file says, or as it comes. `capdeck keys` lists this again."],
    )


def _lines(settings: Settings, problem: Problem) -> list[Line]:
    said = safe_text(f"{place_of(settings, problem)}: {problem.message}")
    return [said, Content.assemble((f"  {safe_text(problem.help)}", "$foreground-muted"))] if problem.help else [said]


def place_of(settings: Settings, problem: Problem) -> str:
    """`…/settings.yaml:3:7`"""
    return ":".join(str(part) for part in (settings.file, problem.line, problem.column) if part is not None)
