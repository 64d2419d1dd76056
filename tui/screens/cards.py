"""What the cards say: a capability's layers, a model, a verdict, a comparison. Pure: a snapshot in, lines out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from textual.content import Content

from model.catalog.rows import Retirement
from model.findings import Spot
from model.provenance import Explanation, Word, explain, explain_field, in_words
from model.resolve import ResolvedModel
from model.snapshot import Snapshot
from model.vocabulary import CAPABILITIES, Capability, Support
from tui.columns import Column
from tui.commands import OWN, Keys, Where, commands_of, shown_key
from tui.safe_text import safe_text
from tui.screens.card import Line

_MARKS = {Support.YES: "✓", Support.EMULATED: "~", Support.NO: "·", Support.UNKNOWN: "?"}


def place(snapshot: Snapshot, spot: Spot | None) -> str:
    """`models.yaml:12:7`, or nothing."""
    if spot is None:
        return ""
    file = snapshot.file(spot.file)
    found = file.line_column(spot)
    return f"{file.path.name}:{found[0]}:{found[1]}" if found else file.path.name


def word_lines(snapshot: Snapshot, word: Word) -> list[Line]:
    """One layer's say, and under it where and why; the deciding one stands out by mark and weight."""
    text = f"{'▸' if word.decides else ' '} {word.layer.value.replace('_', ' '):<12} {word.said:<10}"
    spot = place(snapshot, word.spot)
    head = Content.assemble((text, "bold" if word.decides else ""), (f" {safe_text(spot)}", "$foreground-muted"))
    return [head, Content.assemble((f"    {safe_text(word.detail)}", "$foreground-muted"))] if word.detail else [head]


def explanation_lines(snapshot: Snapshot, explanation: Explanation) -> list[Line]:
    lines = [line for word in explanation.words for line in word_lines(snapshot, word)]
    return lines or ["  nobody states it"]


def card_of(
    snapshot: Snapshot, row: ResolvedModel, column: Column | None, *, tasks: bool = True
) -> tuple[str, list[Line]]:
    """The card of a cell: a capability's layers, a verdict's reasons, a field's layers, or on the name the model."""
    if column is None:
        return model_card(snapshot, row, tasks=tasks)
    if column.capability:
        return capability_card(snapshot, row, column.capability)
    if column.task:
        return verdict_card(snapshot, row, column.task)
    if column.is_price:
        return price_card(row)
    explanation = explain_field(row, column.key)
    return safe_text(f"{column.key} of {row.ref} = {explanation.said}"), explanation_lines(snapshot, explanation)


def capability_card(snapshot: Snapshot, row: ResolvedModel, capability: Capability) -> tuple[str, list[Line]]:
    explanation = explain(row, capability)
    policy = snapshot.config.policy
    lines: list[Line] = [*explanation_lines(snapshot, explanation), ""]
    if explanation.value == "unknown":
        meaning = "passes with a warning" if policy.permissive else "fails where it is required"
        lines.append(f"not stated {meaning} (policy.unknown_capabilities: {policy.unknown_capabilities.value})")
    if capability in row.contradicted:
        lines.append("! the layers contradict each other; the nearest one counts")
    asked = [task for task, requirement in snapshot.requirements.items() if capability in requirement.required]
    if asked:
        lines.append(f"required by {', '.join(asked)}")
    return safe_text(f"{capability.value} of {row.ref} = {explanation.said}"), lines


_FACTS = {
    "quality_tier": "quality",
    "cost_tier": "cost",
    "context_window_tokens": "window",
    "max_output_tokens": "output",
}


def _fact_line(snapshot: Snapshot, row: ResolvedModel, name: str) -> Content:
    explanation = explain_field(row, name)
    decider = explanation.decider
    said_by = place(snapshot, decider.spot) if decider else ""
    value = _readable(explanation)
    source = f" {said_by or explanation.decided_by.value}"
    return Content.assemble(f"{_FACTS[name]:<8} {safe_text(value):<10}", (safe_text(source), "$foreground-muted"))


def _first_token_lines(row: ResolvedModel) -> Iterator[Content]:
    """What was observed at the endpoint that the provider has now; nothing where nothing was."""
    from model.latency import latency_of

    if row.observed and (time := latency_of(row)):
        source = safe_text(f" observed at {time.endpoint}: {time.basis}")
        yield Content.assemble(f"first token {time!s:<7}", (source, "$foreground-muted"))


def _readable(explanation: Explanation) -> str:
    return f"{int(explanation.value):,}" if explanation.value.isdigit() else explanation.said


def passed_tasks(snapshot: Snapshot, row: ResolvedModel) -> str:
    """The tasks that a model passes, in words."""
    bit = 1 << snapshot.matrix.by_ref[row.ref]
    return safe_text(", ".join(task for task in snapshot.requirements if snapshot.passing[task].any & bit) or "no task")


def _failures(snapshot: Snapshot, row: ResolvedModel) -> Iterator[str]:
    """The other tasks, those together that fail for the same reasons."""
    tasks: dict[str, list[str]] = {}
    for task, requirement in snapshot.requirements.items():
        verdict = snapshot.verdict(row, requirement)
        if not verdict.passes:
            tasks.setdefault("; ".join(reason.text for reason in verdict.reasons), []).append(task)
    for why, names in tasks.items():
        yield safe_text(f"fails {', '.join(names)}: {why}")


def _retires(retirement: Retirement, today: date) -> str:
    days = retirement.days_left(today)
    when = f"in {days} days" if days > 0 else f"{-days} days ago" if days else "today"
    return f"{'retires' if days > 0 else 'retired'} {retirement.date.isoformat()}, {when}"


def model_card(
    snapshot: Snapshot, row: ResolvedModel, today: date | None = None, *, tasks: bool = True
) -> tuple[str, list[Line]]:
    """`today` stands in for the clock. Without `tasks` where they are told beside it."""
    lines: list[Line] = [*(_fact_line(snapshot, row, name) for name in _FACTS), *_first_token_lines(row), ""]
    if tasks:
        lines += [f"passes {passed_tasks(snapshot, row)}", *_failures(snapshot, row)]
    retirement = row.catalog.row.retirement if row.catalog else None
    if retirement:
        instead = f"; instead: {retirement.replacement}" if retirement.replacement else ""
        lines.append(safe_text(f"{_retires(retirement, today or date.today())}{instead}"))
    if row.catalog and row.catalog.row.note:
        lines.append(safe_text(f"catalog: {row.catalog.row.note}"))
    lines += [f"note: {safe_text(note)}" for note in row.model.notes]
    display_name = row.model.value(lambda each: each.display_name) or ""
    return safe_text(f"{row.ref}  {display_name}".rstrip()), lines


def price_card(row: ResolvedModel) -> tuple[str, list[Line]]:
    from model.prices import MOST_LOW, MOST_MEDIUM
    from tui.prices import price_words_of

    lines: list[Line] = [safe_text(price_words_of(row)), ""]
    lines.append(f"three tokens in for one out: up to {MOST_LOW} USD is low, up to {MOST_MEDIUM} medium, above it high")
    return safe_text(f"price of {row.ref}"), lines


def verdict_card(snapshot: Snapshot, row: ResolvedModel, task: str) -> tuple[str, list[Line]]:
    verdict = snapshot.verdict(row, snapshot.requirements[task])
    lines: list[Line] = [f"{reason}  {safe_text(reason.text)}" for reason in verdict.reasons]
    lines += [f"warning {warning}  {safe_text(warning.text)}" for warning in verdict.warnings]
    if verdict.passes:
        keys = snapshot.ranking_keys(row, snapshot.requirements[task])
        lines += [
            "every clause holds; ranked by",
            *(f"  {name:<22} {_key_text(getattr(keys, name))}" for name in _KEYS),
        ]
    return safe_text(f"{row.ref} for {task}: {verdict.outcome.value}"), lines


_KEYS = ("lossy", "role_default", "preferred", "reaches_preferred_tier", "tier_distance", "cost", "score")


def _key_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.0f}" if isinstance(value, float) else str(value)


def comparison_card(snapshot: Snapshot, rows: Sequence[ResolvedModel]) -> tuple[str, list[Line]]:
    """Differences only."""
    width = max(12, *(len(safe_text(row.ref.model_id)) for row in rows))
    lines: list[Line] = [" " * 24 + "".join(f"{safe_text(row.ref.model_id):<{width + 2}}" for row in rows)]
    table: list[tuple[str, list[str]]] = [
        (name, [_readable(explain_field(row, name)) for row in rows]) for name in _FACTS
    ]
    table += [
        (
            capability.value,
            [f"{_MARKS[row.support(capability)]} {in_words(row.support(capability).value)}" for row in rows],
        )
        for capability in CAPABILITIES
    ]
    table += [
        (task, ["pass" if snapshot.verdict(row, requirement).passes else "fail" for row in rows])
        for task, requirement in snapshot.requirements.items()
    ]
    for name, values in table:
        if len(set(values)) > 1:
            lines.append(f"{safe_text(name):<24}" + "".join(f"{value:<{width + 2}}" for value in values))
    if len(lines) == 1:
        lines.append("no difference")
    return f"{len(rows)} models, differences only", lines


def code_card(code: str) -> tuple[str, list[Line]]:
    """A doctor code: what, why, how to mend, an example."""
    from model.doctor.codes import explain as explain_code

    explanation = explain_code(code)
    if explanation is None:
        return code, ["no text for this code yet"]
    lines: list[Line] = [explanation.why, "", explanation.mend]
    return f"{code}: {explanation.title}", [
        *lines,
        *(["", *explanation.example.splitlines()] if explanation.example else []),
    ]


def help_card(where: Where, chosen: Keys = OWN) -> tuple[str, list[Line]]:
    """The keys of a pane, then those that work everywhere. `chosen` are the user's own."""
    lines: list[Line] = []
    for group in (where, Where.EVERYWHERE, Where.LISTS):
        lines += [Content.assemble((group.value, "bold"))]
        for command in commands_of(group, chosen):
            keys = " ".join(shown_key(key) for key in command.keys)
            lines.append(Content.assemble((f"  {keys:<11} ", "$text-accent"), command.help))
    if where is Where.MATRIX:
        lines += ["", *_LEGEND]
    lines += ["", "Other keys: `capdeck keys` lists what settings.yaml may rebind, and where that file lies."]
    return f"keys in {where.value}", lines


_LEGEND = (
    "/ takes any of these, and what all of them leave is shown:",
    "  tools !image ?json         has it, has it not, nobody states it",
    "  ctx>100k out<=8k quality>=strong cost<=low",
    "  task:execute !task:execute near:execute lossy:debug provider:openai",
    "  changed problem contradicted unstated retiring off, or a part of a name",
    "",
    "✓ yes   ~ emulated   · no   ? not stated   ! sources contradict each other",
    "A value's style says who decided it; the line above the keys says it in words.",
    "Above: x errors, ! warnings, * unsaved; then how many cells are contradicted (!), how many not stated (?),",
    "and how many of those the policy decides.",
)
