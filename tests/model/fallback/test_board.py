"""Who does each task now, what two outages differ in, what hangs on one provider, and what outages would do."""

from __future__ import annotations

from model.fallback import (
    Effect,
    Explorer,
    Failure,
    Outage,
    Turn,
    board,
    compare,
    compare_simulations,
    coverage,
    coverage_findings,
    simulate,
    simulate_random,
)
from model.fallback.export import board_as_data, board_as_markdown, changes_as_data
from model.fallback.heat import worst_step
from model.fallback.simulation import Share
from model.snapshot import Surroundings
from tests.model.fallback.house import down, edited, house, ref
from tests.model.samples import Distrust, open_text


def who() -> dict[str, str | None]:
    return {row.task: row.now and str(row.now) for row in board(house()).rows}


def test_while_nothing_fails_the_best_that_passes_does_each_task() -> None:
    assert who() == {
        "main": "home/first",
        "architecture": "home/first",
        "execute": "home/first",
        "review": "home/first",
        "debug": "home/first",
        "compact": "home/first",
        "mine_experience": "home/small",
        "ui_screenshot_analysis": "away/peer",
        "image_generation": None,
    }


def test_a_provider_that_is_down_moves_its_tasks() -> None:
    rows = {row.task: row for row in board(house(), down("home")).rows}
    execute = rows["execute"]
    assert (str(execute.start), str(execute.now), execute.failure) == ("home/first", "away/peer", Failure.PROVIDER_DOWN)
    assert execute.safe
    assert rows["architecture"].now == ref("away/big")


def test_where_only_the_model_is_down_its_provider_goes_on() -> None:
    row = board(house(), down("home/first")).row("execute")
    assert (str(row.now), row.failure) == ("home/second", Failure.MODEL_MISSING)


def test_an_endpoint_takes_its_provider_with_it() -> None:
    row = board(house(), Outage(endpoints=frozenset({"api.anthropic.com"}))).row("execute")
    assert (str(row.now), row.failure) == ("away/peer", Failure.PROVIDER_DOWN)


def test_a_task_that_blocks_says_who_did_it() -> None:
    row = board(house(), down("home", "away")).row("execute")
    assert (row.blocked, str(row.start), row.chain) == (True, "home/first", ())


def test_below_the_floor_is_no_safe_answer() -> None:
    row = board(house(), down("home", "away")).row("review")
    assert (str(row.now), row.required_confirmation, row.safe) == ("cellar/house:30b", True, False)


def test_a_default_that_does_not_pass_does_nothing() -> None:
    text = """
providers:
  - {provider_id: a, provider_kind: openai, models: [{model_id: x, quality_tier: cheap, default_use: {execute: true}}]}
"""
    row = board(open_text(text)).row("execute")
    assert (str(row.start), row.now, row.failure) == ("a/x", None, Failure.CAPABILITY_REJECTED)


def test_two_boards_differ_in_what_moved_and_what_is_lost() -> None:
    snapshot = house()
    before, after = board(snapshot), board(snapshot, down("home", "away"))
    turns = {change.task: change.turn for change in compare(before, after)}
    assert turns["execute"] is Turn.LOST
    assert turns["review"] is Turn.ASKS
    assert "image_generation" not in turns
    assert {change.task: change.turn for change in compare(after, before)}["execute"] is Turn.SAVED
    moved = {change.task: change.turn for change in compare(before, board(snapshot, down("home")))}
    assert moved["execute"] is Turn.MOVED
    assert compare(before, before) == ()


# -- to take away -----------------------------------------------------------------------------------------------------
def test_the_board_as_data_and_as_markdown() -> None:
    snapshot = house()
    found = board(snapshot, down("home"))
    data = board_as_data(found)
    assert data["down"] == {"providers": ["home"], "models": [], "endpoints": []}
    execute = next(each for each in data["tasks"] if each["task"] == "execute")
    assert (execute["selected"], execute["start"], execute["rung"]) == ("away/peer", "home/first", 3)
    assert "| execute | away/peer | home/first |" in board_as_markdown(found)
    assert "| image\\_generation | **nobody** |  |  |" in board_as_markdown(found)
    assert changes_as_data(compare(board(snapshot), found))[0]["turn"] in {"moved", "lost"}


def test_names_that_look_like_markup_stay_names() -> None:
    text = """
providers:
  - provider_id: a
    provider_kind: openai
    models: [{model_id: "x|[y](z)\\u001b<b>", quality_tier: strong, supports: {streaming: true, tool_use: true}}]
"""
    line = next(line for line in board_as_markdown(board(open_text(text))).splitlines() if line.startswith("| main"))
    assert "a/x\\|\\[y\\](z)\N{REPLACEMENT CHARACTER}\\<b\\>" in line
    assert "\x1b" not in line


# -- coverage ---------------------------------------------------------------------------------------------------------
def test_how_many_may_fail_and_what_each_outage_does() -> None:
    heat = coverage(house())
    execute = heat.of("execute")
    assert heat.providers == ("home", "away", "cellar")
    assert (execute.providers, execute.tolerates, execute.single_provider) == (("home", "away"), 1, None)
    assert execute.effects == (Effect.COVERED, Effect.UNTOUCHED, Effect.UNTOUCHED)
    assert set(heat.of("image_generation").effects) == {Effect.DEAD}
    assert heat.of("image_generation").dead


def test_a_single_point_of_failure_is_named() -> None:
    alone = coverage(edited("provider_kind: openai\n", "provider_kind: openai\n    enabled: false\n"))
    execute = alone.of("execute")
    assert (execute.single_provider, execute.tolerates) == ("home", 0)
    assert execute.single_endpoint == "https://api.anthropic.com"
    assert execute.single_model is None
    assert execute.effects[0] is Effect.BLOCKS
    assert alone.of("review").effects[0] is Effect.ASKS


def test_a_model_that_does_it_alone_is_named_under_however_many_names() -> None:
    model = "quality_tier: strong, supports: {streaming: true, tool_use: true}"
    models = f"{{model_id: x, {model}}}, {{model_id: y, aliases: [x], {model}}}"
    text = f"providers: [{{provider_id: a, provider_kind: openai, models: [{models}]}}]"
    assert coverage(open_text(text)).of("main").single_model == ref("a/x")


def test_the_worst_step_weighs_a_question_most() -> None:
    explorer = Explorer(house())
    worst = worst_step(explorer, "review")
    assert worst is not None
    assert (str(worst.step.ref), worst.step.required_confirmation) == ("cellar/house:30b", True)
    assert worst_step(explorer, "image_generation") is None


def findings(text_change: tuple[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in coverage_findings(edited(*text_change)):
        found.setdefault(finding.code, []).append(finding.message)
    return found


BELOW = """
providers:
  - provider_id: a
    provider_kind: anthropic
    models: [{model_id: x, quality_tier: frontier, supports: {ALL}},
             {model_id: y, quality_tier: frontier, supports: {ALL}}]
  - provider_id: b
    provider_kind: anthropic
    base_url: https://b.example.com
    models: [{model_id: z, quality_tier: TIER, supports: {ALL}}]
""".replace("ALL", "streaming: true, tool_use: true, structured_output: true")


def single_providers(text: str) -> list[tuple[str, str, str]]:
    """Severity, message and evidence."""
    found = [each for each in coverage_findings(open_text(text)) if each.code == "fallback-single-provider"]
    return [(each.severity.value, each.message, each.evidence) for each in found]


def test_whoever_passes_elsewhere_and_may_not_take_over_is_told() -> None:
    [(severity, message, evidence)] = single_providers(BELOW.replace("TIER", "strong"))
    assert (severity, message) == ("warning", "if a is down, nobody takes over: execute")
    assert evidence.startswith("execute: b/z passes: ")
    assert "strong" in evidence
    assert single_providers(BELOW.replace("TIER", "frontier")) == []
    assert single_providers(BELOW.replace("TIER", "cheap")) == []  # nobody passes elsewhere: the heat board's business


def test_a_chain_of_one_provider_alone_is_told() -> None:
    text = BELOW.replace("TIER", "cheap") + "fallbacks: [{task: execute, chain: [a/y]}]\n"
    [(severity, message, evidence)] = single_providers(text)
    assert (severity, message) == ("warning", "if a is down, nobody takes over: execute")
    assert evidence == "execute: all on its chain are models of a"
    assert single_providers(text.replace("[a/y]", "[a/y, b/z]")) == []  # told at b/z itself
    alone = text.replace(
        "provider_kind: anthropic\n    base_url", "provider_kind: anthropic\n    enabled: false\n    base_url"
    )
    assert single_providers(alone) == []


def test_who_takes_over_after_a_confirmation_is_an_info() -> None:
    text = BELOW.replace("structured_output: true", "structured_output: true, image_input: true")
    text = text.replace("quality_tier: TIER", "quality_tier: frontier, conversion: {image_input: artifact_link}")
    text += "requirements: {execute: {required: {image_input: true}, allow_lossy_conversion: true}}\n"
    [(severity, message, evidence)] = single_providers(text)
    assert (severity, message) == ("info", "if a is down, nobody takes over without a confirmation: execute")
    assert evidence == "execute: b/z passes, but only after a confirmation"


def test_whoever_is_not_trusted_is_no_promise() -> None:
    around = Surroundings(trust=Distrust(frozenset({"b"})))
    assert coverage_findings(open_text(BELOW.replace("TIER", "strong"), around)) == []


def test_one_provider_alone_is_no_fault() -> None:
    text = "providers: [{provider_id: a, provider_kind: openai, models: [{model_id: x, quality_tier: strong, supports: {streaming: true, tool_use: true}}]}]"  # noqa: E501  one line of YAML
    assert coverage_findings(open_text(text)) == []


def test_two_entries_of_one_endpoint_fall_together() -> None:
    found = findings(("provider_kind: openai\n", "provider_kind: anthropic\n"))
    [message] = found["fallback-single-endpoint"]
    assert message.startswith("home, away stand for one endpoint")


def test_a_steep_fall_of_the_window_is_told() -> None:
    text = """
providers:
  - provider_id: a
    provider_kind: openai
    models: [{model_id: wide, quality_tier: strong, context_window_tokens: 128000, default_use: {main: true},
              supports: {streaming: true, tool_use: true}}]
  - provider_id: b
    provider_kind: anthropic
    models: [{model_id: narrow, quality_tier: strong, context_window_tokens: 8000,
              supports: {streaming: true, tool_use: true}}]
"""
    [finding] = [each for each in coverage_findings(open_text(text)) if each.code == "fallback-window-drop"]
    assert finding.message == "if a is down, main goes from 128,000 tokens to 8,000 (b/narrow)"


# -- simulation -------------------------------------------------------------------------------------------------------
def test_all_single_and_double_outages_by_hand() -> None:
    """execute: home or away; 3 single outages leave it safe, of the 3 double ones home + away does not."""
    found = simulate(house())
    assert found.outages == 6
    assert found.by_task["execute"] == Share(5, 6)
    assert found.fatal["execute"] == (("home", "away"),)
    assert found.by_task["image_generation"] == Share(0, 6)
    assert found.by_size[1].cases == 3 * 9
    assert found.total.cases == 6 * 9


def test_an_edit_s_gain_is_told_in_words() -> None:
    before = simulate(edited("provider_kind: openai\n", "provider_kind: openai\n    enabled: false\n"))
    after = simulate(house())
    words = [str(change) for change in compare_simulations(before, after)]
    assert any(word.startswith("double outages ") for word in words)
    assert any(word.startswith("execute ") for word in words)


def test_random_outages_follow_their_seed() -> None:
    snapshot = house()
    assert simulate_random(snapshot, 50, seed=3) == simulate_random(snapshot, 50, seed=3)
    assert simulate_random(snapshot, 50, seed=3).outages == 50
    assert simulate_random(open_text("providers: []"), 5, seed=1).outages == 0


def test_a_hundred_percent_means_every_case() -> None:
    assert [Share(999, 1000).percent, Share(1, 1000).percent, Share(0, 9).percent, Share(9, 9).percent] == [
        99,
        1,
        0,
        100,
    ]
    assert Share(0, 0).percent == 100
