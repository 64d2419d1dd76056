"""What each code of the family endpoint: where a provider is reached means."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

EXPLANATIONS = (
    Explanation(
        "endpoint-missing",
        ERROR,
        "A provider of this kind has to state its base_url",
        "Only anthropic, openai, openrouter and ollama have an address that is known beforehand.",
        "Add base_url: https://HOST/PATH.",
        "- {provider_id: gate, provider_kind: openai_compatible, auth_ref: env:K}\n",
    ),
    Explanation(
        "endpoint-no-api",
        WARNING,
        "A custom provider does not name its wire",
        "Without api: nothing is known of what its endpoint carries, and capdeck cannot contact it.",
        "Add api: openai-completions, anthropic-messages or another.",
        "- {provider_id: own, provider_kind: custom, base_url: 'https://h/v1', auth_ref: env:K}\n",
    ),
    Explanation(
        "endpoint-malformed",
        ERROR,
        "base_url is no address that may be contacted",
        "A blank, a missing scheme, an impossible host or port, or a path that walks upwards.",
        "Write https://HOST/PATH.",
        "base_url: api.example.com/v1\n",
    ),
    Explanation(
        "endpoint-variable",
        ERROR,
        "base_url holds a variable",
        "Variables are not expanded: the request would go to a host of that very name.",
        "Write the address itself.",
        "base_url: https://${HOST}/v1\n",
    ),
    Explanation(
        "endpoint-userinfo",
        ERROR,
        "base_url holds a user name or password",
        "It is shown and logged wherever the address is.",
        "Take it out, and set auth_ref.",
        "",
    ),
    Explanation(
        "endpoint-query",
        ERROR,
        "base_url holds a query",
        "Paths are added behind it, so it would not work, and a key in it is shown wherever the address is.",
        "Take it out; a key belongs in auth_ref.",
        "base_url: https://h/v1?region=eu\n",
    ),
    Explanation(
        "endpoint-fragment",
        ERROR,
        "base_url holds a fragment",
        "What stands behind # is never sent.",
        "Take it out.",
        "base_url: https://h/v1#eu\n",
    ),
    Explanation(
        "endpoint-request-path",
        ERROR,
        "base_url is the address of one request",
        "capdeck adds the path of each request by itself, so it would stand there twice.",
        "Write the base.",
        "base_url: https://h/v1/chat/completions\n",
    ),
    Explanation(
        "endpoint-doubled-version",
        WARNING,
        "The version stands twice in base_url",
        "Such a path answers 404 nearly everywhere.",
        "Write it once.",
        "base_url: https://h/v1/v1\n",
    ),
    Explanation(
        "endpoint-trailing-slash",
        INFO,
        "base_url ends with a slash",
        "capdeck does not mind; other programs that read the file then ask for //.",
        "Leave it out.",
        "base_url: https://h/v1/\n",
    ),
    Explanation(
        "endpoint-localhost",
        ERROR,
        "A name instead of the loopback address",
        (
            "localhost is looked up like any name and may lead elsewhere, or to ::1 where the server does not "
            "listen. Only an address counts as local."
        ),
        "Write 127.0.0.1.",
        "base_url: http://localhost:11434\n",
    ),
    Explanation(
        "endpoint-plain-http",
        ERROR,
        "Plain http to another machine",
        "Key and prompts would go over the network in the clear.",
        "Write https, or local: true in the global file for a server of your own.",
        "base_url: http://api.example.com/v1\n",
    ),
)
