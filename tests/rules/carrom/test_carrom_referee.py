"""The referee's part in carrom, and all that happens between strikes."""

from dataclasses import replace

import pytest
from msgspec import structs
from testkit.carrom_table import GAME, From, Table, board, canonical_rack

from rules.decisions import Amend, Insert, Overrule, Reply
from rules.engine import Fold, as_logged
from rules.facts import (
    Contacted,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Pocketed,
    Rebounded,
    Removed,
    Settled,
    Struck,
    Unclear,
)
from rules.game import Entry, Setup
from rules.games.carrom.state import Phase, Queen, State, Where
from rules.geometry import Point, Seat
from rules.rulings import Ruling, RulingKind, Standing

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
PENDING = Queen(team=0)


def folded(table: Table, play: object, **at: object) -> Fold[State]:
    """Play from a position and return the log of it, folded."""
    table.position(**at)  # type: ignore[arg-type]
    state, begun = table.state, len(table.facts)
    play(table)  # type: ignore[operator]
    entries = [
        Entry(seq=n, at_ms=fact.at_ms, body=fact)
        for n, fact in enumerate(table.facts[begun:], start=1)
    ]
    return Fold(From(state), Setup(game="carrom", board=board()), entries)


def waived(fold: Fold[State], *codes: str) -> State:
    """Return the state once the last step's rulings of these clauses are overruled."""
    step = fold.steps[-1]
    seq = len(fold.entries)
    for id, ruling in zip(step.ids, step.rulings, strict=True):
        if ruling.code in codes:
            seq += 1
            fold.append(Entry(seq=seq, at_ms=0.0, body=Overrule(ruling=id, was=as_logged(ruling))))
    assert not fold.to_review
    return fold.state


def strike(*drops: str, **more: object) -> object:
    return lambda table: table.strike(drops, **more)


@pytest.mark.parametrize(
    ("play", "at", "codes", "white", "seat"),
    [
        (strike("W", calls=["push"]), {}, ["CR-F3.1"], 5, S),
        (strike(calls=["push"]), {}, ["CR-F3.2"], 6, E),
        (strike("W", at=(0.0, -262.0)), {}, ["CR-13.1"], 5, S),
        (strike("W", calls=["jerk"]), {}, ["CR-13.3"], 5, S),
        (strike("S"), {}, ["CR-F4.1"], 6, E),
        (strike("S", "W"), {}, ["CR-F4.2"], 5, S),
        (strike("W", off=["K"]), {}, ["CR-F2.1"], 5, S),
        (strike("Q", "S"), {}, ["CR-20.1"], 6, S),
        (strike("W", "S"), {"queen": PENDING}, ["CR-21.1"], 5, S),
        (strike("Q"), {"white": 9, "netted": (False, True)}, ["CR-F5.1"], 9, S),
        (strike("W", by=N), {"seat": E}, ["CR-X.25"], 5, N),
        (strike("W", by=N), {"seat": E}, ["CR-F1.2"], 6, E),
        (strike("W"), {}, ["CR-10.1"], 5, E),
        (strike(), {}, ["CR-11.1"], 6, S),
        (strike("S"), {}, ["CR-F4.4"], 7, S),
        (strike("Q", "S"), {}, ["CR-20.2"], 8, E),
        (strike("W"), {"queen": PENDING}, ["CR-16.1"], 5, E),
        (lambda t: t.moved("W", N), {}, ["CR-F1.2"], 6, S),
        (lambda t: t.strike(["W"], more=t.sleeve("W", S)), {}, ["CR-F1.2"], 5, S),
    ],
    ids=[
        "no push",
        "a push without its penalty",
        "rightly placed",
        "no jerk",
        "no striker foul",
        "no striker foul with a piece",
        "nothing jumped",
        "queen without striker",
        "cover without striker",
        "the queen was open",
        "it was that player’s turn",
        "out of turn without the due",
        "the turn is lost all the same",
        "the turn is kept all the same",
        "a striker foul that keeps the turn",
        "queen and striker lose the turn",
        "that was no cover",
        "a touch without the due",
        "a touch in the strike without the due",
    ],
)
def test_an_overruled_foul_has_no_consequence(
    play: object, at: dict[str, object], codes: list[str], white: int, seat: Seat
) -> None:
    state = waived(folded(Table(), play, **at), *codes)
    assert (state.tally.on[0], state.seat) == (white, seat)


def test_a_touch_that_is_overruled_costs_nothing_but_the_disc_goes_back() -> None:
    state = waived(folded(Table(), lambda table: table.moved("K", N)), "CR-F1.1")
    assert state.tally.on == (6, 7)
    assert [errand.piece for errand in state.errands] == ["black-7"]


def test_a_fault_that_the_referee_puts_in_another_rulings_place_is_ruled_as_if_seen() -> None:
    fold = folded(Table(), strike("W"))
    step = fold.steps[-1]
    id, was = step.ids[0], step.rulings[0]
    assert was.code == "CR-10.1"
    push = structs.replace(as_logged(was), code="CR-F3.1", words="That was a push.")
    fold.append(
        Entry(seq=90, at_ms=0.0, body=Overrule(ruling=id, was=as_logged(was), becomes=push))
    )
    assert (fold.state.tally.on[0], fold.state.seat) == (7, E)


def test_an_overruled_end_of_time_stops_the_clock() -> None:
    fold = folded(Table(), lambda table: table.say("clock", value="35:00.1"))
    state = waived(fold, "CR-F6.1")
    assert not state.tally.queen_phase
    fold.append(Entry(seq=50, at_ms=9e6, body=HandEntered(at_ms=9e6, side=S)))
    assert not fold.state.tally.queen_phase


def test_an_amended_fact_rules_the_strike_anew() -> None:
    fold = folded(Table(), strike("W"))
    seq, fell = next((e.seq, e.body) for e in fold.entries if isinstance(e.body, Pocketed))
    fold.append(Entry(seq=90, at_ms=0.0, body=Amend(seq=seq, fact=replace(fell, piece="black-7"))))
    step = fold.steps[-1]
    assert step.rulings[-1].standing is Standing.OPEN  # white-6 is now missing, black-7 is there
    question = step.rulings[-1].question
    assert question is not None
    assert question.piece == "white-6"


def test_an_inserted_push_is_ruled_with_its_strike() -> None:
    fold = folded(Table(), strike("W"))
    said = Declared(at_ms=0.0, what="push")
    fold.append(Entry(seq=90, at_ms=0.0, body=Insert(after=2, fact=said)))
    assert (fold.state.tally.on[0], fold.state.seat) == (7, E)


def test_a_reply_is_applied_to_its_question() -> None:
    fold = folded(Table(), strike("W", at=(0.0, -258.85), error_mm=0.1))
    step = fold.steps[-1]
    question = step.rulings[-1].question
    assert question is not None
    fold.append(
        Entry(seq=90, at_ms=0.0, body=Reply(seq=step.seq, question=question.key, answer="no"))
    )
    assert (fold.state.tally.on[0], fold.state.seat) == (7, E)
    assert any(ruling.code == "CR-13.1" for ruling in fold.steps[-1].rulings)


# -- the last strike, ruled anew -----------------------------------------------------------------


def test_what_is_said_of_the_last_strike_rules_it_anew_until_the_next() -> None:
    table = Table().position()
    table.strike(["W"])
    table.say("broken")
    assert (table.state.tally.on[0], table.state.seat) == (7, E)
    table.serve()
    table.strike()
    table.say("nonsense")
    table.say("push")
    assert table.state.tally.on == (7, 8)
    assert table.state.seat is N


def test_a_strike_out_of_turn_is_void_when_it_is_noticed_before_the_next() -> None:
    table = Table().position(seat=E)
    table.strike(["K"])
    table.say("out of turn", "N")
    assert "CR-X.25" in table.codes()
    assert table.state.tally.on == (7, 7)
    assert table.state.seat is E
    fell = [(e.colour, e.at) for e in table.state.errands if e.where is Where.SPOT]
    assert fell == [("black", Point(120.0, -150.0))]


def out_of_turn(*rest: tuple[str, float, float]) -> Table:
    """A strike out of turn is void; since then the black men that are named lie elsewhere."""
    table = Table().position(seat=E)
    for name, x, y in rest:
        table.put(name, x, y)
    table.strike()
    table.say("out of turn", "N")
    return table


def test_after_a_void_strike_men_that_are_alike_may_have_changed_places() -> None:
    table = out_of_turn(("black-1", -180.0, -150.0), ("black-2", -240.0, -150.0))
    assert table.state.phase is Phase.PLACING  # for what it costs: one white man is down no more
    assert not [errand for errand in table.state.errands if errand.where is Where.SPOT]


def test_after_a_void_strike_as_few_men_as_possible_are_put_back() -> None:
    table = out_of_turn(("black-1", -181.0, -149.0), ("black-2", 0.0, 100.0))
    (task,) = [errand for errand in table.state.errands if errand.where is Where.SPOT]
    assert (task.piece, task.at) == ("black-2", Point(-240.0, -150.0))


@pytest.mark.parametrize("crosswise", [False, True], ids=["each home", "crosswise"])
def test_men_that_are_alike_may_be_put_back_in_each_others_places(crosswise: bool) -> None:
    table = out_of_turn(("black-1", 0.0, 100.0), ("black-2", 40.0, 120.0))
    spots = [(-240.0, -150.0), (-180.0, -150.0)]
    names = ["black-2", "black-1"] if crosswise else ["black-1", "black-2"]
    for name, (x, y) in zip(names, spots, strict=True):
        before = table.pieces[name].at
        after = table.put(name, x, y).at
        table.tell(Moved(at_ms=table.tick(), piece=name, before=before, after=after, by=N))
    table.hush()
    table.place("W", 60.0, 0.0, table.state.errands[-1].by)
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE
    assert not [ruling for ruling in table.told if ruling.kind is RulingKind.REFUSED]


def test_a_man_that_nobody_has_put_back_yet_is_not_refused() -> None:
    table = out_of_turn(("black-1", 0.0, 100.0), ("black-2", 40.0, 120.0))
    table.hush()
    table.put("black-2", -240.0, -150.0)
    table.settle()
    assert not table.told
    lack = [task.words for task in GAME.scoreboard(table.state).tasks if not task.done]
    assert lack[0] == "Put black-1 back where it lay"


def test_a_board_that_was_over_goes_on_when_its_last_strike_is_ruled_anew() -> None:
    table = Table().position(1, 3, queen=Queen(team=0, covered=True))
    table.strike(["W"])
    assert table.state.phase is Phase.RACKING
    table.say("push")
    assert table.state.phase is Phase.PLACING
    assert table.state.tally.points == (0, 0)
    assert table.state.tally.on == (2, 3)


def test_a_piece_that_falls_late_may_end_the_board() -> None:
    table = Table().position(1, 3, queen=Queen(team=0, covered=True))
    table.strike()
    name = table.named("W")
    del table.pieces[name]
    table.tell(Pocketed(at_ms=table.tick(), piece=name, pocket="SW"))
    assert {"CR-X.17", "CR-19.2"} <= table.codes()
    assert table.state.phase is Phase.RACKING


@pytest.mark.parametrize(("answer", "anew"), [("yes", False), ("no", True)])
def test_a_fall_that_is_seen_after_the_referee_was_asked_about_it_is_ruled_once(
    answer: str, anew: bool
) -> None:
    table = Table().position()
    name = table.named("W")
    pocket = next(pocket for pocket in board().pockets if pocket.id == "SW")
    table.put(name, pocket.centre.x_mm, pocket.centre.y_mm + pocket.radius_mm, error_mm=60.0)
    lay = table.state.tally.on[0]
    table.strike()
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer(answer)
    del table.pieces[name]
    told = table.tell(Pocketed(at_ms=table.tick(), piece=name, pocket="SW"))
    assert ("CR-X.17" in {ruling.code for ruling in told}) is anew
    assert table.state.tally.on[0] == lay - 1
    assert table.state.piece(name) is None


@pytest.mark.parametrize("has_left", [False, True], ids=["is still there", "had left when told"])
def test_a_piece_that_a_hand_drops_into_a_pocket_between_boards_is_no_late_fall(
    has_left: bool,
) -> None:
    table = Table().position(1, 3, queen=Queen(team=0, covered=True))
    table.strike(["W"])
    table.hush()
    table.tell(HandEntered(at_ms=table.tick(), side=S))
    fell_ms = table.tick()
    if has_left:
        table.tell(HandLeft(at_ms=table.tick(), side=S))
    table.tell(Pocketed(at_ms=fell_ms, piece="black-1", pocket="SW"))
    assert not table.told
    assert table.state.phase is Phase.RACKING


def test_whose_strike_it_is_may_be_said_where_it_was_noticed_late() -> None:
    table = Table().position(seat=E)
    table.say("strikes", "W")
    assert table.state.seat is W
    assert "CR-X.25" in table.codes()


# -- putting back --------------------------------------------------------------------------------


def test_queen_then_jumped_disc_then_returned_pieces_are_put_back() -> None:
    table = Table().position()
    table.strike(["S", "Q"], off=["K"])
    tasks = GAME.scoreboard(table.state).tasks
    assert [(task.kind, task.colour) for task in tasks] == [
        ("queen", "red"),
        ("carromman", "black"),
        ("carromman", "white"),
        ("carromman", "white"),
    ]
    assert tasks[0].at == Point(0.0, 0.0)
    assert tasks[1].at is not None
    assert tasks[1].at.distance_mm(Point(0.0, 0.0)) == pytest.approx(31.0)
    assert not any(task.done for task in tasks)
    table.serve()
    assert table.state.phase is Phase.STRIKE_DUE
    assert table.state.seat is E


def test_the_queen_goes_beside_a_disc_that_covers_the_centre() -> None:
    table = Table().position(queen=PENDING)
    table.put("black-1", 5.0, 0.0)
    table.strike()
    task = GAME.scoreboard(table.state).tasks[0]
    assert task.at == Point(-26.0, 0.0)
    table.put("queen", -26.0, 0.0)
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE


@pytest.mark.parametrize(("x", "good"), [(0.0, True), (4.9, True), (5.1, False), (40.0, False)])
def test_the_queen_off_the_centre_is_put_there_again(x: float, good: bool) -> None:
    table = Table().position(queen=PENDING)
    table.strike()
    table.put("queen", x, 0.0)
    table.settle()
    assert (table.state.phase is Phase.STRIKE_DUE) is good
    assert any(r.kind is RulingKind.REFUSED and r.code == "CR-X.6" for r in table.told) is not good


def test_a_refusal_is_said_once() -> None:
    table = Table().position()
    table.strike(["S"])
    table.hush()
    name = table.place("W", 80.0, 0.0, E)
    table.settle()
    table.settle()
    assert [r.code for r in table.told] == ["CR-F4.3", "CR-X.7"]
    table.put(name, 60.0, 0.0)
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE


def test_a_piece_placed_by_the_wrong_hand_is_placed_again() -> None:
    table = Table().position()
    table.strike(["S"])
    name = table.place("W", 60.0, 0.0, W)
    table.settle()
    assert table.state.phase is Phase.PLACING
    table.tell(Removed(at_ms=table.tick(), piece=name, by=E))
    del table.pieces[name]
    assert table.place("W", 60.0, 0.0, E) == name
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE


def test_a_disc_that_was_touched_goes_back_within_five_millimetres() -> None:
    for off, phase in ((4.9, Phase.STRIKE_DUE), (5.1, Phase.PLACING)):
        table = Table().position(9, 9)
        was = table.pieces["black-9"].at
        table.moved("K", N)
        table.put("black-9", was.x_mm + off, was.y_mm)
        table.settle()
        assert table.state.phase is phase


def test_the_referee_may_say_that_the_board_is_right() -> None:
    table = Table().position()
    table.strike(["S"])
    table.say("restored")
    assert table.state.phase is Phase.STRIKE_DUE
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE
    table.place("W", 60.0, 0.0, E)
    table.settle()
    assert "CR-7.2" not in table.codes()
    del table.pieces["white-1"]
    table.settle()
    assert "CR-7.2" in table.codes()


def test_a_strike_before_everything_is_back_is_judged_all_the_same() -> None:
    table = Table().position()
    table.strike(["S"])
    table.hush()
    table.strike(["K"])
    assert {"CR-X.7", "CR-10.1"} <= table.codes()


def test_a_piece_too_many_is_told_once_and_must_go() -> None:
    table = Table().position()
    table.put("white-7", 0.0, 200.0)
    table.settle()
    table.settle()
    assert [r.code for r in table.told] == ["CR-7.2"]
    assert "seven white pieces, but 6 in play" in table.told[0].words
    del table.pieces["white-7"]
    table.tell(Removed(at_ms=table.tick(), piece="white-7"))
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE


# -- touches and other breaches ------------------------------------------------------------------


def test_one_breach_moves_many_discs_and_costs_one_due() -> None:
    table = Table().position()
    table.tell(table.shift("K", N), table.shift("W", N))
    assert table.state.tally.on == (7, 7)
    assert len(table.state.errands) == 3


def test_breaches_that_are_apart_cost_one_due_each() -> None:
    table = Table().position()
    table.moved("K", N)
    table.serve()
    table.moved("K", N)
    assert table.state.tally.on == (8, 7)


def test_the_hand_that_is_over_the_board_moved_what_moved() -> None:
    table = Table().position()
    table.tell(HandEntered(at_ms=table.tick(), side=E))
    table.moved("K", None)
    table.tell(HandLeft(at_ms=table.tick()))
    assert table.state.tally.on == (6, 8)


@pytest.mark.parametrize(
    "taken",
    [
        lambda at_ms: Removed(at_ms=at_ms, piece="black-7", by=N),
        lambda at_ms: LeftBoard(at_ms=at_ms, piece="black-7"),
        lambda at_ms: Struck(at_ms=at_ms, piece="black-7", at=Point(120.0, -150.0), by=N),
    ],
    ids=["taken off", "knocked off", "flicked"],
)
def test_a_disc_that_a_hand_takes_or_knocks_away_is_a_touch(taken: object) -> None:
    table = Table().position()
    table.tell(HandEntered(at_ms=table.tick(), side=N))
    table.tell(taken(table.tick()))  # type: ignore[operator]
    assert "CR-F1.2" in table.codes()
    assert "CR-F2.1" not in table.codes()
    assert [e.piece for e in table.state.errands if e.piece] == ["black-7"]


def test_taking_up_the_striker_and_bringing_it_to_the_line_is_no_touch() -> None:
    table = Table().position()
    table.strike()
    table.hush()
    before = Point(100.0, 60.0)
    table.tell(
        HandEntered(at_ms=table.tick(), side=E),
        Moved(at_ms=table.tick(), piece="striker", before=before, after=Point(250.0, 0.0)),
        Struck(at_ms=table.tick(), piece="striker", at=Point(250.0, 0.0), dragged=True),
        Removed(at_ms=table.tick(), piece="striker", by=E),
    )
    assert not table.told
    assert table.state.phase is Phase.STRIKE_DUE


def test_a_striker_taken_up_before_the_board_was_seen_at_rest_is_not_missing() -> None:
    table = Table().position()
    table.settle()
    table.put("striker", 0.0, -250.0)
    table.settle()
    table.tell(Struck(at_ms=table.tick(), piece="striker", at=Point(0.0, -250.0)))
    table.tell(Contacted(at_ms=table.tick(), a="striker", b="queen", at=Point(0.0, 0.0)))
    table.tell(Removed(at_ms=table.tick(), piece="striker", by=E))
    del table.pieces["striker"]
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE
    assert table.state.seat is E


def test_a_pending_queen_stays_pending_after_a_breach_that_is_put_right() -> None:
    table = Table().position(queen=PENDING)
    table.moved("K", N)
    table.serve()
    table.strike(["W"])
    assert table.queen == "cov A"


def test_a_breach_said_during_the_strike_is_ruled_with_it() -> None:
    for what, code in (("touch by N", "CR-F1.1"), ("jolt by N", "CR-F1.1")):
        table = Table().position()
        name, _, seat = what.partition(" by ")
        table.strike(["W"], more=[Declared(at_ms=table.now_ms, what=name, side=seat)])
        assert {code, "CR-F1.2"} <= table.codes()
        assert table.state.tally.on == (6, 7)
    table = Table().position()
    more = [Declared(at_ms=table.now_ms, what="posture", side="E", value="support")]
    table.strike(["W"], more=more)
    assert {"CR-4.1", "CR-X.18", "CR-F1.2"} <= table.codes()
    assert table.state.tally.on == (5, 8)


def test_what_shifts_under_a_hand_during_a_strike_is_no_touch_until_somebody_says_so() -> None:
    table = Table().position()
    table.strike(["W"], more=[table.shift("K", S)])
    assert "CR-F1.1" not in table.codes()
    assert (table.state.tally.on, table.state.seat) == ((5, 7), S)
    assert not table.state.errands


def test_a_breach_that_is_not_listed_is_ruled_as_reported() -> None:
    table = Table().position()
    table.say("breach", "E", "blew at a piece")
    assert table.state.tally.on == (6, 8)
    assert "blew at a piece" in table.told[0].words
    assert table.told[0].code == "CR-F0.1"


def test_dues_are_suspended_in_the_queen_phase() -> None:
    table = Table().position().in_queen_phase()
    table.moved("K", N)
    assert table.state.tally.on == (6, 7)
    assert table.state.tally.due == (0, 0)
    assert [errand.piece for errand in table.state.errands] == ["black-7"]


# -- the clock -----------------------------------------------------------------------------------


def test_the_clock_warns_at_thirty_and_thirty_four_minutes_once_each() -> None:
    table = Table().open()
    table.strike()
    for minute in range(1, 35):
        table.now_ms = 60_000.0 * minute + 5_000.0
        table.tell(HandEntered(at_ms=table.now_ms, side=S), HandLeft(at_ms=table.now_ms + 10))
    warnings = [r.words for r in table.told if r.code == "CR-X.21"]
    assert [words[:22] for words in warnings] == [
        "The clock shows 30:03:",
        "The clock shows 34:03:",
    ]


def test_the_clock_begins_with_the_first_strike_of_the_game() -> None:
    table = Table().open()
    table.tick(3_000_000.0)
    table.strike(hit=None, path=[(0.0, -255.0)], ends=(0.0, -255.0))
    assert not table.state.clock.started
    table.strike()
    assert table.state.clock.started
    table.settle()
    assert not table.state.tally.queen_phase


def test_the_clock_stands_while_the_referee_stops_it() -> None:
    for stop, start in ((("clock", "stop"), ("clock", "start")), (("pause", ""), ("resume", ""))):
        table = Table().open()
        table.strike()
        table.say(stop[0], value=stop[1])
        table.tick(3_000_000.0)
        table.say(start[0], value=start[1])
        table.settle()
        assert not table.state.tally.queen_phase
        table.tick(2_101_000.0)
        table.settle()
        assert table.state.tally.queen_phase


def test_a_clock_that_was_stopped_before_a_pause_stays_stopped_after_it() -> None:
    table = Table().open()
    table.strike()
    table.say("clock", value="stop")
    table.say("pause")
    table.say("resume")
    assert table.state.clock.stopped


def test_a_strike_after_time_waits_for_the_queen_to_be_put_back() -> None:
    table = Table().position(queen=PENDING)
    table.say("clock", value="34:59.99")
    table.hush()
    table.tell(Struck(at_ms=table.tick(), piece="striker", at=Point(0.0, -250.0)))
    assert {"CR-F6.1", "CR-X.22"} <= table.codes()
    assert table.state.phase is Phase.PLACING
    table.serve()
    assert table.state.phase is Phase.STRIKE_DUE
    assert table.state.seat is S


# -- boards, games, matches ----------------------------------------------------------------------


def test_a_tie_after_the_last_board_is_broken_by_an_extra_board_after_a_toss() -> None:
    table = Table(options={"game": "boards_2"}).position(1, 3, number=2, points=(0, 3))
    table.state = structs.replace(
        table.state, tally=structs.replace(table.state.tally, queen=Queen(team=1, covered=True))
    )
    del table.pieces["queen"]
    table.strike(["W"])
    assert table.state.tally.points == (3, 3)
    assert table.state.phase is Phase.TOSS
    table.say("toss", "EW")
    table.say("break", "W")
    table.pieces = canonical_rack(-90.0)
    table.settle()
    assert table.state.tally.board == 3
    assert table.state.tally.points == (3, 3)
    table.say("concede", "EW", "board")
    assert table.state.phase is Phase.MATCH_OVER
    assert table.state.tally.winner == 0


def test_the_best_of_three_games_is_won_by_two() -> None:
    table = Table(options={"best_of": "3"}).open()
    table.say("concede", "SN", "game")
    assert GAME.score(table.state) == {"SN": 0, "EW": 1}
    assert GAME.outcome(table.state) is None
    assert not table.state.clock.started
    table.open("E")
    assert table.state.tally.game == 2
    table.say("concede", "SN", "game")
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "EW"
    assert "2 to 0" in outcome.words


def test_a_match_may_be_given_up() -> None:
    table = Table(options={"best_of": "3"}).position()
    table.say("concede", "N", "match")
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "EW"


def test_the_partner_may_break_instead() -> None:
    table = Table()
    table.say("toss", "SN")
    table.say("break", "S")
    table.say("breaker", "E")
    assert table.state.seat is S
    table.say("breaker", "N")
    table.pieces = canonical_rack(180.0)
    table.settle()
    assert table.state.seat is N
    assert not any("Y" in r.pieces for r in table.told)


@pytest.mark.parametrize(
    ("gone", "said"),
    [(1, [("CR-7.1", RulingKind.REFUSED)]), (12, [])],
    ids=["a rack that lacks a man", "a hand takes away what the last board left"],
)
def test_a_strike_before_the_rack_is_accepted_is_not_judged(
    gone: int, said: list[tuple[str, RulingKind]]
) -> None:
    table = Table()
    table.say("toss", "SN")
    table.say("break", "S")
    rack = canonical_rack(180.0)
    table.pieces = dict(list(rack.items())[gone:])
    table.settle()
    table.hush()
    for _ in range(2):
        table.tell(Struck(at_ms=table.tick(), piece="striker", at=Point(0.0, -250.0)))
    assert [(r.code, r.kind) for r in table.told] == said


def test_discs_still_being_gathered_are_no_bad_rack() -> None:
    table = Table()
    table.say("toss", "SN")
    table.say("break", "S")
    table.hush()
    whole = canonical_rack()
    table.pieces = {name: whole[name] for name in list(whole)[:12]}
    table.settle()
    assert not table.told
    table.say("rack accepted")
    assert table.state.phase is Phase.STRIKE_DUE


def test_a_rack_too_close_to_call_is_asked() -> None:
    for answer, phase in (("yes", Phase.STRIKE_DUE), ("no", Phase.RACKING)):
        table = Table()
        table.say("toss", "SN")
        table.say("break", "S")
        table.pieces = canonical_rack(0.0, (2.9, 0.0))
        table.put("queen", 2.9, 0.0, 0.2)
        table.settle()
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert table.state.phase is phase


# -- what the camera could not tell --------------------------------------------------------------


def unclear(*answers: tuple[Fact, ...]) -> Unclear:
    return Unclear(at_ms=1.0, question="What was it?", answers=answers)


def test_an_unclear_sight_is_asked_where_it_matters() -> None:
    touch = Moved(
        at_ms=1.0, piece="black-7", before=Point(120.0, -150.0), after=Point(99.0, -150.0), by=N
    )
    table = Table().position()
    table.tell(unclear((), (touch,)))
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("2")
    assert table.state.tally.on == (7, 7)


def test_what_was_touched_unseen_matters_for_a_break_alone() -> None:
    touch = Contacted(at_ms=1.0, a="striker", b="white-1", at=Point(0.0, 0.0))
    far = {"hit": None, "path": [(0.0, -120.0), (300.0, -100.0)], "ends": (300.0, -90.0)}
    table = Table().position()
    table.strike(more=[unclear((), (touch,))], **far)  # type: ignore[arg-type]
    assert "CR-X.23" not in table.codes()
    table = Table(options={"break_attempts": "3"}).open()
    table.strike(more=[unclear((), (touch,))], **far)  # type: ignore[arg-type]
    assert table.state.phase is Phase.PENDING_HUMAN


def test_a_disc_that_comes_back_out_of_a_pocket_has_not_fallen() -> None:
    table = Table().position()
    name = table.named("W")
    table.strike(more=[Rebounded(at_ms=table.now_ms, piece=name, pocket="NE")])
    assert table.state.tally.on == (6, 7)
    assert table.state.seat is E


def test_a_disc_seen_at_rest_in_a_pocket_has_fallen() -> None:
    table = Table().position()
    table.put("white-6", 348.0, 348.0)
    table.strike()
    assert table.state.tally.on == (5, 7)
    assert table.state.seat is S


def test_facts_while_a_question_is_open_do_not_answer_it() -> None:
    table = Table().position()
    table.strike(["W"], at=(0.0, -258.85), error_mm=0.1)
    told: list[Ruling] = list(table.told)
    table.settle()
    table.tell(Struck(at_ms=table.tick(), piece="striker", at=Point(0.0, -250.0)))
    assert table.told == told
    assert table.state.phase is Phase.PENDING_HUMAN
    assert isinstance(table.facts[-2], Settled)
