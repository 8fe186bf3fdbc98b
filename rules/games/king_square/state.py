"""What a King Square match stands at, and how a position is written."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rules.calls import Moves
from rules.facts import Fact
from rules.games.king_square.field import Field, Square, read_rows, write_rows

SIDES = "ABC"


class Phase(StrEnum):
    """Where the match is (section 5 of the rulebook)."""

    BOARD = "board"  # a peg is due; before the first one the set-up may still change
    KING = "king"  # a King-Square was made: the field is to be cleared
    VOID = "void"  # the board ended without one: the field is to be cleared
    OVER = "over"  # the match is won
    CHOOSE = "choose"  # the losing pair names the seat that starts (pair_start = choose)


class Terms(Struct, frozen=True, kw_only=True):
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


class Foul(Struct, frozen=True, kw_only=True):
    """A foul that stands until it is undone.

    `extra` is the hole a peg must leave; `missing` are (hole, side) that must come back; neither:
    the score board must be set right.
    """

    reason: str
    seat: int
    extra: str | None = None
    missing: tuple[tuple[int, int], ...] = ()


class Made(Struct, frozen=True, kw_only=True):
    """The last peg's completed squares, while nobody has claimed them (call = player)."""

    seat: int
    squares: tuple[Square, ...]


class State(Struct, frozen=True, kw_only=True):
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


def first_living(state: State) -> int:
    """The first square, from the last known one on, that one side can still make."""
    squares, at = state.field.squares, state.living
    while at < len(squares) and sum(1 for p in state.pegs if p & squares[at].mask) > 1:
        at += 1
    return at


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
