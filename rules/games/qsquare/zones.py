"""The board as the rules use it: lines that bound each Home Zone, Dead Zones, and their tests."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from math import hypot, pi

from msgspec import Struct
from msgspec.structs import replace

from rules.board import Board, Line, Zone
from rules.games.qsquare.options import Options
from rules.geometry import Point, Seat, outward, toward
from rules.regions import (
    Disc,
    Region,
    covered,
    distance_to_line_mm,
    edges_within,
    side_of,
    signed_distance_mm,
)
from rules.verdicts import NOISE_MM


class Bound(Struct, frozen=True, kw_only=True):
    """A painted line that bounds a zone, and on which side of it the zone lies."""

    line: Line
    side: bool

    def inside_mm(self, point: Point) -> float:
        """Return s: the distance to the line's centre line, positive inside the zone."""
        return signed_distance_mm(self.line, self.side, point)


class Area(Struct, frozen=True, kw_only=True):
    """A zone as a region, and the painted lines that bound it.

    `box` is what holds the region, least x and y first, then greatest.
    """

    id: str
    kind: str
    seat: Seat | None
    region: Region
    bounds: tuple[Bound, ...]
    box: tuple[float, float, float, float]

    def beyond_mm(self, at: Point) -> float:
        """Return how far `at` lies from the region's box: it is no nearer to the region."""
        low_x, low_y, high_x, high_y = self.box
        return hypot(
            max(low_x - at.x_mm, at.x_mm - high_x, 0.0), max(low_y - at.y_mm, at.y_mm - high_y, 0.0)
        )


class LineCall(Struct, frozen=True, kw_only=True):
    """How the cue-puck's hole lies to one Home Zone line: legal unless `margin_mm` is negative."""

    line: str
    inside_mm: float
    margin_mm: float


class DeadCall(Struct, frozen=True, kw_only=True):
    """How a puck lies to the Dead Zones: dead where a margin is not negative.

    `share` is the part of it inside all of them, `line_visible` whether one of their lines shows
    in its hole, `zone` the one it lies deepest in ("red", "home" or "pocket"). Of a puck that lies
    wholly outside, the margins are no more than sure to be so great.
    """

    red_mm: float
    margin_mm: float
    share: float
    line_visible: bool
    zone: str


class Ground(Struct, frozen=True, kw_only=True):
    """One board under the agreed options; `beside` has each home with its adjoining corners."""

    board: Board
    homes: Mapping[Seat, Area]
    central: Area
    red: Area
    beside: Mapping[Seat, tuple[Area, ...]]
    pockets: tuple[Disc, ...]
    dead_test: str
    radii_mm: Mapping[tuple[str, str], float]
    holes_mm: Mapping[tuple[str, str], float]
    cue_hole_mm: float
    cue_radius_mm: float
    puck_radius_mm: float
    most_radius_mm: float

    def radius_mm(self, kind: str, colour: str) -> float:
        return self.radii_mm.get((kind, colour), self.puck_radius_mm)

    def hole_mm(self, kind: str, colour: str) -> float:
        """Return the radius of the hole of such a piece."""
        return self.holes_mm.get((kind, colour), 0.0)

    def is_home(self, seat: Seat, at: Point) -> bool:
        """Return whether the cue-puck at `at` passes test H1 for the Home Zone of `seat`."""
        for bound in self.homes[seat].bounds:
            if bound.inside_mm(at) < self.cue_hole_mm + bound.line.width_mm / 2:
                return False
        return True

    def placement(self, seat: Seat, at: Point) -> tuple[LineCall, ...]:
        """Test H1: how the cue-puck at `at` lies to each line bounding the Home Zone of `seat`."""
        calls = []
        for bound in self.homes[seat].bounds:
            inside = bound.inside_mm(at)
            threshold = self.cue_hole_mm + bound.line.width_mm / 2
            calls.append(
                LineCall(line=bound.line.id, inside_mm=inside, margin_mm=inside - threshold)
            )
        return tuple(calls)

    def dead(self, seats: Iterable[Seat], at: Point, radius_mm: float, hole_mm: float) -> DeadCall:
        """Test H3: how a puck at `at` lies to `RED` and to the homes and corners of `seats`."""
        areas = [self.red, *(area for seat in seats for area in self.beside[seat])]
        beyond = [area.beyond_mm(at) for area in areas]
        nearest = min(beyond)
        if nearest >= radius_mm:  # it lies in none, not in part
            return DeadCall(
                red_mm=-beyond[0],
                margin_mm=-nearest,
                share=0.0,
                line_visible=False,
                zone=ZONES[areas[beyond.index(nearest)].kind],
            )
        depths = [area.region.depth_mm(at) for area in areas]
        deepest = max(depths)
        kind = areas[depths.index(deepest)].kind
        if deepest <= -radius_mm:
            return DeadCall(
                red_mm=depths[0], margin_mm=deepest, share=0.0, line_visible=False, zone=ZONES[kind]
            )
        red = self._margin_mm(areas[:1], depths[:1], at, radius_mm, hole_mm)
        margin = red if len(areas) == 1 else self._margin_mm(areas, depths, at, radius_mm, hole_mm)
        gap = min(
            distance_to_line_mm(bound.line, at) - hole_mm - bound.line.width_mm / 2
            for area in areas
            for bound in area.bounds
        )
        return DeadCall(
            red_mm=red,
            margin_mm=max(red, margin),
            share=covered(at, radius_mm, [area.region for area in areas]),
            line_visible=gap < -NOISE_MM,
            zone=ZONES[kind],
        )

    def _margin_mm(
        self,
        areas: Sequence[Area],
        depths: Sequence[float],
        at: Point,
        radius_mm: float,
        hole_mm: float,
    ) -> float:
        if self.dead_test != "half":
            return max(
                self._clear_mm(area, at, hole_mm, depth)
                for area, depth in zip(areas, depths, strict=True)
            )
        deepest = max(depths)
        if abs(deepest) >= radius_mm:
            return deepest
        near = [area for area, d in zip(areas, depths, strict=True) if d > -radius_mm]
        if len(near) == 1:
            region = near[0].region
            if region.polygon and edges_within(region, at, radius_mm) == 1:
                return deepest
        share = covered(at, radius_mm, [area.region for area in near])
        return (share - 0.5) * pi * radius_mm / 2

    def _clear_mm(self, area: Area, at: Point, hole_mm: float, depth_mm: float) -> float:
        """Return the margin of `hole_clear` or `centre` for one zone."""
        margins = [
            bound.inside_mm(at)
            - (hole_mm + bound.line.width_mm / 2 if self.dead_test == "hole_clear" else 0.0)
            for bound in area.bounds
        ]
        return min(margins, default=depth_mm)


ZONES = {"dead-centre": "red", "home": "home", "pocket-zone": "pocket"}


def middle_of(region: Region) -> Point:
    """Return a point in the middle of a convex region."""
    if not region.polygon:
        return region.centre
    count = len(region.polygon)
    return Point(
        sum(p.x_mm for p in region.polygon) / count, sum(p.y_mm for p in region.polygon) / count
    )


def read_ground(board: Board, options: Options) -> Ground:
    """Return the board under `options`; ValueError for a board Q-Square cannot be played on."""
    board = _shaped(board, options)
    named = {line.id: line for line in board.lines}
    areas = [_area(zone, named, options) for zone in board.zones]
    homes = {area.seat: area for area in areas if area.kind == "home" and area.seat is not None}
    central = [area for area in areas if area.kind == "central"]
    red = [area for area in areas if area.kind == "dead-centre"]
    corners = tuple(area for area in areas if area.kind == "pocket-zone")
    wanted = {
        "a home zone for every seat": len(homes) == len(Seat),
        "one zone of kind central": len(central) == 1,
        "one zone of kind dead-centre": len(red) == 1,
        "four zones of kind pocket-zone": len(corners) == 4,
        "four pockets": len(board.pockets) == 4,
        "painted lines that bound each home zone": all(home.bounds for home in homes.values()),
    }
    for what, there in wanted.items():
        if not there:
            raise ValueError(f"expected a Q-Square board with {what} (QS-1.1), got {board.name!r}")
    cues = [spec for spec in board.pieces if spec.kind == "cue-puck"]
    pucks = [spec for spec in board.pieces if spec.kind == "puck"]
    if not cues or len({spec.colour for spec in pucks}) < 2:
        raise ValueError(
            "expected a board whose pieces are a cue-puck and pucks of two colours (QS-1.3), "
            f"got {', '.join(f'{s.colour} {s.kind}' for s in board.pieces) or 'none'}"
        )
    return Ground(
        board=board,
        homes=homes,
        central=central[0],
        red=red[0],
        beside={
            seat: (home, *(area for area in corners if toward(seat, middle_of(area.region)) > 0))
            for seat, home in homes.items()
        },
        pockets=tuple(Disc(pocket.centre, pocket.radius_mm) for pocket in board.pockets),
        dead_test=options.dead_test,
        radii_mm={(s.kind, s.colour): s.diameter_mm / 2 for s in board.pieces},
        holes_mm={(s.kind, s.colour): s.hole_mm / 2 for s in board.pieces},
        cue_hole_mm=cues[0].hole_mm / 2,
        cue_radius_mm=cues[0].diameter_mm / 2,
        puck_radius_mm=max(spec.diameter_mm for spec in pucks) / 2,
        most_radius_mm=max(spec.diameter_mm for spec in board.pieces) / 2,
    )


def _area(zone: Zone, lines: Mapping[str, Line], options: Options) -> Area:
    for id in zone.bounded_by:
        if id not in lines:
            raise ValueError(f"zone {zone.id!r} is bounded by {id!r}, which is no drawn line")
    bounding = [lines[id] for id in zone.bounded_by]
    if zone.polygon:
        region = Region(polygon=zone.polygon)
    elif zone.centre is not None and zone.radius_mm:
        region = Region(centre=zone.centre, radius_mm=zone.radius_mm)
    else:
        raise ValueError(f"zone {zone.id!r} has neither a polygon nor a centre and radius")
    inside = middle_of(region)
    edged = _edged(region, bounding, options.zone_edge)
    return Area(
        id=zone.id,
        kind=zone.kind,
        seat=zone.seat,
        region=edged,
        bounds=tuple(Bound(line=line, side=side_of(line, inside)) for line in bounding),
        box=edged.box_mm(),
    )


def _edged(region: Region, bounding: Sequence[Line], edge: str) -> Region:
    """Move the region's painted edges to the inner or outer edge of the paint."""
    if edge == "centreline" or not bounding:
        return region
    sign = -1.0 if edge == "inner" else 1.0
    if not region.polygon:
        return replace(region, radius_mm=region.radius_mm + sign * bounding[0].width_mm / 2)
    sides: list[tuple[float, float, float]] = []
    middle = middle_of(region)
    for a, b in _sides(region.polygon):
        nx, ny = b.y_mm - a.y_mm, a.x_mm - b.x_mm
        length = hypot(nx, ny)
        nx, ny = nx / length, ny / length
        if nx * (middle.x_mm - a.x_mm) + ny * (middle.y_mm - a.y_mm) > 0:
            nx, ny = -nx, -ny
        shift = 0.0
        for line in bounding:
            if max(distance_to_line_mm(line, a), distance_to_line_mm(line, b)) <= line.width_mm:
                shift = sign * line.width_mm / 2
        sides.append((nx, ny, nx * a.x_mm + ny * a.y_mm + shift))
    return Region(
        polygon=tuple(
            _meet(before, side) for before, side in zip(sides[-1:] + sides, sides, strict=False)
        )
    )


def _sides(polygon: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(polygon, polygon[1:] + polygon[:1], strict=True))


def _meet(p: tuple[float, float, float], q: tuple[float, float, float]) -> Point:
    slope = p[0] * q[1] - p[1] * q[0]
    return Point((p[2] * q[1] - p[1] * q[2]) / slope, (p[0] * q[2] - p[2] * q[0]) / slope)


def _shaped(board: Board, options: Options) -> Board:
    """Apply the shape options to a board whose own zones are square."""
    if options.central_shape == "circle":
        board = _rounded_centre(board)
    if options.pocket_zone_shape == "arc" and any(
        zone.kind == "pocket-zone" and zone.polygon for zone in board.zones
    ):
        board = _rounded_corners(board)
    return board


def _rounded_centre(board: Board) -> Board:
    zones: list[Zone] = []
    rounded: dict[str, float] = {}
    for zone in board.zones:
        if zone.kind in ("central", "dead-centre") and zone.polygon:
            radius = max(p.x_mm for p in zone.polygon)
            zone = dataclasses.replace(zone, polygon=(), centre=Point(0.0, 0.0), radius_mm=radius)
            rounded |= dict.fromkeys(zone.bounded_by, radius)
        zones.append(zone)
    lines = [
        dataclasses.replace(line, points=(), centre=Point(0.0, 0.0), radius_mm=rounded[line.id])
        if line.id in rounded
        else line
        for line in board.lines
    ]
    return dataclasses.replace(board, zones=tuple(zones), lines=tuple(lines))


def _rounded_corners(board: Board) -> Board:
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    zones: list[Zone] = []
    lines = list(board.lines)
    for zone in board.zones:
        if zone.kind == "pocket-zone" and zone.polygon:
            reach = max(p.x_mm for p in zone.polygon) - min(p.x_mm for p in zone.polygon)
            middle = middle_of(Region(polygon=zone.polygon))
            corner = Point(
                half_x if middle.x_mm > 0 else -half_x, half_y if middle.y_mm > 0 else -half_y
            )
            width = next((li.width_mm for li in board.lines if li.id in zone.bounded_by), 3.0)
            lines.append(
                Line(id=zone.id, colour="black", width_mm=width, centre=corner, radius_mm=reach)
            )
            zone = dataclasses.replace(
                zone, polygon=(), centre=corner, radius_mm=reach, bounded_by=(zone.id,)
            )
        elif zone.kind == "home" and zone.seat is not None and zone.polygon:
            zone = _full_width(zone, zone.seat, half_x, half_y)
        zones.append(zone)
    return dataclasses.replace(board, zones=tuple(zones), lines=tuple(lines))


def _full_width(zone: Zone, seat: Seat, half_x: float, half_y: float) -> Zone:
    ys = [toward(seat, p) for p in zone.polygon]
    far, near = max(ys), min(ys)
    ux, uy = outward(seat)
    wide = half_x if seat in (Seat.S, Seat.N) else half_y
    polygon = tuple(
        Point(depth * ux + across * uy, depth * uy + across * ux)
        for depth, across in ((far, -wide), (far, wide), (near, wide), (near, -wide))
    )
    return dataclasses.replace(zone, polygon=polygon, bounded_by=zone.bounded_by[:1])
