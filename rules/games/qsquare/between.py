"""Between shots: hands, disturbed pucks, drags, putting back, and what people say."""

from rules.case import Case
from rules.changing import replace
from rules.doubts import Doubt
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
from rules.games.qsquare.hands import EDGE_MM, idle_hand, whose_hand
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, STILL_MM
from rules.games.qsquare.resolve import play_shot
from rules.games.qsquare.spots import SPOT_MM, misplaced, settled_errands
from rules.games.qsquare.state import Errand, Hand, Phase, Ruled, Shot, State, lay
from rules.games.qsquare.terms import front_line
from rules.games.qsquare.turns import game_over, lose_turn
from rules.games.qsquare.words import pucks
from rules.geometry import Point, Seat, toward
from rules.rulings import RulingKind
from rules.said import joined, listed, say
from rules.verdicts import SIGMAS

STROKE_MM_S = 300.0
LATE_MS = 5000.0
SAID_OF_SHOT = ("miscue", "not tip", "wrong player", "leaning")
ANYONE = 999.0


def play_between(case: Case, state: State, fact: Fact) -> State:
    """Play a fact in AIMING or SERVICE."""
    match fact:
        case Struck():
            return _struck(case, state, fact)
        case Contacted(a=a, b=b) if state.drag is not None:
            touched = [n for n in (a, b) if state.kind_of(n)[0] != CUE and n not in state.drag]
            return replace(state, drag=(*state.drag, *touched))
        case Settled():
            return _settled(case, state, fact)
        case Moved():
            return _moved(case, state, fact)
        case Placed(piece=piece):
            others = tuple(p for p in state.pieces if p.name != piece.name)
            return lay(state, (*others, piece))
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


def _struck(case: Case, state: State, fact: Struck) -> State:
    kind, _ = state.kind_of(fact.piece)
    if kind != CUE:
        return _struck_other(case, state, fact)
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
        last=None,
        drag=None,
        hand=None if state.hand is None else replace(state.hand, ruled=True),
    )


def _struck_other(case: Case, state: State, fact: Struck) -> State:
    """Rule on a stroke at another piece than the cue-puck: it is a disturbance (QS-1.5)."""
    if state.phase is not Phase.AIMING:
        return state
    piece = state.piece(fact.piece)
    errand = _put_back(state, fact.piece, piece.at if piece else fact.at)
    case.rule(
        "QS-1.5",
        say("{piece} was struck directly: only the cue-puck may be struck.", piece=fact.piece),
    )
    return _disturbance(case, state, fact.by, (errand,), fact.piece)


def _put_back(state: State, name: str, at: Point) -> Errand:
    kind, colour = state.kind_of(name)
    return Errand(kind=kind, colour=colour, at=at, piece=name, why="put back")


# -- disturbed pucks -------------------------------------------------------------------------


def _moved(case: Case, state: State, fact: Moved) -> State:
    name = fact.piece
    kind, _ = state.kind_of(name)
    moved = lay(
        state,
        tuple(
            replace(p, at=fact.after, error_mm=fact.error_mm) if p.name == name else p
            for p in state.pieces
        ),
    )
    if kind == CUE:
        return moved
    continuing = state.hand is not None and state.hand.ruled
    if state.phase is Phase.SERVICE and not continuing:
        return moved
    if not case.holds(
        fact.before.distance_mm(fact.after) - STILL_MM,
        fact.error_mm,
        f"moved-{name}",
        say("Was {name} moved by more than {still_mm:g} mm?", name=name, still_mm=STILL_MM),
        piece=name,
        at=fact.before,
    ):
        return moved
    errand = _put_back(state, name, fact.before)
    if continuing:
        if any(e.piece == name for e in state.errands):
            return moved
        return replace(moved, phase=Phase.SERVICE, errands=(*state.errands, errand))
    by = fact.by
    if by is None and state.drag is not None:
        by = state.shooter
    if by is None and state.hand is not None:
        by = state.hand.side
    return _disturbance(case, moved, by, (errand,), name)


def _disturbance(
    case: Case, state: State, by: Seat | None, errands: tuple[Errand, ...], name: str
) -> State:
    """Rule on a puck disturbed while no shot was running (QS-X.21, QS-X.13)."""
    terms = state.terms
    errands = (*state.errands, *errands)
    if by not in terms.seats:
        answer = case.oracle.pick(
            Doubt(
                key=f"disturbed-{name}",
                words=say("Who moved {name}?", name=name),
                answers=(
                    *((str(seat), terms.who(seat)) for seat in terms.seats),
                    ("nobody", say("No player")),
                ),
                piece=name,
            )
        )
        if answer == "nobody":
            return replace(state, phase=Phase.SERVICE, errands=errands)
        by = Seat(answer)
    assert by is not None
    side = terms.sides[terms.side_at(by)]
    if by is not state.shooter:
        costs = terms.options.idle_hand == "lose_next_turn"
        stands = case.rule(
            "QS-X.13",
            say(
                "{who} moved {name} while {shooter} was to shoot: it is put back, and the "
                "next turn is lost."
                if costs
                else "{who} moved {name} while {shooter} was to shoot: it is put back.",
                who=terms.who(by),
                name=name,
                shooter=terms.who(state.shooter),
            ),
            RulingKind.FOUL if costs else RulingKind.NOTE,
            side=side,
            pieces=(name,),
        )
        skips = state.tally.skips | ({by} if costs and stands else set())
        return replace(
            state,
            phase=Phase.SERVICE,
            errands=errands,
            tally=replace(state.tally, skips=frozenset(skips)),
        )
    fault = terms.options.aim_disturb == "foul"
    stands = case.rule(
        "QS-X.21",
        say(
            "{who} moved {name} while aiming: it is put back, and the turn is lost."
            if fault
            else "{who} moved {name} while aiming: it is put back.",
            who=terms.who(by),
            name=name,
        ),
        RulingKind.FOUL if fault else RulingKind.PLACE,
        side=side,
        pieces=(name,),
    )
    if fault and stands:
        case.rule("QS-8f", say("Foul without a penalty puck."), RulingKind.FOUL, side=side)
        after = lose_turn(
            case, state, "QS-2.4", say("Foul: {who} loses the turn.", who=terms.who(by)), errands
        )
        hand = state.hand
        return replace(after, hand=None if hand is None else replace(hand, ruled=True))
    return replace(state, phase=Phase.SERVICE, errands=errands)


def _removed(state: State, name: str) -> State:
    piece = state.piece(name)
    if piece is None:
        return state
    rest = tuple(p for p in state.pieces if p.name != name)
    if state.phase is not Phase.AIMING or any(e.piece == name and e.away for e in state.errands):
        return replace(state, pieces=rest)
    errand = (
        Errand(kind=CUE, colour=piece.colour, why="cue-puck")
        if piece.kind == CUE
        else _put_back(state, name, piece.at)
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


# -- the table at rest -----------------------------------------------------------------------


def _settled(case: Case, state: State, fact: Settled) -> State:
    if state.drag:
        disturbed = _dragged_into(state, fact)
        if disturbed is not None:
            name, errand = disturbed
            after = _disturbance(case, lay(state, fact.pieces), state.shooter, (errand,), name)
            return replace(after, drag=None, hand=None)
    before = state.pieces
    dragged = state.drag is not None
    seen = replace(lay(state, fact.pieces), drag=None, hand=None)
    if dragged and state.phase is Phase.AIMING and _came_home(state, fact):
        case.rule("QS-X.1", say("The cue-puck was dragged, not struck: no shot."))
        case.rule("QS-4.2", say("The cue-puck is back in the Home Zone."))
    if state.phase is Phase.SERVICE:
        return _service(case, replace(seen, pieces=before), seen)
    wrong = _miscounted(seen)
    if wrong and fact.pieces:
        case.rule("QS-1.3", say("On the table: {wrong}.", wrong=wrong), RulingKind.REFUSED)
        return replace(seen, phase=Phase.SERVICE, said=wrong)
    return seen


def _came_home(state: State, fact: Settled) -> bool:
    cues = [p for p in fact.pieces if p.kind == CUE]
    return any(
        all(call.margin_mm >= 0 for call in state.terms.ground.placement(state.shooter, p.at))
        for p in cues
    )


def _dragged_into(state: State, fact: Settled) -> tuple[str, Errand] | None:
    """Return the puck that a dragged cue-puck has shifted by more than 2 mm, if any."""
    now = {p.name: p for p in fact.pieces}
    for name in state.drag or ():
        piece = state.piece(name)
        if piece is None or name not in now:
            continue
        reach = STILL_MM + SIGMAS * now[name].error_mm
        if now[name].at.distance_mm(piece.at) > reach:
            return name, _put_back(state, name, piece.at)
    return None


def _service(case: Case, before: State, seen: State) -> State:
    """Check that every restored piece lies on its spot and that the counts are right (QS-X.9)."""
    done = settled_errands(seen.errands, seen.pieces)
    wrong = _miscounted(seen)
    if all(done) and not wrong:
        placed = [e for e in seen.errands if e.at is not None]
        if placed:
            case.rule(
                "QS-X.9",
                say("Put back where it belongs, within {spot_mm:g} mm: play on.", spot_mm=SPOT_MM),
                RulingKind.PLACE,
            )
        return replace(seen, phase=Phase.AIMING, errands=(), said="")
    off = [(e, p) for e, p in misplaced(before, seen.pieces) if e.at is not None]
    said = joined(
        (
            say(
                "{puck} lies {distance_mm:.1f} mm from its spot",
                puck=p.name,
                distance_mm=p.at.distance_mm(e.at),
            )
            for e, p in off
            if e.at
        ),
        "; ",
    )
    if said and said != seen.said:
        case.rule(
            "QS-X.9",
            say("{said}.", said=said),
            RulingKind.REFUSED,
            pieces=tuple(p.name for _, p in off),
        )
    return replace(seen, said=said or seen.said)


def _miscounted(state: State) -> str:
    """Return in words where the pucks on the surface are not those that are counted (section 6)."""
    terms, tally = state.terms, state.tally
    wrong = []
    for side, more in enumerate(_differences(state)):
        if more != state.excused[side]:
            there, colour = tally.counts[side].on + more, terms.colours[side]
            wrong.append(
                say(
                    "{pucks}, but {on} in play",
                    pucks=pucks(there, colour),
                    on=tally.counts[side].on,
                )
            )
    queens = sum(p.kind == QUEEN for p in state.pieces)
    if terms.options.queen == "on" and queens != 1:
        wrong.append(say("no Queen" if queens == 0 else "{queens} Queens", queens=queens))
    return listed(wrong)


def _differences(state: State) -> tuple[int, int]:
    """Return by how many pucks of each side's colour the surface shows more than are counted."""
    more = [
        sum(p.kind == PUCK and p.colour == colour for p in state.pieces) - count.on
        for colour, count in zip(state.terms.colours, state.tally.counts, strict=True)
    ]
    return more[0], more[1]


# -- what people say -------------------------------------------------------------------------


def _declared(case: Case, state: State, fact: Declared) -> State:
    terms = state.terms
    match fact.what:
        case "call":
            return replace(state, called=fact.value)
        case "restored":
            case.rule("QS-X.9", say("The referee has put the table right."), RulingKind.PLACE)
            return replace(
                state, phase=Phase.AIMING, errands=(), said="", excused=_differences(state)
            )
        case "hand":
            seat = terms.seat_named(fact.side) or state.shooter
            if state.phase is Phase.AIMING:
                return _hand_fault(case, state, seat, _depth(fact.value))
        case "disturbed":
            by = terms.seat_named(fact.side)
            piece = state.piece(fact.value)
            errands = (_put_back(state, piece.name, piece.at),) if piece else ()
            return _disturbance(case, state, by, errands, fact.value or say("a puck"))
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


def rule_anew(case: Case, state: State, said: str, fell: Pocketed | None = None) -> State:
    """Rule the last shot anew with what has been said of it, or with a puck that fell late."""
    last = state.last
    if last is None or last.before.shot is None or not isinstance(last.settled, Settled):
        return state
    shot = last.before.shot
    settled = last.settled
    if fell is None:
        shot = replace(shot, calls=(*shot.calls, said))
    else:
        shot = replace(shot, facts=(*shot.facts, fell))
        settled = replace(settled, pieces=tuple(p for p in settled.pieces if p.name != fell.piece))
    case.oracle.known = {**last.known, **case.oracle.known}
    case.waived |= last.waived
    after = play_shot(case, replace(last.before, shot=shot), settled)
    return replace(after, hand=state.hand, pieces=_kept(after, state))


def _kept(after: State, state: State) -> tuple[Piece, ...]:
    """Return the pieces of a shot ruled anew, the cue-puck where it has been brought since."""
    now = {p.name: p for p in state.pieces if p.kind == CUE}
    return tuple(now.get(p.name, p) for p in after.pieces)


def late_fall(case: Case, state: State, fact: Pocketed) -> State:
    """Rule on a puck that fell by itself after the shot (QS-X.14)."""
    last: Ruled | None = state.last
    if last is not None and fact.at_ms - last.at_ms <= LATE_MS and state.hand is None:
        case.rule(
            "QS-X.14",
            say("{piece} fell after the shot by itself: it belongs to the shot.", piece=fact.piece),
            pieces=(fact.piece,),
        )
        return rule_anew(case, state, "", fell=fact)
    piece = state.piece(fact.piece)
    if piece is None or state.phase not in (Phase.AIMING, Phase.SERVICE):
        return state
    case.rule(
        "QS-X.14",
        say(
            "{piece} fell too late to belong to the shot: it is put back on the lip.",
            piece=fact.piece,
        ),
        RulingKind.PLACE,
        pieces=(fact.piece,),
    )
    rest = tuple(p for p in state.pieces if p.name != fact.piece)
    errand = replace(_put_back(state, fact.piece, piece.at), piece=None)
    return replace(state, pieces=rest, phase=Phase.SERVICE, errands=(*state.errands, errand))


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
