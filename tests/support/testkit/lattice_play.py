"""Games of pegs, sticks and pieces played from their rulebooks' own lines, and their logs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules.board import Board
from rules.decisions import Decision
from rules.engine import Fold
from rules.facts import Fact
from rules.game import Entry, Game, Setup
from rules.games.king_square import transcript as king_square_lines
from rules.games.king_square.game import KingSquare
from rules.games.quarterback import transcript as quarterback_lines
from rules.games.quarterback.game import Quarterback
from rules.games.squarin_off import transcript as squarin_off_lines
from rules.games.squarin_off.game import SquarinOff
from rules.rulings import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeGame:
    """One game on a bare board: `read` makes a fact of a line, `write` a line of rulings."""

    game: Game[Any]
    board: Board
    read: Callable[[str, Any], Fact]
    write: Callable[[tuple[Ruling, ...]], str]

    def setup(self, **options: str) -> Setup:
        return Setup(game=self.game.name, board=self.board, options=options)

    def start(self, **options: str) -> Any:
        return self.game.start(self.setup(**options))

    def put(self, state: Any, fact: Fact) -> tuple[Any, tuple[Ruling, ...]]:
        """Return the state after a fact, and its rulings."""
        rulings = self.game.judge(state, fact)
        return self.game.advance(state, fact, rulings), rulings

    def play(self, state: Any, *lines: str) -> tuple[Any, list[str]]:
        """Return the state after facts told in lines, and what was ruled of each."""
        said = []
        for line in lines:
            state, rulings = self.put(state, self.read(line, state))
            said.append(self.write(rulings))
        return state, said

    def log(self, *lines: str, **options: str) -> "Log":
        """Return the log of a match to which these lines were told."""
        log = Log(self, Fold(self.game, self.setup(**options)))
        log.tell(*lines)
        return log


@dataclass(frozen=True, slots=True)
class Log:
    """A match with its referee; entries have the seqs 1, 2, 3, …"""

    of: LatticeGame
    fold: Fold[Any]

    def tell(self, *lines: str) -> None:
        for line in lines:
            self.enter(self.fact(line))

    def fact(self, line: str) -> Fact:
        return self.of.read(line, self.fold.state)

    def enter(self, body: Fact | Decision) -> None:
        seq = len(self.fold.entries) + 1
        self.fold.append(Entry(seq=seq, at_ms=0.0, body=body))

    def said(self) -> list[str]:
        """Return what stands of each fact, in the order in which the facts are judged."""
        assert not [step.fault for step in self.fold.steps if step.fault]
        return [self.of.write(step.rulings) for step in self.fold.steps]


def bare(game: str, width_mm: float, height_mm: float) -> Board:
    return Board(
        game=game,
        name="",
        width_mm=width_mm,
        height_mm=height_mm,
        border_width_mm=0,
        border_height_mm=0,
    )


KING_SQUARE = LatticeGame(
    game=KingSquare(),
    board=bare("king_square", 300, 300),
    read=lambda line, state: king_square_lines.read_fact(line, state.terms),
    write=king_square_lines.write_rulings,
)
SQUARIN_OFF = LatticeGame(
    game=SquarinOff(),
    board=bare("squarin_off", 400, 400),
    read=lambda line, state: squarin_off_lines.read_fact(line, state.terms),
    write=squarin_off_lines.write_rulings,
)
QUARTERBACK = LatticeGame(
    game=Quarterback(),
    board=bare("quarterback", 460, 660),
    read=lambda line, state: quarterback_lines.read_fact(line, state),
    write=quarterback_lines.write_rulings,
)
