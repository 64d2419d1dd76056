"""What probes and endpoints showed is told by the commands, and adopted by one."""

from __future__ import annotations

from datetime import date

import pytest

from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.model_ref import ModelRef
from model.resolve import Observed
from model.session_observations import Observation
from model.session_place import store_path
from model.sessions import SessionStore
from model.vocabulary import Capability
from tests.tui.cli.conftest import Desk

HOUSE = "local/house:30b"


@pytest.fixture
def seen(desk: Desk) -> Desk:
    flags = Flags(CapabilitySet.of((Capability.THINKING,)), CapabilitySet.of((Capability.TOOL_USE,)))
    observed = Observed(flags, 8192, None, "http://127.0.0.1:11434", date(2026, 11, 1))
    SessionStore(store_path([])).observe([Observation(ModelRef.parse(HOUSE), observed)])
    return desk


def test_it_is_told_beside(seen: Desk) -> None:
    answer = seen.run("explain", HOUSE, "tool_use")
    assert "= yes   decided by global" in answer.out
    assert "observed" in answer.out
    assert "http://127.0.0.1:11434, 2026-11-01; shown beside, not adopted" in answer.out
    assert "8192" in seen.run("explain", HOUSE, "context_window_tokens").out
    assert "✓!" in seen.run("matrix").out


def test_adopting_is_one_command(seen: Desk) -> None:
    assert seen.run("set", HOUSE, "supports.tool_use", "observed").code == 0
    assert seen.run("set", HOUSE, "context_window_tokens", "observed").code == 0
    assert "tool_use: false" in seen.file.read_text()
    assert "context_window_tokens: 8192" in seen.file.read_text()


def test_nothing_seen_nothing_adopted(desk: Desk) -> None:
    answer = desk.run("set", HOUSE, "supports.tool_use", "observed")
    assert answer.code == 2
    assert "was never observed" in answer.err


def test_the_matrix_counts_and_names_the_policy(seen: Desk) -> None:
    told = seen.run("matrix").out
    assert "cells on which sources disagree" in told
    assert "policy closed decides" in told
    counts = seen.run("matrix", "--json").json["counts"]
    assert counts["contradicted"] >= 1
    assert counts["policy"]["unknown_capabilities"] == "closed"
    assert "fails where a task requires it (policy.unknown_capabilities: closed)" in seen.run("explain", HOUSE).out
    assert "fails where a task requires it" in seen.run("explain", HOUSE, "structured_output").out
