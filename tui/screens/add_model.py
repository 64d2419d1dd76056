"""Adds a model: from the catalog, or by its name alone."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from model.editing import CannotEdit, add_model
from model.snapshot import Snapshot
from model.vocabulary import BadRef, Layer, ModelRef
from model.workbench import Change
from tui.columns import tokens_short
from tui.safe_text import safe_text

_MOST = 50


class AddModel(ModalScreen[Change | None]):
    """Type provider/model; the list below offers what the catalog knows by that name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "cancel", "cancel"),
        ("down", "to_list", "to the list"),
    ]
    DEFAULT_CSS = """
    AddModel { align: center middle; }
    AddModel > Vertical { width: 72; max-width: 100%; height: 20; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    AddModel Input { border: none; height: 1; padding: 0; }
    AddModel OptionList { height: 1fr; border: none; background: $surface; padding: 0; }
    AddModel .add--foot { color: $text-muted; }
    """
    AUTO_FOCUS = "Input"

    def __init__(self, snapshot: Snapshot, provider_id: str | None, target: Layer | None) -> None:
        super().__init__()
        self._snapshot = snapshot
        self._start = f"{provider_id}/" if provider_id else ""
        self._target = target

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = "add a model: provider/model"
            yield Input(self._start, placeholder="provider_id/model_id", select_on_focus=False)
            yield OptionList(markup=False)
            yield Static(Content("enter add   ↓ choose from the catalog   esc cancel"), classes="add--foot")

    def on_mount(self) -> None:
        self._offer(self._start)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._offer(event.value)

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
        provider = self.query_one(Input).value.partition("/")[0] or self._start.rstrip("/")
        self._finish(f"{provider}/{event.option_id}")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self._finish(event.value)

    def _finish(self, text: str) -> None:
        try:
            self.dismiss(self._change(ModelRef.parse(text.strip())))
        except (BadRef, CannotEdit) as why:
            self.query_one(".add--foot", Static).update(Content(safe_text(str(why))))

    def _change(self, ref: ModelRef) -> Change:
        files = self._snapshot.files
        wanted = [file for file in files if file.layer is self._target] or [
            file for file in files if any(row.provider_id == ref.provider_id for row in file.config.providers)
        ]
        file = (wanted or list(files))[-1]
        match = self._snapshot.catalog.find(ref.model_id)
        window = match.row.context_window_tokens if match else None
        output = match.row.max_output_tokens if match else None
        values = {"context_window_tokens": window, "max_output_tokens": output}
        stated = {name: value for name, value in values.items() if value is not None}
        return Change(f"add {ref}", {file.name: add_model(file.config, ref, stated)})

    def action_cancel(self) -> None:
        self.dismiss(None)
