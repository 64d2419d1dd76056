"""Which base_url is refused, with what to do, and how paths are joined (seed 004's endpoint rules)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.endpoint import Endpoint, EndpointFault, EndpointProblem, is_literal_loopback, read_endpoint

ACCEPTED = [
    ("https://api.anthropic.com", "https://api.anthropic.com"),
    ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
    ("HTTPS://API.OpenAI.com/v1", "https://api.openai.com/v1"),
    ("https://gateway.example:8443/team%20a/v1", "https://gateway.example:8443/team%20a/v1"),
    ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ("https://localhost:8443", "https://localhost:8443"),
    ("https://10.0.0.7/v1", "https://10.0.0.7/v1"),
    ("http://127.0.0.1:11434", "http://127.0.0.1:11434"),
    ("http://127.8.9.10/v1", "http://127.8.9.10/v1"),
    ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ("https://models.example.com/models", "https://models.example.com/models"),
]


@pytest.mark.parametrize(("text", "url"), ACCEPTED)
def test_accepted(text: str, url: str) -> None:
    endpoint = read_endpoint(text)
    assert isinstance(endpoint, Endpoint)
    assert endpoint.url == url


REFUSED = [
    (None, EndpointFault.MISSING, None),
    ("  ", EndpointFault.MISSING, None),
    ("https://h/" + "a" * 2048, EndpointFault.TOO_LONG, None),
    ("https://${HOST}/v1", EndpointFault.CHARACTERS, None),
    ("https://{region}.example", EndpointFault.CHARACTERS, None),
    (" https://h.example", EndpointFault.CHARACTERS, None),
    ("https://h.example\n", EndpointFault.CHARACTERS, None),
    ("https://h.exa\tmple", EndpointFault.CHARACTERS, None),
    ("https://api.openai.com\\@evil.example", EndpointFault.CHARACTERS, None),
    ("https://аpi.openai.com", EndpointFault.CHARACTERS, None),
    ("api.openai.com/v1", EndpointFault.SCHEME, None),
    ("127.0.0.1:8080", EndpointFault.SCHEME, None),
    ("file:///etc/passwd", EndpointFault.SCHEME, None),
    ("ws://h.example", EndpointFault.SCHEME, None),
    ("https://user:hunter2@h.example", EndpointFault.USERINFO, None),
    ("https://api.openai.com@evil.example/v1", EndpointFault.USERINFO, None),
    ("https://@h.example", EndpointFault.USERINFO, None),
    ("https://h.example/v1?key=hunter2", EndpointFault.QUERY, None),
    ("https://h.example/v1#hunter2", EndpointFault.FRAGMENT, None),
    ("https://", EndpointFault.HOST, None),
    ("https:///v1", EndpointFault.HOST, None),
    ("https://[::1", EndpointFault.HOST, None),
    ("https://h%41.example", EndpointFault.HOST, None),
    ("http://2130706433", EndpointFault.HOST, None),
    ("http://127.1", EndpointFault.HOST, None),
    ("http://0x7f.0.0.0x1", EndpointFault.HOST, None),
    ("https://h.example:0", EndpointFault.PORT, None),
    ("https://h.example:99999", EndpointFault.PORT, None),
    ("https://h.example:x", EndpointFault.PORT, None),
    ("https://h.example/a/../b", EndpointFault.PATH, None),
    ("https://h.example/%2E%2e/b", EndpointFault.PATH, None),
    ("https://h.example//v1", EndpointFault.PATH, None),
    ("https://h.example/v1/chat/completions", EndpointFault.PATH, "https://h.example/v1"),
    ("https://h.example/v1/messages/", EndpointFault.PATH, "https://h.example"),
    ("http://127.0.0.1:11434/api/chat", EndpointFault.PATH, "http://127.0.0.1:11434"),
    ("http://localhost:11434", EndpointFault.LOCALHOST, "http://127.0.0.1:11434"),
    ("http://LOCALHOST./v1", EndpointFault.LOCALHOST, "http://127.0.0.1/v1"),
    ("http://a.localhost:1/v1", EndpointFault.LOCALHOST, "http://127.0.0.1:1/v1"),
    ("http://0.0.0.0:8080", EndpointFault.LOCALHOST, "http://127.0.0.1:8080"),
    ("http://api.openai.com/v1", EndpointFault.PLAIN_HTTP, "https://api.openai.com/v1"),
    ("http://192.168.1.5:8080", EndpointFault.PLAIN_HTTP, "https://192.168.1.5:8080"),
    ("http://127.0.0.1.nip.example", EndpointFault.PLAIN_HTTP, "https://127.0.0.1.nip.example"),
    ("http://[::ffff:127.0.0.1]", EndpointFault.PLAIN_HTTP, "https://[::ffff:127.0.0.1]"),
]


@pytest.mark.parametrize(("text", "fault", "suggestion"), REFUSED)
def test_refused_with_a_way_to_mend(text: str | None, fault: EndpointFault, suggestion: str | None) -> None:
    problem = read_endpoint(text)
    assert isinstance(problem, EndpointProblem)
    assert (problem.fault, problem.suggestion) == (fault, suggestion)
    assert problem.text
    assert problem.mend
    assert "hunter2" not in repr(problem)


@pytest.mark.parametrize("text", [case[2] for case in REFUSED if case[2]])
def test_what_is_suggested_is_accepted(text: str) -> None:
    assert isinstance(read_endpoint(text), Endpoint)


@pytest.mark.parametrize("text", ["http://192.168.1.5:8080", "http://box.lan:8080/v1", "http://localhost:1"])
def test_a_provider_marked_local_may_use_plain_http(text: str) -> None:
    assert isinstance(read_endpoint(text, local=True), Endpoint)


def test_local_does_not_allow_the_rest() -> None:
    assert isinstance(read_endpoint("http://u:p@192.168.1.5", local=True), EndpointProblem)
    assert isinstance(read_endpoint("ftp://192.168.1.5", local=True), EndpointProblem)


@pytest.mark.parametrize(
    ("base", "path", "url"),
    [
        ("https://h.example", "/v1/messages", "https://h.example/v1/messages"),
        ("https://h.example/", "v1/messages", "https://h.example/v1/messages"),
        ("https://h.example/v1", "/v1/messages", "https://h.example/v1/messages"),
        ("https://h.example/v1/", "//chat/completions", "https://h.example/v1/chat/completions"),
        ("https://h.example/api/v2", "/v2/x", "https://h.example/api/v2/x"),
        ("https://h.example/v1beta", "/v1/x", "https://h.example/v1beta/v1/x"),
        ("https://h.example/team", "/v1/models", "https://h.example/team/v1/models"),
        ("http://[::1]:80", "/api/chat", "http://[::1]:80/api/chat"),
    ],
)
def test_join(base: str, path: str, url: str) -> None:
    endpoint = read_endpoint(base)
    assert isinstance(endpoint, Endpoint)
    assert endpoint.join(path) == url


def test_sibling_adds_or_removes_the_version() -> None:
    endpoint = read_endpoint("http://127.0.0.1:8080")
    assert isinstance(endpoint, Endpoint)
    assert endpoint.sibling().url == "http://127.0.0.1:8080/v1"
    assert endpoint.sibling().sibling() == endpoint


@pytest.mark.parametrize(
    ("host", "is_it"), [("127.0.0.1", True), ("::1", True), ("localhost", False), ("10.0.0.1", False)]
)
def test_literal_loopback(host: str, is_it: bool) -> None:
    assert is_literal_loopback(host) is is_it


@given(st.text(max_size=80) | st.text("https:/@.?#[]1v%\\ ", max_size=40).map("https://".__add__))
def test_any_text_gives_an_endpoint_or_a_problem(text: str) -> None:
    endpoint = read_endpoint(text)
    if isinstance(endpoint, Endpoint):
        assert endpoint.scheme == "https" or endpoint.is_loopback
        assert isinstance(read_endpoint(endpoint.url), Endpoint)
