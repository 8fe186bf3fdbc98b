"""A cue-puck that moved by little where it lay: struck weakly, or only pushed (QS-X.1)."""

from msgspec.structs import replace

from rules.case import YES_NO, Case
from rules.doubts import Doubt
from rules.facts import Moved
from rules.games.qsquare.reading import CUE
from rules.games.qsquare.state import Phase, State
from rules.geometry import Point
from rules.said import say

NUDGE_MM = 50.0


def note_nudge(state: State, fact: Moved) -> State:
    """Return the state with a move noted that may have been a stroke out of the Home Zone.

    A cue-puck that is brought home goes farther; one that is adjusted stays in the Home Zone, where
    so weak a stroke would be none (QS-X.1).
    """
    if state.kind_of(fact.piece)[0] != CUE or fact.by not in (None, state.shooter):
        return state
    calm = state.phase is Phase.AIMING and state.hand is None and state.drag is None
    small = fact.before.distance_mm(fact.after) <= NUDGE_MM
    if calm and small and _outside(state, fact.after):
        return replace(state, nudge=state.nudge or fact)
    return state


def was_struck(case: Case, nudge: Moved) -> bool:
    """Ask whether a small move was a stroke: a weak one runs too short to be told from a push."""
    return case.oracle.yes(
        Doubt(
            key="nudged",
            words=say(
                "The cue-puck moved by {distance_mm:.1f} mm outside the Home Zone: was it struck?",
                distance_mm=nudge.before.distance_mm(nudge.after),
            ),
            answers=YES_NO,
            piece=nudge.piece,
            at=nudge.before,
        )
    )


def _outside(state: State, at: Point) -> bool:
    """Whether a cue-puck there has a line of the shooter's Home Zone in its hole, or beyond it."""
    calls = state.terms.ground.placement(state.shooter, at)
    return any(call.margin_mm < 0 for call in calls)
