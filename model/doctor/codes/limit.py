"""What each code of the family limit: tokens and rates means."""

from model.doctor.codes.explanation import Explanation, Severity

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

EXPLANATIONS = (
    Explanation(
        "limit-output-over-window",
        ERROR,
        "More output than the whole window",
        "The window holds input and output together, so such an answer cannot be asked for.",
        "Swap them if they were mixed up; else write the most tokens of one answer.",
        "context_window_tokens: 8192\nmax_output_tokens: 64000\n",
    ),
    Explanation(
        "limit-output-is-window",
        WARNING,
        "As much output as the whole window",
        "Nearly always the window was copied; an answer of that length leaves no room for a question.",
        "Write the most tokens of one answer, or leave it out.",
        "context_window_tokens: 128000\nmax_output_tokens: 128000\n",
    ),
    Explanation(
        "limit-output-over-catalog",
        WARNING,
        "More output than the catalog knows of",
        "A request for so much is refused by most providers.",
        "Leave it out to follow the catalog.",
        "",
    ),
    Explanation(
        "limit-window-over-catalog",
        WARNING,
        "A larger window than the catalog knows of",
        "Long conversations would be judged to fit, and be refused.",
        "Leave it out to follow the catalog.",
        "",
    ),
    Explanation(
        "limit-window-over-observed",
        WARNING,
        "The endpoint runs the model with a smaller window",
        "Local servers often run with a small context whatever the model could do, and cut off silently.",
        "Raise it on the server, or write what the server gives.",
        "",
    ),
    Explanation(
        "limit-inconsistent",
        WARNING,
        "Two limits that cannot both be",
        "A minute holds less than one token a request, or fewer requests than run at the same time.",
        "See whether the two numbers were swapped.",
        "limits: {requests_per_minute: 40000, tokens_per_minute: 60}\n",
    ),
)
