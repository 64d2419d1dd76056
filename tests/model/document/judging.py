"""Judges one edit: was it right, and did it leave everything else alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from model.document import Delete, DocumentError, Edit, Insert, InsertItem, Move, Rename, Set, YamlDoc
from tests.model.document import oracle
from tests.model.document.random_edits import users


@dataclass(frozen=True, slots=True)
class Verdict:
    """`kind` is clean, wrong, collateral or refused."""

    kind: str
    detail: str = ""
    text: str = ""


def judge_ours(doc: YamlDoc, edit: Edit, *, by_ruamel: bool) -> Verdict:
    """Apply the edit with our code and judge the result."""
    try:
        edited = doc.apply(edit)
    except DocumentError as error:
        return Verdict("refused", str(error))
    return judge(doc, edit, edited.to_bytes().decode(), by_ruamel=by_ruamel)


def judge(doc: YamlDoc, edit: Edit, text: str, *, by_ruamel: bool = False) -> Verdict:
    """Whether `text` is what the edit should have made of the document."""
    old = doc.to_bytes().decode()
    wrong = _wrong(doc, old, text, edit, by_ruamel=by_ruamel)
    if wrong:
        return Verdict("wrong", wrong, text)
    collateral = _collateral(doc, old, text, edit)
    return Verdict("collateral", collateral, text) if collateral else Verdict("clean", "", text)


def _wrong(doc: YamlDoc, old: str, new: str, edit: Edit, *, by_ruamel: bool) -> str:
    ordered, index = "<<" not in old, doc.document or 0
    depths = range(len(edit.path) + 1) if "&" in old else ()
    spread = [users(doc, edit.path[:depth]) for depth in depths] or [[]]
    also = (spread[-1] or []) if isinstance(edit, Set) else []
    if None in spread or ("<<" in old and isinstance(edit, Delete | Rename)):
        return ""  # a merge key spreads the value: not worked out here
    for reader in (oracle.core, oracle.ruamel) if by_ruamel else (oracle.core,):
        documents = _read_before(reader, old)
        if documents is None:
            continue  # this reader cannot judge the file
        documents[index] = oracle.expected(documents[index], edit)
        for path in also:
            documents[index] = oracle.expected(documents[index], replace(edit, path=path))
        try:
            got = reader(new)
        except Exception as error:  # whatever the other reader says of the text
            return f"{reader.__name__} cannot read it: {error}"
        if oracle.typed(got, ordered=ordered) != oracle.typed(documents, ordered=ordered):
            return f"{reader.__name__} reads other data"
    return ""


@lru_cache(maxsize=4)
def _documents(reader: Callable[[str], list[Any]], text: str) -> list[Any] | None:
    try:
        return reader(text) or [{}]
    except oracle.YAML_ERRORS:
        return None


def _read_before(reader: Callable[[str], list[Any]], text: str) -> list[Any] | None:
    documents = _documents(reader, text)
    return None if documents is None else list(documents)


def _collateral(doc: YamlDoc, old: str, new: str, edit: Edit) -> str:
    if old.count("\r\n") and old.count("\r\n") == old.count("\n") and new.count("\r\n") != new.count("\n"):
        return "a bare LF in a CRLF file"
    match edit:
        case Set() | Rename():
            return _outside_value(doc, old, new, edit)
        case Insert() | InsertItem():
            removed, _ = _difference(old, new)
            return f"removed {removed!r}" if removed.strip(" ,{}[]\r\n~nul") else ""
        case Delete():
            _, added = _difference(old, new)
            return f"added {added!r}" if added.strip(" {}[]-\r\n") else ""
        case Move():
            return "lines were lost or made" if _pieces(old) != _pieces(new) else ""
        case _:
            return ""


def _difference(old: str, new: str) -> tuple[str, str]:
    """All characters removed and all added."""
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    removed = added = ""
    for tag, i, j, k, m in SequenceMatcher(None, *lines, autojunk=False).get_opcodes():
        if tag != "equal":
            before, after = "".join(lines[0][i:j]), "".join(lines[1][k:m])
            start, end, new_end = _changed_span(before, after)
            codes = SequenceMatcher(None, before[start:end], after[start:new_end], autojunk=False).get_opcodes()
            removed += "".join(before[start + i : start + j] for tag, i, j, _, _ in codes if tag != "equal")
            added += "".join(after[start + k : start + m] for tag, _, _, k, m in codes if tag != "equal")
    return removed, added


def _changed_span(old: str, new: str) -> tuple[int, int, int]:
    """From where to where the texts differ: start, end in the old one, end in the new one."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    back = next((i for i in range(most - start) if old[-1 - i] != new[-1 - i]), most - start)
    return start, len(old) - back, len(new) - back


def _outside_value(doc: YamlDoc, old: str, new: str, edit: Set | Rename) -> str:
    """All before the value and all behind it has to be there still."""
    place = doc.place(edit.path, key=isinstance(edit, Rename))
    assert place is not None
    shift = len(old) - len(doc.text)  # of a byte order mark
    low, high = place.start + shift, place.end + shift
    value = doc.data
    for step in edit.path:
        value = value[step]
    front = old[: low - _slack(old, low, doc, edit)]
    tail = old[high + _room(old, high, edit, isinstance(value, dict | list)) :]
    inside = new.startswith(front) and new.endswith(tail) and len(new) >= len(front) + len(tail)
    return "" if inside else f"changed more than {old[low:high]!r}"


def _slack(old: str, low: int, doc: YamlDoc, edit: Set | Rename) -> int:
    """White space, tag, anchor, and the comments above a block's first entry may be rewritten with the value."""
    if isinstance(edit, Rename):
        return 0
    key = doc.place(edit.path, key=True) if isinstance(edit.path[-1], str) else None
    if key is not None:
        return low - key.end - len(old) + len(doc.text)
    return low - len(old[:low].rstrip().rstrip("-&!abcdefghijklmnopqrstuvwxyz"))


def _room(old: str, high: int, edit: Set | Rename, was_collection: bool) -> int:
    """A new block goes below the comment behind the old value; the comment behind an old block's end goes with it."""
    if isinstance(edit, Rename):
        return 0
    if not isinstance(edit.value, dict | list) and not was_collection:
        return 1 if old[high - 1 : high] == "\n" else 0
    stop = old.find("\n", high)
    return (len(old) if stop < 0 else stop) - high


def _pieces(text: str) -> list[str]:
    return sorted(text.replace(",", " ").replace("[", " ").replace("]", " ").replace("|-", "|").split())
