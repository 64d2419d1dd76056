"""OpenAI chat completions: https://api.openai.com/v1 and the many servers that speak like it."""

from __future__ import annotations

from typing import ClassVar

from adapters.conversion.target import Dialect, MaxTokensField
from adapters.http import BEARER, KeyHeader
from adapters.http_adapter import HttpAdapter, Wire
from adapters.listing import ListedModel, openai_model, read_rows


class OpenAIAdapter(HttpAdapter):
    """OpenAI's own endpoint. It has no free endpoint that counts tokens."""

    wire: ClassVar = Wire(models="/models", completions="/chat/completions")
    dialect: ClassVar = Dialect(max_tokens_field=MaxTokensField.MAX_COMPLETION_TOKENS)
    key_headers: ClassVar[tuple[KeyHeader, ...]] = (BEARER,)

    async def listed(self) -> tuple[ListedModel, ...]:
        pages = await self._pages({}, "after")
        rows = [row for page in pages for row in read_rows(page, "data")]
        return tuple(self._channel.redactor.clean(model) for row in rows if (model := openai_model(row)))


class OpenAICompatibleAdapter(OpenAIAdapter):
    """Another server's endpoint for chat completions: most know only `max_tokens`."""

    dialect: ClassVar = Dialect(max_tokens_field=MaxTokensField.MAX_TOKENS)
