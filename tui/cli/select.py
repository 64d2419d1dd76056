"""`capdeck select TASK`: who passes, ranked, and for the others every reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from model.capability_set import CapabilitySet
from model.quick_dataclass import dataclass
from model.vocabulary import Capability, CostTier, QualityTier
from tui.cli.errors import FOUND_SOMETHING
from tui.cli.invocation import Invocation, command
from tui.cli.words import CAPABILITY, COST, QUALITY, REF, TASK, Tokens, model_named, task_named

if TYPE_CHECKING:
    from model.requirements import Requirement


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line changes in a task's requirement, for this call."""

    require: Sequence[Capability]
    prefer: Sequence[Capability]
    min_quality: QualityTier | None
    max_cost: CostTier | None
    min_context: int | None
    allow_lossy: bool
    exclude: Sequence[str]
    tool: Sequence[str]
    ui_artifacts: bool

    def applied_to(self, requirement: Requirement) -> Requirement:
        from model.requirements import with_ui_artifacts

        if self.ui_artifacts:
            requirement = with_ui_artifacts(requirement)
        required = CapabilitySet.of(self.require)
        return replace(
            requirement,
            required=requirement.required | required,
            forbidden=requirement.forbidden - required,
            preferred=requirement.preferred | CapabilitySet.of(self.prefer),
            min_quality_tier=self.min_quality or requirement.min_quality_tier,
            max_cost_tier=self.max_cost or requirement.max_cost_tier,
            min_context_window_tokens=self.min_context or requirement.min_context_window_tokens,
            allow_lossy_conversion=self.allow_lossy or requirement.allow_lossy_conversion,
            exclude_models=(*requirement.exclude_models, *self.exclude),
            tools=(*requirement.tools, *(name for name in self.tool if name not in requirement.tools)),
        )


@command()
@click.argument("task", type=TASK)
@click.option("--require", multiple=True, type=CAPABILITY, metavar="CAPABILITY", help="It must have this too.")
@click.option("--prefer", multiple=True, type=CAPABILITY, metavar="CAPABILITY", help="Rank higher what has this.")
@click.option(
    "--min-quality", type=QUALITY, metavar="TIER", help="The floor: frontier, strong, standard, cheap, local."
)
@click.option("--max-cost", type=COST, metavar="TIER", help="The price cap: high, medium, low, free.")
@click.option("--min-context", type=Tokens(), metavar="TOKENS", help="At least this window (128000, 128k, 1M).")
@click.option("--allow-lossy", is_flag=True, help="An emulated capability will do.")
@click.option("--exclude", multiple=True, type=REF, metavar="REF", help="Not this model.")
@click.option("--tool", multiple=True, metavar="NAME", help="It must keep this tool.")
@click.option("--ui-artifacts", is_flag=True, help="There are pictures to look at (for review).")
@click.option("--usable", is_flag=True, help="Only what can be called now: key present, endpoint trusted.")
def select(invocation: Invocation, task: str, usable: bool, **wishes: object) -> int | None:
    """Print who passes TASK, ranked, and for the others every reason.

    TASK is one of the nine (main, architecture, execute, review, debug, compact, mine_experience,
    ui_screenshot_analysis, image_generation) or one of your own. Exit code 1: nobody passes.
    """
    snapshot = invocation.open(usable=usable).snapshot
    asked = Wishes(**wishes)  # type: ignore[arg-type]  # click hands over exactly the options above
    for ref in asked.exclude:
        model_named(snapshot, ref)
    requirement = asked.applied_to(task_named(snapshot, task))
    if invocation.out.as_json:
        from tui.cli.shapes_select import select_shape

        invocation.out.document(select_shape(snapshot, requirement))
    else:
        from tui.cli.select_text import print_selection

        print_selection(invocation.out, snapshot, requirement)
    return None if snapshot.passes(requirement).any else FOUND_SOMETHING
