"""Lists of models that are not what they should be: a clear error for a file, silence for one bad row."""

from __future__ import annotations

import json

import pytest

from model.catalog import snapshot
from model.catalog.snapshot import SnapshotError, read_litellm, read_models_dev
from model.vocabulary import Capability

LITELLM = {"good-1": {"litellm_provider": "openai", "max_input_tokens": 200000}}
MODELS_DEV = {"openai": {"models": {"good-1": {"limit": {"context": 200000}}}}}


@pytest.mark.parametrize("read", [read_litellm, read_models_dev])
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b'{"good-1": {"litellm_provider": "open', "cut short?"),
        (b'{"good-1": {"litellm_provider": ', "cut short?"),
        (b'{"a": nonsense, "b": 1}', "line 1, column 7"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[1, 2]", "must be a JSON object"),
        (b"{}", "is not a"),
        (b'{"a": 1, "b": [], "c": {"models": 7}}', "is not a"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_refuses_a_file(read: object, data: bytes, says: str) -> None:
    with pytest.raises(SnapshotError, match=says.replace("?", r"\?")):
        read(data)  # type: ignore[operator]  # parametrized as object


def test_refuses_a_huge_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_BYTES", 10)
    with pytest.raises(SnapshotError, match="has 11 bytes, more than the 10"):
        read_litellm(b" " * 11)


def test_tells_one_list_from_the_other() -> None:
    with pytest.raises(SnapshotError, match="is not a LiteLLM list: no entry has a litellm_provider"):
        read_litellm(json.dumps(MODELS_DEV).encode())
    with pytest.raises(SnapshotError, match=r"is not a models\.dev list: no provider has models"):
        read_models_dev(json.dumps(LITELLM).encode())


def test_one_bad_row_takes_nothing_else_down() -> None:
    litellm: dict[str, object] = {"a": None, "b": [1], "c": {"litellm_provider": 7}, **LITELLM}
    assert set(read_litellm(json.dumps(litellm).encode()).rows) == {("openai", "good-1")}
    models_dev: dict[str, object] = {"a": None, "b": {"models": []}, "c": {"models": {"x": 7}}, **MODELS_DEV}
    assert set(read_models_dev(json.dumps(models_dev).encode()).rows) == {("openai", "good-1")}


def test_a_model_of_another_shape_states_nothing() -> None:
    odd = {"limit": 7, "modalities": ["text"], "tool_call": "yes", "status": ["deprecated"]}
    (row,) = read_models_dev(json.dumps({"openai": {"models": {"x": odd}}}).encode()).rows.values()
    assert (row.window, row.output, len(row.yes), len(row.no), row.deprecated) == (None, None, 0, 0, False)


def test_a_modality_that_a_list_leaves_out_is_a_no() -> None:
    model = {"modalities": {"input": ["text", "image", "video"]}}
    (row,) = read_models_dev(json.dumps({"openai": {"models": {"x": model}}}).encode()).rows.values()
    assert set(row.yes) == {Capability.TEXT_INPUT, Capability.IMAGE_INPUT}
    assert set(row.no) == {Capability.AUDIO_INPUT, Capability.FILE_INPUT}
