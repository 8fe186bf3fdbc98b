"""Strikes beneath a hand, of which only what they set running and what came to rest is seen."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.tracks import played, tracks_of

from rules.facts import Contacted, Struck
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from vision.motion.shots import solve_tracks
from vision.telling import spell_facts

BOARD = club_board("carrom", (960, 720))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("man", "push", "seemed_s"),
    [((-28.7, 265.2), (-410.0, 92.0), 0.52), ((69.6, 265.0), (463.0, 150.0), 0.49)],
)
def test_a_striker_that_seemed_to_lie_until_it_was_seen_at_rest_sent_the_man_off_before(
    man: tuple[float, float], push: tuple[float, float], seemed_s: float, seed: int
) -> None:
    lying = tuple(
        Lying(name=kind, spec=next(s for s in BOARD.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 17.5, 252.1), ("carromman", *man))
    )
    run = played(BOARD, lying, push)
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
    rests = np.hypot(striker.x - striker.x[-1], striker.y - striker.y[-1]) < 1.0
    striker = replace(striker.part(rests & (striker.t > seemed_s)), lay_s=seemed_s)
    facts = spell_facts(solve_tracks([striker, hit], BOARD, frame_s=1 / 30, until_s=end))
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    true = next(h for h in run.happenings if h.what == "contact")
    assert (struck.piece, {touch.a, touch.b}) == ("striker", {"striker", "carromman"})
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 1000 * run.start_s) < 3 * struck.error_ms
    assert abs(touch.at_ms - 1000 * true.at_s) < 3 * touch.error_ms
