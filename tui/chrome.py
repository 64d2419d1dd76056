"""The lines around the panes: the header says what is open and what is wrong, the key line what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from model.counts import counts, policy_words
from model.findings import Finding, Severity
from model.snapshot import Snapshot
from model.vocabulary import Layer
from tui.commands import OWN, Command, Keys, Where, commands_of, footer, shown_key
from tui.safe_text import safe_text


class PlainLine(Static):
    """A line whose clickable parts keep their own look: Textual would underline and recolour them all."""

    auto_links = False


class HeaderLine(PlainLine):
    """The line above the panes, as wide as the screen: its size is told when all else has its new size as well."""

    @dataclass
    class Resized(Message):
        """The screen has another size."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


_PANES = (Where.MATRIX, Where.NEED, Where.FALLBACK, Where.DOCTOR)


def files_text(snapshot: Snapshot) -> str:
    """`models.yaml`, and `+project` where a project's file stands over the global one."""
    there = [file for file in snapshot.files if not file.missing] or list(snapshot.files)
    if not there:
        return "no file"
    both = {file.layer for file in there} >= {Layer.PROJECT, Layer.GLOBAL}
    return safe_text(there[-1].path.name) + (" +project" if both else "")


def header_line(
    snapshot: Snapshot,
    findings: Sequence[Finding] | None,
    changes: int,
    pane: Where,
    *,
    target: Layer | None,
    width: int,
    keys: Keys = OWN,
) -> Content:
    """`findings` is None while the doctor is still looking. `changes` are the unsaved ones."""
    parts: list[tuple[str, str]] = [(" capdeck ", "bold"), (f"{files_text(snapshot)}  ", "$foreground-muted")]
    by_id = {command.id: shown_key(command.keys[0]) for command in commands_of(Where.EVERYWHERE, keys)}
    for where in _PANES:
        key = by_id[f"pane.{where.value}"]
        title = f"{key} {where.value}" if width >= 60 else key
        click = f"@click=app.pane('{where.value}')"
        parts.append((f" {title} ", f"reverse {click}" if where is pane else click))
    parts.append(("  ", ""))
    parts += _counts(findings)
    if changes:
        parts.append((f"  *{changes}", "bold $text-warning"))
    parts += _cells(snapshot, width)
    if snapshot.given.usable:
        parts.append(("  usable now", "$text-accent"))
    if target:
        parts.append((f"  → {target.value}", "$text-accent"))
    if any(file.problem and not file.missing and not file.writable for file in snapshot.files):
        parts.append(("  read-only", "bold $text-error"))
    return Content.assemble(*parts)


def _counts(findings: Sequence[Finding] | None) -> list[tuple[str, str]]:
    if findings is None:
        return [("…", "$foreground-muted")]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    return [
        (f"x{errors}", "bold $text-error" if errors else "$foreground-muted"),
        (f" !{warnings}", "$text-warning" if warnings else "$foreground-muted"),
    ]


_ROOM_FOR_CELLS = 100
_ROOM_FOR_WORDS = 150


def _cells(snapshot: Snapshot, width: int) -> list[tuple[str, str]]:
    """Cells that are contradicted or not stated, and how many of them the policy in force decides; a narrow screen
    tells the policy alone, and only the one that is not the default."""
    policy = snapshot.config.policy
    look = "$text-warning" if policy.permissive else "$foreground-muted"
    if width < _ROOM_FOR_CELLS:
        return [("  permissive", look)] if policy.permissive else []
    found = counts(snapshot)
    if width < _ROOM_FOR_WORDS:
        parts = (
            f"  {found.contradicted}! {found.not_stated}?",
            f"  {policy.unknown_capabilities.value} {found.by_policy}",
        )
    else:
        parts = (
            f"  {found.contradicted} contradicted, {found.not_stated} not stated",
            f"  {policy_words(snapshot, found)}",
        )
    return [(parts[0], "$foreground-muted"), (parts[1], look)]


def key_line(pane: Where, width: int, keys: Keys = OWN) -> Content:
    """As many keys of the pane as fit, each to be clicked too; help is always among them."""
    *offered, last = footer(pane, keys)
    parts: list[tuple[str, str]] = []
    used = _key_width(last)
    for command in offered:
        used += _key_width(command)
        if used > width:
            break
        parts += _key_parts(command)
    return Content.assemble(*parts, *_key_parts(last))


def _key_width(command: Command) -> int:
    return len(shown_key(command.keys[0])) + len(command.title) + 3


def _key_parts(command: Command) -> list[tuple[str, str]]:
    click = f"@click=app.command('{command.id}')"
    return [(f" {shown_key(command.keys[0])} ", f"bold $text-accent {click}"), (f"{command.title} ", click)]


def tell_banner(banner: Static, snapshot: Snapshot, rescued: str) -> None:
    """Over the panes, for as long as something is wrong with a whole file, or edits of it that were `rescued` wait."""
    text = safe_text(banner_text(snapshot) or rescued)
    if text == str(banner.content):  # to tell it again would lay the whole screen out again
        return
    banner.set_class(bool(text), "on")
    banner.update(Content(text))


def banner_text(snapshot: Snapshot) -> str:
    """What is wrong with a file as a whole; empty if nothing is."""
    from model.document import DocumentError

    for file in snapshot.files:
        problem = file.problem
        if isinstance(problem, DocumentError):
            place = f":{problem.line}:{problem.column}" if problem.line else ""
            seen = "the last good state is shown" if file.doc else "nothing of it can be shown"
            return f"{file.path}{place}: {problem.reason}. It will not be written; {seen}."
        if file.gone:
            return f"{file.path} is gone from the disk. What you see is its last state; saving writes it again."
        if isinstance(problem, OSError) and not file.missing:
            return f"{file.path}: {problem.strerror or problem}"
    return ""
