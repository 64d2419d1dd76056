"""Which adapter a provider gets, in which order things are refused, offline mode, and plugins."""

from __future__ import annotations

import json
from typing import Any

import httpx
import jsonschema
import pluggy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.anthropic import AnthropicAdapter, AnthropicCompatibleAdapter
from adapters.conversion.canonical import JsonAnswer, Text, ToolUse
from adapters.conversion.convert import WRITERS, convert
from adapters.conversion.events import TextDelta
from adapters.conversion.requests import from_completion_input
from adapters.errors import FailureKind, ProviderError
from adapters.fixtures import example_of
from adapters.offline import OfflineAdapter
from adapters.ollama import OllamaAdapter
from adapters.openai import OpenAIAdapter, OpenAICompatibleAdapter
from adapters.openrouter import OpenRouterAdapter
from adapters.plugins import hookimpl, plugins_with_adapters, with_adapter_hooks
from adapters.registry import SPEAKERS, VENDORS, Connections, open_adapter, transport_of
from adapters.settings import ProviderSettings
from model.auth import parse_auth_ref
from model.transports import PORTABLE, TRANSPORTS, transport_for
from model.vocabulary import Api, ProviderKind
from tests.adapters.opening import ASK, assembled, collect, connections, settings
from tests.adapters.wire import Server


@pytest.mark.parametrize(
    ("kind", "api", "adapter_class"),
    [
        (ProviderKind.ANTHROPIC, None, AnthropicAdapter),
        (ProviderKind.ANTHROPIC_COMPATIBLE, None, AnthropicCompatibleAdapter),
        (ProviderKind.OPENAI, None, OpenAIAdapter),
        (ProviderKind.OPENAI_COMPATIBLE, None, OpenAICompatibleAdapter),
        (ProviderKind.OPENROUTER, None, OpenRouterAdapter),
        (ProviderKind.OPENROUTER, Api.ANTHROPIC_MESSAGES, AnthropicCompatibleAdapter),
        (ProviderKind.OLLAMA, None, OllamaAdapter),
        (ProviderKind.OLLAMA, Api.OPENAI_COMPLETIONS, OpenAICompatibleAdapter),
        (ProviderKind.CUSTOM, Api.ANTHROPIC_MESSAGES, AnthropicCompatibleAdapter),
    ],
)
def test_kind_and_api_decide(kind: ProviderKind, api: Api | None, adapter_class: type) -> None:
    one = open_adapter(settings(kind, api=api or kind.default_api), connections())
    assert type(one) is adapter_class
    assert one.transport is transport_for(api or kind.default_api)


def test_every_api_with_an_adapter_has_its_own_row_and_a_writer() -> None:
    spoken = {api for api, row in TRANSPORTS.items() if not row.on_paper}
    assert spoken == set(SPEAKERS) == set(WRITERS)
    assert {api for _, api in VENDORS} <= spoken


def refused(given: ProviderSettings, given_connections: Connections | None = None) -> FailureKind:
    with pytest.raises(ProviderError) as caught:
        open_adapter(given, given_connections or connections())
    return caught.value.kind


def test_an_untrusted_provider_is_refused_before_its_secret_is_looked_up() -> None:
    class Watched(dict[str, str]):
        def get(self, *args: Any) -> Any:
            raise AssertionError("looked up")

    from adapters.secrets import CredentialResolver

    watching = Connections(CredentialResolver(Watched()))
    assert refused(settings(ProviderKind.ANTHROPIC, is_trusted=False), watching) is FailureKind.UNTRUSTED


@pytest.mark.parametrize("key", ["", "  ", "mock_anything"])
@pytest.mark.parametrize("kind", list(ProviderKind))
async def test_a_blank_or_mock_key_is_offline_for_all_kinds(kind: ProviderKind, key: str) -> None:
    def unreachable(request: httpx.Request) -> httpx.Response:
        raise AssertionError("the network was used")

    bad_endpoint = settings(kind, "http://203.0.113.1:1/nope")
    one = open_adapter(bad_endpoint, connections(unreachable, key=key))
    events = await collect(one.complete(ASK))
    assert one.is_offline
    assert events == await collect(one.complete(ASK))
    assert "p1/m1" in repr(assembled(events).content)
    assert sum(isinstance(event, TextDelta) for event in events) > 1
    assert await one.listed() == ()
    assert not (await one.look_up("m1")).flags.stated
    assert await one.count_tokens(ASK) > 0


@pytest.mark.parametrize("text", ["", "mock_x"])
def test_the_auth_ref_itself_may_be_blank_or_mock(text: str) -> None:
    assert open_adapter(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref(text)), connections()).is_offline


async def test_offline_mode_promotes_nothing() -> None:
    """What the Api does not carry fails offline as it would online."""
    image = {"type": "image", "source": {"type": "url", "url": "https://h.example/x.png"}}
    ask = ASK.model_copy(update={"messages": ({"role": "user", "content": [image]},)})
    for key in ("mock_x", "sk-real-key-123456"):
        one = open_adapter(settings(ProviderKind.OLLAMA), connections(Server({}), key=key))
        with pytest.raises(ProviderError) as caught:
            await collect(one.complete(ask))
        assert caught.value.kind is FailureKind.BLOCKED


TOOL = {
    "name": "book",
    "input_schema": {
        "type": "object",
        "properties": {"seats": {"type": "integer", "minimum": 2}},
        "required": ["seats"],
    },
}


@pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC, ProviderKind.OPENAI, ProviderKind.OLLAMA])
async def test_offline_calls_a_tool_only_when_it_must(kind: ProviderKind) -> None:
    one = open_adapter(settings(kind), connections(key="mock_"))
    free = ASK.model_copy(update={"tools": (TOOL,)})
    assert isinstance(assembled(await collect(one.complete(free))).content[0], Text)
    if kind is ProviderKind.OLLAMA:
        return  # it takes no tool_choice
    forced = free.model_copy(update={"tool_choice": {"type": "tool", "name": "book"}})
    call = assembled(await collect(one.complete(forced))).content[0]
    assert isinstance(call, ToolUse)
    assert (call.name, call.input) == ("book", {"seats": 2})


async def test_offline_json_fits_its_schema() -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string", "minLength": 3}}, "required": ["name"]}
    one = open_adapter(settings(ProviderKind.OPENAI), connections(key="mock_"))
    target = one.target("m1")
    converted = convert(from_completion_input(ASK, answer=JsonAnswer(schema)), target)
    block = (await one.answer(converted, target)).content[0]
    assert isinstance(block, Text)
    assert json.loads(block.text) == {"name": "xxx"}


@pytest.mark.parametrize(
    ("base_url", "kind"),
    [
        ("http://api.openai.com/v1", FailureKind.ENDPOINT),
        ("http://localhost:1/v1", FailureKind.ENDPOINT),
        ("https://u:p@h.example", FailureKind.ENDPOINT),
    ],
)
def test_the_endpoint_policy_holds(base_url: str, kind: FailureKind) -> None:
    assert refused(settings(ProviderKind.OPENAI_COMPATIBLE, base_url)) is kind


def test_plain_http_needs_the_users_own_word() -> None:
    lan = "http://192.168.1.5:8080"
    assert refused(settings(ProviderKind.OPENAI_COMPATIBLE, lan, is_local=True)) is FailureKind.ENDPOINT
    open_adapter(settings(ProviderKind.OPENAI_COMPATIBLE, lan, is_marked_local=True), connections())


@pytest.mark.parametrize("text", ["env:NOPE", "file:/nonexistent/key", "sk-literal-0123456789"])
def test_a_credential_that_is_not_there(text: str) -> None:
    assert refused(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref(text))) is FailureKind.NO_CREDENTIAL
    with pytest.raises(ProviderError) as caught:
        open_adapter(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref(text)), connections())
    assert "literal-0123" not in str(caught.value)


def test_only_a_local_provider_needs_no_auth_ref() -> None:
    assert refused(settings(ProviderKind.OPENAI, auth_ref=None)) is FailureKind.NO_CREDENTIAL
    open_adapter(settings(ProviderKind.OLLAMA, auth_ref=None, is_local=True), connections())
    open_adapter(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref("none")), connections())


@pytest.mark.parametrize("api", [api for api, row in TRANSPORTS.items() if row.on_paper])
def test_apis_on_paper_have_no_adapter(api: Api) -> None:
    assert refused(settings(ProviderKind.CUSTOM, api=api)) is FailureKind.UNSUPPORTED


def with_plugin(plugin: object) -> Connections:
    manager = with_adapter_hooks(pluggy.PluginManager("capdeck"))
    manager.register(plugin)
    given = connections()
    return Connections(given.resolver, plugins=manager)


def test_a_plugin_brings_an_adapter_for_a_custom_provider() -> None:
    class Plugin:
        @hookimpl
        def capdeck_adapter(self, settings: ProviderSettings, channel: Any) -> Any:
            return OfflineAdapter(settings) if settings.api is Api.UNKNOWN else None

    both = with_plugin(Plugin())
    one = open_adapter(settings(ProviderKind.CUSTOM), both)
    assert transport_of(one) is PORTABLE
    assert (
        type(open_adapter(settings(ProviderKind.CUSTOM, api=Api.OPENAI_COMPLETIONS), both)) is OpenAICompatibleAdapter
    )


def test_the_plugins_of_the_model_are_the_ones_asked() -> None:
    manager = plugins_with_adapters().manager
    assert manager.hook.capdeck_adapter(settings=None, channel=None) is None


def test_a_plugins_adapter_without_a_row_is_portable() -> None:
    class Bare:
        pass

    assert transport_of(Bare()) is PORTABLE  # type: ignore[arg-type]


def test_a_plugin_that_fails_is_a_typed_failure() -> None:
    class Plugin:
        @hookimpl
        def capdeck_adapter(self, settings: ProviderSettings, channel: Any) -> Any:
            raise RuntimeError("canary")

    with pytest.raises(ProviderError) as caught:
        open_adapter(settings(ProviderKind.CUSTOM), with_plugin(Plugin()))
    assert caught.value.kind is FailureKind.UNSUPPORTED
    assert "canary" not in str(caught.value)
    assert caught.value.__context__ is None


SCHEMAS = st.recursive(
    st.sampled_from(
        [{"type": "string", "minLength": 2}, {"type": "integer", "minimum": 3}, {"type": "boolean"}, {"type": "null"},
         {"enum": ["a", "b"]}, {"const": 7}, {"type": ["string", "null"]}, {"type": "number"}]
    ),
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from("abc"), inner, max_size=3).map(
            lambda properties: {"type": "object", "properties": properties, "required": sorted(properties)[:2]}
        ),
        inner.map(lambda items: {"type": "array", "items": items, "minItems": 2}),
        st.lists(inner, min_size=1, max_size=2).map(lambda options: {"anyOf": options}),
    ),
    max_leaves=6,
)  # fmt: skip


@given(SCHEMAS)
def test_the_example_fits_its_schema(schema: dict[str, Any]) -> None:
    jsonschema.validate(example_of(schema), schema)


def test_recursive_and_hostile_schemas_end() -> None:
    node: dict[str, Any] = {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}},
    }
    assert example_of(node) is not None
    assert example_of({"$ref": "#"}) is None
    assert len(example_of({"type": "array", "minItems": 10**9, "items": {}})) == 32
    assert example_of({"type": "object", "properties": 5, "required": 5}) == {}
