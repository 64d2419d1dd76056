"""What each code of the families auth and security: keys, and what a file must not decide for its reader means."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

EXPLANATIONS = (
    Explanation(
        "auth-missing",
        ERROR,
        "A provider that is not local has no auth_ref",
        "Nobody could say where its key is, so no call to it can succeed.",
        (
            "Add auth_ref: env:NAME, file:PATH or keyring:SERVICE/USER; none where the endpoint takes no key; "
            "local: true for a server of your own."
        ),
        "- {provider_id: main, provider_kind: anthropic}\n",
    ),
    Explanation(
        "auth-env-unset",
        WARNING,
        "The variable that auth_ref names is not set here",
        "The file is right; on this machine, in this shell, the key is absent.",
        "Export the variable, or ignore the finding where it is set elsewhere, such as in CI only.",
        "auth_ref: env:ANTHROPIC_API_KEY\n",
    ),
    Explanation(
        "auth-absent",
        WARNING,
        "No key where auth_ref points",
        "The file or the keyring entry is missing or cannot be used; the evidence says why.",
        "Put the key there, or mend auth_ref.",
        "auth_ref: file:~/.keys/anthropic\n",
    ),
    Explanation(
        "auth-empty",
        WARNING,
        "The key is empty",
        (
            "A blank key means offline mode: answers are made up without calling anybody. A variable that is set "
            "but empty is seldom meant so."
        ),
        "Put the key there, or write auth_ref: none for an endpoint without keys.",
        "",
    ),
    Explanation(
        "auth-offline",
        INFO,
        "A mock instead of a key",
        "What begins with mock_ means offline mode: deterministic answers, no network, nothing promoted.",
        "Write env:NAME for real calls.",
        "auth_ref: mock_demo\n",
    ),
    Explanation(
        "auth-unknown-scheme",
        ERROR,
        "auth_ref does not say where the key is",
        "It is none of env:NAME, file:PATH, keyring:SERVICE/USER and none.",
        "Take the suggestion.",
        "auth_ref: ANTHROPIC_API_KEY\n",
    ),
    Explanation(
        "auth-literal-secret",
        ERROR,
        "auth_ref may hold the key itself",
        (
            "models.yaml is shared, copied and committed; a key in it is a key given away. It is never shown, not "
            "even in part."
        ),
        "Take it out, replace the key at the provider if the file was shared, and write env:NAME.",
        "",
    ),
    Explanation(
        "auth-secret-in-file",
        ERROR,
        "A key elsewhere in the file",
        (
            "Under a name such as api_key, in a note, or in a comment: wherever it stands, it is given away with "
            "the file."
        ),
        "Take it out, replace the key at the provider if the file was shared, and write auth_ref: env:NAME.",
        "",
    ),
    Explanation(
        "security-untrusted",
        WARNING,
        "A file that you have not agreed to chooses where a key goes",
        (
            "A cloned project could send your key to a server of its own, so what its file says of base_url and "
            "auth_ref rests until you agree."
        ),
        "Look at the two values, then run capdeck trust PROVIDER.",
        "",
    ),
    Explanation(
        "security-local-ignored",
        WARNING,
        "local: true of a remote address does not count",
        (
            "local means: no key needed, plain http allowed. Only your global file may say that of an address "
            "that is not on this machine."
        ),
        "Write it in the global file if the server is yours.",
        "base_url: http://192.168.1.5:8080/v1\nlocal: true\n",
    ),
    Explanation(
        "security-policy-ignored",
        WARNING,
        "A project file sets a rule that is yours to set",
        (
            "unknown_capabilities, allow_online_checks and allow_proxy count in the global file only: a cloned "
            "project does not loosen its reader's rules."
        ),
        "Move it to the global file, or take it out.",
        "policy: {allow_proxy: true}\n",
    ),
    Explanation(
        "security-foreign-key",
        WARNING,
        "auth_ref points at another program's keys",
        "Files under .ssh, .gnupg, .aws or .kube are no keys of a model provider; sent to one, they are given away.",
        "Keep this provider's key in a file of its own.",
        "auth_ref: file:~/.ssh/id_rsa\n",
    ),
)
