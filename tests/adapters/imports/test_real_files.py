"""The real configurations of the shared data: each comes over, is valid, and leaves no key behind."""

from __future__ import annotations

import hashlib
from pathlib import Path

import jsonschema
import pytest

from adapters.imports.imported import ImportKind
from adapters.imports.reading import read_import
from model.doctor.secrets import keys_in
from model.schema import schema
from tests.adapters.imports.cases import written
from tests.shared_data import shared_path, shared_root

KNOWN = {kind.value for kind in ImportKind}
FILES = sorted(
    path.name for path in (shared_root() / "data" / "configs").glob("*_*.*") if path.name.partition("_")[0] in KNOWN
)
KEYS = ("HPqPsUp9p1qxzTrrWM8M6YI2jKYNxmHT", "AIREDACTED", "sk-REDACTED", "REDACTED@localhost")
"""The keys, and what stands for keys, in those files."""


def test_the_files_of_the_issue_are_there() -> None:
    shared_path("data/configs")
    assert len(FILES) == 14


@pytest.mark.parametrize("name", FILES or ["(none)"])
def test_a_real_file_comes_over(name: str) -> None:
    path: Path = shared_path(f"data/configs/{name}")
    data = path.read_bytes()
    found = read_import(ImportKind(name.partition("_")[0]), data, name)
    made, text = written(found)
    jsonschema.validate(made, schema())
    assert made["providers"]
    assert found.not_carried
    assert all(each.place and each.why for each in found.not_carried)
    told = text + "".join(f"{each.place} {each.why}" for each in found.not_carried)
    assert not keys_in(told)
    assert not [key for key in KEYS if key in told]
    assert hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(data).digest()
    assert not written(found, text)[1].removeprefix(text)  # again: nothing is new
