"""Who reached over the border, told from frames in which something stirred."""

import pytest
from testkit.simulated_table import film, lying, tables

from rules.geometry import Seat
from sightline.simulated.cueing import stick_at
from sightline.simulated.scene import Scene, Stick
from vision.reaching import Reaching

BODIES = (lying("cue-puck", "natural", -440.0, 440.0).body(), lying("red-1", "red", 90, 0).body())
FROM_S = stick_at((120.0, -100.0), (0.0, 1.0))
FROM_W = stick_at((-100.0, 0.0), (1.0, 0.0))


@pytest.mark.parametrize(
    ("sticks", "strange_mm2", "sides", "anybody"),
    [
        ((), 1600.0, set(), False),
        ((), 9000.0, set(), True),
        ((FROM_S,), 1600.0, {Seat.S}, True),
        ((FROM_S, FROM_W), 9000.0, {Seat.S, Seat.W}, True),
    ],
    ids=["pieces alone", "more than pieces", "a cue", "two cues"],
)
def test_where_only_pieces_stirred_nobody_reached_over(
    sticks: tuple[Stick, ...], strange_mm2: float, sides: set[Seat], anybody: bool
) -> None:
    scene = Scene(bodies=BODIES, sticks=sticks)
    reaching = Reaching(tables()[1])
    for frame in film(lambda at_s: scene, fps=30.0, lasts_s=0.05):
        reaching.keep(frame, strange_mm2)
    assert reaching.sides() == sides
    assert reaching.side() == (min(sides) if len(sides) == 1 else None)
    assert reaching.anybody() == anybody
