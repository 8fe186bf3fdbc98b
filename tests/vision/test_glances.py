"""Whether a still picture shows that pieces lie covered, of which nobody knows where they are."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest

from calibration.table import Table
from rules.facts import Piece
from rules.geometry import Point, Seat
from vision.detection.crossings import Crossing
from vision.frame import Frame, Observation, SeenPiece
from vision.glances import Glances
from vision.tracking.tracker import Tracker

CUE = Crossing(side=Seat.S, at=Point(2.0, -508.0), width_mm=20.0)
PLACES = {"red-1": Point(28.0, -495.0), "red-2": Point(2.0, -494.0), "red-3": Point(-24.0, -495.0)}
LYING = [Piece(name=n, kind="puck", colour="red", at=at) for n, at in PLACES.items()]
GRAY = np.zeros((1, 1), dtype=np.uint8)


class _NobodyFollowed:
    def places(self) -> dict[str, tuple[float, float]]:
        return {}


def glances(*shown: str) -> Glances:
    """Looks at a picture in which only those are seen that are `shown`."""
    pieces = tuple(
        SeenPiece(kind="puck", colour="red", at=PLACES[name], error_mm=0.2) for name in shown
    )

    def look(picture: object, table: object, known: Sequence[Piece]) -> Observation:
        return Observation(pieces=pieces)

    return Glances(cast(Table, None), look, cast(Tracker, _NobodyFollowed()))


@pytest.mark.parametrize(
    ("shown", "lost", "covered"),
    [
        (("red-1", "red-2", "red-3"), (), False),
        (("red-1", "red-3"), (), True),
        (("red-2", "red-3"), ("red-1",), False),
        (("red-1", "red-3"), ("red-1",), True),
        (("red-3",), ("red-1",), True),
        (("red-3",), ("red-1", "red-2"), False),
    ],
    ids=[
        "all are seen",
        "one is not",
        "one may be gone, and is not seen",
        "one may be gone, but it is another that is not seen",
        "one may be gone, and another is not seen either",
        "both may be gone",
    ],
)
def test_a_piece_that_is_missed_is_covered_unless_it_may_be_the_one_that_is_gone(
    shown: tuple[str, ...], lost: tuple[str, ...], covered: bool
) -> None:
    frame = Frame(number=1, at_ms=1000.0, image=GRAY)
    asked = glances(*shown).finds_covered(GRAY, frame, LYING, lost=lost, over=[CUE])
    assert asked == covered


TIP = SeenPiece(kind="queen", colour="white", at=Point(-206.0, -107.0), error_mm=1.24)
"""The ferrule of a cue that reaches in, taken for a queen seen badly."""


@pytest.mark.parametrize(
    ("over", "lies_there", "is_told"),
    [((CUE,), False, False), ((), False, True), ((CUE,), True, True)],
    ids=["a cue reaches in", "nothing reaches in", "the queen was followed to there"],
)
def test_what_may_be_the_tip_of_a_cue_does_not_tell_that_a_piece_lies_there(
    over: Sequence[Crossing], lies_there: bool, is_told: bool
) -> None:
    def look(picture: object, table: object, known: Sequence[Piece]) -> Observation:
        reds = (SeenPiece(kind="puck", colour="red", at=p, error_mm=0.2) for p in PLACES.values())
        return Observation(pieces=(*reds, TIP))

    class Followed:
        def places(self) -> dict[str, tuple[float, float]]:
            return {"queen": (-206.0, -107.0) if lies_there else (-464.0, 416.0)}

    seen = Glances(cast(Table, None), look, cast(Tracker, Followed()))
    lying = [*LYING, Piece(name="queen", kind="queen", colour="white", at=Point(-132.7, -199.6))]
    assert seen.seen(lying, lambda frame: over) is None
    seen.at(GRAY, at(1000.0), lying)
    told = seen.seen(lying, lambda frame: over)
    assert told is not None
    assert (TIP in told.pieces) == is_told


def at(at_ms: float) -> Frame:
    return Frame(number=round(at_ms), at_ms=at_ms, image=GRAY)


def test_useless_looks_are_put_off_ever_longer_until_something_stirs_or_is_seen_anew() -> None:
    seen = glances("red-1")
    pauses_ms, now_ms = [], 1000.0
    for _ in range(6):
        seen.put_off(at(now_ms))
        until_ms = next(
            t for t in np.arange(now_ms, now_ms + 9000, 10) if not seen.is_put_off(at(t))
        )
        pauses_ms.append(until_ms - now_ms)
        now_ms = until_ms
    assert pauses_ms == [500, 1000, 2000, 4000, 4000, 4000]
    seen.put_off(at(now_ms))
    seen.drop()
    assert not seen.is_put_off(at(now_ms))
    seen.put_off(at(now_ms))
    assert not seen.is_put_off(at(now_ms + 500))
