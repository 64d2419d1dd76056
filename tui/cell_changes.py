"""Keys on a cell → changes. Pure: a snapshot and a place in the matrix in, a Change out, or CannotEdit with why."""

from __future__ import annotations

from model.config.fields import MODEL_FIELDS, Kind
from model.editing import CannotEdit, places_naming, remove_model, set_provider_field
from model.findings import breadcrumb
from model.model_ref import ModelRef
from model.provenance import explain_field
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from model.targets import (
    adopt_observed,
    change_field,
    drop_field,
    next_flag,
    rename_everywhere,
    stated_flag,
)
from model.vocabulary import Layer
from model.workbench import Change
from tui.columns import Column


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of one column that a key speaks of. `refs` are the marked models, else the one under the cursor."""

    snapshot: Snapshot
    refs: tuple[ModelRef, ...]
    at: ModelRef | None
    column: Column | None
    target: Layer | None

    def field_name(self) -> str:
        """The field of the column. Raises CannotEdit where there is none."""
        if self.at is None:
            raise CannotEdit("this is a provider: move to one of its models")
        if self.column is None:
            raise CannotEdit("move to one of the columns right of the name")
        if self.column.task:
            raise CannotEdit("a verdict follows from the cells and the requirement (2); it cannot be set")
        if self.column.is_price:
            raise CannotEdit("a price comes from genai-prices; cost_tier is yours to set")
        return self.column.key

    def set(self, name: str, value: object) -> Change:
        """Sets a field; None takes it out of the file that states it."""
        if value is None:
            return drop_field(self.snapshot, self.refs, name, self.target)
        return change_field(self.snapshot, self.refs, name, value, self.target)

    def adopt(self) -> Change:
        """Writes what was observed of the cell into the file. Raises CannotEdit where nothing was."""
        name = self.field_name()
        assert self.at is not None
        return adopt_observed(self.snapshot, self.at, name, self.target)

    def stated_text(self, name: str) -> str:
        """What a file states for the field of the model under the cursor; empty if none does."""
        row = self.snapshot.matrix.get(self.at) if self.at else None
        decider = explain_field(row, name).decider if row else None
        return decider.value if decider and decider.spot else ""

    def next_value(self) -> object:
        """What `space` writes: the next of the field's few values; None for not stated."""
        name = self.field_name()
        field = MODEL_FIELDS[name]
        if self.column is not None and self.column.capability and self.at:
            return next_flag(stated_flag(self.snapshot, self.at, self.column.capability, self.target))
        if field.kind is Kind.FLAG:
            return next_flag({"true": True, "false": False}.get(self.stated_text(name)))
        if not field.choices:
            raise CannotEdit(f"{name} is typed: open the cell to edit it")
        return _after(field.allowed, self.stated_text(name))

    def has_few_values(self) -> bool:
        """Whether `space` can step through the values of this column."""
        field = MODEL_FIELDS[self.field_name()]
        return field.kind is Kind.FLAG or field.choices is not None


def _after(allowed: tuple[str, ...], stated: str) -> str | None:
    """The word after the stated one; not stated after the last."""
    place = allowed.index(stated) + 1 if stated in allowed else 0
    return allowed[place] if place < len(allowed) else None


def toggle_model(cells: Cells) -> Change:
    row = cells.snapshot.matrix.get(cells.at) if cells.at else None
    off = row is not None and row.model.value(lambda each: each.enabled) is False
    return cells.set("enabled", None if off else False)


def toggle_provider(snapshot: Snapshot, provider_id: str) -> Change:
    provider = next(each for each in snapshot.config.providers if each.provider_id == provider_id)
    layer = provider.decided_by("enabled") or provider.layers[-1]
    file = snapshot.file(layer.file)
    edits = set_provider_field(file.config, provider_id, "enabled", not provider.enabled)
    return Change(f"switch {provider_id} {'off' if provider.enabled else 'on'}", {file.name: edits})


def _files_of(snapshot: Snapshot, ref: ModelRef) -> set[str]:
    row = snapshot.matrix.get(ref)
    return {layer.file for layer in row.model.layers} if row else set()


def remove(snapshot: Snapshot, ref: ModelRef) -> Change:
    """Out of every file that has it."""
    names = _files_of(snapshot, ref)
    return Change(
        f"remove {ref}", {file.name: remove_model(file.config, ref) for file in snapshot.files if file.name in names}
    )


def rename(snapshot: Snapshot, ref: ModelRef, model_id: str) -> Change:
    """In every file that has it or names it."""
    return rename_everywhere(snapshot, ref, model_id)


def removal_words(snapshot: Snapshot, ref: ModelRef) -> str:
    """What a removal does, and what it leaves."""
    naming = [breadcrumb(path) for file in snapshot.files for path in places_naming(file.config, str(ref))]
    left = f" Still named after that: {', '.join(naming)}." if naming else ""
    return f"Removes the entry and its own comments.{left}"
