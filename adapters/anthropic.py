"""Anthropic Messages: https://api.anthropic.com and servers that speak like it."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import quote

from adapters.base import find_listed
from adapters.contract import TokenCount
from adapters.conversion.canonical import CanonicalRequest
from adapters.conversion.completion import count
from adapters.conversion.target import NEWEST_ANTHROPIC_VERSION, Dialect
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.http import BEARER, X_API_KEY, KeyHeader
from adapters.http_adapter import HttpAdapter, Wire
from adapters.listing import ListedModel, anthropic_model, openai_model, read_rows
from adapters.tokens import estimate_request
from model.vocabulary import TokenizerFamily

OLDEST_VERSION = "2023-06-01"
"""The version that every server speaking this Api knows."""
_PAGE = {"limit": "1000"}


class AnthropicAdapter(HttpAdapter):
    """Anthropic's own endpoint. Version 2026-10-21 refuses temperature, top_p and top_k even at their defaults."""

    wire: ClassVar = Wire(models="/v1/models", completions="/v1/messages")
    dialect: ClassVar = Dialect(anthropic_version=NEWEST_ANTHROPIC_VERSION)
    key_headers: ClassVar[tuple[KeyHeader, ...]] = (X_API_KEY,)

    async def listed(self) -> tuple[ListedModel, ...]:
        pages = await self._pages(_PAGE, "after_id")
        rows = [row for page in pages for row in read_rows(page, "data")]
        return tuple(model for row in rows if (model := self._model(row)))

    async def look_up(self, model_id: str) -> ListedModel:
        """By id or alias. After a 404 the list is asked: some servers have no such path, and it names the nearest."""
        refused: Failure
        try:
            found = anthropic_model(await self._get(f"{self.wire.models}/{quote(model_id, safe='')}"))
        except ProviderError as error:
            refused = error.failure
        else:
            if found:
                return found
            refused = failure(FailureKind.MALFORMED)
        if refused.kind in {FailureKind.NOT_FOUND, FailureKind.MODEL_NOT_FOUND}:
            return find_listed(model_id, await self.listed())
        raise ProviderError(refused)

    async def count(self, request: CanonicalRequest, family: TokenizerFamily = TokenizerFamily.CLAUDE) -> TokenCount:
        """The endpoint's own count; an estimate where there is no such endpoint."""
        body = dict(self._body(self._convert(request, self.target(request.model_id), stream=False)))
        for name in _NOT_COUNTED:
            body.pop(name, None)
        missing: Failure
        try:
            answer = await self._post(f"{self.wire.completions}/count_tokens", body)
        except ProviderError as error:
            missing = error.failure
        else:
            tokens = count(answer, "input_tokens")
            if tokens is not None:
                return TokenCount(tokens)
            missing = failure(FailureKind.NOT_FOUND)
        if missing.kind is FailureKind.NOT_FOUND:
            return estimate_request(request, family)
        raise ProviderError(missing)

    def _model(self, row: object) -> ListedModel | None:
        return self._channel.redactor.clean(anthropic_model(row)) if isinstance(row, dict) else None


_NOT_COUNTED = ("max_tokens", "stream", "metadata", "stop_sequences", "temperature", "top_p", "top_k", "service_tier")


class AnthropicCompatibleAdapter(AnthropicAdapter):
    """Another server's endpoint for Anthropic messages: the old version, and the key in both usual headers."""

    dialect: ClassVar = Dialect(anthropic_version=OLDEST_VERSION)
    key_headers: ClassVar = (X_API_KEY, BEARER)

    def _model(self, row: object) -> ListedModel | None:
        """Lists there are often in OpenAI's shape."""
        if not isinstance(row, dict):
            return None
        read = anthropic_model if row.get("type") == "model" else openai_model
        return self._channel.redactor.clean(read(row))
