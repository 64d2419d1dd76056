"""`dataclass` as in the standard library, for classes that are made quickly: start-up makes more than a hundred.

The standard library (Python 3.11) compiles six methods a class, which for the first screen was a quarter of the time.
Here a method is shared, or written when it is first called. What comes out is a dataclass: `fields`, `replace`,
`asdict` and pattern matching work on it. A class that is not frozen goes to the standard library.
"""

from __future__ import annotations

import dataclasses
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass  # type checkers know it by this name
else:

    def dataclass(cls=None, /, *, frozen=False, **options):
        make = _frozen if frozen else dataclasses.dataclass
        return (lambda cls: make(cls, **options)) if cls is None else make(cls, **options)


def _frozen(cls: type, *, eq: bool = True, repr: bool = True, **options: Any) -> type:
    """`options` are `slots` and `kw_only`: no frozen class here needs others, nor fields with `init=False`."""
    own = frozenset(vars(cls))
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(cls)
    methods = {
        "__init__": _once_needed(made, _init_of),
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
    }
    if options.get("slots"):
        methods |= {"__getstate__": _state, "__setstate__": _take_state}
    if repr:
        methods["__repr__"] = _repr
    if eq:
        methods |= {"__eq__": _once_needed(made, _eq_of), "__hash__": _once_needed(made, _hash_of)}
        if vars(cls).get("__hash__") is None:
            own -= {"__hash__"}  # Python puts None there for a class with an __eq__ of its own
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


# -- written when first called ----------------------------------------------------------------------------------------
def _once_needed(cls: type, write: Callable[[type], Callable[..., Any]]) -> Callable[..., Any]:
    """Stands in the method's place until it is called, then writes it, and leaves the place to it."""

    def method(self: object, *values: object, **named: object) -> Any:
        written = write(cls)
        setattr(cls, written.__name__, written)
        return written(self, *values, **named)

    return method


def _init_of(cls: type) -> Callable[..., None]:
    scope: dict[str, Any] = {"__set_field": object.__setattr__, "__absent": dataclasses.MISSING}
    positional, named = ["self"], ["*"]
    body = ["pass"]
    for each in dataclasses.fields(cls):
        (named if each.kw_only else positional).append(each.name + _default(each, scope))
        body.append(f"__set_field(self, {each.name!r}, {_value(each)})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    return _written(cls, "__init__", positional + (named if len(named) > 1 else []), body, scope)


def _default(field: dataclasses.Field[Any], scope: dict[str, Any]) -> str:
    """What follows the name of the parameter; defaults and factories are names of the method's `scope`, with two
    underscores: so no field can be called."""
    if field.default is not dataclasses.MISSING:
        scope[f"__default_{field.name}"] = field.default
        return f"=__default_{field.name}"
    if field.default_factory is not dataclasses.MISSING:
        scope[f"__make_{field.name}"] = field.default_factory
        return "=__absent"
    return ""


def _value(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is dataclasses.MISSING:
        return field.name
    return f"__make_{field.name}() if {field.name} is __absent else {field.name}"


def _eq_of(cls: type) -> Callable[..., bool]:
    names = [each.name for each in dataclasses.fields(cls) if each.compare]
    ours, others = (_tuple_of(names, owner) for owner in ("self", "other"))
    body = ["if other.__class__ is self.__class__:", f"    return {ours} == {others}", "return NotImplemented"]
    return _written(cls, "__eq__", ["self", "other"], body)


def _hash_of(cls: type) -> Callable[..., int]:
    names = [each.name for each in dataclasses.fields(cls) if (each.compare if each.hash is None else each.hash)]
    return _written(cls, "__hash__", ["self"], [f"return hash({_tuple_of(names, 'self')})"])


def _tuple_of(names: Iterable[str], owner: str) -> str:
    return "(" + "".join(f"{owner}.{name}, " for name in names) + ")"


def _written(
    cls: type, name: str, parameters: Iterable[str], body: Iterable[str], scope: dict[str, Any] | None = None
) -> Callable[..., Any]:
    scope = {} if scope is None else scope
    exec(f"def {name}({', '.join(parameters)}):\n    " + "\n    ".join(body), scope)
    method: Callable[..., Any] = scope[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    return method


# -- shared by all ----------------------------------------------------------------------------------------------------
@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: object, name: str) -> None:
    if _is_frozen(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_frozen(instance: Any, name: str) -> bool:
    """All of a dataclass, and its fields in a class below that is none."""
    return "__dataclass_fields__" in vars(type(instance)) or name in instance.__dataclass_fields__


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _take_state(self: object, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):  # type: ignore[arg-type]  # a dataclass
        object.__setattr__(self, each.name, value)
