"""Lossless YAML: an edit changes the bytes of the value edited and no others, or is refused with the reason."""

from model.document.document import YamlDoc, YamlPath
from model.document.edits import Delete, Detach, Edit, Insert, InsertItem, Move, Put, Rename, Set
from model.document.errors import Conflict, DocumentError, Invalid, Place, Refused, Unsafe
from model.document.fallback import FallbackPlan
from model.document.rebasing import EditConflict, Rebased, rebase
from model.document.saving import SaveResult, clean_up, save
from model.document.state import backup_path, locked, state_folder

__all__ = [
    "Conflict",
    "Delete",
    "Detach",
    "DocumentError",
    "Edit",
    "EditConflict",
    "FallbackPlan",
    "Insert",
    "InsertItem",
    "Invalid",
    "Move",
    "Place",
    "Put",
    "Rebased",
    "Refused",
    "Rename",
    "SaveResult",
    "Set",
    "Unsafe",
    "YamlDoc",
    "YamlPath",
    "backup_path",
    "clean_up",
    "locked",
    "rebase",
    "save",
    "state_folder",
]
