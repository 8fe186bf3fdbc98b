"""Quarterback as a `Game`: facts to rulings, rulings to what then stands."""

from collections.abc import Mapping

from rules.benched import BenchedGame
from rules.calls import Called
from rules.facts import Fact
from rules.game import Clause, Setup
from rules.games.quarterback import effects as e
from rules.games.quarterback import state as s
from rules.games.quarterback.bench import Bench
from rules.games.quarterback.book import PLAYERS
from rules.games.quarterback.clauses import CLAUSES
from rules.games.quarterback.names import player_name
from rules.games.quarterback.options import start_state
from rules.games.quarterback.pieces import ATTACK, DEFENCE
from rules.games.quarterback.places import changes_in, place_of
from rules.games.quarterback.scoreboard import scoreboard
from rules.games.quarterback.sight import agreeing, noticed
from rules.games.quarterback.state import State, player_of
from rules.games.quarterback.words import KINDS, words_for
from rules.rulings import Outcome, Ruling, RulingKind, Scoreboard
from rules.said import say


class Quarterback(BenchedGame[State]):
    """The rules of Quarterback."""

    name = "quarterback"
    title = "Quarterback"

    def start(self, setup: Setup) -> State:
        """Before the first set-up. ValueError names what cannot be agreed."""
        return start_state(setup)

    def _bench(self, state: State) -> Bench:
        return Bench(state)

    def _ruling(self, call: Called[State]) -> Ruling:
        return _ruling(call)

    def _standing(self, state: State, fact: Fact, rulings: tuple[Ruling, ...]) -> State:
        stopped = any(isinstance(r.effect, e.Stop) for r in self.judge(state, fact))
        state, _ = noticed(state, changes_in(state, fact))
        for ruling in rulings:
            if ruling.effect is not None:
                state = e.apply(state, ruling.effect)
        if stopped and state.correction is None:
            return agreeing(state)  # what the referee waived is not to be put right
        return state

    def score(self, state: State) -> Mapping[str, int]:
        """Match points (QB-9.4)."""
        return dict(zip(PLAYERS, s.match_points(state), strict=True))

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        ours, theirs = s.match_points(state)
        if ours == theirs:
            drawn = say("The match is drawn, {ours} to {theirs}.", ours=ours, theirs=theirs)
            return Outcome(winner=None, words=drawn)
        winner = int(theirs > ours)
        won = say(
            "{who} wins the match, {most} to {least}.",
            who=player_name(state, winner),
            most=max(ours, theirs),
            least=min(ours, theirs),
        )
        return Outcome(winner=PLAYERS[winner], words=won)

    def scoreboard(self, state: State) -> Scoreboard:
        return scoreboard(state)

    def clauses(self) -> tuple[Clause, ...]:
        return CLAUSES


def _ruling(call: Called[State]) -> Ruling:
    return Ruling(
        code=call.code,
        words=words_for(call),
        kind=KINDS.get(call.verb, RulingKind.NOTE),
        side=_side_concerned(call),
        pieces=_places_concerned(call),
        effect=call.effect,
        call=call.call,
    )


def _side_concerned(call: Called[State]) -> str | None:
    """The player whom a call concerns."""
    state, side = call.before, call.detail.get("side")
    match call.effect:
        case e.Stop(correction=correction):
            side = correction.side
    letter = call.detail.get("mover") or call.detail.get("letter", "")
    if side is None and letter.isalpha():
        side = ATTACK if letter.isupper() else DEFENCE
    if side is None or side in tuple(PLAYERS):
        return side
    player = player_of(state, side)
    return PLAYERS[player]


def _places_concerned(call: Called[State]) -> tuple[str, ...]:
    field = call.before.terms.field
    places = []
    for key in ("start", "to", "square"):
        name = call.detail.get(key, "")
        if name and name[0].isalpha() and name[-1].isdigit():
            place = place_of(field, field.named(name))
            if place not in places:
                places.append(place)
    return tuple(places)
