"""Who takes over when a model fails, seen before it happens (seed 000 §11, DOMAIN.md §6)."""

from model.fallback.board import Board, BoardChange, BoardRow, Turn, board, board_of, compare
from model.fallback.capability import ChainCapability, chain_capability
from model.fallback.coverage import Coverage, Effect, TaskCoverage, coverage, coverage_of
from model.fallback.differences import Differences, Pair, differences
from model.fallback.explorer import Chain, Explorer, Step
from model.fallback.failure import NO_OUTAGE, Failure, Outage
from model.fallback.findings import coverage_findings, coverage_findings_of
from model.fallback.ladder import Candidate, Ladder, RungView, Standing, explained, ladder, record_of
from model.fallback.objections import Objection, Obstacle
from model.fallback.record import FallbackRecord, Price, Prices
from model.fallback.simulation import Simulation, compare_simulations, simulate, simulate_random
from model.fallback.succession import Rung
from model.fallback.walk import walk
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
