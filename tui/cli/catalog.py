"""`capdeck catalog list|show|diff`: the curated catalog, and where it differs from a public list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from model.catalog import Catalog, CatalogRow, builtin
from tui.cli.errors import FOUND_SOMETHING, Failure
from tui.cli.invocation import Invocation, command
from tui.cli.lines import aligned, tokens
from tui.cli.words import FromFiles
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.catalog.drift import Snapshot

_ID = FromFiles("model_id", lambda snapshot: [row.model_id for row in snapshot.catalog.rows])


@click.group(no_args_is_help=False)
def catalog() -> None:
    """Look into the curated catalog, or compare it with a snapshot."""


@command(name="list")
@click.option("--vendor", metavar="NAME", help="Only this vendor's models.")
def list_(invocation: Invocation, vendor: str | None) -> None:
    """List the catalog's models with window, output and the day each was checked."""
    rows = [row for row in builtin().rows if vendor in {None, row.vendor.value}]
    if not rows:
        known = ", ".join(dict.fromkeys(row.vendor.value for row in builtin().rows))
        raise Failure("unknown-vendor", f"the catalog has nothing of {vendor!r}", f"it has: {known}")
    if invocation.out.as_json:
        return invocation.out.document({"catalog": [row_shape(row) for row in rows]})
    table = [
        [row.model_id, row.vendor.value, tokens(row.context_window_tokens), tokens(row.max_output_tokens),
         str(row.checked), _retires(row)]
        for row in rows
    ]  # fmt: skip
    for line in aligned([["model", "vendor", "ctx", "out", "checked", ""], *table], right={2, 3}):
        invocation.out.line(line)
    return None


@command()
@click.argument("model_id", type=_ID)
def show(invocation: Invocation, model_id: str) -> None:
    """Show all that the catalog says of one model, by its id or an alias."""
    row = _row(builtin(), model_id)
    if invocation.out.as_json:
        return invocation.out.document({"catalog": [row_shape(row)]})
    table = [
        [name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)]
        for name, value in row_shape(row).items()
        if value not in (None, "", [], {}) and not isinstance(value, dict)
    ]
    table += [[name, value] for name, value in row_shape(row)["supports"].items()]
    table += [[f"score {name}", str(value)] for name, value in row_shape(row)["scores"].items()]
    for line in aligned(table):
        invocation.out.line(line)
    return None


@command()
@click.option("--litellm", type=click.Path(path_type=Path), metavar="FILE", help="LiteLLM's price file (JSON).")
@click.option("--models-dev", type=click.Path(path_type=Path), metavar="FILE", help="models.dev's api.json.")
@click.option("--mine", is_flag=True, help="Only the models in my files.")
def diff(invocation: Invocation, litellm: Path | None, models_dev: Path | None, mine: bool) -> int | None:
    """Compare the catalog with a snapshot of a public list. Exit code 0: the same, 1: it differs, 2: unusable."""
    from model.catalog.drift import diff as drifts_between

    if (litellm is None) == (models_dev is None):
        raise click.UsageError("name one snapshot: --litellm FILE or --models-dev FILE")
    only = [row.ref.model_id for row in invocation.open().snapshot.matrix.rows] if mine else None
    found = drifts_between(builtin(), _snapshot(litellm, models_dev), only)
    if invocation.out.as_json:
        names = ("code", "model_id", "field", "ours", "theirs", "upstream")
        shapes = [{name: str(getattr(each, name)) for name in names} for each in found]
        invocation.out.document({"catalog": shapes})
    else:
        table = [
            [
                each.code.value,
                each.model_id,
                each.field,
                f"{each.ours or 'nothing'} here",
                f"{each.theirs or 'nothing'} there",
            ]
            for each in found
        ]
        for line in aligned([[safe_text(cell) for cell in row] for row in table]):
            invocation.out.line(line)
        invocation.out.line(f"{len(found) or 'no'} differences")
    return FOUND_SOMETHING if found else None


def _snapshot(litellm: Path | None, models_dev: Path | None) -> Snapshot:
    from model.catalog.drift import SnapshotError, read_litellm, read_models_dev
    from model.catalog.snapshot import MAX_BYTES

    file = litellm or models_dev
    assert file is not None
    with file.open("rb") as opened:
        data = opened.read(MAX_BYTES + 1)
    try:
        return read_litellm(data) if litellm else read_models_dev(data)
    except SnapshotError as error:
        raise Failure("snapshot-unusable", str(error), file=str(file)) from None


def _row(catalog: Catalog, model_id: str) -> CatalogRow:
    from model.config.values import nearest

    match = catalog.find(model_id)
    if match is None:
        meant = nearest(model_id, (row.model_id for row in catalog.rows))
        help = f"did you mean {meant!r}?" if meant else "capdeck catalog list has them all"
        raise Failure("unknown-model", f"the catalog has no row for {model_id!r}", help)
    return match.row


def _retires(row: CatalogRow) -> str:
    if row.retirement is None:
        return ""
    successor = f", then {row.retirement.replacement}" if row.retirement.replacement else ""
    return f"retires {row.retirement.date}{successor}"


def row_shape(row: CatalogRow) -> dict[str, Any]:
    """The JSON of one row."""
    from model.vocabulary import CAPABILITIES

    retirement = row.retirement
    return {
        "model_id": row.model_id,
        "vendor": row.vendor.value,
        "display_name": row.display_name,
        "aliases": list(row.aliases),
        "context_window_tokens": row.context_window_tokens,
        "max_output_tokens": row.max_output_tokens,
        "tokenizer_family": row.tokenizer_family.value,
        "supports": {each.value: row.support(each).value for each in CAPABILITIES},
        "scores": {dimension.value: score for dimension, score in row.scores.items()},
        "retires": str(retirement.date) if retirement else None,
        "replacement": retirement.replacement if retirement else None,
        "source": row.source,
        "checked": str(row.checked),
        "note": row.note or None,
    }


for _each in (list_, show, diff):
    catalog.add_command(_each)
