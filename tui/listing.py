"""What an endpoint listed in the last online check, held against the file: what to add, and what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.workbench import Change
from tui.messages import ChangeProposed
from tui.own_keys import key_of, keys_in_force
from tui.panes.doctor import DoctorPane

if TYPE_CHECKING:
    from adapters.checks import CheckRow
    from adapters.offers import Offer
    from tui.app import CapdeckApp


def show_listed(app: CapdeckApp) -> None:
    """Opens the list of the provider under the doctor's cursor, or says why there is none."""
    name = app.query_one(DoctorPane).provider_id
    lists = {each.provider_id: each for each in app.online.rows.values() if each.discovery and each.discovery.models}
    if not lists:
        app.say(f"no endpoint has listed its models yet: {_asks(app)} asks them", warning=True)
    elif name in lists:
        _show(app, lists[name])
    elif len(lists) == 1:
        _show(app, next(iter(lists.values())))
    else:
        app.say(f"move to the row of one that listed its models: {', '.join(lists)}", warning=True)


def _asks(app: CapdeckApp) -> str:
    return key_of("doctor.online", keys_in_force(app))


def _show(app: CapdeckApp, row: CheckRow) -> None:
    from adapters.offers import missing_at_endpoint, missing_from_file
    from tui.screens.listed import Listed

    name = row.provider_id
    models = row.discovery.models if row.discovery else ()
    if row.result is None or not row.result.holds(app.snapshot):
        app.say(f"{name} has changed since it was asked: {_asks(app)} asks again", warning=True)
        return

    def ticked(offers: tuple[Offer, ...] | None) -> None:
        if offers:
            _propose(app, offers)
        elif offers is not None:
            app.say("nothing was ticked: space ticks a model", warning=True)

    offers = missing_from_file(app.snapshot, name, models)
    app.push_screen(Listed(name, offers, missing_at_endpoint(app.snapshot, name, models)), ticked)


def _propose(app: CapdeckApp, offers: tuple[Offer, ...]) -> None:
    from adapters.offers import adding

    fix = adding(app.snapshot, offers)
    if fix is None:
        app.say("the file that has this provider cannot be written", warning=True)
        return
    change = Change(fix.title, {fix.file: fix.edits})
    app.post_message(ChangeProposed(change, "What the endpoint says of them; what it does not say stays not stated."))
