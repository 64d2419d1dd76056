"""Ollama's own Api: /api/chat as lines of JSON, /api/tags, and /api/show for what a model can do."""

from __future__ import annotations

from typing import ClassVar

from adapters.conversion.target import Dialect
from adapters.errors import Failure, FailureKind, ProviderError
from adapters.http import BEARER, KeyHeader
from adapters.http_adapter import Framing, HttpAdapter, Wire
from adapters.listing import ListedModel, ollama_show, ollama_tag, read_rows
from adapters.ndjson import LineDecoder


class OllamaAdapter(HttpAdapter):
    """A model's row needs one /api/show each, so that `listed` tells names only and `look_up` tells all."""

    wire: ClassVar = Wire(
        models="/api/tags",
        completions="/api/chat",
        media_types=("application/x-ndjson", "application/ndjson", "application/jsonl"),
    )
    dialect: ClassVar = Dialect(image_urls=False)
    key_headers: ClassVar[tuple[KeyHeader, ...]] = (BEARER,)

    async def listed(self) -> tuple[ListedModel, ...]:
        rows = read_rows(await self._get(self.wire.models), "models")
        return tuple(self._channel.redactor.clean(model) for row in rows if (model := ollama_tag(row)))

    async def look_up(self, model_id: str) -> ListedModel:
        """Ollama takes `name` for `name:latest`; the list's spelling is given back where it has one."""
        refused: Failure
        try:
            shown = await self._post("/api/show", {"model": model_id})
            return self._channel.redactor.clean(ollama_show(model_id, shown))
        except ProviderError as error:
            refused = error.failure
        if refused.kind in {FailureKind.NOT_FOUND, FailureKind.MODEL_NOT_FOUND}:
            return await super().look_up(model_id)
        raise ProviderError(refused)

    def _framing(self) -> Framing:
        return LineDecoder(self._channel.limits)
