"""What people do at the simulated table: how it looks, what is true of it, how it leaves things."""

import itertools
import random
from dataclasses import replace

import pytest

from rules.board import Board
from rules.facts import HandEntered, HandLeft, Moved, Placed, Pocketed, Removed, Settled, Struck
from rules.geometry import Seat
from sightline.simulated.acts.act import Act, Wait
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.acts.cue import Haul, Stroke
from sightline.simulated.acts.mishaps import Brush, Intrude, Topple
from sightline.simulated.boards import club_board
from sightline.simulated.cueing import stroke_offset_mm
from sightline.simulated.hands import depth_over
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.stage import Stage
from sightline.simulated.ways import gap_along, way_around


@pytest.fixture(scope="module")
def board() -> Board:
    return club_board()


def lying(board: Board, name: str, x_mm: float, y_mm: float) -> Lying:
    kind = "puck" if "-" in name and name != "cue-puck" else name
    colour = name.split("-")[0]
    spec = next(
        s for s in board.pieces if s.kind == kind and (kind != "puck" or s.colour == colour)
    )
    return Lying(name=name, spec=spec, x_mm=x_mm, y_mm=y_mm)


@pytest.fixture(scope="module")
def pieces(board: Board) -> tuple[Lying, ...]:
    return (
        lying(board, "cue-puck", 0.0, -300.0),
        lying(board, "red-1", 100.0, 100.0),
        lying(board, "blue-1", 433.0, 463.0),
        lying(board, "queen", 0.0, 0.0),
    )


def every_act(board: Board, pieces: tuple[Lying, ...]) -> dict[str, Act]:
    cue = pieces[0]
    run = play(
        surface_of(board), [p.disc() for p in pieces], {"cue-puck": (900.0, 1900.0)}, start_s=1.25
    )
    return {
        "wait": Wait(before=pieces),
        "stroke": Stroke(before=pieces, run=run, struck="cue-puck", by=Seat.S),
        "haul": Haul(
            before=pieces, piece="cue-puck", way=((0.0, -300.0), (60.0, -440.0)), by=Seat.S
        ),
        "brush": Brush(before=pieces, piece="red-1", to=(112.0, 93.0), by=Seat.N),
        "topple": Topple(before=pieces, piece="blue-1", into=board.pockets[2]),
        "bring": Carry(
            before=pieces[1:], pieces=(replace(cue, y_mm=-450.0),), by=Seat.S, board=board
        ),
        "move": Carry(
            before=pieces,
            pieces=(replace(pieces[1], x_mm=-200.0),),
            by=Seat.E,
            board=board,
            moves_from=(100.0, 100.0),
        ),
        "take": Carry(before=pieces, pieces=pieces[1:2], by=Seat.W, board=board, brings=False),
        "intrude": Intrude(before=pieces, by=Seat.N, to=(50.0, 400.0), board=board),
    }


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("wait", []),
        ("haul", [Struck, Settled]),
        ("brush", [Moved, Settled]),
        ("topple", [Pocketed, Settled]),
        ("bring", [HandEntered, HandLeft, Placed, Settled]),
        ("move", [HandEntered, HandLeft, Moved, Settled]),
        ("take", [HandEntered, HandLeft, Removed, Settled]),
        ("intrude", [HandEntered, HandLeft, Settled]),
    ],
)
def test_each_act_has_its_truth(
    name: str, kinds: list[type], board: Board, pieces: tuple[Lying, ...]
) -> None:
    facts = every_act(board, pieces)[name].facts()
    assert [type(fact) for fact in facts] == kinds
    times = [fact.at_ms for fact in facts]
    assert times == sorted(times)


@pytest.mark.parametrize(
    "name", ["wait", "stroke", "haul", "brush", "topple", "bring", "move", "take", "intrude"]
)
def test_an_act_begins_as_the_pieces_lay_and_ends_as_it_leaves_them(
    name: str, board: Board, pieces: tuple[Lying, ...]
) -> None:
    act = every_act(board, pieces)[name]
    first = {b.name: b for b in act.scene(0.0).bodies if b.lift_mm == 0}
    last = {b.name: b for b in act.scene(act.lasts_s).bodies}
    for piece in act.before:
        assert first[piece.name] == piece.body()
    assert last.keys() == {p.name for p in act.after}
    for piece in act.after:
        assert last[piece.name].x_mm == pytest.approx(piece.x_mm, abs=1e-6)
        assert last[piece.name].y_mm == pytest.approx(piece.y_mm, abs=1e-6)
    ends = act.scene(act.lasts_s)
    assert ends.limbs == ()


@pytest.mark.parametrize("name", ["haul", "brush", "topple", "bring", "move", "intrude"])
def test_the_truth_settles_within_the_act(
    name: str, board: Board, pieces: tuple[Lying, ...]
) -> None:
    act = every_act(board, pieces)[name]
    settled = act.facts()[-1]
    assert isinstance(settled, Settled)
    assert settled.at_ms <= 1000 * act.lasts_s
    assert [p.name for p in settled.pieces] == [p.name for p in act.after]


@pytest.mark.parametrize("name", ["bring", "move", "take", "intrude"])
def test_a_hand_is_told_of_exactly_while_it_is_over_the_surface(
    name: str, board: Board, pieces: tuple[Lying, ...]
) -> None:
    act = every_act(board, pieces)[name]
    entered, left = act.facts()[:2]
    assert isinstance(entered, HandEntered)
    assert isinstance(left, HandLeft)
    for at_ms in range(0, int(1000 * act.lasts_s), 7):
        limbs = act.scene(at_ms / 1000).limbs
        over = bool(limbs) and depth_over(board, limbs[0]) > 0
        if abs(at_ms - entered.at_ms) > 5 and abs(at_ms - left.at_ms) > 5:
            assert over == (entered.at_ms < at_ms < left.at_ms)


def test_a_hauled_cue_puck_never_runs_as_fast_as_a_stroke(
    board: Board, pieces: tuple[Lying, ...]
) -> None:
    act = every_act(board, pieces)["haul"]
    step_s = 0.01
    places = []
    for k in range(int(act.lasts_s / step_s)):
        body = next(b for b in act.scene(k * step_s).bodies if b.name == "cue-puck")
        places.append((body.x_mm, body.y_mm))
    speeds = [
        ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 / step_s
        for (ax, ay), (bx, by) in itertools.pairwise(places)
    ]
    assert 100 < max(speeds) < 250


def test_the_cue_touches_the_rim_at_the_strike_and_not_before() -> None:
    assert stroke_offset_mm(0.0) == pytest.approx(0.0)
    assert all(stroke_offset_mm(before_s / 1000) < 0 for before_s in range(1, 1300))
    assert all(stroke_offset_mm(-after_s / 1000) > 0 for after_s in range(1, 400))


def test_a_stage_plays_its_acts_one_after_another(board: Board, pieces: tuple[Lying, ...]) -> None:
    acts = every_act(board, pieces)
    stage = Stage(board=board, lying=pieces)
    stage.add(acts["take"])
    taken_s = stage.end_s
    stage.rest(1.0)
    assert stage.spare("puck", "red") == pieces[1]
    assert {b.name for b in stage.scene(taken_s + 0.5).bodies} == {"cue-puck", "blue-1", "queen"}
    stage.add(Carry(before=stage.lying, pieces=(pieces[1],), by=Seat.S, board=board, brings=True))
    assert stage.pool == []
    assert {p.name for p in stage.lying} == {p.name for p in pieces}
    times = [fact.at_ms for fact in stage.truth]
    assert times == sorted(times)


@pytest.mark.parametrize("seed", range(12))
def test_a_way_around_keeps_clear_of_every_piece(seed: int, board: Board) -> None:
    draw = random.Random(seed)
    others = [
        lying(board, f"red-{k}", draw.uniform(-300, 300), draw.uniform(-300, 300)) for k in range(9)
    ]
    way = way_around(board, (0.0, 460.0), (30.0, -450.0), 25.0, others, draw)
    assert way is not None
    assert (way[0], way[-1]) == ((0.0, 460.0), (30.0, -450.0))
    for a, b in itertools.pairwise(way):
        assert gap_along(a, b, 25.0, others) >= 4.0
