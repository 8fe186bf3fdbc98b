"""Whether a striker that a hand hid was struck: asked where it is conceivable, and only there."""

from rules.case import YES_NO, Case
from rules.doubts import STRUCK, Doubt
from rules.facts import Fact, Moved, Pocketed, Struck, Unclear
from rules.games.carrom.ground import STRIKER
from rules.games.carrom.state import Phase, State
from rules.geometry import Point
from rules.said import say


def supposed(case: Case, state: State, fact: Unclear) -> tuple[Fact, ...]:
    """Return what this way supposes to have happened between strikes, where nobody could tell.

    Where the striker cannot have been struck, a hand moved it and the rest: nobody is asked.
    """
    by_hand = [told for told in fact.answers if not _strikes(told)]
    if len(by_hand) == len(fact.answers) or not by_hand or _may_be_struck(state, fact):
        return case.told(fact)
    return by_hand[0]


def struck_unseen(case: Case, state: State, fact: Moved) -> Struck | None:
    """Return the strike that the moving of a piece may have been, as this way supposes; else None.

    `fact` moved nothing but that piece.
    """
    if not _may_be_strike(state, fact.piece, fact.before, [fact.after]):
        return None
    doubt = Doubt(
        key=STRUCK,
        words=say("The striker lies elsewhere, and a hand hid how. Was it struck?"),
        answers=YES_NO,
        piece=fact.piece,
        at=fact.before,
    )
    if not case.oracle.yes(doubt):
        return None
    return Struck(
        at_ms=fact.at_ms, piece=fact.piece, at=fact.before, error_mm=fact.error_mm, by=fact.by
    )


def _strikes(answer: tuple[Fact, ...]) -> list[Struck]:
    return [told for told in answer if isinstance(told, Struck)]


def _may_be_struck(state: State, fact: Unclear) -> bool:
    told = [each for answer in fact.answers for each in answer]
    strikes = [each for each in told if isinstance(each, Struck)]
    moves = [each for each in told if isinstance(each, Moved)]
    fell = any(isinstance(each, Pocketed) for each in told)
    return all(
        _is_due(state, strike.piece)
        if fell
        else _may_be_strike(
            state,
            strike.piece,
            strike.at,
            [m.after for m in moves if m.piece == strike.piece],
        )
        for strike in strikes
    )


def _is_due(state: State, piece: str) -> bool:
    """Return whether a strike was due, of this `piece`.

    Where a man is gone as well no places tell more: no hand that sets the striker takes a man away,
    and whoever strikes out of turn first slides it to base lines from wherever it lay.
    """
    return state.phase is Phase.STRIKE_DUE and state.kind_of(piece)[0] == STRIKER


def _may_be_strike(state: State, piece: str, stood: Point, lies: list[Point]) -> bool:
    """Return whether a strike was due, and the striker went from its base lines off everybody's.

    It may have been laid beside them at first, within its breadth, and slid onto them by the hand
    that struck. A hand that sets it lays it on base lines.
    """
    if not _is_due(state, piece):
        return False
    ground, seats = state.terms.ground, state.terms.seats
    if ground.on_base_mm(state.seat, stood) < -2 * ground.striker_mm:
        return False
    return all(ground.on_base_mm(seat, at) < 0 for at in lies for seat in seats)
