"""What `quick_dataclass` makes does what the standard library's does."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from model import quick_dataclass


def _shapes(dataclass: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, made by one or the other."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        """Text."""

        name: str
        set: int = 3  # a name that a careless scope would take
        found: tuple[int, ...] = ()

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True)
    class Single:
        only: int

    @dataclass(frozen=True)
    class WithFactory:
        name: str
        seen: dict[str, int] = field(default_factory=dict)
        note: str = field(default="", compare=False, repr=False)
        key: Any = field(default=None, hash=False)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        a: int
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Child(Plain):
        more: int = 0

    @dataclass(frozen=True, slots=True)
    class Own:
        a: int

        def __repr__(self) -> str:
            return "mine"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    @dataclass(frozen=True, slots=True)
    class OwnEquality:
        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, OwnEquality)

    @dataclass(frozen=True)
    class OddNames:
        ABSENT: int = 1
        set_field: int = 2
        make_seen: int = 3
        other: int = 4
        seen: list[int] = field(default_factory=list)

    @dataclass(frozen=True)
    class Base:
        a: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "seen", self.a)

    class Below(Base):
        """No dataclass."""

        def __init__(self) -> None:
            super().__init__(7)

    @dataclass(frozen=True, slots=True, eq=False)
    class ByIdentity:
        a: int

    @dataclass(frozen=True, slots=True)
    class Checked:
        a: int

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("below zero")

    return {name: made for name, made in locals().items() if isinstance(made, type)}


STANDARD, QUICK = _shapes(dataclasses.dataclass), _shapes(quick_dataclass.dataclass)


@dataclasses.dataclass(frozen=True)
class Call:
    shape: str
    values: tuple[Any, ...] = ()
    named: tuple[tuple[str, Any], ...] = ()


CALLS = [
    Call("Plain", ("x",)),
    Call("Plain", ("x", 4), (("found", (1, 2)),)),
    Call("Plain", (), (("name", "x"),)),
    Call("Plain"),
    Call("Plain", ("x", 1, (), 9)),
    Call("Plain", ("x",), (("nam", 1),)),
    Call("Empty"),
    Call("Single", (1,)),
    Call("WithFactory", ("x",)),
    Call("WithFactory", ("x", {"a": 1}, "note", 5)),
    Call("Named", (), (("a", 1),)),
    Call("Named", (1,)),
    Call("Child", ("x", 1, (), 5)),
    Call("Own", (1,)),
    Call("OddNames"),
    Call("OddNames", (5, 6), (("seen", [1]),)),
    Call("Below"),
    Call("Checked", (1,)),
    Call("Checked", (-1,)),
]


def _outcome(shapes: dict[str, Any], call: Call) -> tuple[object, ...]:
    """The values and the text of what is made, or what is said of the call."""
    try:
        made = shapes[call.shape](*call.values, **dict(call.named))
    except (TypeError, ValueError) as error:
        return type(error), str(error).split("__init__()")[-1]
    return tuple(getattr(made, each.name) for each in dataclasses.fields(made)), repr(made).split(".")[-1]


@pytest.mark.parametrize("call", CALLS, ids=repr)
def test_it_makes_the_same_instance_or_refuses_in_the_same_words(call: Call) -> None:
    assert _outcome(QUICK, call) == _outcome(STANDARD, call)


@pytest.mark.parametrize("shapes", [STANDARD, QUICK], ids=["standard", "quick"])
def test_equality_and_hash(shapes: dict[str, Any]) -> None:
    plain, child, single = shapes["Plain"], shapes["Child"], shapes["Single"]
    assert plain("x") == plain("x") != plain("y")
    assert hash(plain("x")) == hash(plain("x", 3))
    assert plain("x") != child("x")
    assert plain("x") != ("x", 3, ())
    assert shapes["Empty"]() == shapes["Empty"]()
    assert hash(single(1)) == hash(single(1))
    noted = shapes["WithFactory"]
    assert noted("x", note="a") == noted("x", note="b")
    assert noted("x", key=1) != noted("x", key=2)
    own, apart = shapes["Own"], shapes["ByIdentity"]
    assert own(1) == own(2)
    assert hash(own(1)) == 7
    assert apart(1) != apart(1)
    equal = shapes["OwnEquality"]
    assert equal(1) == equal(2)
    assert hash(equal(1)) == hash((1,))
    with pytest.raises(TypeError, match="unhashable"):
        hash(noted("x"))


@pytest.mark.parametrize("shapes", [STANDARD, QUICK], ids=["standard", "quick"])
def test_it_is_a_dataclass_and_does_not_change(shapes: dict[str, Any]) -> None:
    one = shapes["Plain"]("x")
    assert dataclasses.replace(one, name="y") == shapes["Plain"]("y")
    assert dataclasses.asdict(one) == {"name": "x", "set": 3, "found": ()}
    assert not hasattr(one, "__dict__")
    assert shapes["Plain"].__doc__ == "Text."
    assert type(one).__match_args__ == ("name", "set", "found")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        one.name = "y"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del one.name
    assert copy.deepcopy(one) == one == copy.copy(one)


@pytest.mark.parametrize("shapes", [STANDARD, QUICK], ids=["standard", "quick"])
def test_a_class_below_that_is_no_dataclass_has_attributes_of_its_own(shapes: dict[str, Any]) -> None:
    below = shapes["Below"]()
    assert below.seen == 7
    below.more = 1
    del below.more
    assert not hasattr(below, "more")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'a'"):
        below.a = 8
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'a'"):
        del below.a


def test_threads_that_call_a_class_for_the_first_time_at_once() -> None:
    for _ in range(50):
        plain, start = _shapes(quick_dataclass.dataclass)["Plain"], threading.Barrier(4)

        def use(plain: Any = plain, start: threading.Barrier = start) -> bool:
            start.wait()
            return plain("x") == plain("x") and hash(plain("x")) == hash(plain("x"))

        with ThreadPoolExecutor(4) as pool:
            assert all(each.result() for each in [pool.submit(use) for _ in range(4)])


@quick_dataclass.dataclass(frozen=True, slots=True)
class AtTop:
    a: int
    inner: Any = None


def test_pickle() -> None:
    assert pickle.loads(pickle.dumps(AtTop(1, AtTop(2)))) == AtTop(1, AtTop(2))


def test_each_instance_gets_its_own_value_of_a_factory() -> None:
    made = QUICK["WithFactory"]
    assert made("x").seen is not made("x").seen


def test_a_loop_is_printed_once() -> None:
    loop: list[object] = []
    loop.append(AtTop(1, loop))
    assert "..." in repr(loop[0])


def test_methods_are_written_when_they_are_called() -> None:
    quick = _shapes(quick_dataclass.dataclass)["Plain"]
    before = quick.__init__, quick.__eq__, quick.__hash__
    assert quick("x") == quick("x")
    assert hash(quick("x"))
    after = quick.__init__, quick.__eq__, quick.__hash__
    assert all(old is not new for old, new in zip(before, after, strict=True))
    assert quick.__init__.__qualname__.endswith("Plain.__init__")


def test_one_that_is_not_frozen_is_the_standard_library_s() -> None:
    @quick_dataclass.dataclass(slots=True)
    class Loose:
        a: int = 1

    loose = Loose()
    loose.a = 2
    assert loose == Loose(2)
