"""Where a command's answer goes: text or one JSON document; nothing leaves unredacted, nothing is obeyed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tui.cli.errors import SCHEMA_VERSION

if TYPE_CHECKING:
    from adapters.redaction import Redactor

_UNSEEN = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]")


class Output:
    """Standard output of one command."""

    def __init__(self, redactor: Redactor, *, as_json: bool, no_color: bool) -> None:
        self.as_json = as_json
        self._redactor = redactor
        self._on_terminal = sys.stdout is not None and sys.stdout.isatty()  # None: it was closed (`>&-`)
        self.colour = self._on_terminal and not no_color and "NO_COLOR" not in os.environ

    @property
    def columns(self) -> int | None:
        """How wide the terminal is; None where the answer goes to a file or a pipe, which have room for all."""
        return shutil.get_terminal_size().columns if self._on_terminal else None

    def line(self, text: str = "", *, err: bool = False) -> None:
        """Text that is safe already: foreign parts have passed `safe_text`."""
        click.echo(self._redactor(text), err=err, color=self.colour and not err)

    def piece(self, text: str) -> None:
        """Some more of a line or of many, at once; as safe as a `line`."""
        click.echo(self._redactor(text), nl=False)

    def style(self, text: str, **look: Any) -> str:
        """`text` in colour where colour is wanted; `look` as for `click.style`."""
        return click.style(text, **look) if self.colour and text else text

    def document(self, shape: Mapping[str, Any]) -> None:
        """One JSON document. Values stay raw; what a terminal would obey or hide is escaped."""
        whole: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "files": [], **shape}
        if self._redactor.holds_secret(json_text(whole)):
            whole = self._redacted(whole)
        click.echo(json_text(whole))

    def _redacted(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._redactor(value)
        if isinstance(value, Mapping):
            return {key: self._redacted(each) for key, each in value.items()}
        return [self._redacted(each) for each in value] if isinstance(value, list | tuple) else value


def json_text(value: Any) -> str:
    """Indented JSON in which what a terminal would obey or hide is escaped."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
