"""The online checks against servers that others wrote: a real llama.cpp with and without a key, and aimock."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.checks import Phase, run_checks
from adapters.registry import Connections
from adapters.secrets import CredentialResolver
from model.auth import AuthState
from model.doctor.online import OnlineResult, Reach, model_words
from tests.adapters.visits import provider, snapshot_of
from tests.servers.conftest import RunningServer

pytestmark = pytest.mark.servers
RIGHT = "sk-right-0123456789"


async def visited(key: str, **fields: Any) -> tuple[OnlineResult, list[str]]:
    snapshot = snapshot_of(provider(**fields))
    rows = [row async for row in run_checks(snapshot, Connections(CredentialResolver({"K": key})))]
    (result,) = [row.result for row in rows if row.phase is Phase.DONE and row.result]
    return result, [str(word) for word in model_words(snapshot, result)]


async def test_llama_cpp_tells_its_window_and_its_model(llama: RunningServer) -> None:
    models = [{"model_id": "smollm2"}, {"model_id": "smolm2"}]
    result, words = await visited("", base_url=f"{llama.url}/v1", auth_ref=None, models=models)
    assert (result.status, result.server) == (200, "llama.cpp")
    assert words == ["listed", "not listed (closest: smollm2)"]
    ((ref, seen),) = result.seen
    assert (ref.model_id, seen.context_window_tokens) == ("smollm2", 2048)


@pytest.mark.parametrize("key", [RIGHT, "sk-wrong-0123456789"])
async def test_llama_cpps_open_list_proves_no_key(llama_with_key: RunningServer, key: str) -> None:
    result, _ = await visited(key, base_url=f"{llama_with_key.url}/v1")
    assert (result.reach, result.auth) == (Reach.ANSWERED, AuthState.NOT_CHECKED)
    assert "without a key too" in result.auth_evidence


@pytest.mark.parametrize(("key", "auth"), [(RIGHT, AuthState.ACCEPTED), ("sk-wrong-0123456789", AuthState.REJECTED)])
async def test_aimock_closes_its_list(aimock: RunningServer, key: str, auth: AuthState) -> None:
    result, _ = await visited(key, base_url=f"{aimock.url}/v1")
    assert (result.reach, result.auth) == (Reach.ANSWERED, auth)


async def test_aimock_without_v1_works_with_it(aimock: RunningServer) -> None:
    result, _ = await visited(RIGHT, base_url=aimock.url)
    assert result.works_at == f"{aimock.url}/v1"
