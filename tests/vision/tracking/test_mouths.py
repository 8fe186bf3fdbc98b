"""What is seen in the mouths of pockets, on drawn pictures of a carrom board."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.table import Table, load_table
from rules.facts import Pocketed
from rules.geometry import Seat
from sightline.simulated.boards import club_board
from sightline.simulated.hands import limb_at
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body, Limb, Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.still_frames import gray_of
from vision.tracking.body import known_of
from vision.tracking.mouths import MouthWatch, Visit, falls_by
from vision.tracking.tracker import Tracker

SIZE, FRAME_S = (960, 720), 1 / 30
NE = (347.75, 347.75)


@cache
def tables() -> tuple[SimulatedTable, Table]:
    simulated = set_up_table(SIZE, board=club_board("carrom", SIZE))
    with TemporaryDirectory() as folder:
        return simulated, load_table(write_table(simulated, Path(folder) / "table"))


def lying(name: str, x_mm: float, y_mm: float) -> Lying:
    kind, colour = {
        "striker": ("striker", "ivory"),
        "queen": ("queen", "red"),
    }.get(name, ("carromman", name.split("-")[0]))
    return Lying(name=name, spec=tables()[1].board.piece(kind, colour), x_mm=x_mm, y_mm=y_mm)


LAY = (
    lying("white-1", 120.0, 40.0),
    lying("black-1", -80.0, 60.0),
    lying("queen", 0.0, 0.0),
    lying("striker", 60.0, -252.0),
)


def picture(*bodies: Body, limbs: tuple[Limb, ...] = ()) -> NDArray[np.uint8]:
    return tables()[0].photographer.picture(Scene(bodies=bodies, limbs=limbs))


def watched(*frames: NDArray[np.uint8]) -> MouthWatch:
    """The mouths, seen in these pictures by a tracker that began with all pieces at rest."""
    table = tables()[1]
    rest = picture(*(piece.body() for piece in LAY))
    tracker = Tracker(table.camera, table.board, gray_of(table.empty), table.empty)
    known = [known_of(piece.piece(), table.board) for piece in LAY]
    tracker.begin(gray_of(rest), known, noise=1.0, colours=rest)
    for number, frame in enumerate(frames):
        tracker.step(gray_of(frame), 1000 * FRAME_S * number, number, in_colour=lambda f=frame: f)
    return tracker.mouths


def sinking(name: str, aside_mm: float = 0.0, lift_mm: float = -4.0) -> tuple[Body, ...]:
    """All pieces, the one of that name in the NE pocket's mouth."""
    return tuple(
        replace(p.body(), x_mm=NE[0] - aside_mm, y_mm=NE[1] - aside_mm, lift_mm=lift_mm)
        if p.name == name
        else p.body()
        for p in LAY
    )


@pytest.mark.parametrize("name", ["white-1", "queen"])
def test_a_piece_that_sinks_in_a_mouth_is_seen_there_by_its_look(name: str) -> None:
    mouths = watched(picture(*sinking(name)), picture(*sinking(name, lift_mm=-20.0)))
    [visit] = mouths.visits
    piece = next(p for p in LAY if p.name == name)
    assert visit.pocket == "NE"
    assert (piece.spec.kind, piece.spec.colour) in visit.looks
    assert visit.at_ms == 0.0
    [fall] = mouths.falls_of([piece.piece()], (), FRAME_S)
    assert (fall.piece, fall.pocket) == (name, "NE")
    assert abs(fall.at_ms) <= fall.error_ms


def test_what_passes_by_a_mouth_has_not_fallen() -> None:
    assert not watched(picture(*sinking("white-1", aside_mm=24.0, lift_mm=0.0))).visits


def test_a_hand_over_a_mouth_is_no_piece_in_it() -> None:
    rest = tuple(p.body() for p in LAY)
    hand = limb_at(tables()[1].board, Seat.N, (NE[0] - 20.0, NE[1] - 30.0), 34.0)
    assert not watched(picture(*rest, limbs=(hand,))).visits


def test_a_fall_that_was_followed_is_not_told_of_another_piece() -> None:
    mouths = watched(picture(*sinking("white-1")))
    gone = replace(LAY[0], name="white-2").piece()
    told = Pocketed(at_ms=-10.0, piece="white-1", pocket="NE")
    assert not mouths.falls_of([gone], [told], FRAME_S)
    assert mouths.falls_of([gone], [replace(told, pocket="NW")], FRAME_S)
    assert mouths.falls_of([gone], [replace(told, piece="queen")], FRAME_S), "it looks otherwise"
    assert not mouths.falls_of([LAY[2].piece()], (), FRAME_S)


def test_what_was_seen_over_a_mouth_but_once_has_fallen_unless_it_may_have_flown_on() -> None:
    rest = picture(*(piece.body() for piece in LAY))
    once = watched(picture(*sinking("white-1", lift_mm=9.0)), rest)
    stayed = watched(picture(*sinking("white-1")), picture(*sinking("white-1", lift_mm=-20.0)))
    gone = [LAY[0].piece()]
    assert once.falls_of(gone, (), FRAME_S)
    assert not once.falls_of(gone, (), FRAME_S, fast={"white-1"})
    assert stayed.falls_of(gone, (), FRAME_S, fast={"white-1"})


@pytest.mark.parametrize(
    ("seen_ms", "gone", "told"),
    [
        ({"NE": 0.0}, 1, ["NE"]),
        ({"NE": 0.0, "NW": 33.3}, 1, ["NW"]),
        ({"NE": 33.3, "NW": 66.7}, 1, ["NW"]),
        ({"NE": 33.3, "NW": 66.7}, 2, ["NW", "NE"]),
        ({"NE": 0.0, "NW": 0.0}, 1, []),
        ({"NE": 0.0, "NW": 0.0}, 2, ["NE", "NW"]),
        ({"NE": 0.0, "NW": 66.7, "SW": 0.0}, 2, ["NW"]),
    ],
    ids=[
        "seen once",
        "one passed by, the other sank",
        "the one was slow to pass",
        "two fell",
        "either may have passed by",
        "two fell, seen once each",
        "one sank, and either of two may have passed by",
    ],
)
def test_what_falls_is_seen_in_a_mouth_for_longer_than_what_passes_by(
    seen_ms: dict[str, float], gone: int, told: list[str]
) -> None:
    looks = frozenset({("carromman", "white")})
    visits = [
        Visit(pocket=pocket, at_ms=100.0, until_ms=100.0 + ms, filled=0.5, looks=looks)
        for pocket, ms in seen_ms.items()
    ]
    white = LAY[0].piece()
    pieces = [replace(white, name=f"white-{k}") for k in range(gone)]
    assert [fall.pocket for fall in falls_by(visits, pieces, FRAME_S)] == told


def test_what_lies_in_a_mouth_is_asked_for_its_colour_only_as_more_of_it_shows() -> None:
    table = tables()[1]
    rest, sunk = picture(*(piece.body() for piece in LAY)), picture(*sinking("white-1"))
    tracker = Tracker(table.camera, table.board, gray_of(table.empty), table.empty)
    known = [known_of(piece.piece(), table.board) for piece in LAY]
    tracker.begin(gray_of(rest), known, noise=1.0, colours=rest)
    asked = []

    def in_colour() -> NDArray[np.uint8]:
        asked.append(True)
        return sunk

    for at_ms in (0.0, 33.0, 67.0):
        tracker.mouths.look(gray_of(sunk), at_ms, tracker.hands, in_colour)
    (visit,) = tracker.mouths.visits
    assert len(asked) == 1
    assert (visit.at_ms, visit.until_ms) == (0.0, 67.0)
