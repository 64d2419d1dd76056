"""JSON shapes that several documents share (CLI.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.provenance import Explanation
    from model.snapshot import Snapshot


def files_shape(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The files that the answer rests on; those that do not exist are left out."""
    return [
        {"path": file.name, "layer": file.layer.value, "sha256": file.doc.sha256 if file.doc else None}
        for file in snapshot.files
        if not file.missing
    ]


def layers_shape(snapshot: Snapshot, explanation: Explanation) -> list[dict[str, Any]]:
    """Everybody who has a say in a value, nearest to the user first."""
    shapes = []
    for word in explanation.words:
        file = snapshot.file(word.spot.file) if word.spot else None
        line, column = (file.line_column(word.spot) if file and word.spot else None) or (None, None)
        place = {"file": file.name if file else None, "line": line, "column": column}
        shapes.append({"layer": word.layer.value, "value": word.value, **place, "detail": word.detail or None})
    return shapes


def explanation_shape(snapshot: Snapshot, explanation: Explanation) -> dict[str, Any]:
    return {
        "value": explanation.value,
        "decided_by": explanation.decided_by.value,
        "layers": layers_shape(snapshot, explanation),
    }
