"""One int a column, one bit a model: the index that makes previews instant.

Bit i stands for row i of the matrix. A requirement is a handful of `&` over columns, whatever the number of models.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import compress, count

from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.resolve import Matrix, ResolvedModel
from model.vocabulary import Api, Capability, CostTier, QualityTier, Role

Mask = int
"""A set of rows."""

_Column = tuple[object, ...]

_FEW = 16
_DIGITS = bytes.maketrans(b"01", b"\0\1")


def bits(mask: Mask) -> Iterator[int]:
    """The rows of a mask, in order."""
    if mask.bit_count() * _FEW < mask.bit_length():
        return _bits_one_by_one(mask)
    return compress(count(), bin(mask)[:1:-1].encode().translate(_DIGITS))


def _bits_one_by_one(mask: Mask) -> Iterator[int]:
    """Each step costs the length of the whole mask, so this is for few rows of many."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _columns_of(row: ResolvedModel) -> Iterator[_Column]:
    """The names of the columns in which this row's bit is set."""
    if row.enabled:
        yield ("enabled",)
    for name, cells in (("yes", row.yes), ("emulated", row.emulated), ("unknown", row.unknown)):
        for capability in cells:
            yield (name, capability)
    yield ("quality", row.quality_tier.value)
    yield ("cost", row.cost_tier.value)
    yield ("window", row.context_window_tokens.value)
    yield ("api", row.model.provider.api)
    yield ("provider", row.ref.provider_id)
    for role, on in row.default_use.items():
        if on:
            yield ("role", role)


@dataclass(frozen=True, slots=True)
class Bitmap:
    """The index over one matrix."""

    size: int
    columns: Mapping[_Column, Mask]
    by_ref: Mapping[ModelRef, int]

    @property
    def all(self) -> Mask:
        return (1 << self.size) - 1

    def _column(self, *name: object) -> Mask:
        return self.columns.get(name, 0)

    def enabled(self) -> Mask:
        return self._column("enabled")

    def yes(self, capability: Capability) -> Mask:
        return self._column("yes", capability)

    def emulated(self, capability: Capability) -> Mask:
        return self._column("emulated", capability)

    def unknown(self, capability: Capability) -> Mask:
        return self._column("unknown", capability)

    def quality(self, tier: QualityTier) -> Mask:
        return self._column("quality", tier)

    def cost(self, tier: CostTier) -> Mask:
        return self._column("cost", tier)

    def api(self, api: Api) -> Mask:
        return self._column("api", api)

    def provider(self, provider_id: str) -> Mask:
        return self._column("provider", provider_id)

    def default_for(self, role: Role | None) -> Mask:
        return self._column("role", role)

    def meets_floor(self, floor: QualityTier) -> Mask:
        return _union(self.quality(tier) for tier in QualityTier if tier.meets(floor))

    def within_cap(self, cap: CostTier) -> Mask:
        return _union(self.cost(tier) for tier in CostTier if tier.within(cap))

    def window_at_least(self, tokens: int) -> Mask:
        return _union(
            mask
            for name, mask in self.columns.items()
            if name[0] == "window" and isinstance(name[1], int) and name[1] >= tokens
        )

    def of(self, refs: Iterable[ModelRef]) -> Mask:
        return _union(1 << self.by_ref[ref] for ref in refs if ref in self.by_ref)

    def updated(self, matrix: Matrix, old: Matrix) -> Bitmap:
        """The index after an edit: only the bits of rows that changed are set anew."""
        if len(old.rows) != len(matrix.rows) or old.by_ref != matrix.by_ref:
            return index(matrix)
        columns = dict(self.columns)
        for number, (before, after) in enumerate(zip(old.rows, matrix.rows, strict=True)):
            if before is not after:
                bit = 1 << number
                for name in _columns_of(before):
                    columns[name] &= ~bit
                for name in _columns_of(after):
                    columns[name] = columns.get(name, 0) | bit
        return replace(self, columns=columns)


def _union(masks: Iterable[Mask]) -> Mask:
    union = 0
    for mask in masks:
        union |= mask
    return union


def index(matrix: Matrix) -> Bitmap:
    """Built from bytes, since setting bit by bit of a growing int would copy it each time."""
    size = len(matrix.rows)
    columns: dict[_Column, bytearray] = {}
    for number, row in enumerate(matrix.rows):
        byte, bit = number >> 3, 1 << (number & 7)
        for name in _columns_of(row):
            column = columns.get(name)
            if column is None:
                column = columns[name] = bytearray((size >> 3) + 1)
            column[byte] |= bit
    return Bitmap(size, {name: int.from_bytes(column, "little") for name, column in columns.items()}, matrix.by_ref)
