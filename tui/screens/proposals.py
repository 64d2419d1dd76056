"""What would let a model pass: the smallest changes, each shown as a diff before it is made."""

from __future__ import annotations

from textual.widget import Widget

from model.vocabulary import ModelRef
from tui.screens.card import Card
from tui.screens.cards import verdict_card


def show_ways(pane: Widget, ref: ModelRef, task: str) -> None:
    snapshot = pane.snapshot  # type: ignore[attr-defined]  # panes show a snapshot
    row = snapshot.matrix.get(ref)
    pane.app.push_screen(Card(*verdict_card(snapshot, row, task)))
