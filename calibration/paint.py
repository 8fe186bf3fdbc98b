"""The painted lines as they really lie on the board, for line calls.

A line's paint is measured stretch by stretch on the empty board. Grain, glare and crossings make
single stretches worth less than the drawing they are compared with, so they are weighed against
each other: how far paint strays from its drawing on this very board, as a whole stroke and along
it, is estimated first (empirical Bayes), and decides how far the measured offsets are believed.
On a board printed as drawn the drawing stands; on one painted by hand the measurement does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.pose import PoseFit
from calibration.strokes import Stroke, strokes_of
from rules.board import Board, Line

LENGTH_MM = 120.0
"""Over what length a line painted by hand wavers."""

GRAIN_MM = 30.0
"""Over what length grain and glare pull a measurement the same way."""

LEAST_MM = 0.012
"""One standard deviation of paint from its drawing that no measurement here can exclude."""

UNSEEN_MM = 0.3
"""The same where a line could not be measured at all."""

WIDTH_ERROR_MM = 0.05
"""One standard deviation of a drawn width that was found as drawn."""


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
    `width_mm` the paint's width with `width_error_mm`. `measured` (N,) is false where the line
    could not be seen well and its drawing stands in. `off_mm` (N,) is how far the paint lies from
    its drawing, along the stroke's normal.
    """

    line: Line
    centre_mm: Floats
    error_mm: Floats
    off_mm: Floats
    measured: NDArray[np.bool_]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Straying:
    """How far paint strays from its drawing on one board: variances in mm², of whole strokes and
    along them."""

    whole: float
    along: float


def measured_lines(
    board: Board, fit: PoseFit, widths: Mapping[int, tuple[float, float]]
) -> dict[str, PaintedLine]:
    """Every drawn line of `board` as `fit` found it; `widths` by line number, with their errors."""
    straying = how_paint_strays(fit)
    painted = {}
    for number, line in enumerate(board.lines):
        strokes = [(n, s) for n, s in enumerate(fit.cut.strokes) if s.line == number]
        found = [_along(stroke, n, fit, straying) for n, stroke in strokes]
        width, width_error = widths.get(number, (line.width_mm, WIDTH_ERROR_MM))
        painted[line.id] = _joined(line, [s for _, s in strokes], found, width, width_error)
    return painted


def as_drawn(board: Board, error_mm: float = UNSEEN_MM) -> dict[str, PaintedLine]:
    """The lines as the board file draws them, for want of a measurement."""
    painted = {}
    strokes = strokes_of(board)
    for number, line in enumerate(board.lines):
        mine = [s for s in strokes if s.line == number]
        found = []
        for stroke in mine:
            s = _nodes(stroke)
            none = np.zeros(len(s))
            found.append(_Course(s=s, off=none, error=none + error_mm, seen=none > 1))
        painted[line.id] = _joined(line, mine, found, line.width_mm, 0.1)
    return painted


def course_of(
    strokes: Sequence[Stroke], painted: PaintedLine
) -> list[tuple[Floats, Floats, Floats]]:
    """Per stroke of a painted line: arc lengths, offsets from the drawing and errors, each (N,)."""
    courses, first = [], 0
    for stroke in strokes:
        s = _nodes(stroke)
        part = slice(first, first + len(s))
        courses.append((s, painted.off_mm[part], painted.error_mm[part]))
        first += len(s)
    return courses


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Course:
    """A stroke's paint at arc lengths `s` (N,): offset from the drawing, error, whether seen."""

    s: Floats
    off: Floats
    error: Floats
    seen: NDArray[np.bool_]


def _nodes(stroke: Stroke) -> Floats:
    length = stroke.end_mm - stroke.begin_mm
    step = min(10.0, np.sqrt(8 * stroke.radius_mm * 0.001)) if stroke.radius_mm else 10.0
    return np.linspace(stroke.begin_mm, stroke.end_mm, 2 + int(length / step))


def _kernel(a: Floats, b: Floats, straying: Straying) -> Floats:
    gap = (a[:, None] - b[None, :]) / LENGTH_MM
    return np.asarray(straying.whole + straying.along * np.exp(-0.5 * gap**2))


def _noise(fit: PoseFit, which: NDArray[np.int64]) -> Floats:
    """(N, N) covariance of what these stretches tell: neighbours share grain and glare."""
    s, grain = fit.cut.s_mm[which], fit.grain_mm[which]
    shared = np.exp(-0.5 * ((s[:, None] - s[None, :]) / GRAIN_MM) ** 2)
    return np.asarray(np.outer(grain, grain) * shared + np.diag(fit.error_mm[which] ** 2))


def _along(stroke: Stroke, number: int, fit: PoseFit, straying: Straying) -> _Course:
    """The offset along one stroke: a Gaussian process, given the stretches."""
    nodes = _nodes(stroke)
    mine = np.flatnonzero(fit.good & (fit.cut.stroke == number))
    prior = straying.whole + straying.along
    if not len(mine):
        error = np.full(len(nodes), max(UNSEEN_MM / 3, float(np.sqrt(prior))))
        return _Course(
            s=nodes, off=np.zeros(len(nodes)), error=error, seen=np.zeros(len(nodes)) > 1
        )
    s, off = fit.cut.s_mm[mine], fit.offset_mm[mine]
    cover = _kernel(s, s, straying) + _noise(fit, mine)
    reach = _kernel(nodes, s, straying)
    gain = np.linalg.solve(cover, reach.T).T
    variance = prior - np.sum(gain * reach, axis=1)
    seen = np.min(np.abs(nodes[:, None] - s[None, :]), axis=1) < 30.0
    error = np.sqrt(np.maximum(variance, 0) + LEAST_MM**2)
    return _Course(s=nodes, off=gain @ off, error=error, seen=seen)


def how_paint_strays(fit: PoseFit) -> Straying:
    """The variances that explain the measured offsets best, nought unless they clearly do better.

    Maximum likelihood on a coarse grid, over all strokes together.
    """
    groups = []
    for number, stroke in enumerate(fit.cut.strokes):
        mine = np.flatnonzero(fit.good & (fit.cut.stroke == number))
        if len(mine) >= 3 and not stroke.is_edge:
            groups.append((fit.cut.s_mm[mine], fit.offset_mm[mine], _noise(fit, mine)))
    best, most = Straying(whole=0.0, along=0.0), -np.inf
    sizes = [0.0, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2]
    for whole in sizes:
        for along in sizes:
            trial = Straying(whole=whole**2, along=along**2)
            told = sum(_likelihood(*group, trial) for group in groups)
            told -= 4.0 * ((whole > 0) + (along > 0))
            if told > most:
                best, most = trial, told
    return best


def _likelihood(s: Floats, off: Floats, noise: Floats, straying: Straying) -> float:
    root = np.linalg.cholesky(_kernel(s, s, straying) + noise)
    white = np.linalg.solve(root, off)
    return float(-0.5 * white @ white - np.sum(np.log(np.diag(root))))


def _joined(
    line: Line, strokes: list[Stroke], found: list[_Course], width: float, width_error: float
) -> PaintedLine:
    """Put the strokes of one line together, so that moved sides meet in moved corners."""
    paths = [stroke.at(c.s, c.off) for stroke, c in zip(strokes, found, strict=True)]
    for (n, first), (_, second) in pairwise(enumerate(strokes)):
        corner = _corner(first, second, found[n].off[-1], found[n + 1].off[0])
        if corner is not None:
            paths[n][-1] = corner
            paths[n + 1][0] = corner
    if len(strokes) > 2 and line.points and line.points[0] == line.points[-1]:
        corner = _corner(strokes[-1], strokes[0], found[-1].off[-1], found[0].off[0])
        if corner is not None:
            paths[-1][-1] = corner
            paths[0][0] = corner

    def together(parts: Iterable[Floats]) -> Floats:
        return np.concatenate(list(parts)) if found else np.zeros(0)

    return PaintedLine(
        line=line,
        centre_mm=np.concatenate(paths) if paths else np.zeros((0, 2)),
        error_mm=together(c.error for c in found),
        off_mm=together(c.off for c in found),
        measured=np.concatenate([c.seen for c in found]) if found else np.zeros(0, dtype=bool),
        width_mm=width,
        width_error_mm=width_error,
    )


def _corner(first: Stroke, second: Stroke, off_first: float, off_second: float) -> Floats | None:
    if first.along is None or second.along is None or second.start is None:
        return None
    normals = np.array([[-s[1], s[0]] for s in (first.along, second.along)])
    if abs(np.linalg.det(normals)) < 0.1:
        return None
    shift = np.linalg.solve(normals, np.array([off_first, off_second]))
    return np.asarray(second.start + shift)
