"""Each disagreement between the catalog and the public lists, with the reason for our value, as a Markdown report.

`python -m model.catalog.report FOLDER [FILE]` reads litellm*.json and modelsdev*.json in FOLDER and writes FILE
(docs/catalog-disagreements.md). A report for reviewers, never a gate (issue C).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from model.catalog.catalog import Catalog, builtin
from model.catalog.drift import Drift, DriftCode, diff
from model.catalog.rows import CatalogRow
from model.catalog.rules import SNAPSHOT
from model.catalog.snapshot import BadNumber, Snapshot, SnapshotError, Upstream, read_litellm, read_models_dev
from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES, Capability, Support

REPORT = Path("docs/catalog-disagreements.md")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One field of one row, what each list says of it, and why our value is as it is (empty: nobody wrote it down)."""

    row: CatalogRow
    field: str
    ours: str
    theirs: tuple[str, ...]
    reason: str


def differences(catalog: Catalog, snapshots: Sequence[Snapshot]) -> Iterator[Disagreement]:
    """Where our value is another than a list's."""
    drifts = [_by_field(diff(catalog, snapshot)) for snapshot in snapshots]
    for row in catalog.rows:
        fields = dict.fromkeys(field for drift in drifts for model_id, field in drift if model_id == row.model_id)
        for field in fields:
            found = [drift.get((row.model_id, field)) for drift in drifts]
            ours = next(drift.ours for drift in found if drift)
            yield Disagreement(row, field, ours, tuple(drift.theirs if drift else "" for drift in found), _reason(row))


def left_open(catalog: Catalog, snapshots: Sequence[Snapshot]) -> Iterator[Disagreement]:
    """Where we state nothing although the lists do, and contradict each other."""
    for row in catalog.rows:
        upstreams = [snapshot.find(row) for snapshot in snapshots]
        for field, values in _open_fields(row, upstreams):
            if len({value for value in values if value}) > 1:
                yield Disagreement(row, field, "left open", values, _reason(row))


def report(catalog: Catalog, snapshots: Sequence[Snapshot], names: Sequence[str]) -> str:
    """The whole report; `names` say which file each snapshot was."""
    titles = [snapshot.title for snapshot in snapshots]
    return "\n".join(
        [
            "# Where the catalog and the public lists disagree",
            "",
            f"Made by `python -m model.catalog.report` from {' and '.join(names)}.",
            f"{len(catalog.rows)} rows, the latest checked on {catalog.newest}. A help for review, not a gate.",
            "A blank cell: the list agrees or says nothing. LiteLLM counts the input alone; a window that is its input",
            "and output together counts as agreement.",
            "",
            "## Our value differs",
            "",
            *_table(titles, differences(catalog, snapshots)),
            "",
            "## Left open, because the lists contradict each other",
            "",
            *_table(titles, left_open(catalog, snapshots)),
            "",
            "## Not listed by the vendor there",
            "",
            *(f"- {snapshot.title}: {_missing(catalog, snapshot)}" for snapshot in snapshots),
            "",
        ]
    )


def _by_field(drifts: Iterable[Drift]) -> dict[tuple[str, str], Drift]:
    return {(drift.model_id, drift.field): drift for drift in drifts if drift.code is not DriftCode.MISSING_UPSTREAM}


def _reason(row: CatalogRow) -> str:
    return row.note or ("" if row.source.startswith(SNAPSHOT) else f"so the vendor's document: {row.source}")


def _open_fields(row: CatalogRow, upstreams: Sequence[Upstream | None]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if row.context_window_tokens is None:
        yield "context_window_tokens", tuple(_limit(upstream.window if upstream else None) for upstream in upstreams)
    if row.max_output_tokens is None:
        yield "max_output_tokens", tuple(_limit(upstream.output if upstream else None) for upstream in upstreams)
    for capability in CAPABILITIES:
        if row.support(capability) is Support.UNKNOWN:
            yield capability, tuple(_flag(upstream, capability) for upstream in upstreams)


def _limit(value: int | BadNumber | None) -> str:
    return f"{value:,}" if isinstance(value, int) else ""


def _flag(upstream: Upstream | None, capability: Capability) -> str:
    if upstream is None or not (capability in upstream.yes or capability in upstream.no):
        return ""
    return "yes" if capability in upstream.yes else "no"


def _table(titles: Sequence[str], found: Iterable[Disagreement]) -> Iterator[str]:
    yield f"| model | field | ours | {' | '.join(titles)} | why |"
    yield "|---" * (len(titles) + 4) + "|"
    for one in found:
        cells = (f"`{one.row.model_id}`", one.field, one.ours, *one.theirs, one.reason)
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _missing(catalog: Catalog, snapshot: Snapshot) -> str:
    names = [f"`{drift.model_id}`" for drift in diff(catalog, snapshot) if drift.code is DriftCode.MISSING_UPSTREAM]
    return f"{len(names)} of {len(catalog.rows)}: {', '.join(names)}" if names else "none"


def main(arguments: Sequence[str]) -> int:
    """0 written, 2 not possible (as the command line's exit codes)."""
    if len(arguments) not in {1, 2}:
        print("usage: python -m model.catalog.report FOLDER [FILE]", file=sys.stderr)
        return 2
    try:
        files = [_only(Path(arguments[0]), pattern) for pattern in ("litellm*.json", "modelsdev*.json")]
        snapshots = [read_litellm(files[0].read_bytes()), read_models_dev(files[1].read_bytes())]
        target = Path(arguments[1]) if len(arguments) == 2 else REPORT
        target.write_text(report(builtin(), snapshots, [file.name for file in files]), encoding="utf-8")
    except (OSError, SnapshotError) as error:
        print(f"catalog report: {error}", file=sys.stderr)
        return 2
    return 0


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise SnapshotError(f"no {pattern} in {folder}")
    return found[-1]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
