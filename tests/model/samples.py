"""Small configurations as text, opened without a disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from model.config.merge import Config
from model.config.read import read_config
from model.document import YamlDoc
from model.files import OpenFile
from model.resolve import ResolvedModel
from model.snapshot import Snapshot, Surroundings, derive
from model.vocabulary import Layer


def open_file_text(text: str, name: str = "models.yaml", layer: Layer = Layer.FILE) -> OpenFile:
    doc = YamlDoc.parse(text.encode(), name)
    config = read_config(doc.data, name)
    return OpenFile(Path(name), layer, doc, doc, config, config)


def open_text(text: str, surroundings: Surroundings | None = None) -> Snapshot:
    return derive((open_file_text(text),), surroundings or Surroundings())


@dataclass(frozen=True, slots=True)
class Distrust:
    """A `Trust` that holds these providers untrusted, whoever chose them."""

    provider_ids: frozenset[str]

    def untrusted(self, config: Config) -> frozenset[str]:
        return self.provider_ids


def row(fields: str, provider: str = "{provider_kind: anthropic}") -> ResolvedModel:
    """The one model `p/m` with these fields (YAML, one line)."""
    kind = provider.strip("{}")
    body = fields if fields.startswith("{") else "{" + fields + "}"
    text = f"providers: [{{provider_id: p, {kind}, models: [{{model_id: m, {body.strip()[1:-1]}}}]}}]"
    return open_text(text).matrix.rows[0]
