"""Files, surroundings and reports for the doctor's tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from adapters.secrets import CredentialResolver
from model.doctor import Report, examine
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.samples import Distrust

TODAY = date(2026, 11, 30)
ENVIRONMENT = {"ANTHROPIC_API_KEY": "x" * 20, "OPENAI_API_KEY": "y" * 20, "K": "z" * 20, "EMPTY": ""}

SEED = """\
providers:
  - provider_id: anthropic-main
    provider_kind: anthropic
    display_name: Anthropic
    auth_ref: env:ANTHROPIC_API_KEY
    enabled: true
    models:
      - model_id: claude-opus-4-7
        quality_tier: frontier
        cost_tier: high
        default_use:
          architecture: true
          execute: true
          review: true
      - model_id: claude-sonnet-4-6
        quality_tier: strong
        cost_tier: medium
        default_use:
          main: true
          debug: true
          compact: true
"""
"""The example of seed 000 §9."""


def surroundings(environment: Mapping[str, str] = ENVIRONMENT, untrusted: frozenset[str] = frozenset()) -> Surroundings:
    return Surroundings(CredentialResolver(environment, home=Path("/nowhere")), Distrust(untrusted))


def bench(path: Path, text: str | bytes, layer: Layer = Layer.GLOBAL, **around: Mapping[str, str]) -> Workbench:
    """A workbench on one file with this text."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return Workbench([FileSpec(path, layer)], surroundings(*around.values()))


def report(workbench: Workbench) -> Report:
    return examine(workbench.snapshot, today=TODAY)


def codes(found: Report) -> list[str]:
    return [finding.code for finding in found.findings]


def places(workbench: Workbench, found: Report) -> list[str]:
    """`line:column code` of each finding, in order."""
    shown = []
    for finding in found.findings:
        line, column = workbench.snapshot.file(finding.spot.file).line_column(finding.spot) or (0, 0)
        shown.append(f"{line}:{column} {finding.code}")
    return shown
