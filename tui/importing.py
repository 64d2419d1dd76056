"""Import in the app: whose file, where it lies, then what it brings as one change; the file itself stays as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from model.editing import CannotEdit
from model.vocabulary import Layer
from tui.messages import ChangeProposed
from tui.screens.pick import Pick
from tui.widgets.text_prompt import TextPrompt

if TYPE_CHECKING:
    from adapters.imports.imported import Imported, ImportKind
    from model.files import OpenFile
    from tui.app import CapdeckApp

Read = Callable[[], "Imported | str"]


def import_file(app: CapdeckApp) -> None:
    """Asks for the kind and the path."""
    from adapters.imports.imported import ImportKind

    kinds = list(ImportKind)

    def chosen(number: int | None) -> None:
        if number is not None:
            _ask_path(app, kinds[number])

    app.push_screen(Pick("import: whose file is it?", [Content(kind.value) for kind in kinds]), chosen)


def _ask_path(app: CapdeckApp, kind: ImportKind) -> None:
    def typed(text: str | None) -> None:
        if text and text.strip():
            path = Path(text.strip())
            app.run_worker(
                _import(app, kind, path), exclusive=True, group="import", exit_on_error=False, description="import"
            )

    help = "Keys are never carried over, references to environment variables are. What the file here says stays."
    app.push_screen(TextPrompt(f"which file of {kind.value}?", help=help), typed)


async def _import(app: CapdeckApp, kind: ImportKind, path: Path) -> None:
    try:
        found = await asyncio.to_thread(read, kind, path)
    except Exception as error:  # the one edge: a mistake of ours must not take the app down
        found = f"a mistake in capdeck ({type(error).__name__}); please report it"
    if isinstance(found, str):
        app.say(f"{path}: {found}", warning=True)
    else:
        _propose(app, found)


def read(kind: ImportKind, path: Path) -> Imported | str:
    """What the file brings, or in one line why it cannot be read. Slow for a huge file: call it in a thread."""
    from adapters.imports.imported import ImportRefused
    from adapters.imports.reading import read_import
    from adapters.imports.sources import MOST_BYTES

    try:
        path = path.expanduser()
        if path.exists() and not path.is_file():
            return "is no file"
        with path.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
        return read_import(kind, data, path.name)
    except ImportRefused as why:
        place = f"{why.line}:{why.column or 1}: " if why.line else ""
        return f"{place}{why}. {why.help}".rstrip(". ") if why.help else f"{place}{why}"
    except OSError as why:
        return why.strerror or str(why)
    except (RuntimeError, ValueError):  # of expanduser, and of a path that no system could have
        return "is no path"


def _propose(app: CapdeckApp, imported: Imported) -> None:
    from adapters.imports.changes import plan
    from tui.cli.import_text import report_lines

    file = _target(app)
    if file is None:
        app.say("no file is open that could take it", warning=True)
        return
    try:
        planned = plan(imported, file)
    except CannotEdit as why:
        app.say(f"{why}. {why.help}" if why.help else str(why), warning=True)
        return
    notes = tuple(report_lines(imported, planned))
    if planned.change.edits:
        app.post_message(ChangeProposed(planned.change, notes=notes))
    else:
        _tell_nothing_new(app, notes)


def _tell_nothing_new(app: CapdeckApp, notes: tuple[str, ...]) -> None:
    from tui.screens.card import Card

    app.push_screen(Card("import: nothing to add", notes))


def _target(app: CapdeckApp) -> OpenFile | None:
    """The file that edits go to, else the global one, else the first; begun if it is missing."""
    files = sorted(app.workbench.files, key=lambda each: (each.layer is not app.target, each.layer is not Layer.GLOBAL))
    file = next(iter(files), None)
    return app.workbench.begin(file.name) if file and file.missing else file
