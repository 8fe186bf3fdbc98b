"""What rulings change: `advance` applies the effects of those that stand."""

from msgspec import Struct
from msgspec.structs import replace

from rules.calls import Moves
from rules.facts import Fact
from rules.games.king_square.field import Square, completed
from rules.games.king_square.state import Foul, Made, Phase, State


class Play(Struct, frozen=True):
    """A legal peg."""

    seat: int
    hole: int


class Pass(Struct, frozen=True):
    """The turn goes to a seat; a square nobody claimed waits in `made`."""

    to: int
    made: Made | None = None
    living: int = 0


class King(Struct, frozen=True):
    """A King-Square was made, worth `points`."""

    seat: int
    squares: tuple[Square, ...]
    points: int


class Void(Struct, frozen=True):
    """The board ends without a King-Square; a square nobody claimed may still be (`made`)."""

    made: Made | None = None


class Over(Struct, frozen=True):
    """The match is won."""


class Dead(Struct, frozen=True):
    """The players have been told that no square is left."""


class Take(Struct, frozen=True):
    """Pegs leave the field in the course of clearing it."""

    holes: int


class Start(Struct, frozen=True):
    """A seat starts: the first board, or (`fresh`) the next one."""

    seat: int
    fresh: bool = False


class Choose(Struct, frozen=True):
    """The losing pair is to name its starter."""


class Stop(Struct, frozen=True):
    """A foul stands."""

    foul: Foul


class Keep(Struct, frozen=True):
    """A fact is kept back; or, where it undoes a kept one, both drop out."""

    kept: tuple[Fact, ...]
    missing: tuple[tuple[int, int], ...] | None = None


class Fix(Struct, frozen=True):
    """The foul is undone; what was kept back is judged next."""


class Lift(Struct, frozen=True):
    """A side without pegs lifts one of its own to play it elsewhere; or puts it back."""

    hole: int
    back: bool = False


class Undo(Struct, frozen=True):
    """The last peg is taken back."""

    seat: int
    hole: int


class Agree(Struct, frozen=True):
    """A set-up was accepted."""

    seats: int
    colours: tuple[str, ...] = ()


Effect = (
    Play | Pass | King | Void | Over | Dead | Take | Start | Choose | Stop | Keep | Fix | Lift
    | Undo | Agree
)  # fmt: skip


def apply(state: State, effect: object) -> State:
    """The state after one effect; anything else than an effect of this game changes nothing."""
    match effect:
        case Play(seat=seat, hole=hole):
            return _with_peg(state, seat, hole)
        case Pass(to=to, made=made, living=living):
            return replace(state, turn=to, made=made, living=max(living, state.living))
        case King(seat=seat, squares=squares, points=points):
            return _with_king(state, seat, squares, points)
        case Void(made=made):
            return _with_void(state, made)
        case Over():
            return replace(state, phase=Phase.OVER, winner=_leader(state))
        case Dead():
            return replace(state, told_dead=True)
        case Take(holes=holes):
            return replace(state, pegs=tuple(pegs & ~holes for pegs in state.pegs))
        case Start(seat=seat, fresh=fresh):
            return _with_start(state, seat, fresh)
        case Choose():
            return replace(_with_start(state, state.turn, True), phase=Phase.CHOOSE)
        case Stop(foul=foul):
            return replace(state, foul=foul)
        case Keep(kept=kept, missing=missing):
            held = state.foul
            if held is not None and missing is not None:
                held = replace(held, missing=missing)
            return replace(state, kept=kept, foul=held)
        case Fix():
            return replace(state, foul=None, kept=())
        case Lift(hole=hole, back=back):
            return _with_lift(state, hole, back)
        case Undo(seat=seat, hole=hole):
            return _with_undo(state, seat, hole)
        case Agree(seats=seats, colours=colours):
            return _with_agreement(state, seats, colours)
        case _:
            return state


def _with_peg(state: State, seat: int, hole: int) -> State:
    side = state.terms.side_of(seat)
    pegs = tuple(p | 1 << hole if s == side else p for s, p in enumerate(state.pegs))
    return replace(
        state,
        pegs=pegs,
        last=seat,
        last_hole=hole,
        begun=True,
        lifted=None,
        made=None,
        record=Moves(f"{seat}:{state.field.name(hole)}", state.record),
    )


def _with_king(state: State, seat: int, squares: tuple[Square, ...], points: int) -> State:
    side = state.terms.side_of(seat)
    score = tuple(n + points if s == side else n for s, n in enumerate(state.score))
    names = "+".join(square.name for square in squares)
    return replace(
        state,
        phase=Phase.KING,
        score=score,
        begun=True,
        last=seat,
        turn=state.terms.after(seat),
        made=None,
        kings=squares,
        loser=state.terms.after(seat),
        record=_noted(state.record, f"={names}") if squares else state.record,
    )


def without_king(state: State) -> State:
    """The turn passes after a peg whose King-Square was waived, as after any other."""
    if state.phase is not Phase.BOARD or state.last != state.turn or state.last_hole is None:
        return state
    side = state.terms.side_of(state.turn)
    if not completed(state.field, state.pegs[side], state.last_hole):
        return state
    return replace(state, turn=state.terms.after(state.turn))


def _with_void(state: State, made: Made | None) -> State:
    """The board is over; one given up before its first peg ends before the seat on turn."""
    return replace(
        state,
        phase=Phase.VOID,
        begun=True,
        last=state.terms.before(state.turn) if state.last is None else state.last,
        made=made,
        record=_noted(state.record, "=void"),
    )


def _noted(record: Moves | None, what: str) -> Moves | None:
    return record.noting(what) if record is not None and record.last != "/" else record


def _leader(state: State) -> int:
    return max(range(len(state.score)), key=state.score.__getitem__)


def _with_start(state: State, seat: int, fresh: bool) -> State:
    if not fresh:
        return replace(state, turn=seat, starter=seat, phase=Phase.BOARD)
    return replace(
        state,
        pegs=(0,) * state.terms.sides,
        phase=Phase.BOARD,
        turn=seat,
        starter=seat,
        last=None,
        last_hole=None,
        board=state.board + 1,
        told_dead=False,
        living=0,
        made=None,
        kings=(),
        lifted=None,
        record=Moves("/", state.record),
    )


def _with_lift(state: State, hole: int, back: bool) -> State:
    side = state.terms.side_of(state.turn)
    bit = 1 << hole
    pegs = tuple(
        (p | bit if back else p & ~bit) if s == side else p for s, p in enumerate(state.pegs)
    )
    return replace(state, pegs=pegs, lifted=None if back else hole, living=0)


def _with_undo(state: State, seat: int, hole: int) -> State:
    pegs = tuple(p & ~(1 << hole) for p in state.pegs)
    return replace(
        state,
        pegs=pegs,
        turn=seat,
        last=state.terms.before(seat) if any(pegs) else None,
        last_hole=None,
        phase=Phase.BOARD,
        made=None,
        living=0,
        record=state.record and state.record.before,
    )


def _with_agreement(state: State, seats: int, colours: tuple[str, ...]) -> State:
    terms = state.terms
    solo = seats == 3
    sides = 3 if solo else 2
    if sides != terms.sides:
        terms = replace(terms, supply=(terms.supply * 2)[:sides])
    terms = replace(terms, seats=seats, solo=solo, colours=colours[:sides] or terms.colours)
    first = state.starter if state.starter <= seats else 1
    return replace(
        state, terms=terms, pegs=(0,) * sides, score=(0,) * sides, turn=first, starter=first
    )
