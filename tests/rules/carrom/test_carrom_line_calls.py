"""Calls too close to make: ruled where all answers agree, asked where they do not."""

from dataclasses import replace
from math import hypot

import pytest
from testkit.carrom_table import GAME, Table, board, canonical_rack

from rules.board import Board
from rules.facts import Struck
from rules.games.carrom.ground import Ground, read_ground
from rules.games.carrom.state import Phase, Queen
from rules.geometry import Point, Seat, turned

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
GROUND = read_ground(board())


def margin(at: tuple[float, float], seat: Seat = S, ground: Ground = GROUND) -> float:
    where = turned(Point(*at), seat)
    return ground.placement(seat, where, any_line=False, circles=True).margin_mm


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize(
    ("at", "expected"),
    [
        ((0.0, -242.35), 0.0),
        ((0.0, -242.25), -0.1),
        ((0.0, -258.85), 0.0),
        ((0.0, -258.95), -0.1),
        ((0.0, -252.6), 6.25),
        ((184.25, -252.6), 0.0),
        ((184.35, -252.6), -0.1),
        ((216.05, -252.6), 0.0),
        ((215.95, -252.6), -0.1),
        ((-216.05, -252.6), 0.0),
        ((220.8, -252.6), 1.086),
    ],
    ids=[
        "inner edge of the lower line",
        "off the lower line",
        "outer edge of the upper line",
        "off the upper line",
        "middle of the band",
        "touching a base circle",
        "over a base circle",
        "a base circle just covered",
        "a base circle not quite covered",
        "the left one just covered",
        "on a base circle: the arrow is nearest",
    ],
)
def test_the_striker_is_legal_exactly_to_the_threshold(
    at: tuple[float, float], expected: float, seat: Seat
) -> None:
    assert margin(at, seat) == pytest.approx(expected, abs=1e-3)


def drawn_otherwise() -> Board:
    """The built-in board with its base lines 3 mm nearer the frame than they should be."""
    lines = tuple(
        replace(line, points=tuple(Point(p.x_mm, p.y_mm - 3.0) for p in line.points))
        if line.id.startswith("base-S") and line.points
        else line
        for line in board().lines
    )
    return replace(board(), lines=lines)


def test_the_lines_as_they_are_painted_decide() -> None:
    there = read_ground(drawn_otherwise())
    assert margin((0.0, -261.0)) == pytest.approx(-2.15)
    assert margin((0.0, -261.0), ground=there) == pytest.approx(0.85)


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ("zones", "base-line for every seat"),
        ("lines", "two base lines"),
        ("pockets", "four pockets"),
        ("pieces", "white and black"),
    ],
)
def test_a_board_that_lacks_what_carrom_needs_is_refused(missing: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_ground(replace(board(), **{missing: ()}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("y", "error", "phase"),
    [
        (-258.7, 0.07, Phase.STRIKE_DUE),
        (-258.7, 0.08, Phase.PENDING_HUMAN),
        (-259.0, 0.08, Phase.PENDING_HUMAN),
        (-259.0, 0.07, Phase.PLACING),
    ],
    ids=["surely on", "on, but not surely", "off, but not surely", "surely off"],
)
def test_a_close_placement_is_asked(y: float, error: float, phase: Phase) -> None:
    table = Table().position()
    table.strike(["W"], at=(0.0, y), error_mm=error)
    assert table.state.phase is phase


@pytest.mark.parametrize(
    ("x", "y", "phase"),
    [
        (0.0, -252.6, Phase.STRIKE_DUE),
        (0.0, -258.7, Phase.STRIKE_DUE),
        (0.0, -262.0, Phase.PENDING_HUMAN),
        (-248.0, -239.1, Phase.PENDING_HUMAN),
        (0.0, -100.0, Phase.STRIKE_DUE),
    ],
    ids=["on", "barely on", "off", "beside their end", "not placed yet"],
)
@pytest.mark.parametrize("error_mm", [10.0, 30.0])
def test_a_hand_that_hides_a_striker_has_moved_it_only_where_that_mends_a_fault(
    x: float, y: float, phase: Phase, error_mm: float
) -> None:
    table = Table().position()
    table.strike(["W"], at=(x, y), error_mm=error_mm, hidden=True)
    assert table.state.phase is phase


@pytest.mark.parametrize("seat", [S, E])
@pytest.mark.parametrize(
    ("x", "y", "error_mm", "phase"),
    [
        (240.0, -252.6, 30.0, Phase.STRIKE_DUE),
        (-212.0, -252.6, 30.0, Phase.STRIKE_DUE),
        (240.0, -252.6, 10.0, Phase.PENDING_HUMAN),
        (-212.0, -252.6, 10.0, Phase.PENDING_HUMAN),
        (240.0, -262.0, 30.0, Phase.PENDING_HUMAN),
    ],
    ids=[
        "beside their end, taken nobody knows where",
        "over part of a circle, taken nobody knows where",
        "beside their end, perhaps shifted a little",
        "over part of a circle, perhaps shifted a little",
        "too far out to be slid along them",
    ],
)
def test_a_striker_laid_beside_its_place_is_slid_along_the_base_lines_by_the_hand_that_hides_it(
    x: float, y: float, error_mm: float, phase: Phase, seat: Seat
) -> None:
    table = Table().position(seat=seat)
    where = turned(Point(x, y), seat)
    table.strike(["W"], at=(where.x_mm, where.y_mm), error_mm=error_mm, hidden=True)
    assert table.state.phase is phase


def test_the_answer_rules_the_strike() -> None:
    for answer, white, seat in (("yes", 5, S), ("no", 7, E)):
        table = Table().position()
        table.strike(["W"], at=(0.0, -258.85), error_mm=0.1)
        question = table.told[-1].question
        assert question is not None
        assert all(a.consequence for a in question.answers)
        table.answer(answer)
        assert (table.state.tally.on[0], table.state.seat) == (white, seat)


def test_a_close_call_that_changes_nothing_is_not_asked() -> None:
    table = Table(options={"push_penalty": "turn_only"}).position()
    table.strike(at=(0.0, -258.85), error_mm=0.1)
    assert "CR-X.23" in table.codes()
    assert table.state.phase is Phase.STRIKE_DUE
    assert table.state.seat is E


def test_two_open_questions_are_asked_one_after_the_other() -> None:
    table = Table().position()
    table.strike(unseen=["W"], at=(0.0, -258.85), error_mm=0.1)
    assert table.state.phase is Phase.PENDING_HUMAN
    answers = {"base-line": "yes", "missing-white-6": "pocket"}
    for _ in range(2):
        assert table.state.pending is not None
        table.answer(answers.pop(table.state.pending.question.key))
        assert (table.state.phase is Phase.PENDING_HUMAN) is bool(answers)
    assert (table.state.tally.on[0], table.state.seat) == (5, S)


@pytest.mark.parametrize(
    ("answer", "white", "seat"), [("pocket", 5, S), ("off", 6, E), ("there", 6, E)]
)
def test_where_a_missing_piece_went_is_asked(answer: str, white: int, seat: Seat) -> None:
    table = Table().position()
    table.strike(unseen=["W"])
    table.answer(answer)
    assert (table.state.tally.on[0], table.state.seat) == (white, seat)
    assert ("CR-F2.1" in table.codes()) is (answer == "off")


def test_drops_closer_than_their_times_are_known_are_asked_where_the_order_matters() -> None:
    for netted, phase in ((False, Phase.PENDING_HUMAN), (True, Phase.STRIKE_DUE)):
        table = Table().position(9, netted=(netted, True))
        table.strike(["W", "Q"], error_ms=60.0)
        assert table.state.phase is phase
    table = Table().position(9, netted=(False, True))
    table.strike(["W", "Q"], error_ms=30.0)
    assert table.queen == "cov A"


@pytest.mark.parametrize(("answer", "queen", "seat"), [("yes", "cov A", S), ("no", "board", E)])
def test_the_order_of_queen_and_piece_is_as_the_referee_says(
    answer: str, queen: str, seat: Seat
) -> None:
    table = Table().position(9, netted=(False, True))
    table.strike([["W", "Q"]])
    table.answer(answer)
    assert (table.queen, table.state.seat) == (queen, seat)


@pytest.mark.parametrize(
    ("x", "error", "accepted"),
    [(69.5, 0.0, True), (69.6, 0.0, False), (69.3, 0.1, True), (69.8, 0.1, False)],
    ids=["tangent", "a tenth over", "surely inside", "surely over"],
)
def test_a_returned_piece_lies_inside_the_outer_circle(
    x: float, error: float, accepted: bool
) -> None:
    table = Table().position()
    table.strike(["S"])
    table.place("W", x, 0.0, E, error)
    table.settle()
    assert (table.state.phase is Phase.STRIKE_DUE) is accepted


def test_a_returned_piece_on_the_circles_edge_is_asked() -> None:
    for answer, phase in (("yes", Phase.STRIKE_DUE), ("no", Phase.PLACING)):
        table = Table().position()
        table.strike(["S"])
        table.place("W", 69.5, 0.0, E, 0.1)
        table.settle()
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert table.state.phase is phase


@pytest.mark.parametrize(
    ("x", "accepted"), [(31.2, True), (30.9, False)], ids=["clear of the queen", "on the queen"]
)
def test_a_returned_piece_touches_no_other(x: float, accepted: bool) -> None:
    table = Table().position()
    table.strike(["S"])
    table.place("W", x, 0.0, E)
    table.settle()
    assert (table.state.phase is Phase.STRIKE_DUE) is accepted


def test_of_two_returned_pieces_it_is_asked_once_whether_they_lie_clear_of_each_other() -> None:
    for answer, phase in (("yes", Phase.STRIKE_DUE), ("no", Phase.PLACING)):
        table = Table().position(due=(1, 0))
        table.strike(["S"])
        for y in (15.6, -15.6):
            table.place("W", 45.0, y, E, 0.1)
        table.settle()
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert table.state.phase is phase


@pytest.mark.parametrize(
    ("y", "made"), [(-284.0, False), (-290.0, True), (-216.0, True), (-218.0, False)]
)
def test_a_strike_is_made_once_the_striker_has_left_both_base_lines(y: float, made: bool) -> None:
    table = Table().position()
    table.strike(hit=None, path=[(0.0, y)], ends=(0.0, y))
    assert ("CR-X.20" not in table.codes()) is made
    assert table.state.seat is (E if made else S)


def test_a_strike_that_is_hardly_off_the_lines_is_asked() -> None:
    for answer, seat in (("yes", E), ("no", S)):
        table = Table().position()
        table.strike(hit=None, path=[(0.0, -289.1)], ends=(0.0, -289.1), error_mm=0.3)
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert table.state.seat is seat


@pytest.mark.parametrize(("y", "made"), [(-262.0, False), (-310.0, True)])
def test_how_far_a_striker_came_is_seen_though_a_hand_hid_where_it_set_off(
    y: float, made: bool
) -> None:
    table = Table().position()
    table.strike(hit=None, path=[(0.0, y)], ends=(0.0, y), error_mm=10.0, hidden=True)
    assert table.state.phase is not Phase.PENDING_HUMAN
    assert ("CR-X.20" not in table.codes()) is made


@pytest.mark.parametrize(("mm", "due"), [(2.5, True), (1.5, False)])
def test_a_disc_is_disturbed_when_it_is_moved_by_more_than_two_millimetres(
    mm: float, due: bool
) -> None:
    table = Table().position()
    table.moved("K", N, mm)
    assert ("CR-F1.2" in table.codes()) is due


@pytest.mark.parametrize(
    ("at_s", "in_time"),
    [(2099.9, True), (2100.0, True), (2100.1, False)],
    ids=["in time", "on the second", "too late"],
)
def test_a_strike_counts_when_it_was_made_by_the_limit(at_s: float, in_time: bool) -> None:
    table = Table().position(queen=Queen(team=0))
    table.say("clock", value=f"{at_s - 0.1:.1f}")
    table.strike(["W"])
    assert ("CR-16.1" in table.codes()) is in_time


def test_a_strike_hardly_in_time_is_asked() -> None:
    for answer, in_time in (("yes", True), ("no", False)):
        table = Table().position(queen=Queen(team=0))
        table.say("clock", value="34:59.95")
        table.tell(
            Struck(at_ms=table.tick(), piece="striker", at=Point(0.0, -250.0), error_ms=40.0)
        )
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert table.state.tally.queen_phase is not in_time


def test_who_struck_from_anothers_base_line_is_asked() -> None:
    for answer, clause in (("N", "CR-X.25"), ("S", "CR-13.1")):
        table = Table().position()
        table.strike(at=(0.0, 250.0))
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert clause in table.codes()


def test_who_struck_is_asked_where_the_hand_seen_is_not_of_the_base_lines_player() -> None:
    for answer, clause in (("N", "CR-X.25"), ("S", "CR-11.1")):
        table = Table().position()
        table.strike(at=(0.0, -250.0), by=N)
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert clause in table.codes()


def test_a_hand_seen_at_its_own_base_line_struck_out_of_turn_without_a_question() -> None:
    table = Table().position()
    table.strike(at=(0.0, 250.0), by=N)
    assert table.state.phase is not Phase.PENDING_HUMAN
    assert "CR-X.25" in table.codes()


@pytest.mark.parametrize(
    ("reach_mm", "asked"),
    [(31.0, False), (62.0, True)],
    ids=["held on all sides", "free outwards"],
)
def test_a_disc_of_the_rack_measured_coarsely_is_known_as_well_as_its_neighbours_hold_it(
    reach_mm: float, asked: bool
) -> None:
    table = Table()
    table.say("toss", "S")
    table.say("break", "S")
    for name, piece in canonical_rack().items():
        coarse = piece.colour == "white" and abs(hypot(piece.at.x_mm, piece.at.y_mm) - reach_mm) < 1
        table.pieces[name] = replace(piece, error_mm=1.1 if coarse else 0.2)
    table.settle()
    assert (table.state.phase is Phase.PENDING_HUMAN) is asked
    assert asked or table.state.phase is Phase.STRIKE_DUE


def test_who_touched_a_disc_is_asked_where_nobody_was_seen() -> None:
    for answer, due in (("S", True), ("nobody", False)):
        table = Table().position(9, 9)
        table.moved("W", None)
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert (table.state.tally.due == (1, 0)) is due
        (task,) = GAME.scoreboard(table.state).tasks
        assert task.words == "Put white-9 back where it lay"
        assert task.lies == table.pieces["white-9"].at


@pytest.mark.parametrize(
    ("off_mm", "error_mm", "phase"),
    [
        (4.7, 0.13, Phase.STRIKE_DUE),
        (4.9, 0.13, Phase.PENDING_HUMAN),
        (5.1, 0.13, Phase.PENDING_HUMAN),
        (5.3, 0.13, Phase.PLACING),
        (5.0, 0.0, Phase.STRIKE_DUE),
        (5.01, 0.0, Phase.PLACING),
    ],
)
@pytest.mark.parametrize("who", ["queen", "a disc that was touched"])
def test_what_is_put_back_about_five_millimetres_off_is_asked_about(
    who: str, off_mm: float, error_mm: float, phase: Phase
) -> None:
    def served() -> Table:
        if who == "queen":
            table = Table().position(queen=Queen(team=0))
            table.strike()
            name, at = "queen", Point(0.0, 0.0)
        else:
            table = Table().position(9, 9)
            name, at = "black-9", table.pieces["black-9"].at
            table.moved("K", N)
        table.put(name, at.x_mm + off_mm, at.y_mm, error_mm)
        table.settle()
        return table

    table = served()
    assert table.state.phase is phase
    if phase is Phase.PENDING_HUMAN:
        table.answer("yes")
        assert table.state.phase is Phase.STRIKE_DUE
        refused = served()
        refused.answer("no")
        assert refused.state.phase is Phase.PLACING
