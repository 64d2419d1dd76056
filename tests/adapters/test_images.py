"""Images come from allowed folders only, are what they say they are, and are bounded."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest

from adapters.conversion.canonical import Base64Source
from adapters.errors import FailureKind, ProviderError
from adapters.images import MOST_BYTES, ImagePolicy, image_of, media_type_of, read_image

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
KINDS = [
    (b"\xff\xd8\xff\xe0" + b"\0" * 9, "image/jpeg"),
    (PNG, "image/png"),
    (b"GIF89a\0\0", "image/gif"),
    (b"GIF87a\0\0", "image/gif"),
    (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    (b"RIFF\0\0\0\0WAVEfmt ", None),
    (b"<svg/>", None),
    (b"", None),
]


@pytest.mark.parametrize(("data", "media_type"), KINDS)
def test_the_bytes_tell_the_type(data: bytes, media_type: str | None) -> None:
    assert media_type_of(data) == media_type


@pytest.fixture
def policy(tmp_path: Path) -> ImagePolicy:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "a.png").write_bytes(PNG)
    (tmp_path / "out.png").write_bytes(PNG)
    return ImagePolicy((tmp_path / "in",), 1000)


def test_an_image_below_a_root(policy: ImagePolicy) -> None:
    image = read_image(policy.roots[0] / "deep" / ".." / "deep" / "a.png", policy)
    assert image.source == Base64Source("image/png", base64.b64encode(PNG).decode())


def refusal(path: Path, policy: ImagePolicy) -> str:
    with pytest.raises(ProviderError) as caught:
        read_image(path, policy)
    assert caught.value.kind is FailureKind.IMAGE
    assert str(path) not in str(caught.value)
    assert caught.value.__context__ is None
    return caught.value.failure.text


def test_outside_the_roots_nothing_is_read(policy: ImagePolicy, tmp_path: Path) -> None:
    root = policy.roots[0]
    (root / "link.png").symlink_to(tmp_path / "out.png")
    (root / "up").symlink_to(tmp_path)
    (tmp_path / "in2").mkdir()
    (tmp_path / "in2" / "a.png").write_bytes(PNG)
    for path in (
        tmp_path / "out.png",
        root / ".." / "out.png",
        root / "link.png",
        root / "up" / "out.png",
        tmp_path / "in2/a.png",
    ):
        assert "outside" in refusal(path, policy)
    assert "outside" in refusal(root, policy)


def test_a_link_inside_the_root_is_fine(policy: ImagePolicy) -> None:
    (policy.roots[0] / "link.png").symlink_to(policy.roots[0] / "deep" / "a.png")
    assert read_image(policy.roots[0] / "link.png", policy).source


def test_what_is_no_image_file(policy: ImagePolicy) -> None:
    root = policy.roots[0]
    os.mkfifo(root / "pipe.png")
    (root / "text.png").write_text("no image")
    (root / "big.png").write_bytes(PNG + bytes(1000))
    (root / "loop.png").symlink_to(root / "loop.png")
    assert "regular" in refusal(root / "pipe.png", policy)
    assert "regular" in refusal(root / "deep", policy)
    assert "JPEG" in refusal(root / "text.png", policy)
    assert "1000 bytes" in refusal(root / "big.png", policy)
    assert "no such file" in refusal(root / "loop.png", policy)
    assert "no such file" in refusal(root / "absent.png", policy)
    assert "no such file" in refusal(root / "nul\0.png", policy)


def test_an_image_of_exactly_the_budget(policy: ImagePolicy) -> None:
    (policy.roots[0] / "full.png").write_bytes(PNG + bytes(1000 - len(PNG)))
    assert read_image(policy.roots[0] / "full.png", policy)


@pytest.mark.parametrize("most", [0, -1, MOST_BYTES + 1])
def test_budgets(tmp_path: Path, most: int) -> None:
    with pytest.raises(ValueError, match="bytes"):
        ImagePolicy((tmp_path,), most)


def test_roots(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for roots in ((), (tmp_path,) * 33, (Path("/"),), (tmp_path / "file",)):
        with pytest.raises(ValueError, match=r"folder|from 1"):
            ImagePolicy(roots)
    with pytest.raises(FileNotFoundError):
        ImagePolicy((tmp_path / "absent",))


def test_bytes_without_a_file() -> None:
    assert image_of(PNG).source == Base64Source("image/png", base64.b64encode(PNG).decode())
    with pytest.raises(ProviderError):
        image_of(b"text")
