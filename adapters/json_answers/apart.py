"""Judging by a schema of the user's in a process of its own, which is ended when it takes too long.

A regular expression may try more ways than there are seconds, and meanwhile no other thread runs; references to
references may branch without measure. Neither can be told beforehand, nor ended inside a process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from typing import Any

from adapters.conversion.canonical import JsonAnswer, JsonObject
from adapters.json_answers.schema import JsonError
from adapters.json_answers.search import Found
from adapters.json_answers.verdict import JsonOutcome, JsonVerdict, judge_answer
from adapters.limits import MIB

MOST_SECONDS = 10
_MOST_MEMORY = 2048 * MIB
TOO_LONG = JsonError(
    f"the check took longer than {MOST_SECONDS} seconds and was ended: a pattern or a reference of the schema may be"
    " to blame"
)


async def judge_apart(text: str, asked: JsonAnswer) -> JsonVerdict:
    """As `judge_answer`. A task that is cancelled here ends the process, too."""
    if asked.schema is None:
        return await asyncio.to_thread(judge_answer, text, asked)
    question = json.dumps({"text": text, "schema": dict(asked.schema)}).encode()
    try:
        async with asyncio.timeout(MOST_SECONDS):
            return _read(json.loads(await _answer_of_process(question)))
    except TimeoutError:
        return _unchecked(TOO_LONG)
    except OSError as error:
        return _unchecked(JsonError(f"the check could not be started: {error.strerror or type(error).__name__}"))
    except ValueError:
        return _unchecked(JsonError("the check broke off"))


async def _answer_of_process(question: bytes) -> bytes:
    """`-P`: no code of the current folder counts, unless it does here."""
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    words, same = (sys.executable, "-P", "-m", __name__), os.pathsep.join(filter(None, sys.path))
    process = await asyncio.create_subprocess_exec(
        *words, stdin=pipe, stdout=pipe, stderr=nowhere, env={**os.environ, "PYTHONPATH": same}
    )
    try:
        return (await process.communicate(question))[0]
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _unchecked(error: JsonError) -> JsonVerdict:
    return JsonVerdict(JsonOutcome.UNCHECKED, errors=(error,))


# -- what goes through the pipe ---------------------------------------------------------------------------------------
def _written(verdict: JsonVerdict) -> JsonObject:
    errors = [[error.why, error.path, error.clause] for error in verdict.errors]
    return {"outcome": verdict.outcome, "found": verdict.found, "value": verdict.value, "errors": errors}


def _read(written: dict[str, Any]) -> JsonVerdict:
    found, errors = written["found"], written["errors"]
    return JsonVerdict(
        JsonOutcome(written["outcome"]),
        Found(found) if found else None,
        written["value"],
        tuple(JsonError(*error) for error in errors),
    )


# -- in the process ---------------------------------------------------------------------------------------------------
def main() -> None:
    _bound()
    asked = json.load(sys.stdin)
    json.dump(_written(judge_answer(asked["text"], JsonAnswer(asked["schema"]))), sys.stdout)


def _bound() -> None:
    """Where the system can: no seconds beyond those waited for, though nobody is left to wait, and no memory without
    end."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in ((resource.RLIMIT_CPU, MOST_SECONDS + 1), (resource.RLIMIT_AS, _MOST_MEMORY)):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main()
