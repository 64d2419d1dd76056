"""One changed cell is one changed line, whatever the file looks like (issue A, result 3)."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.document import DocumentError, Set, YamlDoc
from model.files import FileSpec
from model.targets import change_field
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.shared_data import shared_path, shared_root

SEED = """\
providers:
  - provider_id: anthropic-main
    provider_kind: anthropic
    display_name: Anthropic
    auth_ref: env:ANTHROPIC_API_KEY
    enabled: true
    models:
      - model_id: claude-opus-4-7
        quality_tier: frontier   # the best there is
        cost_tier: high
        default_use:
          architecture: true
          execute: true
"""
FORMS = {
    "lf": lambda data: data,
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "bom": lambda data: b"\xef\xbb\xbf" + data,
    "no final newline": lambda data: data.rstrip(b"\n"),
}
CONFIGS = sorted((shared_root() / "data/configs").glob("*.y*ml")) or [Path("data/configs/missing.yaml")]


def changed_lines(before: bytes, after: bytes) -> list[int]:
    old, new = before.split(b"\n"), after.split(b"\n")
    assert len(old) == len(new)
    return [number for number, (one, two) in enumerate(zip(old, new, strict=True)) if one != two]


@pytest.mark.parametrize("form", FORMS)
def test_one_cell_of_the_seeds_sample(tmp_path: Path, form: str) -> None:
    path = tmp_path / "models.yaml"
    before = FORMS[form](SEED.encode())
    path.write_bytes(before)
    bench = Workbench([FileSpec(path, Layer.FILE)])
    bench.apply(change_field(bench.snapshot, [bench.snapshot.matrix.rows[0].ref], "quality_tier", "strong"))
    bench.save()
    after = path.read_bytes()
    assert changed_lines(before, after) == [8]
    assert b"quality_tier: strong   # the best there is" in after


@pytest.mark.parametrize("form", FORMS)
def test_cells_of_generated_files(tmp_path: Path, form: str) -> None:
    generator = shared_path("bench/gen_models.py")
    path = tmp_path / "models.yaml"
    subprocess.run([sys.executable, str(generator), "40", str(path)], check=True, stdout=subprocess.DEVNULL)
    before = FORMS[form](path.read_bytes())
    path.write_bytes(before)
    for number in random.Random(1).sample(range(40), 8):
        path.write_bytes(before)
        bench = Workbench([FileSpec(path, Layer.FILE)])
        bench.apply(change_field(bench.snapshot, [bench.snapshot.matrix.rows[number].ref], "cost_tier", "free"))
        bench.save()
        assert len(changed_lines(before, path.read_bytes())) <= 1


def scalars(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Paths of short texts and numbers."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from scalars(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from scalars(value, (*path, index))
    elif isinstance(data, int | str) and "\n" not in str(data):
        yield path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.name)
def test_one_scalar_of_each_real_config(config: Path, form: str) -> None:
    before = FORMS[form](shared_path(f"data/configs/{config.name}").read_bytes())
    doc = YamlDoc.parse(before)
    paths = sorted(scalars(doc.data), key=str)
    assert paths
    for path in random.Random(2).sample(paths, min(4, len(paths))):
        place = doc.place(path)
        assert place is not None
        spans_lines = "\n" in doc.text[place.start : place.end]
        try:
            after = doc.apply(Set(path, "changed")).to_bytes()
        except DocumentError as refused:
            assert "anchor" in str(refused) or "alias" in str(refused) or "merge" in str(refused), refused  # noqa: PT017
            continue
        if not spans_lines:
            assert len(changed_lines(before, after)) == 1, path
