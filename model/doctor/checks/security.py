"""What a file must not decide for its reader (DOMAIN.md §3, trust)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from model.config.merge import USERS_OWN_POLICY, Provider
from model.doctor.case import Case, spot
from model.doctor.checks.endpoint import local_is_not_honoured
from model.files import OpenFile
from model.findings import Finding, Fix, Severity, Spot
from model.trust import chosen_by_others
from model.vocabulary import Layer


def of_provider(case: Case, provider: Provider) -> Iterator[Finding]:
    yield from _untrusted(case, provider)
    stated = provider.decided_by("local")
    if stated and local_is_not_honoured(provider):
        message = f"local: true of {provider.provider_id} does not count: its address is remote"
        help = "write it in the global file if the server is yours; else take it out and set auth_ref"
        yield Finding("security-local-ignored", Severity.WARNING, spot(stated, "local"), message, help)


def _untrusted(case: Case, provider: Provider) -> Iterator[Finding]:
    if provider.provider_id not in case.snapshot.given.untrusted or not provider.enabled:
        return
    name, stated = chosen_by_others(provider) or ("", provider.layers[0])
    place = spot(stated, name) if name else spot(stated)
    severity = Severity.WARNING if stated.layer is Layer.PROJECT else Severity.INFO
    message = f"{provider.provider_id} is not contacted: this file chooses where its key goes, and you have not agreed"
    alone = "" if stated.layer is Layer.GLOBAL else f"--project {shlex.quote(stated.file)} "
    help = f"capdeck trust {alone}{provider.provider_id}"
    yield Finding("security-untrusted", severity, place, message, help)


def of_file(case: Case, file: OpenFile) -> Iterator[Finding]:
    if file.layer is not Layer.PROJECT:
        return
    from model.document import Delete

    for name in sorted(USERS_OWN_POLICY):
        if getattr(file.config.policy, name) is not None:
            path, own = ("policy", name), file.config.data
            rest = own["policy"] if isinstance(own, dict) else {}
            edit = Delete(path if len(rest) > 1 else ("policy",))
            message = f"policy.{name} does not count in a project file"
            fix = Fix(f"take {name} out", file.name, (edit,), safe=True)
            help = "write it in the global file: a cloned project does not loosen its reader's rules"
            yield Finding("security-policy-ignored", Severity.WARNING, Spot(file.name, path), message, help, fix=fix)
