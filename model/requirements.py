"""What each task asks of a model: the nine defaults of seed 000 §5, and what the files change (DOMAIN.md §4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from model.capability_set import NO_CAPABILITIES, CapabilitySet
from model.config.rows import Alternative, RequirementRow
from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import Capability, CostTier, QualityTier, Role, TaskType

COMPACT_NEED_TOKENS = 128_000
"""The window that will do for compact where long_context is not known, in tokens."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Seed 000 §5 `ModelRequirement` of one task. `preferred_tier` ranks; `min_quality_tier` is the floor."""

    task: str
    required: CapabilitySet = NO_CAPABILITIES
    forbidden: CapabilitySet = NO_CAPABILITIES
    preferred: CapabilitySet = NO_CAPABILITIES
    avoided: CapabilitySet = NO_CAPABILITIES
    min_quality_tier: QualityTier | None = None
    preferred_tier: QualityTier | None = None
    max_cost_tier: CostTier | None = None
    min_context_window_tokens: int | None = None
    allow_lossy_conversion: bool = False
    any_of: tuple[Alternative, ...] = ()
    exclude_models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def needed(self) -> CapabilitySet:
        """What is required, and tool_use where tools are: a model that calls no tools cannot use them."""
        return self.required | _TOOL_USE if self.tools else self.required

    @property
    def excluded(self) -> frozenset[ModelRef]:
        """The refs of `exclude_models`; a text that is no ref excludes nobody (the doctor reports it)."""
        return frozenset(_refs(self.exclude_models)) if self.exclude_models else frozenset()

    @property
    def role(self) -> Role | None:
        """The `default_use` key of this task."""
        return next((role for role in Role if role.value == self.task), None)


_TOOL_USE = CapabilitySet.of((Capability.TOOL_USE,))


def _refs(texts: Iterable[str]) -> Iterator[ModelRef]:
    for text in texts:
        try:
            yield ModelRef.parse(text)
        except BadRef:
            continue


def _of(*capabilities: Capability) -> CapabilitySet:
    return CapabilitySet.of(capabilities)


_STRONG, _FRONTIER, _STANDARD = QualityTier.STRONG, QualityTier.FRONTIER, QualityTier.STANDARD
_C = Capability

DEFAULTS: Mapping[str, Requirement] = {
    default.task: default
    for default in (
        Requirement(TaskType.MAIN.value, _of(_C.STREAMING, _C.TOOL_USE),
                    preferred=_of(_C.PROMPT_CACHE, _C.LONG_CONTEXT), min_quality_tier=_STRONG),
        Requirement(TaskType.ARCHITECTURE.value, _of(_C.STRUCTURED_OUTPUT, _C.LONG_CONTEXT),
                    preferred=_of(_C.THINKING, _C.PROMPT_CACHE), min_quality_tier=_STRONG, preferred_tier=_FRONTIER),
        Requirement(TaskType.EXECUTE.value, _of(_C.TOOL_USE, _C.STRUCTURED_OUTPUT),
                    preferred=_of(_C.THINKING, _C.LONG_CONTEXT), min_quality_tier=_STRONG, preferred_tier=_FRONTIER),
        Requirement(TaskType.REVIEW.value, _of(_C.STRUCTURED_OUTPUT), min_quality_tier=_STRONG),
        Requirement(TaskType.DEBUG.value, _of(_C.TOOL_USE, _C.STRUCTURED_OUTPUT),
                    preferred=_of(_C.LONG_CONTEXT, _C.IMAGE_INPUT), min_quality_tier=_STRONG),
        Requirement(TaskType.COMPACT.value, preferred=_of(_C.PROMPT_CACHE), min_quality_tier=_STANDARD,
                    any_of=(Alternative(_of(_C.LONG_CONTEXT)),
                            Alternative(min_context_window_tokens=COMPACT_NEED_TOKENS))),
        Requirement(TaskType.MINE_EXPERIENCE.value, _of(_C.STRUCTURED_OUTPUT), preferred=_of(_C.LONG_CONTEXT),
                    min_quality_tier=_STANDARD),
        Requirement(TaskType.UI_SCREENSHOT_ANALYSIS.value, _of(_C.IMAGE_INPUT), preferred=_of(_C.STRUCTURED_OUTPUT),
                    min_quality_tier=_STRONG),
        Requirement(TaskType.IMAGE_GENERATION.value, _of(_C.IMAGE_OUTPUT), preferred=_of(_C.IMAGE_INPUT)),
    )
}  # fmt: skip


def default_for(task: str) -> Requirement:
    """The task's default; a task of the user's own starts with nothing required."""
    return DEFAULTS.get(task) or Requirement(task)


def override(requirement: Requirement, row: RequirementRow) -> Requirement:
    """Each field that the file states replaces the requirement's field."""
    changes: dict[str, object] = {}
    if row.required is not None:
        changes |= {"required": row.required.yes, "forbidden": row.required.no}
    if row.preferred is not None:
        changes |= {"preferred": row.preferred.yes, "avoided": row.preferred.no}
    for name in (
        "min_quality_tier",
        "max_cost_tier",
        "min_context_window_tokens",
        "allow_lossy_conversion",
        "any_of",
        "exclude_models",
        "tools",
    ):
        value = getattr(row, name)
        if value is not None:
            changes[name] = value
    return replace(requirement, **changes)  # type: ignore[arg-type]  # names and types are those of RequirementRow


def written(requirement: Requirement) -> dict[str, Any]:
    """The requirement as plain data, key for key as a `requirements.<task>` block writes it; what it leaves open is
    left out."""
    fields = {
        "required": _flags(requirement.required, requirement.forbidden),
        "preferred": _flags(requirement.preferred, requirement.avoided),
        "min_quality_tier": _value(requirement.min_quality_tier),
        "max_cost_tier": _value(requirement.max_cost_tier),
        "min_context_window_tokens": requirement.min_context_window_tokens,
        "allow_lossy_conversion": requirement.allow_lossy_conversion,
        "any_of": [_written_way(way) for way in requirement.any_of],
        "exclude_models": list(requirement.exclude_models),
        "tools": list(requirement.tools),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _flags(yes: CapabilitySet, no: CapabilitySet) -> dict[str, bool]:
    return {capability.value: capability in yes for capability in yes | no}


def _value(word: QualityTier | CostTier | None) -> str | None:
    return word.value if word else None


def _written_way(way: Alternative) -> dict[str, Any]:
    window = way.min_context_window_tokens
    return _flags(way.required, way.forbidden) | ({"min_context_window_tokens": window} if window else {})


def requirements(blocks: Mapping[str, tuple[RequirementRow, ...]]) -> dict[str, Requirement]:
    """The nine tasks in the seed's order, then the user's own; `blocks` are `Config.requirements`, nearest first."""
    tasks = [task.value for task in TaskType]
    found = {}
    for task in [*tasks, *(task for task in blocks if task not in tasks)]:
        requirement = default_for(task)
        for row in reversed(blocks.get(task, ())):
            requirement = override(requirement, row)
        found[task] = requirement
    return found


def with_ui_artifacts(requirement: Requirement) -> Requirement:
    """A review of something that has pictures prefers a model that sees them (seed 000 §5)."""
    if requirement.task != TaskType.REVIEW:
        return requirement
    return replace(requirement, preferred=requirement.preferred | _of(_C.IMAGE_INPUT))
