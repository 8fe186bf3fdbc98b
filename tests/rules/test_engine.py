"""What single decisions do to a match, and what becomes of those that no longer fit."""

from dataclasses import replace

import pytest
from msgspec import structs
from testkit.logs import BOARD, HAND, PASS, POCKETED, SETUP, fold, log, lying
from testkit.toy import Toy, ToyState

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import CLAUSES, Fold, apply, replay
from rules.facts import Declared, Fact
from rules.game import Entry, Setup
from rules.rulings import Ruling, RulingId, Standing

BURST = Declared(at_ms=5, what="burst")
POINT_ID = RulingId(1, "T-1")


def ruling_of(*bodies: Fact | Decision, id: RulingId = POINT_ID) -> Ruling:
    """Return what the rulebook says there, as a referee's tap would carry it."""
    for step in fold(log(*bodies)).steps:
        if id in step.ids:
            return structs.replace(step.judged[step.ids.index(id)], effect=None)
    raise KeyError(id)


def points(*bodies: Fact | Decision) -> tuple[int, int]:
    state = replay(Toy(), SETUP, log(*bodies)).state
    assert isinstance(state, ToyState)
    return state.points


def test_an_overruled_ruling_is_still_shown_and_has_no_effect() -> None:
    waived = Overrule(ruling=POINT_ID, was=ruling_of(POCKETED))
    folded = fold(log(POCKETED, waived, POCKETED))
    first = folded.steps[0]
    assert first.rulings[0].standing is Standing.OVERRULED
    assert first.judged[0].standing is Standing.FIRM
    assert first.overruled_by == (2,)
    assert points(POCKETED, waived, POCKETED) == (1, 0)


def test_a_ruling_put_in_anothers_place_is_what_stands() -> None:
    becomes = Ruling(code="T-5", words="a warning", side="A")
    folded = fold(
        log(POCKETED, Overrule(ruling=POINT_ID, was=ruling_of(POCKETED), becomes=becomes))
    )
    assert folded.steps[0].rulings == (becomes,)
    assert folded.steps[0].ids == (POINT_ID,)
    assert folded.state == ToyState()


def test_an_overrule_whose_ruling_changed_goes_to_review_and_is_not_applied() -> None:
    overrule = Overrule(ruling=POINT_ID, was=ruling_of(POCKETED))
    changed = Amend(seq=1, fact=replace(POCKETED, piece="red-2"))
    assert fold(log(POCKETED, overrule, changed)).to_review == (2,)
    assert points(POCKETED, overrule, changed) == (1, 0)
    assert fold(log(POCKETED, overrule, changed, Withdraw(seq=3))).to_review == ()
    assert points(POCKETED, overrule, changed, Withdraw(seq=3)) == (0, 0)


def test_an_overrule_whose_ruling_vanished_goes_to_review() -> None:
    overrule = Overrule(ruling=POINT_ID, was=ruling_of(POCKETED))
    assert fold(log(POCKETED, overrule, Amend(seq=1, fact=None))).to_review == (2,)
    assert fold(log(POCKETED, overrule, Amend(seq=1, fact=HAND))).to_review == (2,)


def test_an_overrule_goes_to_review_where_an_earlier_amendment_changes_whom_it_concerns() -> None:
    point = RulingId(2, "T-1")
    was = ruling_of(HAND, POCKETED, id=point)
    overrule = Overrule(ruling=point, was=was)
    assert fold(log(HAND, POCKETED, overrule, Amend(seq=1, fact=PASS))).to_review == (3,)


def test_a_newer_overrule_of_the_same_ruling_takes_the_place_of_the_older() -> None:
    waive = Overrule(ruling=POINT_ID, was=ruling_of(POCKETED))
    warn = replace(waive, becomes=Ruling(code="T-5", words="a warning"))
    folded = fold(log(POCKETED, waive, warn))
    assert folded.steps[0].overruled_by == (3,)
    assert folded.to_review == ()


def test_the_second_of_two_alike_rulings_can_be_overruled_alone() -> None:
    second = RulingId(1, "T-5", 1)
    folded = fold(log(HAND, Overrule(ruling=second, was=ruling_of(HAND, id=second))))
    assert [r.standing for r in folded.steps[0].rulings] == [Standing.FIRM, Standing.OVERRULED]


def test_a_confirmed_ruling_stands_as_it_was_and_says_who_confirmed_it() -> None:
    sure = Confirm(ruling=POINT_ID, was=ruling_of(POCKETED))
    folded = fold(log(POCKETED, sure))
    assert folded.steps[0].rulings == fold(log(POCKETED)).steps[0].rulings
    assert folded.steps[0].confirmed_by == (2,)
    assert points(POCKETED, sure) == points(POCKETED)
    assert fold(log(POCKETED, sure, Withdraw(seq=2))).steps[0].confirmed_by == (None,)


def test_a_confirmation_whose_ruling_changed_goes_to_review() -> None:
    sure = Confirm(ruling=POINT_ID, was=ruling_of(POCKETED))
    folded = fold(log(POCKETED, sure, Amend(seq=1, fact=None)))
    assert folded.to_review == (2,)


def test_of_an_overrule_and_a_confirmation_the_newer_holds() -> None:
    was = ruling_of(POCKETED)
    waive, sure = Overrule(ruling=POINT_ID, was=was), Confirm(ruling=POINT_ID, was=was)
    assert points(POCKETED, waive, sure) == (1, 0)
    assert points(POCKETED, sure, waive) == (0, 0)
    assert fold(log(POCKETED, sure, waive)).to_review == ()


@pytest.mark.parametrize(
    "misfit",
    [
        Amend(seq=9, fact=HAND),
        Amend(seq=3, fact=HAND),
        Amend(seq=2, fact=HAND),
        Insert(after=7, fact=HAND),
        Insert(after=3, fact=HAND),
        Withdraw(seq=1),
        Withdraw(seq=3),
        Withdraw(seq=99),
        Overrule(ruling=RulingId(3, "T-1"), was=Ruling(code="T-1", words="")),
        Confirm(ruling=RulingId(3, "T-1"), was=Ruling(code="T-1", words="")),
        Reply(seq=1, question="x", answer="yes"),
    ],
    ids=repr,
)
def test_a_decision_on_nothing_goes_to_review_and_changes_nothing(misfit: Decision) -> None:
    folded = fold(log(POCKETED, Withdraw(seq=99), misfit))
    assert folded.to_review == (2, 3)
    assert folded.steps == fold(log(POCKETED)).steps


def test_an_inserted_fact_can_be_amended_struck_and_taken_out_again() -> None:
    missed = Insert(after=1, fact=POCKETED)
    assert points(PASS, PASS, missed) == (0, 1)
    assert points(PASS, PASS, missed, Amend(seq=3, fact=HAND)) == (0, 0)
    assert points(PASS, PASS, missed, Amend(seq=3, fact=None)) == (0, 0)
    assert points(PASS, PASS, missed, Withdraw(seq=3)) == (0, 0)
    late = fold(log(PASS, missed, Withdraw(seq=2), Amend(seq=2, fact=HAND)))
    assert late.to_review == (4,)


def test_what_is_inserted_after_the_same_entry_last_stands_nearest_to_it() -> None:
    folded = fold(log(HAND, PASS, Insert(after=1, fact=POCKETED), Insert(after=1, fact=lying(-5))))
    assert [step.seq for step in folded.steps] == [1, 4, 3, 2]


def test_what_was_inserted_after_an_insert_keeps_its_place_when_that_one_is_taken_out() -> None:
    entries = log(HAND, PASS, Insert(after=1, fact=POCKETED), Insert(after=3, fact=lying(-5)))
    withdrawn = Entry(seq=5, at_ms=0, body=Withdraw(seq=3))
    assert [step.seq for step in fold(entries).steps] == [1, 3, 4, 2]
    assert [step.seq for step in fold([*entries, withdrawn]).steps] == [1, 4, 2]


CLOSE = lying(0.2)
VERY_CLOSE = lying(0.2, 0.1)


def yes(question: str = "x", seq: int = 1) -> Reply:
    return Reply(seq=seq, question=question, answer="yes")


def test_an_open_question_waits_and_its_answer_is_ruled_where_it_was_asked() -> None:
    assert points(CLOSE, PASS, CLOSE) == (0, 0)
    assert points(CLOSE, PASS, yes()) == (10, 0)
    folded = fold(log(CLOSE, PASS, yes()))
    assert [r.code for r in folded.steps[0].rulings] == ["T-3"]
    assert folded.steps[0].ids == (RulingId(1, "T-3", 1),)
    assert [(r.seq, r.id, r.answer) for r in folded.steps[0].replies] == [
        (3, RulingId(1, "T-3", 0), "yes")
    ]


def test_an_answer_can_lead_to_another_question() -> None:
    assert points(VERY_CLOSE, yes()) == (0, 0)
    assert points(VERY_CLOSE, yes(), yes("y")) == (10, 0)
    assert points(VERY_CLOSE, yes("y"), yes()) == (10, 0)
    assert points(VERY_CLOSE, yes(), yes("y"), Withdraw(seq=2)) == (0, 0)
    assert fold(log(VERY_CLOSE, yes(), yes("y"), Withdraw(seq=2))).to_review == (3,)


def test_the_newest_answer_to_a_question_holds() -> None:
    no = replace(yes(), answer="no")
    assert points(CLOSE, yes(), no) == (0, 0)
    assert points(CLOSE, yes(), no, Withdraw(seq=3)) == (10, 0)


def test_an_answer_that_was_not_offered_goes_to_review() -> None:
    assert fold(log(CLOSE, replace(yes(), answer="perhaps"))).to_review == (2,)


def test_an_answer_to_a_question_that_has_become_another_goes_to_review() -> None:
    asked = fold(log(CLOSE)).steps[0].rulings[0].question
    reply = replace(yes(), was=asked)
    assert points(CLOSE, reply) == (10, 0)
    moved = log(CLOSE, reply, Amend(seq=1, fact=lying(0.3)))
    assert fold(moved).to_review == (2,)
    assert fold(moved).state != fold(log(CLOSE, reply)).state


def test_a_question_that_was_overruled_is_not_asked_any_more() -> None:
    was = ruling_of(CLOSE, id=RulingId(1, "T-3"))
    waive = Overrule(ruling=RulingId(1, "T-3"), was=was)
    folded = fold(log(CLOSE, waive))
    assert folded.steps[0].rulings[0].standing is Standing.OVERRULED
    assert folded.state == ToyState()
    assert fold(log(CLOSE, waive, yes())).to_review == (3,)


def test_the_ruling_after_an_answer_can_be_overruled() -> None:
    after = RulingId(1, "T-3", 1)
    was = ruling_of(CLOSE, yes(), id=after)
    assert points(CLOSE, yes(), Overrule(ruling=after, was=was)) == (0, 0)


def test_a_fault_of_the_game_keeps_the_facts_and_rules_nothing_until_it_is_mended() -> None:
    folded = fold(log(POCKETED, BURST, POCKETED))
    assert [r.code for r in folded.steps[1].rulings] == [CLAUSES[0].code]
    assert folded.steps[1].fault == "ZeroDivisionError: the toy burst"
    assert folded.steps[2].rulings == ()
    assert folded.steps[2].fault
    assert points(POCKETED, BURST, POCKETED) == (1, 0)
    assert points(POCKETED, BURST, POCKETED, Amend(seq=2, fact=None)) == (2, 0)
    assert points(POCKETED, BURST, POCKETED, Amend(seq=2, fact=PASS)) == (1, 1)


def test_a_fault_is_kept_apart_from_a_step_with_decisions_too() -> None:
    overrule = Overrule(ruling=RulingId(1, "T-1"), was=Ruling(code="T-1", words=""))
    folded = fold(log(BURST, overrule))
    assert folded.steps[0].fault
    assert folded.to_review == (2,)


def test_a_decision_folds_again_only_what_comes_after_what_it_changed() -> None:
    folded = fold(log(POCKETED, PASS, POCKETED, POCKETED))
    kept_steps = folded.steps[:2]
    assert folded.append(Entry(seq=5, at_ms=0, body=Amend(seq=3, fact=HAND))) == 2
    assert all(a is b for a, b in zip(folded.steps, kept_steps, strict=False))


def test_seqs_must_grow() -> None:
    with pytest.raises(ValueError, match="expected a seq above 1, got 1"):
        fold([Entry(seq=1, at_ms=0, body=HAND), Entry(seq=1, at_ms=0, body=HAND)])


def test_a_setup_that_the_game_refuses_is_refused() -> None:
    with pytest.raises(ValueError, match="goal"):
        Fold(Toy(), Setup(game="toy", board=BOARD, options={"goal": "many"}))


def test_one_step_is_what_apply_makes() -> None:
    step = apply(Toy(), ToyState(), 1, POCKETED)
    assert step == fold(log(POCKETED)).steps[0]


def test_a_fork_goes_its_own_way_and_leaves_the_fold_as_it_was() -> None:
    folded = fold(log(POCKETED, HAND))
    before = folded.record()
    fork = folded.fork()
    fork.append(Entry(seq=3, at_ms=300, body=Amend(seq=1, fact=None)))
    assert folded.record() == before
    assert len(fork.entries) == 3
    assert fork.record() == fold(log(POCKETED, HAND, Amend(seq=1, fact=None))).record()
