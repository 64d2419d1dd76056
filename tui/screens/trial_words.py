"""What a trial's screen says before something is sent, and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from tui.attempts_text import problem_lines, taken_lines, verdict_lines, waits_for_lossy
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from adapters.attempts import Conducted
    from model.resolve import ResolvedModel


def heading(row: ResolvedModel) -> Content:
    api = row.model.provider.api.value
    return Content.assemble((" trial ", "bold reverse"), f" {safe_text(str(row.ref))}  ", (api, "$text-muted"))


def before(row: ResolvedModel, *, offline: bool) -> list[str]:
    """What to know before something is sent."""
    where = safe_text(_address(row))
    goes = "Demo: nobody is called, the answer is made up." if offline else f"It goes to {where}."
    lines = ["Nothing is sent before enter. One attempt; no tool is executed.", goes]
    return lines if row.enabled else [*lines, "This model is disabled in the file."]


def _address(row: ResolvedModel) -> str:
    """Where it would go; what may hold a secret stays unsaid."""
    from model.endpoint import EndpointProblem, read_endpoint

    provider = row.model.provider
    endpoint = read_endpoint(provider.effective_base_url, local=provider.local)
    return "an address that cannot be used" if isinstance(endpoint, EndpointProblem) else endpoint.url


def told(conducted: Conducted, cost: str, *, offline: bool, allow_lossy: bool) -> str:
    """What came of it, short: the report has the rest."""
    lines = [*problem_lines(conducted), *verdict_lines(conducted.last)[:1]]
    if waits_for_lossy(conducted, allowed=allow_lossy):
        lines.append("  ^l lets JSON be asked for in words")
    if conducted.attempts[0].reading.completion:
        lines += taken_lines(conducted, cost, offline=offline)
    return "\n".join(lines)
