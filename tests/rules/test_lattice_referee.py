"""A referee decides in games of pegs, sticks and pieces: all that comes after is ruled anew."""

from dataclasses import replace

import pytest
from testkit.lattice_play import KING_SQUARE, QUARTERBACK, SQUARIN_OFF, Log

from rules.decisions import Amend, Insert, Overrule, Withdraw
from rules.engine import as_logged
from rules.facts import Batch, Filled
from rules.games.king_square.state import write_position
from rules.games.squarin_off.state import record_of
from rules.geometry import Seat

A1_BUT_EAST = ("stick a1s", "stick a1w", "stick a1n")
CLOSED = "OK @SO-3.1 | CLOSE a1 W+3 @SO-3.2 | AGAIN 2 @SO-3.5"
THREE_AND_THREE = (
    "peg A d4", "peg B i9", "peg A e4", "peg B j9",
    "peg A d5", "peg B i10", "peg A a9", "peg B a1",
)  # fmt: skip
SQUARE = ("peg A d4", "peg B a1", "peg A e4", "peg B b3", "peg A d5", "peg B j9", "peg A e5")


def overruled(log: Log, step: int, call: str) -> Overrule:
    """Return the overrule of the ruling that says `call`, of the fact at `step` from 0."""
    found = log.fold.steps[step]
    at = [ruling.call for ruling in found.judged].index(call)
    return Overrule(ruling=found.ids[at], was=as_logged(found.judged[at]))


def by(log: Log, seq: int, seat: Seat) -> Amend:
    """Return the correction that says whose hand placed what entry `seq` tells of."""
    fact = log.fold.entries[seq - 1].body
    assert isinstance(fact, Filled)
    return Amend(seq=seq, fact=replace(fact, by=seat))


def in_order(log: Log, seq: int, *order: int) -> Amend:
    """Return the correction that says in which order the facts of a frame came."""
    frame = log.fold.entries[seq - 1].body
    assert isinstance(frame, Batch)
    facts = tuple(frame.facts[n] for n in order)
    return Amend(seq=seq, fact=replace(frame, facts=facts, ordered=True))


def test_a_chip_of_another_colour_shows_that_a_stick_was_another_players() -> None:
    log = SQUARIN_OFF.log(*A1_BUT_EAST, "stick a1e", "chip K a1")
    assert log.said()[3:] == [CLOSED, "FOUL wrong-colour @SO-6.6"]
    log.enter(by(log, 4, Seat.S))
    assert log.said()[3:] == ["FOUL second-stick @SO-6.3", "HOLD @SO-6.15"]
    log.enter(Withdraw(seq=6))
    assert log.said()[3:] == [CLOSED, "FOUL wrong-colour @SO-6.6"]


def test_a_stick_that_was_not_there_closes_nothing_and_one_not_seen_does() -> None:
    log = SQUARIN_OFF.log(*A1_BUT_EAST, "stick a1e", "chip W a1")
    log.enter(Amend(seq=1, fact=None))
    assert log.said()[2:] == ["OK @SO-3.1 | TURN 2 @SO-3.7", "FOUL chip-on-open-square @SO-6.5"]
    log.enter(Insert(after=2, fact=log.fact("stick a1s")))
    assert log.said()[2:] == [
        "OK @SO-3.1 | TURN 2 @SO-3.7",
        "OK @SO-3.1 | CLOSE a1 W+3 @SO-3.2 | AGAIN 2 @SO-3.5",
        "MARK a1 @SO-3.3",
    ]
    assert log.fold.to_review == ()


def test_a_blocker_seen_late_is_the_next_players_until_its_hand_is_known() -> None:
    log = SQUARIN_OFF.log("stick e5n", "blocker e5", "stick e5s")
    assert log.said()[1:] == ["OK @SO-4.2", "OK @SO-4.4 | TURN 1 @SO-4.5"]
    log.enter(by(log, 2, Seat.S))
    assert log.said()[1:] == ["FOUL blocker-after-stick @SO-4.3", "HOLD @SO-6.15"]


def test_the_order_of_two_sticks_in_a_frame_may_be_given() -> None:
    log = SQUARIN_OFF.log("batch: stick a1s; stick b1s")
    log.enter(in_order(log, 1, 1, 0))
    assert record_of(log.fold.state) == ["1: b1s", "2: a1s"]


def test_a_square_whose_closing_is_overruled_is_nobodys_and_the_game_can_end() -> None:
    log = SQUARIN_OFF.log(*A1_BUT_EAST, "stick a1e", "stick j10n")
    log.enter(overruled(log, 3, "CLOSE a1 W+3"))
    state = log.fold.state
    assert (state.nobody, state.open & 1, state.turn) == (1, 0, 1)
    assert log.of.game.score(state) == {"K": 0, "W": 0}


def test_the_order_of_a_frame_in_which_both_sides_could_make_a_square_may_be_given() -> None:
    log = KING_SQUARE.log(*THREE_AND_THREE, "batch: peg A c1; peg B j10; peg A e5")
    assert "INFO order-open" in log.said()[-1]
    assert "KING B i9:1" in log.said()[-1]
    log.enter(in_order(log, 9, 2, 1, 0))
    assert log.said()[-1] == (
        "OK @KS-2.2 | KING A d4:1 @KS-3.1 | RECORD 1-0 @KS-4.1 | CLEAR-DUE @KS-4.2"
        " | FOUL board-closed @KS-6.6 | HOLD @KS-6.11"
    )


def test_a_peg_found_to_be_the_partners_is_a_foul_and_all_after_it_waits() -> None:
    log = KING_SQUARE.log("peg A a1", "peg B b1", "peg A c1", "peg B d1", seats="4")
    log.enter(by(log, 3, Seat.S))
    assert log.said()[2:] == ["FOUL out-of-turn @KS-6.2", "HOLD @KS-6.11"]


def test_after_a_king_square_that_is_overruled_the_other_side_plays_on() -> None:
    log = KING_SQUARE.log(*SQUARE)
    log.enter(overruled(log, 6, "KING A d4:1"))
    log.tell("peg B c3")
    assert log.said()[-1] == "OK @KS-2.2 | TURN 1 @KS-2.1"
    assert write_position(log.fold.state).endswith(" 1 0-0 1 2p5")


def test_a_turn_that_is_overruled_does_not_pass() -> None:
    log = KING_SQUARE.log("peg A a1")
    log.enter(overruled(log, 0, "TURN 2"))
    log.tell("peg A b1")
    assert log.said()[-1] == "OK @KS-2.2 | TURN 2 @KS-2.1"


def test_an_overrule_of_what_a_later_correction_undid_goes_to_review() -> None:
    log = KING_SQUARE.log(*SQUARE)
    log.enter(overruled(log, 6, "KING A d4:1"))
    log.enter(Amend(seq=1, fact=log.fact("peg A a9")))
    assert log.fold.to_review == (8,)
    assert log.said()[6] == "OK @KS-2.2 | TURN 2 @KS-2.1"


@pytest.mark.parametrize("late", [False, True], ids=["announced in time", "announced late"])
def test_a_pass_announced_late_counts_from_where_it_was_made(late: bool) -> None:
    first = ["setup start", "move Ta0-a1"]
    then = ["end", "move tc4-c3", "end", "move Ta1-a2"]
    if late:
        log = QUARTERBACK.log(*first, *then)
        assert log.fold.state.terms.field.name(log.fold.state.ball) == "fu1"
        log.enter(Insert(after=2, fact=log.fact("pass fu1>f0")))
    else:
        log = QUARTERBACK.log(*first, "pass fu1>f0", *then)
    state = log.fold.state
    assert state.terms.field.name(state.ball) == "f0"
    assert log.said()[2].startswith("OK @QB-8.5 | CATCH Sf0 @QB-8.7")
    assert not any("FOUL" in said for said in log.said())


MARKED = "FIXED @SO-6.15 | INFO order-presumed @SO-6.13 | " + CLOSED + " | MARK a1 @SO-3.3"


@pytest.mark.parametrize("frame", ["chip W a1; stick a1e", "stick a1e; chip W a1"])
def test_what_came_in_one_frame_while_a_foul_stood_is_taken_in_a_legal_order_later(
    frame: str,
) -> None:
    log = SQUARIN_OFF.log(*A1_BUT_EAST, "chip K j10", f"batch: {frame}", "unchip j10")
    assert log.said()[4:] == ["HOLD @SO-6.15 | HOLD @SO-6.15", MARKED]


def test_a_part_of_a_frame_kept_back_that_is_undone_drops_out_alone() -> None:
    log = SQUARIN_OFF.log(
        *A1_BUT_EAST, "chip K j10", "batch: chip W a1; stick a1e", "unchip a1", "unchip j10"
    )
    assert log.said()[5:] == ["HOLD @SO-6.15", f"FIXED @SO-6.15 | {CLOSED}"]


def test_what_comes_in_one_frame_with_what_undoes_a_foul_is_taken_in_a_legal_order() -> None:
    log = SQUARIN_OFF.log(*A1_BUT_EAST, "chip K j10", "batch: chip W a1; unchip j10; stick a1e")
    assert log.said()[4:] == [MARKED]


@pytest.mark.parametrize("frame", ["peg B i9; peg A d4", "peg A d4; peg B i9"])
def test_pegs_of_one_frame_that_were_kept_back_alternate_as_the_turn_does(frame: str) -> None:
    log = KING_SQUARE.log("peg B c3", f"batch: {frame}", "unpeg c3")
    assert log.said()[0].startswith("FOUL")
    assert log.said()[1:] == [
        "HOLD @KS-6.11 | HOLD @KS-6.11",
        "FIXED @KS-6.11 | INFO order-presumed @KS-6.12 | OK @KS-2.2 | TURN 2 @KS-2.1"
        " | OK @KS-2.2 | TURN 1 @KS-2.1",
    ]
