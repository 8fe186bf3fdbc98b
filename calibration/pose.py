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
from calibration.landmarks import Landmarks, NotFound
from calibration.ridges import Ridges, measure_ridges
from calibration.strokes import Stretches, stretches_of
from rules.board import Board

STEP = np.array([1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0])
"""Scales of the six parameters: radians of the rotation vector, then millimetres."""

FLOOR_PX = 0.03
"""What a single stretch may be off for causes its own noise does not show (grain, JPEG blocks)."""

STROKE_MM = 0.02
"""How far a painted stroke lies from its drawing as a whole, at least, in the error's reckoning."""


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
    mean distance of each line's paint from where the board file draws it.
    """

    camera: Camera
    error: PoseError
    residual_px: float
    stretches: int
    cut: Stretches
    ridges: Ridges
    off_mm: dict[str, float]


WORST_PX = 0.35
"""Residuals above this (robust rms) mean that lens, board file and picture do not belong together."""


def refine_pose(
    picture: NDArray[np.uint8], first: Camera, board: Board, marks: Landmarks
) -> PoseFit | NotFound:
    """Refine `first` on the painted lines that `picture` ((H, W, 3) BGR uint8) shows.

    `NotFound` says why not: the lines are not where the board file draws them, or what the lines
    say and the lens do not agree.
    """
    camera = first
    cut = stretches_of(board, camera)
    ridges = measure_ridges(picture, camera, cut, search_px=4.0)
    for search_px in (1.0, 0.6):
        moved = _solve(camera, cut, _trusted(board, cut, ridges), marks)
        camera = moved.camera
        cut = stretches_of(board, camera)
        ridges = _trusted(board, cut, measure_ridges(picture, camera, cut, search_px=search_px))
    fit = _solve(camera, cut, ridges, marks)
    good = int(ridges.good.sum())
    if board.lines and good < min(40, len(cut) // 4):
        found = sorted({board.lines[cut.strokes[n].line].id for n in cut.stroke[ridges.good]})
        return NotFound(
            f"found only {len(found)} of {len(board.lines)} painted lines where board.toml draws them"
            f" ({', '.join(found) or 'none'}): board.toml or camera.json does not belong here"
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
        ridges=ridges,
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
    colour = np.array([board.lines[s.line].colour for s in cut.strokes])[cut.stroke]
    for name in np.unique(colour):
        mine = good & (colour == name)
        if mine.sum() >= 5:
            usual = np.median(ridges.contrast[mine])
            good &= ~mine | (ridges.contrast / usual > 0.3)
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
    good = ridges.good
    places = np.column_stack([cut.places(cut.s_mm), np.zeros(len(cut))])
    seen = ridges.pixel + ridges.normal_px * ridges.offset_px[:, None]
    sigma = np.hypot(ridges.error_px[good], FLOOR_PX)

    def across(now: Camera) -> Floats:
        return np.asarray(np.sum((seen - now.project(places)) * ridges.normal_px, axis=1))

    def residuals(change: Floats) -> Floats:
        now = shifted(camera, change * STEP)
        lines = across(now)[good] / sigma
        corners = (marks.pixels - now.project(marks.places_mm)).ravel() / marks.error_px
        return np.concatenate([lines, corners])

    found = least_squares(residuals, np.zeros(6), loss="soft_l1", f_scale=2.0, x_scale="jac")
    best = shifted(camera, found.x * STEP)
    after = across(best)
    covariance = _covariance(residuals, found.x, cut, ridges, sigma)
    return _Solved(camera=best, covariance=covariance, after_px=after)


def _covariance(
    residuals: Callable[[Floats], Floats],
    at: Floats,
    cut: Stretches,
    ridges: Ridges,
    sigma: Floats,
) -> Floats:
    """(6, 6) covariance of the pose, with the paint's own deviations common to a whole stroke."""
    rest = residuals(at)
    columns = [(residuals(at + h) - residuals(at - h)) / 2e-3 for h in 1e-3 * np.eye(6)]
    jacobian = np.column_stack(columns)
    weight = 1 / np.sqrt(1 + (rest / 2.0) ** 2)
    excess = max(1.0, float((1.4826 * np.median(np.abs(rest))) ** 2))
    bread = np.linalg.inv(jacobian.T @ (jacobian * weight[:, None]) + 1e-12 * np.eye(6))
    meat = excess * jacobian.T @ (jacobian * weight[:, None] ** 2)
    stroke = cut.stroke[ridges.good]
    scale = ridges.px_per_mm[ridges.good]
    means, spreads = [], []
    for number in np.unique(stroke):
        mine = np.flatnonzero(stroke == number)
        off_mm = rest[mine] * sigma[mine] / scale[mine]
        means.append(np.average(off_mm, weights=weight[mine]))
        spreads.append(np.mean((sigma[mine] / scale[mine]) ** 2) / len(mine))
    common = STROKE_MM**2
    if len(means) >= 4:
        common += max(0.0, float(np.median(np.square(means)) / 0.455 - np.median(spreads)))
    for number in np.unique(stroke):
        mine = np.flatnonzero(stroke == number)
        pull = jacobian[mine].T @ (weight[mine] * scale[mine] / sigma[mine])
        meat += common * np.outer(pull, pull)
    covariance = bread @ meat @ bread
    return np.asarray(covariance * np.outer(STEP, STEP))


def _off_by_line(
    board: Board, cut: Stretches, ridges: Ridges, after_px: Floats
) -> dict[str, float]:
    line = np.array([s.line for s in cut.strokes], dtype=np.int64)[cut.stroke]
    off: dict[str, float] = {}
    for number, drawn in enumerate(board.lines):
        mine = ridges.good & (line == number)
        if mine.any():
            off[drawn.id] = float(np.median(after_px[mine] / ridges.px_per_mm[mine]))
    return off
