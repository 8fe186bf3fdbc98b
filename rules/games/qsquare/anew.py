"""A shot that is ruled anew: by what has been said of it, or by a puck that fell late."""

import dataclasses

from msgspec.structs import replace

from rules.case import Case
from rules.departures import fell_by_hand, ruled_fallen
from rules.facts import Piece, Pocketed, Settled
from rules.games.qsquare.disturbed import put_back
from rules.games.qsquare.reading import CUE
from rules.games.qsquare.resolve import play_shot
from rules.games.qsquare.state import Phase, Ruled, State
from rules.rulings import RulingKind
from rules.said import say

LATE_MS = 5000.0


def rule_anew(case: Case, state: State, said: str, fell: Pocketed | None = None) -> State:
    """Rule the last shot anew with what has been said of it, or with a puck that fell late."""
    last = state.last
    if last is None or last.before.shot is None or not isinstance(last.settled, Settled):
        return state
    shot = last.before.shot
    settled = last.settled
    if fell is None:
        shot = replace(shot, calls=(*shot.calls, said))
    else:
        shot = replace(shot, facts=(*shot.facts, fell))
        settled = dataclasses.replace(
            settled, pieces=tuple(p for p in settled.pieces if p.name != fell.piece)
        )
    case.oracle.known = {**last.known, **case.oracle.known}
    case.waived |= last.waived
    after = play_shot(case, replace(last.before, shot=shot), settled)
    return replace(after, hand=state.hand, pieces=_kept(after, state))


def _kept(after: State, state: State) -> tuple[Piece, ...]:
    """Return the pieces of a shot ruled anew, the cue-puck where it has been brought since."""
    now = {p.name: p for p in state.pieces if p.kind == CUE}
    return tuple(now.get(p.name, p) for p in after.pieces)


def late_fall(case: Case, state: State, fact: Pocketed) -> State:
    """Rule on a puck that fell by itself after the shot (QS-X.14)."""
    last: Ruled | None = state.last
    gone = replace(state, pieces=tuple(p for p in state.pieces if p.name != fact.piece))
    if last is not None and ruled_fallen(last.known, fact.piece):
        return gone
    hand = state.hand is not None
    by_hand = fell_by_hand(fact, hand=hand, hand_left_ms=state.hand_left_ms)
    if last is not None and fact.at_ms - last.at_ms <= LATE_MS and not by_hand:
        case.rule(
            "QS-X.14",
            say("{piece} fell after the shot by itself: it belongs to the shot.", piece=fact.piece),
            pieces=(fact.piece,),
        )
        return rule_anew(case, state, "", fell=fact)
    piece = state.piece(fact.piece)
    if piece is None or state.phase not in (Phase.AIMING, Phase.SERVICE):
        return state
    case.rule(
        "QS-X.14",
        say(
            "{piece} fell too late to belong to the shot: it is put back on the lip.",
            piece=fact.piece,
        ),
        RulingKind.PLACE,
        pieces=(fact.piece,),
    )
    errand = replace(put_back(state, fact.piece, piece.at), piece=None)
    return replace(gone, phase=Phase.SERVICE, errands=(*state.errands, errand))
