"""Whether what runs may have pushed a piece: one followed for long touched only what it came to."""

from typing import Any, cast

import pytest

from vision.tracking.body import Body, Known, Sample
from vision.tracking.fitting import Fix
from vision.tracking.pushing import near_mover, push_on

FRAME_S = 1 / 30
PUCK_MM, CUE_PUCK_MM = 12.5, 25.0
TOUCHING_MM = PUCK_MM + CUE_PUCK_MM


def body_at(x_mm: float, y_mm: float, radius_mm: float, kind: str) -> Body:
    known = Known(
        name=kind,
        kind=kind,
        colour="black",
        x_mm=x_mm,
        y_mm=y_mm,
        error_mm=0.1,
        radius_mm=radius_mm,
        thickness_mm=6.0,
    )
    return Body(known, cast(Any, None), (x_mm, y_mm), x_mm, y_mm, awake=True, best=1.0)


def runner(way_x_mm: list[float], aside_mm: float, *, runs: int, lost: int = 0) -> Body:
    """A cue-puck that has run along x, `aside_mm` off the puck at the origin."""
    mover = body_at(way_x_mm[0], aside_mm, CUE_PUCK_MM, "cue-puck")
    mover.moved, mover.runs, mover.lost = True, runs, lost
    mover.samples = [
        Sample(1000 * k * FRAME_S, k, x, aside_mm, 0.1, 1.0) for k, x in enumerate(way_x_mm)
    ]
    mover.x_mm, mover.y_mm = way_x_mm[-1], aside_mm
    mover.speed = mover.pace = abs(way_x_mm[-1] - way_x_mm[-2]) / FRAME_S
    return mover


SLOW = [-24.0, -18.0, -12.0, -6.0]  # 180 mm/s
FAST = [-420.0, -320.0, -220.0, -120.0]  # 3,000 mm/s


@pytest.mark.parametrize(
    ("mover", "next_x_mm", "may"),
    [
        pytest.param(runner(SLOW, TOUCHING_MM + 17, runs=7), 0.0, False, id="led by, 17 mm off"),
        pytest.param(
            runner(SLOW, TOUCHING_MM + 3, runs=7), 0.0, True, id="led by, almost touching"
        ),
        pytest.param(runner(SLOW, TOUCHING_MM + 17, runs=1), 0.0, True, id="it has just set off"),
        pytest.param(runner(FAST, 0.0, runs=7), -60.0, True, id="struck at it, and turned back"),
        pytest.param(runner(FAST, 300.0, runs=7), -20.0, False, id="it runs far off"),
    ],
)
def test_a_piece_may_be_pushed_by_what_comes_as_near_as_it_runs(
    mover: Body, next_x_mm: float, may: bool
) -> None:
    puck = body_at(0.0, 0.0, PUCK_MM, "puck")
    fix = Fix(next_x_mm, mover.y_mm, 0.1, 1.0, 1.0, 1.0)
    assert (push_on(puck, [(mover, fix)], FRAME_S) > 0) is may
    assert near_mover(puck, [mover, puck], FRAME_S) is may


def test_a_piece_lost_for_some_frames_may_have_been_pushed_in_any_of_them() -> None:
    puck = body_at(0.0, 0.0, PUCK_MM, "puck")
    gone_by = runner([-40.0, -20.0, 0.0, 20.0, 40.0, 60.0, 80.0], TOUCHING_MM + 1, runs=7)
    assert not near_mover(puck, [gone_by], FRAME_S)
    puck.lost = 4
    assert near_mover(puck, [gone_by], FRAME_S)
