"""The README's pictures show what the app shows."""

from __future__ import annotations

import pytest

from tests.screenshots import FOLDER, PICTURES, picture


@pytest.mark.parametrize("name", PICTURES)
async def test_picture_is_true(name: str) -> None:
    stored = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    same = await picture(PICTURES[name]) == stored  # no comparison by pytest: it takes seconds over a picture
    assert same, "python -m tests.screenshots makes them again; look at them"


def test_the_readme_shows_each_picture() -> None:
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    assert all(f"screenshots/{name}.svg" in readme for name in PICTURES)
