"""What a request has to keep on its way: the options that `convert` and `try` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from model.capability_set import CapabilitySet
from model.vocabulary import Capability
from tui.cli.words import CAPABILITY, TASK, task_named

if TYPE_CHECKING:
    from adapters.conversion import Target
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot

_OPTIONS = (
    click.option("--task", type=TASK, metavar="TASK", help="What this task requires must reach the model."),
    click.option("--require", multiple=True, type=CAPABILITY, metavar="CAPABILITY", help="This must reach the model."),
    click.option("--allow-lossy", is_flag=True, help="Go on where something is lost that nobody requires."),
)


def conversion_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def demanded(
    snapshot: Snapshot, row: ResolvedModel, task: str | None, require: tuple[Capability, ...], allow_lossy: bool
) -> Target:
    """The model as a target from which nothing may be kept that the options name. Raises Failure for a task that
    nobody knows."""
    from adapters.model_target import target_of

    policy, requirement = snapshot.config.policy, task_named(snapshot, task) if task else None
    return target_of(
        row,
        required=CapabilitySet.of(require) | (requirement.needed if requirement else CapabilitySet()),
        allow_lossy=allow_lossy or (requirement is not None and requirement.allow_lossy_conversion),
        code_changing=task in policy.code_changing,
        permissive=policy.permissive,
    )
