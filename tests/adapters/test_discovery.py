"""What endpoints tell of themselves, and which list proves a key."""

from __future__ import annotations

from datetime import date
from typing import Any

import httpx
import pytest

from adapters.discovery import ServerKind, discover, gaps, prove_key
from adapters.listing import ListedModel
from adapters.registry import open_adapter
from model.auth import AuthState, parse_auth_ref
from model.vocabulary import Capability, ProviderKind
from tests.adapters.opening import KEY, adapter, connections, settings
from tests.adapters.wire import Handler, Server, json_reply

TODAY = date(2026, 11, 30)
LOCAL = "http://127.0.0.1:8080/v1"


def listing(*names: str, **more: Any) -> Handler:
    return lambda _: json_reply({"data": [{"id": name, **more} for name in names]})


async def test_llama_cpp_tells_the_window_of_a_slot_and_what_its_template_can() -> None:
    props = {
        "default_generation_settings": {"n_ctx": 2048},
        "modalities": {"vision": False, "audio": False},
        "chat_template_caps": {"supports_tools": True, "supports_system_role": True},
    }
    server = Server(
        {
            ("GET", "/v1/models"): listing("m", meta={"n_ctx_train": 8192}),
            ("GET", "/props"): lambda _: json_reply(props),
        }
    )
    found = await discover(adapter(ProviderKind.OPENAI_COMPATIBLE, server, LOCAL), TODAY)
    assert (found.server, found.seen, found.endpoint) == (ServerKind.LLAMA_CPP, TODAY, LOCAL)
    assert found.models[0].context_window_tokens == 2048
    assert Capability.TOOL_USE in found.models[0].flags.yes
    assert Capability.IMAGE_INPUT in found.models[0].flags.no


async def test_lm_studio_tells_the_loaded_window() -> None:
    rows = [
        {
            "id": "m",
            "type": "vlm",
            "loaded_context_length": 4096,
            "max_context_length": 131072,
            "capabilities": ["tool_use"],
        },
        5,
    ]
    server = Server(
        {("GET", "/v1/models"): listing("m", "n"), ("GET", "/api/v0/models"): lambda _: json_reply({"data": rows})}
    )
    found = await discover(adapter(ProviderKind.OPENAI_COMPATIBLE, server, LOCAL), TODAY)
    assert found.server is ServerKind.LM_STUDIO
    assert [model.context_window_tokens for model in found.models] == [4096, None]
    assert {Capability.IMAGE_INPUT, Capability.TOOL_USE} == set(found.models[0].flags.yes)


async def test_vllm_tells_its_window_in_the_list() -> None:
    server = Server({("GET", "/v1/models"): listing("m", max_model_len=32768, owned_by="vllm")})
    found = await discover(adapter(ProviderKind.OPENAI_COMPATIBLE, server, LOCAL), TODAY)
    assert (found.server, found.models[0].context_window_tokens) == (ServerKind.OTHER, 32768)


async def test_a_remote_endpoint_is_asked_for_its_list_only() -> None:
    server = Server({("GET", "/v1/models"): listing("m")})
    await discover(adapter(ProviderKind.OPENAI_COMPATIBLE, server), TODAY)
    assert [request.url.path for request in server.requests] == ["/v1/models"]


async def test_ollama_is_shown_model_by_model_and_one_may_fail() -> None:
    def show(request: httpx.Request) -> httpx.Response:
        if b'"bad"' in request.content:
            return json_reply({"error": "broken"}, 500)
        return json_reply({"model_info": {"x.context_length": 8192}, "capabilities": ["completion"]})

    tags = {"models": [{"name": "good"}, {"name": "bad"}]}
    server = Server({("GET", "/api/tags"): lambda _: json_reply(tags), ("POST", "/api/show"): show})
    found = await discover(adapter(ProviderKind.OLLAMA, server), TODAY)
    assert found.server is ServerKind.OLLAMA
    assert [model.context_window_tokens for model in found.models] == [8192, None]


def by_key(right: str | None) -> Handler:
    """A list that needs the key `right`; None = that answers anybody."""

    def answer(request: httpx.Request) -> httpx.Response:
        sent = request.headers.get("authorization")
        if right is None or sent == f"Bearer {right}":
            return json_reply({"data": []})
        return json_reply({"error": {"message": f"Invalid: {sent}"}}, 401)

    return answer


@pytest.mark.parametrize(
    ("answer", "state", "requests"),
    [
        (by_key(KEY), AuthState.ACCEPTED, 2),
        (by_key("another"), AuthState.REJECTED, 1),
        (by_key(None), AuthState.NOT_CHECKED, 2),
        (lambda _: json_reply({}, 403), AuthState.NOT_CHECKED, 1),
        (lambda _: json_reply({}, 500), AuthState.NOT_CHECKED, 1),
        (lambda _: json_reply({}, 404), AuthState.NOT_CHECKED, 1),
    ],
)
async def test_which_list_proves_a_key(answer: Handler, state: AuthState, requests: int) -> None:
    server = Server({("GET", "/v1/models"): answer})
    proof = await prove_key(adapter(ProviderKind.OPENAI, server))
    assert (proof.state, len(server.requests)) == (state, requests)
    assert proof.evidence
    assert KEY not in repr(proof)


async def test_without_a_key_nothing_is_proved() -> None:
    none = open_adapter(settings(ProviderKind.OPENAI, auth_ref=parse_auth_ref("none")), connections(by_key(None)))
    assert (await prove_key(none)).state is AuthState.NOT_CHECKED
    offline = open_adapter(settings(ProviderKind.OPENAI), connections(key="mock_"))
    assert (await prove_key(offline)).state is AuthState.NOT_CHECKED


async def test_openrouters_open_list_proves_nothing_but_its_key_page_does() -> None:
    server = Server({("GET", "/api/v1/models"): by_key(None), ("GET", "/api/v1/key"): by_key(KEY)})
    assert (await prove_key(adapter(ProviderKind.OPENROUTER, server))).state is AuthState.ACCEPTED


async def test_gaps_both_ways() -> None:
    server = Server({("GET", "/v1/models"): listing("a", "b")})
    found = await discover(adapter(ProviderKind.OPENAI, server), TODAY)
    assert gaps(found, frozenset({"b", "c"})) == ((ListedModel("a"),), ("c",))
