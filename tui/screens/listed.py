"""What an endpoint lists and the file lacks, to be ticked; and what the file has that the endpoint does not list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import SelectionList, Static
from textual.widgets.selection_list import Selection

from tui.safe_text import safe_text

if TYPE_CHECKING:
    from adapters.offers import Offer
    from model.model_ref import ModelRef


class Listed(ModalScreen[tuple["Offer", ...] | None]):
    """The ticked offers, in the list's order; None for escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "take", priority=True),
        ("escape,q", "cancel", "cancel"),
        ("j", "cursor(1)", "down"),
        ("k", "cursor(-1)", "up"),
    ]
    DEFAULT_CSS = """
    Listed { align: center middle; }
    Listed > Vertical { width: 96; max-width: 100%; height: auto; max-height: 100%;
        border: round $border; background: $surface; padding: 0 1; }
    Listed SelectionList, Listed SelectionList:focus { height: auto; max-height: 14; border: none; padding: 0;
        background: $surface; }
    Listed VerticalScroll { height: auto; max-height: 6; border-top: solid $border; }
    Listed .listed--foot { color: $text-muted; }
    """
    AUTO_FOCUS = "SelectionList"

    def __init__(self, provider_id: str, offers: Sequence[Offer], unlisted: Sequence[ModelRef]) -> None:
        """`unlisted` are the file's models that the endpoint does not list."""
        super().__init__()
        self._provider_id, self._offers, self._unlisted = provider_id, offers, unlisted

    def compose(self) -> ComposeResult:
        with Vertical() as frame:
            frame.border_title = Content(safe_text(f"listed by {self._provider_id}, not in the file"))
            if not self._offers:
                yield Static(Content("The file has every model on the list."))
            yield SelectionList[int](*(Selection(_shown(each), number) for number, each in enumerate(self._offers)))
            if self._unlisted:
                with VerticalScroll():
                    yield Static(self._only_here())
            yield Static(Content("space tick   enter show the diff   esc leave"), classes="listed--foot")

    def _only_here(self) -> Content:
        names = (Content(f"  {safe_text(ref.model_id)}") for ref in self._unlisted)
        return Content("\n").join([Content("In the file, and not on the list:"), *names])

    def action_take(self) -> None:
        ticked = sorted(self.query_one(SelectionList).selected)
        self.dismiss(tuple(self._offers[number] for number in ticked))

    def action_cursor(self, step: int) -> None:
        options = self.query_one(SelectionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    def action_cancel(self) -> None:
        self.dismiss(None)


def _shown(offer: Offer) -> Content:
    """The model's id, then what the endpoint says of it."""
    listed = offer.listed
    told = [listed.display_name or "", *_sizes(offer), *sorted(each.value for each in listed.flags.yes)]
    about = safe_text("  ".join(part for part in told if part))
    return Content.assemble(safe_text(listed.model_id), (f"  {about}" if about else "", "$text-muted"))


def _sizes(offer: Offer) -> list[str]:
    window, output = offer.listed.context_window_tokens, offer.listed.max_output_tokens
    return [f"{size:,} tokens {what}" for size, what in ((window, "window"), (output, "output")) if size]
