"""What an act is, and what all acts share.

An act knows how long it lasts, what it looks like at each instant, the facts a perfect witness
would tell of it, and how the pieces lie afterwards. Times within an act count from its start.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rules.board import Board
from rules.facts import Batch, Fact, Settled
from sightline.simulated.hands import Spot, depth_over
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Limb, Scene
from sightline.simulated.truth import REST_MS

AFTER_S = 1.2
STEP_S = 0.002
Pieces = tuple[Lying, ...]


class Act(Protocol):
    """Something done at the table. `before` is how the pieces lie when it starts."""

    @property
    def before(self) -> Pieces: ...

    @property
    def lasts_s(self) -> float: ...

    @property
    def after(self) -> Pieces: ...

    def scene(self, at_s: float) -> Scene: ...

    def facts(self) -> tuple[Fact, ...]: ...


def settled(pieces: Pieces, rest_ms: float) -> Settled:
    """The Settled that follows once nothing has moved since `rest_ms`."""
    return Settled(at_ms=rest_ms + REST_MS, pieces=tuple(p.piece() for p in pieces))


def named(pieces: Pieces, name: str) -> Lying:
    """The piece of that name; StopIteration where there is none."""
    return next(piece for piece in pieces if piece.name == name)


def with_one_at(pieces: Pieces, name: str, place: Spot) -> Pieces:
    """The same pieces, the one of that name at `place`."""
    x, y = place
    return tuple(replace(p, x_mm=x, y_mm=y) if p.name == name else p for p in pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nobody does anything."""

    before: Pieces
    lasts_s: float = 0.5

    @property
    def after(self) -> Pieces:
        return self.before

    def scene(self, at_s: float) -> Scene:
        return Scene(bodies=tuple(p.body() for p in self.before))

    def facts(self) -> tuple[Fact, ...]:
        return ()


class LimbAt(Protocol):
    def __call__(self, at_s: float, /) -> Limb: ...


def hand_times(board: Board, limb_at_s: LimbAt, until_s: float) -> tuple[float, float, float]:
    """When a limb came over the surface, when it left, and how far it projected over it."""
    instants = [k * STEP_S for k in range(int(until_s / STEP_S) + 1)]
    depths = [depth_over(board, limb_at_s(t)) for t in instants]
    over = [t for t, depth in zip(instants, depths, strict=True) if depth > 0]
    if not over:
        raise ValueError("the limb never came over the surface")
    return over[0], over[-1], max(depths)


def act_facts(act: Act, start_ms: float) -> Sequence[Fact]:
    """The truth of an act that started at `start_ms`, in match time and in order of time."""
    return sorted((_later(fact, start_ms) for fact in act.facts()), key=lambda fact: fact.at_ms)


def _later(fact: Fact, by_ms: float) -> Fact:
    if isinstance(fact, Batch):
        parts = tuple(_later(part, by_ms) for part in fact.facts)
        return replace(fact, at_ms=fact.at_ms + by_ms, facts=parts)
    return replace(fact, at_ms=fact.at_ms + by_ms)
