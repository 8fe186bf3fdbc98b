"""The decision table of section 6, written down a second time and played against the rules."""

from dataclasses import dataclass
from random import Random

import pytest
from testkit.carrom_table import Table
from testkit.exploring import examples

from rules.games.carrom.state import Phase, Queen
from rules.geometry import Seat

BOARD, MINE, THEIRS = Queen(), Queen(team=0, covered=True), Queen(team=1, covered=True)
PENDING = Queen(team=0)
AT_A_TIME = 400


@dataclass(frozen=True, kw_only=True)
class Given:
    """A strike by S, whose team has white: the position, and what falls in it."""

    on: int
    opposing: int
    queen: Queen
    netted: bool
    due: int
    own: int
    theirs: int
    queen_falls: bool
    queen_first: bool
    striker_falls: bool
    push: bool
    jumps: bool


@dataclass(frozen=True, kw_only=True)
class Then:
    """What stands afterwards, or who won the board with how many points."""

    on: int
    opposing: int
    due: int
    queen: Queen
    netted: bool
    keeps: bool
    won: tuple[int, int] | None = None


def by_the_table(g: Given) -> Then:
    """Steps 2 to 8 of the rulebook, with every option at its default."""
    k, m, q, s = g.own, g.theirs, g.queen_falls, g.striker_falls
    down, on, opposing = 9 - g.on, g.on - k, g.opposing - m
    pending = g.queen == PENDING
    locked = q and not g.netted
    if locked and not g.push and not s and k and not g.queen_first:
        locked = False
    queen, netted, back = g.queen, g.netted, 0
    if g.push:
        back = k + (1 if down else 0) + (1 if s and not k else 0)
        queen, keeps = (BOARD if pending else queen), False
    elif s and q and locked:
        back, keeps = max(k, 1), False
    elif s and q and not k and not m:
        back, keeps = 2, True
    elif s and (q or pending) and k:
        back, queen, keeps = max(2, k + 1), BOARD, True
    elif s and q and not k and m:
        back, keeps = 2, True
    elif s:
        back, keeps = max(k, 1), False
        queen = BOARD if pending else queen
    else:
        netted = netted or k > 0
        if q and locked:
            keeps = False
        elif q and k:
            queen, keeps = MINE, True
        elif q:
            queen, keeps = PENDING, True
        elif pending and k:
            queen, keeps = MINE, True
        elif pending:
            queen, keeps = BOARD, False
        else:
            keeps = k > 0
    if g.jumps:
        keeps = False
        if queen == PENDING:
            queen = BOARD
    due = g.due + back
    paid = min(due, 9 - on)
    on, due = on + paid, due - paid
    won = None
    if on == 0:
        won = (0, opposing + (3 if queen == MINE else 0)) if queen.covered else (1, 3)
    elif opposing == 0:
        won = (1, on + (3 if queen == THEIRS else 0))
    return Then(on=on, opposing=opposing, due=due, queen=queen, netted=netted, keeps=keeps, won=won)


def drawn(random: Random) -> Given:
    """Return a strike that can happen."""
    on, opposing = random.choice([9, 8, 6, 2, 1]), random.choice([9, 5, 2, 1])
    queen = random.choice([BOARD, BOARD, BOARD, PENDING, MINE, THEIRS])
    netted = queen in (PENDING, MINE) or random.random() < 0.7
    theirs = random.randint(0, min(2, opposing))
    return Given(
        on=on,
        opposing=opposing,
        queen=queen,
        netted=netted,
        due=random.choice([0, 0, 1, 2]) if on == 9 else 0,
        own=random.randint(0, min(3, on)),
        theirs=theirs,
        queen_falls=queen == BOARD and random.random() < 0.5,
        queen_first=random.random() < 0.5,
        striker_falls=random.random() < 0.4,
        push=random.random() < 0.15,
        jumps=opposing > theirs and random.random() < 0.15,
    )


def played(g: Given) -> Then:
    table = Table().position(
        g.on, g.opposing, queen=g.queen, due=(g.due, 0), netted=(g.netted, True)
    )
    queen = ["Q"] if g.queen_falls else []
    own = ["W"] * g.own
    fallen = [*queen, *own] if g.queen_first else [*own, *queen]
    fallen += ["K"] * g.theirs + ["S"] * g.striker_falls
    table.strike(fallen, off=["K"] if g.jumps else [], calls=["push"] if g.push else [])
    tally = table.state.tally
    if table.state.phase is Phase.RACKING:
        team = 0 if tally.points[0] else 1
        return Then(
            on=0,
            opposing=0,
            due=0,
            queen=BOARD,
            netted=False,
            keeps=False,
            won=(team, sum(tally.points)),
        )
    return Then(
        on=tally.on[0],
        opposing=tally.on[1],
        due=tally.due[0],
        queen=tally.queen,
        netted=tally.netted[0],
        keeps=table.state.seat is Seat.S,
    )


@pytest.mark.parametrize("seed", range(examples(5)))
def test_every_strike_comes_to_what_the_table_says(seed: int) -> None:
    random = Random(seed)
    for _ in range(AT_A_TIME):
        given = drawn(random)
        expected, found = by_the_table(given), played(given)
        if expected.won is None or found.won is None:
            assert found == expected, given
        elif expected.won[1]:
            assert found.won == expected.won, given
        else:
            assert found.won[1] == 0, given
