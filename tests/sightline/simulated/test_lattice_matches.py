"""King Square and Squarin' Off on the simulated table, refereed from the truth."""

from collections import Counter
from functools import cache

import pytest

from rules.facts import Batch, Cleared, Emptied, Filled, HandEntered, HandLeft
from rules.geometry import Seat
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.gridiron import FieldAgreement
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.slips import NO_FIELD_SLIPS, NO_PEG_SLIPS, NO_STICK_SLIPS
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.matches import Evening, first_difference, play_truly
from sightline.simulated.pieces import Lying
from sightline.simulated.playing import Agreement
from sightline.simulated.repertoire import agreement_on
from sightline.words.place_names import places_of

FOUR = (Seat.S, Seat.W, Seat.N, Seat.E)
MATCHES = {
    "pegs, two players": PegAgreement(target=2),
    "pegs, four players": PegAgreement(seats=FOUR, target=1),
    "pegs, a small field": PegAgreement(target=2, options=(("supply", "30.30"),)),
    "sticks, two players": StickAgreement(),
    "sticks, four players": StickAgreement(seats=FOUR),
    "quarterback": FieldAgreement(),
}


def played(agreement: Agreement, seed: int = 1, **habits: object) -> Evening:
    return play_truly(club_board(agreement.game), agreement, seed=seed, most_s=3600, **habits)


@cache
def match(name: str) -> Evening:
    return played(MATCHES[name])


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_played_to_its_end(name: str) -> None:
    evening = match(name)
    assert evening.referee.outcome() is not None
    assert evening.director.shots > 10
    assert evening.director.tally().endswith("moves")
    assert first_difference(evening.referee.steps, evening.truth.steps) is None


@pytest.mark.parametrize(
    ("agreement", "slips"),
    [
        (PegAgreement(target=1), NO_PEG_SLIPS),
        (StickAgreement(), NO_STICK_SLIPS),
        (FieldAgreement(), NO_FIELD_SLIPS),
    ],
    ids=["pegs", "sticks", "quarterback"],
)
def test_players_who_make_no_slips_commit_no_foul(agreement: Agreement, slips: object) -> None:
    evening = played(agreement, slips=slips)
    assert evening.referee.outcome() is not None
    calls = Counter(r.call.split()[0] for step in evening.referee.steps for r in step.rulings)
    assert calls["FOUL"] == calls["HOLD"] == 0
    assert calls["OK"] > 10


def test_a_stick_owed_beside_a_blocker_is_laid_there_whoever_meant_to_break_a_rule() -> None:
    steps = played(StickAgreement(), seed=11).referee.steps
    owed = Counter(r.call for step in steps for r in step.rulings if r.code == "SO-4.4")
    assert owed["OK"] >= 6
    assert owed["FOUL stick-away-from-blocker"] <= 2


def test_sooner_or_later_every_foul_of_the_hand_comes_up() -> None:
    reasons = ("second-peg", "wrong-colour", "peg-moved", "board-closed", "swept")
    missing = {f"FOUL {reason}" for reason in reasons}
    for seed in range(10):
        steps = played(PegAgreement(target=3), seed).referee.steps
        missing -= {ruling.call for step in steps for ruling in step.rulings}
        if not missing:
            break
    assert missing == set()


@pytest.mark.parametrize("name", MATCHES)
def test_when_all_is_put_right_the_rules_know_the_table_as_it_is(name: str) -> None:
    evening = match(name)
    on_table = {(p.place, p.spec.kind, p.spec.colour) for p in evening.stage.lying}
    told: set[tuple[str, str, str]] = set()
    for fact in evening.stage.truth:
        parts = fact.facts if isinstance(fact, Batch) else (fact,)
        for part in parts:
            match part:
                case Filled():
                    told.add((part.place, part.kind, part.colour))
                case Emptied():
                    told.remove((part.place, part.kind, part.colour))
                case Cleared():
                    told.clear()
                case _:
                    pass
    assert told == on_table


def test_the_same_seed_plays_the_same_match() -> None:
    first, again, other = (played(PegAgreement(target=1), seed) for seed in (5, 5, 6))
    assert first.stage.truth == again.stage.truth != other.stage.truth


# one visit of a hand

BOARD = club_board("king_square")
RED = BOARD.piece("peg", "red")


def peg(place: str, name: str = "") -> Lying:
    at = BOARD.at(place)
    assert at is not None
    return Lying(name=name or place, spec=RED, x_mm=at.x_mm, y_mm=at.y_mm, place=place)


def visit(*deeds: tuple[str, bool], before: tuple[Lying, ...] = ()) -> Visit:
    done = [Deed(piece=peg(place), brings=brings) for place, brings in deeds]
    return Visit(before=before, deeds=done, by=Seat.S, board=BOARD)


def kinds(made: Visit) -> list[type]:
    return [type(fact) for fact in made.facts()]


HAND = [HandEntered, HandLeft]
VISITS = {
    "one peg": (visit(("holes:3,4", True)), [Filled]),
    "a peg taken out": (visit(("holes:1,1", False), before=(peg("holes:1,1"),)), [Emptied]),
    "two pegs": (visit(("holes:3,4", True), ("holes:4,4", True)), [Batch]),
    "tried and taken back": (visit(("holes:3,4", True), ("holes:3,4", False)), []),
    "a peg moved": (
        visit(("holes:1,1", False), ("holes:2,1", True), before=(peg("holes:1,1"),)),
        [Batch],
    ),
    "all taken out": (
        visit(
            ("holes:1,1", False),
            ("holes:2,2", False),
            before=(peg("holes:1,1"), peg("holes:2,2")),
        ),
        [Cleared],
    ),
}


@pytest.mark.parametrize(("made", "told"), VISITS.values(), ids=VISITS.keys())
def test_a_hand_is_told_by_what_it_changed(made: Visit, told: list[type]) -> None:
    assert kinds(made) == HAND + told


def test_the_hand_holds_a_peg_until_it_stands_and_is_gone_when_the_change_is_told() -> None:
    made = visit(("holes:3,4", True))
    entered, left, filled = made.facts()
    assert filled.at_ms == left.at_ms
    before, after = made.scene(entered.at_ms / 1000), made.scene(made.over_s)
    assert [body.lift_mm > 10 for body in before.bodies] == [True]
    assert before.limbs
    assert not after.limbs
    assert [(b.x_mm, b.lift_mm) for b in after.bodies] == [(peg("holes:3,4").x_mm, 0.0)]


def test_what_lies_on_a_piece_comes_down_when_that_is_taken_away() -> None:
    board = club_board("quarterback")
    low, high = (
        Lying(name=kind, spec=board.piece(kind, "red"), x_mm=0.0, y_mm=0.0, place="cells:5,8")
        for kind in ("triple", "single")
    )
    put = Visit(before=(low,), deeds=[Deed(piece=high, brings=True)], by=Seat.S, board=board)
    assert [p.lift_mm for p in put.after] == [0.0, low.spec.thickness_mm]
    pushed = Visit(before=put.after, deeds=[Deed(piece=low, brings=False)], by=Seat.S, board=board)
    assert [(p.name, p.lift_mm) for p in pushed.after] == [("single", 0.0)]


def test_a_hand_that_does_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no deeds"):
        visit()


# boards and agreements


def test_the_places_of_a_layer_are_those_the_board_knows() -> None:
    assert len(places_of(BOARD, "holes")) == 100
    sticks = club_board("squarin_off")
    assert len(places_of(sticks, "edges")) == 220
    assert len(places_of(sticks, "cells")) == 100


def test_a_game_nobody_plays_here_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"hosts qsquare, .* not ludo"):
        agreement_on("ludo")
    with pytest.raises(ValueError, match="2 or 4 players"):
        agreement_on("king_square", players=3)
