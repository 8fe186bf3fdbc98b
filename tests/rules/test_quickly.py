"""Frozen values that are made by an unfrozen twin of their class are what the class says."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields
from typing import Any, Generic, TypeVar

import pytest

from rules.game import Step
from rules.quickly import quickly_made, twin_of
from rules.rulings import Ruling, RulingId

T = TypeVar("T")


def value_class() -> Any:
    @dataclass(frozen=True, slots=True)
    class Value(Generic[T]):
        kind: str
        own: T
        named: int = field(default=3, kw_only=True)
        many: list[int] = field(default_factory=list)

    return Value


PLAIN, QUICK = value_class(), quickly_made(value_class())


def values(one: object) -> list[object]:
    return [getattr(one, each.name) for each in fields(one)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("a", 1), {}),
        (("a",), {"own": 2}),
        (("a", 1, [5]), {"named": 4}),
        ((), {"kind": "a", "own": None, "named": 0, "many": []}),
    ],
)
def test_a_value_holds_what_the_dataclass_would(
    given: tuple[object, ...], named: dict[str, object]
) -> None:
    made = QUICK(*given, **named)  # type: ignore[arg-type]
    assert values(made) == values(PLAIN(*given, **named))
    assert type(made) is QUICK
    assert made == QUICK(*given, **named)  # type: ignore[arg-type]
    assert QUICK("a", 1).many is not QUICK("a", 1).many


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), (("a",), {}), (("a", 1, [], 4), {}), (("a", 1), {"other": 1})]
)
def test_what_the_dataclass_refuses_is_refused(
    given: tuple[object, ...], named: dict[str, object]
) -> None:
    for kind in (PLAIN, QUICK):
        with pytest.raises(TypeError, match="__init__"):
            kind(*given, **named)


def test_a_value_is_frozen_hashed_copied_and_pickled_as_ever() -> None:
    ruling = Ruling(code="QS-1", words="a", pieces=("red-1",))
    with pytest.raises(FrozenInstanceError):
        ruling.code = "QS-2"  # type: ignore[misc]
    assert hash(RulingId(3, "QS-1")) == hash(RulingId(3, "QS-1", 0))
    assert RulingId(3, "QS-1") < RulingId(3, "QS-1", 1) < RulingId(4, "QS-0")
    step = Step(seq=1, fact=None, rulings=(ruling,), ids=(RulingId(1, "QS-1"),), state=3)  # type: ignore[arg-type]
    assert copy.copy(step) == copy.deepcopy(step) == pickle.loads(pickle.dumps(step)) == step
    assert repr(RulingId(3, "QS-1")) == "RulingId(seq=3, code='QS-1', nth=0)"


@dataclass(frozen=True)
class Loose:
    one: int
    two: int


@dataclass(frozen=True, slots=True)
class Checked:
    one: int
    two: int

    def __post_init__(self) -> None:
        if self.one > self.two:
            raise ValueError(self.one)


@pytest.mark.parametrize("kind", [Loose, Checked])
def test_a_class_that_has_no_twin_is_refused(kind: type) -> None:
    assert twin_of(kind) is None
    with pytest.raises(TypeError, match="needs slots"):
        quickly_made(kind)
