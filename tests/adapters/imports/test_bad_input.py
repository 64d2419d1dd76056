"""Files that are broken, huge, of another shape, hostile: one clear message, or the bad part listed and no more."""

from __future__ import annotations

import pytest

from adapters.imports.imported import ImportKind, ImportRefused
from adapters.imports.reading import read_import
from tests.adapters.imports.cases import imported, left, model, provider, written


@pytest.mark.parametrize(
    ("kind", "text", "message", "help"),
    [
        ("litellm", "model_list: [\n", "", ""),
        ("litellm", "a: 1\n", "model_list is not there", ""),
        ("litellm", "model_list: {a: 1}\n", "is a mapping, not a list", ""),
        ("litellm", "clients: [{type: openai}]\n", "model_list is not there", "a file of aichat"),
        ("litellm", "providers: []\n", "model_list is not there", "open it with capdeck FILE"),
        ("litellm", "- a\n", "found a list", ""),
        ("litellm", "", "found nothing", ""),
        ("litellm", "model_list: []\n", "holds nothing of litellm", ""),
        ("litellm", "model_list: [7]\n", "holds nothing of litellm", "model_list[0]: must be a mapping"),
        ("crush", '{"providers": {}, }', "is not JSON", "comments and commas"),
        ("crush", '{"providers": {"a": ', "is not JSON", "is the file cut short?"),
        ("opencode", '{"provider": {"a": {', "is not JSON with comments", "is the file cut short?"),
        ("opencode", '{"provider": 1 1}', "is not JSON with comments", ""),
        ("opencode", "[" * 5000, "nested too deeply", ""),
        ("openrouter", "[" * 200_000, "nested too deeply", ""),
        ("ollama", '{"models": "many"}', "is text, not a list", ""),
    ],
)
def test_a_file_that_cannot_be_read(kind: str, text: str, message: str, help: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        imported(kind, text)
    assert message in str(caught.value)
    assert help in caught.value.help


def test_where_it_stops_being_readable() -> None:
    with pytest.raises(ImportRefused) as caught:
        imported("opencode", '{\n  // c\n  "provider": {"a": sk-abcdefghijklmnopqrst}\n}')
    assert (caught.value.line, caught.value.column) == (3, 21)
    assert "sk-" not in str(caught.value) + caught.value.help
    with pytest.raises(ImportRefused) as caught:
        imported("litellm", "model_list:\n  - a: [1\n")
    assert caught.value.line == 3


def test_bytes_that_are_no_text_and_too_many() -> None:
    with pytest.raises(ImportRefused, match="not UTF-8"):
        read_import(ImportKind.CRUSH, b'{"providers": "\xff"}', "x")
    with pytest.raises(ImportRefused, match="more than"):
        read_import(ImportKind.OPENCODE, b" " * (32 * 2**20 + 1), "x")


def test_duplicates_are_told_and_the_first_model_counts() -> None:
    found = imported(
        "aichat",
        """\
        clients:
          - {type: openai, models: [{name: m, max_input_tokens: 1}, {name: m, max_input_tokens: 2,
             max_output_tokens: 3}]}
        """,
    )
    assert len(provider(found, "openai").models) == 1
    one = model(found, "openai/m")
    assert (one.context_window_tokens, one.max_output_tokens) == (1, 3)
    assert "the first one counts" in left(found)["clients[0].models[1]"]


def test_a_doubled_key_is_told() -> None:
    found = imported("ollama", '{"models": [{"name": "a", "name": "b"}]}')
    assert left(found)["name"] == "the key stands twice; the last one counts"
    found = imported("litellm", "model_list: []\nmodel_list:\n  - {litellm_params: {model: openai/a}}\n")
    assert left(found)["model_list"] == "the key stands twice; the last one counts"


def test_only_the_first_document_is_read() -> None:
    found = imported("litellm", "model_list: [{litellm_params: {model: openai/a}}]\n---\nb: 1\n")
    assert left(found)["(the whole file)"] == "only the first document of the file is read"


def test_wrong_values_are_listed_and_the_rest_comes_over() -> None:
    found = imported(
        "crush",
        """\
        {"providers": {"house": {"base_url": 7, "api_key": ["$A"], "models": [
           {"id": "m", "context_window": "4k", "can_reason": "yes", "name": {"a": 1}},
           {"id": "n", "context_window": -1}, {"id": 5}]}, "bad": 7, "": {"models": []}}}
        """,
    )
    assert [each.model_id for each in provider(found, "house").models] == ["m", "n", "5"]
    places = {f"providers.house.{tail}" for tail in ("base_url", "api_key")} | {"providers.bad", "providers."}
    places |= {f"providers.house.models[{tail}" for tail in ("0].context_window", "0].can_reason", "0].name")}
    assert places | {"providers.house.models[1].context_window"} <= set(left(found))


@pytest.mark.parametrize("place", ["model", "api_base"])
def test_a_variable_where_none_can_stand(place: str) -> None:
    params = {"model": "openai/m", "api_base": "https://a.example/v1"} | {place: "os.environ/THERE"}
    text = "model_list:\n  - litellm_params: {model: openai/other}\n  - litellm_params:\n"
    text += "".join(f"      {key}: {value}\n" for key, value in params.items())
    found = imported("litellm", text)
    assert "variable" in left(found)[f"model_list[1].litellm_params.{place}"]
    assert "THERE" not in written(found)[1]


def test_two_services_behind_variables_stay_two() -> None:
    entry = "  - litellm_params: {{model: openai/m, api_base: os.environ/{}}}\n"
    found = imported("litellm", "model_list:\n" + entry.format("BASE_A") + entry.format("BASE_B"))
    assert [each.provider_id for each in found.providers] == ["base_a", "base_b"]


KEY = "sk-abcdefghijklmnopqrstuvwxyz012345"


def test_no_key_survives_wherever_it_stands() -> None:
    found = imported(
        "opencode",
        f"""\
        {{"{KEY}": 1, "provider": {{
           "a": {{"name": "{KEY}", "options": {{"baseURL": "https://u:{KEY}@h.example/v1?k={KEY}", "apiKey": "{KEY}",
                  "{KEY}": 2, "headers": {{"Authorization": "Bearer {KEY}"}}}},
                  "models": {{"{KEY}": {{}}, "ok": {{"name": "{KEY}", "id": "x:{KEY}"}}}}}},
           "{KEY}": {{"models": {{"m": {{}}}}}}}}}}
        """,
    )
    text = written(found)[1] + "".join(f"{each.place} {each.why}" for each in found.not_carried) + repr(found)
    assert KEY not in text
    assert "ok" in text


def test_hostile_names_are_not_carried() -> None:
    found = imported("ollama", '{"models": [{"name": "a\\u001b[31m"}, {"name": "[/nope]"}, {"name": "b\\nc"}]}')
    assert [each.model_id for each in found.providers[0].models] == ["[/nope]"]
    assert set(left(found)) == {"models[0]", "models[2]"}
