"""Watching: every way in which a file changes is told once; our own saves are not."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from model.document.watch import DiskChange, changes, changes_in_thread, look

OLD = b"a: 1\n"
NEW = b"a: 2\n"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.yaml"
    path.write_bytes(OLD)
    return path


async def following(watch: AsyncIterator[DiskChange]) -> DiskChange:
    return await asyncio.wait_for(anext(watch), timeout=20)


def test_look(file: Path) -> None:
    assert look(file, sha(OLD)) is None
    assert look(file, None) == DiskChange(OLD, sha(OLD))
    file.unlink()
    assert look(file, sha(OLD)) == DiskChange(None, None)
    assert look(file, None) is None


async def test_written_renamed_over_removed_and_back(file: Path) -> None:
    watch = changes(file, lambda: sha(OLD))
    file.write_bytes(NEW)
    assert (await following(watch)).data == NEW
    other = file.with_name("other")
    other.write_bytes(b"a: 3\n")
    os.replace(other, file)
    assert (await following(watch)).data == b"a: 3\n"
    file.unlink()
    assert (await following(watch)).data is None
    file.symlink_to(file.with_name("target"))
    file.with_name("target").write_bytes(NEW)
    assert (await following(watch)).data == NEW


async def test_what_we_wrote_is_no_news(file: Path) -> None:
    known = [sha(OLD)]
    watch = changes(file, lambda: known[0])
    known[0] = sha(NEW)
    file.write_bytes(NEW)
    waiting = asyncio.ensure_future(following(watch))
    file.write_bytes(b"a: 4\n")
    assert (await waiting).data == b"a: 4\n"


def test_in_a_thread(file: Path) -> None:
    stop = threading.Event()
    file.write_bytes(NEW)
    assert next(changes_in_thread(file, lambda: sha(OLD), stop)).data == NEW
