"""Trust in the app: what would be contacted with which key is shown, and asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from tui.own_keys import key_of, keys_in_force
from tui.panes.doctor import DoctorPane
from tui.safe_text import safe_text

if TYPE_CHECKING:
    from model.trust import Claim
    from tui.app import CapdeckApp
    from tui.trust_offers import TrustOffer


def offer(app: CapdeckApp) -> None:
    """Asks about the provider under the doctor's cursor, or says why there is nothing to agree to."""
    from tui.trust_offers import offers_of

    name = app.query_one(DoctorPane).provider_id
    if name is None:
        app.say("this is about no provider: move to a row that is", warning=True)
        return
    found = next(iter(offers_of(app.snapshot, {name})), None)
    if found is None:
        app.say(f"nothing to agree to: your own file chooses the endpoint and key of {name}")
    elif found.trusted or found.refused:
        app.say(f"{name}: {found.word}", warning=not found.trusted)
    else:
        _ask(app, found)


def _ask(app: CapdeckApp, found: TrustOffer) -> None:
    from tui.screens.choice import Choice

    lines = [
        safe_text(f"endpoint  {found.address}"),
        safe_text(f"key       {found.key}"),
        safe_text("chosen by {}:{}:{}".format(*found.place)),
        "If the file changes either, it rests again. capdeck untrust takes it back.",
    ]

    def answered(key: str | None) -> None:
        if key == "y":
            _agree(app, found.claim)

    title = f"let {found.claim.provider_id} be contacted?"
    app.push_screen(Choice(title, lines, {"y": "contact it with this key", "n": "leave it at rest"}), answered)


def _agree(app: CapdeckApp, claim: Claim) -> None:
    from model.trust import CannotTrust, agree, trust_path
    from model.workbench import Conflict

    try:
        book = agree(trust_path(), [claim], date.today())
    except (CannotTrust, OSError, Conflict) as why:
        app.say(f"nothing was agreed to: {why}", warning=True)
        return
    app.workbench.surround(replace(app.workbench.surroundings, trust=book))
    app.say(f"{claim.provider_id} may be contacted: {key_of('doctor.online', keys_in_force(app))} asks it")
