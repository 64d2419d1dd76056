"""What panes tell the app. Values go down as snapshots; these go up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from model.model_ref import ModelRef
from model.snapshot import Snapshot
from model.workbench import Change


@dataclass
class ChangeWanted(Message):
    """The user wants this change made."""

    change: Change


@dataclass
class ForeseenChangeWanted(Message):
    """A change whose effect the pane shows already: it is made once that is painted. `make` raises CannotEdit."""

    make: Callable[[Snapshot], Change]


@dataclass
class ChangeProposed(Message):
    """A change to show as a diff first, and to make if the user agrees. `notes` are lines to read above the diff."""

    change: Change
    why: str = ""
    notes: tuple[str, ...] = ()


@dataclass
class AddWanted(Message):
    """The user wants to add a model, to this provider unless another is typed."""

    provider_id: str | None


@dataclass
class JumpWanted(Message):
    """The user wants to see a cell of the matrix; without a column the model's row."""

    ref: ModelRef
    column: str | None = None


@dataclass
class DetailChanged(Message):
    """What the pane's detail line says is no longer what it said."""


@dataclass
class OverviewWanted(Message):
    """The user wants to see tasks × models."""


@dataclass
class Said(Message):
    """A line for the user: why something cannot be done, or what was done that the eye would miss."""

    text: str
    warning: bool = False
