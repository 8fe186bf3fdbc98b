"""Squarin' Off as a `Game`: facts to rulings, rulings to what then stands."""

from collections.abc import Mapping
from functools import cache

from rules.benched import BenchedGame
from rules.calls import Called
from rules.facts import Fact
from rules.game import Clause, Setup
from rules.games.squarin_off import effects as e
from rules.games.squarin_off import state as s
from rules.games.squarin_off.bench import Bench
from rules.games.squarin_off.clauses import CLAUSES
from rules.games.squarin_off.grid import (
    SIDES,
    groove_name,
    groove_named,
    members,
    square_name,
    square_named,
    values_of,
)
from rules.games.squarin_off.options import start_state
from rules.games.squarin_off.places import place_of_groove, place_of_square, real_colour, seats_of
from rules.games.squarin_off.state import State
from rules.games.squarin_off.words import (
    KINDS,
    colour_name,
    players_of,
    seat_name,
    shared_win,
    words_for,
)
from rules.rulings import (
    Announcement,
    Mark,
    Outcome,
    Ruling,
    RulingKind,
    Scoreboard,
    SideScore,
    Task,
)
from rules.said import say, word


class SquarinOff(BenchedGame[State]):
    """The rules of Squarin' Off: lay the fourth stick of a square to own it; most points win."""

    name = "squarin_off"
    title = "Squarin' Off"

    def start(self, setup: Setup) -> State:
        """The empty board. ValueError names what cannot be agreed."""
        return start_state(setup)

    def _bench(self, state: State) -> Bench:
        return Bench(state)

    def _ruling(self, call: Called[State]) -> Ruling:
        return _ruling(call)

    def _standing(self, state: State, fact: Fact, rulings: tuple[Ruling, ...]) -> State:
        for ruling in rulings:
            if ruling.effect is not None:
                state = e.apply(state, ruling.effect)
        return e.without_closings(state)

    def score(self, state: State) -> Mapping[str, int]:
        return {name: points for name, points, _ in s.side_totals(state)}

    def outcome(self, state: State) -> Outcome | None:
        if not state.over:
            return None
        totals = s.side_totals(state)
        best = max(points for _, points, _ in totals)
        winners = [side for side in totals if side[1] == best]
        if state.terms.more_squares:
            most = max(count for _, _, count in winners)
            winners = [side for side in winners if side[2] == most]
        names = [players_of(state, name) for name, _, _ in winners]
        if len(winners) > 1:
            return Outcome(winner=None, words=shared_win(names))
        return Outcome(
            winner=winners[0][0],
            words=say(
                "{who} win with {best} points."
                if " and " in names[0]
                else "{who} wins with {best} points.",
                who=names[0],
                best=best,
            ),
        )

    def scoreboard(self, state: State) -> Scoreboard:
        turn = None
        if not state.over:
            turn = state.terms.side_of(state.colour_on_turn)
        return Scoreboard(
            phase=_phase(state),
            headline=_headline(state),
            turn=turn,
            sides=tuple(
                SideScore(
                    side=name,
                    name=players_of(state, name),
                    colour=real_colour(state.terms, name[0]),
                    items=(
                        (say("points"), str(points)),
                        (say("squares"), str(count)),
                        (say("blockers left"), _blockers(state, name)),
                    ),
                    seats=tuple(
                        seat
                        for seat, colour in zip(
                            seats_of(state.terms), state.terms.seats, strict=True
                        )
                        if colour in name
                    ),
                )
                for name, points, count in s.side_totals(state)
            ),
            tasks=_tasks(state),
            announcements=()
            if state.begun
            else tuple(
                Announcement(
                    what="draw", words=say("{who} begins", who=seat_name(state, n)), value=str(n)
                )
                for n in range(1, len(state.terms.seats) + 1)
            ),
            seat=None if state.over else seats_of(state.terms)[state.turn - 1],
            marks=_marks(state),
        )

    def clauses(self) -> tuple[Clause, ...]:
        return CLAUSES


_THINGS = {"stick": say("stick"), "chip": say("chip"), "blocker": say("blocker")}


def _ruling(call: Called[State]) -> Ruling:
    return Ruling(
        code=call.code,
        words=words_for(call),
        kind=KINDS.get(call.verb, RulingKind.NOTE),
        side=_side_concerned(call),
        pieces=_places_concerned(call),
        effect=call.effect,
        call=call.call,
        private=call.verb == "MISSED",
    )


def _side_concerned(call: Called[State]) -> str | None:
    seats = call.before.terms.seats
    if "colour" in call.detail:
        colour = call.detail["colour"]
    elif "seat" in call.detail and int(call.detail["seat"]) <= len(seats):
        colour = seats[int(call.detail["seat"]) - 1]
    else:
        return None
    return call.before.terms.side_of(colour)


def _places_concerned(call: Called[State]) -> tuple[str, ...]:
    names = [call.detail[key] for key in ("groove", "square", "place") if key in call.detail]
    return tuple(map(_place, names))


@cache
def _place(name: str) -> str:
    if name[-1] in "nesw":
        return place_of_groove(groove_named(name))
    return place_of_square(square_named(name))


def _phase(state: State) -> str:
    if state.foul:
        return say("foul")
    if state.over:
        return say("over")
    return say("blocker" if state.owes else "play")


def _headline(state: State) -> str:
    if state.foul is not None:
        return say("Please put the board right.")
    if state.over:
        return say("The game is over.")
    if state.owes is not None:
        return _words_owed(state, state.owes)
    who = seat_name(state, state.turn)
    return say("{who} plays on." if state.fresh else "{who} to play.", who=who)


def _words_owed(state: State, square: int) -> str:
    who = seat_name(state, state.turn)
    return say("{who} owes a stick beside {square}.", who=who, square=square_name(square))


def _blockers(state: State, side: str) -> str:
    seats = state.terms.seats
    return "+".join(
        str(left) for left, colour in zip(state.left, seats, strict=True) if colour in side
    )


def _tasks(state: State) -> tuple[Task, ...]:
    foul = state.foul
    if foul is None:
        bare = members(state.completed & ~state.marked & ~state.nobody)
        return tuple(
            Task(
                words=say(
                    "Put a {colour} chip on {square}.",
                    colour=word(colour),
                    square=square_name(square),
                ),
                kind="chip",
                colour=colour,
                place=place_of_square(square),
            )
            for square in bare
            for colour in (real_colour(state.terms, state.owner(square) or ""),)
        )
    if foul.extra is not None:
        return (
            Task(
                words=say(
                    "Take the {thing} off {place}.",
                    thing=_THINGS[foul.extra[0]],
                    place=_name(*foul.extra),
                ),
                kind=foul.extra[0],
                place=_place(_name(*foul.extra)),
                away=True,
            ),
        )
    if foul.missing is not None:
        kind, colour, at = foul.missing
        thing = _THINGS[kind]
        if colour:
            thing = say("{colour} chip", colour=colour_name(state, colour))
        return (
            Task(
                words=say("Put the {thing} back on {place}.", thing=thing, place=_name(kind, at)),
                kind=kind,
                colour=real_colour(state.terms, colour) if colour else "",
                place=_place(_name(kind, at)),
            ),
        )
    return ()


def _marks(state: State) -> tuple[Mark, ...]:
    """One mark for what each square counts and whose it is; the last stick; where one is owed."""
    values = values_of(state.terms.layout)
    owners = {
        square: (colour, state.terms.side_of(colour))
        for colour, mine in zip(state.terms.colours, state.owned, strict=True)
        for square in members(mine)
    }
    marks = []
    for square, worth in enumerate(values):
        name = square_name(square)
        colour, side = owners.get(square, ("", None))
        if side is not None:
            words = say(
                "{square}: {colour}, {worth}",
                square=name,
                colour=colour_name(state, colour),
                worth=worth,
            )
            kind = "owned"
        elif state.blocked >> square & 1:
            kind, words = "blocked", say("{square}: blocked, {worth}", square=name, worth=worth)
        else:
            kind, words = "open", say("{square}: {worth}", square=name, worth=worth)
        places = (place_of_square(square),)
        marks.append(Mark(kind=kind, places=places, side=side, label=str(worth), words=words))
    if state.newest is not None and state.sticks >> state.newest[0] & 1:
        groove, seat = state.newest
        side = state.terms.side_of(state.terms.seats[seat - 1])
        words = say("{who} played {groove}", who=seat_name(state, seat), groove=groove_name(groove))
        places = (place_of_groove(groove),)
        marks.append(Mark(kind="last", places=places, side=side, words=words))
    return (*marks, *_owed(state))


def _owed(state: State) -> tuple[Mark, ...]:
    """The grooves that a stick is owed on: those still open beside this turn's blocker."""
    if state.owes is None or state.over or state.terms.stick_anywhere:
        return ()
    side = state.terms.side_of(state.colour_on_turn)
    words = _words_owed(state, state.owes)
    return tuple(
        Mark(kind="owed", places=(place_of_groove(groove),), side=side, words=words)
        for groove in SIDES[state.owes]
        if not state.sticks >> groove & 1
    )


def _name(kind: str, at: int) -> str:
    return groove_name(at) if kind == "stick" else square_name(at)
