"""Why a step of a move is not legal (section 4.11 of the rulebook)."""

from collections.abc import Container

from rules.games.quarterback.field import EMPTY, Step
from rules.games.quarterback.pieces import STRENGTH
from rules.games.quarterback.state import put
from rules.games.quarterback.steps import Event, Manner, Position, Refused
from rules.games.quarterback.terms import Terms

SEEN_PAIRS = frozenset({"dt", "td", "sd", "ds"})
"""Tackler and carrier that the published rules name for a tackle by stepping on (QB-7.4)."""


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


def pushable(
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
    if carries or tackled_beside(terms, at, letter, step.to):
        return None
    grid = entered(terms, at, letter, start, step)[0]
    for square, way in pushable(terms, at, grid, letter, step.to, how.displaced):
        barred = push_barred(terms, at, grid[square], square, way, grid)
        if isinstance(barred, Refused):
            return Refused(barred.reason, barred.code, start, barred.to, square, grid[square])
    return None


def tackled_beside(terms: Terms, at: Position, letter: str, to: int) -> bool:
    """Whether a Single tackles from the next square by stepping on to `to` (QB-7.3)."""
    return letter == "s" and not at.loose and at.ball in terms.near[to] and at.grid[at.ball] in "TQ"


def entered(
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


def quarry_of(terms: Terms, at: Position, letter: str, goal: int) -> int:
    """The Single that a Triple is on its way to tackle, where a house rule lets it."""
    wanted = terms.triple_tackles_single and letter == "t" and not at.loose and goal == at.ball
    return at.ball if wanted and at.grid[at.ball] == "S" else -1
