"""What rulings change: `advance` applies the effects of those that stand."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.calls import Moves
from rules.facts import Fact
from rules.games.squarin_off.grid import BESIDE, FENCE, groove_name, square_name
from rules.games.squarin_off.state import Foul, State, Terms, start_of, write_turn


class Lay(Struct, frozen=True):
    """A legal stick by a seat; `blocker` says that it is the one owed after a blocker."""

    seat: int
    groove: int
    blocker: bool = False


class Close(Struct, frozen=True):
    """A square completed for a colour, or for nobody."""

    square: int
    colour: str | None


class Short(Struct, frozen=True):
    """A colour has used up its chips."""

    colour: str


class EndTurn(Struct, frozen=True):
    """The turn goes to a seat."""

    to: int


class Stay(Struct, frozen=True):
    """The same seat plays on."""


class Mark(Struct, frozen=True):
    """A chip on a completed square."""

    square: int


class Block(Struct, frozen=True):
    """A blocker on a square by a seat."""

    seat: int
    square: int


class Over(Struct, frozen=True):
    """The game is over."""


class Begin(Struct, frozen=True):
    """A seat begins; `seats` where the draw sets the colours too."""

    seat: int
    seats: str | None = None


class Agree(Struct, frozen=True):
    """A set-up was accepted."""

    terms: Terms


class Stop(Struct, frozen=True):
    """A foul stands."""

    foul: Foul


class Keep(Struct, frozen=True):
    """Facts kept back while a foul stands."""

    kept: tuple[Fact, ...]


class Fix(Struct, frozen=True):
    """The foul is undone; `instead` is the state that stands where another stick went."""

    instead: State | None = None


class Minus(Struct, frozen=True):
    """Points off a colour's total (house rule)."""

    colour: str
    points: int


class TakeBack(Struct, frozen=True):
    """The last placement is taken back (house rule)."""


def apply(state: State, effect: object) -> State:
    """The state after one effect; anything else than an effect of this game changes nothing."""
    match effect:
        case Lay(seat=seat, groove=groove, blocker=blocker):
            return _with_stick(state, seat, groove, blocker)
        case Close(square=square, colour=colour):
            return _with_square(state, square, colour)
        case Short(colour=colour):
            return replace(state, short=(*state.short, colour))
        case EndTurn(to=to):
            return _with_turn_ended(state, to)
        case Stay():
            return replace(state, owes=None, blocker_stick=False)
        case Mark(square=square):
            bit = 1 << square
            return replace(
                state,
                marked=state.marked | bit,
                late=state.late & ~bit,
                due=state.due & ~bit,
                before=_remembered(state),
            )
        case Block(seat=seat, square=square):
            return _with_blocker(state, seat, square)
        case Over():
            return replace(state, over=True, owes=None)
        case Begin(seat=seat, seats=seats):
            terms = state.terms if seats is None else replace(state.terms, seats=seats)
            return replace(state, terms=terms, turn=seat)
        case Agree(terms=terms):
            return start_of(terms)
        case Stop(foul=foul):
            return replace(state, foul=foul)
        case Keep(kept=kept):
            return replace(state, kept=kept)
        case Fix(instead=instead):
            return replace(state if instead is None else instead, foul=None, kept=())
        case Minus(colour=colour, points=points):
            at = state.terms.colours.index(colour)
            minus = tuple(m + points * (n == at) for n, m in enumerate(state.minus))
            return replace(state, minus=minus)
        case TakeBack():
            return state if state.before is None else state.before
        case _:
            return state


def _remembered(state: State) -> State | None:
    """What a taking back of the placement that now comes leads to: one step, no further."""
    return replace(state, before=None) if state.terms.takeback else None


def _as_played(state: State) -> dict[str, Any]:
    """What changes once a seat plays a legal stick or blocker: what was left unmarked is late."""
    overdue = state.due & ~state.marked
    if not overdue:
        return {"due": 0, "last": None, "begun": True}
    if not state.terms.unmarked_open:
        return {"late": state.late | overdue, "due": 0, "last": None, "begun": True}
    return {
        "owned": tuple(mine & ~overdue for mine in state.owned),
        "nobody": state.nobody | overdue,
        "due": 0,
        "last": None,
        "begun": True,
    }


def _with_stick(state: State, seat: int, groove: int, blocker: bool) -> State:
    sticks = state.sticks | 1 << groove
    three = state.three
    for square in BESIDE[groove]:
        gaps = (FENCE[square] & ~sticks).bit_count()
        three = three | 1 << square if gaps == 1 else three & ~(1 << square)
    return replace(
        state,
        **_as_played(state),
        sticks=sticks,
        three=three,
        blocker_stick=blocker,
        owes=None,
        newest=(groove, seat),
        before=_remembered(state),
        tokens=(*state.tokens, (groove_name(groove), ())),
    )


def _with_square(state: State, square: int, colour: str | None) -> State:
    bit = 1 << square
    tokens = state.tokens
    if tokens:  # else the stick itself was waived
        name, made = tokens[-1]
        tokens = (*tokens[:-1], (name, (*made, square)))
    if colour is None:
        return replace(state, nobody=state.nobody | bit, tokens=tokens)
    at = state.terms.colours.index(colour)
    owned = tuple(mine | bit if n == at else mine for n, mine in enumerate(state.owned))
    return replace(state, owned=owned, fresh=(*state.fresh, square), tokens=tokens)


def without_closings(state: State) -> State:
    """A square whose closing was waived is nobody's: it is full, and the game can end."""
    full = sum(1 << q for q, fence in enumerate(FENCE) if fence & ~state.sticks == 0)
    return replace(state, nobody=state.nobody | full & state.open)


def _with_turn_ended(state: State, to: int) -> State:
    due = sum(1 << square for square in state.fresh) & ~state.marked
    return replace(
        state,
        turn=to,
        last=state.turn,
        owes=None,
        blocker_stick=False,
        fresh=(),
        due=due,
        tokens=(),
        turns=Moves(write_turn(state, state.turn), state.turns),
    )


def _with_blocker(state: State, seat: int, square: int) -> State:
    left = tuple(n - (at == seat - 1) for at, n in enumerate(state.left))
    return replace(
        state,
        **_as_played(state),
        blocked=state.blocked | 1 << square,
        left=left,
        owes=square,
        before=_remembered(state),
        tokens=(*state.tokens, ("#" + square_name(square), ())),
    )
