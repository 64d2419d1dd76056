"""What a new entry says: facts of the catalog for a model, and for a provider what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.auth import parse_auth_ref
from model.editing import add_model, add_provider, find_provider
from model.model_ref import ModelRef
from model.quick_dataclass import dataclass
from model.vocabulary import CAPABILITIES, Layer, ProviderKind
from model.workbench import Change
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from model.catalog import Catalog
    from model.document import Edit
    from model.files import OpenFile
    from model.workbench import Workbench

_KEY_VARIABLES = {
    ProviderKind.ANTHROPIC: "env:ANTHROPIC_API_KEY",
    ProviderKind.OPENAI: "env:OPENAI_API_KEY",
    ProviderKind.OPENROUTER: "env:OPENROUTER_API_KEY",
}
"""Where the vendors' own documents put the key."""


@dataclass(frozen=True, slots=True)
class NewProvider:
    """What the command line says of a provider that no file has yet."""

    kind: ProviderKind | None
    base_url: str | None
    auth_ref: str | None

    def values(self, provider_id: str) -> dict[str, Any]:
        """Raises Failure where something is missing, and for an auth_ref that may be a key (which is not repeated)."""
        if self.kind is None:
            kinds = ", ".join(kind.value for kind in ProviderKind)
            raise Failure("unknown-provider", f"no open file has a provider {provider_id!r}", f"add --kind: {kinds}")
        if self.base_url is None and self.kind.default_base_url is None:
            raise Failure("usage", f"a provider of kind {self.kind} has no endpoint of its own", "add --base-url URL")
        auth_ref = self.auth_ref or _KEY_VARIABLES.get(self.kind)
        if auth_ref and not parse_auth_ref(auth_ref).is_valid:
            raise Failure("auth-literal", "--auth-ref names no place where a key lies", parse_auth_ref(auth_ref).hint)
        values = {"provider_kind": self.kind.value, "base_url": self.base_url, "auth_ref": auth_ref}
        return {name: value for name, value in values.items() if value is not None}


def adding(
    bench: Workbench, ref: str, new: NewProvider, layer: Layer | None, seen: Mapping[str, Any] | None = None
) -> Change:
    """`seen` are facts from the endpoint, to be written instead of the catalog's. Raises CannotEdit and Failure."""
    provider_id, slash, _ = ref.partition("/")
    file = _target(bench, provider_id, layer)
    if slash:
        edits = _model_edits(bench, file, ModelRef.parse(ref), new, seen)
    else:
        edits = _provider_edits(bench, file, ref, new)
    return Change(f"add {ref}", {file.name: edits})


def _target(bench: Workbench, provider_id: str, layer: Layer | None) -> OpenFile:
    """The file of the wanted layer, else one that has the provider, else the global one; begun if it is missing."""
    files = [file for file in bench.files if layer in {None, file.layer}]
    if not files:
        raise Failure(
            "edit-refused", f"no {layer.value if layer else ''} file is open", "name one with --global or --project"
        )
    having = [file for file in files if find_provider(file.config, provider_id)]
    file = (having or sorted(files, key=lambda each: each.layer is not Layer.GLOBAL))[0]
    return bench.begin(file.name) if file.missing else file


def _provider_edits(bench: Workbench, file: OpenFile, provider_id: str, new: NewProvider) -> tuple[Edit, ...]:
    ModelRef(provider_id, "any")  # raises BadRef for an id that no ref could hold
    return add_provider(file.config, provider_id, new.values(provider_id))


def _model_edits(
    bench: Workbench, file: OpenFile, ref: ModelRef, new: NewProvider, seen: Mapping[str, Any] | None
) -> tuple[Edit, ...]:
    facts = from_catalog(bench.snapshot.catalog, ref.model_id) if seen is None else dict(seen)
    known = any(each.provider_id == ref.provider_id for each in bench.snapshot.config.providers)
    if known:
        return add_model(file.config, ref, facts)
    entry = {"model_id": ref.model_id, **facts}
    return add_provider(file.config, ref.provider_id, {**new.values(ref.provider_id), "models": [entry]})


def from_catalog(catalog: Catalog, model_id: str) -> dict[str, Any]:
    """Name, sizes and flags of the catalog's row; nothing for an id that it does not know."""
    match = catalog.find(model_id)
    if match is None:
        return {}
    row = match.row
    flags = {each.value: each in row.yes for each in CAPABILITIES if each in row.yes or each in row.no}
    values = {
        "display_name": row.display_name,
        "context_window_tokens": row.context_window_tokens,
        "max_output_tokens": row.max_output_tokens,
        "supports": flags,
    }
    return {name: value for name, value in values.items() if value}
