"""Whose service stands at an address, judged by the exact host and the wire that the tool speaks."""

from __future__ import annotations

import pytest

from adapters.imports.imported import Service
from adapters.imports.services import read_address, service_at, vendor_named
from model.vocabulary import Api, ProviderKind

K = ProviderKind


def at(vendor: str, url: str | None) -> Service:
    return service_at(vendor_named(vendor), None if url is None else read_address(url))


@pytest.mark.parametrize(
    ("vendor", "url", "service"),
    [
        ("openai", None, Service(K.OPENAI)),
        ("openai", "https://openrouter.ai/api/v1", Service(K.OPENROUTER)),
        ("openai", "https://openrouter.ai/api/v1/", Service(K.OPENROUTER)),
        ("openai", "https://openrouter.ai.evil.example/api/v1",
         Service(K.OPENAI_COMPATIBLE, "https://openrouter.ai.evil.example/api/v1")),
        ("openai", "https://api.anthropic.com/v1", Service(K.OPENAI_COMPATIBLE, "https://api.anthropic.com/v1")),
        ("claude", "https://api.anthropic.com/v1", Service(K.ANTHROPIC)),
        ("anthropic", "https://proxy.example/a", Service(K.ANTHROPIC_COMPATIBLE, "https://proxy.example/a")),
        ("ollama", "http://localhost:11434", Service(K.OLLAMA)),
        ("ollama", "http://10.0.0.5:11434", Service(K.OLLAMA, "http://10.0.0.5:11434")),
        ("gemini", None,
         Service(K.CUSTOM, "https://generativelanguage.googleapis.com/v1beta", Api.GOOGLE_GENERATIVE_AI)),
        ("openai", "https://generativelanguage.googleapis.com/v1beta/openai",
         Service(K.OPENAI_COMPATIBLE, "https://generativelanguage.googleapis.com/v1beta/openai")),
        ("cohere", "https://api.cohere.com/v2", Service(K.OPENAI_COMPATIBLE, "https://api.cohere.com/v2")),
        ("cohere", "https://api.cohere.ai/v2", Service(K.CUSTOM, "https://api.cohere.ai/v2")),
        ("nobody", "https://x.example/v1", Service(K.CUSTOM, "https://x.example/v1")),
        ("openai", "$BASE", Service(K.OPENAI_COMPATIBLE)),
        ("ollama", "${OLLAMA_HOST}", Service(K.CUSTOM, None, Api.OLLAMA_CHAT)),
    ],
)  # fmt: skip
def test_the_service_at_an_address(vendor: str, url: str | None, service: Service) -> None:
    assert at(vendor, url) == service


@pytest.mark.parametrize(
    ("url", "base_url", "why"),
    [
        ("http://localhost:1234/v1/", "http://127.0.0.1:1234/v1", "written as http://127.0.0.1:1234/v1"),
        ("http://llm.example.net:8080/v1", "http://llm.example.net:8080/v1", ""),
        ("https://api.example/v1/chat/completions", "https://api.example/v1", "written as https://api.example/v1"),
        ("https://me:pw12345@api.example/v1", None, "user name or password"),
        ("https://api.example/v1?key=abc123", None, "query"),
        ("os.environ/BASE", None, "out of a variable"),
        ("ftp://api.example", None, "https://"),
    ],
)
def test_an_address_as_it_may_stand(url: str, base_url: str | None, why: str) -> None:
    found = read_address(url)
    assert found.base_url == base_url
    assert why in found.why
    assert "pw12345" not in found.why
    assert "abc123" not in found.why
