"""A game small enough to be judged by eye: every pocketed piece is a point for whose turn it is.

T-1 a point, T-2 the turn passes, T-3 is a piece lying over the line x = 0 (asked where too close;
T-3 or T-4 after the answer, and where it also lies near y = 0 a second question follows), T-5 one
note for each border of a hand, T-6 the end at `goal` points. A Declared "burst" is a fault of the
game's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.board import Board
from rules.facts import Declared, Fact, HandEntered, Piece, Pocketed, Settled
from rules.game import Clause, Setup
from rules.rulings import (
    Answer,
    Outcome,
    Question,
    Ruling,
    RulingKind,
    Scoreboard,
    SideScore,
    Standing,
)

SIDES = ("A", "B")
BOARD = Board(
    game="toy", name="toy", width_mm=100, height_mm=100, border_width_mm=10, border_height_mm=10
)
SETUP = Setup(game="toy", board=BOARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyState:
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    goal: int = 1000
    asked: Piece | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    side: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    pass


class Toy:
    name = "toy"
    title = "Toy"

    def start(self, setup: Setup) -> ToyState:
        goal = setup.options.get("goal", "1000")
        if not goal.isdecimal():
            raise ValueError(f"option goal: expected a number, got {goal!r}")
        return ToyState(goal=int(goal))

    def judge(self, state: ToyState, fact: Fact) -> tuple[Ruling, ...]:
        match fact:
            case Pocketed(piece=piece):
                won = (_ends(state.turn),) if state.points[state.turn] + 1 == state.goal else ()
                return (_point(state.turn, 1, piece), *won)
            case Declared(what="pass"):
                return (Ruling(code="T-2", words="the turn passes", effect=Pass()),)
            case Declared(what="burst"):
                raise ZeroDivisionError("the toy burst")
            case HandEntered(side=side):
                notes = (None,) if side is None else (None, side)
                return tuple(Ruling(code="T-5", words=f"hand from {s}") for s in notes)
            case Settled(pieces=pieces):
                rulings: tuple[Ruling, ...] = ()
                for piece in pieces:
                    if abs(piece.at.x_mm) < piece.error_mm:
                        return (*rulings, _asks("x", piece))
                    if piece.at.x_mm >= 0:
                        rulings = (*rulings, _over(state.turn, piece))
                return rulings
        return ()

    def advance(self, state: ToyState, fact: Fact, rulings: tuple[Ruling, ...]) -> ToyState:
        state = replace(state, asked=None)
        for ruling in rulings:
            match ruling.effect:
                case Gain(side=side, points=gained):
                    points = list(state.points)
                    points[side] += gained
                    state = replace(state, points=(points[0], points[1]))
                case Pass():
                    state = replace(state, turn=1 - state.turn)
                case Piece() as piece:
                    state = replace(state, asked=piece)
        return state

    def answer(self, state: ToyState, question: str, answer: str) -> tuple[Ruling, ...]:
        piece = state.asked
        if piece is None:
            return ()
        if question == "x" and answer == "yes" and abs(piece.at.y_mm) < piece.error_mm:
            return (_asks("y", piece),)
        if answer == "yes":
            return (_over(state.turn, piece),)
        return (Ruling(code="T-4", words=f"{piece.name} is not over the line"),)

    def score(self, state: ToyState) -> Mapping[str, int]:
        return dict(zip(SIDES, state.points, strict=True))

    def outcome(self, state: ToyState) -> Outcome | None:
        for side, points in zip(SIDES, state.points, strict=True):
            if points >= state.goal:
                return Outcome(winner=side, words=f"{side} wins")
        return None

    def scoreboard(self, state: ToyState) -> Scoreboard:
        return Scoreboard(
            phase="asked" if state.asked else "play",
            headline=f"{SIDES[state.turn]} to play",
            turn=SIDES[state.turn],
            sides=tuple(
                SideScore(side=s, name=s, colour="", items=(("points", str(p)),))
                for s, p in zip(SIDES, state.points, strict=True)
            ),
        )

    def clauses(self) -> tuple[Clause, ...]:
        return tuple(
            Clause(code=f"T-{n}", section="toy", words="see the module") for n in range(1, 7)
        )


def _point(side: int, points: int, piece: str) -> Ruling:
    return Ruling(
        code="T-1",
        words=f"{SIDES[side]} +{points}",
        kind=RulingKind.POCKET,
        side=SIDES[side],
        pieces=(piece,),
        effect=Gain(side=side, points=points),
    )


def _over(side: int, piece: Piece) -> Ruling:
    return Ruling(
        code="T-3",
        words=f"{piece.name} is over the line",
        side=SIDES[side],
        pieces=(piece.name,),
        effect=Gain(side=side, points=10),
    )


def _ends(side: int) -> Ruling:
    return Ruling(code="T-6", words=f"{SIDES[side]} wins", kind=RulingKind.WIN)


def _asks(key: str, piece: Piece) -> Ruling:
    return Ruling(
        code="T-3",
        words=f"is {piece.name} over the line?",
        kind=RulingKind.QUESTION,
        standing=Standing.OPEN,
        pieces=(piece.name,),
        margin_mm=piece.at.x_mm,
        error_mm=piece.error_mm,
        question=Question(
            key=key,
            words=f"is {piece.name} over {key} = 0, seen at {piece.at.x_mm} mm?",
            answers=(Answer(key="yes", words="yes"), Answer(key="no", words="no")),
            piece=piece.name,
        ),
        effect=piece,
    )
