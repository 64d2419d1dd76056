"""The chains that the user wrote in `fallbacks`: whom they name, for which task or model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from model.bitmap import bits
from model.model_ref import BadRef, ModelRef
from model.quick_dataclass import dataclass

if TYPE_CHECKING:
    from model.fallback.identity import Twins
    from model.resolve import Matrix, ResolvedModel
    from model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Link:
    """One name on a chain, and the row that it names; None where no file has such a model."""

    name: str
    number: int | None


def named(matrix: Matrix, text: str) -> int | None:
    """The row that a ref names: by its own id, or by an alias on its provider."""
    try:
        ref = ModelRef.parse(text)
    except BadRef:
        return None
    number = matrix.by_ref.get(ref)
    if number is not None:
        return number
    return next((place for place, row in enumerate(matrix.rows) if _is_alias(ref, row)), None)


def _is_alias(ref: ModelRef, row: ResolvedModel) -> bool:
    if row.ref.provider_id != ref.provider_id:
        return False
    return any(ref.model_id in (layer.row.aliases or ()) for layer in row.model.layers)


class Chains:
    """All configured chains of a snapshot that name a task or a model that there is."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._rows: list[tuple[int | None, str | None, tuple[Link, ...]]] = []
        self._followers: dict[int, list[int]] = {}
        for row in snapshot.config.fallbacks:
            model = named(snapshot.matrix, row.model) if row.model else None
            readable = model is not None if row.model else row.task is not None
            if readable and row.chain:
                links = tuple(Link(name, named(snapshot.matrix, name)) for name in row.chain)
                self._rows.append((model, row.task, links))
                if model is not None:
                    self._followers.setdefault(model, []).extend(_known(links))

    def of(self, task: str, failing: int, original: int) -> tuple[Link, ...]:
        """Who is tried first: chains of the failing model, of the original, then of the task; of each model's chains
        the one for this very task first."""
        links: dict[str, Link] = {}
        for wanted in ((failing, task), (failing, None), (original, task), (original, None), (None, task)):
            for model, row_task, chain in self._rows:
                if (model, row_task) == wanted:
                    links |= {link.name: link for link in chain if link.name not in links}
        return tuple(links.values())

    def followers(self, number: int, twins: Twins) -> Iterator[int]:
        """Whom the chains of this model, under any of its names, lead to."""
        for name in bits(twins[number]):
            yield from self._followers.get(name, ())


def _known(links: Iterable[Link]) -> Iterator[int]:
    return (link.number for link in links if link.number is not None)
