"""How long a request may take and how much it may bring (seed 004, "Operational boundaries")."""

from __future__ import annotations

from model.quick_dataclass import dataclass

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    """Deadlines in seconds, sizes in bytes. Sizes may be lowered; zero or more than the default is refused.

    `total_seconds` bounds the whole request with its body, streamed or not. It is no proof that the provider stopped
    working or billing. Raises ValueError.
    """

    connect_seconds: float = 5.0
    total_seconds: float = 30.0
    body_bytes: int = 2 * MIB
    error_body_bytes: int = 64 * KIB
    event_bytes: int = 128 * KIB
    stream_bytes: int = 2 * MIB
    chunks: int = 4096
    chunk_bytes: int = 64 * KIB
    delivered_bytes: int = 2 * MIB
    image_bytes: int = 10 * MIB

    def __post_init__(self) -> None:
        if self.connect_seconds <= 0 or self.total_seconds <= 0:
            raise ValueError("a deadline must be more than 0 seconds")
        for name, most in _CEILINGS.items():
            if not 0 < getattr(self, name) <= most:
                raise ValueError(f"{name} must be from 1 to {most}")
        if self.chunk_bytes > self.delivered_bytes:
            raise ValueError("chunk_bytes may not exceed delivered_bytes")


_CEILINGS = {
    "body_bytes": 2 * MIB,
    "error_body_bytes": 64 * KIB,
    "event_bytes": 128 * KIB,
    "stream_bytes": 2 * MIB,
    "chunks": 4096,
    "chunk_bytes": 64 * KIB,
    "delivered_bytes": 2 * MIB,
    "image_bytes": 10 * MIB,
}
