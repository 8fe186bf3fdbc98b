"""What holds in every match of King Square, whatever is played."""

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples
from testkit.lattice_play import KING_SQUARE

from rules.facts import Batch, Cleared, Declared, Emptied, Fact, Filled, Restored
from rules.games.king_square.field import completed, field_of, holes_in, read_rows, write_rows
from rules.games.king_square.places import place_named
from rules.games.king_square.state import Phase, read_position, write_position
from rules.games.king_square.transcript import read_fact, write_fact
from rules.geometry import Seat

GAME, start, play = KING_SQUARE.game, KING_SQUARE.start, KING_SQUARE.play


@pytest.mark.parametrize("n", range(2, 27))
def test_a_field_has_as_many_squares_as_the_closed_formula_says(n: int) -> None:
    assert len(field_of(n, n).squares) == (n - 1) * n * (2 * n - 1) // 6


@pytest.mark.parametrize(
    ("cols", "rows", "count"), [(10, 10, 285), (8, 8, 140), (10, 8, 196), (4, 4, 14), (2, 2, 1)]
)
def test_the_rulebooks_counts_of_squares_hold(cols: int, rows: int, count: int) -> None:
    assert len(field_of(cols, rows).squares) == count


@given(st.integers(2, 16), st.integers(2, 16), st.data())
@settings(max_examples=examples(150))
def test_completed_squares_are_those_a_search_over_all_holes_finds(
    cols: int, rows: int, data: st.DataObject
) -> None:
    field = field_of(cols, rows)
    pegs = data.draw(st.integers(0, field.full))
    hole = data.draw(st.integers(0, cols * rows - 1))
    pegs |= 1 << hole

    def has(c: int, r: int) -> bool:
        return 0 <= c < cols and 0 <= r < rows and bool(pegs >> (r * cols + c) & 1)

    found = set()
    row, col = divmod(hole, cols)
    for k in range(1, min(cols, rows)):
        for x, y in ((col, row), (col - k, row), (col, row - k), (col - k, row - k)):
            if has(x, y) and has(x + k, y) and has(x, y + k) and has(x + k, y + k):
                found.add((x, y, k))
    assert {(q.col, q.row, q.side) for q in completed(field, pegs, hole)} == found


@pytest.mark.parametrize("n", [2, 5, 10, 16])
def test_a_field_full_of_one_colour_shows_every_square_at_once(n: int) -> None:
    field = field_of(n, n)
    seen = {q for hole in range(n * n) for q in completed(field, field.full, hole)}
    assert len(seen) == (n - 1) * n * (2 * n - 1) // 6


@given(st.integers(2, 26), st.integers(2, 26), st.data())
@settings(max_examples=examples(100))
def test_a_drawing_of_pegs_reads_back_as_it_was(cols: int, rows: int, data: st.DataObject) -> None:
    field = field_of(cols, rows)
    a = data.draw(st.integers(0, field.full))
    b = data.draw(st.integers(0, field.full)) & ~a
    assert read_rows(write_rows(field, (a, b))) == (cols, rows, (a, b))


@cache
def facts(colours: tuple[str, ...]) -> st.SearchStrategy[Fact]:
    holes = st.integers(0, 35).map(lambda h: field_of(6, 6).name(h))
    seats = st.sampled_from([None, Seat.S, Seat.N])
    pegs = st.builds(
        lambda name, colour, by: Filled(
            at_ms=0.0, place=place_named(name), kind="peg", colour=colour, by=by
        ),
        holes,
        st.sampled_from(colours),
        seats,
    )
    unpegs = st.builds(
        lambda name: Emptied(at_ms=0.0, place=place_named(name), kind="peg", colour=""), holes
    )
    said = st.sampled_from(
        [
            Declared(at_ms=0.0, what="agree", value="void"),
            Declared(at_ms=0.0, what="pass"),
            Declared(at_ms=0.0, what="record", value="1-0"),
            Declared(at_ms=0.0, what="claim", side="A", value="a1,b1,a2,b2"),
            Declared(at_ms=0.0, what="begin", value="2"),
            Declared(at_ms=0.0, what="setup", value="seats=4"),
            Declared(at_ms=0.0, what="claim", side="Z", value="??"),
        ]
    )
    plain = st.one_of(
        pegs, pegs, pegs, unpegs, said, st.just(Cleared(at_ms=0.0)), st.just(Restored(at_ms=0.0))
    )
    batches = st.lists(plain, min_size=2, max_size=4).map(
        lambda parts: Batch(at_ms=0.0, facts=tuple(parts))
    )
    return st.one_of(plain, plain, batches)


HOUSE = st.fixed_dictionaries(
    {"size": st.sampled_from(["6x6", "3x2"])},
    optional={
        "seats": st.sampled_from(["2", "4"]),
        "target": st.just("2"),
        "supply": st.sampled_from(["2.3", "1.1"]),
        "call": st.just("player"),
        "dead_board": st.sampled_from(["auto", "off"]),
        "multi_square": st.just("each"),
        "pair_start": st.just("choose"),
        "penalty": st.sampled_from(["lose_board", "lose_turn"]),
        "supply_end": st.just("move"),
        "takeback": st.just("until_next_peg"),
        "void_start": st.sampled_from(["same", "loser_of_last"]),
    },
)


@given(st.data(), HOUSE)
@settings(max_examples=examples(200))
def test_whatever_happens_the_match_goes_on_by_the_book(
    data: st.DataObject, options: dict[str, str]
) -> None:
    state = start(**options)
    for fact in data.draw(st.lists(facts(state.terms.colours), max_size=30)):
        rulings = GAME.judge(state, fact)
        assert GAME.judge(state, fact) == rulings
        after = GAME.advance(state, fact, rulings)
        assert not any(a & b for a, b in combinations(after.pegs, 2))
        won = sum(r.call.startswith("KING") for r in rulings)
        points = sum(after.score) - sum(state.score)
        assert points >= won if state.terms.each else points == won
        assert after.begun or not (after.taken or any(after.score) or after.board > 1)
        assert after.taken or after.phase not in (Phase.KING, Phase.VOID), "nothing ends it"
        ends = [r.call for r in rulings if r.call.startswith(("FOUL", "FIXED"))]
        if ends:
            assert (after.foul is not None) == ends[-1].startswith("FOUL")
        GAME.scoreboard(after)
        state = after
    if state.phase is not Phase.OVER:
        again = read_position(write_position(state), state)
        assert write_position(again) == write_position(state)


@given(st.data())
@settings(max_examples=examples(100))
def test_a_fact_reads_back_from_its_transcript_line(data: st.DataObject) -> None:
    state = start(size="6x6")
    fact = data.draw(facts(state.terms.colours).filter(lambda f: not _says_nonsense(f)))
    line = write_fact(fact, state.terms)
    assert line is not None
    assert write_fact(read_fact(line, state.terms), state.terms) == line


def _says_nonsense(fact: Fact) -> bool:
    if isinstance(fact, Batch):
        return any(_says_nonsense(part) for part in fact.facts)
    return isinstance(fact, Declared) and fact.side == "Z"


FULL_BOARD = ("peg A a1", "peg B b1", "peg A b2", "peg B a2")


@pytest.mark.parametrize(
    ("options", "lines", "last"),
    [
        ({"size": "2x2"}, FULL_BOARD, "OK @KS-2.2 | VOID @KS-5.1"),
        ({"size": "2x2"}, (*FULL_BOARD, "clear"), "CLEARED @KS-4.2 | START 1 @KS-5.1"),
        (
            {"size": "2x2", "void_start": "same"},
            ("begin 2", "peg B a1", "peg A b1", "peg B b2", "peg A a2", "clear"),
            "CLEARED @KS-4.2 | START 2 @KS-5.1",
        ),
        (
            {"size": "2x2", "dead_board": "off"},
            ("peg A a1", "peg B b2", "agree void"),
            "VOID @KS-5.2",
        ),
        (
            {"seats": "3", "three_players": "solo"},
            ("peg A a1", "peg B b1"),
            "OK @KS-2.2 | TURN 3 @KS-2.1",
        ),
        (
            {"takeback": "until_next_peg"},
            ("peg A a1", "unpeg a1", "peg A b1"),
            "OK @KS-2.2 | TURN 2 @KS-2.1",
        ),
        (
            {"penalty": "lose_turn"},
            ("peg A a1", "peg B a1 by 2", "unpeg a1"),
            "FIXED @KS-6.11 | TURN 1 @KS-2.1",
        ),
        (
            {"penalty": "lose_board"},
            ("peg A a1", "peg B a1 by 2", "unpeg a1"),
            "FIXED @KS-6.11 | KING A @KS-3.1 | RECORD 1-0 @KS-4.1 | CLEAR-DUE @KS-4.2",
        ),
        (
            {"penalty": "lose_board"},
            ("peg B a1 by 2", "unpeg a1"),
            "FIXED @KS-6.11 | KING A @KS-3.1 | RECORD 1-0 @KS-4.1 | CLEAR-DUE @KS-4.2"
            " | CLEARED @KS-4.2 | START 2 @KS-4.3",
        ),
        (
            {"penalty": "lose_board"},
            ("peg A a1 by 2", "unpeg a1", "setup seats=4"),
            "REFUSED started @KS-2.6",
        ),
        (
            {"penalty": "lose_board"},
            ("peg A a1 by 2", "peg A a1", "setup seats=4", "restored", "restored"),
            "FIXED @KS-6.11 | KING B @KS-3.1 | RECORD 1-1 @KS-4.1 | CLEAR-DUE @KS-4.2"
            " | CLEARED @KS-4.2 | START 1 @KS-4.3 | REFUSED started @KS-2.6",
        ),
        (
            {"penalty": "lose_board"},
            ("peg A a1", "peg A b1", "unpeg b1"),
            "FIXED @KS-6.11 | KING B @KS-3.1 | RECORD 0-1 @KS-4.1 | CLEAR-DUE @KS-4.2",
        ),
        (
            {"penalty": "lose_turn"},
            ("peg A a1", "peg A b1", "unpeg b1"),
            "FIXED @KS-6.11",
        ),
        (
            {"dead_board": "off"},
            ("agree void",),
            "VOID @KS-5.2 | CLEARED @KS-4.2 | START 1 @KS-5.1",
        ),
        (
            {"dead_board": "off"},
            ("agree void", "setup seats=4"),
            "REFUSED started @KS-2.6",
        ),
        (
            {"supply": "1.1", "supply_end": "move"},
            ("peg A a1", "peg B b1", "unpeg a1", "peg A c3"),
            "OK @KS-2.2 | TURN 2 @KS-2.1",
        ),
        (
            {"supply": "1.1", "supply_end": "move"},
            ("peg A a1", "peg B b1", "unpeg a1", "peg A a1"),
            "REFUSED no-pass @KS-2.7",
        ),
        (
            {"first_start": "winner_of_last_match", "last_winner": "2"},
            ("peg B a1",),
            "OK @KS-2.2 | TURN 1 @KS-2.1",
        ),
        (
            {"first_start": "winner_of_last_match", "last_winner": "2"},
            ("setup seats=2", "peg B a1"),
            "OK @KS-2.2 | TURN 1 @KS-2.1",
        ),
        ({}, ("begin 2", "setup seats=4", "peg B a1 by 2"), "OK @KS-2.2 | TURN 3 @KS-2.1"),
        (
            {"size": "2x2", "supply": "1.1", "supply_end": "move"},
            ("peg A a1", "peg B b2", "unpeg a1", "agree void"),
            "REFUSED not-dead @KS-5.2",
        ),
        (
            {},
            ("peg A a1", "peg A b1", "batch: unpeg b1; peg A c1; peg B d1"),
            "FIXED @KS-6.11 | INFO order-presumed @KS-6.12 | OK @KS-2.2 | TURN 1 @KS-2.1"
            " | OK @KS-2.2 | TURN 2 @KS-2.1",
        ),
    ],
)
def test_a_house_rule_changes_what_it_says(
    options: dict[str, str], lines: tuple[str, ...], last: str
) -> None:
    assert play(start(**options), *lines)[1][-1] == last


def test_the_losing_pair_names_its_starter_where_that_is_agreed() -> None:
    pegs = ["A a1", "B d1", "A a2", "B d3", "A b1", "B e5", "A b2"]
    state, _ = play(start(seats="4", pair_start="choose"), *(f"peg {peg}" for peg in pegs), "clear")
    assert state.due is None
    _, said = play(state, "peg B a1", "unpeg a1", "begin 1", "begin 4", "peg B a1 by 4")
    assert said == [
        "FOUL out-of-turn @KS-6.2",
        "FIXED @KS-6.11",
        "REFUSED not-the-losers @KS-4.4",
        "START 4 @KS-4.4",
        "OK @KS-2.2 | TURN 1 @KS-2.1",
    ]


def test_a_swept_field_is_right_again_when_the_last_peg_is_back() -> None:
    _, said = play(start(), "peg A a1", "peg B b1", "clear", "peg B b1", "peg A c3", "peg A a1")
    assert said[2:] == [
        "FOUL swept @KS-6.9",
        "HOLD @KS-6.11",
        "HOLD @KS-6.11",
        "FIXED @KS-6.11 | OK @KS-2.2 | TURN 2 @KS-2.1",
    ]


def test_an_order_given_by_a_person_is_ruled_as_given() -> None:
    state, _ = play(start(), "peg A d4", "peg B a9", "peg A e4", "peg B b9", "peg A d5", "peg B j1")
    pegs = tuple(read_fact(line, state.terms) for line in ("peg A e5", "peg B c9"))
    rulings = GAME.judge(state, Batch(at_ms=0.0, facts=pegs, ordered=True))
    assert [r.call.split()[0] for r in rulings] == [
        "OK", "KING", "RECORD", "CLEAR-DUE", "FOUL",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"size": "40x2"}, "2 to 26"),
        ({"size": "ten"}, "columns x rows"),
        ({"seats": "3"}, "2 players, or 4"),
        ({"target": "0"}, "1 to 99"),
        ({"call": "shout"}, r"referee \| player"),
        ({"colour": "red"}, "an option of King Square"),
        ({"supply": "many"}, "pegs per side"),
    ],
)
def test_an_agreement_that_cannot_be_kept_is_refused_with_what_it_may_be(
    options: dict[str, str], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        start(**options)


def test_the_winner_is_named_when_the_target_is_reached() -> None:
    state, _ = play(
        start(size="4x4", target="1"),
        *(f"peg {peg}" for peg in ("A a1", "B d1", "A a2", "B d2", "A b1", "B d4", "A b2")),
    )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == "A"
    assert holes_in(state.pegs[0]) == [0, 1, 4, 5]
