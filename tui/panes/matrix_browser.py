"""How the matrix is looked at: filter, order, columns, folds, marks, and what stands under the cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from model.model_ref import ModelRef
from model.snapshot import Snapshot
from model.vocabulary import Layer
from tui.columns import ALL_FIELDS, Column, ColumnGroup
from tui.commands import Where, bindings
from tui.detail import detail_line
from tui.filtering import asked_task
from tui.matrix_rows import NAME, Looks
from tui.messages import DetailChanged, Said
from tui.own_keys import key_of, keys_in_force
from tui.panes.matrix_view import Arrangement, View, look
from tui.screens.card import Card, Line
from tui.screens.cards import card_of
from tui.widgets.filter_line import FilterLine
from tui.widgets.grid import MatrixGrid


class MatrixBrowser(Vertical):
    """Shows the matrix; computes no verdict itself and changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Where.MATRIX)
    where = Where.MATRIX

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="matrix")
        self.snapshot = snapshot
        self.target: Layer | None = None
        self.view = View()
        self._problems: frozenset[ModelRef] = frozenset()
        self._looks = Looks()
        self._last: tuple[str, object] | None = None
        self._arrangement: Arrangement | None = None

    def compose(self) -> ComposeResult:
        yield FilterLine()
        yield MatrixGrid()

    def on_mount(self) -> None:
        self.rearrange()

    def on_resize(self) -> None:
        self.rearrange()

    # -- values down ----------------------------------------------------------------------------------------------
    def show(self, snapshot: Snapshot, problems: frozenset[ModelRef] | None = None) -> None:
        """Another snapshot; the cursor stays on its cell."""
        self.snapshot = snapshot
        if problems is not None:
            self._problems = problems
        self.rearrange()

    def rearrange(self) -> None:
        if not self.children:
            return
        width = self.size.width or self.app.size.width  # before the first layout: the screen's, for a first frame
        self._arrangement = look(self.snapshot, self.view, self._problems, self._looks, width)
        self.grid.show(self._arrangement.rows, empty=self._empty_text(self._arrangement))
        total = len(self.snapshot.matrix.rows)
        self.query_one(FilterLine).tell(
            f"{self._arrangement.count} of {total} models", self._arrangement.filtered.problem
        )

    def _empty_text(self, arrangement: Arrangement) -> list[str]:
        if arrangement.filtered.problem:
            return [arrangement.filtered.problem]
        if arrangement.filtered.culprit:
            culprit = f"No model is left: {arrangement.filtered.culprit!r} excludes all."
            return [culprit, f"{self._key('matrix.filter')} changes the filter."]
        return ["No models yet.", f"{self._key('matrix.add')} adds one from the catalog or by its name."]

    def _key(self, id: str) -> str:
        """The key that a sentence is to name."""
        return key_of(id, keys_in_force(self))

    @property
    def grid(self) -> MatrixGrid:
        return self.query_one(MatrixGrid)

    @property
    def ref(self) -> ModelRef | None:
        """The model under the cursor."""
        key = self.grid.row_key
        return key if isinstance(key, ModelRef) else None

    @property
    def provider_id(self) -> str | None:
        """The provider of the row under the cursor."""
        key = self.grid.row_key
        return key.provider_id if isinstance(key, ModelRef) else str(key) if key is not None else None

    @property
    def column(self) -> Column | None:
        """The column under the cursor; None on the name."""
        key = self.grid.column_key
        return self._arrangement.column(key) if self._arrangement and key else None

    @property
    def changed_here(self) -> frozenset[str]:
        """The unsaved fields of the model under the cursor."""
        if self._arrangement is None or self.ref is None:
            return frozenset()
        return self._arrangement.rows.changed.get(self.ref, frozenset())

    def detail(self) -> Content:
        """What the line above the keys says of the cell under the cursor."""
        row = self.snapshot.matrix.get(self.ref) if self.ref else None
        asked = asked_task(self.view.filter, self.snapshot)
        return detail_line(self.snapshot, row, self.column, self.changed_here, asked, keys_in_force(self))

    def card_lines(self, *, tasks: bool = True) -> list[Line] | None:
        """What the docked card says of the cell under the cursor; `tasks`: of a model also what it passes."""
        row = self.snapshot.matrix.get(self.ref) if self.ref else None
        if row is None:
            return None
        title, lines = card_of(self.snapshot, row, self.column, tasks=tasks)
        return [Content.assemble((title, "bold")), *lines]

    def go_to(self, ref: ModelRef, column: str | None = None) -> None:
        """Shows a cell, opening what hides it: folds, filter, columns."""
        if self.grid.go_to(ref, column):
            return
        groups = ALL_FIELDS if column and column != NAME else self.view.groups
        self.view = View(groups=self.view.groups if self._has_column(column) else groups, marks=self.view.marks)
        self.query_one(FilterLine).clear()
        self.rearrange()
        self.grid.go_to(ref, column) or self.grid.go_to(ref)

    def _has_column(self, key: str | None) -> bool:
        return (
            key is None or key == NAME or (self._arrangement is not None and self._arrangement.column(key) is not None)
        )

    # -- filter ---------------------------------------------------------------------------------------------------
    def action_filter(self) -> None:
        self.query_one(FilterLine).open()

    @on(FilterLine.FilterChanged)
    def _filter(self, event: FilterLine.FilterChanged) -> None:
        event.stop()
        self._look(filter=event.text)

    @on(FilterLine.FilterClosed)
    def _leave_filter(self, event: FilterLine.FilterClosed) -> None:
        event.stop()
        self.grid.focus()
        if self.view.filter and self._arrangement:  # the user stands here now, also when the filter is gone again
            self.grid.go_to(self.ref or self._arrangement.first_model)

    def _say(self, text: object) -> None:
        self.post_message(Said(str(text), warning=True))

    # -- looking --------------------------------------------------------------------------------------------------
    def _look(self, **changes: object) -> None:
        self.view = replace(self.view, **changes)  # type: ignore[arg-type]  # callers name fields of View
        self.rearrange()
        self.post_message(DetailChanged())

    @on(MatrixGrid.GroupToggled)
    def _toggle_group(self, event: MatrixGrid.GroupToggled) -> None:
        event.stop()
        self._fold(str(event.row_key))

    @on(MatrixGrid.HeadingClicked)
    def _click_heading(self, event: MatrixGrid.HeadingClicked) -> None:
        event.stop()
        self.view = self.view.sorted_by(event.column_key)
        self.rearrange()

    def action_sort(self) -> None:
        self.view = self.view.sorted_by(self.grid.column_key or NAME)
        self.rearrange()

    def _fold(self, provider_id: str) -> None:
        self.view = self.view.folded(provider_id)
        self.rearrange()

    def action_fold(self) -> None:
        if self.provider_id:
            self._fold(self.provider_id)
            self.grid.go_to(self.provider_id)

    def action_fold_all(self) -> None:
        everyone = frozenset(provider.provider_id for provider in self.snapshot.config.providers)
        self._look(folds=frozenset() if self.view.folds else everyone)

    def action_mark(self) -> None:
        if self.ref is None:
            self._say(f"{self._key('matrix.mark')} marks a model: move to one")
            return
        self.view = self.view.marked(self.ref)
        self.rearrange()
        self.grid.action_move(1, 0)

    def action_columns(self) -> None:
        from tui.screens.column_choice import ColumnChoice

        def chosen(groups: frozenset[ColumnGroup] | None) -> None:
            if groups is not None:
                self._look(groups=groups)

        self.app.push_screen(ColumnChoice(self.view.groups), chosen)

    def show_tasks(self) -> None:
        """Only identity and the tasks' columns: who passes where."""
        self._look(groups=frozenset({ColumnGroup.IDENTITY, ColumnGroup.TASKS}))

    def action_compare(self) -> None:
        from tui.screens.cards import comparison_card

        marked = [row for row in self.snapshot.matrix.rows if row.ref in self.view.marks]
        if not 2 <= len(marked) <= 4:
            self._say(f"mark two to four models with {self._key('matrix.mark')}, then compare them")
            return
        self.app.push_screen(Card(*comparison_card(self.snapshot, marked)))

    def action_copy(self) -> None:
        if self.ref is None:
            self._say(f"{self._key('matrix.copy')} copies a model's name: move to one")
            return
        column = self.column
        text = str(self.ref) if column is None else f"{self.ref} {column.key}"
        self.app.copy_to_clipboard(text)
        self.post_message(Said(f"copied {text}"))

    def action_next_problem(self, step: int) -> None:
        rows = [row.ref for row in self.snapshot.matrix.rows]
        with_problem = [number for number, ref in enumerate(rows) if ref in self._problems]
        if not with_problem:
            self._say("no model has a finding")
            return
        here = rows.index(self.ref) if self.ref else -1
        following = _next(with_problem, here) if step > 0 else _next([-n for n in reversed(with_problem)], -here)
        self.go_to(rows[abs(following)])


def _next(numbers: list[int], here: int) -> int:
    """The first number after `here`, else the first of all."""
    return next((number for number in numbers if number > here), numbers[0])
