"""The orders in which pegs of one frame may have been put in (KS-6.12)."""

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, zip_longest

from rules.facts import Filled
from rules.games.king_square.places import hole_name, side_named
from rules.games.king_square.state import State

MOST_ORDERS = 600


def presumed_orders(state: State, pegs: Sequence[Filled]) -> Iterator[tuple[Filled, ...]]:
    """The orders that alternate, side on turn first; the presumed one, by name, comes first."""
    terms = state.terms
    queue: list[list[Filled]] = []
    seat = state.turn
    for _ in range(terms.sides):
        side = terms.side_of(seat)
        mine = [peg for peg in pegs if side_named(terms, peg.colour) == side]
        queue.append(sorted(mine, key=lambda peg: _by_name(state, peg)))
        seat = terms.after(seat)
    for choice in islice(_products(queue), MOST_ORDERS):
        yield tuple(peg for group in zip_longest(*choice) for peg in group if peg is not None)


def _by_name(state: State, peg: Filled) -> tuple[int, int]:
    name = hole_name(peg.place)
    hole = None if name is None else state.field.hole(name)
    return state.field.by_name(hole) if hole is not None else (99, 99)


def _products(queue: list[list[Filled]]) -> Iterator[list[tuple[Filled, ...]]]:
    if not queue:
        yield []
        return
    for first in permutations(queue[0]):
        for rest in _products(queue[1:]):
            yield [first, *rest]
