"""Lossless YAML: an edit changes the bytes of the value edited and no others, or is refused with the reason."""

from model.document.document import YamlDoc, YamlPath
from model.document.edits import Delete, Detach, Edit, Insert, InsertItem, Move, Put, Rename, Set
from model.document.errors import Conflict, DocumentError, Invalid, Place, Refused, Unsafe

__all__ = [
    "Conflict",
    "Delete",
    "Detach",
    "DocumentError",
    "Edit",
    "Insert",
    "InsertItem",
    "Invalid",
    "Move",
    "Place",
    "Put",
    "Refused",
    "Rename",
    "Set",
    "Unsafe",
    "YamlDoc",
    "YamlPath",
]
