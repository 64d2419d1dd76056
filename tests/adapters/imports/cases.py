"""Small files of other tools, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from adapters.imports.changes import as_change
from adapters.imports.imported import Imported, ImportedModel, ImportedProvider, ImportKind
from adapters.imports.reading import read_import
from model.files import FileSpec
from model.vocabulary import Layer
from model.workbench import Workbench


def imported(kind: str, text: str) -> Imported:
    return read_import(ImportKind(kind), dedent(text).encode(), f"{kind}.file")


def provider(found: Imported, name: str) -> ImportedProvider:
    return next(each for each in found.providers if each.provider_id == name)


def model(found: Imported, ref: str) -> ImportedModel:
    provider_id, _, model_id = ref.partition("/")
    return next(each for each in provider(found, provider_id).models if each.model_id == model_id)


def left(found: Imported) -> dict[str, str]:
    """What was not carried: place → why."""
    return {each.place: each.why for each in found.not_carried}


def written(found: Imported, text: str = "") -> tuple[Any, str]:
    """Data and text of a models.yaml after the import."""
    bench = bench_with(text)
    bench.apply(as_change(found, bench.files[0]))
    doc = bench.files[0].doc
    assert doc is not None
    return doc.data, doc.text


def bench_with(text: str) -> Workbench:
    """A workbench on one file that stands nowhere on disk."""
    from tests.model.samples import open_file_text

    name = "/nowhere/models.yaml"
    bench = Workbench([FileSpec(Path(name), Layer.GLOBAL)])
    if not text:
        bench.begin(name)
    else:
        bench._replace_file(open_file_text(dedent(text), name, Layer.GLOBAL))
    return bench
