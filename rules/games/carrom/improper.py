"""Row 1 of the decision table: what makes a strike improper, and what that costs."""

from rules.doubts import Doubt
from rules.games.carrom.rows import FOUL, PENALTY, Strike, is_locked, striker_foul
from rules.games.carrom.state import Queen
from rules.said import say
from rules.verdicts import SIGMAS

ORDERED = {"CR-F3.1": "push", "CR-13.2": "broken", "CR-13.3": "jerk"}


def improper(strike: Strike) -> tuple[bool, bool]:
    """Find faults in the way of striking; return whether there is one, and whether it is a jerk."""
    ordered = {ORDERED.get(code, "") for code in strike.case.ordered}
    calls = {*strike.reading.stroke.calls, *ordered}
    wrong = _misplaced(strike)
    if "push" in calls:
        wrong |= strike.foul(
            "CR-F3.1", say("{who} pushed the striker onto the pieces.", who=strike.who)
        )
    if "broken" in calls:
        wrong |= strike.foul("CR-13.2", say("{who} did not strike in one motion.", who=strike.who))
    jerk = "jerk" in calls and strike.foul(
        "CR-13.3", say("{who} jerked the striker or the board.", who=strike.who)
    )
    if jerk:
        strike.case.rule("CR-X.24", say("Discs that the jerk itself moved are put back."))
    return wrong or jerk, jerk


def _misplaced(strike: Strike) -> bool:
    """Tests B1 and B2; a striker that could not be seen was placed properly.

    One that was seen placed properly stays so while the hand that strikes it hides it; of one that
    was on the base lines, or within a breadth of them, but not properly, it is asked. Elsewhere it
    was not placed yet. Where the hand took it nobody knows how far, it slid it along the base lines
    as players do: only how far from these it lay still counts.
    """
    reading = strike.reading
    struck, options = reading.stroke.strike, reading.state.terms.options
    ground = reading.state.terms.ground
    anywhere = SIGMAS * struck.error_mm >= ground.striker_mm
    if anywhere and not struck.hidden:
        return False
    stood = ground.placement(
        reading.seat,
        ground.slid_to_middle(reading.seat, struck.at) if anywhere else struck.at,
        any_line=options.base_rule == "any_line",
        circles=options.base_circle == "field",
    )
    if struck.hidden and (
        stood.margin_mm >= 0 or ground.on_base_mm(reading.seat, struck.at) < -2 * ground.striker_mm
    ):
        return False
    error = struck.error_mm
    if struck.hidden:
        error = max(error, -stood.margin_mm)  # the hand may have moved it anywhere
    if strike.case.holds(
        stood.margin_mm,
        error,
        "base-line",
        lambda: say(
            "Did the striker stand rightly on {who}’s base line? Closest: {what}.",
            who=strike.who,
            what=stood.what,
        ),
        piece=struck.piece,
        line=stood.line,
        at=struck.at,
        answers=(("yes", say("Yes, properly placed")), ("no", say("No, {what}", what=stood.what))),
    ):
        return False
    return strike.case.rule(
        "CR-13.1",
        say(
            "The striker did not stand on the base line: {what}, by {margin_mm:.1f} mm.",
            what=stood.what,
            margin_mm=-stood.margin_mm,
        ),
        FOUL,
        side=strike.side,
        pieces=(struck.piece,),
        margin_mm=stood.margin_mm,
        error_mm=error,
    )


def improper_row(strike: Strike, jerk: bool) -> None:
    """Row 1: an improper strike."""
    reading, ledger = strike.reading, strike.ledger
    me, k = reading.team, len(reading.own)
    options, tally = reading.state.terms.options, reading.state.tally
    stand = options.push_pockets == "stand"
    ready = tally.down(me) + (k if stand else 0) > 0
    piece = _piece_as_penalty(strike, options.push_penalty, ready)
    if jerk and options.jerk == "due_and_turn":
        piece = True
    costs = say(
        "Improper strike: one piece comes back."
        if piece
        else "Improper strike: the turn is the penalty."
    )
    if strike.foul("CR-F3.2", costs, PENALTY) and piece:
        strike.back += 1
    own_back = not stand and bool(k)
    if reading.striker is not None:
        fouls = striker_foul(strike)
        own_back = own_back or (fouls and bool(k))
        strike.back += fouls and not k
    if own_back:
        strike.back += k
        strike.voided = True
    strike.keeps = False
    if not stand:
        strike.case.rule(
            "CR-X.4",
            say("In an improper strike own pieces and the queen come back and net nothing."),
        )
        if reading.queen is not None or ledger.queen.pending:
            strike.queen_back = say("the strike was improper")
        return
    if reading.queen is not None:
        _queen_stands(strike)
    elif ledger.queen.pending:
        ledger.queen = Queen(team=me, covered=bool(k) and not strike.voided)


def _queen_stands(strike: Strike) -> None:
    """The queen counts though the strike was improper (cr.push_pockets = stand)."""
    reading = strike.reading
    with_striker = reading.striker is not None
    locked = is_locked(strike, striker=with_striker)
    if locked:
        strike.foul("CR-F5.1", say("The queen was pocketed before an own piece."))
    if locked or with_striker:
        strike.queen_back = say("she was not pocketed validly")
    else:
        covered = bool(reading.own) and not strike.voided
        strike.ledger.queen = Queen(team=reading.team, covered=covered)


def _piece_as_penalty(strike: Strike, how: str, ready: bool) -> bool:
    """Return whether an improper strike costs a piece rather than the turn alone (CR-F3.2)."""
    match how:
        case "both":
            return True
        case "turn_only":
            return False
        case "referee" if ready:
            answer = strike.case.oracle.pick(
                Doubt(
                    key="push-penalty",
                    words=say(
                        "Improper strike of {who}: one piece, or the turn only?", who=strike.who
                    ),
                    answers=(
                        ("piece", say("One piece comes back")),
                        ("turn", say("The turn only")),
                    ),
                )
            )
            return answer == "piece"
    return ready
