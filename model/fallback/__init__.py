"""Who takes over when a model fails, seen before it happens (seed 000 §11, DOMAIN.md §6)."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.fallback.capability import ChainCapability, chain_capability
    from model.fallback.explorer import Chain, Explorer, Step
    from model.fallback.failure import NO_OUTAGE, Failure, Outage
    from model.fallback.findings import coverage_findings, coverage_findings_of
    from model.fallback.heat import Coverage, Effect, TaskCoverage, coverage, coverage_of
    from model.fallback.losses import Differences, Pair, differences
    from model.fallback.objections import Objection, Obstacle
    from model.fallback.outage_board import Board, BoardChange, BoardRow, Turn, board, board_of, compare
    from model.fallback.record import FallbackRecord, Price, Prices
    from model.fallback.rungs import Candidate, Ladder, RungView, Standing, explained, ladder, record_of
    from model.fallback.simulation import Simulation, compare_simulations, simulate, simulate_random
    from model.fallback.succession import Rung
    from model.fallback.walking import walk
    from model.fallback.ways import Way, ways_in, ways_out

__all__ = [
    "NO_OUTAGE",
    "Board",
    "BoardChange",
    "BoardRow",
    "Candidate",
    "Chain",
    "ChainCapability",
    "Coverage",
    "Differences",
    "Effect",
    "Explorer",
    "Failure",
    "FallbackRecord",
    "Ladder",
    "Objection",
    "Obstacle",
    "Outage",
    "Pair",
    "Price",
    "Prices",
    "Rung",
    "RungView",
    "Simulation",
    "Standing",
    "Step",
    "TaskCoverage",
    "Turn",
    "Way",
    "board",
    "board_of",
    "chain_capability",
    "compare",
    "compare_simulations",
    "coverage",
    "coverage_findings",
    "coverage_findings_of",
    "coverage_of",
    "differences",
    "explained",
    "ladder",
    "record_of",
    "simulate",
    "simulate_random",
    "walk",
    "ways_in",
    "ways_out",
]

_FROM = {
    **dict.fromkeys(("ChainCapability", "chain_capability"), "capability"),
    **dict.fromkeys(("Chain", "Explorer", "Step"), "explorer"),
    **dict.fromkeys(("NO_OUTAGE", "Failure", "Outage"), "failure"),
    **dict.fromkeys(("coverage_findings", "coverage_findings_of"), "findings"),
    **dict.fromkeys(("Coverage", "Effect", "TaskCoverage", "coverage", "coverage_of"), "heat"),
    **dict.fromkeys(("Differences", "Pair", "differences"), "losses"),
    **dict.fromkeys(("Objection", "Obstacle"), "objections"),
    **dict.fromkeys(("Board", "BoardChange", "BoardRow", "Turn", "board", "board_of", "compare"), "outage_board"),
    **dict.fromkeys(("FallbackRecord", "Price", "Prices"), "record"),
    **dict.fromkeys(("Candidate", "Ladder", "RungView", "Standing", "explained", "ladder", "record_of"), "rungs"),
    **dict.fromkeys(("Simulation", "compare_simulations", "simulate", "simulate_random"), "simulation"),
    "Rung": "succession",
    "walk": "walking",
    **dict.fromkeys(("Way", "ways_in", "ways_out"), "ways"),
}


def __getattr__(name: str) -> object:
    """Each part is loaded when first asked for: the doctor asks for a few of them only. No module is called like what
    it gives, which would hide it."""
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FROM[name]}"), name)
