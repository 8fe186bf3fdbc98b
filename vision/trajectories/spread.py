"""What spreads from one to the next: a blow through a rack, a push through those that touch."""

from collections.abc import Callable, Iterable, Set


def spread(begun: Set[int], among: Iterable[int], joins: Callable[[int, int], bool]) -> set[int]:
    """`begun`, those `among` which one of them joins, which those join, and so on."""
    found = {*begun}
    left = {*among} - found
    while joined := {k for k in left if any(joins(i, k) for i in found)}:
        found |= joined
        left -= joined
    return found
