"""Every code is explained, and none is explained that nobody uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import model.config
import model.doctor
import model.fallback
import model.files
from model.doctor.codes import CODES, Explanation, explain
from model.document import YamlDoc
from model.findings import Family

SOURCES = [
    *Path(str(model.doctor.__file__)).parent.glob("*.py"),
    *(Path(str(model.doctor.__file__)).parent / "checks").glob("*.py"),
    *(Path(str(model.config.__file__)).parent).glob("*.py"),
    Path(str(model.files.__file__)),
    Path(str(model.fallback.__file__)).parent / "findings.py",
]
FAMILIES = "|".join(Family)
USED = {
    code
    for source in SOURCES
    for code in re.findall(rf'"((?:{FAMILIES})-[a-z-]+)"', source.read_text(encoding="utf-8"))
}


def test_codes_that_are_used_and_codes_that_are_explained_are_the_same() -> None:
    assert set(CODES) == USED


@pytest.mark.parametrize("code", sorted(CODES))
def test_an_explanation_is_whole(code: str) -> None:
    told = explain(code)
    assert isinstance(told, Explanation)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", code)
    assert Family(code.partition("-")[0])
    assert not told.title.endswith(".")
    assert told.why.endswith(".")
    assert told.mend.endswith(".")
    if code != "config-not-yaml":
        YamlDoc.parse(told.example.encode())


def test_nothing_is_explained_for_a_code_that_does_not_exist() -> None:
    assert explain("auth-unheard-of") is None
