"""Areas, distances and free spots: laws of the plane geometry under the line calls."""

from math import cos, hypot, pi, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples

from rules.board import Line
from rules.geometry import Point
from rules.regions import (
    Bed,
    Disc,
    Region,
    circles_meet,
    contains,
    covered,
    disc_in_disc_mm2,
    disc_in_polygon_mm2,
    distance_to_line_mm,
    side_of,
    signed_distance_mm,
)

RED = Region(polygon=(Point(-100, -100), Point(100, -100), Point(100, 100), Point(-100, 100)))
HOME = Region(polygon=(Point(-508, -508), Point(508, -508), Point(508, -386), Point(-508, -386)))
CORNER = Region(centre=Point(-508, -508), radius_mm=140.0)
near = st.floats(-160, 160, allow_nan=False)
radius = st.floats(5, 40, allow_nan=False)


@pytest.mark.parametrize(
    ("x", "y", "share"),
    [
        (-103, 0, 0.35),
        (-100, 0, 0.50),
        (-98, 0, 0.60),
        (-90, 0, 0.95),
        (99, 99, 0.30),
        (95, 95, 0.55),
        (0, 0, 1.0),
        (-120, 0, 0.0),
    ],
)
def test_shares_are_those_worked_out_in_the_rulebook(x: float, y: float, share: float) -> None:
    assert covered(Point(x, y), 12.5, [RED]) == pytest.approx(share, abs=0.005)


def sampled(at: Point, radius_mm: float, regions: list[Region], rings: int = 60) -> float:
    """Return the share by counting points spread evenly over the disc."""
    hits = total = 0
    for ring in range(rings):
        r = radius_mm * sqrt((ring + 0.5) / rings)
        for n in range(120):
            angle = 2 * pi * (n + 0.5) / 120 + ring
            point = Point(at.x_mm + r * cos(angle), at.y_mm + r * sin(angle))
            hits += any(region.depth_mm(point) > 0 for region in regions)
            total += 1
    return hits / total


@settings(max_examples=examples(40))
@given(st.floats(-40, 40), st.floats(-40, 40), radius)
def test_the_union_of_overlapping_zones_is_what_counting_points_says(
    dx: float, dy: float, radius_mm: float
) -> None:
    at = Point(-440.0 + dx, -386.0 + dy)
    share = covered(at, radius_mm, [HOME, CORNER])
    assert share == pytest.approx(sampled(at, radius_mm, [HOME, CORNER]), abs=0.02)


@given(near, near, radius)
def test_a_disc_has_a_share_between_nothing_and_all(x: float, y: float, r: float) -> None:
    share = covered(Point(x, y), r, [RED])
    assert 0.0 <= share <= 1.0
    if RED.depth_mm(Point(x, y)) >= r:
        assert share == 1.0
    if RED.depth_mm(Point(x, y)) <= -r:
        assert share == 0.0


@given(near, near, radius)
def test_two_halves_hold_what_the_whole_holds(x: float, y: float, r: float) -> None:
    left = Region(polygon=(Point(-100, -100), Point(0, -100), Point(0, 100), Point(-100, 100)))
    right = Region(polygon=(Point(0, -100), Point(100, -100), Point(100, 100), Point(0, 100)))
    at = Point(x, y)
    assert covered(at, r, [left, right]) == pytest.approx(covered(at, r, [RED]), abs=1e-9)


@given(near, near, radius)
def test_a_polygon_may_run_either_way_round(x: float, y: float, r: float) -> None:
    at, back = Point(x, y), tuple(reversed(RED.polygon))
    assert disc_in_polygon_mm2(at, r, back) == pytest.approx(
        disc_in_polygon_mm2(at, r, RED.polygon)
    )


@given(st.floats(0, 100), radius, radius)
def test_the_lens_of_two_discs_is_symmetric_and_fits_in_both(
    gap: float, a_mm: float, b_mm: float
) -> None:
    a, b = Point(0, 0), Point(gap, 0)
    area = disc_in_disc_mm2(a, a_mm, b, b_mm)
    assert area == pytest.approx(disc_in_disc_mm2(b, b_mm, a, a_mm))
    assert -1e-9 <= area <= pi * min(a_mm, b_mm) ** 2 + 1e-9


@given(near, near)
def test_the_depth_is_positive_exactly_inside(x: float, y: float) -> None:
    at = Point(x, y)
    assert (RED.depth_mm(at) > 0) == (contains(RED.polygon, at) and RED.depth_mm(at) != 0)


def test_distances_to_a_line_are_signed_by_the_side_of_the_zone() -> None:
    line = Line(id="a", colour="black", width_mm=3.0, points=(Point(-508, -408), Point(508, -408)))
    inside = Point(0, -450)
    assert signed_distance_mm(line, side_of(line, inside), Point(30, -418)) == pytest.approx(10.0)
    assert signed_distance_mm(line, side_of(line, inside), Point(30, -398)) == pytest.approx(-10.0)
    assert distance_to_line_mm(line, Point(508 + 3, -408 + 4)) == pytest.approx(5.0)
    ring = Line(id="b", colour="red", width_mm=3.0, centre=Point(0, 0), radius_mm=100.0)
    assert signed_distance_mm(ring, side_of(ring, Point(0, 0)), Point(0, 90)) == pytest.approx(10.0)
    assert signed_distance_mm(ring, side_of(ring, Point(0, 0)), Point(0, 110)) == pytest.approx(
        -10.0
    )


def test_a_measured_line_that_is_not_straight_is_followed() -> None:
    bent = Line(
        id="a",
        colour="black",
        width_mm=3.0,
        points=(Point(-508, -408), Point(0, -407), Point(508, -408)),
    )
    assert signed_distance_mm(bent, side_of(bent, Point(0, -450)), Point(0, -417)) == pytest.approx(
        10.0, abs=1e-3
    )


# -- free spots ------------------------------------------------------------------------------


def bed(*others: Disc, radius_mm: float = 12.5) -> Bed:
    return Bed(half_x_mm=508.0, half_y_mm=508.0, radius_mm=radius_mm, others=others)


@pytest.mark.parametrize(
    ("away", "spot"),
    [((0, 1), (0, 25)), ((0, -1), (0, -25)), ((1, 0), (25, 0)), ((-1, 0), (-25, 0))],
)
def test_of_equally_near_spots_the_farthest_from_the_offender_is_taken(
    away: tuple[float, float], spot: tuple[float, float]
) -> None:
    found = bed(Disc(Point(0, 0), 12.5)).nearest(Point(0, 0), away)
    assert (found.x_mm, found.y_mm) == pytest.approx(spot)


def test_a_second_puck_by_the_queen_goes_clockwise_from_the_first() -> None:
    queen, first = Disc(Point(0, 0), 12.5), Disc(Point(0, 25), 12.5)
    found = bed(queen, first).nearest(Point(0, 0), (0, 1))
    assert (found.x_mm, found.y_mm) == pytest.approx((25 * sin(pi / 3), 12.5))


discs = st.lists(
    st.builds(Disc, st.builds(Point, st.floats(-90, 90), st.floats(-90, 90)), st.floats(8, 25)),
    max_size=7,
)


@settings(max_examples=examples(150))
@given(discs, st.floats(-60, 60), st.floats(-60, 60))
def test_the_nearest_free_spot_is_free_and_no_nearer_one_is(
    others: list[Disc], x: float, y: float
) -> None:
    target, place = Point(x, y), bed(*others)
    spot = place.nearest(target)
    assert place.free(spot)
    best = spot.distance_mm(target)
    for ring in range(1, 13):
        reach = best * ring / 13
        for n in range(36):
            turn = 2 * pi * n / 36
            tried = Point(x + reach * cos(turn), y + reach * sin(turn))
            assert not place.free(tried) or hypot(reach, 0) >= best - 1e-3


@given(st.lists(st.floats(-120, 120), max_size=6))
def test_along_a_border_the_nearest_free_place_is_found(xs: list[float]) -> None:
    others = [Disc(Point(x, 495.5), 12.5) for x in xs]
    place = bed(*others)
    spot = next(place.free_along(Point(0, 495.5), (1.0, 0.0)), None)
    assert spot is not None
    assert place.free(spot)
    assert spot.y_mm == 495.5
    for n in range(100):
        nearer = abs(spot.x_mm) * n / 100 - 1e-3
        if nearer > 0:
            assert not place.free(Point(nearer, 495.5))
            assert not place.free(Point(-nearer, 495.5))


def test_a_border_without_room_has_no_place() -> None:
    wall = Disc(Point(0, 495.5), 600.0)
    assert not [*bed(wall).free_along(Point(0, 495.5), (1.0, 0.0))]


@given(near, near, radius, near, near, radius)
def test_where_two_circles_cross_lies_on_both(
    ax: float, ay: float, ar: float, bx: float, by: float, br: float
) -> None:
    a, b = Point(ax, ay), Point(bx, by)
    for meet in circles_meet(a, ar, b, br):
        assert meet.distance_mm(a) == pytest.approx(ar, abs=1e-5)
        assert meet.distance_mm(b) == pytest.approx(br, abs=1e-5)
