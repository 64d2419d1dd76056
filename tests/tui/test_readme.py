"""The README tells the truth about keys."""

from __future__ import annotations

from pathlib import Path

from tui.commands import keys_table


def test_the_table_of_keys_is_the_table_of_commands() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("<!-- keys -->")[2].partition("<!-- /keys -->")[0].strip()
    assert shown == keys_table(), "python -c 'from tui.commands import keys_table; print(keys_table())' prints it"
