"""Findings in the order in which a reader meets them: file, place, severity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from model.document import YamlPath
from model.findings import Finding, Severity
from model.snapshot import Snapshot

_SEVERITIES = tuple(Severity)


def in_order(snapshot: Snapshot, findings: Iterable[Finding]) -> list[Finding]:
    """By the order of files and of keys in them; lines are not asked for."""
    files = {file.name: (number, _Keys(file.config.data)) for number, file in enumerate(snapshot.files)}

    def key(finding: Finding) -> tuple[object, ...]:
        number, keys = files[finding.spot.file]
        place = keys.position(finding.spot.path)
        return number, place, finding.spot.at or (0, 0), _SEVERITIES.index(finding.severity), finding.code

    return sorted(findings, key=key)


class _Keys:
    """Where in its mapping each key of the data stands; a mapping is counted through once."""

    def __init__(self, data: object) -> None:
        self._data = data
        self._positions: dict[int, Mapping[object, int]] = {}

    def position(self, path: YamlPath) -> tuple[int, ...]:
        value, found = self._data, []
        for step in path:
            if isinstance(value, dict):
                found.append(self._of(value).get(step, len(value)))
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int):
                found.append(step)
                value = value[step] if step < len(value) else None
            else:
                break
        return tuple(found)

    def _of(self, mapping: Mapping[object, object]) -> Mapping[object, int]:
        known = self._positions.get(id(mapping))
        if known is None:
            known = self._positions[id(mapping)] = {key: number for number, key in enumerate(mapping)}
        return known
