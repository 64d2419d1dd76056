"""Whose word decides where a key goes, and what becomes of it when the user agrees or the file changes."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import pytest

from model.config.merge import Config, LayeredFile, merge
from model.config.read import read_config
from model.document import Put
from model.files import Choice, FileSpec, choose_files
from model.snapshot import Surroundings
from model.trust import (
    NOBODY_TRUSTED,
    CannotTrust,
    TrustBook,
    agree,
    chosen_by_others,
    claims,
    read_trust,
    revoke,
    trust_path,
)
from model.vocabulary import Layer
from model.workbench import Change, Workbench

TODAY = date(2026, 11, 30)
OWN: dict[str, object] = {"provider_kind": "anthropic", "auth_ref": "env:ANTHROPIC_API_KEY"}
GATE: dict[str, object] = {
    "provider_kind": "openai_compatible",
    "base_url": "https://gate.example/v1",
    "auth_ref": "env:K",
}


def config(project: dict[str, object] | None = None, own: dict[str, object] | None = None) -> Config:
    """The provider `p` of a project file over that of the user's own."""
    files = []
    for layer, row in ((Layer.PROJECT, project), (Layer.GLOBAL, own)):
        if row is not None:
            data = {"providers": [{"provider_id": "p", **row}]}
            files.append(LayeredFile(layer, layer.value, read_config(data, layer.value)))
    return merge(tuple(files))


@pytest.mark.parametrize(
    ("project", "field"),
    [
        (None, None),
        ({"display_name": "x", "enabled": True, "local": True}, None),
        ({"base_url": "https://evil.example"}, "base_url"),
        ({"auth_ref": "file:~/.ssh/id_rsa"}, "auth_ref"),
        ({"provider_kind": "openrouter"}, "provider_kind"),
    ],
)
def test_what_of_a_project_file_decides_where_a_key_goes(project: dict[str, object] | None, field: str | None) -> None:
    (provider,) = config(project, OWN).providers
    chosen = chosen_by_others(provider)
    assert (chosen and chosen[0]) == field
    assert NOBODY_TRUSTED.untrusted(config(project, OWN)) == ({"p"} if field else frozenset())


def test_a_kind_beside_a_base_url_of_the_users_own_moves_no_key() -> None:
    assert not claims(config({"provider_kind": "openai"}, {**OWN, "base_url": "https://gateway.example"}))


def test_a_file_opened_alone_is_a_strangers_too_but_not_the_users_own_global_file(tmp_path: Path) -> None:
    own, other = tmp_path / "own.yaml", tmp_path / "other.yaml"
    for path in (own, other):
        path.write_text("providers: [{provider_id: p, provider_kind: ollama, base_url: 'http://127.0.0.1:1'}]\n")
    environ = {"CAPDECK_GLOBAL": str(own)}
    link = tmp_path / "link.yaml"
    link.symlink_to(own)
    untrusted = {}
    for path in (own, link, other):
        bench = Workbench(choose_files(Choice(path), tmp_path, environ), Surroundings(trust=NOBODY_TRUSTED))
        untrusted[path.name] = set(bench.snapshot.given.untrusted)
    assert untrusted == {"own.yaml": set(), "link.yaml": set(), "other.yaml": {"p"}}


def test_agreeing_is_to_one_triple_and_ends_when_any_part_of_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "air" / "trust.yaml"
    book = agree(path, claims(config(GATE)), TODAY)
    assert book == read_trust(path)
    assert not book.untrusted(config(GATE))
    for name, value in (("base_url", "https://gate.example/v2"), ("auth_ref", "env:OTHER"), ("auth_ref", None)):
        changed = {key: each for key, each in {**GATE, name: value}.items() if each is not None}
        assert book.untrusted(config(changed)) == {"p"}
    unchanged = {**GATE, "display_name": "new"}
    assert not book.untrusted(config(unchanged))


def test_the_users_own_half_of_the_triple_counts_too(tmp_path: Path) -> None:
    project = {"base_url": "https://gate.example"}
    book = agree(tmp_path / "t", claims(config(project, OWN)), TODAY)
    assert not book.untrusted(config(project, OWN))
    assert book.untrusted(config(project, {**OWN, "auth_ref": "env:DEARER_KEY"})) == {"p"}


def test_the_file_is_the_users_alone_and_holds_no_address_and_no_auth_ref(tmp_path: Path) -> None:
    path = tmp_path / "air" / "trust.yaml"
    agree(path, claims(config(GATE)), TODAY)
    text = path.read_text()
    assert "gate.example" not in text
    assert "env:K" not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["trust.yaml"]


def test_agreeing_again_changes_nothing_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "trust.yaml"
    agree(path, claims(config(GATE)), TODAY)
    path.write_text("# mine\n" + path.read_text())
    before = path.read_text()
    agree(path, claims(config(GATE)), date(2027, 1, 1))
    assert path.read_text() == before
    agree(path, claims(config({**GATE, "auth_ref": "env:OTHER"})), date(2027, 1, 1))
    assert path.read_text().startswith(before.rstrip("\n"))
    assert len(read_trust(path).agreements) == 2


def test_revoking_takes_back_all_that_was_agreed_to_about_a_provider(tmp_path: Path) -> None:
    path = tmp_path / "trust.yaml"
    for auth_ref in ("env:A", "env:B"):
        agree(path, claims(config({**GATE, "auth_ref": auth_ref})), TODAY)
    assert revoke(path, ["other"]) == (read_trust(path), ())
    book, gone = revoke(path, ["p"])
    assert (len(gone), book.agreements, read_trust(path)) == (2, (), book)
    assert book.untrusted(config({**GATE, "auth_ref": "env:A"})) == {"p"}
    agree(path, claims(config(GATE)), TODAY)
    assert not read_trust(path).untrusted(config(GATE))


@pytest.mark.parametrize(
    "text", ["trusted: [", "- a list", "trusted: {p: x}", "trusted: [5, {sha256: 7}, {provider_id: p}]", ""]
)
def test_a_broken_file_agrees_to_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trust.yaml"
    path.write_text(text)
    assert read_trust(path).untrusted(config(GATE)) == {"p"}


def test_a_file_that_does_not_parse_is_said_and_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "trust.yaml"
    path.write_text("trusted: [")
    assert "trust.yaml" in read_trust(path).problem
    with pytest.raises(CannotTrust):
        agree(path, claims(config(GATE)), TODAY)
    with pytest.raises(CannotTrust):
        revoke(path, ["p"])
    assert path.read_text() == "trusted: ["


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert read_trust(tmp_path / "none.yaml") == NOBODY_TRUSTED == TrustBook()


def test_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert trust_path({}) == trust_path({"CAPDECK_TRUST": ""}) == tmp_path / ".air" / "trust.yaml"
    assert trust_path({"CAPDECK_TRUST": "/x/t.yaml"}) == Path("/x/t.yaml")


def test_an_edit_that_changes_the_address_makes_it_rest_and_undo_wakes_it(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text(
        "providers:\n  - {provider_id: p, provider_kind: openai_compatible, base_url: 'https://a.example'}\n"
    )
    specs = [FileSpec(file, Layer.PROJECT)]
    book = agree(tmp_path / "trust.yaml", claims(Workbench(specs).snapshot.config), TODAY)
    bench = Workbench(specs, Surroundings(trust=book))
    assert bench.snapshot.given.untrusted == set()
    bench.apply(Change("move", {str(file): (Put(("providers", 0, "base_url"), "https://b.example"),)}))
    assert bench.snapshot.given.untrusted == {"p"}
    bench.undo()
    assert bench.snapshot.given.untrusted == set()
