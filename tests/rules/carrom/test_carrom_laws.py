"""Laws that hold for any facts in any state of carrom, however impossible."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.carrom_table import GAME, Table, board, canonical_rack, man
from testkit.exploring import examples

from rules.decisions import Overrule
from rules.engine import Fold, apply, as_logged
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Rebounded,
    Removed,
    Settled,
    SightLost,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Entry, Setup
from rules.games.carrom.options import choices
from rules.games.carrom.state import Phase, State
from rules.geometry import Point, Seat
from rules.rulings import Standing

NAMES = ("striker", "queen", "white-1", "white-2", "white-3", "black-1", "black-2", "odd-1")
SAID = (
    ("agreed", ""),
    ("toss", ""),
    ("break", ""),
    ("breaker", ""),
    ("rack accepted", ""),
    ("push", ""),
    ("jerk", ""),
    ("broken", ""),
    ("out of turn", ""),
    ("touch", "white-1"),
    ("jolt", ""),
    ("posture", "chair"),
    ("posture", "leaned"),
    ("breach", ""),
    ("strikes", ""),
    ("restored", ""),
    ("concede", "board"),
    ("concede", "game"),
    ("clock", "35:01"),
    ("clock", "stop"),
    ("clock", "start"),
    ("clock", "x"),
    ("pause", ""),
    ("resume", ""),
)

number = st.floats(-380, 380, allow_nan=False)
small = st.sampled_from([0.0, 0.0, 0.05, 1.0, 30.0])
time = st.floats(0, 60_000, allow_nan=False)
point = st.builds(Point, number, number) | st.sampled_from([Point(0.0, -250.0), Point(0.0, -258.8)])
name = st.sampled_from(NAMES)
seat = st.sampled_from([None, *Seat])
piece = st.builds(lambda n, at, error: man(n, at.x_mm, at.y_mm, error), name, point, small)
pieces = st.lists(piece, unique_by=lambda p: p.name).map(tuple)

plain: st.SearchStrategy[Fact] = st.one_of(
    st.builds(
        Struck,
        at_ms=time,
        piece=st.sampled_from(["striker", "striker", "white-1"]),
        at=point,
        error_mm=small,
        error_ms=small,
        by=seat,
        dragged=st.booleans(),
    ),
    st.builds(Contacted, at_ms=time, a=st.just("striker"), b=name, at=point, error_ms=small),
    st.builds(Cushioned, at_ms=time, piece=name, border=st.sampled_from(Seat)),
    st.builds(
        Travelled,
        at_ms=time,
        piece=name,
        path=st.lists(point, max_size=3).map(tuple),
        error_mm=small,
    ),
    st.builds(
        Pocketed, at_ms=time, piece=name, pocket=st.sampled_from(["NE", "XX"]), error_ms=small
    ),
    st.builds(Rebounded, at_ms=time, piece=name, pocket=st.just("SW")),
    st.builds(LeftBoard, at_ms=time, piece=name),
    st.builds(HandEntered, at_ms=time, side=seat),
    st.builds(HandLeft, at_ms=time, side=seat),
    st.builds(Settled, at_ms=time, pieces=pieces),
    st.builds(Moved, at_ms=time, piece=name, before=point, after=point, error_mm=small, by=seat),
    st.builds(Placed, at_ms=time, piece=piece, by=seat),
    st.builds(Removed, at_ms=time, piece=name, by=seat),
    st.builds(
        lambda at_ms, said, side: Declared(at_ms=at_ms, what=said[0], side=side, value=said[1]),
        time,
        st.sampled_from(SAID),
        st.sampled_from([None, "S", "E", "SN", "EW", "?"]),
    ),
    st.builds(SightLost, at_ms=time, why=st.just("dark")),
)
fact: st.SearchStrategy[Fact] = plain | st.builds(
    Unclear,
    at_ms=time,
    question=st.just("What was it?"),
    answers=st.lists(st.lists(plain, max_size=2).map(tuple), max_size=3).map(tuple),
)
options = st.dictionaries(
    st.sampled_from([key for key in choices() if key not in ("players", "game", "time_limit_min")]),
    st.integers(0, 3),
    max_size=6,
).map(lambda d: {k: choices()[k][n % len(choices()[k])] for k, n in d.items()})


def opening(few: bool) -> list[Fact]:
    """Return facts that lead to a strike; with few pieces on the board, near all can happen."""
    lying: dict[str, Piece] = {n: man(n, 40.0 * k, 150.0) for k, n in enumerate(NAMES[1:7])}
    return [
        Declared(at_ms=1.0, what="toss", side="SN"),
        Declared(at_ms=2.0, what="break", side="S"),
        Settled(at_ms=3.0, pieces=tuple(canonical_rack().values())),
        Settled(at_ms=4.0, pieces=tuple(lying.values() if few else canonical_rack().values())),
        Declared(at_ms=5.0, what="restored"),
    ]


def setup(chosen: dict[str, str]) -> Setup:
    return Setup(game="carrom", board=board(), options=chosen)


def held(state: State) -> None:
    """Check what must be true of every state."""
    tally = state.tally
    for team in (0, 1):
        assert 0 <= tally.on[team] <= 9
        assert tally.due[team] >= 0
        assert tally.points[team] >= 0
    if tally.queen.pending:
        assert tally.queen.team == state.team
    assert state.seat in state.terms.seats
    shown = GAME.scoreboard(state)
    assert shown.headline
    assert (GAME.outcome(state) is None) is (tally.winner is None)
    assert set(GAME.score(state)) == {"SN", "EW"}
    if state.phase is Phase.STRIKE_DUE:
        assert not state.errands


@settings(max_examples=examples(120))
@given(st.lists(fact, max_size=14), options, st.booleans(), st.booleans())
def test_nothing_that_is_seen_or_said_breaks_the_rules(
    facts: Sequence[Fact], chosen: dict[str, str], playing: bool, few: bool
) -> None:
    state = GAME.start(setup(chosen))
    for number, told in enumerate([*(opening(few) if playing else []), *facts]):
        step = apply(GAME, state, number + 1, told)
        assert not step.fault, step.fault
        state = step.state
        held(state)
        for ruling in step.rulings:
            assert ruling.words
            if ruling.standing is Standing.OPEN:
                assert ruling.question is not None
                for answer in ruling.question.answers:
                    said = GAME.answer(state, ruling.question.key, answer.key)
                    assert said
                    held(GAME.advance(state, told, said))


@settings(max_examples=examples(40))
@given(st.lists(fact, max_size=10), options)
def test_the_same_facts_give_the_same_rulings(
    facts: Sequence[Fact], chosen: dict[str, str]
) -> None:
    entries = [
        Entry(seq=n + 1, at_ms=told.at_ms, body=told)
        for n, told in enumerate([*opening(True), *facts])
    ]
    one, other = Fold(GAME, setup(chosen), entries), Fold(GAME, setup(chosen), entries)
    assert [step.rulings for step in one.steps] == [step.rulings for step in other.steps]
    assert one.state == other.state


@settings(max_examples=examples(20))
@given(st.lists(fact, max_size=6), options)
def test_any_ruling_may_be_overruled(facts: Sequence[Fact], chosen: dict[str, str]) -> None:
    told = [*opening(True), *facts]
    entries = [Entry(seq=n + 1, at_ms=f.at_ms, body=f) for n, f in enumerate(told)]
    fold = Fold(GAME, setup(chosen), entries)
    given_rulings = [
        (id, ruling)
        for step in fold.steps
        for id, ruling in zip(step.ids, step.rulings, strict=True)
    ]
    for id, ruling in given_rulings:
        overrule = Overrule(ruling=id, was=as_logged(ruling))
        after = Fold(GAME, setup(chosen), [*entries, Entry(seq=999, at_ms=0.0, body=overrule)])
        assert not any(step.fault for step in after.steps)
        held(after.state)


class Player:
    """Plays whole boards: whatever is drawn falls, whatever is asked for is put back."""

    def __init__(self, seed: int, chosen: dict[str, str]) -> None:
        self.random = Random(seed)
        self.table = Table(options=chosen).open()
        self.spread()

    def spread(self) -> None:
        """Have a strike scatter the pieces."""
        lying = [n for n, p in self.table.pieces.items() if p.kind == "carromman"]
        for n, lies in enumerate(lying):
            self.table.put(lies, -240.0 + 60.0 * (n % 9), 150.0 if n < 9 else -150.0)

    def strike(self) -> None:
        table = self.table
        tokens = []
        for token, kind, colour in (
            ("W", "carromman", "white"),
            ("W", "carromman", "white"),
            ("K", "carromman", "black"),
            ("Q", "queen", "red"),
        ):
            there = sum((p.kind, p.colour) == (kind, colour) for p in table.pieces.values())
            if there > tokens.count(token) and self.random.random() < 0.33:
                tokens.append(token)
        if self.random.random() < 0.16:
            tokens.append("S")
        self.random.shuffle(tokens)
        calls = ["push"] if self.random.random() < 0.1 else []
        self.spread()
        table.strike(tokens, calls=calls)

    def play(self) -> None:
        state = self.table.state
        match state.phase:
            case Phase.RACKING:
                self.table.pieces = canonical_rack()
                self.table.settle()
                self.spread()
            case Phase.TOSS:
                self.table.say("toss", "SN")
                self.table.say("break", "S")
            case Phase.PLACING:
                self.table.serve()
            case Phase.STRIKE_DUE:
                self.strike()


@settings(max_examples=examples(25))
@given(st.integers(0, 10**6), options)
def test_the_pieces_on_the_board_are_those_that_are_counted(
    seed: int, chosen: dict[str, str]
) -> None:
    calm = {k: v for k, v in chosen.items() if (k, v) != ("push_penalty", "referee")}
    player = Player(seed, calm)
    table = player.table
    for _ in range(60):
        before = table.state.tally
        player.play()
        state = table.state
        held(state)
        assert state.phase is not Phase.PENDING_HUMAN
        if state.phase is Phase.STRIKE_DUE:
            for team in (0, 1):
                lying = [p for p in table.pieces.values() if p.colour == state.colour(team)]
                assert len(lying) == state.tally.on[team]
            assert ("queen" in table.pieces) is state.tally.queen.on_board
        if state.tally.board == before.board and state.tally.game == before.game:
            over = state.phase in (Phase.MATCH_OVER, Phase.TOSS)
            assert over or state.tally.points == before.points
        if state.phase is Phase.MATCH_OVER:
            assert sum(state.tally.games) >= 1
            return


def test_a_due_is_never_collected_from_nothing() -> None:
    table = Table().position(9, 9, netted=(False, False))
    for seat in (Seat.S, Seat.E, Seat.N, Seat.W):
        assert table.state.seat is seat
        table.strike(["S"])
    assert table.state.tally.due == (2, 2)
    assert table.state.tally.on == (9, 9)


@pytest.mark.parametrize("team", [0, 1])
def test_what_a_team_gains_it_gains_once(team: int) -> None:
    table = Table().position(1, 1)
    table.say("concede", ("SN", "EW")[team])
    assert sum(table.state.tally.points) == 1
    table.settle()
    assert sum(table.state.tally.points) == 1
