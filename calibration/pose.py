"""Where the camera stands: the pose of a known lens over a known board, and how sure it is.

The first pose comes from markers or clicked corners. It is then refined on hundreds of short
stretches of the board's own painted lines, each measured to a few hundredths of a pixel, as
ssl-vision does for its fields (camera_calibration.cpp): residuals run across the lines only,
large ones are damped, and the markers, which may be glued on askew, count little.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.camera import Camera, Floats, Lens
from calibration.landmarks import MARKER_PX, Landmarks, NotFound
from calibration.ridges import Ridges, measure_ridges
from calibration.strokes import Stretches, stretches_of
from rules.board import Board

STEP = np.array([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0])
"""Scales of the six parameters: radians of the rotation vector, then millimetres."""

FLOOR_PX = 0.03
"""What a single stretch may be off for causes its own noise does not show (grain, JPEG blocks)."""

STROKE_MM = 0.02
"""How far a painted stroke lies from its drawing as a whole, at least, in the error's reckoning."""

MARKER_MM = 0.15
"""How far a marker may be from its place: with lines to go by, its edges count this little."""

BLOOM_PX = 0.3
"""How far a tone curve moves a black edge in white, one standard deviation."""

ENOUGH_STRETCHES = 40
"""Stretches of painted line from which markers are no longer needed."""


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
        steps = np.array([1e-5] * 3 + [1e-2] * 3)
        rows = []
        for n, step in enumerate(steps):
            moved = np.zeros(6)
            moved[n] = step
            more = shifted(self.camera, moved).to_plane(px, z_mm)[0]
            less = shifted(self.camera, -moved).to_plane(px, z_mm)[0]
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
    after = fit.after_px[ridges.good]
    residual = float(1.4826 * np.median(np.abs(after))) if good else 0.0
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
    """Fit the pose, and with it the bloom: by how much white spreads over a marker's edge.

    A camera's tone curve makes black squares look smaller, all by the same share of a pixel.
    """
    good = ridges.good
    edge = cut.line < 0
    places = cut.places(cut.s_mm)
    seen = ridges.pixel + ridges.normal_px * ridges.offset_px[:, None]
    lined = int((good & ~edge).sum()) >= ENOUGH_STRETCHES
    glued = np.where(edge & lined, MARKER_MM * ridges.px_per_mm, 0.0)
    sigma = np.sqrt(ridges.error_px**2 + FLOOR_PX**2 + glued**2)[good]

    def across(change: Floats) -> Floats:
        now = shifted(camera, change[:6] * STEP)
        off = np.sum((seen - now.project(places)) * ridges.normal_px, axis=1)
        return np.asarray(off - np.where(edge, change[6], 0.0))

    def residuals(change: Floats) -> Floats:
        now = shifted(camera, change[:6] * STEP)
        corners = (marks.pixels - now.project(marks.places_mm)).ravel() / marks.error_px
        return np.concatenate([across(change)[good] / sigma, corners, change[6:] / BLOOM_PX])

    found = least_squares(residuals, np.zeros(7), loss="soft_l1", f_scale=2.0, x_scale="jac")
    covariance = _covariance(residuals, found.x, cut, ridges, sigma)
    return _Solved(
        camera=shifted(camera, found.x[:6] * STEP),
        covariance=covariance,
        after_px=across(found.x),
    )


def _covariance(
    residuals: Callable[[Floats], Floats],
    at: Floats,
    cut: Stretches,
    ridges: Ridges,
    sigma: Floats,
) -> Floats:
    """(6, 6) covariance of the pose, with deviations that are common to a whole stroke.

    Paint strays from its drawing, and a marker from its place, as a whole: noise averaged over
    hundreds of stretches would promise far too much (a cluster-robust covariance, Liang & Zeger
    1986, with the common variance pooled because strokes are few).
    """
    rest = residuals(at)
    columns = [(residuals(at + h) - residuals(at - h)) / 2e-3 for h in 1e-3 * np.eye(len(at))]
    jacobian = np.column_stack(columns)
    weight = 1 / np.sqrt(1 + (rest / 2.0) ** 2)
    excess = max(1.0, float((1.4826 * np.median(np.abs(rest))) ** 2))
    bread = np.linalg.inv(jacobian.T @ (jacobian * weight[:, None]))
    meat = excess * jacobian.T @ (jacobian * weight[:, None] ** 2)
    stroke = cut.stroke[ridges.good]
    scale = ridges.px_per_mm[ridges.good]
    groups = [np.flatnonzero(stroke == number) for number in np.unique(stroke)]
    for edges in (False, True):
        mine = [g for g in groups if cut.strokes[stroke[g[0]]].is_edge == edges]
        means = [np.average(rest[g] * sigma[g] / scale[g], weights=weight[g]) for g in mine]
        noise = [np.mean((sigma[g] / scale[g]) ** 2) / len(g) for g in mine]
        common = (MARKER_MM if edges else STROKE_MM) ** 2
        if len(means) >= 4:
            common += max(0.0, float(np.median(np.square(means)) / 0.455 - np.median(noise)))
        for g in mine:
            pull = jacobian[g].T @ (weight[g] * scale[g] / sigma[g])
            meat += common * np.outer(pull, pull)
    covariance = (bread @ meat @ bread)[:6, :6]
    return np.asarray(covariance * np.outer(STEP, STEP))


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
