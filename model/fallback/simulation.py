"""What outages would do before they happen: the share of task × outage that still has a safe answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING

from model.fallback.explorer import Explorer
from model.fallback.heat import live_providers
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.snapshot import Snapshot

Down = tuple[str, ...]
"""The provider_ids that are down together."""


@dataclass(frozen=True, slots=True)
class Share:
    """`safe` of `cases` have an answer that nobody has to confirm."""

    safe: int
    cases: int

    @property
    def ratio(self) -> float:
        """0 to 1; 1 where there is no case."""
        return self.safe / self.cases if self.cases else 1.0

    @property
    def percent(self) -> int:
        """Rounded, but 100 only where nothing is unsafe and 0 only where nothing is safe."""
        if self.safe in {0, self.cases}:
            return 100 if self.safe == self.cases else 0
        return min(max(round(100 * self.ratio), 1), 99)

    def __str__(self) -> str:
        return f"{self.percent} %"


@dataclass(frozen=True, slots=True)
class Simulation:
    """`by_size`: how many providers were down together → share. `fatal`: for each task the outages that leave it
    without a safe answer, as they came."""

    providers: tuple[str, ...]
    outages: int
    by_size: Mapping[int, Share]
    by_task: Mapping[str, Share]
    fatal: Mapping[str, tuple[Down, ...]]

    @property
    def total(self) -> Share:
        shares = self.by_size.values()
        return Share(sum(share.safe for share in shares), sum(share.cases for share in shares))


def simulate(snapshot: Snapshot, sizes: Iterable[int] = (1, 2)) -> Simulation:
    """Every outage of so many providers."""
    explorer = Explorer(snapshot)
    providers = live_providers(snapshot)
    return _simulated(explorer, providers, (down for size in sizes for down in combinations(providers, size)))


def simulate_random(snapshot: Snapshot, outages: int, seed: int, most: int = 3) -> Simulation:
    """`outages` random ones of one to `most` providers; the same seed gives the same."""
    explorer = Explorer(snapshot)
    providers = live_providers(snapshot)
    return _simulated(explorer, providers, _random(providers, outages, random.Random(seed), most))


def _random(providers: Down, outages: int, source: random.Random, most: int) -> Iterator[Down]:
    for _ in range(outages if providers else 0):
        size = source.randint(1, min(most, len(providers)))
        yield tuple(sorted(source.sample(providers, size), key=providers.index))


def _simulated(explorer: Explorer, providers: Down, outages: Iterable[Down]) -> Simulation:
    answering = {task: explorer.answering(task) for task in explorer.tasks}
    masks = {name: explorer.snapshot.bitmap.provider(name) for name in providers}
    sizes: Counter[int] = Counter()
    safe: Counter[int] = Counter()
    fatal: dict[str, list[Down]] = {task: [] for task in answering}
    for down in outages:
        up = ~reduce(or_, (masks[name] for name in down), 0)
        sizes[len(down)] += 1
        for task, mask in answering.items():
            if mask & up:
                safe[len(down)] += 1
            else:
                fatal[task].append(down)
    count = sum(sizes.values())
    return Simulation(
        providers,
        count,
        {size: Share(safe[size], number * len(answering)) for size, number in sorted(sizes.items())},
        {task: Share(count - len(lost), count) for task, lost in fatal.items()},
        {task: tuple(lost) for task, lost in fatal.items()},
    )


@dataclass(frozen=True, slots=True)
class SimulationChange:
    """A share before and after an edit: of all outages of one size, or of one task."""

    name: str
    before: Share
    after: Share

    def __str__(self) -> str:
        return f"{self.name} {self.before} → {self.after}"


SIZE_NAMES = {1: "single outages", 2: "double outages", 3: "triple outages"}


def compare_simulations(before: Simulation, after: Simulation) -> tuple[SimulationChange, ...]:
    """What an edit changes: sizes first, then tasks; only what differs."""
    pairs = [
        *((size_name(size), before.by_size.get(size), share) for size, share in after.by_size.items()),
        *((task, before.by_task.get(task), share) for task, share in after.by_task.items()),
    ]
    return tuple(SimulationChange(name, old, new) for name, old, new in pairs if old and old.ratio != new.ratio)


def size_name(size: int) -> str:
    return SIZE_NAMES.get(size, f"outages of {size}")
