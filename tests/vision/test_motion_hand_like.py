"""A hand that looks like a piece in gray: its colour tells, however poorly the piece shows."""

from types import SimpleNamespace

import numpy as np
import pytest

from sightline.simulated.boards import club_board
from vision.motion.fitting import Fix
from vision.motion.hand_like import is_hand

BOARD = club_board("carrom", (960, 720))
WOOD, SKIN, WHITE = (130.0, 187.0, 220.0), (137.0, 154.0, 185.0), (130.0, 187.0, 218.0)
"""The board, a hand in its own shade and a white man, in blue, green and red."""


@pytest.mark.parametrize(
    ("seen", "share", "best", "hand"),
    [
        (SKIN, 0.87, 0.90, True),
        (SKIN, 0.92, 0.95, True),
        (WHITE, 0.87, 0.90, False),
        (WHITE, 0.98, 0.99, False),
    ],
    ids=[
        "a hand, as like it as it is at home",
        "a hand, as like it as it is at home, which is more",
        "the man, half hidden by his neighbours",
        "the man",
    ],
)
def test_a_hand_that_looks_as_much_like_a_man_as_he_does_himself_is_told_by_its_colour(
    seen: tuple[float, float, float], share: float, best: float, hand: bool
) -> None:
    spot = SimpleNamespace(u=50.0, v=50.0, ux=1.0, uy=0.0, vx=0.0, vy=-1.0)
    plane = SimpleNamespace(spot=lambda x, y: spot)
    body = SimpleNamespace(
        known=SimpleNamespace(radius_mm=15.9),
        stamp=SimpleNamespace(plane=plane),
        tint=np.array(WHITE),
        home=(31.4, -12.6),
        best=best,
        moved=False,
        may_lie_at=lambda found: False,
    )
    over = SimpleNamespace(area_mm2=9000.0, mask=None)
    hands = SimpleNamespace(
        glimpses=[over],
        glimpses_since=lambda span_s: [over],
        tints=lambda picture: np.array([SKIN, SKIN]),
    )
    ground = SimpleNamespace(tint_of_board=lambda plane, at, radius_mm: np.array(WOOD))
    picture = np.full((100, 100, 3), seen).astype(np.uint8)
    found = Fix(-6.0, 10.0, 0.3, share, 1.0, 1.0)
    told = is_hand(
        body,  # type: ignore[arg-type]
        found,
        0.0,
        ground=ground,  # type: ignore[arg-type]
        hands=hands,  # type: ignore[arg-type]
        board=BOARD,
        in_colour=lambda: picture,
    )
    assert told is hand
