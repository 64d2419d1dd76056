"""`capdeck catalog`, `tools`, `schema`, `completion`, and the options that every command takes."""

from __future__ import annotations

import json

import jsonschema
import pytest

from model.files import FileSpec, open_file
from model.schema import schema
from model.vocabulary import Layer
from tests.tui.cli.conftest import SAMPLE, Desk, Run
from tests.tui.cli.shapes import FLAG, MAYBE_TEXT, SUPPORT, TEXT, check, document, record, rows, table
from tui.cli.demo import SAMPLE as DEMO

CATALOG = document(
    catalog=rows(
        record(model_id=TEXT, vendor=TEXT, supports=table(SUPPORT), source=TEXT, checked=TEXT, retires=MAYBE_TEXT)
    )
)
TOOLS = document(tools=rows(record(ref=TEXT, tool=TEXT, kept=FLAG, why=TEXT)))


def test_catalog_list_and_show(run: Run) -> None:
    out = run("catalog", "list", "--vendor", "anthropic").out
    assert "claude-opus-4-7" in out
    assert "gpt-5.1" not in out
    document = run("catalog", "show", "claude-opus-4-7", "--json").json
    check(document, CATALOG)
    assert document["catalog"][0]["supports"]["tool_use"] == "yes"
    assert "tool_use               yes" in run("catalog", "show", "claude-opus-4-7").out


def test_catalog_knows_what_was_meant(run: Run) -> None:
    assert "did you mean 'claude-opus-4-7'?" in run("catalog", "show", "claude-opus-47").err
    assert "it has: anthropic" in run("catalog", "list", "--vendor", "antropic").err


def test_catalog_diff_tells_differences_by_exit_code(desk: Desk) -> None:
    snapshot = {
        "claude-opus-4-7": {"litellm_provider": "anthropic", "max_input_tokens": 12345, "max_output_tokens": 128000}
    }
    desk.write(json.dumps(snapshot), "prices.json")
    answer = desk.run("catalog", "diff", "--litellm", "prices.json", "--mine", "--json")
    assert answer.code == 1
    drift = [each for each in answer.json["catalog"] if each["code"] == "CONTEXT_MISMATCH"]
    assert [(each["model_id"], each["theirs"]) for each in drift] == [("claude-opus-4-7", "12,345")]
    desk.write("{", "prices.json")
    broken = desk.run("catalog", "diff", "--litellm", "prices.json")
    assert broken.code == 2
    assert "prices.json: error[snapshot-unusable]" in broken.err
    assert desk.run("catalog", "diff").code == 2
    assert desk.run("catalog", "diff", "--models-dev", "nowhere.json").code == 2


def test_tools_tell_what_is_removed_and_why(run: Run) -> None:
    assert "screenshot  removed" in run("tools", "local/house:30b").out
    answer = run("tools", "--json")
    check(answer.json, TOOLS)
    removed = {(each["ref"], each["tool"]) for each in answer.json["tools"] if not each["kept"]}
    assert ("local/house:30b", "screenshot") in removed
    assert ("anthropic-main/claude-opus-4-7", "screenshot") not in removed


def test_the_schema_is_one_and_takes_what_capdeck_takes(run: Run) -> None:
    import yaml

    made = json.loads(run("schema").out)
    jsonschema.Draft7Validator.check_schema(made)
    for text in (SAMPLE, "", "x-mine: [1]\n", "policy: {long_context_tokens: 1000}\n", "providers:\n"):
        jsonschema.validate(yaml.safe_load(text) or {}, made)


FAULTS = [
    "providers: {}",
    "providers: [{provider_kind: openai}]",
    "providers: [{provider_id: 'a b'}]",
    "providers: [{provider_id: a, provider_kind: opnai}]",
    "providers: [{provider_id: a, models: [{model_id: 17}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, quality_tier: best}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, supports: {tool_use: 'true'}}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, supports: {tools: true}}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, context_window_tokens: 0}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, scores: {coding: 101}}]}]",
    "providers: [{provider_id: a, models: [{model_id: m, notes: text}]}]",
    "requirements: {execute: {required: [tool_use]}}",
    "policy: {unknown_capabilities: open}",
    "tools: [{produces_images: true}]",
    "nonsense: 1",
]


@pytest.mark.parametrize("text", FAULTS)
def test_the_schema_refuses_what_the_doctor_finds(text: str) -> None:
    import yaml

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), schema())


def test_the_demo_breaks_the_schema_in_its_one_planted_place() -> None:
    validator = jsonschema.Draft7Validator(schema())
    data = open_file(FileSpec(DEMO, Layer.FILE)).config.data
    errors = list(validator.iter_errors(data))
    assert [list(error.absolute_path) for error in errors] == [["providers", 3, "models", 1, "supports", "image_input"]]


def test_every_key_of_the_schema_is_described() -> None:
    def keys(shape: object) -> list[object]:
        if isinstance(shape, dict):
            own = list(shape.get("properties", {}).values())
            return own + [each for value in shape.values() for each in keys(value)]
        return [each for value in shape for each in keys(value)] if isinstance(shape, list) else []

    described = [shape["description"] for shape in keys(schema()) if isinstance(shape, dict)]
    assert len(described) > 100
    assert all(described)


def test_the_modeline_names_the_schema(run: Run) -> None:
    assert run("schema", "--modeline").out == "# yaml-language-server: $schema=models.schema.json\n"
    assert run("schema", "--modeline", "https://x/s.json").out == "# yaml-language-server: $schema=https://x/s.json\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    assert "_CAPDECK_COMPLETE" in run("completion", shell).out


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("capdeck mat", "matrix"),
        ("capdeck select exe", "execute"),
        ("capdeck select execute --require too", "tool_use"),
        ("capdeck explain local/", "local/house:30b"),
        ("capdeck explain auth-env", "auth-env-unset"),
        ("capdeck set local", "local"),
        ("capdeck set local/house:30b supports.thi", "supports.thinking"),
        ("capdeck doctor --ignore config-quoted", "config-quoted-boolean"),
        ("capdeck catalog sh", "show"),
        ("capdeck catalog show claude-opus-4-7", "claude-opus-4-7"),
    ],
)
def test_the_shell_completes(desk: Desk, monkeypatch: pytest.MonkeyPatch, line: str, word: str) -> None:
    monkeypatch.setenv("_CAPDECK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert f"plain,{word}" in desk.run().out.splitlines()


def test_common_options_stand_before_or_after_the_command(desk: Desk) -> None:
    other = desk.write("providers: [{provider_id: p, provider_kind: ollama, models: [{model_id: m}]}]\n", "other.yml")
    for words in (("--global", other, "--json", "matrix"), ("matrix", "--json", "--global", other)):
        assert [each["ref"] for each in desk.run(*words).json["models"]] == ["p/m"]
    words = ("--global", desk.file, "matrix", "--json", "--global", other)
    assert [each["ref"] for each in desk.run(*words).json["models"]] == ["p/m"]


def test_no_global_and_no_project(desk: Desk) -> None:
    answer = desk.run("matrix", "--no-global", "--no-project")
    assert answer.code == 2
    assert "both files were left out" in answer.err


def test_capdeck_global_in_the_environment(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    other = desk.write("providers: [{provider_id: p, provider_kind: ollama, models: [{model_id: m}]}]\n", "other.yml")
    monkeypatch.setenv("CAPDECK_GLOBAL", str(other))
    assert [each["ref"] for each in desk.run("matrix", "--json").json["models"]] == ["p/m"]
    monkeypatch.setenv("CAPDECK_GLOBAL", "")
    assert len(desk.run("matrix", "--json").json["models"]) == 3


def test_help_names_every_command_and_the_exit_codes(run: Run) -> None:
    from tui.cli.table import COMMANDS

    out = run("--help").out
    assert all(f"\n  {name} " in out for name in COMMANDS)
    assert "2 not done" in out


def test_no_output_to_a_pipe_is_coloured(run: Run) -> None:
    assert "\x1b" not in run("matrix").out + run("select", "execute").out + run("doctor").out
