"""Carrom as the engine sees it: facts in, rulings out, and the state that follows."""

import dataclasses
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
    Removed,
    Settled,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Clause, Setup
from rules.games.carrom.between import (
    SAID_OF_STRIKE,
    concede,
    late_fall,
    play_between,
    rule_anew,
    said_breach,
    spoken,
)
from rules.games.carrom.clauses import CLAUSES
from rules.games.carrom.opening import play_opening
from rules.games.carrom.resolve import play_strike
from rules.games.carrom.show import scoreboard
from rules.games.carrom.state import Phase, State, Tally, gist, pend
from rules.games.carrom.terms import agree
from rules.games.carrom.timing import set_clock, tick, ticks, too_late
from rules.games.carrom.unseen_strike import supposed
from rules.games.carrom.words import outlook, score, won_match
from rules.rulings import Outcome, Scoreboard
from rules.said import say
from rules.stroked import StrokedGame

OPENING = (Phase.SETUP, Phase.TOSS, Phase.CHOICE, Phase.RACKING)
OVER = (Phase.MATCH_OVER, Phase.PAUSED)


def noted(state: State, fact: Fact) -> State:
    """Return the state of a running strike with one more fact noted."""
    stroke = state.stroke
    if stroke is None:
        return state
    match fact:
        case (
            Contacted()
            | Cushioned()
            | Travelled()
            | Pocketed()
            | LeftBoard()
            | Moved()
            | Removed()
            | Unclear()
        ):
            return replace(state, stroke=replace(stroke, facts=(*stroke.facts, fact)))
        case HandEntered(side=side):
            return replace(state, hand=side)
        case HandLeft():
            return replace(state, hand=None)
        case Placed(piece=piece) if piece.name not in state.kinds:
            return replace(state, kinds={**state.kinds, piece.name: (piece.kind, piece.colour)})
    return state


def _play(case: Case, state: State, fact: Fact) -> State:
    """Play one fact along one way."""
    if isinstance(fact, HandLeft):
        state = replace(state, hand_left_ms=fact.at_ms)
    if ticks(state, fact):
        state = tick(case, state, fact)
        if isinstance(fact, Struck) and state.tally.queen_phase and state.errands:
            return too_late(case, state)
    if isinstance(fact, Declared):
        said = _said(case, state, fact)
        if said is not None:
            return said
    if isinstance(fact, Unclear) and state.phase not in (Phase.IN_MOTION, Phase.PENDING_HUMAN):
        for told in supposed(case, state, fact):
            if not isinstance(told, Unclear):
                state = _play(case, state, told)
        return state
    match state.phase:
        case Phase.SETUP | Phase.TOSS | Phase.CHOICE | Phase.RACKING:
            if isinstance(fact, Pocketed):
                return late_fall(case, state, fact)
            return play_opening(case, state, fact)
        case Phase.STRIKE_DUE | Phase.PLACING:
            return play_between(case, state, fact)
        case Phase.IN_MOTION:
            if isinstance(fact, Settled):
                return play_strike(case, state, fact)
            if isinstance(fact, Declared):
                return _said_in_motion(state, fact)
            return noted(state, fact)
        case Phase.PENDING_HUMAN:
            return replace(state, pieces=fact.pieces) if isinstance(fact, Settled) else state
        case Phase.MATCH_OVER:
            return late_fall(case, state, fact) if isinstance(fact, Pocketed) else state
    return state


def _said(case: Case, state: State, fact: Declared) -> State | None:
    """Play what may be said at any time; None where it belongs to the phase."""
    match fact.what:
        case "concede" if state.phase not in (Phase.SETUP, Phase.IN_MOTION, *OVER):
            team = state.terms.team_named(fact.side)
            if team is None or team < 0:
                return state
            return concede(case, state, team, fact.value, fact.at_ms)
        case "pause" if state.phase is not Phase.PAUSED and state.phase is not Phase.MATCH_OVER:
            held = set_clock(state, dataclasses.replace(fact, value="stop"))
            by_pause = held.clock is not state.clock
            return replace(held, phase=Phase.PAUSED, resume=state.phase, clock_held=by_pause)
        case "resume" if state.phase is Phase.PAUSED and state.resume is not None:
            on = replace(state, phase=state.resume, resume=None, clock_held=False)
            return (
                set_clock(on, dataclasses.replace(fact, value="start")) if state.clock_held else on
            )
        case "clock" if state.phase not in OVER:
            state = set_clock(state, fact)
            return tick(case, state, fact)
        case what if what in SAID_OF_STRIKE and state.phase in (*OPENING, Phase.MATCH_OVER):
            return rule_anew(case, state, spoken(state, fact))
    return None


def _said_in_motion(state: State, fact: Declared) -> State:
    """Note what is said of a strike, or of a breach, while it is running."""
    stroke = state.stroke
    if stroke is None:
        return state
    if fact.what in SAID_OF_STRIKE:
        call = spoken(state, fact)
        return (
            replace(state, stroke=replace(stroke, calls=(*stroke.calls, call))) if call else state
        )
    found = said_breach(state, fact)
    if found is None:
        return state
    return replace(state, stroke=replace(stroke, breaches=(*stroke.breaches, found)))


class Carrom(StrokedGame[State]):
    """The rules of carrom for two teams (docs/games/carrom.md). Judging never raises."""

    name = "carrom"
    title = "Carrom"
    court = Court(close="CR-X.23", play=_play, gist=gist, outlook=outlook, pend=pend)

    def start(self, setup: Setup) -> State:
        """Return the state before a match; ValueError where the set-up breaks a clause."""
        terms = agree(setup)
        first = terms.seats[0]
        return State(terms=terms, phase=Phase.SETUP, tally=Tally(to_strike=first, breaker=first))

    def score(self, state: State) -> Mapping[str, int]:
        """Return the points of each team in this game or, in a longer match, the games won."""
        tally = state.tally
        one = state.terms.options.best_of == "1"
        return dict(zip(state.terms.sides, tally.points if one else tally.games, strict=True))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended, None while it goes on."""
        winner, terms = state.tally.winner, state.terms
        if winner is None or state.phase is not Phase.MATCH_OVER:
            return None
        tally = state.tally
        return Outcome(
            winner=terms.sides[winner],
            words=say(
                "{won}. Points of the last game: {score}."
                if terms.options.best_of == "1"
                else "{won}, {most} to {fewest}. Points of the last game: {score}.",
                won=won_match(terms, winner),
                most=max(tally.games),
                fewest=min(tally.games),
                score=score(terms, tally.points),
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
