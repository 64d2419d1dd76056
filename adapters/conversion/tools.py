"""The tools of a request: which go over, with what schema, and which choice among them still stands."""

from __future__ import annotations

from dataclasses import replace

from adapters.conversion.canonical import CanonicalRequest, Choice, ServerTool, Tool, ToolChoice
from adapters.conversion.fit import takes_tools
from adapters.conversion.schema import fit_schema
from adapters.conversion.steps import REQUEST, Action, Ledger
from adapters.conversion.target import Target
from adapters.conversion.traits import TRAITS
from model.conversion import Caution, Omission
from model.quick_dataclass import dataclass
from model.transports import transport_for
from model.vocabulary import CacheConversion, ToolSchema


@dataclass(frozen=True, slots=True)
class FittedTools:
    tools: tuple[Tool | ServerTool, ...] = ()
    choice: ToolChoice | None = None


def fit_tools(request: CanonicalRequest, target: Target, ledger: Ledger) -> FittedTools:
    """Tools are kept whole or dropped; a description or schema is never cut (seed 000 §8.5)."""
    if not takes_tools(target):
        return _no_tools(request, ledger)
    kept = tuple(fitted for tool in request.tools if (fitted := _fit(tool, target, ledger)) is not None)
    if kept and target.conversion.tool_schema is ToolSchema.EMULATED:
        ledger.note(REQUEST, "tools", Action.REWRITTEN, Omission.TOOLS_EMULATED, "the endpoint emulates tools")
    return FittedTools(kept, _fit_choice(request, kept, ledger))


def _no_tools(request: CanonicalRequest, ledger: Ledger) -> FittedTools:
    for tool in request.tools:
        ledger.note(REQUEST, "tool", Action.DROPPED, Omission.TOOLS_DROPPED, tool.name)
    return FittedTools()


def _fit(tool: Tool | ServerTool, target: Target, ledger: Ledger) -> Tool | ServerTool | None:
    traits = TRAITS[target.api]
    if isinstance(tool, ServerTool):
        if traits.anthropic_blocks:
            ledger.note(REQUEST, "server tool", Action.KEPT, detail=tool.name)
            return tool
        ledger.note(REQUEST, "server tool", Action.DROPPED, Omission.SERVER_TOOLS_DROPPED, tool.name)
        return None
    ledger.note(REQUEST, "tool", Action.KEPT, detail=tool.name)
    return _with_schema(_plain(tool, target, ledger), target, ledger)


def _plain(tool: Tool, target: Target, ledger: Ledger) -> Tool:
    if tool.cache is not None and target.conversion.cache_control is not CacheConversion.NATIVE:
        ledger.note(REQUEST, "tool", Action.STRIPPED, Caution.CACHE_MARKS_IGNORED, tool.name)
        tool = replace(tool, cache=None)
    unknown = {key: value for key, value in tool.extra.items() if key != "strict"}
    if unknown and not TRAITS[target.api].anthropic_blocks:
        detail = f"{tool.name}: {', '.join(unknown)}"
        ledger.note(REQUEST, "tool", Action.STRIPPED, Omission.TOOL_DETAILS_DROPPED, detail)
        tool = replace(tool, extra={key: value for key, value in tool.extra.items() if key == "strict"})
    return tool


def _with_schema(tool: Tool, target: Target, ledger: Ledger) -> Tool:
    fitted = fit_schema(tool.schema, transport_for(target.api).missing_schema_features)
    for place in fitted.rewritten:
        ledger.note(REQUEST, "tool", Action.REWRITTEN, Caution.SCHEMA_REWRITTEN, f"{tool.name}: {place}")
    for place in fitted.dropped:
        ledger.note(REQUEST, "tool", Action.DROPPED, Omission.SCHEMA_FEATURES_DROPPED, f"{tool.name}: {place}")
    return replace(tool, schema=fitted.schema)


def _fit_choice(request: CanonicalRequest, kept: tuple[Tool | ServerTool, ...], ledger: Ledger) -> ToolChoice | None:
    """A choice among tools that are gone would be refused by every provider."""
    choice = request.tool_choice
    if choice is None:
        return None
    gone = choice.choice is Choice.TOOL and choice.name not in {tool.name for tool in kept}
    if kept and not gone:
        return choice
    if choice.choice in {Choice.ANY, Choice.TOOL}:
        ledger.note(REQUEST, "tool_choice", Action.DROPPED, Omission.TOOL_CHOICE_DROPPED, "the tool is not sent")
    return None
