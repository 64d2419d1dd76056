"""What each code of the families capability and catalog: what models can do, and who says so means."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

EXPLANATIONS = (
    Explanation(
        "capability-denied-by-catalog",
        WARNING,
        "The file claims what the catalog denies",
        (
            "Your word counts, so tasks will choose the model for it, and the call may fail. At a gateway, which "
            "may add what the vendor lacks, it is only worth knowing."
        ),
        "Take it out if the catalog is right.",
        "",
    ),
    Explanation(
        "capability-below-catalog",
        INFO,
        "The file denies what the catalog claims",
        "Your word counts; perhaps on purpose.",
        "Leave the key out to follow the catalog.",
        "",
    ),
    Explanation(
        "capability-observed-otherwise",
        WARNING,
        "The endpoint was seen without it",
        "Something looked at the endpoint and found that the capability is missing there.",
        "Adopt the observation, or look again.",
        "",
    ),
    Explanation(
        "capability-impossible",
        WARNING,
        "Several tool calls at once, without tool calls",
        "parallel_tool_use says more than tool_use, and cannot hold without it.",
        "Make the two agree.",
        "supports: {tool_use: false, parallel_tool_use: true}\n",
    ),
    Explanation(
        "capability-long-context",
        WARNING,
        "long_context with a small window",
        "The window is smaller than policy.long_context_tokens, from which on a context counts as long.",
        "Leave long_context out: it follows from the window.",
        "context_window_tokens: 8192\nsupports: {long_context: true}\n",
    ),
    Explanation(
        "capability-contradicts-conversion",
        WARNING,
        "The conversion block takes away what supports claims",
        "What is unsupported there never reaches the model, so the claim is without effect.",
        "Change one of the two.",
        "supports: {thinking: true}\nconversion: {thinking: unsupported}\n",
    ),
    Explanation(
        "capability-over-transport",
        WARNING,
        "The conversion block claims more than the wire carries",
        "What capdeck's adapter for this wire really does is known and tested; the block cannot improve it.",
        "Leave the key out.",
        "conversion: {cache_control: native}   # over openai-completions\n",
    ),
    Explanation(
        "capability-not-carried",
        INFO,
        "The model can do it, the wire does not carry it",
        "The file is right about the model; capdeck's adapter just does not transport it.",
        "Nothing to mend.",
        "",
    ),
    Explanation(
        "capability-not-stated",
        WARNING,
        "Nobody states a capability that matters",
        (
            "The catalog lacks the model, or the kind of endpoint counts only what is declared. Not stated is not "
            "no, but it does not pass either."
        ),
        "State it under supports.",
        "",
    ),
    Explanation(
        "catalog-unknown-exclusion",
        WARNING,
        "exclude_models names no model of yours",
        "It excludes nobody.",
        "Take the suggestion: provider_id/model_id.",
        "",
    ),
    Explanation(
        "catalog-unknown-tool",
        INFO,
        "A required tool has no row",
        "A tool without a row counts as compatible with every model.",
        "Take the suggestion, or add a row under tools:.",
        "",
    ),
    Explanation(
        "catalog-stale",
        INFO,
        "Catalog rows were last checked long ago",
        "Vendors change what a model can do; a row is fresh for 180 days.",
        "Update capdeck, or state in the file what you know better.",
        "",
    ),
)
