"""A mapping of the source, read key by key: what nobody asked for, and what cannot be used, is listed by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adapters.imports.credentials import Credential, is_reference, read_credential
from adapters.imports.imported import NotCarried
from adapters.imports.sources import Source
from model.auth import looks_like_key
from model.config.values import LARGEST_COUNT, type_name
from model.document import YamlPath
from model.findings import breadcrumb

LONGEST_TEXT = 500
NO_COUNTERPART = "models.yaml has no counterpart"


class NotCarriedList:
    """Gathers what could not be carried."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: dict[tuple[str, str], NotCarried] = {}
        for path in source.doubled:
            self.add(path, "the key stands twice; the last one counts")
        if source.documents > 1:
            self.add((), "only the first document of the file is read")

    def add(self, path: YamlPath, why: str) -> None:
        place = breadcrumb(tuple("…" if _hides(step) else step for step in path)) or "(the whole file)"
        self._found.setdefault((place, why), NotCarried(place, why, self._source.line(path) if path else None))

    def all(self) -> tuple[NotCarried, ...]:
        return tuple(self._found.values())


def _hides(step: str | int) -> bool:
    from model.doctor.secrets import keys_in

    return isinstance(step, str) and (looks_like_key(step) or bool(keys_in(step)))


class Entry:
    """One mapping. Each reader gives None for what is absent, blank or unusable, and lists the last."""

    def __init__(self, raw: Mapping[Any, Any], path: YamlPath, left: NotCarriedList) -> None:
        self._raw = raw
        self._asked: set[object] = set()
        self.path = path
        self.left = left

    @property
    def raw(self) -> Mapping[Any, Any]:
        """The mapping as it stands, for a reader of its own."""
        return self._raw

    def is_usable(self, text: str) -> bool:
        """Whether a text may be carried: no key, no variable, nothing that a terminal obeys."""
        return not _unusable(text)

    def leave(self, key: str | int, why: str = NO_COUNTERPART) -> None:
        """Lists a key if it is there and says something."""
        if self.take(key) is not None:
            self.left.add((*self.path, key), why)

    def take(self, key: str | int) -> Any:
        """The value as it stands; the key counts as asked for."""
        self._asked.add(key)
        return self._raw.get(key)

    def text(self, key: str) -> str | None:
        value = self.take(key)
        if value is None or value == "":
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        why = _unusable(value)
        if why:
            self.left.add((*self.path, key), why)
        return None if why else value.strip()

    def count(self, key: str) -> int | None:
        value = self.take(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_COUNT:
            return value
        if value is not None and not (value == 0 and not isinstance(value, bool)):
            self.left.add((*self.path, key), f"must be a whole number above 0, not {type_name(value)}")
        return None

    def flag(self, key: str) -> bool | None:
        value = self.take(key)
        if value is None or isinstance(value, bool):
            return value
        self.left.add((*self.path, key), f"must be true or false, not {type_name(value)}")
        return None

    def words(self, key: str) -> list[str] | None:
        """A list of texts; what else it holds is listed."""
        value = self._list(key)
        return None if value is None else [each for n, each in value if self._is_word(each, (*self.path, key, n))]

    def _is_word(self, value: object, path: YamlPath) -> bool:
        why = _unusable(value)
        if why:
            self.left.add(path, why)
        return not why

    def credential(self, key: str) -> Credential:
        found = read_credential(self.take(key))
        if found.why:
            self.left.add((*self.path, key), found.why)
        return found

    def entry(self, key: str) -> Entry:
        """A mapping below this one; an empty one where there is none."""
        value = self.take(key)
        if value is not None and not isinstance(value, dict):
            self.left.add((*self.path, key), f"must be a mapping, not {type_name(value)}")
        return Entry(value if isinstance(value, dict) else {}, (*self.path, key), self.left)

    def entries(self, key: str) -> Iterator[Entry]:
        """The mappings of a list; what else it holds is listed."""
        for n, value in self._list(key) or ():
            if isinstance(value, dict):
                yield Entry(value, (*self.path, key, n), self.left)
            elif value is not None:
                self.left.add((*self.path, key, n), f"must be a mapping, not {type_name(value)}")

    def named(self, key: str) -> Iterator[tuple[str, Entry]]:
        """The mappings of a mapping, with their names."""
        section = self.entry(key)
        for name, value in section._raw.items():
            place = (*section.path, name if isinstance(name, str | int) else str(name))
            if isinstance(value, dict) and self._is_word(str(name), place):
                yield str(name), Entry(value, place, self.left)
            elif value is not None and not isinstance(value, dict):
                self.left.add(place, f"must be a mapping, not {type_name(value)}")

    def named_words(self) -> Iterator[tuple[str, list[str]]]:
        """Every key that has a list of texts behind it."""
        for key in self._raw:
            yield str(key), self.words(key) or []

    def _list(self, key: str) -> list[tuple[int, Any]] | None:
        value = self.take(key)
        if value is None:
            return None
        if not isinstance(value, list):
            self.left.add((*self.path, key), f"must be a list, not {type_name(value)}")
            return None
        return list(enumerate(value))

    def close(self, why: str = NO_COUNTERPART) -> None:
        """Lists every key that nobody asked for."""
        for key in self._raw:
            if key not in self._asked:
                self.leave(key if isinstance(key, str | int) else str(key), why)


def _unusable(value: object) -> str:
    """Why a text cannot be carried; empty if it can."""
    from model.doctor.secrets import keys_in

    if not isinstance(value, str):
        return f"must be text, not {type_name(value)}"
    if not value.strip():
        return "is blank"
    if looks_like_key(value) or keys_in(value):
        return "looks like a key, which is never carried"
    if len(value) > LONGEST_TEXT:
        return f"is longer than {LONGEST_TEXT} characters"
    if not value.isprintable():
        return "holds line breaks or control characters"
    return "comes out of a variable, which is not expanded" if is_reference(value) else ""
