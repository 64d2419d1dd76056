"""How many cells are contradicted, not stated, and decided by the policy alone."""

from __future__ import annotations

from model.counts import counts, policy_words
from tests.model.samples import open_text

TEXT = """\
providers:
  - provider_id: p
    provider_kind: openai_compatible
    base_url: https://p.example/v1
    models:
      - {model_id: all-but-one, supports: {%s}}
      - {model_id: nothing, enabled: false}
      - {model_id: gpt-5.1, supports: {tool_use: false}}
requirements:
  nightly: {required: {audio_output: true}}
"""


def text(*left_out: str) -> str:
    from model.vocabulary import CAPABILITIES

    return TEXT % ", ".join(f"{each.value}: true" for each in CAPABILITIES if each.value not in left_out)


def test_cells_that_nobody_states() -> None:
    snapshot = open_text(text("thinking", "batch"))
    found = counts(snapshot)
    rows = snapshot.matrix.rows
    assert found.models == 3
    assert len(rows[0].unknown) == 1  # batch is not carried, and so a no
    assert found.not_stated == sum(len(row.unknown) for row in rows)


def test_contradictions() -> None:
    assert counts(open_text(text())).contradicted == 1


def test_the_policy_decides_what_a_task_requires_of_models_that_are_on() -> None:
    one = open_text(text("tool_use", "structured_output", "thinking"))
    all_said = open_text(text())
    assert counts(one).by_policy - counts(all_said).by_policy == 2  # no task requires thinking
    assert policy_words(one, counts(one)).startswith("policy closed decides ")
