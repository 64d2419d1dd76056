"""Canonical Anthropic messages ⇄ provider messages, with a measured report (seed 000 §7-8, DOMAIN.md §7).

Out:
    request = parse_request(json)                       # or from_completion_input(ProviderCompletionInput, ...)
    converted = convert(request, target)                # Target: which Api, which model, what it takes
    converted.report                                    # ProviderConversionReport, measured on these messages
    converted.steps                                     # what happened to each block, in order
    converted.blocked                                   # why no call may be made; () = may be sent
    converted.body                                      # JSON for the wire; raises Blocked when blocked
    converted.draft                                     # the same JSON, for showing only

Back:
    decode_response(target, json, converted.tool_ids)   # -> Completion; .to_json() is an Anthropic Message
    decoder = stream_decoder(target, converted.tool_ids)
    decoder.feed(data, event)                           # -> list[StreamEvent]; one SSE event or one NDJSON line
    decoder.finish()                                    # -> list[StreamEvent]; raises Truncated without an end mark
    Assembly().add(event) ... .completion()             # events -> Completion
    decode_request(api, json, converted.tool_ids)       # -> CanonicalRequest: a provider's request read back

Moving a conversation:
    switch(history, target)                             # -> Switched(messages, reports, steps), counted once

JSON answers are read and checked by `adapters.json_answers`, however they were asked for.

`feed` takes `data: [DONE]` too. An error inside a stream comes as the event `Failed` (kind, message, after which
`finish` is silent); ping as `Ping`; an event nobody knows as `UnknownEvent`. Errors raised here are ValueErrors:
CanonicalError (our input: message, block, what was expected), Blocked, BadAnswer (the provider's JSON), Truncated.

Endpoint differences that the adapter sets are in `Target.dialect` (Dialect): the API version of Anthropic, the name
of the max-tokens field, usage in streams, the system role's name, whether images may be URLs.
"""

from adapters.conversion.canonical import CanonicalRequest, JsonAnswer, Message
from adapters.conversion.completion import BadAnswer, Completion, StopReason, Truncated, Usage
from adapters.conversion.convert import convert
from adapters.conversion.decode import decode_response, stream_decoder
from adapters.conversion.events import Assembly, Failed, StreamEvent
from adapters.conversion.fields import CanonicalError
from adapters.conversion.read_requests import decode_request
from adapters.conversion.requests import from_completion_input, parse_request
from adapters.conversion.steps import Action, Step
from adapters.conversion.streams import StreamDecoder
from adapters.conversion.switch import Origin, SourcedMessage, Switched, switch
from adapters.conversion.target import Blocked, Converted, Dialect, MaxTokensField, SystemRole, Target

__all__ = [
    "Action",
    "Assembly",
    "BadAnswer",
    "Blocked",
    "CanonicalError",
    "CanonicalRequest",
    "Completion",
    "Converted",
    "Dialect",
    "Failed",
    "JsonAnswer",
    "MaxTokensField",
    "Message",
    "Origin",
    "SourcedMessage",
    "Step",
    "StopReason",
    "StreamDecoder",
    "StreamEvent",
    "Switched",
    "SystemRole",
    "Target",
    "Truncated",
    "Usage",
    "convert",
    "decode_request",
    "decode_response",
    "from_completion_input",
    "parse_request",
    "stream_decoder",
    "switch",
]
