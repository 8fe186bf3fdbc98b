"""Steps 2 and 3 of the decision table: what a strike's drops come to, row by row."""

from dataclasses import dataclass

from rules.case import Case
from rules.doubts import Doubt
from rules.games.carrom.ledger import Ledger
from rules.games.carrom.reading import Reading
from rules.games.carrom.state import Queen
from rules.games.carrom.words import come, men
from rules.rulings import RulingKind
from rules.verdicts import SIGMAS

ORDERED = {"CR-F3.1": "push", "CR-13.2": "broken", "CR-13.3": "jerk"}
FOUL, PENALTY, POCKET = RulingKind.FOUL, RulingKind.PENALTY, RulingKind.POCKET


@dataclass(slots=True)
class Strike:
    """A strike on its way through the table: what it costs, and whether the player goes on."""

    reading: Reading
    ledger: Ledger
    back: int = 0
    keeps: bool = False
    queen_back: str = ""  # why she goes back, if she does
    voided: bool = False  # the own pieces of this strike come back and net nothing

    @property
    def case(self) -> Case:
        return self.reading.case

    @property
    def side(self) -> str:
        return self.ledger.side(self.reading.team)

    @property
    def who(self) -> str:
        return self.reading.state.terms.who(self.reading.seat)

    @property
    def colour(self) -> str:
        return self.reading.state.colour(self.reading.team)

    def put_right(self, name: str) -> None:
        """Have a disc that a hand is said to have shifted in the strike put back (CR-X.24)."""
        at = self.reading.shifted_from(name)
        if at is None:
            return
        now = self.reading.rest.get(name)
        self.ledger.put_back(name, at, now.at if now else None)
        self.case.rule(
            "CR-X.24", f"{name} is put back where it lay.", RulingKind.PLACE, pieces=(name,)
        )

    def foul(self, code: str, words: str, kind: RulingKind = FOUL) -> bool:
        return self.case.rule(code, words, kind, side=self.side)


def improper(strike: Strike) -> tuple[bool, bool]:
    """Find faults in the way of striking; return whether there is one, and whether it is a jerk."""
    ordered = {ORDERED.get(code, "") for code in strike.case.ordered}
    calls = {*strike.reading.stroke.calls, *ordered}
    wrong = _misplaced(strike)
    if "push" in calls:
        wrong |= strike.foul("CR-F3.1", f"{strike.who} pushed the striker onto the pieces.")
    if "broken" in calls:
        wrong |= strike.foul("CR-13.2", f"{strike.who} did not strike in one motion.")
    jerk = "jerk" in calls and strike.foul(
        "CR-13.3", f"{strike.who} jerked the striker or the board."
    )
    if jerk:
        strike.case.rule("CR-X.24", "Discs that the jerk itself moved are put back.")
    return wrong or jerk, jerk


def _misplaced(strike: Strike) -> bool:
    """Tests B1 and B2; a striker that could not be seen was placed properly."""
    reading = strike.reading
    struck, options = reading.stroke.strike, reading.state.terms.options
    ground = reading.state.terms.ground
    if SIGMAS * struck.error_mm >= ground.striker_mm:
        return False
    stood = ground.placement(
        reading.seat,
        struck.at,
        any_line=options.base_rule == "any_line",
        circles=options.base_circle == "field",
    )
    if strike.case.holds(
        stood.margin_mm,
        struck.error_mm,
        "base-line",
        f"Did the striker stand rightly on {strike.who}’s base line? Closest: {stood.what}.",
        piece=struck.piece,
        line=stood.line,
        at=struck.at,
        answers=(("yes", "Yes, properly placed"), ("no", f"No, {stood.what}")),
    ):
        return False
    return strike.case.rule(
        "CR-13.1",
        f"The striker did not stand on the base line: {stood.what}, by {-stood.margin_mm:.1f} mm.",
        FOUL,
        side=strike.side,
        pieces=(struck.piece,),
        margin_mm=stood.margin_mm,
        error_mm=struck.error_mm,
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
    said = "one piece comes back" if piece else "the turn is the penalty"
    if strike.foul("CR-F3.2", f"Improper strike: {said}.", PENALTY) and piece:
        strike.back += 1
    own_back = not stand and bool(k)
    if reading.striker is not None:
        fouls = _striker_foul(strike)
        own_back = own_back or (fouls and bool(k))
        strike.back += fouls and not k
    if own_back:
        strike.back += k
        strike.voided = True
    strike.keeps = False
    if not stand:
        strike.case.rule(
            "CR-X.4", "In an improper strike own pieces and the queen come back and net nothing."
        )
        if reading.queen is not None or ledger.queen.pending:
            strike.queen_back = "the strike was improper"
        return
    if reading.queen is not None:
        _queen_stands(strike)
    elif ledger.queen.pending:
        ledger.queen = Queen(team=me, covered=bool(k) and not strike.voided)


def _queen_stands(strike: Strike) -> None:
    """The queen counts though the strike was improper (cr.push_pockets = stand)."""
    reading = strike.reading
    with_striker = reading.striker is not None
    locked = _locked(strike, striker=with_striker)
    if locked:
        strike.foul("CR-F5.1", "The queen was pocketed before an own piece.")
    if locked or with_striker:
        strike.queen_back = "she was not pocketed validly"
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
                    words=f"Improper strike of {strike.who}: one piece, or the turn only?",
                    answers=(("piece", "One piece comes back"), ("turn", "The turn only")),
                )
            )
            return answer == "piece"
    return ready


def _striker_foul(strike: Strike) -> bool:
    """Rule on the striker in a pocket (CR-F4); return whether the foul stands."""
    k = len(strike.reading.own)
    if not k:
        return strike.foul("CR-F4.1", f"{strike.who} pocketed the striker: one piece comes back.")
    what = men(k, strike.colour)
    stands = strike.foul(
        "CR-F4.2", f"{strike.who} pocketed the striker with {what}: {come_back(k)}."
    )
    if stands and strike.reading.state.terms.options.striker_with_piece == "plus_due":
        strike.back += 1
    return stands


def come_back(count: int) -> str:
    """Return "it comes back" or "they come back"."""
    return f"{'it' if count == 1 else 'they'} {come(count)} back"


def _locked(strike: Strike, striker: bool) -> bool:
    """Return whether the queen was not open to the team when she fell (step 2)."""
    reading, ledger = strike.reading, strike.ledger
    me, options, tally = reading.team, reading.state.terms.options, reading.state.tally
    if options.queen_while_due == "refused" and tally.due[me]:
        return True
    if _free_before(strike):
        return False
    if striker or not reading.own or ledger.queen.team is not None:
        return True
    return not reading.own_before_queen()


def _free_before(strike: Strike) -> bool:
    """Return whether the queen was open to the team before this strike (CR-15.1)."""
    tally, me = strike.reading.state.tally, strike.reading.team
    if strike.reading.state.terms.options.queen_opens == "turn":
        return tally.turn_netted or tally.entitled[me]
    return tally.netted[me]


def proper_rows(strike: Strike) -> None:
    """Rows 2 to 13."""
    reading = strike.reading
    locked = False
    if reading.queen is not None:
        locked = _locked(strike, striker=reading.striker is not None) and _first_foul(strike)
    if reading.striker is not None and _with_striker(strike, locked):
        return
    _without_striker(strike, locked)


def _first_foul(strike: Strike) -> bool:
    """Rule that the queen was pocketed too early; return whether that stands (CR-F5.1)."""
    stands = strike.foul("CR-F5.1", f"{strike.who} pocketed the queen before an own piece.")
    if stands and strike.reading.state.terms.options.queen_first == "plus_due":
        strike.back += 1
    elif stands:
        strike.case.rule("CR-F0.1", "No due is listed for this foul: queen back, turn lost.")
    return stands


def _with_striker(strike: Strike, locked: bool) -> bool:
    """Rows 2 to 6; return whether the ruling on the striker stands."""
    reading, options = strike.reading, strike.reading.state.terms.options
    k, m, q = len(reading.own), len(reading.theirs), reading.queen is not None
    pending = strike.ledger.queen.pending
    two = 2 if options.cover_striker_pieces == "2_incl" else 2 + k
    if q and not locked and not k and not m:
        count = int(options.queen_striker_pieces)
        if not strike.foul(
            "CR-20.1",
            f"{strike.who} pocketed queen and striker: the queen and {men(count, strike.colour)} "
            "come back.",
            PENALTY,
        ):
            return False
        return _goes_on(strike, "CR-20.2", count)
    if k and not locked and (q or pending):
        count = max(2, k + 1) if options.cover_striker_pieces == "2_incl" else two
        if not strike.foul(
            "CR-21.1",
            f"{strike.who} pocketed the cover with the striker: the queen and "
            f"{men(count, strike.colour)} come back.",
            PENALTY,
        ):
            return False
        strike.case.rule("CR-X.26", f"{men(k, strike.colour).capitalize()} fell: {count} back.")
        strike.voided = True
        return _goes_on(strike, "CR-21.2", count)
    also = pending and options.queen_plus_opponent != "with_striker"
    if m and not k and ((q and not locked) or also):
        return _queen_and_theirs(strike, two)
    if not _striker_foul(strike):
        return False
    _theirs_stay(strike)
    strike.back += max(k, 1)
    strike.voided = True
    strike.keeps = not strike.case.rule(
        "CR-F4.4", f"{strike.who} loses the turn.", RulingKind.TURN, side=strike.side
    )
    if q:
        strike.queen_back = "she was pocketed too early"
    elif pending:
        _not_covered(strike)
    return True


def _queen_and_theirs(strike: Strike, count: int) -> bool:
    """Row 5: the queen with an opponents' piece (CR-21.3)."""
    if not strike.foul(
        "CR-21.3",
        f"{strike.who} pocketed queen and an opponents’ piece by mistake: the queen and "
        f"{men(count, strike.colour)} come back.",
        PENALTY,
    ):
        return False
    strike.case.rule("CR-21.4", "The opponents’ piece stays pocketed.")
    return _goes_on(strike, "CR-21.2", count)


def _goes_on(strike: Strike, code: str, count: int) -> bool:
    """The player continues although pieces come back (CR-20.2, CR-21.2)."""
    strike.back += count
    strike.queen_back = "she was not covered"
    strike.keeps = strike.reading.state.terms.options.striker_turn == "specific"
    if strike.keeps:
        strike.keeps = strike.case.rule(
            code, f"{strike.who} strikes again.", RulingKind.TURN, side=strike.side
        )
    return True


def _not_covered(strike: Strike) -> None:
    strike.case.rule(
        "CR-16.1", f"{strike.who} did not cover the queen.", RulingKind.TURN, side=strike.side
    )
    strike.case.rule("CR-X.16", "The cover must come in the strike after the queen.")
    strike.queen_back = "she was not covered"


def _theirs_stay(strike: Strike) -> None:
    """Opponents' pieces stay pocketed (CR-X.5)."""
    m = len(strike.reading.theirs)
    if m:
        what = men(m, strike.reading.state.colour(1 - strike.reading.team))
        strike.case.rule(
            "CR-X.5", f"{what.capitalize()} of the opponents stay{'s' if m == 1 else ''} down."
        )


def _without_striker(strike: Strike, locked: bool) -> None:
    """Rows 7 to 13."""
    reading, ledger = strike.reading, strike.ledger
    me, k, m = reading.team, len(reading.own), len(reading.theirs)
    options = reading.state.terms.options
    was_free = _free_before(strike)
    if k:
        ledger.netted[me] = ledger.turn_netted = True
    _theirs_stay(strike)
    if m:
        hit = reading.first_hit()
        kind, colour = reading.state.kind_of(hit) if hit else ("", "")
        if hit and not k and (kind == "queen" or colour == reading.state.colour(1 - me)):
            strike.case.rule("CR-X.27", f"Any disc may be hit first: {hit} was.")
    if reading.queen is not None and locked:
        strike.keeps = False
        strike.queen_back = "she was pocketed too early"
    elif reading.queen is not None and k and (was_free or options.locked_pair == "by_order"):
        if not was_free:
            strike.case.rule("CR-15.1", "An own piece fell first: the queen was open.")
            strike.case.rule("CR-X.19", "The order in which they fell decides.")
        ledger.queen = Queen(team=me, covered=True)
        strike.keeps = True
        strike.case.rule(
            "CR-24.1",
            f"{strike.who} covered the queen in the same strike.",
            POCKET,
            side=strike.side,
            pieces=(reading.queen.name,),
        )
    elif reading.queen is not None:
        _queen_alone(strike)
    elif ledger.queen.pending and k:
        strike.keeps = strike.case.rule(
            "CR-16.1", f"{strike.who} covered the queen.", POCKET, side=strike.side
        )
        if strike.keeps:
            ledger.queen = Queen(team=ledger.queen.team, covered=True)
    elif ledger.queen.pending:
        _not_covered(strike)
    elif k:
        strike.keeps = strike.case.rule(
            "CR-10.1",
            f"{strike.who} pocketed {men(k, strike.colour)} and strikes again.",
            POCKET,
            side=strike.side,
            pieces=tuple(g.name for g in reading.own),
        )


def _queen_alone(strike: Strike) -> None:
    """Row 9: the queen is pocketed and must be covered in the next strike."""
    reading, ledger = strike.reading, strike.ledger
    me, m = reading.team, len(reading.theirs)
    tally, options = reading.state.tally, reading.state.terms.options
    ends = tally.on == (1, 1) and m == 1  # CR-23.1 goes before CR-21.3
    if m and options.queen_plus_opponent == "always" and not ends and _queen_and_theirs(strike, 2):
        return
    assert reading.queen is not None
    ledger.queen = Queen(team=me)
    strike.keeps = True
    strike.case.rule(
        "CR-15.1",
        f"{strike.who} pocketed the queen.",
        POCKET,
        side=strike.side,
        pieces=(reading.queen.name,),
    )
    strike.case.rule(
        "CR-16.1",
        f"{strike.who} must cover the queen in the next strike.",
        RulingKind.TURN,
        side=strike.side,
    )
