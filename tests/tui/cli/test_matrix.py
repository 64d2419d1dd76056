"""`capdeck matrix` in its five formats."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

from tests.tui.cli.conftest import Desk, Run
from tests.tui.cli.shapes import MATRIX, TOLD_MATRIX, check


def test_text_shows_each_model_under_its_provider(run: Run) -> None:
    answer = run("matrix")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[1] == "anthropic-main  anthropic  key absent"
    assert lines[2].split()[:3] == ["claude-opus-4-7", "frontier", "high"]
    assert "local  ollama  no key needed" in lines
    assert "✓ yes  ~ emulated  · no  ? not stated" in answer.out


def test_json_has_the_promised_keys(run: Run) -> None:
    document = run("matrix", "--json").json
    check(document, MATRIX)
    assert [model["ref"] for model in document["models"]][2] == "local/house:30b"
    assert document["models"][2]["supports"]["tool_use"] == "yes"
    assert document["models"][2]["supports"]["long_context"] == "no"
    assert document["models"][0]["notes"] == ["kept for hard work"]
    assert len(document["models"][0]["supports"]) == 18


def test_provenance_tells_the_layers_with_their_places(run: Run, desk: Desk) -> None:
    document = run("--json", "matrix", "--provenance").json
    check(document, TOLD_MATRIX)
    cell = document["models"][2]["supports"]["tool_use"]
    assert cell["decided_by"] == "global"
    assert cell["layers"][0] | {"detail": None} == {
        "layer": "global", "value": "yes", "file": str(desk.file), "line": 23, "column": 21, "detail": None,
    }  # fmt: skip
    assert document["models"][0]["context_window_tokens"]["decided_by"] == "catalog"


def test_a_task_marks_who_passes_and_why_the_others_do_not(run: Run) -> None:
    out = run("matrix", "--task", "execute").out
    assert [line.split()[-1] for line in out.splitlines()[2:4]] == ["pass", "quality_floor"]
    verdicts = [model["verdict"] for model in run("matrix", "--task", "execute", "--json").json["models"]]
    assert [each["outcome"] for each in verdicts] == ["pass", "fail", "fail"]
    assert verdicts[1]["reasons"][0]["cell"] == {"value": "cheap", "decided_by": "global"}


def test_csv_is_read_back_by_a_csv_reader(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("matrix", "--format", "csv").out)))
    assert rows[2]["model_id"] == "house:30b"
    assert rows[2]["tool_use"] == "yes"
    told = list(csv.DictReader(io.StringIO(run("matrix", "--format", "csv", "--provenance").out)))
    assert told[2]["tool_use_from"] == "global"


def test_csv_keeps_a_formula_as_text(desk: Desk) -> None:
    desk.write("providers:\n- {provider_id: p, provider_kind: ollama, models: [{model_id: '=cmd()'}]}\n")
    assert "'=cmd()" in desk.run("matrix", "--format", "csv").out


def test_markdown_rows_have_as_many_cells_as_headings(desk: Desk) -> None:
    desk.write("providers:\n- {provider_id: p, provider_kind: ollama, models: [{model_id: 'a|b<b>'}]}\n")
    lines = desk.run("matrix", "--format", "md").out.splitlines()
    assert lines[1].startswith("| \\-" if lines[1].startswith("| \\") else "| ---")
    assert "a\\|b&lt;b&gt;" in lines[2]
    assert len(lines[0].split(" | ")) == len(lines[2].split(" | "))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_one_page_that_fetches_and_runs_nothing(desk: Desk) -> None:
    desk.write(
        "providers:\n- {provider_id: p, provider_kind: ollama, models: [{model_id: '<script>alert(1)</script>'}]}\n"
    )
    page = _Tags()
    page.feed(desk.run("matrix", "--format", "html", "--provenance").out)
    assert page.tags.count("table") == 1
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "<script>alert(1)</script>" in page.text


def test_a_path_is_taken_alone(desk: Desk) -> None:
    other = desk.write("providers: [{provider_id: p, provider_kind: ollama, models: [{model_id: m}]}]\n", "other.yml")
    document = desk.run("matrix", other, "--json").json
    assert [file["layer"] for file in document["files"]] == ["file"]
    assert [model["ref"] for model in document["models"]] == ["p/m"]


def test_a_folder_is_a_project_beside_the_global_file(desk: Desk) -> None:
    desk.write(
        "providers: [{provider_id: local, models: [{model_id: 'house:30b', quality_tier: cheap}]}]\n",
        "work/.air/shared/models.yaml",
    )
    document = desk.run("matrix", "work", "--json").json
    assert [file["layer"] for file in document["files"]] == ["project", "global"]
    tiers = {model["ref"]: model["quality_tier"] for model in document["models"]}
    assert tiers["local/house:30b"] == "cheap"


def test_names_are_shown_and_not_obeyed(desk: Desk) -> None:
    desk.write(
        'providers: [{provider_id: p, provider_kind: ollama, models: [{model_id: "a\\e]0;x\\ab[red]\\u202ec"}]}]'
    )
    for format in ("text", "csv", "md", "html", "json"):
        out = desk.run("matrix", "--format", format).out
        assert not {"\x1b", "\x07", "\u202e"} & set(out)
    assert desk.run("matrix", "--json").json["models"][0]["model_id"] == "a\x1b]0;x\x07b[red]\u202ec"
