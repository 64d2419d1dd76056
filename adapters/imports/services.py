"""Names that tools give to vendors → kind, address, variable; an address → whose it is, judged by model/endpoint.py."""

from __future__ import annotations

from urllib.parse import urlsplit

from adapters.imports.credentials import Credential, is_reference, variable_of
from adapters.imports.imported import Service
from model.endpoint import Endpoint, EndpointFault, EndpointProblem, read_endpoint
from model.quick_dataclass import dataclass
from model.vocabulary import Api, ProviderKind

_K = ProviderKind
_COMPATIBLE = {
    _K.OPENAI: _K.OPENAI_COMPATIBLE,
    _K.ANTHROPIC: _K.ANTHROPIC_COMPATIBLE,
    _K.OPENROUTER: _K.OPENAI_COMPATIBLE,
}


@dataclass(frozen=True, slots=True)
class Vendor:
    """`variable` is where the tools look for the key when their file names none."""

    name: str
    kind: ProviderKind = _K.OPENAI_COMPATIBLE
    base_url: str | None = None
    variable: str | None = None
    api: Api | None = None
    known_as: tuple[str, ...] = ()
    own_wire_elsewhere: bool = False
    """Whether another address of it speaks a wire of its own that no Api row is about."""

    @property
    def service(self) -> Service:
        return Service(self.kind, self.base_url, self.api)


_VENDORS = (
    Vendor("openai", _K.OPENAI, None, "OPENAI_API_KEY", known_as=("text-completion-openai",)),
    Vendor("openai-compatible", known_as=("openai-compat",)),
    Vendor("anthropic", _K.ANTHROPIC, None, "ANTHROPIC_API_KEY", known_as=("claude",)),
    Vendor("openrouter", _K.OPENROUTER, None, "OPENROUTER_API_KEY"),
    Vendor("ollama", _K.OLLAMA, known_as=("ollama_chat",)),
    Vendor("gemini", _K.CUSTOM, "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY",
           Api.GOOGLE_GENERATIVE_AI, ("google", "google-ai-studio")),
    Vendor("vertex", _K.CUSTOM, None, None, Api.GOOGLE_VERTEX, ("vertex_ai", "vertexai", "google-vertex")),
    Vendor("bedrock", _K.CUSTOM, None, None, Api.BEDROCK_CONVERSE_STREAM, ("amazon-bedrock", "bedrock_converse")),
    Vendor("azure", _K.CUSTOM, None, "AZURE_API_KEY", Api.AZURE_OPENAI_RESPONSES, ("azure-openai", "azure_ai")),
    Vendor("groq", base_url="https://api.groq.com/openai/v1", variable="GROQ_API_KEY"),
    Vendor("mistral", base_url="https://api.mistral.ai/v1", variable="MISTRAL_API_KEY", known_as=("mistralai",)),
    Vendor("deepseek", base_url="https://api.deepseek.com", variable="DEEPSEEK_API_KEY"),
    Vendor("xai", base_url="https://api.x.ai/v1", variable="XAI_API_KEY", known_as=("grok",)),
    Vendor("together", base_url="https://api.together.xyz/v1", variable="TOGETHER_API_KEY",
           known_as=("together_ai", "togetherai")),
    Vendor("fireworks", base_url="https://api.fireworks.ai/inference/v1", variable="FIREWORKS_API_KEY",
           known_as=("fireworks_ai", "fireworks-ai")),
    Vendor("cerebras", base_url="https://api.cerebras.ai/v1", variable="CEREBRAS_API_KEY"),
    Vendor("cohere", base_url="https://api.cohere.ai/compatibility/v1", variable="COHERE_API_KEY",
           known_as=("cohere_chat",), own_wire_elsewhere=True),
    Vendor("perplexity", base_url="https://api.perplexity.ai", variable="PERPLEXITY_API_KEY"),
    Vendor("moonshot", base_url="https://api.moonshot.ai/v1", variable="MOONSHOT_API_KEY", known_as=("moonshotai",)),
    Vendor("zhipu", base_url="https://open.bigmodel.cn/api/paas/v4", variable="ZHIPU_API_KEY",
           known_as=("zhipuai", "bigmodel")),
    Vendor("zai", base_url="https://api.z.ai/api/paas/v4", variable="ZAI_API_KEY"),
    Vendor("dashscope", base_url="https://dashscope.aliyuncs.com/compatible-mode/v1", variable="DASHSCOPE_API_KEY",
           known_as=("qianwen", "alibaba", "qwen")),
    Vendor("deepinfra", base_url="https://api.deepinfra.com/v1/openai", variable="DEEPINFRA_API_KEY"),
    Vendor("nvidia", base_url="https://integrate.api.nvidia.com/v1", variable="NVIDIA_API_KEY",
           known_as=("nvidia_nim",)),
    Vendor("huggingface", base_url="https://router.huggingface.co/v1", variable="HF_TOKEN"),
    Vendor("github", base_url="https://models.github.ai/inference", variable="GITHUB_TOKEN",
           known_as=("github-models",)),
    Vendor("sambanova", base_url="https://api.sambanova.ai/v1", variable="SAMBANOVA_API_KEY"),
    Vendor("siliconflow", base_url="https://api.siliconflow.cn/v1", variable="SILICONFLOW_API_KEY"),
    Vendor("minimax", base_url="https://api.minimax.io/v1", variable="MINIMAX_API_KEY"),
    Vendor("lmstudio", base_url="http://127.0.0.1:1234/v1", known_as=("lm-studio", "lm_studio")),
    Vendor("llama.cpp", base_url="http://127.0.0.1:8080/v1", known_as=("llama-cpp", "llamacpp")),
)  # fmt: skip
"""Where a vendor speaks its own wire and OpenAI's too (Cohere), the address is that of OpenAI's."""
VENDORS = {name: vendor for vendor in _VENDORS for name in (vendor.name, *vendor.known_as)}
_BY_HOST = {
    urlsplit(url).hostname: vendor for vendor in _VENDORS if (url := vendor.base_url or vendor.kind.default_base_url)
}


def vendor_named(name: str) -> Vendor | None:
    return VENDORS.get(name.casefold())


def vendor_at(base_url: str) -> Vendor | None:
    """By the exact host; a loopback address is nobody's."""
    endpoint = read_endpoint(base_url, local=True)
    if not isinstance(endpoint, Endpoint) or endpoint.is_loopback:
        return None
    return _BY_HOST.get(endpoint.host)


@dataclass(frozen=True, slots=True)
class Address:
    """A stated address as it may stand in models.yaml (None: it cannot be carried), and what was left out or changed.

    `variable` is the environment variable that it would have come from.
    """

    base_url: str | None
    why: str = ""
    variable: str = ""


def read_address(text: str) -> Address:
    """Plain http to another machine stays as it is: whether it is the user's own is theirs to say."""
    endpoint, strict = read_endpoint(text, local=True), read_endpoint(text)
    if isinstance(strict, EndpointProblem) and strict.suggestion and strict.fault is not EndpointFault.PLAIN_HTTP:
        base_url = strict.suggestion.rstrip("/")
        return Address(base_url, f"{strict.text}: it is written as {base_url}")
    if isinstance(endpoint, Endpoint):
        return Address(endpoint.url)
    if is_reference(text):
        variable = (variable_of(text) or Credential()).auth_ref or ""
        why = "an address out of a variable is not carried: write base_url yourself"
        return Address(None, why, variable.removeprefix("env:"))
    return Address(None, f"{endpoint.text}: {endpoint.mend}")


def service_at(vendor: Vendor | None, address: Address | None) -> Service:
    """What stands at an address that a tool reaches in a vendor's way; without one the vendor's own service."""
    if address is None:
        return vendor.service if vendor else Service(_K.CUSTOM)
    if address.base_url is None:
        return _somewhere(vendor)
    if vendor and address.base_url == vendor.kind.default_base_url:
        return vendor.service
    owner = vendor_at(address.base_url)
    if owner and (vendor is None or owner.kind.default_api is vendor.kind.default_api):
        return _own_service(owner, address.base_url)
    if vendor is None:
        return Service(_K.CUSTOM, address.base_url)
    return Service(_COMPATIBLE.get(vendor.kind, vendor.kind), address.base_url, vendor.api)


def _somewhere(vendor: Vendor | None) -> Service:
    """The wire without the address: the vendor's own must not be taken for it."""
    if vendor is None or vendor.kind is _K.OLLAMA:
        return Service(_K.CUSTOM, None, vendor.kind.default_api if vendor else None)
    return Service(_COMPATIBLE.get(vendor.kind, vendor.kind), None, vendor.api)


def _own_service(owner: Vendor, base_url: str) -> Service:
    """The vendor's usual address is left out where its kind has one; another path is kept."""
    usual = owner.kind.default_base_url
    if usual and base_url in {usual, f"{usual}/v1", usual.removesuffix("/v1")}:
        return owner.service
    if owner.own_wire_elsewhere and base_url != owner.base_url:
        return Service(_K.CUSTOM, base_url)
    return Service(owner.kind, base_url, owner.api)
