"""The session store: what it keeps, what it refuses, and what it survives (DOMAIN.md §5)."""

from __future__ import annotations

import json
import signal
import sqlite3
import stat
import subprocess
import sys
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from model.assignment import Situation, assign
from model.capability_set import CapabilitySet
from model.config.rows import Flags
from model.fallback import Failure, ladder
from model.model_ref import ModelRef
from model.resolve import Observed
from model.session_file import StoreError
from model.session_observations import Observation, bare_url
from model.session_records import (
    AssignmentMade,
    CapabilityProbed,
    Entry,
    FallbackBlocked,
    FallbackTaken,
    ModelSwitched,
    Recordable,
    RecordKind,
)
from model.sessions import Bounds, SecretRefused, SessionStore, observed_beside, store_path
from model.snapshot import Surroundings
from model.vocabulary import Api, Capability, Layer
from tests.model.samples import open_text

REF, OTHER = ModelRef("a", "m/with:odd parts"), ModelRef("b", "n")
ROOT = Path(__file__).parents[2]


class Clock:
    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> SessionStore:
    return SessionStore(tmp_path / "local" / "capdeck.db", now=clock)


def probed(model: ModelRef = REF, *, seen: bool | None = True) -> CapabilityProbed:
    return CapabilityProbed(model, Capability.TOOL_USE, seen, "https://x.example/v1")


# -- what it keeps ----------------------------------------------------------------------------------------------------
def test_an_assignment_with_its_reason(store: SessionStore, clock: Clock) -> None:
    snapshot = open_text(
        "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m, quality_tier: strong,"
        " supports: {streaming: true, tool_use: true}}]}]"
    )
    store.record(AssignmentMade(assign(snapshot, "main", Situation(failed_attempts=2))))
    store.record(AssignmentMade(assign(snapshot, "image_generation")))
    blocked, made = store.history()
    assert (made.kind, made.outcome, str(made.model), made.task) == (
        RecordKind.ASSIGNMENT, "scheduler_forced", "a/m", "main",
    )  # fmt: skip
    assert made.reason == "2 failed attempts: the first of 1 that pass main"
    assert made.at == clock.time
    assert (blocked.outcome, blocked.model) == ("blocked", None)
    assert blocked.details["near_misses"] == ["a/m: transport:image_output"]


def test_a_fallback_with_what_it_changed(store: SessionStore) -> None:
    snapshot = open_text(
        "providers:\n"
        "  - {provider_id: a, provider_kind: anthropic,\n"
        "     models: [{model_id: claude-opus-4-7, quality_tier: frontier}]}\n"
        "  - {provider_id: b, provider_kind: openai, models: [{model_id: gpt-5.2, quality_tier: frontier}]}\n"
    )
    original = ModelRef("a", "claude-opus-4-7")
    taken = ladder(snapshot, "main", original, Failure.PROVIDER_DOWN)
    assert taken.record
    store.record(FallbackTaken(taken.record))
    store.record(FallbackBlocked("main", original, Failure.AUTH, "nobody is left"))
    blocked, made = store.history(RecordKind.FALLBACK)
    assert (str(made.model), made.original, made.outcome) == ("b/gpt-5.2", original, "selected")
    assert (made.details["failure"], made.details["rung"]) == ("provider_down", 3)
    assert "api anthropic-messages → openai-completions" in made.details["differences"]  # type: ignore[operator]  # a list
    assert (blocked.model, blocked.original, blocked.outcome) == (None, original, "blocked")


def test_a_switch_and_a_probe(store: SessionStore) -> None:
    store.record(
        ModelSwitched(OTHER, Api.ANTHROPIC_MESSAGES, Api.OLLAMA_CHAT, REF, {"thinking_blocks_dropped": 2, "x": 0})
    )
    store.record(probed(seen=None))
    probe, switch = store.history()
    assert (switch.model, switch.original, switch.outcome) == (OTHER, REF, "changed")
    assert switch.details["thinking_blocks_dropped"] == 2
    assert (probe.outcome, probe.details["capability"]) == ("unknown", "tool_use")


def test_the_columns_that_the_seed_names(store: SessionStore) -> None:
    store.record(probed())
    with sqlite3.connect(store.path) as connection:
        row = connection.execute("SELECT model_provider_id, model_id FROM records").fetchone()
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert row == ("a", "m/with:odd parts")


def test_history_by_kind_and_task_newest_first(store: SessionStore) -> None:
    for entry in (Entry(RecordKind.PROBE, "yes"), Entry(RecordKind.FALLBACK, "blocked", task="main")):
        store.record(_Given(entry))
    store.record(_Given(Entry(RecordKind.FALLBACK, "selected", task="execute")))
    assert [each.outcome for each in store.history()] == ["selected", "blocked", "yes"]
    assert [each.outcome for each in store.history(RecordKind.FALLBACK)] == ["selected", "blocked"]
    assert [each.outcome for each in store.history(task="main")] == ["blocked"]
    assert [each.outcome for each in store.history(limit=1)] == ["selected"]


class _Given:
    def __init__(self, entry: Entry) -> None:
        self._entry = entry

    def entry(self) -> Entry:
        return self._entry


def test_no_store_yet_is_an_empty_history_and_makes_no_file(store: SessionStore) -> None:
    assert store.history() == []
    assert store.of(REF) is None
    assert not store.path.exists()


# -- what was observed ------------------------------------------------------------------------------------------------
def observed(
    day: int, *, yes: Capability | None = None, no: Capability | None = None, window: int | None = None
) -> Observation:
    flags = Flags(CapabilitySet.of([yes] if yes else []), CapabilitySet.of([no] if no else []))
    return Observation(REF, Observed(flags, window, None, "https://x.example/v1", date(2026, 3, day)))


def test_observations_add_up_and_the_newer_wins(store: SessionStore) -> None:
    store.observe([observed(1, yes=Capability.TOOL_USE, window=8_000)])
    store.observe([observed(3, no=Capability.TOOL_USE), observed(3, yes=Capability.THINKING)])
    store.observe([observed(2, yes=Capability.TOOL_USE)])
    seen = store.of(REF)
    assert seen
    assert (list(seen.flags.yes), list(seen.flags.no)) == ([Capability.THINKING], [Capability.TOOL_USE])
    assert (seen.context_window_tokens, seen.seen) == (8_000, date(2026, 3, 3))


def test_observations_stand_beside_the_matrix(store: SessionStore) -> None:
    store.observe([Observation(ModelRef("a", "m"), observed(1, yes=Capability.BATCH).seen)])
    text = "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: m}]}]"
    row = open_text(text, Surroundings(observations=store.observations())).matrix.rows[0]
    assert row.observed
    assert Capability.BATCH in row.observed.flags.yes
    assert Capability.BATCH not in row.yes


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://user:pass@x.example:8443/v1?key=abc#f", "https://x.example:8443/v1"),
        ("http://[::1]:11434", "http://[::1]:11434"),
        ("https://[broken", ""),
        ("https://x.example:port", ""),
    ],
)
def test_an_endpoint_is_kept_without_what_may_be_secret(url: str, bare: str) -> None:
    assert bare_url(url) == bare


# -- bounds -----------------------------------------------------------------------------------------------------------
def test_rows_are_bounded(tmp_path: Path, clock: Clock) -> None:
    store = SessionStore(tmp_path / "s.db", bounds=Bounds(records=3, observations=2), now=clock)
    for number in range(6):
        store.record(probed(ModelRef("a", f"m{number}")))
    assert [str(entry.model) for entry in store.history()] == ["a/m5", "a/m4", "a/m3"]
    for day in (1, 2, 3):
        store.observe([Observation(ModelRef("a", f"m{day}"), observed(day, yes=Capability.BATCH).seen)])
    assert sorted(map(str, store.observations().by_ref)) == ["a/m2", "a/m3"]


def test_age_is_bounded(tmp_path: Path, clock: Clock) -> None:
    store = SessionStore(tmp_path / "s.db", bounds=Bounds(age=timedelta(days=10)), now=clock)
    store.record(probed())
    clock.time += timedelta(days=11)
    store.record(probed(OTHER))
    assert [entry.model for entry in store.history()] == [OTHER]


def test_a_long_text_is_cut(store: SessionStore) -> None:
    store.record(_Given(Entry(RecordKind.PROBE, "yes", reason="x" * 100_000, details={"a": ["y" * 9_000]})))
    assert store.path.stat().st_size + (_wal(store).stat().st_size if _wal(store).exists() else 0) < 100_000
    assert store.history()[0].reason.endswith("x…")


def _wal(store: SessionStore) -> Path:
    return Path(f"{store.path}-wal")


# -- secrets ----------------------------------------------------------------------------------------------------------
CANARY = "sk-canary-0123456789abcdef"


@pytest.mark.parametrize(
    "entry",
    [
        Entry(RecordKind.PROBE, "yes", reason=f"it said {CANARY}"),
        Entry(RecordKind.PROBE, CANARY),
        Entry(RecordKind.PROBE, "yes", task=CANARY),
        Entry(RecordKind.PROBE, "yes", ModelRef("a", CANARY)),
        Entry(RecordKind.PROBE, "yes", original=ModelRef("a", CANARY)),
        Entry(RecordKind.PROBE, "yes", details={"failure": CANARY}),
        Entry(RecordKind.PROBE, "yes", details={CANARY: True}),
        Entry(RecordKind.PROBE, "yes", details={"warnings": ["fine", CANARY]}),
    ],
)
def test_a_known_secret_is_refused_whole_and_not_repeated(tmp_path: Path, entry: Entry) -> None:
    store = SessionStore(tmp_path / "s.db", holds_secret=lambda text: CANARY in text)
    with pytest.raises(SecretRefused) as refused:
        store.record(_Given(entry))
    assert CANARY not in str(refused.value)
    assert store.history() == []
    assert not any(CANARY.encode() in file.read_bytes() for file in tmp_path.iterdir())


def test_an_observed_secret_is_refused(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "s.db", holds_secret=lambda text: CANARY in text)
    with pytest.raises(SecretRefused):
        store.observe([Observation(ModelRef("a", CANARY), observed(1, window=1).seen)])


def test_no_record_has_a_field_for_prompts_secrets_or_reasoning() -> None:
    kinds = (AssignmentMade, ModelSwitched, CapabilityProbed, FallbackTaken,
             FallbackBlocked, Entry)  # fmt: skip
    names = {field.name for kind in kinds for field in fields(kind)}
    assert names == {
        "assignment", "record", "task", "original", "failure", "reason", "to_model", "from_api", "to_api",
        "from_model", "counts", "model", "capability", "seen", "endpoint", "kind", "outcome", "details", "at", "id",
    }  # fmt: skip


# -- what it survives -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("junk", [b"this is no database at all, but long enough to be read as one" * 40, b"\0" * 5000])
def test_a_broken_file_is_set_aside_and_a_new_one_begun(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(junk)
    store = SessionStore(path)
    store.record(probed())
    assert [entry.model for entry in store.history()] == [REF]
    aside = [file for file in tmp_path.iterdir() if ".broken-" in file.name]
    assert [file.read_bytes() for file in aside] == [junk]
    assert "was broken" in store.notice


def test_a_file_broken_in_the_middle_is_noticed_when_it_is_read(store: SessionStore) -> None:
    for _ in range(20):
        store.record(_Given(Entry(RecordKind.PROBE, "yes", reason="a long one" * 200)))
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    assert store.history() == []
    assert "was broken" in store.notice


def test_a_newer_capdeck_s_file_is_refused_and_left_alone(store: SessionStore) -> None:
    store.record(probed())
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = store.path.read_bytes()
    for use in (store.history, lambda: store.record(probed()), store.observations):
        with pytest.raises(StoreError, match=r"newer capdeck \(schema 99, this one knows 2\)"):
            use()
    assert store.path.read_bytes() == before


def test_somebody_else_s_database_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE records (mine TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="cannot be used"):
        SessionStore(path).record(probed())


@pytest.mark.parametrize("table", ["observations", "first_tokens"])
def test_a_table_that_never_ends_is_not_read(store: SessionStore, table: str) -> None:
    store.record(probed())
    endless = "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n) SELECT x, x, x, x, x, x FROM n"
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"DROP TABLE {table}")
        connection.execute(f"CREATE VIEW {table} AS {endless}")
    connection.close()
    for use in (store.observations, store.history, lambda: store.record(probed())):
        with pytest.raises(StoreError, match="holds more than tables"):
            use()


def test_rows_of_another_time_are_passed_over(store: SessionStore) -> None:
    store.record(probed())
    with sqlite3.connect(store.path) as connection:
        connection.execute(
            "INSERT INTO records SELECT 50, 'dream', at, task, outcome, 'x', 'y', 'x', 'y', '', '{' FROM records"
        )
        connection.execute("INSERT INTO observations VALUES ('a', 'm', 'telepathy', 1, '', '2026-01-01')")
        connection.execute("INSERT INTO observations VALUES ('a/b', 'm', 'batch', 1, '', '2026-01-01')")
        connection.execute("INSERT INTO observations VALUES ('a', 'm', 'batch', 'x', '', 'yesterday')")
        connection.execute("INSERT INTO observations VALUES ('a', 'm', 'thinking', 9e999, '', '2026-01-01')")
    assert [entry.id for entry in store.history()] == [1]
    assert store.observations().by_ref == {}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "s.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="link"):
        SessionStore(tmp_path / "s.db").record(probed())
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "local").write_text("a file")
    with pytest.raises(StoreError, match=r"capdeck\.db"):
        SessionStore(tmp_path / "local" / "capdeck.db").record(probed())


def test_it_is_private_and_out_of_the_repository(store: SessionStore) -> None:
    store.record(probed())
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert (store.path.parent / ".gitignore").read_text() == "*\n"


WRITER = """
import sys
from pathlib import Path
from model.session_records import CapabilityProbed
from model.sessions import SessionStore
from model.model_ref import ModelRef
from model.vocabulary import Capability
store = SessionStore(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    store.record(CapabilityProbed(ModelRef(sys.argv[2], f"m{number}"), Capability.TOOL_USE, True, ""))
    print(number, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_two_writers_lose_nothing(store: SessionStore) -> None:
    """They also make the file at the same time."""
    both = [writer(store.path, name, 40) for name in ("a", "b")]
    assert [process.wait(60) for process in both] == [0, 0]
    for process in both:
        assert process.stdout
        process.stdout.close()
    names = [entry.model.provider_id for entry in store.history(limit=1000) if entry.model]
    assert (names.count("a"), names.count("b")) == (40, 40)


def test_it_survives_kill_9(store: SessionStore) -> None:
    process = writer(store.path, "a", 100_000)
    assert process.stdout
    told = [int(process.stdout.readline()) for _ in range(20)][-1]
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    process.stdout.close()
    kept = store.history(limit=10_000)
    assert len(kept) >= told + 1
    assert [entry.model.model_id for entry in reversed(kept) if entry.model] == [f"m{n}" for n in range(len(kept))]
    store.record(probed())
    assert store.notice == ""


# -- where it lies ----------------------------------------------------------------------------------------------------
def test_beside_the_project_or_in_the_state_folder(tmp_path: Path) -> None:
    project = tmp_path / ".air" / "shared" / "models.yaml"
    environ = {"CAPDECK_STATE": str(tmp_path / "state")}
    assert store_path([(project, Layer.PROJECT)], environ) == tmp_path / ".air" / "local" / "capdeck.db"
    assert store_path([(project, Layer.FILE)], environ) == tmp_path / "state" / "capdeck.db"
    assert store_path([(tmp_path / "m.yaml", Layer.PROJECT)], environ) == tmp_path / "state" / "capdeck.db"
    assert store_path([], {}).name == "capdeck.db"


def test_observations_of_an_unusable_store_are_none_at_all(tmp_path: Path) -> None:
    environ = {"CAPDECK_STATE": str(tmp_path)}
    assert observed_beside([], environ).by_ref == {}
    store = SessionStore(store_path([], environ))
    store.observe([observed(1, window=1)])
    assert observed_beside([], environ).of(REF)
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert observed_beside([], environ).by_ref == {}


def test_records_are_recordable() -> None:
    records: list[Recordable] = [probed(), ModelSwitched(REF, Api.OLLAMA_CHAT, Api.OLLAMA_CHAT)]
    assert json.dumps([dict(record.entry().details) for record in records])
