"""The online checks as rows above the findings: one a provider, in the exact words of this moment."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from model.findings import Finding
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from tui.commands import OWN, Keys
from tui.finding_rows import FindingRows
from tui.own_keys import key_of
from tui.safe_text import safe_text
from tui.widgets.grid_view import CellView, ColumnView, Look

if TYPE_CHECKING:
    from adapters.checks import CheckRow

ONLINE = "online"
"""The key of the heading above the checks."""
_CHANGED_SINCE = "changed since it was asked"


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A check at one moment; two that are equal look the same."""

    provider_id: str
    text: str
    url: str
    sign: str
    look: Look


@dataclass(frozen=True, slots=True)
class Checks:
    """All checks of a round at one moment."""

    heading: str
    lines: tuple[CheckLine, ...]
    folded: bool


def checks_at(snapshot: Snapshot, rows: Sequence[CheckRow], now: float, *, folded: bool, keys: Keys = OWN) -> Checks:
    """`now` is a reading of `time.monotonic()`. Without rows a round is only beginning."""
    done = sum(row.result is not None for row in rows)
    heading = f"online: {done} of {len(rows)} done" if rows else "online: asking"
    heading += "" if rows and done == len(rows) else f", {key_of('doctor.cancel', keys)} cancels"
    lines = () if folded else tuple(_line(snapshot, row, now) for row in rows)
    return Checks(heading, lines, folded)


def _line(snapshot: Snapshot, row: CheckRow, now: float) -> CheckLine:
    sign, look = _sign(row)
    return CheckLine(row.provider_id, "  ".join((row.provider_id, *_words(snapshot, row, now))), row.url, sign, look)


def _words(snapshot: Snapshot, row: CheckRow, now: float) -> Iterator[str]:
    """Endpoint, key and models, and whether the file has moved on since."""
    endpoint, auth, models = row.words(snapshot, now)
    yield endpoint
    if auth:
        yield f"auth {auth}"
    if models:
        yield f"models {models}"
    if row.result and not row.result.skipped and not row.result.holds(snapshot):
        yield _CHANGED_SINCE


def _sign(row: CheckRow) -> tuple[str, Look]:
    if row.result is None:
        return "…", Look.MUTED
    if row.result.trouble:
        return "x", Look.ERROR
    return ("·", Look.MUTED) if row.result.skipped else ("✓", Look.YES)


def story(snapshot: Snapshot, row: CheckRow, now: float, *, trustable: bool, keys: Keys = OWN) -> Content:
    """All that is known of one check, under the list."""
    result = row.result
    told = [row.url, *_words(snapshot, row, now)]
    if result is not None:
        said = f"it said: {result.trouble.said}" if result.trouble and result.trouble.said else ""
        told += [result.auth_evidence, said]
    parts: list[tuple[str, str]] = [(f"{safe_text(row.provider_id)}\n", "bold")]
    parts += [(safe_text(text) + "\n", "") for text in told if text]
    if result is not None and result.trouble:
        parts.append((safe_text(result.trouble.mend) + "\n", "$text-accent"))
    if trustable:
        parts.append((f"{key_of('doctor.trust', keys)}: see what would be contacted, and trust it", "bold"))
    if row.discovery is not None:
        parts.append((f"{key_of('doctor.listed', keys)}: the {len(row.discovery.models)} models that it lists", "bold"))
    return Content.assemble(*parts)


@dataclass(frozen=True)
class WithChecks:
    """A `GridSource`: the checks under their heading, then the findings."""

    checks: Checks
    below: FindingRows

    @property
    def columns(self) -> Sequence[ColumnView]:
        return self.below.columns

    @property
    def _above(self) -> int:
        return 1 + len(self.checks.lines)

    def __len__(self) -> int:
        return self._above + len(self.below)

    def check(self, row: int) -> CheckLine | None:
        return self.checks.lines[row - 1] if 0 < row < self._above else None

    def finding(self, row: int) -> Finding | None:
        return None if row < self._above else self.below.finding(row - self._above)

    def is_group(self, row: int) -> bool:
        return row == 0 or (row >= self._above and self.below.is_group(row - self._above))

    def row_key(self, row: int) -> Hashable:
        if row >= self._above:
            return self.below.row_key(row - self._above)
        line = self.check(row)
        return (ONLINE, line.provider_id) if line else ONLINE

    def row_version(self, row: int) -> Hashable:
        return self.below.row_version(row - self._above) if row >= self._above else self.check(row) or self.checks

    def group_text(self, row: int) -> tuple[tuple[str, Look], ...]:
        return self.below.group_text(row - self._above) if row else ((self.checks.heading, Look.TEXT),)

    def folded(self, row: int) -> bool:
        return self.below.folded(row - self._above) if row else self.checks.folded

    def cell(self, row: int, column: int) -> CellView:
        line = self.check(row)
        if line is None:
            return self.below.cell(row - self._above, column) if row else CellView("")
        match column:
            case 0:
                return CellView(line.sign, line.look)
            case 2:
                return CellView(line.text)
            case 3:
                return CellView(line.url, Look.MUTED)
            case _:
                return CellView("")

    def marked(self, row: int) -> bool:
        return False
