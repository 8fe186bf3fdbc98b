"""What holds in every game of Squarin' Off, and in its kin dots and boxes."""

import random
from functools import cache
from itertools import permutations

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples
from testkit.lattice_play import SQUARIN_OFF

from rules.facts import Batch, Declared, Emptied, Fact, Filled, Loose, Restored
from rules.games.squarin_off.grid import (
    ALL_GROOVES,
    BESIDE,
    DEFAULT_LAYOUT,
    GROOVES,
    SQUARES,
    flat,
    groove_name,
    groove_named,
    square_name,
    square_named,
    upright,
    values_of,
)
from rules.games.squarin_off.places import place_of_groove, place_of_square
from rules.games.squarin_off.state import State, points_of, record_of
from rules.games.squarin_off.strings import read_position, read_turn, write_position
from rules.games.squarin_off.transcript import read_fact, write_fact, write_rulings
from rules.geometry import Seat

GAME, start, play = SQUARIN_OFF.game, SQUARIN_OFF.start, SQUARIN_OFF.play


def stick(groove: int) -> Filled:
    return Filled(at_ms=0.0, place=place_of_groove(groove), kind="stick", colour="")


def put(state: State, fact: Fact) -> tuple[State, tuple[str, ...]]:
    rulings = GAME.judge(state, fact)
    return GAME.advance(state, fact, rulings), tuple(r.call for r in rulings)


def test_there_are_220_grooves_with_a_name_each() -> None:
    names = [groove_name(g) for g in range(GROOVES)]
    assert len(set(names)) == 220
    assert [groove_named(name) for name in names] == list(range(220))
    assert [square_named(square_name(q)) for q in range(SQUARES)] == list(range(100))
    assert groove_named("e6s") == groove_named("e5n")


def test_the_default_layout_is_worth_152_and_symmetric() -> None:
    values = values_of(DEFAULT_LAYOUT)
    assert sum(values) == 152
    grid = [values[row * 10 : row * 10 + 10] for row in range(10)]
    assert grid == grid[::-1] == [row[::-1] for row in grid]
    assert grid == [tuple(column) for column in zip(*grid, strict=True)]


def spiel_action(groove: int) -> int:
    """The groove in the other engine's numbering: rows of flat ones from the top, then upright."""
    if groove < flat(0, 11):
        y, col = divmod(groove, 10)
        return (10 - y) * 10 + col
    row, x = divmod(groove - upright(0, 0), 11)
    return 110 + (9 - row) * 11 + x


def test_without_blockers_1000_random_games_go_as_in_an_independent_engine() -> None:
    game = pyspiel.load_game("dots_and_boxes", {"num_rows": 10, "num_cols": 10})
    rng = random.Random(1986)
    blank = start(mandatory_close="no")
    for _ in range(1000):
        theirs = game.new_initial_state()
        ours = blank
        grooves = list(range(GROOVES))
        rng.shuffle(grooves)
        boxes = [0, 0]
        for groove in grooves:
            assert ours.turn - 1 == theirs.current_player()
            before = sum(mine.bit_count() for mine in ours.owned)
            mover = ours.turn - 1
            fact = stick(groove)
            ours = GAME.advance(ours, fact, GAME.judge(ours, fact))
            boxes[mover] += sum(mine.bit_count() for mine in ours.owned) - before
            theirs.apply_action(spiel_action(groove))
        assert theirs.is_terminal()
        assert ours.over
        winner = (boxes[0] > boxes[1]) - (boxes[0] < boxes[1])
        assert theirs.returns()[0] == winner
        assert sum(boxes) == 100


@cache
def facts() -> st.SearchStrategy[Fact]:
    corner = [g for g in range(GROOVES) if any(q % 10 < 3 and q < 30 for q in BESIDE[g])]
    squares = [q for q in range(SQUARES) if q % 10 < 3 and q < 30]
    by = st.sampled_from([None, None, Seat.S, Seat.N])
    groove_places = st.sampled_from(corner).map(place_of_groove)
    square_places = st.sampled_from(squares).map(place_of_square)
    colours = st.sampled_from(["black", "white", "blue"])

    def came(place: str, kind: str, colour: str, seat: Seat | None) -> Filled:
        return Filled(at_ms=0.0, place=place, kind=kind, colour=colour, by=seat)

    def went(place: str, kind: str) -> Emptied:
        return Emptied(at_ms=0.0, place=place, kind=kind, colour="")

    sticks = st.builds(came, groove_places, st.just("stick"), st.just(""), by)
    plain = st.one_of(
        sticks,
        sticks,
        sticks,
        st.builds(came, square_places, st.just("chip"), colours, by),
        st.builds(came, square_places, st.just("blocker"), st.just(""), by),
        st.builds(went, groove_places, st.just("stick")),
        st.builds(went, square_places, st.sampled_from(["chip", "blocker"])),
        st.builds(lambda p: Loose(at_ms=0.0, place=p, kind="stick"), groove_places),
        st.sampled_from(
            [
                Restored(at_ms=0.0),
                Declared(at_ms=0.0, what="pass"),
                Declared(at_ms=0.0, what="tally", value="K=1 W=x"),
                Declared(at_ms=0.0, what="setup", value="seats=KWB allot=4.4.4"),
                Declared(at_ms=0.0, what="draw", value="2"),
            ]
        ),
    )
    batches = st.lists(plain, min_size=2, max_size=5).map(
        lambda parts: Batch(at_ms=0.0, facts=tuple(parts))
    )
    return st.one_of(plain, plain, plain, batches)


HOUSE = [
    {},
    {"takeback": "until_next_fact"},
    {"unmarked": "open"},
    {"mandatory_close": "yes"},
    {"blocker_stick": "continue", "blocker_gap": "wide"},
    {"chips_cap": "stop", "chips_each": "1"},
    {"one_frame": "one_player", "penalty": "minus:2"},
]


@given(st.data(), st.sampled_from(HOUSE))
@settings(max_examples=examples(150))
def test_whatever_happens_the_game_goes_on_by_the_book(
    data: st.DataObject, options: dict[str, str]
) -> None:
    state = start(**options)
    for fact in data.draw(st.lists(facts(), max_size=25)):
        rulings = GAME.judge(state, fact)
        assert GAME.judge(state, fact) == rulings
        after = GAME.advance(state, fact, rulings)
        taken = [*after.owned, after.nobody, after.blocked]
        assert (
            sum(bits.bit_count() for bits in taken) == (after.completed | after.blocked).bit_count()
        )
        assert after.marked & ~after.completed == 0
        assert all(left >= 0 for left in after.left)
        ends = [r.call for r in rulings if r.call.startswith(("FOUL", "FIXED"))]
        if ends:
            assert (after.foul is not None) == ends[-1].startswith("FOUL")
        assert all(r.words for r in rulings)
        GAME.scoreboard(after)
        state = after
    if state.foul is None and not state.over:
        again = read_position(write_position(state), state.terms)
        assert write_position(again) == write_position(state)


@given(st.data())
@settings(max_examples=examples(100))
def test_a_fact_reads_back_from_its_transcript_line(data: st.DataObject) -> None:
    state = start()
    fact = data.draw(facts())
    line = write_fact(fact, state.terms)
    if line is not None and line != "batch: ":
        assert write_fact(read_fact(line, state.terms), state.terms) == line


@given(st.randoms(use_true_random=False))
@settings(max_examples=examples(25))
def test_a_whole_game_reads_back_from_its_turn_strings(rng: random.Random) -> None:
    state = start()
    grooves = list(range(GROOVES))
    rng.shuffle(grooves)
    for groove in grooves:
        state, _ = put(state, stick(groove))
    again = start()
    for turn in record_of(state):
        for fact in read_turn(turn, again.terms):
            again, _ = put(again, fact)
    assert again.over
    assert points_of(again) == points_of(state)
    assert again.sticks == ALL_GROOVES


THREE_SIDES = ("stick a1s", "stick a1w", "stick a1n")


@pytest.mark.parametrize(
    ("options", "lines", "last"),
    [
        ({"draw_sets_colour": "yes"}, ("draw 2", "stick a1s"), "OK @SO-3.1 | TURN 1 @SO-3.7"),
        (
            {"takeback": "until_next_fact"},
            ("stick a1s", "unstick a1s", "stick a1w"),
            "OK @SO-3.1 | TURN 2 @SO-3.7",
        ),
        (
            {"penalty": "lose_turn"},
            ("blocker a1", "stick e5n", "unstick e5n"),
            "FIXED @SO-6.15 | TURN 2 @SO-3.7",
        ),
        (
            {"takeback": "until_next_fact"},
            ("stick a1s", "stick a1w", "unstick a1w", "unstick a1s"),
            "FOUL stick-moved @SO-6.4",
        ),
        (
            {"penalty": "lose_turn"},
            (*THREE_SIDES, "stick a1e", "chip K b2", "unchip b2"),
            "FIXED @SO-6.15 | MARK-DUE a1 @SO-6.9 | TURN 1 @SO-3.7",
        ),
        (
            {},
            (*THREE_SIDES, "stick j10n by 1", "batch: chip W a1; stick a1e; unstick j10n"),
            "FIXED @SO-6.15 | INFO order-presumed @SO-6.13 | OK @SO-3.1 | CLOSE a1 W+3 @SO-3.2"
            " | AGAIN 2 @SO-3.5 | MARK a1 @SO-3.3",
        ),
        (
            {"penalty": "minus:3"},
            ("chip K a1", "unchip a1"),
            "FIXED @SO-6.15 | INFO minus K3 @SO-6.15",
        ),
        (
            {"seats": "KKWW", "teams": "yes", "team_seating": "side_by_side"},
            ("stick a1s",),
            "OK @SO-3.1 | TURN 2 @SO-3.7",
        ),
        (
            {},
            ("batch: unstick a1s; stick b1s",),
            "INFO order-presumed @SO-6.13 | OK @SO-3.1 | TURN 2 @SO-3.7",
        ),
        (
            {},
            ("stick a1s", "batch: unstick a1s; stick b1s"),
            "INFO order-presumed @SO-6.13 | FOUL stick-moved @SO-6.4 | HOLD @SO-6.15",
        ),
    ],
)
def test_a_house_rule_or_a_slip_is_ruled(
    options: dict[str, str], lines: tuple[str, ...], last: str
) -> None:
    assert play(start(**options), *lines)[1][-1] == last


@pytest.mark.parametrize("taken", ["unchip a1", "unchip j10", "unblock c3", "unstick e5n"])
def test_no_foul_hangs_on_the_order_in_which_a_frame_lists_its_facts(taken: str) -> None:
    parts = ("chip W a1", "chip W j10", "blocker c3", "stick e5n")
    said = set()
    for listed in permutations(parts):
        lines = ("batch: " + "; ".join(listed), taken, "unchip a1", "unchip j10")
        said.add(tuple(play(start(), *lines)[1]))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("options", "drawn", "seats"),
    [
        ({}, "2", "WK"),
        ({"seats": "KWBY"}, "3", "WBKY"),
        ({"seats": "KWKW", "teams": "yes"}, "2", "WKWK"),
        ({"seats": "KWKY", "teams": "yes"}, "4", "YWYK"),
    ],
)
def test_where_the_draw_sets_colours_partners_still_share_theirs(
    options: dict[str, str], drawn: str, seats: str
) -> None:
    state, said = play(start(draw_sets_colour="yes", **options), f"draw {drawn}")
    assert said == [f"START {drawn} @SO-2.{1 if len(seats) == 2 else 2}"]
    assert state.terms.seats == seats


@pytest.mark.parametrize(
    ("options", "issued"),
    [
        ({"seats": "KW"}, {"K": 80, "W": 80}),
        ({"seats": "KWBY"}, {"K": 40, "W": 40, "B": 40, "Y": 40}),
        ({"seats": "KWKY", "teams": "yes"}, {"K": 80, "W": 40, "Y": 40}),
        ({"seats": "KWB", "box": "40_together"}, {"K": 40, "W": 40, "B": 20}),
        ({"seats": "KWB", "box": "40_together", "chips_each": "30"}, {"K": 30, "W": 30, "B": 30}),
    ],
)
def test_each_colour_has_the_chips_that_its_players_were_issued(
    options: dict[str, str], issued: dict[str, int]
) -> None:
    terms = start(**options).terms
    assert {colour: terms.issue_of(colour) for colour in terms.colours} == issued


def test_any_ruling_on_a_stick_that_closes_a_square_may_be_overruled() -> None:
    before, _ = play(start(), *THREE_SIDES)
    closing = read_fact("stick a1e", before.terms)
    rulings = GAME.judge(before, closing)
    assert write_rulings(rulings) == "OK @SO-3.1 | CLOSE a1 W+3 @SO-3.2 | AGAIN 2 @SO-3.5"
    for waived in rulings:
        stands = tuple(ruling for ruling in rulings if ruling is not waived)
        after = GAME.advance(before, closing, stands)
        assert sum(points_of(after)) == (0 if waived.call.startswith("CLOSE") else 3)
        assert put(after, stick(groove_named("j10n")))[1][-1] == "TURN 1"


def test_squares_beyond_the_chips_are_nobodys_where_that_is_agreed() -> None:
    lines = ("stick a1s", "stick a1n", "stick a1w", "stick a10n", "stick a1e", "stick a2w",
             "stick a10w", "stick a2n", "stick b10n", "stick a2e")  # fmt: skip
    state, said = play(start(chips_each="1", chips_cap="stop"), *lines)
    closes = [
        call for line in said for call in line.split(" | ") if "CLOSE" in call or "SHORT" in call
    ]
    assert len(closes) == 2
    assert state.nobody.bit_count() == sum("SHORT" in call for call in closes)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"seats": "K"}, "two to four seats"),
        ({"seats": "KK"}, "only partners"),
        ({"seats": "KWB", "teams": "yes"}, "four players"),
        ({"allotment": "7.2"}, "allotments from 2 to 6"),
        ({"layout": "1/2/3"}, "ten rows"),
        ({"blocker_gap": "none"}, r"king \| orthogonal \| wide"),
        ({"penalty": "death"}, r"lose_turn \| minus"),
        ({"speed": "fast"}, "an option of Squarin"),
    ],
)
def test_an_agreement_that_cannot_be_kept_is_refused_with_what_it_may_be(
    options: dict[str, str], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        start(**options)
