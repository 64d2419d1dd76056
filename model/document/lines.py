"""Lines of a text, by character offset; breaks are LF and CRLF."""

from __future__ import annotations

import re

_BANNER = re.compile(r"([-=#*~_])\1{2,}")


def line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def line_end(text: str, offset: int) -> int:
    """Where the break of this line starts; the end of the text for a last line without break."""
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def next_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def column(text: str, offset: int) -> int:
    return offset - line_start(text, offset)


def shares_line(text: str, offset: int) -> bool:
    """Whether anything but white space stands before this on its line."""
    return bool(text[line_start(text, offset) : offset].strip())


def before_break(text: str, offset: int) -> int:
    """The offset with the line break right before it, if any, left out."""
    if text[offset - 1 : offset] == "\n":
        offset -= 1
        if text[offset - 1 : offset] == "\r":
            offset -= 1
    return offset


def is_banner(line: str) -> bool:
    """A ruled comment, `# ---- local ----`: it heads a section, not one entry."""
    return _BANNER.search(line.strip().lstrip("#")) is not None or line.strip().startswith("###")


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
