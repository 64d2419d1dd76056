"""The table of commands. Adding one is a file with a `click.Command` in it and a line here."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """`target` is module:name of the click.Command; `summary` stands in `capdeck --help`, so that help loads no
    command."""

    target: str
    summary: str


COMMANDS: dict[str, Entry] = {
    "demo": Entry("tui.cli.demo:demo", "Open the workbench on a bundled sample, offline, no keys."),
    "matrix": Entry("tui.cli.matrix:matrix", "Print what each model can do."),
    "doctor": Entry("tui.cli.doctor:doctor", "Check the files; mend what can be mended."),
    "explain": Entry("tui.cli.explain:explain_", "Say who decided a cell, or what a finding's code means."),
    "select": Entry("tui.cli.select:select", "Print who passes a task, ranked, and why the others do not."),
    "assign": Entry("tui.cli.assign:assign", "Print who is to do a task now, or who may."),
    "fallback": Entry("tui.cli.fallback:fallback", "Print who takes over when a model or a provider fails."),
    "set": Entry("tui.cli.fields:set_", "Set one field of a model or provider in the file."),
    "unset": Entry("tui.cli.fields:unset", "Take a field out of the file, so that the next layer decides."),
    "add": Entry("tui.cli.entries:add", "Add a model, filled in from the catalog, or a provider."),
    "remove": Entry("tui.cli.entries:remove", "Remove a model or provider from the files."),
    "rename": Entry("tui.cli.entries:rename", "Rename a model or provider, and all that names it."),
    "convert": Entry("tui.cli.convert:convert", "Print what a provider would be sent, and what is lost on the way."),
    "try": Entry("tui.cli.try_:try_", "Send one prompt to a model, and print its answer and what it took."),
    "probe": Entry("tui.cli.probe:probe", "Test what a model claims by small requests; asks first."),
    "import": Entry("tui.cli.import_files:import_", "Take providers and models over from another tool's file."),
    "schema": Entry("tui.cli.schema:schema", "Print the JSON Schema of models.yaml."),
    "catalog": Entry("tui.cli.catalog:catalog", "Look into the curated catalog, or compare it with a snapshot."),
    "tools": Entry("tui.cli.tools:tools", "Print which tools survive on which model."),
    "sessions": Entry(
        "tui.cli.sessions:sessions", "Print what was recorded: assignments, fallbacks, switches, probes."
    ),
    "trust": Entry("tui.cli.trust:trust", "Let the endpoints that a project file chooses be contacted."),
    "untrust": Entry("tui.cli.untrust:untrust", "Take that back."),
    "keys": Entry("tui.cli.keys:keys", "Print the workbench's keys by their ids, for settings.yaml."),
    "serve": Entry("tui.cli.serve:serve", "Open the workbench in a browser, on this machine only."),
    "completion": Entry("tui.cli.completion:completion", "Print the completion script of a shell."),
}
