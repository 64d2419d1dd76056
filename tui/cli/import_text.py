"""What an import says beside its diff: what comes, what the file has already, and what could not be carried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tui.safe_text import safe_text

if TYPE_CHECKING:
    from adapters.imports.changes import Plan
    from adapters.imports.imported import Imported, NotCarried

_SHOWN = 3
"""Places of one reason that are named; --json has them all."""


def report_lines(imported: Imported, planned: Plan) -> Iterator[str]:
    providers, models, chains = planned.added
    yield f"{safe_text(imported.name)}, to add: {providers} providers, {models} models, {chains} fallback chains"
    if planned.conflicts:
        yield f"kept as they are here ({len(planned.conflicts)}):"
        yield from _by_reason(planned.conflicts)
    if imported.not_carried:
        yield f"not carried, or not as it stood ({len(imported.not_carried)}):"
        yield from _by_reason(imported.not_carried)


def _by_reason(found: Iterable[NotCarried]) -> Iterator[str]:
    reasons: dict[str, list[NotCarried]] = {}
    for each in found:
        reasons.setdefault(each.why, []).append(each)
    for why, places in reasons.items():
        named = ", ".join(_place(each) for each in places[:_SHOWN])
        more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
        yield f"  {safe_text(named)}{more}: {safe_text(why)}"


def _place(each: NotCarried) -> str:
    return f"{each.place} (line {each.line})" if each.line else each.place
