"""A request in canonical form, read from a file: its JSON, and where each of its messages comes from."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from model.quick_dataclass import dataclass
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from adapters.conversion import CanonicalError, CanonicalRequest, Origin, SourcedMessage

MOST_BYTES = 64 * 1024 * 1024
"""The longest file that is read: images stand in it as base64."""
_CUT_OFF = frozenset({"aborted", "error"})


@dataclass(frozen=True, slots=True)
class Given:
    """`history` is empty where no message says by which Api it was made."""

    request: CanonicalRequest
    history: tuple[SourcedMessage, ...] = ()


def read_given(file: str, origin: Origin) -> Given:
    """The request in `file` (`-` is standard input), for the model of `origin`. Raises Failure with the place."""
    from adapters.conversion import CanonicalError, parse_request

    value = _parsed(_read(file), file)
    if isinstance(value, list):
        value = {"messages": value}
    if isinstance(value, dict):
        value = {**value, "model": origin.model_id}
    try:
        request = parse_request(value)
        return Given(request, _history(value["messages"], request, origin))
    except CanonicalError as error:
        _refuse(error, file)


def _read(file: str) -> bytes:
    if file == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        with Path(file).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Failure("request-unreadable", f"it has more than {MOST_BYTES:,} bytes", file=file)
    return data


def _parsed(data: bytes, file: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Failure("request-invalid", f"not JSON: {error.msg}", _HELP, file, error.lineno, error.colno) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Failure("request-invalid", "not UTF-8", _HELP, file, line, None) from None
    except RecursionError:
        raise Failure("request-invalid", "it nests too deep", _HELP, file) from None
    except ValueError as error:
        raise Failure("request-invalid", f"not JSON: {error}", _HELP, file) from None


_HELP = 'a body of Anthropic\'s Messages API is expected: {"messages": [{"role": "user", "content": "…"}]}'


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _refuse(error: CanonicalError, file: str) -> NoReturn:
    places = [] if error.message_index is None else [f"messages[{error.message_index}]"]
    places += [] if error.block_index is None else [f"content[{error.block_index}]"]
    raise Failure(
        "request-invalid", str(error), "message and block count from 0", file, path=".".join(places)
    ) from None


def _history(values: Sequence[Any], request: CanonicalRequest, target: Origin) -> tuple[SourcedMessage, ...]:
    """Messages may carry `api`, `provider` and `model` of whoever made them. What a user said was said to whoever
    answered next, else to whoever answered before."""
    from adapters.conversion import SourcedMessage

    stated = [_origin(value, index) for index, value in enumerate(values)]
    if not any(stated):
        return ()
    origins = _filled(_filled(stated[::-1])[::-1])
    return tuple(
        SourcedMessage(message, origin or target, value.get("stopReason") in _CUT_OFF)
        for message, origin, value in zip(request.messages, origins, values, strict=True)
    )


def _filled(origins: Sequence[Origin | None]) -> list[Origin | None]:
    """Where none is stated, the one before."""
    filled: list[Origin | None] = []
    for origin in origins:
        filled.append(origin or (filled[-1] if filled else None))
    return filled


def _origin(value: Mapping[str, Any], index: int) -> Origin | None:
    from adapters.conversion import CanonicalError, Origin
    from adapters.conversion.fields import Place
    from model.vocabulary import Api

    word = value.get("api")
    if word is None:
        return None
    if word not in tuple(Api):
        raise CanonicalError(Place(index, inside="api"), f"one of {', '.join(Api)}", word)
    provider, model = (value.get(name) for name in ("provider", "model"))
    return Origin(str(provider or ""), Api(word), str(model or ""))
