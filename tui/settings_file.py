"""settings.yaml as typed values. Each line is judged by itself; one that cannot be had is a located problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from model.config.values import nearest, shown, type_name
from model.document import DocumentError, YamlDoc
from tui.commands import Keys, shown_key
from tui.key_names import NAMED, SENT_AS, key_named, types_something
from tui.keymap import ALL, TAKEN, Clash, without_clashes
from tui.settings import Problem, Settings

SETTINGS = ("keys", "theme", "columns")


def parse(data: bytes, path: Path) -> Settings:
    """Never raises; of a file that is not YAML nothing counts."""
    try:
        doc = YamlDoc.parse(data, str(path))
    except DocumentError as why:
        return Settings(
            path, problems=(Problem("settings-unreadable", why.reason, why.help or "", why.line, why.column),)
        )
    return _Reader(doc, path).settings()


class _Reader:
    """Reads one file and gathers what is wrong with it."""

    def __init__(self, doc: YamlDoc, path: Path) -> None:
        self._doc, self._path = doc, path
        self._problems: list[Problem] = []

    def settings(self) -> Settings:
        data = self._doc.data
        if self._doc.documents > 1:
            self._tell("settings-value", f"it holds {self._doc.documents} documents; only the first counts")
        if data is None:
            return Settings(self._path, problems=tuple(self._problems))
        if not isinstance(data, dict):
            self._tell("settings-value", f"expected a mapping, found {type_name(data)}", _EXAMPLE)
            return Settings(self._path, problems=tuple(self._problems))
        for path, _, again in self._doc.duplicates:
            said = f"{shown(path[-1])} is given twice; the last counts"
            self._problems.append(Problem("settings-twice", said, "", again.line, again.column))
        for name in data:
            if name not in SETTINGS:
                self._tell(
                    "settings-unknown", f"there is no setting {shown(name)}", _meant(name, SETTINGS), name, key=True
                )
        keys, theme, columns = (
            self._keys(data.get("keys")),
            self._theme(data.get("theme")),
            self._columns(data.get("columns")),
        )
        problems = sorted(self._problems, key=lambda each: (each.line or 0, each.column or 0))
        return Settings(self._path, keys, theme, columns, tuple(problems))

    def _tell(self, code: str, message: str, help: str = "", *at: Any, key: bool = False) -> None:
        place = self._doc.place(at, key=key) or self._doc.place(at[:-1])
        self._problems.append(
            Problem(code, message, help, place.line if place else None, place.column if place else None)
        )

    # -- keys -----------------------------------------------------------------------------------------------------
    def _keys(self, raw: object) -> Keys:
        if raw is None:
            return {}
        if not isinstance(raw, dict):
            self._tell(
                "settings-value", f"keys must be a mapping of ids to keys, not {type_name(raw)}", _EXAMPLE, "keys"
            )
            return {}
        chosen = {}
        for id, value in raw.items():
            if id not in ALL:
                help = _meant(id, ALL) or "`capdeck keys` lists the ids"
                self._tell("settings-unknown", f"there is no command {shown(id)}", help, "keys", id, key=True)
            elif keys := self._keys_of(id, value):
                chosen[id] = keys
        kept, clashes = without_clashes(chosen)
        for clash in clashes:
            self._tell("settings-clash", *_clash_words(clash, kept), "keys", clash.id)
        return kept

    def _keys_of(self, id: str, value: object) -> tuple[str, ...]:
        """Empty if one of the keys cannot be had."""
        if not (written := _written(value)):
            says_nothing = value is None or (isinstance(value, list) and None in value)
            quote = " (in quotes: a bare ~ says nothing to YAML)" if says_nothing else ""
            self._tell("settings-value", f"{id} needs a key, or some with commas between{quote}", _EXAMPLE, "keys", id)
        keys = []
        for text in written:
            key = key_named(text)
            if trouble := _trouble(id, text, key):
                self._tell("settings-key", *trouble, "keys", id)
                return ()
            keys += [key] if key else []
        return tuple(dict.fromkeys(keys))

    # -- looks ----------------------------------------------------------------------------------------------------
    def _theme(self, raw: object) -> str | None:
        if raw is None:
            return None
        from textual.theme import BUILTIN_THEMES

        if raw in BUILTIN_THEMES if isinstance(raw, str) else False:
            return str(raw)
        help = _meant(raw, BUILTIN_THEMES) or f"there are {', '.join(sorted(BUILTIN_THEMES))}"
        self._tell("settings-value", f"there is no theme {shown(raw)}", help, "theme")
        return None

    def _columns(self, raw: object) -> tuple[str, ...] | None:
        if raw is None:
            return None
        from tui.columns import ColumnGroup

        groups = [group.value for group in ColumnGroup]
        if not isinstance(raw, list):
            self._tell(
                "settings-value", f"columns must be a list, not {type_name(raw)}", f"of {', '.join(groups)}", "columns"
            )
            return None
        for number, each in enumerate(raw):
            if each not in groups:
                help = _meant(each, groups) or f"there are {', '.join(groups)}"
                self._tell("settings-value", f"there is no group of columns {shown(each)}", help, "columns", number)
        return tuple(each for each in raw if each in groups) or (None if raw else ())


_EXAMPLE = "such as `keys: {matrix.sort: f3}`"


def _meant(word: object, known: Iterable[str]) -> str:
    meant = nearest(str(word), known)
    return f"did you mean {meant}?" if meant else ""


def _written(value: object) -> Sequence[str]:
    """The keys as they are written, none if part of it is no key; a lone comma is the key of that name."""
    if isinstance(value, list):
        parts = [_written(each) for each in value]
        return [text for part in parts for text in part] if all(parts) else ()
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ()
    text = str(value)
    return [text] if text in (",", " ") else [part.strip() for part in text.split(",") if part.strip()]


def _trouble(id: str, text: str, key: str | None) -> tuple[str, str] | None:
    """Why the command cannot have this key, and what to do; None if it can."""
    if key is None:
        return f"there is no key {shown(text)}", _meant(text, NAMED) or "as in ctrl+s, f5, space, / or x"
    if key in SENT_AS:
        return f"{text} does not arrive as such: {SENT_AS[key]} comes for it", "take another key"
    if key in TAKEN:
        return f"{text} {TAKEN[key]}", "take another key"
    if key.startswith("shift+") and len(key) == len("shift+") + 1:
        return f"a terminal sends {key[-1].upper()} for {text}", f"write {key[-1].upper()}"
    if ALL[id].first and types_something(key):
        return f"{id} works while you type, too, and {text} is typed", "take a key such as ctrl+s or f2"
    return None


def _clash_words(clash: Clash, kept: Keys) -> tuple[str, str]:
    own = " ".join(shown_key(key) for key in ALL[clash.id].keys)
    return f"{shown_key(clash.key)} means {clash.other} there already; {clash.id} keeps {own}", (
        f"give {clash.other} another key as well" if clash.other not in kept else "give one of the two another key"
    )
