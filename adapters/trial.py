"""One prompt, sent once to one model: the answer as it comes, and what it took. No tool is ever executed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import field, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum

from adapters.contract import ProviderAdapter
from adapters.conversion.canonical import Block, CanonicalRequest, JsonAnswer, Message, Speaker, Text, Thinking, ToolUse
from adapters.conversion.completion import BadAnswer, Completion, Usage
from adapters.conversion.events import Assembly, BlockStart, InputDelta, StreamEvent, TextDelta, ThinkingDelta
from adapters.conversion.target import Converted, Target
from adapters.errors import Failure, FailureKind, ProviderError, failure
from adapters.redaction import Redactor, StreamRedactor
from model.config.merge import Provider
from model.latency import FirstToken
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import ResolvedModel
from model.vocabulary import Capability, ProviderKind

ANSWER_TOKENS = 1024
"""The longest answer that a trial asks for unless told otherwise, in tokens: enough to judge by, and it is paid for."""

PATIENCE_SECONDS = 120.0
"""How long a trial may take as a whole: somebody watches it and can cancel it."""

Clock = Callable[[], float]
"""Seconds; only differences count."""


def prompt_request(
    row: ResolvedModel,
    prompt: str,
    *,
    system: str = "",
    max_output_tokens: int = ANSWER_TOKENS,
    answer: JsonAnswer | None = None,
) -> CanonicalRequest:
    """One user's turn; streamed unless the model is known not to stream. `answer`: only JSON will do."""
    most = row.max_output_tokens.value or max_output_tokens
    return CanonicalRequest(
        model_id=row.ref.model_id,
        messages=(Message(Speaker.USER, (Text(prompt),)),),
        system=(Text(system),) if system else (),
        max_output_tokens=min(most, max_output_tokens),
        stream=Capability.STREAMING not in row.no,
        answer=answer,
    )


class PieceKind(StrEnum):
    TEXT = "text"
    THINKING = "thinking"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some more of the answer: foreign text. A call's first piece is the tool's name, the others its arguments."""

    kind: PieceKind
    text: str


class Ending(StrEnum):
    """How a trial ended."""

    DONE = "done"
    BLOCKED = "blocked"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a trial took. Times in seconds since it was sent; None = it did not come to that, or nobody counted."""

    ending: Ending
    seconds: float
    first_token_seconds: float | None = None
    tokens_per_second: float | None = None
    completion: Completion | None = None
    failure: Failure | None = None

    @property
    def usage(self) -> Usage:
        return self.completion.usage if self.completion else Usage()

    @property
    def text(self) -> str:
        """What was said, as far as it came."""
        return self.completion.text if self.completion else ""


@dataclass(slots=True)
class Meter:
    """Watches the events of one answer go by. A rate is told over the time after the first token, so that it does not
    hold the wait for it."""

    clock: Clock = time.perf_counter
    _assembly: Assembly = field(default_factory=Assembly, init=False)
    _whole: Completion | None = field(default=None, init=False)
    _start: float = field(default=0.0, init=False)
    _first: float | None = field(default=None, init=False)
    _last: float = field(default=0.0, init=False)

    def start(self) -> None:
        self._start = self.clock()

    @property
    def first_token_seconds(self) -> float | None:
        return None if self._first is None else self._first - self._start

    def take(self, event: StreamEvent) -> Piece | None:
        """What of the event is to be shown. Raises BadAnswer."""
        self._assembly.add(event)
        piece = _shown(event)
        if piece and piece.text:
            self._tick()
            return piece
        return None

    def take_whole(self, completion: Completion) -> Iterator[Piece]:
        """An answer that came in one piece."""
        self._whole = completion
        self._tick()
        return (piece for block in completion.content for piece in _pieces(block))

    def _tick(self) -> None:
        self._last = self.clock()
        if self._first is None:
            self._first = self._last

    def read(self, ending: Ending, problem: Failure | None = None) -> Reading:
        """Where it stands now; of a broken answer there is a completion as far as it came."""
        completion = self._so_far()
        tokens = completion.usage.output_tokens if completion else None
        return Reading(
            ending,
            self.clock() - self._start,
            self.first_token_seconds,
            self._rate(tokens) if ending is Ending.DONE else None,
            completion,
            problem,
        )

    def completion(self) -> Completion:
        """The whole answer, once it is there. Raises BadAnswer."""
        return self._whole or self._assembly.completion()

    def _so_far(self) -> Completion | None:
        if self._whole is not None or self._first is None:
            return self._whole
        try:
            return self.completion()
        except BadAnswer:
            return None

    def _rate(self, tokens: int | None) -> float | None:
        spent = self._last - self._first if self._first is not None else 0.0
        return (tokens - 1) / spent if tokens and tokens > 1 and spent > 0 else None


async def attempt(
    adapter: ProviderAdapter,
    converted: Converted,
    target: Target,
    meter: Meter,
    redactor: Redactor,
    show: Callable[[Piece], None],
) -> Reading:
    """Sends it once and shows the answer as it comes; the adapter stays open. Never raises ProviderError.

    A task that is cancelled here ends with a reading: what came by then is worth telling. The socket is closed first.
    """
    veil = _Veil(redactor, show)
    meter.start()
    try:
        async with aclosing(_pieces_of(adapter, converted, target, meter)) as pieces:
            async for piece in pieces:
                veil.show(piece)
    except ProviderError as error:
        reading = meter.read(Ending.BLOCKED if error.kind is FailureKind.BLOCKED else Ending.FAILED, error.failure)
    except BadAnswer as error:
        reading = meter.read(Ending.FAILED, failure(FailureKind.MALFORMED, redactor(str(error))))
    except asyncio.CancelledError:
        reading = meter.read(Ending.CANCELLED)
    else:
        reading = meter.read(Ending.DONE)
    veil.lift()
    return reading


class _Veil:
    """Hides secrets in pieces, even one that is cut between two of them; adapters of plugins hide none."""

    def __init__(self, redactor: Redactor, show: Callable[[Piece], None]) -> None:
        self._redactor, self._show = redactor, show
        self._kind: PieceKind | None = None
        self._stream = StreamRedactor(redactor)

    def show(self, piece: Piece) -> None:
        if piece.kind is not self._kind:
            self.lift()
            self._kind = piece.kind
        if words := self._stream.feed(piece.text):
            self._show(replace(piece, text=words))

    def lift(self) -> None:
        """Shows what was held back since it might have begun a secret."""
        if self._kind is not None and (rest := self._stream.end()):
            self._show(Piece(self._kind, rest))


async def _pieces_of(
    adapter: ProviderAdapter, converted: Converted, target: Target, meter: Meter
) -> AsyncGenerator[Piece, None]:
    if not converted.request.stream:
        for piece in meter.take_whole(await adapter.answer(converted, target)):
            yield piece
        return
    async with aclosing(adapter.send(converted, target)) as events:
        async for event in events:
            if more := meter.take(event):
                yield more


def first_token_of(
    adapter: ProviderAdapter, converted: Converted, ref: ModelRef, reading: Reading, today: date
) -> FirstToken | None:
    """What a trial observed of the model, to be kept. None of an answer that was made up, that came in one piece, or
    that failed."""
    seconds, failed = reading.first_token_seconds, reading.ending in {Ending.BLOCKED, Ending.FAILED}
    if seconds is None or failed or adapter.is_offline or not converted.request.stream:
        return None
    return FirstToken.after(seconds, ref, adapter.settings.url, today)


def cost_at(provider: Provider, model_id: str, usage: Usage) -> Decimal | None:
    """USD by the dated price table; 0 on a server of the user's own, None where the price or the count is not known.

    Loads the price table when first asked: a third of a second, so ask beside the screen's work.
    """
    from adapters.prices import cost_of

    if provider.local:
        return Decimal(0)
    return cost_of(provider.kind or ProviderKind.CUSTOM, model_id, usage, provider.effective_base_url)


def _shown(event: StreamEvent) -> Piece | None:
    match event:
        case TextDelta():
            return Piece(PieceKind.TEXT, event.text)
        case ThinkingDelta():
            return Piece(PieceKind.THINKING, event.thinking)
        case InputDelta():
            return Piece(PieceKind.CALL, event.partial_json)
        case BlockStart():
            return next(_pieces(event.block), None)
        case _:
            return None


def _pieces(block: Block) -> Iterator[Piece]:
    match block:
        case Text():
            yield Piece(PieceKind.TEXT, block.text)
        case Thinking():
            yield Piece(PieceKind.THINKING, block.thinking)
        case ToolUse():
            yield Piece(PieceKind.CALL, block.name)
            yield Piece(PieceKind.CALL, json.dumps(block.input, ensure_ascii=False))
        case _:
            return
