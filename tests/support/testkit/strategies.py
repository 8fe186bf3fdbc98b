"""Hypothesis strategies for the values that packages share."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.facts import Fact
from rules.game import Entry, Setup
from rules.geometry import Point
from rules.parts import has_parts, parts_of
from rules.rulings import Question, Ruling, RulingId

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)
SMALL = st.floats(min_value=-600, max_value=600, allow_nan=False)
NAMES = st.sampled_from(["cue-puck", "red-1", "red 2", "queen", "", 'a"b', "ünï", "x=1", "(", "no"])
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**50), 2**50) | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@cache
def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Return any value of a type that goes into the log, through its annotations."""
    plain: dict[Any, st.SearchStrategy[Any]] = {
        float: NUMBERS,
        int: st.integers(-(2**50), 2**50),
        str: NAMES | WORDS,
        bool: st.booleans(),
        object: JSON,
        Point: st.builds(Point, NUMBERS, NUMBERS),
        RulingId: st.builds(
            RulingId, st.integers(0, 99), st.sampled_from(["QS-8a.1", "T-1"]), st.integers(0, 3)
        ),
        Fact: facts(),
    }
    if kind in plain:
        return plain[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return st.one_of([st.none() if a is NoneType else of_type(a) for a in arguments])
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(of_type(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of_type, arguments))
    if origin is not None:
        return st.dictionaries(WORDS, of_type(arguments[1]), max_size=2)
    if has_parts(kind):
        return built(kind)
    return st.sampled_from(list(kind))


@cache
def built(kind: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    given = {p.name: of_type(hints[p.name]) for p in parts_of(kind) if p.name != "effect"}
    return st.builds(kind, **given)


_UNCLEAR = "Unclear"


@cache
def facts() -> st.SearchStrategy[Fact]:
    """Return any fact whatever, sensible or not."""
    return st.deferred(lambda: _FACTS)


def _facts() -> st.SearchStrategy[Fact]:
    plain = st.one_of([built(k) for k in get_args(Fact) if k.__name__ != _UNCLEAR])
    unclear = next(k for k in get_args(Fact) if k.__name__ == _UNCLEAR)
    answers = st.lists(st.lists(plain, max_size=2).map(tuple), max_size=2).map(tuple)
    return plain | st.builds(
        unclear,
        at_ms=NUMBERS,
        question=WORDS,
        answers=answers,
        words=st.lists(WORDS, max_size=2).map(tuple),
    )


_FACTS = st.deferred(_facts)


@cache
def decisions() -> st.SearchStrategy[Decision]:
    return st.one_of([built(kind) for kind in (Amend, Confirm, Insert, Overrule, Reply, Withdraw)])


@cache
def rulings() -> st.SearchStrategy[Ruling]:
    return built(Ruling)


@cache
def questions() -> st.SearchStrategy[Question]:
    return built(Question)


@cache
def setups() -> st.SearchStrategy[Setup]:
    return built(Setup)


@cache
def entries() -> st.SearchStrategy[Entry]:
    return st.builds(
        Entry,
        seq=st.integers(1, 2**50),
        at_ms=NUMBERS,
        body=facts() | decisions(),
        evidence=st.lists(NAMES, max_size=2).map(tuple),
    )
