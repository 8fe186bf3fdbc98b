"""From what is seen on the board to what was done (section 3, "From frames to moves").

What differs between the board and the record is matched: a kind and colour gone from one square and
come to another was moved. Hands are slower than pictures: a piece that is only gone, or only come,
waits for its other half before anything is ruled of it, and so does a piece of the other side that
was moved to where a push would drive it.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import permutations, product
from typing import TYPE_CHECKING

from msgspec.structs import replace

from rules.facts import Batch, Fact, Filled
from rules.games.quarterback.acts import Move
from rules.games.quarterback.effects import Resume
from rules.games.quarterback.matching import MOST_MOVED, Matched, matchings
from rules.games.quarterback.pieces import ATTACK, BALL, side_of
from rules.games.quarterback.places import fact_of
from rules.games.quarterback.routes import Seen, crossing_route, movers, possible_pushes
from rules.games.quarterback.sight import differences, noticed
from rules.games.quarterback.state import Change, Displaced, State, sides_left
from rules.games.quarterback.steps import position_of
from rules.said import say

if TYPE_CHECKING:
    from rules.games.quarterback.bench import Bench


def judge(bench: "Bench", fact: Fact, before: State, *, complete: bool) -> None:
    """Judge how the board differs from the record now.

    `before` is the state in which this fact was not yet seen; a `complete` fact is all that
    changed, so that a piece that is gone by it is missing.
    """
    state = bench.state
    found = differences(state)
    if not found:
        if isinstance(fact, Filled) and fact.kind == "ball" and state.disc == state.ball:
            bench.say("OK", "QB-1.5", square=bench.name(state.ball), ball="yes")
        return
    pieces = [change for change in found if change.letter != BALL]
    disc = next((c.square for c in found if c.letter == BALL and c.came), None)
    fresh = frozenset(found).difference(differences(before))
    pairings = list(matchings(state, pieces, fresh))
    if not pairings[0].displaced:
        if disc is not None:
            ball_seen(bench, disc)
        elif found[0].letter == BALL and _take(bench, _completed(bench)):
            pass
        elif complete:
            _missing(bench, found)
        else:
            _half_done(bench, [change for change in found if change in fresh])
        return
    chosen = _pushed_first(bench) or _reading(bench, pairings, found)
    if chosen is None and not pairings[0].lone:
        chosen = _completed(bench)
    if not _take(bench, chosen):
        _as_a_slip(bench, fact, before, pairings[0], found)
        return
    if bench.state.turn:
        bench.state = replace(bench.state, frame=replace(before, frame=None))
    if bench.state.correction is None:
        left = [c.square for c in differences(bench.state) if c.letter == BALL and c.came]
        if left and left[0] == disc:
            ball_seen(bench, left[0])


def _take(bench: "Bench", chosen: "Bench | None") -> bool:
    """Let what was judged on a bench of its own stand; say whether there was such."""
    if chosen is None:
        return False
    bench.calls += chosen.calls
    bench.state = chosen.state
    return True


def _missing(bench: "Bench", found: Sequence[Change]) -> None:
    """Something went, or came, and nobody moved it (QB-10.6)."""
    gone = next((change for change in found if not change.came), None)
    change = gone or found[0]
    reason = "piece-missing" if gone is not None else "piece-shifted"
    if change.letter == BALL:
        reason = "ball-moved"
    bench.foul(reason, "QB-10.6", None, letter=change.letter, square=bench.name(change.square))


def _half_done(bench: "Bench", fresh: Sequence[Change]) -> None:
    """Something is gone, or has come, and its other half is not seen yet: it waits.

    A piece of a side that could not act now is not lifted to be moved: it is missing, unless it
    may be pushed or is the carrier, which may be tackled.
    """
    missing = next((change for change in fresh if _is_missing(bench.state, change)), None)
    if missing is not None:
        _missing(bench, [missing])
        return
    if fresh:
        first = fresh[0]
        bench.say(
            "INFO half-done",
            "QB-10.6",
            letter=first.letter,
            square=bench.name(first.square),
            came="yes" if first.came else "",
        )


def _is_missing(state: State, change: Change) -> bool:
    if change.came or change.letter == BALL or side_of(change.letter) == state.turn:
        return False
    may_cut = state.acted and not (state.terms.declared_end and sides_left(state))
    carries = not state.loose and change.square == state.ball
    return not (may_cut or carries or possible_pushes(state, change.square))


def unresolved(bench: "Bench") -> bool:
    """Say the foul of a piece that is still off its square when the turn is to end."""
    found = [change for change in differences(bench.state) if change.letter != BALL]
    if found:
        _missing(bench, found)
    return bool(found)


def left_behind(bench: "Bench", side: str) -> None:
    """Say the foul of a piece that a side still has in hand though its turn has ended."""
    pieces = [change for change in differences(bench.state) if change.letter != BALL]
    if not pieces:
        return
    lone = next(matchings(bench.state, pieces)).lone
    gone = [each for each in lone if not each.came and side_of(each.letter) == side]
    if gone:
        _missing(bench, gone)


# Reading


def _reading(
    bench: "Bench", pairings: Sequence[Matched], found: Sequence[Change]
) -> "Bench | None":
    """The first reading that is legal; None where none is."""
    for matched in pairings:
        if len(matched.displaced) > MOST_MOVED:
            continue
        for acts in _acts(bench.state, matched, found):
            tried = _try(bench, acts)
            if not tried.fouled:
                return tried
    return None


def _pushed_first(bench: "Bench") -> "Bench | None":
    """The last act read as a push whose pusher moves only now; None where it was none.

    A piece of the side not to act that was put somewhere else is a legal act of that side, which
    cuts the other's turn short, unless what follows shows that it was pushed there by hand.
    """
    state = bench.state
    if state.frame is None or state.cut is None or state.frame.turn == state.turn:
        return None
    return _completed(bench)


def _completed(bench: "Bench") -> "Bench | None":
    """The last thing seen together with this, as one move; None where they do not make one.

    Pushed pieces and the ball may be moved after the piece that moved them, and before it.
    """
    state = bench.state
    earlier = state.frame
    if earlier is None or not state.turn:
        return None
    seen = replace(earlier, table=state.table, under=state.under, disc=state.disc)
    found = differences(seen)
    matched = next(matchings(seen, [change for change in found if change.letter != BALL]))
    own = [each for each in matched.displaced if side_of(each.letter) == seen.turn]
    others = tuple(each for each in matched.displaced if side_of(each.letter) != seen.turn)
    if len(own) != 1 or matched.lone:
        return None
    tried = type(bench)(state)
    piece = f"{own[0].letter}{tried.name(own[0].start)}"
    tried.say("INFO completed", "QB-10.3", Resume(earlier, None), piece=piece)
    picked = seen.loose and seen.disc != seen.ball
    tried.move(_move(seen, own[0], others, picked))
    wrong = tried.fouled or any(change.letter == BALL for change in differences(tried.state))
    return None if wrong else tried


def _last_seen(state: State) -> tuple[State, Matched] | None:
    """The state before the last move that was seen, and what was displaced by it."""
    earlier = state.frame
    if earlier is None or not state.turn or differences(state):
        return None
    seen = replace(earlier, table=state.table, under=state.under, disc=state.disc)
    pieces = [change for change in differences(seen) if change.letter != BALL]
    return earlier, next(matchings(seen, pieces))


def retold(bench: "Bench", route: tuple[int, ...]) -> bool:
    """Judge the last move seen again along squares that were tapped for it; False: none fits."""
    last = _last_seen(bench.state)
    if last is None:
        return False
    earlier, matched = last
    own = [each for each in matched.displaced if (each.start, each.end) == (route[0], route[-1])]
    if not own:
        return False
    others = tuple(each for each in matched.displaced if each is not own[0])
    tried = type(bench)(bench.state)
    names = "-".join(map(tried.name, route))
    tried.say("OK", "QB-10.3", Resume(earlier, None), route=names)
    tried.move(Move(letter=own[0].letter, squares=route, displaced=others))
    if tried.fouled or differences(tried.state):
        return False
    tried.state = replace(tried.state, frame=earlier)
    return _take(bench, tried)


def crossing(state: State) -> tuple[str, tuple[int, ...]] | None:
    """A legal way over the line that the last move may have taken, though it ended behind.

    Only then does it matter which way was taken: it frees the defence if it was seen (QB-4.3).
    """
    last = None if state.released else _last_seen(state)
    if last is None:
        return None
    earlier, matched = last
    own = [each for each in matched.displaced if each.letter in "DQ" and earlier.turn == ATTACK]
    if len(own) != 1 or state.terms.field.row(own[0].end) >= 1:
        return None
    others = tuple(each for each in matched.displaced if each is not own[0])
    seen = Seen(own[0].letter, own[0].start, own[0].end, others)
    left = movers(earlier, ATTACK).get(own[0].start, 0)
    route = crossing_route(state.terms, position_of(earlier), seen, left)
    return None if route is None else (own[0].letter, route)


def _try(bench: "Bench", acts: Sequence[Move]) -> "Bench":
    """Judge acts one after another on a bench of their own."""
    tried = type(bench)(bench.state)
    tried.waiting = bench.waiting
    if len(acts) > 1:
        tried.say("INFO order-presumed", "QB-10.9", order=_shown(tried, acts))
    for n, act in enumerate(acts):
        standing = tried.state.correction
        if standing is not None:
            if standing.due and n < len(acts):
                tried.foul("wrong-push", "QB-10.5", side_of(act.letter), letter=act.letter)
            break
        tried.move(act)
        if not tried.state.turn:
            break
    return tried


def _shown(bench: "Bench", acts: Sequence[Move]) -> str:
    moves = [
        say(
            "{piece} to {square}",
            piece=act.letter + bench.name(act.start),
            square=bench.name(act.squares[-1]),
        )
        for act in acts
    ]
    return reduce(lambda first, then: say("{first}, then {then}", first=first, then=then), moves)


def _acts(state: State, matched: Matched, found: Sequence[Change]) -> Iterator[tuple[Move, ...]]:
    """What may have been done, the likeliest first: moves and what they pushed, in some order."""
    own = [each for each in matched.displaced if side_of(each.letter) == state.turn]
    others = [each for each in matched.displaced if side_of(each.letter) != state.turn]
    picked = state.loose and state.disc != state.ball
    if own:
        yield from _orders(state, own, others, picked)
        if others:
            yield from _orders(state, [*own, *others], [], picked)
    else:
        yield from _orders(state, others, [], picked)


def _orders(
    state: State, moved: Sequence[Displaced], pushed: Sequence[Displaced], picked: bool
) -> Iterator[tuple[Move, ...]]:
    """Moves in the order presumed first and then in others, with what each of them pushed."""
    field = state.terms.field
    first = sorted(
        moved,
        key=lambda each: (
            side_of(each.letter) != state.turn,
            field.column(each.start),
            each.start,
        ),
    )
    if len(moved) == 1:
        yield (_move(state, first[0], tuple(pushed), picked),)
        return
    for order in permutations(first):
        for whose in product(range(len(order)), repeat=len(pushed)):
            shares = [
                tuple(p for p, n in zip(pushed, whose, strict=True) if n == mover)
                for mover in range(len(order))
            ]
            for taker in range(len(order)) if picked else (-1,):
                yield tuple(
                    _move(state, each, share, picked and n == taker)
                    for n, (each, share) in enumerate(zip(order, shares, strict=True))
                )


def _move(state: State, moved: Displaced, pushed: tuple[Displaced, ...], picked: bool) -> Move:
    """A move from start to end; along the squares that were tapped for it, if they fit."""
    route = state.route
    if route and (route[0], route[-1]) == (moved.start, moved.end):
        return Move(letter=moved.letter, squares=route, displaced=pushed)
    ends = (moved.start, moved.end)
    return Move(letter=moved.letter, squares=ends, seen=False, displaced=pushed, picked=picked)


# Slips


def _as_a_slip(
    bench: "Bench", fact: Fact, before: State, matched: Matched, found: Sequence[Change]
) -> None:
    """No reading is legal: rule the slip, unless the hand is only half done."""
    state = bench.state
    if _push_ahead(state, matched):
        ahead = matched.displaced[0]
        if Change(ahead.end, ahead.letter, True) not in differences(before):
            to, square = bench.name(ahead.end), bench.name(ahead.start)
            bench.say("INFO half-done", "QB-10.6", letter=ahead.letter, square=square, to=to)
        return
    earlier = [c for c in differences(before) if c.letter != BALL]
    if earlier and next(matchings(before, earlier)).displaced:
        _earlier_first(bench, fact, before, earlier)
        return
    bench.waiting = frozenset(matched.lone)  # what is in hand is not part of this slip
    if len(matched.displaced) > MOST_MOVED:
        bench.foul("piece-shifted", "QB-10.6", None)
        return
    own = [each for each in matched.displaced if side_of(each.letter) == state.turn]
    if len(own) > 1:
        _one_by_one(bench, fact, matched)
        return
    _take(bench, _try(bench, next(_acts(state, matched, found))))


def _earlier_first(bench: "Bench", fact: Fact, before: State, earlier: Sequence[Change]) -> None:
    """What waited from an earlier fact is a slip of its own; this fact is kept back."""
    bench.state = before
    matched = next(matchings(before, earlier))
    bench.waiting = frozenset(matched.lone)
    _take(bench, _try(bench, next(_acts(before, matched, earlier))))
    bench.judge(fact)


def _one_by_one(bench: "Bench", fact: Fact, matched: Matched) -> None:
    """Several moves of which no order is legal: by start square, the rest behind the first foul."""
    state = bench.state
    field = state.terms.field
    own = sorted(
        (each for each in matched.displaced if side_of(each.letter) == state.turn),
        key=lambda each: (field.column(each.start), each.start),
    )
    others = [each for each in matched.displaced if side_of(each.letter) != state.turn]
    moves = [_move(state, each, (), False) for each in own]
    bench.say("INFO order-presumed", "QB-10.9", order=_shown(bench, moves))
    parts = [_as_changes(each) for each in own]
    parts[-1] += tuple(change for each in others for change in _as_changes(each))
    undone = [
        Change(change.square, change.letter, not change.came)
        for part in reversed(parts)
        for change in reversed(part)
    ]
    bench.state, _ = noticed(bench.state, undone)
    for part in parts:
        facts = tuple(fact_of(state, change, fact.at_ms) for change in part)
        bench.judge(Batch(at_ms=fact.at_ms, facts=facts))


def _as_changes(piece: Displaced) -> tuple[Change, ...]:
    return (
        Change(piece.start, piece.letter, False),
        Change(piece.end, piece.letter, True),
    )


def _push_ahead(state: State, matched: Matched) -> bool:
    """Whether what was displaced is a push of the side to act whose pusher has not moved yet."""
    if len(matched.displaced) != 1:
        return False
    pushed = matched.displaced[0]
    if any(side_of(each.letter) != state.turn for each in matched.lone):
        return False
    if side_of(pushed.letter) == state.turn:
        return False
    return pushed in possible_pushes(state, pushed.start)


# The ball disc (QB-10.4)


def ball_seen(bench: "Bench", square: int) -> None:
    """The disc is seen where the record does not have the ball."""
    state = bench.state
    if not state.turn:
        return
    waits = state.turn != ATTACK and not state.acted
    if state.loose or waits:
        bench.foul("ball-moved", "QB-10.6", None, square=bench.name(square), letter=BALL)
        return
    bench.passed(state.ball, square, inferred=True)
