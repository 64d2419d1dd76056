"""Changes of what a task asks, written as `requirements.<task>` and only where they differ from the default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from model.capability_set import CapabilitySet
from model.config.fields import REQUIREMENT, SUPPORTS
from model.config.rows import Alternative, RequirementRow, stated
from model.editing import REQUIREMENT_ORDER, CannotEdit
from model.files import OpenFile
from model.requirements import DEFAULTS, Requirement, default_for
from model.snapshot import Snapshot
from model.vocabulary import Capability, Layer
from model.workbench import Change

if TYPE_CHECKING:
    from model.document import Edit


class Demand(StrEnum):
    """What a task asks about one capability."""

    OFF = "off"
    PREFERRED = "preferred"
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


_NEXT = {
    Demand.OFF: Demand.PREFERRED,
    Demand.PREFERRED: Demand.REQUIRED,
    Demand.REQUIRED: Demand.FORBIDDEN,
    Demand.FORBIDDEN: Demand.OFF,
}


def demand_of(requirement: Requirement, capability: Capability) -> Demand:
    if capability in requirement.required:
        return Demand.REQUIRED
    if capability in requirement.forbidden:
        return Demand.FORBIDDEN
    return Demand.PREFERRED if capability in requirement.preferred else Demand.OFF


def next_demand(demand: Demand) -> Demand:
    """The cycle of one key: off, preferred, required, forbidden."""
    return _NEXT[demand]


def with_demand(requirement: Requirement, capability: Capability, demand: Demand) -> Requirement:
    """What the task would ask."""
    one = CapabilitySet.of((capability,))

    def changed(having: CapabilitySet, asked: Demand) -> CapabilitySet:
        return having | one if demand is asked else having - one

    return replace(
        requirement,
        required=changed(requirement.required, Demand.REQUIRED),
        forbidden=changed(requirement.forbidden, Demand.FORBIDDEN),
        preferred=changed(requirement.preferred, Demand.PREFERRED),
    )


def target_of(snapshot: Snapshot, task: str, wanted: Layer | None = None) -> OpenFile:
    """The file that holds (or gets) the task's block: the chosen one, the one that has it, the global one."""
    for layer in (wanted,) if wanted else ():
        found = [file for file in snapshot.files if file.layer is layer]
        if not found:
            raise CannotEdit(f"no {layer.value} file is open")
        return found[0]
    having = [file for file in snapshot.files if task in file.config.requirements]
    if not snapshot.files:
        raise CannotEdit("no file is open")
    return (having or [file for file in snapshot.files if file.layer is Layer.GLOBAL] or list(snapshot.files))[0]


def change_demand(
    snapshot: Snapshot, task: str, capability: Capability, demand: Demand, wanted: Layer | None = None
) -> Change:
    """Off, preferred, required or forbidden for one capability of a task. Raises CannotEdit."""
    asked = with_demand(snapshot.requirements[task], capability, demand)
    file = target_of(snapshot, task, wanted)
    block = file.config.requirements.get(task)
    lower = _below(snapshot, file, task)
    edits = [
        *_flag_edits(task, "required", _flags(asked.required, asked.forbidden), _stated(block, "required"),
                     _flags(lower.required, lower.forbidden)),
        *_flag_edits(task, "preferred", _flags(asked.preferred, asked.avoided), _stated(block, "preferred"),
                     _flags(lower.preferred, lower.avoided)),
    ]  # fmt: skip
    if not edits:
        raise CannotEdit(f"{file.path.name} cannot change this: a nearer file states it", "T chooses the other file")
    return Change(f"{task}: {capability.value} {demand.value}", {file.name: _tidied(file, task, edits)})


def _below(snapshot: Snapshot, file: OpenFile, task: str) -> Requirement:
    """What the task asks without this file's block: the default and the files under it."""
    from model.requirements import override

    requirement = default_for(task)
    for other in reversed(snapshot.files):
        if other is file:
            break
        block = other.config.requirements.get(task)
        requirement = override(requirement, block) if block else requirement
    return requirement


def _flags(yes: CapabilitySet, no: CapabilitySet) -> dict[str, bool]:
    return {each.value: each in yes for each in yes | no}


def _stated(block: RequirementRow | None, name: str) -> dict[str, bool] | None:
    flags = getattr(block, name) if block else None
    return None if flags is None else _flags(flags.yes, flags.no)


def _flag_edits(
    task: str, name: str, wanted: dict[str, bool], stated: dict[str, bool] | None, below: dict[str, bool]
) -> Iterable[Edit]:
    """From what the file states to what is wanted, key by key; a block that says what holds anyway is taken out."""
    from model.document import Delete, Put

    path = ("requirements", task, name)
    if wanted == (below if stated is None else stated):
        return
    if wanted == below:
        yield Delete(path)
    elif stated is None:
        yield Put(path, wanted, order=REQUIREMENT_ORDER)
    else:
        for key in stated:
            if key not in wanted:
                yield Delete((*path, key))
        for key, value in wanted.items():
            if stated.get(key) is not value:
                yield Put((*path, key), value, order=tuple(SUPPORTS))


def change_requirement(snapshot: Snapshot, task: str, name: str, value: Any, wanted: Layer | None = None) -> Change:
    """Sets one field of a task (`min_quality_tier`, `any_of`, `tools` …) as plain data; None, or what holds anyway,
    takes it out of the file. Raises CannotEdit."""
    from model.document import Delete, Put

    if name not in REQUIREMENT:
        raise CannotEdit(f"a requirement has no {name}")
    file = target_of(snapshot, task, wanted)
    block = file.config.requirements.get(task)
    if value is None and (block is None or getattr(block, name) is None):
        raise CannotEdit(f"{file.path.name} does not state {name} for {task}")
    path = ("requirements", task, name)
    edit: Edit = Delete(path) if value is None else Put(path, value, order=REQUIREMENT_ORDER)
    return Change(f"{task}: {name} {'default' if value is None else value}", {file.name: _tidied(file, task, [edit])})


def _tidied(file: OpenFile, task: str, edits: list[Edit]) -> tuple[Edit, ...]:
    """The edits, or where they would leave an empty block of a task that has a default, the block's end."""
    from model.document import Delete

    block = file.config.requirements.get(task)
    left = set(stated(block)) - {"path"} if block else set()
    for edit in edits:
        whole_field = len(edit.path) == 3
        name = str(edit.path[2])
        left = left - {name} if isinstance(edit, Delete) and whole_field else left | {name}
    if left or task not in DEFAULTS:
        return tuple(edits)
    alone = list(file.config.requirements) == [task]
    return (Delete(("requirements",) if alone else ("requirements", task)),)


def alternative_text(alternative: Alternative) -> str:
    """`long_context + !image_input + window ≥ 128,000`"""
    parts = [each.value for each in alternative.required]
    parts += [f"!{each.value}" for each in alternative.forbidden]
    if alternative.min_context_window_tokens:
        parts.append(f"{alternative.min_context_window_tokens}")
    return " + ".join(parts) or "nothing"


def parse_alternatives(text: str) -> list[dict[str, Any]]:
    """`long_context | 128000 + tool_use` → the plain data of `any_of`. Raises CannotEdit."""
    return [_parse_alternative(part) for part in text.split("|") if part.strip()]


def _parse_alternative(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in (part.strip() for part in text.split("+")):
        number = word.replace("_", "").replace(",", "")
        if number.isdigit():
            found["min_context_window_tokens"] = int(number)
        elif word.lstrip("!") in SUPPORTS:
            found[word.lstrip("!")] = not word.startswith("!")
        else:
            raise CannotEdit(f"{word!r} is neither a capability nor a number of tokens")
    return found
