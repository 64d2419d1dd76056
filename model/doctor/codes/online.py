"""What the codes mean that only a contacted endpoint can show (`capdeck doctor --online`)."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING = Severity.ERROR, Severity.WARNING


def _online(code: str, severity: Severity, title: str, why: str, mend: str, example: str = "") -> Explanation:
    return Explanation(code, severity, title, why, mend, example, online=True)


EXPLANATIONS = (
    _online(
        "auth-rejected",
        ERROR,
        "The provider rejects the key",
        "It answered 401, or said so in words: a key that is present is not yet a key that is taken.",
        "See that auth_ref names this provider's current key, without blanks or quotes around it.",
    ),
    _online(
        "auth-wanted",
        ERROR,
        "The endpoint wants a key, and none is sent",
        "It answered 401, and the file names no key for it.",
        "Add auth_ref: env:NAME.",
    ),
    _online(
        "auth-forbidden",
        ERROR,
        "The key may not do this",
        "It answered 403: rights, region, organisation or an address filter may stand in the way.",
        "Look at the key's rights with the provider.",
    ),
    _online(
        "auth-no-credit",
        ERROR,
        "The account has no credit left",
        "The endpoint says that it will not work before it is paid.",
        "Add credit, or switch the provider off meanwhile.",
    ),
    _online(
        "endpoint-refused",
        ERROR,
        "No connection to the endpoint",
        "Nobody listens there, its name is not known, the network does not lead there, or it closed the connection.",
        "Start the server, or mend host and port in base_url.",
    ),
    _online(
        "endpoint-timed-out",
        ERROR,
        "No answer within the deadline",
        "Nothing, or not all of it, came in time. Nobody waited longer than the deadline.",
        "See whether the host can be reached from here; a slow server may need capdeck doctor --online --deadline.",
    ),
    _online(
        "endpoint-tls",
        ERROR,
        "The endpoint cannot be trusted to be itself",
        "Its certificate does not hold: expired, for another host, of an unknown issuer; or it speaks no TLS there.",
        "Mend what the message names; an authority of your own goes into SSL_CERT_FILE.",
    ),
    _online(
        "endpoint-redirect",
        ERROR,
        "The endpoint redirects elsewhere",
        "A key is never sent after a redirect, so that no call through this address can succeed.",
        "Write the final address as base_url, if it is one that you trust.",
    ),
    _online(
        "endpoint-web-page",
        ERROR,
        "A web page answers instead of an API",
        "A login page, a proxy or a website stands at this address; its 200 means nothing.",
        "Write the address of the API; often /v1 is missing.",
    ),
    _online(
        "endpoint-sibling",
        ERROR,
        "base_url works with another path",
        "The address as written answers that nothing is there; with or without /v1 it lists its models.",
        "Take the mend: it writes the address that works.",
    ),
    _online(
        "endpoint-no-list",
        WARNING,
        "The endpoint has no list of models",
        "It answered 404 where its models should be listed. Some gateways have none; more often the address is wrong.",
        "Look at base_url; if calls work all the same, ignore this one.",
    ),
    _online(
        "endpoint-failed",
        ERROR,
        "The endpoint answers, but not with anything usable",
        "An error of its own (5xx), a refusal, or an answer that cannot be read. None of these counts as healthy.",
        "Read what it said; look at the provider's status page, or the server's log.",
    ),
    _online(
        "endpoint-clock",
        WARNING,
        "This machine's clock is off",
        "The server's Date header and the clock here differ by more than five minutes.",
        "Set the clock; certificates and signed requests depend on it.",
    ),
    _online(
        "model-not-listed",
        WARNING,
        "The endpoint does not list the model",
        "A slip in model_id, a model that is gone, or no access to it. Some gateways take ids that they do not list.",
        "Take the suggestion, or look at the list with capdeck add REF --online.",
    ),
    _online(
        "limit-used-up",
        WARNING,
        "A rate limit or quota is used up",
        "The endpoint answered 429, so that nothing else could be told of it now.",
        "Wait, lower the rate, or raise the limit with the provider.",
    ),
    _online(
        "limit-rate-over-endpoint",
        WARNING,
        "A higher rate than the endpoint's own headers allow",
        "What plans by the file's number will run into 429.",
        "Write the endpoint's number, or ask the provider for more.",
    ),
)
