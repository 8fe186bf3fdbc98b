"""What a match of Quarterback stands at, and the effects by which rulings change it."""

from dataclasses import dataclass, field, replace
from typing import Any

from rules.calls import Moves
from rules.facts import Fact
from rules.games.quarterback.field import EMPTY, Field, field_of
from rules.games.quarterback.pieces import ATTACK, DEFENCE, side_of
from rules.geometry import Seat

HALVES = 4
"""A full match: two games of two halves (QB-9.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was agreed and stays for the whole match. Sides are the players R and B, 0 and 1."""

    cols: int = 11
    behind: int = 3
    set_up: str = ""
    colours: tuple[str, str] = ("red", "blue")
    names: tuple[str, str] = ("", "")
    seats: tuple[Seat, Seat] | None = None  # of the players; else the attacker sits at S
    values: tuple[int, ...] = ()  # of the columns
    four_from_row0: bool = False
    defender_moves: int = 2
    singles_exempt: bool = False
    empty_turn: bool = False
    midmove_receive: bool = True
    release_for_game: bool = False
    release_by_push: bool = False
    push_offside_barred: bool = False
    both_corners: bool = False
    own_blocks: bool = False
    orthogonal: bool = False
    push_optional: bool = False
    immovable_refused: bool = False
    one_push: bool = False
    double_pushes_qb: bool = True
    tackles_literal: bool = False
    triple_tackles_single: bool = False
    zone_end_only: bool = False
    tackle_on_catch: bool = False
    behind_line: str = "mixed"
    touchdown: int | None = None
    stall_limit: int = 10
    declared_end: bool = False
    concession: bool = True
    pass_intercepted: bool = False
    forward_passes: int | None = None
    push_pickup: bool = True
    toss_chooses: bool = False
    disc_always: bool = False
    null_move: bool = True
    takeback: bool = False
    lose_turn: bool = False

    @property
    def field(self) -> Field:
        return field_of(self.cols, self.behind)

    @property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """The squares adjacent to each, as far as Singles are concerned."""
        return self.field.beside if self.orthogonal else self.field.around

    def points_at(self, square: int) -> tuple[int, str]:
        """What a tackle on a square gives, and by which clause (QB-2.5, QB-2.7)."""
        row, value = self.field.row(square), self.values[square % self.cols]
        if row >= 1:
            return row + value, "QB-2.5"
        if self.behind_line == "zero" or (row < 0 and self.behind_line != "column"):
            return 0, "QB-2.7"
        return value, "QB-2.7"


@dataclass(frozen=True, slots=True)
class Change:
    """A piece (or the ball, `*`) that `came` to a square where the record has none, or is gone."""

    square: int
    letter: str
    came: bool


@dataclass(frozen=True, slots=True)
class Displaced:
    """A piece that went from one square to another."""

    letter: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A foul that stands, or (`due`) pushes still to be carried out on the board.

    `off` is how the board differs from the record; `idle` says that the refused fact displaced
    nothing; `side` is at fault. After `due` is done the turn may go on to the other side.
    """

    reason: str
    side: str | None = None
    off: tuple[Change, ...] = ()
    due: tuple[Displaced, ...] = ()
    idle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment of a match. Capitals attack, small letters defend; squares are field numbers."""

    terms: Terms
    grid: str
    turn: str = ATTACK  # who is to act; empty when the half is over
    moves: int = 0
    passes: int = 0
    going: tuple[int, int] | None = None  # the piece whose sequence is open, and its steps left
    done: tuple[tuple[int, int], ...] = ()  # other pieces moved in this turn, steps left unused
    ball: int = 0
    loose: bool = False
    released: bool = False
    points: tuple[int, ...] = ()  # of the halves that have ended
    first: int | None = None  # who attacked first, 0 or 1; None: nobody has said
    playing: bool = False  # the set-up of this half was accepted
    begun: bool = False  # this half has seen an action
    table: str = ""  # what is seen on the board, letters as in `grid`
    under: tuple[tuple[int, str], ...] = ()  # pieces believed to lie beneath others there
    disc: int | None = None  # where the ball disc is believed to lie
    route: tuple[int, ...] = ()  # squares tapped for the move that comes
    forwards: int = 0
    still: int = 0  # for how many of the attacker's turns the carrier has stood where it is
    stood: tuple[str, int] | None = None
    told: tuple[int, int] | None = None  # the pass just inferred from the disc
    correction: Correction | None = None
    kept: tuple[Fact, ...] = ()
    cut: "State | None" = field(default=None, compare=False)  # before the other side cut in
    before: "State | None" = field(default=None, compare=False)  # takeback
    frame: "State | None" = field(default=None, compare=False)  # before the last thing seen
    tokens: tuple[str, ...] = ()
    turns: Moves | None = None

    @property
    def half_number(self) -> int:
        """Which half it is, from 0; the one just ended while the next is not set out."""
        return len(self.points) - (not self.turn)

    @property
    def game(self) -> int:
        return self.half_number // 2 + 1

    @property
    def half(self) -> int:
        return self.half_number % 2 + 1

    @property
    def attacker(self) -> int:
        """The player (0 or 1) whose pieces are the capitals."""
        return attacker_of(self.first, self.half_number)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return len(self.points) >= HALVES and not self.turn

    @property
    def acted(self) -> bool:
        """Whether the side to act has done anything in its turn."""
        return self.moves + self.passes > 0

    @property
    def carrier(self) -> str:
        """The letter of the piece that has the ball; empty when it is loose or the half over."""
        return "" if self.loose or not self.turn else self.grid[self.ball]

    @property
    def last_moved(self) -> tuple[int, int] | None:
        """The piece that moved last in this turn and the steps it has left."""
        return self.going or (self.done[-1] if self.done else None)


def attacker_of(first: int | None, half_number: int) -> int:
    """Who attacks in a half: X, Y; Y, X (QB-9.2)."""
    starter = first or 0
    return starter if half_number % 4 in (0, 3) else 1 - starter


def player_of(state: State, side: str) -> int:
    """The player (0 or 1) of a side in this half."""
    return state.attacker if side == ATTACK else 1 - state.attacker


def start_of(terms: Terms) -> State:
    """Before the first set-up: the standard places on record, nothing seen on the board."""
    quarterback = terms.set_up.index("Q")
    return State(
        terms=terms,
        grid=terms.set_up,
        ball=quarterback,
        table=EMPTY * len(terms.set_up),
        disc=quarterback if terms.disc_always else None,
    )


def put(grid: str, square: int, letter: str) -> str:
    """The grid with `letter` on a square."""
    return grid[:square] + letter + grid[square + 1 :]


# Effects: what a ruling changes. `advance` applies those of the rulings that stand.


@dataclass(frozen=True, slots=True)
class Go:
    """A legal move. `grid` is the position after its steps, a tackling one left out.

    `text` is the move for the record, `left` the steps that stay unused.
    """

    letter: str
    start: int
    end: int
    left: int
    grid: str
    text: str


@dataclass(frozen=True, slots=True)
class Push:
    """A piece pushed away from a Single next to it."""

    piece: Displaced


@dataclass(frozen=True, slots=True)
class Free:
    """Defending Doubles and Singles are free for the rest of the half."""


@dataclass(frozen=True, slots=True)
class Take:
    """The piece on a square has the ball."""

    square: int


@dataclass(frozen=True, slots=True)
class Seize:
    """A defender is first on the ball: intercepted there."""

    square: int


@dataclass(frozen=True, slots=True)
class Tackle:
    """The carrier on a square is tackled; a tackler that steps on comes from `start`."""

    square: int
    start: int | None = None


@dataclass(frozen=True, slots=True)
class EndHalf:
    """The half ends with these points for its attacker; `said` goes into the record."""

    points: int
    said: str = ""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn goes to the other side; `cut` says that the other side's own act ended it."""

    to: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """The ball was passed and lies loose on its target until somebody has caught it."""

    start: int
    end: int
    forward: bool = False
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """A foul stands, or a push is due."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class Keep:
    """What is kept back while a correction stands, and what is still to be put right."""

    kept: tuple[Fact, ...]
    off: tuple[Change, ...]
    due: tuple[Displaced, ...] = ()


@dataclass(frozen=True, slots=True)
class Fix:
    """The board agrees with the record again, but for what was kept back: that is judged next."""

    table: str
    under: tuple[tuple[int, str], ...] = ()
    disc: int | None = None


@dataclass(frozen=True, slots=True)
class Begin:
    """The set-up of the next half is accepted."""


@dataclass(frozen=True, slots=True)
class Toss:
    """A player attacks first."""

    first: int


@dataclass(frozen=True, slots=True)
class Resume:
    """An earlier state stands again: an objection was right, or an action is taken back."""

    state: State
    correction: Correction | None


@dataclass(frozen=True, slots=True)
class Tap:
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
            grid = state.grid
            if start is not None:
                grid = put(put(grid, square, grid[start]), start, EMPTY)
            return replace(state, grid=grid, ball=square, loose=False)
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


def write_turn(state: State) -> str:
    """The turn string of what the side to act has done so far (section 1.2)."""
    return f"{state.turn or ATTACK}: {' '.join(state.tokens) or '-'}"


def record_of(state: State) -> list[str]:
    """All turns of the match as strings, the unfinished one last."""
    turns = [] if state.turns is None else state.turns.in_order()
    return [*turns, write_turn(state)] if state.tokens else turns


def match_points(state: State) -> tuple[int, int]:
    """The match points of R and B for the games that are decided (QB-9.4)."""
    totals = [0, 0]
    for game in range(len(state.points) // 2):
        ours, theirs = game_points(state, game)
        totals[0] += 2 if ours > theirs else ours == theirs
        totals[1] += 2 if theirs > ours else ours == theirs
    return totals[0], totals[1]


def game_points(state: State, game: int) -> tuple[int, int]:
    """The points of R and B in a game (from 0), as far as it is played."""
    totals = [0, 0]
    for half in range(2 * game, min(2 * game + 2, len(state.points))):
        totals[attacker_of(state.first, half)] += state.points[half]
    return totals[0], totals[1]


def sides_left(state: State) -> bool:
    """Whether the side to act still has an action that only `end` may cut (house rule)."""
    if state.turn == DEFENCE:
        return state.moves < state.terms.defender_moves
    return state.moves + state.passes < 2
