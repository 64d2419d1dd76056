"""`capdeck explain`: who decided a cell, a whole model with its layers, or what a finding's code means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from model.counts import required_somewhere
from model.latency import latency_of
from model.provenance import Explanation, explain, explain_field
from model.vocabulary import CAPABILITIES
from tui.cli.explaining import CELL_NAMES, explained
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned
from tui.cli.shapes import explanation_shape, files_shape
from tui.cli.words import FromFiles, model_named, refs_of
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot
    from tui.cli.output import Output

_SHOWN_FIELDS = ("quality_tier", "cost_tier", "context_window_tokens", "max_output_tokens")


def _subjects(snapshot: Snapshot) -> list[str]:
    from model.doctor.codes import CODES

    return [*refs_of(snapshot), *CODES]


@command(name="explain")
@click.argument("subject", metavar="CODE|REF", type=FromFiles("subject", _subjects))
@click.argument("cell", metavar="[CAPABILITY|FIELD]", required=False, type=FromFiles("cell", lambda _: CELL_NAMES))
def explain_(invocation: Invocation, subject: str, cell: str | None) -> None:
    """Say who decided a value, or what a finding's code means.

    \b
    capdeck explain auth-env-unset                       what it means, why it matters, how to mend it
    capdeck explain anthropic-main/claude-opus-5         all cells of a model
    capdeck explain anthropic-main/claude-opus-5 thinking    one cell, with all layers
    """
    if "/" not in subject and cell is None:
        from tui.cli.codes import print_code

        return print_code(invocation.out, subject)
    snapshot = invocation.open().snapshot
    row = model_named(snapshot, subject)
    if cell is not None:
        return _print_cell(invocation.out, snapshot, row, explained(row, cell))
    return _print_model(invocation.out, snapshot, row)


def _print_cell(out: Output, snapshot: Snapshot, row: ResolvedModel, explanation: Explanation) -> None:
    if out.as_json:
        head: dict[str, Any] = {"files": files_shape(snapshot), "ref": str(row.ref), "name": explanation.name}
        out.document(head | explanation_shape(snapshot, explanation))
        return
    name = f"{safe_text(str(row.ref))}  {explanation.name}"
    out.line(f"{name} = {out.style(safe_text(explanation.said), bold=True)}   decided by {_layer(explanation)}")
    out.line()
    for line in _layer_lines(snapshot, explanation):
        out.line(line)
    if explanation.value == "unknown" and explanation.name in CAPABILITIES:
        out.line(f"\nnot stated {_unknown_means(snapshot)}")


def _unknown_means(snapshot: Snapshot) -> str:
    policy = snapshot.config.policy
    meaning = "passes with a warning" if policy.permissive else "fails"
    return f"{meaning} where a task requires it (policy.unknown_capabilities: {policy.unknown_capabilities.value})"


def _layer(explanation: Explanation) -> str:
    return explanation.decided_by.value.replace("_", " ")


def _layer_lines(snapshot: Snapshot, explanation: Explanation) -> list[str]:
    table = []
    for word in explanation.words:
        file = snapshot.file(word.spot.file) if word.spot else None
        place = (file.line_column(word.spot) if file and word.spot else None) or ()
        where = ":".join([file.name, *map(str, place)]) if file else ""
        mark = "→" if word.decides else " "
        details = "  ".join(part for part in (where, word.detail) if part)
        table.append([f"{mark} {word.layer.value.replace('_', ' ')}", safe_text(word.said), safe_text(details)])
    return aligned(table) if table else ["  nobody says anything about it"]


def _print_model(out: Output, snapshot: Snapshot, row: ResolvedModel) -> None:
    explanations = [explain_field(row, name) for name in _SHOWN_FIELDS]
    explanations += [explain(row, capability) for capability in CAPABILITIES]
    if out.as_json:
        cells = {each.name: explanation_shape(snapshot, each) for each in explanations}
        policy = {
            "unknown_capabilities": snapshot.config.policy.unknown_capabilities.value,
            "decides": len(row.unknown & required_somewhere(snapshot)) if row.enabled else 0,
        }
        head = {"files": files_shape(snapshot), "ref": str(row.ref), "cells": cells, "policy": policy}
        out.document(head | {"first_token": _first_token_shape(row), "suggestions": _suggestions(row)})
        return
    out.line(out.style(safe_text(str(row.ref)), bold=True))
    for note in row.model.notes:
        out.line(f"  note: {safe_text(note)}")
    table = []
    for each in explanations:
        others = [f"{word.layer.value.replace('_', ' ')} {word.said}" for word in each.words if not word.decides]
        table.append([f"  {each.name}", each.said, _layer(each), safe_text(", ".join(others))])
    out.line()
    for line in aligned([["  cell", "value", "decided by", "others say"], *table]):
        out.line(line)
    if time := latency_of(row):
        out.line(f"\nfirst token {time}   observed at {safe_text(time.endpoint)}: {time.basis}")
    if row.unknown.mask:
        out.line(f"\n{len(row.unknown)} cells are not stated: what is not stated {_unknown_means(snapshot)}")
    for found in _suggestions(row):
        out.line(safe_text(f"suggested: capdeck set {row.ref} {found['field']} {found['value']}   ({found['why']})"))


def _first_token_shape(row: ResolvedModel) -> dict[str, Any] | None:
    """None = not observed at the endpoint that the provider has now."""
    time = latency_of(row)
    if time is None:
        return None
    seen = {"endpoint": time.endpoint, "seen": time.seen.isoformat()}
    return {"milliseconds": time.milliseconds, "count": time.count, **seen}


def _suggestions(row: ResolvedModel) -> list[dict[str, str]]:
    """What might be stated, from its price; nothing is written."""
    from tui.prices import suggested_tier

    found = suggested_tier(row)
    return [{"field": "cost_tier", "value": found[0].value, "why": found[1]}] if found else []
