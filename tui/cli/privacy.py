"""What must not be shown: keys that somebody wrote into the file or onto the command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adapters.redaction import Redactor
from adapters.secrets import Secret

if TYPE_CHECKING:
    from model.files import OpenFile


def hide_literals(redactor: Redactor, files: Iterable[OpenFile]) -> None:
    """Teaches the redactor the keys that stand in the files themselves, wherever they stand."""
    from model.doctor.secrets import secrets_in

    for file in files:
        for text in secrets_in(file):
            redactor.add(Secret(text))


def hide_typed(redactor: Redactor, words: Iterable[str]) -> None:
    """Teaches the redactor what looks like a key on the command line, so that no error repeats it."""
    from model.doctor.secrets import keys_in

    for word in words:
        for _, key in keys_in(word):
            redactor.add(Secret(key))
