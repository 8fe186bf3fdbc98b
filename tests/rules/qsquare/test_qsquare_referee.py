"""What the referee can do to a Q-Square match: answer, overrule, amend, say more."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from msgspec import structs
from testkit.qsquare_table import GAME, HOME, Table

from rules.decisions import Amend, Decision, Insert, Overrule, Reply
from rules.engine import Fold, as_logged
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Pocketed,
    Removed,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Entry, Setup
from rules.games.qsquare.board import default_board
from rules.games.qsquare.game import QSquare
from rules.games.qsquare.state import Phase, State
from rules.geometry import Point, Seat
from rules.rulings import Ruling, RulingKind

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W


def logged(table: Table, *decisions: Decision) -> Fold[State]:
    """Fold the table's facts, and decisions after them, as the log holds them."""
    setup = Setup(
        game="qsquare", board=default_board(), players=table.players, options=table.options
    )
    facts = [Entry(seq=n + 1, at_ms=f.at_ms, body=f) for n, f in enumerate(table.facts)]
    said = [Entry(seq=len(facts) + n + 1, at_ms=0.0, body=body) for n, body in enumerate(decisions)]
    return Fold(GAME, setup, [*facts, *said])


def overrule(table: Table, code: str, becomes: str | None = None) -> Fold[State]:
    """Overrule the last ruling with a code, or put another in its place."""
    for step in reversed(logged(table).steps):
        for id, ruling in zip(step.ids, step.rulings, strict=True):
            if ruling.code == code:
                new = Ruling(code=becomes, words="as the referee says") if becomes else None
                return logged(table, Overrule(ruling=id, was=as_logged(ruling), becomes=new))
    raise AssertionError(f"no ruling {code}")


def count(state: State, side: int = 1) -> str:
    return str(state.tally.counts[side])


def test_a_waived_foul_lets_pucks_stay_down_and_the_turn_stay() -> None:
    table = Table().open().reach(3, 0)
    table.shot("red-1", drops=["blue-2"])
    assert (table.count("blue"), table.state.shooter) == ("6/2/0", N)
    state = overrule(table, "QS-8a.4").state
    assert (count(state), state.shooter, state.phase) == ("4/4/0", S, Phase.AIMING)
    assert state.errands == ()


@pytest.mark.parametrize(
    ("code", "blue", "shooter"),
    [
        ("QS-8.3", "5/3/0", N),
        ("QS-2.4", "5/3/0", S),
        ("QS-8a.1", "5/3/0", N),
        ("QS-8g", "6/2/0", N),
        ("QS-8.1", "6/2/0", N),
    ],
)
def test_each_consequence_can_be_waived_alone(code: str, blue: str, shooter: Seat) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", cue="falls")
    state = overrule(table, code).state
    assert (count(state), state.shooter) == (blue, shooter)


def test_a_turn_kept_can_be_taken() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"])
    assert overrule(table, "QS-2.2").state.shooter is N


def test_a_turn_lost_can_be_given_back() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1")
    assert overrule(table, "QS-2.3").state.shooter is S


def test_a_win_can_be_waived() -> None:
    table = Table().open().reach(8, 0)
    table.shot("queen", drops=["queen"])
    fold = overrule(table, "QS-2.6")
    assert GAME.outcome(fold.state) is None
    assert fold.state.errands[0].kind == "queen"


def test_one_forced_off_puck_of_two_can_be_excused() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", off=["blue-2", "blue-3"])
    assert table.count("blue") == "5/1/2"
    state = overrule(table, "QS-8b").state
    assert count(state) == "4/2/2"


def test_another_ruling_in_its_place_counts_as_found() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1")
    state = overrule(table, "QS-2.3", becomes="QS-8c").state
    assert (count(state), state.shooter) == ("6/2/0", N)
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"])
    state = overrule(table, "QS-2.2", becomes="QS-8f").state
    assert (count(state), state.shooter) == ("5/3/0", N)


def test_a_hand_fault_can_be_waived() -> None:
    table = Table().open().reach(3, 0)
    table.hand(S)
    assert table.state.shooter is N
    assert overrule(table, "QS-4.5").state.shooter is S


def test_a_refused_rack_can_be_accepted_in_words() -> None:
    table = Table()
    table.say("lot", "S")
    table.say("break", "S")
    table.settle()
    assert "QS-1.3" in {r.code for r in table.told if r.kind is RulingKind.REFUSED}
    table.say("rack accepted")
    assert table.state.phase is Phase.AIMING


def test_the_same_refusal_is_not_repeated() -> None:
    table = Table()
    table.say("lot", "S")
    table.say("break", "S")
    assert table.settle()
    assert table.settle() == ()


def test_an_amended_first_contact_rules_everything_after_it_anew() -> None:
    table = Table().open().reach(3, 0)
    table.shot("red-1")
    fact = next(f for f in reversed(table.facts) if isinstance(f, Contacted))
    seq = table.facts.index(fact) + 1
    table.shot("red-2")
    state = logged(table, Amend(seq=seq, fact=replace(fact, b="blue-1"))).state
    assert count(state) == "5/3/0"


def test_a_border_that_was_missed_can_be_inserted() -> None:
    table = Table().open().reach(3, 0)
    table.put("blue-1", 200.0, -430.0)
    table.settle()
    table.shot("blue-1", drops=["blue-1"])
    strike = max(n for n, f in enumerate(table.facts) if isinstance(f, Struck)) + 1
    border = Cushioned(at_ms=table.facts[strike - 1].at_ms + 1, piece="cue-puck", border=N)
    state = logged(table, Insert(after=strike, fact=border)).state
    assert (count(state), state.shooter) == ("4/4/0", S)


def test_a_reply_in_the_log_settles_the_question() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.2, drops=["blue-2"])
    seq = len(table.facts)
    for answer, blue in (("yes", "4/4/0"), ("no", "5/3/0")):
        fold = logged(table, Reply(seq=seq, question="placement-home-S", answer=answer))
        assert count(fold.state) == blue
        assert fold.state.phase is not Phase.PENDING_HUMAN
        assert fold.to_review == ()
        said = [r for r in fold.steps[-1].rulings if r.code == "QS-X.19"]
        assert len(said) == 1
        assert "referee says" in said[0].words


def test_what_follows_an_answer_can_be_overruled_too() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.2, drops=["blue-2"])
    reply = Reply(seq=len(table.facts), question="placement-home-S", answer="no")
    step = logged(table, reply).steps[-1]
    id, was = next(
        (i, r) for i, r in zip(step.ids, step.rulings, strict=True) if r.code == "QS-4.4"
    )
    state = logged(table, reply, Overrule(ruling=id, was=as_logged(was))).state
    assert (count(state), state.shooter) == ("4/4/0", S)


def test_one_answer_may_lead_to_another_question() -> None:
    table = Table().open().reach(3, 0)
    table.put("blue-1", -100.05, 0.0, error_mm=0.1)
    table.settle()
    table.hush()
    table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.2, drops=["blue-2"])
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("no")
    assert (table.count("blue"), table.state.shooter) == ("4/4/0", S)


def test_play_waits_while_a_question_is_open() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.2, drops=["blue-2"])
    table.tell(Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S]))
    assert table.settle() == ()
    assert table.state.phase is Phase.PENDING_HUMAN
    board = GAME.scoreboard(table.state)
    assert board.headline == "A question for the referee"


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ((), "–"),
        (("PZ",), "one puck"),
        (("PZ", "PZ"), "two pucks"),
        (("PZ", "CZ"), "two pucks, 1 to the centre"),
    ],
)
def test_the_board_says_how_many_pucks_a_side_owes(places: tuple[str, ...], words: str) -> None:
    state = Table().open().state
    owing = structs.replace(state, tally=structs.replace(state.tally, debts=((), places)))
    items = dict(GAME.scoreboard(owing).sides[1].items)
    assert items["owes"] == words


# -- what cannot be seen ---------------------------------------------------------------------


def test_a_puck_that_vanished_is_asked_for() -> None:
    for answer, blue, shooter in (
        ("pocket", "4/4/0", S),
        ("off", "5/2/1", N),
        ("there", "5/3/0", N),
    ):
        table = Table().open().reach(3, 0)
        table.tell(Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S], speed_mm_s=900.0))
        hit = table.pieces["blue-1"]
        table.tell(Contacted(at_ms=table.tick(), a="cue-puck", b="blue-1", at=hit.at))
        table.pieces.pop("blue-2")
        table.put("cue-puck", 0.0, 300.0)
        table.settle()
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert (table.count("blue"), table.state.shooter) == (blue, shooter), answer


def test_pucks_moved_by_a_contact_that_nobody_saw_raise_a_question() -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, moves={"red-1": (0.0, 100.0)})
    assert table.state.phase is Phase.PENDING_HUMAN
    question = table.told[-1].question
    assert question is not None
    assert {a.key for a in question.answers} == {"none", "target", "own", "queen"}
    table.answer("own")
    assert "QS-8a.4" in table.codes()


def test_a_shot_in_the_dark_is_asked_about() -> None:
    table = Table().open().reach(3, 0)
    dark = [SightLost(at_ms=table.now_ms + 150.0, why="lens covered"), SightRegained(at_ms=9.0)]
    table.shot(None, more=dark, moves={"blue-1": (0.0, 200.0)})
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("target")
    assert "QS-2.3" in table.codes()


def test_sight_lost_after_the_first_contact_asks_nothing() -> None:
    table = Table().open().reach(3, 0)
    late = SightLost(at_ms=table.now_ms + 9000.0, why="lens covered")
    table.shot("blue-1", more=[late])
    assert not any(r.question for r in table.told)


def test_a_puck_seen_lying_in_a_pocket_has_fallen() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", moves={"blue-2": (468.0, 471.0)})
    assert (table.count("blue"), table.state.shooter) == ("4/4/0", S)


def test_a_border_touched_about_when_the_puck_was_is_asked_where_it_matters() -> None:
    table = Table().open().reach(3, 0)
    table.put("blue-1", -98.0, 0.0)
    table.settle()
    table.hush()
    border = Cushioned(at_ms=table.now_ms + 201.0, piece="cue-puck", border=N, error_ms=2.0)
    table.shot("blue-1", more=[border], drops=["blue-1"])
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert table.count("blue") == "4/4/0"
    assert "QS-9.6" in table.codes()


def test_a_hand_of_unknown_depth_or_owner_is_asked_about() -> None:
    table = Table().open().reach(3, 0)
    table.tell(HandEntered(at_ms=table.tick(), side=None))
    assert table.told == []
    table.tell(HandLeft(at_ms=table.tick(), side=None))
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("N")
    assert "QS-X.13" in table.codes()
    assert table.state.shooter is S


def test_a_hand_by_five_millimetres_is_ignored() -> None:
    table = Table().open().reach(3, 0)
    assert table.hand(S, 5.0) == ()
    assert table.hand(S, 5.1) != ()


def test_one_unbroken_hand_is_one_fault_even_where_it_moves_a_puck() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    table.tell(HandEntered(at_ms=table.tick(), side=S, depth_mm=200.0))
    table.moved("blue-1", 0.0, 300.0)
    table.tell(HandLeft(at_ms=table.tick(), side=S, depth_mm=200.0))
    assert [r.code for r in table.told].count("QS-4.5") == 1
    assert table.state.shooter is N
    assert table.spots() == [("blue", at.x_mm, at.y_mm)]


def test_a_hand_that_came_in_service_is_no_fault_when_it_goes_while_aiming() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", cue="falls")
    table.tell(HandEntered(at_ms=table.tick(), side=N, depth_mm=300.0))
    table.say("restored")
    table.tell(HandLeft(at_ms=table.tick(), side=N, depth_mm=300.0))
    assert "QS-4.5" not in table.codes()
    assert (table.state.phase, table.state.shooter) == (Phase.AIMING, N)


@pytest.mark.parametrize(
    ("by", "code", "shooter"), [(S, "QS-X.21", N), (N, "QS-X.13", S), (None, "", S)]
)
def test_who_moved_a_puck_decides(by: Seat | None, code: str, shooter: Seat) -> None:
    table = Table().open().reach(3, 0)
    table.moved("blue-1", 0.0, 300.0, by=by)
    if by is None:
        table.answer("nobody")
    assert (code in table.codes()) or not code
    assert table.state.shooter is shooter
    assert table.state.phase is Phase.SERVICE


def test_a_puck_moved_by_two_millimetres_lies_still() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    assert table.moved("blue-1", at.x_mm + 1.9, at.y_mm, by=S) == ()
    assert table.state.phase is Phase.AIMING
    moved = Moved(
        at_ms=table.tick(),
        piece="blue-2",
        before=Point(0.0, 300.0),
        after=Point(2.1, 300.0),
        error_mm=0.2,
        by=S,
    )
    table.tell(moved)
    assert table.state.phase is Phase.PENDING_HUMAN


def test_a_puck_struck_by_the_cue_itself_is_a_disturbance() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    table.tell(Struck(at_ms=table.tick(), piece="blue-1", at=at, by=S))
    assert {"QS-1.5", "QS-X.21"} <= table.codes()
    assert table.state.shooter is N


def test_a_puck_knocked_by_the_dragged_cue_puck_is_found_when_all_is_still() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    table.tell(
        Struck(at_ms=table.tick(), piece="cue-puck", at=Point(0.0, 300.0), dragged=True),
        Contacted(at_ms=table.tick(), a="cue-puck", b="blue-1", at=at),
    )
    table.put("blue-1", at.x_mm, at.y_mm - 30.0)
    table.settle()
    assert "QS-X.21" in table.codes()
    assert table.spots() == [("blue", at.x_mm, at.y_mm)]


def test_a_fast_drag_is_a_stroke() -> None:
    table = Table().open().reach(3, 0)
    strike = Struck(
        at_ms=table.tick(), piece="cue-puck", at=HOME[S], dragged=True, speed_mm_s=300.0
    )
    table.tell(strike)
    assert table.state.phase is Phase.SHOT


def test_a_puck_taken_away_must_come_back() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces.pop("blue-1").at
    table.tell(Removed(at_ms=table.tick(), piece="blue-1", by=None))
    assert table.spots() == [("blue", at.x_mm, at.y_mm)]
    table.put("blue-1", at.x_mm, at.y_mm)
    table.settle()
    assert table.state.phase is Phase.AIMING


def test_a_table_that_shows_other_pucks_than_are_counted_says_so() -> None:
    table = Table().open().reach(3, 0)
    gone = table.pieces.pop("blue-1")
    (ruling,) = table.settle()
    assert ruling.code == "QS-1.3"
    assert "four blue pucks, but 5 in play" in ruling.words
    assert table.state.phase is Phase.SERVICE
    table.pieces["blue-1"] = gone
    table.settle()
    assert table.state.phase is Phase.AIMING


def test_a_penalty_puck_off_its_spot_is_named_with_its_distance() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", cue="falls")
    table.put("blue-8", 0.0, 483.5)
    table.home()
    (ruling,) = table.settle()
    assert ruling.code == "QS-X.9"
    assert "12.0 mm" in ruling.words
    assert [task.done for task in GAME.scoreboard(table.state).tasks] == [False, True]
    table.put("blue-8", 0.0, 491.0)
    table.settle()
    assert table.state.phase is Phase.AIMING


def test_a_shot_before_the_table_is_right_is_judged_and_noted() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", cue="falls")
    table.hush()
    table.shot("red-1")
    assert {"QS-X.9", "QS-2.3"} <= table.codes()


def test_a_spoiled_shot_may_be_played_again() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"])
    table.say("spoiled", value="replay")
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", S)
    assert table.state.phase is Phase.SERVICE


LEFT, RIGHT, ASIDE, AHEAD = (-230.0, 30.0), (230.0, 30.0), (-180.0, 60.0), (30.0, 60.0)


def spoiled(left: tuple[float, float], right: tuple[float, float]) -> tuple[Table, str, str]:
    """A shot that is to be played again: where the blue puck at the left lies since, and the right.

    With the two pucks' names.
    """
    table = Table().open().reach(3, 0)
    names = table.lying("blue")[:2]
    for name, at in zip(names, (LEFT, RIGHT), strict=True):
        table.put(name, *at)
    table.settle()
    table.shot(names[0], path=[(0.0, 400.0)], moves=dict(zip(names, (left, right), strict=True)))
    table.say("spoiled", value="replay")
    table.hush()
    return table, *names


@pytest.mark.parametrize(
    ("left", "right", "asked"),
    [
        (RIGHT, LEFT, []),
        ((RIGHT[0] + 1, RIGHT[1]), AHEAD, [("right", LEFT)]),
        (ASIDE, AHEAD, [("left", LEFT), ("right", RIGHT)]),
    ],
    ids=["changed places", "in another's place", "both elsewhere"],
)
def test_pucks_that_are_alike_are_put_back_only_where_none_of_them_lies(
    left: tuple[float, float],
    right: tuple[float, float],
    asked: list[tuple[str, tuple[float, float]]],
) -> None:
    table, *names = spoiled(left, right)
    told = [(e.piece, e.at) for e in table.state.errands if e.why == "put back"]
    assert told == [(names[who == "right"], Point(*at)) for who, at in asked]


def test_pucks_that_are_alike_may_be_put_back_in_each_others_places() -> None:
    table, left, right = spoiled(ASIDE, AHEAD)
    table.moved(left, *RIGHT, by=S)
    table.moved(right, *LEFT, by=S)
    table.settle()
    assert table.state.phase is Phase.AIMING
    assert not [ruling for ruling in table.told if ruling.kind is RulingKind.REFUSED]


def test_two_things_may_be_said_of_one_shot() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"])
    table.say("miscue")
    table.hush()
    table.say("not tip")
    assert {"QS-8f", "QS-4.6"} <= table.faults()
    assert table.count("blue") == "5/3/0"


def test_nothing_is_ruled_while_the_match_is_paused() -> None:
    table = Table().open().reach(3, 0)
    table.say("pause")
    assert table.hand(S) == ()
    table.say("resume")
    assert table.state.phase is Phase.AIMING
    assert table.hand(S) != ()


def unclear_hand(at_ms: float) -> Unclear:
    return Unclear(
        at_ms=at_ms,
        question="Was that S’s hand?",
        answers=(
            (HandEntered(at_ms=at_ms, side=S, depth_mm=40.0), HandLeft(at_ms=at_ms, side=S)),
            (),
        ),
        words=("Yes", "No"),
    )


@pytest.mark.parametrize(("answer", "shooter"), [("1", N), ("2", S)])
def test_an_unclear_sight_between_shots_is_asked(answer: str, shooter: Seat) -> None:
    table = Table().open().reach(3, 0)
    table.tell(unclear_hand(table.tick()))
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer(answer)
    assert table.state.shooter is shooter
    assert table.state.phase is Phase.AIMING


def test_the_lag_fails_for_a_puck_that_misses_the_far_border() -> None:
    table = Table()
    table.put("red-1", -100.0, -208.0)
    table.put("blue-1", 100.0, -208.0)
    table.settle()
    for name, border in (("red-1", E), ("blue-1", N)):
        table.tell(
            Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S]),
            Cushioned(at_ms=table.tick(), piece=name, border=border),
        )
        table.put(name, 100.0 if name == "blue-1" else -300.0, 100.0)
        table.settle()
    assert "QS-5.3" in table.codes()
    assert table.state.chooser == 1


@pytest.mark.parametrize("gone", [Pocketed, LeftBoard])
def test_both_lags_failing_repeats_them(gone: type) -> None:
    table = Table()
    table.put("red-1", -100.0, -208.0)
    table.put("blue-1", 100.0, -208.0)
    table.settle()
    for name in ("red-1", "blue-1"):
        table.tell(Cushioned(at_ms=table.tick(), piece=name, border=N))
        fact: Fact = (
            Pocketed(at_ms=table.tick(), piece=name, pocket="NE")
            if gone is Pocketed
            else LeftBoard(at_ms=table.tick(), piece=name)
        )
        table.tell(fact)
        table.pieces.pop(name)
        table.settle()
    assert "QS-5.3" in table.codes()
    assert table.state.phase is Phase.OPENING


def test_a_lag_from_unequal_places_is_repeated() -> None:
    table = Table()
    table.put("red-1", -100.0, -208.0)
    table.put("blue-1", 20.0, -250.0)
    table.settle()
    for name in ("red-1", "blue-1"):
        table.put(name, table.pieces[name].at.x_mm, 100.0)
        table.tell(Cushioned(at_ms=table.tick(), piece=name, border=N))
        table.settle()
    assert "QS-5.2" in {r.code for r in table.told if r.kind is RulingKind.REFUSED}
    assert table.state.phase is Phase.OPENING


def test_four_players_name_their_breaker() -> None:
    from testkit.qsquare_table import four

    table = Table(players=four())
    table.say("lot", "EW")
    table.say("break", "E")
    table.say("breaker", "W")
    table.say("breaker", "S")
    table.rack()
    assert table.state.shooter is W


# -- a whole match ---------------------------------------------------------------------------


def scripted_match() -> Table:
    """A best of three with a bit of everything, as a log would hold it."""
    table = Table(options={"best_of": "3"}).open()
    table.put("blue-1", -350.0, 200.0)
    table.put("red-1", -350.0, 260.0)
    table.settle()
    table.shot("blue-1", drops=["blue-8", "blue-7"])
    table.shot("blue-1", cue="falls")
    table.serve()
    table.shot("red-1", drops=["red-8"])
    table.hand(N)
    table.shot("queen")
    table.serve()
    table.shot("red-1", off=["red-7"])
    table.serve()
    table.shot("blue-1", drops=table.lying("blue"))
    table.shot("queen", drops=["queen"])
    table.rack()
    table.shot(None, path=[(0.0, -200.0)])
    table.say("concede", "N")
    return table


def test_a_whole_match_ends_with_its_result_and_replays_the_same() -> None:
    table = scripted_match()
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert (outcome.winner, outcome.words) == ("S", "Red wins the match, 2 to 0.")
    fold = logged(table)
    assert fold.state == table.state
    said: Sequence[str] = [r.code for step in fold.steps for r in step.rulings]
    assert said == [r.code for r in table.told]
    assert not any(step.fault for step in fold.steps)


def test_names_of_games_and_players_are_used() -> None:
    assert QSquare().name == "qsquare"
    table = Table().open()
    assert GAME.scoreboard(table.state).headline == "Red to shoot"
    assert [s.name for s in GAME.scoreboard(table.state).sides] == ["Red", "Blue"]
    table.say("pause")
    assert [a.what for a in GAME.scoreboard(table.state).announcements] == ["resume"]


def test_every_announcement_is_understood() -> None:
    for table in (Table(), Table().open(), scripted_match()):
        for offer in GAME.scoreboard(table.state).announcements:
            fact = Declared(
                at_ms=table.now_ms + 1, what=offer.what, side=offer.side, value=offer.value
            )
            rulings = GAME.judge(table.state, fact)
            after = GAME.advance(table.state, fact, rulings)
            assert rulings or after != table.state, offer


def test_travelled_facts_of_other_pieces_are_of_no_account() -> None:
    table = Table().open().reach(3, 0)
    other = Travelled(at_ms=1.0, piece="blue-1", path=(Point(0.0, 0.0), Point(0.0, 400.0)))
    table.shot("blue-1", more=[other])
    assert table.faults() == set()
    assert isinstance(table.facts[-1], Settled)


def test_a_table_that_the_referee_calls_right_is_not_found_wrong_again() -> None:
    table = Table().open().reach(3, 0)
    table.pieces.pop("blue-1")
    table.settle()
    assert table.state.phase is Phase.SERVICE
    table.say("restored")
    assert table.settle() == ()
    assert table.state.phase is Phase.AIMING
    table.pieces.pop("blue-2")
    assert table.settle() != ()


def test_a_hand_over_the_surface_is_a_fault_even_where_the_stroke_was_no_shot() -> None:
    table = Table().open().reach(3, 0)
    hand = [HandEntered(at_ms=1.0, side=S, depth_mm=50.0), HandLeft(at_ms=2.0, side=S)]
    table.shot(None, at=(0.0, -440.0), path=[(15.0, -460.0)], more=hand)
    assert {"QS-X.1", "QS-4.5", "QS-8f"} <= table.codes()
    assert table.state.shooter is N


def test_a_puck_pushed_into_a_pocket_by_hand_did_not_fall_by_itself() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1")
    table.tell(HandEntered(at_ms=table.tick(), side=N, depth_mm=60.0))
    table.tell(Pocketed(at_ms=table.tick(), piece="blue-2", pocket="NE"))
    assert table.count("blue") == "5/3/0"
    assert table.state.errands[-1].at == Point(-250.0, 200.0)


def test_a_stroke_before_the_rack_was_accepted_is_refused_once() -> None:
    table = Table()
    table.say("lot", "S")
    table.say("break", "S")
    table.put("cue-puck", 0.0, -450.0)
    table.settle()
    strike = Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S], speed_mm_s=900.0)
    (ruling,) = table.tell(strike)
    assert (ruling.code, ruling.kind) == ("QS-3.1", RulingKind.REFUSED)
    assert table.tell(replace(strike, at_ms=table.tick())) == ()


def unseen_stroke(table: Table) -> Unclear:
    """Red-1 lies elsewhere and the cue-puck is gone, and nobody saw how."""
    before = table.pieces["red-1"].at
    after = Point(-380.0, 120.0)
    table.put("red-1", after.x_mm, after.y_mm)
    cue = table.pieces.pop("cue-puck").at
    at_ms = table.tick()
    struck = Struck(at_ms=at_ms, piece="cue-puck", at=cue, error_ms=1000.0, by=S)
    touch = Contacted(at_ms=at_ms, a="cue-puck", b="red-1", at=before, error_ms=1000.0)
    fall = Pocketed(at_ms=at_ms, piece="cue-puck", pocket="NE", error_ms=1000.0)
    moved = Moved(at_ms=at_ms, piece="red-1", before=before, after=after, by=S)
    removed = Removed(at_ms=at_ms, piece="cue-puck", by=S)
    return Unclear(
        at_ms=at_ms,
        question="Was it struck?",
        answers=((struck, touch, fall), (moved, removed)),
        words=("It was struck, and touched red-1 first", "They were moved"),
    )


def test_a_stroke_that_a_cue_hid_is_asked_and_ruled_with_what_it_touched_and_what_fell() -> None:
    table = Table().open().reach(3, 3)
    table.put("cue-puck", 0.0, -450.0)
    table.settle()
    table.tell(unseen_stroke(table))
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("1")
    table.settle()
    codes = table.codes()
    assert "QS-8a.3" not in codes, "it touched a target puck"
    assert "QS-8a.1" in codes, "the cue-puck fell"


@pytest.mark.parametrize(("answer", "anew"), [("yes", False), ("no", True)])
def test_a_fall_that_is_seen_after_the_referee_was_asked_about_it_is_ruled_once(
    answer: str, anew: bool
) -> None:
    table = Table().open().reach(3, 0)
    pocket = next(pocket for pocket in default_board().pockets if pocket.id == "NE")
    table.put("blue-2", pocket.centre.x_mm, pocket.centre.y_mm - pocket.radius_mm, error_mm=60.0)
    table.shot("blue-1")
    assert table.state.pending is not None
    table.answer(answer)
    del table.pieces["blue-2"]
    told = table.tell(Pocketed(at_ms=table.tick(500.0), piece="blue-2", pocket="NE"))
    assert ("QS-X.14" in {ruling.code for ruling in told}) is anew
    assert table.count("blue") == "4/4/0"


@pytest.mark.parametrize("has_left", [False, True], ids=["is still there", "had left when told"])
def test_a_puck_that_falls_while_a_hand_is_there_did_not_fall_by_itself(has_left: bool) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1")
    table.hush()
    table.tell(HandEntered(at_ms=table.tick(500.0), side=S))
    fell_ms = table.tick(500.0)
    if has_left:
        table.tell(HandLeft(at_ms=table.tick(500.0), side=S))
    told = table.tell(Pocketed(at_ms=fell_ms, piece="blue-2", pocket="NE"))
    assert [(r.code, r.kind) for r in told if r.code == "QS-X.14"] == [
        ("QS-X.14", RulingKind.PLACE)
    ], "it is put back"
