"""Hands over the surface: whose, how far, and what it costs (QS-4.5, QS-X.13)."""

from rules.case import YES_NO, Case
from rules.doubts import Doubt
from rules.games.qsquare.state import State
from rules.geometry import Seat
from rules.rulings import RulingKind
from rules.said import say

EDGE_MM = 5.0
FOUL, NOTE = RulingKind.FOUL, RulingKind.NOTE


def whose_hand(
    case: Case, state: State, side: Seat | None, depth_mm: float, key: str
) -> Seat | None:
    """Return whose hand was over the surface by more than the 5 mm that are ignored (QS-4.5)."""
    seats = state.terms.seats
    if 0.0 < depth_mm <= EDGE_MM:
        return None
    if depth_mm <= 0.0 and not case.oracle.yes(
        Doubt(
            key=f"{key}-depth",
            words=say(
                "Did the hand reach more than {edge_mm:g} mm over the surface?", edge_mm=EDGE_MM
            ),
            answers=YES_NO,
        )
    ):
        return None
    if side in seats:
        return side
    answer = case.oracle.pick(
        Doubt(
            key=f"{key}-whose",
            words=say("Whose hand was over the surface?"),
            answers=(
                *((str(seat), state.terms.who(seat)) for seat in seats),
                ("nobody", say("No player’s")),
            ),
        )
    )
    return Seat(answer) if answer != "nobody" else None


def idle_hand(case: Case, state: State, whose: Seat) -> bool:
    """Announce the hand of a player who is not shooting; return whether it costs the next turn."""
    costs = state.terms.options.idle_hand == "lose_next_turn"
    stands = case.rule(
        "QS-X.13",
        say(
            "{who}’s hand was over the surface while {shooter} was shooting: the next turn is lost."
            if costs
            else "{who}’s hand was over the surface while {shooter} was shooting: a warning.",
            who=state.terms.who(whose),
            shooter=state.terms.who(state.shooter),
        ),
        FOUL if costs else NOTE,
        side=state.terms.sides[state.terms.side_at(whose)],
        pieces=(f"hand-{whose}",),
    )
    return costs and stands
