"""An answer in canonical form, whole or as a stream of events (Anthropic's Message and its stream)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any

from adapters.conversion.blocks import block_json
from adapters.conversion.canonical import Block, JsonObject, Message, Speaker, Text
from adapters.conversion.fields import CanonicalError
from model.conversion import Word
from model.quick_dataclass import dataclass


class BadAnswer(ValueError):
    """A provider's answer that is not of its Api's form: where in it, and what was expected. Never its content."""


class Truncated(ValueError):
    """A stream that ended without its end mark: what came is not a whole answer."""


class StopReason(StrEnum):
    """Anthropic's words; `other` for one that nobody here knows."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_USE = "tool_use"
    PAUSE_TURN = "pause_turn"
    REFUSAL = "refusal"
    CONTEXT_EXCEEDED = "model_context_window_exceeded"
    OTHER = "other"

    @classmethod
    def of(cls, word: object) -> StopReason:
        return next((reason for reason in cls if reason == word), cls.OTHER)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None = it did not say. `input_tokens` leaves out what the cache gave."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_written_tokens: int | None = None
    thinking_tokens: int | None = None

    def over(self, earlier: Usage) -> Usage:
        """This one where it says something, else the earlier one (streams tell the counts in two parts)."""
        names = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_written_tokens", "thinking_tokens")
        said = {name: value for name in names if (value := getattr(self, name)) is not None}
        return replace(earlier, **said)

    def plus(self, other: Usage) -> Usage:
        """Both together. The main counts are known only where both say them; of the others silence means none."""
        return Usage(
            _both(self.input_tokens, other.input_tokens),
            _both(self.output_tokens, other.output_tokens),
            _either(self.cache_read_tokens, other.cache_read_tokens),
            _either(self.cache_written_tokens, other.cache_written_tokens),
            _either(self.thinking_tokens, other.thinking_tokens),
        )

    def to_json(self) -> dict[str, Any]:
        """Anthropic's form, in which the two main counts are always there."""
        cache = {
            "cache_read_input_tokens": self.cache_read_tokens,
            "cache_creation_input_tokens": self.cache_written_tokens,
        }
        counts = {"input_tokens": self.input_tokens or 0, "output_tokens": self.output_tokens or 0}
        return counts | {name: count for name, count in cache.items() if count is not None}


def _both(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _either(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer. `words` says what of it was not carried (hidden thinking, mostly)."""

    id: str
    model: str
    content: tuple[Block, ...]
    stop_reason: StopReason
    stop_sequence: str | None = None
    usage: Usage = field(default_factory=Usage)
    words: tuple[Word, ...] = ()

    @property
    def text(self) -> str:
        """What is said in it, without thinking and calls."""
        return "".join(block.text for block in self.content if isinstance(block, Text))

    @property
    def message(self) -> Message:
        """The answer as the next message of the conversation."""
        return Message(Speaker.ASSISTANT, self.content)

    def to_json(self) -> dict[str, Any]:
        """A Message of Anthropic's Api; an unknown stop reason is null there."""
        return {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block_json(block) for block in self.content],
            "stop_reason": stop_json(self.stop_reason),
            "stop_sequence": self.stop_sequence,
            "usage": self.usage.to_json(),
        }


def stop_json(reason: StopReason) -> str | None:
    return None if reason is StopReason.OTHER else reason.value


def reading(read: Callable[[], Any]) -> Any:
    """Runs a reader of a provider's JSON; what it refuses is a bad answer. Raises BadAnswer."""
    try:
        return read()
    except CanonicalError as error:
        raise BadAnswer(str(error)) from None
    except RecursionError:
        raise BadAnswer("the answer nests too deep") from None


def count(value: object, name: str) -> int | None:
    """A token count out of a usage object that may lack it, or lack altogether."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def inner(value: object, name: str) -> JsonObject:
    """An object inside an object; {} where there is none."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}
