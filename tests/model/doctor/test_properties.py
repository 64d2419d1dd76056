"""However a file is mangled, the doctor finishes, and looking again only at what changed finds the same."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from model.doctor import examine
from model.document import DocumentError, Put, YamlPath
from model.workbench import Change, Workbench
from tests.examples import examples
from tests.model.doctor.cases import TODAY, bench

TEXT = (Path(__file__).parent / "good" / "everything.yaml").read_text(encoding="utf-8")


def paths(data: Any, path: YamlPath = ()) -> list[YamlPath]:
    """Every place of the data, the root left out."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [] if not path else [path]
    for step, value in inside:
        found += paths(value, (*path, step))
    return found


values = st.sampled_from(
    [
        *(None, True, False, 0, -1, 7, 200_000, 1.5),
        *("", " ", "text", "true", "128k", "execute", "anthropic-main", "frontier", "unsupported", "env:"),
        *("anthropic-main/claude-opus-4-7", "claude-sonnet-4-6", "http://localhost:1", "https://h/v1/v1/"),
        *("sk-ant-api03-abcdefghij0123456789", "\x1b[31m]]>", "é"),
        *([], {}, [1], ["x"], {"a": 1}, [{"model_id": "m"}]),
    ]
)


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return bench(tmp_path_factory.mktemp("doctor") / "models.yaml", TEXT)


@examples(0.5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mangled_files(data: st.DataObject, workbench: Workbench) -> None:
    name, start = workbench.files[0].name, workbench.snapshot
    before = examine(start, today=TODAY)
    try:
        for _ in range(data.draw(st.integers(1, 3))):
            assert workbench.files[0].doc is not None
            path = data.draw(st.sampled_from(paths(workbench.files[0].doc.data)))
            edit = Put(path, data.draw(values))
            with suppress(DocumentError):
                workbench.apply(Change("mangle", {name: (edit,)}))
            again = examine(workbench.snapshot, before, today=TODAY)
            assert again == examine(workbench.snapshot, today=TODAY)
            assert all(workbench.files[0].line_column(finding.spot) for finding in again.findings)
            before = again
    finally:
        while workbench.undo():
            pass
