"""Who does which job: default models by role, and tasks that nobody can do (seed 000 §10)."""

from __future__ import annotations

from collections.abc import Iterator

from model.config.rows import RequirementRow
from model.doctor.case import Case, listed, spot
from model.doctor.near import nearest_name
from model.findings import Finding, Fix, Severity, Spot
from model.judge import Reason, ReasonCode, judge
from model.requirements import Requirement
from model.resolve import ResolvedModel
from model.vocabulary import QualityTier, Role, TaskType


# -- one model --------------------------------------------------------------------------------------------------------
def of_model(case: Case, row: ResolvedModel) -> Iterator[Finding]:
    """A default that fails its role. What nobody states is reported as such, not once more for each role."""
    if not row.enabled or row.model.provider.kind is None:
        return
    roles = [role for role, on in row.default_use.items() if on]
    failing = {role: reasons for role in roles if (reasons := _reasons(case, row, role))}
    if not failing:
        return
    stated = any(_is_stated(row, reason) for reasons in failing.values() for reason in reasons)
    names = [role.value for role in failing]
    yield Finding(
        "role-default-fails",
        Severity.ERROR if stated else Severity.WARNING,
        default_spot(row, list(failing)),
        f"{row.ref} is the default for {listed(names, 7)} and does not pass",
        "change the model, the requirement, or the default",
        "; ".join(_told(failing)),
    )


def _reasons(case: Case, row: ResolvedModel, role: Role) -> tuple[Reason, ...]:
    """Without those that another finding tells: what is not stated at all, or stated wrongly."""
    requirement = case.snapshot.requirements[role.value]
    reasons = judge(row, requirement, case.snapshot.given).reasons
    return tuple(reason for reason in reasons if not _told_elsewhere(case, row, reason))


_FIELD_OF = {
    ReasonCode.QUALITY_FLOOR: "quality_tier",
    ReasonCode.COST_CAP: "cost_tier",
    ReasonCode.UNKNOWN_CONTEXT: "context_window_tokens",
    ReasonCode.UNKNOWN: "context_window_tokens",
}


def _told_elsewhere(case: Case, row: ResolvedModel, reason: Reason) -> bool:
    if reason.code is ReasonCode.UNKNOWN and reason.clause.startswith("required."):
        return True
    name = _FIELD_OF.get(reason.code)
    return name is not None and case.bad.has(row.model.layers, name)


def _is_stated(row: ResolvedModel, reason: Reason) -> bool:
    """Whether it fails by what somebody says, not by what nobody says."""
    if reason.code in {ReasonCode.UNKNOWN, ReasonCode.UNKNOWN_CONTEXT}:
        return False
    return not (reason.code is ReasonCode.QUALITY_FLOOR and row.quality_tier.value is QualityTier.UNKNOWN)


def _told(failing: dict[Role, tuple[Reason, ...]]) -> Iterator[str]:
    """Roles that fail for the same reasons are told together."""
    by_reasons: dict[tuple[str, ...], list[str]] = {}
    for role, reasons in failing.items():
        by_reasons.setdefault(tuple(reason.text for reason in reasons), []).append(role.value)
    return (f"{', '.join(roles)}: {', '.join(texts)}" for texts, roles in by_reasons.items())


def default_spot(row: ResolvedModel, roles: list[Role]) -> Spot:
    for each in row.model.layers:
        stated = [role for role in roles if each.row.default_use.get(role)]
        if stated:
            steps = (stated[0].value,) if len(roles) == 1 else ()
            return spot(each, "default_use", *steps)
    return spot(row.model.layers[0])


# -- all models -------------------------------------------------------------------------------------------------------
def of_all(case: Case) -> Iterator[Finding]:
    yield from _disabled(case)
    if case.snapshot.bitmap.enabled() and not case.bad.hides_models:
        yield from _uncovered(case)
        yield from _nobody(case)
    yield from _floors(case)
    yield from _unknown_tasks(case)


def _disabled(case: Case) -> Iterator[Finding]:
    bitmap = case.snapshot.bitmap
    found: dict[int, list[Role]] = {}
    for role in Role:
        for row in case.rows(bitmap.default_for(role) & ~bitmap.enabled()):
            found.setdefault(bitmap.by_ref[row.ref], []).append(role)
    for number, roles in found.items():
        row = case.snapshot.matrix.rows[number]
        where = "it" if row.model.provider.enabled else "its provider"
        message = f"{row.ref} is the default for {listed(roles, 7)}, and {where} is switched off"
        help = "switch it on, or make another model the default"
        yield Finding("role-default-disabled", Severity.WARNING, default_spot(row, roles), message, help)


def _uncovered(case: Case) -> Iterator[Finding]:
    """A role without a default is no fault while somebody passes: ranking chooses. If nobody does, that is said."""
    bitmap, passing = case.snapshot.bitmap, case.snapshot.passing
    bare = [
        role
        for role in Role
        if not bitmap.default_for(role) and passing[role.value].any and not case.bad.roles & {role.value, "default_use"}
    ]
    place = _providers_spot(case)
    if len(bare) > 1 and not any(bitmap.default_for(role) for role in Role):
        message = "no model is the default for any role"
        help = "ranking chooses among those that pass; set default_use where you want to decide"
        yield Finding("role-no-default", Severity.INFO, place, message, help)
        return
    for role in bare:
        best = next(case.snapshot.ranked(case.snapshot.requirements[role.value]))
        message = f"no model is the default for {role.value}"
        help = f"ranking would choose {best.ref}; set default_use.{role.value} where you want to decide"
        yield Finding("role-no-default", Severity.INFO, place, message, help, about=role.value)


def _nobody(case: Case) -> Iterator[Finding]:
    """Left out where a default's own finding tells why it fails, and for the two tasks without a role that no file
    speaks of. Tasks that no file changes are told together."""
    together = []
    for task, requirement in case.snapshot.requirements.items():
        role, blocks = requirement.role, case.config.requirements.get(task, ())
        if case.snapshot.passing[task].any or (role and case.snapshot.bitmap.default_for(role)):
            continue
        if blocks:
            yield _blocked(case, [requirement], _block_spot(case, blocks))
        elif role:
            together.append(requirement)
    if together:
        yield _blocked(case, together, _providers_spot(case))


def _blocked(case: Case, requirements: list[Requirement], place: Spot) -> Finding:
    first = requirements[0]
    row = _nearest_to_passing(case, first)
    reasons = judge(row, first, case.snapshot.given).reasons
    return Finding(
        "role-nobody-passes",
        Severity.WARNING,
        place,
        f"no model passes {listed([each.task for each in requirements], 7)}",
        f"capdeck select {first.task} tells why each model fails",
        f"nearest to {first.task} is {row.ref}: {', '.join(reason.text for reason in reasons)}",
        about=first.task if len(requirements) == 1 else "",
    )


def _nearest_to_passing(case: Case, requirement: Requirement) -> ResolvedModel:
    given = case.snapshot.given
    rows = list(case.rows(case.snapshot.bitmap.enabled()))[:200]
    return min(rows, key=lambda row: len(judge(row, requirement, given).reasons))


def _providers_spot(case: Case) -> Spot:
    files = case.snapshot.files
    file = next((file for file in files if file.config.providers), files[0])
    return Spot(file.name, ("providers",), on_key=True)


def _block_spot(case: Case, blocks: tuple[RequirementRow, ...]) -> Spot:
    return Spot(_file_of(case, blocks[0]), blocks[0].path, on_key=True)


def _file_of(case: Case, block: RequirementRow) -> str:
    """The file that holds this very block."""
    return next(
        file.name for file in case.snapshot.files if any(row is block for row in file.config.requirements.values())
    )


# -- requirements -----------------------------------------------------------------------------------------------------
def _floors(case: Case) -> Iterator[Finding]:
    """Code-changing work wants a strong model, where hidden complexity may exist (seed 000 §6.3)."""
    for task in case.config.policy.code_changing:
        requirement = case.snapshot.requirements.get(task)
        if requirement is None or not case.config.requirements.get(task):
            continue
        floor = requirement.min_quality_tier
        if floor is not None and floor.meets(QualityTier.STRONG):
            continue
        block = next((row for row in case.config.requirements[task] if row.min_quality_tier is not None), None)
        place = _block_spot(case, (block or case.config.requirements[task][0],))
        place = Spot(place.file, (*place.path, "min_quality_tier")) if block else place
        lowered = f"its floor is {floor.value}" if floor else "it has no floor"
        message = f"{task} changes code, and {lowered}"
        help = "raise min_quality_tier to strong, or take the task out of policy.code_changing"
        yield Finding("role-floor-lowered", Severity.WARNING, place, message, help, about=task)


def _unknown_tasks(case: Case) -> Iterator[Finding]:
    from model.document import Rename, Set

    for file in case.snapshot.files:
        for task in file.config.requirements:
            near = None if task in _TASKS else nearest_name(task, _TASKS)
            if near:
                place = Spot(file.name, ("requirements", task), on_key=True)
                fix = None
                if near not in file.config.requirements:
                    fix = Fix(f"rename it to {near}", file.name, (Rename(place.path, near),))
                message = f"the task {task!r} is taken as one of your own"
                yield Finding("role-unknown-task", Severity.WARNING, place, message, f"did you mean {near!r}?", fix=fix)
        for name in ("code_changing", "allow_lower_tier_for"):
            for number, task in enumerate(getattr(file.config.policy, name) or ()):
                if task not in case.snapshot.requirements:
                    near = nearest_name(task, tuple(case.snapshot.requirements))
                    place = Spot(file.name, ("policy", name, number))
                    fix = Fix(f"write {near}", file.name, (Set(place.path, near),)) if near else None
                    message = f"policy.{name} names {task!r}, which is no task"
                    help = f"did you mean {near!r}?" if near else "tasks: " + ", ".join(case.snapshot.requirements)
                    yield Finding("role-unknown-task", Severity.WARNING, place, message, help, fix=fix)


_TASKS = tuple(task.value for task in TaskType)
