"""What the referee looks into before and after deciding: what would change, what was seen, where.

`sightline.review.study` implements it for a running match; pages without one do without.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rules.codec import Json
from rules.decisions import Decision
from rules.facts import Declared, Piece, Settled
from web.desk import Ruled


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One number or word of a side's score that changes."""

    name: str
    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a decision changes: lines of the score, the headline, rulings that go and that come.

    `to_review` are decisions (in words) that would no longer fit.
    """

    items: tuple[Item, ...] = ()
    headline_before: str = ""
    headline_after: str = ""
    outcome_before: str = ""
    outcome_after: str = ""
    gone: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()
    to_review: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenFact:
    """One fact as it stands, and how it may be corrected. `body` is its JSON (docs/json.md)."""

    seq: int
    at_ms: float
    words: str
    body: Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """What a piece may really have been, in the order of likelihood. `piece` None: not there."""

    words: str
    piece: Piece | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A piece of a settled board (or one missing from it) and what else it may have been."""

    name: str
    words: str
    likely: bool
    runners: tuple[Runner, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeLook:
    """A piece that may stand on the places of a layer ("holes", "edges", "cells")."""

    kind: str
    colour: str
    layer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeBoard:
    """What stood on a lattice right after entry `seq`, whose change `fact` is (docs/json.md).

    Pieces are called by their places; `names` says what players call every place.
    """

    seq: int
    fact: Json
    pieces: tuple[Piece, ...]
    doubts: tuple[Doubt, ...]
    names: Mapping[str, str]
    looks: tuple[LatticeLook, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What was seen between two settled boards, and the board that it ended with.

    `known` are all pieces of the match as they were seen last, `names` their names. On a lattice
    nothing settles: `lattice` is its board then, and the facts are those about the change.
    """

    facts: tuple[SeenFact, ...]
    settled_seq: int | None
    settled: Settled | None
    doubts: tuple[Doubt, ...]
    names: tuple[str, ...]
    known: tuple[Piece, ...]
    pockets: tuple[str, ...]
    seats: tuple[str, ...]
    lattice: LatticeBoard | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a picture, as fractions of its width and height from the top left corner."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Something drawn over a picture."""

    kind: str  # "piece", "hole", "line"
    name: str
    points: tuple[Spot, ...]
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """What belongs over an evidence picture. `focus` is where the call was.

    `reach` is how much of the picture's width 60 mm take there.
    """

    outlines: tuple[Outline, ...]
    focus: Spot | None = None
    reach: float = 0.0
    words: str = ""


class Study(Protocol):
    """What the referee's page may look into. All methods may be called from any thread."""

    def preview(self, body: Decision | Declared) -> Preview:
        """What appending `body` now would change. ValueError where it makes no sense."""
        ...

    def moment(self, seq: int) -> Moment:
        """What was seen around entry `seq`. ValueError where there is no such fact."""
        ...

    def overlay(self, ruled: Ruled, name: str) -> Overlay | None:
        """What to draw over the picture `name` that `ruled` rests on; None where it is unknown."""
        ...
