"""Each clause of Q-Square is earned in some play, and missed when one fact of it is another.

The plays (tests/data/qsquare_plays.jsonl: players, options, and facts with the referee's replies)
earn all clauses between them. For each clause one fact up to the ruling is changed, the nearest one
and as little as will do: a piece lies or is struck some millimetres elsewhere, another piece is
hit, another player does or says it; at last, it did not happen. Some such change must leave the
clause unsaid, while something else is ruled at the same moment and no question is open.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from rules.codec import body_from_json
from rules.decisions import Decision
from rules.engine import Fold
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Settled,
    Struck,
    Travelled,
)
from rules.game import Entry, Setup
from rules.games.qsquare.board import default_board
from rules.games.qsquare.clauses import CLAUSES
from rules.games.qsquare.game import QSquare
from rules.games.qsquare.state import State
from rules.geometry import Point, Seat
from rules.rulings import Standing
from sightline.games import setup_in

PLAYS = Path(__file__).parents[2] / "data" / "qsquare_plays.jsonl"
GAME = QSquare()
ALONE = {f"QS-{n}" for n in ("1.1", "1.2", "1.3", "1.4", "2.7", "2.9", "4.9", "5.2", "8d.2")}
"""Ruled where else nothing is, or a question is asked: about a rack, a call, the end of a set."""
NUDGES_MM = (3.0, 60.0)
BODY = Fact | Decision


@dataclass(frozen=True, kw_only=True)
class Play:
    """A log that earns clauses: each by which of its entries first."""

    name: str
    setup: Setup
    bodies: tuple[BODY, ...]
    earned: dict[str, int]


@cache
def plays() -> tuple[Play, ...]:
    found = []
    for line in PLAYS.read_text(encoding="utf-8").splitlines():
        given = json.loads(line)
        bodies = tuple(body_from_json(fact) for fact in given.pop("facts"))
        name = given.pop("play")
        setup = replace(setup_in(given, "qsquare", PLAYS.parent), board=default_board())
        earned: dict[str, int] = {}
        for at, said in enumerate(sayings(Fold(GAME, setup), bodies)):
            for code in said:
                earned.setdefault(code, at)
        found.append(Play(name=name, setup=setup, bodies=bodies, earned=earned))
    return tuple(found)


def sayings(fold: Fold[State], bodies: Sequence[BODY]) -> Iterator[set[str]]:
    """Fold more entries; yield the clauses that each of them said, or changed what said them."""
    for body in bodies:
        seq = len(fold.entries) + 1
        kept = fold.append(Entry(seq=seq, at_ms=getattr(body, "at_ms", 0.0), body=body))
        fresh = fold.steps[kept:]
        assert not any(step.fault for step in fresh), [step.fault for step in fresh]
        yield {ruling.code for step in fresh for ruling in step.rulings}


def nudged(at: Point) -> Iterator[Point]:
    for by in NUDGES_MM:
        for x, y in ((by, 0), (-by, 0), (0, by), (0, -by)):
            yield Point(at.x_mm + x, at.y_mm + y)


def others(name: str, pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield one other piece of each kind and colour on the table."""
    known = {(p.kind, p.colour): p.name for p in pieces if p.name != name}
    yield from known.values()


def changes(body: BODY, pieces: Sequence[Piece]) -> Iterator[BODY | None]:
    """Yield what might have been seen or said instead; at last None, for nothing."""
    match body:
        case Settled(pieces=lying):
            for n, piece in enumerate(lying):
                for at in nudged(piece.at):
                    yield replace(body, pieces=(*lying[:n], replace(piece, at=at), *lying[n + 1 :]))
            for n in range(len(lying)):
                yield replace(body, pieces=(*lying[:n], *lying[n + 1 :]))
        case Struck():
            yield from (replace(body, at=at) for at in nudged(body.at))
            yield from (replace(body, error_mm=1.0), replace(body, speed_mm_s=10.0))
            yield from (replace(body, by=seat) for seat in Seat if seat is not body.by)
            yield replace(body, piece="red-1")
        case Contacted():
            yield from (replace(body, b=name) for name in others(body.b, pieces))
        case Travelled():
            yield replace(body, path=body.path[:1])
            yield replace(body, path=(body.path[0], *(Point(p.x_mm, 0.0) for p in body.path[1:])))
        case Pocketed() | LeftBoard():
            yield from (replace(body, piece=name) for name in others(body.piece, pieces))
        case Cushioned():
            yield from (replace(body, border=seat) for seat in Seat if seat is not body.border)
        case HandEntered() | HandLeft():
            yield from (replace(body, side=seat) for seat in Seat if seat is not body.side)
            yield replace(body, depth_mm=1.0)
        case Moved():
            yield replace(body, after=body.before)
            yield from (replace(body, by=seat) for seat in Seat if seat is not body.by)
        case Placed(piece=piece):
            yield from (replace(body, piece=replace(piece, at=at)) for at in nudged(piece.at))
        case Declared():
            yield from (replace(body, side=str(seat)) for seat in Seat if seat != body.side)
            yield from (replace(body, value=value) for value in ("replay", "first", ""))
    yield None


def spared(play: Play, code: str) -> tuple[int, BODY | None] | None:
    """Return a single change with which the clause is not said any more, the nearest one."""
    upto = play.earned[code]
    pieces: tuple[Piece, ...] = ()
    lying = []
    for body in play.bodies:
        pieces = body.pieces if isinstance(body, Settled) else pieces
        lying.append(pieces)
    for at in range(upto, -1, -1):
        before: Fold[State] = Fold(GAME, play.setup)
        list(sayings(before, play.bodies[:at]))  # where the clause is not said yet
        for instead in changes(play.bodies[at], lying[at]):
            middle = () if instead is None else (instead,)
            bodies = (*middle, *play.bodies[at + 1 : upto + 1])
            fold = before.fork()
            unsaid = all(code not in said for said in sayings(fold, bodies))
            if unsaid and (code in ALONE or is_decided(fold)):
                return at, instead
    return None


def is_decided(fold: Fold[State]) -> bool:
    """Whether the last fact was ruled on, and nothing waits for the referee."""
    last = fold.steps[-1].rulings if fold.steps else ()
    return bool(last) and all(ruling.standing is not Standing.OPEN for ruling in last)


@pytest.mark.parametrize("code", [clause.code for clause in CLAUSES])
def test_a_clause_is_earned_in_a_play_and_narrowly_not_in_another(code: str) -> None:
    earning = [play for play in plays() if code in play.earned]
    earning.sort(key=lambda play: sum(len(str(body)) for body in play.bodies))
    assert earning
    assert any(spared(play, code) is not None for play in earning)
