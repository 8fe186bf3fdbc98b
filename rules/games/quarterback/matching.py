"""What is gone from one square matched with what has come to another: who was moved where."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice, permutations, product

from msgspec import Struct

from rules.games.quarterback.state import Change, Displaced, State

MOST_MOVED = 4
"""More pieces displaced at once are no moves: the board was knocked."""

MOST_PAIRINGS = 24


class Matched(Struct, frozen=True):
    """What was displaced, and what is only gone or only come so far."""

    displaced: tuple[Displaced, ...]
    lone: tuple[Change, ...]


def matchings(
    state: State, changes: Sequence[Change], fresh: Collection[Change] = ()
) -> Iterator[Matched]:
    """Ways to match what is gone with what has come, the likeliest first (shortest ways).

    What is `fresh` is matched with what is fresh too, before anything that has waited.
    """
    gone: dict[str, list[int]] = {}
    come: dict[str, list[int]] = {}
    for change in changes:
        (come if change.came else gone).setdefault(change.letter, []).append(change.square)
    for letter, squares in come.items():
        missing = len(squares) - len(gone.get(letter, ()))
        covered = [sq for sq, under in state.under if under == letter and state.grid[sq] == letter]
        if missing > 0 and covered:
            gone.setdefault(letter, []).extend(covered[:missing])
    ways = [
        list(islice(_pairs(state, letter, gone[letter], come[letter], fresh), MOST_PAIRINGS))
        for letter in gone
        if letter in come
    ]
    for choice in islice(product(*ways), MOST_PAIRINGS):
        displaced = tuple(each for pairs in choice for each in pairs)
        starts = {(each.letter, each.start) for each in displaced}
        ends = {(each.letter, each.end) for each in displaced}
        lone = tuple(
            change
            for change in changes
            if (change.letter, change.square) not in (ends if change.came else starts)
        )
        yield Matched(displaced, lone)


def _pairs(
    state: State, letter: str, gone: list[int], come: list[int], fresh: Collection[Change]
) -> Iterator[tuple[Displaced, ...]]:
    field = state.terms.field

    def order(square: int) -> tuple[int, int]:
        return field.column(square), square

    def mixed(pair: Displaced) -> bool:
        left, came = Change(pair.start, letter, False), Change(pair.end, letter, True)
        return (left in fresh) != (came in fresh)

    gone, come = sorted(gone, key=order), sorted(come, key=order)
    fewer = min(len(gone), len(come))
    if fewer == 1 == len(gone) == len(come) or fewer > MOST_MOVED:
        yield tuple(Displaced(letter, a, b) for a, b in zip(gone, come, strict=False))
        return
    found = []
    for ends in permutations(come, fewer):
        for starts in _choices(gone, fewer):
            pairs = tuple(Displaced(letter, a, b) for a, b in zip(starts, ends, strict=True))
            ways = sum(field.distance(p.start, p.end) for p in pairs)
            found.append((sum(map(mixed, pairs)), ways, [order(p.end) for p in pairs], pairs))
    found.sort(key=lambda each: each[:3])
    for mix, _, _, pairs in found:
        if mix == found[0][0]:
            yield pairs


def _choices(squares: list[int], count: int) -> Iterator[tuple[int, ...]]:
    if len(squares) == count:
        yield tuple(squares)
        return
    seen = set()
    for chosen in permutations(squares, count):
        if frozenset(chosen) not in seen:
            seen.add(frozenset(chosen))
            yield chosen
