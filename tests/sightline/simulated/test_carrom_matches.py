"""Carrom on the simulated table: a hand that flicks, whole boards refereed from the truth."""

from dataclasses import replace
from math import hypot

import pytest

from rules.facts import Contacted, HandEntered, HandLeft, Moved, Settled, Struck
from rules.geometry import Seat
from rules.registry import find_game
from sightline.simulated.boards import club_board
from sightline.simulated.carrom.flick import Flick
from sightline.simulated.carrom.players import FingerAgreement
from sightline.simulated.carrom.slips import STEADY
from sightline.simulated.matches import Evening, first_difference, play_truly
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.referee import FoldedReferee

BOARD = club_board("carrom")
ONE_BOARD = (("game", "single_board"),)
AGREEMENTS = {
    "two teams": FingerAgreement(options=ONE_BOARD),
    "two players": FingerAgreement(seats=(Seat.S, Seat.N), options=ONE_BOARD),
}


def played(agreement: FingerAgreement, seed: int = 1, **habits: object) -> Evening:
    return play_truly(BOARD, agreement, seed=seed, most_s=3600, **habits)


@pytest.mark.parametrize("agreement", AGREEMENTS.values(), ids=AGREEMENTS.keys())
def test_a_board_is_played_to_its_end(agreement: FingerAgreement) -> None:
    evening = played(agreement)
    assert evening.referee.outcome() is not None
    assert evening.director.tally() == f"{evening.director.shots} strikes"
    assert evening.director.shots > 8
    assert first_difference(evening.referee.steps, evening.truth.steps) is None
    codes = {ruling.code for step in evening.referee.steps for ruling in step.rulings}
    assert {"CR-7.1", "CR-9.1", "CR-10.1", "CR-11.1"} <= codes


def test_the_rack_is_accepted_and_players_who_make_no_slips_strike_from_the_base_lines() -> None:
    evening = played(AGREEMENTS["two teams"], seed=4, slips=STEADY)
    refused = [
        ruling.words
        for step in evening.referee.steps
        for ruling in step.rulings
        if ruling.code in ("CR-13.1", "CR-13.3", "CR-F3.1") and ruling.side
    ]
    assert refused == []
    strikes = [f for f in evening.stage.truth if isinstance(f, Struck)]
    for strike in strikes:
        assert 242.0 < max(abs(strike.at.x_mm), abs(strike.at.y_mm)) < 259.0


@pytest.mark.slow
def test_no_hand_takes_the_striker_from_its_base_lines_so_that_it_is_asked_whether_it_struck() -> (
    None
):
    evening = play_truly(BOARD, FingerAgreement(seats=(Seat.S, Seat.N)), seed=1, most_s=1800)
    brought = [f for f in evening.stage.truth if isinstance(f, Moved) and f.piece == "striker"]
    assert len(brought) > 200
    asked = {r.question.key for s in evening.truth.steps for r in s.rulings if r.question}
    assert "struck" not in asked


def test_a_player_who_is_told_to_put_a_piece_back_takes_the_one_that_the_page_shows() -> None:
    # the referee has names of its own: of men that look alike only the place tells which is meant
    evening = Evening(
        BOARD,
        AGREEMENTS["two players"],
        lambda setup: FoldedReferee(find_game(setup.game), setup),
    )
    white = BOARD.piece("carromman", "white")
    lying = tuple(
        Lying(name=name, spec=white, x_mm=x, y_mm=0.0)
        for name, x in (("white-1", -200.0), ("white-2", 200.0))
    )
    evening.stage.lying = lying
    known = tuple(
        replace(piece.piece(), name=name)
        for piece, name in zip(lying, ("white-2", "white-1"), strict=True)
    )
    evening.referee.see(Settled(at_ms=1000.0, pieces=known))
    named = evening.director._named_in("Put white-1 back where it lay")
    assert named is not None
    assert named.name == "white-2"
    assert evening.director._named_in("Put a white man back") is None


def test_the_same_seed_plays_the_same_board() -> None:
    first, again, other = (played(AGREEMENTS["two players"], seed) for seed in (5, 5, 6))
    assert first.stage.truth == again.stage.truth != other.stage.truth


def test_a_finger_reaches_the_striker_when_it_starts_and_is_gone_before_all_rests() -> None:
    striker = next(s for s in BOARD.pieces if s.kind == "striker")
    man = BOARD.piece("carromman", "white")
    lying = (
        Lying(name="striker", spec=striker, x_mm=20.0, y_mm=-252.6),
        Lying(name="white-1", spec=man, x_mm=20.0, y_mm=0.0),
    )
    run = play(
        surface_of(BOARD), [p.disc() for p in lying], {"striker": (0.0, 1800.0)}, start_s=1.0
    )
    flick = Flick(before=lying, run=run, struck="striker", by=Seat.S, board=BOARD)

    def gap_mm(at_s: float) -> float:
        [limb] = flick.scene(at_s).limbs
        body = next(b for b in flick.scene(at_s).bodies if b.name == "striker")
        x, y = limb.reach_mm
        return hypot(x - body.x_mm, y - body.y_mm) - body.spec.diameter_mm / 2

    assert gap_mm(0.9) > 15.0
    assert gap_mm(1.0) == pytest.approx(8.0, abs=0.5)
    assert flick.scene(flick.lasts_s).limbs == ()
    kinds = [type(fact) for fact in sorted(flick.facts(), key=lambda fact: fact.at_ms)]
    order = [HandEntered, Struck, Contacted, HandLeft, Settled]
    assert [kind for kind in kinds if kind in order][:2] == order[:2]
    assert kinds[-1] is Settled
    assert HandLeft in kinds
