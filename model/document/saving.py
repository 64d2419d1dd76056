"""Saves so that the file is the old one or the new one, whole, at any moment (YAML.md, Design 7)."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from model.document.document import YamlDoc
from model.document.errors import Conflict
from model.document.source import read_bytes
from model.document.state import backup_path, locked
from model.quick_dataclass import dataclass

NEW_FILE_MODE = 0o600
LONGEST_NAME = 200  # bytes: file systems take 255, and a temporary name is longer than the file's
TOKEN_BYTES = 6


@dataclass(frozen=True, slots=True)
class SaveResult:
    """`path` is the file written (links followed); `notes` say what could not be kept, for the user to read."""

    path: Path
    sha256: str
    changed: bool
    backup: Path | None = None
    notes: tuple[str, ...] = ()


def save(doc: YamlDoc, path: str | os.PathLike[str], *, expected_sha256: str | None) -> SaveResult:
    """Write the document, proved in full, over the file that has this hash; None means that there must be no file.

    Raises Unsafe if the proof fails, Conflict if the file is not the one expected, OSError (which leaves everything
    as it was), TimeoutError if another capdeck holds the file.
    """
    doc.prove()
    real = Path(os.path.realpath(path))
    data = doc.to_bytes()
    with locked(real) as unlocked:
        _clean(real)
        old = _expected(real, expected_sha256)
        notes = [unlocked] if unlocked else []
        if old == data:
            return SaveResult(real, doc.sha256, changed=False, notes=tuple(notes))
        backup = _back_up(real, old, notes) if old is not None else None
        _replace(real, data, expected_sha256, notes)
    return SaveResult(real, doc.sha256, True, backup, tuple(notes))


def clean_up(path: str | os.PathLike[str]) -> None:
    """Remove what a killed save left beside the file; to be called when a file is opened to be edited."""
    real = Path(os.path.realpath(path))
    if any(_leftovers(real)):
        with locked(real):
            _clean(real)


def _temporary_name(real: Path, token: str) -> str:
    """Beside the file; short enough even where its own name is as long as a name can be."""
    name = os.fsencode(real.name)
    return f".{real.name if len(name) <= LONGEST_NAME else hashlib.sha256(name).hexdigest()}.capdeck-{token}.tmp"


def _leftovers(real: Path) -> list[Path]:
    """Only files, and only those that a save can have made."""
    ours = re.compile(re.escape(_temporary_name(real, "TOKEN")).replace("TOKEN", f"[0-9a-f]{{{2 * TOKEN_BYTES}}}"))
    try:
        with os.scandir(real.parent) as entries:
            return [Path(each.path) for each in entries if ours.fullmatch(each.name) and each.is_file()]
    except OSError:
        return []


def _clean(real: Path) -> None:
    """Whoever holds the lock knows that no other save is under way. A leftover that stays does no harm."""
    for path in _leftovers(real):
        _remove_quietly(path)


def _expected(real: Path, expected: str | None) -> bytes | None:
    """The bytes on disk, if they are those expected."""
    try:
        disk: bytes | None = read_bytes(real)
    except FileNotFoundError:
        disk = None
    if disk is None and expected is not None:
        raise Conflict("the file was removed on disk", disk=None, help="save it again as a new file, or drop the edits")
    if disk is not None and expected is None:
        raise Conflict("a file of this name is there already", disk=disk)
    if disk is not None and hashlib.sha256(disk).hexdigest() != expected:
        raise Conflict("the file was changed on disk since it was opened", disk=disk)
    return disk


def _back_up(real: Path, old: bytes, notes: list[str]) -> Path | None:
    """Without a backup the save goes on, and says so."""
    target = backup_path(real)
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = target.with_suffix(".tmp")
        temporary.unlink(missing_ok=True)
        _write_new(temporary, old)
        os.replace(temporary, target)
    except OSError as error:
        notes.append(f"no backup was made: {error.strerror or error}")
        return None
    return target


def _replace(real: Path, data: bytes, expected: str | None, notes: list[str]) -> None:
    status = _status(real, expected)
    temporary = real.parent / _temporary_name(real, token_hex(TOKEN_BYTES))
    try:
        _write_new(temporary, data, status, real, notes)
        _expected(real, expected)  # once more, as late as can be
        os.replace(temporary, real)
    except BaseException as error:
        _remove_quietly(temporary)
        if isinstance(error, OSError):  # the user knows the file, not the temporary one
            raise OSError(error.errno, error.strerror, str(real)) from None
        raise
    _sync_folder(real.parent)


def _status(real: Path, expected: str | None) -> os.stat_result | None:
    if expected is None:
        real.parent.mkdir(parents=True, exist_ok=True)
        return None
    status = os.stat(real)
    writable = status.st_mode & 0o222 and os.access(real, os.W_OK)
    if not writable:
        raise PermissionError(errno.EACCES, "the file is read-only", str(real))
    return status


def _write_new(
    path: Path,
    data: bytes,
    like: os.stat_result | None = None,
    original: Path | None = None,
    notes: list[str] | None = None,
) -> None:
    """A new file with these bytes on disk, and with mode, owner and attributes of the original, if there is one."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, NEW_FILE_MODE)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if like is not None and original is not None and notes is not None:
            _copy_identity(descriptor, like, original, notes)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy_identity(descriptor: int, like: os.stat_result, original: Path, notes: list[str]) -> None:
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(descriptor, like.st_uid, like.st_gid)
        except PermissionError:
            notes.append("the file's owner or group could not be kept")
    os.fchmod(descriptor, stat.S_IMODE(like.st_mode))
    _copy_attributes(descriptor, original, notes)
    if like.st_nlink > 1:
        notes.append(f"the file has {like.st_nlink} hard links: the other names keep the old text")


def _copy_attributes(descriptor: int, original: Path, notes: list[str]) -> None:
    if not hasattr(os, "listxattr"):  # macOS and Windows have no such call in Python
        return
    try:
        for name in os.listxattr(original):
            os.setxattr(descriptor, name, os.getxattr(original, name))
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.EOPNOTSUPP):
            notes.append(f"extended attributes could not be kept: {error.strerror or error}")


def _remove_quietly(path: Path) -> None:
    try:
        os.unlink(path)
    except OSError:  # the next start cleans up
        return


def _sync_folder(folder: Path) -> None:
    """The rename itself is done: a system that cannot open or sync a folder makes no failed save of it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
