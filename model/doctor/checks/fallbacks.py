"""Chains: do they lead anywhere, and does anybody read them? (seed 000 §11)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.config.rows import ChainRow
from model.doctor.case import Case, listed
from model.doctor.near import nearest_name
from model.files import OpenFile
from model.findings import Finding, Fix, Severity, Spot
from model.judge import Reason, judge
from model.resolve import ResolvedModel


def of_all(case: Case) -> Iterator[Finding]:
    if case.bad.hides_models:
        return
    for file in case.snapshot.files:
        seen: set[tuple[str | None, str | None]] = set()
        for row in file.config.fallbacks:
            yield from _unread(case, file, row, seen)
            yield from _targets(Chain(case, file, row))


def _names(case: Case) -> list[str]:
    return [str(row.ref) for row in case.snapshot.matrix.rows]


# -- who reads it -----------------------------------------------------------------------------------------------------
def _unread(case: Case, file: OpenFile, row: ChainRow, seen: set[tuple[str | None, str | None]]) -> Iterator[Finding]:
    place = Spot(file.name, row.path)
    if row.task is None and row.model is None:
        if not any(Spot(file.name, (*row.path, name)) in case.bad for name in ("task", "model")):
            message = "this chain names neither a task nor a model"
            yield Finding("fallback-unread", Severity.WARNING, place, message, "add task: or model:")
        return
    if row.task is not None and row.task not in case.snapshot.requirements:
        yield _no_such(file, row, "task", row.task, nearest_name(row.task, tuple(case.snapshot.requirements)))
    elif row.model is not None and case.model(row.model) is None:
        yield _no_such(file, row, "model", row.model, nearest_name(row.model, _names(case)))
    elif (row.task, row.model) in seen:
        message = f"another chain for {row.task or row.model} stands before this one"
        yield Finding("fallback-unread", Severity.WARNING, place, message, "put all into one chain")
    seen.add((row.task, row.model))


def _no_such(file: OpenFile, row: ChainRow, name: str, text: str, near: str | None) -> Finding:
    place = Spot(file.name, (*row.path, name))
    message = f"this chain is for {text!r}, which is no {name} of yours"
    help = f"did you mean {near!r}?" if near else f"name a {name} that the files have"
    return Finding("fallback-unread", Severity.WARNING, place, message, help, fix=_write(place, near))


def _write(place: Spot, near: str | None) -> Fix | None:
    from model.document import Set

    return Fix(f"write {near}", place.file, (Set(place.path, near),)) if near else None


# -- where it leads ---------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Chain:
    """One chain with what its entries name."""

    case: Case
    file: OpenFile
    row: ChainRow

    @property
    def texts(self) -> tuple[str, ...]:
        return self.row.chain or ()

    def place(self, number: int) -> Spot:
        return Spot(self.file.name, (*self.row.path, "chain", number))

    @property
    def tasks(self) -> tuple[str, ...]:
        """The task it is for; for a model's chain the roles that the model is the default for."""
        if self.row.task is not None:
            return (self.row.task,) if self.row.task in self.case.snapshot.requirements else ()
        original = self.case.model(self.row.model)
        return tuple(role.value for role, on in original.default_use.items() if on) if original else ()


def _targets(chain: Chain) -> Iterator[Finding]:
    case, seen = chain.case, set[str]()
    original = case.model(chain.row.model)
    if chain.row.chain is not None and not chain.texts:
        place = Spot(chain.file.name, (*chain.row.path, "chain"))
        yield Finding("fallback-unread", Severity.WARNING, place, "this chain is empty", "name a model, or remove it")
    usable: list[tuple[int, ResolvedModel]] = []
    for number, text in enumerate(chain.texts):
        target = case.model(text)
        if target is None:
            yield _unknown(chain, number, text)
        elif text in seen:
            yield _again(chain, number, f"{text} stands in this chain already")
        elif original and same_model(original, target):
            yield _itself(chain, number, original, target)
        elif not target.enabled:
            help = "switch it on, or take it out of the chain"
            message = f"{target.ref} is switched off"
            yield Finding("fallback-disabled", Severity.WARNING, chain.place(number), message, help)
        else:
            usable.append((number, target))
        seen.add(text)
    yield from _verdicts(chain, usable)
    yield from _windows(chain, original, usable)


def same_model(one: ResolvedModel, other: ResolvedModel) -> bool:
    """The same entry, or the same model under another name of the same endpoint."""
    if one.ref == other.ref:
        return True
    same_endpoint = one.model.provider.effective_base_url == other.model.provider.effective_base_url
    if not same_endpoint or one.model.provider.effective_base_url is None:
        return False
    same_row = one.catalog is not None and other.catalog is not None and one.catalog.row is other.catalog.row
    return same_row or one.ref.model_id == other.ref.model_id


def _unknown(chain: Chain, number: int, text: str) -> Finding:
    names = _names(chain.case)
    by_id = [name for name in names if name.partition("/")[2] == text]
    near = by_id[0] if len(by_id) == 1 else nearest_name(text, names)
    place = chain.place(number)
    help = f"did you mean {near!r}?" if near else "write provider_id/model_id of a model in the files"
    message = f"the chain names {text!r}, which is no model of yours"
    return Finding("fallback-unknown-target", Severity.ERROR, place, message, help, fix=_write(place, near))


def _again(chain: Chain, number: int, message: str, code: str = "fallback-duplicate") -> Finding:
    from model.document import Delete

    place = chain.place(number)
    fix = Fix("take it out of the chain", place.file, (Delete(place.path),), safe=True)
    return Finding(code, Severity.WARNING, place, message, "take it out: it is never tried again", fix=fix)


def _itself(chain: Chain, number: int, original: ResolvedModel, target: ResolvedModel) -> Finding:
    message = f"{original.ref} would fall back to itself"
    if original.ref != target.ref:
        message = f"{target.ref} is {original.ref} under another name of the same endpoint"
    return _again(chain, number, message, "fallback-self")


def _verdicts(chain: Chain, usable: list[tuple[int, ResolvedModel]]) -> Iterator[Finding]:
    """One finding for a chain on which nobody passes; else one for each target that does not."""
    failing = [(number, row, why) for number, row in usable if (why := _why_not(chain, row))]
    if failing and len(failing) == len(usable):
        place = Spot(chain.file.name, (*chain.row.path, "chain"))
        subject = chain.row.task or chain.row.model
        message = f"nobody on this chain can take over for {subject}"
        evidence = "; ".join(f"{row.ref}: {why}" for _, row, why in failing)
        yield Finding("fallback-dead-end", Severity.WARNING, place, message, "name a model that passes", evidence)
        return
    for number, row, why in failing:
        message = f"{row.ref} cannot take over for {chain.row.task or chain.row.model}"
        help = "it is passed over; name another, or change the requirement"
        yield Finding("fallback-fails-task", Severity.WARNING, chain.place(number), message, help, why)


def _why_not(chain: Chain, row: ResolvedModel) -> str:
    """Empty if it passes one of the chain's tasks: a model's chain serves all roles of the model, each as it can."""
    snapshot = chain.case.snapshot
    given = snapshot.given
    told: dict[tuple[Reason, ...], list[str]] = {}
    for task in chain.tasks:
        reasons = judge(row, snapshot.requirements[task], given).reasons
        if not reasons:
            return ""
        told.setdefault(reasons, []).append(task)
    return "; ".join(f"{listed(tasks, 7)}: {', '.join(r.text for r in reasons)}" for reasons, tasks in told.items())


def _windows(
    chain: Chain, original: ResolvedModel | None, usable: list[tuple[int, ResolvedModel]]
) -> Iterator[Finding]:
    window = original.context_window_tokens.value if original else None
    for number, row in usable:
        smaller = row.context_window_tokens.value
        if original and window and smaller and smaller < window:
            message = f"{row.ref} holds {smaller:,} tokens, {original.ref} {window:,}: a long conversation will not fit"
            help = "nothing to mend if your conversations stay short"
            yield Finding("fallback-smaller-window", Severity.INFO, chain.place(number), message, help)
