"""`capdeck demo`: the workbench on a bundled sample, with nothing to set up and nobody contacted."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tui.cli.invocation import Invocation, command

if TYPE_CHECKING:
    from model.workbench import Workbench

SAMPLE = Path(__file__).parents[1] / "demo" / "models.yaml"
_PRESENT = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GATEWAY_API_KEY")
"""The sample's keys that the demo has; a mock key means offline mode, so that nobody is called."""


@command(formats=("text",))
def demo(invocation: Invocation) -> int | None:
    """Open the workbench on a bundled sample: a copy in a temporary folder, offline, no keys."""
    from tui.cli.open import demand_terminal, run_app

    demand_terminal(f"capdeck matrix {SAMPLE}")
    with tempfile.TemporaryDirectory(prefix="capdeck-demo-") as folder:
        return run_app(demo_bench(Path(folder)), demo=True)


def demo_bench(folder: Path) -> Workbench:
    """A copy of the sample in `folder`, opened as the user's own global file."""
    from adapters.secrets import CredentialResolver
    from model.files import FileSpec
    from model.snapshot import Surroundings
    from model.vocabulary import Layer
    from model.workbench import Workbench

    file = folder / SAMPLE.name
    shutil.copyfile(SAMPLE, file)
    credentials = CredentialResolver(environ=dict.fromkeys(_PRESENT, "mock_demo"), home=folder)
    return Workbench([FileSpec(file, Layer.GLOBAL)], Surroundings(credentials))
