"""Where the camera stands: the pose of a known lens over a known board, and how sure it is."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera, Floats, Lens
from calibration.landmarks import Landmarks, NotFound


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
