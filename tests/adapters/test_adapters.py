"""Each adapter over answers made by hand: lists, look-up, counts, whole answers and streams."""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
import pytest

from adapters.contract import TokenCount
from adapters.conversion.canonical import Text, ToolUse
from adapters.conversion.completion import StopReason
from adapters.conversion.decode import stream_decoder
from adapters.conversion.events import MessageStop, Ping, StreamEvent, TextDelta, UnknownEvent
from adapters.conversion.requests import from_completion_input
from adapters.conversion.tool_ids import ToolIds
from adapters.delivery import Delivery
from adapters.errors import FailureKind, ProviderError
from adapters.http_adapter import MOST_PAGES, HttpAdapter
from adapters.limits import Limits
from adapters.ratelimits import Quota
from adapters.redaction import Redactor
from model.contract import ProviderCompletionInput
from model.vocabulary import Api, ProviderKind
from tests.adapters.opening import ASK, KEY, adapter, assembled, collect
from tests.adapters.streams import ANTHROPIC_STREAM, OLLAMA_STREAM, OPENAI_STREAM, answer_for, chunk
from tests.adapters.wire import SSE, Handler, Pieces, Server, json_reply, ndjson_reply, reply, sse_reply

KINDS = [kind for kind in ProviderKind if kind is not ProviderKind.CUSTOM]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_becomes_canonical_events(kind: ProviderKind) -> None:
    path, answer = answer_for(kind)
    server = Server({("POST", path): answer})
    events = await collect(adapter(kind, server).complete(ASK))
    completion = assembled(events)
    assert completion.content == (Text("Hello"),)
    assert completion.stop_reason is StopReason.END_TURN
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (9, 2)
    assert isinstance(events[-1], MessageStop)
    assert server.body()["model"] == "m1"
    assert server.body()["stream"] is True
    assert len(server.requests) == 1


async def test_pings_and_unknown_events_are_passed_on() -> None:
    path, answer = answer_for(ProviderKind.ANTHROPIC)
    events = await collect(adapter(ProviderKind.ANTHROPIC, Server({("POST", path): answer})).complete(ASK))
    assert any(isinstance(event, Ping) for event in events)
    assert [event.name for event in events if isinstance(event, UnknownEvent)] == ["brand_new_event"]


@pytest.mark.parametrize(
    ("kind", "header", "absent"),
    [
        (ProviderKind.ANTHROPIC, ("x-api-key", KEY), "authorization"),
        (ProviderKind.ANTHROPIC_COMPATIBLE, ("authorization", f"Bearer {KEY}"), ""),
        (ProviderKind.OPENAI, ("authorization", f"Bearer {KEY}"), "x-api-key"),
        (ProviderKind.OPENROUTER, ("authorization", f"Bearer {KEY}"), "x-api-key"),
        (ProviderKind.OLLAMA, ("authorization", f"Bearer {KEY}"), "x-api-key"),
    ],
)
async def test_the_key_goes_where_the_api_wants_it(kind: ProviderKind, header: tuple[str, str], absent: str) -> None:
    path, answer = answer_for(kind)
    server = Server({("POST", path): answer})
    await collect(adapter(kind, server).complete(ASK))
    headers = server.requests[0].headers
    assert headers[header[0]] == header[1]
    assert absent not in headers


@pytest.mark.parametrize(
    ("kind", "version"), [(ProviderKind.ANTHROPIC, "2026-10-21"), (ProviderKind.ANTHROPIC_COMPATIBLE, "2023-06-01")]
)
async def test_anthropics_version_header(kind: ProviderKind, version: str) -> None:
    server = Server({("POST", "/v1/messages"): answer_for(kind)[1]})
    await collect(adapter(kind, server).complete(ASK))
    assert server.requests[0].headers["anthropic-version"] == version


async def test_the_newest_version_takes_no_temperature() -> None:
    server = Server({("POST", "/v1/messages"): answer_for(ProviderKind.ANTHROPIC)[1]})
    warm = ASK.model_copy(update={"temperature": 0.5})
    with pytest.raises(ProviderError) as caught:
        await collect(adapter(ProviderKind.ANTHROPIC, server).complete(warm))
    assert caught.value.kind is FailureKind.BLOCKED
    assert server.requests == []


@pytest.mark.parametrize(
    ("kind", "name"), [(ProviderKind.OPENAI, "max_completion_tokens"), (ProviderKind.OPENAI_COMPATIBLE, "max_tokens")]
)
async def test_the_name_of_the_cap_on_the_answer(kind: ProviderKind, name: str) -> None:
    server = Server({("POST", "/v1/chat/completions"): answer_for(kind)[1]})
    await collect(adapter(kind, server).complete(ASK))
    assert server.body()[name] == 16
    assert server.body()["stream_options"] == {"include_usage": True}


async def test_openrouter_may_not_route_to_whoever_ignores_a_parameter() -> None:
    path, answer = answer_for(ProviderKind.OPENROUTER)
    server = Server({("POST", path): answer})
    await collect(adapter(ProviderKind.OPENROUTER, server).complete(ASK))
    assert server.body()["provider"] == {"require_parameters": True}


async def failure_of(kind: ProviderKind, answer: Handler, request: ProviderCompletionInput = ASK) -> FailureKind:
    server = Server({("POST", answer_for(kind)[0]): answer})
    with pytest.raises(ProviderError) as caught:
        await collect(adapter(kind, server).complete(request))
    assert KEY not in str(caught.value)
    return caught.value.kind


async def test_a_stream_without_its_end_mark_is_truncated() -> None:
    async def kind_of(kind: ProviderKind, response: httpx.Response) -> FailureKind:
        return await failure_of(kind, lambda _: response)

    assert await kind_of(ProviderKind.ANTHROPIC, sse_reply(*ANTHROPIC_STREAM[:-1], named=True)) is FailureKind.TRUNCATED
    assert await kind_of(ProviderKind.OPENAI, sse_reply(*OPENAI_STREAM[:2])) is FailureKind.TRUNCATED
    assert await kind_of(ProviderKind.OPENAI, sse_reply(*OPENAI_STREAM[:2], done=True)) is FailureKind.TRUNCATED
    assert await kind_of(ProviderKind.OLLAMA, ndjson_reply(*OLLAMA_STREAM[:2])) is FailureKind.TRUNCATED


async def test_a_finish_reason_is_an_end_without_done() -> None:
    server = Server({("POST", "/v1/chat/completions"): lambda _: sse_reply(*OPENAI_STREAM[:4])})
    events = await collect(adapter(ProviderKind.OPENAI, server).complete(ASK))
    assert assembled(events).content == (Text("Hello"),)


async def test_nothing_is_waited_for_after_the_end_mark() -> None:
    text = "".join(f"data: {json.dumps(event)}\n\n" for event in OPENAI_STREAM) + "data: [DONE]\n\n"
    body = Pieces([text.encode()], stall=True)
    server = Server({("POST", "/v1/chat/completions"): lambda _: reply(body, SSE)})
    events = await collect(adapter(ProviderKind.OPENAI, server).complete(ASK))
    assert isinstance(events[-1], MessageStop)
    assert body.closed


async def test_an_error_inside_a_stream_is_typed() -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    found = await failure_of(ProviderKind.ANTHROPIC, lambda _: sse_reply(*ANTHROPIC_STREAM[:4], overloaded, named=True))
    assert found is FailureKind.OVERLOADED
    gone = {"error": {"code": 502, "message": "Provider disconnected"}, "choices": []}
    assert (
        await failure_of(ProviderKind.OPENROUTER, lambda _: sse_reply(OPENAI_STREAM[1], gone))
        is FailureKind.SERVER_ERROR
    )
    assert (
        await failure_of(ProviderKind.OLLAMA, lambda _: ndjson_reply({"error": "ran out"})) is FailureKind.STREAM_ERROR
    )


async def test_what_came_before_an_error_was_delivered() -> None:
    broken = {"type": "error", "error": {"type": "api_error", "message": "x"}}
    server = Server({("POST", "/v1/messages"): lambda _: sse_reply(*ANTHROPIC_STREAM[:4], broken, named=True)})
    texts: list[str] = []

    async def read() -> None:
        async for event in adapter(ProviderKind.ANTHROPIC, server).complete(ASK):
            texts.extend([event.text] if isinstance(event, TextDelta) else [])

    with pytest.raises(ProviderError):
        await read()
    assert texts == ["Hel"]


@pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC, ProviderKind.OPENAI])
@pytest.mark.parametrize(
    "data", ["{", "5", '{"choices": 5, "type": "message_start"}', '{"type": "content_block_delta"}']
)
async def test_malformed_events(kind: ProviderKind, data: str) -> None:
    body = f"data: {data}\n\n".encode()
    assert await failure_of(kind, lambda _: reply(body, SSE)) in {FailureKind.MALFORMED, FailureKind.TRUNCATED}


async def test_more_pieces_than_allowed_overflow() -> None:
    many = sse_reply(OPENAI_STREAM[0], *[chunk({"content": "x"})] * 4097)
    assert await failure_of(ProviderKind.OPENAI, lambda _: many) is FailureKind.OVERFLOW
    large = sse_reply(OPENAI_STREAM[0], chunk({"content": "x" * 65537}))
    assert await failure_of(ProviderKind.OPENAI, lambda _: large) is FailureKind.OVERFLOW


async def test_a_server_that_echoes_the_key_is_redacted_even_across_pieces() -> None:
    pieces = [chunk({"content": piece}) for piece in ("your key: ", *KEY, "!")]
    server = Server({("POST", "/v1/chat/completions"): lambda _: sse_reply(*pieces, chunk({}, "stop"), done=True)})
    events = await collect(adapter(ProviderKind.OPENAI, server).complete(ASK))
    assert assembled(events).content == (Text("your key: «secret»!"),)
    shown = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert KEY not in shown + repr(events)


async def test_the_key_in_other_fields_is_redacted() -> None:
    named = [{**event, "model": KEY, "id": f"id-{KEY}"} for event in OPENAI_STREAM]
    server = Server({("POST", "/v1/chat/completions"): lambda _: sse_reply(*named, done=True)})
    assert KEY not in repr(await collect(adapter(ProviderKind.OPENAI, server).complete(ASK)))
    listing = Server({("GET", "/v1/models"): lambda _: json_reply({"data": [{"id": f"m-{KEY}"}]})})
    assert KEY not in repr(await adapter(ProviderKind.OPENAI, listing).listed())


async def test_whole_answers() -> None:
    whole = {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello"}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
    }  # fmt: skip
    server = Server(
        {("POST", "/v1/chat/completions"): lambda _: json_reply(whole, **{"x-ratelimit-remaining-requests": "3"})}
    )
    one = adapter(ProviderKind.OPENAI, server)
    target = one.target("m1")
    converted = _converted(one, target)
    completion = await one.answer(converted, target)
    assert completion.content == (Text("Hello"),)
    assert "stream" not in server.body() or server.body()["stream"] is False
    assert one.rate_limits is not None
    assert one.rate_limits.requests == Quota(remaining=3)


def _converted(one: Any, target: Any) -> Any:
    from adapters.conversion.convert import convert

    return convert(from_completion_input(ASK, stream=True), target)


async def test_anthropics_list_is_read_page_after_page() -> None:
    first = {"data": [{"type": "model", "id": "a", "display_name": "A"}], "has_more": True, "last_id": "a"}
    last = {"data": [{"type": "model", "id": "b", "display_name": "B"}, 5], "has_more": False, "last_id": "b"}
    server = Server({("GET", "/v1/models"): [lambda _: json_reply(first), lambda _: json_reply(last)]})
    models = await adapter(ProviderKind.ANTHROPIC, server).listed()
    assert [model.model_id for model in models] == ["a", "b"]
    assert [str(request.url.query, "ascii") for request in server.requests] == ["limit=1000", "limit=1000&after_id=a"]


async def test_a_list_that_never_ends_is_left() -> None:
    page = {"data": [{"id": "a"}], "has_more": True, "last_id": "a"}
    server = Server({("GET", "/v1/models"): lambda _: json_reply(page)})
    assert len(await adapter(ProviderKind.ANTHROPIC, server).listed()) == 2
    assert len(server.requests) == 2


async def test_a_list_of_new_pages_without_end_is_left_after_some() -> None:
    numbers = itertools.count()

    def page(request: httpx.Request) -> httpx.Response:
        return json_reply({"data": [{"id": "a"}], "has_more": True, "last_id": f"m{next(numbers)}"})

    server = Server({("GET", "/v1/models"): page})
    assert len(await adapter(ProviderKind.OPENAI, server).listed()) == MOST_PAGES == len(server.requests)


def list_with_cursor(cursor: str) -> Server:
    first = {"data": [{"id": "a"}], "has_more": True, "last_id": cursor}
    last = {"data": [{"id": "b"}]}
    return Server({("GET", "/v1/models"): [lambda _: json_reply(first), lambda _: json_reply(last)]})


@pytest.mark.parametrize("cursor", ["a\x00b", "?&#/../é☃", "https://evil.example/"])
async def test_a_hostile_cursor_stays_a_cursor(cursor: str) -> None:
    server = list_with_cursor(cursor)
    assert [model.model_id for model in await adapter(ProviderKind.OPENAI, server).listed()] == ["a", "b"]
    assert server.requests[1].url.host == "api.openai.com"
    assert dict(server.requests[1].url.params) == {"after": cursor}


async def test_a_cursor_that_fits_no_address() -> None:
    with pytest.raises(ProviderError) as caught:
        await adapter(ProviderKind.OPENAI, list_with_cursor("x" * 100_000)).listed()
    assert caught.value.kind is FailureKind.BAD_REQUEST


@pytest.mark.parametrize("model_id", ["m" * 100_000, "../../x", "a b/c?d#e", "\x00"])
async def test_a_hostile_model_id_stays_in_its_place(model_id: str) -> None:
    server = Server({("GET", "/v1/models"): lambda _: json_reply({"data": []})})
    with pytest.raises(ProviderError) as caught:
        await adapter(ProviderKind.ANTHROPIC, server).look_up(model_id)
    assert caught.value.kind in {FailureKind.MODEL_NOT_FOUND, FailureKind.BAD_REQUEST}
    assert all(request.url.raw_path.startswith(b"/v1/models") for request in server.requests)


async def test_records_of_the_seed() -> None:
    row = {
        "type": "model",
        "id": "a",
        "display_name": "A",
        "max_tokens": 5,
        "capabilities": {"thinking": {"supported": True}},
    }
    server = Server(
        {
            ("GET", "/v1/models/a"): lambda _: json_reply(row),
            ("GET", "/v1/models"): lambda _: json_reply({"data": [row]}),
        }
    )
    one = adapter(ProviderKind.ANTHROPIC, server)
    record = await one.validate_model("a")
    assert (record.provider_id, record.model_id, record.max_output_tokens) == ("p1", "a", 5)
    assert record.supports.thinking
    assert not record.supports.tool_use
    assert await one.list_models() == [record]


@pytest.mark.parametrize(
    "kind", [ProviderKind.ANTHROPIC, ProviderKind.OPENAI, ProviderKind.OPENROUTER, ProviderKind.OLLAMA]
)
async def test_a_model_that_is_not_listed_names_the_nearest(kind: ProviderKind) -> None:
    row = {"id": "gpt-5.2", "type": "model", "display_name": "x", "name": "gpt-5.2", "model": "gpt-5.2"}
    path = {ProviderKind.OLLAMA: "/api/tags", ProviderKind.OPENROUTER: "/api/v1/models"}.get(kind, "/v1/models")
    server = Server({("GET", path): lambda _: json_reply({"data": [row], "models": [row]})})
    with pytest.raises(ProviderError) as caught:
        await adapter(kind, server).look_up("gpt-5.1")
    assert caught.value.kind is FailureKind.MODEL_NOT_FOUND
    assert "gpt-5.2" in caught.value.failure.mend


async def test_ollama_shows_a_model() -> None:
    shown = {"model_info": {"llama.context_length": 8192}, "capabilities": ["completion", "tools"]}
    server = Server({("POST", "/api/show"): lambda _: json_reply(shown)})
    model = await adapter(ProviderKind.OLLAMA, server).look_up("m1")
    assert model.context_window_tokens == 8192
    assert server.body() == {"model": "m1"}


async def test_anthropic_counts_with_its_endpoint() -> None:
    server = Server({("POST", "/v1/messages/count_tokens"): lambda _: json_reply({"input_tokens": 42})})
    one = adapter(ProviderKind.ANTHROPIC, server)
    assert await one.count(from_completion_input(ASK)) == TokenCount(42)
    assert await one.count_tokens(ASK) == 42
    assert set(server.body()) == {"model", "messages"}


@pytest.mark.parametrize("kind", [ProviderKind.ANTHROPIC_COMPATIBLE, ProviderKind.OPENAI, ProviderKind.OLLAMA])
async def test_elsewhere_tokens_are_estimated(kind: ProviderKind) -> None:
    count = await adapter(kind, Server({})).count(from_completion_input(ASK))
    assert count.is_estimate
    assert 0 < count.tokens < count.most <= 20


async def test_a_count_that_is_refused_is_no_estimate() -> None:
    server = Server({("POST", "/v1/messages/count_tokens"): lambda _: json_reply({}, 401)})
    with pytest.raises(ProviderError) as caught:
        await adapter(ProviderKind.ANTHROPIC, server).count(from_completion_input(ASK))
    assert caught.value.kind is FailureKind.UNAUTHORIZED


async def test_tools_go_out_and_calls_come_back() -> None:
    tool = {
        "name": "get_weather",
        "description": "d",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
    ask = ASK.model_copy(update={"tools": (tool,), "tool_choice": {"type": "any"}})
    calls = [
        chunk(
            {
                "tool_calls": [
                    {
                        "index": 0,
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "get_weather", "arguments": ""},
                    }
                ]
            }
        ),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"city": "Pa'}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": 'ris"}'}}]}),
        chunk({}, "tool_calls"),
    ]
    server = Server({("POST", "/v1/chat/completions"): lambda _: sse_reply(*calls, done=True)})
    completion = assembled(await collect(adapter(ProviderKind.OPENAI, server).complete(ask)))
    assert completion.stop_reason is StopReason.TOOL_USE
    call = completion.content[0]
    assert isinstance(call, ToolUse)
    assert (call.name, call.input) == ("get_weather", {"city": "Paris"})
    assert server.body()["tool_choice"] == "required"


async def test_a_bad_request_of_ours_names_its_place() -> None:
    bad = ProviderCompletionInput(model_id="m", messages=({"role": "king", "content": "x"},))
    with pytest.raises(ProviderError) as caught:
        await collect(adapter(ProviderKind.OPENAI, Server({})).complete(bad))
    assert caught.value.kind is FailureKind.BAD_REQUEST


async def test_an_api_named_by_the_provider_decides() -> None:
    server = Server({("POST", "/v1/chat/completions"): answer_for(ProviderKind.OPENAI)[1]})
    one = adapter(ProviderKind.CUSTOM, server, api=Api.OPENAI_COMPLETIONS)
    assert assembled(await collect(one.complete(ASK))).content == (Text("Hello"),)


SPLIT = [ProviderKind.ANTHROPIC, ProviderKind.OPENAI, ProviderKind.OLLAMA]


def delivered(one: HttpAdapter, pieces: list[bytes]) -> list[StreamEvent]:
    """What the adapter makes of these bytes, without a socket."""
    delivery = Delivery(stream_decoder(one.target("m1"), ToolIds()), Limits(), Redactor())
    framing = one._framing()
    events = [event for piece in pieces for event in delivery.take(framing.feed(piece))]
    return [*events, *delivery.end(framing.end())]


@pytest.mark.parametrize("kind", SPLIT)
def test_a_stream_cut_at_every_byte_gives_the_same_events(kind: ProviderKind) -> None:
    data = b"".join(answer_for(kind)[1](httpx.Request("POST", "https://h")).stream.pieces)  # type: ignore[attr-defined]
    one = adapter(kind, Server({}))
    assert isinstance(one, HttpAdapter)
    expected = delivered(one, [data])
    assert isinstance(expected[-1], MessageStop)
    for cut in range(len(data)):
        assert delivered(one, [data[:cut], data[cut:]]) == expected
        assert delivered(one, [data[:cut], data[cut : cut + 1], data[cut + 1 :]]) == expected
    assert delivered(one, [data[at : at + 1] for at in range(len(data))]) == expected
