"""What rulings change: `advance` applies the effects of those that stand."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.calls import Moves
from rules.facts import Fact
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.pieces import ATTACK, side_of
from rules.games.quarterback.state import (
    Change,
    Correction,
    Displaced,
    State,
    attacker_of,
    put,
    start_of,
    write_turn,
)


class Go(Struct, frozen=True):
    """A legal move. `grid` is the position after its steps, a tackling one left out.

    `text` is the move for the record, `left` the steps that stay unused.
    """

    letter: str
    start: int
    end: int
    left: int
    grid: str
    text: str


class Push(Struct, frozen=True):
    """A piece pushed away from a Single next to it."""

    piece: Displaced


class Free(Struct, frozen=True):
    """Defending Doubles and Singles are free for the rest of the half."""


class Take(Struct, frozen=True):
    """The piece on a square has the ball."""

    square: int


class Seize(Struct, frozen=True):
    """A defender is first on the ball: intercepted there."""

    square: int


class Tackle(Struct, frozen=True):
    """The carrier on a square is tackled; a tackler that steps on comes from `start`."""

    square: int
    start: int | None = None


class EndHalf(Struct, frozen=True):
    """The half ends with these points for its attacker; `said` goes into the record."""

    points: int
    said: str = ""


class EndTurn(Struct, frozen=True):
    """The turn goes to the other side; `cut` says that the other side's own act ended it."""

    to: str
    cut: bool = False


class Pass(Struct, frozen=True):
    """The ball was passed and lies loose on its target until somebody has caught it."""

    start: int
    end: int
    forward: bool = False
    inferred: bool = False


class Stop(Struct, frozen=True):
    """A foul stands, or a push is due."""

    correction: Correction


class Keep(Struct, frozen=True):
    """What is kept back while a correction stands, and what is still to be put right."""

    kept: tuple[Fact, ...]
    off: tuple[Change, ...]
    due: tuple[Displaced, ...] = ()


class Fix(Struct, frozen=True):
    """The board agrees with the record again, but for what was kept back: that is judged next."""

    table: str
    under: tuple[tuple[int, str], ...] = ()
    disc: int | None = None


class Begin(Struct, frozen=True):
    """The set-up of the next half is accepted."""


class Toss(Struct, frozen=True):
    """A player attacks first."""

    first: int


class Resume(Struct, frozen=True):
    """An earlier state stands again: an objection was right, or an action is taken back."""

    state: State
    correction: Correction | None


class Tap(Struct, frozen=True):
    """The squares of the move that comes were tapped."""

    route: tuple[int, ...]


def apply(state: State, effect: object) -> State:
    """The state after one effect; anything else than an effect of this game changes nothing."""
    match effect:
        case Go():
            return _moved(state, effect)
        case Push(piece=piece):
            grid = state.grid
            if grid[piece.start] == piece.letter:
                grid = put(grid, piece.start, EMPTY)
            return replace(state, grid=put(grid, piece.end, piece.letter))
        case Free():
            return replace(state, released=True)
        case Take(square=square):
            disc = square if state.terms.disc_always else None
            return replace(state, ball=square, loose=False, disc=disc, **_received(state, square))
        case Seize(square=square):
            return replace(state, ball=square, loose=True)
        case Tackle(square=square, start=start):
            return _tackled(state, square, start)
        case EndHalf(points=points, said=said):
            return _half_ended(state, points, said)
        case EndTurn(to=to, cut=cut):
            return _turn_ended(state, to, cut)
        case Pass():
            return _passed(state, effect)
        case Stop(correction=correction):
            return replace(state, correction=correction, kept=())
        case Keep(kept=kept, off=off, due=due):
            held = state.correction
            if held is not None:
                held = replace(held, off=off, due=due)
            return replace(state, kept=kept, correction=held)
        case Fix(table=table, under=under, disc=disc):
            return replace(state, correction=None, kept=(), table=table, under=under, disc=disc)
        case Begin():
            return _set_out(state)
        case Toss(first=first):
            turned = attacker_of(first, state.half_number) != state.attacker
            if not turned:
                return replace(state, first=first)
            under = tuple((square, letter.swapcase()) for square, letter in state.under)
            table = state.table.swapcase()
            return replace(state, first=first, table=table, under=under, playing=False)
        case Resume(state=earlier, correction=correction):
            return replace(
                earlier,
                correction=correction,
                kept=(),
                table=state.table,
                under=state.under,
                disc=state.disc,
            )
        case Tap(route=route):
            return replace(state, route=route)
        case _:
            return state


def _remembered(state: State, side: str) -> dict[str, Any]:
    """What an action by `side` leaves behind for an objection and for taking it back."""
    cut = state.cut
    return {
        "begun": True,
        "told": None,
        "cut": None if cut is not None and cut.turn == side else cut,
        "before": _alone(state) if state.terms.takeback else None,
        "frame": None,
    }


def _alone(state: State) -> State:
    """A state to come back to, without those that it could itself come back to."""
    return replace(state, cut=None, before=None, frame=None)


def _moved(state: State, go: Go) -> State:
    carries = not state.loose and state.ball == go.start
    tokens, moves, done = state.tokens, state.moves, state.done
    last = state.going
    if last is not None and last[0] == go.start:
        tokens = _continued(state, go)
    else:
        moves += 1
        done = done if last is None else (*done, last)
        tokens = (*tokens, go.letter + state.terms.field.name(go.start) + go.text)
    return replace(
        state,
        **_remembered(state, side_of(go.letter)),
        grid=go.grid,
        moves=moves,
        going=(go.end, go.left) if go.left else None,
        done=done if go.left else (*done, (go.end, 0)),
        ball=go.end if carries else state.ball,
        disc=go.end if carries and state.disc == go.start else state.disc,
        tokens=tokens,
        route=(),
    )


def _continued(state: State, go: Go) -> tuple[str, ...]:
    """The turn's tokens where its last move goes on, after passes perhaps (section 1.2)."""
    tokens = state.tokens
    at = max((n for n, token in enumerate(tokens) if token[0] != "("), default=None)
    if at is None:
        return (*tokens, go.letter + state.terms.field.name(go.start) + go.text)
    return (*tokens[:at], "".join(tokens[at:]) + go.text)


def _received(state: State, square: int) -> dict[str, Any]:
    """With the house rule that a catch in mid-move ends the move, the catcher has no steps left."""
    last = state.going
    if state.terms.midmove_receive or state.moves == 0 or last is None or last[0] != square:
        return {}
    caught = bool(state.tokens) and state.tokens[-1][0] == "("
    return {"going": None, "done": (*state.done, (square, 0))} if caught else {}


def _tackled(state: State, square: int, start: int | None) -> State:
    """The carrier is tackled; a tackler that stepped on to it has no steps left."""
    if start is None:
        return replace(state, ball=square, loose=False)
    grid = put(put(state.grid, square, state.grid[start]), start, EMPTY)
    going, done = state.going, state.done
    if going is not None and going[0] == start:
        going, done = None, (*done, (square, 0))
    return replace(state, grid=grid, ball=square, loose=False, going=going, done=done)


def _passed(state: State, effect: Pass) -> State:
    name = state.terms.field.name
    return replace(
        state,
        **{
            **_remembered(state, ATTACK),
            "told": (effect.start, effect.end) if effect.inferred else None,
        },
        passes=state.passes + 1,
        ball=effect.end,
        loose=True,
        disc=effect.end,
        forwards=state.forwards + effect.forward,
        tokens=(*state.tokens, f"({name(effect.start)}>{name(effect.end)})"),
    )


def _turn_ended(state: State, to: str, cut: bool) -> State:
    still, stood = state.still, state.stood
    if state.turn == ATTACK:
        here = None if state.loose else (state.grid[state.ball], state.ball)
        still = 0 if here is None else still + 1 if here == stood else 1
        stood = here
    return replace(
        state,
        turn=to,
        moves=0,
        passes=0,
        going=None,
        done=(),
        still=still,
        stood=stood,
        told=None,
        route=(),
        cut=_alone(state) if cut else state.cut,
        frame=None,
        tokens=(),
        turns=Moves(write_turn(state), state.turns),
    )


def _half_ended(state: State, points: int, said: str) -> State:
    tokens = (*state.tokens, said) if said else state.tokens
    played = bool(state.turn) and state.playing
    shown = replace(state, tokens=(*tokens, f"#{points}"))
    return replace(
        state,
        turn="",
        moves=0,
        passes=0,
        going=None,
        done=(),
        points=(*state.points, points),
        playing=False,
        begun=False,
        route=(),
        tokens=(),
        turns=Moves(write_turn(shown), state.turns) if played else state.turns,
    )


def _set_out(state: State) -> State:
    terms = state.terms
    kept_release = terms.release_for_game and len(state.points) % 2 == 1 and state.released
    return replace(
        start_of(terms),
        first=state.first,
        points=state.points,
        playing=True,
        table=terms.set_up,
        released=kept_release,
        turns=state.turns,
    )
