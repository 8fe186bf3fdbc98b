"""Laws that hold for any facts in any state of Q-Square, however impossible."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples
from testkit.qsquare_table import Table, four, rack

from rules.decisions import Decision, Overrule
from rules.engine import Fold, apply, as_logged
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Emptied,
    Fact,
    Filled,
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
    SightRegained,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Entry, Player, Setup
from rules.games.qsquare.board import default_board
from rules.games.qsquare.game import QSquare
from rules.games.qsquare.options import choices
from rules.games.qsquare.state import State
from rules.geometry import Point, Seat
from rules.rulings import Standing

GAME = QSquare()
BOARD = default_board()
NAMES = ("cue-puck", "queen", "red-1", "red-2", "blue-1", "blue-2", "blue-3", "odd")
KINDS = {"cue": ("cue-puck", "natural"), "que": ("queen", "white"), "odd": ("puck", "green")}
SAID = (
    "agreed",
    "measured",
    "lot",
    "lag",
    "break",
    "breaker",
    "rack accepted",
    "call",
    "miscue",
    "not tip",
    "hand",
    "disturbed",
    "restored",
    "spoiled",
    "wrong player",
    "leaning",
    "concede",
    "pause",
    "resume",
    "shot clock",
    "nonsense",
)

number = st.floats(-600, 600, allow_nan=False)
small = st.sampled_from([0.0, 0.0, 0.05, 1.0, 30.0])
time = st.floats(0, 60_000, allow_nan=False)
point = st.builds(Point, number, number)
name = st.sampled_from(NAMES)
seat = st.sampled_from([None, *Seat])


@st.composite
def piece(draw: st.DrawFn) -> Piece:
    called = draw(name)
    kind, colour = KINDS.get(called[:3], ("puck", called.rsplit("-", 1)[0]))
    return Piece(name=called, kind=kind, colour=colour, at=draw(point), error_mm=draw(small))


plain: st.SearchStrategy[Fact] = st.one_of(
    st.builds(
        Struck,
        at_ms=time,
        piece=st.sampled_from(["cue-puck", "cue-puck", "blue-1"]),
        at=point,
        error_mm=small,
        speed_mm_s=st.sampled_from([0.0, 100.0, 900.0]),
        by=seat,
        dragged=st.booleans(),
    ),
    st.builds(
        Contacted,
        at_ms=time,
        a=st.just("cue-puck"),
        b=name,
        at=point,
        error_ms=small,
    ),
    st.builds(
        Cushioned,
        at_ms=time,
        piece=name,
        border=st.sampled_from(Seat),
        error_ms=small,
    ),
    st.builds(
        Travelled,
        at_ms=time,
        piece=name,
        path=st.lists(point, max_size=3).map(tuple),
        error_mm=small,
    ),
    st.builds(Pocketed, at_ms=time, piece=name, pocket=st.sampled_from(["NE", "XX"])),
    st.builds(Rebounded, at_ms=time, piece=name, pocket=st.just("SW")),
    st.builds(LeftBoard, at_ms=time, piece=name, error_ms=small),
    st.builds(HandEntered, at_ms=time, side=seat, depth_mm=small),
    st.builds(HandLeft, at_ms=time, side=seat, depth_mm=small),
    st.builds(Settled, at_ms=time, pieces=st.lists(piece(), unique_by=lambda p: p.name).map(tuple)),
    st.builds(Moved, at_ms=time, piece=name, before=point, after=point, error_mm=small, by=seat),
    st.builds(Placed, at_ms=time, piece=piece(), by=seat),
    st.builds(Removed, at_ms=time, piece=name, by=seat),
    st.builds(Filled, at_ms=time, place=st.just("x"), kind=st.just("y"), colour=st.just("z")),
    st.builds(Emptied, at_ms=time, place=st.just("x"), kind=st.just("y"), colour=st.just("z")),
    st.builds(
        Declared,
        at_ms=time,
        what=st.sampled_from(SAID),
        side=st.sampled_from([None, "S", "N", "E", "red", "?"]),
        value=st.sampled_from(["", "blue-1", "1016 0.5", "replay", "blue NE", "repeat", "17"]),
    ),
    st.builds(SightLost, at_ms=time, why=st.just("dark")),
    st.builds(SightRegained, at_ms=time),
)
fact: st.SearchStrategy[Fact] = st.one_of(
    plain,
    st.builds(
        Unclear,
        at_ms=time,
        question=st.just("What was it?"),
        answers=st.lists(st.lists(plain, max_size=2).map(tuple), max_size=3).map(tuple),
    ),
)
options = st.dictionaries(
    st.sampled_from([key for key in choices() if key not in ("pucks_per_player", "shot_clock")]),
    st.integers(0, 2),
    max_size=6,
).map(lambda d: {k: choices()[k][n % len(choices()[k])] for k, n in d.items()})


def opening(players: tuple[Player, ...]) -> list[Fact]:
    """Return facts that lead to a break with few pucks near all that can happen."""
    rows = (
        {"S": ("blue", 2), "N": ("blue", 2), "E": ("red", 2), "W": ("red", 2)}
        if len(players) == 4
        else {"S": ("red", 2), "N": ("blue", 2)}
    )
    return [
        Declared(at_ms=1.0, what="lot", side="S"),
        Declared(at_ms=2.0, what="break", side="S"),
        Declared(at_ms=3.0, what="rack accepted"),
        Settled(at_ms=4.0, pieces=tuple(rack(rows).values())),
        Declared(at_ms=5.0, what="restored"),
    ]


def begin(chosen: dict[str, str], many: bool) -> tuple[Setup, State]:
    players = four() if many else ()
    setup = Setup(
        game="qsquare",
        board=BOARD,
        players=players,
        options={**chosen, "qs.pucks_per_player": "2"},
    )
    return setup, GAME.start(setup)


def held(state: State) -> None:
    """Check what must be true of every state."""
    for side, count in enumerate(state.tally.counts):
        assert count.on + count.down + count.off == state.terms.pucks[side]
        assert min(count.on, count.down, count.off) >= 0
    assert state.shooter in state.terms.seats
    board = GAME.scoreboard(state)
    assert board.headline
    assert GAME.outcome(state) is None or state.tally.winner is not None
    assert set(GAME.score(state)) == set(state.terms.sides)


@settings(max_examples=examples(80))
@given(st.lists(fact, max_size=14), options, st.booleans(), st.booleans())
def test_nothing_that_is_seen_or_said_breaks_the_rules(
    facts: Sequence[Fact], chosen: dict[str, str], many: bool, playing: bool
) -> None:
    setup, state = begin(chosen, many)
    for number, told in enumerate([*(opening(setup.players) if playing else []), *facts]):
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
    setup, _ = begin(chosen, False)
    entries = [
        Entry(seq=n + 1, at_ms=told.at_ms, body=told)
        for n, told in enumerate([*opening(()), *facts])
    ]
    one, other = Fold(GAME, setup, entries), Fold(GAME, setup, entries)
    assert [step.rulings for step in one.steps] == [step.rulings for step in other.steps]
    assert one.state == other.state


@settings(max_examples=examples(15))
@given(st.lists(fact, max_size=6))
def test_any_ruling_may_be_overruled(facts: Sequence[Fact]) -> None:
    setup, _ = begin({}, False)
    told = [*opening(()), *facts]
    entries = [Entry(seq=n + 1, at_ms=f.at_ms, body=f) for n, f in enumerate(told)]
    fold = Fold(GAME, setup, entries)
    given = [
        (id, ruling)
        for step in fold.steps
        for id, ruling in zip(step.ids, step.rulings, strict=True)
    ]
    for id, ruling in given:
        overrule: Decision = Overrule(ruling=id, was=as_logged(ruling))
        after = Fold(GAME, setup, [*entries, Entry(seq=999, at_ms=0.0, body=overrule)])
        assert not any(step.fault for step in after.steps)
        held(after.state)


def test_the_pucks_in_play_are_those_that_are_counted_through_a_whole_game() -> None:
    table = Table().open()
    script = [
        ("blue-1", ["blue-8"], [], "stays"),
        ("blue-1", [], ["blue-7"], "stays"),
        ("red-1", ["red-8", "red-7"], [], "stays"),
        ("red-1", ["red-6"], [], "falls"),
        (None, [], [], "stays"),
        ("queen", ["queen"], [], "stays"),
    ]
    for name, (x, y) in {"blue-1": (-350.0, 200.0), "red-1": (-350.0, 260.0)}.items():
        table.put(name, x, y)
    table.settle()
    for hit, drops, off, cue in script:
        table.shot(hit, drops=drops, off=off, cue=cue)
        held(table.state)
        if table.state.errands:
            table.serve()
        for side, colour in enumerate(table.state.terms.colours):
            assert len(table.lying(colour)) == table.state.tally.counts[side].on
