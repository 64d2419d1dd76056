"""What a snapshot asks of its surroundings."""

from __future__ import annotations

from pathlib import Path

from model.auth import AuthRef, AuthState
from model.files import FileSpec
from model.snapshot import Surroundings
from model.vocabulary import Layer
from model.workbench import Workbench
from tests.model.samples import Distrust

TEXT = """\
providers:
  - {provider_id: hostile, provider_kind: anthropic, auth_ref: 'file:~/.ssh/id_rsa', models: [{model_id: m}]}
  - {provider_id: own, provider_kind: anthropic, auth_ref: env:OWN, models: [{model_id: m}]}
"""


class Asked:
    """Remembers what was asked for; nothing is there."""

    def __init__(self) -> None:
        self.refs: list[str] = []

    def state(self, ref: AuthRef | None) -> AuthState:
        self.refs.append(str(ref))
        return AuthState.ABSENT

    def is_offline(self, ref: AuthRef | None) -> bool:
        return False

    def cause(self, ref: AuthRef | None) -> str:
        return ""


def test_nobody_looks_where_an_untrusted_file_says_a_key_lies(tmp_path: Path) -> None:
    path, asked = tmp_path / "models.yaml", Asked()
    path.write_text(TEXT, encoding="utf-8")
    around = Surroundings(asked, trust=Distrust(frozenset({"hostile"})))
    snapshot = Workbench([FileSpec(path, Layer.PROJECT)], around).snapshot
    assert asked.refs == ["env:OWN"]
    assert snapshot.given.no_auth == {"own"}
