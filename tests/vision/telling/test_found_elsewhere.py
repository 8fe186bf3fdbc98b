"""A striker that only a still picture shows again: was a man sent off meanwhile?"""

from dataclasses import replace

import pytest
from testkit.simulated_table import gray
from testkit.tracked_table import LAID, tracking

from rules.geometry import Point
from vision.frame import Observation, SeenPiece
from vision.telling.found_elsewhere import found_elsewhere
from vision.tracking.body import Body, Sample

LIES = (-3.6, -256.4)
LAY = (-66.7, -294.8)
RUN = [(-55.2, -308.7), (-38.4, -328.8), (-22.1, -348.4), (-6.6, -344.2), (8.2, -330.1)]


def body(name: str, kind: str, colour: str, home: tuple[float, float]) -> Body:
    drawn = tracking(gray(LAID)).bodies[0]
    known = replace(drawn.known, name=name, kind=kind, colour=colour, x_mm=home[0], y_mm=home[1])
    return Body(known=known, stamp=drawn.stamp, home=home, x_mm=home[0], y_mm=home[1], best=0.95)


def lying(kind: str, colour: str, place: tuple[float, float]) -> SeenPiece:
    return SeenPiece(kind=kind, colour=colour, at=Point(*place), error_mm=0.1)


@pytest.mark.parametrize(
    ("run", "share", "gone", "men", "found"),
    [
        (RUN, 0.98, False, [RUN[-1]], True),
        (RUN, 0.98, True, [], True),
        (RUN, 0.98, False, [LAY], False),
        (RUN, 0.98, False, [LAY, RUN[-1]], False),
        (RUN, 0.98, False, [(60.0, -200.0)], False),
        (RUN, 0.7, False, [RUN[-1]], False),
        (RUN[-2:], 0.98, False, [RUN[-1]], False),
        ([], 0.98, False, [RUN[-1]], False),
    ],
    ids=[
        "a man ran in plain sight, and lies there",
        "he fell",
        "he lies where he lay",
        "his like lies there",
        "he lies elsewhere",
        "he looked like a hand",
        "he was hardly seen on his way",
        "nobody ran",
    ],
)
def test_a_striker_that_a_hand_hid_is_found_again_only_if_a_man_was_sent_off_meanwhile(
    run: list[tuple[float, float]],
    share: float,
    gone: bool,
    men: list[tuple[float, float]],
    found: bool,
) -> None:
    striker = body("striker", "striker", "ivory", (-123.5, -252.0))
    striker.held, striker.lost = True, 30
    man = body("queen", "queen", "red", LAY)
    man.moved, man.gone = bool(run), gone
    man.samples += [Sample(33.3 * k, k, *at, 0.1, share * man.best) for k, at in enumerate(run)]
    still = Observation(
        pieces=(lying("striker", "ivory", LIES), *(lying("queen", "red", at) for at in men)),
    )
    there = found_elsewhere([striker, man], still)
    assert there == ({"striker": LIES} if found else {})
    assert found_elsewhere([striker, man], None) == {}
    striker.held = False
    assert found_elsewhere([striker, man], still) == {}
