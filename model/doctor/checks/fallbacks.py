"""Chains: do they lead anywhere, and does anybody read them? (seed 000 §11)"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from model.config.rows import ChainRow
from model.doctor.case import Case, listed
from model.doctor.near import nearest_name
from model.files import OpenFile
from model.findings import Finding, Fix, Severity, Spot

if TYPE_CHECKING:
    from model.fallback.chain_problems import ChainProblem
    from model.fallback.explorer import Explorer


def of_all(case: Case) -> Iterator[Finding]:
    """Where there is no chain, and one provider only, nothing has to be explored."""
    config = case.config
    if case.bad.hides_models or not (len(config.groups) > 1 or any(f.config.fallbacks for f in case.snapshot.files)):
        return
    from model.fallback.explorer import Explorer
    from model.fallback.findings import coverage_findings_of

    explorer = Explorer(case.snapshot)
    for file in case.snapshot.files:
        seen: set[tuple[str | None, str | None]] = set()
        told: set[object] = set()
        for row in file.config.fallbacks:
            yield from _unread(case, file, row, seen)
            yield from _chain(case, explorer, file, row, told)
    yield from coverage_findings_of(explorer)


def _names(case: Case) -> list[str]:
    return [str(row.ref) for row in case.snapshot.matrix.rows]


# -- who reads it -----------------------------------------------------------------------------------------------------
def _unread(case: Case, file: OpenFile, row: ChainRow, seen: set[tuple[str | None, str | None]]) -> Iterator[Finding]:
    from model.fallback.chains import named

    place = Spot(file.name, row.path)
    if row.task is None and row.model is None:
        if not any(Spot(file.name, (*row.path, name)) in case.bad for name in ("task", "model")):
            message = "this chain names neither a task nor a model"
            yield Finding("fallback-unread", Severity.WARNING, place, message, "add task: or model:")
        return
    if row.task is not None and row.task not in case.snapshot.requirements:
        yield _no_such(file, row, "task", row.task, nearest_name(row.task, tuple(case.snapshot.requirements)))
    elif row.model is not None and named(case.snapshot.matrix, row.model) is None:
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
def _chain(case: Case, explorer: Explorer, file: OpenFile, row: ChainRow, told: set[object]) -> Iterator[Finding]:
    """`told` holds what the chains before this one have told."""
    from model.fallback.chain_problems import chain_problems

    place = Spot(file.name, (*row.path, "chain"))
    if row.chain is not None and not row.chain:
        yield Finding("fallback-unread", Severity.WARNING, place, "this chain is empty", "name a model, or remove it")
    problems = chain_problems(explorer, row)
    for problem in problems:
        if not problem.task and (once := _once(row, problem)) not in told:
            told.add(once)
            yield _fault(case, Spot(file.name, (*place.path, problem.position)), row, problem)
    yield from _verdicts(explorer, row, place, problems)


def _once(row: ChainRow, problem: ChainProblem) -> object:
    """A ring is told once for all of its chains, from whichever end; what a provider lacks is told once a chain."""
    if problem.fault == "cycle":
        return frozenset(problem.text.split())
    return row.path, problem.text if problem.fault in {"no_auth", "untrusted"} else problem.position, problem.fault


def _fault(case: Case, place: Spot, row: ChainRow, problem: ChainProblem) -> Finding:
    from model.fallback.chain_problems import ChainFault

    match problem.fault:
        case ChainFault.UNKNOWN_TARGET:
            return _unknown(case, place, (row.chain or ())[problem.position])
        case ChainFault.DUPLICATE:
            return _again("fallback-duplicate", place, problem.text)
        case ChainFault.SELF:
            return _again("fallback-self", place, problem.text)
        case ChainFault.DISABLED:
            help = "switch it on, or take it out of the chain"
            return Finding("fallback-disabled", Severity.WARNING, place, problem.text, help)
        case _:
            code, help = _WORDS[problem.fault.value]
            return Finding(code, Severity.INFO, place, problem.text, help)


_WORDS = {
    "no_auth": ("fallback-no-key", "until it has one, the chain goes on to the next"),
    "untrusted": ("fallback-untrusted", "capdeck trust shows what it asks for; until then the chain goes on"),
    "cycle": ("fallback-cycle", "nothing to mend if each is meant to stand in for the other"),
    "smaller_window": ("fallback-smaller-window", "nothing to mend if your conversations stay short"),
}
"""Code and help of what is good to know, and no fault by itself."""


def _unknown(case: Case, place: Spot, text: str) -> Finding:
    names = _names(case)
    by_id = [name for name in names if name.partition("/")[2] == text]
    near = by_id[0] if len(by_id) == 1 else nearest_name(text, names)
    help = f"did you mean {near!r}?" if near else "write provider_id/model_id of a model in the files"
    message = f"the chain names {text!r}, which is no model of yours"
    return Finding("fallback-unknown-target", Severity.ERROR, place, message, help, fix=_write(place, near))


def _again(code: str, place: Spot, message: str) -> Finding:
    from model.document import Delete

    fix = Fix("take it out of the chain", place.file, (Delete(place.path),), safe=True)
    return Finding(code, Severity.WARNING, place, message, "take it out: it is never tried again", fix=fix)


def _verdicts(explorer: Explorer, row: ChainRow, chain: Spot, problems: Iterable[ChainProblem]) -> Iterator[Finding]:
    """One finding for a chain on which nobody can take over; else one for each name that cannot. A model's chain serves
    all roles of the model, each name as many as it can."""
    from model.fallback.chain_problems import tasks_of

    names, tasks, subject = row.chain or (), set(tasks_of(explorer, row)), row.task or row.model
    objections = _objections(len(names), problems)
    useless = {number: found for number, found in objections.items() if tasks and {e.task for e in found} == tasks}
    if useless and len(useless) == len(objections):
        message = f"nobody on this chain can take over for {subject}"
        evidence = "; ".join(f"{names[number]}: {_told(found)}" for number, found in useless.items())
        yield Finding("fallback-dead-end", Severity.WARNING, chain, message, "name a model that passes", evidence)
        return
    for number, found in useless.items():
        place = Spot(chain.file, (*chain.path, number))
        message = f"{names[number]} cannot take over for {subject}"
        yield _useless(place, message, found)


def _objections(length: int, problems: Iterable[ChainProblem]) -> dict[int, list[ChainProblem]]:
    """By the place on the chain, what stands against each name for single tasks; names that are none are left out."""
    found: dict[int, list[ChainProblem]] = {number: [] for number in range(length)}
    for each in problems:
        if each.fault in _IDLE:
            found.pop(each.position, None)
        elif each.task:
            found[each.position].append(each)
    return found


def _useless(place: Spot, message: str, found: list[ChainProblem]) -> Finding:
    if all(each.fault == "lower_tier" for each in found):
        help = "it is passed over; name one of the same tier, or allow it with policy.allow_lower_tier_for"
        return Finding("fallback-lower-tier", Severity.WARNING, place, message, help, _told(found))
    help = "it is passed over; name another, or change the requirement"
    return Finding("fallback-fails-task", Severity.WARNING, place, message, help, _told(found))


_IDLE = frozenset({"unknown_target", "duplicate", "self", "disabled"})
"""Faults that make a name's verdict beside the point."""


def _told(problems: Iterable[ChainProblem]) -> str:
    """Tasks with the same objections are told together."""
    of_task: dict[str, list[str]] = {}
    for each in problems:
        of_task.setdefault(each.task, []).append(each.text)
    alike: dict[str, list[str]] = {}
    for task, texts in of_task.items():
        alike.setdefault(", ".join(texts), []).append(task)
    return "; ".join(f"{listed(tasks, 7)}: {text}" for text, tasks in alike.items())
