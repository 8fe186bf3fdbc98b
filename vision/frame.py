"""What vision takes in and hands out: frames, observations of a settled picture, sightings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.facts import Fact
from rules.geometry import Point

Picture = NDArray[np.uint8]  # (H, W, 3) BGR or (H, W) gray


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One frame: `at_ms` is when its exposure began on the source's clock, `number` its id there.

    `image` is (H, W, 3) BGR or (H, W) gray, uint8; `jpeg` the camera's own bytes where it sent
    such.
    `colour` makes the BGR picture of a frame that was read gray (see `vision.sources.in_colour`).
    """

    image: Picture
    at_ms: float
    number: int
    exposure_ms: float = 0.0
    jpeg: bytes | None = None
    colour: Callable[[], Picture] | None = None

    def in_colour(self) -> Picture:
        """The picture in colour where there is one, else as it is."""
        return self.image if self.image.ndim == 3 or self.colour is None else self.colour()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPiece:
    """A piece in one settled picture. `at` is its foot's centre, `error_mm` one sd per axis."""

    kind: str
    colour: str
    at: Point
    error_mm: float
    visible: float = 1.0
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTest:
    """Does the drawn `line` show in the hole of piece number `piece`, straight down?

    `seen` is None where it is too close to call. `margin_mm` is the distance of the hole's edge
    from the line's nearest edge, negative by how far the line reaches into the hole.
    """

    piece: int
    line: str
    seen: bool | None
    margin_mm: float
    error_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """All that one settled picture shows. `blind` says why nothing could be read, else None.

    On a lattice, `unknown` names the places ("holes:3,4") that an arm hides or that are too close
    to call: they are neither filled nor empty. `hidden` (H, W) are the picture's pixels that a hand
    or an arm hides, None where it is not known to hide any.
    """

    pieces: tuple[SeenPiece, ...] = ()
    line_tests: tuple[LineTest, ...] = ()
    lattice: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    hand: bool = False
    blind: str | None = None
    unknown: frozenset[str] = frozenset()
    hidden: NDArray[np.bool_] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A fact, as soon as it is certain, and the numbers of the frames that show it."""

    fact: Fact
    frames: tuple[int, ...] = ()
