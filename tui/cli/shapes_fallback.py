"""The JSON of `capdeck fallback` (CLI.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from model.fallback import Objection, Rung
from tui.cli.shapes import files_shape
from tui.cli.shapes_select import reason_shape

if TYPE_CHECKING:
    from model.capability_set import CapabilitySet
    from model.conversion import Prediction
    from model.fallback import (
        Candidate,
        ChainCapability,
        Coverage,
        Differences,
        FallbackRecord,
        Pair,
        Price,
        RungView,
        Simulation,
        Step,
        Way,
    )
    from model.latency import Latency
    from model.model_ref import ModelRef
    from model.snapshot import Snapshot
    from tui.cli.fallback_answer import Answer


def ladder_shape(snapshot: Snapshot, answer: Answer) -> dict[str, Any]:
    ladder = answer.ladder
    rungs = [_rung_shape(snapshot, view) for view in ladder.rungs]
    return {
        "files": files_shape(snapshot),
        "task": ladder.task,
        "original": str(ladder.original),
        "failure": ladder.failure.value,
        "down": str(ladder.outage) or None,
        "configured": next(rung for rung in rungs if rung["rung"] == Rung.CONFIGURED),
        "rungs": [rung for rung in rungs if rung["rung"] != Rung.CONFIGURED],
        "selected": ladder.selected and str(ladder.selected),
        "required_confirmation": ladder.required_confirmation,
        "record": ladder.record and record_shape(ladder.record),
        "chain": [_step_shape(*each) for each in zip(answer.chain.steps, answer.first_tokens[1:], strict=True)],
        "capability": _capability_shape(answer.capability),
        "ways_out": [_way_shape(way) for way in answer.ways],
    }


def _step_shape(step: Step, first_token: Latency | None) -> dict[str, Any]:
    return {
        "ref": str(step.ref),
        "rung": step.rung.value,
        "required_confirmation": step.required_confirmation,
        "first_token_milliseconds": _milliseconds(first_token),
    }


def _milliseconds(first_token: Latency | None) -> int | None:
    """None = not observed where it is asked now."""
    return None if first_token is None else first_token.milliseconds


def _rung_shape(snapshot: Snapshot, view: RungView) -> dict[str, Any]:
    return {
        "rung": view.rung.value,
        "title": view.rung.title,
        "open": view.open,
        "why": view.why,
        "candidates": [_candidate_shape(snapshot, candidate) for candidate in view.candidates],
    }


def _candidate_shape(snapshot: Snapshot, candidate: Candidate) -> dict[str, Any]:
    return {
        "ref": candidate.name,
        "taken": candidate.taken,
        "standing": candidate.standing.value,
        "reasons": [_why_shape(snapshot, candidate, why) for why in candidate.reasons],
        "questions": list(candidate.questions),
        "notes": list(candidate.notes),
        "warnings": [_why_shape(snapshot, candidate, warning) for warning in candidate.warnings],
        "first_token_milliseconds": _milliseconds(candidate.first_token.after),
    }


def _why_shape(snapshot: Snapshot, candidate: Candidate, why: Any) -> dict[str, Any]:
    if isinstance(why, Objection):
        return {
            "code": why.code.value,
            "capability": None,
            "tool": None,
            "clause": "fallback",
            "text": why.text,
            "cell": None,
        }
    row = snapshot.matrix.get(candidate.ref) if candidate.ref else None
    assert row
    return reason_shape(row, why)


def record_shape(record: FallbackRecord) -> dict[str, Any]:
    """Seed 000 §11: original and selected provider and model, reason, capability differences, conversion report."""
    return {
        "original": _ids(record.original),
        "selected": _ids(record.selected),
        "reason": record.reason,
        "failure": record.failure.value,
        "rung": record.rung.value,
        **_differences_shape(record.differences),
        "price": None if record.price is None else [_price(record.price.before), _price(record.price.after)],
        "conversion_report": _report(record.conversion),
        "switch": [word.value for word in record.switch],
        "tools_lost": list(record.tools_lost),
        "required_confirmation": record.required_confirmation,
    }


def _ids(ref: ModelRef) -> dict[str, str]:
    return {"provider_id": ref.provider_id, "model_id": ref.model_id}


def _price(price: Price) -> dict[str, float]:
    return {"input_usd_per_million": price.input, "output_usd_per_million": price.output}


def _report(report: Prediction) -> dict[str, Any]:
    return {
        "status": report.status.value,
        "omissions": list(report.omissions),
        "warnings": list(report.warnings),
        "required_confirmation": report.required_confirmation,
        "blocked": list(report.blocked),
    }


def _differences_shape(change: Differences) -> dict[str, Any]:
    """Each change as [before, after]."""
    return {
        "capability_differences": {
            "gained": _names(change.gained),
            "lost": _names(change.lost),
            "became_emulated": _names(change.became_emulated),
            "unsure": _names(change.unsure),
        },
        "quality_tier": _pair(change.quality_tier),
        "cost_tier": _pair(change.cost_tier),
        "context_window_tokens": _pair(change.context_window_tokens),
        "max_output_tokens": _pair(change.max_output_tokens),
        "api": _pair(change.api),
        "first_token_milliseconds": [
            _milliseconds(each) for each in (change.first_token.before, change.first_token.after)
        ],
    }


def _names(cells: CapabilitySet) -> list[str]:
    return [capability.value for capability in cells]


def _pair(pair: Pair[Any]) -> list[Any]:
    return [getattr(value, "value", value) for value in (pair.before, pair.after)]


def _capability_shape(capability: ChainCapability) -> dict[str, Any]:
    return {
        "any_member": _names(capability.any_member),
        "every_member": _names(capability.every_member),
        "every_emulated": _names(capability.every_emulated),
        "least_window_tokens": capability.least_window,
        "largest_window_tokens": capability.largest_window,
    }


def _way_shape(way: Way) -> dict[str, Any]:
    return {"title": way.title, "ref": way.ref and str(way.ref), "edit": way.change is not None}


def simulation_shape(snapshot: Snapshot, found: Simulation, heat: Coverage) -> dict[str, Any]:
    """Shares are counts, so that nothing is lost to rounding."""
    return {
        "files": files_shape(snapshot),
        "providers": list(found.providers),
        "outages": found.outages,
        "total": {"safe": found.total.safe, "cases": found.total.cases},
        "by_size": [{"down": size, "safe": share.safe, "cases": share.cases} for size, share in found.by_size.items()],
        "tasks": [
            {
                "task": each.task,
                "start": each.start and str(each.start),
                "safe": found.by_task[each.task].safe,
                "cases": found.by_task[each.task].cases,
                "providers": list(each.providers),
                "tolerates": each.tolerates,
                "single_provider": each.single_provider,
                "single_endpoint": each.single_endpoint,
                "single_model": each.single_model and str(each.single_model),
                "effects": dict(zip(heat.providers, (effect.value for effect in each.effects), strict=True)),
                "fatal": [list(down) for down in found.fatal[each.task]],
            }
            for each in heat.tasks
        ],
    }
