"""Who would be assigned a task in a situation: switches above, the answer live below."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from model.assignment import NOTHING_SPECIAL, Assignment, Risk, assign
from model.model_ref import ModelRef
from model.snapshot import Snapshot
from tui.safe_text import safe_text
from tui.screens.card import Line

T = TypeVar("T")

_RISKS = (None, Risk.LOW, Risk.NORMAL, Risk.HIGH)
_CHECKABLE = (None, True, False)
_MOST_FAILURES = 4


class Assigning(ModalScreen[Assignment | None]):
    """Escape leaves; `w` keeps the answer in the session store. `at` is the model that review and pin speak of."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "leave", "leave"),
        ("r", "risk", "risk"),
        ("f", "failures", "failed attempts"),
        ("d", "deterministic", "deterministic comparison"),
        ("u", "ui_artifacts", "UI artifacts"),
        ("e", "evidence", "evidence checkable"),
        ("v", "review_of", "review of"),
        ("p", "pin", "pin"),
        ("w", "record", "record"),
    ]
    DEFAULT_CSS = """
    Assigning { align: center middle; }
    Assigning > Vertical { width: 96; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Assigning VerticalScroll { height: auto; max-height: 100%; }
    Assigning #situation { dock: top; }
    Assigning .assign--foot { color: $text-muted; dock: bottom; }
    """
    AUTO_FOCUS = "VerticalScroll"

    def __init__(self, snapshot: Snapshot, task: str, at: ModelRef | None) -> None:
        super().__init__()
        self._snapshot, self._about = snapshot, task
        self._at = at if at and snapshot.matrix.get(at) else None  # the cursor may stand on what is gone from the file
        self.situation = NOTHING_SPECIAL
        self.assignment = assign(snapshot, task)

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(f"assign {self._about}"))
            yield Static(id="situation")
            with VerticalScroll():
                yield Static(id="answer")
            yield Static(Content("w record   esc leave"), classes="assign--foot")

    def on_mount(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.assignment = assign(self._snapshot, self._about, self.situation)
        self.query_one("#situation", Static).update(Content("\n").join(map(Content, self._switches())))
        lines = [Content(line) if isinstance(line, str) else line for line in answer_lines(self.assignment)]
        self.query_one("#answer", Static).update(Content("\n").join(lines))

    def _switches(self) -> list[str]:
        now = self.situation
        evidence = {None: "as usual", True: "yes", False: "no"}[now.evidence_checkable]
        return [
            f"r risk {now.risk.value if now.risk else 'as usual'}   f failed attempts {now.failed_attempts}   "
            f"e evidence checkable {evidence}",
            f"d deterministic comparison {_yes(now.deterministic)}   u UI artifacts {_yes(now.ui_artifacts)}",
            safe_text(f"v review of {now.review_of or '–'}   p pin {now.pin or '–'}"),
            "",
        ]

    # -- keys -----------------------------------------------------------------------------------------------------
    def action_risk(self) -> None:
        self._change(risk=_after(_RISKS, self.situation.risk))

    def action_failures(self) -> None:
        self._change(failed_attempts=(self.situation.failed_attempts + 1) % _MOST_FAILURES)

    def action_evidence(self) -> None:
        self._change(evidence_checkable=_after(_CHECKABLE, self.situation.evidence_checkable))

    def action_deterministic(self) -> None:
        self._change(deterministic=not self.situation.deterministic)

    def action_ui_artifacts(self) -> None:
        self._change(ui_artifacts=not self.situation.ui_artifacts)

    def action_review_of(self) -> None:
        self._change(review_of=None if self.situation.review_of else self._at)

    def action_pin(self) -> None:
        self._change(pin=None if self.situation.pin else self._at)

    def _change(self, **fields: Any) -> None:
        self.situation = replace(self.situation, **fields)
        self._answer()

    def action_record(self) -> None:
        self.dismiss(self.assignment)

    def action_leave(self) -> None:
        self.dismiss(None)


def _yes(on: bool) -> str:
    return "yes" if on else "no"


def _after(values: tuple[T, ...], now: T) -> T:
    return values[(values.index(now) + 1) % len(values)]


def answer_lines(assignment: Assignment) -> list[Line]:
    """An assignment in lines: mode and model, the reason, who is allowed, what is blocked."""
    who = "blocked" if assignment.blocked else str(assignment.chosen or "one of these, best first")
    lines: list[Line] = [
        Content.assemble((assignment.mode.value, "bold"), f"  {safe_text(who)}"),
        safe_text(assignment.reason),
        *(safe_text(f"  {number:>2} {ref}") for number, ref in enumerate(assignment.allowed, 1)),
        *(safe_text(f"warning: {warning}") for warning in assignment.warnings),
        *(safe_text(f"without {tool.name}: {tool.text}") for tool in assignment.tools_removed),
    ]
    if assignment.blocked:
        lines += [safe_text(f"near: {near.ref}  {near.reason}") for near in assignment.blocked.near_misses]
        lines += [safe_text(f"would unblock: {proposal.title}") for proposal in assignment.blocked.proposals]
        lines += [safe_text(assignment.blocked.advice)] if assignment.blocked.advice else []
    return lines
