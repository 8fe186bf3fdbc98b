"""Calls that the measurement cannot make: ruled under every answer before anybody is asked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct, field

from rules.geometry import Point

T = TypeVar("T")
MOST_WAYS = 96
STRUCK = "struck"
"""The key of a doubt whether what lies elsewhere, and a hand hid how, was struck."""


class Doubt(Struct, frozen=True, kw_only=True):
    """A question of fact with its possible answers as (key, words)."""

    key: str
    words: str
    answers: tuple[tuple[str, str], ...]
    piece: str | None = None
    line: str | None = None
    at: Point | None = None
    margin_mm: float | None = None
    error_mm: float | None = None
    margin_ms: float | None = None
    error_ms: float | None = None


class Oracle(Struct):
    """Answers doubts while one way is followed: as told, along a script, then the first way."""

    known: Mapping[str, str]
    script: tuple[str, ...] = ()
    met: list[Doubt] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)

    def pick(self, doubt: Doubt) -> str:
        """Return the answer that this way supposes; the same doubt is always answered alike."""
        told = self.known.get(doubt.key)
        if told is not None and any(told == key for key, _ in doubt.answers):
            return told
        if doubt.key in self.given:
            return self.given[doubt.key]
        place = len(self.met)
        answer = self.script[place] if place < len(self.script) else doubt.answers[0][0]
        self.met.append(doubt)
        self.given[doubt.key] = answer
        return answer

    def yes(self, doubt: Doubt) -> bool:
        """Return whether this way supposes "yes"."""
        return self.pick(doubt) == "yes"


class Way(Struct, Generic[T], frozen=True, kw_only=True):
    """One course of events: the answers supposed, in order, and what came of it."""

    doubts: tuple[Doubt, ...]
    script: tuple[str, ...]
    result: T


def ways(
    follow: Callable[[Oracle], T], first: Oracle, result: T
) -> tuple[tuple[Way[T], ...], bool]:
    """Return every way that the doubts leave open, and whether these are all.

    The first has been followed: by the oracle `first`, which has no script, to its `result`. A
    doubt is only met where the answers before it make it matter, so what no way needs is never
    weighed. After `MOST_WAYS` ways the search stops and says so.
    """
    found = [_way(first, result)]
    scripts = _untried(first)
    while scripts:
        if len(found) >= MOST_WAYS:
            return tuple(found), False
        oracle = Oracle(first.known, scripts.pop())
        result = follow(oracle)
        found.append(_way(oracle, result))
        scripts += _untried(oracle)
    return tuple(found), True


def _way(oracle: Oracle, result: T) -> Way[T]:
    return Way(doubts=tuple(oracle.met), script=_answers(oracle), result=result)


def _answers(oracle: Oracle) -> tuple[str, ...]:
    return tuple(oracle.given[doubt.key] for doubt in oracle.met)


def _untried(oracle: Oracle) -> list[tuple[str, ...]]:
    """Return the scripts that differ from what was followed in an answer beyond its own script."""
    answers = _answers(oracle)
    return [
        (*answers[:place], key)
        for place in range(len(oracle.met) - 1, len(oracle.script) - 1, -1)
        for key, _ in oracle.met[place].answers[:0:-1]
    ]


def first_that_matters(
    found: Sequence[Way[T]], same: Callable[[T], object]
) -> tuple[Doubt, dict[str, Way[T]]] | None:
    """Return the first doubt whose answers lead to different ends, and a way for each answer.

    None where every way comes to the same.
    """
    place = 0
    group = list(found)
    while True:
        if all(same(way.result) == same(group[0].result) for way in group):
            return None
        doubt = group[0].doubts[place]
        branches: dict[str, list[Way[T]]] = {}
        for way in group:
            branches.setdefault(way.script[place], []).append(way)
        ends = [{_rest(way, place): same(way.result) for way in ways} for ways in branches.values()]
        if any(end != ends[0] for end in ends[1:]):
            return doubt, {key: ways[0] for key, ways in branches.items()}
        group = next(iter(branches.values()))
        place += 1


def _rest(way: Way[T], place: int) -> tuple[tuple[str, str], ...]:
    later = zip(way.doubts[place + 1 :], way.script[place + 1 :], strict=True)
    return tuple((doubt.key, answer) for doubt, answer in later)
