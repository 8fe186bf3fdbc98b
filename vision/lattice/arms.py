"""Where arms reach over a lattice board.

Whatever reaches over the surface comes from outside. So the table's edge is walked along in three
rings (beside the table, on the border, just inside the surface): an arm differs from the empty
picture in all three at the same place, by more than that side differs anywhere else. Skin may look
like wood, so the bar is set by each side itself: under steady light a few percent tell.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.geometry import Point, Seat
from vision.detection.crossings import STEP_MM
from vision.frame import Picture
from vision.lattice.medians import median
from vision.lattice.shore import AROUND, LEAST, Floats32, Run, Shore, standing_out
from vision.lattice.solid import Moved, has_edge, is_gleam_gone, is_solid

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_BORDER_MM, _INSIDE_MM, _BESIDE_MM = 28.0, 16.0, 20.0
_INSIDE_SHARE, _BESIDE_SHARE = 0.35, 0.4
_NEAR = 6
_OVER, _OVER_TIMES = 0.14, 4.0
"""By so much the surface differs beneath an arm, at least, and by so many times what it usually
does from one station of that side to the next."""
_MOST_OUT = 0.5
_EVERY = np.arange(4)
_UNEVEN, _TINTED = 0.03, 0.05
"""Where what is usual on a side is more than this, the light has an edge there; then colour is
asked, which stands out by so much."""
_SIDES = (Seat.S, Seat.E, Seat.N, Seat.W)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Where an arm comes in: over which border, `at` on the surface's edge, how broad."""

    side: Seat
    at: Point
    width_mm: float


def arms(
    picture: Picture, shore: Shore, *, certain: bool = True, moved: Moved | None = None
) -> tuple[Arm, ...]:
    """Every arm that reaches over the surface in a picture (H, W, 3), BGR.

    Where not `certain` is asked for, whatever may be an arm; say, while one was there just now.
    `moved` says of stations, first and one after the last, whether the border moved there a moment
    ago, as it does under an arm but never under a lamp's reflection.
    """
    logs = shore.border.logs(picture)
    change = shore.border.change(logs, _EVERY)
    border, usual = standing_out(change, shore.border.inside, shore.count)
    runs = _broad(shore.by_station(border, _EVERY), shore)
    if certain:
        runs = [r for r in runs if is_solid(change, shore, r, moved)]
    runs = [r for r in runs if not is_gleam_gone(logs, shore, r)]
    if runs:
        sides = np.unique(shore.side[[end for run in runs for end in _ends(run, shore)]])
        twice = np.concatenate([sides, sides + len(_EVERY)])
        within = shore.both.change(shore.both.logs(picture), twice)
        inside, beside = _about(shore, within, sides)
        for run in runs:
            side = int(np.flatnonzero(sides == shore.side[run[0]])[0])
            if _darkens(within[side, : shore.count[sides[side]]], run, shore):
                inside[slice(*run)] = 1.0
        runs = _reaching(runs, inside, beside)
    if not runs and usual.max() > _UNEVEN:
        runs = _tinted(picture, logs, shore)
    return _arms_at(runs, shore)


def _tinted(picture: Picture, border_logs: Floats32, shore: Shore) -> list[Run]:
    """Where arms come in that a shade with a sharp edge hides: only by their colour they tell,
    first on the border, whose log codes are `border_logs` (4, n, 3K).

    Skin may have the colour of the wood inside; where the shade runs there as well, what comes over
    the border from beside the table is held to reach in.
    """
    tint = shore.border.tint(border_logs, _EVERY)
    border, _ = standing_out(tint, shore.border.inside, shore.count, _TINTED)
    runs = _broad(shore.by_station(border, _EVERY), shore)
    runs = [r for r in runs if has_edge(tint, shore, r)]
    if not runs:
        return []
    logs = shore.both.logs(picture)
    twice = np.arange(2 * len(_EVERY))
    inside, beside = _about(shore, shore.both.tint(logs, twice), _EVERY, _TINTED)
    within = shore.both.change(logs, _EVERY)
    usual = standing_out(within, shore.both.inside[_EVERY], shore.count)[1]
    inside[usual[shore.side] > _UNEVEN] = 1.0
    return _reaching(runs, inside, beside)


def _broad(out: Floats, shore: Shore) -> list[Run]:
    """The stretches along the sides where most samples stand `out` (N,) over an arm's breadth."""
    runs = _runs(out > _MOST_OUT, shore.side)
    return [(a, b) for a, b in runs if (b - a) * STEP_MM >= _BORDER_MM]


def _ends(run: Run, shore: Shore) -> tuple[int, int]:
    """The first and the last station that may tell of what comes in there."""
    return max(run[0] - AROUND, 0), min(run[1] + AROUND, len(shore.side)) - 1


def _darkens(inside: Floats32, run: Run, shore: Shore) -> bool:
    """Whether the surface along an arm's stretch of the border looks otherwise than on the rest of
    that side, by its change (n, 3K) inside.

    On a small board an arm and its shadow fill so much of a side that they are what is usual there.
    """
    _, first, _ = shore.side_of(run)
    looks = inside.reshape(len(inside), -1, 3).mean(axis=1)
    start, stop = run[0] - first, run[1] - first
    rest = np.concatenate([looks[: max(start - AROUND, 0)], looks[stop + AROUND :]])
    if len(rest) < AROUND:
        return False
    usual, here, uneven = (
        median(np.ascontiguousarray(each.T))
        for each in (rest, looks[start:stop], np.abs(rest[1:] - rest[:-1]))
    )
    step = here - usual
    return float(np.linalg.norm(step)) > max(_OVER, _OVER_TIMES * float(np.linalg.norm(uneven)))


def _about(
    shore: Shore, change: Floats32, sides: NDArray[np.intp], least: float = LEAST
) -> tuple[Floats, Floats]:
    """(N,) each, the shares that stand out of the samples inside the surface and beside the table,
    by their `change` (2S, n, 3K) there, on `sides` (S,)."""
    twice = np.concatenate([sides, sides + len(_EVERY)])
    count = np.concatenate([shore.count[sides]] * 2)
    out, _ = standing_out(change, shore.both.inside[twice], count, least)
    inside, beside = out[: len(sides)], out[len(sides) :]
    return shore.by_station(inside, sides), shore.by_station(beside, sides)


def _reaching(runs: list[Run], inside: Floats, beside: Floats) -> list[Run]:
    """Those `runs` by which something stands out `inside` the surface and `beside` the table."""
    return [
        r
        for r in runs
        if _many(inside > _INSIDE_SHARE, r, _NEAR) * STEP_MM >= _INSIDE_MM
        and _many(beside > _BESIDE_SHARE, r, AROUND) * STEP_MM >= _BESIDE_MM
    ]


def _arms_at(runs: list[Run], shore: Shore) -> tuple[Arm, ...]:
    found = []
    for first, after in runs:
        middle = (first + after) // 2
        x, y = shore.at[middle]
        found.append(
            Arm(
                side=_SIDES[shore.side[middle]],
                at=Point(float(x), float(y)),
                width_mm=float((after - first) * STEP_MM),
            )
        )
    return tuple(found)


def _many(out: Bools, run: Run, apart: int) -> int:
    """How many stations are set from so many before a run to so many after it."""
    return int(out[max(run[0] - apart, 0) : run[1] + apart].sum())


def _runs(on: Bools, side: NDArray[np.intp]) -> list[Run]:
    """First and one after the last of every run along one side; a gap of one is bridged."""
    found: list[Run] = []
    before, of = -3, -1
    at = np.flatnonzero(on)
    for n, mine in zip(at.tolist(), side[at].tolist(), strict=True):
        if mine == of and n - before <= 2:
            found[-1] = found[-1][0], n + 1
        else:
            found.append((n, n + 1))
        before, of = n, mine
    return found
