"""King Square as a `Game`: facts to rulings, rulings to what then stands."""

from collections.abc import Mapping
from functools import lru_cache

from rules.benched import BenchedGame
from rules.calls import Called
from rules.facts import Fact
from rules.game import Clause, Setup
from rules.games.king_square import effects as e
from rules.games.king_square import state as s
from rules.games.king_square.bench import Bench
from rules.games.king_square.clauses import CLAUSES
from rules.games.king_square.options import start_state
from rules.games.king_square.places import place_named, place_of, seats_of
from rules.games.king_square.state import Phase, State
from rules.games.king_square.words import KINDS, players_of, seat_name, win_words, words_for
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


class KingSquare(BenchedGame[State]):
    """The rules of King Square (1955): own the corners of an upright square; five of them win."""

    name = "king_square"
    title = "King Square"

    def start(self, setup: Setup) -> State:
        """The empty field. ValueError names what cannot be agreed."""
        return start_state(setup)

    def _bench(self, state: State) -> Bench:
        return Bench(state)

    def _ruling(self, call: Called[State]) -> Ruling:
        return _ruling(call)

    def _standing(self, state: State, fact: Fact, rulings: tuple[Ruling, ...]) -> State:
        effects = [ruling.effect for ruling in rulings if ruling.effect is not None]
        for effect in effects:
            state = e.apply(state, effect)
        played = any(isinstance(effect, e.Play) for effect in effects)
        return e.without_king(state) if played else state

    def score(self, state: State) -> Mapping[str, int]:
        return dict(zip(s.SIDES, state.score, strict=False))

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.OVER or state.winner is None:
            return None
        score = "-".join(map(str, state.score))
        return Outcome(
            winner=s.SIDES[state.winner],
            words=win_words(state, state.winner, score),
        )

    def scoreboard(self, state: State) -> Scoreboard:
        turn = None if state.due is None else s.SIDES[state.terms.side_of(state.due)]
        return Scoreboard(
            phase=word(str(state.phase)) if state.foul is None else say("foul"),
            headline=_headline(state),
            turn=turn,
            sides=tuple(_side_score(state, side) for side in range(state.terms.sides)),
            tasks=_tasks(state),
            announcements=_announcements(state),
            seat=None if state.due is None else seats_of(state.terms)[state.due - 1],
            marks=_marks(state),
        )

    def clauses(self) -> tuple[Clause, ...]:
        return CLAUSES


def _ruling(call: Called[State]) -> Ruling:
    return Ruling(
        code=call.code,
        words=words_for(call.before, call),
        kind=KINDS.get(call.verb, RulingKind.NOTE),
        side=_side_concerned(call),
        pieces=_holes_concerned(call),
        effect=call.effect,
        call=call.call,
    )


def _side_concerned(call: Called[State]) -> str | None:
    if "side" in call.detail:
        return call.detail["side"]
    if "seat" in call.detail:
        return s.SIDES[call.before.terms.side_of(int(call.detail["seat"]))]
    match call.effect:
        case e.Stop(foul=foul):
            return s.SIDES[call.before.terms.side_of(foul.seat)]
        case _:
            return None


def _holes_concerned(call: Called[State]) -> tuple[str, ...]:
    if "corners" in call.detail:
        return tuple(_place(name) for name in call.detail["corners"].split(", "))
    return (_place(call.detail["hole"]),) if "hole" in call.detail else ()


@lru_cache(maxsize=1024)
def _place(name: str) -> str:
    try:
        return place_named(name)
    except ValueError:
        return name


def _headline(state: State) -> str:
    if state.foul is not None:
        return say("Please put the board right.")
    match state.phase:
        case Phase.BOARD:
            return say("{who} to play.", who=seat_name(state, state.turn))
        case Phase.KING:
            return say("King-Square. Please clear the field.")
        case Phase.VOID:
            return say("No King-Square. Please clear the field.")
        case Phase.CHOOSE:
            return say("The pair that lost says which of them starts.")
        case Phase.OVER:
            return say("The match is over.")


def _side_score(state: State, side: int) -> SideScore:
    left = state.terms.supply[side] - state.pegs[side].bit_count()
    seats = [n for n in range(1, state.terms.seats + 1) if state.terms.side_of(n) == side]
    return SideScore(
        side=s.SIDES[side],
        name=players_of(state, side),
        colour=state.terms.colours[side],
        items=(
            (say("King-Squares"), str(state.score[side])),
            (say("to win"), str(state.terms.target)),
            (say("pegs left"), str(left)),
        ),
        seats=tuple(seats_of(state.terms)[n - 1] for n in seats),
    )


def _tasks(state: State) -> tuple[Task, ...]:
    foul = state.foul
    if foul is not None:
        if foul.extra is not None:
            return (
                Task(
                    words=say("Take the peg out of {hole}.", hole=foul.extra),
                    kind="peg",
                    place=_place(foul.extra),
                    away=True,
                ),
            )
        return tuple(
            Task(
                words=say(
                    "Put the {colour} peg into {hole}.",
                    colour=word(state.terms.colours[side]),
                    hole=state.field.name(hole),
                ),
                kind="peg",
                colour=state.terms.colours[side],
                place=_place(state.field.name(hole)),
            )
            for hole, side in foul.missing
        ) or (
            Task(
                words=say("Set the score board to {score}.", score="-".join(map(str, state.score)))
            ),
        )
    if state.phase in (Phase.KING, Phase.VOID) and state.taken:
        count = state.taken.bit_count()
        return (Task(words=say("Take out the {count} pegs on the field.", count=count)),)
    return ()


def _marks(state: State) -> tuple[Mark, ...]:
    """The completed squares, while they are to be seen, and the last peg."""
    marks = []
    last = state.last
    if last is not None:
        side = s.SIDES[state.terms.side_of(last)]
        marks += [
            Mark(
                kind="square",
                places=tuple(
                    place_of(col, row)
                    for col, row in (
                        (square.col, square.row),
                        (square.col + square.side, square.row),
                        (square.col + square.side, square.row + square.side),
                        (square.col, square.row + square.side),
                    )
                ),
                side=side,
                words=say("King-Square {square}", square=square.name),
            )
            for square in state.kings
        ]
        if state.last_hole is not None and state.taken >> state.last_hole & 1:
            name = state.field.name(state.last_hole)
            words = say("{who} played {hole}", who=seat_name(state, last), hole=name)
            marks.append(Mark(kind="last", places=(_place(name),), side=side, words=words))
    return tuple(marks)


def _announcements(state: State) -> tuple[Announcement, ...]:
    match state.phase:
        case _ if not state.begun:
            return tuple(_start(state, n) for n in range(1, state.terms.seats + 1))
        case Phase.CHOOSE:
            losers = state.terms.side_of(state.turn)
            seats = range(1, state.terms.seats + 1)
            return tuple(_start(state, n) for n in seats if state.terms.side_of(n) == losers)
        case Phase.BOARD:
            give_up = say("Both give up this board")
            return (Announcement(what="agree", words=give_up, value="void"),)
        case _:
            return ()


def _start(state: State, seat: int) -> Announcement:
    words = say("{who} starts", who=seat_name(state, seat))
    return Announcement(what="begin", words=words, value=str(seat))
