"""Scores and their refinements by hand (ADR-004), and the order of those who pass (DOMAIN.md §4)."""

from __future__ import annotations

import pytest

from model.ranking import NO_WORK, Work, score, weights_for
from model.vocabulary import ScoreDimension
from tests.model.samples import open_text

D = ScoreDimension
OPUS = dict(zip(D, (95, 90, 85, 95, 30, 80, 90), strict=True))
SONNET = dict(zip(D, (85, 80, 75, 80, 60, 75, 85), strict=True))
HAIKU = dict(zip(D, (60, 50, 45, 50, 95, 50, 75), strict=True))


@pytest.mark.parametrize(
    ("task", "scores", "expected"),
    [
        ("execute", OPUS, 82.9),
        ("execute", SONNET, 81.1),
        ("execute", HAIKU, 71.1),
        ("review", HAIKU, 85.7),
        ("review", SONNET, 71.7),
        ("review", OPUS, 58.0),
        ("mine_experience", OPUS, 85.7),
        ("mine_experience", SONNET, 76.2),
        ("image_generation", OPUS, 95.0),
        ("nightly_digest", SONNET, 80.0),
    ],
)
def test_the_worked_scores_of_the_adr(task: str, scores: dict[ScoreDimension, int], expected: float) -> None:
    assert round(score(scores, weights_for(task)), 1) == expected


def test_unknown_is_50() -> None:
    assert score({}, weights_for("execute")) == 50
    assert score({D.CODING: 100}, weights_for("main")) == 50
    assert score({D.REASONING: 100}, weights_for("main")) == pytest.approx((60 + 35) / 1.3)


BASE = {D.CODING: 0.9, D.SPEED: 0.3, D.INSTRUCTION: 0.7}


@pytest.mark.parametrize(
    ("work", "overlay"),
    [
        (NO_WORK, {}),
        (Work(tags=frozenset({"Docs"})), {D.INSTRUCTION: 0.9, D.CODING: 0.3, D.SPEED: 0.7}),
        (Work(tags=frozenset({"documentation"})), {}),
        (Work(keywords=frozenset({"concurrency"})), {D.DEBUGGING: 0.9, D.REASONING: 0.8}),
        (Work(keywords=frozenset({"architecture"})), {D.REASONING: 0.9, D.CODING: 0.8}),
        (Work(keywords=frozenset({"migration", "compatibility"})), {D.DEBUGGING: 0.9, D.REASONING: 0.8}),
        (Work(files=6), {D.REASONING: 0.7}),
        (Work(files=5, lines=499), {}),
        (Work(lines=500), {D.REASONING: 0.7}),
        (Work(tags=frozenset({"typo"}), files=9), {D.INSTRUCTION: 0.9, D.CODING: 0.3, D.SPEED: 0.7}),
    ],
)
def test_the_first_refinement_that_applies_overlays_execute(work: Work, overlay: dict[ScoreDimension, float]) -> None:
    assert weights_for("execute", work) == {**BASE, **overlay}
    assert weights_for("debug", work) == weights_for("debug")


PASSING = """
providers:
  - provider_id: a
    provider_kind: openai
    models:
      - {model_id: frontier-dear, quality_tier: frontier, cost_tier: high, supports: {image_output: true}}
      - {model_id: strong-cheap, quality_tier: strong, cost_tier: low, scores: {reasoning: 40}}
      - {model_id: strong-dear, quality_tier: strong, cost_tier: high}
      - {model_id: strong-unpriced, quality_tier: strong, scores: {reasoning: 99}}
      - {model_id: twin-b, quality_tier: standard, cost_tier: low}
      - {model_id: twin-a, quality_tier: standard, cost_tier: low}
      - {model_id: clever, quality_tier: standard, cost_tier: low, scores: {reasoning: 51}}
requirements:
  mine: {min_quality_tier: standard}
"""


def order(text: str, task: str = "mine") -> list[str]:
    snapshot = open_text(text)
    return [row.ref.model_id for row in snapshot.ranked(snapshot.requirements[task])]


def test_nearer_the_floor_then_cheaper_then_the_score_then_the_name() -> None:
    assert order(PASSING) == [
        "clever", "twin-a", "twin-b", "strong-cheap", "strong-dear", "strong-unpriced", "frontier-dear",
    ]  # fmt: skip


def test_scores_first_where_the_policy_says_so() -> None:
    assert order(PASSING + "policy: {rank_by_score: true}\n") == [
        "strong-unpriced", "clever", "twin-a", "twin-b", "strong-dear", "frontier-dear", "strong-cheap",
    ]  # fmt: skip


def test_three_near_scores_stay_in_one_order_whatever_the_order_of_the_file() -> None:
    """Upstream's 'within two points is a tie' is not transitive; here the score is one key among others."""
    lines = [f"{{model_id: m{name}, scores: {{reasoning: {name}}}}}" for name in (70, 71, 72)]
    for listed in (lines, lines[::-1], [lines[1], lines[2], lines[0]]):
        text = f"providers: [{{provider_id: a, provider_kind: openai, models: [{', '.join(listed)}]}}]"
        assert order(text, "image_generation") == []
        assert order(text + "\nrequirements: {mine: {}}\n") == ["m72", "m71", "m70"]
