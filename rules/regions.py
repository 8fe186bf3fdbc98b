"""Parts of the surface, painted lines and free spots: the plane geometry that line calls rest on.

Everything is in board millimetres. Areas are exact (closed form) wherever a puck lies in one region
or in regions that do not overlap; only where overlapping regions meet is the union integrated
numerically, along scan lines that are cut at every corner (relative error below 1e-6).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import acos, asin, atan2, cos, hypot, inf, pi, sin, sqrt

from msgspec import Struct
from msgspec.structs import replace

from rules.board import Line
from rules.geometry import Point, segment_gap_mm

_GAUSS = (  # abscissae and weights of Gauss-Legendre, 8 points
    (0.1834346424956498, 0.3626837833783620),
    (0.5255324099163290, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.1012285362903763),
)


ORIGIN = Point(0.0, 0.0)


class Region(Struct, frozen=True):
    """A polygon, or the disc of `radius_mm` about `centre` as far as it lies on the surface."""

    polygon: tuple[Point, ...] = ()
    centre: Point = ORIGIN
    radius_mm: float = 0.0

    def depth_mm(self, point: Point) -> float:
        """Return how deep `point` lies inside the boundary; negative: how far outside."""
        if not self.polygon:
            return self.radius_mm - self.centre.distance_mm(point)
        nearest = _to_outline_mm(self.polygon, point)
        return nearest if contains(self.polygon, point) else -nearest

    def box_mm(self) -> tuple[float, float, float, float]:
        """Return the least x and y of the region, then the greatest."""
        if not self.polygon:
            x, y, r = self.centre.x_mm, self.centre.y_mm, self.radius_mm
            return (x - r, y - r, x + r, y + r)
        xs, ys = [p.x_mm for p in self.polygon], [p.y_mm for p in self.polygon]
        return (min(xs), min(ys), max(xs), max(ys))

    def shared_mm2(self, centre: Point, radius_mm: float) -> float:
        """Return the area that the disc has inside the region, exactly."""
        if self.polygon:
            return disc_in_polygon_mm2(centre, radius_mm, self.polygon)
        return disc_in_disc_mm2(centre, radius_mm, self.centre, self.radius_mm)


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Return whether `point` lies inside `polygon`; points on the outline count either way."""
    inside = False
    a = polygon[-1]
    for b in polygon:
        if (a.y_mm > point.y_mm) != (b.y_mm > point.y_mm):
            cut = a.x_mm + (point.y_mm - a.y_mm) * (b.x_mm - a.x_mm) / (b.y_mm - a.y_mm)
            if point.x_mm < cut:
                inside = not inside
        a = b
    return inside


def distance_to_line_mm(line: Line, point: Point) -> float:
    """Return how far `point` is from the centre line of a drawn line."""
    if line.centre is not None and line.radius_mm is not None:
        return abs(line.centre.distance_mm(point) - line.radius_mm)
    if len(line.points) == 1:
        return line.points[0].distance_mm(point)
    return nearest_part(line, point)[0]


def signed_distance_mm(line: Line, side: bool, point: Point) -> float:
    """Return the distance of `point` to the centre line, positive where `side_of` it is `side`."""
    if line.centre is None and len(line.points) > 1 and not _runs_round(line):
        off, a, b = nearest_part(line, point)
        return off if _is_left_of(a, b, point) == side else -off
    distance = distance_to_line_mm(line, point)
    return distance if side_of(line, point) == side else -distance


def side_of(line: Line, point: Point) -> bool:
    """Return on which of the two sides of a drawn line `point` lies."""
    if line.centre is not None and line.radius_mm is not None:
        return line.centre.distance_mm(point) > line.radius_mm
    if _runs_round(line):
        return contains(line.points[:-1], point)
    _, a, b = nearest_part(line, point)
    return _is_left_of(a, b, point)


def _runs_round(line: Line) -> bool:
    return len(line.points) > 3 and line.points[0] == line.points[-1]


def _is_left_of(a: Point, b: Point, point: Point) -> bool:
    """Return whether `point` lies to the left of the way from `a` to `b`."""
    across = (b.x_mm - a.x_mm) * (point.y_mm - a.y_mm) - (b.y_mm - a.y_mm) * (point.x_mm - a.x_mm)
    return across > 0.0


def nearest_part(line: Line, point: Point) -> tuple[float, Point, Point]:
    """Return how far `point` is from the nearest straight part of a line, and the part's ends."""
    points = line.points
    a, b = points[0], points[-1]
    if len(points) == 2:
        return segment_gap_mm(point.x_mm, point.y_mm, a.x_mm, a.y_mm, b.x_mm, b.y_mm), a, b
    nearest, first, last = inf, a, b
    for b in points[1:]:
        off = segment_gap_mm(point.x_mm, point.y_mm, a.x_mm, a.y_mm, b.x_mm, b.y_mm)
        if off < nearest:
            nearest, first, last = off, a, b
        a = b
    return nearest, first, last


def _to_outline_mm(polygon: Sequence[Point], point: Point) -> float:
    """Return how far `point` is from the outline of `polygon`."""
    x, y = point.x_mm, point.y_mm
    ax, ay = polygon[-1].x_mm, polygon[-1].y_mm
    nearest = inf
    for corner in polygon:
        bx, by = corner.x_mm, corner.y_mm
        nearest = min(nearest, segment_gap_mm(x, y, ax, ay, bx, by))
        ax, ay = bx, by
    return nearest


def disc_in_disc_mm2(a: Point, a_mm: float, b: Point, b_mm: float) -> float:
    """Return the area two discs share (the lens)."""
    gap = a.distance_mm(b)
    if gap >= a_mm + b_mm:
        return 0.0
    if gap <= abs(a_mm - b_mm):
        return pi * min(a_mm, b_mm) ** 2
    along_a = (gap * gap + a_mm * a_mm - b_mm * b_mm) / (2 * gap)
    return _cap_mm2(a_mm, along_a) + _cap_mm2(b_mm, gap - along_a)


def _cap_mm2(radius_mm: float, along_mm: float) -> float:
    along = min(radius_mm, max(-radius_mm, along_mm))
    half_chord = sqrt(max(0.0, radius_mm * radius_mm - along * along))
    return radius_mm * radius_mm * acos(along / radius_mm) - along * half_chord


def disc_in_polygon_mm2(centre: Point, radius_mm: float, polygon: Sequence[Point]) -> float:
    """Return the area of a disc inside a simple polygon, exactly, whichever way it runs round."""
    total = 0.0
    ax, ay = polygon[-1].x_mm - centre.x_mm, polygon[-1].y_mm - centre.y_mm
    for corner in polygon:
        bx, by = corner.x_mm - centre.x_mm, corner.y_mm - centre.y_mm
        total += _swept_mm2(radius_mm, ax, ay, bx, by)
        ax, ay = bx, by
    return abs(total)


def _swept_mm2(radius: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the signed area that the disc shares with the triangle of its centre, a and b."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    if length == 0.0:
        return 0.0
    middle = -(ax * dx + ay * dy) / length
    off = radius * radius - (ax * dy - ay * dx) ** 2 / length
    if off <= 0.0:
        return _sector_mm2(radius, ax, ay, bx, by)
    half = sqrt(off / length)
    enter, leave = middle - half, middle + half
    if enter >= 1.0 or leave <= 0.0:
        return _sector_mm2(radius, ax, ay, bx, by)
    total = 0.0
    px, py, qx, qy = ax, ay, bx, by
    if enter > 0.0:
        px, py = ax + enter * dx, ay + enter * dy
        total += _sector_mm2(radius, ax, ay, px, py)
    if leave < 1.0:
        qx, qy = ax + leave * dx, ay + leave * dy
        total += _sector_mm2(radius, qx, qy, bx, by)
    return total + (px * qy - py * qx) / 2.0


def _sector_mm2(radius: float, ax: float, ay: float, bx: float, by: float) -> float:
    return radius * radius * atan2(ax * by - ay * bx, ax * bx + ay * by) / 2.0


def covered(centre: Point, radius_mm: float, regions: Iterable[Region]) -> float:
    """Return what share of a disc lies in the union of `regions`, 0 to 1."""
    near: list[Region] = []
    for region in regions:
        depth = region.depth_mm(centre)
        if depth >= radius_mm:
            return 1.0
        if depth > -radius_mm:
            near.append(region)
    if not near:
        return 0.0
    whole = pi * radius_mm * radius_mm
    if len(near) == 1 or all(_apart(a, b) for i, a in enumerate(near) for b in near[i + 1 :]):
        return min(1.0, sum(region.shared_mm2(centre, radius_mm) for region in near) / whole)
    return min(1.0, _united_mm2(centre, radius_mm, near) / whole)


def edges_within(region: Region, centre: Point, radius_mm: float) -> int:
    """Return how many straight edges of a polygon pass within `radius_mm` of `centre`."""
    x, y, corners = centre.x_mm, centre.y_mm, region.polygon
    return sum(
        segment_gap_mm(x, y, a.x_mm, a.y_mm, b.x_mm, b.y_mm) < radius_mm
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
    )


def _apart(a: Region, b: Region) -> bool:
    """Return whether two convex polygons share no area (a common edge is no area)."""
    if not a.polygon or not b.polygon:
        return False
    for one, other in ((a.polygon, b.polygon), (b.polygon, a.polygon)):
        for p, q in zip(one, one[1:] + one[:1], strict=True):
            nx, ny = q.y_mm - p.y_mm, p.x_mm - q.x_mm
            inner = [nx * (c.x_mm - p.x_mm) + ny * (c.y_mm - p.y_mm) for c in one]
            outer = [nx * (c.x_mm - p.x_mm) + ny * (c.y_mm - p.y_mm) for c in other]
            if max(inner) <= min(outer) + 1e-9 or max(outer) <= min(inner) + 1e-9:
                return True
    return False


def _united_mm2(centre: Point, radius_mm: float, regions: Sequence[Region]) -> float:
    """Integrate the union along scan lines, in the angle that makes the disc's edge smooth."""
    breaks = {-pi / 2, pi / 2}
    for y in _heights(centre, radius_mm, regions):
        share = (y - centre.y_mm) / radius_mm
        if -1.0 < share < 1.0:
            breaks.add(asin(share))
    total = 0.0
    for low, high in pairwise(sorted(breaks)):
        middle, half = (low + high) / 2, (high - low) / 2
        if half < 1e-12:
            continue
        for abscissa, weight in _GAUSS:
            for angle in (middle - half * abscissa, middle + half * abscissa):
                chord = _chord_mm(centre, radius_mm, angle, regions)
                total += weight * half * chord * radius_mm * cos(angle)
    return total


def _chord_mm(centre: Point, radius_mm: float, angle: float, regions: Sequence[Region]) -> float:
    y = centre.y_mm + radius_mm * sin(angle)
    reach = radius_mm * cos(angle)
    low, high = centre.x_mm - reach, centre.x_mm + reach
    spans: list[tuple[float, float]] = []
    for region in regions:
        spans += [(max(low, a), min(high, b)) for a, b in _spans(region, y) if a < high and b > low]
    total, reached = 0.0, low
    for a, b in sorted(spans):
        if b > reached:
            total += b - max(a, reached)
            reached = b
    return total


def _spans(region: Region, y: float) -> list[tuple[float, float]]:
    if not region.polygon:
        off = region.radius_mm**2 - (y - region.centre.y_mm) ** 2
        if off <= 0.0:
            return []
        return [(region.centre.x_mm - sqrt(off), region.centre.x_mm + sqrt(off))]
    cuts = sorted(
        a.x_mm + (y - a.y_mm) * (b.x_mm - a.x_mm) / (b.y_mm - a.y_mm)
        for a, b in zip(region.polygon, region.polygon[1:] + region.polygon[:1], strict=True)
        if (a.y_mm > y) != (b.y_mm > y)
    )
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def _heights(centre: Point, radius_mm: float, regions: Sequence[Region]) -> list[float]:
    """Return every y at which the union's width over the disc may have a corner."""
    discs = [(centre, radius_mm)]
    edges: list[tuple[Point, Point]] = []
    heights: list[float] = []
    for region in regions:
        if region.polygon:
            edges += zip(region.polygon, region.polygon[1:] + region.polygon[:1], strict=True)
            heights += [corner.y_mm for corner in region.polygon]
        else:
            discs.append((region.centre, region.radius_mm))
            heights += [
                region.centre.y_mm - region.radius_mm,
                region.centre.y_mm + region.radius_mm,
            ]
    for i, (a, a_mm) in enumerate(discs):
        for b, b_mm in discs[i + 1 :]:
            heights += [meet.y_mm for meet in circles_meet(a, a_mm, b, b_mm)]
        for p, q in edges:
            heights += [meet.y_mm for meet in _segment_meets(a, a_mm, p, q)]
    return heights


def circles_meet(a: Point, a_mm: float, b: Point, b_mm: float) -> tuple[Point, ...]:
    """Return the points where two circles cross: none, or two."""
    dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
    gap = hypot(dx, dy)
    if gap == 0.0 or gap > a_mm + b_mm or gap < abs(a_mm - b_mm):
        return ()
    along = (gap * gap + a_mm * a_mm - b_mm * b_mm) / (2 * gap)
    off = sqrt(max(0.0, a_mm * a_mm - along * along))
    x, y = a.x_mm + along * dx / gap, a.y_mm + along * dy / gap
    return (
        Point(x - off * dy / gap, y + off * dx / gap),
        Point(x + off * dy / gap, y - off * dx / gap),
    )


def _segment_meets(centre: Point, radius_mm: float, p: Point, q: Point) -> list[Point]:
    dx, dy = q.x_mm - p.x_mm, q.y_mm - p.y_mm
    px, py = p.x_mm - centre.x_mm, p.y_mm - centre.y_mm
    length = dx * dx + dy * dy
    if length == 0.0:
        return []
    middle = -(px * dx + py * dy) / length
    off = (radius_mm * radius_mm - (px * dy - py * dx) ** 2 / length) / length
    if off < 0.0:
        return []
    return [
        Point(p.x_mm + t * dx, p.y_mm + t * dy)
        for t in (middle - sqrt(off), middle + sqrt(off))
        if 0.0 <= t <= 1.0
    ]


class Disc(Struct, frozen=True):
    """Something round that a spot must keep clear of."""

    centre: Point
    radius_mm: float


TOUCH_MM = 1e-6


class Bed(Struct, frozen=True, kw_only=True):
    """Where a puck can be put down: on the surface, off the pockets, beside the others."""

    half_x_mm: float
    half_y_mm: float
    radius_mm: float
    others: tuple[Disc, ...]

    def free(self, at: Point) -> bool:
        """Return whether a puck at `at` lies on the surface and overlaps nothing (it may touch)."""
        if abs(at.x_mm) > self.half_x_mm - self.radius_mm + TOUCH_MM:
            return False
        if abs(at.y_mm) > self.half_y_mm - self.radius_mm + TOUCH_MM:
            return False
        x, y, clear = at.x_mm, at.y_mm, self.radius_mm - TOUCH_MM
        for other in self.others:
            centre = other.centre
            if hypot(x - centre.x_mm, y - centre.y_mm) < other.radius_mm + clear:
                return False
        return True

    def nearest(self, target: Point, away: tuple[float, float] = (0.0, 1.0)) -> Point:
        """Return the free spot nearest `target`, or `target` where there is none at all.

        Of equally near ones the spot farthest in the direction `away` (a unit vector), then the
        first clockwise, seen from above, from that direction.
        """
        if self.free(target):
            return target
        first = self._choose(target, away, self._lone(target, away))
        bound = first.distance_mm(target) if first else 2 * hypot(self.half_x_mm, self.half_y_mm)
        near = [
            other
            for other in self.others
            if abs(other.centre.distance_mm(target) - other.radius_mm - self.radius_mm)
            <= bound + TOUCH_MM
        ]
        spots = self._pairs(near) + self._at_walls(target, near)
        return self._choose(target, away, [*spots, *([first] if first else [])]) or target

    def free_along(self, middle: Point, left: tuple[float, float]) -> Iterator[Point]:
        """Yield the free spots on the straight line through `middle` along `left` at which a disc
        lies as near to it as what lies there allows, the nearest first.

        Of two equally near ones the one towards `left`. None where the whole line is taken.
        """
        steps, near = [0.0], []
        for other in self.others:
            dx, dy = other.centre.x_mm - middle.x_mm, other.centre.y_mm - middle.y_mm
            along = dx * left[0] + dy * left[1]
            off = (other.radius_mm + self.radius_mm) ** 2 - (dx * left[1] - dy * left[0]) ** 2
            if off > 0.0:
                steps += [along - sqrt(off), along + sqrt(off)]
                near.append(other)
        steps.sort(key=lambda step: (round(abs(step), 6), -step))
        spots = (Point(middle.x_mm + s * left[0], middle.y_mm + s * left[1]) for s in steps)
        beside = replace(self, others=tuple(near))  # the rest reaches no spot on the line
        return (spot for spot in spots if beside.free(spot))

    def _choose(
        self, target: Point, away: tuple[float, float], spots: Sequence[Point]
    ) -> Point | None:
        def rank(spot: Point) -> tuple[float, float, float]:
            dx, dy = spot.x_mm - target.x_mm, spot.y_mm - target.y_mm
            ahead = dx * away[0] + dy * away[1]
            right = dx * away[1] - dy * away[0]
            turn = atan2(right, ahead) % (2 * pi)
            return (round(hypot(dx, dy), 6), round(-ahead, 6), round(turn, 9))

        for spot in sorted(spots, key=rank):
            if self.free(spot):
                return spot
        return None

    def _lone(self, target: Point, away: tuple[float, float]) -> list[Point]:
        """Return, for each round obstacle, the spot touching it that is nearest `target`."""
        spots = []
        for other in self.others:
            dx, dy = target.x_mm - other.centre.x_mm, target.y_mm - other.centre.y_mm
            gap = hypot(dx, dy)
            ux, uy = (dx / gap, dy / gap) if gap > TOUCH_MM else away
            reach = other.radius_mm + self.radius_mm
            spots.append(Point(other.centre.x_mm + reach * ux, other.centre.y_mm + reach * uy))
        room_x, room_y = self.half_x_mm - self.radius_mm, self.half_y_mm - self.radius_mm
        spots.append(
            Point(min(room_x, max(-room_x, target.x_mm)), min(room_y, max(-room_y, target.y_mm)))
        )
        return spots

    def _pairs(self, near: Sequence[Disc]) -> list[Point]:
        return [
            spot
            for i, a in enumerate(near)
            for b in near[i + 1 :]
            for spot in circles_meet(
                a.centre, a.radius_mm + self.radius_mm, b.centre, b.radius_mm + self.radius_mm
            )
        ]

    def _at_walls(self, target: Point, near: Sequence[Disc]) -> list[Point]:
        """Return the spots that touch the border and an obstacle, and the corners."""
        x, y = self.half_x_mm - self.radius_mm, self.half_y_mm - self.radius_mm
        corners = (Point(-x, -y), Point(x, -y), Point(x, y), Point(-x, y))
        spots = list(corners)
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            for other in near:
                spots += _segment_meets(other.centre, other.radius_mm + self.radius_mm, a, b)
        return spots
