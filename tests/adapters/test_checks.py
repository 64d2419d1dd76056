"""The online checks: exact words for endpoint, key and models, and the one finding that follows from each."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx
import pytest

from adapters.checks import Phase, run_checks
from model.auth import AuthState
from model.doctor import Report, examine
from model.doctor.online import Listing, OnlineResult, Reach, model_words
from model.doctor.online_findings import merge
from model.vocabulary import Layer
from model.workbench import Change
from tests.adapters.visits import (
    KEY,
    TODAY,
    Answer,
    connections,
    provider,
    report_of,
    rows_of,
    snapshot_of,
    visit,
)
from tests.adapters.wire import Server, json_reply, reply

HTML = {"content-type": "text/html"}


def lists(*ids: str, key: str | None = KEY, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    """A list of models; without the right key it answers 401. `key` None = it is open to all."""

    def answer(request: httpx.Request) -> httpx.Response:
        if key is not None and request.headers.get("authorization") != f"Bearer {key}":
            return json_reply({"error": {"message": "Invalid API key"}}, 401)
        return json_reply({"data": [{"id": name, **more} for name in ids]}, 200, **(headers or {}))

    return answer


def words(result: OnlineResult, text: str) -> list[str]:
    return [str(word) for word in model_words(snapshot_of(text), result)]


def online_codes(report: Report) -> list[str]:
    from model.doctor.codes import CODES

    return [finding.code for finding in report.findings if CODES[finding.code].online]


async def test_a_key_that_opens_what_is_closed_without_it_is_accepted() -> None:
    server = Server({("GET", "/v1/models"): lists("m")})
    result = await visit(provider(), server)
    assert result.endpoint_words.startswith("answered (200, ")
    assert (result.auth, words(result, provider())) == (AuthState.ACCEPTED, ["listed"])
    assert [str(request.url) for request in server.requests] == ["https://gate.example/v1/models"] * 2
    assert result.url == "https://gate.example/v1/models"
    assert result.trouble is None


async def test_what_opens_without_a_key_proves_no_key() -> None:
    result = await visit(provider(), lists("m", key=None))
    assert result.auth is AuthState.NOT_CHECKED
    assert "without a key too" in result.auth_evidence
    report = await report_of(provider(), lists("m", key=None))
    assert online_codes(report) == []
    assert report.not_checked == (f"p: whether it takes the key: {result.auth_evidence}",)


@pytest.mark.parametrize(
    ("answer", "reach", "auth", "listing", "code"),
    [
        (lists("m", key="another"), Reach.ANSWERED, AuthState.REJECTED, "not checked", "auth-rejected"),
        (lambda _: json_reply({}, 403), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "auth-forbidden"),
        (lambda _: json_reply({}, 402), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "auth-no-credit"),
        (lambda _: json_reply({}, 404), Reach.ANSWERED, AuthState.NOT_CHECKED, Listing.UNSUPPORTED, "endpoint-no-list"),
        (lambda _: json_reply({}, 429), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "limit-used-up"),
        (lambda _: json_reply({}, 400), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "endpoint-failed"),
        (lambda _: json_reply({}, 500), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "endpoint-failed"),
        (lambda _: json_reply({"x": 1}), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "endpoint-failed"),
        (lambda _: reply(b"{", HTML), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "endpoint-web-page"),
        (lambda _: reply(b"<html>", HTML), Reach.ANSWERED, AuthState.NOT_CHECKED, "not checked", "endpoint-web-page"),
    ],
)  # fmt: skip
async def test_each_answer_has_its_word_and_one_finding(
    answer: Answer, reach: Reach, auth: AuthState, listing: str, code: str
) -> None:
    result = await visit(provider(), answer)
    assert (result.reach, result.auth, words(result, provider())) == (reach, auth, [listing])
    report = await report_of(provider(), answer)
    assert online_codes(report) == [code]
    (finding,) = [each for each in report.findings if each.code == code]
    assert finding.evidence.startswith("GET https://gate.example/v1/models; answered (")
    assert finding.help


async def test_a_redirect_is_not_followed_and_never_healthy() -> None:
    server = Server({("GET", "/v1/models"): lambda _: reply(b"", {"location": "https://evil.example/v1"}, 307)})
    result = await visit(provider(), server)
    assert (result.status, result.reach, len(server.requests)) == (307, Reach.ANSWERED, 1)
    assert online_codes(await report_of(provider(), server)) == ["endpoint-redirect"]


@pytest.mark.parametrize(
    ("error", "said", "code"),
    [
        (httpx.ConnectTimeout(""), "timed out", "endpoint-timed-out"),
        (httpx.ReadTimeout(""), "timed out", "endpoint-timed-out"),
        (httpx.ConnectError(""), "refused: the host cannot be reached", "endpoint-refused"),
        (httpx.ReadError(""), "refused: the server closed the connection", "endpoint-refused"),
    ],
)
async def test_no_answer_is_told_apart(error: httpx.TransportError, said: str, code: str) -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise error

    result = await visit(provider(), broken)
    assert result.endpoint_words == said
    assert words(result, provider()) == ["not checked"]
    assert online_codes(await report_of(provider(), broken)) == [code]


async def test_a_bad_certificate_is_said_plainly() -> None:
    def expired(request: httpx.Request) -> httpx.Response:
        cause = ssl.SSLCertVerificationError("certificate verify failed")
        cause.verify_code = 10
        raise httpx.ConnectError("") from cause

    result = await visit(provider(), expired)
    assert result.endpoint_words == "refused: the TLS handshake failed: its certificate has expired"
    report = await report_of(provider(), expired)
    (finding,) = [each for each in report.findings if each.code == "endpoint-tls"]
    assert "clock" in finding.help


async def test_a_key_is_wanted_where_none_is_sent() -> None:
    keyless = provider(auth_ref="none")
    assert (await visit(keyless, lists("m"))).auth is AuthState.NOT_CHECKED
    assert online_codes(await report_of(keyless, lists("m"))) == ["auth-wanted"]


@pytest.mark.parametrize(
    ("fields", "layer", "said"),
    [
        ({"enabled": False}, Layer.GLOBAL, "not checked: switched off"),
        ({}, Layer.PROJECT, "not checked: not trusted"),
        ({}, Layer.FILE, "not checked: not trusted"),
        ({"auth_ref": "env:UNSET"}, Layer.GLOBAL, "not checked: its key is absent"),
        ({"auth_ref": "mock_x"}, Layer.GLOBAL, "not checked: offline mode"),
        (
            {"auth_ref": "file:~/.ssh/id_rsa"},
            Layer.GLOBAL,
            "not checked: its auth_ref points at another program",
        ),
        ({"base_url": "http://gate.example/v1"}, Layer.GLOBAL, "not checked: the base_url may not be contacted: "),
        ({"api": "google-generative-ai"}, Layer.GLOBAL, "not checked: this Api does not carry what was asked for: "),
    ],
)
async def test_who_is_not_contacted_and_why(fields: dict[str, Any], layer: Layer, said: str) -> None:
    server = Server({})
    result = await visit(provider(**fields), server, layer)
    assert result.endpoint_words.startswith(said)
    assert words(result, provider()) == ["not checked"]
    assert server.requests == []


async def test_where_nothing_is_known_of_trust_nobody_is_contacted_for_a_stranger() -> None:
    server = Server({})
    snapshot = snapshot_of(provider(), Layer.PROJECT, trust=None)
    (row,) = await rows_of(snapshot, server)
    assert row.result is not None
    assert row.result.skipped == "not trusted"
    assert server.requests == []


@pytest.mark.parametrize(
    ("stated", "works", "answer"),
    [
        ("https://gate.example", "https://gate.example/v1", json_reply({}, 404)),
        ("https://gate.example/v1", "https://gate.example", json_reply({}, 404)),
        ("https://gate.example", "https://gate.example/v1", reply(b"<!doctype html>", HTML)),
        ("https://gate.example", "https://gate.example/v1", json_reply({"error": "Unexpected endpoint or method."})),
    ],
)
async def test_the_sibling_path_that_works_is_offered_as_an_edit(
    stated: str, works: str, answer: httpx.Response, tmp_path: Any
) -> None:
    path = httpx.URL(works).path.rstrip("/") + "/models"
    body, kind = await answer.aread(), {"content-type": answer.headers["content-type"]}

    def server(request: httpx.Request) -> httpx.Response:
        return lists("m")(request) if request.url.path == path else reply(body, kind, answer.status_code)

    report = await report_of(provider(base_url=stated), server)
    assert online_codes(report) == ["endpoint-sibling"]
    (finding,) = [each for each in report.findings if each.code == "endpoint-sibling"]
    assert works in finding.message
    assert finding.fix is not None
    assert [edit.value for edit in finding.fix.edits] == [works]  # type: ignore[union-attr]  # a Put


async def test_a_doubled_version_is_told_once() -> None:
    def server(request: httpx.Request) -> httpx.Response:
        return lists("m")(request) if request.url.path == "/v1/models" else json_reply({}, 404)

    text = provider(base_url="https://gate.example/v1/v1")
    found = [each.code for each in (await report_of(text, server)).findings if each.code.startswith("endpoint")]
    assert found == ["endpoint-sibling"]


async def test_a_slip_in_a_model_id_is_a_warning_with_the_listed_one() -> None:
    text = provider(models=[{"model_id": "qwen3-codr"}])
    result = await visit(text, lists("qwen3-coder", "other"))
    assert words(result, text) == ["not listed (closest: qwen3-coder)"]
    report = await report_of(text, lists("qwen3-coder", "other"))
    (finding,) = [each for each in report.findings if each.code == "model-not-listed"]
    assert finding.severity.value == "warning"
    assert finding.fix is not None
    assert "write qwen3-coder" in finding.fix.title


async def test_aliases_and_the_forms_of_ollama_and_google_count_as_listed() -> None:
    models = [{"model_id": "house", "aliases": ["house-20260115"]}, {"model_id": "gemini-2.5-pro"}]
    text = provider(models=models)
    result = await visit(text, lists("house-20260115", "models/gemini-2.5-pro"))
    assert words(result, text) == ["listed", "listed"]
    ollama = provider(provider_kind="ollama", base_url="http://127.0.0.1:11434", auth_ref=None)
    tags = Server({("GET", "/api/tags"): lambda _: json_reply({"models": [{"name": "m:latest"}]})})
    assert words(await visit(ollama, tags), ollama) == ["listed"]


async def test_anthropic_is_asked_by_id_for_what_it_does_not_list() -> None:
    text = provider(
        provider_kind="anthropic", base_url=None, models=[{"model_id": "house-latest"}, {"model_id": "gone"}]
    )

    def server(request: httpx.Request) -> httpx.Response:
        if request.headers.get("x-api-key") != KEY:
            return json_reply({"error": {"message": "no"}}, 401)
        if request.url.path == "/v1/models/house-latest":
            return json_reply({"type": "model", "id": "house-20260115"})
        rows = [{"type": "model", "id": "house-20260115"}]
        return json_reply({"data": rows}) if request.url.path == "/v1/models" else json_reply({}, 404)

    assert words(await visit(text, server), text) == ["listed", "not listed"]


async def test_an_empty_list_is_no_list() -> None:
    result = await visit(provider(), lists())
    assert (result.listing, words(result, provider())) == (Listing.UNSUPPORTED, ["listing unsupported"])


async def test_rates_above_what_the_headers_tell() -> None:
    limits = {"requests_per_minute": 500, "tokens_per_minute": 1000}
    text = provider(models=[{"model_id": "m", "limits": limits}])
    headers = {"x-ratelimit-limit-requests": "50", "x-ratelimit-limit-tokens": "40000"}
    report = await report_of(text, lists("m", headers=headers))
    assert online_codes(report) == ["limit-rate-over-endpoint"]


@pytest.mark.parametrize(("minutes", "told"), [(20, True), (-20, True), (1, False)])
async def test_a_clock_that_is_off_is_said(minutes: int, told: bool) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(minutes=minutes), usegmt=True)
    report = await report_of(provider(), lists("m", headers={"date": date}))
    assert online_codes(report) == (["endpoint-clock"] if told else [])


LOCAL = {"base_url": "http://127.0.0.1:8080/v1", "auth_ref": None}


async def test_llama_cpp_is_recognised_and_its_window_observed() -> None:
    text = provider(**LOCAL, models=[{"model_id": "m", "context_window_tokens": 32768}])
    props = {"default_generation_settings": {"n_ctx": 4096}, "chat_template_caps": {"supports_tools": True}}
    server = Server(
        {("GET", "/v1/models"): lists("m", key=None), ("GET", "/props"): lambda _: json_reply(props)},
    )
    result = await visit(text, server)
    assert (result.server, result.auth) == ("llama.cpp", AuthState.NOT_CHECKED)
    ((ref, seen),) = result.seen
    assert (str(ref), seen.context_window_tokens, seen.endpoint) == ("p/m", 4096, LOCAL["base_url"])


async def test_ollama_shows_the_models_of_the_file_first() -> None:
    text = provider(provider_kind="ollama", base_url="http://127.0.0.1:11434", auth_ref=None)
    shown: list[bytes] = []

    def show(request: httpx.Request) -> httpx.Response:
        shown.append(request.content)
        return json_reply({"model_info": {"x.context_length": 8192}, "parameters": "num_ctx 2048"})

    tags = {"models": [{"name": f"other{n}"} for n in range(60)] + [{"name": "m"}]}
    server = Server({("GET", "/api/tags"): lambda _: json_reply(tags), ("POST", "/api/show"): show})
    result = await visit(text, server)
    assert b'"m"' in shown[0]
    assert [seen.context_window_tokens for _, seen in result.seen] == [2048]


async def test_rows_wait_run_and_end() -> None:
    snapshot = snapshot_of(provider())
    rows = await rows_of(snapshot, lists("m"))
    assert [row.phase for row in rows] == [Phase.WAITING, Phase.RUNNING, Phase.DONE]
    assert [row.url for row in rows] == ["https://gate.example/v1/models"] * 3
    assert rows[0].elapsed_seconds(5.0) == 0
    assert rows[1].started is not None
    assert rows[1].elapsed_seconds(rows[1].started + 2) == 2
    assert rows[2].discovery is not None
    shown = [row.words(snapshot, (rows[1].started or 0) + 2.4) for row in rows]
    assert shown[:2] == [("waiting", "", ""), ("running 2 s", "", "")]
    assert shown[2][1:] == ("accepted", "listed")


async def test_only_those_that_are_named() -> None:
    assert await rows_of(snapshot_of(provider()), lists("m"), only={"other"}) == []


async def stuck(request: httpx.Request) -> httpx.Response:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_row_has_a_deadline_of_its_own() -> None:
    result = await visit(provider(), stuck, row_s=0.05)  # type: ignore[arg-type]  # MockTransport takes both kinds
    assert result.endpoint_words == "timed out"


async def test_after_the_whole_deadline_the_rest_is_not_checked() -> None:
    two = snapshot_of("{providers: [{provider_id: a, provider_kind: ollama}, {provider_id: b, provider_kind: ollama}]}")
    rows = await rows_of(two, stuck, deadline_s=0.05, concurrency=1)  # type: ignore[arg-type]  # as above
    said = {row.provider_id: row.result.endpoint_words for row in rows if row.result}
    assert said == {"a": "timed out", "b": "not checked: the time for all was up before its turn"}


async def test_what_was_known_before_the_deadline_stays() -> None:
    async def answer(request: httpx.Request) -> httpx.Response:
        if "authorization" not in request.headers:
            await asyncio.Event().wait()
        return lists("m")(request)

    result = await visit(provider(), answer, row_s=0.1)  # type: ignore[arg-type]  # as above
    assert result.endpoint_words.startswith("answered (200")
    assert words(result, provider()) == ["listed"]
    assert (result.auth, result.auth_evidence) == (AuthState.NOT_CHECKED, "no answer within the deadline")


async def test_leaving_early_stops_what_runs() -> None:
    gone = asyncio.Event()

    async def answer(request: httpx.Request) -> httpx.Response:
        try:
            await asyncio.Event().wait()
        finally:
            gone.set()
        raise AssertionError

    rows = run_checks(snapshot_of(provider()), connections(answer))  # type: ignore[arg-type]  # as above
    async for row in rows:
        if row.phase is Phase.RUNNING:
            break
    await asyncio.sleep(0)
    await rows.aclose()  # type: ignore[attr-defined]  # it is a generator
    assert len(asyncio.all_tasks()) == 1


async def test_a_mistake_in_one_row_takes_no_other_down(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(self: object, adapter: object) -> None:
        raise RuntimeError(KEY)

    monkeypatch.setattr("adapters.checks_visit.Visit._ask", broken)
    result = await visit(provider(), lists("m"))
    assert result.skipped == "the check itself failed with RuntimeError"


class Crowd:
    """Counts how many requests are under way at once. The first wait until there are `expected` of them."""

    def __init__(self, expected: int) -> None:
        self.running = self.most = 0
        self._expected, self._full = expected, asyncio.Event()

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running >= self._expected:
            self._full.set()
        await self._full.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        self.running -= 1
        return json_reply({"models": []})


async def test_never_more_at_once_than_the_cap() -> None:
    crowd = Crowd(3)
    many = ", ".join(f"{{provider_id: p{n}, provider_kind: ollama}}" for n in range(12))
    rows = await rows_of(snapshot_of(f"providers: [{many}]"), crowd, concurrency=3)  # type: ignore[arg-type]  # as above
    assert sum(row.phase is Phase.DONE for row in rows) == 12
    assert crowd.most == 3


@pytest.mark.parametrize("stated", [1, 2])
async def test_a_shared_server_is_asked_by_no_more_than_one_of_them_allows(stated: int) -> None:
    crowd = Crowd(stated)
    model = f"{{model_id: m, limits: {{concurrent_requests: {stated}}}}}"
    careful = f"{{provider_id: p0, provider_kind: ollama, models: [{model}]}}"
    many = ", ".join([careful, *(f"{{provider_id: p{n}, provider_kind: ollama}}" for n in range(1, 8))])
    rows = await rows_of(snapshot_of(f"providers: [{many}]"), crowd)  # type: ignore[arg-type]  # as above
    assert sum(row.phase is Phase.DONE for row in rows) == 8
    assert crowd.most == stated


async def test_a_result_holds_until_the_file_asks_for_something_else(tmp_path: Any) -> None:
    from model.document import Put
    from model.files import FileSpec
    from model.snapshot import Surroundings
    from model.workbench import Workbench

    path = tmp_path / "models.yaml"
    path.write_text(provider(models=[{"model_id": "x"}]))
    bench = Workbench([FileSpec(path, Layer.GLOBAL)], Surroundings(connections(lists("m")).resolver))
    results = [row.result for row in await rows_of(bench.snapshot, lists("m")) if row.result]

    def found() -> list[str]:
        return online_codes(merge(bench.snapshot, examine(bench.snapshot, today=TODAY), results))

    def edit(*path_: str | int, value: str) -> None:
        bench.apply(Change("edit", {str(path): (Put(("providers", 0, *path_), value),)}))

    assert found() == ["model-not-listed"]
    edit("models", 0, "model_id", value="m")
    assert found() == []
    edit("models", 0, "model_id", value="y")
    assert found() == ["model-not-listed"]
    edit("base_url", value="https://other.example/v1")
    assert found() == []
