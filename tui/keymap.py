"""Which of the keys that a user chose can be had: one key must not mean two things in one place."""

from __future__ import annotations

from collections.abc import Iterator

from model.quick_dataclass import dataclass
from tui.commands import COMMANDS, MOVES, Command, Keys, Where

ALL: dict[str, Command] = {command.id: command for command in (*COMMANDS, *MOVES)}
TAKEN = {"tab": "goes to the next list", "shift+tab": "goes to the list before", "ctrl+c": "copies"}
"""Keys that Textual needs itself, and what for."""
_IN_EVERY_PANE = frozenset({Where.EVERYWHERE, Where.LISTS})


@dataclass(frozen=True, slots=True)
class Clash:
    """`key` was chosen for the command `id`, and means `other` in the same place."""

    id: str
    key: str
    other: str


def without_clashes(chosen: Keys) -> tuple[Keys, tuple[Clash, ...]]:
    """What can be had of `chosen`, and why the rest cannot: of two lines that clash, the later is passed over."""
    kept = dict(chosen)
    clashes = []
    while (clash := next(_clashes(kept), None)) is not None:
        del kept[clash.id]  # its own keys are in force again, with which another line may clash
        clashes.append(clash)
    return kept, tuple(clashes)


def _clashes(chosen: Keys) -> Iterator[Clash]:
    """In the order of the lines. A line gives way to those before it, and to the own keys of what no line is about."""
    earlier: set[str] = set()
    for id, keys in chosen.items():
        for other in ALL.values():
            there = other.id in earlier or other.id not in chosen
            if there and _meet(ALL[id].where, other.where):
                theirs = chosen.get(other.id, other.keys)
                yield from (Clash(id, key, other.id) for key in keys if key in theirs)
        earlier.add(id)


def _meet(one: Where, two: Where) -> bool:
    """Whether there is a place where both work."""
    return one is two or bool(_IN_EVERY_PANE & {one, two})
