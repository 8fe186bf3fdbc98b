"""A hand that looks like a piece in gray: its colour tells, however poorly the piece shows."""

from types import SimpleNamespace

import numpy as np
import pytest

from sightline.simulated.boards import club_board
from vision.tracking.fitting import Fix
from vision.tracking.hand_like import is_hand
from vision.tracking.hands import Glimpse, HandWatch

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
        tints=lambda picture, begun: np.array([SKIN, SKIN]),
    )
    ground = SimpleNamespace(begun=None, tint_of_board=lambda plane, at, radius_mm: np.array(WOOD))
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


@pytest.mark.parametrize(
    ("close_by", "counts"),
    [((160.0, 180.0, 216.0), True), ((128.0, 158.0, 176.0), False), ((160.0, 198.0, 220.0), False)],
    ids=["skin as bright as the board", "the board in shadow", "the board"],
)
def test_of_a_hand_that_counts_as_well_which_only_its_colour_tells_from_the_board(
    close_by: tuple[float, float, float], counts: bool
) -> None:
    surface = np.full((60, 60), 255, np.uint8)
    watch = HandWatch(surface, cell_mm=3.0, cell_px=4, corner_px=(0, 0))
    mask = np.zeros_like(surface)
    mask[:20, 20:40] = 255
    watch.glimpses.append(
        Glimpse(at_ms=0.0, area_mm2=3600.0, width_mm=60.0, moving_mm2=0.0, mask=mask)
    )
    begun = np.full((240, 240, 3), (160, 198, 220), np.uint8)
    picture = begun.copy()
    picture[:80, 80:160] = (60, 60, 130)
    picture[80:120, 80:160] = close_by
    tints = watch.tints(picture, begun)
    assert (tints == (60.0, 60.0, 130.0)).all(axis=1).any()
    assert (tints == close_by).all(axis=1).any() == counts


@pytest.mark.parametrize(
    ("seen", "strange"),
    [(SKIN, True), (WOOD, False), ((65.0, 93.5, 110.0), False), ((30.0, 30.0, 30.0), False)],
    ids=["skin", "board that a man has left", "the same in shadow", "the man"],
)
def test_strange_is_what_looks_neither_as_it_began_nor_like_the_bare_board(
    seen: tuple[float, float, float], strange: bool
) -> None:
    watch = HandWatch(np.full((60, 60), 255, np.uint8), cell_mm=3.0, cell_px=4, corner_px=(0, 0))
    bare = np.full((240, 240, 3), WOOD, np.uint8)
    begun, picture = bare.copy(), bare.copy()
    begun[40:80, 40:80] = 30
    picture[40:80, 40:80] = seen
    cells = watch.cells((slice(20, 100), slice(20, 100)))
    told = watch.strange(cells, picture, [begun, bare])
    assert told.shape == (20, 20)
    assert told[5:15, 5:15].all() == told.any() == strange
