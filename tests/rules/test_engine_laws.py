"""The laws of the fold, over many logs: what a referee may rely on whatever was decided before."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from testkit.exploring import examples
from testkit.logs import SETUP, decisions_on, fold, log, logs, toy_facts
from testkit.toy import Toy

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Withdraw
from rules.engine import as_logged, replay
from rules.facts import Fact
from rules.game import Entry, Step
from rules.orders import decision_of, fact_of

LAWS = settings(max_examples=examples(40))


def after(entries: Sequence[Entry], *bodies: Fact | Decision) -> list[Entry]:
    last = entries[-1].seq if entries else 0
    return [
        *entries,
        *(Entry(seq=last + n, at_ms=0, body=b) for n, b in enumerate(bodies, start=1)),
    ]


def seen(steps: Sequence[Step[object]]) -> list[object]:
    """Return what the steps say, without the seqs that tell where it was written."""
    return [(step.fact, step.rulings, step.state, step.fault) for step in steps]


@LAWS
@given(logs(), st.lists(toy_facts(), max_size=4))
def test_more_facts_change_no_earlier_step(entries: list[Entry], more: list[Fact]) -> None:
    before = fold(entries)
    longer = fold(after(entries, *more))
    assert longer.steps[: len(before.steps)] == before.steps
    assert len(longer.steps) == len(before.steps) + len(more)
    assert longer.to_review == before.to_review


@LAWS
@given(logs())
def test_a_log_folded_entry_by_entry_is_the_log_folded_at_once(entries: list[Entry]) -> None:
    growing = fold(())
    for entry in entries:
        before = list(growing.steps)
        kept = growing.append(entry)
        assert growing.steps[:kept] == before[:kept]
    assert growing.record() == replay(Toy(), SETUP, entries)


@LAWS
@given(st.lists(toy_facts(), min_size=1, max_size=8), toy_facts(), st.data())
def test_a_fact_amended_is_a_fact_seen_right(
    facts: list[Fact], right: Fact, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(facts) - 1))
    amended = fold(log(*facts, Amend(seq=at + 1, fact=right)))
    assert amended.steps == fold(log(*facts[:at], right, *facts[at + 1 :])).steps


@LAWS
@given(st.lists(toy_facts(), min_size=1, max_size=8), st.data())
def test_a_fact_struck_out_never_happened(facts: list[Fact], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(facts) - 1))
    struck = fold(log(*facts, Amend(seq=at + 1, fact=None)))
    assert seen(struck.steps) == seen(fold(log(*facts[:at], *facts[at + 1 :])).steps)


@LAWS
@given(st.lists(toy_facts(), max_size=8), toy_facts(), st.data())
def test_a_fact_inserted_is_a_fact_not_missed(
    facts: list[Fact], missed: Fact, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(facts)))
    inserted = fold(log(*facts, Insert(after=at, fact=missed)))
    assert seen(inserted.steps) == seen(fold(log(*facts[:at], missed, *facts[at:])).steps)
    assert inserted.steps[at].seq == len(facts) + 1
    assert all(id.seq == len(facts) + 1 for id in inserted.steps[at].ids)


@LAWS
@given(logs(), st.data())
def test_a_decision_taken_back_was_never_made(entries: list[Entry], data: st.DataObject) -> None:
    last = entries[-1].seq if entries else 0
    decision = data.draw(decisions_on(entries, last + 1))
    undone = fold(after(entries, decision, Withdraw(seq=last + 1)))
    assert undone.steps == fold(entries).steps
    assert undone.to_review == fold(entries).to_review


@LAWS
@given(logs(), st.data())
def test_a_withdrawal_taken_back_makes_the_decision_stand_again(
    entries: list[Entry], data: st.DataObject
) -> None:
    last = entries[-1].seq if entries else 0
    decision = data.draw(decisions_on(entries, last + 1))
    redone = fold(after(entries, decision, Withdraw(seq=last + 1), Withdraw(seq=last + 2)))
    assert redone.steps == fold(after(entries, decision)).steps


@LAWS
@given(logs(), st.data())
def test_an_overrule_changes_no_step_before_its_own(
    entries: list[Entry], data: st.DataObject
) -> None:
    before = fold(entries)
    given_rulings = [
        (n, id, ruling)
        for n, step in enumerate(before.steps)
        for id, ruling in zip(step.ids, step.judged, strict=True)
    ]
    assume(given_rulings)
    n, id, ruling = data.draw(st.sampled_from(given_rulings))
    overruled = fold(after(entries, Overrule(ruling=id, was=ruling)))
    assert overruled.steps[:n] == before.steps[:n]
    assert overruled.steps[n].overruled_by[overruled.steps[n].ids.index(id)] == (
        overruled.entries[-1].seq
    )


@LAWS
@given(logs(), st.data())
def test_a_confirmed_ruling_is_the_ruling_it_was(entries: list[Entry], data: st.DataObject) -> None:
    before = fold(entries)
    standing = [
        (n, nth)
        for n, step in enumerate(before.steps)
        for nth, by in enumerate(step.overruled_by)
        if by is None
    ]
    assume(standing)
    n, nth = data.draw(st.sampled_from(standing))
    step = before.steps[n]
    confirmed = fold(after(entries, Confirm(ruling=step.ids[nth], was=as_logged(step.judged[nth]))))
    assert seen(confirmed.steps) == seen(before.steps)
    assert confirmed.steps[n].confirmed_by[nth] == confirmed.entries[-1].seq
    assert set(confirmed.to_review) <= set(before.to_review)


@LAWS
@given(logs())
def test_decisions_taken_as_they_come_are_the_log_read_anew(entries: list[Entry]) -> None:
    """A withdrawal of nothing has the whole log read again, and changes nothing but the review."""
    as_they_came = fold(())
    for entry in entries:
        as_they_came.append(entry)
    before = as_they_came.record()
    nothing = after(entries, Withdraw(seq=10**6))[-1]
    assert as_they_came.append(nothing) == len(before.steps)
    anew = as_they_came.record()
    assert anew.steps == before.steps
    assert set(anew.to_review) == {*before.to_review, nothing.seq}


@LAWS
@given(logs(), st.data())
def test_what_is_decided_in_a_fork_is_not_decided_in_the_log(
    entries: list[Entry], data: st.DataObject
) -> None:
    own = fold(entries)
    before = own.record()
    fork = own.fork()
    last = entries[-1].seq if entries else 0
    decision = data.draw(decisions_on(entries, last + 1))
    for entry in after(entries, decision, *data.draw(st.lists(toy_facts(), max_size=2))):
        if entry.seq > last:
            fork.append(entry)
    assert own.record() == before
    nothing = after(entries, Withdraw(seq=10**6))[-1]
    own.append(nothing)
    assert own.record().steps == before.steps


@LAWS
@given(logs())
def test_every_decision_in_force_is_applied_superseded_or_put_to_review(
    entries: list[Entry],
) -> None:
    folded = fold(entries)
    applied = {seq for step in folded.steps for seq in step.overruled_by if seq is not None}
    applied |= {seq for step in folded.steps for seq in step.confirmed_by if seq is not None}
    applied |= {reply.seq for step in folded.steps for reply in step.replies}
    assert applied.isdisjoint(folded.to_review)
    for entry in entries:
        body = entry.body
        if isinstance(body, Overrule | Confirm) and entry.seq not in applied:
            later = {e.body.seq for e in entries if isinstance(e.body, Withdraw)}
            newer = [
                e.seq
                for e in entries
                if isinstance(e.body, Overrule | Confirm)
                and e.body.ruling == body.ruling
                and e.seq > entry.seq
            ]
            assert entry.seq in folded.to_review or entry.seq in later or newer


@LAWS
@given(logs())
def test_steps_are_the_facts_in_force_each_once(entries: list[Entry]) -> None:
    folded = fold(entries)
    seqs = [step.seq for step in folded.steps]
    assert len(seqs) == len(set(seqs))
    plain = {e.seq for e in entries if fact_of(e) is not None}
    inserts = {e.seq for e in entries if isinstance(decision_of(e), Insert)}
    assert set(seqs) <= plain | inserts
    in_place = [seq for seq in seqs if seq in plain]
    assert in_place == sorted(in_place)


@LAWS
@given(logs())
def test_ids_name_every_ruling_of_a_log_once(entries: list[Entry]) -> None:
    folded = fold(entries)
    ids = [id for step in folded.steps for id in step.ids]
    ids += [reply.id for step in folded.steps for reply in step.replies]
    assert len(ids) == len(set(ids))
    for step in folded.steps:
        assert len(step.ids) == len(step.rulings) == len(step.judged) == len(step.overruled_by)


@LAWS
@given(logs())
def test_the_same_log_folds_the_same_twice(entries: list[Entry]) -> None:
    assert fold(entries).record() == fold([replace(e) for e in entries]).record()
