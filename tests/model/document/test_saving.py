"""Saving: whole or not at all, over the very file that was opened, with everything that is not text kept."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from model.document import Conflict, Set, YamlDoc, backup_path, clean_up, locked, save
from model.document import saving as saving_module

OLD = b"a: 1\nb: 2\n"
NEW = b"a: 5\nb: 2\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.yaml"
    path.write_bytes(OLD)
    return path


def edited(path: Path) -> tuple[YamlDoc, str]:
    doc = YamlDoc.open(path)
    return doc.apply(Set(("a",), 5)), doc.sha256


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


def test_saves_and_keeps_the_old_text_as_backup(file: Path) -> None:
    doc, opened = edited(file)
    result = save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == NEW
    assert result.changed
    assert result.sha256 == YamlDoc.open(file).sha256
    assert result.backup == backup_path(file)
    assert backup_path(file).read_bytes() == OLD
    assert stat.S_IMODE(backup_path(file).stat().st_mode) == 0o600
    assert os.listdir(file.parent) == [file.name]


def test_nothing_to_save_writes_nothing(file: Path) -> None:
    before = file.stat()
    doc = YamlDoc.open(file)
    assert not save(doc, file, expected_sha256=doc.sha256).changed
    assert file.stat().st_ino == before.st_ino


def test_a_new_file_is_private_and_its_folder_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "models.yaml"
    save(YamlDoc.parse(b""), path, expected_sha256=None)
    assert path.read_bytes() == b""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_new_file_does_not_overwrite(file: Path) -> None:
    with pytest.raises(Conflict, match="there already"):
        save(YamlDoc.parse(NEW), file, expected_sha256=None)
    assert file.read_bytes() == OLD


def test_changed_on_disk(file: Path) -> None:
    doc, opened = edited(file)
    file.write_bytes(b"a: 1\nb: 3\n")
    with pytest.raises(Conflict) as caught:
        save(doc, file, expected_sha256=opened)
    assert caught.value.disk == b"a: 1\nb: 3\n"
    assert file.read_bytes() == b"a: 1\nb: 3\n"


def test_changed_with_the_same_size_and_time(file: Path) -> None:
    doc, opened = edited(file)
    status = file.stat()
    file.write_bytes(b"a: 1\nb: 9\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(Conflict):
        save(doc, file, expected_sha256=opened)


def test_changed_while_the_new_text_is_written(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doc, opened = edited(file)
    fsync = os.fsync

    def meddle(descriptor: int) -> None:
        fsync(descriptor)
        file.write_bytes(b"late: 1\n")

    monkeypatch.setattr(saving_module.os, "fsync", meddle)
    with pytest.raises(Conflict):
        save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == b"late: 1\n"
    assert leftovers(file.parent) == []


def test_removed_on_disk(file: Path) -> None:
    doc, opened = edited(file)
    file.unlink()
    with pytest.raises(Conflict) as caught:
        save(doc, file, expected_sha256=opened)
    assert caught.value.disk is None
    assert not file.exists()


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    doc, opened = edited(link)
    result = save(doc, link, expected_sha256=opened)
    assert link.is_symlink()
    assert file.read_bytes() == NEW
    assert result.path == file
    assert backup_path(link) == backup_path(file)


def test_a_file_that_became_a_link_is_followed(file: Path, tmp_path: Path) -> None:
    doc, opened = edited(file)
    elsewhere = tmp_path / "elsewhere.yaml"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    save(doc, file, expected_sha256=opened)
    assert file.is_symlink()
    assert elsewhere.read_bytes() == NEW


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_mode_stays(file: Path, mode: int) -> None:
    file.chmod(mode)
    doc, opened = edited(file)
    save(doc, file, expected_sha256=opened)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_the_owner_stays(file: Path) -> None:
    os.chown(file, 1234, 1235)
    doc, opened = edited(file)
    save(doc, file, expected_sha256=opened)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 1235)


def test_an_owner_that_cannot_be_kept_is_said(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doc, opened = edited(file)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no")

    real = os.fstat

    def foreign(descriptor: int) -> os.stat_result:
        status = list(real(descriptor))
        status[4] = 4321
        return os.stat_result(status)

    monkeypatch.setattr(saving_module.os, "fchown", refuse)
    monkeypatch.setattr(saving_module.os, "fstat", foreign)
    assert "owner" in " ".join(save(doc, file, expected_sha256=opened).notes)


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_stay(file: Path) -> None:
    try:
        os.setxattr(file, "user.note", b"keep me")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    doc, opened = edited(file)
    save(doc, file, expected_sha256=opened)
    assert os.getxattr(file, "user.note") == b"keep me"


def test_hard_links_are_said(file: Path, tmp_path: Path) -> None:
    os.link(file, tmp_path / "other.yaml")
    doc, opened = edited(file)
    assert "2 hard links" in " ".join(save(doc, file, expected_sha256=opened).notes)
    assert (tmp_path / "other.yaml").read_bytes() == OLD


def test_a_read_only_file_stays(file: Path) -> None:
    doc, opened = edited(file)
    file.chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == OLD


def test_a_folder_or_a_pipe_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe):
        with pytest.raises(OSError, match=r"regular|directory"):
            save(YamlDoc.parse(NEW), path, expected_sha256="0")
        with pytest.raises(OSError, match=r"regular|directory"):
            YamlDoc.open(path)


@pytest.mark.parametrize("call", ["write", "fsync", "fchmod", "replace", "open"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_failing_disk_leaves_everything_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    doc, opened = edited(file)
    real = getattr(os, call)

    def fail(*arguments: object, **named: object) -> object:
        target = str(arguments[0])
        if call == "open" and "capdeck-" not in target:
            return real(*arguments, **named)
        if call == "replace" and "backups" in target:
            return real(*arguments, **named)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(saving_module.os, call, fail)
    with pytest.raises(OSError, match=os.strerror(code)) as caught:
        save(doc, file, expected_sha256=opened)
    assert caught.value.errno == code
    monkeypatch.undo()
    assert file.read_bytes() == OLD
    assert leftovers(file.parent) == []


@pytest.mark.parametrize("call", ["fsync", "close"])
def test_a_folder_that_fails_after_the_rename_is_no_failed_save(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    doc, opened = edited(file)
    real = getattr(os, call)

    def fail(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        real(descriptor)
        if is_folder:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(saving_module.os, call, fail)
        save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == doc.to_bytes()


def test_short_writes_are_continued(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doc, opened = edited(file)
    real = os.write
    monkeypatch.setattr(saving_module.os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == NEW


def test_without_a_state_folder_it_saves_and_says_so(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    monkeypatch.setenv("CAPDECK_STATE", str(blocked))
    doc, opened = edited(file)
    notes = " ".join(save(doc, file, expected_sha256=opened).notes)
    assert "without a lock" in notes
    assert "no backup" in notes
    assert file.read_bytes() == NEW


def test_what_a_killed_save_left_is_cleaned(file: Path) -> None:
    left = file.parent / f".{file.name}.capdeck-0123456789ab.tmp"
    other = file.parent / f".{file.name}.somebody.tmp"
    left.write_text("half")
    other.write_text("not ours")
    clean_up(file)
    assert not left.exists()
    assert other.exists()


def test_the_lock_can_be_held_around_read_change_and_write(file: Path) -> None:
    with locked(file):
        doc, opened = edited(file)
        save(doc, file, expected_sha256=opened)
    assert file.read_bytes() == NEW


def test_a_document_that_does_not_read_as_meant_is_not_saved(file: Path) -> None:
    from dataclasses import replace

    from model.document import Unsafe

    doc, opened = edited(file)
    with pytest.raises(Unsafe):
        save(replace(doc, data={"a": 6, "b": 2}), file, expected_sha256=opened)
    assert file.read_bytes() == OLD


COUNTER = """
import sys
from model.document import Set, YamlDoc, locked, save
for _ in range(15):
    with locked(sys.argv[1]):
        doc = YamlDoc.open(sys.argv[1])
        save(doc.apply(Set(("a",), doc.data["a"] + 1)), sys.argv[1], expected_sha256=doc.sha256)
"""


def test_two_processes_lose_no_edit(file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", COUNTER, str(file)]
    both = [subprocess.Popen(command, env=environment) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert YamlDoc.open(file).data == {"a": 31, "b": 2}
