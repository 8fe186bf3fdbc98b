"""What a struck piece shifts a little as it runs by is told as touched, and nothing else is."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from testkit.tracks import played, tracks_of

from rules.facts import Contacted
from sightline.simulated.boards import club_board
from sightline.simulated.physics import Run
from sightline.simulated.pieces import Lying, surface_of
from vision.telling.spell_facts import spell_facts
from vision.trajectories.shots import solve_tracks

BOARD = club_board()
SURFACE = surface_of(BOARD, slowing_mm_s2=1100.0)
REACH_MM = 37.5
ERRORS_MM = 0.1
PASSED_S = 0.62  # when a cue-puck that leaves at 0.3 s with 1100 mm/s is beside red-1


def piece(name: str, x_mm: float, y_mm: float) -> Lying:
    kind = "cue-puck" if name == "cue-puck" else "puck"
    spec = next(s for s in BOARD.pieces if s.kind == kind)
    return Lying(name=name, spec=spec, x_mm=x_mm, y_mm=y_mm)


def passes(aside_mm: float, speed_mm_s: float, start_s: float) -> tuple[Run, tuple[Lying, ...]]:
    """The cue-puck runs past red-1, which lies in the middle, on to red-2."""
    lying = (
        piece("cue-puck", aside_mm, -300.0),
        piece("red-1", 0.0, 0.0),
        piece("red-2", aside_mm + 15.0, 130.0),
    )
    return played(BOARD, lying, (0.0, speed_mm_s), start_s=start_s, surface=SURFACE), lying


def touches(run: Run, lying: tuple[Lying, ...], fps: float, seed: int) -> list[Contacted]:
    tracks, end_s = tracks_of(run, lying, fps=fps, noise_mm=ERRORS_MM, exposure_s=0.004, seed=seed)
    spell = solve_tracks(tracks, BOARD, frame_s=1 / fps, until_s=end_s, exposure_s=0.004)
    found = [fact for fact in spell_facts(spell) if isinstance(fact, Contacted)]
    return [fact for fact in found if {fact.a, fact.b} == {"cue-puck", "red-1"}]


def shift_mm(run: Run, lying: tuple[Lying, ...]) -> float:
    tracks, _ = tracks_of(run, lying, fps=30.0, noise_mm=0.0, exposure_s=0.0, seed=0)
    puck = next(track for track in tracks if track.name == "red-1")
    return hypot(float(puck.x[-1]), float(puck.y[-1]))


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("side", [-1, 1], ids=["left", "right"])
@pytest.mark.parametrize(
    ("deep_mm", "speed_mm_s"),
    [(0.02, 1200), (0.03, 1100), (0.04, 1000), (0.05, 1300), (0.12, 900), (0.12, 1400)],
)
def test_a_touch_in_passing_is_told_at_its_time_though_it_shifts_the_puck_by_little(
    deep_mm: float, speed_mm_s: float, side: int, fps: float
) -> None:
    for seed in range(4):
        aside_mm = side * (REACH_MM - deep_mm)
        run, lying = passes(aside_mm, speed_mm_s, 0.3 + seed * 0.25 / fps)
        assert 0.7 < shift_mm(run, lying) < 9.0
        true = next(h for h in run.happenings if {h.a, h.b} == {"cue-puck", "red-1"})
        [touch] = touches(run, lying, fps, seed)
        off_ms = abs(touch.at_ms - 1000 * true.at_s)
        assert off_ms < max(3 * touch.error_ms, 1.0)


@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("gap_mm", [0.02, 0.1, 0.3, 0.8])
def test_a_puck_that_is_not_shifted_was_not_touched_however_close_the_pass(
    gap_mm: float, fps: float
) -> None:
    for seed in range(8):
        run, lying = passes(REACH_MM + gap_mm, 1100.0, 0.3 + seed * 0.125 / fps)
        assert not touches(run, lying, fps, seed)


@pytest.mark.parametrize("shifted_mm", [0.5, -0.5], ids=["towards", "away"])
def test_a_puck_is_only_touched_if_it_was_shifted_away_from_what_passed(shifted_mm: float) -> None:
    run, lying = passes(REACH_MM + 0.1, 1100.0, 0.3)
    tracks, end_s = tracks_of(run, lying, fps=60, noise_mm=0.03, exposure_s=0.004, seed=1)
    random = np.random.default_rng(1)
    times = np.arange(0.25, end_s, 1 / 60)
    x, y = random.normal(0.0, 0.03, (2, len(times)))
    puck = replace(
        next(track for track in tracks if track.name == "red-1"),
        t=times,
        x=x + np.where(times > PASSED_S, shifted_mm, 0.0),
        y=y,
        sigma=np.full(len(times), 0.18),
    )
    tracks = [puck if track.name == "red-1" else track for track in tracks]
    spell = solve_tracks(tracks, BOARD, frame_s=1 / 60, until_s=end_s, exposure_s=0.004)
    found = [fact for fact in spell_facts(spell) if isinstance(fact, Contacted)]
    told = any({fact.a, fact.b} == {"cue-puck", "red-1"} for fact in found)
    assert told is (shifted_mm < 0)
