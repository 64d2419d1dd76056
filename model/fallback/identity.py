"""When two entries are one: the same endpoint, and the same model under two names of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from model.bitmap import Mask
    from model.config.merge import Provider
    from model.resolve import Matrix, ResolvedModel

_VERSION = re.compile(r"/v\d+(?:beta\d*)?\Z")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def endpoint_of(provider: Provider) -> str:
    """The provider's endpoint in one spelling; without a base_url the provider stands for itself."""
    url = provider.effective_base_url
    return endpoint_named(url) if url else provider.provider_id


@lru_cache(maxsize=1024)
def endpoint_named(text: str) -> str:
    """A base_url in one spelling: no `/` or version at the end (a server answers to both), no default port."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        return text
    if not parts.scheme or not host:
        return text
    name = "127.0.0.1" if host == "localhost" else host.rstrip(".")
    shown = "" if port in {None, _DEFAULT_PORTS.get(parts.scheme)} else f":{port}"
    return f"{parts.scheme}://{name}{shown}{_VERSION.sub('', parts.path.rstrip('/'))}"


def is_at(provider: Provider, place: str) -> bool:
    """Whether the provider's endpoint is `place`: a base_url, or a host with or without its port."""
    endpoint = endpoint_of(provider)
    if "://" in place:
        return endpoint == endpoint_named(place)
    authority = urlsplit(endpoint).netloc if "://" in endpoint else ""
    wanted = re.sub(r"\Alocalhost(?=:|\Z)", "127.0.0.1", place.lower())
    return bool(authority) and wanted in {authority, authority.rpartition(":")[0] or authority}


def names_of(row: ResolvedModel) -> Iterator[str]:
    """Every id under which the model's endpoint may know it."""
    yield row.ref.model_id
    for layer in row.model.layers:
        yield from layer.row.aliases or ()
    if row.catalog:
        yield row.catalog.row.model_id


def same_model(one: ResolvedModel, other: ResolvedModel) -> bool:
    """The same entry, or the same model under another name of the same endpoint."""
    if one.ref == other.ref:
        return True
    if endpoint_of(one.model.provider) != endpoint_of(other.model.provider):
        return False
    return not set(names_of(one)).isdisjoint(names_of(other))


def same_id(one: ResolvedModel, other: ResolvedModel) -> bool:
    """Two hosts' entries of what is by its name the same model."""
    return not set(names_of(one)).isdisjoint(names_of(other))


class Twins:
    """For each row the rows that are the same model at the same endpoint, itself among them. Names chain: if a is b
    and b is c, a is c. An endpoint is looked into when one of its rows is asked for."""

    def __init__(self, matrix: Matrix) -> None:
        self._rows = matrix.rows
        self._masks: dict[int, Mask] = {}

    def __getitem__(self, number: int) -> Mask:
        if number not in self._masks:
            self._look_into(endpoint_of(self._rows[number].model.provider))
        return self._masks[number]

    def _look_into(self, endpoint: str) -> None:
        numbers = self._numbers_at[endpoint]
        names = {number: tuple(names_of(self._rows[number])) for number in numbers}
        groups: dict[str, list[int]] = {}
        for number in numbers:
            known = {id(group): group for name in names[number] if (group := groups.get(name))}
            joined = [*chain.from_iterable(known.values()), number]
            for each in joined if known else (number,):
                for name in names[each]:
                    groups[name] = joined
        for group in {id(group): group for group in groups.values()}.values():
            mask = sum(1 << number for number in group)
            self._masks.update(dict.fromkeys(group, mask))

    @cached_property
    def _numbers_at(self) -> dict[str, list[int]]:
        endpoints: dict[int, str] = {}
        found: dict[str, list[int]] = {}
        for number, row in enumerate(self._rows):
            provider = row.model.provider
            if id(provider) not in endpoints:
                endpoints[id(provider)] = endpoint_of(provider)
            found.setdefault(endpoints[id(provider)], []).append(number)
        return found
