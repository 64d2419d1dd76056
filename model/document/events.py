"""The parser's events, with the parser's complaints turned into ours.

libyaml's C parser gives exact places (YAML-STUDY §4); where PyYAML was built without it, the pure parser gives
the same places, ten times slower.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import AliasEvent as Alias
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

from model.document.errors import Invalid, Refused

try:
    from yaml.cyaml import CParser as _Parser  # type: ignore[attr-defined]  # the stubs do not list it
except ImportError:  # PyYAML without libyaml
    from yaml.parser import Parser as _ParserMixin
    from yaml.reader import Reader as _Reader
    from yaml.scanner import Scanner as _Scanner

    class _Parser(_Reader, _Scanner, _ParserMixin):  # type: ignore[no-redef]
        def __init__(self, stream: str) -> None:
            _Reader.__init__(self, stream)
            _Scanner.__init__(self)
            _ParserMixin.__init__(self)


__all__ = [
    "Alias",
    "DocumentEndEvent",
    "DocumentStartEvent",
    "Event",
    "MappingEndEvent",
    "MappingStartEvent",
    "ScalarEvent",
    "SequenceEndEvent",
    "SequenceStartEvent",
    "events",
    "line_and_column",
    "parser_of",
]


def events(text: str) -> Iterator[Any]:
    """All events of the text. Raises Invalid where it is not YAML, Refused where the parser gives up."""
    with parser_of(text) as parser:
        yield from iter(parser.get_event, None)


@contextmanager
def parser_of(text: str) -> Iterator[Any]:
    """A parser whose `get_event` gives one event after the other, None at the end. Raises as `events`."""
    try:
        yield _Parser(text)
    except YAMLError as error:
        raise _invalid(text, error) from None
    except (RecursionError, OverflowError) as error:
        raise Refused(f"the parser gives up: {error}", reason_code="depth") from None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of a character offset."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - start + 1


def _invalid(text: str, error: YAMLError) -> Invalid:
    if isinstance(error, MarkedYAMLError):
        unfinished_key = error.context == "while scanning a simple key"
        mark: Any = error.context_mark if unfinished_key else error.problem_mark or error.context_mark
        what = " ".join(filter(None, (error.context, error.problem)))
        return Invalid(f"not YAML: {what}", line=mark.line + 1, column=mark.column + 1)
    if isinstance(error, ReaderError):
        return _bad_character(text)
    return Invalid(f"not YAML: {error}")


_BAD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]")


def _bad_character(text: str) -> Invalid:
    found = _BAD_CHARACTER.search(text)
    if not found:
        return Invalid("not YAML: a character that YAML does not allow")
    line, column = line_and_column(text, found.start())
    return Invalid(
        f"not YAML: character U+{ord(found[0]):04X} is not allowed",
        line=line,
        column=column,
        help="remove it, or write it as an escape inside double quotes",
    )
