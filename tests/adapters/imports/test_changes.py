"""An import as an edit: what the file has stays, the rest comes behind it, and a second time nothing is left to do."""

from __future__ import annotations

import pytest

from adapters.imports.changes import as_change, plan
from model.editing import CannotEdit
from tests.adapters.imports.cases import bench_with, imported, written

SOURCE = """\
model_list:
  - {model_name: a, litellm_params: {model: openai/gpt-a, api_key: os.environ/OPENAI_API_KEY}}
  - {model_name: b, litellm_params: {model: openai/gpt-b, api_key: os.environ/OPENAI_API_KEY, rpm: 5}}
  - {model_name: c, litellm_params: {model: groq/c, api_key: os.environ/GROQ_API_KEY}}
litellm_settings: {fallbacks: [{a: [b]}, {b: [c]}]}
"""
FILE = """\
# mine
providers:
  - provider_id: work   # the account of the company
    provider_kind: openai
    auth_ref: env:OPENAI_API_KEY
    models:
      - model_id: gpt-a
        quality_tier: strong
  - provider_id: groq
    provider_kind: openai_compatible
    base_url: https://other.example/v1
    auth_ref: env:OTHER
    models: []
fallbacks:
  - {model: work/gpt-a, chain: [work/gpt-z]}
"""


def test_the_files_own_names_and_words_stay() -> None:
    found = imported("litellm", SOURCE)
    data, text = written(found, FILE)
    work, other, new = data["providers"]
    assert [each["model_id"] for each in work["models"]] == ["gpt-a", "gpt-b"]
    assert work["models"][0] == {"model_id": "gpt-a", "quality_tier": "strong"}
    assert work["models"][1]["limits"] == {"requests_per_minute": 5}
    assert (other["models"], new["provider_id"]) == ([], "groq-2")
    assert data["fallbacks"][1] == {"model": "work/gpt-b", "chain": ["groq-2/c"]}
    assert all(line in text.splitlines() for line in FILE.splitlines())


def test_conflicts_are_listed() -> None:
    planned = plan(imported("litellm", SOURCE), bench_with(FILE).files[0])
    assert [(each.place, each.why) for each in planned.conflicts] == [
        ("work/gpt-a", "is in the file already"),
        ("work/gpt-a", "has a chain in the file already"),
    ]
    assert planned.added == (1, 2, 1)


def test_a_second_time_changes_nothing() -> None:
    found = imported("litellm", SOURCE)
    bench = bench_with(FILE)
    bench.apply(as_change(found, bench.files[0]))
    assert as_change(found, bench.files[0]).edits == {}


def test_one_undo_takes_all_of_it_back() -> None:
    bench = bench_with(FILE)
    bench.apply(as_change(imported("litellm", SOURCE), bench.files[0]))
    assert bench.undo() == "import litellm litellm.file"
    assert not bench.changed_files


@pytest.mark.parametrize(
    "text", ["providers:\n", "providers: []\n", "policy: {allow_higher_tier: false}\n", "# only\n"]
)
def test_a_file_without_providers_gets_them(text: str) -> None:
    data, _ = written(imported("litellm", SOURCE), text)
    assert [each["provider_id"] for each in data["providers"]] == ["openai", "groq"]


def test_providers_that_are_no_list_are_left_alone() -> None:
    with pytest.raises(CannotEdit, match="no list"):
        written(imported("litellm", SOURCE), "providers: {a: 1}\n")


def test_two_accounts_of_one_vendor_stay_two() -> None:
    entry = "  - litellm_params: {{model: openai/m, api_key: os.environ/{}}}\n"
    found = imported("litellm", "model_list:\n" + entry.format("A") + entry.format("B"))
    data, _ = written(found, "providers:\n  - {provider_id: mine, provider_kind: openai}\n")
    assert [(each["provider_id"], len(each["models"])) for each in data["providers"]] == [("mine", 1), ("openai-2", 1)]
