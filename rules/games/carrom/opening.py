"""Before the first strike of a game: the agreement, the toss, who breaks, the rack."""

from msgspec.structs import replace

from rules.case import Case
from rules.facts import Declared, Fact, HandEntered, HandLeft, Settled, Struck
from rules.games.carrom.ends import new_board
from rules.games.carrom.ground import STRIKER
from rules.games.carrom.racking import accept_rack, set_rack
from rules.games.carrom.state import Phase, State, laid
from rules.games.carrom.terms import PIECES
from rules.rulings import RulingKind
from rules.said import say

EARLY = say(
    "A strike before the rack was accepted is not judged. If the rack was good, "
    "say so before this strike."
)
TURN = RulingKind.TURN
MOST_LEFT = 2 + PIECES  # of a board that is over: the striker, the queen and one side's men


def play_opening(case: Case, state: State, fact: Fact) -> State:
    """Play a fact before or between boards."""
    state = _handled(state, fact)
    match fact:
        case Settled(pieces=pieces):
            state = laid(state, pieces)
            return set_rack(case, state) if state.phase is Phase.RACKING else state
        case Declared(what="agreed"):
            return _agreed(case, state)
        case Declared(what="toss", side=side) if state.phase in (Phase.SETUP, Phase.TOSS):
            winner = state.terms.team_named(side)
            return state if winner is None else _tossed(case, _agreed(case, state), winner)
        case Declared(what="break", side=side) if state.phase is Phase.CHOICE:
            return _chosen(case, state, side)
        case Declared(what="breaker", side=side) if state.phase is Phase.RACKING:
            return _other_member(case, state, side)
        case Declared(what="rack accepted") if state.phase is Phase.RACKING:
            return accept_rack(case, state)
        case Struck(piece=name, dragged=False) if state.phase is Phase.RACKING:
            return _too_early(case, state, name)
    return state


def _handled(state: State, fact: Fact) -> State:
    match fact:
        case HandEntered(side=side):
            return replace(state, hand=side)
        case HandLeft() | Settled():
            return replace(state, hand=None)
    return state


def _agreed(case: Case, state: State) -> State:
    """State what was agreed, once."""
    if state.phase is not Phase.SETUP:
        return state
    terms = state.terms
    if terms.pairs:
        case.rule(
            "CR-1.1",
            say(
                "Two teams of two: {team} against {others}.",
                team=terms.team(0),
                others=terms.team(1),
            ),
        )
        case.rule("CR-2.1", say("Partners sit opposite each other."))
    return replace(state, phase=Phase.TOSS)


def _tossed(case: Case, state: State, winner: int) -> State:
    terms = state.terms
    case.rule("CR-5.1", say("Toss before game {game}.", game=state.tally.game))
    case.rule(
        "CR-6.1",
        say(
            "{team} win the toss and choose: strike first, or give it away."
            if terms.pairs
            else "{team} wins the toss and chooses: strike first, or give it away.",
            team=terms.team(winner),
        ),
        TURN,
        side=terms.sides[winner],
    )
    return replace(state, phase=Phase.CHOICE, toss=winner)


def _chosen(case: Case, state: State, side: str | None) -> State:
    """Record who breaks; the breaker's team has white (CR-6.1, CR-9.1)."""
    terms = state.terms
    breaker = terms.seat_named(side)
    if breaker is None:
        return state
    team = terms.team_at(breaker)
    given = state.toss is not None and team != state.toss
    case.rule(
        "CR-6.1",
        say(
            "The first strike is given away: {who} strikes first."
            if given
            else "{who} strikes first.",
            who=terms.who(breaker),
        ),
        TURN,
        side=terms.sides[team],
    )
    case.rule(
        "CR-9.1",
        say("{team} play white." if terms.pairs else "{team} plays white.", team=terms.team(team)),
        side=terms.sides[team],
    )
    board = state.tally.board
    tally = replace(new_board(state.tally, breaker, team), board=board)
    return set_rack(
        case, replace(state, phase=Phase.RACKING, tally=tally, said="", last=None), quiet=True
    )


def _other_member(case: Case, state: State, side: str | None) -> State:
    """The partner breaks instead, before the first break of a game (CR-6.1)."""
    terms, tally = state.terms, state.tally
    breaker = terms.seat_named(side)
    if breaker is None or terms.team_at(breaker) != tally.white or tally.board > 1:
        return state
    case.rule(
        "CR-6.1",
        say("{who} strikes first.", who=terms.who(breaker)),
        TURN,
        side=terms.sides[tally.white],
    )
    return replace(state, tally=replace(tally, breaker=breaker, to_strike=breaker))


def _too_early(case: Case, state: State, name: str) -> State:
    """Say, once, that a strike before the rack was accepted is not judged."""
    if state.kind_of(name)[0] != STRIKER or state.hand is not None or state.said == EARLY:
        return state
    if len(state.pieces) <= MOST_LEFT:
        return state  # a hand clears the surface
    case.rule("CR-7.1", EARLY, RulingKind.REFUSED)
    return replace(state, said=EARLY)
