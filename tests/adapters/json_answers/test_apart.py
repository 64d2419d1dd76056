"""An answer judged in a process of its own: the same verdict, and an end where the schema has none."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from adapters.conversion import JsonAnswer
from adapters.json_answers import JsonOutcome, apart, judge_answer
from adapters.json_answers.apart import TOO_LONG, judge_apart

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
MANY_WAYS = {"properties": {"a": {"pattern": "^(a+)+$"}}}
"""Two to the power of the answer's length."""
MANY_BRANCHES = {
    "$ref": "#/$defs/a0",
    "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(90)} | {"a90": {}},
}


TEXTS = ('{"n": 1}', '```json\n{"n": 1.5, "é\x1b": "\\ud800"}\n```', "so: {}", "none", '{"n": 1' + "0" * 290 + "}", "")
CASES = [
    *((SCHEMA, text) for text in TEXTS),
    (None, TEXTS[0]),
    ({"$ref": "#"}, TEXTS[0]),
    ({"$ref": "#/nowhere"}, "{}"),
]


@pytest.mark.parametrize(("schema", "text"), CASES, ids=str)
async def test_it_says_what_is_said_here(schema: Any, text: str) -> None:
    assert await judge_apart(text, JsonAnswer(schema)) == judge_answer(text, JsonAnswer(schema))


@pytest.mark.parametrize(
    ("schema", "text"),
    [(MANY_WAYS, '{"a": "' + "a" * 60 + '!"}'), (MANY_BRANCHES, "{}")],
    ids=["pattern", "references"],
)
async def test_what_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch, schema: Any, text: str) -> None:
    monkeypatch.setattr(apart, "MOST_SECONDS", 1)
    verdict = await judge_apart(text, JsonAnswer(schema))
    assert (verdict.outcome, verdict.errors) == (JsonOutcome.UNCHECKED, (TOO_LONG,))
    assert not children()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc to see the process")
async def test_cancelling_ends_the_process() -> None:
    task = asyncio.create_task(judge_apart('{"a": "' + "a" * 60 + '!"}', JsonAnswer(MANY_WAYS)))
    while not children():
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not children()


async def test_a_process_that_cannot_start_or_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, why in (("/nowhere", "could not be started"), ("/bin/false", "broke off")):
        monkeypatch.setattr("sys.executable", program)
        verdict = await judge_apart("{}", JsonAnswer(SCHEMA))
        assert verdict.outcome is JsonOutcome.UNCHECKED
        assert why in str(verdict.errors[0])


async def test_no_code_of_the_current_folder_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json.py", "resource.py", "jsonschema.py"):
        (tmp_path / name).write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    assert (await judge_apart('{"n": 1}', JsonAnswer(SCHEMA))).is_valid


def children() -> list[str]:
    """Process ids; empty on systems that do not tell."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    return listed.read_text().split() if listed.exists() else []
