"""What plugins may add, and that a broken one is reported and never fatal."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from model.catalog import builtin
from model.plugins import GROUP, PluginProblem, Plugins, load
from model.tools import NO_TOOLS, FilteredTools, KeptTool, Removal
from tests.model.samples import open_text, row


def plugins(*names: str) -> Plugins:
    targets = {"missing": "tests.model.no_such_module:x", "gone": "tests.model.plugin_samples:gone"}
    return load(EntryPoint(name, targets.get(name, f"tests.model.plugin_samples:{name}"), GROUP) for name in names)


def test_catalog_rows_are_added() -> None:
    found = plugins("good").catalog(builtin())
    assert found.find("house-model-1")
    assert builtin().find("house-model-1") is None


def test_a_built_in_row_is_never_replaced_and_none_of_a_bad_plugin_s_rows_is_taken() -> None:
    loaded = plugins("replacing", "good")
    found = loaded.catalog(builtin())
    assert found.find("gpt-4o") == builtin().find("gpt-4o")
    assert found.find("house-model-2") is None
    assert found.find("house-model-1")
    assert [(problem.plugin, problem.where) for problem in loaded.problems] == [("replacing", "capdeck_catalog_rows")]
    assert "gpt-4o" in loaded.problems[0].text


def test_checks_see_what_is_open() -> None:
    snapshot = open_text("providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m}]}]")
    assert [finding.message for finding in plugins("good").findings(snapshot)] == ["1 models"]


def test_the_tool_set_may_be_replaced() -> None:
    model = row("supports: {tool_use: true}", provider="{provider_kind: openai}")
    filtered = NO_TOOLS.filter_for(model, ("bash", "read", "screenshot"))
    found = plugins("good").adjust_tool_set(model, filtered)
    assert found.kept == (KeptTool("read"), KeptTool("screenshot", "put in by the plugin good"))
    assert [(tool.name, tool.code, tool.ref) for tool in found.removed] == [("bash", Removal.PLUGIN, model.ref)]


def test_no_answer_leaves_the_tool_set() -> None:
    model = row("supports: {tool_use: true}")
    filtered = NO_TOOLS.filter_for(model, ("bash",))
    assert plugins("good", "nothing").adjust_tool_set(model, filtered) == filtered


@pytest.mark.parametrize("name", ["missing", "gone", "wrong_signature"])
def test_what_cannot_be_loaded_is_reported_and_the_rest_works(name: str) -> None:
    loaded = plugins(name, "good")
    assert [(problem.plugin, problem.where) for problem in loaded.problems] == [(name, "loading")]
    assert loaded.catalog(builtin()).find("house-model-1")


def test_whatever_a_plugin_raises_is_reported_once_and_the_rest_works() -> None:
    loaded = plugins("raising", "good")
    snapshot = open_text("providers: []")
    model = row("supports: {tool_use: true}", provider="{provider_kind: openai}")
    for _ in range(2):
        assert loaded.catalog(builtin()).find("house-model-1")
        assert [finding.message for finding in loaded.findings(snapshot)] == ["0 models"]
        assert loaded.adjust_tool_set(model, FilteredTools((KeptTool("bash"),), ())).names == ()
    assert loaded.problems == [
        PluginProblem("raising", "capdeck_catalog_rows", "RuntimeError: no rows today"),
        PluginProblem("raising", "capdeck_doctor_checks", "SystemExit: I quit"),
        PluginProblem("raising", "capdeck_adjust_tool_set", "the answer must be a list of tool names"),
    ]


def test_nothing_is_looked_for_until_somebody_asks() -> None:
    code = "import sys, model.workbench, model.judge, model.tools; sys.exit('pluggy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0
