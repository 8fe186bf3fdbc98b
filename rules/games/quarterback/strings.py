"""Position strings and turn strings (sections 1.1 and 1.2 of the rulebook)."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from rules.facts import Declared, Fact
from rules.games.quarterback.field import EMPTY, Field
from rules.games.quarterback.pieces import ATTACK, DEFENCE
from rules.games.quarterback.sentences import NotASentence, SaidMove, read_shift, write_move
from rules.games.quarterback.state import Displaced, State, put

_LETTERS = "QSDTqsdt"


def write_grid(grid: str, field: Field) -> str:
    """The pieces, rows from 12 down to the last unnumbered one (field 1 of the position)."""
    rows = [grid[n : n + field.cols] for n in range(0, field.size, field.cols)]
    return "/".join(_short(row) for row in reversed(rows))


def _short(row: str) -> str:
    return re.sub(r"\.+", lambda empty: str(len(empty[0])), row)


def read_grid(text: str, field: Field) -> str:
    """The pieces of field 1; ValueError where it is none of this field."""
    rows = text.split("/")
    if len(rows) != field.rows:
        raise ValueError(f"expected {field.rows} rows of squares, got {len(rows)} in {text!r}")
    grid = ""
    for row in reversed(rows):
        full = re.sub(r"\d+", lambda n: EMPTY * min(int(n[0]), field.cols + 1), row)
        if len(full) != field.cols or not set(full) <= {*_LETTERS, EMPTY} or EMPTY in row:
            raise ValueError(f"expected {field.cols} squares in a row, got {row!r}")
        grid += full
    return grid


def read_pieces(text: str, field: Field) -> str:
    """The pieces of a list such as `Qfu1 Se0 td9`; ValueError where it is none."""
    grid = EMPTY * field.size
    for word in text.split():
        if word[0] not in _LETTERS:
            raise ValueError(f"expected a piece and its square such as Se0, got {word!r}")
        grid = put(grid, field.named(word[1:]), word[0])
    return grid


def write_position(state: State) -> str:
    """The position on one line; a standing foul and a push still due are not part of it."""
    field = state.terms.field
    ball = field.name(state.ball)
    release = "r" if state.released else "-"
    return (
        f"{write_grid(state.grid, field)} {_write_moment(state)} "
        f"{f'({ball})' if state.loose else ball} {release} {state.game}.{state.half}"
    )


def _write_moment(state: State) -> str:
    if not state.turn:
        return "-"
    name = state.terms.field.name
    moment = state.turn
    if state.acted:
        moment += f":m{state.moves}p{state.passes}"
    if state.going is not None:
        moment += f"@{name(state.going[0])}/{state.going[1]}"
    if state.done:
        moment += "!" + ",".join(f"{name(square)}/{left}" for square, left in state.done)
    return moment


_MOMENT = re.compile(
    r"(?P<side>[AD])(?::m(?P<moves>\d)p(?P<passes>\d))?"
    r"(?:@(?P<open>[a-z]u?\d+/[1-9]))?(?:!(?P<done>[a-z]u?\d+/\d(?:,[a-z]u?\d+/\d)*))?\Z"
)
_HALF = re.compile(r"(?P<game>[12])\.(?P<half>[12])\Z")


def read_position(text: str, blank: State) -> State:
    """The state of a position string with the agreements of `blank`; ValueError where it is none.

    Earlier halves that `blank` does not know count as having given no points. Squares named for
    moved pieces must hold pieces of the side to act.
    """
    parts = text.split(" ")
    if len(parts) != 5:
        raise ValueError(f"expected a position of five fields, got {text!r}")
    pieces, moment, ball, release, half = parts
    field = blank.terms.field
    grid = read_grid(pieces, field)
    loose = ball.startswith("(") and ball.endswith(")")
    at = field.named(ball[1:-1] if loose else ball)
    numbers = _HALF.match(half)
    if release not in ("r", "-") or numbers is None:
        raise ValueError(f"expected `r` or `-` and a half such as 1.2, got {release!r}, {half!r}")
    over = moment == "-"
    ended = 2 * int(numbers["game"]) + int(numbers["half"]) - 3 + over
    if not over and not loose and grid[at] not in "QSDT":
        raise ValueError(f"expected an attacking piece with the ball, got {ball!r}")
    if not over and loose and grid[at] != EMPTY:
        raise ValueError(f"expected a loose ball on an empty square, got {ball!r}")
    disc = at if loose or blank.terms.disc_always else None
    state = replace(
        blank,
        grid=grid,
        table=grid,
        under=(),
        ball=at,
        loose=loose,
        disc=None if over else disc,
        released=release == "r",
        points=(blank.points + (0,) * ended)[:ended],
        playing=not over,
        begun=False,
        turn="" if over else ATTACK,
        moves=0,
        passes=0,
        going=None,
        done=(),
    )
    return state if over else _with_moment(state, moment)


def _with_moment(state: State, moment: str) -> State:
    found = _MOMENT.match(moment)
    if found is None:
        raise ValueError(f"expected a turn such as A, D:m1p0@d8/2 or -, got {moment!r}")
    pieces = [found["open"]] if found["open"] else []
    pieces += found["done"].split(",") if found["done"] else []
    places = [_place(state, piece, found["side"]) for piece in pieces]
    opened = places[0] if found["open"] else None
    moves, passes = int(found["moves"] or 0), int(found["passes"] or 0)
    if found["moves"] and not moves + passes:
        raise ValueError(f"expected no count where nothing was done, got {moment!r}")
    if len(places) != moves or len({square for square, _ in places}) != moves:
        raise ValueError(f"expected each moved piece once, got {moment!r}")
    if passes and found["side"] == DEFENCE:
        raise ValueError(f"expected no pass by the defence, got {moment!r}")
    return replace(
        state,
        turn=found["side"],
        moves=moves,
        passes=passes,
        going=opened,
        done=tuple(places[1:] if opened else places),
        begun=bool(moves + passes) or found["side"] == DEFENCE,
    )


def _place(state: State, text: str, side: str) -> tuple[int, int]:
    name, _, left = text.partition("/")
    square = state.terms.field.named(name)
    letter = state.grid[square]
    if letter == EMPTY or letter.isupper() != (side == ATTACK):
        raise ValueError(f"expected a piece of side {side} on {name}, got {letter!r}")
    return square, int(left)


# Turn strings

_PASS = re.compile(r"\((?P<start>[a-z]u?\d+)>(?P<end>[a-z]u?\d+)\)")
_STEP = re.compile(r"(?P<mark>[-^x])(?P<square>[a-z]u?\d+)(?P<ball>\*?)(?:\{(?P<pushed>[^}]*)\})?")
_START = re.compile(r"(?P<letter>[QSDTqsdt])(?P<square>[a-z]u?\d+)")


def read_turn(text: str, field: Field) -> list[Fact]:
    """The facts of a turn string; ValueError where it is none.

    A turn that did not end by itself or by the end of the half needs an `end` after these facts.
    """
    side, colon, rest = text.partition(": ")
    if side not in ("A", "D") or not colon or not rest:
        raise ValueError(f"expected a turn such as `A: Ta0-a1`, got {text!r}")
    facts: list[Fact] = []
    for token in rest.split(" "):
        if token.startswith("#") or token == "-":
            continue
        if token in ("concede", "stall"):
            facts.append(Declared(at_ms=0.0, what=token))
        else:
            facts += _token(token, field)
    return facts


def _token(token: str, field: Field) -> Iterator[Fact]:
    """The moves and passes of one token, as they follow one another."""
    start = _START.match(token)
    letter, here, at = "", -1, 0
    if start is not None:
        letter, here, at = start["letter"], field.named(start["square"]), start.end()
    steps: list[re.Match[str]] = []
    while at < len(token):
        passed, step = _PASS.match(token, at), _STEP.match(token, at)
        inferred = token[at] == "~"
        if (passed or inferred) and steps:
            said = _stretch(letter, here, steps, field, seen=not inferred)
            here, steps = said.squares[-1], []
            yield Declared(at_ms=0.0, what="move", value=write_move(said, field))
        if passed is not None:
            value = f"{passed['start']}>{passed['end']}"
            yield Declared(at_ms=0.0, what="pass", value=value)
            at = passed.end()
        elif step is not None and letter:
            steps.append(step)
            at = step.end()
        elif inferred:
            at += 1
        else:
            raise ValueError(f"expected a move or a pass, got {token!r}")
    if steps:
        said = _stretch(letter, here, steps, field, seen=True)
        yield Declared(at_ms=0.0, what="move", value=write_move(said, field))


def _stretch(
    letter: str, start: int, steps: list[re.Match[str]], field: Field, *, seen: bool
) -> SaidMove:
    """A stretch of steps as one move, with what it pushed."""
    squares = [start, *(field.named(step["square"]) for step in steps)]
    pushed: list[Displaced] = []
    for step in steps:
        for text in (step["pushed"] or "").split(","):
            if not text or text.startswith("x"):
                continue
            try:
                piece = read_shift(text.removesuffix("*"), field)
            except NotASentence as err:
                raise ValueError(str(err)) from None
            again = [n for n, p in enumerate(pushed) if p.end == piece.start]
            if again:
                pushed[again[0]] = Displaced(piece.letter, pushed[again[0]].start, piece.end)
            else:
                pushed.append(piece)
    picked = any(step["ball"] for step in steps)
    return SaidMove(
        letter=letter,
        squares=tuple(squares) if seen else (squares[0], squares[-1]),
        seen=seen,
        displaced=tuple(pushed),
        picked=picked and not seen,
    )
