"""Between shots: hands, disturbed pucks, drags, putting back, and what people say."""

from msgspec.structs import replace

from rules.case import Case
from rules.facts import (
    Contacted,
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
from rules.games.qsquare.anew import late_fall, rule_anew
from rules.games.qsquare.at_rest import differences, settled
from rules.games.qsquare.disturbed import disturbance, piece_moved, put_back, struck_other
from rules.games.qsquare.hands import EDGE_MM, idle_hand, whose_hand
from rules.games.qsquare.nudged import note_nudge
from rules.games.qsquare.reading import CUE
from rules.games.qsquare.state import Errand, Hand, Phase, Shot, State, lay
from rules.games.qsquare.terms import front_line
from rules.games.qsquare.turns import game_over, lose_turn
from rules.geometry import Seat, toward
from rules.rulings import RulingKind
from rules.said import say

STROKE_MM_S = 300.0
SAID_OF_SHOT = ("miscue", "not tip", "wrong player", "leaning")
ANYONE = 999.0


def play_between(case: Case, state: State, fact: Fact) -> State:
    """Play a fact in AIMING or SERVICE."""
    match fact:
        case Struck():
            return struck(case, state, fact)
        case Contacted(a=a, b=b) if state.drag is not None:
            touched = [n for n in (a, b) if state.kind_of(n)[0] != CUE and n not in state.drag]
            return replace(state, drag=(*state.drag, *touched))
        case Settled():
            return settled(case, state, fact)
        case Moved():
            return note_nudge(piece_moved(case, state, fact), fact)
        case Placed(piece=piece):
            return _placed(state, piece)
        case Removed(piece=name):
            return _removed(state, name)
        case LeftBoard(piece=name):
            return _removed(state, name)
        case Pocketed():
            return late_fall(case, state, fact)
        case HandEntered():
            return _hand_entered(case, state, fact)
        case HandLeft():
            return _hand_left(case, state, fact)
        case Declared():
            return _declared(case, state, fact)
    return state


# -- strokes and drags -----------------------------------------------------------------------


def struck(case: Case, state: State, fact: Struck) -> State:
    """Begin a shot, or a drag, or rule on a stroke at another piece."""
    if state.nudge is not None:
        state = replace(state, nudge=None)
    kind, _ = state.kind_of(fact.piece)
    if kind != CUE:
        return struck_other(case, state, fact)
    if fact.dragged and fact.speed_mm_s < STROKE_MM_S:
        return replace(state, drag=state.drag or ())
    if state.phase is Phase.SERVICE:
        if state.hand is not None:
            return state
        case.rule(
            "QS-X.9",
            say("{who} shot before the table was put right.", who=state.terms.who(state.shooter)),
            RulingKind.NOTE,
        )
    hands: tuple[tuple[Seat | None, float], ...] = ()
    if state.hand is not None and not state.hand.ruled and state.hand.began is Phase.AIMING:
        hands = ((state.hand.side, 0.0),)
    return replace(
        state,
        phase=Phase.SHOT,
        shot=Shot(strike=fact, called=state.called, hands=hands),
        errands=(),
        brought=frozenset(),
        last=None,
        drag=None,
        hand=None if state.hand is None else replace(state.hand, ruled=True),
    )


def _placed(state: State, piece: Piece) -> State:
    lain = lay(state, (*(p for p in state.pieces if p.name != piece.name), piece))
    if state.phase is not Phase.SERVICE:
        return lain
    return replace(lain, handled=state.handled | {piece.name}, brought=state.brought | {piece.name})


def _removed(state: State, name: str) -> State:
    piece = state.piece(name)
    if piece is None:
        return state
    rest = tuple(p for p in state.pieces if p.name != name)
    if piece.kind == CUE:
        state = replace(state, nudge=None)
    if state.phase is not Phase.AIMING or any(e.piece == name and e.away for e in state.errands):
        return replace(state, pieces=rest)
    errand = (
        Errand(kind=CUE, colour=piece.colour, why="cue-puck")
        if piece.kind == CUE
        else put_back(state, name, piece.at)
    )
    return replace(state, pieces=rest, phase=Phase.SERVICE, errands=(*state.errands, errand))


# -- hands -----------------------------------------------------------------------------------


def _hand_entered(case: Case, state: State, fact: HandEntered) -> State:
    hand = Hand(
        side=fact.side,
        began=state.phase,
        due=state.shooter,
        ruled=state.phase is not Phase.AIMING,
    )
    if hand.ruled or fact.depth_mm <= EDGE_MM or fact.side not in state.terms.seats:
        return replace(state, hand=hand)
    return _hand_fault(case, replace(state, hand=hand), fact.side, fact.depth_mm)


def _hand_left(case: Case, state: State, fact: HandLeft) -> State:
    hand = state.hand
    if hand is not None:
        state = replace(state, hand=None)
    if hand is None or hand.ruled or hand.began is not Phase.AIMING:
        return state
    side = fact.side if fact.side is not None else hand.side
    return _hand_fault(case, state, side, fact.depth_mm)


def _hand_fault(case: Case, state: State, side: Seat | None, depth_mm: float) -> State:
    """Rule on a hand over the surface in AIMING (QS-4.5, QS-X.13)."""
    terms = state.terms
    seat = whose_hand(case, state, side, depth_mm, "hand")
    if seat is None:
        return state
    ruled = replace(state, hand=None if state.hand is None else replace(state.hand, ruled=True))
    if seat is not state.shooter:
        if idle_hand(case, state, seat):
            tally = replace(state.tally, skips=state.tally.skips | {seat})
            return replace(ruled, tally=tally)
        return ruled
    if terms.options.hand_placement == "aiming_allowed" and side is seat:
        home = terms.ground.homes[seat]
        front = front_line(home, seat)
        room = terms.ground.board.width_mm / 2 - min(toward(seat, p) for p in front.line.points)
        if depth_mm <= room:
            return ruled
    name = terms.sides[state.side]
    if not case.rule(
        "QS-4.5",
        say(
            "{who}’s hand was over the surface, by {depth_mm:.0f} mm."
            if 0 < depth_mm < ANYONE
            else "{who}’s hand was over the surface.",
            who=terms.who(seat),
            depth_mm=depth_mm,
        ),
        RulingKind.FOUL,
        side=name,
    ):
        return ruled
    case.rule("QS-4.7", say("The turn is lost, without a penalty puck."))
    case.rule("QS-8f", say("Foul without a penalty puck."), RulingKind.FOUL, side=name)
    return lose_turn(
        case,
        ruled,
        "QS-2.4",
        say("Foul: {who} loses the turn.", who=terms.who(seat)),
        ruled.errands,
    )


# -- what people say -------------------------------------------------------------------------


def _declared(case: Case, state: State, fact: Declared) -> State:
    terms = state.terms
    match fact.what:
        case "call":
            return replace(state, called=fact.value)
        case "restored":
            case.rule("QS-X.9", say("The referee has put the table right."), RulingKind.PLACE)
            return replace(
                state,
                phase=Phase.AIMING,
                errands=(),
                brought=frozenset(),
                said="",
                excused=differences(state),
            )
        case "hand":
            seat = terms.seat_named(fact.side) or state.shooter
            if state.phase is Phase.AIMING:
                return _hand_fault(case, state, seat, _depth(fact.value))
        case "disturbed":
            by = terms.seat_named(fact.side)
            piece = state.piece(fact.value)
            errands = (put_back(state, piece.name, piece.at),) if piece else ()
            return disturbance(case, state, by, errands, fact.value or say("a puck"))
        case "shot clock":
            if terms.options.shot_clock_s is not None:
                case.rule(
                    "QS-X.1",
                    say(
                        "{shot_clock_s:g} s are over: {who} is reminded to shoot.",
                        shot_clock_s=terms.options.shot_clock_s,
                        who=terms.who(state.shooter),
                    ),
                )
        case "spoiled":
            return rule_anew(case, state, fact.value if fact.value == "replay" else "stands")
        case what if what in SAID_OF_SHOT:
            return rule_anew(case, state, f"{what} {fact.value}".strip())
    return state


def _depth(value: str) -> float:
    try:
        return max(0.0, float(value)) or ANYONE
    except ValueError:
        return ANYONE


def concede(case: Case, state: State, side: int) -> State:
    """Give the game to the other side (QS-X.22)."""
    terms = state.terms
    if not case.rule(
        "QS-X.22",
        say(
            "{team} concede: the game goes to {other}."
            if terms.four
            else "{team} concedes: the game goes to {other}.",
            team=terms.team(side),
            other=terms.team(1 - side),
        ),
        RulingKind.WIN,
        side=terms.sides[1 - side],
    ):
        return state
    return game_over(case, replace(state, pending=None, last=None), 1 - side)
