"""What a frame makes of a piece that is followed: whether it is still in play."""

import pytest
from testkit.simulated_table import known, lying, tables

from vision.motion.body import Body, Sample
from vision.motion.following import is_gone

FRAME_S = 1 / 30
MOUTH, BEFORE_IT = (-441.0, 477.0), (-400.0, 420.0)


@pytest.mark.parametrize(
    ("seen", "lost", "gone"),
    [(MOUTH, 3, False), (MOUTH, 8, True), (BEFORE_IT, 8, False)],
    ids=["it may come back yet", "it has not come back", "it was not in the mouth"],
)
def test_what_was_last_seen_in_a_mouth_has_fallen_though_foreseen_to_turn_at_the_cushion(
    seen: tuple[float, float], lost: int, gone: bool
) -> None:
    piece = known([lying("cue-puck", "natural", 170.0, -423.0)])[0]
    body = Body(piece, None, (170.0, -423.0), -300.0, 200.0)  # type: ignore[arg-type]
    body.moved, body.lost = True, lost
    body.samples = [Sample(0.0, 0, *seen, 0.1, 0.9)]
    assert is_gone(body, tables()[1].board, FRAME_S) == gone
