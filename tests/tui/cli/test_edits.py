"""`capdeck set`, `unset`, `add`, `remove`, `rename`: one edit, and not a byte beside it."""

from __future__ import annotations

import difflib

import pytest

from tests.tui.cli.conftest import SAMPLE, Desk
from tests.tui.cli.shapes import EDIT, check

OPUS = "anthropic-main/claude-opus-4-7"
HOUSE = "local/house:30b"


def changed_lines(desk: Desk, before: str = SAMPLE) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), desk.file.read_text().splitlines())
    return [line for line in lines if line[0] in "+-"]


def test_set_changes_one_line_and_says_which(desk: Desk) -> None:
    answer = desk.run("set", HOUSE, "supports.tool_use", "false")
    assert answer.code == 0
    assert answer.out == f"{desk.file}:23  providers[1].models[0].supports.tool_use: true → false\n"
    assert changed_lines(desk) == ["-           tool_use: true", "+           tool_use: false"]


def test_set_inserts_a_field_that_is_not_there(desk: Desk) -> None:
    desk.run("set", HOUSE, "max_output_tokens", "8k")
    assert changed_lines(desk) == ["+         max_output_tokens: 8000"]


def test_set_keeps_the_comment_of_the_line(desk: Desk) -> None:
    desk.run("rename", "anthropic-main/claude-haiku-4-5", "claude-haiku-5-5")
    assert "      - model_id: claude-haiku-5-5   # quick" in desk.file.read_text().splitlines()


def test_diff_shows_and_writes_nothing(desk: Desk) -> None:
    answer = desk.run("set", HOUSE, "supports.tool_use", "false", "--diff")
    assert answer.code == 1
    assert "+          tool_use: false" in answer.out
    assert desk.file.read_text() == SAMPLE
    assert desk.run("set", HOUSE, "supports.tool_use", "true", "--diff").code == 0


def test_what_is_so_already_is_no_change(desk: Desk) -> None:
    answer = desk.run("set", HOUSE, "supports.tool_use", "true")
    assert (answer.code, answer.out) == (0, "nothing to change: the file says so already\n")
    assert desk.file.read_text() == SAMPLE


def test_json_tells_what_changed(desk: Desk) -> None:
    document = desk.run("set", HOUSE, "supports.tool_use", "false", "--json").json
    check(document, EDIT)
    assert document["changed"] == [
        {"file": str(desk.file), "path": "providers[1].models[0].supports.tool_use", "before": True, "after": False}
    ]
    assert document["diff"].startswith("--- ")


def test_unset_takes_the_line_out(desk: Desk) -> None:
    assert desk.run("unset", HOUSE, "supports.json_mode").code == 0
    assert changed_lines(desk) == ["-           json_mode: false"]


def test_a_provider_has_fields_too(desk: Desk) -> None:
    desk.run("set", "local", "base_url", "http://127.0.0.1:9999")
    assert changed_lines(desk) == ["+     base_url: http://127.0.0.1:9999"]
    desk.run("unset", "local", "base_url")
    assert desk.file.read_text() == SAMPLE


def test_in_project_writes_the_project_file(desk: Desk) -> None:
    project = desk.write("providers: []\n", "work/.air/shared/models.yaml")
    assert desk.run("set", OPUS, "quality_tier", "strong", "--in", "project", "--project", "work").code == 0
    assert "quality_tier: strong" in project.read_text()
    assert desk.file.read_text() == SAMPLE


def test_a_value_that_a_nearer_file_hides_is_told(desk: Desk) -> None:
    desk.write(
        "providers: [{provider_id: local, models: [{model_id: 'house:30b', quality_tier: cheap}]}]\n",
        "work/.air/shared/models.yaml",
    )
    answer = desk.run("set", HOUSE, "quality_tier", "frontier", "--in", "global", "--project", "work")
    assert "hidden: work/.air/shared/models.yaml states quality_tier too" in answer.out
    assert "quality_tier: frontier" in desk.file.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((HOUSE, "suports.tool_use", "true"), "did you mean 'supports.tool_use'?"),
        ((HOUSE, "tool_use", "true"), "did you mean 'supports.tool_use'?"),
        ((HOUSE, "quality_tier", "best"), "one of: frontier, strong"),
        ((HOUSE, "context_window_tokens", "-5"), "context_window_tokens"),
        ((HOUSE, "model_id", "other"), "use capdeck rename"),
        (("local/house", "quality_tier", "strong"), "did you mean 'local/house:30b'?"),
        (("locale", "local", "true"), "did you mean 'local'?"),
        ((HOUSE, "quality_tier", "strong", "--in", "project"), "no project file is open"),
    ],
)
def test_what_cannot_be_set_says_why_and_leaves_the_file(desk: Desk, words: tuple[str, ...], told: str) -> None:
    ref, field, value, *options = words
    answer = desk.run("set", *options, "--", ref, field, value)
    assert answer.code == 2
    assert told in answer.err
    assert desk.file.read_text() == SAMPLE


def test_a_key_never_gets_into_the_file(desk: Desk) -> None:
    key = "sk-live-abcdefghijklmnop"
    for words in (("set", "anthropic-main", "auth_ref", key), ("add", "new", "--kind", "openai", "--auth-ref", key)):
        answer = desk.run(*words)
        assert answer.code == 2
        assert "keys do not belong in the file" in answer.err
        assert "abcdef" not in answer.out + answer.err
    assert desk.file.read_text() == SAMPLE


def test_add_fills_a_model_in_from_the_catalog(desk: Desk) -> None:
    answer = desk.run("add", "anthropic-main/claude-sonnet-4-6")
    assert answer.code == 0
    assert "providers[0].models[2] added" in answer.out
    shape = desk.run("matrix", "--json").json["models"][2]
    assert (shape["ref"], shape["display_name"]) == ("anthropic-main/claude-sonnet-4-6", "Claude Sonnet 4.6")
    told = desk.run("explain", "anthropic-main/claude-sonnet-4-6", "tool_use", "--json").json
    assert told["decided_by"] == "global"


def test_add_says_what_the_catalog_cannot_tell(desk: Desk) -> None:
    assert "the catalog does not know it" in desk.run("add", "local/mystery").out


def test_add_begins_a_file_where_there_is_none(bare_desk: Desk) -> None:
    answer = bare_desk.run("add", "a/claude-opus-4-7", "--kind", "anthropic")
    assert answer.code == 0
    assert bare_desk.file.read_text().startswith("providers:\n")
    assert bare_desk.run("matrix", "--json").json["models"][0]["ref"] == "a/claude-opus-4-7"


def test_add_with_diff_begins_no_file(bare_desk: Desk) -> None:
    answer = bare_desk.run("add", "a", "--kind", "anthropic", "--diff")
    assert answer.code == 1
    assert "+  - provider_id: a" in answer.out
    assert not bare_desk.file.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("new/model",), "add --kind: anthropic"),
        (("new", "--kind", "openai_compatible"), "add --base-url URL"),
        (("new", "--kind", "antropic"), "did you mean 'anthropic'?"),
        ((OPUS,), "is already in this file"),
        (("bad id/x", "--kind", "ollama"), "is no provider_id"),
    ],
)
def test_what_cannot_be_added_says_why(desk: Desk, words: tuple[str, ...], told: str) -> None:
    answer = desk.run("add", *words)
    assert answer.code == 2
    assert told in answer.err


def test_remove_takes_an_entry_out(desk: Desk) -> None:
    assert desk.run("remove", "local").code == 0
    assert desk.file.read_text() == SAMPLE[: SAMPLE.index("  - provider_id: local")]


@pytest.mark.parametrize("flags", [(), ("--diff",)])
@pytest.mark.parametrize("entry", ["local", HOUSE])
def test_remove_says_what_still_names_it(desk: Desk, entry: str, flags: tuple[str, ...]) -> None:
    chains = (
        f"fallbacks:\n  - {{model: {OPUS}, chain: [{HOUSE}]}}\nrequirements:\n  main: {{exclude_models: [{HOUSE}]}}\n"
    )
    desk.write(SAMPLE + chains)
    answer = desk.run("remove", entry, *flags)
    assert "still named: models.yaml: fallbacks[0].chain[0]\n" in answer.err
    assert "still named: models.yaml: requirements.main.exclude_models[0]\n" in answer.err
    assert "still named" not in answer.out


def test_rename_follows_every_mention(desk: Desk) -> None:
    chains = (
        f"fallbacks:\n  - {{model: {OPUS}, chain: [{HOUSE}]}}\nrequirements:\n  main: {{exclude_models: [{HOUSE}]}}\n"
    )
    desk.write(SAMPLE + chains)
    assert desk.run("rename", "local", "desk").code == 0
    assert desk.run("rename", OPUS, "claude-opus-5").code == 0
    text = desk.file.read_text()
    assert "chain: [desk/house:30b]" in text
    assert "exclude_models: [desk/house:30b]" in text
    assert "model: anthropic-main/claude-opus-5" in text


def test_rename_goes_through_both_files(desk: Desk) -> None:
    project = desk.write(
        "providers: [{provider_id: local, models: [{model_id: 'house:30b', quality_tier: cheap}]}]\n",
        "work/.air/shared/models.yaml",
    )
    assert desk.run("rename", HOUSE, "house:31b", "--project", "work").code == 0
    assert "house:31b" in project.read_text()
    assert "house:31b" in desk.file.read_text()


def test_a_file_with_crlf_and_bom_keeps_both(desk: Desk) -> None:
    desk.write(b"\xef\xbb\xbf" + SAMPLE.replace("\n", "\r\n").encode())
    desk.run("set", HOUSE, "quality_tier", "cheap")
    data = desk.file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# mine\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_an_edit_that_cannot_be_faithful_is_refused_with_its_file(desk: Desk) -> None:
    text = "x-base: &b {tool_use: true}\n" + SAMPLE.replace("supports:\n          tool_use: true\n", "supports: *b\n")
    text = text.replace("          json_mode: false\n", "")
    desk.write(text)
    answer = desk.run("set", HOUSE, "supports.tool_use", "false")
    assert answer.code == 2
    assert answer.err.startswith(f"{desk.file}: error[edit-refused] providers[1].models[0].supports.tool_use")
    assert "edit the value at the anchor" in answer.err
    assert desk.file.read_text() == text


def test_a_file_that_changed_meanwhile_is_left_as_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from model.workbench import Workbench

    apply = Workbench.apply

    def apply_while_another_writes(self: Workbench, *rest: object) -> object:
        desk.file.write_text("providers: []\n")
        return apply(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Workbench, "apply", apply_while_another_writes)
    answer = desk.run("set", HOUSE, "supports.tool_use", "false")
    assert answer.code == 2
    assert "error[file-changed]" in answer.err
    assert desk.file.read_text() == "providers: []\n"
