"""The header counts what is contradicted and not stated, and names the policy that decides the latter."""

from __future__ import annotations

import pytest

from tests.model.samples import open_text
from tui.chrome import header_line
from tui.commands import Where

TEXT = """\
providers:
  - provider_id: a
    provider_kind: anthropic
    models: [{model_id: claude-opus-4-5, supports: {thinking: false}}, {model_id: none-such}]
policy: {unknown_capabilities: %s}
"""


def header(width: int, policy: str = "closed") -> str:
    return header_line(open_text(TEXT % policy), (), 0, Where.MATRIX, target=None, width=width).plain


def test_in_words_where_there_is_room() -> None:
    assert "1 contradicted, " in header(160)
    assert "policy closed decides " in header(160)
    assert "policy permissive decides " in header(160, "permissive")


def test_in_signs_on_a_smaller_screen() -> None:
    assert "  1! " in header(120)
    assert "  closed " in header(120)


@pytest.mark.parametrize(("policy", "told"), [("closed", False), ("permissive", True)])
def test_a_narrow_screen_tells_what_is_not_the_default(policy: str, told: bool) -> None:
    assert ("permissive" in header(80, policy)) is told
    assert "closed" not in header(80)
