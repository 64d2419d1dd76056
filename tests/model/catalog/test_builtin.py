"""The catalog that capdeck ships."""

from __future__ import annotations

import datetime
import subprocess
import sys

import pytest

from model.catalog import MatchedAs, builtin
from model.vocabulary import Capability, Support


def test_is_read_once() -> None:
    assert builtin() is builtin()


COMMON = (
    "claude-opus-4-7 claude-sonnet-4-6 claude-haiku-4-5 gpt-5.2 gpt-4o gpt-4.1 gemini-2.5-pro gemini-2.5-flash "
    "deepseek-chat mistral-large-latest grok-4 qwen3:30b llama3.2 gpt-oss:20b"
)


@pytest.mark.parametrize("model_id", COMMON.split())
def test_knows_the_common_names(model_id: str) -> None:
    assert builtin().find(model_id) is not None


def test_knows_the_spellings_of_the_hosts() -> None:
    spellings = ["anthropic/claude-opus-4.7", "us.anthropic.claude-opus-4-7", "claude-opus-4-7@default"]
    for spelling in spellings:
        match = builtin().require(spelling)
        assert (match.row.model_id, match.matched_as) == ("claude-opus-4-7", MatchedAs.ALIAS)


def test_flags_say_what_the_model_does() -> None:
    claude = builtin().require("claude-opus-4-7").row
    assert claude.support(Capability.COMPUTER_USE) is Support.YES
    assert claude.support(Capability.IMAGE_OUTPUT) is Support.NO


def test_long_context_is_left_to_the_window() -> None:
    for row in builtin().rows:
        assert row.support(Capability.LONG_CONTEXT) is Support.UNKNOWN or row.context_window_tokens is None


def test_no_row_was_checked_in_the_future() -> None:
    assert builtin().newest <= datetime.date.today()


def test_stays_light() -> None:
    code = "import sys, model.catalog; print(sorted({'pydantic', 'ruamel', 'httpx', 'textual'} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"
