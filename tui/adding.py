"""Adding a model step by step: its name, and for a provider that is new its kind and endpoint; then the diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from model.editing import CannotEdit
from model.model_ref import BadRef, ModelRef
from model.vocabulary import ProviderKind
from tui.cli.errors import Failure
from tui.cli.new_entries import NewProvider, adding
from tui.messages import ChangeProposed
from tui.screens.add_model import AddModel
from tui.screens.pick import Pick
from tui.widgets.text_prompt import TextPrompt

if TYPE_CHECKING:
    from tui.app import CapdeckApp

_KINDS = {
    ProviderKind.ANTHROPIC: "Anthropic's own API",
    ProviderKind.OPENAI: "OpenAI's own API",
    ProviderKind.OPENROUTER: "OpenRouter",
    ProviderKind.OLLAMA: "Ollama on this machine",
    ProviderKind.OPENAI_COMPATIBLE: "another server that speaks OpenAI's chat completions",
    ProviderKind.ANTHROPIC_COMPATIBLE: "another server that speaks Anthropic's messages",
    ProviderKind.CUSTOM: "something else (needs api: or a plugin)",
}


def add(app: CapdeckApp, provider_id: str | None) -> None:
    """Asks for the model; `provider_id` is the one under the cursor."""

    def named(text: str | None) -> None:
        if text is None:
            return
        try:
            ref = ModelRef.parse(text)
        except BadRef as why:
            app.say(str(why), warning=True)
            return
        known = any(each.provider_id == ref.provider_id for each in app.snapshot.config.providers)
        if known:
            _propose(app, ref, NewProvider(None, None, None))
        else:
            _ask_kind(app, ref)

    app.push_screen(AddModel(app.snapshot, provider_id), named)


def _ask_kind(app: CapdeckApp, ref: ModelRef) -> None:
    def chosen(number: int | None) -> None:
        if number is None:
            return
        kind = list(_KINDS)[number]
        if kind.default_base_url:
            _propose(app, ref, NewProvider(kind, None, None))
        else:
            _ask_endpoint(app, ref, kind)

    titles = [Content(f"{kind.value:<22} {text}") for kind, text in _KINDS.items()]
    app.push_screen(Pick(f"{ref.provider_id} is new: what kind of provider is it?", titles), chosen)


def _ask_endpoint(app: CapdeckApp, ref: ModelRef, kind: ProviderKind) -> None:
    from model.endpoint import EndpointProblem, read_endpoint

    def check(text: str) -> str | None:
        found = read_endpoint(text.strip(), local=True)
        return f"{found.text}: {found.mend}" if isinstance(found, EndpointProblem) else None

    def typed(text: str | None) -> None:
        if text is not None:
            _propose(app, ref, NewProvider(kind, text.strip(), None))

    app.push_screen(
        TextPrompt(f"base_url of {ref.provider_id}", "https://", "The endpoint that it answers at.", check), typed
    )


def _propose(app: CapdeckApp, ref: ModelRef, new: NewProvider) -> None:
    try:
        change = adding(app.workbench, str(ref), new, app.target)
    except (CannotEdit, Failure) as why:
        app.say(str(why), warning=True)
        return
    app.post_message(ChangeProposed(change, "Prefilled from the catalog where it knows the model."))
