"""Tokens and rates that cannot be, or are more than anybody else knows of."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from model.config.merge import ModelLayer
from model.doctor.case import Case, model_layer, spot
from model.doctor.mends import adopting
from model.findings import Finding, Severity
from model.resolve import ResolvedModel
from model.vocabulary import Layer

_ROUNDING = 1.07
"""Catalogs count 128,000 or 131,072 for the same window; what is within 7 % is no contradiction."""


def of_model(case: Case, row: ResolvedModel) -> Iterator[Finding]:
    if not row.enabled:
        return
    window, output = model_layer(row.model, "context_window_tokens"), model_layer(row.model, "max_output_tokens")
    over_window = yield from _output(row, window, output)
    if output and not over_window:
        yield from _over_catalog(row, output, "max_output_tokens")
    if window:
        yield from _over_catalog(row, window, "context_window_tokens")
        yield from _over_observed(row, window)
    yield from _rates(row)


def _output(row: ResolvedModel, window: ModelLayer | None, output: ModelLayer | None) -> Generator[Finding, None, bool]:
    """Returns whether the output was found to be over the window."""
    tokens, most = row.max_output_tokens.value, row.context_window_tokens.value
    if output is None or tokens is None or most is None or tokens < most:
        return False
    place = spot(output, "max_output_tokens")
    if tokens > most:
        message = f"max_output_tokens is {tokens:,}, more than the window of {most:,} tokens"
        help = "the window holds input and output together"
        yield Finding("limit-output-over-window", Severity.ERROR, place, message, help, _source(row))
        return True
    entry = row.catalog.row if row.catalog else None
    if window is not None and not (entry and entry.max_output_tokens == entry.context_window_tokens == tokens):
        message = f"max_output_tokens is {tokens:,}, as much as the whole window"
        help = "write the most tokens of one answer, or leave it out"
        yield Finding("limit-output-is-window", Severity.WARNING, place, message, help)
    return False


def _source(row: ResolvedModel) -> str:
    by_catalog = row.context_window_tokens.layer is Layer.CATALOG
    return "the window is the catalog's" if by_catalog else ""


def _over_catalog(row: ResolvedModel, layer: ModelLayer, name: str) -> Iterator[Finding]:
    stated: int = getattr(layer.row, name)
    most: int | None = getattr(row.catalog.row, name) if row.catalog else None
    if row.catalog is None or most is None or stated <= most * _ROUNDING:
        return
    code = "limit-output-over-catalog" if name == "max_output_tokens" else "limit-window-over-catalog"
    message = f"{name} is {stated:,}; the catalog knows of {most:,} for {row.catalog.row.display_name}"
    help = "your word counts; leave the key out to follow the catalog"
    evidence = f"{row.catalog.row.source}, checked {row.catalog.row.checked.isoformat()}"
    yield Finding(code, Severity.WARNING, spot(layer, name), message, help, evidence)


def _over_observed(row: ResolvedModel, layer: ModelLayer) -> Iterator[Finding]:
    stated, seen = layer.row.context_window_tokens, row.observed
    if seen is None or stated is None or not seen.context_window_tokens or stated <= seen.context_window_tokens:
        return
    message = f"context_window_tokens is {stated:,}, and the endpoint runs it with {seen.context_window_tokens:,}"
    evidence = f"{seen.endpoint}, {seen.seen.isoformat()}"
    place = spot(layer, "context_window_tokens")
    help = "raise it on the server, or write what the server gives"
    fix = adopting(place, seen.context_window_tokens)
    yield Finding("limit-window-over-observed", Severity.WARNING, place, message, help, evidence, fix)


def _rates(row: ResolvedModel) -> Iterator[Finding]:
    """Only where one file states both: across files it may be on purpose."""
    for each in row.model.layers:
        limits = each.row.limits
        requests, tokens, at_once = limits.requests_per_minute, limits.tokens_per_minute, limits.concurrent_requests
        if requests and tokens and tokens < requests:
            message = f"tokens_per_minute is {tokens:,}, less than one token for each of {requests:,} requests"
            place = spot(each, "limits", "tokens_per_minute")
            yield Finding("limit-inconsistent", Severity.WARNING, place, message, "were the two numbers swapped?")
        if requests and at_once and at_once > requests:
            message = f"concurrent_requests is {at_once:,}, more than the {requests:,} requests of a whole minute"
            place = spot(each, "limits", "concurrent_requests")
            yield Finding("limit-inconsistent", Severity.WARNING, place, message, "were the two numbers swapped?")
