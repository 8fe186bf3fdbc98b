"""What holds in every match of Quarterback, whatever is played."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from testkit.lattice_play import QUARTERBACK
from testkit.quarterback_play import (
    BOARD,
    GAME,
    begun,
    calls,
    choose,
    put,
    seen,
    seen_piecemeal,
    start,
    tapped,
)

from rules.board import Lattice
from rules.facts import (
    Batch,
    Cleared,
    Declared,
    Emptied,
    Fact,
    Filled,
    Loose,
    Piece,
    Restored,
    Settled,
)
from rules.game import Player, Setup
from rules.games.quarterback.book import read_match, write_match
from rules.games.quarterback.field import EMPTY, field_of
from rules.games.quarterback.places import fact_of, place_of
from rules.games.quarterback.sight import differences
from rules.games.quarterback.state import Change, State, record_of
from rules.games.quarterback.strings import (
    read_position,
    read_turn,
    write_grid,
    write_position,
)
from rules.games.quarterback.transcript import read_fact, write_fact
from rules.geometry import Point, Seat
from sightline.games import built_in_board

play = QUARTERBACK.play

HOUSE: list[dict[str, str]] = [
    {},
    {"turn_end": "declared", "tackles": "literal", "release_by_push": "yes"},
    {"singles_exempt": "yes", "midmove_receive": "no", "qb_row0": "four"},
    {"single_push": "optional", "push_offside": "barred", "diagonal_block": "both"},
    {"immovable": "refuse", "adjacency": "orthogonal", "own_blocks": "yes"},
    {"zone_end_only": "yes", "adjacent_catch": "tackle", "triple_tackles_single": "yes"},
    {"touchdown": "20", "pass_to_opponent": "interception", "forward_passes": "1"},
    {"single_push_max": "1", "push_pickup": "no", "double_pushes_qb": "no"},
    {"takeback": "until_next_fact", "penalty": "lose_turn", "empty_turn": "yes"},
    {"defender_moves": "1", "ball_token": "always", "null_move": "no"},
]


def fouls(said: list[str]) -> list[str]:
    return [call for call in said if call.startswith("FOUL")]


@pytest.mark.parametrize("seed", range(8))
def test_what_the_camera_sees_is_ruled_as_what_is_tapped(seed: int) -> None:
    rng = random.Random(seed)
    hands = eyes = begun()
    for _ in range(80):
        act = choose(hands, rng)
        before = hands
        hands, said = put(hands, tapped(before, act))
        assert not fouls(calls(said))
        eyes, _ = put(eyes, seen(before, act))
        if eyes.released != hands.released:
            break  # a Double crossed the line and came back unseen: only its end square counts
        assert write_position(eyes) == write_position(hands)
        if not hands.turn:
            break


@pytest.mark.parametrize("seed", range(8))
def test_slow_hands_make_no_foul_and_leave_the_board_that_the_record_has(seed: int) -> None:
    rng = random.Random(50 + seed)
    state = begun()
    for _ in range(60):
        act = choose(state, rng)
        hands, _ = put(state, tapped(state, act))
        for fact in seen_piecemeal(state, act, rng):
            state, said = put(state, fact)
            assert not fouls(calls(said))
        assert state.correction is None
        assert differences(state) == ()
        if not state.turn or not hands.turn:
            break
        assert state.grid == hands.grid
        assert (state.ball, state.loose) == (hands.ball, hands.loose)


@pytest.mark.parametrize("options", HOUSE, ids=lambda o: ",".join(o) or "default")
def test_positions_and_records_read_back_under_every_house_rule(options: dict[str, str]) -> None:
    for seed in range(2):
        rng = random.Random(seed)
        first = state = begun(**options)
        for _ in range(60):
            act = choose(state, rng)
            state, said = put(state, tapped(state, act))
            assert not fouls(calls(said))
            again = read_position(write_position(state), start(**options))
            assert write_position(again) == write_position(state)
            if not state.turn:
                break
        assert written_again(first, state) == (write_position(state), record_of(state))


def written_again(state: State, played: State) -> tuple[str, list[str]]:
    """Position and record after the facts of a record, turns ended where they did not end."""
    record = record_of(played)
    for n, turn in enumerate(record):
        if n and state.turn == record[n - 1][0]:
            state, _ = put(state, Declared(at_ms=0.0, what="end"))
        for fact in read_turn(turn, state.terms.field):
            state, said = put(state, fact)
            assert not fouls(calls(said)), (turn, calls(said))
    if state.turn != played.turn:
        state, _ = put(state, Declared(at_ms=0.0, what="end"))
    return write_position(state), record_of(state)


def test_a_record_of_what_was_only_seen_reads_back_as_it_was() -> None:
    for seed in range(6):
        rng = random.Random(seed)
        first = state = begun()
        for _ in range(60):
            state, _ = put(state, seen(state, choose(state, rng)))
            if not state.turn:
                break
        assert written_again(first, state) == (write_position(state), record_of(state))


# Whatever facts may come


def facts(state: State) -> st.SearchStrategy[Fact]:
    """Facts about the pieces as they stand, most of them nonsense."""
    field = state.terms.field
    standing = [n for n, letter in enumerate(state.grid) if letter != EMPTY]
    squares = st.sampled_from([n for n in range(field.size) if field.row(n) < 6])
    letters = st.sampled_from("QSDTsdt*")
    names = squares.map(field.name)

    def changed(square: int, letter: str, came: bool) -> Fact:
        return fact_of(state, Change(square, letter, came), 0.0)

    def moved(start: int, end: int) -> Batch:
        letter = state.grid[start]
        parts = [Change(start, letter, False), Change(end, letter, True)]
        return Batch(at_ms=0.0, facts=tuple(fact_of(state, c, 0.0) for c in parts))

    def near(start: int) -> st.SearchStrategy[Batch]:
        ends = {near for step in field.around[start] for near in field.around[step]}
        return st.sampled_from(sorted(ends)).map(lambda end: moved(start, end))

    def tap(start: int, way: list[str]) -> Declared:
        text = state.grid[start] + "-".join([field.name(start), *way])
        return Declared(at_ms=0.0, what="move", value=text)

    moves = st.sampled_from(standing).flatmap(near)
    said = st.sampled_from(
        [
            Declared(at_ms=0.0, what=what, value=value, side=side)
            for what, value, side in (
                ("end", "", None),
                ("end", "", "R"),
                ("end", "", "B"),
                ("not-ended", "", None),
                ("concede", "", None),
                ("stall", "", None),
                ("takeback", "", None),
                ("coin", "B", None),
                ("coin", "nobody", None),
                ("setup", "start", None),
                ("setup", "", None),
                ("setup", "start -Ta0 +qe6 Tcu1>d2", None),
                ("setup", "start -", None),
                ("points", "7", None),
                ("points", "x", None),
                ("route", "Ta0-a1", None),
                ("move", "nonsense", None),
                ("move", "Ta0-a1 + te5>", None),
                ("pass", "fu1>", None),
                ("shift", "td9", None),
            )
        ]
    )
    ball = field.name(state.ball)
    passed = names.map(lambda to: Declared(at_ms=0.0, what="pass", value=f"{ball}>{to}"))
    plain = st.one_of(
        moves,
        moves,
        moves,
        st.builds(tap, st.sampled_from(standing), st.lists(names, min_size=1, max_size=3)),
        st.builds(changed, squares, letters, st.booleans()),
        passed,
        said,
        st.sampled_from([Restored(at_ms=0.0), Restored(at_ms=0.0), Cleared(at_ms=0.0)]),
        squares.map(lambda sq: Loose(at_ms=0.0, place=place_of(field, sq), kind="triple")),
    )
    several = st.lists(plain, min_size=1, max_size=3)
    batches = st.builds(
        lambda parts, ordered: Batch(at_ms=0.0, facts=tuple(parts), ordered=ordered),
        several,
        st.booleans(),
    )
    return st.one_of(plain, plain, plain, batches)


@given(st.data(), st.sampled_from(HOUSE))
@settings(max_examples=60, deadline=None)
def test_whatever_happens_the_match_goes_on_by_the_book(
    data: st.DataObject, options: dict[str, str]
) -> None:
    state = start(**options)
    for _ in range(data.draw(st.integers(0, 15))):
        fact = data.draw(facts(state))
        rulings = GAME.judge(state, fact)
        assert GAME.judge(state, fact) == rulings
        after = GAME.advance(state, fact, rulings)
        ends = [r.call for r in rulings if r.call.startswith(("FOUL", "FIXED", "PUSH-DUE"))]
        if ends:
            assert (after.correction is not None) == (ends[-1] != "FIXED")
        assert all(r.words for r in rulings)
        have, due = Counter(after.grid), Counter(after.terms.set_up)
        tackled = sum(due[x] - have[x] for x in "QSDTsdt")
        assert tackled == 0 or (tackled == 1 and not after.turn)
        if after.turn and not after.loose:
            assert after.grid[after.ball] in "QSDT"
        board = GAME.scoreboard(after)
        assert board.headline
        if after.playing:
            again = read_position(write_position(after), after)
            assert write_position(again) == write_position(after)
        line = write_fact(fact, state)
        if line is not None and line != "batch: ":
            read = read_fact(line, state)
            assert write_fact(read, state) == line
        state = after


# Setting out


def as_seen(state: State, player: int, square: int, letter: str) -> Filled:
    """A piece of the set-up put down by hand; capitals are the player's who attacks."""
    colour = state.terms.colours[player if letter.isupper() else 1 - player]
    kind = {"S": "single", "D": "double", "T": "triple", "Q": "quarterback"}[letter.upper()]
    place = place_of(state.terms.field, square)
    return Filled(at_ms=0.0, place=place, kind=kind, colour=colour)


@pytest.mark.parametrize(("player", "name"), [(0, "R"), (1, "B")])
def test_pieces_put_down_one_by_one_in_any_order_begin_the_half(player: int, name: str) -> None:
    state = start()
    pieces = [(n, x) for n, x in enumerate(state.terms.set_up) if x != EMPTY]
    random.Random(player).shuffle(pieces)
    said: list[str] = []
    for square, letter in pieces:
        assert said == []
        state, rulings = put(state, as_seen(state, player, square, letter))
        said = calls(rulings)
    assert said == [f"ATTACK {name}", "OK", "BALL fu1", "TURN A"]
    assert state.attacker == player


def test_a_first_look_at_the_whole_board_begins_the_half() -> None:
    blank = start()
    field = blank.terms.field
    pieces = tuple(
        Piece(name=put_down.place, kind=put_down.kind, colour=put_down.colour, at=Point(0, 0))
        for n, letter in enumerate(blank.terms.set_up)
        if letter != EMPTY
        for put_down in (as_seen(blank, 1, n, letter),)
    )
    state, rulings = put(blank, Settled(at_ms=0.0, pieces=pieces))
    assert calls(rulings) == ["ATTACK B", "OK", "BALL fu1", "TURN A"]
    triple = next(p for p in pieces if p.name == place_of(field, field.named("a0")))
    moved = replace(triple, name=place_of(field, field.named("a2")))
    looked = Settled(at_ms=0.0, pieces=tuple(moved if p is triple else p for p in pieces))
    assert calls(put(state, looked)[1]) == ["PATH a0-a1-a2", "OK"]
    without = Settled(at_ms=0.0, pieces=tuple(p for p in pieces if p is not triple))
    assert calls(put(state, without)[1]) == ["FOUL piece-missing"]
    assert put(state, Settled(at_ms=0.0, pieces=pieces))[1] == ()


def test_the_second_half_begins_when_the_pieces_stand_with_changed_colours() -> None:
    state, said = play(begun(), "concede")
    assert said == ["TACKLE fu1 @QB-2.10 | POINTS 0 @QB-2.7 | HALF-END @QB-2.4"]
    swept, rulings = put(state, Cleared(at_ms=0.0))
    assert rulings == ()
    again = swept
    for n, letter in enumerate(state.terms.set_up):
        if letter != EMPTY:
            again, rulings = put(again, as_seen(state, 1, n, letter))
    assert calls(rulings) == ["OK", "BALL fu1", "TURN A"]
    assert (again.game, again.half, again.attacker) == (1, 2, 1)


def test_the_pieces_are_set_out_again_by_hand_after_a_tackle() -> None:
    state, said = play(begun(), "pass fu1>cu1", "end", "move db1~cu1")
    assert "TACKLE cu1 @QB-7.2" in said[-1]
    lying = [(n, x) for n, x in enumerate(state.table) if x != EMPTY]
    lying.append((state.terms.field.named("cu1"), "T"))  # revealed when its tackler is lifted
    for square, letter in lying:
        if (square, letter) == lying[-1]:
            state, rulings = put(state, fact_of(state, Change(square, letter, True), 0.0))
            assert rulings == ()
        state, rulings = put(state, fact_of(state, Change(square, letter, False), 0.0))
        assert rulings == ()
    wanted = [(n, x) for n, x in enumerate(state.terms.set_up) if x != EMPTY]
    for left, (square, letter) in enumerate(wanted):
        assert len(GAME.scoreboard(state).tasks) in (0, len(wanted) - left)
        state, rulings = put(state, as_seen(state, 1 - state.attacker, square, letter))
    assert calls(rulings) == ["OK", "BALL fu1", "TURN A"]


def test_a_move_out_of_turn_does_not_blame_the_one_who_holds_a_piece() -> None:
    state, said = play(begun(), "gone Ta0", "move tc4~c3", "come Ta1", "move tc3~c4")
    assert said == [
        "INFO half-done @QB-10.6",
        "FOUL out-of-turn @QB-10.2",
        "HOLD @QB-10.8",
        "FIXED @QB-10.8 | PATH a0-a1 @QB-10.3 | OK @QB-3.3",
    ]
    assert differences(state) == ()


def test_a_first_move_shows_that_the_pieces_stood_ready() -> None:
    _, said = play(start(), "move Ta0~a1")
    assert said == [
        "OK @QB-1.3 | BALL fu1 @QB-1.5 | TURN A @QB-2.3 | PATH a0-a1 @QB-10.3 | OK @QB-3.3"
    ]
    _, said = play(start(), "pass fu1>f0")
    assert said[0].endswith("OK @QB-8.5 | CATCH Sf0 @QB-8.7")


def test_pieces_that_stand_wrong_are_not_accepted_by_a_tap() -> None:
    state = start()
    for n, letter in enumerate(state.terms.set_up):
        if letter not in (EMPTY, "Q"):
            state, _ = put(state, as_seen(state, 0, n, letter))
    _, said = play(state, "setup", "setup start")
    assert said == ["REJECT quarterbacks @QB-1.6", "OK @QB-1.3 | BALL fu1 @QB-1.5 | TURN A @QB-2.3"]


def test_a_foul_or_a_push_that_the_referee_waives_need_not_be_put_right() -> None:
    state, _ = play(begun(), "move Ta0~a1")
    fact = read_fact("move Tk0~k6", state)
    assert calls(GAME.judge(state, fact)) == ["FOUL too-far"]
    waived = GAME.advance(state, fact, ())
    assert waived.correction is None
    _, said = play(waived, "move Tk0~k1", "end")
    assert said == ["PATH k0-k1 @QB-10.3 | OK @QB-3.3", "TURN D @QB-2.3"]


def test_any_ruling_on_a_tackle_may_be_overruled() -> None:
    place = "11/11/11/11/11/11/11/11/11/11/5t5/5Q5/11/11/11/11 D f1 - 1.1"
    state = read_position(place, begun())
    fact = read_fact("move tf2-f1", state)
    rulings = GAME.judge(state, fact)
    assert calls(rulings) == ["OK", "TACKLE f1", "POINTS 7", "HALF-END"]
    for waived in rulings:
        stands = tuple(ruling for ruling in rulings if ruling is not waived)
        after = GAME.advance(state, fact, stands)
        assert GAME.scoreboard(after).headline
        assert after.points == (() if waived.call == "HALF-END" else (7,))


def test_a_way_over_the_line_that_nobody_saw_can_be_told_with_one_tap() -> None:
    board = read_position(
        "11/11/11/3t7/11/11/11/11/11/11/11/1d9/2DT7/11/5Q5/11 A fu2 - 1.1", start()
    )
    state, _ = play(board, "move Dc0~e0")
    offered = {said.what: said.value for said in GAME.scoreboard(state).announcements}
    assert offered["route"] == "Dc0-d1-e0"
    state, said = play(state, f"route {offered['route']}")
    assert said == ["OK @QB-10.3 | OK @QB-3.2 | RELEASE Dd1 @QB-4.3"]
    assert "route" not in {said.what for said in GAME.scoreboard(state).announcements}


# A table, slips, a whole match


@pytest.mark.parametrize(
    ("lines", "last"),
    [
        (("coin R", "points 3", "concede"), "REFUSED half-over @QB-2.4"),
        (("coin R", "points 3", "coin B"), "REFUSED started @QB-10.11"),
        (("points 3",), "REFUSED no-toss @QB-2.2"),
        (("coin X",), "REFUSED no-such-player @QB-2.2"),
        (("end",), "REFUSED not-set-up @QB-2.4"),
        (("setup start", "move Ta0-l0"), "FOUL off-board @QB-3.5"),
        (("setup start", "move Ta0-b-c"), "REFUSED unreadable @QB-10.11"),
        (("setup start", "pass fu1>f13"), "FOUL not-a-line @QB-8.5"),
        (("setup start", "cleared"), "FOUL piece-missing @QB-10.6"),
        (("setup start", "cleared", "restored"), "FIXED @QB-10.8"),
        (("setup start", "lift Ta0", "come Ta0"), "FIXED @QB-10.8"),
        (("setup start", "come Ta1", "gone Ta0"), "PATH a0-a1 @QB-10.3 | OK @QB-3.3"),
        (("setup start", "gone Ta0", "come Ta0"), ""),
        (("setup start", "gone tc4"), "FOUL piece-missing @QB-10.6"),
        (("setup start", "come Ta1"), "INFO half-done @QB-10.6"),
        (("setup start", "gone Ta0", "restored"), ""),
        (("setup start", "end", "move Ta0-a1"), "FIXED @QB-10.8 | OK @QB-3.3"),
        (("setup start", "move Ta0-a1", "end", "end"), "FOUL no-action @QB-3.14"),
        (("setup start", "stall"), "REFUSED not-stalled @QB-2.12"),
        (("setup start", "coin B", "move Ta0-a1"), "REFUSED not-set-up @QB-1.3"),
    ],
)
def test_a_slip_is_ruled(lines: tuple[str, ...], last: str) -> None:
    assert play(start(), *lines)[1][-1] == last


def test_the_match_book_follows_the_halves_that_were_played() -> None:
    state, said = play(start(), "coin B", "setup start", "concede")
    assert said[-1].endswith("HALF-END @QB-2.4 | ATTACK R @QB-2.1")
    state, said = play(state, "setup start", "move Qfu1-eu1-du1", "pass du1>c0", "move db1-c0")
    assert said[-1].endswith(
        "HALF-END @QB-2.4 | GAME 1 draw R0 B0 @QB-2.9 | MATCH-POINTS R1 B1 @QB-9.4 "
        "| ATTACK R @QB-9.2"
    )
    state, _ = play(state, "setup start")
    assert (state.game, state.half, state.attacker) == (2, 1, 0)
    state, said = play(start(), "coin R", "points 12", "points 9", "points 3", "points 14")
    assert write_match(state) == "R:12,9;3,14"
    assert read_match("R:12,9;3,14") == (0, (12, 9, 3, 14))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.words) == ("R", "Red wins the match, 4 to 0.")
    assert GAME.score(state) == {"R": 4, "B": 0}


@given(
    st.sampled_from("RB"),
    st.lists(st.integers(0, 23), max_size=4),
)
def test_a_match_string_reads_back(player: str, points: list[int]) -> None:
    state = structs.replace(start(), first="RB".index(player), points=tuple(points))
    assert read_match(write_match(state)) == ("RB".index(player), tuple(points))


def test_on_nine_columns_the_pieces_keep_their_distance_from_the_middle() -> None:
    lattice = Lattice(
        id="cells", cols=9, rows=16, pitch_x_mm=26, pitch_y_mm=26, origin=Point(-104, -195)
    )
    board = replace(BOARD, lattices=(lattice,))
    state = GAME.start(Setup(game="quarterback", board=board))
    assert write_grid(state.grid, field_of(9, 3)) == (
        "9/9/9/9/4t4/9/9/4t4/1t5t1/9/9/d1dsssd1d/T1DSSSD1T/1T2Q2T1/4D4/9"
    )
    _, rulings = put(state, Declared(at_ms=0.0, what="setup", value="start"))
    assert calls(rulings) == ["OK", "BALL eu1", "TURN A"]


def test_the_board_that_comes_with_sightline_is_the_rulebooks() -> None:
    state = GAME.start(Setup(game="quarterback", board=built_in_board("quarterback")))
    assert write_position(state) == write_position(start())
    assert state.terms.colours == ("red", "blue")


def test_the_players_colours_names_and_seats_are_those_of_the_setup() -> None:
    players = (
        Player(seat=Seat.E, name="Ada", colour="blue"),
        Player(seat=Seat.W, name="Bo", colour="red"),
    )
    state = GAME.start(Setup(game="quarterback", board=BOARD, players=players))
    state, _ = put(state, Declared(at_ms=0.0, what="setup", value="start"))
    shown = GAME.scoreboard(state)
    assert (shown.turn, shown.seat, shown.headline) == ("R", Seat.E, "Ada to act, the attacker.")
    assert fact_of(state, Change(0, "Q", True), 0.0) == Filled(
        at_ms=0.0, place="cells:0,0", kind="quarterback", colour="blue"
    )
    other = Emptied(at_ms=0.0, place="cells:0,0", kind="triple", colour="green")
    assert put(state, other)[1] == ()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"defender_moves": "3"}, r"2 \| 1"),
        ({"stall_limit": "soon"}, "number from 0 to 999"),
        ({"column_values": "1.2"}, "11 column_values"),
        ({"set_up": "11/11"}, "16 rows"),
        ({"set_up": "/".join(["11"] * 16)}, "one quarterback"),
        ({"dice": "two"}, "an option of Quarterback"),
    ],
)
def test_an_agreement_that_cannot_be_kept_is_refused_with_what_it_may_be(
    options: dict[str, str], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        start(**options)


@pytest.mark.parametrize(
    "text",
    [
        "11/11",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/12 A f0 - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A f1 - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A (f0) - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 B f0 - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A:m0p0 f0 - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A:m1p0@a0/1 f0 - 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A f0 x 1.1",
        "11/11/11/11/11/11/11/11/11/11/11/11/5Q5/11/11/11 A f0 - 3.1",
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_position(text, start())
