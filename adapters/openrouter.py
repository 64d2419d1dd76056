"""OpenRouter: chat completions in front of many providers, and the richest of the model lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adapters.conversion.target import Converted
from adapters.http_adapter import Wire
from adapters.listing import ListedModel, openrouter_model, read_rows
from adapters.openai import OpenAICompatibleAdapter


class OpenRouterAdapter(OpenAICompatibleAdapter):
    """It may route a request to a provider that ignores tools or a schema, unless told that all parameters count."""

    wire: ClassVar = Wire(models="/models", completions="/chat/completions", guarded="/key")

    async def listed(self) -> tuple[ListedModel, ...]:
        rows = read_rows(await self._get(self.wire.models), "data")
        return tuple(self._channel.redactor.clean(model) for row in rows if (model := openrouter_model(row)))

    def _body(self, converted: Converted) -> Mapping[str, Any]:
        return {**super()._body(converted), "provider": {"require_parameters": True}}
