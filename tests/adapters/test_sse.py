"""Event streams after the HTML standard, whole, byte by byte and cut at every position, and their limits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.errors import FailureKind, ProviderError
from adapters.limits import Limits
from adapters.ndjson import LineDecoder
from adapters.sse import EventDecoder, ServerEvent


def event(data: str, name: str = "message", last_id: str = "") -> ServerEvent:
    return ServerEvent(name, data, last_id)


BIG = "x" * 2**20
CASES: dict[str, tuple[bytes | str, list[ServerEvent]]] = {
    "two events": ("data: a\n\ndata: b\n\n", [event("a"), event("b")]),
    "byte-order mark": (b"\xef\xbb\xbfdata:1\n\ndata:2\n\n", [event("1"), event("2")]),
    "only one mark is taken off": (b"\xef\xbb\xbf\xef\xbb\xbfdata:1\n\ndata:2\n\n", [event("2")]),
    "mixed line ends": ("data:t\r\ndata\ndata:t\r\n\r\n", [event("t\n\nt")]),
    "CR alone": ("data:a\rdata:b\r\rdata:c\r\r", [event("a\nb"), event("c")]),
    "CR LF": ("event: x\r\ndata: y\r\n\r\n", [event("y", "x")]),
    "empty data": ("data:\n\ndata\ndata\n\ndata:t\n\n", [event(""), event("\n"), event("t")]),
    "data on many lines": ("data: a\ndata: b\ndata:\ndata: c\n\n", [event("a\nb\n\nc")]),
    "comments": (":\n: x\ndata: 1\n:\n:data: no\ndata: 2\n: end\n\n:\n\n", [event("1\n2")]),
    "keep-alive comments": (": PROCESSING\n\n: PROCESSING\n\ndata: {}\n\n", [event("{}")]),
    "no data, no event": ("event: ping\n\ndata: a\n\n", [event("a")]),
    "the name is forgotten": ("event: x\ndata: 1\n\ndata: 2\n\n", [event("1", "x"), event("2")]),
    "an empty name": ("event: \ndata: d\n\n", [event("d")]),
    "one blank after the colon": ("data:\tt\ndata:  two\ndata: \ndata:x\n\n", [event("\tt\n two\n\nx")]),
    "blank before the field": (" data: no\ndata: yes\n\n", [event("yes")]),
    "unknown fields": ("Data: no\ndatax: no\nfoo: bar\nfoo\ndata: 1\n\n", [event("1")]),
    "a field without a colon": ("data\n\n", [event("")]),
    "colons in the value": ("data: a: b:c\n\n", [event("a: b:c")]),
    "no blank line at the end": ("data: a\n\ndata: b\n", [event("a")]),
    "no line end at the end": ("data: a\n\ndata: b", [event("a")]),
    "a mark that no blank line ends": ("data: a\n\ndata: [DONE]", [event("a")]),
    "ids last, NUL in one is ignored": (
        "id: 1\ndata: a\n\ndata: b\n\nid: 2\x00\ndata: c\n\nid\ndata: d\n\n",
        [event("a", last_id="1"), event("b", last_id="1"), event("c", last_id="1"), event("d")],
    ),
    "an id alone": ("id: 7\n\ndata: a\n\n", [event("a", last_id="7")]),
    "retry alone": ("retry: 1000\n\ndata: a\n\nretry: 10x\n\n", [event("a")]),
    "NUL in data": ("data: a\x00b\n\n", [event("a\x00b")]),
    "UTF-8": ("data: ünï ☃ 🙂 \n\n", [event("ünï ☃ 🙂 ")]),
    "broken UTF-8": (b"data: a\xffb\xc3\n\n", [event("a\ufffdb\ufffd")]),
    "other line ends end no line": (
        "data: a\u2028b\u0085c\x0bd\x0ce\x1cf\n\n",
        [event("a\u2028b\u0085c\x0bd\x0ce\x1cf")],
    ),
    "many blank lines": ("\n\n\n\ndata: a\n\n\n\n\n", [event("a")]),
    "a line of 1 MiB": (f"data: {BIG}\n\n", [event(BIG)]),
    "names and JSON": (
        'event: ping\ndata: {"type": "ping"}\n\nevent: error\ndata: {"type":"error"}\n\n',
        [event('{"type": "ping"}', "ping"), event('{"type":"error"}', "error")],
    ),
}


def read(pieces: list[bytes]) -> list[ServerEvent]:
    decoder = EventDecoder(max_event_bytes=2 * 2**20)
    return [found for piece in pieces for found in decoder.feed(piece)]


@pytest.mark.parametrize("name", CASES)
def test_whole_and_cut_everywhere(name: str) -> None:
    text, expected = CASES[name]
    data = text if isinstance(text, bytes) else text.encode()
    assert read([data]) == expected
    if len(data) > 1000:
        assert read([data[i : i + 4096] for i in range(0, len(data), 4096)]) == expected
        return
    assert read([data[i : i + 1] for i in range(len(data))]) == expected
    for cut in range(len(data) + 1):
        assert read([data[:cut], data[cut:]]) == expected, cut


def by_the_standard(data: bytes) -> list[ServerEvent]:
    """The standard's steps, plainly, over the whole text at once."""
    text = data.decode("utf-8", "replace")
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))[:-1]
    found, name, last_id, values = [], "", "", list[str]()
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if values:
                found.append(event("\n".join(values), name or "message", last_id))
            name, values = "", []
        elif field == "data":
            values.append(value)
        elif field == "event":
            name = value
        elif field == "id" and "\0" not in value:
            last_id = value
    return found


ALPHABET = st.sampled_from(
    [
        b"data",
        b"event",
        b"id",
        b"retry",
        b":",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"x",
        b"\xc3",
        b"\xa9",
        b"\xef\xbb\xbf",
    ]
)


@given(st.lists(ALPHABET, max_size=40), st.data())
def test_any_stream_reads_as_the_standard_says(parts: list[bytes], draw: st.DataObject) -> None:
    data = b"".join(parts)
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=6)))
    pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert read(pieces) == by_the_standard(data)


def overflow(data: bytes, step: int) -> FailureKind:
    decoder = EventDecoder(Limits(event_bytes=1000))
    pieces = (data[start : start + step] for start in range(0, len(data), step))
    with pytest.raises(ProviderError) as caught:
        list(map(decoder.feed, pieces))
    return caught.value.kind


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_an_event_over_the_limit_is_an_overflow(step: int) -> None:
    assert overflow(b"data: " + b"x" * 2000, step) is FailureKind.OVERFLOW
    assert overflow(b"data: x\n" * 200, step) is FailureKind.OVERFLOW
    assert overflow(b":" + b"x" * 2000, step) is FailureKind.OVERFLOW


def test_an_event_of_exactly_the_limit_is_read() -> None:
    assert EventDecoder(Limits(event_bytes=1000)).feed(b"data:" + b"x" * 995 + b"\n\n") == [event("x" * 995)]


def test_comments_and_single_bytes_take_linear_time() -> None:
    decoder = EventDecoder()
    assert decoder.feed(b": keep-alive\n\n" * 60_000) == []
    for _ in range(100_000):
        assert decoder.feed(b"x") == []


def test_ndjson_is_cut_at_line_feeds_only() -> None:
    data = '{"a": "x\u2028y\u0085z"}\r\n\n  \n{"b": 1}\n{"c": 2}'.encode()
    for cut in range(len(data) + 1):
        decoder = LineDecoder()
        lines = [*decoder.feed(data[:cut]), *decoder.feed(data[cut:]), *decoder.end()]
        assert [line.data.strip() for line in lines] == ['{"a": "x\u2028y\u0085z"}', '{"b": 1}', '{"c": 2}']


def test_ndjson_limits() -> None:
    with pytest.raises(ProviderError) as caught:
        LineDecoder(Limits(event_bytes=10)).feed(b"x" * 11)
    assert caught.value.kind is FailureKind.OVERFLOW
    with pytest.raises(ProviderError) as caught:
        LineDecoder().feed(b"\xff\n")
    assert caught.value.kind is FailureKind.MALFORMED
