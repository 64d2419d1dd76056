"""Which capabilities a probe tests, and what testing them may cost."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from adapters.conversion.canonical import Text
from adapters.conversion.completion import Usage
from adapters.probes import PROBES, Probe, plan
from adapters.trial import cost_at
from model.quick_dataclass import dataclass
from model.vocabulary import Capability
from tui.cli.errors import Failure

if TYPE_CHECKING:
    from adapters.contract import ProviderAdapter
    from model.resolve import ResolvedModel


@dataclass(frozen=True, slots=True)
class Plan:
    """What is about to be sent. `costs` are the most that each may cost, in USD; None = the price is not known.
    `endpoint` is empty where nobody is called."""

    row: ResolvedModel
    endpoint: str
    probes: tuple[Probe, ...]
    costs: tuple[Decimal | None, ...]
    left_out: tuple[Capability, ...]

    @property
    def cost(self) -> Decimal | None:
        """None where it is not known of one."""
        known = [cost for cost in self.costs if cost is not None]
        return sum(known, Decimal(0)) if len(known) == len(self.costs) else None


def planned(
    adapter: ProviderAdapter, row: ResolvedModel, named: Iterable[Capability], *, unknown: bool = False
) -> Plan:
    """The named capabilities, else the claimed ones without long_context. Raises Failure where there is no probe."""
    wanted = _named(named) or _claimed(row, unknown=unknown)
    window = row.context_window_tokens.value
    probes = plan(adapter, row.ref.model_id, wanted, window_tokens=window, family=row.tokenizer_family)
    if not probes:
        raise Failure("nothing-to-probe", f"{row.ref} claims nothing that a probe could show", _HELP)
    costs = tuple(None if adapter.is_offline else _most(row, probe) for probe in probes)
    claimed = row.yes | row.emulated
    left_out = tuple(each for each in claimed if each not in wanted and not named)
    return Plan(row, "" if adapter.is_offline else adapter.settings.url, probes, costs, left_out)


_HELP = f"--unknown takes in what nobody states; --capability is one of {', '.join(PROBES)}"


def _named(named: Iterable[Capability]) -> frozenset[Capability]:
    wanted = frozenset(named)
    for capability in sorted(wanted - set(PROBES)):
        known = ", ".join(PROBES)
        raise Failure("no-probe", f"no small request could show {capability.value}", f"there are probes for: {known}")
    return wanted


def _claimed(row: ResolvedModel, *, unknown: bool) -> frozenset[Capability]:
    claimed = row.yes | row.emulated | row.unknown if unknown else row.yes | row.emulated
    return frozenset(claimed) & set(PROBES) - {Capability.LONG_CONTEXT}


def _most(row: ResolvedModel, probe: Probe) -> Decimal | None:
    usage = Usage(input_tokens=probe.input_tokens, output_tokens=probe.output_tokens)
    return cost_at(row.model.provider, row.ref.model_id, usage)


def words_of(probe: Probe) -> str:
    """What the model is asked, in the probe's own words."""
    content = probe.converted.request.messages[-1].content
    return " ".join(block.text for block in content if isinstance(block, Text))
