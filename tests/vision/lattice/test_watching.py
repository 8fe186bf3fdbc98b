"""What a hand changes on a lattice board becomes facts once it has left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from testkit.lattice_tables import LatticeTable, lattice_table

from calibration.table import load_table
from rules.board import Board
from rules.facts import (
    Batch,
    Cleared,
    Emptied,
    Fact,
    Filled,
    HandEntered,
    HandLeft,
    Piece,
    Settled,
    SightLost,
    SightRegained,
)
from rules.geometry import Point, Seat
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.pieces import Lying
from sightline.simulated.table import set_up_table, write_table
from vision.frame import Frame, Observation
from vision.lattice.changes import Changes, standing_in
from vision.lattice.patches import patches_of
from vision.lattice.places import layers_of
from vision.lattice.read import lattice_of
from vision.lattice.stream import LatticeWitness

FRAME_MS = 50.0
REST_MS = 700.0


@pytest.fixture(scope="module")
def pegs(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("king_square", tmp_path_factory.mktemp("pegs") / "table")


def watched(
    table: LatticeTable, before: Sequence[Lying], deeds: Sequence[Deed], by: Seat = Seat.S
) -> list[Fact]:
    """The facts of a board at rest, one visit of a hand, and the board at rest again."""
    visit = Visit(before=tuple(before), deeds=deeds, by=by, board=table.table.board)
    witness = LatticeWitness(table.table)
    return [s.fact for frame in _frames(table, visit) for s in witness.feed(frame)]


def _frames(table: LatticeTable, visit: Visit) -> Iterator[Frame]:
    photographer = table.simulated.photographer
    number, end_ms = 0, 1000 * visit.over_s + 2 * REST_MS
    while number * FRAME_MS < end_ms:
        at_ms = number * FRAME_MS
        scene = visit.scene(max(0.0, (at_ms - REST_MS) / 1000))
        if at_ms < REST_MS:
            scene = replace(scene, limbs=(), bodies=tuple(p.body() for p in visit.before))
        yield Frame(image=photographer.picture(scene), at_ms=at_ms, number=number)
        number += 1


def changes_in(facts: Sequence[Fact]) -> list[Fact]:
    return [f for f in facts if isinstance(f, Filled | Emptied | Batch | Cleared)]


def test_a_peg_put_in_is_told_with_its_hole_its_colour_and_whose_hand_it_was(
    pegs: LatticeTable,
) -> None:
    before = (pegs.lying("holes:1,1", "peg", "natural"),)
    facts = watched(
        pegs, before, [Deed(piece=pegs.lying("holes:4,3", "peg", "red"), brings=True)], Seat.S
    )
    (change,) = changes_in(facts)
    (left,) = [f for f in facts if isinstance(f, HandLeft)]
    assert change == Filled(
        at_ms=left.at_ms, place="holes:4,3", kind="peg", colour="red", by=Seat.S
    )
    assert [f.side for f in facts if isinstance(f, HandEntered)] == [Seat.S]


@pytest.mark.parametrize("by", [Seat.S, Seat.N])
@pytest.mark.parametrize("hole", ["holes:9,3", "holes:9,4", "holes:9,7", "holes:0,5", "holes:0,8"])
def test_a_hand_that_lies_along_a_border_came_from_where_its_arm_is(
    pegs: LatticeTable, hole: str, by: Seat
) -> None:
    before = (pegs.lying("holes:1,1", "peg", "natural"),)
    deeds = [Deed(piece=pegs.lying(hole, "peg", "red"), brings=True)]
    facts = watched(pegs, before, deeds, by)
    assert [(f.place, f.by) for f in facts if isinstance(f, Filled)] == [(hole, by)]


def test_several_changes_of_one_visit_come_as_a_batch_what_is_gone_first(
    pegs: LatticeTable,
) -> None:
    taken = pegs.lying("holes:5,5", "peg", "natural")
    before = (taken, pegs.lying("holes:1,1", "peg", "natural"))
    brought = pegs.lying("holes:6,4", "peg", "red")
    deeds = [Deed(piece=brought, brings=True), Deed(piece=taken, brings=False)]
    (batch,) = changes_in(watched(pegs, before, deeds, Seat.N))
    assert isinstance(batch, Batch)
    assert [(type(f), f.place, f.by) for f in batch.facts if isinstance(f, Filled | Emptied)] == [
        (Emptied, "holes:5,5", Seat.N),
        (Filled, "holes:6,4", Seat.N),
    ]
    assert not batch.ordered


def test_a_board_emptied_in_one_visit_is_cleared(pegs: LatticeTable) -> None:
    before = [pegs.lying(f"holes:4,{row}", "peg", "red") for row in (3, 4)]
    deeds = [Deed(piece=peg, brings=False) for peg in before]
    (change,) = changes_in(watched(pegs, before, deeds))
    assert isinstance(change, Cleared)


@pytest.mark.parametrize("place", ["edges:v:0,1", "edges:h:0,1", "edges:v:1,0", "edges:h:9,1"])
def test_a_stick_laid_beneath_a_lamp_s_reflection_is_told(dull: LatticeTable, place: str) -> None:
    stick = dull.lying(place, "stick", "natural")
    (came,) = changes_in(watched(dull, (), [Deed(piece=stick, brings=True)]))
    assert isinstance(came, Filled)
    assert came.place == place


@pytest.fixture(scope="module")
def dull(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    """A board of cherry, hardly darker than its sticks, with lamps mirrored in two corners."""
    size = (960, 720)
    simulated = set_up_table(
        size, board=club_board("squarin_off", size), finish="cherry", light="lamp", noise=1.2
    )
    folder = write_table(simulated, tmp_path_factory.mktemp("dull") / "table")
    return LatticeTable(simulated=simulated, table=load_table(folder))


def test_a_hand_that_changes_nothing_is_no_change(pegs: LatticeTable) -> None:
    peg = pegs.lying("holes:4,4", "peg", "red")
    deeds = [Deed(piece=peg, brings=False), Deed(piece=peg, brings=True)]
    facts = watched(pegs, (peg,), deeds)
    assert changes_in(facts) == []
    assert sum(isinstance(f, HandEntered) for f in facts) == 1
    assert sum(isinstance(f, HandLeft) for f in facts) == 1


def test_what_stands_at_the_start_is_told_once_and_is_no_change(pegs: LatticeTable) -> None:
    before = (pegs.lying("holes:2,2", "peg", "red"), pegs.lying("holes:3,2", "peg", "natural"))
    image = pegs.picture(before)
    witness = LatticeWitness(pegs.table)
    facts = [
        s.fact
        for n in range(12)
        for s in witness.feed(Frame(image=image, at_ms=n * FRAME_MS, number=n))
    ]
    (settled,) = facts
    assert isinstance(settled, Settled)
    assert {(p.name, p.colour) for p in settled.pieces} == {
        ("holes:2,2", "red"),
        ("holes:3,2", "natural"),
    }


def test_what_was_known_before_is_compared_with_the_first_pictures(pegs: LatticeTable) -> None:
    known = (Piece(name="holes:2,2", kind="peg", colour="red", at=Point(0, 0)),)
    image = pegs.picture((pegs.lying("holes:5,2", "peg", "red"),))
    witness = LatticeWitness(pegs.table, pieces=known)
    facts = [
        s.fact
        for n in range(40)
        for s in witness.feed(Frame(image=image, at_ms=n * FRAME_MS, number=n))
    ]
    (batch,) = changes_in(facts)
    assert isinstance(batch, Batch)
    assert {f.place for f in batch.facts if isinstance(f, Filled | Emptied)} == {
        "holes:2,2",
        "holes:5,2",
    }


def test_lost_sight_is_told_once_and_regained_with_the_next_frame(pegs: LatticeTable) -> None:
    witness = LatticeWitness(pegs.table)
    image = pegs.picture(())
    lost = [*witness.lose(10.0, "dark"), *witness.lose(20.0, "dark")]
    assert [s.fact for s in lost] == [SightLost(at_ms=10.0, why="dark")]
    (first, *_) = witness.feed(Frame(image=image, at_ms=50.0, number=1))
    assert first.fact == SightRegained(at_ms=50.0)


# -- what several looks say together ---------------------------------------------------------


def _seen(held: Mapping[str, str], *unknown: str) -> Observation:
    return Observation(lattice={"holes": dict(held)}, unknown=frozenset(unknown))


def _looked(board: Board, looks: Sequence[tuple[float, Observation, bool]]) -> dict[str, object]:
    """What has settled after these looks on a board that was empty."""
    changes = Changes(layers_of(board), {})
    settled: dict[str, object] = {}
    for at_ms, seen, hand in looks:
        changes.look(at_ms, seen, stirred=frozenset(), hand=hand)
        if not hand:
            settled = dict(changes.settled(at_ms, 60.0, 900.0))
    return settled


RED = (("peg", "red"),)


@pytest.mark.parametrize(
    ("looks", "settled"),
    [
        (
            [(0, _seen({}, "holes:1,1"), True), (100, _seen({"1,1": "red"}), False)],
            {},
        ),
        (
            [
                (0, _seen({}, "holes:1,1"), True),
                (100, _seen({"1,1": "red"}), False),
                (170, _seen({"1,1": "red"}), False),
            ],
            {"holes:1,1": RED},
        ),
        (
            [
                (0, _seen({}, "holes:1,1"), True),
                (100, _seen({"1,1": "natural"}), False),
                (170, _seen({"1,1": "red"}), False),
            ],
            {},
        ),
        (
            [(at, _seen({"1,1": "red"}), False) for at in (0, 100, 200, 300)],
            {},
        ),
        (
            [(at, _seen({"1,1": "red"}), False) for at in (0, 300, 600, 900)],
            {"holes:1,1": RED},
        ),
        (
            [(at, _seen({}, "holes:1,1"), False) for at in (0, 300, 600, 900)],
            {},
        ),
        (
            [
                *((at, _seen({"1,1": "red"}, "holes:2,2"), True) for at in (0, 300, 600, 900)),
                (1000, _seen({}), False),
            ],
            {},
        ),
    ],
    ids=[
        "one look is not enough",
        "two looks agree",
        "two looks differ",
        "untouched: not so soon",
        "untouched: seen for long",
        "unknown is not empty",
        "misread beside a hand only",
    ],
)
def test_a_change_settles_when_looks_agree(
    pegs: LatticeTable, looks: list[tuple[float, Observation, bool]], settled: dict[str, object]
) -> None:
    assert _looked(pegs.table.board, looks) == settled


def _left_unclear(board: Board, looks: Sequence[tuple[float, Observation, bool]]) -> list[str]:
    """The places told as loose, looks being these, on a board that was empty."""
    changes = Changes(layers_of(board), {})
    told = []
    for at_ms, seen, hand in looks:
        changes.look(at_ms, seen, stirred=frozenset(), hand=hand)
        if not hand and (place := changes.loose(at_ms, 1000.0)) is not None:
            told.append(place)
    return told


UNDER_A_HAND = (0.0, _seen({}, "holes:1,1", "holes:2,1"), True)


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        (
            [UNDER_A_HAND, *((at, _seen({}, "holes:1,1"), False) for at in (100, 700, 1150, 2000))],
            ["holes:1,1"],
        ),
        (
            [UNDER_A_HAND, *((at, _seen({}, "holes:1,1"), False) for at in (100, 700))],
            [],
        ),
        (
            [
                UNDER_A_HAND,
                (100, _seen({}, "holes:1,1"), False),
                (700, _seen({}, "holes:1,1"), True),
                (1200, _seen({}, "holes:1,1"), False),
            ],
            [],
        ),
        (
            [UNDER_A_HAND, *((at, _seen({}, "holes:5,5"), False) for at in (100, 700, 1150, 2000))],
            [],
        ),
    ],
    ids=[
        "once, when it has stayed unclear",
        "not so soon",
        "the hand is back",
        "no hand was there",
    ],
)
def test_what_a_hand_left_that_nothing_explains_is_loose(
    pegs: LatticeTable, looks: list[tuple[float, Observation, bool]], told: list[str]
) -> None:
    assert _left_unclear(pegs.table.board, looks) == told


@pytest.mark.parametrize(
    ("stations", "everywhere", "moved"),
    [
        ((20, 40), False, True),
        ((60, 70), False, False),
        ((0, 0), False, False),
        ((0, 0), True, False),
    ],
    ids=["under the arm", "elsewhere", "nothing", "a light switched on"],
)
def test_the_border_moves_under_an_arm(
    pegs: LatticeTable, stations: tuple[int, int], everywhere: bool, moved: bool
) -> None:
    patches = patches_of(lattice_of(pegs.table), pegs.table, 4)
    lens = pegs.table.camera.lens
    mask = np.full((lens.height // 4, lens.width // 4), everywhere)
    mask.reshape(-1)[patches.border[slice(*stations)]] = True
    assert patches.on_border(mask, 20, 40) is moved


def test_stacked_pieces_are_known_by_one_place() -> None:
    pieces = [
        Piece(name="cells:1,2", kind="single", colour="red", at=Point(0, 0)),
        Piece(name="cells:1,2/ball", kind="ball", colour="white", at=Point(0, 0)),
    ]
    assert standing_in(pieces) == {"cells:1,2": (("single", "red"), ("ball", "white"))}


def test_what_settles_together_is_told_in_the_order_of_places() -> None:
    came = {f"{col},{row}": "red" for col in (7, 3, 5) for row in (2, 9)}
    looks = [(500.0 * k, _seen(came), False) for k in range(4)]
    told = list(_looked(club_board("king_square"), looks))
    assert told == [f"holes:{col},{row}" for col in (3, 5, 7) for row in (2, 9)]
