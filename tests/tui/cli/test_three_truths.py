"""Three models on which file, catalog and wire do not say the same: each is told with its place, day and reason."""

from __future__ import annotations

import re

import pytest

from tests.tui.cli.conftest import Desk

TEXT = """\
providers:
  - {provider_id: a, provider_kind: anthropic, models: [{model_id: claude-opus-4-5, supports: {thinking: false}}]}
  - {provider_id: o, provider_kind: openai, models: [{model_id: gpt-5.1, supports: {prompt_cache: true}}]}
  - provider_id: l
    provider_kind: ollama
    models:
      - {model_id: "qwen3-coder:30b", supports: {image_input: true}, conversion: {image_input: unsupported}}
"""


@pytest.mark.parametrize(
    ("ref", "cell", "value", "decided_by", "said", "reason"),
    [
        ("a/claude-opus-4-5", "thinking", "no", "global", {"global": "no", "catalog": "yes", "transport": "yes"},
         "anthropic-messages: thinking native"),
        ("o/gpt-5.1", "prompt_cache", "emulated", "transport",
         {"global": "yes", "catalog": "yes", "transport": "emulated"}, "openai-completions: cache_control ignored"),
        ("l/qwen3-coder:30b", "image_input", "no", "transport", {"global": "yes", "catalog": "no", "transport": "no"},
         "ollama-chat: image_input unsupported"),
    ],
)  # fmt: skip
def test_who_says_what(
    desk: Desk, ref: str, cell: str, value: str, decided_by: str, said: dict[str, str], reason: str
) -> None:
    desk.write(TEXT)
    told = desk.run("explain", ref, cell, "--json").json
    assert (told["value"], told["decided_by"]) == (value, decided_by)
    layers = {layer["layer"]: layer for layer in told["layers"]}
    assert {name: layer["value"] for name, layer in layers.items()} == said
    assert (layers["global"]["file"], layers["global"]["line"] > 1) == (str(desk.file), True)
    assert re.match(r"\d{4}-\d\d-\d\d, ", layers["catalog"]["detail"])
    assert layers["transport"]["detail"] == reason
    text = desk.run("explain", ref, cell).out
    assert f"{desk.file}:{layers['global']['line']}:" in text
    assert reason in text
