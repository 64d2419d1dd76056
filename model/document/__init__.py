"""Lossless YAML: an edit changes the bytes of the value edited and no others, or is refused with the reason.

How the parts follow each other:
- reading: `source` (bytes and text), `events`, `scalars`, `reading` (plain data and an `outline` of what is large)
- an edit: `edits` says what, `applying` cuts the `window` that it touches, `tree` holds the window's nodes,
  `operations` looks for the target and says in `raw` what has to come out; `setting` and `blocks`, `adding`,
  `removing`, `moving` and `flow` plan splices (with `extent`, `style` and `writing`); `proof` lets a plan through or
  not; `patching` puts the window back; `hunks` and `diff` show what changed
- a save: the full proof with `gate` as second reader, then `saving` with a lock and a backup from `state`
- others write too: `watch` tells, `rebasing` replays, `inverting` turns round; `fallback` is the way out for what
  cannot be spliced
"""

from importlib import import_module
from typing import TYPE_CHECKING

from model.document.document import YamlDoc, YamlPath
from model.document.errors import Conflict, DocumentError, Invalid, Place, Refused, Unsafe

if TYPE_CHECKING:
    from model.document.edits import Delete, Detach, Edit, Insert, InsertItem, Move, Put, Quote, Rename, Set
    from model.document.fallback import FallbackPlan
    from model.document.inverting import inverse
    from model.document.rebasing import EditConflict, Rebased, insisted, rebase
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
    "Quote",
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
    "insisted",
    "inverse",
    "locked",
    "rebase",
    "save",
    "state_folder",
]

_LATER = {
    **dict.fromkeys(
        ("Delete", "Detach", "Edit", "Insert", "InsertItem", "Move", "Put", "Quote", "Rename", "Set"), "edits"
    ),
    "EditConflict": "rebasing",
    "FallbackPlan": "fallback",
    "Rebased": "rebasing",
    "SaveResult": "saving",
    "backup_path": "state",
    "clean_up": "saving",
    "insisted": "rebasing",
    "inverse": "inverting",
    "locked": "state",
    "rebase": "rebasing",
    "save": "saving",
    "state_folder": "state",
}


def __getattr__(name: str) -> object:
    """What only edits and saves need is loaded when first asked for: most runs only read."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
