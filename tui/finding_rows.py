"""The doctor's findings as rows of a grid: errors, warnings, infos, each under its heading."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field

from model.findings import Finding, Severity, breadcrumb
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.snapshot import Snapshot
from tui.widgets.grid_view import CellView, ColumnView, Look

LOOKS = {Severity.ERROR: Look.ERROR, Severity.WARNING: Look.WARNING, Severity.INFO: Look.MUTED}
SIGNS = {Severity.ERROR: "x", Severity.WARNING: "!", Severity.INFO: "i"}


def finding_key(finding: Finding) -> tuple[object, ...]:
    """The same finding before and after an edit elsewhere."""
    return (finding.code, finding.spot.file, finding.spot.path, finding.spot.on_key, finding.message)


def place_of(snapshot: Snapshot, finding: Finding) -> str:
    """`models.yaml:12:7`"""
    file = snapshot.file(finding.spot.file)
    found = file.line_column(finding.spot)
    return f"{file.path.name}:{found[0]}:{found[1]}" if found else file.path.name


@dataclass(frozen=True)
class FindingRows:
    """A `GridSource`. `rows` holds findings, and a Severity where a group begins."""

    snapshot: Snapshot
    rows: tuple[Finding | Severity, ...]
    counts: dict[Severity, int]
    folds: frozenset[Hashable]
    edition: int
    """Another number for each snapshot: places move with every edit and are looked up only for what is drawn."""
    columns: Sequence[ColumnView] = field(default=())

    def __len__(self) -> int:
        return len(self.rows)

    def is_group(self, row: int) -> bool:
        return isinstance(self.rows[row], Severity)

    def row_key(self, row: int) -> Hashable:
        entry = self.rows[row]
        return entry if isinstance(entry, Severity) else finding_key(entry)

    def row_version(self, row: int) -> Hashable:
        entry = self.rows[row]
        if isinstance(entry, Severity):
            return self.group_text(row)
        return (entry, self.edition)

    def group_text(self, row: int) -> tuple[tuple[str, Look], ...]:
        severity = self.rows[row]
        assert isinstance(severity, Severity)
        count = self.counts[severity]
        return ((f"{count} {severity.value}{'' if count == 1 else 's'}", LOOKS[severity]),)

    def folded(self, row: int) -> bool:
        return self.rows[row] in self.folds

    def cell(self, row: int, column: int) -> CellView:
        finding = self.rows[row]
        if isinstance(finding, Severity):
            return CellView("")
        match column:
            case 0:
                return CellView(SIGNS[finding.severity], LOOKS[finding.severity])
            case 1:
                return CellView("f" if finding.fix else "")
            case 2:
                return CellView(finding.message)
            case 3:
                return CellView(place_of(self.snapshot, finding), Look.MUTED)
            case 4:
                return CellView(finding.code, Look.MUTED)
            case _:
                return CellView(breadcrumb(finding.spot.path), Look.MUTED)

    def marked(self, row: int) -> bool:
        return False

    def finding(self, row: int) -> Finding | None:
        entry = self.rows[row] if row < len(self.rows) else None
        return entry if isinstance(entry, Finding) else None


def finding_rows(
    snapshot: Snapshot, findings: Sequence[Finding], folds: frozenset[Hashable], edition: int, width: int
) -> FindingRows:
    """`width` is that of the pane, in cells: the message takes what the signs leave."""
    rows: list[Finding | Severity] = []
    counts = {severity: sum(finding.severity is severity for finding in findings) for severity in Severity}
    for severity in Severity:
        if counts[severity]:
            rows.append(severity)
            rows += [] if severity in folds else [each for each in findings if each.severity is severity]
    columns = (
        ColumnView("severity", "", 1, frozen=True),
        ColumnView("fix", "", 1, frozen=True),
        ColumnView("message", "finding", max(20, width - 8)),
        ColumnView("place", "place", 24),
        ColumnView("code", "code", 26),
        ColumnView("path", "path", 40),
    )
    return FindingRows(snapshot, tuple(rows), counts, folds, edition, columns)


def refs_with_findings(snapshot: Snapshot, findings: Sequence[Finding]) -> frozenset[ModelRef]:
    """The models that a finding speaks of."""
    spots = {(finding.spot.file, finding.spot.path[:4]) for finding in findings if len(finding.spot.path) >= 4}
    return frozenset(
        row.ref for row in snapshot.matrix.rows for each in row.model.layers if (each.file, each.row.path) in spots
    )
