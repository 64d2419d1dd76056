"""`capdeck add`, `remove` and `rename`: whole entries of models and providers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from model.model_ref import ModelRef
from model.vocabulary import Layer, ProviderKind
from tui.cli.carrying_out import carry_out, edit_options, layer_named
from tui.cli.errors import Failure
from tui.cli.invocation import Invocation, command
from tui.cli.words import ENTRY, FromFiles, Word, model_named, provider_named
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.config.rows import FileConfig
    from model.document import Edit
    from model.files import OpenFile
    from model.snapshot import Snapshot
    from model.workbench import Workbench

_KIND = Word("provider kind", [kind.value for kind in ProviderKind], ProviderKind)
_NEW = FromFiles(
    "ref",
    lambda snapshot: [
        f"{each.provider_id}/{row.model_id}" for each in snapshot.config.providers for row in snapshot.catalog.rows
    ],
)


@command()
@click.argument("ref", type=_NEW)
@click.option("--kind", type=_KIND, metavar="KIND", help="provider_kind, for a provider that no file has yet.")
@click.option("--base-url", metavar="URL", help="For a new provider: its endpoint.")
@click.option(
    "--auth-ref", metavar="WHERE", help="For a new provider: env:NAME, file:PATH, keyring:SERVICE/USER, none."
)
@click.option("--online", is_flag=True, help="Fill it in from what the endpoint says, not from the catalog.")
@edit_options
def add(
    invocation: Invocation,
    ref: str,
    kind: ProviderKind | None,
    base_url: str | None,
    auth_ref: str | None,
    online: bool,
    layer: str | None,
    diff_only: bool,
) -> int | None:
    """Add a model, filled in from the catalog or with --online from its endpoint, or a provider.

    \b
    capdeck add anthropic-main/claude-opus-5
    capdeck add openai --kind openai
    """
    from tui.cli.new_entries import NewProvider, adding

    bench = _bench_to_add_to(invocation)
    new = NewProvider(kind, base_url, auth_ref)
    seen = _seen_at_endpoint(bench, ref) if online else None
    change = adding(bench, ref, new, layer_named(layer), seen)
    code = carry_out(invocation, bench, change, diff_only=diff_only)
    if not invocation.out.as_json:
        _say_what_is_missing(invocation, bench.snapshot, ref)
    return code


def _seen_at_endpoint(bench: Workbench, ref: str) -> Mapping[str, Any]:
    from tui.cli.add_online import facts_at_endpoint

    return facts_at_endpoint(bench.snapshot, ref)


def _bench_to_add_to(invocation: Invocation) -> Workbench:
    """Missing files are begun; others have to be usable."""
    from tui.cli.opening import demand_usable

    bench = invocation.load()
    for file in bench.files:
        if not file.missing:
            demand_usable(file)
    return bench


def _say_what_is_missing(invocation: Invocation, snapshot: Snapshot, ref: str) -> None:
    row = snapshot.matrix.get(ModelRef.parse(ref)) if "/" in ref else None
    if row is None:
        return
    if row.catalog is None:
        invocation.out.line("the catalog does not know it: set supports.tool_use, .image_input and .streaming yourself")
    invocation.out.line("quality_tier and cost_tier are your judgement: capdeck set REF quality_tier strong")


@command()
@click.argument("ref", type=ENTRY)
@edit_options
def remove(invocation: Invocation, ref: str, layer: str | None, diff_only: bool) -> int | None:
    """Remove a model or a provider, from every open file that has it or from the one that --in names.

    What else names it stays, and is listed on standard error.
    """
    from model.editing import remove_model, remove_provider

    def edits(config: FileConfig) -> tuple[Edit, ...]:
        return remove_model(config, ModelRef.parse(ref)) if "/" in ref else remove_provider(config, ref)

    bench = invocation.open()
    code = _in_each_file(invocation, bench, ref, f"remove {ref}", edits, layer, diff_only=diff_only)
    if layer is None:  # else another file may have it yet
        for place in _still_naming(bench.files, ref):
            invocation.out.line(safe_text(f"still named: {place}"), err=True)
    return code


def _still_naming(files: Iterable[OpenFile], entry: str) -> list[str]:
    from model.editing import places_naming
    from model.findings import breadcrumb

    return [f"{file.path.name}: {breadcrumb(path)}" for file in files for path in places_naming(file.config, entry)]


@command()
@click.argument("ref", type=ENTRY)
@click.argument("new")
@edit_options
def rename(invocation: Invocation, ref: str, new: str, layer: str | None, diff_only: bool) -> int | None:
    """Rename a model or provider, and all that names it, in every open file that has it.

    \b
    capdeck rename openai/gpt-5 gpt-5.2
    capdeck rename openai openai-work
    """
    from model.editing import rename_model, rename_provider

    if "/" in ref and layer is None:
        return _rename_everywhere(invocation, ref, new, diff_only=diff_only)

    def edits(config: FileConfig) -> tuple[Edit, ...]:
        if "/" not in ref:
            return rename_provider(config, ref, new)
        old = ModelRef.parse(ref)
        return rename_model(config, old, new.removeprefix(f"{old.provider_id}/"))

    bench = invocation.open()
    return _in_each_file(invocation, bench, ref, f"rename {ref}", edits, layer, diff_only=diff_only)


def _rename_everywhere(invocation: Invocation, ref: str, new: str, *, diff_only: bool) -> int | None:
    from model.targets import rename_everywhere

    bench = invocation.open()
    old = model_named(bench.snapshot, ref).ref
    change = rename_everywhere(bench.snapshot, old, new.removeprefix(f"{old.provider_id}/"))
    return carry_out(invocation, bench, change, diff_only=diff_only)


def _in_each_file(
    invocation: Invocation,
    bench: Workbench,
    ref: str,
    title: str,
    edits: Callable[[FileConfig], tuple[Edit, ...]],
    layer: str | None,
    *,
    diff_only: bool,
) -> int | None:
    from model.workbench import Change

    files = [file for file in bench.files if _has(bench.snapshot, file, ref) and _wanted(file, layer_named(layer))]
    if not files:
        raise Failure("unknown-ref", f"the {layer} file has no {ref}")
    change = Change(title, {file.name: edits(file.config) for file in files})
    return carry_out(invocation, bench, change, diff_only=diff_only)


def _has(snapshot: Snapshot, file: OpenFile, ref: str) -> bool:
    """Raises Failure if no file has it."""
    from model.editing import find_model, find_provider

    found: Any
    if "/" in ref:
        found = find_model(file.config, model_named(snapshot, ref).ref)
    else:
        found = find_provider(file.config, provider_named(snapshot, ref))
    return found is not None


def _wanted(file: OpenFile, layer: Layer | None) -> bool:
    return layer is None or file.layer is layer
