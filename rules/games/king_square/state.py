"""What a King Square match stands at, and the effects by which rulings change it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.calls import Moves
from rules.facts import Fact
from rules.games.king_square.field import Field, Square, completed, read_rows, write_rows

SIDES = "ABC"


class Phase(StrEnum):
    """Where the match is (section 5 of the rulebook)."""

    BOARD = "board"  # a peg is due; before the first one the set-up may still change
    KING = "king"  # a King-Square was made: the field is to be cleared
    VOID = "void"  # the board ended without one: the field is to be cleared
    OVER = "over"  # the match is won
    CHOOSE = "choose"  # the losing pair names the seat that starts (pair_start = choose)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed and stays for the whole match."""

    seats: int
    target: int
    supply: tuple[int, ...]
    colours: tuple[str, ...]  # of the sides A, B (and C)
    names: tuple[str, ...] = ()  # of the seats, where the players gave any
    solo: bool = False
    first_start: str = "declared"
    each: bool = False
    claimed: bool = False
    void_start: str = "next"
    dead_board: str = "told"
    choose: bool = False
    moving: bool = False
    takeback: bool = False
    penalty: str = "none"
    table_talk: bool = True

    @property
    def sides(self) -> int:
        return 3 if self.solo else 2

    def side_of(self, seat: int) -> int:
        """The side, 0 for A, that a seat plays for."""
        return seat - 1 if self.solo else (seat - 1) % 2

    def after(self, seat: int) -> int:
        """The seat next in turn, clockwise."""
        return seat % self.seats + 1

    def before(self, seat: int) -> int:
        """The seat that `seat` follows in turn."""
        return (seat - 2) % self.seats + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """A foul that stands until it is undone.

    `extra` is the hole a peg must leave; `missing` are (hole, side) that must come back; neither:
    the score board must be set right.
    """

    reason: str
    seat: int
    extra: str | None = None
    missing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The last peg's completed squares, while nobody has claimed them (call = player)."""

    seat: int
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment of a match. `pegs` holds one set of holes for each side."""

    field: Field
    terms: Terms
    pegs: tuple[int, ...]
    turn: int
    phase: Phase = Phase.BOARD
    last: int | None = None  # the seat that played last on this board
    last_hole: int | None = None
    starter: int = 1
    loser: int | None = None  # the seat that started after the last King-Square
    winner: int | None = None
    score: tuple[int, ...] = (0, 0)
    board: int = 1
    begun: bool = False  # a peg is played, or a board over without one: the set-up stands
    told_dead: bool = False
    living: int = 0  # no square before this one in `field.squares` can be made any more
    lifted: int | None = None
    foul: Foul | None = None
    kept: tuple[Fact, ...] = ()
    made: Made | None = None
    kings: tuple[Square, ...] = ()
    record: Moves | None = None

    @property
    def taken(self) -> int:
        pegs = 0
        for side in self.pegs:
            pegs |= side
        return pegs

    def owner(self, hole: int) -> int | None:
        """The side whose peg stands in a hole."""
        bit = 1 << hole
        return next((side for side, pegs in enumerate(self.pegs) if pegs & bit), None)

    @property
    def due(self) -> int | None:
        """The seat on turn; None while the field is to be cleared or the match is over."""
        return self.turn if self.phase is Phase.BOARD else None


# Position strings (section 1.1)


def write_position(state: State) -> str:
    """The position on one line; standing fouls and what was told are not part of it."""
    match state.phase:
        case Phase.BOARD | Phase.CHOOSE:
            moment = str(state.turn)
        case Phase.KING:
            moment = f"k{state.last}"
        case Phase.VOID:
            moment = f"v{state.last}"
        case Phase.OVER:
            moment = "-"
    score = "-".join(map(str, state.score))
    form = f"{state.terms.seats}p{state.terms.target}"
    return f"{write_rows(state.field, state.pegs)} {moment} {score} {state.board} {form}"


def read_position(text: str, blank: State) -> State:
    """The state of a position string, with the agreements of `blank`; ValueError where it is none.

    The seat before the one on turn is taken to have played last where pegs are on the field.
    """
    parts = text.split(" ")
    if len(parts) != 5:
        raise ValueError(f"expected a position of five fields, got {text!r}")
    drawing, moment, score, board, form = parts
    terms = blank.terms
    cols, rows, pegs = read_rows(drawing, terms.sides)
    if (cols, rows) != (blank.field.cols, blank.field.rows):
        raise ValueError(f"expected {blank.field.cols}x{blank.field.rows} holes, got {cols}x{rows}")
    if form != f"{terms.seats}p{terms.target}":
        raise ValueError(f"expected the form {terms.seats}p{terms.target}, got {form!r}")
    points = tuple(_count(n) for n in score.split("-"))
    if len(points) != terms.sides:
        raise ValueError(f"expected a score for {terms.sides} sides, got {score!r}")
    base = replace(blank, pegs=pegs, score=points, board=_count(board))
    if moment == "-":
        winner = max(range(terms.sides), key=points.__getitem__)
        return replace(base, phase=Phase.OVER, begun=True, winner=winner)
    phase = {"k": Phase.KING, "v": Phase.VOID}.get(moment[0], Phase.BOARD)
    seat = _count(moment[1:] if phase is not Phase.BOARD else moment)
    if not 1 <= seat <= terms.seats:
        raise ValueError(f"expected a seat from 1 to {terms.seats}, got {moment!r}")
    if phase is not Phase.BOARD:
        return replace(base, phase=phase, turn=terms.after(seat), last=seat, begun=True)
    return with_turn(base, seat)


def with_turn(state: State, seat: int) -> State:
    """The position with `seat` on turn; the seat before it played last if there are pegs."""
    played = state.taken != 0
    return replace(
        state,
        turn=seat,
        last=state.terms.before(seat) if played else None,
        begun=state.begun or played or state.board > 1 or any(state.score),
        starter=seat if not played else state.starter,
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a whole number, got {text!r}")
    return int(text)


# Effects: what a ruling changes. `advance` applies those of the rulings that stand.


@dataclass(frozen=True, slots=True)
class Play:
    """A legal peg."""

    seat: int
    hole: int


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn goes to a seat; a square nobody claimed waits in `made`."""

    to: int
    made: Made | None = None
    living: int = 0


@dataclass(frozen=True, slots=True)
class King:
    """A King-Square was made, worth `points`."""

    seat: int
    squares: tuple[Square, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Void:
    """The board ends without a King-Square; a square nobody claimed may still be (`made`)."""

    made: Made | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """The match is won."""


@dataclass(frozen=True, slots=True)
class Dead:
    """The players have been told that no square is left."""


@dataclass(frozen=True, slots=True)
class Take:
    """Pegs leave the field in the course of clearing it."""

    holes: int


@dataclass(frozen=True, slots=True)
class Start:
    """A seat starts: the first board, or (`fresh`) the next one."""

    seat: int
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """The losing pair is to name its starter."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A foul stands."""

    foul: Foul


@dataclass(frozen=True, slots=True)
class Keep:
    """A fact is kept back; or, where it undoes a kept one, both drop out."""

    kept: tuple[Fact, ...]
    missing: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """The foul is undone; what was kept back is judged next."""


@dataclass(frozen=True, slots=True)
class Lift:
    """A side without pegs lifts one of its own to play it elsewhere; or puts it back."""

    hole: int
    back: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """The last peg is taken back."""

    seat: int
    hole: int


@dataclass(frozen=True, slots=True)
class Agree:
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
