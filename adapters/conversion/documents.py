"""Documents: which a target takes as files, and which can be given as their text."""

from __future__ import annotations

from adapters.conversion.canonical import (
    Base64Source,
    ContentSource,
    Document,
    Image,
    Text,
    TextSource,
)
from adapters.conversion.target import Target
from adapters.conversion.traits import TRAITS
from model.vocabulary import Capability

PDF = "application/pdf"
UNNAMED_PDF = "document.pdf"
"""What a PDF without a title is called on a wire that wants a file name."""


def document_goes(document: Document, target: Target) -> bool:
    """Anthropic takes every kind (plain text needs no file input); others take a PDF given as itself."""
    traits = TRAITS[target.api]
    wordy = isinstance(document.source, TextSource | ContentSource)
    if traits.anthropic_blocks:
        return wordy or Capability.FILE_INPUT in target.supports
    if not (traits.pdf and Capability.FILE_INPUT in target.supports):
        return False
    return isinstance(document.source, Base64Source) and document.source.media_type == PDF


def document_as_blocks(document: Document) -> tuple[Text | Image, ...]:
    """The document's own words and pictures, with title and context in front; () where it holds none."""
    match document.source:
        case TextSource(text):
            inside: tuple[Text | Image, ...] = (Text(text),)
        case ContentSource(content):
            inside = tuple(part for part in content if isinstance(part, Text | Image))
        case _:
            return ()
    head = "\n".join(line for line in (document.title, document.context) if line)
    return (Text(head), *inside) if head else inside
