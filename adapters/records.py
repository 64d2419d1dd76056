"""Listed models as the seed's records: what the contract of seed 000 §7 gives back."""

from __future__ import annotations

from adapters.listing import ListedModel
from adapters.settings import ProviderSettings
from model.contract import Conversion, ProviderCapabilityMatrix, Supports
from model.transports import Transport
from model.vocabulary import CostTier, QualityTier


def matrix_record(model: ListedModel, settings: ProviderSettings, transport: Transport) -> ProviderCapabilityMatrix:
    """The endpoint's word alone: a flag is true where it says yes, tiers are unknown, `conversion` is the row's."""
    return ProviderCapabilityMatrix(
        provider_id=settings.provider_id,
        provider_kind=settings.kind,
        model_id=model.model_id,
        display_name=model.display_name,
        enabled=True,
        quality_tier=QualityTier.UNKNOWN,
        cost_tier=CostTier.UNKNOWN,
        context_window_tokens=model.context_window_tokens,
        max_output_tokens=model.max_output_tokens,
        supports=Supports(**{capability.value: True for capability in model.flags.yes}),
        conversion=Conversion(
            from_anthropic_canonical=transport.from_anthropic_canonical,
            tool_schema=transport.tool_schema,
            image_input=transport.image_input,
            thinking=transport.thinking,
            cache_control=transport.cache_control,
        ),
    )
