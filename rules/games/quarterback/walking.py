"""A whole move: step after step, up to the first that is not legal or ends the half."""

from collections.abc import Container
from itertools import pairwise

from msgspec import Struct

from rules.games.quarterback.legality import quarry_of, refusal
from rules.games.quarterback.making import make
from rules.games.quarterback.pieces import MOVEMENT
from rules.games.quarterback.steps import Made, Manner, Position, Refused
from rules.games.quarterback.terms import Terms


class Walked(Struct, frozen=True):
    """A legal move: the position and events after each of its steps. The last may end the half."""

    squares: tuple[int, ...]
    made: tuple[Made, ...]

    @property
    def ended(self) -> bool:
        return self.made[-1].ended

    @property
    def end(self) -> int:
        """Where the mover stands, a tackling step included."""
        return self.squares[-1]


def walk(
    terms: Terms,
    at: Position,
    letter: str,
    squares: tuple[int, ...],
    left: int,
    *,
    seen: bool = True,
    displaced: Container[int] = (),
) -> Walked | Refused:
    """A move along squares, the first being where it starts; or why its first bad step is bad.

    `left` are the steps that the piece has. Squares off the field are below 0.
    """
    made: list[Made] = []
    quarry = quarry_of(terms, at, letter, squares[-1])
    for n, (start, to) in enumerate(pairwise(squares), start=1):
        if to < 0:
            return Refused("off-board", "QB-3.5", start, to)
        step = next((s for s in terms.field.steps[start] if s.to == to), None)
        if step is None:
            return Refused("not-a-step", "QB-3.5", start, to)
        if n > left:
            code = MOVEMENT[letter.upper()]
            return Refused("too-far", code, start, to, letter=letter, steps=left)
        how = Manner(n == len(squares) - 1, seen, displaced, quarry)
        found = refusal(terms, at, letter, start, step, how)
        if found is not None:
            return found
        after = make(terms, at, letter, start, step, how)
        made.append(after)
        if after.ended:
            return Walked(squares[: n + 1], tuple(made))
        at = after.position
    return Walked(squares, tuple(made))
