"""A man that a finger shifts by less than what counts as motion: where he lies is known."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from testkit.simulated_table import film, lying, observed, scene, tables

from calibration.table import Table
from rules.facts import Fact, Moved, Piece, Settled
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Scene
from vision.frame import Observation, Picture
from vision.witness import Witness

FPS = 30.0
RED = lying("red-1", "red", 150.0, 60.0)
BLUE = lying("blue-1", "blue", -200.0, 100.0)


class Shifts:
    """The blue man lies so much farther to the east after each of the times."""

    def __init__(self, by_mm: float, at_s: Sequence[float]) -> None:
        self._by_mm, self._at_s, self.now_s = by_mm, at_s, 0.0

    def lying(self, at_s: float) -> tuple[Lying, ...]:
        times = sum(at_s >= shift_s for shift_s in self._at_s)
        return replace(BLUE, x_mm=BLUE.x_mm + times * self._by_mm), RED

    def scene(self, at_s: float) -> Scene:
        return scene(self.lying(at_s))

    def look(self, picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        return observed(self.lying(self.now_s))


@pytest.mark.parametrize(
    ("by_mm", "noticed"), [(1.8, 2), (1.4, 2), (0.4, 0)], ids=["nearly", "hardly", "not at all"]
)
def test_small_shifts_are_noticed_one_by_one_and_do_not_add_up_to_a_move(
    by_mm: float, noticed: int
) -> None:
    shifts = Shifts(by_mm, (1.5, 4.0))
    witness = Witness(tables()[1], look=shifts.look)
    facts: list[Fact] = []
    for frame in film(shifts.scene, fps=FPS, lasts_s=6.5):
        shifts.now_s = frame.at_ms / 1000
        facts += [sighting.fact for sighting in witness.feed(frame)]
    assert not any(isinstance(fact, Moved) for fact in facts)
    assert sum(isinstance(fact, Settled) for fact in facts) == 1 + noticed
    (blue,) = (piece for piece in witness.pieces if piece.colour == "blue")
    assert blue.at.x_mm == pytest.approx(BLUE.x_mm + noticed * by_mm, abs=0.1)
