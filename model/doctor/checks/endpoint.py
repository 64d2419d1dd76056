"""Would this base_url be contacted, and would it reach what it means? Judged by its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from model.config.merge import Provider
from model.doctor.case import Case, spot
from model.endpoint import EndpointFault, EndpointProblem, read_endpoint
from model.findings import Finding, Fix, Severity, Spot
from model.vocabulary import Api, ProviderKind

_CODES = {
    EndpointFault.USERINFO: "endpoint-userinfo",
    EndpointFault.QUERY: "endpoint-query",
    EndpointFault.FRAGMENT: "endpoint-fragment",
    EndpointFault.LOCALHOST: "endpoint-localhost",
    EndpointFault.PLAIN_HTTP: "endpoint-plain-http",
}
_DOUBLED_VERSION = re.compile(r"/(v\d+)/+\1/*\Z")
_SURE = {EndpointFault.LOCALHOST, EndpointFault.PATH}


def of_provider(case: Case, provider: Provider) -> Iterator[Finding]:
    if not provider.enabled or provider.kind is None:
        return
    yield from _api(case, provider)
    stated = provider.decided_by("base_url")
    if stated is None:
        yield from _missing(case, provider)
        return
    url, place = stated.row.base_url or "", spot(stated, "base_url")
    if local_is_not_honoured(provider):
        return  # security says why
    read = read_endpoint(url, local=provider.local)
    if isinstance(read, EndpointProblem):
        yield _refused(read, place)
    else:
        yield from _untidy(url, place)


def local_is_not_honoured(provider: Provider) -> bool:
    """`local: true` of a remote address, in a file that may not say so."""
    stated = provider.decided_by("local")
    return stated is not None and stated.row.local is True and not provider.local


def is_refused_as_remote(provider: Provider) -> bool:
    """Whether only the way its address is written keeps the provider from being local."""
    if local_is_not_honoured(provider):
        return True
    read = read_endpoint(provider.base_url) if provider.base_url else None
    return isinstance(read, EndpointProblem) and read.fault is EndpointFault.LOCALHOST


def _missing(case: Case, provider: Provider) -> Iterator[Finding]:
    assert provider.kind is not None
    if provider.effective_base_url or case.bad.has(provider.layers, "base_url"):
        return
    message = f"{provider.provider_id} is {provider.kind.value} and has no base_url"
    home = provider.decided_by("provider_kind") or provider.layers[0]
    yield Finding("endpoint-missing", Severity.ERROR, spot(home), message, "add base_url: https://HOST/PATH")


def _api(case: Case, provider: Provider) -> Iterator[Finding]:
    if provider.kind is ProviderKind.CUSTOM and provider.api is Api.UNKNOWN and provider.decided_by("api") is None:
        if case.bad.has(provider.layers, "api"):
            return
        home = provider.decided_by("provider_kind") or provider.layers[0]
        message = f"{provider.provider_id} is custom and does not say which wire it speaks"
        yield Finding(
            "endpoint-no-api", Severity.WARNING, spot(home), message, "add api: openai-completions, or another"
        )


def _untidy(url: str, place: Spot) -> Iterator[Finding]:
    """What may be contacted, but is not written well; nothing in such a URL can be a secret part."""
    if doubled := _DOUBLED_VERSION.search(url):
        mended = f"{url[: doubled.start()]}/{doubled[1]}"
        message = f"base_url ends with /{doubled[1]} twice"
        yield _mendable("endpoint-doubled-version", Severity.WARNING, place, message, mended)
    elif url.endswith("/"):
        yield _mendable("endpoint-trailing-slash", Severity.INFO, place, "base_url ends with /", url.rstrip("/"))


def _refused(problem: EndpointProblem, place: Spot) -> Finding:
    code = _CODES.get(problem.fault, "endpoint-malformed")
    if problem.fault is EndpointFault.PATH and problem.suggestion:
        code = "endpoint-request-path"
    elif problem.fault is EndpointFault.CHARACTERS and "variable" in problem.text:
        code = "endpoint-variable"
    fix = None
    if problem.suggestion:
        fix = _set(place, problem.suggestion, safe=problem.fault in _SURE)
    return Finding(code, Severity.ERROR, place, problem.text, problem.mend, fix=fix)


def _mendable(code: str, severity: Severity, place: Spot, message: str, mended: str) -> Finding:
    return Finding(code, severity, place, message, f"write {mended}", fix=_set(place, mended, safe=True))


def _set(place: Spot, url: str, *, safe: bool) -> Fix:
    from model.document import Set

    return Fix(f"write {url}", place.file, (Set(place.path, url),), safe)
