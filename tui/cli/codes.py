"""`capdeck explain CODE`: what a finding's code means, why it matters, how to mend it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from model.doctor.codes import CODES, explain
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from tui.cli.output import Output


def demand_code(code: str) -> None:
    """`code` is a code or a family of codes. Raises Failure with the nearest known one."""
    from model.config.values import nearest
    from model.findings import Family

    if code not in CODES and code not in {family.value for family in Family}:
        meant = nearest(code, CODES)
        raise Failure("unknown-code", f"the doctor has no code {code!r}", f"did you mean {meant!r}?" if meant else "")


def print_code(out: Output, code: str) -> None:
    """Raises Failure for a code that the doctor does not have."""
    explanation = explain(code)
    if explanation is None:
        demand_code(code)
        codes = ", ".join(each for each in CODES if each.startswith(f"{code}-"))
        raise Failure("unknown-code", f"{code} is a family of codes", f"its codes: {codes}")
    if out.as_json:
        shape = {field.name: getattr(explanation, field.name) for field in dataclasses.fields(explanation)}
        out.document(shape | {"how_to_mend": shape.pop("mend")})
        return
    out.line(f"{out.style(code, bold=True)}  {explanation.severity}  {explanation.title}")
    out.line()
    out.line(explanation.why)
    out.line(explanation.mend)
    if explanation.example:
        out.line()
        for line in explanation.example.rstrip("\n").splitlines():
            out.line(f"    {line}")
