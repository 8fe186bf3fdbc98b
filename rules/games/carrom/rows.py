"""Steps 2 and 3 of the decision table: what a proper strike's drops come to, row by row."""

from msgspec import Struct

from rules.case import Case
from rules.games.carrom.ledger import Ledger
from rules.games.carrom.reading import Reading
from rules.games.carrom.state import Queen
from rules.games.carrom.words import men
from rules.rulings import RulingKind
from rules.said import plural, say

FOUL, PENALTY, POCKET = RulingKind.FOUL, RulingKind.PENALTY, RulingKind.POCKET


class Strike(Struct):
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
            "CR-X.24",
            say("{name} is put back where it lay.", name=name),
            RulingKind.PLACE,
            pieces=(name,),
        )

    def foul(self, code: str, words: str, kind: RulingKind = FOUL) -> bool:
        return self.case.rule(code, words, kind, side=self.side)


def striker_foul(strike: Strike) -> bool:
    """Rule on the striker in a pocket (CR-F4); return whether the foul stands."""
    k = len(strike.reading.own)
    if not k:
        return strike.foul(
            "CR-F4.1", say("{who} pocketed the striker: one piece comes back.", who=strike.who)
        )
    stands = strike.foul(
        "CR-F4.2",
        plural(
            k,
            one="{who} pocketed the striker with {men}: it comes back.",
            many="{who} pocketed the striker with {men}: they come back.",
            who=strike.who,
            men=men(k, strike.colour),
        ),
    )
    if stands and strike.reading.state.terms.options.striker_with_piece == "plus_due":
        strike.back += 1
    return stands


def is_locked(strike: Strike, striker: bool) -> bool:
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
        locked = is_locked(strike, striker=reading.striker is not None) and _first_foul(strike)
    if reading.striker is not None and _with_striker(strike, locked):
        return
    _without_striker(strike, locked)


def _first_foul(strike: Strike) -> bool:
    """Rule that the queen was pocketed too early; return whether that stands (CR-F5.1)."""
    stands = strike.foul(
        "CR-F5.1", say("{who} pocketed the queen before an own piece.", who=strike.who)
    )
    if stands and strike.reading.state.terms.options.queen_first == "plus_due":
        strike.back += 1
    elif stands:
        strike.case.rule("CR-F0.1", say("No due is listed for this foul: queen back, turn lost."))
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
            say(
                "{who} pocketed queen and striker: the queen and {men} come back.",
                who=strike.who,
                men=men(count, strike.colour),
            ),
            PENALTY,
        ):
            return False
        return _goes_on(strike, "CR-20.2", count)
    if k and not locked and (q or pending):
        count = max(2, k + 1) if options.cover_striker_pieces == "2_incl" else two
        if not strike.foul(
            "CR-21.1",
            say(
                "{who} pocketed the cover with the striker: the queen and {men} come back.",
                who=strike.who,
                men=men(count, strike.colour),
            ),
            PENALTY,
        ):
            return False
        strike.case.rule(
            "CR-X.26", say("{Men} fell: {back} back.", men=men(k, strike.colour), back=count)
        )
        strike.voided = True
        return _goes_on(strike, "CR-21.2", count)
    also = pending and options.queen_plus_opponent != "with_striker"
    if m and not k and ((q and not locked) or also):
        return _queen_and_theirs(strike, two)
    if not striker_foul(strike):
        return False
    _theirs_stay(strike)
    strike.back += max(k, 1)
    strike.voided = True
    strike.keeps = not strike.case.rule(
        "CR-F4.4", say("{who} loses the turn.", who=strike.who), RulingKind.TURN, side=strike.side
    )
    if q:
        strike.queen_back = say("she was pocketed too early")
    elif pending:
        _not_covered(strike)
    return True


def _queen_and_theirs(strike: Strike, count: int) -> bool:
    """Row 5: the queen with an opponents' piece (CR-21.3)."""
    if not strike.foul(
        "CR-21.3",
        say(
            "{who} pocketed queen and an opponents’ piece by mistake: the queen and "
            "{men} come back.",
            who=strike.who,
            men=men(count, strike.colour),
        ),
        PENALTY,
    ):
        return False
    strike.case.rule("CR-21.4", say("The opponents’ piece stays pocketed."))
    return _goes_on(strike, "CR-21.2", count)


def _goes_on(strike: Strike, code: str, count: int) -> bool:
    """The player continues although pieces come back (CR-20.2, CR-21.2)."""
    strike.back += count
    strike.queen_back = say("she was not covered")
    strike.keeps = strike.reading.state.terms.options.striker_turn == "specific"
    if strike.keeps:
        strike.keeps = strike.case.rule(
            code, say("{who} strikes again.", who=strike.who), RulingKind.TURN, side=strike.side
        )
    return True


def _not_covered(strike: Strike) -> None:
    strike.case.rule(
        "CR-16.1",
        say("{who} did not cover the queen.", who=strike.who),
        RulingKind.TURN,
        side=strike.side,
    )
    strike.case.rule("CR-X.16", say("The cover must come in the strike after the queen."))
    strike.queen_back = say("she was not covered")


def _theirs_stay(strike: Strike) -> None:
    """Opponents' pieces stay pocketed (CR-X.5)."""
    m = len(strike.reading.theirs)
    if m:
        strike.case.rule(
            "CR-X.5",
            plural(
                m,
                one="{Men} of the opponents stays down.",
                many="{Men} of the opponents stay down.",
                men=men(m, strike.reading.state.colour(1 - strike.reading.team)),
            ),
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
            strike.case.rule("CR-X.27", say("Any disc may be hit first: {hit} was.", hit=hit))
    if reading.queen is not None and locked:
        strike.keeps = False
        strike.queen_back = say("she was pocketed too early")
    elif reading.queen is not None and k and (was_free or options.locked_pair == "by_order"):
        if not was_free:
            strike.case.rule("CR-15.1", say("An own piece fell first: the queen was open."))
            strike.case.rule("CR-X.19", say("The order in which they fell decides."))
        ledger.queen = Queen(team=me, covered=True)
        strike.keeps = True
        strike.case.rule(
            "CR-24.1",
            say("{who} covered the queen in the same strike.", who=strike.who),
            POCKET,
            side=strike.side,
            pieces=(reading.queen.name,),
        )
    elif reading.queen is not None:
        _queen_alone(strike)
    elif ledger.queen.pending and k:
        strike.keeps = strike.case.rule(
            "CR-16.1", say("{who} covered the queen.", who=strike.who), POCKET, side=strike.side
        )
        if strike.keeps:
            ledger.queen = Queen(team=ledger.queen.team, covered=True)
    elif ledger.queen.pending:
        _not_covered(strike)
    elif k:
        strike.keeps = strike.case.rule(
            "CR-10.1",
            say(
                "{who} pocketed {men} and strikes again.", who=strike.who, men=men(k, strike.colour)
            ),
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
        say("{who} pocketed the queen.", who=strike.who),
        POCKET,
        side=strike.side,
        pieces=(reading.queen.name,),
    )
    strike.case.rule(
        "CR-16.1",
        say("{who} must cover the queen in the next strike.", who=strike.who),
        RulingKind.TURN,
        side=strike.side,
    )
