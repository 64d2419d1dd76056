"""What each code of the family config: the file as text and as values means."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

EXPLANATIONS = (
    Explanation(
        "config-unreadable",
        ERROR,
        "The file cannot be read",
        "The system refused to open it: rights, a folder of that name, a broken link.",
        "Mend the rights or the path; the message has the system's reason.",
        "",
    ),
    Explanation(
        "config-not-yaml",
        ERROR,
        "The text is not YAML",
        (
            "Nothing of the file counts until it parses. The last version that could be read stays on the screen, "
            "and the file is not written."
        ),
        "Go to the place named: most often an indent, a missing colon, or a quote that is not closed.",
        "providers: [\n",
    ),
    Explanation(
        "config-refused",
        ERROR,
        "The file is beyond what is read safely",
        (
            "Too large, too deep, aliases that unfold without end, or not UTF-8: capdeck reads such a file not at "
            "all rather than half."
        ),
        "Save it as UTF-8, and write the values out where aliases nest.",
        "",
    ),
    Explanation(
        "config-several-documents",
        WARNING,
        "Several documents in one file",
        "Behind a line of three dashes a new document begins, and only the first one is read.",
        "Keep one document a file.",
        "providers: []\n---\nproviders: []\n",
    ),
    Explanation(
        "config-duplicate-key",
        ERROR,
        "A key stands twice in one mapping",
        "YAML readers take the last of the two, so the first is without effect, though it looks as if it counted.",
        "Remove one of the two.",
        "enabled: true\nenabled: false\n",
    ),
    Explanation(
        "config-unknown-key",
        WARNING,
        "A key that nobody reads",
        "It stays in the file, but it has no effect: often a slip, and then the value that was meant is missing.",
        "Take the suggestion, or put keys of your own at the top under a name that begins with x-.",
        "suports: {tool_use: true}\n",
    ),
    Explanation(
        "config-wrong-level",
        ERROR,
        "A known key at the wrong place",
        "The key has its meaning elsewhere, a level above or below; here nobody reads it.",
        "Move it where the message says.",
        "- model_id: m\n  tool_use: true\n",
    ),
    Explanation(
        "config-wrong-type",
        ERROR,
        "A value of the wrong kind",
        "The key takes another kind of value, so this one counts as not stated.",
        "Write what the message asks for; a text that looks like a number needs quotes.",
        "context_window_tokens: 200k\n",
    ),
    Explanation(
        "config-wrong-value",
        ERROR,
        "A value that the key does not take",
        "The key takes one of a few words, and this is none of them; it counts as not stated.",
        "Choose one of the words listed.",
        "quality_tier: stronk\n",
    ),
    Explanation(
        "config-quoted-boolean",
        ERROR,
        "true or false in quotes",
        'In quotes it is a text, not an answer; many programs then take it for true, even "false".',
        "Take the quotes away.",
        'tool_use: "true"\n',
    ),
    Explanation(
        "config-out-of-range",
        ERROR,
        "A number that cannot be",
        "Counts start at 1 and scores run from 0 to 100; the value counts as not stated.",
        "Write a number within the bounds, or leave the key out.",
        "max_output_tokens: -1\n",
    ),
    Explanation(
        "config-missing-id",
        ERROR,
        "A row without its id",
        "Without provider_id or model_id nothing can refer to the row, so it is no model for anybody.",
        "Add the id.",
        "- provider_kind: anthropic\n",
    ),
    Explanation(
        "config-missing-kind",
        ERROR,
        "A provider without provider_kind",
        "The kind tells which wire it speaks and where it lives.",
        "Add provider_kind: anthropic, openai, openrouter, ollama, anthropic_compatible, openai_compatible or custom.",
        "- provider_id: main\n",
    ),
    Explanation(
        "config-missing-key",
        ERROR,
        "A row lacks a key that it cannot do without",
        "The row is read, but has no effect without it.",
        "Add the key.",
        "tools:\n  - produces_images: true\n",
    ),
    Explanation(
        "config-bad-id",
        ERROR,
        "An id that cannot be one",
        (
            "A provider_id holds letters, digits, '.', '_' and '-' only, since provider_id/model_id is split at "
            "the first '/'. A model_id has no blanks at its ends."
        ),
        "Write it so.",
        "- provider_id: my provider\n",
    ),
    Explanation(
        "config-not-a-list",
        ERROR,
        "A mapping where a list belongs",
        "Each provider, model, tool and chain is an item of a list, and an item begins with a dash.",
        "Put '- ' before each.",
        "providers:\n  main: {provider_kind: anthropic}\n",
    ),
    Explanation(
        "config-ignore-unused",
        INFO,
        "An ignore entry that accepts nothing",
        "The finding is mended, or `at` names another place: the entry would silently swallow the next one.",
        "Take the entry out, or mend `at`.",
        "policy:\n  ignore: [{code: auth-empty}]\n",
    ),
    Explanation(
        "config-unknown-code",
        WARNING,
        "An ignore entry for a code that does not exist",
        "It cannot accept anything.",
        "Take the suggestion; capdeck explain CODE tells of each.",
        "policy:\n  ignore: [{code: auth-env-unsett}]\n",
    ),
)
