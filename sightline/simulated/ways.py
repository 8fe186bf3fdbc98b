"""Free ways between pieces: for a run, and for a cue-puck brought round the others."""

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

from rules.board import Board
from rules.geometry import off_segment_mm
from sightline.simulated.hands import Spot
from sightline.simulated.pieces import Lying


def gap_along(a: Spot, b: Spot, radius_mm: float, others: Iterable[Lying]) -> float:
    """The least gap between a disc run straight from `a` to `b` and the other pieces, mm."""
    return min(
        (off_segment_mm((o.x_mm, o.y_mm), a, b) - radius_mm - o.radius_mm for o in others),
        default=float("inf"),
    )


def way_around(
    board: Board,
    a: Spot,
    b: Spot,
    radius_mm: float,
    others: Sequence[Lying],
    draw: random.Random,
    gap_mm: float = 4.0,
) -> tuple[Spot, ...] | None:
    """A polyline from `a` to `b` that keeps `gap_mm` from other pieces and off pockets; None: none.

    Straight where that is free, else over one or two points between, the shortest of those tried.
    """

    def free(p: Spot, q: Spot, gap: float) -> bool:
        if gap_along(p, q, radius_mm, others) < gap:
            return False
        return all(
            off_segment_mm((k.centre.x_mm, k.centre.y_mm), p, q) > k.radius_mm + 3
            for k in board.pockets
        )

    near = gap_along(a, a, radius_mm, others)
    start_gap = min(gap_mm, near - 0.01) if near > 0 else -1.0
    if free(a, b, start_gap):
        return (a, b)
    half_x, half_y = board.width_mm / 2 - radius_mm - 3, board.height_mm / 2 - radius_mm - 3
    found: tuple[Spot, ...] | None = None
    best = float("inf")
    for _ in range(260):
        points = [
            (draw.uniform(-half_x, half_x), draw.uniform(-half_y, half_y))
            for _ in range(draw.choice((1, 1, 2)))
        ]
        way = (a, *points, b)
        long = sum(hypot(q[0] - p[0], q[1] - p[1]) for p, q in pairwise(way))
        if long < best and all(
            free(p, q, start_gap if p == a else gap_mm) for p, q in pairwise(way)
        ):
            found, best = way, long
    return found
