"""A struck piece that comes to rest beside another: whether it touched it, by tracks alone."""

from math import hypot

import numpy as np
import pytest
from testkit.tracks import played, tracks_of

from rules.facts import Contacted, Fact, Unclear
from rules.unseen import question_words
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.shots import solve_tracks

BOARD = club_board()
FPS = 30.0
CUE = Lying(
    name="cue-puck", spec=next(s for s in BOARD.pieces if s.kind == "cue-puck"), x_mm=0, y_mm=-300
)


def told_beside(ahead_mm: float, aside_mm: float, gap_mm: float) -> list[Fact]:
    """What is told of a stroke that ends so far from the rim of a puck that nobody sees move.

    The puck lies `ahead_mm` of where the cue-puck stops, and `aside_mm` of its way.
    """
    run = played(BOARD, (CUE,), (0, 900))
    tracks, end = tracks_of(run, (CUE,), fps=FPS, noise_mm=0.1, exposure_s=0.004, seed=3)
    x, y = run.place("cue-puck", end)
    size = hypot(ahead_mm, aside_mm)
    far = CUE.radius_mm + 12.5 + gap_mm
    home = x + aside_mm / size * far, y + ahead_mm / size * far
    none = np.zeros(0)
    man = Track("red-1", "puck", 12.5, 1.0, home, 0.06, none, none, none, none)
    spell = solve_tracks([*tracks, man], BOARD, frame_s=1 / FPS, until_s=end)
    return [f for f in spell_facts(spell) if isinstance(f, Contacted | Unclear)]


@pytest.mark.parametrize("gap_mm", [-0.2, 0.0, 0.2])
def test_a_touch_closer_than_it_is_measured_is_asked(gap_mm: float) -> None:
    [asked] = told_beside(1.0, 0.4, gap_mm)
    assert isinstance(asked, Unclear)
    assert [{f.a, f.b} for answer in asked.answers for f in answer if isinstance(f, Contacted)] == [
        {"cue-puck", "red-1"}
    ]
    assert () in asked.answers
    assert question_words(asked) == asked.question


def test_what_stops_short_of_a_piece_has_not_touched_it() -> None:
    assert told_beside(1.0, 0.4, 1.5) == []


def test_what_lies_where_another_lay_has_touched_it() -> None:
    [touch] = told_beside(1.0, 0.4, -1.5)
    assert isinstance(touch, Contacted)
    assert {touch.a, touch.b} == {"cue-puck", "red-1"}


def test_what_came_no_nearer_to_a_piece_has_not_touched_it() -> None:
    assert told_beside(-1.0, 0.0, 285.0) == []
