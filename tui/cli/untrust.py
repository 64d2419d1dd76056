"""`capdeck untrust`: takes back what was agreed to."""

from __future__ import annotations

from collections.abc import Sequence

import click

from model.config.values import nearest
from tui.cli.errors import Failure
from tui.cli.invocation import Invocation, command
from tui.safe_text import safe_text


@command()
@click.argument("providers", nargs=-1, metavar="[PROVIDER]...")
@click.option("--all", "all_of_them", is_flag=True, help="Take back every agreement.")
def untrust(invocation: Invocation, providers: Sequence[str], all_of_them: bool) -> None:
    """Take back what was agreed to about a PROVIDER's endpoints and keys, in whatever project it was."""
    from model.trust import CannotTrust, read_trust, revoke, trust_path

    path = trust_path()
    known = dict.fromkeys(each.provider_id for each in read_trust(path).agreements)
    if not providers and not all_of_them:
        raise Failure("usage", "whose?", "name a provider, or --all: " + (", ".join(known) or "nothing was agreed to"))
    for name in providers:
        if name not in known:
            meant = nearest(name, list(known))
            help = f"did you mean {meant!r}?" if meant else f"agreed to: {', '.join(known) or 'nothing'}"
            raise Failure("unknown-ref", f"nothing was agreed to about {name!r}", help)
    try:
        _, gone = revoke(path, known if all_of_them else providers)
    except CannotTrust as problem:
        raise Failure("trust-unreadable", str(problem), "mend or remove that file; nothing was written") from None
    if invocation.out.as_json:
        shape = [{"provider_id": each.provider_id, "since": each.since or None} for each in gone]
        return invocation.out.document({"untrust": shape})
    for each in gone:
        invocation.out.line(safe_text(f"{each.provider_id}  no longer trusted (since {each.since})"))
    if not gone:
        invocation.out.line("nothing was agreed to")
    return None
