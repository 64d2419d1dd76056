"""Puts a piece that was read again into the data and the outline, with everything else the same objects as before."""

from __future__ import annotations

import marshal
from typing import Any

from model.document.outline import Outline
from model.document.window import Window


def patched_outline(outline: Outline, window: Window, piece: Outline, delta: int) -> Outline:
    """The outline after the window's entries became those of `piece`, whose offsets count from the window's start."""
    assert window.chain is not None
    return _patched(outline, window, window.chain, 0, piece, delta)


def _patched(
    outline: Outline, window: Window, chain: tuple[int, ...], base: int, piece: Outline, delta: int
) -> Outline:
    starts, children = outline.starts, outline.children
    if chain:
        index = chain[0]
        child = children[index]
        assert child is not None
        new = _patched(child, window, chain[1:], base + starts[index], piece, delta)
        starts = [*starts[: index + 1], *(start + delta for start in starts[index + 1 :])]
        return Outline(starts, outline.keys, [*children[:index], new, *children[index + 1 :]], outline.shares_line)
    first, last, shift = window.first, window.last, window.start - base
    keys = outline.keys
    return Outline(
        [*starts[:first], *(start + shift for start in piece.starts), *(start + delta for start in starts[last:])],
        None if keys is None else [*keys[:first], *(piece.keys or []), *keys[last:]],
        [*children[:first], *piece.children, *children[last:]],
        outline.shares_line if first else piece.shares_line,
    )


def patched_data(data: Any, outline: Outline, window: Window, piece: Any) -> Any:
    """The data after the window's entries became those of `piece`."""
    assert window.chain is not None
    return _patched_data(data, outline, window, window.chain, piece)


def _patched_data(data: Any, outline: Outline, window: Window, chain: tuple[int, ...], piece: Any) -> Any:
    if chain:
        index = chain[0]
        key = index if outline.keys is None else outline.keys[index]
        child = outline.children[index]
        assert child is not None
        new = _patched_data(data[key], child, window, chain[1:], piece)
        copy = data.copy()
        copy[key] = new
        return copy
    first, last = window.first, window.last
    if outline.keys is None:
        return [*data[:first], *shared(data[first:last], piece), *data[last:]]
    own = {key: data[key] for key in outline.keys[first:last]}
    piece = shared(own, piece)
    if list(piece) == list(own):
        return {**data, **piece}
    before = {key: data[key] for key in outline.keys[:first]}
    after = {key: data[key] for key in outline.keys[last:]}
    return {**before, **piece, **after}


def typed_bytes(data: Any) -> bytes:
    """Equal for equal data only, with types and the order of keys: `==` takes 1 for True."""
    return marshal.dumps(data, 0)


def shared(old: Any, new: Any) -> Any:
    """`new`, with every part that equals its counterpart in `old` being that very object."""
    if type(old) is not type(new):
        return new
    if isinstance(new, dict):
        mixed = {key: shared(old[key], value) if key in old else value for key, value in new.items()}
        same = len(old) == len(mixed) and all(a is b for a, b in zip(old.values(), mixed.values(), strict=True))
        return old if same and list(map(_typed, old)) == list(map(_typed, mixed)) else mixed
    if isinstance(new, list):
        return _shared_list(old, new)
    return old if old == new or old is new or (old != old and new != new) else new


def _typed(key: Any) -> tuple[type, Any]:
    return type(key), key


def _shared_list(old: list[Any], new: list[Any]) -> list[Any]:
    """Items are matched from the front, then from the back; what is left between is matched where it stands."""
    items = list(new)
    most = min(len(old), len(new))
    front = 0
    while front < most and (item := shared(old[front], new[front])) is old[front]:
        items[front] = item
        front += 1
    back = 0
    while back < most - front and (item := shared(old[-1 - back], new[-1 - back])) is old[-1 - back]:
        items[-1 - back] = item
        back += 1
    if len(old) == len(new):
        for index in range(front, len(new) - back):
            items[index] = shared(old[index], new[index])
    return old if front == len(old) == len(new) else items
