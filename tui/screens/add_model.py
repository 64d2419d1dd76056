"""Asks which model to add: from the catalog, or by its name alone."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from model.model_ref import BadRef, ModelRef
from model.snapshot import Snapshot
from tui.columns import tokens_short
from tui.safe_text import safe_text
from tui.widgets.line_edit import LineEdit

_MOST = 50
_FOOT = "enter add   ↓ choose from the catalog   esc cancel"


class AddModel(ModalScreen[str | None]):
    """Type provider/model; the list below offers what the catalog knows by that name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "cancel", "cancel"),
        ("down", "to_list", "to the list"),
    ]
    DEFAULT_CSS = """
    AddModel { align: center middle; }
    AddModel > Vertical { width: 72; max-width: 100%; height: 20; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    AddModel LineEdit { background: $boost; }
    AddModel OptionList, AddModel OptionList:focus { height: 1fr; border: none; background: $surface; padding: 0; }
    AddModel .add--foot { color: $text-muted; }
    """
    AUTO_FOCUS = "LineEdit"

    def __init__(self, snapshot: Snapshot, provider_id: str | None) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._start = f"{provider_id}/" if provider_id else ""

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = "add a model: provider/model"
            yield LineEdit(self._start, placeholder="provider_id/model_id")
            yield OptionList(markup=False)
            yield Static(Content(_FOOT), classes="add--foot")

    def on_mount(self) -> None:
        self._offer(self._start)

    @on(LineEdit.Changed)
    def _typed(self, event: LineEdit.Changed) -> None:
        self._offer(event.value)
        foot = self._fault(event.value) or _FOOT
        self.query_one(".add--foot", Static).update(Content(safe_text(foot)))

    def _offer(self, text: str) -> None:
        wanted = text.partition("/")[2].casefold()
        rows = [row for row in self._snapshot.catalog.rows if wanted in row.model_id.casefold()][:_MOST]
        options = self.query_one(OptionList)
        options.clear_options()
        for row in rows:
            window = tokens_short(row.context_window_tokens) if row.context_window_tokens else "?"
            options.add_option(Option(Content(f"{row.model_id:<36} {window:>5}  {row.vendor.value}"), id=row.model_id))

    def action_to_list(self) -> None:
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        provider = self.query_one(LineEdit).value.partition("/")[0] or self._start.rstrip("/")
        if provider:
            self.dismiss(f"{provider}/{event.option_id}")

    @on(LineEdit.Submitted)
    def _submitted(self, event: LineEdit.Submitted) -> None:
        if self._fault(event.value) is None:
            self.dismiss(event.value.strip())

    def _fault(self, text: str) -> str | None:
        try:
            ref = ModelRef.parse(text.strip())
        except BadRef as why:
            return str(why)
        return f"{ref} is already there" if self._snapshot.matrix.get(ref) else None

    def action_cancel(self) -> None:
        self.dismiss(None)
