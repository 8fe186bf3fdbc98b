"""A piece that flies over the border is seen beyond it, on drawn pictures."""

import cv2
import numpy as np
import pytest
from testkit.simulated_table import known, lying, tables

from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body as Drawn
from sightline.simulated.scene import Limb, Scene, Stick
from vision.tracking.body import Body, Sample
from vision.tracking.flying import (
    clears_border,
    flung_past_border,
    look_past_border,
    seen_past_border,
)
from vision.tracking.ground import Ground
from vision.tracking.tint import tint_of
from vision.tracking.track import Track
from vision.trajectories.timelines import timelines

BLUE = lying("blue-1", "blue", 100.0, 100.0)
RED = lying("red-1", "red", 100.0, 100.0)
FRAME_MS = 1000 / 30


def colours(*bodies: Drawn) -> np.ndarray:
    return tables()[0].photographer.picture(Scene(bodies=bodies))


def gray(*bodies: Drawn) -> np.ndarray:
    return np.asarray(cv2.cvtColor(colours(*bodies), cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def running(way: list[tuple[float, float]], puck: Lying = BLUE) -> tuple[Ground, Body]:
    """A puck that was seen on its way to the border, a frame apart."""
    table = tables()[1]
    ground = Ground(table.camera, gray())
    body = ground.lay(gray(puck.body()), known([puck]))[0]
    ground.backdrop, ground.begun = ground.clean, colours()
    body.moved, body.runs, body.lost = True, len(way), 1
    body.tint = tint_of(body.stamp.plane, colours(puck.body()), puck.x_mm, puck.y_mm, 12.5)
    body.samples = [Sample(k * FRAME_MS, k, x, y, 0.2, 0.98) for k, (x, y) in enumerate(way)]
    return ground, body


@pytest.mark.parametrize("lift_mm", [20.0, 35.0])
def test_what_is_seen_past_the_border_in_the_air_has_left(lift_mm: float) -> None:
    board = tables()[1].board
    ground, body = running([(300.0, 330.0), (370.0, 430.0)])
    there = Drawn(name="blue-1", spec=BLUE.spec, x_mm=440.0, y_mm=535.0, lift_mm=lift_mm)
    seen = seen_past_border(ground, gray(there), body, board, 2 * FRAME_MS)
    assert seen is not None
    assert seen[1] > board.height_mm / 2


def test_a_red_piece_over_a_brown_border_that_is_as_bright_is_seen_in_colour() -> None:
    board = tables()[1].board
    ground, body = running([(300.0, 330.0), (370.0, 430.0)], RED)
    there = Drawn(name="red-1", spec=RED.spec, x_mm=440.0, y_mm=535.0, lift_mm=25.0)
    picture, at_ms = gray(there), 2 * FRAME_MS
    assert seen_past_border(ground, picture, body, board, at_ms) is None
    seen = seen_past_border(ground, picture, body, board, at_ms, lambda: colours(there))
    assert seen is not None
    assert seen[1] > board.height_mm / 2
    bare = seen_past_border(ground, gray(), body, board, at_ms, lambda: colours())
    assert bare is None


def test_where_nothing_is_seen_past_the_border_nothing_has_flown() -> None:
    board = tables()[1].board
    ground, body = running([(300.0, 330.0), (370.0, 430.0)])
    back = Drawn(name="blue-1", spec=BLUE.spec, x_mm=440.0, y_mm=440.0)
    assert seen_past_border(ground, gray(back), body, board, 2 * FRAME_MS) is None


EDGE = lying("red-1", "red", 300.0, 480.0)


def hit(push_mm_s: float, *, ran: bool) -> tuple[Ground, Body]:
    """A red puck by the border, lost since it was hit; seen once on its way if it `ran`."""
    way = [(EDGE.x_mm, EDGE.y_mm), (310.0, 484.0)][: 2 if ran else 1]
    ground, body = running(way, EDGE)
    body.moved, body.runs, body.push = ran, int(ran), push_mm_s
    return ground, body


@pytest.mark.parametrize(
    ("push_mm_s", "ran", "twin_lost", "fingers", "seen"),
    [
        (2600.0, False, False, False, True),
        (2600.0, True, False, False, True),
        (2600.0, False, True, False, False),
        (2600.0, False, False, True, False),
        (600.0, False, False, False, False),
    ],
    ids=["lay there", "seen once", "its like is lost too", "in fingers", "hit softly"],
)
def test_what_was_hit_by_the_border_and_is_seen_past_it_has_left(
    push_mm_s: float, ran: bool, twin_lost: bool, fingers: bool, seen: bool
) -> None:
    table = tables()[1]
    ground, body = hit(push_mm_s, ran=ran)
    there = Drawn(name="red-1", spec=RED.spec, x_mm=375.0, y_mm=535.0, lift_mm=25.0)
    limbs = (Limb(reach_mm=(378.0, 540.0), elbow_mm=(378.0, 900.0)),) if fingers else ()
    picture = tables()[0].photographer.picture(Scene(bodies=(there,), limbs=limbs))
    look_past_border(
        ground,
        np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8),
        body,
        table.board,
        len(body.samples) * FRAME_MS,
        len(body.samples),
        reach_mm=150.0,
        twin_lost=twin_lost,
        in_colour=lambda: picture,
    )
    assert (body.flew is not None) == seen
    assert body.moved == (ran or seen)


@pytest.mark.parametrize("rows", [1, 3, 4])
def test_what_is_seen_in_flight_is_one_though_its_hole_divides_it_in_two(rows: int) -> None:
    """Of two of its colour nobody would know which it is."""
    table = tables()[1]
    ground, body = hit(2600.0, ran=False)
    there = Drawn(name="red-1", spec=RED.spec, x_mm=375.0, y_mm=535.0, lift_mm=25.0)
    picture = colours(there).copy()
    changed = (cv2.absdiff(picture, colours()).max(axis=2) > 40).nonzero()
    middle = round(float(changed[0].mean()))
    gap = slice(middle - rows // 2, middle - rows // 2 + rows)
    picture[gap] = colours()[gap]
    flung = flung_past_border(ground, body, table.board, FRAME_MS, 150.0, lambda: picture)
    assert flung is not None
    assert flung == pytest.approx((375.0, 535.0), abs=15.0)


@pytest.mark.parametrize("ran", [False, True], ids=["it lay there", "it was seen once"])
@pytest.mark.parametrize("hidden_mm", [(375.0, 490.0), (-375.0, 490.0)], ids=["by it", "elsewhere"])
def test_what_a_hand_bares_past_the_border_as_it_leaves_is_nothing_in_flight(
    hidden_mm: tuple[float, float], ran: bool
) -> None:
    table = tables()[1]
    ground, body = hit(2600.0, ran=ran)
    there = Drawn(name="red-1", spec=RED.spec, x_mm=375.0, y_mm=535.0, lift_mm=25.0)
    ground.hid = np.zeros(ground.empty.shape, dtype=np.bool_)
    spot = ground.plane(0.0).spot(*hidden_mm)
    ground.hid[int(spot.v) - 15 : int(spot.v) + 16, int(spot.u) - 15 : int(spot.u) + 16] = True
    picture = colours(there)
    place = flung_past_border(
        ground, body, table.board, len(body.samples) * FRAME_MS, 150.0, in_colour=lambda: picture
    )
    assert (place is None) == (hidden_mm[0] > 0)


QUEEN = lying("queen", "white", 300.0, 450.0)


@pytest.mark.parametrize("cue", [True, False], ids=["a cue's ferrule", "the queen"])
def test_the_white_end_of_a_cue_that_is_drawn_back_is_no_queen_in_flight(cue: bool) -> None:
    table = tables()[1]
    ground, body = running([(320.0, 390.0), (310.0, 462.0)], QUEEN)
    body.push = 3000.0
    there = Drawn(name="queen", spec=QUEEN.spec, x_mm=352.0, y_mm=545.0, lift_mm=25.0)
    drawn_back = Stick(tip_mm=(345.0, 517.0, 40.0), butt_mm=(375.0, 1500.0, 120.0))
    scene = Scene(sticks=(drawn_back,)) if cue else Scene(bodies=(there,))
    picture = tables()[0].photographer.picture(scene)
    place = flung_past_border(
        ground, body, table.board, 2 * FRAME_MS, 150.0, in_colour=lambda: picture
    )
    assert (place is None) == cue


@pytest.mark.parametrize(("y_mm", "seen"), [(545.0, True), (590.0, False)])
def test_what_the_edge_of_the_picture_cuts_off_may_be_a_finger_tip_and_is_nothing_in_flight(
    y_mm: float, seen: bool
) -> None:
    ground, body = hit(2600.0, ran=False)
    there = Drawn(name="red-1", spec=RED.spec, x_mm=340.0, y_mm=y_mm, lift_mm=25.0)
    place = flung_past_border(
        ground, body, tables()[1].board, FRAME_MS, 150.0, in_colour=lambda: colours(there)
    )
    assert (place is not None) == seen


def test_a_slow_piece_cannot_have_cleared_the_border() -> None:
    board = tables()[1].board
    assert not clears_border(1000.0, board)
    assert clears_border(3000.0, board)


def test_a_track_that_ends_in_the_air_left_the_board_and_did_not_fall() -> None:
    board = tables()[1].board
    pocket = next(p for p in board.pockets if p.id == "NE").centre
    t = np.arange(4) / 30
    track = Track(
        name="blue-1",
        kind="puck",
        radius_mm=12.5,
        mass=1.0,
        home=(pocket.x_mm - 210.0, pocket.y_mm - 210.0),
        home_error_mm=0.1,
        t=t,
        x=pocket.x_mm - 210.0 + 70.0 * np.arange(4),
        y=pocket.y_mm - 210.0 + 70.0 * np.arange(4),
        sigma=np.full(4, 0.2),
        flew=(4 / 30, pocket.x_mm + 70.0, pocket.y_mm + 70.0),
    )
    line = timelines([track], board, 1 / 30, 1.0)[0]
    assert line.ending.kind == "off_board"
    assert 3 / 30 < line.ending.t_s < 4 / 30
    assert not line.rebounds
