"""Men that lay at the brink of a pocket and are gone once something has touched them."""

from math import cos, radians, sin

import numpy as np
import pytest

from rules.facts import Pocketed
from sightline.simulated.boards import club_board
from vision.telling.brinks import knocked_in
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.gone import Ending
from vision.trajectories.paths import resting
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

BOARD = club_board("carrom")
FRAME_S = 1 / 30
POCKET = next(pocket for pocket in BOARD.pockets if pocket.id == "SE")
MAN_MM = 15.5
TOUCH_S = 0.5


def man(name: str, x_mm: float, y_mm: float, lay_s: float | None) -> Timeline:
    """A man who was seen nowhere but at rest, until `lay_s`."""
    none = np.zeros(0)
    home = (x_mm, y_mm)
    track = Track(
        name, "carromman", MAN_MM, 1.0, home, 0.1, none, none, none, none, False, home, lay_s=lay_s
    )
    return Timeline(track, (resting(x_mm, y_mm, 0.1, -1e9, 2.0),), Ending("rest", 0.0, 0.0))


def touched(
    *, off_mm: float, aside: float = 0.0, speed_mm_s: float = 900.0, lay_s: float = TOUCH_S - 0.03
) -> Spell:
    """A man `off_mm` outside a mouth is touched, and sent `aside` degrees of its middle."""
    away_mm = POCKET.radius_mm + off_mm
    x, y = POCKET.centre.x_mm - away_mm * 0.6, POCKET.centre.y_mm + away_mm * 0.8
    turn = radians(aside)
    dx, dy = 0.6 * cos(turn) + 0.8 * sin(turn), 0.6 * sin(turn) - 0.8 * cos(turn)
    knock = Knock(
        "contact",
        TOUCH_S,
        0.001,
        1,
        0,
        x_mm=x - MAN_MM * dx,
        y_mm=y - MAN_MM * dy,
        speed_mm_s=speed_mm_s,
    )
    lines = (man("black-9", x, y, lay_s), man("black-6", x - 2 * MAN_MM, y, None))
    return Spell(lines, (knock,), 1.0, 1.0)


@pytest.mark.parametrize(
    ("spell", "falls"),
    [
        pytest.param(touched(off_mm=1.0), True, id="straight into the mouth"),
        pytest.param(touched(off_mm=1.0, aside=40.0), True, id="from the side, at its very rim"),
        pytest.param(touched(off_mm=7.0, aside=40.0), False, id="past the mouth, perhaps"),
        pytest.param(touched(off_mm=1.0, aside=180.0), False, id="away from it"),
        pytest.param(touched(off_mm=12.0), False, id="from farther off: it would have been seen"),
        pytest.param(touched(off_mm=1.0, speed_mm_s=5000.0), False, id="so hard that it may fly"),
        pytest.param(touched(off_mm=1.0, speed_mm_s=0.0), False, id="nobody knows how hard"),
        pytest.param(touched(off_mm=1.0, lay_s=0.3), False, id="gone before it was touched"),
    ],
)
def test_a_man_at_the_brink_that_is_gone_when_touched_was_knocked_into_the_pocket(
    spell: Spell, falls: bool
) -> None:
    found = knocked_in(spell, ["black-9"], BOARD, FRAME_S)
    assert [(fall.piece, fall.pocket) for fall in found] == [("black-9", "SE")] * falls
    assert all(abs(fall.at_ms - 1000 * TOUCH_S) < 2 * fall.error_ms for fall in found)


def test_a_man_at_the_brink_that_was_not_lost_has_not_fallen() -> None:
    assert knocked_in(touched(off_mm=1.0), [], BOARD, FRAME_S) == ()


def test_a_man_that_nothing_touched_is_not_told_as_fallen() -> None:
    spell = touched(off_mm=1.0)
    untouched = Spell(spell.lines, (), 1.0, 1.0)
    assert knocked_in(untouched, ["black-9"], BOARD, FRAME_S) == ()
    assert isinstance(knocked_in(spell, ["black-9"], BOARD, FRAME_S)[0], Pocketed)
