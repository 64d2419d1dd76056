"""The one line that says why: the value under the cursor, who decided it, and what else has a say."""

from __future__ import annotations

from textual.content import Content

from model.provenance import Explanation, explain, explain_field
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import Layer
from tui.columns import Column
from tui.commands import OWN, Keys
from tui.own_keys import key_of
from tui.safe_text import safe_text
from tui.screens.cards import passed_tasks, place


def detail_line(
    snapshot: Snapshot,
    row: ResolvedModel | None,
    column: Column | None,
    changed: frozenset[str],
    asked: str | None = None,
    keys: Keys = OWN,
) -> Content:
    """For the cell under the cursor. `asked` is the task that the filter asks about, if it does."""
    if row is None:
        open_, switch = key_of("matrix.open", keys), key_of("matrix.enable", keys)
        return Content(f"a provider: {open_} folds it, {switch} switches it on or off")
    if column is None:
        return _of_verdict(snapshot, row, asked, of_model=True) if asked else _of_model(snapshot, row)
    told = _of_cell(snapshot, row, column, changed)
    return told if row.enabled else Content.assemble("switched off  ", told)


def _of_cell(snapshot: Snapshot, row: ResolvedModel, column: Column, changed: frozenset[str]) -> Content:
    if column.task:
        return _of_verdict(snapshot, row, column.task)
    if column.is_price:
        from tui.prices import price_words_of

        return Content(safe_text(price_words_of(row)))
    explanation = explain(row, column.capability) if column.capability else explain_field(row, column.key)
    name = column.key.removeprefix("supports.")
    unsaved = (" unsaved", "$text-warning") if column.key in changed else ""
    return Content.assemble((f"{name} = {safe_text(explanation.said)}", "bold"), unsaved, "  ",
                            (_story(snapshot, explanation), "$foreground-muted"))  # fmt: skip


def _story(snapshot: Snapshot, explanation: Explanation) -> str:
    """Who decided, then the others in few words."""
    said = []
    for word in explanation.words:
        source = place(snapshot, word.spot)
        text = f"{word.layer.value.replace('_', ' ')} {source}" if source else word.layer.value.replace("_", " ")
        if word.layer is Layer.TRANSPORT:
            text = f"transport {word.detail.partition(': ')[2] or word.said}"
        elif not word.decides:
            text += f" {word.said}"
        said.append(("▸ " if word.decides else "") + text)
    if not any(word.spot and word.layer is not Layer.TRANSPORT for word in explanation.words):
        said.append("not in file")
    return safe_text(" · ".join(said))


def _of_model(snapshot: Snapshot, row: ResolvedModel) -> Content:
    off = "" if row.enabled else "switched off  "
    return Content.assemble((safe_text(str(row.ref)), "bold"), f"  {off}passes {passed_tasks(snapshot, row)}")


def _of_verdict(snapshot: Snapshot, row: ResolvedModel, task: str, *, of_model: bool = False) -> Content:
    verdict = snapshot.verdict(row, snapshot.requirements[task])
    reasons = "; ".join(reason.text for reason in verdict.reasons) or "every clause holds"
    name = f"{safe_text(row.ref.model_id)}  " if of_model else ""
    return Content.assemble((f"{name}{safe_text(task)}: {verdict.outcome.value}", "bold"), f"  {safe_text(reasons)}")
