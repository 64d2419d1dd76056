"""`capdeck import`: shown first, written after a yes, the source untouched, no key on any screen."""

from __future__ import annotations

import pytest

from tests.tui.cli.conftest import SAMPLE, Desk
from tests.tui.cli.shapes import EDIT, check

KEY = "sk-abcdefghijklmnopqrstuvwxyz0123"
SOURCE = f"""\
model_list:
  - {{model_name: opus, litellm_params: {{model: anthropic/claude-opus-4-7, api_key: os.environ/CAPDECK_TEST_KEY}}}}
  - {{model_name: quick, litellm_params: {{model: groq/llama, api_key: {KEY}, temperature: 0}}}}
"""


@pytest.fixture
def source(desk: Desk) -> str:
    return str(desk.write(SOURCE, "config.yaml"))


def test_diff_shows_and_writes_nothing(desk: Desk, source: str) -> None:
    answer = desk.run("import", "litellm", source, "--diff")
    assert answer.code == 1
    assert "+  - provider_id: groq" in answer.out
    assert "anthropic-main/claude-opus-4-7: is in the file already" in answer.out
    assert "model_list[1].litellm_params.temperature (line 3)" in answer.out
    assert "a key that stands in the file is not carried" in answer.out
    assert KEY not in answer.out + answer.err
    assert desk.file.read_text() == SAMPLE


def test_yes_writes_and_the_source_stays(desk: Desk, source: str) -> None:
    answer = desk.run("import", "litellm", source, "--yes")
    assert answer.code == 0
    text = desk.file.read_text()
    assert text.startswith(SAMPLE)
    assert "provider_id: groq" in text
    assert "auth_ref: env:CAPDECK_TEST_KEY" in text
    assert KEY not in text + answer.out
    assert (desk.home / "config.yaml").read_text() == SOURCE
    again = desk.run("import", "litellm", source, "--yes")
    assert (again.code, desk.file.read_text()) == (0, text)


@pytest.mark.parametrize(("said", "written"), [("y\n", True), ("n\n", False)])
def test_it_asks(desk: Desk, source: str, said: str, written: bool) -> None:
    answer = desk.run("import", "litellm", source, input=said)
    assert answer.code == 0
    assert ("provider_id: groq" in desk.file.read_text()) is written


def test_nobody_answers(desk: Desk, source: str) -> None:
    answer = desk.run("import", "litellm", source, input="")
    assert (answer.code, desk.file.read_text()) == (2, SAMPLE)
    assert "not-confirmed" in answer.err


def test_json_lists_all_of_it(desk: Desk, source: str) -> None:
    assert desk.run("import", "litellm", source, "--json").code == 2
    document = desk.run("import", "litellm", source, "--json", "--diff").json
    check(document, EDIT)
    assert {"place": "model_list[1].litellm_params.temperature", "line": 3,
            "why": "a setting of LiteLLM's requests, not of the model"} in document["not_carried"]  # fmt: skip
    assert document["conflicts"] == [{"ref": "anthropic-main/claude-opus-4-7", "why": "is in the file already"}]


def test_a_first_file_is_begun(bare_desk: Desk) -> None:
    bare_desk.write(SOURCE, "config.yaml")
    assert bare_desk.run("import", "litellm", "config.yaml", "--yes").code == 0
    assert bare_desk.file.read_text().startswith("providers:\n  - provider_id: anthropic\n")


def test_in_project(desk: Desk, source: str) -> None:
    project = desk.write("providers: []\n", "work/.air/shared/models.yaml")
    assert desk.run("import", "litellm", source, "--yes", "--in", "project", "--project", "work").code == 0
    assert "provider_id: groq" in project.read_text()
    assert desk.file.read_text() == SAMPLE


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("litelm", "config.yaml"), "did you mean 'litellm'?"),
        (("crush", "config.yaml"), "config.yaml:1:1: error[import-unusable] is not JSON"),
        (("aichat", "config.yaml"), "it looks like a file of litellm"),
        (("litellm", "absent.yaml"), "No such file"),
        (("litellm", "."), "Is a directory"),
        (("litellm", "config.yaml", "--in", "project"), "no project file is open"),
    ],
)
def test_what_cannot_be_done(desk: Desk, source: str, words: tuple[str, ...], told: str) -> None:
    answer = desk.run("import", *words)
    assert answer.code == 2
    assert told in answer.err
    assert "Traceback" not in answer.err


def test_a_models_yaml_that_is_broken_is_not_touched(desk: Desk, source: str) -> None:
    desk.write("providers: [\n")
    assert desk.run("import", "litellm", source, "--yes").code == 2
    assert desk.file.read_text() == "providers: [\n"
