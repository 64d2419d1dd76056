"""Edits that a run left unsaved when it was cut off: told over the panes until the user takes them in or drops them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tui.own_keys import key_of
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from model.files import OpenFile
    from model.history import Step
    from model.rescued import Rescued
    from tui.app import CapdeckApp

_NEWER = "The file was written since: what others changed there is taken back by these edits, see the diff."


class RescuedEdits:
    """`told` is what the banner says of them. Nothing is applied but by the user's answer."""

    def __init__(self, app: CapdeckApp) -> None:
        self._app = app
        self.told = ""
        self._taken: dict[str, Rescued] = {}

    def look(self) -> None:
        """At the start, and when something was done about one of them."""
        found = self._found()
        key = key_of("rescued", self._app.settings.keys)
        says = f"unsaved edits of a run that was cut off are kept; {key} shows what can be done."
        told = f"{found[0].file}: {says}" if found else ""
        if told != self.told:
            self.told = told
            self._app.tell_chrome()

    def _found(self) -> tuple[Rescued, ...]:
        from model.rescued import find_rescued

        return tuple(each for each in find_rescued(self._app.workbench.files) if each.file not in self._taken)

    def ask(self) -> None:
        """What is to be done about the first of them."""
        found = self._found()
        if not found:
            self._app.say("no edits of a run that was cut off are kept")
            self.look()
            return
        from tui.screens.choice import Choice

        rescued = found[0]
        ways = {"o": "open as unsaved edits", "l": "look at the diff"} if rescued.doc else {}

        def answered(key: str | None) -> None:
            if key == "o":
                self._open(rescued)
            elif key == "l":
                self._show(rescued)
            elif key == "x":
                self._drop(rescued)

        self._app.push_screen(Choice("unsaved edits", _lines(rescued), {**ways, "x": "drop them for good"}), answered)

    def _step(self, rescued: Rescued) -> Step | None:
        """Begins the file if it is missing."""
        from model.rescued import taking_in

        bench = self._app.workbench
        if bench.file(rescued.file).missing:
            bench.begin(rescued.file)
        step = self._app.maker.said(lambda: taking_in(bench, rescued))
        if step is None:
            bench.drop_begun()
        return step

    def _open(self, rescued: Rescued) -> None:
        step = self._step(rescued)
        if step is not None:
            self._commit(rescued, step)

    def _show(self, rescued: Rescued) -> None:
        from tui.screens.proposal import Proposal

        step = self._step(rescued)
        if step is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._commit(rescued, step)
            else:
                self._app.workbench.drop_begun()

        notes = (_NEWER,) if rescued.is_older else ()
        title = f"unsaved edits of {rescued.file}"
        self._app.push_screen(Proposal(title, "", step.diff(), verb="open as unsaved edits", notes=notes), answered)

    def _commit(self, rescued: Rescued, step: Step) -> None:
        if self._app.maker.commit(step):
            self._taken[rescued.file] = rescued
            self._app.say("opened as unsaved edits: undo takes them back; they are kept beside until the file is saved")
            self.look()

    def _drop(self, rescued: Rescued) -> None:
        try:
            rescued.path.unlink()
        except OSError as why:
            self._app.say(f"{rescued.path} stays: {why.strerror or why}", warning=True)
        self.look()

    def forget(self, saved: Iterable[OpenFile]) -> None:
        """What was taken into a file that is saved now need not be kept any longer."""
        from model.rescued import drop

        for rescued in [self._taken.pop(file.name) for file in saved if file.name in self._taken]:
            drop(rescued)


def _lines(rescued: Rescued) -> list[str]:
    kept = datetime.fromtimestamp(rescued.kept_at).strftime("%Y-%m-%d %H:%M")
    lines = [f"{rescued.file}, as it was on {kept} when a run was cut off.", f"Kept in {rescued.path}"]
    if rescued.why:
        lines.append(f"It cannot be opened: {rescued.why}")
    if rescued.is_older:
        lines.append(_NEWER)
    return [safe_text(line) for line in lines]


def ask(app: CapdeckApp) -> None:
    app.rescued.ask()
