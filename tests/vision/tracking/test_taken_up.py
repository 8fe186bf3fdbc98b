"""When a shot is over though a hand or a cue is there, and what a hand has taken up since."""

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from vision.tracking.body import Body, Known, Sample
from vision.tracking.taken_up import all_in_sight, all_rested, leave_to_hands

FRAME_S = 1 / 30


@dataclass
class Way:
    """Where a piece was in each frame, mm along x, and in which of them a hand was about it."""

    at_mm: list[float]
    in_hand: int = 0  # the last so many
    lost: int = 0  # frames since
    kind: str = "carromman"
    gone: bool = False
    sent_ms: float | None = None  # since when it is seen nowhere
    samples: list[Sample] = field(default_factory=list)

    def body(self) -> Body:
        known = Known(
            name="one",
            kind=self.kind,
            colour="black",
            x_mm=0.0,
            y_mm=0.0,
            error_mm=0.1,
            radius_mm=16.0,
            thickness_mm=8.0,
        )
        last = self.at_mm[-1]
        body = Body(known, cast(Any, None), (0.0, 0.0), last, 0.0, best=1.0)
        body.moved = len(self.at_mm) > 1
        free = len(self.at_mm) - self.in_hand
        for k, x_mm in enumerate(self.at_mm):
            body.samples.append(Sample(1000 * k * FRAME_S, k, x_mm, 0.0, 0.1, 1.0, k >= free))
        still = [k for k, x_mm in enumerate(self.at_mm) if abs(x_mm - last) > 0.5]
        body.still = len(self.at_mm) - 1 - (still[-1] if still else 0)
        body.lost, body.gone, body.sent_ms = self.lost, self.gone, self.sent_ms
        return body


RAN = [0.0, 40.0, 70.0, 90.0, 100.0]
RESTED = [*RAN, *[100.0] * 7]
LEFT = [*RAN, *[100.0] * 15]


@pytest.mark.parametrize(
    ("ways", "rested"),
    [
        pytest.param([Way(RESTED)], True, id="all lie still"),
        pytest.param([Way(RESTED), Way(RAN)], False, id="one runs yet"),
        pytest.param([Way(RESTED, lost=4)], True, id="one is hidden where it came to rest"),
        pytest.param([Way(RAN, lost=10), Way(RESTED)], False, id="one was lost as it ran"),
        pytest.param([Way(RAN, gone=True), Way(RESTED)], True, id="one has fallen"),
        pytest.param(
            [Way(RESTED), Way([*RESTED, 90.0, 60.0], in_hand=2, kind="striker")],
            True,
            id="a hand has taken up the striker where it came to rest",
        ),
        pytest.param(
            [Way(RESTED), Way([*RAN, 90.0, 60.0], in_hand=2, kind="striker")],
            False,
            id="a hand has stopped the striker",
        ),
        pytest.param([Way(RESTED, kind="striker")], False, id="the striker alone, as it is set"),
        pytest.param(
            [Way(RESTED, kind="striker"), Way([0.0], lost=10, sent_ms=33.3)],
            True,
            id="the striker, and a man whom nobody sees any more since",
        ),
        pytest.param(
            [Way(RESTED, kind="striker"), Way([0.0], lost=90, sent_ms=-2000.0)],
            False,
            id="the striker as it is set, after a man was taken away",
        ),
        pytest.param(
            [Way([0.0, 90.0, 170.0, 240.0, 300.0, *[300.0] * 7], kind="striker")],
            True,
            id="the striker alone, that ran far in sight",
        ),
        pytest.param(
            [Way([0.0, 90.0, 170.0, 240.0, 300.0, *[300.0] * 7], in_hand=9, kind="striker")],
            False,
            id="the striker alone, that a hand led far",
        ),
        pytest.param([Way([0.0, 3.0, *[3.0] * 8])], False, id="a man that was only nudged"),
    ],
)
def test_beside_a_hand_a_shot_is_over_once_all_that_ran_has_been_seen_to_rest(
    ways: list[Way], rested: bool
) -> None:
    assert all_rested([way.body() for way in ways], frame_s=FRAME_S) is rested


@pytest.mark.parametrize(
    ("ways", "rested"),
    [
        pytest.param([Way(LEFT, kind="cue-puck")], True, id="the cue-puck led there"),
        pytest.param([Way(LEFT, lost=1)], False, id="one is not seen just now"),
        pytest.param([Way(LEFT[:-3])], False, id="one has lain still for too short a time"),
        pytest.param([Way([0.0, 3.0, *[3.0] * 15])], False, id="one that was only nudged"),
    ],
)
def test_beside_a_cue_it_is_over_once_all_are_seen_to_lie_still(
    ways: list[Way], rested: bool
) -> None:
    assert all_in_sight([way.body() for way in ways], frame_s=FRAME_S) is rested


def test_what_a_hand_has_taken_up_lies_where_it_came_to_rest() -> None:
    taken = Way([*RESTED, 90.0, 60.0], in_hand=2, kind="striker").body()
    leave_to_hands([taken])
    assert (taken.x_mm, taken.last[0], len(taken.samples)) == (100.0, 100.0, len(RESTED))
