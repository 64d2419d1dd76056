"""Text from files and servers is shown, never obeyed."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.safe_text import safe_text


@pytest.mark.parametrize("text", ["", "claude-opus-4-7", "a b~!", "模型", "[/nope] [@click=app.quit]x[/]", "naïve é"])
def test_visible_text_comes_back_as_it_is(text: str) -> None:
    assert safe_text(text) is text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;title\x07b", "a␛]0;title␇b"),
        ("line\r\nbreak\t", "line␍␊break␉"),
        ("nul\x00del\x7f", "nul␀del␡"),
        ("c1\x9b31m", "c1�31m"),
        ("bidi\u202egnp", "bidi�gnp"),
        ("zero\u200bwidth\ufeff", "zero�width�"),
        ("👨\u200d👩", "👨�👩"),
        ("heart❤\ufe0f", "heart❤�"),
        ("filler\u3164\u115f", "filler��"),
        ("line\u2028sep", "line�sep"),
        ("lone \ud800 surrogate", "lone � surrogate"),
        ("private \ue000", "private �"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_shown(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@given(st.text(alphabet=st.characters(), max_size=40))
def test_any_text_ends_up_visible_and_as_long_as_before(text: str) -> None:
    shown = safe_text(text)
    assert len(shown) == len(text)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert safe_text(shown) == shown


@pytest.mark.parametrize(("limit", "shown"), [(0, ""), (1, "…"), (4, "abc…"), (6, "abcdef"), (7, "abcdef")])
def test_a_limit_cuts_and_says_so(limit: int, shown: str) -> None:
    assert safe_text("abcdef", limit=limit) == shown


def test_a_limit_spares_the_work_on_a_huge_text() -> None:
    assert safe_text("\x1b" * 10_000_000, limit=3) == "␛␛…"


def test_it_loads_no_textual() -> None:
    code = "import sys, tui.safe_text; sys.exit('textual' in sys.modules or 'rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
