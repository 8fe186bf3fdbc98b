"""Falls that were followed and never were, beside the still picture after them."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.tracks import played, tracks_of

from rules.facts import Contacted, Fact, Piece, Pocketed, Rebounded, Struck
from rules.geometry import Point
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from vision.frame import Observation, SeenPiece
from vision.telling.refuted import refuted_falls, set_right
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.shots import Spell, solve_tracks

BOARD = club_board("carrom")
CORNER = next(pocket for pocket in BOARD.pockets if pocket.id == "NE").centre


def known(name: str, kind: str, colour: str, x_mm: float, y_mm: float) -> Piece:
    return Piece(name=name, kind=kind, colour=colour, at=Point(x_mm, y_mm))


def look(*pieces: tuple[str, str, float, float], hand: bool = False) -> Observation:
    return Observation(
        pieces=tuple(
            SeenPiece(kind=kind, colour=colour, at=Point(x, y), error_mm=0.1)
            for kind, colour, x, y in pieces
        ),
        hand=hand,
    )


@pytest.mark.parametrize(
    ("left", "stayed"),
    [
        (["white", "white", "black"], ["white-1", "black-1"]),
        (["white", "black"], ["black-1"]),
        (["white"], []),
    ],
)
def test_what_all_lies_there_still_has_not_fallen(left: list[str], stayed: list[str]) -> None:
    falls = [
        Pocketed(at_ms=400.0, piece="white-1", pocket="NE", error_ms=9.0),
        Pocketed(at_ms=500.0, piece="black-1", pocket="NE", error_ms=9.0),
    ]
    men = [
        known(name, "carromman", name.split("-")[0], 0, 0)
        for name in ("white-1", "white-2", "black-1")
    ]
    seen = look(*(("carromman", colour, 0, 0) for colour in left))
    assert [f.piece for f in refuted_falls(falls, men, seen)] == stayed
    assert refuted_falls(falls, men, replace(seen, hand=True)) == ()


def taken_up(seen_times: int) -> tuple[Spell, list[Fact]]:
    """A striker by the corner that seems to run into its mouth, seen so often on its way."""
    home = (CORNER.x_mm - 60.0, CORNER.y_mm - 60.0)
    t = 0.5 + np.arange(1, seen_times + 6) / 30
    way = np.minimum(np.arange(1, seen_times + 6) / seen_times, 1.0)
    x, y = home[0] + 58.0 * way, home[1] + 58.0 * way
    sigma = np.full(len(t), 0.2)
    track = Track("striker", "striker", 20.65, 2.0, home, 0.2, t, x, y, sigma, lay_s=0.5, sank=True)
    spell = solve_tracks([track], BOARD, frame_s=1 / 30, until_s=2.0)
    return spell, spell_facts(spell)


STRIKER = known("striker", "striker", "ivory", CORNER.x_mm - 60.0, CORNER.y_mm - 60.0)


@pytest.mark.parametrize(
    ("at", "seen_times", "told"),
    [
        ((CORNER.x_mm - 60.0, CORNER.y_mm - 20.0), 2, [Struck, Rebounded]),
        ((-50.0, 250.0), 2, []),
        ((-50.0, 250.0), 6, [Struck, Pocketed]),
    ],
    ids=["beside the mouth", "far off", "far off, though it ran in sight"],
)
def test_where_the_still_picture_shows_what_fell_tells_what_it_did(
    at: tuple[float, float], seen_times: int, told: list[type[Fact]]
) -> None:
    spell, facts = taken_up(seen_times)
    assert {Struck, Pocketed} <= {type(f) for f in facts}
    seen = look(("striker", "ivory", *at))
    right = set_right(spell, facts, [STRIKER], seen, BOARD, hand=True)
    assert [type(f) for f in right.facts if isinstance(f, Struck | Pocketed | Rebounded)] == told
    assert right.carried == ({"striker"} if not told else set())
    assert right.stayed == ({"striker"} if Pocketed not in told else set())


@pytest.mark.parametrize(
    ("at", "seen_times", "struck"),
    [
        ((CORNER.x_mm - 60.0, CORNER.y_mm - 20.0), 2, True),
        ((-50.0, 250.0), 2, False),
        ((-50.0, 250.0), 6, True),
    ],
    ids=["beside the mouth", "far off", "far off, though it ran in sight"],
)
def test_what_nobody_saw_fall_and_lies_far_off_was_carried_if_it_hardly_ran(
    at: tuple[float, float], seen_times: int, struck: bool
) -> None:
    spell, facts = taken_up(seen_times)
    likely = [f for f in facts if isinstance(f, Pocketed)]
    facts = [f for f in facts if f not in likely]
    seen = look(("striker", "ivory", *at))
    right = set_right(spell, facts, [STRIKER], seen, BOARD, hand=True, likely=likely)
    assert any(isinstance(f, Struck) for f in right.facts) == struck
    assert not any(isinstance(f, Pocketed | Rebounded) for f in right.facts)
    assert right.carried == (set() if struck else {"striker"})


@pytest.mark.parametrize("hand", [True, False], ids=["by a hand, perhaps", "and no hand was there"])
def test_a_man_found_far_from_the_mouth_fell_only_if_a_hand_may_have_put_his_like_there(
    hand: bool,
) -> None:
    men = (
        Lying(name="striker", spec=BOARD.piece("striker", "ivory"), x_mm=150.0, y_mm=150.0),
        Lying(name="black-1", spec=BOARD.piece("carromman", "black"), x_mm=200.0, y_mm=200.0),
    )
    run = played(BOARD, men, (900, 900))
    tracks, end = tracks_of(run, men, fps=60, noise_mm=0.1, exposure_s=0.004, seed=1)
    spell = solve_tracks(tracks, BOARD, frame_s=1 / 60, until_s=end)
    facts = spell_facts(spell)
    assert ("black-1", "NE") in [(f.piece, f.pocket) for f in facts if isinstance(f, Pocketed)]
    pieces = [STRIKER, known("black-1", "carromman", "black", 200.0, 200.0)]
    seen = look(("carromman", "black", 0.0, 0.0))
    right = set_right(spell, facts, pieces, seen, BOARD, hand=hand)
    fell = [f.piece for f in right.facts if isinstance(f, Pocketed)]
    assert ("black-1" in fell) == hand
    assert any(isinstance(f, Contacted) for f in right.facts)
