"""Values of which some fields do not count when two are compared."""

from typing import ClassVar

from msgspec.structs import replace

from rules.compared import PartlyCompared


class Throw(PartlyCompared, frozen=True, kw_only=True):
    aside: ClassVar[frozenset[str]] = frozenset({"seen_ms"})

    who: str
    points: int = 0
    seen_ms: float = 0.0


class Toss(Throw, frozen=True, kw_only=True):
    pass


ANN = Throw(who="Ann", points=3, seen_ms=5.0)


def test_what_is_aside_makes_no_difference() -> None:
    later = replace(ANN, seen_ms=9.0)
    assert later == ANN
    assert hash(later) == hash(ANN)
    assert repr(later) == repr(ANN) == "Throw(who='Ann', points=3)"


def test_everything_else_does() -> None:
    assert replace(ANN, points=4) != ANN
    assert len({ANN, replace(ANN, who="Ben"), replace(ANN, seen_ms=1.0)}) == 2


def test_a_value_of_another_class_is_another_value() -> None:
    assert Toss(who="Ann", points=3, seen_ms=5.0) != ANN
    assert ANN != "Ann"
