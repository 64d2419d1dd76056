"""Plugins as somebody else might write them, good and bad; `test_plugins` loads them as entry points."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace

from model.capability_set import CapabilitySet
from model.catalog.rows import CatalogRow, Vendor
from model.findings import Finding, Severity, Spot
from model.plugins import hookimpl
from model.snapshot import Snapshot
from model.vocabulary import Capability, TokenizerFamily


def catalog_row(model_id: str, window: int = 1_000, output: int = 100) -> CatalogRow:
    yes = CapabilitySet.of((Capability.TOOL_USE, Capability.STREAMING))
    no = CapabilitySet.of((Capability.IMAGE_INPUT,))
    return CatalogRow(
        model_id, Vendor.META, model_id, (), window, output, yes, no, TokenizerFamily.LLAMA3,
        "snapshot: a plugin", datetime.date(2026, 1, 1),
    )  # fmt: skip


class Good:
    @hookimpl
    def capdeck_catalog_rows(self) -> Iterable[CatalogRow]:
        return [catalog_row("house-model-1")]

    @hookimpl
    def capdeck_doctor_checks(self) -> Iterable[Callable[[Snapshot], Iterable[Finding]]]:
        return [lambda snapshot: [_finding(f"{len(snapshot.matrix.rows)} models")]]

    @hookimpl
    def capdeck_adjust_tool_set(self, api: str, kept: tuple[str, ...], removed: tuple[str, ...]) -> list[str] | None:
        if api != "openai-completions":
            return None
        return [*(name for name in kept if name != "bash"), *removed]


def _finding(message: str) -> Finding:
    return Finding("config-house-rule", Severity.INFO, Spot("models.yaml"), message)


class Replacing:
    """Tries to replace a built-in row."""

    @hookimpl
    def capdeck_catalog_rows(self) -> Iterator[CatalogRow]:
        yield catalog_row("house-model-2")
        yield catalog_row("gpt-4o")


class Raising:
    @hookimpl
    def capdeck_catalog_rows(self) -> Iterable[CatalogRow]:
        raise RuntimeError("no rows today")

    @hookimpl
    def capdeck_doctor_checks(self) -> Iterable[Callable[[Snapshot], Iterable[Finding]]]:
        def check(_: Snapshot) -> Iterable[Finding]:
            raise SystemExit("I quit")

        return [check]

    @hookimpl
    def capdeck_adjust_tool_set(self) -> str:
        return "bash"


class GoodPlace:
    @hookimpl
    def capdeck_doctor_checks(self) -> Iterable[Callable[[Snapshot], Iterable[Finding]]]:
        def check(snapshot: Snapshot) -> Iterable[Finding]:
            message = f"{len(snapshot.matrix.rows)} models"
            yield Finding("plugin-house-rule", Severity.INFO, Spot(snapshot.files[0].name), message)

        return [check]


class NoFindings:
    @hookimpl
    def capdeck_doctor_checks(self) -> Iterable[Callable[[Snapshot], Iterable[str]]]:
        return [lambda _: ["not a finding"]]


class WrongSignature:
    @hookimpl
    def capdeck_adjust_tool_set(self, nonsense: int) -> None: ...


good, replacing, raising, wrong_signature = Good(), Replacing(), Raising(), WrongSignature()
good_place, no_findings = GoodPlace(), NoFindings()
nothing = SimpleNamespace()
