"""One configuration for the hand-written cases: every rung of it has somebody on it."""

from __future__ import annotations

from model.fallback import NO_OUTAGE, Failure, Ladder, Outage, ladder
from model.model_ref import ModelRef
from model.snapshot import Snapshot, Surroundings
from tests.model.samples import open_text

ALL = "streaming: true, tool_use: true, structured_output: true, image_input: true"
HOUSE = f"""
providers:
  - provider_id: home               # the original's provider; anthropic-messages
    provider_kind: anthropic
    models:
      - {{model_id: first, quality_tier: strong, cost_tier: medium, context_window_tokens: 200000,
         max_output_tokens: 64000, supports: {{{ALL}, thinking: true, prompt_cache: true}},
         default_use: {{execute: true, review: true}}}}
      - {{model_id: second, quality_tier: strong, cost_tier: medium, context_window_tokens: 100000,
         supports: {{{ALL}}}}}
      - {{model_id: grand, quality_tier: frontier, cost_tier: high, context_window_tokens: 1000000,
         supports: {{{ALL}, thinking: true}}}}
      - {{model_id: small, quality_tier: standard, cost_tier: low, context_window_tokens: 200000,
         supports: {{{ALL}}}}}
  - provider_id: away               # openai-completions: thinking stripped, cache marks ignored
    provider_kind: openai
    models:
      - {{model_id: peer, quality_tier: strong, cost_tier: medium, context_window_tokens: 128000,
         supports: {{{ALL}, thinking: true, json_mode: true}}}}
      - {{model_id: big, quality_tier: frontier, cost_tier: high, context_window_tokens: 400000,
         supports: {{{ALL}}}}}
      - {{model_id: mini, quality_tier: standard, cost_tier: low, context_window_tokens: 128000,
         supports: {{{ALL}}}}}
      - {{model_id: deaf, quality_tier: strong, cost_tier: low, context_window_tokens: 128000,
         supports: {{streaming: true, tool_use: false, structured_output: true}}}}
  - provider_id: cellar             # a server of one's own
    provider_kind: ollama
    models:
      - {{model_id: "house:30b", quality_tier: local, cost_tier: free, context_window_tokens: 32000,
         supports: {{{ALL}}}}}
      - {{model_id: riddle, cost_tier: free, supports: {{{ALL}}}}}
"""


def house(more: str = "", surroundings: Surroundings | None = None) -> Snapshot:
    """The house with `more` at its end."""
    return open_text(HOUSE + more, surroundings)


def edited(old: str, new: str, more: str = "") -> Snapshot:
    """The house with one text of it replaced."""
    assert HOUSE.count(old) == 1, old
    return open_text(HOUSE.replace(old, new) + more)


def ref(text: str) -> ModelRef:
    return ModelRef.parse(text)


def up(
    snapshot: Snapshot,
    task: str = "execute",
    failure: Failure = Failure.MODEL_MISSING,
    original: str = "home/first",
    outage: Outage = NO_OUTAGE,
) -> Ladder:
    return ladder(snapshot, task, ref(original), failure, outage)


def down(*words: str) -> Outage:
    """Providers, and models where there is a `/`."""
    return Outage(
        frozenset(word for word in words if "/" not in word),
        frozenset(ref(word) for word in words if "/" in word),
    )


def taken(found: Ladder) -> tuple[str | None, int | None]:
    """Who takes over, and on which rung."""
    return (str(found.selected) if found.selected else None, found.record.rung.value if found.record else None)


def codes(found: Ladder, name: str) -> list[str]:
    """Why a candidate was passed over."""
    candidate = next(each for each in found.candidates() if each.name == name)
    return [str(why) for why in candidate.reasons]
