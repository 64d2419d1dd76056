"""The README tells the truth about keys and settings."""

from __future__ import annotations

from pathlib import Path

from tui.commands import keys_table
from tui.settings_file import parse


def test_the_example_of_settings_can_be_had() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    example = readme.partition("<!-- settings -->\n```yaml\n")[2].partition("```")[0]
    settings = parse(example.encode(), Path("settings.yaml"))
    assert len(settings.keys) == 5
    assert settings.theme
    assert settings.columns
    assert not settings.problems


def test_the_table_of_keys_is_the_table_of_commands() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("<!-- keys -->")[2].partition("<!-- /keys -->")[0].strip()
    assert shown == keys_table(), "python -c 'from tui.commands import keys_table; print(keys_table())' prints it"
