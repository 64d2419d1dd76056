"""A model's cell or field by its name on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.config.fields import MODEL_FIELDS
from model.config.values import nearest
from model.provenance import Explanation, explain, explain_field
from model.vocabulary import Capability
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from model.resolve import ResolvedModel

CELL_NAMES = [name.removeprefix("supports.") for name in MODEL_FIELDS if name != "model_id"]
"""What can be asked for: `thinking`, `quality_tier`, `limits.requests_per_minute`."""


def explained(row: ResolvedModel, name: str) -> Explanation:
    """`name` with or without `supports.` before it. Raises Failure with the nearest known name."""
    short = name.removeprefix("supports.")
    if short not in CELL_NAMES:
        meant = nearest(short, CELL_NAMES)
        raise Failure("unknown-field", f"a model has no {name!r}", f"did you mean {meant!r}?" if meant else "")
    return explain(row, Capability(short)) if f"supports.{short}" in MODEL_FIELDS else explain_field(row, short)
