"""Words on the command line that must be known ones: tasks, capabilities, ModelRefs, fields; with did-you-mean and
shell completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from model.config.values import nearest
from model.model_ref import BadRef, ModelRef
from model.vocabulary import CAPABILITIES, Capability, CostTier, QualityTier
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from model.requirements import Requirement
    from model.resolve import ResolvedModel
    from model.snapshot import Snapshot


class Word(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5, and 8.1 will do
    """One of a few known words; `make` turns it into its value."""

    def __init__(self, name: str, known: Sequence[str], make: Callable[[str], Any]) -> None:
        self.name = name
        self._known = known
        self._make = make

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        if value in self._known:
            return self._make(value)
        meant = nearest(value, self._known)
        help = f"did you mean {meant!r}?" if meant else "known: " + ", ".join(self._known)
        raise click.BadParameter(f"{value!r} is no {self.name}; {help}", ctx, param)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _items(self._known, incomplete)


CAPABILITY = Word("capability", [each.value for each in CAPABILITIES], Capability)
QUALITY = Word("quality tier", [tier.value for tier in QualityTier if tier is not QualityTier.UNKNOWN], QualityTier)
COST = Word("cost tier", [tier.value for tier in CostTier if tier is not CostTier.UNKNOWN], CostTier)


class Tokens(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5, and 8.1 will do
    """A number of tokens: 128000, 128_000, 128k, 1M."""

    name = "tokens"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from model.config.fields import MODEL
        from model.editing import CannotEdit, parse_value

        if isinstance(value, int):
            return value
        try:
            tokens: int = parse_value(MODEL["context_window_tokens"], str(value))
        except CannotEdit:
            self.fail(f"{value!r} is no number of tokens: write 128000, 128k or 1M", param, ctx)
        return tokens


class FromFiles(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.5, and 8.1 will do
    """A word that the open files decide: here it is taken as it comes, and completed from the files."""

    def __init__(self, name: str, candidates: Callable[[Snapshot], Iterable[str]]) -> None:
        self.name = name
        self._candidates = candidates

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from tui.cli.invocation import Invocation

        return _items(self._candidates(ctx.ensure_object(Invocation).load().snapshot), incomplete)


def _items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def refs_of(snapshot: Snapshot) -> list[str]:
    return [str(row.ref) for row in snapshot.matrix.rows]


TASK = FromFiles("task", lambda snapshot: snapshot.requirements)
REF = FromFiles("ref", refs_of)
ENTRY = FromFiles(
    "ref", lambda snapshot: [*refs_of(snapshot), *(each.provider_id for each in snapshot.config.providers)]
)


def task_named(snapshot: Snapshot, task: str) -> Requirement:
    """Raises Failure with the nearest known task."""
    requirement = snapshot.requirements.get(task)
    if requirement is None:
        known = snapshot.requirements
        raise Failure("unknown-task", f"there is no task {task!r}", _meant(task, known, known))
    return requirement


def model_named(snapshot: Snapshot, text: str) -> ResolvedModel:
    """Raises Failure with the nearest known ref."""
    known = refs_of(snapshot)
    try:
        row = snapshot.matrix.get(ModelRef.parse(text))
    except BadRef as error:
        raise Failure("unknown-ref", str(error), _meant(text, known)) from None
    if row is None:
        raise Failure("unknown-ref", f"no open file has a model {text!r}", _meant(text, known))
    return row


def provider_named(snapshot: Snapshot, text: str) -> str:
    """Raises Failure with the nearest known provider_id."""
    known = [provider.provider_id for provider in snapshot.config.providers]
    if text not in known:
        raise Failure("unknown-ref", f"no open file has a provider {text!r}", _meant(text, known))
    return text


def _meant(word: str, known: Iterable[str], all_of_them: Iterable[str] = ()) -> str:
    names = list(known)
    ending = next((name for name in names if name.endswith(f"/{word}")), None)
    meant = ending or nearest(word, names)
    if meant:
        return f"did you mean {meant!r}?"
    listed = ", ".join(all_of_them)
    return f"known: {listed}" if listed else "capdeck matrix lists them"
