"""The painted lines as they really lie on the board, for line calls."""

from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats
from rules.board import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class LineDistance:
    """How far a point lies from a painted line's centre line, and what bounds the line there.

    `distance_mm` is unsigned, to the nearest point of the centre line; `half_width_mm` the paint's
    half width there; `error_mm` one standard deviation of where the line's edge is.
    """

    distance_mm: float
    half_width_mm: float
    error_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaintedLine:
    """One drawn line as measured: (N, 2) `centre_mm` along its centre line, in board mm.

    `error_mm` (N,) is one standard deviation of the centre line's place, across the line;
    `width_mm` the paint's width with `width_error_mm`. `measured` (N,) is false where the line could
    not be seen well and its nominal place stands in.
    """

    line: Line
    centre_mm: Floats
    error_mm: Floats
    measured: np.ndarray
    width_mm: float
    width_error_mm: float

    def distance(self, x_mm: float, y_mm: float) -> LineDistance:
        """How far (x, y) lies from this line (its ends and joints are round)."""
        at = np.array([x_mm, y_mm])
        start, end = self.centre_mm[:-1], self.centre_mm[1:]
        along = end - start
        square = np.maximum(np.sum(along**2, axis=1), 1e-12)
        part = np.clip(np.sum((at - start) * along, axis=1) / square, 0.0, 1.0)
        gaps = np.hypot(*(start + part[:, None] * along - at).T)
        n = int(np.argmin(gaps))
        centre_error = (1 - part[n]) * self.error_mm[n] + part[n] * self.error_mm[n + 1]
        return LineDistance(
            distance_mm=float(gaps[n]),
            half_width_mm=self.width_mm / 2,
            error_mm=float(np.hypot(centre_error, self.width_error_mm / 2)),
        )


def nominal_path(line: Line, width_mm: float, height_mm: float, step_mm: float = 4.0) -> Floats:
    """(N, 2) centre line as drawn on a surface of this size, about `step_mm` apart.

    A circle is cut to its part on the surface (a circle's line counts only there). A polyline keeps
    its corners.
    """
    if line.centre is not None and line.radius_mm is not None:
        count = max(24, int(np.ceil(2 * np.pi * line.radius_mm / min(step_mm, line.radius_mm / 8))))
        turn = np.linspace(0, 2 * np.pi, count + 1)
        ring = np.column_stack([np.cos(turn), np.sin(turn)]) * line.radius_mm
        ring += (line.centre.x_mm, line.centre.y_mm)
        inside = (np.abs(ring[:, 0]) <= width_mm / 2) & (np.abs(ring[:, 1]) <= height_mm / 2)
        if inside.all():
            return ring
        if not inside.any():
            return ring[:0]
        first = int(np.argmax(inside & ~np.roll(inside, 1)))
        order = np.roll(ring[:-1], -first, axis=0)
        kept = np.roll(inside[:-1], -first)
        stop = int(np.argmin(kept)) if not kept.all() else len(kept)
        return np.asarray(order[:stop])
    corners = np.array([(p.x_mm, p.y_mm) for p in line.points])
    parts = []
    for a, b in zip(corners[:-1], corners[1:], strict=True):
        count = max(1, int(np.ceil(np.hypot(*(b - a)) / step_mm)))
        parts.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate([*parts, corners[-1:]])


def as_drawn(line: Line, width_mm: float, height_mm: float, error_mm: float = 0.3) -> PaintedLine:
    """The line as the board file draws it, for want of a measurement."""
    path = nominal_path(line, width_mm, height_mm)
    return PaintedLine(
        line=line,
        centre_mm=path,
        error_mm=np.full(len(path), error_mm),
        measured=np.zeros(len(path), dtype=bool),
        width_mm=line.width_mm,
        width_error_mm=0.1,
    )
