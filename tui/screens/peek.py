"""The lines of the file behind what is under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from model.findings import Spot
from model.provenance import explain, explain_field
from model.snapshot import Snapshot
from tui.safe_text import safe_text
from tui.screens.card import Card, Line

if TYPE_CHECKING:
    from tui.app import CapdeckApp

CONTEXT_LINES = 6


def peek(app: CapdeckApp) -> None:
    """Opens the card of source lines, or says why there are none."""
    spot = _spot(app)
    if spot is None:
        app.say("no line of a file stands behind this: it is not in the file", warning=True)
        return
    app.push_screen(Card(*peek_card(app.snapshot, spot)))


def _spot(app: CapdeckApp) -> Spot | None:
    from tui.commands import Where
    from tui.panes.doctor import DoctorPane
    from tui.panes.matrix import MatrixPane

    if app.pane is Where.DOCTOR:
        finding = app.query_one(DoctorPane).finding
        return finding.spot if finding else None
    matrix = app.query_one(MatrixPane)
    row = app.snapshot.matrix.get(matrix.ref) if matrix.ref else None
    if row is None:
        return None
    column = matrix.column
    if column is not None and column.is_field:
        explanation = explain(row, column.capability) if column.capability else explain_field(row, column.key)
        spot = next((word.spot for word in explanation.words if word.spot), None)
        if spot:
            return spot
    layer = row.model.layers[0]
    return Spot(layer.file, layer.row.path)


def peek_card(snapshot: Snapshot, spot: Spot) -> tuple[str, list[Line]]:
    file = snapshot.file(spot.file)
    place = file.line_column(spot)
    line = place[0] if place else 1
    source = file.doc.text.splitlines() if file.doc else []
    start = max(0, line - 1 - CONTEXT_LINES)
    lines: list[Line] = []
    for number, text in enumerate(source[start : line + CONTEXT_LINES], start + 1):
        here = number == line
        lines.append(
            Content.assemble((f"{number:>5} ", "$foreground-muted"), (safe_text(text), "bold reverse" if here else ""))
        )
    return safe_text(f"{file.path}:{line}"), lines or ["the file has no lines"]
