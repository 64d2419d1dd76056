"""The filter line's language: words that each narrow the rows; all of them must hold.

tools !image ?json    has it (or emulated), has it not, nobody states it
ctx>100k out<=8k quality>=strong cost<=low
provider:x task:execute near:execute lossy:debug     and !task:execute for those that fail it
changed problem contradicted unstated retiring off
anything else         part of a model's or provider's name (fuzzy where nothing holds it as it is)
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable

from model.bitmap import Mask
from model.config.fields import SUPPORTS
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import Capability, CostTier, QualityTier


@dataclass(frozen=True, slots=True)
class Filtered:
    """The rows that are left. `culprit` is the first word that excluded all, `unknown` the words that say nothing."""

    mask: Mask
    culprit: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """What the screen knows beside the snapshot."""

    changed: frozenset[ModelRef] = frozenset()
    problems: frozenset[ModelRef] = frozenset()


_ALIASES = {
    "tools": Capability.TOOL_USE,
    "tool": Capability.TOOL_USE,
    "parallel": Capability.PARALLEL_TOOL_USE,
    "schema": Capability.STRUCTURED_OUTPUT,
    "structured": Capability.STRUCTURED_OUTPUT,
    "json": Capability.JSON_MODE,
    "cache": Capability.PROMPT_CACHE,
    "system": Capability.SYSTEM_PROMPT,
    "image": Capability.IMAGE_INPUT,
    "images": Capability.IMAGE_INPUT,
    "vision": Capability.IMAGE_INPUT,
    "audio": Capability.AUDIO_INPUT,
    "files": Capability.FILE_INPUT,
    "stream": Capability.STREAMING,
    "long": Capability.LONG_CONTEXT,
}
CAPABILITY_WORDS: dict[str, Capability] = (
    {field.short: Capability(name) for name, field in SUPPORTS.items()}
    | {capability.value: capability for capability in Capability}
    | _ALIASES
)
"""Full names, column headings and everyday words."""

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq,
}  # fmt: skip
_COMPARISON = re.compile(r"(ctx|out|quality|qual|cost)(>=|<=|=|>|<)(.+)\Z")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([km]?)\Z")


def filter_rows(text: str, snapshot: Snapshot, marks: Marks) -> Filtered:
    """The rows of the snapshot's matrix that every word leaves."""
    mask = snapshot.bitmap.all
    for word in text.split():
        found = _rows_of(word.casefold(), snapshot, marks)
        if isinstance(found, str):
            return Filtered(mask, problem=found)
        if mask and not mask & found:
            return Filtered(0, culprit=word)
        mask &= found
    return Filtered(mask)


def _rows_of(word: str, snapshot: Snapshot, marks: Marks) -> Mask | str:
    """The rows that one word leaves, or what is wrong with the word."""
    if comparison := _COMPARISON.match(word):
        return _compared(snapshot, *comparison.groups())
    head, colon, tail = word.lstrip("!").partition(":")
    if colon and head in _BY_SUBJECT:
        found = _BY_SUBJECT[head](snapshot, tail)
        return snapshot.bitmap.all & ~found if word[0] == "!" and not isinstance(found, str) else found
    if word in _STATES:
        return _mask(snapshot, lambda row: _STATES[word](row, marks))
    capability = CAPABILITY_WORDS.get(word.lstrip("!?"))
    if capability is not None:
        return _of_capability(snapshot, capability, word[0])
    return _named(snapshot, word)


def _mask(snapshot: Snapshot, holds: Callable[[ResolvedModel], bool]) -> Mask:
    return sum(1 << number for number, row in enumerate(snapshot.matrix.rows) if holds(row))


def _of_capability(snapshot: Snapshot, capability: Capability, sign: str) -> Mask:
    has = snapshot.bitmap.yes(capability) | snapshot.bitmap.emulated(capability)
    unknown = snapshot.bitmap.unknown(capability)
    if sign == "?":
        return unknown
    return snapshot.bitmap.all & ~has & ~unknown if sign == "!" else has


def _compared(snapshot: Snapshot, name: str, sign: str, text: str) -> Mask | str:
    compare = _COMPARE[sign]
    if name in {"ctx", "out"}:
        size = _SIZE.match(text)
        if size is None:
            return f"{name}{sign} wants a number of tokens such as 100k, not {text!r}"
        tokens = int(float(size[1]) * {"": 1, "k": 1_000, "m": 1_000_000}[size[2]])
        field = "context_window_tokens" if name == "ctx" else "max_output_tokens"
        return _mask(snapshot, lambda row: (value := getattr(row, field).value) is not None and compare(value, tokens))
    tiers: type[QualityTier] | type[CostTier] = CostTier if name == "cost" else QualityTier
    near = [tier for tier in tiers if tier.value.startswith(text)]
    if not near:
        return f"{name}{sign} wants one of {', '.join(tier.value for tier in tiers)}"
    field, rank = ("cost_tier" if name == "cost" else "quality_tier"), near[0].rank
    return _mask(
        snapshot, lambda row: (tier := getattr(row, field).value).value != "unknown" and compare(tier.rank, rank)
    )


def _of_provider(snapshot: Snapshot, text: str) -> Mask:
    return _mask(snapshot, lambda row: text in row.ref.provider_id.casefold())


def _task(snapshot: Snapshot, text: str) -> str | None:
    return next((task for task in snapshot.requirements if task.casefold().startswith(text)), None)


def asked_task(text: str, snapshot: Snapshot) -> str | None:
    """The task that a filter asks about; of several the last."""
    subjects = (word.lstrip("!").partition(":") for word in text.casefold().split())
    tasks = [_task(snapshot, tail) for head, colon, tail in subjects if colon and head in _ABOUT_TASKS and tail]
    return next((task for task in reversed(tasks) if task), None)


def _passing(snapshot: Snapshot, text: str) -> Mask | str:
    task = _task(snapshot, text)
    return snapshot.passing[task].any if task else _no_task(snapshot, text)


def _lossy(snapshot: Snapshot, text: str) -> Mask | str:
    task = _task(snapshot, text)
    return snapshot.passing[task].lossy & ~snapshot.passing[task].strict if task else _no_task(snapshot, text)


def _near_miss(snapshot: Snapshot, text: str) -> Mask | str:
    task = _task(snapshot, text)
    if task is None:
        return _no_task(snapshot, text)
    requirement = snapshot.requirements[task]
    return _mask(snapshot, lambda row: snapshot.verdict(row, requirement).near_miss)


def _no_task(snapshot: Snapshot, text: str) -> str:
    return f"no task {text!r}; there are {', '.join(snapshot.requirements)}"


_BY_SUBJECT: dict[str, Callable[[Snapshot, str], Mask | str]] = {
    "provider": _of_provider,
    "task": _passing,
    "near": _near_miss,
    "lossy": _lossy,
}
_ABOUT_TASKS = frozenset(_BY_SUBJECT) - {"provider"}
_STATES: dict[str, Callable[[ResolvedModel, Marks], bool]] = {
    "changed": lambda row, marks: row.ref in marks.changed,
    "problem": lambda row, marks: row.ref in marks.problems,
    "contradicted": lambda row, _: bool(row.contradicted),
    "unstated": lambda row, _: bool(row.unknown),
    "retiring": lambda row, _: row.catalog is not None and row.catalog.row.retirement is not None,
    "off": lambda row, _: not row.enabled,
}


def _named(snapshot: Snapshot, word: str) -> Mask:
    found = _mask(snapshot, lambda row: word in str(row.ref).casefold())
    return found or _fuzzily_named(snapshot.matrix.rows, word)


def _fuzzily_named(rows: Iterable[ResolvedModel], word: str) -> Mask:
    from textual.fuzzy import FuzzySearch

    search = FuzzySearch()
    return sum(1 << number for number, row in enumerate(rows) if search.match(word, str(row.ref))[0] > 0)
