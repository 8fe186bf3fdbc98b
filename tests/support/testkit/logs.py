"""Logs of the toy game, as referees really make them: decisions that mean something, mostly."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from msgspec import structs
from testkit.toy import BOARD, SETUP, Toy

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import Fold
from rules.facts import Declared, Fact, HandEntered, Piece, Pocketed, Settled, SightLost
from rules.game import Entry
from rules.geometry import Point, Seat
from rules.orders import decision_of
from rules.rulings import Ruling, RulingId, Standing

__all__ = ["BOARD", "HAND", "PASS", "POCKETED", "SETUP", "fold", "log", "logs", "lying"]

T = TypeVar("T")

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


@cache
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
    for seq in range(1, draw(below(max_size + 1)) + 1):
        is_fact = draw(below(2)) == 0
        body = draw(toy_facts() if is_fact else decisions_on(entries, seq))
        entries.append(Entry(seq=seq, at_ms=seq * 100.0, body=body))
    return entries


@cache
def below(count: int) -> st.SearchStrategy[int]:
    """Return a whole number from 0 to `count` - 1: hypothesis is slow with ever new strategies."""
    return st.integers(0, count - 1)


NOWHERE = Ruling(code="T-1", words="A +1")
REFEREES = Ruling(code="T-9", words="as the referee says")


@st.composite
def decisions_on(draw: st.DrawFn, entries: list[Entry], seq: int) -> Decision:
    """Return a decision that a referee could make after these entries."""

    def any_seq() -> int:
        return draw(below(seq + 2))

    def one_of(made: list[T]) -> T:
        return made[draw(below(len(made)))]

    folded = fold(entries)
    options: list[Callable[[], Decision]] = [
        lambda: Amend(seq=any_seq(), fact=draw(toy_facts()) if draw(below(2)) else None),
        lambda: Insert(after=any_seq(), fact=draw(toy_facts())),
        lambda: Withdraw(seq=any_seq()),
        lambda: Overrule(ruling=RulingId(any_seq(), "T-1"), was=NOWHERE),
    ]
    made = [e.seq for e in entries if decision_of(e) is not None]
    if made:
        options.append(lambda: Withdraw(seq=one_of(made)))
    ruled = [
        Overrule(ruling=id, was=structs.replace(judged, effect=None))
        for step in folded.steps
        for id, judged in zip(step.ids, step.judged, strict=True)
    ]
    if ruled:
        options.append(lambda: replace(one_of(ruled), becomes=REFEREES if draw(below(2)) else None))
        sure = [Confirm(ruling=overrule.ruling, was=overrule.was) for overrule in ruled]
        options.append(lambda: one_of(sure))
    asked = [
        Reply(seq=step.seq, question=r.question.key, answer=answer.key, was=r.question)
        for step in folded.steps
        for r in step.rulings
        if r.standing is Standing.OPEN and r.question is not None
        for answer in r.question.answers
    ]
    if asked:
        options += [lambda: one_of(asked)] * 3
    return one_of(options)()
