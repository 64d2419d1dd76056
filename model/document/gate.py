"""The second reader: ruamel has to read each touched item as we do (YAML.md, Design 5).

It loads a hundred times slower than we read, so it sees the items that were touched and is asked once, at the save.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

from model.document.errors import Unsafe
from model.document.hunks import Hunk, moved_back
from model.document.outline import Outline
from model.document.patching import typed_bytes
from model.document.reading import LARGE, read
from model.document.window import window_of_span


def second_reading(
    origin: str, text: str, outline: Outline | None, end: int, document: int, hunks: Sequence[Hunk]
) -> None:
    """Raises Unsafe if ruamel reads a touched item otherwise than we do, though it agreed with us before the edits."""
    windows = {window_of_span(len(text), outline, end, hunk.new_start, hunk.new_end) for hunk in hunks}
    for window in sorted(windows, key=lambda window: window.start):
        index = 0 if window.chain is not None else document
        piece = text[window.start : window.end]
        if len(piece) >= LARGE or _agrees(piece, index):
            continue  # where so much has to be seen at once, the full proof stands alone
        if _agrees(origin[moved_back(hunks, window.start) : moved_back(hunks, window.end)], index):
            raise Unsafe("ruamel reads the edited text otherwise than it was meant")


def _agrees(piece: str, index: int) -> bool:
    """Not for equal keys, tabs behind a colon, aliases anchored elsewhere: there our proof stands alone."""
    try:
        ours = read(piece, document=index).data
        with warnings.catch_warnings(action="ignore"):  # it has opinions on floats
            theirs = list(_loader().load_all(io.StringIO(piece)))
    except Exception:  # ours, ruamel's, and whatever ruamel meets where it makes a value: `!!int ""` is an IndexError
        return False
    return typed_bytes(theirs[index] if index < len(theirs) else None) == typed_bytes(ours)


def _loader() -> Any:
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _constructor()
    yaml.composer.warn_double_anchors = False  # an anchor may be defined anew
    return yaml


@cache
def _constructor() -> Any:
    """Dates stay text and unknown tags are looked through, as in our reading."""
    from ruamel.yaml.constructor import SafeConstructor

    class Constructor(SafeConstructor):
        pass

    def opaque(constructor: Any, node: Any) -> Any:
        if isinstance(node.value, str):
            return node.value
        pairs = bool(node.value) and isinstance(node.value[0], tuple)
        build = constructor.construct_mapping if pairs else constructor.construct_sequence
        return build(node, deep=True)

    Constructor.add_constructor("tag:yaml.org,2002:timestamp", Constructor.construct_yaml_str)
    Constructor.add_constructor(None, opaque)
    return Constructor
