"""Q-Square as the engine sees it: facts in, rulings out, and the state that follows."""

from collections.abc import Mapping

from msgspec.structs import replace

from rules.case import Case, Court, Pending
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Placed,
    Pocketed,
    Rebounded,
    Settled,
    SightLost,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Clause, Setup
from rules.games.qsquare.anew import late_fall, rule_anew
from rules.games.qsquare.between import SAID_OF_SHOT, concede, play_between, struck
from rules.games.qsquare.clauses import CLAUSES
from rules.games.qsquare.nudged import was_struck
from rules.games.qsquare.opening import play_opening, play_racking
from rules.games.qsquare.resolve import play_shot
from rules.games.qsquare.show import scoreboard
from rules.games.qsquare.state import (
    Hand,
    Phase,
    Shot,
    State,
    fresh_tally,
    gist,
    lay,
    pend,
)
from rules.games.qsquare.terms import agree
from rules.games.qsquare.words import outlook
from rules.rulings import Outcome, Scoreboard
from rules.said import say
from rules.stroked import StrokedGame

IN_GAME = (Phase.RACKING, Phase.AIMING, Phase.SHOT, Phase.SERVICE, Phase.PENDING_HUMAN)


def noted(state: State, fact: Fact) -> State:
    """Return the state of a running shot with one more fact noted."""
    shot = state.shot
    if shot is None:
        return state
    match fact:
        case (
            Contacted()
            | Cushioned()
            | Travelled()
            | Pocketed()
            | Rebounded()
            | LeftBoard()
            | Unclear()
        ):
            return replace(state, shot=replace(shot, facts=(*shot.facts, fact)))
        case HandEntered(side=side):
            hand = Hand(side=side, began=Phase.SHOT, due=state.shooter)
            hands = (*shot.hands, (side, fact.depth_mm))
            return replace(state, hand=hand, shot=replace(shot, hands=hands))
        case HandLeft():
            return _hand_left(state, shot, fact)
        case SightLost(at_ms=at_ms) if shot.blind_ms is None:
            return replace(state, shot=replace(shot, blind_ms=at_ms))
        case Placed(piece=piece) if piece.name not in state.kinds:
            return replace(state, kinds={**state.kinds, piece.name: (piece.kind, piece.colour)})
    return state


def _hand_left(state: State, shot: Shot, fact: HandLeft) -> State:
    """Complete the hand that entered during the shot: how far it reached, and whose it was."""
    hand = state.hand
    if hand is None or hand.began is not Phase.SHOT or not shot.hands:
        if hand is not None and shot.hands and hand.began is Phase.AIMING:
            whose = fact.side if fact.side is not None else shot.hands[0][0]
            hands = ((whose, fact.depth_mm), *shot.hands[1:])
            return replace(state, hand=None, shot=replace(shot, hands=hands))
        return replace(state, hand=None)
    side, depth = shot.hands[-1]
    whole = (fact.side if fact.side is not None else side, max(depth, fact.depth_mm))
    return replace(state, hand=None, shot=replace(shot, hands=(*shot.hands[:-1], whole)))


def _play(case: Case, state: State, fact: Fact) -> State:
    """Play one fact along one way."""
    if isinstance(fact, HandLeft):
        state = replace(state, hand_left_ms=fact.at_ms)
    if isinstance(fact, Declared):
        said = _said(case, state, fact)
        if said is not None:
            return said
    if isinstance(fact, Unclear) and state.phase not in (Phase.SHOT, Phase.PENDING_HUMAN):
        return _unclear(case, state, fact)
    match state.phase:
        case Phase.SHOT:
            if isinstance(fact, Settled):
                return _no_hand(play_shot(case, state, fact))
            if isinstance(fact, Declared):
                return _said_in_shot(state, fact)
            return noted(state, fact)
        case Phase.AIMING | Phase.SERVICE:
            if isinstance(fact, Settled) and state.nudge is not None:
                return _nudged(case, replace(state, nudge=None), state.nudge, fact)
            return play_between(case, state, fact)
        case Phase.SETUP | Phase.OPENING:
            return play_opening(case, _handled(state, fact), fact)
        case Phase.BREAK_CHOICE | Phase.RACKING:
            if isinstance(fact, Pocketed) and state.last is not None:
                return late_fall(case, state, fact)
            return play_racking(case, _handled(state, fact), fact)
        case Phase.SET_OVER:
            return late_fall(case, state, fact) if isinstance(fact, Pocketed) else state
        case Phase.PENDING_HUMAN | Phase.PAUSED:
            return lay(state, fact.pieces) if isinstance(fact, Settled) else state


def _nudged(case: Case, state: State, nudge: Moved, fact: Settled) -> State:
    """Rule on the table at rest after a small move of the cue-puck, perhaps a stroke."""
    if state.phase is not Phase.AIMING or not was_struck(case, nudge):
        return play_between(case, state, fact)
    strike = Struck(at_ms=nudge.at_ms, piece=nudge.piece, at=nudge.before, by=nudge.by)
    return _no_hand(play_shot(case, struck(case, state, strike), fact))


def _no_hand(state: State) -> State:
    return state if state.hand is None else replace(state, hand=None)


def _handled(state: State, fact: Fact) -> State:
    """Return the state with hands noted that may be there: before play and while racking."""
    match fact:
        case HandEntered(side=side):
            return replace(
                state, hand=Hand(side=side, began=state.phase, due=state.shooter, ruled=True)
            )
        case HandLeft() | Settled():
            return replace(state, hand=None)
    return state


def _said(case: Case, state: State, fact: Declared) -> State | None:
    """Play what may be said at any time; None where it belongs to the phase."""
    match fact.what:
        case "concede" if state.phase in IN_GAME:
            side = state.terms.side_named(fact.side)
            return state if side is None or side < 0 else concede(case, state, side)
        case "pause" if state.phase is not Phase.PAUSED:
            return replace(state, phase=Phase.PAUSED, resume=state.phase)
        case "resume" if state.phase is Phase.PAUSED and state.resume is not None:
            return replace(state, phase=state.resume, resume=None)
        case what if state.phase in (Phase.RACKING, Phase.SET_OVER) and what in SAID_OF_SHOT:
            return rule_anew(case, state, f"{what} {fact.value}".strip())
    return None


def _said_in_shot(state: State, fact: Declared) -> State:
    shot = state.shot
    if shot is None:
        return state
    match fact.what:
        case "hand":
            seat = state.terms.seat_named(fact.side) or state.shooter
            return replace(state, shot=replace(shot, hands=(*shot.hands, (seat, 999.0))))
        case "spoiled" if fact.value == "replay":
            return replace(state, shot=replace(shot, calls=(*shot.calls, "replay")))
        case what if what in SAID_OF_SHOT:
            said = f"{what} {fact.value}".strip()
            return replace(state, shot=replace(shot, calls=(*shot.calls, said)))
    return state


def _unclear(case: Case, state: State, fact: Unclear) -> State:
    """Play, between shots, what one answer to an unclear sight says has happened."""
    for told in case.told(fact):
        if not isinstance(told, Unclear):
            state = _play(case, state, told)
    return state


class QSquare(StrokedGame[State]):
    """The rules of Q-Square (docs/games/qsquare.md). `judge` and `advance` never raise."""

    name = "qsquare"
    title = "Q-Square"
    court = Court(close="QS-X.19", play=_play, gist=gist, outlook=outlook, pend=pend)

    def start(self, setup: Setup) -> State:
        """Return the state before a match; ValueError where the set-up breaks a clause."""
        terms = agree(setup)
        return State(terms=terms, phase=Phase.SETUP, tally=fresh_tally(terms, terms.seats[0]))

    def score(self, state: State) -> Mapping[str, int]:
        """Return the games won by each side."""
        return dict(zip(state.terms.sides, state.tally.games, strict=True))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, None while it goes on."""
        winner, terms = state.tally.winner, state.terms
        if winner is None or state.phase is not Phase.SET_OVER:
            return None
        games = state.tally.games
        return Outcome(
            winner=terms.sides[winner],
            words=say(
                "{team} win the match, {games} to {others}."
                if terms.four
                else "{team} wins the match, {games} to {others}.",
                team=terms.team(winner),
                games=games[winner],
                others=games[1 - winner],
            ),
        )

    def scoreboard(self, state: State) -> Scoreboard:
        """Return what a page says of the state."""
        return scoreboard(state)

    def clauses(self) -> tuple[Clause, ...]:
        """Return every clause of the rulebook."""
        return CLAUSES

    def _noted(self, state: State, fact: Fact) -> State:
        return noted(state, fact)

    def _pending(self, state: State) -> Pending[State] | None:
        return state.pending
