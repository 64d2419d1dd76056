"""The keys of the matrix that change something: cells, models, providers."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from model.config.fields import MODEL_FIELDS
from model.editing import CannotEdit, field_named, parse_value
from model.model_ref import ModelRef
from model.workbench import Change
from tui.cell_changes import Cells, removal_words, remove, rename, toggle_model, toggle_provider
from tui.columns import Column
from tui.messages import AddWanted, ChangeProposed, ChangeWanted
from tui.panes.matrix_browser import MatrixBrowser
from tui.screens.card import Card
from tui.screens.cards import card_of
from tui.widgets.grid import MatrixGrid


class MatrixPane(MatrixBrowser):
    """Pane 1. What it shows and how is `MatrixBrowser`'s; here keys become changes, which the app makes."""

    # -- editing --------------------------------------------------------------------------------------------------
    def _cells(self) -> Cells:
        marked = tuple(row.ref for row in self.snapshot.matrix.rows if row.ref in self.view.marks)
        return Cells(self.snapshot, marked or ((self.ref,) if self.ref else ()), self.ref, self.column, self.target)

    def _want(self, make: Callable[[], Change], *, propose: str = "") -> bool:
        """Asks for a change, or says why there cannot be one."""
        try:
            change = make()
        except CannotEdit as why:
            self._say(f"{why}. {why.help}" if why.help else why)
            return False
        self.post_message(ChangeProposed(change, propose) if propose else ChangeWanted(change))
        return True

    def _set(self, name: str, value: object) -> None:
        if self._want(lambda: self._cells().set(name, value)):
            self._last = (name, value)

    def action_next_value(self) -> None:
        cells = self._cells()
        try:
            if not cells.has_few_values():
                self.action_open_cell()
                return
            name, value = cells.field_name(), cells.next_value()
        except CannotEdit as why:
            self._say(why)
            return
        self._set(name, value)

    def action_clear_value(self) -> None:
        try:
            self._set(self._cells().field_name(), None)
        except CannotEdit as why:
            self._say(why)

    def action_adopt(self) -> None:
        self._want(lambda: self._cells().adopt())

    def action_repeat(self) -> None:
        if self._last is None or self.ref is None:
            self._say("nothing to repeat here: change a cell first")
            return
        self._set(*self._last)

    def action_toggle_enabled(self) -> None:
        provider_id = self.provider_id
        if self.ref is not None:
            self._want(lambda: toggle_model(self._cells()))
        elif provider_id:
            self._want(lambda: toggle_provider(self.snapshot, provider_id))

    # -- cells ----------------------------------------------------------------------------------------------------
    def action_open_cell(self) -> None:
        self.grid.activate()

    @on(MatrixGrid.CellActivated)
    def _activate(self, event: MatrixGrid.CellActivated) -> None:
        event.stop()
        column = self.column
        if self.ref is None:
            return
        if column is None or column.capability or not column.is_field:
            self._open_card(self.ref, column)
        else:
            self._edit_scalar(column)

    def _open_card(self, ref: ModelRef, column: Column | None) -> None:
        row = self.snapshot.matrix.get(ref)
        if row is not None:
            self.app.push_screen(Card(*card_of(self.snapshot, row, column)))

    def _edit_scalar(self, column: Column) -> None:
        from tui.widgets.text_prompt import TextPrompt

        field = field_named(MODEL_FIELDS, column.key)
        allowed = f" ({', '.join(field.allowed)})" if field.allowed else ""

        def check(text: str) -> str | None:
            try:
                parse_value(field, text) if text.strip() else None
            except CannotEdit as why:
                return f"{why} {why.help}".strip()
            return None

        stated = self._cells().stated_text(column.key)

        def done(text: str | None) -> None:
            if text is not None and text.strip() != stated:
                self._set(column.key, parse_value(field, text) if text.strip() else None)

        help = f"{field.help}{allowed} Empty = not stated."
        self.app.push_screen(TextPrompt(f"{column.key} of {self.ref}", stated, help, check), done)

    # -- rows -----------------------------------------------------------------------------------------------------
    def action_remove(self) -> None:
        ref = self.ref
        if ref is None:
            self._say(f"{self._key('matrix.remove')} removes a model: move to one")
            return
        self._want(lambda: remove(self.snapshot, ref), propose=removal_words(self.snapshot, ref))

    def action_rename(self) -> None:
        from tui.widgets.text_prompt import TextPrompt

        ref = self.ref
        if ref is None:
            self._say(f"{self._key('matrix.rename')} renames a model: move to one")
            return

        def done(text: str | None) -> None:
            if text and text != ref.model_id:
                self._want(lambda: rename(self.snapshot, ref, text))

        self.app.push_screen(TextPrompt(f"rename {ref}", ref.model_id, "The id that is sent to the provider."), done)

    def action_add(self) -> None:
        self.post_message(AddWanted(self.provider_id))
