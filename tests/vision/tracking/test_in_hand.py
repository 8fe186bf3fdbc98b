"""Places at which a hand looks like a piece, told by what lies around: a board, or the hand."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.tracking.body import Body, Known, Sample
from vision.tracking.foresight import Runner
from vision.tracking.hands import Glimpse, HandWatch
from vision.tracking.in_hand import tell_hands
from vision.tracking.instant import Instant

WOOD, SKIN, BLUE = (130, 187, 220), (137, 154, 185), (120, 80, 60)
RADIUS_MM = 15.9
AT_MS = 1000.0


def box_of(x: float, y: float, known: Known, grow_mm: float) -> tuple[slice, slice]:
    """A picture of the table from above, one pixel a millimetre."""
    reach = known.radius_mm + grow_mm
    return slice(int(y - reach), int(y + reach) + 1), slice(int(x - reach), int(x + reach) + 1)


def a_man(*, share: float, kind: str = "carromman") -> Body:
    """One that lay at (60, 60) and seems to be at (240, 240)."""
    known = Known(
        name="white-1",
        kind=kind,
        colour="white",
        x_mm=60.0,
        y_mm=60.0,
        error_mm=0.1,
        radius_mm=RADIUS_MM,
        thickness_mm=8.0,
    )
    man = Body(known, cast(Any, None), (60.0, 60.0), 240.0, 240.0, awake=True, moved=True, best=1.0)
    man.samples.append(Sample(AT_MS, 30, 240.0, 240.0, 0.5, share))
    return man


def seen(
    man: Body,
    about: tuple[int, int, int],
    *,
    wide_ms_ago: float = 100.0,
    from_row: int = 240,
    foreseen: tuple[float, float] = (240.0, 240.0),
) -> None:
    """`about` is the colour around the man, but for its upper half, or all above `from_row`."""
    bare = np.full((400, 400, 3), WOOD, np.uint8)
    picture = bare.copy()
    picture[from_row:300, 180:300] = about
    hands = HandWatch(np.full((100, 100), 255, np.uint8), 4.0, 4, (0, 0))
    mask = np.zeros((100, 100), np.uint8)
    hands.glimpses.append(Glimpse(AT_MS - wide_ms_ago, 3000.0, 40.0, 0.0, mask))
    hands.glimpses.append(Glimpse(AT_MS, 0.0, 0.0, 0.0, None))
    ground = SimpleNamespace(box_of=box_of, coloured=[bare])
    tell_hands(
        cast(
            Instant,
            SimpleNamespace(
                hands=hands,
                ground=ground,
                bodies=[man],
                awake=[man],
                runners=[Runner(*foreseen, 900.0, 0.0, RADIUS_MM, 1.0)],
                at_ms=AT_MS,
                in_colour=lambda: picture,
            ),
        )
    )


@pytest.mark.parametrize(
    ("about", "share", "wide_ms_ago", "in_hand"),
    [
        (SKIN, 0.84, 100.0, True),
        (BLUE, 0.84, 100.0, True),
        ((91, 131, 154), 0.84, 100.0, False),
        (WOOD, 0.84, 100.0, False),
        (SKIN, 0.97, 100.0, False),
        (SKIN, 0.84, 900.0, False),
    ],
    ids=[
        "skin that is as bright as the board",
        "a sleeve",
        "the board in shadow",
        "the board",
        "the man himself, beside a hand",
        "no hand lately",
    ],
)
def test_a_man_seen_nowhere_but_at_home_and_where_a_hand_lies_about_is_not_taken_to_have_left(
    about: tuple[int, int, int], share: float, wide_ms_ago: float, in_hand: bool
) -> None:
    man = a_man(share=share)
    seen(man, about, wide_ms_ago=wide_ms_ago)
    assert man.moved is not in_hand
    assert [s.in_hand for s in man.samples] == ([] if in_hand else [False])


def test_one_that_was_seen_on_its_way_before_runs_on() -> None:
    man = a_man(share=0.84)
    man.samples.insert(0, Sample(AT_MS - 33.0, 29, 150.0, 150.0, 0.1, 0.98))
    seen(man, SKIN, wide_ms_ago=100.0)
    assert man.moved
    assert [s.in_hand for s in man.samples] == [False, True]


@pytest.mark.parametrize("kind", ["carromman", "striker"])
@pytest.mark.parametrize(
    ("share", "from_row", "in_hand"),
    [(0.93, 240, True), (0.93, 264, False), (0.98, 240, False)],
    ids=["amidst it", "beside it", "amidst it, but wholly like himself"],
)
def test_what_looks_nearly_like_a_piece_may_be_the_hand_only_where_it_seems_amidst_it(
    share: float, from_row: int, in_hand: bool, kind: str
) -> None:
    man = a_man(share=share, kind=kind)
    seen(man, SKIN, from_row=from_row)
    assert man.moved is not in_hand


@pytest.mark.parametrize(
    ("runs", "foreseen", "in_hand"),
    [(8, (242.0, 239.0), False), (8, (225.0, 240.0), True), (1, (242.0, 239.0), True)],
    ids=["where it was foreseen", "elsewhere", "where one could be that has just set off"],
)
def test_what_runs_amidst_a_cue_is_no_hand_where_it_was_foreseen(
    runs: int, foreseen: tuple[float, float], in_hand: bool
) -> None:
    man = a_man(share=0.9)
    man.runs = runs
    man.samples.insert(0, Sample(AT_MS - 33.0, 29, 210.0, 240.0, 0.1, 0.98))
    seen(man, SKIN, foreseen=foreseen)
    assert man.samples[-1].in_hand is in_hand
