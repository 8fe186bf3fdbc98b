"""A piece first seen off its rest, smeared more than the way it has come would say."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from testkit.simulated_table import known, lying, scene, tables

from sightline.simulated.scene import Scene
from vision.still_frames import gray_of
from vision.tracking.fitting import fit
from vision.tracking.smear import fitted_as_smeared
from vision.tracking.tracker import Tracker

EXPOSURE_S = 0.006
CUE = lying("cue-puck", "natural", 60, -80)
WAY = (0.6, 0.8)


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    simulated, table = tables()
    found = Tracker(table.camera, table.board, gray_of(np.asarray(table.empty)))
    found.begin(gray_of(simulated.photographer.picture(scene([CUE]))), known([CUE]), noise=1.6)
    return found


@pytest.mark.parametrize("speed_mm_s", [1500.0, 3000.0, 4500.0])
def test_a_piece_that_set_off_late_in_the_gap_is_placed_as_smeared_as_it_looks(
    tracker: Tracker, speed_mm_s: float
) -> None:
    def running(at_s: float) -> Scene:
        far = speed_mm_s * (at_s + 0.03)
        return scene([replace(CUE, x_mm=CUE.x_mm + far * WAY[0], y_mm=CUE.y_mm + far * WAY[1])])

    clean = tables()[0].photographer.clean_frame(running, 0.0, EXPOSURE_S).astype(np.float64)
    grain = np.random.default_rng(5).normal(0.0, 1.6, clean.shape)
    picture = gray_of((clean + grain).clip(0, 255).astype(np.uint8))
    (body,) = tracker.bodies
    far = speed_mm_s * (0.03 + EXPOSURE_S / 2)
    place = CUE.x_mm + far * WAY[0], CUE.y_mm + far * WAY[1]
    taken_mm = 0.45 * speed_mm_s * EXPOSURE_S  # as if it had run for two frames
    blur = taken_mm * WAY[0], taken_mm * WAY[1]
    near = place[0] - 2, place[1] - 2
    first = fit(body.stamp, picture, tracker.ground.clean, near, blur_mm=blur)
    found = fitted_as_smeared(
        body, picture, tracker.ground.clean, first, blur, others=(), exposure_s=EXPOSURE_S
    )
    assert hypot(found.x_mm - place[0], found.y_mm - place[1]) < 0.6
    assert found.misfit <= first.misfit
    assert found.share > 0.95 * body.best
