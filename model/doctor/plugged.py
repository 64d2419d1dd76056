"""The doctor as the user calls it: with the checks of whatever plugins are installed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from model.doctor import examination
from model.doctor.hiding import Hiding
from model.doctor.report import Report
from model.plugin_search import some_installed

if TYPE_CHECKING:
    from model.plugins import Plugins
    from model.snapshot import Snapshot


def examine(snapshot: Snapshot, previous: Report | None = None, *, today: date | None = None) -> Report:
    """As `model.doctor.examine`; what plugins find stands among the rest, under the same ignore entries. A check that
    fails is told as not checked."""
    report = examination.examine(snapshot, previous, today=today)
    if not some_installed():
        return report
    from model.plugins import installed

    return with_plugins(snapshot, report, installed())


def with_plugins(snapshot: Snapshot, report: Report, plugins: Plugins) -> Report:
    found = examination.joined(snapshot, report, plugins.findings(snapshot))
    hiding = Hiding.of(snapshot.files)
    failed = (f"plugin {each.plugin}: {hiding.text(each.text)}" for each in plugins.problems)
    return replace(found, not_checked=(*found.not_checked, *failed))
