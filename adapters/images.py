"""Local images for a request (Rullst's rules, seed 004 "Vision input sources"): from allowed folders only, bounded."""

from __future__ import annotations

import base64
import os
import stat
from pathlib import Path

from adapters.conversion.canonical import Base64Source, Image
from adapters.errors import FailureKind, ProviderError, failure
from adapters.limits import MIB
from model.quick_dataclass import dataclass

MOST_BYTES = 10 * MIB
MOST_ROOTS = 32


@dataclass(frozen=True, slots=True)
class ImagePolicy:
    """Folders that images may come from, and the most bytes an image may have. Raises ValueError.

    1 to 32 existing folders, none of them the root of the file system; 1 byte to 10 MiB.
    """

    roots: tuple[Path, ...]
    max_bytes: int = MOST_BYTES

    def __post_init__(self) -> None:
        if not 1 <= len(self.roots) <= MOST_ROOTS:
            raise ValueError(f"from 1 to {MOST_ROOTS} folders")
        if not 1 <= self.max_bytes <= MOST_BYTES:
            raise ValueError(f"from 1 to {MOST_BYTES} bytes")
        real = tuple(root.resolve(strict=True) for root in self.roots)
        if any(root == root.parent or not root.is_dir() for root in real):
            raise ValueError("a root must be a folder, and not the whole file system")
        object.__setattr__(self, "roots", real)


def read_image(path: Path, policy: ImagePolicy) -> Image:
    """The image as a canonical block. Raises ProviderError (IMAGE) without the path, which may be private.

    Links are resolved first and the result must lie below a root; then the file is opened part by part without
    following links, so that nobody can swap one in between.
    """
    real, root = _below_a_root(path, policy)
    problem = "it cannot be read"
    try:
        return image_of(_read(root, real.relative_to(root).parts, policy.max_bytes))
    except _NotAllowed as refused:
        problem = str(refused)
    except OSError:
        pass
    raise ProviderError(failure(FailureKind.IMAGE, problem))


def image_of(data: bytes) -> Image:
    """Bytes as a canonical block; the media type comes from the bytes. Raises ProviderError (IMAGE)."""
    media_type = media_type_of(data)
    if media_type is None:
        raise ProviderError(failure(FailureKind.IMAGE, "it is no JPEG, PNG, GIF or WebP"))
    return Image(Base64Source(media_type, base64.b64encode(data).decode()))


def media_type_of(data: bytes) -> str | None:
    """By the first bytes; None for anything but the four types that providers take."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for magic, media_type in _MAGIC.items() if data.startswith(magic)), None)


_MAGIC = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


class _NotAllowed(Exception):
    pass


def _below_a_root(path: Path, policy: ImagePolicy) -> tuple[Path, Path]:
    real: Path | None
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        real = None
    if real is None:
        raise ProviderError(failure(FailureKind.IMAGE, "there is no such file"))
    root = next((root for root in policy.roots if real != root and real.is_relative_to(root)), None)
    if root is None:
        raise ProviderError(failure(FailureKind.IMAGE, "it lies outside the folders that images may come from"))
    return real, root


def _read(root: Path, parts: tuple[str, ...], most: int) -> bytes:
    if os.open not in os.supports_dir_fd:  # Windows: what was resolved is opened as a whole
        return _read_file(os.open(root.joinpath(*parts), os.O_RDONLY | getattr(os, "O_BINARY", 0)), most)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        return _read_file(os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), most)
    finally:
        os.close(folder)


def _read_file(descriptor: int, most: int) -> bytes:
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _NotAllowed("it is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise _NotAllowed(f"it has over {most} bytes")
    return data
