"""Quarterback played at random, as hands and cameras make it."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testkit.lattice_play import QUARTERBACK

from rules.facts import Batch, Declared, Fact
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.passing import legal_passes
from rules.games.quarterback.pieces import BALL
from rules.games.quarterback.places import fact_of
from rules.games.quarterback.routes import legal_moves, net_pushes
from rules.games.quarterback.state import Change, State
from rules.games.quarterback.steps import position_of
from rules.games.quarterback.walking import Walked, walk
from rules.rulings import Ruling

GAME, BOARD = QUARTERBACK.game, QUARTERBACK.board
start, put = QUARTERBACK.start, QUARTERBACK.put


def begun(**options: str) -> State:
    """The start of the first half, set out, nobody having tossed."""
    return put(start(**options), Declared(at_ms=0.0, what="setup", value="start"))[0]


@dataclass(frozen=True)
class Act:
    """One legal action as players mean it: a move along squares, a pass, or the end of the turn."""

    squares: tuple[int, ...] = ()
    passed: tuple[int, int] | None = None
    changes: tuple[Change, ...] = ()

    @property
    def ends_turn(self) -> bool:
        return not self.squares and self.passed is None


def choose(state: State, rng: random.Random) -> Act:
    """A legal action: defenders tackle when they can, attackers mostly go forward."""
    field = state.terms.field
    if state.acted and rng.random() < 0.15:
        return Act()
    moves = [
        route
        for ends in legal_moves(state).values()
        for end, route in ends.items()
        if end != route[0]
    ]
    if state.turn == "D":
        tackles = [m for m in moves if not state.loose and _tackles(state, m)]
        if tackles and rng.random() < 0.7:
            return move_along(state, rng.choice(tackles))
    passes = legal_passes(state)
    if passes and (not moves or rng.random() < 0.35):
        mates = [square for square in passes if state.grid[square] != EMPTY]
        target = rng.choice(mates) if mates and rng.random() < 0.8 else rng.choice(passes)
        return Act(passed=(state.ball, target))
    if not moves:
        return Act()
    eager = [m for m in moves if field.row(m[-1]) > field.row(m[0])]
    return move_along(state, rng.choice(eager if eager and rng.random() < 0.6 else moves))


def _tackles(state: State, route: tuple[int, ...]) -> bool:
    walked = walked_along(state, route)
    return any(event.verb == "TACKLE" for made in walked.made for event in made.events)


def walked_along(state: State, route: tuple[int, ...]) -> Walked:
    letter = state.grid[route[0]]
    walked = walk(state.terms, position_of(state), letter, route, len(route) - 1)
    assert isinstance(walked, Walked)
    return walked


def move_along(state: State, route: tuple[int, ...]) -> Act:
    """The move along squares, with all that changes on the board by it."""
    walked = walked_along(state, route)
    letter, end = state.grid[route[0]], walked.squares[-1]
    moved = [(letter, route[0], end)]
    moved += [(each.letter, each.start, each.end) for each in net_pushes(walked)]
    changes = [Change(start, piece, False) for piece, start, _ in moved]
    if state.grid[end] != EMPTY and walked.ended and not net_pushes(walked):
        changes.append(Change(end, state.grid[end], False))  # the tackled piece is taken off
    changes += [Change(to, piece, True) for piece, _, to in moved]
    taken = [
        event
        for made in walked.made
        for event in made.events
        if event.verb in ("PICKUP", "INTERCEPT")
    ]
    if taken:
        changes.append(Change(state.ball, BALL, False))
    return Act(squares=walked.squares, changes=tuple(changes))


def tapped(state: State, act: Act) -> Fact:
    """The action as a person taps it: every square of a move, and what it pushed."""
    name = state.terms.field.name
    if act.passed is not None:
        return Declared(at_ms=0.0, what="pass", value=">".join(map(name, act.passed)))
    if act.ends_turn:
        return Declared(at_ms=0.0, what="end")
    walked = walked_along(state, act.squares)
    way = state.grid[act.squares[0]] + "-".join(map(name, act.squares))
    pushed = " ".join(f"{p.letter}{name(p.start)}>{name(p.end)}" for p in net_pushes(walked))
    return Declared(at_ms=0.0, what="move", value=f"{way} + {pushed}" if pushed else way)


def seen(state: State, act: Act) -> Fact:
    """The action as the camera sees it: one settled frame; passes to pieces are tapped."""
    if act.passed is not None and state.grid[act.passed[1]] == EMPTY:
        return fact_of(state, Change(act.passed[1], BALL, True), 0.0)
    if not act.squares:
        return tapped(state, act)
    return Batch(at_ms=0.0, facts=tuple(fact_of(state, c, 0.0) for c in act.changes))


def seen_piecemeal(state: State, act: Act, rng: random.Random) -> Iterator[Fact]:
    """The action as slow hands make it: piece after piece, each lifted before it is put down."""
    if not act.squares:
        yield seen(state, act)
        return
    pieces: dict[str, list[Change]] = {}
    for change in act.changes:
        pieces.setdefault(change.letter, []).append(change)
    groups = list(pieces.values())
    rng.shuffle(groups)
    for group in groups:
        for change in sorted(group, key=lambda change: change.came):
            yield fact_of(state, change, 0.0)


def calls(rulings: Sequence[Ruling]) -> list[str]:
    return [ruling.call for ruling in rulings]


def whole_match(seed: int, most: int = 600) -> list[Fact]:
    """The facts of a match as the camera sees it, cut off after `most`."""
    rng = random.Random(seed)
    played: list[Fact] = [Declared(at_ms=0.0, what="coin", value="RB"[seed % 2])]
    state, _ = put(start(), played[0])
    while not state.over and len(played) < most:
        fact = (
            seen(state, choose(state, rng))
            if state.playing
            else Declared(at_ms=0.0, what="setup", value="start")
        )
        played.append(fact)
        state, _ = put(state, fact)
    return played
