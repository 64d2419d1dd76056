"""What has to hold of the opened files before a command can answer; if it does not, one clear Failure."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from model.files import file_findings
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from model.files import OpenFile
    from model.vocabulary import Layer
    from model.workbench import Workbench


def demand_content(bench: Workbench, named: Set[Layer]) -> None:
    """Raises Failure for a file of the `named` layers that is missing, for one that cannot be used, and if there is
    nothing at all."""
    for file in bench.files:
        if not file.missing or file.layer in named:
            demand_usable(file)
    if all(file.missing for file in bench.files):
        raise no_file(bench)
    if not any(file.doc and file.doc.data for file in bench.files):
        file = next(file for file in bench.files if not file.missing)
        help = "capdeck add PROVIDER/MODEL writes a first entry; capdeck demo shows a whole file"
        raise Failure("config-empty", "the file lists no providers", help, file.name, 1, 1)


def demand_usable(file: OpenFile) -> None:
    """Raises Failure if the file could not be read, does not parse, or holds no mapping."""
    if file.missing:
        raise Failure("config-missing", "there is no such file", _did_you_mean(file.path), file.name)
    if file.problem is not None:
        finding = file_findings(file)[0]
        line, column = file.line_column(finding.spot) or (1, 1)
        raise Failure(finding.code, finding.message, finding.help, file.name, line, column)
    if file.doc and file.doc.data is not None and not isinstance(file.doc.data, dict):
        kind = "a list" if isinstance(file.doc.data, list) else "a single value"
        help = "a models.yaml starts with 'providers:'; capdeck schema describes it"
        raise Failure("config-wrong-type", f"expected a mapping at the top, found {kind}", help, file.name, 1, 1)


def no_file(bench: Workbench) -> Failure:
    """Neither a global nor a project file: says so, and how to get one."""
    looked = " and ".join(file.name for file in bench.files) or "nowhere, since both files were left out"
    help = "capdeck add PROVIDER/MODEL --kind KIND starts one, --global FILE names one, capdeck demo shows one"
    if Path("models.yaml").is_file():
        help = "there is one here: --project models.yaml takes it"
    return Failure("config-missing", f"no models.yaml found (looked for {looked})", help)


def _did_you_mean(path: Path) -> str:
    from model.config.values import nearest
    from tui.cli.table import COMMANDS

    meant = nearest(str(path), COMMANDS)
    return f"did you mean the command {meant!r}?" if meant else ""
