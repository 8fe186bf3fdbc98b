"""Whether a piece that a hand hides in part still lies there, on drawn pictures."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.simulated_table import lying, scene, tables

from vision.still_frames import gray_of
from vision.tracking.body import Body, Sample, known_of
from vision.tracking.fitting import Fix
from vision.tracking.following import follow
from vision.tracking.held import lies_by_hand
from vision.tracking.lying import Laid, half_seen, laid_at, lies_still
from vision.tracking.plane import Plane
from vision.tracking.tracker import Tracker
from vision.trajectories.shots import solve

X_MM, Y_MM = 40.0, -60.0
SKIN = (135, 160, 200)
Shot = tuple[NDArray[np.uint8], NDArray[np.uint8], Plane, float]


def shot(name: str = "one", colour: str = "red") -> Shot:
    """The table with a red piece, or another, without it, and where it lies."""
    simulated, table = tables()
    piece = lying(name, colour, X_MM, Y_MM)
    there = simulated.photographer.picture(scene([piece]))
    bare = simulated.photographer.picture(scene([]))
    return there, bare, Plane(table.camera, piece.spec.thickness_mm, 1.0), piece.radius_mm


def under_hand(picture: NDArray[np.uint8], plane: Plane, but_mm: float) -> NDArray[np.uint8]:
    """A picture with a hand over all that lies to the left of `but_mm` from the middle."""
    spot = plane.spot(X_MM + but_mm, Y_MM)
    covered = picture.copy()
    covered[:, : int(spot.u)] = SKIN
    return covered


def followed() -> Body:
    """The piece at rest, as a tracker has begun to follow it."""
    there, bare, _, _ = shot()
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, gray_of(bare))
    piece = known_of(lying("one", "red", X_MM, Y_MM).piece(), table.board)
    tracker.begin(gray_of(there), [piece], noise=1.0)
    (body,) = tracker.bodies
    return body


def laid(there: NDArray[np.uint8], plane: Plane, radius_mm: float) -> Laid:
    found = laid_at(plane, there, X_MM, Y_MM, radius_mm, noise=1.0)
    assert found is not None
    return found


@pytest.mark.parametrize("but_mm", [-6.0, 0.0, 7.0])
def test_what_shows_beside_a_hand_tells_whether_a_piece_lies_there(but_mm: float) -> None:
    there, bare, plane, radius_mm = shot()
    piece = laid(there, plane, radius_mm)
    before = piece.shows(under_hand(there, plane, but_mm))
    assert lies_still(piece.shows(under_hand(there, plane, but_mm)), before)
    assert not lies_still(piece.shows(under_hand(bare, plane, but_mm)), before)


def test_what_a_hand_hides_wholly_is_not_said_to_lie_there() -> None:
    there, _, plane, radius_mm = shot()
    piece = laid(there, plane, radius_mm)
    assert not lies_still(piece.shows(under_hand(there, plane, 3 * radius_mm)), 0.0)


@pytest.mark.parametrize(("but_mm", "is_bare"), [(-6.0, True), (20.0, False)])
def test_a_place_of_which_the_board_shows_beside_a_hand_is_bare(
    but_mm: float, is_bare: bool
) -> None:
    there, bare, plane, radius_mm = shot("cue-puck", "natural")
    piece = laid_at(plane, there, X_MM, Y_MM, radius_mm, noise=1.0, empty=bare)
    assert piece is not None
    assert piece.is_bare(under_hand(bare, plane, but_mm)) is is_bare
    assert not piece.is_bare(under_hand(there, plane, but_mm))


def test_where_a_piece_looks_like_the_board_nothing_is_said() -> None:
    _, bare, plane, radius_mm = shot()
    assert laid_at(plane, bare, X_MM, Y_MM, radius_mm, noise=1.0) is None


def test_a_finger_that_looks_like_half_a_piece_in_gray_is_none_where_no_colour_of_it_shows() -> (
    None
):
    there, bare, plane, radius_mm = shot()
    piece = laid(there, plane, radius_mm)
    assert half_seen(0.73, 0.99, piece.shows(under_hand(there, plane, 0.0)))
    assert not half_seen(0.73, 0.99, piece.shows(under_hand(bare, plane, 0.0)))
    assert not half_seen(0.5, 0.99, piece.shows(there))


def test_a_piece_found_away_in_the_frame_in_which_its_colours_still_showed_lay_until_before() -> (
    None
):
    body = followed()
    for at_ms in (0.0, 33.0, 67.0):
        body.lies(at_ms)
    follow(body, Fix(X_MM + 4, Y_MM, 0.1, 0.9, 1.0, 1.0), 67.0, 2, frame_s=1 / 30)
    assert body.moved
    assert body.lay_ms == 33.0


@pytest.mark.parametrize(("since_ms", "strikes"), [(433.0, 1), (0.0, 0)])
def test_what_is_found_so_near_that_it_looked_at_home_was_struck_only_if_it_was_seen_there_lately(
    since_ms: float, strikes: int
) -> None:
    table = tables()[1]
    body = followed()
    body.known = replace(body.known, kind="cue-puck")
    body.unmoved_ms = since_ms
    body.lies(433.0)
    for k in range(8):
        place = Fix(X_MM + 0.5 * body.known.radius_mm, Y_MM, 0.1, body.best, 1.0, 1.0)
        follow(body, place, 467.0 + 33.0 * k, 14 + k, frame_s=1 / 30)
    spell = solve([body], table.board, frame_s=1 / 30, exposure_s=0.0, until_s=0.8)
    assert [knock.kind for knock in spell.knocks] == ["strike"] * strikes


@pytest.mark.parametrize("far_mm", [5.0, 12.0, 60.0])
def test_a_piece_half_hidden_by_the_hand_that_struck_it_is_placed_roughly_but_has_left(
    far_mm: float,
) -> None:
    body = followed()
    body.held = True
    found = Fix(X_MM + far_mm, Y_MM, 0.1, 0.85 * body.best, 1.0, 1.0)
    follow(body, found, 67.0, 2, frame_s=1 / 30)
    assert body.moved
    assert 0.3 < body.samples[-1].error_mm < far_mm / 6


def watched() -> tuple[Tracker, Body, NDArray[np.uint8], NDArray[np.uint8]]:
    """A cue-puck as a tracker has begun to follow it, its picture, and one without it."""
    there, bare, _, _ = shot("cue-puck", "natural")
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, gray_of(bare), bare)
    piece = known_of(lying("cue-puck", "natural", X_MM, Y_MM).piece(), table.board)
    tracker.begin(gray_of(there), [piece], noise=1.0, colours=there)
    (body,) = tracker.bodies
    body.held = True
    return tracker, body, there, bare


@pytest.mark.parametrize(
    ("part", "board", "lies"),
    [
        pytest.param(1.0, False, True, id="half of it shows beside the hand"),
        pytest.param(0.15, False, True, id="a sliver shows beside the hand"),
        pytest.param(0.15, True, False, id="what passes for a sliver, beside the bare board"),
    ],
)
def test_a_piece_led_off_slowly_under_a_finger_lies_there_no_more(
    part: float, board: bool, lies: bool
) -> None:
    tracker, body, there, bare = watched()
    assert body.laid is not None
    spot = body.stamp.plane.spot(X_MM, Y_MM)
    middle, reach = int(spot.u), int(part * body.known.radius_mm / tracker.ground.pitch)
    now = bare.copy() if board else np.full_like(there, SKIN)
    now[:, middle : middle + reach] = there[:, middle : middle + reach]
    body.shown = body.laid.shows(now)  # as in the frame before: it has gone little by little
    assert lies_by_hand(body, tracker.ground, tracker.hands, lambda: now, 100.0) is lies
    assert (body.bare_ms is None) is lies


def test_what_came_to_rest_elsewhere_lies_there_by_its_look_in_that_place() -> None:
    tracker, body, _, bare = watched()
    moved = lying("cue-puck", "natural", X_MM + 90.0, Y_MM + 30.0)
    there = tables()[0].photographer.picture(scene([moved]))
    for frame in range(12):
        tracker.step(gray_of(there), 1000 / 30 * frame, frame, in_colour=lambda: there)
    body.moved, (x, y) = True, (moved.x_mm, moved.y_mm)
    body.samples[:] = [Sample(1000 / 30 * k, k, x, y, 0.1, body.best) for k in range(12)]
    tracker.rebase()
    body.held = True
    assert lies_by_hand(body, tracker.ground, tracker.hands, lambda: there, 500.0)
    assert not lies_by_hand(body, tracker.ground, tracker.hands, lambda: bare, 533.0)
    assert body.bare_ms == 533.0
