"""Lens calibration from views of a printed sheet, which judges itself.

A low residual alone says nothing: a degenerate set of views fits perfectly with an absurd focal
length. So the fit also answers for what its own covariance predicts on a table, for how much of
the picture the views cover and how differently they were held, and for a plausible lens; where it
cannot, it refuses and says what to photograph next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats, Lens
from calibration.sheet import View

LEAST_VIEWS = 6
LEAST_COVERED = 0.55
LEAST_TILT_DEG = 8.0
WORST_RMS_PX = 1.0
WORST_PLACE_MM = 0.5
"""Predicted error (95 % of the board) on a one-metre board that fills the picture."""

NOISE_PX = 0.05
"""Corners are not believed to be better than this, whatever the residuals say."""

BOARD_MM = 1000.0
TOP_MM = 10.0
_CELLS = (8, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewFit:
    """How one view fitted. `dropped` says why it was left out, None where it was used."""

    name: str
    corners: int
    rms_px: float
    dropped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LensFit:
    """A calibrated lens and what speaks for it.

    `covariance` (9, 9) is of fx, fy, cx, cy, k1, k2, p1, p2, k3. `place_mm` is the error (95 % of
    the places) to be expected from this lens on a one-metre board filling the picture, at the
    height of the pieces' tops, once the pose has been fitted to the board. `covered` is the share
    of the picture where corners were seen, `tilt_deg` how differently the sheet was held.
    """

    lens: Lens
    covariance: Floats
    rms_px: float
    place_mm: float
    covered: float
    tilt_deg: float
    views: tuple[ViewFit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LensRefused:
    """Why no lens came of these views, each reason with what to do. False in an `if`."""

    reasons: tuple[str, ...]
    views: tuple[ViewFit, ...] = ()

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Solution:
    rms: float
    matrix: Floats
    dist: Floats
    turns: tuple[Floats, ...]
    moves: tuple[Floats, ...]
    per_view: Floats


def calibrate_lens(views: Sequence[View]) -> LensFit | LensRefused:
    """Fit OpenCV's pinhole with Brown distortion to `views`, all of one camera.

    Corners off by far more than the rest are left out, and so are views that fit far worse than
    the others (blurred, bent, moved).
    """
    if len(views) < LEAST_VIEWS:
        told = f"only {len(views)} views show the sheet: take at least {LEAST_VIEWS}, better 12"
        return LensRefused(reasons=(told,))
    sizes = {(view.width, view.height) for view in views}
    if len(sizes) > 1:
        told = ", ".join(f"{w} x {h}" for w, h in sorted(sizes))
        return LensRefused(reasons=(f"views of different sizes ({told}): use one camera setting",))
    size = sizes.pop()
    used = list(views)
    dropped: list[ViewFit] = []
    try:
        solved = _solve(used, size)
        for _ in range(3):
            used = [_trimmed(view, solved, n) for n, view in enumerate(used)]
            solved = _solve(used, size, solved)
            limit = max(2.5 * float(np.median(solved.per_view)), 0.3)
            worst = int(np.argmax(solved.per_view))
            if solved.per_view[worst] <= limit or len(used) <= LEAST_VIEWS:
                break
            usual = float(np.median(solved.per_view))
            why = f"misses by {solved.per_view[worst]:.2f} px, the others by {usual:.2f} px"
            dropped.append(_told(used[worst], solved.per_view[worst], why))
            del used[worst]
            solved = _solve(used, size)
    except cv2.error as err:
        return LensRefused(reasons=(f"the views do not fit together at all ({err.err})",))
    told_views = tuple(
        _told(view, rms) for view, rms in zip(used, solved.per_view, strict=True)
    ) + tuple(dropped)
    fit = _fit(used, size, solved, told_views)
    reasons = _against(fit, used, solved)
    return LensRefused(reasons=reasons, views=told_views) if reasons else fit


def place_error_mm(lens: Lens, covariance: Floats) -> float:
    """What an error of the lens costs on a table: mm, at 95 % of the places on the tops' plane.

    The board is one metre wide, fills the picture and is seen from a little aside; its pose is
    fitted to its own lines, which takes up most of the lens's error.
    """
    camera = _above(lens)
    grid = np.linspace(-0.48, 0.48, 9) * BOARD_MM
    flat = np.array([(x, y, 0.0) for x in grid for y in grid])
    tops = flat + np.array([0.0, 0.0, TOP_MM])
    turn, move = np.array(camera.rotation), np.array(camera.translation_mm)
    _, low = _jacobians(flat, turn, move, lens.matrix, np.array(lens.dist))
    _, high = _jacobians(tops, turn, move, lens.matrix, np.array(lens.dist))
    taken_up = np.linalg.lstsq(low[:, :6], low[:, 6:], rcond=None)[0]
    left = high[:, 6:] - high[:, :6] @ taken_up
    spread = np.einsum("ij,jk,ik->i", left, covariance, left).reshape(-1, 2)
    px = np.sqrt(np.maximum(spread.sum(axis=1), 0))
    scale = np.linalg.norm(move) / np.mean([lens.fx, lens.fy])
    return float(2 * np.quantile(px, 0.95) * scale)


def _solve(
    views: Sequence[View], size: tuple[int, int], start: _Solution | None = None
) -> _Solution:
    places = [view.places_mm.astype(np.float32) for view in views]
    pixels = [view.pixels.astype(np.float32) for view in views]
    if start is None:
        matrix, dist = cv2.calibrateCamera(
            places, pixels, size, np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
        )[1:3]
    else:
        matrix, dist = start.matrix, start.dist
    got = cv2.calibrateCameraExtended(
        places,
        pixels,
        size,
        np.array(matrix, dtype=np.float64),
        np.array(dist, dtype=np.float64).ravel()[:5],
        flags=cv2.CALIB_USE_INTRINSIC_GUESS,
    )
    return _Solution(
        rms=float(got[0]),
        matrix=np.asarray(got[1], dtype=np.float64).reshape(3, 3),
        dist=np.asarray(got[2], dtype=np.float64).ravel()[:5],
        turns=tuple(np.asarray(t, dtype=np.float64).ravel() for t in got[3]),
        moves=tuple(np.asarray(t, dtype=np.float64).ravel() for t in got[4]),
        per_view=np.asarray(got[7], dtype=np.float64).ravel(),
    )


def _trimmed(view: View, solved: _Solution, number: int) -> View:
    """The view without corners that are off by far more than the rest of it."""
    turn, move = solved.turns[number], solved.moves[number]
    seen, _ = _jacobians(view.places_mm, turn, move, solved.matrix, solved.dist)
    off = np.hypot(*(seen - view.pixels).T)
    keep = off <= max(4.0 * float(np.median(off)), 0.4)
    if keep.all() or keep.sum() < 8:
        return view
    return View(
        name=view.name,
        width=view.width,
        height=view.height,
        places_mm=view.places_mm[keep],
        pixels=view.pixels[keep],
    )


def _told(view: View, rms_px: float, dropped: str | None = None) -> ViewFit:
    return ViewFit(name=view.name, corners=len(view.pixels), rms_px=float(rms_px), dropped=dropped)


def _fit(
    views: Sequence[View], size: tuple[int, int], solved: _Solution, told: tuple[ViewFit, ...]
) -> LensFit:
    k1, k2, p1, p2, k3 = (float(v) for v in solved.dist)
    lens = Lens(
        width=size[0],
        height=size[1],
        fx=float(solved.matrix[0, 0]),
        fy=float(solved.matrix[1, 1]),
        cx=float(solved.matrix[0, 2]),
        cy=float(solved.matrix[1, 2]),
        dist=(k1, k2, p1, p2, k3),
    )
    covariance = _covariance(views, solved)
    return LensFit(
        lens=lens,
        covariance=covariance,
        rms_px=solved.rms,
        place_mm=place_error_mm(lens, covariance),
        covered=_covered(views, size),
        tilt_deg=_tilt_deg(solved),
        views=told,
    )


def _covariance(views: Sequence[View], solved: _Solution) -> Floats:
    """(9, 9) covariance of the lens, each view's pose marginalised out (Schur complement)."""
    information = np.zeros((9, 9))
    rest, count = 0.0, 0
    for view, turn, move in zip(views, solved.turns, solved.moves, strict=True):
        seen, jacobian = _jacobians(view.places_mm, turn, move, solved.matrix, solved.dist)
        rest += float(np.sum((seen - view.pixels) ** 2))
        count += seen.size
        pose, own = jacobian[:, :6], jacobian[:, 6:]
        information += own.T @ own - own.T @ pose @ np.linalg.solve(pose.T @ pose, pose.T @ own)
    freedom = max(count - 9 - 6 * len(views), 1)
    variance = max(rest / freedom, NOISE_PX**2)
    weak = 1 / np.array([1e5, 1e5, 1e4, 1e4, 10, 10, 1, 1, 10]) ** 2
    return np.asarray(variance * np.linalg.inv(information + variance * np.diag(weak)))


def _jacobians(
    places: Floats, turn: Floats, move: Floats, matrix: Floats, dist: Floats
) -> tuple[Floats, Floats]:
    """(N, 2) pixels, and (2N, 15): rotation, translation, fx, fy, cx, cy, k1, k2, p1, p2, k3."""
    seen, jacobian = cv2.projectPoints(places.reshape(-1, 1, 3), turn, move, matrix, dist)
    return (
        np.asarray(seen, dtype=np.float64).reshape(-1, 2),
        np.asarray(jacobian, dtype=np.float64)[:, :15],
    )


def _covered(views: Sequence[View], size: tuple[int, int]) -> float:
    pixels = np.concatenate([view.pixels for view in views])
    cells = np.floor(pixels / size * _CELLS).astype(np.int64)
    inside = np.all((cells >= 0) & (cells < _CELLS), axis=1)
    return len(np.unique(cells[inside], axis=0)) / (_CELLS[0] * _CELLS[1])


def _normals(solved: _Solution) -> Floats:
    """(V, 3) the sheet's normal in each view, as the camera sees it."""
    turned = [np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)[:, 2] for turn in solved.turns]
    return np.array([n if n[2] < 0 else -n for n in turned])


def _tilt_deg(solved: _Solution) -> float:
    """How differently the sheet was held: rms angle of its normals from their mean."""
    normals = _normals(solved)
    mean = normals.mean(axis=0)
    mean /= np.linalg.norm(mean)
    angles = np.degrees(np.arccos(np.clip(normals @ mean, -1, 1)))
    return float(np.sqrt(np.mean(angles**2)))


def _against(fit: LensFit, views: Sequence[View], solved: _Solution) -> tuple[str, ...]:
    lens = fit.lens
    reasons = []
    if fit.rms_px > WORST_RMS_PX:
        reasons.append(
            f"the corners miss by {fit.rms_px:.2f} px: glue the sheet to something flat, hold it"
            " still, check the squares' size and count; a fisheye lens cannot be used"
        )
    if fit.covered < LEAST_COVERED:
        reasons.append(
            f"the views cover {fit.covered:.0%} of the picture: hold the sheet into"
            f" {_empty_parts(views)} too"
        )
    if fit.tilt_deg < LEAST_TILT_DEG:
        reasons.append(
            f"the sheet was held much the same in all views ({fit.tilt_deg:.0f}° apart): tilt it"
            " by 20 to 40° to all sides"
        )
    apart = _distinct(solved)
    if apart < LEAST_VIEWS and fit.tilt_deg >= LEAST_TILT_DEG:
        reasons.append(f"only {apart} views differ from each other: move the sheet between views")
    if not 0.3 <= lens.fx / lens.width <= 6 or not 0.95 <= lens.fx / lens.fy <= 1.05:
        reasons.append(f"the focal lengths {lens.fx:.0f} and {lens.fy:.0f} px are not plausible")
    middle = np.hypot(lens.cx - lens.width / 2, lens.cy - lens.height / 2)
    if middle > 0.15 * lens.width:
        reasons.append(f"the optical axis lies {middle:.0f} px from the picture's middle")
    if not _one_to_one(lens):
        reasons.append("the distortion folds over inside the picture: cover the corners as well")
    if fit.place_mm > WORST_PLACE_MM:
        reasons.append(
            f"the predicted error on a board is {fit.place_mm:.2f} mm: take more views, larger in"
            " the picture, tilted and in the corners"
        )
    return tuple(reasons)


def _distinct(solved: _Solution) -> int:
    """How many views differ by 4 degrees or a tenth of their distance from all counted before."""
    normals, moves = _normals(solved), np.array(solved.moves)
    counted: list[int] = []
    for n in range(len(normals)):
        for m in counted:
            angle = np.degrees(np.arccos(np.clip(normals[n] @ normals[m], -1, 1)))
            shift = np.linalg.norm(moves[n] - moves[m]) / np.linalg.norm(moves[m])
            if angle < 4 and shift < 0.1:
                break
        else:
            counted.append(n)
    return len(counted)


def _empty_parts(views: Sequence[View]) -> str:
    """Where no corner was seen, in words."""
    size = (views[0].width, views[0].height)
    pixels = np.concatenate([view.pixels for view in views])
    thirds = np.clip((pixels / size * 3).astype(np.int64), 0, 2)
    seen = np.zeros((3, 3), dtype=bool)
    seen[thirds[:, 1], thirds[:, 0]] = True
    rows, columns = ("top", "middle", "bottom"), ("left", "middle", "right")
    parts = [f"{rows[r]} {columns[c]}" for r, c in zip(*np.nonzero(~seen), strict=True)]
    return ", ".join(parts) if parts else "the picture's edges"


def _one_to_one(lens: Lens) -> bool:
    """Does the distortion grow outwards over the whole picture?"""
    far: NDArray[np.float64] = np.array(
        [(u, v) for u in (0, lens.width) for v in (0, lens.height)], dtype=np.float64
    )
    reach = np.hypot((far[:, 0] - lens.cx) / lens.fx, (far[:, 1] - lens.cy) / lens.fy).max()
    k1, k2, _, _, k3 = lens.dist
    r = np.linspace(0, 3.0, 3001)
    grown = r * (1 + r**2 * (k1 + r**2 * (k2 + r**2 * k3)))
    folds = np.flatnonzero(np.diff(grown) <= 0)
    furthest = grown[folds[0]] if len(folds) else grown[-1]
    return bool(furthest >= reach)


def _above(lens: Lens) -> Camera:
    """A camera of this lens over a one-metre board that fills the picture, a little aside."""
    scale = min(lens.width / lens.fx, lens.height / lens.fy)
    height = BOARD_MM * 1.15 / scale
    place = np.array([0.05, -0.15, 1.0]) * height
    forward = -place / np.linalg.norm(place)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    matrix = np.stack([right, np.cross(forward, right), forward])
    turn = np.asarray(cv2.Rodrigues(matrix)[0], dtype=np.float64).ravel()
    move = -matrix @ place
    return Camera(
        lens=lens,
        rotation=(float(turn[0]), float(turn[1]), float(turn[2])),
        translation_mm=(float(move[0]), float(move[1]), float(move[2])),
    )
