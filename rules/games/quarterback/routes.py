"""The routes of a move: the one that explains what was seen, and all that are legal."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.legality import quarry_of, refusal
from rules.games.quarterback.making import make
from rules.games.quarterback.pieces import ATTACK, side_of
from rules.games.quarterback.state import Displaced, State
from rules.games.quarterback.steps import (
    Event,
    Manner,
    Position,
    Refused,
    allowance,
    position_of,
)
from rules.games.quarterback.terms import Terms
from rules.games.quarterback.walking import Walked, walk


class Seen(Struct, frozen=True):
    """What was seen of a move: where it began and ended, what it displaced, whether the ball went.

    `exact`: the displaced pieces must be all that it pushed; else some may still have to move.
    """

    letter: str
    start: int
    end: int
    displaced: tuple[Displaced, ...] = ()
    picked: bool = False


def find_route(terms: Terms, at: Position, seen: Seen, left: int) -> Walked | None:
    """The route of QB-10.3: the shortest legal one that explains what was seen, None without one.

    First one that explains exactly the displaced pieces, then one with pushes still due.
    """
    firsts = frozenset(each.start for each in seen.displaced)
    wanted = frozenset(seen.displaced)
    for exact in (True, False):
        for walked in _routes_to(terms, at, seen, left, firsts):
            pushed = pushes_of(walked)
            explained = wanted == pushed if exact else wanted <= pushed
            if explained and _ball_explained(at, seen, walked):
                return walked
    return None


def crossing_route(terms: Terms, at: Position, seen: Seen, left: int) -> tuple[int, ...] | None:
    """The first legal route that explains what was seen and steps over the line on its way."""
    firsts = frozenset(each.start for each in seen.displaced)
    wanted = frozenset(seen.displaced)
    for walked in _routes_to(terms, at, seen, left, firsts):
        crosses = any(terms.field.row(square) >= 1 for square in walked.squares[1:])
        if crosses and pushes_of(walked) == wanted and _ball_explained(at, seen, walked):
            return walked.squares
    return None


def pushes_of(walked: Walked) -> frozenset[Displaced]:
    """The pieces that a move pushed, each once, from its first square to its last."""
    return frozenset(net_pushes(walked))


def net_pushes(walked: Walked) -> tuple[Displaced, ...]:
    """The pushed pieces in the order of their first push, each from first square to last."""
    found: list[Displaced] = []
    for event in _events(walked):
        if event.verb != "PUSH":
            continue
        for n, known in enumerate(found):
            if known.end == event.start and known.letter == event.letter:
                found[n] = Displaced(known.letter, known.start, event.square)
                break
        else:
            found.append(Displaced(event.letter, event.start, event.square))
    return tuple(found)


def _events(walked: Walked) -> Iterator[Event]:
    for made in walked.made:
        yield from made.events


def _ball_explained(at: Position, seen: Seen, walked: Walked) -> bool:
    """Whether a route takes up the ball if that is what was seen.

    A piece that comes to rest on the ball hides it, so there nothing is asked.
    """
    if not at.loose or walked.end == at.ball:
        return True
    took = any(e.verb in ("PICKUP", "INTERCEPT") for e in _events(walked))
    pushed_on = any(e.end == at.ball for e in net_pushes(walked))
    return took == seen.picked or pushed_on


def _routes_to(
    terms: Terms, at: Position, seen: Seen, left: int, displaced: Collection[int]
) -> Iterator[Walked]:
    """Legal routes to the end square, the shortest first, then by the order of directions."""
    field = terms.field
    nearest = field.distance(seen.start, seen.end)
    quarry = quarry_of(terms, at, seen.letter, seen.end)
    for length in range(max(nearest, 1), left + 1):
        for path in _paths(terms, at, seen, length, displaced, quarry):
            walked = walk(terms, at, seen.letter, path, left, seen=False, displaced=displaced)
            if isinstance(walked, Walked) and walked.end == seen.end:
                yield walked


def _paths(
    terms: Terms, at: Position, seen: Seen, length: int, displaced: Collection[int], quarry: int
) -> Iterator[tuple[int, ...]]:
    """Paths of legal steps of one length, in the order of directions."""
    field, letter, end = terms.field, seen.letter, seen.end

    def onward(position: Position, path: tuple[int, ...], more: int) -> Iterator[tuple[int, ...]]:
        here = path[-1]
        for step in field.steps[here]:
            if field.distance(step.to, end) > more - 1:
                continue
            how = Manner(more == 1, False, displaced, quarry)
            if refusal(terms, position, letter, here, step, how) is not None:
                continue
            if more == 1:
                yield (*path, step.to)
                continue
            made = make(terms, position, letter, here, step, how)
            if not made.ended:
                yield from onward(made.position, (*path, step.to), more - 1)

    yield from onward(at, (seen.start,), length)


def possible_pushes(state: State, square: int) -> frozenset[Displaced]:
    """Where legal moves of the side to act can push the piece on a square."""
    terms, at, field = state.terms, position_of(state), state.terms.field
    found: set[Displaced] = set()
    for start, left in movers(state, state.turn).items():
        letter = state.grid[start]
        if letter not in "SsDd" or field.distance(start, square) > left + 1:
            continue
        rim: list[tuple[int, ...]] = [(start,)]
        for _ in range(left):
            rim = [(*path, step.to) for path in rim for step in field.steps[path[-1]]]
            for path in rim:
                walked = walk(terms, at, letter, path, left, displaced=(square,))
                if isinstance(walked, Walked):
                    found.update(each for each in net_pushes(walked) if each.start == square)
    return frozenset(found)


def barrier(terms: Terms, at: Position, seen: Seen, left: int) -> Refused | None:
    """The step that barred the way of a move without a legal route, the nearest to its end.

    Of several equally near the first is named, by steps made, then in the order of directions.
    """
    field, letter, end = terms.field, seen.letter, seen.end
    nearest = field.size
    found: Refused | None = None
    known = {(seen.start, at)}
    rim = [(seen.start, at)]
    for more in range(left, 0, -1):
        following = []
        for here, position in rim:
            for step in field.steps[here]:
                off = field.distance(step.to, end)
                if off > more - 1:
                    continue
                how = Manner(more == 1, False, (), -1)
                refused = refusal(terms, position, letter, here, step, how)
                if refused is not None:
                    if off < nearest:
                        nearest, found = off, refused
                    continue
                after = make(terms, position, letter, here, step, how)
                if not after.ended and (step.to, after.position) not in known:
                    known.add((step.to, after.position))
                    following.append((step.to, after.position))
        rim = following
    return found


# All that is legal


def reachable(terms: Terms, at: Position, start: int, left: int) -> dict[int, tuple[int, ...]]:
    """Every square that the piece on `start` can move to, with a shortest route there.

    A tackle or an interception ends the move; so does the last of its `left` steps.
    """
    ends = _reached(terms, at, start, left, -1)
    quarry = quarry_of(terms, at, at.grid[start], at.ball)
    if quarry >= 0:
        on_the_way = _reached(terms, at, start, left, quarry)
        if quarry in on_the_way:
            ends.setdefault(quarry, on_the_way[quarry])
    if not terms.null_move:
        ends.pop(start, None)
    return ends


def _reached(
    terms: Terms, at: Position, start: int, left: int, quarry: int
) -> dict[int, tuple[int, ...]]:
    """Squares where a move may end, the nearest first, with a route there."""
    letter, steps = at.grid[start], terms.field.steps
    own = "SDTQ" if letter.isupper() else "sdt"  # step on none of these: spares asking why
    on_way, at_end = Manner(last=False, quarry=quarry), Manner(quarry=quarry)
    zone_bars_ends = terms.zone_end_only and letter in "TtQq"
    known: set[tuple[int, Position]] = set()
    told: dict[int, tuple[int, ...]] = {}
    alike = {start}  # reached with all else as it was: by whatever way, it comes to the same
    rim: list[tuple[int, Position, tuple[int, ...], bool]] = [(start, at, (start,), True)]
    for more in range(left, 0, -1):
        following: list[tuple[int, Position, tuple[int, ...], bool]] = []
        how = on_way if more > 1 else at_end
        for here, position, path, untouched in rim:
            grid = position.grid
            for step in steps[here]:
                to = step.to
                if to in told and (more == 1 or (untouched and to in alike)):
                    continue
                if grid[to] in own or refusal(terms, position, letter, here, step, how):
                    continue
                route = (*path, to)
                if to not in told:
                    again = zone_bars_ends and more > 1
                    if not (again and refusal(terms, position, letter, here, step, at_end)):
                        told[to] = route
                if more == 1:
                    continue
                made = make(terms, position, letter, here, step, on_way)
                if made.ended:
                    continue
                still = untouched and not made.events
                if still and to not in alike:
                    alike.add(to)
                    following.append((to, made.position, route, True))
                elif not still and (key := (to, made.position)) not in known:
                    known.add(key)
                    following.append((to, made.position, route, False))
        rim = following
    return told


def movers(state: State, side: str) -> dict[int, int]:
    """The squares of the pieces that `side` may move now, with the steps that each has (QB-3).

    For the side that is not to act: as if its turn began now.
    """
    terms, grid = state.terms, state.grid
    upper = side == ATTACK
    pieces = [n for n, x in enumerate(grid) if x != EMPTY and x.isupper() == upper]
    if side != state.turn or not state.acted:
        return {square: allowance(terms, grid[square], square) for square in pieces}
    going = {} if state.going is None else {state.going[0]: state.going[1]}
    moved = {square for square, _ in state.done} | going.keys()
    for square in pieces:
        if square not in moved and not third(state, grid[square], square):
            going[square] = allowance(terms, grid[square], square)
    return going


def third(state: State, letter: str, square: int) -> tuple[str, str] | None:
    """Why one more piece may not move in this turn; None where it may (QB-3.8, 3.9, 3.12)."""
    terms = state.terms
    if side_of(letter) != ATTACK:
        return None if state.moves < terms.defender_moves else ("third-move", "QB-3.12")
    exempt = terms.singles_exempt and ("S" in moved_letters(state) or letter == "S")
    if state.passes and state.moves:
        if exempt and state.moves == 1 and state.passes == 1:
            return None
        return "two-moves-and-pass", "QB-3.9"
    return ("third-action", "QB-3.8") if state.moves + state.passes >= 2 else None


def moved_letters(state: State) -> str:
    """The letters of the pieces that have moved in this turn."""
    squares = [square for square, _ in state.done]
    if state.going is not None:
        squares.append(state.going[0])
    return "".join(state.grid[square] for square in squares)


def legal_moves(state: State) -> dict[int, dict[int, tuple[int, ...]]]:
    """Every legal move of the side to act: for each piece, the squares it may go to and how."""
    if not state.turn:
        return {}
    at = position_of(state)
    found = {
        square: reachable(state.terms, at, square, left)
        for square, left in movers(state, state.turn).items()
    }
    return {square: ends for square, ends in found.items() if ends}


def can_step(state: State) -> bool:
    """Whether any piece of the side to act has a legal step."""
    at, terms = position_of(state), state.terms
    for square, left in movers(state, state.turn).items():
        letter = state.grid[square]
        for step in terms.field.steps[square] if left else ():
            quarry = quarry_of(terms, at, letter, step.to)
            if refusal(terms, at, letter, square, step, Manner(quarry=quarry)) is None:
                return True
    return False
