"""YAML as a tree of plain texts with places: no guessing of types, so that `no` stays a word and a date a text."""

from __future__ import annotations

import yaml

if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _Composer(CParser):
        """libyaml's composer without a resolver, which would take a third of the time to say that all is text."""

        def resolve(self, kind: object, value: object, implicit: object) -> str:
            return "text"

        def descend_resolver(self, node: object, index: object) -> None: ...

        def ascend_resolver(self) -> None: ...


def plain_nodes(text: str) -> yaml.Node | None:
    """The root node of a text with one document; None for an empty one. Raises yaml.YAMLError, RecursionError."""
    if not yaml.__with_libyaml__:
        return yaml.compose(text, Loader=yaml.BaseLoader)  # the same tree, some ten times slower
    root: yaml.Node | None = _Composer(text).get_single_node()
    return root
