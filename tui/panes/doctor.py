"""Pane 4: what is wrong, and how to mend it. Docked beside the matrix where there is room."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from model.findings import Finding
from model.model_ref import ModelRef
from model.snapshot import Snapshot
from model.workbench import Change
from tui.check_rows import ONLINE, WithChecks, checks_at
from tui.check_rows import story as story_of_check
from tui.commands import Keys, Where, bindings
from tui.finding_rows import FindingRows, finding_rows, place_of
from tui.messages import ChangeProposed, JumpWanted, Said
from tui.own_keys import key_of, keys_in_force
from tui.safe_text import safe_text
from tui.widgets.grid import MatrixGrid

if TYPE_CHECKING:
    from adapters.checks import CheckRow


class DoctorPane(Vertical):
    """Shows findings, and above them the online checks; asks the app for jumps and mends."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.DOCTOR)
    where = Where.DOCTOR
    clock: ClassVar[Callable[[], float]] = time.monotonic
    DEFAULT_CSS = """
    DoctorPane { width: 1fr; height: 1fr; }
    DoctorPane #finding { height: auto; max-height: 8; padding: 0 1; border-top: solid $border; }
    """

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="doctor")
        self.snapshot = snapshot
        self.findings: Sequence[Finding] = ()
        self._checks: Sequence[CheckRow] | None = None
        self._folds: frozenset[Hashable] = frozenset()
        self._examined = False
        self._edition = 0
        self._rows = finding_rows(snapshot, (), frozenset(), 0, 0)

    def compose(self) -> ComposeResult:
        yield MatrixGrid()
        yield Static(id="finding")

    def on_resize(self) -> None:
        self._rearrange()

    def show(self, snapshot: Snapshot, findings: Sequence[Finding]) -> None:
        """Another report; the cursor stays on its finding."""
        self._edition += snapshot is not self.snapshot
        self.snapshot, self.findings, self._examined = snapshot, findings, True
        self._rearrange()

    def show_checks(self, checks: Sequence[CheckRow]) -> None:
        """The online checks as they stand; none of them: a round begins."""
        self._checks = checks
        self._show_rows()

    def go_to_checks(self) -> None:
        if self._checks is not None:
            self.grid.go_to(ONLINE)

    def _rearrange(self) -> None:
        if not self.is_mounted:
            return
        self._rows = finding_rows(self.snapshot, self.findings, self._folds, self._edition, self.size.width)
        self._show_rows()

    def _show_rows(self) -> None:
        rows: FindingRows | WithChecks = self._rows
        if self._checks is not None:
            now, folded = type(self).clock(), ONLINE in self._folds
            checks = checks_at(self.snapshot, self._checks, now, folded=folded, keys=keys_in_force(self))
            rows = WithChecks(checks, self._rows)
        self.grid.show(rows, empty=["Nothing found."] if self._examined else ["Looking …"])
        self._tell_finding()

    @property
    def grid(self) -> MatrixGrid:
        return self.query_one(MatrixGrid)

    @property
    def finding(self) -> Finding | None:
        """The one under the cursor."""
        rows = self.grid.source
        return rows.finding(self.grid.cursor.row) if hasattr(rows, "finding") else None

    @property
    def check(self) -> CheckRow | None:
        """The one under the cursor."""
        rows = self.grid.source
        line = rows.check(self.grid.cursor.row) if isinstance(rows, WithChecks) else None
        return next((each for each in self._checks or () if line and each.provider_id == line.provider_id), None)

    @property
    def provider_id(self) -> str | None:
        """The provider that the row under the cursor is about."""
        if self.check:
            return self.check.provider_id
        finding = self.finding
        rows = self.snapshot.file(finding.spot.file).config.providers if finding else ()
        return next((row.provider_id for row in rows if finding and row.path == finding.spot.path[:2]), None)

    @on(MatrixGrid.CursorMoved)
    def _tell_finding(self) -> None:
        self.query_one("#finding", Static).update(self._story())

    def _story(self) -> Content:
        """All that is known of what is under the cursor."""
        keys = keys_in_force(self)
        if self.check:
            rests = self.check.provider_id in self.snapshot.given.untrusted
            return story_of_check(self.snapshot, self.check, type(self).clock(), trustable=rests, keys=keys)
        return _story(self.snapshot, self.finding, keys) if self.finding else Content("")

    @on(MatrixGrid.GroupToggled)
    def _fold(self, event: MatrixGrid.GroupToggled) -> None:
        event.stop()
        self._folds ^= {event.row_key}
        self._rearrange()

    @on(MatrixGrid.CellActivated)
    def _activated(self, event: MatrixGrid.CellActivated) -> None:
        event.stop()
        self.action_jump()

    def detail(self) -> Content:
        """What is under the cursor in one line."""
        if self.check:
            return Content(safe_text(f"{self.check.provider_id}  {self.check.url}"))
        finding = self.finding
        return Content(safe_text(f"{finding.code}  {place_of(self.snapshot, finding)}") if finding else "")

    # -- keys -----------------------------------------------------------------------------------------------------
    def action_jump(self) -> None:
        if self.check:
            self._jump_to_provider(self.check.provider_id)
            return
        finding = self.finding
        if finding is None:
            self.grid.activate() if len(self.grid.source) else None
            return
        target = cell_of(self.snapshot, finding)
        if target:
            self.post_message(JumpWanted(*target))
        else:
            self.post_message(
                Said(f"{place_of(self.snapshot, finding)}: {key_of('peek', keys_in_force(self))} shows the lines")
            )

    def _jump_to_provider(self, provider_id: str) -> None:
        first = next((row.ref for row in self.snapshot.matrix.rows if row.ref.provider_id == provider_id), None)
        self.post_message(JumpWanted(first) if first else Said(f"{provider_id} has no models", warning=True))

    def action_fix(self) -> None:
        finding = self.finding
        if finding is None or finding.fix is None:
            self.post_message(Said("no sure mend for this one: read how under the list", warning=True))
            return
        self.post_message(
            ChangeProposed(Change(finding.fix.title, {finding.fix.file: finding.fix.edits}), finding.message)
        )

    def action_fix_safe(self) -> None:
        from model.doctor.together import together

        mends = together(self.snapshot, (each for each in self.findings if each.fix and each.fix.safe))
        if mends is None:
            self.post_message(Said("no finding has a mend that is safe without asking", warning=True))
            return
        left = f" {len(mends.left)} more after these: they touch the same places." if mends.left else ""
        self.post_message(ChangeProposed(mends.change, f"These change no decision of yours.{left}"))

    def action_ignore(self) -> None:
        """Asks why, and offers the entry of `policy.ignore` as a diff."""
        from tui.widgets.text_prompt import TextPrompt

        finding, snapshot = self.finding, self.snapshot
        if finding is None:
            return

        def reasoned(reason: str | None) -> None:
            if reason is not None:
                self._accept(snapshot, finding, reason)

        help = "Kept in the file beside the code; may be empty. The finding is counted, and not shown any more."
        self.app.push_screen(TextPrompt(f"Why is {finding.code} all right here?", help=help), reasoned)

    def _accept(self, snapshot: Snapshot, finding: Finding, reason: str) -> None:
        from model.doctor import acceptance

        fix = acceptance(snapshot, finding, reason.strip())
        if fix is None:
            self.post_message(Said("the file that would say so cannot be written", warning=True))
            return
        self.post_message(ChangeProposed(Change(fix.title, {fix.file: fix.edits}), finding.message))

    def action_explain(self) -> None:
        """All that is said under the list, on a card that scrolls; of a finding also what its code means."""
        from tui.screens.card import Card
        from tui.screens.cards import code_card

        if self.check:
            self.app.push_screen(Card(safe_text(self.check.provider_id), [self._story()]))
        elif self.finding:
            title, lines = code_card(self.finding.code)
            self.app.push_screen(Card(title, [self._story(), "", *lines]))


def _story(snapshot: Snapshot, finding: Finding, keys: Keys) -> Content:
    parts: list[tuple[str, str]] = [(f"{place_of(snapshot, finding)}  {finding.code}\n", "$foreground-muted")]
    parts += [(safe_text(text) + "\n", "") for text in (finding.message, finding.evidence) if text]
    if finding.help:
        parts.append((safe_text(finding.help), "$text-accent"))
    if finding.fix:
        parts.append((f"\n{key_of('doctor.fix', keys)}: {safe_text(finding.fix.title)}", "bold"))
    return Content.assemble(*parts)


def cell_of(snapshot: Snapshot, finding: Finding) -> tuple[ModelRef, str | None] | None:
    """The model, and the column, that a finding's place belongs to."""
    path = finding.spot.path
    if len(path) < 4 or path[0] != "providers" or path[2] != "models":
        return None
    for row in snapshot.matrix.rows:
        for layer in row.model.layers:
            if layer.file == finding.spot.file and layer.row.path == path[:4]:
                return row.ref, ".".join(str(part) for part in path[4:6]) or None
    return None
