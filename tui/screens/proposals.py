"""What would let a model pass: the smallest changes, cheapest first; choosing one shows its diff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from model.proposals import Proposal, changes_for, smallest_changes
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.workbench import Change
from tui.safe_text import safe_text


class Ways(ModalScreen[Change | None]):
    """Reasons above, ways below; enter chooses one, escape none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "cancel", "cancel"),
        ("j", "cursor(1)", "down"),
        ("k", "cursor(-1)", "up"),
    ]
    DEFAULT_CSS = """
    Ways { align: center middle; }
    Ways > Vertical { width: 96; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Ways OptionList { height: auto; max-height: 16; border: none; background: $surface; padding: 0; }
    Ways OptionList:focus { border: none; }
    Ways .ways--foot { color: $text-muted; }
    """
    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, reasons: Sequence[str], proposals: Sequence[Proposal]) -> None:
        super().__init__()
        self._heading, self._reasons, self._proposals = title, reasons, proposals

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(self._heading))
            yield Static(Content("\n").join(Content(safe_text(reason)) for reason in self._reasons))
            yield Static(Content(""))
            if self._proposals:
                yield OptionList(*(Option(_shown(each)) for each in self._proposals), markup=False)
            else:
                yield OptionList(Option(Content("no edit of the file would do"), disabled=True), markup=False)
            yield Static(Content("enter show the diff   esc leave"), classes="ways--foot")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._proposals[event.option_index].change)

    def action_cursor(self, step: int) -> None:
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_cancel(self) -> None:
        self.dismiss(None)


def _shown(proposal: Proposal) -> Content:
    """Its steps, and who says otherwise."""
    denied = "".join(f"\n    but {denial}" for denial in proposal.denied_by)
    return Content.assemble(safe_text(proposal.title), (safe_text(denied) if denied else "", "$text-warning"))


def ways_for(snapshot: Snapshot, row: ResolvedModel, task: str) -> Ways:
    """The ways for one model to pass one task."""
    requirement = snapshot.requirements[task]
    verdict = snapshot.verdict(row, requirement)
    reasons = [f"{reason}  {reason.text}" for reason in verdict.reasons] or ["it passes"]
    return Ways(f"{row.ref} for {task}: {verdict.outcome.value}", reasons, changes_for(snapshot, requirement, row))


def ways_for_task(snapshot: Snapshot, task: str) -> Ways:
    """The smallest changes after which somebody passes."""
    return Ways(f"nobody passes {task}", ["The smallest changes, from the models that come nearest:"],
                smallest_changes(snapshot, snapshot.requirements[task]))  # fmt: skip
