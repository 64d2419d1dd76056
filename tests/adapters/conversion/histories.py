"""Random canonical requests: tame ones as a well-behaved client writes them, wild ones as anybody may.

Each piece of content carries a word of its own (`word-7-`), so that a test can ask where it went.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.adapters.conversion.build import PNG, WEATHER

IDS = st.sampled_from(["call_1", "call_2", "a|b", "a:b", "a.b", "x" * 70 + "1", "x" * 70 + "2", "é", "0"])
WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=6)
MARKS = st.sampled_from([{}, {}, {}, {"cache_control": {"type": "ephemeral"}}])


class _Writer:
    """Writes blocks; `draw` is hypothesis's."""

    def __init__(self, draw: Any, *, wild: bool) -> None:
        self._draw = draw
        self._wild = wild
        self._count = 0

    def word(self) -> str:
        self._count += 1
        return f"word-{self._count}-{self._draw(WORDS)}"

    def one_of(self, *makers: Any) -> Any:
        return self._draw(st.sampled_from(makers))()

    def marks(self) -> dict[str, Any]:
        return dict(self._draw(MARKS)) if self._wild else {}

    def text(self) -> dict[str, Any]:
        blank = self._wild and self._draw(st.booleans()) and self._draw(st.booleans())
        return {"type": "text", "text": " " if blank else self.word(), **self.marks()}

    def image(self) -> dict[str, Any]:
        self._count += 1
        data = f"{PNG[:12]}word-{self._count}-"
        return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}, **self.marks()}

    def pdf(self) -> dict[str, Any]:
        source = {"type": "base64", "media_type": "application/pdf", "data": self.word()}
        return {"type": "document", "source": source} | ({"title": self.word()} if self._draw(st.booleans()) else {})

    def note(self) -> dict[str, Any]:
        return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": self.word()}}

    def thinking(self) -> dict[str, Any]:
        signed = {"signature": self.word()} if self._draw(st.booleans()) else {}
        return {"type": "thinking", "thinking": self.word(), **signed}

    def redacted(self) -> dict[str, Any]:
        return {"type": "redacted_thinking", "data": self.word()}

    def server(self) -> dict[str, Any]:
        return {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": self.word()}}

    def unknown(self) -> dict[str, Any]:
        return {"type": "hologram", "data": self.word()}

    def call(self) -> dict[str, Any]:
        return {"type": "tool_use", "id": self._draw(IDS), "name": "weather", "input": {"city": self.word()}}

    def result(self, tool_id: str) -> dict[str, Any]:
        makers = (self.text, self.image) if self._wild else (self.text,)
        parts = [self.one_of(*makers) for _ in range(self._draw(st.integers(0, 2 if self._wild else 1)))]
        error = {"is_error": True} if self._draw(st.booleans()) else {}
        return {"type": "tool_result", "tool_use_id": tool_id, "content": parts, **error}


@st.composite
def wild(draw: Any) -> dict[str, Any]:
    """Any blocks that the roles allow, in any order; results match calls or do not."""
    writer = _Writer(draw, wild=True)
    messages = [_wild_message(draw, writer) for _ in range(draw(st.integers(1, 6)))]
    return {"model": "m", "max_tokens": 100, "messages": messages, "tools": [WEATHER]}


def _wild_message(draw: Any, writer: _Writer) -> dict[str, Any]:
    role = draw(st.sampled_from(["user", "user", "assistant", "assistant", "system"]))
    makers: dict[str, tuple[Any, ...]] = {
        "user": (writer.text, writer.image, writer.pdf, writer.note, writer.unknown, lambda: writer.result(draw(IDS))),
        "assistant": (
            writer.text,
            writer.call,
            writer.call,
            writer.thinking,
            writer.redacted,
            writer.server,
            writer.image,
            writer.pdf,
        ),
        "system": (writer.text,),
    }
    return {"role": role, "content": [writer.one_of(*makers[role]) for _ in range(draw(st.integers(0, 4)))]}


@st.composite
def tame(draw: Any) -> dict[str, Any]:
    """User and assistant in turn; images before one text; calls last, each answered first thing in the next turn."""
    writer = _Writer(draw, wild=False)
    messages: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 3))):
        messages.append(_user_turn(draw, writer, calls))
        calls = [writer.call() for _ in range(draw(st.integers(0, 3)))]
        messages.append({"role": "assistant", "content": [writer.text(), *calls]})
    messages.append(_user_turn(draw, writer, calls))
    body = {"model": "m", "max_tokens": draw(st.integers(1, 9999)), "messages": messages, "tools": [WEATHER]}
    return body | draw(_SETTINGS)


def _user_turn(draw: Any, writer: _Writer, calls: list[dict[str, Any]]) -> dict[str, Any]:
    images = [writer.image() for _ in range(draw(st.integers(0, 2)))]
    results = [writer.result(call["id"]) for call in calls]
    return {"role": "user", "content": [*results, *images, writer.text()]}


_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "system": st.just("Be brief."),
        "stream": st.booleans(),
        "stop_sequences": st.just(["x", "y"]),
        "output_config": st.just({"format": {"type": "json_schema", "schema": {"type": "object"}}}),
    },
)
