"""Opens the trial of a model."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.app import CapdeckApp


def try_model(app: CapdeckApp) -> None:
    """Opens the trial of the model under the cursor, or says that there is none."""
    from tui.panes.matrix import MatrixPane
    from tui.records import keep_first_token
    from tui.screens.trial import Trial
    from tui.screens.trial_probe import keep_in_store

    ref = app.query_one(MatrixPane).ref
    row = app.snapshot.matrix.get(ref) if ref else None
    if row is None:
        app.say("move to a model in the matrix first", warning=True)
        return
    keep, keep_time = partial(keep_in_store, app, row.ref), partial(keep_first_token, app)
    app.push_screen(Trial(app.snapshot, row, offline=app.demo, keep=keep, keep_time=keep_time))
