"""Steps 1 and 2 of the decision table: who struck, from where, and how."""

from rules.case import YES_NO
from rules.doubts import Doubt
from rules.games.qsquare.faults import Faults
from rules.games.qsquare.hands import idle_hand, whose_hand
from rules.games.qsquare.reading import Reading
from rules.geometry import Seat
from rules.rulings import RulingKind
from rules.said import say
from rules.verdicts import NOISE_MM, Verdict, verdict

FOUL, NOTE = RulingKind.FOUL, RulingKind.NOTE


def wrong_player(reading: Reading) -> bool:
    """Ask whether a player shot whose turn it was not (QS-X.23)."""
    state, strike = reading.state, reading.shot.strike
    if any(call.startswith("wrong player") for call in reading.shot.calls):
        return True
    other = strike.by if strike.by in state.terms.seats else None
    if other is None:
        homes = state.terms.ground.homes
        if homes[state.shooter].region.depth_mm(strike.at) > 0:
            return False
        there = (s for s in state.terms.seats if homes[s].region.depth_mm(strike.at) > 0)
        other = next(there, None)
    if other is None or other is state.shooter:
        return False
    return reading.case.oracle.yes(
        Doubt(
            key="wrong-player",
            words=say(
                "Did {who} shoot, though it was {shooter}’s turn?",
                who=state.terms.who(other),
                shooter=state.terms.who(state.shooter),
            ),
            answers=YES_NO,
            piece=strike.piece,
        )
    )


def execution(reading: Reading, faults: Faults) -> bool:
    """Find the faults of step 2; return whether the shot was a miscue."""
    case, state, shot = reading.case, reading.state, reading.shot
    side = state.terms.sides[state.side]
    who = state.terms.who(state.shooter)
    wrong = _placement(reading, side, who)
    if "not tip" in shot.calls:
        wrong |= case.rule(
            "QS-4.6",
            say("{who} struck the cue-puck with another part than the tip.", who=who),
            FOUL,
            side=side,
        )
    wrong |= hands_over(reading, faults)
    if wrong:
        case.rule("QS-4.7", say("The turn is lost, without a penalty puck."), NOTE)
    miscue = "miscue" in shot.calls
    if miscue:
        miscue = case.rule(
            "QS-8f", say("{who} miscued: foul, no penalty puck for it.", who=who), FOUL, side=side
        )
    elif wrong:
        case.rule("QS-8f", say("Foul without a penalty puck."), FOUL, side=side)
    faults.foul |= wrong or miscue
    return miscue


def _placement(reading: Reading, side: str, who: str) -> bool:
    case, strike = reading.case, reading.shot.strike
    ground = reading.state.terms.ground
    calls = sorted(
        ground.placement(reading.state.shooter, strike.at), key=lambda call: call.margin_mm
    )
    worst = calls[0]
    for call in calls:
        if verdict(call.margin_mm, strike.error_mm) is Verdict.YES:
            break  # those that follow are clearer still
        legal = case.holds(
            call.margin_mm,
            strike.error_mm,
            f"placement-{call.line}",
            say(
                "Was the line {line} hidden from the cue-puck’s hole at the strike?", line=call.line
            ),
            piece=strike.piece,
            line=call.line,
            at=strike.at,
            answers=(
                ("yes", say("Yes: not seen in the hole, a legal place")),
                ("no", say("No: line seen")),
            ),
        )
        if legal:
            continue
        if call.margin_mm + 2 * (call.inside_mm - call.margin_mm) <= NOISE_MM:
            case.rule("QS-4.2", say("The cue-puck was not brought back into the Home Zone."), NOTE)
            return case.rule(
                "QS-4.1",
                say("{who} struck the cue-puck outside the Home Zone.", who=who),
                FOUL,
                side=side,
                pieces=(strike.piece,),
                margin_mm=call.margin_mm,
                error_mm=strike.error_mm,
            )
        return case.rule(
            "QS-4.4",
            say(
                "The line {line} showed in the cue-puck’s hole at the strike, by "
                "{margin_mm:.1f} mm.",
                line=call.line,
                margin_mm=-call.margin_mm,
            ),
            FOUL,
            side=side,
            pieces=(strike.piece,),
            margin_mm=call.margin_mm,
            error_mm=strike.error_mm,
        )
    if worst.margin_mm < ground.cue_radius_mm - ground.cue_hole_mm:
        case.rule("QS-4.3", say("The cue-puck may stand anywhere in the Home Zone."), NOTE)
        case.rule(
            "QS-4.4",
            say(
                "The cue-puck lies over the line {line}, but the line is not in its hole: a "
                "legal place.",
                line=worst.line,
            ),
            NOTE,
            side=side,
            pieces=(strike.piece,),
            margin_mm=worst.margin_mm,
            error_mm=strike.error_mm,
        )
    return False


def hands_over(reading: Reading, faults: Faults) -> bool:
    """Rule on the hands over the surface during the shot; return whether one is a foul."""
    wrong = False
    for number, (hand, depth) in enumerate(reading.shot.hands):
        wrong |= _hand(reading, hand, depth, f"hand-{number}", faults)
    return wrong


def _hand(reading: Reading, hand: Seat | None, depth: float, key: str, faults: Faults) -> bool:
    case, state = reading.case, reading.state
    whose = whose_hand(case, state, hand, depth, key)
    if whose is None:
        return False
    if whose is state.shooter:
        return case.rule(
            "QS-4.5",
            say("{who}’s hand was over the surface during the shot.", who=state.terms.who(whose)),
            FOUL,
            side=state.terms.sides[state.side],
        )
    if idle_hand(case, state, whose):
        faults.skips.add(whose)
    return False
