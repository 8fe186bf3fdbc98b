"""Frames in the light, and from the place, of the still picture that they are compared with.

Lamps flicker on the mains, a camera makes up for light as it thinks fit, a cloud passes, a mount
swings. What that does is the same for all that lies near by, whatever moves there: light is a
smooth factor over the picture, and one of its rows, as most cameras read them one after the other
while a lamp flickers; a swing is a shift of all of it by parts of a pixel.
"""

from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import View
from vision.tracking.plane import Floats

Gray = NDArray[np.uint8]
_WHOLE = (slice(None), slice(None))
_TILE_PX, _SPARSE = 48, 8
_DARK, _LIT = 6.0, 30.0  # codes: added before ratios are taken, and bright enough to tell
_FEWEST, _FEWEST_IN_ROW = 24, 5  # tiles that are light enough to tell
_ORDER = 3
_SPREADS = (0.2, 0.1, 0.05, 0.03)  # of logarithms: what differs by more is an arm or a piece
_LEAST_LIGHT = 0.012  # less, and the picture is taken as it is,
_FEW_OFF = 0.1  # and so it is where so few tiles differ by more
_EVEN, _BANDED = 0.006, 0.004
_EDGE_PX, _STEEPEST = 12, 600  # one edge of each square, and so many of them
_STEEP = 8.0  # codes per pixel
_LEAST_PX, _FARTHEST_PX = 0.08, 2.0  # swings that are undone
_ROUNDS, _SURE_PX = 12, 0.01
_MOST_OFF = np.float32(8.0)  # codes that an edge may pull by: more, and something lies there


class Steady:
    """Call it with each frame after a still picture: the frame as it would be beside that.

    Where nothing of that kind has happened, which is nearly always, it costs next to nothing. Only
    the part `crop` of the pictures is looked at, and made like the still one.
    """

    def __init__(self, crop: View = _WHOLE) -> None:
        self._crop = crop
        self._light: _Light | None = None
        self._edges: _Edges | None = None
        self._gain: _Gain | None = None
        self._shift_px: tuple[float, float] | None = None

    def begin(self, still: Gray) -> None:
        """Take `still` (H, W) as the light and the place to keep to."""
        part = still[self._crop]
        self._light, self._edges = _Light(part), _Edges(part)
        self._gain, self._shift_px = None, None

    def __call__(self, picture: Gray) -> Gray:
        """`picture` (H, W), made like the still one in light and place; itself where it is so."""
        if self._light is None or self._edges is None:
            return picture
        part = picture[self._crop]
        self._gain = self._light.missing_in(part)
        lit = self._lit(part)
        dx, dy = self._edges.shift_of(lit)
        self._shift_px = (dx, dy) if _LEAST_PX < hypot(dx, dy) < _FARTHEST_PX else None
        return self._with(picture, lit)

    def likewise(self, picture: Gray) -> Gray:
        """What was done to the last frame done to a `picture` (H, W) or (H, W, 3): to the same one
        in colour, say; itself where nothing was."""
        return self._with(picture, self._lit(picture[self._crop]))

    def _lit(self, part: Gray) -> Gray:
        return part if self._gain is None else self._gain.on(part)

    def _with(self, picture: Gray, lit: Gray) -> Gray:
        """`picture` with its part, `lit` by now, shifted back."""
        if self._gain is None and self._shift_px is None:
            return picture
        whole = picture.copy()
        whole[self._crop] = lit if self._shift_px is None else _shifted_back(lit, *self._shift_px)
        return whole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Gain:
    """By what a picture has to be multiplied: tile by tile, running smoothly from one to the next
    (`smooth`, (rows, columns)), and where it has bands row by row (`by_row`, (rows,), logarithms).
    """

    smooth: Floats
    by_row: Floats | None

    def on(self, picture: Gray) -> Gray:
        """`picture` (H, W) or (H, W, 3) in that light."""
        if self.by_row is None and float(np.ptp(self.smooth)) < _EVEN:
            alpha = float(self.smooth.mean())
            return np.asarray(cv2.convertScaleAbs(picture, alpha=alpha), dtype=np.uint8)
        size = (picture.shape[1], picture.shape[0])
        whole = cv2.resize(self.smooth.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        if self.by_row is not None:
            whole *= np.exp(_at_each(self.by_row, len(picture)))[:, None]
        if picture.ndim == 3:
            whole = cv2.merge([whole] * picture.shape[2])
        return np.asarray(cv2.multiply(picture, whole, dtype=cv2.CV_8U), dtype=np.uint8)


class _Light:
    """How bright each tile of a still picture is."""

    def __init__(self, still: Gray) -> None:
        self._codes = _tiles(still)
        self._logs = _logs(self._codes)
        rows, columns = self._codes.shape
        y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
        powers = [(i, k) for i in range(_ORDER + 1) for k in range(_ORDER + 1 - i)]
        self._basis = np.stack([(x**i * y**k).ravel() for i, k in powers], axis=1)
        lit = self._codes > _LIT
        self._lit = lit.ravel()
        usual = np.maximum(_LEAST_LIGHT * self._codes, 1.0)
        self._usual = np.where(lit, usual, 255).astype(np.uint8)

    def missing_in(self, picture: Gray) -> _Gain | None:
        """By what `picture` has to be multiplied; None where by nothing."""
        codes = _tiles(picture)
        off = cv2.compare(cv2.absdiff(codes, self._codes), self._usual, cv2.CMP_GT)
        lit = int(self._lit.sum())
        if lit < _FEWEST or cv2.countNonZero(off) < _FEW_OFF * lit:
            return None
        logs = (self._logs - _logs(codes)).ravel()
        fit = np.full(len(logs), float(np.median(logs[self._lit])))
        for spread in _SPREADS:
            weight = self._lit / (1 + ((logs - fit) / spread) ** 4)
            weighed = self._basis * weight[:, None]
            normal = weighed.T @ self._basis + 1e-2 * np.eye(self._basis.shape[1])
            fit = self._basis @ np.linalg.solve(normal, weighed.T @ logs)
        smooth = fit.reshape(self._codes.shape)
        by_row = self._by_row((logs - fit).reshape(codes.shape))
        if float(np.abs(smooth + by_row[:, None]).ravel()[self._lit].max()) < _LEAST_LIGHT:
            return None
        if float(np.abs(by_row).max()) < _BANDED:
            return _Gain(smooth=np.exp(smooth), by_row=None)
        usual = smooth.mean(axis=1)  # one curve tells more of the first and last rows than two
        return _Gain(smooth=np.exp(smooth - usual[:, None]), by_row=usual + by_row)

    def _by_row(self, left: Floats) -> Floats:
        """(rows,) what is left of logarithms (rows, columns) in most of a row's tiles."""
        lit = self._lit.reshape(left.shape)
        rows = np.zeros(len(left))
        if len(rows) < _FEWEST_IN_ROW:
            return rows
        for row in np.flatnonzero(lit.sum(axis=1) >= _FEWEST_IN_ROW).tolist():
            mine = np.sort(left[row, lit[row]])
            rows[row] = mine[np.abs(mine - mine[len(mine) // 2]) < _SPREADS[-1]].mean()
        return rows


class _Edges:
    """The steepest places of a still picture, which tell how far another one has shifted."""

    def __init__(self, still: Gray) -> None:
        soft = cv2.GaussianBlur(still, (0, 0), 0.7)
        along = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=1, scale=0.5)
        down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=1, scale=0.5)
        steep = np.hypot(along, down)
        steep[:3] = steep[-3:] = 0.0
        steep[:, :3] = steep[:, -3:] = 0.0
        steep[(still > 250) | (still < 5)] = 0.0
        rows, columns = (side // _EDGE_PX * _EDGE_PX for side in still.shape)
        blocks = steep[:rows, :columns].reshape(rows // _EDGE_PX, _EDGE_PX, -1, _EDGE_PX)
        squares = blocks.transpose(0, 2, 1, 3).reshape(-1, _EDGE_PX**2)
        inner, most = squares.argmax(axis=1), squares.max(axis=1)
        best = np.argsort(most)[-_STEEPEST:]
        best = best[most[best] > _STEEP]
        across = columns // _EDGE_PX
        v = best // across * _EDGE_PX + inner[best] // _EDGE_PX
        u = best % across * _EDGE_PX + inner[best] % _EDGE_PX
        # as one long row, which OpenCV reads much faster than many rows of one pixel each
        self._u, self._v = u.astype(np.float32)[None], v.astype(np.float32)[None]
        self._codes = still[v, u].astype(np.float32)
        slopes = np.stack([along[v, u], down[v, u]])
        self._steps = np.linalg.solve(slopes @ slopes.T + 1e-6 * np.eye(2), slopes)

    def shift_of(self, picture: Gray) -> tuple[float, float]:
        """(right, down) in pixels how far `picture` has shifted; (0, 0) where few edges tell."""
        if self._codes.size < _FEWEST:
            return 0.0, 0.0
        dx = dy = 0.0
        for _ in range(_ROUNDS):
            u, v = self._u + np.float32(dx), self._v + np.float32(dy)
            off = self._codes - cv2.remap(picture, u, v, cv2.INTER_LINEAR)[0]
            step_x, step_y = self._steps @ np.clip(off, -_MOST_OFF, _MOST_OFF)
            dx, dy = dx + float(step_x), dy + float(step_y)
            if hypot(step_x, step_y) < _SURE_PX:
                break
        return dx, dy


def _tiles(picture: Gray) -> Gray:
    """(rows, columns) the mean code of each tile of `picture`."""
    (top, rows), (left, columns) = (_tiled(side) for side in picture.shape)
    few = picture[top:, left:][: rows * _TILE_PX : _SPARSE, : columns * _TILE_PX : _SPARSE]
    # whole pixels to a tile, which OpenCV counts many times faster
    means = cv2.resize(np.ascontiguousarray(few), (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(means, dtype=np.uint8)


def _tiled(side_px: int) -> tuple[int, int]:
    """Where the first of the tiles begins along a side of a picture, and how many there are."""
    tiles = max(side_px // _TILE_PX, 1)
    return max(side_px - tiles * _TILE_PX, 0) // 2, tiles


def _logs(codes: Gray) -> Floats:
    """Natural logarithms of `codes`."""
    return np.log(codes.astype(np.float64) + _DARK)


def _shifted_back(picture: Gray, dx: float, dy: float) -> Gray:
    """`picture` as it was before it shifted to the right and down by so many pixels."""
    way = np.array([[1.0, 0.0, -dx], [0.0, 1.0, -dy]])
    size = (picture.shape[1], picture.shape[0])
    back = cv2.warpAffine(
        picture, way, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(back, dtype=np.uint8)


def _at_each(tiles: Floats, pixels: int) -> NDArray[np.float32]:
    """(pixels,) what values (rows,) at the middles of tiles are at each pixel of that side: a curve
    through them, straight beyond the first and the last."""
    first, last = 2 * tiles[0] - tiles[1], 2 * tiles[-1] - tiles[-2]
    column = np.concatenate([[first], tiles, [last]]).astype(np.float32)[:, None]
    top, _ = _tiled(pixels)
    at = (np.arange(pixels, dtype=np.float32) + 0.5 - top) / _TILE_PX + 0.5
    curve = cv2.remap(
        column, np.zeros_like(at)[None], at[None], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(curve[0], dtype=np.float32)
