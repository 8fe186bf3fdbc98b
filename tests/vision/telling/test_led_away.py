"""A hand that reaches for the striker is taken for it for a frame, and then leads it away."""

from dataclasses import replace

import pytest
from testkit.simulated_table import gray
from testkit.tracked_table import LAID, tracking

from rules.facts import Moved, Struck
from sightline.simulated.boards import club_board
from vision.telling.spell_facts import spell_facts
from vision.tracking.body import Body, Sample
from vision.trajectories.shots import solve

BOARD = club_board("carrom", (960, 720))
FRAME_MS = 100 / 3
HOME = (259.1, 268.0)
LIES_X_MM = 174.6
ASTRAY = [(272.3, 315.1)]
AT_HOME = [(258.4, 268.3), (258.5, 268.0), (258.5, 268.0), (258.5, 268.0), (258.4, 268.0)]
IN_HAND_X_MM = (257.6, 254.3, 249.6, 244.2, 236.9)
LED_X_MM = (229.1, 220.9, 212.6, 204.3, 196.7, 189.6, 183.5, 178.7, 175.6, *[LIES_X_MM] * 14)
FLICKED_X_MM = tuple(258.5 - 40.0 * k + 0.8 * k * k for k in range(1, 26))


def striker(samples: list[Sample]) -> Body:
    drawn = tracking(gray(LAID)).bodies[0]
    known = replace(
        drawn.known, name="striker", kind="striker", x_mm=HOME[0], y_mm=HOME[1], radius_mm=20.6
    )
    return Body(
        known=known,
        stamp=drawn.stamp,
        home=HOME,
        x_mm=samples[-1].x_mm,
        y_mm=samples[-1].y_mm,
        best=0.95,
        moved=True,
        samples=samples,
        unmoved_ms=0.0,
    )


def seen(
    astray: list[tuple[float, float]], in_hand_x_mm: tuple[float, ...], out_x_mm: tuple[float, ...]
) -> list[Sample]:
    """Perhaps astray; at home in the hand; led on in it, and out of it."""
    held = [*AT_HOME, *((x, 268.0) for x in in_hand_x_mm)]
    places = [*astray, *held, *((x, 268.0) for x in out_x_mm)]
    hidden = range(len(astray), len(astray) + len(held))
    return [
        Sample(
            1000.0 + FRAME_MS * k, 30 + k, *place, 0.1, 0.8 if k in hidden else 0.95, k in hidden
        )
        for k, place in enumerate(places)
    ]


@pytest.mark.parametrize(
    ("astray", "in_hand_x_mm", "out_x_mm", "told"),
    [
        (ASTRAY, IN_HAND_X_MM, LED_X_MM, Moved),
        (ASTRAY, (), FLICKED_X_MM, Struck),
        ([], (), FLICKED_X_MM, Struck),
    ],
    ids=["led away", "flicked after the hand was taken for it", "flicked"],
)
def test_what_a_hand_leads_away_into_sight_is_moved_though_the_hand_was_taken_for_it_before(
    astray: list[tuple[float, float]],
    in_hand_x_mm: tuple[float, ...],
    out_x_mm: tuple[float, ...],
    told: type,
) -> None:
    body = striker(seen(astray, in_hand_x_mm, out_x_mm))
    until_s = body.samples[-1].at_ms / 1000 + 0.3
    spell = solve([body], BOARD, frame_s=FRAME_MS / 1000, exposure_s=0.006, until_s=until_s)
    facts = [fact for fact in spell_facts(spell, 900.0) if isinstance(fact, Moved | Struck)]
    assert [type(fact) for fact in facts] == [told]
