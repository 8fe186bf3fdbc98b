"""Whole matches on the simulated table, refereed from the truth: rules and players alone."""

from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from testkit.qsquare_table import GAME, Table

from rules.case import Case, Court
from rules.facts import Fact, Moved, Settled, Struck, Unclear
from rules.game import Setup, Step
from rules.geometry import Point
from rules.rulings import Ruling, RulingKind
from sightline.simulated.boards import club_board
from sightline.simulated.matches import (
    FOUR,
    TWO,
    Agreement,
    counted,
    first_difference,
    play_truly,
)
from sightline.simulated.referee import FoldedReferee, answers_from
from sightline.simulated.slips import FLAWLESS

DUE, RUNS = SimpleNamespace(runs=False), SimpleNamespace(runs=True)
"""States of a match: a stroke is due, or runs."""

AGREEMENTS = {
    "two players": Agreement(pucks=3),
    "four players": Agreement(seats=FOUR, pucks=2),
    "no Queen": Agreement(pucks=3, options=(("queen", "off"),)),
    "a lag": Agreement(pucks=2, options=(("opening", "lag"),)),
    "a set of three": Agreement(pucks=1, options=(("best_of", "3"),)),
    "called shots": Agreement(pucks=2, options=(("call_shots", "on"),)),
}


@pytest.mark.parametrize("agreement", AGREEMENTS.values(), ids=AGREEMENTS.keys())
def test_a_match_is_played_to_its_end(agreement: Agreement) -> None:
    evening = play_truly(club_board(), agreement, seed=2, most_s=3600)
    assert evening.referee.outcome() is not None
    assert evening.director.shots > 0


def test_the_same_seed_plays_the_same_match() -> None:
    first = play_truly(club_board(), Agreement(pucks=2), seed=5)
    again = play_truly(club_board(), Agreement(pucks=2), seed=5)
    other = play_truly(club_board(), Agreement(pucks=2), seed=6)
    assert first.stage.truth == again.stage.truth
    assert first.stage.truth != other.stage.truth


def test_the_referee_with_the_truth_and_the_truth_beside_it_agree() -> None:
    evening = play_truly(club_board(), Agreement(seats=TWO, pucks=3), seed=9)
    assert first_difference(evening.truth.steps, evening.truth.steps) is None
    seen = getattr(evening.referee, "steps", ())
    assert first_difference(seen, evening.truth.steps) is None


def test_a_call_left_open_because_nothing_hangs_on_it_is_no_difference() -> None:
    settled = Settled(at_ms=0.0, pieces=())
    foul = Ruling(code="QS-4.4", words="", kind=RulingKind.FOUL)
    truth = Step(seq=1, fact=settled, rulings=(foul,), ids=(), state=DUE)
    unsaid = replace(truth, rulings=())

    def play(case: Case, state: None, fact: Fact) -> None:
        case.holds(0.1, 0.2, "line", "Was it over the line?")

    court = Court[None](
        close="QS-X.19",
        play=play,
        gist=lambda state: None,
        outlook=lambda before, after: "",
        pend=lambda state, pending: None,
    )
    left_open = replace(truth, rulings=court.judge(None, settled))
    assert [ruling.code for ruling in left_open.rulings] == ["QS-X.19"]
    assert first_difference([left_open], [truth]) is None
    assert first_difference([unsaid], [truth]) is not None
    assert first_difference([left_open], [unsaid]) is None
    own = replace(left_open, rulings=(*left_open.rulings, replace(foul, code="QS-8c")))
    assert first_difference([own], [truth]) is not None


def step(fact: Fact, state: SimpleNamespace, *rulings: Ruling) -> Step[SimpleNamespace]:
    return Step(seq=1, fact=fact, rulings=rulings, ids=(), state=state)


def test_a_strike_that_was_not_made_is_no_difference_from_a_piece_moved_as_little() -> None:
    struck = Struck(at_ms=0.0, piece="striker", at=Point(0.0, -250.0))
    moved = Moved(at_ms=0.0, piece="striker", before=struck.at, after=Point(1.0, -250.0))
    again = Ruling(code="CR-X.20", words="", kind=RulingKind.TURN)
    pocket = Ruling(code="CR-10.1", words="", kind=RulingKind.POCKET)
    settled = Settled(at_ms=0.0, pieces=())
    made = [step(struck, RUNS), step(settled, DUE, pocket)]
    vain = [step(struck, RUNS), step(settled, DUE, again)]
    assert first_difference([step(moved, DUE), *made], [*vain, *made]) is None
    assert first_difference([step(moved, DUE)], made) is not None


@dataclass(frozen=True)
class Tally:
    down: int


@pytest.mark.parametrize(
    ("down", "pending", "differs"),
    [(1, None, False), (2, None, True), (2, "a question", False)],
    ids=["the same score", "another score", "it hangs on an answer"],
)
def test_the_same_rulings_that_leave_another_score_are_a_difference(
    down: int, pending: str | None, differs: bool
) -> None:
    struck = Struck(at_ms=0.0, piece="cue-puck", at=Point(0.0, -450.0))
    settled = Settled(at_ms=0.0, pieces=())
    pocket = Ruling(code="QS-X.4", words="", kind=RulingKind.POCKET)

    def played(down: int, pending: str | None) -> list[Step[SimpleNamespace]]:
        after = SimpleNamespace(runs=False, tally=Tally(down), pending=pending)
        return [step(struck, RUNS), step(settled, after, pocket), step(struck, RUNS)]

    found = first_difference(played(down, pending), played(1, None))
    assert (found is not None) is differs


def test_the_rules_say_what_was_a_strike() -> None:
    struck = Struck(at_ms=0.0, piece="striker", at=Point(0.0, -250.0))
    settled = Settled(at_ms=0.0, pieces=())
    first = Ruling(code="CR-9.1", words="", kind=RulingKind.TURN)
    pocket = Ruling(code="CR-10.1", words="", kind=RulingKind.POCKET)

    racked = step(settled, DUE, first)
    made = [step(struck, RUNS), step(settled, DUE, pocket)]
    told_while_racking = step(struck, DUE)
    asked = [step(Unclear(at_ms=0.0, question="", answers=()), RUNS), made[1]]
    assert first_difference([*made, told_while_racking, racked], [*made, racked]) is None
    assert first_difference([racked, *asked], [racked, *made]) is None
    assert first_difference([racked, *made, *made], [racked, *made]) is not None
    assert first_difference([*made, racked], [racked, *made]) is not None


@pytest.mark.parametrize(("off_mm", "answer"), [(4.9, "yes"), (5.25, "no")])
def test_what_is_asked_of_a_place_is_answered_by_where_the_piece_truly_lies(
    off_mm: float, answer: str
) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", cue="falls")
    table.home()
    facts = list(table.facts)
    setup = Setup(game="qsquare", board=table.board, players=table.players)
    referees = [FoldedReferee(GAME, setup), FoldedReferee(GAME, setup)]
    for referee, error_mm in zip(referees, (0.0, 0.13), strict=True):
        table.put("blue-8", 0.0, 495.5 - off_mm, error_mm=error_mm)
        for fact in (*facts, Settled(at_ms=table.tick(), pieces=tuple(table.pieces.values()))):
            referee.see(fact)
    truth, seen = referees
    (asked,) = seen.questions()
    assert asked.question.key == "spot-blue-8"
    assert answers_from(truth, seen)(asked) == answer


def test_every_settled_table_of_the_truth_is_possible() -> None:
    evening = play_truly(club_board(), Agreement(pucks=3), seed=4)
    settled = [fact for fact in evening.stage.truth if isinstance(fact, Settled)]
    assert len(settled) > 10
    for fact in settled:
        names = [piece.name for piece in fact.pieces]
        assert len(set(names)) == len(names)
        for i, a in enumerate(fact.pieces):
            for b in fact.pieces[:i]:
                touching = 25.0 if "cue-puck" not in (a.name, b.name) else 37.5
                assert a.at.distance_mm(b.at) >= touching - 0.01


def test_players_err_so_that_many_clauses_come_up() -> None:
    cited: Counter[str] = Counter()
    for seed in range(8):
        agreement = Agreement(seats=FOUR if seed % 4 == 3 else TWO, pucks=3)
        evening = play_truly(club_board(), agreement, seed=seed, most_s=1500)
        cited.update(counted(evening.truth.steps))
    fouls = {"QS-4.7", "QS-4.8", "QS-8a.1", "QS-8a.3", "QS-8a.4", "QS-8c", "QS-8e", "QS-8f"}
    assert fouls <= cited.keys()
    assert len(cited) >= 45


def test_flawless_players_only_miss() -> None:
    evening = play_truly(club_board(), Agreement(pucks=2), seed=1, slips=FLAWLESS)
    cited = counted(evening.truth.steps)
    assert not {"QS-4.5", "QS-X.21", "QS-X.23", "QS-4.1", "QS-X.22"} & cited.keys()
    strokes = [
        fact for fact in evening.stage.truth if isinstance(fact, Struck) and not fact.dragged
    ]
    assert len(strokes) == evening.director.shots
