"""Between strikes: touches, posture, late falls, putting back, and what people say."""

import dataclasses

from msgspec.structs import replace

from rules.case import Case
from rules.departures import fell_by_hand, ruled_fallen
from rules.facts import (
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Removed,
    Settled,
    Struck,
)
from rules.games.carrom.ends import board_over, concession, game_over
from rules.games.carrom.ground import STRIKER
from rules.games.carrom.ledger import Ledger
from rules.games.carrom.placing import (
    check_count,
    check_placing,
    differences,
    put_down,
)
from rules.games.carrom.reading import was_moved
from rules.games.carrom.resolve import conduct_costs, owes, play_strike, who_moved
from rules.games.carrom.state import Clock, Phase, Ruled, State, Stroke, laid
from rules.games.carrom.unseen_strike import struck_unseen
from rules.games.carrom.words import conceded
from rules.geometry import Point, Seat
from rules.rulings import RulingKind
from rules.said import say

SAID_OF_STRIKE = ("push", "jerk", "broken", "out of turn")
POSTURES = {"chair": "CR-3.1", "support": "CR-4.1"}


def play_between(case: Case, state: State, fact: Fact) -> State:
    """Play a fact while a strike is due or things are put back."""
    match fact:
        case Struck(piece=name):
            return _struck(case, state, fact, state.kind_of(name)[0])
        case Settled(pieces=pieces):
            seen = replace(laid(state, pieces), hand=None, touched=frozenset())
            if state.phase is Phase.PLACING:
                return check_placing(case, state, seen)
            return check_count(case, seen)
        case Moved():
            struck = struck_unseen(case, state, fact)
            return _struck(case, state, struck, STRIKER) if struck else _moved(case, state, fact)
        case Placed(piece=piece):
            others = tuple(p for p in state.pieces if p.name != piece.name)
            state = laid(state, (*others, piece))
            return put_down(case, state, fact) if state.phase is Phase.PLACING else state
        case Removed(piece=name):
            return _taken(case, state, name, fact.by)
        case LeftBoard(piece=name):
            return _taken(case, state, name, None)
        case Pocketed():
            return late_fall(case, state, fact)
        case HandEntered(side=side):
            return replace(state, hand=side)
        case HandLeft():
            return replace(state, hand=None)
        case Declared():
            return _declared(case, state, fact)
    return state


def _struck(case: Case, state: State, fact: Struck, kind: str) -> State:
    if kind != STRIKER:
        piece = state.piece(fact.piece)
        return touched(case, state, fact.by, fact.piece, piece.at if piece else fact.at)
    if fact.dragged:
        return state
    if state.phase is Phase.PLACING:
        case.rule(
            "CR-X.7",
            say("{who} struck before everything was put back.", who=state.terms.who(state.seat)),
        )
    return replace(
        state,
        phase=Phase.IN_MOTION,
        stroke=Stroke(strike=fact),
        errands=(),
        lay=frozenset(),
        amiss=frozenset(),
        last=None,
        said="",
    )


# -- touches and other breaches --------------------------------------------------------------


def _moved(case: Case, state: State, fact: Moved) -> State:
    name = fact.piece
    moved = replace(
        state,
        pieces=tuple(
            dataclasses.replace(p, at=fact.after, error_mm=fact.error_mm) if p.name == name else p
            for p in state.pieces
        ),
    )
    if state.kind_of(name)[0] == STRIKER or _being_placed(state, name):
        return moved
    if not was_moved(case, fact):
        return moved
    return touched(case, moved, fact.by, name, fact.before, fact.after)


def _being_placed(state: State, name: str) -> bool:
    """Return whether a piece is one that is being put back, and may be moved."""
    if state.phase is not Phase.PLACING:
        return False
    return name not in state.lay or any(e.piece == name for e in state.errands)


def _taken(case: Case, state: State, name: str, by: Seat | None) -> State:
    """A disc was taken off or knocked off between strikes: a touch (CR-F1.1)."""
    piece = state.piece(name)
    if piece is None:
        return state
    rest = replace(state, pieces=tuple(p for p in state.pieces if p.name != name))
    if piece.kind == STRIKER or _being_placed(state, name):
        return rest
    if state.phase is Phase.PLACING and not state.errands:
        return rest  # a miscount is being put right
    return touched(case, rest, by, name, piece.at)


def touched(
    case: Case,
    state: State,
    by: Seat | None,
    name: str,
    at: Point,
    since: Point | None = None,
) -> State:
    """Rule on a disc that somebody moved while no strike was running, and have it put back."""
    terms = state.terms
    seat = by if by in terms.seats else state.hand
    if seat not in terms.seats:
        seat = who_moved(case, state, name)
    ledger = Ledger(case=case, state=state, lying=state.pieces, errands=list(state.errands))
    ledger.put_back(name, at, since)
    if seat is not None and seat not in state.touched:
        return breach(
            case,
            state,
            ledger,
            seat,
            "CR-F1.1",
            say("{who} moved {name}.", who=terms.who(seat), name=name),
            name,
        )
    case.rule(
        "CR-X.24",
        say("{name} is put back where it lay.", name=name),
        RulingKind.PLACE,
        pieces=(name,),
    )
    return ledger.placing(state, ledger.booked(state.tally))


def breach(
    case: Case, state: State, ledger: Ledger, seat: Seat, code: str, words: str, name: str = ""
) -> State:
    """Rule on a breach between strikes: a due, no change of turn (CR-X.29)."""
    terms = state.terms
    team = terms.team_at(seat)
    side = terms.sides[team]
    state = replace(state, touched=state.touched | {seat})
    stands = case.rule(code, words, RulingKind.FOUL, side=side, pieces=(name,) if name else ())
    if name:
        case.rule(
            "CR-X.24",
            say("{name} is put back where it lay.", name=name),
            RulingKind.PLACE,
            pieces=(name,),
        )
    if state.tally.queen_phase:
        case.rule("CR-X.22", say("Dues are suspended in the queen phase."))
        return ledger.placing(state, ledger.booked(state.tally))
    costs = stands and (code == "CR-F1.1" or conduct_costs(case, state, seat))
    tally = state.tally
    if costs:
        case.rule("CR-X.29", say("A breach between strikes changes neither turn nor queen."))
        if owes(case, state, seat):
            ledger.owe(team, 1)
        ledger.pay(seat)
        tally = ledger.booked(tally)
        if seat is state.seat and code == "CR-F1.1" and terms.options.touch_turn == "lose":
            after = terms.right_of(seat)
            case.rule(
                "CR-11.1",
                say("The turn is lost, as agreed: {who} strikes.", who=terms.who(after)),
                RulingKind.TURN,
                side=terms.sides[terms.team_at(after)],
            )
            if ledger.queen.pending:
                case.rule("CR-X.16", say("The turn is lost: the queen was not covered."), side=side)
                ledger.queen_back(say("she was not covered"))
            tally = replace(
                ledger.booked(tally), to_strike=after, turn_netted=False, turns=tally.turns + 1
            )
    return ledger.placing(state, tally)


# -- what people say -------------------------------------------------------------------------


def said_breach(state: State, fact: Declared) -> tuple[Seat, str, str, str] | None:
    """Return whose breach is reported: seat, clause, words, and the disc if one is named."""
    seat = state.terms.seat_named(fact.side)
    if seat is None:
        return None
    who = state.terms.who(seat)
    match fact.what:
        case "touch":
            return (
                seat,
                "CR-F1.1",
                say(
                    "{who} touched {piece}." if fact.value else "{who} touched a piece.",
                    who=who,
                    piece=fact.value,
                ),
                fact.value,
            )
        case "jolt":
            return seat, "CR-F1.1", say("{who} knocked the board.", who=who), ""
        case "posture" if fact.value in POSTURES:
            words = say(
                "{who} moved chair or table to get into position."
                if fact.value == "chair"
                else "{who} took support from something around.",
                who=who,
            )
            return seat, POSTURES[fact.value], words, ""
        case "breach":
            return (
                seat,
                "CR-F0.1",
                say(
                    "{who}: {breach}." if fact.value else "{who}: a breach that is not listed.",
                    who=who,
                    breach=fact.value,
                ),
                "",
            )
    return None


def _declared(case: Case, state: State, fact: Declared) -> State:
    terms = state.terms
    found = said_breach(state, fact)
    seat: Seat | None
    if found is not None:
        by, code, words, _ = found
        ledger = Ledger(case=case, state=state, lying=state.pieces, errands=list(state.errands))
        return breach(case, state, ledger, by, code, words)
    match fact.what:
        case "posture" if (seat := terms.seat_named(fact.side)) is not None:
            case.rule(
                "CR-3.2",
                say("{who} moved on an unmoved seat: that is allowed.", who=terms.who(seat)),
                side=terms.sides[terms.team_at(seat)],
            )
            return state
        case "restored":
            return _restored(case, state)
        case "strikes":
            seat = terms.seat_named(fact.side)
            if seat is None or seat is state.seat:
                return state
            case.rule(
                "CR-X.25",
                say("{who} strikes: the turn goes on from there.", who=terms.who(seat)),
                RulingKind.TURN,
                side=terms.sides[terms.team_at(seat)],
            )
            return replace(
                state, tally=replace(state.tally, to_strike=seat, turn_netted=False), last=None
            )
        case what if what in SAID_OF_STRIKE and state.last is not None:
            return rule_anew(case, state, spoken(state, fact))
    return state


def spoken(state: State, fact: Declared) -> str:
    """Return what was said of a strike as it is noted with it; nothing where it says nothing."""
    if fact.what != "out of turn":
        return fact.what
    seat = state.terms.seat_named(fact.side)
    return f"out of turn by {seat}" if seat is not None else ""


def _restored(case: Case, state: State) -> State:
    """The referee says that the table is right as it is."""
    if state.phase is not Phase.PLACING:
        return state
    case.rule("CR-X.7", say("The referee says that the board is right."), RulingKind.PLACE)
    return replace(
        state,
        phase=Phase.STRIKE_DUE,
        errands=(),
        lay=frozenset(),
        amiss=frozenset(),
        said="",
        excused=differences(state),
    )


# -- the last strike, ruled anew -------------------------------------------------------------


def rule_anew(case: Case, state: State, said: str, fell: Pocketed | None = None) -> State:
    """Rule anew on the last strike with what was learnt of it since."""
    last: Ruled | None = state.last
    if last is None or last.before.stroke is None or not (said or fell):
        return state
    stroke, settled = last.before.stroke, last.settled
    if fell is None:
        stroke = replace(stroke, calls=(*stroke.calls, said))
    else:
        stroke = replace(stroke, facts=(*stroke.facts, fell))
        settled = dataclasses.replace(
            settled, pieces=tuple(p for p in settled.pieces if p.name != fell.piece)
        )
    case.oracle.known = {**last.known, **case.oracle.known}
    case.waived |= last.waived
    after = play_strike(case, replace(last.before, stroke=stroke), settled)
    return replace(
        after, hand=state.hand, pieces=_kept(after, state, fell), clock=_clock(after, state)
    )


def _clock(after: State, state: State) -> Clock:
    return state.clock if after.phase not in (Phase.TOSS, Phase.MATCH_OVER) else after.clock


def _kept(after: State, state: State, fell: Pocketed | None) -> tuple[Piece, ...]:
    """Return the surface after a strike ruled anew: as it lies now, without what fell."""
    if state.phase not in (Phase.STRIKE_DUE, Phase.PLACING):
        return after.pieces
    return tuple(p for p in state.pieces if fell is None or p.name != fell.piece)


def late_fall(case: Case, state: State, fact: Pocketed) -> State:
    """A disc fell by itself before the next strike: it belongs to the last one (CR-X.17)."""
    piece = state.piece(fact.piece)
    kind = state.kind_of(fact.piece)[0]
    between = state.phase not in (Phase.STRIKE_DUE, Phase.PLACING)
    hand = state.hand is not None
    by_hand = fell_by_hand(fact, hand=hand, hand_left_ms=state.hand_left_ms)
    if kind == STRIKER or piece is None or (between and by_hand):
        return state
    gone = replace(state, pieces=tuple(p for p in state.pieces if p.name != fact.piece))
    last: Ruled | None = state.last
    if last is None or all(p.name != fact.piece for p in last.settled.pieces):
        return gone
    if ruled_fallen(last.known, fact.piece):
        return gone
    case.rule(
        "CR-X.17",
        say("{piece} fell by itself before the next strike: it is pocketed.", piece=fact.piece),
        pieces=(fact.piece,),
    )
    return rule_anew(case, state, "", fell=fact)


# -- giving up -------------------------------------------------------------------------------


def concede(case: Case, state: State, team: int, what: str, at_ms: float) -> State:
    """Give a board, the game or the match to the other team (CR-X.28)."""
    terms, other = state.terms, 1 - team
    running = state.phase in (Phase.STRIKE_DUE, Phase.PLACING, Phase.PENDING_HUMAN)
    what = what or "board"
    if what == "board" and (not running or state.tally.queen_phase):
        return state
    if what not in ("board", "game", "match") or not case.rule(
        "CR-X.28",
        say("{conceded}.", conceded=conceded(terms, team, what)),
        RulingKind.WIN,
        side=terms.sides[other],
    ):
        return state
    state = replace(state, pending=None, last=None, stroke=None, errands=())
    if what == "board":
        return board_over(case, state, other, concession(state, team), at_ms)
    return game_over(case, state, other, match=what == "match")
