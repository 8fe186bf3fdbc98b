"""What one piece looks like in these pictures, as a layer over the board.

`pred = board * through + layer`. `layer` is what the piece shows itself (top and wall), `through`
how much of the board beneath is left: 0 under the piece, its shadow around it, 1 farther out. All
is drawn in the plane of the top. What lies on the surface there, the foot and the shadow round it,
shifts against the top as the piece runs: a shadow carried along with the top would drag the fit by
half a millimetre. Both layers are blurred along the motion by what the piece ran during the
exposure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking import drawing, gauss_newton
from vision.tracking.plane import Floats, Patch, Plane

Gray = NDArray[np.uint8]
Points = NDArray[np.float32]  # (N,), one for each pixel that is looked at
_TURNS = 32
_FAR_MM = np.arange(0.0, 16.1, 1.0)
_CELL_MM = 20.0  # within such a cell a piece leans by less than 0.1 mm otherwise
_KEPT = 160
_PLACES_KEPT, _SPARE_PX = 12, 6
_RING = 0.45  # how far around a piece must be explained as well, of its radius
_SHADOW_MM = 9.0
_WALL_SHARE = 0.35  # of a pixel: so much wall must be in it to tell how bright that is
_ALIKE_MM = 0.05  # so alike in thickness, they cast the same
_BESIDE_MM = 5.0  # around a neighbour its wall and its own shadow are seen
USUAL_BLUR_PX = 0.8  # one sd: lens, pixel and the cutting of patches together


@dataclass(frozen=True, slots=True)
class Layers:
    """A stamp made ready for one place and blur: the pixels that matter, as rows of numbers."""

    half: int
    drawn: Patch  # (n, n, 2): how much of the board is hidden or shaded, and the layer
    at_mm: Patch  # (2, N): where each pixel lies about the centre
    through: Points
    lights: Patch  # (4, N): the layer, and even and sloped light on the piece
    through_falls: Patch  # (2, N): how `through` and the layer fall off along x and y, per mm
    layer_falls: Patch
    around: Points  # 1 on the piece, half in a ring about it that must be explained as well


@dataclass(frozen=True, slots=True)
class Cover:
    """Another piece that is not in the board picture: its stamp, where it is and how it is lit."""

    stamp: "Stamp"
    x_mm: float
    y_mm: float
    blur_mm: tuple[float, float]
    gain: float | None = None


class Stamp:
    """The looks of one piece, taken where it lay at rest."""

    def __init__(
        self,
        plane: Plane,
        picture: Gray,
        clean: Gray,
        at: tuple[float, float],
        *,
        radius_mm: float,
        noise: float,
        hole_mm: float = 0.0,
        pitch_mm: float | None = None,
        beside: Sequence[tuple[float, float, float]] = (),
    ) -> None:
        """`beside`: pieces (x, y, radius in mm) that lie near: what they cover is no shadow."""
        self.plane = plane
        self.pitch = plane.step_mm if pitch_mm is None else pitch_mm
        self.blur_px = USUAL_BLUR_PX
        self._beside = tuple(beside)
        self.radius_mm = radius_mm
        self.hole_mm = hole_mm
        self.noise = noise
        self.lean = plane.z_mm / plane.eye[2]
        self.margin_mm = max(_RING * radius_mm, _SHADOW_MM)
        self.half = int(np.ceil((radius_mm + float(_FAR_MM[-1])) / plane.step_mm)) + 2
        wide = max(1, round(_RING * radius_mm / plane.step_mm))
        self._ring = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * wide + 1, 2 * wide + 1))
        self._cache: dict[tuple[int, int, int, int, int], Layers] = {}
        self._sharp: dict[tuple[float, float], Patch] = {}
        self._learn(picture, clean, at)

    def foot_of(self, at: tuple[float, float]) -> tuple[float, float]:
        """Where the centre of the foot is seen, about that of the top, in the top's plane."""
        return (self.plane.eye[0] - at[0]) * self.lean, (self.plane.eye[1] - at[1]) * self.lean

    def _shapes(self, at: tuple[float, float], half: int) -> tuple[Patch, Patch]:
        """Soft masks of the top and of the whole silhouette (hull of top and foot circles)."""
        soft_mm = self.blur_px * self.pitch
        grid = self.plane.grid(half)
        return drawing.shapes(*grid, self.radius_mm, self.lean, *self.foot_of(at), soft_mm)

    def focus(self, blur_px: float) -> None:
        """Take `blur_px`, in the picture's pixels, as one sd of how an edge is blurred."""
        self.blur_px = blur_px
        self._forget()

    # -- learning ------------------------------------------------------------------------------

    def _learn(self, picture: Gray, clean: Gray, at: tuple[float, float]) -> None:
        half = self.half
        spot = self.plane.spot(*at)
        seen = self.plane.cut(picture, spot, half)
        board = np.maximum(self.plane.cut(clean, spot, half), 4.0)
        self.level = lit_level(board)
        top, hull = self._shapes(at, half)
        rho = self.plane.grid(half)[2]
        # A piece is a body of rotation: what is far from its ring's median is a cue or a finger.
        ring = np.minimum((rho / self.plane.step_mm).astype(int), half)
        inside = top > 0.5
        looks = seen.copy()
        for k in range(int(ring[inside].max()) + 1):
            here = inside & (ring == k)
            if here.sum() >= 6:
                middle = np.median(seen[here])
                off = here & (np.abs(seen - middle) > 12)
                looks[off] = middle
        wall = (hull > 0.97) & (top < 0.03)
        # the outermost pixels are mixed with what lies beside: the edge itself is drawn anew
        pure = self.radius_mm - 1.5 * self.pitch
        rim = (rho < pure) & (rho > pure - 1.5 * self.plane.step_mm)
        self.edge = float(np.median(looks[rim]))
        self.wall_seen = int(wall.sum())
        self.wall = float(np.median(seen[wall])) if self.wall_seen >= 8 else 0.75 * self.edge
        self.wall_tilt = 0.0, 0.0
        self.wall_looks = self._wall_looks(seen, board, top, hull)
        self.looks = np.where(rho <= pure, looks, self.edge).astype(np.float32)
        self._lain = (seen, board, at)
        self._learn_shade(top, hull)

    def _wall_looks(self, seen: Patch, board: Patch, top: Patch, hull: Patch) -> Patch:
        """(N, 3) what is seen of the wall: cosine and sine of where, and how bright in codes.

        Few pixels show nothing else: what top and lit board add is taken off.
        """
        share = hull - top
        here = share > _WALL_SHARE
        grid_x, grid_y, rho = self.plane.grid(self.half)
        own = (seen - self.edge * top - board * (1 - hull))[here] / share[here]
        far = np.maximum(rho[here], 1.0)
        return np.stack([grid_x[here] / far, grid_y[here] / far, own], axis=1)

    def light_wall(self, even: float, tilt: tuple[float, float]) -> None:
        """Take the wall as `even` times as bright as the top, and brighter by `tilt` along x, y."""
        if self.wall_seen < 8:
            self.wall = even * self.edge
        self.wall_tilt = tilt[0] * self.edge, tilt[1] * self.edge
        self._forget()

    def _wall(self, half: int) -> Patch:
        """How bright the wall is in each direction (`drawing.wall`)."""
        return drawing.wall(*self.plane.grid(half), self.wall, *self.wall_tilt)

    def shade_anew(self) -> None:
        """Learn the shadow round the piece, by how blurred its edge is now thought to be."""
        self._learn_shade(*self._shapes(self._lain[2], self.half))

    def _learn_shade(self, top: Patch, hull: Patch) -> None:
        """Learn the shadow round a piece of which `top` and `hull` are drawn.

        Hard by the rim board, shadow and piece are mixed in each pixel: what the piece adds is
        taken off, so that a deeper shadow on one side is not taken for a shift of the rim.
        """
        seen, board, at = self._lain
        own = self.edge * top + self._wall(self.half) * (hull - top)
        bare = hull < 0.6
        ratio = (seen - own) / np.maximum(board * (1 - hull), 1.0)
        shade = np.where(bare, np.clip(ratio, 0.3, 1.15), np.nan).astype(np.float32)
        self.halo = self._unroll(shade, at)
        turn, far = _polar()
        x = at[0] + (self.radius_mm + far) * np.cos(turn)
        y = at[1] + (self.radius_mm + far) * np.sin(turn)
        for other_x, other_y, radius in self._beside:
            self.halo[np.hypot(x - other_x, y - other_y) < radius + _BESIDE_MM] = np.nan
        self.cast(np.nan_to_num(self.halo, nan=1.0))

    def _unroll(self, shade: Patch, at: tuple[float, float]) -> Patch:
        """(turns, distances from the foot) of how dark the board is around; NaN where hidden."""
        fx, fy = self.foot_of(at)
        turn, far = _polar()
        rho = (self.radius_mm + far) * (1 - self.lean)
        u = (self.half + (fx + rho * np.cos(turn)) / self.plane.step_mm).astype(np.float32)
        v = (self.half + (fy + rho * np.sin(turn)) / self.plane.step_mm).astype(np.float32)
        return np.asarray(cv2.remap(shade, u, v, cv2.INTER_LINEAR, borderValue=1.0))

    def halo_of(self, thick_mm: float) -> Patch:
        """The shadow round it as one `thick_mm` thick would cast it: as much longer or shorter."""
        if abs(thick_mm - self.plane.z_mm) < _ALIKE_MM or self.plane.z_mm <= 0:
            return self.halo
        columns = np.arange(len(_FAR_MM), dtype=np.float32) * np.float32(self.plane.z_mm / thick_mm)
        rows = np.arange(len(self.halo), dtype=np.float32)
        u, v = np.meshgrid(columns, rows)
        return np.asarray(
            cv2.remap(self.halo, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )

    def cast(self, halo: Patch) -> None:
        """Take `halo` (turns, distances; no NaN) as the shadow that this piece casts."""
        fade = np.clip((_FAR_MM - 11.0) / 5.0, 0, 1)
        faded = 1 + (halo - 1) * (1 - fade)
        self._shade = np.vstack([faded, faded[:1]]).astype(np.float32)
        self._forget()

    def shadow(self, at: tuple[float, float], half: int | None = None) -> Patch:
        """How much of the light the board keeps around the piece standing `at`, 1 where all."""
        grid_x, grid_y, _ = self.plane.grid(self.half if half is None else half)
        fx, fy = self.foot_of(at)
        grid_x, grid_y = grid_x - np.float32(fx), grid_y - np.float32(fy)
        rho, turn = cv2.cartToPolar(grid_x, grid_y)
        v = turn * np.float32(_TURNS / (2 * np.pi))
        u = rho * np.float32(1 / (1 - self.lean)) - np.float32(self.radius_mm)
        u /= np.float32(_FAR_MM[1] - _FAR_MM[0])
        shade = cv2.remap(self._shade, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(shade, dtype=np.float32)

    def heal(self, usual: Patch) -> None:
        """Where a cue or a hand hid it, take the looks of its like (over the board's level)."""
        off = np.abs(self.looks - usual * self.level) > 28
        self.looks = np.where(off, usual * self.level, self.looks).astype(np.float32)
        self._forget()

    def gain_over(self, level: float) -> float:
        """How much brighter the light is where the board has this level than where it lay."""
        return gauss_newton.lit_gain(level, self.level)

    # -- layers --------------------------------------------------------------------------------

    def layers(self, at: tuple[float, float], blur_mm: tuple[float, float]) -> Layers:
        """The stamp standing `at`, blurred by a way of `blur_mm`."""
        bx, by = (blur / self.plane.step_mm for blur in blur_mm)
        # the longer the blur, the less its exact length matters
        grain = max(0.25, 0.06 * hypot(bx, by))
        kx, ky = round(bx / grain), round(by / grain)
        if kx < 0 or (kx == 0 and ky < 0):
            kx, ky = -kx, -ky
        fine = round(np.log2(grain) * 4)
        key = (round(at[0] / _CELL_MM), round(at[1] / _CELL_MM), kx, ky, fine)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _KEPT:
                self._cache.clear()
            place = (key[0] * _CELL_MM, key[1] * _CELL_MM)
            blur = (bx, by) if kx or ky else (0.0, 0.0)
            found = self._cache[key] = self._build(place, *blur)
        return found

    def _build(self, at: tuple[float, float], bx: float, by: float) -> Layers:
        step = self.plane.step_mm
        reach = int(np.ceil(max(abs(bx), abs(by)) / 2))
        own = int(np.ceil((self.radius_mm + self.margin_mm + hypot(*self.foot_of(at))) / step)) + 1
        half = own + reach
        sharp = self._unblurred(at, half)
        drawn = _filtered(sharp, drawing.streak(bx, by)) if reach else sharp
        near = np.asarray(cv2.dilate(drawing.shows(drawn), self._ring), dtype=np.uint8)
        bare = self.hole_mm / 2 + step if self.hole_mm > 0 else 0.0
        rows = drawing.rows_of(drawn, near, *self.plane.grid(half), bare, self.radius_mm, step)
        return Layers(half, drawn, *rows)

    def _unblurred(self, at: tuple[float, float], half: int) -> Patch:
        """((2 half + 1)², 2) how much of the board it hides or shades, and its layer."""
        found = self._sharp.get(at)
        if found is None or len(found) < 2 * half + 1:
            if len(self._sharp) >= _PLACES_KEPT:
                self._sharp.clear()
            whole = half + _SPARE_PX
            top, hull = self._shapes(at, whole)
            shade, looks = self.shadow(at, whole), np.ascontiguousarray(self.looks)
            grid, lit = self.plane.grid(whole), (self.wall, *self.wall_tilt)
            found = drawing.standing(top, hull, shade, looks, self.edge, *grid, *lit)
            self._sharp[at] = found
        cut = (len(found) - 1) // 2 - half
        return np.ascontiguousarray(found[cut : len(found) - cut, cut : len(found) - cut])

    def _forget(self) -> None:
        """What was drawn is not how it looks any more."""
        self._cache.clear()
        self._sharp.clear()


def _filtered(patch: Patch, kernel: Patch) -> Patch:
    filtered = cv2.filter2D(patch, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(filtered, dtype=np.float32)


@cache
def _polar() -> tuple[Floats, Floats]:
    """(turns, distances) the directions and distances from the rim at which shadows are kept."""
    angle = np.linspace(0, 2 * np.pi, _TURNS, endpoint=False)
    turn, far = np.meshgrid(angle, _FAR_MM, indexing="ij")
    return turn, far


def lit_level(board: Patch | Points) -> float:
    """How bright the lit board is there: lines and pockets are dark in any light."""
    return gauss_newton.lit_level(np.asarray(board, dtype=np.float32).ravel())
