"""The one table of commands: it feeds the bindings, the footer, help, the palette and the README."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from textual.binding import BindingType

Keys = Mapping[str, tuple[str, ...]]
"""The keys that the user chose, by the command's id. A key has Textual's name: `slash`, `ctrl+s`."""
OWN: Keys = MappingProxyType({})
"""None chosen: every command has its own keys."""


class Where(StrEnum):
    """Where a command works: a pane, every list of any pane, or everywhere."""

    EVERYWHERE = "everywhere"
    LISTS = "lists"
    MATRIX = "matrix"
    NEED = "need"
    FALLBACK = "fallback"
    DOCTOR = "doctor"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that the user can do. `id` names it in the user's keymap and never changes; `action` is Textual's.

    `footer` puts it in the key line with its `title`; `first` lets it work while a text field has the focus.
    """

    id: str
    title: str
    help: str
    keys: tuple[str, ...]
    where: Where
    action: str
    footer: bool = False
    first: bool = False


_E, _M, _N, _F, _D = Where.EVERYWHERE, Where.MATRIX, Where.NEED, Where.FALLBACK, Where.DOCTOR
_L = Where.LISTS

COMMANDS: tuple[Command, ...] = (
    Command("matrix.next-value", "change", "Next value of the capability: yes, no, not stated.", ("space",), _M,
            "next_value", footer=True),
    Command("matrix.clear", "clear", "Take the value out of the file, so that the next layer decides.", ("x",), _M,
            "clear_value", footer=True),
    Command("matrix.open", "why / edit", "The layers of a capability; the editor of any other field; a provider folds.",
            ("enter",), _M, "open_cell", footer=True),
    Command("matrix.filter", "filter", "Narrow the rows: tools !image ?json ctx>100k quality>=strong task:execute …",
            ("slash",), _M, "filter", footer=True),
    Command("matrix.next-problem", "next problem", "To the next model that has a finding.", ("n",), _M,
            "next_problem(1)"),
    Command("matrix.previous-problem", "previous problem", "To the model before that has a finding.", ("N",), _M,
            "next_problem(-1)"),
    Command("matrix.sort", "sort", "Sort by this column; again for the other direction, once more for file order.",
            ("s",), _M, "sort"),
    Command("matrix.columns", "columns", "Choose the groups of columns.", ("c",), _M, "columns"),
    Command("matrix.mark", "mark", "Mark the row; a change then goes to all marked rows.", ("v",), _M, "mark"),
    Command("matrix.compare", "compare", "Compare the marked models side by side.", ("equals_sign",), _M, "compare"),
    Command("matrix.copy", "copy", "Copy the model's name and the cell.", ("y",), _M, "copy"),
    Command("matrix.repeat", "repeat", "Make the last change again, here.", ("full_stop",), _M, "repeat"),
    Command("matrix.fold", "fold", "Fold or unfold the provider of this row.", ("z",), _M, "fold"),
    Command("matrix.fold-all", "fold all", "Fold or unfold all providers.", ("Z",), _M, "fold_all"),
    Command("matrix.enable", "on/off", "Switch the model (on its provider's line: the provider) on or off.",
            ("e",), _M, "toggle_enabled"),
    Command("matrix.add", "add", "Add a model: from the catalog, or blank.", ("a",), _M, "add"),
    Command("matrix.remove", "remove", "Remove the model from the file.", ("D", "delete"), _M, "remove"),
    Command("matrix.rename", "rename", "Rename the model, and every mention of it in the file.", ("R",), _M, "rename"),
    Command("matrix.adopt", "adopt observed", "Write what was observed of the cell into the file.", ("o",), _M,
            "adopt"),
    Command("need.next-value", "change", "Off, preferred, required, forbidden; next tier; yes or no.", ("space",), _N,
            "next_value", footer=True),
    Command("need.clear", "default", "Take the line out of the file, so that the default counts.", ("x",), _N,
            "clear_value", footer=True),
    Command("need.open", "edit / why", "Edit the line; on a model what would let it pass.", ("enter",), _N,
            "open", footer=True),
    Command("need.jump", "in matrix", "Show the model of the preview in the matrix.", ("m",), _N, "jump", footer=True),
    Command("need.overview", "overview", "Tasks × models: who passes where.", ("O",), _N, "overview", footer=True),
    Command("need.unblock", "unblock", "Where nobody passes: the smallest changes that would help.", ("b",), _N,
            "unblock"),
    Command("need.own-task", "own task", "Add a task of your own.", ("plus",), _N, "own_task"),
    Command("fallback.mark", "down/up", "Mark the provider or the model as down, or as up again.", ("space", "d"), _F,
            "mark", footer=True),
    Command("fallback.open", "chain / why", "On a task its chain to the end; on the ladder what is lost and gained.",
            ("enter",), _F, "open", footer=True),
    Command("fallback.mark-endpoint", "endpoint down", "Mark all that stands at this provider's endpoint.", ("E",), _F,
            "mark_endpoint"),
    Command("fallback.all-up", "all up", "Take all marks away.", ("x",), _F, "all_up", footer=True),
    Command("fallback.unblock", "unblock", "What would keep the task going where it blocks.", ("b",), _F, "unblock",
            footer=True),
    Command("fallback.failure", "failure", "Another kind of failure: down, missing, rate limited, auth, overflow …",
            ("f",), _F, "failure", footer=True),
    Command("fallback.start", "start here", "Let the ladder start from the model under the cursor.", ("m",), _F,
            "start_here"),
    Command("fallback.keep", "compare", "Keep this outage, and compare the next ones with it.", ("equals_sign",), _F,
            "keep"),
    Command("fallback.simulate", "simulate", "Every single and double outage: how many tasks stay safe.", ("S",), _F,
            "simulate", footer=True),
    Command("fallback.copy", "copy", "Copy the board as Markdown.", ("y",), _F, "copy"),
    Command("fallback.picture", "picture", "Write the screen as capdeck-fallback.svg.", ("W",), _F, "picture"),
    Command("doctor.jump", "go there", "To the cell that the finding is about.", ("enter",), _D, "jump", footer=True),
    Command("doctor.fix", "fix", "Show the mend as a diff, and make it.", ("f",), _D, "fix", footer=True),
    Command("doctor.fix-safe", "fix all safe", "Make all mends that change no decision of yours.", ("F",), _D,
            "fix_safe", footer=True),
    Command("doctor.explain", "explain", "The whole message; what its code means, why it matters, how to mend it.",
            ("i",), _D, "explain", footer=True),
    Command("doctor.ignore", "ignore", "Accept the finding: the file keeps your reason, and it is not shown any more.",
            ("I",), _D, "ignore"),
    Command("doctor.online", "check online", "Ask the endpoints, with free requests only.", ("o",), _D,
            "app.run('tui.online:begin')", footer=True),
    Command("doctor.cancel", "cancel", "Stop the online check; what was seen stays.", ("escape",), _D,
            "app.run('tui.online:cancel')"),
    Command("doctor.trust", "trust", "Let the endpoint that a project file chose be contacted, with the key it names.",
            ("a",), _D, "app.run('tui.trusting:offer')"),
    Command("doctor.listed", "listed", "What the endpoint lists and the file lacks, to be added, and the reverse.",
            ("L",), _D, "app.run('tui.listing:show_listed')"),
    Command("undo", "undo", "Take the last change back.", ("u", "ctrl+z"), _E,
            "run('tui.everywhere:undo')", footer=True),
    Command("redo", "redo", "Make the change again that was taken back.", ("ctrl+r", "ctrl+y"), _E,
            "run('tui.everywhere:redo')"),
    Command("save", "save", "Show what will be written, and write it.", ("ctrl+s",), _E,
            "run('tui.saving:save')", footer=True,
            first=True),
    Command("rescued", "rescued", "Unsaved edits of a run that was cut off: open them, see the diff, drop them.",
            ("r",), _E, "run('tui.rescued:ask')"),
    Command("pane.matrix", "matrix", "The matrix.", ("1",), _E, "pane('matrix')"),
    Command("pane.need", "need", "What each task asks, and who passes.", ("2",), _E, "pane('need')"),
    Command("pane.fallback", "fallback", "Who takes over when something goes down.", ("3",), _E, "pane('fallback')"),
    Command("pane.doctor", "doctor", "What is wrong, and how to mend it.", ("4",), _E, "pane('doctor')"),
    Command("peek", "peek", "The lines of the file behind the cell.", ("p",), _E, "run('tui.screens.peek:peek')"),
    Command("target", "target", "Which file an edit goes to.", ("T",), _E, "run('tui.everywhere:next_target')"),
    Command("trial", "trial", "A prompt for the model under the cursor: its answer and what is lost.", ("t",),
            _E, "run('tui.trying:try_model')"),
    Command("assign", "assign", "Who would be assigned this task, in which situation.", ("A",), _E,
            "run('tui.records:assign')"),
    Command("tools", "tools", "Which tools survive on the model under the cursor.", ("w",), _E,
            "run('tui.records:tools_card')"),
    Command("history", "history", "What was recorded: assignments, fallbacks, switches, probes.", ("H",), _E,
            "run('tui.records:show_history')"),
    Command("import", "import", "Take providers and models over from another tool's file.", ("M",), _E,
            "run('tui.importing:import_file')"),
    Command("usable", "usable now", "Ask verdicts for what can be used now: key present, endpoint trusted.",
            ("U",), _E, "run('tui.everywhere:toggle_usable')"),
    Command("palette", "commands", "Find a command by its name.", ("colon", "ctrl+p"), _E, "command_palette",
            footer=True),
    Command("help", "help", "The keys of this pane, and what they do.", ("question_mark", "f1"), _E,
            "run('tui.everywhere:show_help')",
            footer=True),
    Command("quit", "quit", "Leave; asks if something is not saved.", ("q", "ctrl+q"), _E, "quit"),
)  # fmt: skip

MOVES: tuple[Command, ...] = (
    Command("grid.down", "down", "One row down.", ("down", "j"), _L, "move(1, 0)"),
    Command("grid.up", "up", "One row up.", ("up", "k"), _L, "move(-1, 0)"),
    Command("grid.right", "right", "One column to the right.", ("right", "l"), _L, "move(0, 1)"),
    Command("grid.left", "left", "One column to the left.", ("left", "h"), _L, "move(0, -1)"),
    Command("grid.page-down", "page down", "One page down.", ("pagedown", "ctrl+f"), _L, "page(1)"),
    Command("grid.page-up", "page up", "One page up.", ("pageup", "ctrl+b"), _L, "page(-1)"),
    Command("grid.half-page-down", "half a page down", "Half a page down.", ("ctrl+d",), _L, "page(0.5)"),
    Command("grid.half-page-up", "half a page up", "Half a page up.", ("ctrl+u",), _L, "page(-0.5)"),
    Command("grid.first-row", "first row", "To the first row.", ("g", "ctrl+home"), _L, "first_row"),
    Command("grid.last-row", "last row", "To the last row.", ("G", "ctrl+end"), _L, "last_row"),
    Command("grid.first-column", "first column", "To the first column.", ("0", "home"), _L, "first_column"),
    Command("grid.last-column", "last column", "To the last column.", ("dollar_sign", "end"), _L, "last_column"),
)
"""How the cursor moves in every list. Not in the palette: who moves has a key under the finger."""

_SHOWN = {
    "space": "space", "slash": "/", "colon": ":", "question_mark": "?", "full_stop": ".", "equals_sign": "=",
    "enter": "enter", "delete": "del", "plus": "+", "escape": "esc", "dollar_sign": "$", "pagedown": "PgDn",
    "pageup": "PgUp", "comma": ",",
}  # fmt: skip


def shown_key(key: str) -> str:
    """A key as people write it: `^s`, `/`, `?`."""
    if key.startswith("ctrl+"):
        return "^" + shown_key(key.removeprefix("ctrl+"))
    if len(key) > 1 and key not in _SHOWN:
        from tui.key_names import character

        return character(key) or key
    return _SHOWN.get(key, key)


def commands_of(where: Where, keys: Keys = OWN) -> tuple[Command, ...]:
    """Those that work there, with the keys that are in force."""
    table = MOVES if where is Where.LISTS else COMMANDS
    return tuple(
        replace(command, keys=keys[command.id]) if command.id in keys else command
        for command in table
        if command.where is where
    )


def bindings(where: Where) -> list[BindingType]:
    """Textual's bindings for a pane or for the app; ids let the user's keymap change the keys."""
    from textual.binding import Binding

    return [
        Binding(
            ",".join(command.keys), command.action, command.title, show=False, priority=command.first, id=command.id
        )
        for command in commands_of(where)
    ]


def footer(where: Where, keys: Keys = OWN) -> list[Command]:
    """What the key line offers in a pane: the pane's own first, help last."""
    offered = (*commands_of(where, keys), *commands_of(Where.EVERYWHERE, keys))
    return [command for command in offered if command.footer]


def command_with(id: str) -> Command:
    return next(command for command in COMMANDS if command.id == id)


def keys_table() -> str:
    """The README's table of keys, in Markdown."""
    lines = ["| where | keys | what it does |", "|---|---|---|"]
    for command in (*COMMANDS, *MOVES):
        keys = " ".join(f"`{shown_key(key)}`" for key in command.keys)
        lines.append(f"| {command.where.value} | {keys} | {command.help} |")
    return "\n".join(lines)
