"""Cushions that pieces meet where they are hardly seen, or run slowly."""

import pytest
from testkit.tracks import played, tracks_of

from rules.facts import Contacted, Cushioned, Fact, Pocketed
from sightline.simulated.boards import club_board
from sightline.simulated.physics import Run
from sightline.simulated.pieces import Lying
from vision.telling.spell_facts import spell_facts
from vision.trajectories.shots import solve_tracks

BOARD = club_board("qsquare", (1280, 720))
FPS = 60.0


def lying(kind: str, x: float, y: float) -> Lying:
    spec = next(s for s in BOARD.pieces if s.kind == kind)
    return Lying(name=kind, spec=spec, x_mm=x, y_mm=y)


def told(run: Run, pieces: tuple[Lying, ...], seed: int, fps: float = FPS) -> list[Fact]:
    tracks, end = tracks_of(run, pieces, fps=fps, noise_mm=0.15, exposure_s=0.004, seed=seed)
    return list(spell_facts(solve_tracks(tracks, BOARD, frame_s=1 / fps, until_s=end)))


def cushions(run: Run) -> list[tuple[str, float]]:
    return [(str(h.where), 1000 * h.at_s) for h in run.happenings if h.what == "cushion"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("at", "push"),
    [
        ((388.0, 300.0), (780.0, 1000.0)),
        ((397.0, 300.0), (780.0, 1000.0)),
        ((-390.0, -300.0), (-780.0, -1000.0)),
    ],
    ids=["N E", "farther off", "S W"],
)
def test_a_piece_that_meets_a_cushion_just_before_it_falls_is_told_to_have_met_it(
    at: tuple[float, float], push: tuple[float, float], seed: int
) -> None:
    pieces = (lying("cue-puck", *at),)
    run = played(BOARD, pieces, push)
    [(wall, at_ms)] = cushions(run)
    [fell] = [h for h in run.happenings if h.what == "pocketed"]
    assert fell.at_s - at_ms / 1000 < 2 / FPS
    facts = told(run, pieces, seed)
    [met] = [f for f in facts if isinstance(f, Cushioned)]
    assert (met.piece, met.border.value) == ("cue-puck", wall)
    assert abs(met.at_ms - at_ms) < max(3 * met.error_ms, 3.0)
    assert any(isinstance(f, Pocketed) for f in facts)


@pytest.mark.parametrize("seed", range(3))
def test_a_piece_that_runs_straight_into_a_pocket_met_no_cushion(seed: int) -> None:
    pieces = (lying("cue-puck", 300.0, 300.0),)
    run = played(BOARD, pieces, (1000.0, 1000.0))
    assert not cushions(run)
    facts = told(run, pieces, seed)
    assert any(isinstance(f, Pocketed) for f in facts)
    assert not any(isinstance(f, Cushioned) for f in facts)


def test_a_man_sent_slowly_into_a_cushion_was_not_dragged_there() -> None:
    pieces = (lying("cue-puck", 350.0, 0.0), lying("puck", 478.7, 10.0))
    run = played(BOARD, pieces, (600.0, 0.0))
    for seed in range(3):
        facts = told(run, pieces, seed)
        assert any(isinstance(f, Contacted) for f in facts)
        assert [
            f.border.value for f in facts if isinstance(f, Cushioned) and f.piece == "puck"
        ] == [wall for wall, _ in cushions(run)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("fps", [30.0, 60.0])
@pytest.mark.parametrize(("from_mm", "man_mm"), [(440.0, 490.0), (425.0, 491.5)])
def test_a_man_pushed_into_the_cushion_beside_him_met_it_though_he_was_seen_next_on_his_way_back(
    from_mm: float, man_mm: float, fps: float, seed: int
) -> None:
    pieces = (lying("cue-puck", -100.0, from_mm), lying("puck", 111.0, man_mm))
    run = played(BOARD, pieces, (900.0, 130.0))
    [touch] = [h for h in run.happenings if h.what == "contact"]
    facts = told(run, pieces, seed, fps)
    [met] = [f for f in facts if isinstance(f, Cushioned) and f.piece == "puck"]
    [(wall, at_ms)] = [(w, t) for w, t in cushions(run) if 0 < t - 1000 * touch.at_s < 40]
    assert met.border.value == wall
    assert abs(met.at_ms - at_ms) < max(3 * met.error_ms, 1000 / fps)


def test_a_struck_piece_that_recoils_from_a_man_met_no_cushion_behind_it() -> None:
    pieces = (lying("cue-puck", 480.0, 0.0), lying("puck", 430.0, 0.0))
    run = played(BOARD, pieces, (-900.0, 0.0))
    for seed in range(3):
        facts = told(run, pieces, seed)
        assert not any(isinstance(f, Cushioned) and f.piece == "cue-puck" for f in facts)
