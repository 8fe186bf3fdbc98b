"""Where the camera stands: the pose of a known lens over a known board, and how sure it is.

The first pose comes from markers or clicked corners. It is then refined on hundreds of short
stretches of the board's own painted lines, each measured to a few hundredths of a pixel, as
ssl-vision does for its fields (camera_calibration.cpp): residuals run across the lines only,
large ones are damped, and the markers, which may be glued on askew, count little.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats, Lens
from calibration.landmarks import MARKER_PX, Landmarks, NotFound
from calibration.ridges import Ridges, measure_ridges
from calibration.strokes import Stretches, stretches_of
from rules.board import Board

STEP = np.array([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0])
"""Scales of the six parameters: radians of the rotation vector, then millimetres."""

FLOOR_PX = 0.03
"""What a single stretch may be off for causes its own noise does not show (grain, JPEG blocks)."""

STROKE_MM = 0.004
"""How far a painted stroke strays from its drawing, at least, in the error's reckoning."""

MARKER_MM = 0.15
"""How far a marker may be from its place, glued on by hand."""

BLOOM_PX = 0.3
"""How far a tone curve moves a black edge in white, one standard deviation."""

ENOUGH_STRETCHES = 40
"""Stretches of painted line that must be found, on a board that has as many."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoseError:
    """How far the pose may be off, as the (6, 6) covariance of (rotation, translation)."""

    camera: Camera
    covariance: Floats

    def at(self, x_mm: float, y_mm: float, z_mm: float) -> float:
        """One standard deviation per axis, in mm, of a place measured at this point."""
        return float(np.sqrt(np.trace(self.covariance_at(x_mm, y_mm, z_mm)) / 2))

    def covariance_at(self, x_mm: float, y_mm: float, z_mm: float) -> Floats:
        """(2, 2) covariance in mm² of a place on the plane `z_mm` that the pose's error causes."""
        px = self.camera.project(np.array([[x_mm, y_mm, z_mm]]))
        normal = self.camera.lens.undistort(px)
        steps = np.array([1e-5] * 3 + [1e-2] * 3)
        rows = []
        for n, step in enumerate(steps):
            moved = np.zeros(6)
            moved[n] = step
            more = shifted(self.camera, moved).rays_to_plane(normal, z_mm)[0]
            less = shifted(self.camera, -moved).rays_to_plane(normal, z_mm)[0]
            rows.append((more - less) / (2 * step))
        jacobian = np.array(rows)
        return np.asarray(jacobian.T @ self.covariance @ jacobian, dtype=np.float64)


def shifted(camera: Camera, change: Floats) -> Camera:
    """`camera` with (6,) added to its rotation vector and translation."""
    r = np.array(camera.rotation) + change[:3]
    t = np.array(camera.translation_mm) + change[3:6]
    return Camera(
        lens=camera.lens,
        rotation=(float(r[0]), float(r[1]), float(r[2])),
        translation_mm=(float(t[0]), float(t[1]), float(t[2])),
    )


def first_pose(lens: Lens, marks: Landmarks) -> Camera | NotFound:
    """The pose from landmarks alone; the camera must stand above the board."""
    normal = lens.undistort(marks.pixels)
    identity = np.eye(3)
    flat = bool(np.ptp(marks.places_mm[:, 2]) < 1e-9)
    best: Camera | None = None
    least = np.inf
    methods = [cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP, cv2.SOLVEPNP_ITERATIVE]
    level = marks.places_mm.copy()
    height = float(level[0, 2]) if flat else 0.0
    level[:, 2] -= height
    for method in methods:
        try:
            _, turns, moves, _ = cv2.solvePnPGeneric(level, normal, identity, None, flags=method)
        except cv2.error:
            continue
        for turn, move in zip(turns, moves, strict=True):
            r = np.asarray(turn, dtype=np.float64).ravel()
            t = np.asarray(move, dtype=np.float64).ravel()
            t = t - cv2.Rodrigues(r)[0] @ np.array([0.0, 0.0, height])
            camera = Camera(
                lens=lens,
                rotation=(float(r[0]), float(r[1]), float(r[2])),
                translation_mm=(float(t[0]), float(t[1]), float(t[2])),
            )
            off = camera.project(marks.places_mm) - marks.pixels
            worst = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
            if camera.centre_mm[2] > 0 and worst < least:
                best, least = camera, worst
    if best is None:
        return NotFound("no camera above the board sees the corners where they were found")
    return best


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PoseFit:
    """A refined pose: the camera, its error, and what the painted lines said.

    `residual_px` is the robust rms of the stretches used, `stretches` how many; `off_mm` gives the
    mean distance of each line's paint from where the board file draws it. `offset_mm` (K,) is the
    same for each stretch of `cut`, along its normal, with one standard deviation `error_mm` (K,) of
    noise and `grain_mm` (K,) of what neighbours share; it is to be used where `good` (K,) only.
    """

    camera: Camera
    error: PoseError
    residual_px: float
    stretches: int
    cut: Stretches
    offset_mm: Floats
    error_mm: Floats
    grain_mm: Floats
    good: NDArray[np.bool_]
    off_mm: dict[str, float]


WORST_PX = 0.35
"""Residuals above this (robust rms) mean that lens, board and picture do not belong together."""


def refine_pose(
    picture: NDArray[np.uint8], first: Camera, board: Board, marks: Landmarks
) -> PoseFit | NotFound:
    """Refine `first` on the painted lines that `picture` ((H, W, 3) BGR uint8) shows.

    `NotFound` says why not: the lines are not where the board file draws them, or what the lines
    say and the lens do not agree.
    """
    camera = first
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    ends = np.array([(x, y, 0.0) for x in (-half_x, half_x) for y in (-half_y, half_y)])
    markers = range(len(board.fiducials)) if marks.markers else ()
    cut = stretches_of(board, camera, markers)
    far_px = 2.0 if marks.error_px <= MARKER_PX else 4.0
    ridges = measure_ridges(picture, camera, cut, search_px=far_px)
    ridges = _trusted(board, cut, ridges)
    fit = _solve(camera, cut, ridges, marks)
    for search_px in (1.0, 0.6, 0.6):
        moved_px = np.abs(camera.project(ends) - fit.camera.project(ends)).max()
        if search_px < 1.0 and moved_px < 0.05:
            break
        camera = fit.camera
        cut = stretches_of(board, camera, markers)
        ridges = _trusted(board, cut, measure_ridges(picture, camera, cut, search_px=search_px))
        fit = _solve(camera, cut, ridges, marks)
    good = int(ridges.good.sum())
    painted = cut.line >= 0
    if (ridges.good & painted).sum() < min(ENOUGH_STRETCHES, painted.sum() // 4):
        found = sorted({board.lines[n].id for n in cut.line[ridges.good & painted]})
        return NotFound(
            f"found only {len(found)} of {len(board.lines)} painted lines where board.toml draws"
            f" them ({', '.join(found) or 'none'}): board.toml or camera.json does not belong here"
        )
    left = np.abs(fit.left_px[ridges.good])
    residual = float(1.4826 * np.median(left)) if good else 0.0
    off = _off_by_line(board, cut, ridges, fit.after_px)
    if residual > WORST_PX:
        worst = max(off, key=lambda id: abs(off[id]))
        return NotFound(
            f"the painted lines miss their drawing by {residual:.2f} px (worst {worst!r},"
            f" {off[worst]:+.2f} mm): camera.json or board.toml does not belong to this picture"
        )
    return PoseFit(
        camera=fit.camera,
        error=PoseError(camera=fit.camera, covariance=fit.covariance),
        residual_px=residual,
        stretches=good,
        cut=cut,
        offset_mm=fit.after_px / ridges.px_per_mm,
        error_mm=np.hypot(ridges.error_px, FLOOR_PX / 2) / ridges.px_per_mm,
        grain_mm=FLOOR_PX / ridges.px_per_mm,
        good=ridges.good,
        off_mm=off,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Solved:
    camera: Camera
    covariance: Floats
    after_px: Floats
    left_px: Floats


def _trusted(board: Board, cut: Stretches, ridges: Ridges) -> Ridges:
    """Drop stretches that do not look like the rest of their line: glare, wear, another mark."""
    good = ridges.good.copy()
    names = ["" if s.is_edge else board.lines[s.line].colour for s in cut.strokes]
    colour = np.array(names, dtype=object)[cut.stroke]
    for name in set(names):
        mine = good & (colour == name)
        if mine.sum() >= 5:
            usual = np.median(ridges.contrast[mine])
            good &= ~mine | (ridges.contrast / usual > 0.15)
    for number in range(len(cut.strokes)):
        mine = good & (cut.stroke == number)
        if mine.sum() >= 5:
            offset = ridges.offset_px[mine]
            centre = np.median(offset)
            spread = 1.4826 * np.median(np.abs(offset - centre))
            far = np.abs(ridges.offset_px - centre) > max(6 * spread, 0.25)
            if spread < 0.3:
                good &= ~(mine & far)
    return Ridges(
        pixel=ridges.pixel,
        normal_px=ridges.normal_px,
        px_per_mm=ridges.px_per_mm,
        offset_px=ridges.offset_px,
        error_px=ridges.error_px,
        contrast=ridges.contrast,
        noise=ridges.noise,
        good=good,
    )


def _solve(camera: Camera, cut: Stretches, ridges: Ridges, marks: Landmarks) -> _Solved:
    """Fit the pose together with how each stroke strays from its drawing as a whole.

    Besides the six of the pose there are the bloom (a camera's tone curve makes black squares look
    smaller, all by the same share of a pixel) and, for each stroke, a shift and a slant (for an arc
    a shift of its centre and of its radius), held near nought by a spread that is estimated along
    with them: paint strays, and a marker is glued, as a whole, and noise averaged over hundreds of
    stretches would promise far too much. Gauss-Newton with damped weights (soft L1), so that a
    stretch, and a stroke, far off the others counts little. The covariance is that of this fit.
    """
    good = ridges.good
    places = cut.places(cut.s_mm)[good]
    seen = (ridges.pixel + ridges.normal_px * ridges.offset_px[:, None])[good]
    normal, scale = ridges.normal_px[good], ridges.px_per_mm[good]
    edge = (cut.line < 0)[good]
    strays, kind, slant = _straying_columns(cut, good)
    strays *= scale[:, None]
    raw = np.hypot(ridges.error_px, FLOOR_PX)[good]
    spread = np.where(kind, MARKER_MM, 0.3)
    fixed = np.zeros(7)
    strayed = np.zeros(strays.shape[1])
    excess = 1.0
    cover = np.eye(7)

    def off(change: Floats) -> tuple[Floats, Floats]:
        now = shifted(camera, change[:6] * STEP)
        lines = np.sum((seen - now.project(places)) * normal, axis=1) - edge * change[6]
        return np.asarray(lines), (marks.pixels - now.project(marks.places_mm)).ravel()

    for turn in range(12):
        lines, corners = off(fixed)
        sigma = raw * np.sqrt(excess)
        rest = (lines - strays @ strayed) / sigma
        slopes = [(off(fixed + h), off(fixed - h)) for h in 1e-3 * np.eye(7)]
        jacobian = np.column_stack([(p[0] - m[0]) / 2e-3 for p, m in slopes])
        corner_jacobian = np.column_stack([(p[1] - m[1]) / 2e-3 for p, m in slopes])
        every = np.hstack([jacobian, -strays]) / sigma[:, None]
        weight = _damped(rest)
        held = np.concatenate([np.zeros(6), [BLOOM_PX**-2], _damped(strayed / spread) / spread**2])
        corner_rest = corners / marks.error_px
        corner_weight = _damped(corner_rest)
        around = corner_jacobian / marks.error_px
        square = every.T @ (every * weight[:, None]) + np.diag(held)
        square[:7, :7] += around.T @ (around * corner_weight[:, None])
        pull = every.T @ (weight * rest) + held * np.concatenate([fixed, strayed])
        pull[:7] += around.T @ (corner_weight * corner_rest)
        cover = np.linalg.inv(square)
        step = -cover @ pull
        fixed, strayed = fixed + step[:7], strayed + step[7:]
        rest = (off(fixed)[0] - strays @ strayed) / raw
        if len(rest):
            excess = float(np.clip((1.4826 * np.median(np.abs(rest))) ** 2, 0.02, 100.0))
        unsure = np.diag(cover)[7:]
        was = spread
        spread = np.full(len(strayed), MARKER_MM)
        for least, mine in (
            (MARKER_MM, kind),
            (STROKE_MM, ~kind & slant),
            (STROKE_MM, ~kind & ~slant),
        ):
            spread[mine] = max(least, _spread(strayed[mine], unsure[mine]))
        settled = np.allclose(spread, was, rtol=0.03) and np.abs(step[:6]).max(initial=0) < 1e-5
        if turn >= 4 and settled:
            break
    found = shifted(camera, fixed[:6] * STEP)
    after = np.sum((ridges.pixel - found.project(cut.places(cut.s_mm))) * ridges.normal_px, axis=1)
    after += ridges.offset_px - np.where(cut.line < 0, fixed[6], 0.0)
    left = np.zeros(len(cut))
    left[good] = rest * raw
    return _Solved(
        camera=found,
        covariance=np.asarray(cover[:6, :6] * np.outer(STEP, STEP)),
        after_px=after,
        left_px=left,
    )


def _straying_columns(
    cut: Stretches, good: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """(G, C) in how far each way a stroke can stray moves each good stretch, in mm per mm.

    Two (C,) say which columns are of markers, and which are slants: lines may be drawn exactly
    parallel and yet in the wrong place, so slants tell nothing of shifts.
    """
    stroke, s = cut.stroke[good], cut.s_mm[good]
    columns, marker, slants = [], [], []
    for number in np.unique(stroke):
        mine = (stroke == number).astype(np.float64)
        now = cut.strokes[number]
        ways = [mine]
        if now.radius_mm:
            turn = s / now.radius_mm
            ways += [mine * np.cos(turn), mine * np.sin(turn)]
        else:
            middle, half = (now.begin_mm + now.end_mm) / 2, (now.end_mm - now.begin_mm) / 2
            ways.append(mine * (s - middle) / half)
        slants += [n == 1 and not now.radius_mm for n in range(len(ways))]
        columns += ways
        marker += [now.is_edge] * len(ways)
    if not columns:
        return np.zeros((len(s), 0)), np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    return np.column_stack(columns), np.array(marker, dtype=bool), np.array(slants, dtype=bool)


def _damped(rest: Floats) -> Floats:
    """Weights of the soft L1 loss: nearly one up to two standard deviations, then less and less."""
    return np.asarray(1 / np.sqrt(1 + (rest / 2.0) ** 2))


def _spread(strayed: Floats, unsure: Floats) -> float:
    """How far strokes stray, robustly, allowing for how poorly each was determined (EM step)."""
    if not len(strayed):
        return 0.0
    usual = 1.4826 * float(np.median(np.abs(strayed)))
    return float(np.sqrt(usual**2 + np.median(unsure)))


def _off_by_line(
    board: Board, cut: Stretches, ridges: Ridges, after_px: Floats
) -> dict[str, float]:
    off: dict[str, float] = {}
    for number in np.unique(cut.line[ridges.good]):
        mine = ridges.good & (cut.line == number)
        name = (
            board.lines[number].id if number >= 0 else f"marker {board.fiducials[-1 - number].id}"
        )
        off[name] = float(np.median(after_px[mine] / ridges.px_per_mm[mine]))
    return off
