"""What plugins may add, and that a broken one is reported and never fatal."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from model.catalog import builtin
from model.doctor import examine, plugged
from model.doctor.plugged import with_plugins
from model.files import FileSpec
from model.plugin_search import any_in
from model.plugins import GROUP, PluginProblem, Plugins, load
from model.tools import NO_TOOLS, FilteredTools, KeptTool, Removal
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.samples import open_text, row

ROOT = Path(__file__).parents[2]


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


def test_whether_there_is_any_is_told_by_the_metadata_alone(tmp_path: Path) -> None:
    for name, text in (("other-1.dist-info", "[console_scripts]\nx = y:z\n"), ("bare-2.dist-info", None)):
        (tmp_path / name).mkdir()
        if text:
            (tmp_path / name / "entry_points.txt").write_text(text)
    assert not any_in([str(tmp_path), str(tmp_path / "no such folder"), __file__])
    (tmp_path / "mine-3.dist-info").mkdir()
    (tmp_path / "mine-3.dist-info" / "entry_points.txt").write_text("[capdeck]\nhouse = house:plugin\n")
    assert any_in([str(tmp_path)])


def test_a_plugin_s_rows_are_in_everybody_s_catalog(tmp_path: Path) -> None:
    """As if it were installed: its metadata and its module on the path."""
    (tmp_path / "house-1.dist-info").mkdir()
    (tmp_path / "house-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: house\nVersion: 1\n")
    (tmp_path / "house-1.dist-info" / "entry_points.txt").write_text(
        "[capdeck]\nhouse = tests.model.plugin_samples:good\n"
    )
    code = (
        "from tests.model.samples import open_text\n"
        "text = 'providers: [{provider_id: a, provider_kind: openai, models: [{model_id: house-model-1}]}]'\n"
        "print(open_text(text).matrix.rows[0].context_window_tokens)"
    )
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "Stated(value=1000, layer=<Layer.CATALOG: 'catalog'>)"


def test_nothing_is_looked_for_until_somebody_asks() -> None:
    code = "import sys, model.workbench, model.judge, model.tools; sys.exit('pluggy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_doctor_speaks_for_plugins_too(tmp_path: Path) -> None:
    """Their findings stand among the rest; a check that fails is told as not checked, and hides no key."""
    path = tmp_path / "models.yaml"
    path.write_text("providers: []\n", encoding="utf-8")
    snapshot = Workbench([FileSpec(path, Layer.GLOBAL)]).snapshot
    loaded = plugins("raising", "good_place", "no_findings")
    found = with_plugins(snapshot, examine(snapshot), loaded)
    assert ("plugin-house-rule", "0 models") in [(each.code, each.message) for each in found.findings]
    assert found.not_checked[-2:] == (
        "plugin raising: SystemExit: I quit",
        "plugin no_findings: TypeError: a check must give findings, not str",
    )


def test_where_no_plugin_is_installed_the_doctor_loads_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugged, "some_installed", lambda: False)
    monkeypatch.setattr("model.plugins.installed", lambda: pytest.fail("looked for plugins"))
    snapshot = open_text("providers: []")
    assert plugged.examine(snapshot).findings == examine(snapshot).findings
