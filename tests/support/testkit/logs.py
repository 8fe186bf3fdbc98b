"""Logs of the toy game, as referees really make them: decisions that mean something, mostly."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import strategies as st
from testkit.toy import BOARD, SETUP, Toy

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import Fold
from rules.facts import Declared, Fact, HandEntered, Piece, Pocketed, Settled, SightLost
from rules.game import Entry
from rules.geometry import Point, Seat
from rules.orders import decision_of
from rules.rulings import Ruling, RulingId, Standing

__all__ = ["BOARD", "HAND", "PASS", "POCKETED", "SETUP", "fold", "log", "logs", "lying"]

POCKETED = Pocketed(at_ms=1, piece="red-1", pocket="NE")
PASS = Declared(at_ms=2, what="pass")
HAND = HandEntered(at_ms=3, side=Seat.S)


def lying(x_mm: float, y_mm: float = 50, error_mm: float = 0.5, name: str = "blue-1") -> Settled:
    piece = Piece(name=name, kind="puck", colour="blue", at=Point(x_mm, y_mm), error_mm=error_mm)
    return Settled(at_ms=4, pieces=(piece,))


def log(*bodies: Fact | Decision) -> list[Entry]:
    """Return a log of these bodies with seqs 1, 2, 3, …"""
    return [Entry(seq=i, at_ms=i * 100.0, body=b) for i, b in enumerate(bodies, start=1)]


def fold(entries: Iterable[Entry]) -> Fold[object]:
    return Fold(Toy(), SETUP, entries)


def toy_facts() -> st.SearchStrategy[Fact]:
    return st.one_of(
        st.sampled_from(["red-1", "red-2"]).map(lambda p: replace(POCKETED, piece=p)),
        st.just(PASS),
        st.sampled_from([None, *Seat]).map(lambda side: HandEntered(at_ms=3, side=side)),
        st.builds(lying, st.sampled_from([-5, -0.2, 0.2, 3]), st.sampled_from([0.1, 50])),
        st.just(SightLost(at_ms=9, why="dark")),
    )


@st.composite
def logs(draw: st.DrawFn, max_size: int = 12) -> list[Entry]:
    """Return a log in which decisions are made on what then stands, now and then on nothing."""
    entries: list[Entry] = []
    for seq in range(1, draw(st.integers(0, max_size)) + 1):
        body = draw(toy_facts() | decisions_on(entries, seq))
        entries.append(Entry(seq=seq, at_ms=seq * 100.0, body=body))
    return entries


def decisions_on(entries: list[Entry], seq: int) -> st.SearchStrategy[Decision]:
    """Return a decision that a referee could make after these entries."""
    folded = fold(entries)
    any_seq = st.integers(0, seq + 1)
    options: list[st.SearchStrategy[Decision]] = [
        st.builds(Amend, seq=any_seq, fact=st.none() | toy_facts()),
        st.builds(Insert, after=any_seq, fact=toy_facts()),
        st.builds(Withdraw, seq=any_seq),
        st.builds(
            Overrule,
            ruling=st.builds(RulingId, any_seq, st.just("T-1")),
            was=st.just(Ruling(code="T-1", words="A +1")),
        ),
    ]
    made = [e.seq for e in entries if decision_of(e) is not None]
    if made:
        options.append(st.builds(Withdraw, seq=st.sampled_from(made)))
    ruled = [
        Overrule(ruling=id, was=replace(judged, effect=None))
        for step in folded.steps
        for id, judged in zip(step.ids, step.judged, strict=True)
    ]
    if ruled:
        becomes = st.none() | st.just(Ruling(code="T-9", words="as the referee says"))
        options.append(
            st.builds(lambda o, b: replace(o, becomes=b), st.sampled_from(ruled), becomes)
        )
        sure = [Confirm(ruling=overrule.ruling, was=overrule.was) for overrule in ruled]
        options.append(st.sampled_from(sure))
    asked = [
        Reply(seq=step.seq, question=r.question.key, answer=answer.key, was=r.question)
        for step in folded.steps
        for r in step.rulings
        if r.standing is Standing.OPEN and r.question is not None
        for answer in r.question.answers
    ]
    if asked:
        options += [st.sampled_from(asked)] * 3
    return st.one_of(options)
