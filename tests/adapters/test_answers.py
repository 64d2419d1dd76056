"""The dictionary of known errors: bodies as the providers write them, and what each means."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from adapters.answers import SAID_CHARACTERS, read_error_body, read_refusal
from adapters.errors import KNOWN, FailureKind, failure
from adapters.ratelimits import Quota, RateLimits, read_rate_limits
from adapters.redaction import Redactor
from adapters.secrets import SHOWN, Secret

KEY = "sk-canary-0123456789abcdef"
REDACT = Redactor([Secret(KEY)])


def anthropic(kind: str, message: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def openai(message: str, kind: str | None = None, code: object = None) -> dict[str, object]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


CASES = [
    (401, anthropic("authentication_error", "invalid x-api-key"), FailureKind.UNAUTHORIZED),
    (401, openai("Incorrect API key provided: sk-cana**cdef.", code="invalid_api_key"), FailureKind.UNAUTHORIZED),
    (
        401,
        {"error": {"message": "Invalid API Key", "type": "authentication_error", "code": 401}},
        FailureKind.UNAUTHORIZED,
    ),
    (400, openai("API key not valid. Please pass a valid API key."), FailureKind.UNAUTHORIZED),
    (403, anthropic("permission_error", "Your API key may not use this model"), FailureKind.FORBIDDEN),
    (403, openai("Country, region, or territory not supported"), FailureKind.FORBIDDEN),
    (402, openai("Insufficient credits. Add more using ...", code=402), FailureKind.PAYMENT),
    (429, openai("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), FailureKind.PAYMENT),
    (400, anthropic("invalid_request_error", "Your credit balance is too low"), FailureKind.PAYMENT),
    (404, openai("No endpoints found that support tool use.", code=404), FailureKind.NOT_OFFERED),
    (404, openai("No endpoints found that support image input", code=404), FailureKind.NOT_OFFERED),
    (404, openai("No allowed providers are available for the selected model.", code=404), FailureKind.NOT_OFFERED),
    (500, openai("image input is not supported - hint: ...", "server_error", 500), FailureKind.NOT_OFFERED),
    (400, {"error": "registry.example/library/gemma:2b does not support tools"}, FailureKind.NOT_OFFERED),
    (404, anthropic("not_found_error", "model: claude-nope"), FailureKind.MODEL_NOT_FOUND),
    (
        404,
        openai("The model `gpt-9` does not exist or you do not have access to it.", code="model_not_found"),
        FailureKind.MODEL_NOT_FOUND,
    ),
    (404, {"error": "model 'nope' not found"}, FailureKind.MODEL_NOT_FOUND),
    (400, openai("nope is not a valid model ID"), FailureKind.MODEL_NOT_FOUND),
    (404, {"detail": "Not Found"}, FailureKind.NOT_FOUND),
    (405, {"detail": "Method Not Allowed"}, FailureKind.NOT_FOUND),
    (
        400,
        openai("the request exceeds the available context size", "exceed_context_size_error", 400),
        FailureKind.CONTEXT_LENGTH,
    ),
    (
        400,
        openai("This model's maximum context length is 8192 tokens.", code="context_length_exceeded"),
        FailureKind.CONTEXT_LENGTH,
    ),
    (
        400,
        anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
        FailureKind.CONTEXT_LENGTH,
    ),
    (413, anthropic("request_too_large", "Request exceeds the maximum size"), FailureKind.TOO_LARGE),
    (400, openai("Unsupported parameter: 'max_tokens'", code="unsupported_parameter"), FailureKind.REFUSED_PARAMETER),
    (
        400,
        anthropic("invalid_request_error", "temperature: is not supported with this version"),
        FailureKind.REFUSED_PARAMETER,
    ),
    (422, {"detail": [{"loc": ["body", "x"], "msg": "Extra inputs are not permitted"}]}, FailureKind.REFUSED_PARAMETER),
    (400, anthropic("invalid_request_error", "messages: at least one message is required"), FailureKind.BAD_REQUEST),
    (429, anthropic("rate_limit_error", "Number of requests has exceeded your limit"), FailureKind.RATE_LIMITED),
    (500, anthropic("api_error", "Internal server error"), FailureKind.SERVER_ERROR),
    (503, openai("The server is overloaded"), FailureKind.OVERLOADED),
    (529, anthropic("overloaded_error", "Overloaded"), FailureKind.OVERLOADED),
    (500, anthropic("overloaded_error", "Overloaded"), FailureKind.OVERLOADED),
    (418, {}, FailureKind.BAD_REQUEST),
    (301, {}, FailureKind.REDIRECT),
]


@pytest.mark.parametrize(("status", "body", "kind"), CASES)
def test_known_answers(status: int, body: dict[str, object], kind: FailureKind) -> None:
    found = read_refusal(status, {"content-type": "application/json"}, json.dumps(body).encode(), REDACT)
    assert (found.kind, found.status) == (kind, status)
    assert found.mend
    assert "sk-cana" not in str(found)


def test_every_kind_has_words_and_a_way_to_mend() -> None:
    assert set(KNOWN) == set(FailureKind)
    assert all(known.text and known.mend for known in KNOWN.values())


def test_what_the_provider_said_is_kept_redacted_and_bounded() -> None:
    long = "x" * 10_000
    found = read_refusal(400, {}, json.dumps(openai(f"your key {KEY} is {long}", "bad")).encode(), REDACT)
    assert found.said.startswith(f"bad: your key {SHOWN} is xxx")
    assert len(found.said) == SAID_CHARACTERS


@pytest.mark.parametrize("cut", range(4, len(KEY)))
def test_a_body_cut_inside_the_key_does_not_show_its_start(cut: int) -> None:
    body = ('{"error": "your key is ' + KEY)[: 23 + cut].encode()
    assert KEY[:4] not in str(read_refusal(400, {}, body, REDACT, partial=True))


def test_the_provider_behind_openrouter_is_quoted() -> None:
    body = {
        "error": {
            "message": "Provider returned error",
            "code": 400,
            "metadata": {"raw": "bad tool", "provider_name": "X"},
        }
    }
    assert read_refusal(400, {}, json.dumps(body).encode(), REDACT).said == "400: Provider returned error: bad tool"


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b'"x"', b"\xff\xfe", b'{"error": 5}', b'{"error": {"message": 5}}', b"{" * 9000]
)
def test_any_body_gives_a_failure(body: bytes) -> None:
    assert read_refusal(500, {}, body, REDACT).kind is FailureKind.SERVER_ERROR


def test_a_wait_is_told() -> None:
    found = read_refusal(429, {"retry-after": "7"}, b"{}", REDACT)
    assert (found.retry_after_seconds, found.mend) == (7, "Wait 7 s, lower the rate, or raise the limit")
    assert read_refusal(401, {"retry-after": "7"}, b"{}", REDACT).retry_after_seconds is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"type": "overloaded_error", "message": "m"}}, FailureKind.OVERLOADED),
        ({"error": {"code": 502, "message": "m"}}, FailureKind.SERVER_ERROR),
        ({"error": {"code": "rate_limit_exceeded", "message": "m"}}, FailureKind.RATE_LIMITED),
        ({"error": "text"}, FailureKind.STREAM_ERROR),
    ],
)
def test_an_error_with_status_200(body: object, kind: FailureKind) -> None:
    found = read_error_body(body, REDACT)
    assert found is not None
    assert found.kind is kind


@pytest.mark.parametrize("body", [{"error": None, "id": "x"}, {"choices": []}, [], None, "error"])
def test_no_error(body: object) -> None:
    assert read_error_body(body, REDACT) is None


def test_a_failure_reads_as_a_sentence() -> None:
    found = failure(FailureKind.UNAUTHORIZED, status=401, said="no")
    assert str(found) == (
        "HTTP 401: the key was rejected. Check that auth_ref names this provider's current key. The provider said: no"
    )


NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30), ("1.5", 1.5), ("6m0s", 360), ("1h2m3.5s", 3723.5), ("20ms", 0.02), ("2d", 172800),
        ("2026-11-30T12:00:10Z", 10), ("2026-11-30T13:00:10+01:00", 10), ("Mon, 30 Nov 2026 12:01:00 GMT", 60),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0), ("1796040010", 10), ("1796040010000", 10),
        ("", None), ("soon", None), ("-5", None), ("9" * 400, None), ("1e9", None),
    ],
)  # fmt: skip
def test_resets_of_every_shape(value: str, seconds: float | None) -> None:
    assert read_rate_limits({"retry-after": value}, NOW).retry_after_seconds == seconds


def test_anthropic_headers() -> None:
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-30T12:00:30Z",
        "anthropic-ratelimit-input-tokens-remaining": "90000",
        "anthropic-ratelimit-output-tokens-limit": "8000",
    }
    limits = read_rate_limits(headers, NOW)
    assert limits.requests == Quota(50, 0, 30)
    assert limits.input_tokens == Quota(None, 90000, None)
    assert limits.output_tokens == Quota(8000)
    assert limits.reset_seconds == 30


def test_openai_and_openrouter_headers() -> None:
    limits = read_rate_limits({"x-ratelimit-limit-tokens": "150000", "x-ratelimit-reset-tokens": "6m0s"}, NOW)
    assert limits == RateLimits(tokens=Quota(150000, None, 360))
    bare = read_rate_limits({"x-ratelimit-limit": "20", "x-ratelimit-reset": "1796040010000"}, NOW)
    assert bare.requests == Quota(20, None, 10)
    assert read_rate_limits({"retry-after-ms": "250", "retry-after": "9"}, NOW).retry_after_seconds == 0.25
    assert read_rate_limits({"llm_provider-retry-after": "60"}, NOW).retry_after_seconds == 60


def test_no_headers_say_nothing() -> None:
    assert read_rate_limits({}) == RateLimits()
