"""Issue A, "Bad input": one clear error with its place, exit 2 (for doctor a finding and exit 1 where the file could be
read); never a traceback, a hang or a changed file."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.shared_data import shared_path
from tests.tui.cli.conftest import Desk
from tests.tui.cli.shapes import DOCTOR, ERROR, check
from tui.cli.demo import SAMPLE


def _alias_bomb() -> bytes:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    return "\n".join(lines).encode()


UNREADABLE_AS_CONFIG = {
    "binary": bytes(range(256)) * 8,
    "not UTF-8": "providers: [ü]\n".encode("latin-1"),
    "UTF-16": "providers: []\n".encode("utf-16"),
    "not YAML": b"providers:\n  - {provider_id: a\n  models: ]\n",
    "tab": b"providers:\n\t- provider_id: a\n",
    "alias bomb": _alias_bomb(),
    "depth 10,000": b"[" * 10_000,
    "a list at the top": b"- provider_id: a\n- provider_id: b\n",
    "a scalar at the top": b"hello\n",
}
EMPTY = {"empty": b"", "only comments": b"# nothing\n\n# yet\n", "only a null": b"---\n"}
COMMANDS = (
    ("matrix",), ("select", "execute"), ("explain", "a/b"), ("set", "a/b", "quality_tier", "strong"),
    ("unset", "a/b", "quality_tier"), ("remove", "a/b"), ("rename", "a/b", "c"), ("tools",),
)  # fmt: skip


def _is_one_clear_error(desk: Desk, path: Path, words: tuple[str, ...], *, placed: bool = True) -> None:
    before = path.read_bytes() if path.is_file() and os.access(path, os.R_OK) else None
    answer = desk.run("--global", path, "--no-project", *words, "--json")
    assert answer.code == 2
    check(answer.json, ERROR)
    assert answer.err.count("error[") == 1
    assert "Traceback" not in answer.err
    if placed:
        error = answer.json["error"]
        assert error["file"] == str(path)
        assert answer.err.startswith(f"{path}:{error['line']}:{error['column']}: error[{error['code']}] ")
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("kind", [*UNREADABLE_AS_CONFIG, *EMPTY])
def test_every_command_says_what_is_wrong_and_where(bare_desk: Desk, kind: str, words: tuple[str, ...]) -> None:
    path = bare_desk.write({**UNREADABLE_AS_CONFIG, **EMPTY}[kind], "models.yaml")
    _is_one_clear_error(bare_desk, path, words)


@pytest.mark.parametrize("words", [("matrix",), ("add", "a/b", "--kind", "ollama")], ids=lambda words: words[0])
def test_fifty_megabytes_are_refused_unread(bare_desk: Desk, words: tuple[str, ...]) -> None:
    path = bare_desk.write(b"", "models.yaml")
    os.truncate(path, 50 * 1024 * 1024)
    _is_one_clear_error(bare_desk, path, words)


@pytest.mark.parametrize("kind", UNREADABLE_AS_CONFIG)
def test_the_doctor_tells_it_as_a_finding(bare_desk: Desk, kind: str) -> None:
    path = bare_desk.write(UNREADABLE_AS_CONFIG[kind], "models.yaml")
    answer = bare_desk.run("doctor", path, "--json")
    assert answer.code == 1
    check(answer.json, DOCTOR)
    assert "error" in {each["severity"] for each in answer.json["findings"]}
    assert all(each["line"] for each in answer.json["findings"] if each["severity"] == "error")


def test_a_tag_of_another_program_runs_nothing(bare_desk: Desk, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    path = bare_desk.write(f"providers: !!python/object/apply:os.mkdir ['{mark}']\n", "models.yaml")
    for words in (("matrix", path), ("doctor", path)):
        answer = bare_desk.run(*words)
        assert "Traceback" not in answer.err
    assert not mark.exists()


def test_a_missing_file_that_was_named(bare_desk: Desk) -> None:
    for words in (("matrix", "nope.yaml"), ("doctor", "nope.yaml"), ("--global", "nope.yaml", "select", "execute")):
        answer = bare_desk.run(*words, "--json")
        assert (answer.code, answer.json["error"]["code"]) == (2, "config-missing")
        assert answer.err.startswith("nope.yaml: error[config-missing]")


def test_no_file_at_all_says_how_to_get_one(bare_desk: Desk) -> None:
    for command in (("matrix",), ("doctor",), ("select", "main"), ("set", "a/b", "enabled", "true")):
        answer = bare_desk.run(*command)
        assert answer.code == 2
        assert str(bare_desk.file) in answer.err
        assert "capdeck demo shows one" in answer.err


def test_a_file_that_lies_right_here_is_named(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    bare_desk.write("providers: []\n", "here/models.yaml")
    monkeypatch.chdir(bare_desk.home / "here")
    answer = bare_desk.run("select", "main")
    assert answer.code == 2
    assert "--project models.yaml takes it" in answer.err


def test_a_directory_where_a_file_should_be(bare_desk: Desk) -> None:
    folder = bare_desk.home / "folder"
    folder.mkdir()
    for words in (("matrix",), ("doctor",), ("add", "a", "--kind", "ollama")):
        answer = bare_desk.run("--no-project", "--global", folder, *words)
        assert answer.code == 2
        assert answer.err.startswith(f"{folder}:1:1: error[config-unreadable]")


def test_an_unreadable_file(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bare_desk.write(b"providers: []\n", "models.yaml")

    def refuse(name: object, *_: object) -> object:
        raise PermissionError(13, "Permission denied", str(name))

    monkeypatch.setattr("model.document.source.open", refuse, raising=False)
    for words in (("matrix", path), ("doctor", path)):
        answer = bare_desk.run(*words)
        assert answer.code == 2
        assert answer.err.startswith(f"{path}:1:1: error[config-unreadable] cannot be read: Permission denied")


def test_one_readable_file_of_two_is_enough_for_the_doctor(desk: Desk) -> None:
    desk.write(b"providers: [\n", "work/.air/shared/models.yaml")
    assert desk.run("doctor", "work").code == 1
    assert desk.run("matrix", "work").code == 2


def test_one_bad_row_takes_nothing_else_down(desk: Desk) -> None:
    desk.write(desk.file.read_text() + "  - 17\n  - provider_id: {}\n    models: nonsense\n")
    document = desk.run("matrix", "--json").json
    assert len(document["models"]) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("matrix", "--formt", "json"), "No such option"),
        (("select",), "Missing argument 'TASK'"),
        (("catalog",), "Missing command"),
        (("catalog", "lst"), "Did you mean 'list'?"),
        (("select", "execute", "--format", "csv"), "is not one of 'text', 'json'"),
        (("--format", "csv", "select", "execute"), "select has no format csv"),
        (("explain", "nonsense/x"), "no open file has a model"),
    ],
)
def test_bad_usage_is_exit_2(desk: Desk, words: tuple[str, ...], told: str) -> None:
    answer = desk.run(*words)
    assert answer.code == 2
    assert told in answer.err
    assert answer.out == ""


def test_bad_usage_with_json_is_a_document_too(desk: Desk) -> None:
    for words in (("--json", "select"), ("select", "--format", "json"), ("select", "--nope", "--json")):
        answer = desk.run(*words)
        check(answer.json, ERROR)
        assert answer.json["error"]["code"] == "usage"


def test_other_programs_configs_are_read_or_refused_and_never_changed(bare_desk: Desk) -> None:
    for source in sorted(shared_path("data/configs").iterdir()):
        before = source.read_bytes()
        for words in (("matrix",), ("doctor",)):
            answer = bare_desk.run(*words, source)
            assert answer.code in {0, 1, 2}
            assert "error[internal]" not in answer.err
            assert (answer.code == 2) == bool(answer.err)
        assert source.read_bytes() == before


PIECES = (
    "true", "null", "[]", "{}", "- ", "&a ", "*a", "<<: *a", "!!python/object:os.system ", "|\n", '"', "'", ": ", "#",
    "\t", "1e400", "-1", "9" * 30, "\u202e", "\x1b[31m", "\x00", "? ", "---\n", "%YAML 1.1\n", ".inf", "\r", "[", "}",
)  # fmt: skip
ANY_COMMAND = (
    ("matrix", "--json", "--provenance"), ("doctor",), ("doctor", "--fix", "--yes"), ("select", "debug", "--json"),
    ("set", "local/gpt-oss:20b", "supports.tool_use", "false"), ("unset", "openai/gpt-5.1", "quality_tier"),
    ("remove", "lab"), ("rename", "openai", "oai"), ("add", "openai/gpt-5.2"), ("tools",),
)  # fmt: skip


def test_a_damaged_file_never_meets_a_mistake_of_ours(bare_desk: Desk) -> None:
    """The demo's sample with pieces put in, taken out and replaced, under every command; the same each time."""
    chance = random.Random(7)
    sample = SAMPLE.read_text()
    for _ in range(120):
        text = sample
        for _ in range(chance.choice((1, 2, 5))):
            start = chance.randrange(len(text))
            text = text[:start] + chance.choice(PIECES) + text[start + chance.choice((0, 1, 12)) :]
        path = bare_desk.write(text)
        words = chance.choice(ANY_COMMAND)
        answer = bare_desk.run(*words)
        assert answer.code in {0, 1, 2}
        assert "error[internal]" not in answer.err
        assert answer.code != 2 or path.read_bytes() == text.encode()
