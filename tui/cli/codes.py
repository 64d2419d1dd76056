"""`capdeck explain CODE`: what a finding's code means, why it matters, how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.cli.output import Output


def known_codes() -> list[str]:
    """For completion and did-you-mean."""
    return []


def print_code(out: Output, code: str) -> None:
    """Raises Failure for a code that the doctor does not have."""
    from tui.cli.errors import Failure

    raise Failure("unknown-code", f"the doctor has no code {code!r}")
