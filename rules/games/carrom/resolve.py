"""A finished strike resolved: the decision table of section 6 from its first step to its last."""

from msgspec.structs import replace

from rules.case import Case
from rules.doubts import Doubt
from rules.facts import Settled
from rules.games.carrom.ends import board_over, concession, won_by
from rules.games.carrom.ground import STRIKER
from rules.games.carrom.improper import improper, improper_row
from rules.games.carrom.ledger import Ledger
from rules.games.carrom.reading import STILL_MM, Reading, read
from rules.games.carrom.rows import Strike, proper_rows
from rules.games.carrom.state import Errand, Phase, Queen, Ruled, State, Where, laid
from rules.games.carrom.timing import begin_clock, queen_strike, tick
from rules.geometry import Seat
from rules.restored import displaced
from rules.rulings import RulingKind
from rules.said import listed, say

TURN = RulingKind.TURN


def play_strike(case: Case, state: State, fact: Settled) -> State:
    """Resolve the running strike at its `Settled`; the state after it."""
    assert state.stroke is not None
    reading = read(case, state, state.stroke, fact)
    after = _resolved(case, state, reading, fact)
    known = {**case.oracle.known, **case.oracle.given}
    after = replace(
        after,
        stroke=None,
        hand=None,
        last=Ruled(before=state, settled=fact, known=known, waived=case.waived),
    )
    ticked = tick(case, after, fact)
    if ticked.tally.queen_phase and not state.tally.queen_phase:
        case.rule("CR-X.21", say("The strike was made in time and is judged as usual."))
    return ticked


def _resolved(case: Case, state: State, reading: Reading, fact: Settled) -> State:
    stroke = reading.stroke
    seen = replace(laid(state, fact.pieces), touched=frozenset())
    if not reading.made():
        case.rule(
            "CR-X.20",
            say("The striker was brought to base lines, not struck.")
            if reading.seems_brought()
            else say(
                "The striker did not leave the base lines and touched nothing: it may be set again."
            ),
            TURN,
            side=state.terms.sides[state.team],
        )
        return replace(seen, phase=Phase.STRIKE_DUE)
    seen = begin_clock(seen, stroke.strike.at_ms)
    ledger = Ledger(case=case, state=state, lying=fact.pieces)
    if reading.seat is not state.seat:
        done = _out_of_turn(case, state, reading, ledger, seen, fact)
        if done is not None:
            return done
    strike = Strike(reading=reading, ledger=ledger)
    if state.tally.queen_phase:
        return queen_strike(case, strike, ledger, seen)
    me, opp = reading.team, 1 - reading.team
    ledger.falls(me, len(reading.own))
    ledger.falls(opp, len(reading.theirs))
    netted = (list(ledger.netted), ledger.turn_netted)
    if ledger.queen.pending and ledger.queen.team != me:
        strike.queen_back = say("the turn to cover her was lost")
        ledger.queen = Queen()
    wrong, jerk = improper(strike)
    _opening_notes(case, state, wrong)
    if wrong:
        improper_row(strike, jerk)
        if state.terms.options.push_pockets == "stand" and reading.own and not strike.voided:
            ledger.netted[me] = ledger.turn_netted = True
    else:
        proper_rows(strike)
    _jumped(strike, netted)
    touchers = _touches(strike)
    tries = 0 if wrong else _break_touched_nothing(strike)
    if not strike.keeps and not tries and ledger.queen.pending and not strike.queen_back:
        case.rule("CR-X.16", say("The turn is lost: the queen was not covered."), side=strike.side)
        strike.queen_back = say("she was not covered")
    if strike.queen_back:
        ledger.queen_back(strike.queen_back)
    ledger.owe(me, strike.back)
    for seat in touchers:
        ledger.owe(state.terms.team_at(seat), 1)
    ledger.pay(reading.seat, keeps=strike.keeps)
    return _after(case, strike, seen, fact, tries)


def _after(case: Case, strike: Strike, seen: State, fact: Settled, tries: int) -> State:
    """Steps 7 and 8: the end of the board, or who strikes next."""
    reading, ledger = strike.reading, strike.ledger
    state, terms, me = reading.state, reading.state.terms, reading.team
    before = state.tally
    tally = replace(ledger.booked(before), strikes=before.strikes + 1, tries=tries)
    ended = won_by(case, ledger, me, before.on == (1, 1), reading.queen is not None)
    if ended is not None:
        return board_over(case, replace(seen, tally=tally), *ended, fact.at_ms)
    keeps = strike.keeps
    if ledger.on[me] == 0:
        case.rule(
            "CR-X.11",
            say("The last piece fell with the queen uncovered: one piece comes back, as agreed."),
            RulingKind.PENALTY,
            side=strike.side,
        )
        ledger.on[me] += 1
        ledger.give_back(me, 1, reading.seat)
        tally, keeps = ledger.booked(tally), False
    if keeps or 0 < tries < int(terms.options.break_attempts):
        if before.strikes == 0:
            case.rule("CR-14.1", say("The opponents wait until a strike pockets nothing."))
        return ledger.placing(seen, replace(tally, to_strike=reading.seat))
    after = terms.right_of(reading.seat)
    told = any(r.code == "CR-F4.4" for r in case.rulings)
    if not told and not case.rule(
        "CR-11.1",
        say("The strike passes to {who}.", who=terms.who(after)),
        TURN,
        side=terms.sides[terms.team_at(after)],
    ):
        return ledger.placing(seen, replace(tally, to_strike=reading.seat, tries=0))
    if tally.turns == 0:
        case.rule(
            "CR-12.2",
            say(
                "{who} plays white."
                if terms.team_at(after) == tally.white
                else "{who} plays black.",
                who=terms.who(after),
            ),
        )
    tally = replace(tally, to_strike=after, turn_netted=False, tries=0, turns=tally.turns + 1)
    return ledger.placing(seen, tally)


def _opening_notes(case: Case, state: State, wrong: bool) -> None:
    """Say with the first strike of a board, and of black, what holds from there on."""
    tally, terms = state.tally, state.terms
    if tally.strikes == 0:
        case.rule(
            "CR-9.1",
            say(
                "{team} broke and play white." if terms.pairs else "{team} broke and plays white.",
                team=terms.team(tally.white),
            ),
        )
        if not wrong:
            case.rule("CR-13.1", say("The striker stood on the base line."), pieces=("met",))
            case.rule("CR-13.2", say("It was struck in one motion."), pieces=("met",))
    elif tally.turns == 1 and not tally.turn_netted:
        case.rule(
            "CR-12.1",
            say(
                "{team} play black." if terms.pairs else "{team} plays black.",
                team=terms.team(1 - tally.white),
            ),
        )


def _jumped(strike: Strike, netted: tuple[list[bool], bool]) -> None:
    """Step 4: discs that left the board."""
    reading, ledger, case = strike.reading, strike.ledger, strike.case
    options = reading.state.terms.options
    off = [gone.name for gone in reading.jumped]
    if options.jump_back == "to_centre":
        off += reading.bounced
    else:
        for name in reading.bounced:
            case.rule(
                "CR-X.9",
                say(
                    "{name} jumped and came to rest on the board by itself: it stays there.",
                    name=name,
                ),
                pieces=(name,),
            )
    if reading.striker_off:
        case.rule("CR-X.10", say("The striker left the board: no foul; it is brought back."))
        if options.striker_off == "turn_lost":
            strike.keeps = False
    if not off:
        return
    stands = case.rule(
        "CR-F2.1",
        say("{pieces} left the board: {who} loses the turn.", pieces=listed(off), who=strike.who),
        RulingKind.FOUL,
        side=strike.side,
        pieces=tuple(off),
    )
    for name in off:
        ledger.jumped_back(name, lies=name in reading.bounced)
    if not stands:
        return
    strike.keeps = False
    if options.jump_pockets == "void" and reading.own and not strike.voided:
        strike.back += len(reading.own)
        strike.voided = True
        ledger.netted, ledger.turn_netted = list(netted[0]), netted[1]
        if ledger.queen.covered and not reading.state.tally.queen.covered:
            ledger.queen = Queen(team=ledger.queen.team)


def _touches(strike: Strike) -> list[Seat]:
    """Step 5: what people said that hands did during the strike; return who owes for it.

    What a hand shifts while discs are running cannot be told from what the strike moved, so a
    shifted disc alone is no touch.
    """
    reading, case = strike.reading, strike.case
    state, terms = reading.state, reading.state.terms
    owing: list[Seat] = []
    touching: list[Seat] = []
    for seat, code, words, name in reading.stroke.breaches:
        strike.put_right(name)
        side = terms.sides[terms.team_at(seat)]
        key = (str(seat), name) if name else (str(seat),)
        fouls = case.rule(code, words, RulingKind.FOUL, side=side, pieces=key)
        if fouls and code == "CR-F1.1":
            touching.append(seat)
        if not fouls or seat in owing:
            continue
        if code == "CR-F1.1" or conduct_costs(case, state, seat):
            owing.append(seat)
    owing = [seat for seat in owing if owes(case, state, seat)]
    if reading.seat in touching and terms.options.touch_turn == "lose":
        strike.keeps = False
    return owing


def owes(case: Case, state: State, seat: Seat) -> bool:
    """Rule that a player's breach costs the team one piece; return whether it does (CR-F1.2)."""
    terms = state.terms
    team = terms.team_at(seat)
    return case.rule(
        "CR-F1.2",
        say(
            "{team} owe one piece." if terms.pairs else "{team} owes one piece.",
            team=terms.team(team),
        ),
        RulingKind.PENALTY,
        side=terms.sides[team],
        pieces=(str(seat),),
    )


def conduct_costs(case: Case, state: State, seat: Seat) -> bool:
    """Rule on a breach that has no penalty of its own; return whether it costs a due (CR-X.18)."""
    terms = state.terms
    costs = terms.options.conduct == "due"
    stands = case.rule(
        "CR-X.18",
        say(
            "{who}: a due of one piece." if costs else "{who}: a warning, as agreed.",
            who=terms.who(seat),
        ),
        RulingKind.PENALTY if costs else RulingKind.NOTE,
        side=terms.sides[terms.team_at(seat)],
        pieces=(str(seat),),
    )
    return costs and stands


def who_moved(case: Case, state: State, name: str) -> Seat | None:
    """Ask whose hand moved a disc, where that was not seen; None: no player's."""
    terms = state.terms
    answer = case.oracle.pick(
        Doubt(
            key=f"touched-{name}",
            words=say("Who touched {name}?", name=name),
            answers=(
                *((str(seat), terms.who(seat)) for seat in terms.seats),
                ("nobody", say("No player")),
            ),
            piece=name,
        )
    )
    return None if answer == "nobody" else Seat(answer)


def _break_touched_nothing(strike: Strike) -> int:
    """Return how many breaks of this player have now touched nothing; 0: this one did (CR-X.3)."""
    reading = strike.reading
    tally, terms = reading.state.tally, reading.state.terms
    if tally.strikes != tally.tries or reading.disturbed() or reading.striker is not None:
        return 0
    tries = tally.tries + 1
    again = tries < int(terms.options.break_attempts)
    strike.case.rule(
        "CR-X.3",
        say(
            "The break touched no piece: it may be tried again."
            if again
            else "The break touched no piece: the pieces stay as they lie."
        ),
        TURN if again else RulingKind.NOTE,
        side=strike.side,
    )
    return tries


def _out_of_turn(
    case: Case, state: State, reading: Reading, ledger: Ledger, seen: State, fact: Settled
) -> State | None:
    """Rule on a strike out of turn (CR-X.25); None: it is judged after all."""
    terms, seat = state.terms, reading.seat
    team, side = reading.team, terms.sides[reading.team]
    if not case.rule(
        "CR-X.25",
        say(
            "{who} struck, though it was {other}’s turn: the strike is void.",
            who=terms.who(seat),
            other=terms.who(state.seat),
        ),
        RulingKind.FOUL,
        side=side,
    ):
        return None
    if terms.options.out_of_turn == "lose_board" and not state.tally.queen_phase:
        case.rule(
            "CR-X.25",
            say(
                "{team} lose the board, as agreed."
                if terms.pairs
                else "{team} loses the board, as agreed.",
                team=terms.team(team),
            ),
            RulingKind.WIN,
            side=terms.sides[1 - team],
            pieces=("board",),
        )
        return board_over(case, seen, 1 - team, concession(state, team), fact.at_ms)
    _restored(ledger, state, fact)
    if not state.tally.queen_phase and owes(case, state, seat):
        ledger.owe(team, 1)
        ledger.pay(seat)
    return ledger.placing(seen, ledger.booked(state.tally))


def _restored(ledger: Ledger, state: State, fact: Settled) -> None:
    """Have discs lie again as before a void strike."""
    lay = [p for p in state.pieces if p.kind != STRIKER]
    for was, now in displaced(lay, fact.pieces, STILL_MM):
        ledger.errands.append(
            Errand(
                kind=was.kind,
                colour=was.colour,
                where=Where.SPOT,
                at=was.at,
                piece=None if now is None else now.name,
                since=None if now is None else now.at,
            )
        )
