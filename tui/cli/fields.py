"""`capdeck set` and `capdeck unset`: one field of a model or provider, and not a byte beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from model.config.fields import MODEL_FIELDS, PROVIDER_FIELDS, SUPPORTS
from model.vocabulary import Layer
from tui.cli.carrying_out import carry_out, edit_options, layer_named
from tui.cli.errors import Failure
from tui.cli.explaining import explained
from tui.cli.invocation import Invocation, command
from tui.cli.words import ENTRY, FromFiles, model_named, provider_named

if TYPE_CHECKING:
    from model.snapshot import Snapshot
    from model.workbench import Change

FILE_LAYERS = (Layer.FILE, Layer.PROJECT, Layer.GLOBAL)
_FIELD = FromFiles("field", lambda _: [*MODEL_FIELDS, *(name for name in PROVIDER_FIELDS if name not in MODEL_FIELDS)])

_OBSERVED = "observed"
_OBSERVABLE = {"context_window_tokens", "max_output_tokens", *(f"supports.{name}" for name in SUPPORTS)}


@command()
@click.argument("ref", type=ENTRY)
@click.argument("field", type=_FIELD)
@click.argument("value")
@edit_options
def set_(invocation: Invocation, ref: str, field: str, value: str, layer: str | None, diff_only: bool) -> int | None:
    """Set FIELD of REF to VALUE in the file that decides it, and touch nothing else.

    \b
    capdeck set anthropic-main/claude-opus-5 supports.thinking true
    capdeck set local/qwen3:30b context_window_tokens 128k --in project
    capdeck set openai auth_ref env:OPENAI_API_KEY
    capdeck set local/qwen3:30b context_window_tokens observed     what its endpoint or a probe showed
    """
    bench = invocation.open()
    change = _setting(bench.snapshot, ref, field, value, layer_named(layer))
    code = carry_out(invocation, bench, change, diff_only=diff_only)
    if not diff_only and not invocation.out.as_json:
        _say_if_hidden(invocation, bench.snapshot, ref, field, change)
    return code


@command()
@click.argument("ref", type=ENTRY)
@click.argument("field", type=_FIELD)
@edit_options
def unset(invocation: Invocation, ref: str, field: str, layer: str | None, diff_only: bool) -> int | None:
    """Take FIELD of REF out of the file that states it, so that the next layer decides."""
    bench = invocation.open()
    change = _clearing(bench.snapshot, ref, field, layer_named(layer))
    return carry_out(invocation, bench, change, diff_only=diff_only)


def _setting(snapshot: Snapshot, ref: str, field: str, text: str, layer: Layer | None) -> Change:
    from model.editing import field_named, parse_value
    from model.provider_edits import change_provider_field
    from model.targets import adopt_observed, change_field

    _refuse_id(field)
    if "/" in ref and text == _OBSERVED and field in _OBSERVABLE:
        return adopt_observed(snapshot, model_named(snapshot, ref).ref, field, layer)
    if "/" in ref:
        value = parse_value(field_named(MODEL_FIELDS, field), text)
        return change_field(snapshot, [model_named(snapshot, ref).ref], field, value, layer)
    _refuse_key(field, text)
    provider = provider_named(snapshot, ref)
    return change_provider_field(
        snapshot, provider, field, parse_value(field_named(PROVIDER_FIELDS, field), text), layer
    )


def _refuse_id(field: str) -> None:
    """An id is named in other places too."""
    if field in {"model_id", "provider_id"}:
        raise Failure("edit-refused", f"{field} is how the rest of the file names it", "use capdeck rename or remove")


def _refuse_key(field: str, text: str) -> None:
    """A key must not get into the file; it is not repeated either."""
    from model.auth import parse_auth_ref

    ref = parse_auth_ref(text)
    if field == "auth_ref" and not ref.is_valid:
        raise Failure("auth-literal", "this auth_ref names no place where a key lies", ref.hint)


def _clearing(snapshot: Snapshot, ref: str, field: str, layer: Layer | None) -> Change:
    from model.provider_edits import drop_provider_field
    from model.targets import drop_field

    _refuse_id(field)
    if "/" in ref:
        return drop_field(snapshot, [model_named(snapshot, ref).ref], field, layer)
    return drop_provider_field(snapshot, provider_named(snapshot, ref), field, layer)


def _say_if_hidden(invocation: Invocation, snapshot: Snapshot, ref: str, field: str, change: Change) -> None:
    """A nearer file may state the same field: then the new value does not count yet."""
    if "/" not in ref:
        return
    row = model_named(snapshot, ref)
    stating = [word.spot.file for word in explained(row, field).words if word.spot and word.layer in FILE_LAYERS]
    if stating and stating[0] not in change.edits:
        invocation.out.line(f"hidden: {stating[0]} states {field} too, and its word counts")
