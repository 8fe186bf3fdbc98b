"""What a hand that rests by a piece costs: one search now and then, and one at once as it stirs."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.simulated_table import film, known, lying, scene, tables

import vision.tracking.finding
from vision.still_frames import gray_of
from vision.tracking.body import Body, Seal
from vision.tracking.finding import _stride
from vision.tracking.fitting import Fix
from vision.tracking.following import intact, reseal
from vision.tracking.tracker import Tracker

FPS = 60
AT_MM = (40.0, -60.0)
SKIN = (135, 160, 200)
COMES, STIRS, LAST = 6, 96, 102


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The frames in which a piece has been searched for."""
    found: list[int] = []
    seek = vision.tracking.finding._seek

    def noted(now: Any, *args: Any) -> Any:
        found.append(now.frame)
        return seek(now, *args)

    monkeypatch.setattr("vision.tracking.finding._seek", noted)
    return found


def test_a_hand_that_rests_by_a_piece_does_not_cost_a_search_in_every_frame(
    searches: list[int],
) -> None:
    laid = (lying("cue-puck", "natural", *AT_MM),)
    frames = film(lambda _: scene(laid), fps=FPS, lasts_s=LAST / FPS)
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, gray_of(table.empty), table.empty)
    tracker.exposure_s = 0.004
    tracker.begin(gray_of(frames[0].image), known(laid), noise=1.6, colours=frames[0].image)
    spot = tracker.bodies[0].stamp.plane.spot(*AT_MM)
    middle_px, step_px = int(spot.u), int(10.0 / tracker.ground.pitch)
    for frame in frames[1:]:
        seen = frame.image.copy()
        if frame.number >= COMES:
            seen[:, : middle_px + step_px * (frame.number >= STIRS)] = SKIN
        tracker.step(gray_of(seen), frame.at_ms, frame.number, in_colour=lambda now=seen: now)
        if frame.number >= COMES:
            assert tracker.bodies[0].lay_ms == frame.at_ms, "half of it shows where it lay"
    resting = [n for n in searches if COMES + FPS // 4 <= n < STIRS]
    assert 3 <= len(resting) <= 8, "four a second"
    assert STIRS in searches


def flickering(noise: float, frame: int, shifted_px: int = 0) -> NDArray[np.uint8]:
    """A bright square in a picture that flickers."""
    picture = np.full((60, 60), 90.0)
    picture[18:42, 18 + shifted_px : 42 + shifted_px] = 190.0
    picture += np.random.default_rng(frame).normal(0.0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [1.0, 1.8])
def test_a_resting_piece_that_flickers_is_measured_anew_only_where_it_has_moved(
    noise: float,
) -> None:
    (piece,) = known([lying("one", "red", 30.0, 30.0)])
    view = (slice(16, 44), slice(16, 44))
    ground = cast(Any, SimpleNamespace(noise=1.0, box_of=lambda *_: view))
    body = Body(piece, cast(Any, None), (30.0, 30.0), 30.0, 30.0, awake=True, still=5, best=1.0)
    measured = 0
    for frame in range(40):
        picture = flickering(noise, frame)
        seal: Seal | None = intact(body, picture, ground)
        measured += seal is None
        found = seal.fix if seal else Fix(30.0 + 0.01 * (frame % 2), 30.0, 0.05, 1.0, 1.0, 1.0)
        reseal(body, found, picture, ground)
    assert measured <= 4
    assert intact(body, flickering(noise, 99, shifted_px=1), ground) is None


@pytest.mark.parametrize(
    ("held", "cued", "fps", "every"),
    [
        (True, True, 60, 1),
        (True, False, 30, 1),
        (True, False, 60, 2),
        (True, False, 240, 8),
        (False, False, 60, 4),
    ],
    ids=[
        "what may be struck is looked for in each frame",
        "what that may send off, in each of a slow camera",
        "in every other of one twice as fast",
        "in every eighth of a fast one",
        "what is lost and no hand lies by, now and then",
    ],
)
def test_how_often_a_piece_is_looked_for_that_has_long_been_lost(
    held: bool, cued: bool, fps: int, every: int
) -> None:
    now, body = SimpleNamespace(frame_s=1 / fps), SimpleNamespace(held=held, cued=cued)
    assert _stride(cast(Any, now), cast(Any, body)) == every
