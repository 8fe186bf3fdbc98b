"""One step of a move: why it is not legal, or what it does (section 4.11 of the rulebook)."""

from collections.abc import Container
from dataclasses import dataclass, field
from itertools import pairwise

from rules.games.quarterback.field import EMPTY, TOP, Step
from rules.games.quarterback.pieces import MOVEMENT, STRENGTH
from rules.games.quarterback.state import State, put
from rules.games.quarterback.terms import Terms

SEEN_PAIRS = frozenset({"dt", "td", "sd", "ds"})
"""Tackler and carrier that the published rules name for a tackle by stepping on (QB-7.4)."""


@dataclass(frozen=True, slots=True)
class Position:
    """All that a step's legality rests on: the pieces, the ball and whether the defence is free."""

    grid: str
    ball: int
    loose: bool
    released: bool


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a step is not legal; `square` and `letter` are what stands in its way."""

    reason: str
    code: str
    start: int = -1
    to: int = -1
    square: int = -1
    letter: str = ""
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One effect of a step, as it is ruled: PUSH, NO-PUSH, RELEASE, PICKUP, TACKLE, ..."""

    verb: str
    code: str
    letter: str = ""
    start: int = -1
    square: int = -1

    @property
    def steps_on(self) -> bool:
        """Whether this is a tackle by stepping on to the carrier's square."""
        return self.verb == "TACKLE" and self.start >= 0


@dataclass(frozen=True, slots=True)
class Made:
    """What a legal step led to. `ended`: the half is over, nothing after it is judged."""

    position: Position
    events: tuple[Event, ...] = ()
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Manner:
    """How a step is looked at.

    `last`: it is the last of its move; `seen`: its square was seen, not inferred; `displaced`: the
    first squares of the pieces that were displaced, for house rules that ask; `quarry`: a Single's
    square that a Triple is on its way to tackle (house rule).
    """

    last: bool = True
    seen: bool = True
    displaced: Container[int] = field(default=())
    quarry: int = -1


def position_of(state: State) -> Position:
    return Position(state.grid, state.ball, state.loose, state.released)


def allowance(terms: Terms, letter: str, start: int) -> int:
    """How many steps a piece has whose move begins on a square (QB-3.1 to QB-3.4)."""
    match letter.upper():
        case "S":
            return 1
        case "D":
            return 2
        case "T":
            return 3
        case _:
            row = terms.field.row(start)
            return 4 if row >= 1 or (row == 0 and terms.four_from_row0) else 3


def offside(terms: Terms, released: bool, letter: str, square: int) -> str:
    """The clause that bars a piece from a row by its own step; empty where none does."""
    row = terms.field.row(square)
    if letter == "t":
        return "QB-4.1" if row < 1 else ""
    if letter in "ds" and not released and row >= 2:
        return "QB-4.2"
    return ""


def next_to_single(
    terms: Terms, grid: str, letter: str, square: int, *, quarry: int = -1, own: bool = False
) -> int | None:
    """The square of a Single that keeps a piece away from `square`; None where there is none."""
    singles = "Ss" if own else "s" if letter.isupper() else "S"
    for near in terms.near[square]:
        if grid[near] in singles and near != quarry:
            return near
    return None


def refusal(
    terms: Terms, at: Position, letter: str, start: int, step: Step, how: Manner
) -> Refused | None:
    """The first test from QB-4.1 on that a step fails; None where it is legal."""
    grid, to = at.grid, step.to
    code = offside(terms, at.released, letter, to) if letter.islower() else ""
    if code:
        return Refused("offside", code, start, to)
    if step.corners:
        blocker = _blocker(terms, grid, letter, step.corners)
        if blocker is not None:
            return Refused("blocked-diagonal", "QB-5.2", start, to, blocker, grid[blocker])
    there = grid[to]
    if there != EMPTY:
        found = _not_entered(terms, at, letter, start, step, how)
        if found is not None:
            return found
        if not at.loose and to == at.ball:
            return None  # a tackle comes before all else
    elif letter in "TtQq" and (how.last or not terms.zone_end_only):
        found = _zone(terms, grid, letter, start, to, how)
        if found is not None:
            return found
    if terms.immovable_refused and letter in "Ss":
        return _immovable(terms, at, letter, start, step, how)
    return None


def _blocker(terms: Terms, grid: str, letter: str, corners: tuple[int, ...]) -> int | None:
    """A corner square whose piece bars the diagonal (QB-5.2)."""
    upper, strength = letter.isupper(), STRENGTH[letter]
    first: int | None = None
    for corner in corners:
        there = grid[corner]
        if there == EMPTY or STRENGTH[there] < strength:
            continue
        if not terms.own_blocks and there.isupper() == upper:
            continue
        if not terms.both_corners or first is not None:
            return corner if first is None else first
        first = corner
    return None


def _zone(terms: Terms, grid: str, letter: str, start: int, to: int, how: Manner) -> Refused | None:
    single = next_to_single(terms, grid, letter, to, quarry=how.quarry, own=terms.own_blocks)
    if single is None:
        return None
    return Refused("next-to-single", "QB-5.3", start, to, single, grid[single])


def _not_entered(
    terms: Terms, at: Position, letter: str, start: int, step: Step, how: Manner
) -> Refused | None:
    """Why a piece may not step on to an occupied square; None: it tackles or pushes there."""
    to, there = step.to, at.grid[step.to]
    if there.isupper() == letter.isupper():
        return Refused("occupied", "QB-3.6", start, to, to, there)
    if not at.loose and to == at.ball:
        if not _tackles(terms, letter, there):
            return Refused("cannot-tackle", "QB-7.4", start, to, to, there)
        if letter == "t" and not terms.zone_end_only:
            return _zone(terms, at.grid, letter, start, to, how)
        return None
    if not at.loose and start == at.ball:
        return Refused("carrier-push", "QB-6.6", start, to, to, there)
    if STRENGTH[there] >= STRENGTH[letter]:
        return Refused("push-too-strong", "QB-6.1", start, to, to, there)
    if (letter in "Ss" and there in "TtQq") or (there == "Q" and not terms.double_pushes_qb):
        return Refused("occupied", "QB-3.6", start, to, to, there)
    barred = push_barred(terms, at, there, to, step.way, put(at.grid, start, EMPTY))
    if isinstance(barred, int):
        return None
    return Refused(barred.reason, barred.code, start, barred.to, to, there)


def _tackles(terms: Terms, tackler: str, carrier: str) -> bool:
    """Whether a kind tackles another by stepping on (QB-7.4)."""
    pair = tackler + carrier.lower()
    if pair == "ts":
        return terms.triple_tackles_single
    return not terms.tackles_literal or pair in SEEN_PAIRS


def push_barred(
    terms: Terms, at: Position, pushed: str, square: int, way: int, grid: str
) -> int | Refused:
    """Where a pushed piece lands, or why it cannot be pushed (QB-6.4, QB-6.5).

    `grid` is the position with the pusher off its old square. `to` of a refusal is the square it
    would land on, -1 beyond the edge.
    """
    landing = terms.field.next_along(square, way)
    if landing is None or grid[landing] != EMPTY:
        at_square = -1 if landing is None else landing
        return Refused("push-no-room", "QB-6.4", square, at_square)
    if at.loose and at.ball == landing and not terms.push_pickup:
        return Refused("push-no-room", "QB-6.4", square, landing)
    if terms.push_offside_barred and offside(terms, at.released, pushed, landing):
        return Refused("push-no-room", "QB-4.5", square, landing)
    if pushed in "TtQq":
        single = next_to_single(terms, grid, pushed, landing)
        if single is not None:
            return Refused("push-next-to-single", "QB-6.5", square, landing, single)
    return landing


def _pushable(
    terms: Terms, at: Position, grid: str, letter: str, to: int, displaced: Container[int]
) -> list[tuple[int, int]]:
    """(square, direction) of each piece that a Single on `to` pushes away, in order (QB-6.3)."""
    upper = letter.isupper()
    found = []
    for step in terms.field.steps[to]:
        there = grid[step.to]
        if (
            there in "TtQq"
            and there.isupper() != upper
            and not (terms.orthogonal and step.corners)
            and (at.loose or step.to != at.ball)
        ):
            found.append((step.to, step.way))
    if terms.push_optional:
        found = [each for each in found if each[0] in displaced]
    if terms.one_push:
        found = [each for each in found if each[0] in displaced][:1] or found[:1]
    return found


def _immovable(
    terms: Terms, at: Position, letter: str, start: int, step: Step, how: Manner
) -> Refused | None:
    """With the house rule: a Single may not stop next to a piece that has no room (QB-6.3)."""
    carries = not at.loose and at.ball == start
    if carries or _tackled_beside(terms, at, letter, step.to):
        return None
    grid = _entered(terms, at, letter, start, step)[0]
    for square, way in _pushable(terms, at, grid, letter, step.to, how.displaced):
        barred = push_barred(terms, at, grid[square], square, way, grid)
        if isinstance(barred, Refused):
            return Refused(barred.reason, barred.code, start, barred.to, square, grid[square])
    return None


def _tackled_beside(terms: Terms, at: Position, letter: str, to: int) -> bool:
    """Whether a Single tackles from the next square by stepping on to `to` (QB-7.3)."""
    return letter == "s" and not at.loose and at.ball in terms.near[to] and at.grid[at.ball] in "TQ"


def _entered(
    terms: Terms, at: Position, letter: str, start: int, step: Step
) -> tuple[str, Event | None]:
    """The grid with the mover on its new square, and the push that made room for it."""
    grid, there = at.grid, at.grid[step.to]
    pushed = None
    if there != EMPTY:
        landing = terms.field.next_along(step.to, step.way)
        if landing is not None:
            grid = put(grid, landing, there)
            pushed = Event("PUSH", "QB-6.2", there, step.to, landing)
    return put(put(grid, start, EMPTY), step.to, letter), pushed


def make(terms: Terms, at: Position, letter: str, start: int, step: Step, how: Manner) -> Made:
    """What a legal step does, in the order of section 4.11."""
    to = step.to
    if not at.loose and to == at.ball and at.grid[to] != EMPTY:
        code = "QB-7.3" if letter == "s" and at.grid[to] in "TQ" else "QB-7.2"
        return Made(at, (Event("TACKLE", code, start=start, square=to),), ended=True)
    grid, pushed = _entered(terms, at, letter, start, step)
    carries = not at.loose and at.ball == start
    now = Position(grid, to if carries else at.ball, at.loose, at.released)
    if pushed is None and _only_moves(terms, at, letter, to, carries):
        return Made(now)
    making = _Making(terms, now)
    if pushed is not None:
        making.push(pushed)
    if not making.ended:
        making.release(letter, to, how)
        making.reach(letter, to, carries)
    if letter in "Ss" and not making.ended:
        making.beside(letter, to, how, carries)
    return Made(making.at, tuple(making.events), making.ended)


def _only_moves(terms: Terms, at: Position, letter: str, to: int, carries: bool) -> bool:
    """Whether a step on to a free square can do nothing else: release, reach or push nothing."""
    if letter in "Ss" or (at.loose and at.ball == to):
        return False
    may_release = letter in "DQ" and not at.released
    may_score = carries and terms.touchdown is not None
    return not (may_release or may_score) or terms.field.row(to) < 1


class _Making:
    """The effects of one step as they add up."""

    def __init__(self, terms: Terms, at: Position) -> None:
        self.terms = terms
        self.at = at
        self.events: list[Event] = []
        self.ended = False

    def push(self, pushed: Event) -> None:
        """A piece was pushed; it may reach the ball, and by a house rule release the defence."""
        self.events.append(pushed)
        letter, to = pushed.letter, pushed.square
        at = self.at
        if (
            self.terms.release_by_push
            and letter in "DQ"
            and not at.released
            and self.terms.field.row(to) >= 1
        ):
            self.events.append(Event("RELEASE", "QB-4.3", letter, square=to))
            self.at = Position(at.grid, at.ball, at.loose, True)
        self.reach(letter, to, False)

    def release(self, letter: str, to: int, how: Manner) -> None:
        at = self.at
        crossed = letter in "DQ" and not at.released and self.terms.field.row(to) >= 1
        if crossed and (how.seen or how.last):
            self.events.append(Event("RELEASE", "QB-4.3", letter, square=to))
            self.at = Position(at.grid, at.ball, at.loose, True)

    def reach(self, letter: str, to: int, carries: bool) -> None:
        """A piece came to a square: a loose ball there is its own."""
        at = self.at
        if at.loose and at.ball == to:
            if letter.islower():
                self.events.append(Event("INTERCEPT", "QB-8.9", letter, square=to))
                self.ended = True
                return
            self.events.append(Event("PICKUP", "QB-8.8", letter, square=to))
            self.at = Position(at.grid, to, False, at.released)
            self.held(letter, to)
        elif carries:
            self.scored(to)

    def held(self, letter: str, square: int) -> None:
        """A piece has just got the ball: house rules may end the half here."""
        found = after_catch(self.terms, self.at.grid, letter, square)
        if found is not None:
            self.events.append(found)
            self.ended = True

    def scored(self, square: int) -> None:
        if self.terms.touchdown is not None and self.terms.field.row(square) == TOP:
            self.events.append(Event("TOUCHDOWN", "QB-2.8", square=square))
            self.ended = True

    def beside(self, letter: str, to: int, how: Manner, carries: bool) -> None:
        """A Single came to a square: it tackles the carrier next to it, or pushes all away."""
        terms, before = self.terms, self.at
        if _tackled_beside(terms, before, letter, to):
            self.events.append(Event("TACKLE", "QB-7.3", square=before.ball))
            self.ended = True
            return
        carries = not before.loose and before.ball == to
        for square, way in _pushable(terms, before, before.grid, letter, to, how.displaced):
            at = self.at
            pushed = at.grid[square]
            if carries:
                self.events.append(Event("NO-PUSH", "QB-6.6", pushed, square=square))
                continue
            landing = push_barred(terms, at, pushed, square, way, at.grid)
            if isinstance(landing, Refused):
                self.events.append(Event("NO-PUSH", landing.code, pushed, landing.to, square))
                continue
            grid = put(put(at.grid, square, EMPTY), landing, pushed)
            self.at = Position(grid, at.ball, at.loose, at.released)
            self.push(Event("PUSH", "QB-6.3", pushed, square, landing))
            if self.ended:
                return


def after_catch(terms: Terms, grid: str, letter: str, square: int) -> Event | None:
    """What a house rule makes of a piece that has just got the ball: a tackle or a touchdown."""
    if (
        terms.tackle_on_catch
        and letter in "TQ"
        and next_to_single(terms, grid, letter, square) is not None
    ):
        return Event("TACKLE", "QB-7.3", square=square)
    if terms.touchdown is not None and terms.field.row(square) == TOP:
        return Event("TOUCHDOWN", "QB-2.8", square=square)
    return None


@dataclass(frozen=True, slots=True)
class Walked:
    """A legal move: the position and events after each of its steps. The last may end the half."""

    squares: tuple[int, ...]
    made: tuple[Made, ...]

    @property
    def ended(self) -> bool:
        return self.made[-1].ended

    @property
    def end(self) -> int:
        """Where the mover stands, a tackling step included."""
        return self.squares[-1]


def walk(
    terms: Terms,
    at: Position,
    letter: str,
    squares: tuple[int, ...],
    left: int,
    *,
    seen: bool = True,
    displaced: Container[int] = (),
) -> Walked | Refused:
    """A move along squares, the first being where it starts; or why its first bad step is bad.

    `left` are the steps that the piece has. Squares off the field are below 0.
    """
    made: list[Made] = []
    quarry = quarry_of(terms, at, letter, squares[-1])
    for n, (start, to) in enumerate(pairwise(squares), start=1):
        if to < 0:
            return Refused("off-board", "QB-3.5", start, to)
        step = next((s for s in terms.field.steps[start] if s.to == to), None)
        if step is None:
            return Refused("not-a-step", "QB-3.5", start, to)
        if n > left:
            code = MOVEMENT[letter.upper()]
            return Refused("too-far", code, start, to, letter=letter, steps=left)
        how = Manner(n == len(squares) - 1, seen, displaced, quarry)
        found = refusal(terms, at, letter, start, step, how)
        if found is not None:
            return found
        after = make(terms, at, letter, start, step, how)
        made.append(after)
        if after.ended:
            return Walked(squares[: n + 1], tuple(made))
        at = after.position
    return Walked(squares, tuple(made))


def quarry_of(terms: Terms, at: Position, letter: str, goal: int) -> int:
    """The Single that a Triple is on its way to tackle, where a house rule lets it."""
    wanted = terms.triple_tackles_single and letter == "t" and not at.loose and goal == at.ball
    return at.ball if wanted and at.grid[at.ball] == "S" else -1
