"""What was seen. Past tense, no judgement, in board millimetres and match milliseconds.

`at_ms` counts from the match's start and need not be a whole number: a contact between two frames
has a time between two frames. `error_mm` and `error_ms` are one standard deviation; events whose
times differ by less than their combined error are not in a known order, whatever their numbers say.
A piece is called by its `name`, which it keeps for the whole match ("cue-puck", "red-3").
"""

from dataclasses import dataclass

from rules.geometry import Point, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece as it lies: `at` is the centre of its foot on the surface.

    `turn_deg` is how far it is turned, counter-clockwise, where that can be seen and matters.
    """

    name: str
    kind: str
    colour: str
    at: Point
    error_mm: float = 0.0
    visible: float = 1.0
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """A resting piece was set moving by a cue or a finger, from `at`.

    `by` is the seat it came from where that is known. `dragged` says that the cue stayed at it and
    it never ran free: a cue-puck being brought home, not a shot. `hidden`: a hand hid it before,
    for so long that it may have shifted it, or laid it elsewhere: at `at` it was seen last.
    """

    at_ms: float
    piece: str
    at: Point
    error_mm: float = 0.0
    error_ms: float = 0.0
    speed_mm_s: float = 0.0
    by: Seat | None = None
    dragged: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacted:
    """Two pieces touched while at least one of them moved; `at` is where the rims met."""

    at_ms: float
    a: str
    b: str
    at: Point
    error_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cushioned:
    """A moving piece touched the border on one side."""

    at_ms: float
    piece: str
    border: Seat
    error_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Travelled:
    """The way a struck piece ran, as a polyline from its place at the strike to its rest or fall.

    Between two corners of `path` it ran straight, so its nearest approach to a line is at a corner.
    """

    at_ms: float
    piece: str
    path: tuple[Point, ...]
    error_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocketed:
    """A piece fell into a pocket and stayed there."""

    at_ms: float
    piece: str
    pocket: str
    error_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebounded:
    """A piece entered a pocket's mouth and came back onto the surface."""

    at_ms: float
    piece: str
    pocket: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBoard:
    """A piece left the playing surface over a border and did not come back."""

    at_ms: float
    piece: str
    error_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntered:
    """A hand, arm or sleeve came over the surface; `side` is the border it reached across.

    `depth_mm` is how far it has been seen to project over the surface.
    """

    at_ms: float
    side: Seat | None = None
    depth_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLeft:
    """The surface is free of hands again. `depth_mm` is the farthest it projected."""

    at_ms: float
    side: Seat | None = None
    depth_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Nothing has moved for the rest time, no hand is there; `pieces` is all that lies there."""

    at_ms: float
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A piece changed its place while no shot was running (a hand, a cue, a knock)."""

    at_ms: float
    piece: str
    before: Point
    after: Point
    error_mm: float = 0.0
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A piece came onto the surface by hand and lies still."""

    at_ms: float
    piece: Piece
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """A piece that lay on the surface was taken away by hand."""

    at_ms: float
    piece: str
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A place of a lattice holds what it did not hold before: "holes:3,4", "edges:h:0,2", …"""

    at_ms: float
    place: str
    kind: str
    colour: str
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Emptied:
    """What stood on a place of a lattice is gone."""

    at_ms: float
    place: str
    kind: str
    colour: str
    by: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A piece lies near or across a place of the lattice and is not seated in it."""

    at_ms: float
    place: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """The whole lattice is empty, seen at once."""

    at_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The table again equals the referee's position, facts kept back apart."""

    at_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Several changes came between two settled pictures, in an order that nobody saw.

    `ordered` says that a person has since given their order.
    """

    at_ms: float
    facts: tuple["Fact", ...]
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A person said something that no camera can see ("miscue", "call", "concede", "lot", …)."""

    at_ms: float
    what: str
    side: str | None = None
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    """The camera could not tell: one of `answers` happened, each a list of facts (maybe empty).

    `question` asks it in words; the referee's answer picks one. Never a guess.
    """

    at_ms: float
    question: str
    answers: tuple[tuple["Fact", ...], ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SightLost:
    """From here on nothing could be seen, and why."""

    at_ms: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SightRegained:
    """The table could be seen again."""

    at_ms: float


Fact = (
    Struck
    | Contacted
    | Cushioned
    | Travelled
    | Pocketed
    | Rebounded
    | LeftBoard
    | HandEntered
    | HandLeft
    | Settled
    | Moved
    | Placed
    | Removed
    | Filled
    | Emptied
    | Loose
    | Cleared
    | Restored
    | Batch
    | Declared
    | Unclear
    | SightLost
    | SightRegained
)
