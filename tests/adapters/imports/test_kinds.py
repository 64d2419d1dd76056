"""What each tool's file says, in the words of models.yaml; what it leaves out stays not stated."""

from __future__ import annotations

from model.capability_set import CapabilitySet
from model.config.rows import Flags, LimitsRow
from model.vocabulary import Api, Capability, ProviderKind
from tests.adapters.imports.cases import imported, left, model, provider, written

C = Capability


def flags(yes: set[Capability], no: set[Capability] = frozenset()) -> Flags:  # type: ignore[assignment]  # a set
    return Flags(CapabilitySet.of(yes), CapabilitySet.of(no))


LITELLM = """\
model_list:
  - model_name: smart
    litellm_params: {model: gemini/gemini-3-pro, api_key: os.environ/GEMINI_API_KEY, rpm: 60, tpm: 1000}
    model_info: {supports_vision: true, supports_function_calling: false, max_output_tokens: 65536,
                 max_input_tokens: 1000000, input_cost_per_token: 0.1}
  - model_name: smart
    litellm_params: {model: openai/google/gemini-3-pro, api_base: https://openrouter.ai/api/v1,
                     api_key: os.environ/OPENROUTER_API_KEY}
  - model_name: cheap
    litellm_params: {model: gpt-5-mini, temperature: 0}
  - model_name: bge
    litellm_params: {model: openai/bge-m3}
    model_info: {mode: embedding}
# - model_name: gone
#   litellm_params: {model: openai/gone}
router_settings:
  fallbacks:
    - smart: [cheap, nobody]
    - unknown: [cheap]
  num_retries: 2
litellm_settings:
  context_window_fallbacks: [{smart: [cheap]}]
"""


def test_litellm_providers_flags_limits_and_keys() -> None:
    found = imported("litellm", LITELLM)
    assert [each.provider_id for each in found.providers] == ["gemini", "openrouter", "openai"]
    gemini = provider(found, "gemini")
    assert (gemini.service.kind, gemini.service.api) == (ProviderKind.CUSTOM, Api.GOOGLE_GENERATIVE_AI)
    assert gemini.service.auth_ref == "env:GEMINI_API_KEY"
    assert provider(found, "openai").service.auth_ref == "env:OPENAI_API_KEY"
    pro = model(found, "gemini/gemini-3-pro")
    assert pro.supports == flags({C.IMAGE_INPUT}, {C.TOOL_USE})
    assert pro.limits == LimitsRow(60, 1000)
    assert (pro.context_window_tokens, pro.max_output_tokens) == (None, 65536)
    assert model(found, "openrouter/google/gemini-3-pro").supports == flags(set())
    assert model(found, "openai/gpt-5-mini").aliases == ("cheap",)


def test_litellm_groups_and_fallbacks_become_chains() -> None:
    found = imported("litellm", LITELLM)
    (chain,) = found.fallbacks
    assert str(chain.model) == "gemini/gemini-3-pro"
    assert [str(ref) for ref in chain.chain] == ["openrouter/google/gemini-3-pro", "openai/gpt-5-mini"]
    assert model(found, "gemini/gemini-3-pro").aliases == ()


def test_litellm_lists_what_is_left_with_its_line() -> None:
    found = imported("litellm", LITELLM)
    assert set(left(found)) == {
        "model_list[0].model_info.max_input_tokens", "model_list[0].model_info.input_cost_per_token",
        "model_list[2].litellm_params.temperature", "model_list[3]", "router_settings.fallbacks[0].smart[1]",
        "router_settings.fallbacks[1].unknown", "router_settings.num_retries",
        "litellm_settings.context_window_fallbacks",
    }  # fmt: skip
    lines = {each.place: each.line for each in found.not_carried}
    assert lines["model_list[3]"] == 11
    assert "counts the input alone" in left(found)["model_list[0].model_info.max_input_tokens"]


def test_aichat_clients() -> None:
    found = imported(
        "aichat",
        """\
        model: groq:fast
        clients:
          - {type: openai-compatible, name: groq, models: [{name: fast, real_name: org/fast-1, max_input_tokens: 8192}]}
          - type: openai-compatible
            name: house
            api_base: http://127.0.0.1:8080/v1
            models:
              - {name: m, supports_function_calling: true, supports_vision: false, max_output_tokens: null}
              - {name: e, type: embedding}
          - {type: claude, api_key: sk-ant-REDACTEDREDACTEDREDACTED, extra: {proxy: "socks5://x"}}
        """,
    )
    assert provider(found, "groq").service.auth_ref == "env:GROQ_API_KEY"
    assert provider(found, "house").service.auth_ref is None
    assert provider(found, "claude").service.kind is ProviderKind.ANTHROPIC
    fast = model(found, "groq/org/fast-1")
    assert (fast.aliases, fast.context_window_tokens) == (("fast",), 8192)
    assert model(found, "house/m").supports == flags({C.TOOL_USE}, {C.IMAGE_INPUT})
    assert set(left(found)) == {"model", "clients[1].models[1]", "clients[2].api_key", "clients[2]", "clients[2].extra"}


def test_aichats_list_of_models() -> None:
    found = imported("aichat", "- {provider: openai, models: [{name: gpt-5, input_price: 1}]}\n- just a text\n")
    assert model(found, "openai/gpt-5").supports == flags(set())
    assert set(left(found)) == {"[0].models[0].input_price", "[1]"}


def test_continue_with_a_merge_key() -> None:
    found = imported(
        "continue",
        """\
        %YAML 1.1
        ---
        defaults: &d {provider: openai, apiKey: "${{ secrets.WORK_KEY }}", apiBase: "https://gw.example/v1"}
        models:
          - {<<: *d, name: Mine, model: m1, roles: [chat], capabilities: [tool_use, next_edit],
             defaultCompletionOptions: {contextLength: 128000, maxTokens: 100}}
          - {name: E, provider: ollama, model: nomic, roles: [embed]}
          - {name: A, provider: ollama, model: AUTODETECT}
          - {uses: someone/block}
        """,
    )
    gateway = provider(found, "gw.example")
    assert (gateway.service.kind, gateway.service.auth_ref) == (ProviderKind.OPENAI_COMPATIBLE, "env:WORK_KEY")
    mine = model(found, "gw.example/m1")
    assert (mine.display_name, mine.context_window_tokens) == ("Mine", 128000)
    assert mine.supports == flags({C.TOOL_USE})
    assert provider(found, "ollama").models == ()
    assert {"models[1]", "models[2].model", "models[3]", "models[0].capabilities[1]"} <= set(left(found))


def test_opencode_with_comments_and_trailing_commas() -> None:
    found = imported(
        "opencode",
        """\
        {
          // mine
          "provider": {
            "gw": {"npm": "@ai-sdk/anthropic", "options": {"baseURL": "https://gw.example", "apiKey": "{env:GW_KEY}",
                   "headers": {"X-Key": "sk-abcdefghijklmnopqrstuvwx"},},
              "models": {"claude": {"id": "claude-x", "limit": {"context": 200000, "output": 64000,},
                 "tool_call": true, "reasoning": false, "modalities": {"input": ["text", "image"]}, "cost": {}},},},
            "groq": {"models": {"llama": {}}},
          }, /* off */ "disabled_providers": ["groq", "openai",], "small_model": "groq/llama",
        }
        """,
    )
    gateway, groq = provider(found, "gw"), provider(found, "groq")
    assert (gateway.service.kind, gateway.service.auth_ref) == (ProviderKind.ANTHROPIC_COMPATIBLE, "env:GW_KEY")
    assert (gateway.enabled, groq.enabled, groq.service.auth_ref) == (None, False, "env:GROQ_API_KEY")
    claude = model(found, "gw/claude-x")
    assert (claude.aliases, claude.context_window_tokens, claude.max_output_tokens) == (("claude",), 200000, 64000)
    yes, no = {C.TOOL_USE, C.TEXT_INPUT, C.IMAGE_INPUT}, {C.THINKING, C.AUDIO_INPUT, C.FILE_INPUT}
    assert claude.supports == flags(yes, no)
    assert model(found, "groq/llama").supports == flags(set())
    assert {"provider.gw.options.headers", "disabled_providers[1]", "small_model"} <= set(left(found))


def test_crush() -> None:
    found = imported(
        "crush",
        """\
        {"providers": {
           "openrouter": {"type": "openai", "base_url": "https://openrouter.ai/api/v1", "api_key": "${OR_KEY}"},
           "house": {"type": "openai-compat", "base_url": "http://127.0.0.1:9/v1", "disable": true, "models": [
              {"id": "m", "name": "M", "context_window": 4096, "can_reason": true, "default_max_tokens": 5},
              {"name": "no id"}, 7]}},
         "models": {"large": {"model": "m", "provider": "house"}}}
        """,
    )
    assert provider(found, "openrouter").service.kind is ProviderKind.OPENROUTER
    assert provider(found, "openrouter").service.auth_ref == "env:OR_KEY"
    house = provider(found, "house")
    assert (house.enabled, len(house.models)) == (False, 1)
    assert model(found, "house/m").supports == flags({C.THINKING})
    assert model(found, "house/m").context_window_tokens == 4096
    assert {"models.large", "providers.house.models[1]", "providers.house.models[2]"} <= set(left(found))


def test_openrouters_list() -> None:
    found = imported(
        "openrouter",
        """\
        {"data": [{"id": "a/b", "name": "B", "context_length": 1000, "top_provider": {"max_completion_tokens": 100},
           "supported_parameters": ["tools"], "pricing": {"prompt": "0.1"}}, {"name": "nameless"}, {"id": "c/d"}]}
        """,
    )
    one = model(found, "openrouter/a/b")
    assert one.supports == flags({C.TOOL_USE}, {C.STRUCTURED_OUTPUT, C.JSON_MODE, C.THINKING})
    assert (one.context_window_tokens, one.max_output_tokens) == (1000, 100)
    assert model(found, "openrouter/c/d").supports == flags(set())
    assert set(left(found)) == {"data[0].pricing", "data[1]"}


def test_ollamas_list() -> None:
    found = imported(
        "ollama",
        '{"models": [{"name": "q:4b", "model": "q:4b", "size": 1},'
        ' {"name": "v", "capabilities": ["completion", "tools"]}]}',
    )
    assert provider(found, "ollama").service.kind is ProviderKind.OLLAMA
    assert model(found, "ollama/q:4b").supports == flags(set())
    assert C.TOOL_USE in model(found, "ollama/v").supports.yes


def test_written_in_the_order_of_the_schema() -> None:
    data, text = written(imported("litellm", LITELLM))
    assert data["fallbacks"] == [
        {"model": "gemini/gemini-3-pro", "chain": ["openrouter/google/gemini-3-pro", "openai/gpt-5-mini"]}
    ]
    assert text.index("provider_kind") < text.index("base_url") < text.index("auth_ref") < text.index("models")
