"""Rows for the tests: one that keeps every rule, and the text of a catalog file with one row changed."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from model.capability_set import CapabilitySet
from model.catalog import CatalogRow, Vendor
from model.vocabulary import Capability, TokenizerFamily

GOOD = CatalogRow(
    model_id="good-1",
    vendor=Vendor.OPENAI,
    display_name="Good 1",
    aliases=("good-1-20260101",),
    context_window_tokens=200_000,
    max_output_tokens=8_000,
    yes=CapabilitySet.of([Capability.TEXT_INPUT, Capability.TOOL_USE]),
    no=CapabilitySet.of([Capability.IMAGE_OUTPUT]),
    tokenizer_family=TokenizerFamily.O200K_BASE,
    source="https://vendor.example/models/good-1",
    checked=datetime.date(2026, 11, 30),
)


def row(**changes: Any) -> CatalogRow:
    """GOOD with some fields changed."""
    return dataclasses.replace(GOOD, **changes)


FIELDS = {
    "model_id": "good-1",
    "display_name": "Good 1",
    "aliases": "good-1-20260101",
    "context_window_tokens": "200000",
    "max_output_tokens": "8000",
    "yes": "text_input tool_use",
    "no": "image_output",
    "tokenizer_family": "o200k_base",
    "source": "https://vendor.example/models/good-1",
    "checked": "2026-11-30",
}


def text(*rows: dict[str, str | None], vendor: str = "openai") -> str:
    """A catalog file: one row for each dict of changes; None takes a field away."""
    lines = [f"{vendor}:"]
    for changes in rows or ({},):
        fields = {key: value for key, value in (FIELDS | changes).items() if value is not None}
        lines += [
            ("- " if number == 0 else "  ") + f"{key}: {value}" for number, (key, value) in enumerate(fields.items())
        ]
    return "\n".join(lines) + "\n"
