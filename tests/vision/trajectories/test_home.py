"""Where a piece lay as the following of motion sees it, on drawn frames."""

from dataclasses import replace
from math import dist

import cv2
import numpy as np
import pytest
from testkit.simulated_table import film, known, lying, tables
from testkit.tracks import played

from sightline.simulated.scene import Scene
from sightline.simulated.truth import bodies_at
from vision.frame import Picture
from vision.tracking.tracker import Tracker
from vision.trajectories.shots import solve

FPS, LASTS_S = 60.0, 0.7


def gray(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@pytest.mark.parametrize("start_s", [0.3745, 0.3765, 0.378])
def test_a_man_seen_first_a_hair_off_lay_where_he_was_seen_at_rest(start_s: float) -> None:
    table = tables()[1]
    man = lying("red-1", "red", 28.0, -148.0)
    laid = (lying("cue-puck", "natural", 0.0, -200.0), man)
    run = played(table.board, laid, (0.0, 1100.0), start_s=start_s)
    hit = next(h for h in run.happenings if h.what == "contact")
    frames = film(lambda at_s: Scene(bodies=bodies_at(run, laid, at_s)), fps=FPS, lasts_s=LASTS_S)
    tracker = Tracker(table.camera, table.board, gray(table.empty), table.empty)
    tracker.exposure_s = 0.004
    tracker.begin(gray(frames[0].image), known(laid), noise=1.6)
    for frame in frames:
        tracker.step(gray(frame.image), frame.at_ms, frame.number)
    spell = solve(tracker.bodies, table.board, frame_s=1 / FPS, exposure_s=0.004, until_s=LASTS_S)
    home = next(line.track.home for line in spell.lines if line.track.name == "red-1")
    assert dist(home, (man.x_mm, man.y_mm)) < 0.25
    told = next(k for k in spell.knocks if k.kind == "contact")
    assert told.t_s == pytest.approx(hit.at_s, abs=0.0005)


def test_a_man_that_the_still_picture_places_amiss_lay_where_he_is_followed_from() -> None:
    table = tables()[1]
    man = lying("red-1", "red", 28.0, -148.0)
    laid = (lying("cue-puck", "natural", 0.0, -300.0), man)
    run = played(table.board, laid, (0.0, 1100.0), start_s=0.3745)
    frames = film(lambda at_s: Scene(bodies=bodies_at(run, laid, at_s)), fps=FPS, lasts_s=LASTS_S)
    tracker = Tracker(table.camera, table.board, gray(table.empty), table.empty)
    tracker.exposure_s = 0.004
    tracker.begin(gray(frames[0].image), known(laid), noise=1.6)
    body = next(body for body in tracker.bodies if body.known.name == "red-1")
    body.known = replace(body.known, x_mm=body.known.x_mm + 1.6)
    for frame in frames:
        tracker.step(gray(frame.image), frame.at_ms, frame.number)
    spell = solve(tracker.bodies, table.board, frame_s=1 / FPS, exposure_s=0.004, until_s=LASTS_S)
    home = next(line.track.home for line in spell.lines if line.track.name == "red-1")
    assert dist(home, (man.x_mm, man.y_mm)) < 0.25
