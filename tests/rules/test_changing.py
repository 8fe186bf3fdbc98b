"""A changed value is the one that `dataclasses.replace` makes; the first stays as it was."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import pytest

from rules.changing import replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    side: str
    points: int = 0
    fouls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Longer(Score):
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class One:
    only: int


@dataclass(frozen=True)
class WithoutSlots:
    side: str
    points: int = 3


@dataclass(frozen=True, slots=True)
class Checked:
    points: int
    doubled: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if self.points < 0:
            raise ValueError("no points are owed")
        object.__setattr__(self, "doubled", 2 * self.points)


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Score(side="S"), {"points": 4}),
        (Score(side="S", points=2), {"side": "N", "fouls": ("QS-8",)}),
        (Score(side="S"), {}),
        (Longer(side="S", points=1), {"rounds": 5, "points": 9}),
        (One(1), {"only": 2}),
        (WithoutSlots("S"), {"side": "N"}),
        (Checked(2), {"points": 5}),
    ],
    ids=lambda each: str(each),
)
def test_it_is_the_value_that_the_standard_library_makes(value: Any, changes: Any) -> None:
    before = dataclasses.astuple(value)
    changed = replace(value, **changes)
    assert changed == dataclasses.replace(value, **changes)
    assert type(changed) is type(value)
    assert hash(changed) == hash(dataclasses.replace(value, **changes))
    assert dataclasses.astuple(value) == before


@pytest.mark.parametrize("value", [Score(side="S"), WithoutSlots("S"), One(1)], ids=str)
def test_a_field_that_is_not_there_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="nonsense"):
        replace(value, nonsense=1)


def test_what_a_class_checks_is_checked_again() -> None:
    with pytest.raises(ValueError, match="no points are owed"):
        replace(Checked(2), points=-1)
