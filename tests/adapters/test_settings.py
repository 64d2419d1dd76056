"""A merged provider as adapters want it."""

from __future__ import annotations

import pytest

from adapters.settings import settings_of
from model.auth import AuthScheme
from model.config.merge import LayeredFile, Provider, merge
from model.config.read import read_config
from model.vocabulary import Api, Layer, ProviderKind


def merged(project: dict[str, object] | None = None, **own: object) -> Provider:
    """The provider `p` of a global file that states `own`, under a project file that states `project`."""
    files = [LayeredFile(Layer.GLOBAL, "global", read_config({"providers": [{"provider_id": "p", **own}]}, "global"))]
    if project is not None:
        data = {"providers": [{"provider_id": "p", **project}]}
        files.insert(0, LayeredFile(Layer.PROJECT, "project", read_config(data, "project")))
    (provider,) = merge(tuple(files)).providers
    return provider


def test_all_that_an_adapter_needs() -> None:
    given = settings_of(merged(provider_kind="openai", auth_ref="env:KEY"), is_trusted=True)
    assert (given.kind, given.api, given.base_url) == (ProviderKind.OPENAI, Api.OPENAI_COMPLETIONS, None)
    assert given.auth_ref is not None
    assert given.auth_ref.scheme is AuthScheme.ENV


def test_no_auth_ref_is_not_a_blank_one() -> None:
    assert settings_of(merged(provider_kind="ollama"), is_trusted=True).auth_ref is None
    blank = settings_of(merged(provider_kind="ollama", auth_ref=""), is_trusted=True).auth_ref
    assert blank is None or blank.scheme is AuthScheme.BLANK


LAN = {"provider_kind": "openai_compatible", "base_url": "http://192.168.1.5:8080"}


@pytest.mark.parametrize(
    ("own", "project", "marked"),
    [
        ({**LAN, "local": True}, None, True),
        (LAN, None, False),
        (LAN, {"local": True}, False),
        ({**LAN, "local": True}, {"local": False}, False),
    ],
)
def test_only_the_users_own_word_marks_a_provider_local(
    own: dict[str, object], project: dict[str, object] | None, marked: bool
) -> None:
    assert settings_of(merged(project, **own), is_trusted=True).is_marked_local is marked
