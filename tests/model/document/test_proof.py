"""The proof is what stands between a bug and a user's file: wrong splices have to be refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from model.document import DocumentError, Edit, Insert, Set, Unsafe, YamlDoc, applying
from model.document.operations import Proposal
from model.document.plan import Plan, Splice, spliced
from model.document.proof import prove
from model.document.raw import raw_node
from model.document.tree import Tree, parse
from tests.model.document.random_edits import KINDS, random_edit

TEXT = """\
# head
a: 1  # one
b: 'two' # two
list:
  # first
  - x: 1
    y: |
      text

  - {z: 2, w: [3, 4]}  # flow
c: &n 5
d: *n
# tail
"""


def refuses(new: str, splices: tuple[Splice, ...], wanted: str | None = None) -> bool:
    """Whether the proof refuses that `TEXT` became `new` by `splices`, where it should read as `wanted`."""
    old = parse(TEXT)
    goal = parse(wanted or new)
    try:
        prove(old, parse(new), Plan(splices), [raw_node(goal, root) for root in goal.roots])
    except DocumentError:
        return True
    return False


def edit(old: str, new: str) -> tuple[str, tuple[Splice, ...]]:
    start = TEXT.index(old)
    splices = (Splice(start, start + len(old), new),)
    return spliced(TEXT, splices), splices


def test_a_right_splice_passes() -> None:
    assert not refuses(*edit("1  # one", "9  # one"))


def test_other_data_is_refused() -> None:
    wanted = TEXT.replace("a: 1", "a: 2")
    assert refuses(*edit("1  # one", "9  # one"), wanted)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1  # one", "1"),  # a comment lost
        ("# tail\n", ""),
        ("# first", "# frist"),
        ("1  # one", "1  # one # more"),
        ("1  # one\nb:", "1 #one\nb:"),
    ],
)
def test_a_comment_lost_or_changed_is_refused(old: str, new: str) -> None:
    assert refuses(*edit(old, new))


def test_a_change_that_the_splices_do_not_own_up_to_is_refused() -> None:
    new = TEXT.replace("a: 1", "a: 9").replace("'two'", '"two"')
    start = TEXT.index("1  # one")
    assert refuses(new, (Splice(start, start + 1, "9"),))


def test_a_place_that_moved_otherwise_is_refused() -> None:
    new = TEXT.replace("a: 1", "a: 9").replace("c: &n 5", "c:  &n 5")
    start = TEXT.index("1  # one")
    assert refuses(new, (Splice(start, start + 1, "9"),))


class _Mutator:
    """Spoils plans before they are proved: one splice reaches a little too far, or brings a little too much."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.spoilt = False

    def __call__(self, tree: Tree, proposal: Proposal) -> Any:
        return _real_first_proved(tree, replace(proposal, plans=self._spoil(tree, proposal.plans)))

    def _spoil(self, tree: Tree, plans: Iterator[Plan]) -> Iterator[Plan]:
        for plan in plans:
            splices = list(plan.splices)
            at = self.random.randrange(len(splices))
            splice = splices[at]
            spoilt = self.random.choice(
                [
                    replace(splice, end=min(splice.end + self.random.randint(1, 4), len(tree.text))),
                    replace(splice, start=max(splice.start - self.random.randint(1, 4), 0)),
                    replace(
                        splice, text=splice.text + self.random.choice(["x", " y", "\n", ": ", "#", "'", "\n- ", "0"])
                    ),
                    replace(splice, text=self.random.choice(["\n", "z", "- ", "# "]) + splice.text),
                    replace(splice, text=splice.text[:-1]),
                ]
            )
            splices[at] = spoilt
            ends = [0, *(s.end for s in splices)]
            if all(end <= s.start for end, s in zip(ends, splices, strict=False)):
                yield replace(plan, splices=tuple(splices))


_real_first_proved = applying._first_proved


@pytest.mark.parametrize("seed", range(100))
def test_a_spoilt_plan_is_refused_or_does_no_harm(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mutation check: whatever passes reads exactly as the right edit does, with every comment in place."""
    random = Random(seed)
    doc = YamlDoc.parse(TEXT.encode())
    chosen: Edit | None = random_edit(doc, random.choice(KINDS), random)
    if chosen is None:
        pytest.skip("no such edit here")
    try:
        right = doc.apply(chosen)
    except DocumentError:
        pytest.skip("the edit is refused anyway")
    monkeypatch.setattr(applying, "_first_proved", _Mutator(random))
    try:
        spoilt = doc.apply(chosen)
    except Unsafe:
        return
    assert _meaning(spoilt.text) == _meaning(right.text)
    assert sorted(_comments(spoilt.text)) == sorted(_comments(right.text))


def _meaning(text: str) -> list[Any]:
    tree = parse(text)
    return [raw_node(tree, root) for root in tree.roots]


def _comments(text: str) -> list[str]:
    from model.document.proof import comments

    return [comment for _, comment in comments(parse(text))]


def test_the_full_proof_finds_what_the_pieces_missed() -> None:
    doc = YamlDoc.parse(TEXT.encode()).apply(Set(("b",), "x"))
    with pytest.raises(Unsafe, match="does not read as"):
        replace(doc, data={**doc.data, "a": True}).prove()


def test_the_second_reader_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from model.document import gate

    answers = iter([False, True])
    monkeypatch.setattr(gate, "_agrees", lambda piece, index: next(answers))
    doc = YamlDoc.parse(TEXT.encode()).apply(Set(("a",), 2))
    with pytest.raises(Unsafe, match="ruamel"):
        doc.prove()


def test_the_second_reader_is_not_asked_where_it_could_not_read_the_original() -> None:
    doc = YamlDoc.parse(b"a:\t1\t# c\nb: 2\n").apply(Set(("a",), 2), Insert((), "c", 1))
    doc.prove()


def test_a_key_made_twice_is_not_saved() -> None:
    doc = YamlDoc.parse(b"a: 1\nb: 2\n")
    twice = doc.rewritten("a: 1\na: 2\n")
    with pytest.raises(Unsafe, match="twice"):
        replace(twice, doubled=False).prove()
