"""The board as carrom uses it: base lines and circles, the arrow, the two circles of the middle.

Each test returns a margin in millimetres, not negative where it is passed (section 4 of the
rulebook). Everything is tested against the lines as they are painted: a line's ink reaches half its
width to either side, and a circle is the disc within the outer edge of its ink.
"""

from collections.abc import Mapping, Sequence
from math import hypot, inf
from operator import itemgetter

from msgspec import Struct

from rules.board import Board, Line, Pocket
from rules.geometry import Point, Seat, outward, toward, turned
from rules.regions import Bed, Disc, distance_to_line_mm, nearest_part
from rules.said import say

MAN = "carromman"
QUEEN = "queen"
STRIKER = "striker"
MIDDLE = Point(0.0, 0.0)
IN_PLACE_MM = 3.0
LOWER_BARE = say("the lower base line is not covered")
UPPER_BARE = say("the upper base line is not covered")
BESIDE = say("it stands beside the base lines")
CIRCLE_IN_PART = say("a base circle is covered in part")
ON_ARROW = say("it covers the arrow")


class Base(Struct, frozen=True, kw_only=True):
    """One seat's base lines: the lower one nearer the frame, the upper one, and the two circles."""

    seat: Seat
    lower: Line
    upper: Line
    circles: tuple[Disc, ...]
    half_mm: float

    def across_mm(self, at: Point) -> float:
        """Return how far to the right `at` lies of the middle, as the player sees it."""
        x, y = outward(self.seat)
        return x * at.y_mm - y * at.x_mm


class Placement(Struct, frozen=True, kw_only=True):
    """How the striker stood at its strike: `margin_mm` of the worst test, and which that was."""

    margin_mm: float
    line: str
    what: str


_margin_mm = itemgetter(0)


class Ground(Struct, frozen=True, kw_only=True):
    """One board, checked for what carrom needs."""

    board: Board
    bases: Mapping[Seat, Base]
    arrows: tuple[Line, ...]
    outer_mm: float
    centre_mm: float
    radius_mm: float
    queen_mm: float
    striker_mm: float
    queen_colour: str
    striker_colour: str

    @property
    def pockets(self) -> tuple[Pocket, ...]:
        return self.board.pockets

    def size_mm(self, kind: str) -> float:
        """Return the radius of such a disc."""
        return {QUEEN: self.queen_mm, STRIKER: self.striker_mm}.get(kind, self.radius_mm)

    def on_line_mm(self, line: Line, at: Point) -> float:
        """Return by how much a striker at `at` overlaps the ink of a base line."""
        return self.striker_mm + line.width_mm / 2 - _off_mm(line, at)

    def on_base_mm(self, seat: Seat, at: Point) -> float:
        """Return by how much a striker at `at` is still on the base lines, on one at least."""
        base = self.bases[seat]
        beyond = max(0.0, abs(base.across_mm(at)) - base.half_mm)
        lower = base.lower.width_mm / 2 - hypot(_off_mm(base.lower, at), beyond)
        upper = base.upper.width_mm / 2 - hypot(_off_mm(base.upper, at), beyond)
        return self.striker_mm + max(lower, upper)

    def placement(self, seat: Seat, at: Point, *, any_line: bool, circles: bool) -> Placement:
        """Tests B1 and B2: how well a striker at `at` stood on the base lines of `seat`."""
        base = self.bases[seat]
        lower = (self.on_line_mm(base.lower, at), base.lower.id, LOWER_BARE)
        upper = (self.on_line_mm(base.upper, at), base.upper.id, UPPER_BARE)
        tests = [max(lower, upper, key=_margin_mm)] if any_line else [lower, upper]
        away = [disc.centre.distance_mm(at) for disc in base.circles]
        reach = [disc.radius_mm for disc in base.circles]
        covered = max(
            (self.striker_mm - r - d for r, d in zip(reach, away, strict=True)), default=-inf
        )
        along = max(base.half_mm - abs(base.across_mm(at)), covered)
        tests.append((along, base.lower.id, BESIDE))
        if circles:
            for r, d in zip(reach, away, strict=True):
                whole, clear = self.striker_mm - r - d, d - self.striker_mm - r
                tests.append((max(whole, clear), base.lower.id, CIRCLE_IN_PART))
            for arrow in self.arrows:
                gap = distance_to_line_mm(arrow, at) - self.striker_mm - arrow.width_mm / 2
                tests.append((gap, arrow.id, ON_ARROW))
        margin_mm, line, what = min(tests, key=_margin_mm)
        return Placement(margin_mm=margin_mm, line=line, what=what)

    def slid_to_middle(self, seat: Seat, at: Point) -> Point:
        """Return where a striker slid along the base lines of `seat` passes their middle."""
        return turned(Point(0.0, -toward(seat, at)), seat)

    def inside_mm(self, kind: str, at: Point) -> float:
        """Test B3: how far a disc at `at` lies inside the outer circle."""
        return self.outer_mm - self.size_mm(kind) - MIDDLE.distance_mm(at)

    def central_spot(self, kind: str, lying: Sequence[Disc]) -> Point:
        """Return the free spot nearest the centre for a disc of that kind."""
        bed = Bed(
            half_x_mm=self.board.width_mm / 2,
            half_y_mm=self.board.height_mm / 2,
            radius_mm=self.size_mm(kind),
            others=tuple(lying),
        )
        return bed.nearest(MIDDLE)


def _off_mm(line: Line, at: Point) -> float:
    """Return how far `at` is from a straight line, which counts beyond its ends too."""
    if len(line.points) < 2:
        return distance_to_line_mm(line, at)
    a, b = line.points if len(line.points) == 2 else nearest_part(line, at)[1:]
    dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
    length = hypot(dx, dy)
    if not length:
        return at.distance_mm(a)
    return abs(dx * (at.y_mm - a.y_mm) - dy * (at.x_mm - a.x_mm)) / length


def read_ground(board: Board) -> Ground:
    """Return the board; ValueError for a board that carrom cannot be played on."""
    named = {line.id: line for line in board.lines}
    circles = [line for line in board.lines if line.centre is not None and line.radius_mm]
    middle = [li for li in circles if li.centre is not None and li.centre.distance_mm(MIDDLE) < 10]
    bands = [zone for zone in board.zones if zone.kind == "base-line" and zone.seat is not None]
    men = {spec.colour: spec for spec in board.pieces if spec.kind == MAN}
    queens = [spec for spec in board.pieces if spec.kind == QUEEN]
    strikers = [spec for spec in board.pieces if spec.kind == STRIKER]
    wanted = {
        "a zone of kind base-line for every seat": {z.seat for z in bands} == set(Seat),
        "two base lines that bound each of these zones": all(
            len([id for id in z.bounded_by if id in named]) == 2 for z in bands
        ),
        "a centre circle and an outer circle": len(middle) >= 2,
        "four pockets": len(board.pockets) == 4,
        "white and black carrommen": {"white", "black"} <= set(men),
        "a queen and a striker": bool(queens and strikers),
    }
    for what, there in wanted.items():
        if not there:
            raise ValueError(f"expected a carrom board with {what}, got {board.name!r}")
    bases = {}
    for zone in bands:
        assert zone.seat is not None
        lines = sorted(
            (named[id] for id in zone.bounded_by), key=lambda li: _depth_mm(zone.seat, li)
        )
        bases[zone.seat] = _base(zone.seat, lines[1], lines[0], circles)
    sizes = sorted((li.radius_mm or 0.0) + li.width_mm / 2 for li in middle)
    return Ground(
        board=board,
        bases=bases,
        arrows=tuple(li for li in board.lines if _is_arrow(li)),
        outer_mm=sizes[-1],
        centre_mm=sizes[0],
        radius_mm=max(spec.diameter_mm for spec in men.values()) / 2,
        queen_mm=queens[0].diameter_mm / 2,
        striker_mm=strikers[0].diameter_mm / 2,
        queen_colour=queens[0].colour,
        striker_colour=strikers[0].colour,
    )


def _depth_mm(seat: Seat | None, line: Line) -> float:
    assert seat is not None
    return sum(toward(seat, p) for p in line.points) / max(1, len(line.points))


def _base(seat: Seat, lower: Line, upper: Line, circles: Sequence[Line]) -> Base:
    depth = (_depth_mm(seat, lower) + _depth_mm(seat, upper)) / 2
    band = abs(_depth_mm(seat, lower) - _depth_mm(seat, upper))
    own = tuple(
        Disc(li.centre, (li.radius_mm or 0.0) + li.width_mm / 2)
        for li in circles
        if li.centre is not None
        and abs(toward(seat, li.centre) - depth) < band / 4
        and li.centre.distance_mm(MIDDLE) > 10
    )
    ends = [p for line in (lower, upper) for p in line.points]
    plain = Base(seat=seat, lower=lower, upper=upper, circles=own, half_mm=0.0)
    reach = [abs(plain.across_mm(disc.centre)) for disc in own] or [
        abs(plain.across_mm(p)) for p in ends
    ]
    return Base(seat=seat, lower=lower, upper=upper, circles=own, half_mm=min(reach))


def _is_arrow(line: Line) -> bool:
    """Return whether a straight line runs along a diagonal of the board."""
    if len(line.points) < 2 or line.points[0] == line.points[-1]:
        return False
    a, b = line.points[0], line.points[-1]
    slant = abs(abs(b.x_mm - a.x_mm) - abs(b.y_mm - a.y_mm))
    return slant < 5.0 and all(abs(abs(p.x_mm) - abs(p.y_mm)) < 5.0 for p in line.points)
