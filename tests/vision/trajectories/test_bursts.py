"""Men who all set off at once as a struck piece comes to them."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.tracks import FRAME_S, running

from rules.board import Pocket
from rules.geometry import Point
from sightline.simulated.boards import club_board
from vision.tracking.track import Track
from vision.trajectories.bursts import scattered_unseen
from vision.trajectories.gone import Ending
from vision.trajectories.paths import resting
from vision.trajectories.timeline import Timeline

BOARD = replace(
    club_board("carrom"),
    pockets=(Pocket(id="NW", centre=Point(-300.0, 0.0), radius_mm=30.0),),
)
RACK = [(0.0, 0.0), (31.0, 0.0), (15.5, 26.8), (-15.5, 26.8), (-31.0, 0.0)]


def lying(name: str, home: tuple[float, float]) -> Timeline:
    nothing = np.zeros(0)
    track = Track(name, "carromman", 15.5, 1.0, home, 0.1, nothing, nothing, nothing, nothing)
    return Timeline(track, (resting(*home, 0.1, -1e9, 2.0),), Ending("rest", 0.0, 0.0))


def rack(*, left_s: float = 0.16, lies: tuple[int, ...] = ()) -> list[Timeline]:
    """Five men who touch, of whom all but those that lie still leave at once."""
    return [
        lying(f"man-{k}", home)
        if k in lies
        else running(f"man-{k}", home, (10.0 * home[0], 600.0), left_s=left_s)
        for k, home in enumerate(RACK)
    ]


def striker(x_mm: float = 0.0) -> Timeline:
    """Straight up the board, last seen at home at 0.1 s: by 0.17 s it is as far as the rack."""
    return running("striker", (x_mm, -250.0), (0.0, 3000.0), left_s=0.1)


@pytest.mark.parametrize(
    ("men", "found"),
    [
        (rack(), {1, 2, 3, 4, 5}),
        (rack(left_s=0.6), set()),
        (rack()[:3], set()),
    ],
    ids=[
        "a rack that the striker comes to",
        "they leave long after it came by",
        "so few",
    ],
)
def test_men_who_lie_together_and_leave_at_once_as_the_striker_comes_to_one_were_hit(
    men: list[Timeline], found: set[int]
) -> None:
    assert scattered_unseen([striker(), *men], {0}, {0}, BOARD, FRAME_S) == found


def test_a_blow_goes_on_through_a_man_who_does_not_move_from_one_whose_cause_was_seen() -> None:
    men = [*rack(lies=(0,)), running("man-5", (0.0, -31.0), (0.0, 600.0), left_s=0.16)]
    assert scattered_unseen([striker(), *men], {0, 6}, {0}, BOARD, FRAME_S) == {2, 3, 4, 5}


def test_what_the_striker_does_not_come_to_was_not_hit_by_it() -> None:
    assert not scattered_unseen([striker(x_mm=-200.0), *rack()], {0}, {0}, BOARD, FRAME_S)


def test_where_nothing_was_struck_nothing_was_hit() -> None:
    assert not scattered_unseen([striker(), *rack()], set(), set(), BOARD, FRAME_S)


def falls(at_s: float) -> Timeline:
    """The man beside the first of two, last seen at home at 0.16 s, then in a pocket 300 mm off."""
    home = (-31.0, 0.0)
    phases = (resting(*home, 0.1, -1e9, 0.16), resting(-300.0, 0.0, 5.0, 0.2, at_s))
    return replace(lying("man-1", home), phases=phases, ending=Ending("pocketed", at_s, 0.02, "NW"))


@pytest.mark.parametrize(
    ("kind", "man", "found"),
    [
        ("cue-puck", running("man-1", (-31.0, 0.0), (-3000.0, 0.0), left_s=0.16), {1, 2}),
        ("cue-puck", running("man-1", (-31.0, 0.0), (-250.0, 0.0), left_s=0.16), set()),
        ("cue-puck", falls(at_s=0.3), {1, 2}),
        ("cue-puck", falls(at_s=2.0), set()),
        ("striker", running("man-1", (-31.0, 0.0), (-3000.0, 0.0), left_s=0.16), set()),
    ],
    ids=[
        "as fast as only a stroke sends one",
        "as slow as one that is pushed",
        "in a pocket sooner than one that is pushed",
        "in a pocket no sooner",
        "what a finger strikes: a hand may take men up as fast",
    ],
)
def test_a_cue_that_sends_a_man_off_faster_than_it_can_push_one_has_struck(
    kind: str, man: Timeline, found: set[int]
) -> None:
    cue = striker()
    cue = replace(cue, track=replace(cue.track, kind=kind))
    first = running("man-0", (0.0, 0.0), (0.0, 200.0), left_s=0.16)
    assert scattered_unseen([cue, first, man], {0}, {0}, BOARD, FRAME_S) == found
