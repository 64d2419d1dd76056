"""Is there a key, where auth_ref says? Asked of the one resolver, which shows nothing (seed 000 §10)."""

from __future__ import annotations

from collections.abc import Iterator

from model.auth import AuthRef, AuthScheme, AuthState, CredentialCheck, parse_auth_ref
from model.config.merge import Provider, ProviderLayer
from model.doctor.case import Case, listed, spot
from model.doctor.checks.endpoint import is_refused_as_remote
from model.findings import Finding, Fix, Severity, Spot
from model.vocabulary import ProviderKind

_USUAL_VARIABLE = {
    ProviderKind.ANTHROPIC: "ANTHROPIC_API_KEY",
    ProviderKind.OPENAI: "OPENAI_API_KEY",
    ProviderKind.OPENROUTER: "OPENROUTER_API_KEY",
}


def of_provider(case: Case, provider: Provider) -> Iterator[Finding]:
    if not provider.enabled:
        return
    stated = provider.decided_by("auth_ref")
    if stated is None:
        yield from _missing(case, provider)
        return
    assert stated.row.auth_ref is not None
    ref = parse_auth_ref(stated.row.auth_ref)
    place = spot(stated, "auth_ref")
    yield from _of_form(ref, place)
    if ref.is_valid and not ref.is_foreign and provider.provider_id not in case.snapshot.given.untrusted:
        yield from _of_state(case, provider, ref, place)


def _missing(case: Case, provider: Provider) -> Iterator[Finding]:
    if provider.local or provider.kind is None or case.bad.has(provider.layers, "auth_ref"):
        return
    if is_refused_as_remote(provider):
        return  # mending the address makes it local, and then it needs no key
    name = _USUAL_VARIABLE.get(provider.kind, "NAME")
    yield Finding(
        "auth-missing",
        Severity.ERROR,
        spot(_home(provider)),
        f"{provider.provider_id} is not local and has no auth_ref",
        f"add auth_ref: env:{name} (or file:PATH, keyring:SERVICE/USER; none for an endpoint without keys)",
        _needed_for(case, provider),
    )


def _home(provider: Provider) -> ProviderLayer:
    """The file that says whose service it is."""
    return provider.decided_by("provider_kind") or provider.layers[0]


def _needed_for(case: Case, provider: Provider) -> str:
    roles = case.roles_of(provider)
    return f"its models are the default for {listed(roles, 7)}" if roles else ""


def _of_form(ref: AuthRef, place: Spot) -> Iterator[Finding]:
    if ref.scheme is AuthScheme.UNKNOWN:
        fix = None
        if ref.suggestion:
            from model.document import Set

            fix = Fix(f"write {ref.suggestion}", place.file, (Set(place.path, ref.suggestion),))
        message = "auth_ref does not say where the key is"
        yield Finding("auth-unknown-scheme", Severity.ERROR, place, message, ref.hint, fix=fix)
    elif ref.scheme is AuthScheme.MOCK:
        message = "auth_ref is a mock: this provider answers offline, and nothing is called"
        yield Finding("auth-offline", Severity.INFO, place, message, "write env:NAME for real calls")
    elif ref.is_foreign:
        message = "auth_ref points into a folder that keeps keys of other programs"
        help = "copy the key for this provider to a file of its own"
        yield Finding("security-foreign-key", Severity.WARNING, place, message, help, f"file {ref.target}")


def _of_state(case: Case, provider: Provider, ref: AuthRef, place: Spot) -> Iterator[Finding]:
    credentials = case.snapshot.surroundings.credentials
    if credentials is None or not ref.needs_secret:
        return
    state = credentials.state(ref)
    if state not in {AuthState.ABSENT, AuthState.EMPTY}:
        return
    code, message, help = _lack(ref, state)
    evidence = _evidence(credentials, ref, _needed_for(case, provider))
    yield Finding(code, Severity.WARNING, place, message, help, evidence)


def _lack(ref: AuthRef, state: AuthState) -> tuple[str, str, str]:
    if state is AuthState.EMPTY:
        return "auth-empty", f"the key at {ref} is empty: this provider answers offline only", "put the key there"
    if ref.scheme is AuthScheme.ENV:
        name = ref.target
        return "auth-env-unset", f"the environment variable {name} is not set here", f"export {name}=…"
    return "auth-absent", f"there is no key at {ref}", "put the key there, or mend auth_ref"


def _evidence(credentials: CredentialCheck, ref: AuthRef, needed_for: str) -> str:
    """What the resolver says adds nothing to an unset variable."""
    cause = "" if ref.scheme is AuthScheme.ENV else credentials.cause(ref)
    return "; ".join(part for part in (cause, needed_for) if part)
