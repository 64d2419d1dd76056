"""Pane 2: what each task asks of a model, and who passes, live."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from model.bitmap import Mask
from model.config.fields import REQUIREMENT
from model.editing import CannotEdit, parse_value
from model.model_ref import ModelRef
from model.requirement_edits import (
    change_demand,
    change_requirement,
    demand_of,
    next_demand,
    parse_alternatives,
    with_demand,
)
from model.snapshot import Snapshot
from model.vocabulary import Capability, Layer
from model.workbench import Change
from tui.commands import Where, bindings
from tui.messages import ChangeProposed, ChangeWanted, ForeseenChangeWanted, JumpWanted, OverviewWanted, Said
from tui.need_rows import FormLine, FormRows, form, is_flag, task_list
from tui.preview_rows import PreviewRows, preview
from tui.safe_text import safe_text
from tui.screens.card import Card
from tui.screens.cards import verdict_card
from tui.widgets.grid import MatrixGrid


class NeedPane(Vertical):
    """Tasks, the form of one, and the preview; `tab` goes from one to the next."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.NEED)
    where = Where.NEED

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="need")
        self.snapshot = snapshot
        self.target: Layer | None = None
        self.task_name = next(iter(snapshot.requirements))
        self._before: dict[str, Mask] = {task: passing.any for task, passing in snapshot.passing.items()}
        self._folds: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        with Horizontal(id="lists"):
            with Vertical(id="tasks"):
                yield MatrixGrid(id="task-list")
            with Vertical(id="work"):
                with Vertical(id="form"):
                    yield MatrixGrid(id="form-list")
                with Vertical(id="preview"):
                    yield MatrixGrid(id="preview-list")

    def on_mount(self) -> None:
        self.rearrange()

    def on_resize(self) -> None:
        self.rearrange()

    # -- values down ----------------------------------------------------------------------------------------------
    def show(self, snapshot: Snapshot) -> None:
        """Another snapshot. What passed when the pane was opened is kept for comparison while the models stay."""
        if len(snapshot.matrix.rows) != len(self.snapshot.matrix.rows):
            self._before = {task: passing.any for task, passing in snapshot.passing.items()}
        self.snapshot = snapshot
        if self.task_name not in snapshot.requirements:
            self.task_name = next(iter(snapshot.requirements))
        self.rearrange()

    def rearrange(self) -> None:
        if not self.is_mounted:
            return
        tasks = self._list("task")
        tasks.show(task_list(self.snapshot, tasks.size.width or 30))
        self._show_form()
        self._show_preview()

    def _show_form(self) -> None:
        grid = self._list("form")
        grid.show(form(self.snapshot, self.task_name, grid.size.width or 60))

    def _show_preview(self) -> None:
        grid = self._list("preview")
        before = self._before.get(self.task_name, 0)
        rows = preview(self.snapshot, self.task_name, before, self._folds, grid.size.width or 60)
        grid.show(rows, from_top=not grid.has_focus)

    def _list(self, name: str) -> MatrixGrid:
        return self.query_one(f"#{name}-list", MatrixGrid)

    @property
    def _line(self) -> FormLine | None:
        """The form's line under the cursor."""
        grid = self._list("form")
        rows = grid.source
        return rows.line(grid.cursor.row) if isinstance(rows, FormRows) else None

    @property
    def preview_ref(self) -> ModelRef | None:
        """The preview's model under the cursor."""
        key = self._list("preview").row_key
        return key if isinstance(key, ModelRef) else None

    def detail(self) -> Content:
        """What the line above the keys says of the place of the cursor."""
        return Content(safe_text(self._line_text()))

    def _line_text(self) -> str:
        focused = self.screen.focused
        if focused is self._list("preview") and self.preview_ref:
            rows = self._list("preview").source
            assert isinstance(rows, PreviewRows)
            return f"{self.preview_ref}  {rows.text(self._list('preview').cursor.row)}"
        line = self._line
        rows = self._list("form").source
        if line is None or not isinstance(rows, FormRows):
            return ""
        return f"{self.task_name} · {line.name}: {rows.help(self._list('form').cursor.row)}"

    @on(MatrixGrid.CursorMoved)
    def _moved(self) -> None:
        key = self._list("task").row_key
        if isinstance(key, str) and key != self.task_name:
            self.task_name = key
            self._show_form()
            self._show_preview()

    @on(MatrixGrid.GroupToggled)
    def _toggle(self, event: MatrixGrid.GroupToggled) -> None:
        event.stop()
        self._folds ^= {str(event.row_key)}
        self._show_preview()

    @on(MatrixGrid.CellActivated)
    def _activated(self, event: MatrixGrid.CellActivated) -> None:
        event.stop()
        self.action_open()

    # -- keys -----------------------------------------------------------------------------------------------------
    def _want(self, make: Callable[[], Change]) -> None:
        try:
            self.post_message(ChangeWanted(make()))
        except CannotEdit as why:
            self.post_message(Said(f"{why}. {why.help}" if why.help else str(why), warning=True))

    def _form_line(self) -> FormLine | None:
        """The line that a key on the form speaks of; says so where the focus is elsewhere."""
        if self.screen.focused is self._list("form"):
            return self._line
        self._list("form").focus()
        self.post_message(Said("the form has the focus now: move to a line, and change it"))
        return None

    def action_next_value(self) -> None:
        line = self._form_line()
        if line is None:
            return
        if line.capability:
            self._next_demand(line.capability)
        elif REQUIREMENT[line.name].choices or is_flag(line.name):
            self._set(line.name, self._next(line.name))
        else:
            self.action_open()

    def _next_demand(self, capability: Capability) -> None:
        """Shown at once, made after the paint: the proof of a huge file takes longer than a frame."""
        task, target, requirement = self.task_name, self.target, self.snapshot.requirements[self.task_name]
        demand = next_demand(demand_of(requirement, capability))
        self.snapshot = self.snapshot.foreseeing(with_demand(requirement, capability, demand))
        self.rearrange()
        self.post_message(
            ForeseenChangeWanted(lambda snapshot: change_demand(snapshot, task, capability, demand, target))
        )

    def _next(self, name: str) -> Any:
        value = getattr(self.snapshot.requirements[self.task_name], name)
        if is_flag(name):
            return not value
        allowed = REQUIREMENT[name].allowed[:-1]
        place = allowed.index(value.value) + 1 if value and value.value in allowed else 0
        return allowed[place % len(allowed)]

    def _set(self, name: str, value: Any) -> None:
        self._want(lambda: change_requirement(self.snapshot, self.task_name, name, value, self.target))

    def action_clear_value(self) -> None:
        line = self._form_line()
        if line is None:
            return
        names = ("required", "preferred") if line.capability else (line.name,)
        blocks = self.snapshot.config.requirements.get(self.task_name, ())
        stated = [name for name in names if any(getattr(block, name) is not None for block in blocks)]
        if not stated:
            self.post_message(Said(f"{line.name}: the default counts already", warning=True))
        for name in stated:
            self._set(name, None)

    def action_open(self) -> None:
        focused = self.screen.focused
        if focused is self._list("task"):
            self._list("form").focus()
        elif focused is self._list("preview"):
            self._open_model()
        else:
            self._edit_line()

    def _open_model(self) -> None:
        row = self.snapshot.matrix.get(self.preview_ref) if self.preview_ref else None
        if row is None:
            self._list("preview").activate()
            return
        if self.snapshot.verdict(row, self.snapshot.requirements[self.task_name]).passes:
            self.app.push_screen(Card(*verdict_card(self.snapshot, row, self.task_name)))
            return
        from tui.screens.proposals import ways_for

        self.app.push_screen(ways_for(self.snapshot, row, self.task_name), self._propose)

    def _propose(self, change: Change | None) -> None:
        if change is not None:
            self.post_message(ChangeProposed(change, "The smallest change that would let it pass."))

    def action_unblock(self) -> None:
        """For a task that nobody passes."""
        if self.snapshot.passing[self.task_name].any:
            self.post_message(Said(f"{self.task_name} has models that pass: a failing one, opened, shows its ways"))
            return
        from tui.screens.proposals import ways_for_task

        self.app.push_screen(ways_for_task(self.snapshot, self.task_name), self._propose)

    def _edit_line(self) -> None:
        from tui.widgets.text_prompt import TextPrompt

        line = self._line
        if line is None or line.capability:
            self.action_next_value()
            return
        name = line.name
        start = "" if line.value == "–" else line.value
        help = REQUIREMENT[name].help + _typing_help(name)

        def check(text: str) -> str | None:
            try:
                self._parse(name, text)
            except CannotEdit as why:
                return f"{why} {why.help}".strip()
            return None

        def done(text: str | None) -> None:
            if text is not None and text != start:
                self._set(name, self._parse(name, text))

        self.app.push_screen(TextPrompt(f"{name} of {self.task_name}", start, help, check), done)

    def _parse(self, name: str, text: str) -> Any:
        if not text.strip():
            return None
        return parse_alternatives(text) if name == "any_of" else parse_value(REQUIREMENT[name], text)

    def action_jump(self) -> None:
        if self.preview_ref:
            self.post_message(JumpWanted(self.preview_ref, f"task.{self.task_name}"))
        else:
            self.post_message(Said("move to a model of the preview first", warning=True))

    def action_overview(self) -> None:
        """Tasks × models: the matrix with the tasks' columns."""
        self.post_message(OverviewWanted())

    def action_own_task(self) -> None:
        from tui.widgets.text_prompt import TextPrompt

        def done(text: str | None) -> None:
            name = text.strip() if text else ""
            if name:
                self._want(lambda: change_requirement(self.snapshot, name, "min_quality_tier", "standard", self.target))

        self.app.push_screen(
            TextPrompt("a task of your own", "", "Its name; it starts with a floor of standard."), done
        )


def _typing_help(name: str) -> str:
    if name == "any_of":
        return " Ways separated by |, what belongs to one way joined by +: long_context | 128000 + tool_use"
    return (
        " Separate by commas. Empty = the default." if name in {"tools", "exclude_models"} else " Empty = the default."
    )
