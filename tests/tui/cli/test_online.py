"""`capdeck doctor --online` against a real server on loopback: words, findings, formats, exit codes, what is kept."""

from __future__ import annotations

import json
import os
import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.model.doctor.test_formats import SARIF
from tests.security.loopback import list_of, listening
from tests.tui.cli.conftest import Desk
from tests.tui.cli.shapes import MAYBE_COUNT, MAYBE_TEXT, TEXT, record, rows

KEY = "sk-canary-0123456789abcdef"


def config(url: str, model: str = "m", **fields: Any) -> str:
    row = {
        "provider_id": "gate",
        "provider_kind": "openai_compatible",
        "base_url": url,
        "auth_ref": "env:CAPDECK_TEST_KEY",
        "models": [{"model_id": model, "context_window_tokens": 32768}],
        **fields,
    }
    return json.dumps({"providers": [row]}, indent=1)


@pytest.fixture
def keyed(bare_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("CAPDECK_TEST_KEY", KEY)
    return bare_desk


ONLINE = rows(
    record(
        provider_id=TEXT,
        url=MAYBE_TEXT,
        skipped=MAYBE_TEXT,
        endpoint=record(
            word={"enum": ["not checked", "refused", "timed out", "answered"]},
            status=MAYBE_COUNT,
            milliseconds=MAYBE_COUNT,
            cause=MAYBE_TEXT,
            works_at=MAYBE_TEXT,
        ),
        auth=record(
            word={"enum": ["absent", "empty", "present", "accepted", "rejected", "not checked"]}, evidence=MAYBE_TEXT
        ),
        models=rows(
            record(
                ref=TEXT,
                word={"enum": ["not checked", "listed", "not listed", "listing unsupported"]},
                closest=MAYBE_TEXT,
            )
        ),
        listed=MAYBE_COUNT,
        server=MAYBE_TEXT,
    )
)
ROLES = ("--ignore", "role", "--ignore", "capability")


def test_each_provider_is_one_line_in_exact_words(keyed: Desk) -> None:
    with listening(list_of("m", key=KEY)) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("doctor", "--online", *ROLES)
    first = answer.out.splitlines()[0]
    assert first.startswith("gate  endpoint answered (200, ")
    assert first.endswith(f" ms)  auth accepted  models listed  {server.url}/v1/models")
    assert {request.path for request in server.requests} >= {"/v1/models"}
    assert all(request.method == "GET" for request in server.requests)
    assert answer.code == 0


def test_a_rejected_key_fails_and_is_not_shown(keyed: Desk) -> None:
    with listening(list_of("m", key="another")) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("doctor", "--online", *ROLES)
    assert answer.code == 1
    assert "auth rejected  models not checked" in answer.out
    assert "error[auth-rejected] gate: the key was rejected" in answer.out
    assert "Incorrect API key provided: «secret»" in answer.out
    assert KEY not in answer.out + answer.err


def test_json_has_the_rows_and_the_findings(keyed: Desk) -> None:
    with listening(list_of("other", key=KEY)) as server:
        keyed.write(config(f"{server.url}/v1"))
        found = keyed.run("doctor", "--online", "--json", *ROLES).json
    jsonschema.validate(found["online"], ONLINE)
    (row,) = found["online"]
    assert (row["endpoint"]["word"], row["endpoint"]["status"], row["auth"]["word"]) == ("answered", 200, "accepted")
    assert row["models"] == [{"ref": "gate/m", "word": "not listed", "closest": None}]
    assert [each["code"] for each in found["findings"]] == ["model-not-listed"]
    assert found["summary"]["not_checked"] == []
    assert "online" not in keyed.run("doctor", "--json").json


@pytest.mark.parametrize("format", ["sarif", "junit", "github"])
def test_other_programs_get_the_online_findings_too(keyed: Desk, format: str) -> None:
    with listening(list_of("m", key="another")) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("doctor", "--online", "--format", format)
    assert answer.code == 1
    assert "auth-rejected" in answer.out
    assert KEY not in answer.out
    if format == "sarif":
        jsonschema.validate(json.loads(answer.out), SARIF)
        run = json.loads(answer.out)["runs"][0]
        assert "auth-rejected" in {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    elif format == "junit":
        ET.fromstring(answer.out)


def test_what_was_seen_is_kept_and_judged(keyed: Desk) -> None:
    with listening(list_of("m", key=KEY)) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("doctor", "--online", *ROLES)
    assert "warning[limit-window-over-observed]" in answer.out
    store = Path(os.environ["CAPDECK_STATE"]) / "capdeck.db"
    kept = sqlite3.connect(store).execute("SELECT model_id, name, value, endpoint FROM observations").fetchall()
    assert kept == [("m", "context_window_tokens", 4096, f"{server.url}/v1")]


def test_a_store_that_cannot_be_written_stops_nobody(keyed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = keyed.home / "blocked"
    blocked.write_text("a file")
    monkeypatch.setenv("CAPDECK_STATE", str(blocked))
    with listening(list_of("m", key=KEY)) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("doctor", "--online", *ROLES)
    assert answer.code == 0
    assert "what was seen is not kept" in answer.err


def test_the_mend_of_a_wrong_path_writes_the_address_that_works(keyed: Desk) -> None:
    def only_v1(request: Any) -> Any:
        from tests.security.loopback import Reply

        return list_of("m", key=KEY)(request) if request.path == "/v1/models" else Reply(404, {"error": "no"})

    with listening(only_v1) as server:
        keyed.write(config(server.url))
        answer = keyed.run("doctor", "--online", "--fix", "--select", "endpoint-sibling", "--yes")
    assert answer.code == 0
    assert f"{server.url}/v1" in keyed.file.read_text()


def test_nobody_there(keyed: Desk) -> None:
    with listening(list_of()) as server:
        pass
    keyed.write(config(f"{server.url}/v1"))
    answer = keyed.run("doctor", "--online")
    assert answer.code == 1
    assert "endpoint refused: nobody listens on that port" in answer.out
    assert "error[endpoint-refused]" in answer.out


def test_without_online_nobody_is_contacted(keyed: Desk) -> None:
    with listening(list_of("m")) as server:
        keyed.write(config(f"{server.url}/v1"))
        keyed.run("doctor")
        keyed.run("select", "execute", "--usable")
    assert server.connections == 0


def test_a_bad_deadline(keyed: Desk) -> None:
    keyed.write(config("http://127.0.0.1:9"))
    assert keyed.run("doctor", "--online", "--deadline", "0").code == 2


def test_ctrl_c_stops_it_cleanly(keyed: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("adapters.checks.run_checks", interrupted)
    keyed.write(config("http://127.0.0.1:9"))
    answer = keyed.run("doctor", "--online")
    assert (answer.code, answer.out, answer.err.strip()) == (130, "", "stopped")


def test_add_online_writes_what_the_endpoint_says(keyed: Desk) -> None:
    with listening(list_of("m", "house-70b", key=KEY)) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("add", "gate/house-70b", "--online")
        slip = keyed.run("add", "gate/hause-70b", "--online")
    assert answer.code == 0
    assert "4096" in keyed.file.read_text()
    assert slip.code == 2
    assert "did you mean 'house-70b'?" in slip.err


def test_add_online_says_why_there_is_no_list(keyed: Desk) -> None:
    with listening(list_of("m", key="another")) as server:
        keyed.write(config(f"{server.url}/v1"))
        answer = keyed.run("add", "gate/new", "--online")
        path = keyed.write(config(f"{server.url}/v1"), "clone/.air/shared/models.yaml")
        rests = keyed.run("add", "gate/new", "--online", "--project", path, "--no-global", "--in", "project")
    assert answer.code == rests.code == 2
    assert "gate gave no list: endpoint answered (401" in answer.err
    assert "endpoint not checked: not trusted" in rests.err
    assert "capdeck trust gate" in rests.err
