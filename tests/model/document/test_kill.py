"""A save killed at any moment leaves the old file or the new one, whole, and nothing that the next start keeps."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from random import Random

import pytest

from model.document import clean_up

KILLS = 250
ROOT = Path(__file__).parents[3]

# One process with everything loaded; each line on its input makes it fork a child that saves until it is killed.
NURSERY = textwrap.dedent(
    """
    import os, sys
    from model.document import Set, YamlDoc, gate, locked, save
    path = sys.argv[1]

    def work():
        doc = YamlDoc.open(path)
        while True:
            for value in (1, 2):
                new = doc.apply(Set(("head",), value), Set(("tail",), value))
                save(new, path, expected_sha256=doc.sha256)
                doc = new
                os.write(1, b".")

    with locked(path):
        save(YamlDoc.open(path).apply(Set(("head",), 0)), path, expected_sha256=YamlDoc.open(path).sha256)
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            work()
        os.write(1, f"{child}\\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"dead\\n")
    """
)


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path, state: Path) -> None:
    path = tmp_path / "models.yaml"
    filler = "".join(f"k{i}: {'x' * 60}\n" for i in range(800))
    texts = {f"head: {v}\n{filler}tail: {v}\n".encode() for v in (0, 1, 2)}
    path.write_bytes(f"head: 0\n{filler}tail: 0\n".encode())
    path.chmod(0o640)
    random = Random(20261130)
    environment = {**os.environ, "CAPDECK_STATE": str(state), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", NURSERY, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, bufsize=0, **pipes) as nursery:
        for _ in range(KILLS):
            _kill_one(nursery, random)
            assert path.read_bytes() in texts
            assert stat.S_IMODE(path.stat().st_mode) == 0o640
            clean_up(path)
            assert os.listdir(tmp_path) == [path.name]
        nursery.kill()


def _kill_one(nursery: subprocess.Popen[bytes], random: Random) -> None:
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(b"\n")
    said = b""
    saves = random.randrange(4)
    while said.count(b".") < saves or b"\n" not in said:
        said += nursery.stdout.read(1)
    for _ in range(random.randrange(200_000)):  # somewhere in the next save: no clock is as fine
        pass
    os.kill(int(said.replace(b".", b"")), signal.SIGKILL)
    while not said.endswith(b"dead\n"):
        said += nursery.stdout.read(1)
