"""Passes: which are legal, and why one is not (section 4.8 of the rulebook)."""

from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.pieces import ATTACK
from rules.games.quarterback.routes import moved_letters
from rules.games.quarterback.state import State
from rules.games.quarterback.steps import Refused


def pass_refusal(state: State, start: int, end: int) -> Refused | None:
    """The first test of section 4.8 that a pass fails; None where it is legal.

    `state` is one in which the attacker is to act. Squares off the field are below 0.
    """
    if state.loose or start != state.ball:
        return Refused("no-ball", "QB-8.1", start, end, state.ball)
    return _too_many(state, start, end) or line_refusal(state, start, end)


def _too_many(state: State, start: int, end: int) -> Refused | None:
    exempt = state.terms.singles_exempt and "S" in moved_letters(state)
    if state.moves >= 2 and not (exempt and state.passes == 0):
        return Refused("two-moves-and-pass", "QB-3.9", start, end)
    if state.moves < 2 and state.moves + state.passes >= 2:
        return Refused("third-action", "QB-3.8", start, end)
    return None


def line_refusal(state: State, start: int, end: int) -> Refused | None:
    """The tests of QB-8.5 to QB-8.3: line, free way, target, forward."""
    terms, grid = state.terms, state.grid
    field = terms.field
    between = field.between(start, end) if end >= 0 else None
    if between is None:
        return Refused("not-a-line", "QB-8.5", start, end)
    for square in between:
        if grid[square] != EMPTY:
            return Refused("line-blocked", "QB-8.6", start, end, square, grid[square])
    target = grid[end]
    if target.islower() and not terms.pass_intercepted:
        return Refused("pass-to-opponent", "QB-8.7", start, end, end, target)
    if is_forward(state, start, end):
        if grid[start] != "Q":
            return Refused("forward-pass", "QB-8.2", start, end)
        spent = terms.forward_passes is not None and state.forwards >= terms.forward_passes
        if field.row(start) >= 1 or spent:
            return Refused("forward-pass", "QB-8.3", start, end)
    return None


def is_forward(state: State, start: int, end: int) -> bool:
    """Whether a pass goes to a higher row (QB-8.2)."""
    row = state.terms.field.row
    return row(end) > row(start)


def legal_passes(state: State) -> tuple[int, ...]:
    """Every square that the carrier may pass to now; none in the defender's turn."""
    if state.turn != ATTACK or state.loose or _too_many(state, state.ball, -1):
        return ()
    field, start = state.terms.field, state.ball
    found = []
    for way in range(8):
        square = field.next_along(start, way)
        while square is not None:
            if line_refusal(state, start, square) is None:
                found.append(square)
            if state.grid[square] != EMPTY:
                break
            square = field.next_along(square, way)
    return tuple(found)
