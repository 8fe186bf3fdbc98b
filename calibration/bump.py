"""Has the camera or the board been moved since the empty picture was taken?

The board's painted lines and marker edges are measured again, where the empty picture showed them:
paint stays where it is when a lamp is switched on, while shadows and glare wander. What pieces and
hands hide does not agree with the rest and is outvoted. A bump too large for that is found by
following some eighty corners of the picture (pyramidal Lucas-Kanade, Bouguet 2000; a similarity by
RANSAC).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.ridges import measure_ridges
from calibration.strokes import Stretches, stretches_of
from rules.board import Board

STRETCHES = 140
SEARCH_PX = 4.0
CORNERS = 80
LEAST_AGREEING = 12
LEAST_SHARE = 0.25
AGREE_PX = 0.6
_WINDOW = (21, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How far the picture has moved: at the board's centre, the turn, and at the worst corner.

    It has grown by `scale`, as a share. `error_px` is one standard deviation of `dx_px` and
    `dy_px`.
    """

    dx_px: float
    dy_px: float
    turn_deg: float
    scale: float
    worst_px: float
    error_px: float

    def after(self, before: "Shift") -> "Shift":
        """The two as one: what is left of `before`, measured in a picture turned back by it."""
        turn = radians(before.turn_deg)
        c, s = (1 + before.scale) * cos(turn), (1 + before.scale) * sin(turn)
        return replace(
            self,
            dx_px=before.dx_px + c * self.dx_px - s * self.dy_px,
            dy_px=before.dy_px + s * self.dx_px + c * self.dy_px,
            turn_deg=before.turn_deg + self.turn_deg,
            scale=(1 + before.scale) * (1 + self.scale) - 1,
            worst_px=before.worst_px + self.worst_px,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reference:
    """The empty picture made ready to compare with.

    `cut` are the stretches of paint to measure again and `offset_px` (K,) where they were found;
    `corners_px` (N, 2) the corners to follow after a large bump; `outline_px` the board's outline.
    """

    camera: Camera
    cut: Stretches
    offset_px: Floats
    plain: NDArray[np.uint8]
    corners_px: NDArray[np.float32]
    middle_px: Floats
    outline_px: Floats


def bump_reference(empty: NDArray[np.uint8], camera: Camera, board: Board) -> Reference:
    """Choose the paint and the corners to follow in `empty` ((H, W) or (H, W, 3) uint8).

    ValueError where the picture shows too little of a board to follow.
    """
    cut = stretches_of(board, camera, range(len(board.fiducials)))
    found = measure_ridges(empty, camera, cut, search_px=0.6)
    usable = np.flatnonzero(found.good & (found.error_px < 0.06))
    usable = usable[:: max(1, len(usable) // STRETCHES)]
    plain = _plain(empty)
    half_x = board.width_mm / 2 + board.border_width_mm
    half_y = board.height_mm / 2 + board.border_width_mm
    around = [(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)]
    places = np.array([(x, y, board.border_height_mm) for x, y in around])
    outline = camera.project(places)
    mask = np.zeros(plain.shape, dtype=np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    spread = max(10.0, np.sqrt(np.count_nonzero(mask)) / 14)
    chosen = cv2.goodFeaturesToTrack(plain, CORNERS, 0.02, spread, mask=mask, blockSize=7)
    corners = np.zeros((0, 2), dtype=np.float32)
    if chosen is not None:
        corners = np.asarray(chosen, dtype=np.float32).reshape(-1, 2)
    if len(usable) < LEAST_AGREEING and len(corners) < LEAST_AGREEING:
        raise ValueError(f"expected a board with something to follow, found {len(corners)} corners")
    return Reference(
        camera=camera,
        cut=cut.pick(usable),
        offset_px=found.offset_px[usable],
        plain=plain,
        corners_px=corners,
        middle_px=camera.project(np.zeros((1, 3)))[0],
        outline_px=outline,
    )


def guesses_px(reference: Reference, frame: NDArray[np.uint8]) -> Iterator[Shift]:
    """How far `frame` may have moved: by the paint, then by corners, which follow further. On a
    board of even lines, paint may be taken for its neighbour."""
    for told in (_by_paint, _by_corners):
        if (shift := told(reference, frame)) is not None:
            yield shift


def _by_paint(reference: Reference, frame: NDArray[np.uint8]) -> Shift | None:
    """Measure the paint again; a similarity of the picture explains what has moved."""
    cut = reference.cut
    if len(cut) < LEAST_AGREEING:
        return None
    ridges = measure_ridges(frame, reference.camera, cut, search_px=SEARCH_PX)
    seen = ridges.good
    if seen.sum() < max(LEAST_AGREEING, LEAST_SHARE * len(cut)):
        return None
    normal = ridges.normal_px[seen]
    x, y = (ridges.pixel[seen] - reference.middle_px).T
    along = np.stack([normal[:, 0] * x + normal[:, 1] * y, normal[:, 1] * x - normal[:, 0] * y])
    bloom = (cut.line[seen] < 0).astype(np.float64)
    design = np.column_stack([normal, along.T, bloom])
    scale = np.array([1.0, 1.0, 1e-3, 1e-3, 1.0])
    target = ridges.offset_px[seen] - reference.offset_px[seen]
    answer = _vote(design * scale, target) * scale
    rest = target - design @ answer
    agree = np.abs(rest) < 0.25
    if agree.sum() < max(LEAST_AGREEING, 0.6 * len(rest)) or np.hypot(*answer[:2]) > SEARCH_PX - 1:
        return None
    answer = np.linalg.lstsq((design * scale)[agree], target[agree], rcond=None)[0] * scale
    rest = (target - design @ answer)[agree]
    sigma = float(np.sqrt(rest @ rest / max(len(rest) - 5, 1)))
    error = sigma / np.sqrt(len(rest) / 2)
    return _told(reference, answer[:4], float(error))


def _vote(design: Floats, target: Floats) -> Floats:
    """Least squares, reweighted towards what most of the rows agree on (Tukey's biweight)."""
    ridge = 1e-9 * np.eye(design.shape[1])
    weight = np.ones(len(target))
    answer: Floats = np.zeros(design.shape[1])
    for cut_off in (6.0, 4.0, 2.5, 1.5, 1.0, 0.6, 0.4, 0.3, 0.3, 0.3):
        weighted = design * weight[:, None]
        answer = np.asarray(np.linalg.solve(weighted.T @ design + ridge, weighted.T @ target))
        rest = np.abs(target - design @ answer) / cut_off
        weight = np.clip(1 - rest**2, 0, None) ** 2
    return np.asarray(answer)


def _by_corners(reference: Reference, frame: NDArray[np.uint8]) -> Shift | None:
    if len(reference.corners_px) < LEAST_AGREEING:
        return None
    plain = _plain(frame)
    begin = reference.corners_px.reshape(-1, 1, 2)
    there, ok_there = _follow(reference.plain, plain, begin)
    back, ok_back = _follow(plain, reference.plain, there.reshape(-1, 1, 2))
    drift = np.hypot(*(back - reference.corners_px).T)
    good = ok_there & ok_back & (drift < 0.3)
    if good.sum() < LEAST_AGREEING:
        return None
    start = reference.corners_px[good].astype(np.float64)
    end = there[good].astype(np.float64)
    guess, votes = cv2.estimateAffinePartial2D(
        start, end, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX, maxIters=1000
    )
    if guess is None or votes is None:
        return None
    agree = np.asarray(votes).ravel().astype(bool)
    if agree.sum() < max(LEAST_AGREEING, LEAST_SHARE * len(good)):
        return None
    x, y = (start[agree] - reference.middle_px).T
    one, nought = np.ones_like(x), np.zeros_like(x)
    design = np.concatenate(
        [np.stack([one, nought, x, -y], axis=1), np.stack([nought, one, y, x], axis=1)]
    )
    target = (end - start)[agree].T.ravel()
    answer = np.linalg.lstsq(design, target, rcond=None)[0]
    rest = target - design @ answer
    sigma = float(np.sqrt(rest @ rest / max(len(target) - 4, 1)))
    return _told(reference, answer, sigma / float(np.sqrt(len(x))))


def _told(reference: Reference, answer: Floats, error_px: float) -> Shift:
    """The shift from (dx, dy, scale, turn) about the board's middle."""
    dx, dy, scale, turn = (float(v) for v in answer)
    ox, oy = (reference.outline_px - reference.middle_px).T
    at_outline = np.hypot(dx + scale * ox - turn * oy, dy + scale * oy + turn * ox)
    return Shift(
        dx_px=dx,
        dy_px=dy,
        turn_deg=float(np.degrees(np.arctan2(turn, 1 + scale))),
        scale=scale,
        worst_px=float(max(np.max(at_outline), np.hypot(dx, dy))),
        error_px=error_px,
    )


def _plain(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture in grey, freed of brightness and contrast, (H, W) uint8."""
    gray = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    shade = gray.astype(np.float32)
    shade -= cv2.blur(shade, (25, 25))
    spread = np.sqrt(np.maximum(cv2.blur(shade * shade, (25, 25)), 0)) + 4.0
    return np.asarray(np.clip(128 + 48 * shade / spread, 0, 255), dtype=np.uint8)


def _follow(
    before: NDArray[np.uint8], after: NDArray[np.uint8], points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.005)
    moved, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points, points.copy(), winSize=_WINDOW, maxLevel=4, criteria=stop
    )
    ok = np.asarray(found).ravel() == 1
    return np.asarray(moved, dtype=np.float32).reshape(-1, 2), np.asarray(ok)
