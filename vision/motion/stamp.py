"""What one piece looks like in these pictures, and where such a piece lies in a new one.

A piece is a layer over the board: `pred = board * through + layer`. `layer` is what it shows itself
(top and wall), `through` how much of the board beneath is left: 0 under the piece, its shadow
around it, 1 farther out. Both are blurred along the motion by what the piece ran during the
exposure. The place is fitted by least squares over all pixels of the patch (Lucas & Kanade 1981,
Baker & Matthews 2004); wood grain and painted lines cancel out because the board is in the model.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion.plane import Floats, Patch, Plane

Gray = NDArray[np.uint8]
_HALO_TURNS = np.linspace(0, 2 * np.pi, 24, endpoint=False)
_HALO_MM = np.arange(0.0, 14.1, 1.4)


@dataclass(frozen=True, slots=True)
class Fix:
    """A measured place: `error_mm` is one sd, `share` how much of what was to be seen is explained.

    `share` is near 1 for the right piece at the right place and 0 or less where there is none.
    """

    x_mm: float
    y_mm: float
    error_mm: float
    share: float
    gain: float
    misfit: float


@dataclass(frozen=True, slots=True)
class Layers:
    half: int
    through: Patch
    layer: Patch
    through_x: Patch
    through_y: Patch
    layer_x: Patch
    layer_y: Patch
    shine: Patch  # (3, n, n) even and sloped light on the piece
    around: Patch  # 1 on the piece, half in a ring about it that must be explained as well


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
    ) -> None:
        self.plane = plane
        self.radius_mm = radius_mm
        self.noise = noise
        centre = plane.camera.centre_mm
        self._lean = plane.z_mm / float(centre[2])
        self._foot = (float(centre[0]), float(centre[1]))
        self.margin_mm = 14.0
        self.half = int(np.ceil((radius_mm + self.margin_mm) / plane.step_mm)) + 2
        self._cache: dict[tuple[int, ...], Layers] = {}
        self._learn(picture, clean, at)

    def _grid(self, half: int) -> tuple[Patch, Patch]:
        run = (np.arange(-half, half + 1) * self.plane.step_mm).astype(np.float32)
        grid_x, grid_y = np.meshgrid(run, run)
        return grid_x, grid_y

    def _shapes(self, at: tuple[float, float], half: int) -> tuple[Patch, Patch]:
        """Soft masks of the top and of the whole silhouette (hull of top and foot circles)."""
        grid_x, grid_y = self._grid(half)
        soft = self.plane.step_mm
        top = np.clip((self.radius_mm - np.hypot(grid_x, grid_y)) / soft + 0.5, 0, 1)
        fx = -(at[0] - self._foot[0]) * self._lean
        fy = -(at[1] - self._foot[1]) * self._lean
        length = float(np.hypot(fx, fy))
        if length < 1e-6:
            return top.astype(np.float32), top.astype(np.float32)
        ux, uy = fx / length, fy / length
        along = np.clip(grid_x * ux + grid_y * uy, 0, length)
        reach = np.hypot(grid_x - along * ux, grid_y - along * uy)
        hull = np.clip((self.radius_mm - reach) / soft + 0.5, 0, 1)
        return top.astype(np.float32), np.maximum(hull, top).astype(np.float32)

    def _learn(self, picture: Gray, clean: Gray, at: tuple[float, float]) -> None:
        half = self.half
        spot = self.plane.spot(*at)
        seen = self.plane.cut(picture, spot, half, (0.0, 0.0))
        board = np.maximum(self.plane.cut(clean, spot, half, (0.0, 0.0)), 4.0)
        self.level = float(np.median(board))
        top, hull = self._shapes(at, half)
        grid_x, grid_y = self._grid(half)
        rho = np.hypot(grid_x, grid_y)
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
        wall = (hull > 0.6) & (rho > self.radius_mm + 0.5 * self.plane.step_mm)
        rim = inside & (rho > self.radius_mm - 2.5 * self.plane.step_mm)
        edge = float(np.median(looks[rim]))
        self.wall = float(np.median(seen[wall])) if wall.sum() >= 12 else 0.75 * edge
        self.looks = np.where(rho <= self.radius_mm, looks, edge).astype(np.float32)
        ratio = np.clip(seen / board, 0.3, 1.1).astype(np.float32)
        shade = np.asarray(cv2.GaussianBlur(ratio, (0, 0), 0.7), dtype=np.float32)
        self.halo = self._unroll(shade)
        self.cast(self.halo)

    def _unroll(self, shade: Patch) -> Patch:
        """(angles, distances from the rim) of how dark the board is around the piece."""
        turn, far = np.meshgrid(_HALO_TURNS, _HALO_MM, indexing="ij")
        rho = (self.radius_mm + far) / self.plane.step_mm
        u = (self.half + rho * np.cos(turn)).astype(np.float32)
        v = (self.half + rho * np.sin(turn)).astype(np.float32)
        return np.asarray(cv2.remap(shade, u, v, cv2.INTER_LINEAR, borderValue=1.0))

    def cast(self, halo: Patch) -> None:
        """Take `halo` (see `_unroll`) as the shadow that this piece casts."""
        grid_x, grid_y = self._grid(self.half)
        far = np.hypot(grid_x, grid_y) - self.radius_mm
        turn = np.arctan2(grid_y, grid_x) % (2 * np.pi)
        rolled = np.vstack([halo, halo[:1]]).astype(np.float32)
        v = (turn / (2 * np.pi) * len(_HALO_TURNS)).astype(np.float32)
        u = ((far - _HALO_MM[0]) / (_HALO_MM[1] - _HALO_MM[0])).astype(np.float32)
        shade = cv2.remap(rolled, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        fade = np.clip((far - 9.0) / 5.0, 0, 1)
        self.shade = (1 + (shade - 1) * (1 - fade)).astype(np.float32)
        self._cache.clear()

    def heal(self, usual: Patch) -> None:
        """Where a cue or a hand hid it, take the looks of its like (over the board's level)."""
        off = np.abs(self.looks - usual * self.level) > 28
        self.looks = np.where(off, usual * self.level, self.looks).astype(np.float32)
        self._cache.clear()

    def shadow(self) -> Patch:
        """How much of the light the board keeps around the piece, 1 where all; on its own grid."""
        return self.shade

    def gain_over(self, board: Patch) -> float:
        """How much brighter the light is over this part of the board than where it was learned."""
        ratio = (float(np.median(board)) + 8.0) / (self.level + 8.0)
        return float(np.clip(ratio, 0.4, 2.0) ** 0.7)

    def layers(self, at: tuple[float, float], blur_mm: tuple[float, float]) -> Layers:
        step = self.plane.step_mm
        bx, by = round(blur_mm[0] / step), round(blur_mm[1] / step)
        if bx < 0 or (bx == 0 and by < 0):
            bx, by = -bx, -by
        key = (round(at[0] / 40), round(at[1] / 40), bx, by)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) > 400:
                self._cache.clear()
            found = self._cache[key] = self._build((key[0] * 40.0, key[1] * 40.0), bx, by)
        return found

    def _build(self, at: tuple[float, float], bx: int, by: int) -> Layers:
        reach = (max(abs(bx), abs(by)) + 1) // 2
        half = self.half + reach
        top, hull = self._shapes(at, half)
        looks = np.pad(self.looks, reach, mode="edge")
        shade = np.pad(self.shade, reach, constant_values=1.0)
        layer: Patch = (looks * top + self.wall * (hull - top)).astype(np.float32)
        through: Patch = ((1 - hull) * shade).astype(np.float32)
        if bx or by:
            kernel = _streak(bx, by)
            layer = _smear(layer, kernel)
            through = 1 - _smear(1 - through, kernel)
        step = self.plane.step_mm
        ly, lx = np.gradient(layer, step)
        ty, tx = np.gradient(through, step)
        return Layers(
            half,
            through.astype(np.float32),
            layer.astype(np.float32),
            np.asarray(tx, dtype=np.float32),
            np.asarray(ty, dtype=np.float32),
            np.asarray(lx, dtype=np.float32),
            np.asarray(ly, dtype=np.float32),
            self._shine(1 - through, half),
            self._around(1 - through),
        )

    def _shine(self, cover: Patch, half: int) -> Patch:
        grid_x, grid_y = self._grid(half)
        r = self.radius_mm
        return np.stack([cover, cover * grid_x / r, cover * grid_y / r]).astype(np.float32)

    def _around(self, cover: Patch) -> Patch:
        reach = max(1, round(0.45 * self.radius_mm / self.plane.step_mm))
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        wide = cv2.dilate((cover > 0.3).astype(np.float32), disc)
        around: Patch = np.maximum(np.clip(cover, 0, 1), 0.5 * wide).astype(np.float32)
        return around

    def fit(
        self,
        picture: Gray,
        board: Gray,
        guess: tuple[float, float],
        *,
        blur_mm: tuple[float, float] = (0.0, 0.0),
        others: tuple[Cover, ...] = (),
        rounds: int = 6,
    ) -> Fix:
        """Fit the piece's place near `guess` (within about a third of its radius).

        `board` is the picture without this piece. `others` are pieces that are not in `board`
        either: they are drawn into it, and their pixels count half.
        """
        layers = self.layers(guess, blur_mm)
        half = layers.half
        plane = self.plane
        x0, y0 = guess
        spot = plane.spot(x0, y0)
        dx = dy = 0.0
        gain = usual = self.gain_over(plane.cut(board, spot, half, (0.0, 0.0)))
        glow = np.zeros(3)
        reach = 1.42 * half * plane.step_mm
        near = [
            c
            for c in others
            if np.hypot(c.x_mm - x0, c.y_mm - y0) < reach + c.stamp.radius_mm + c.stamp.margin_mm
        ]
        weight = np.ones((2 * half + 1, 2 * half + 1), dtype=np.float32)
        limit = 3.0 * plane.step_mm
        floor = 2.0 * max(self.noise, 1.8)
        through, layer = layers.through, layers.layer
        shine = layers.shine
        # Light on the piece changes as it runs: a gain and a sloped glow, held near none.
        prior = np.array([0.0, 0.0, 1 / 0.006**2, 1 / 20.0**2, 1 / 4.0**2, 1 / 4.0**2])
        prior *= floor**2
        for turn in range(rounds):
            seen = plane.cut(picture, spot, half, (dx, dy))
            under = plane.cut(board, spot, half, (dx, dy))
            if near:
                weight = np.ones_like(weight)
                for other in near:
                    under, hidden = self._draw(other, under, (x0 + dx, y0 + dy), half)
                    weight *= 1 - 0.6 * hidden
            model = under * through + gain * layer + np.tensordot(glow, shine, 1)
            miss = seen - model
            gx = -(under * layers.through_x + layers.layer_x)
            gy = -(under * layers.through_y + layers.layer_y)
            # far off, all of it must pull; near, what does not fit is a cue or a neighbour
            scale = (12.0 if turn < 3 else 3.0) * floor
            heavy = weight / (1.0 + (miss / scale) ** 2)
            rows = np.concatenate([np.stack([gx, gy, layer]), shine]).reshape(6, -1)
            weighted = rows * heavy.ravel()
            normal: Floats = (weighted @ rows.T).astype(np.float64)
            right = (weighted @ miss.ravel()).astype(np.float64)
            normal[np.diag_indices(6)] += prior + 1e-9
            right -= prior * np.array([0.0, 0.0, gain - usual, *glow])
            step = np.linalg.solve(normal, right)
            size = float(np.hypot(step[0], step[1]))
            if size > limit:
                step[:2] *= limit / size
            dx += float(step[0])
            dy += float(step[1])
            gain = min(1.7, max(0.5, gain + float(step[2])))
            glow += step[3:]
            if size < 0.02 * plane.step_mm and turn > 2:
                break
        covers = weight * layers.around
        total = float(covers.sum()) + 1e-6
        spread = float((np.minimum(np.abs(miss), 60) * covers).sum()) / total
        hum = max(self.noise, 1.8) ** 2  # video coding leaves more than noise
        left = float((np.minimum(np.abs(miss), 60) ** 2 * covers).sum()) / total - hum
        shown = float((np.minimum(np.abs(seen - under), 60) ** 2 * covers).sum()) / total - hum
        share = 1.0 - max(left, 0.0) / max(shown, 0.25 * hum)
        variance = max(self.noise, 1.25 * spread) ** 2
        try:
            cov = np.linalg.inv(normal)[:2, :2] * variance
            error = float(np.sqrt(max(0.5 * (cov[0, 0] + cov[1, 1]), 1e-6)))
        except np.linalg.LinAlgError:
            error = 99.0
        return Fix(x0 + dx, y0 + dy, max(error, 0.03), share, gain, spread)

    def _draw(
        self, cover: Cover, under: Patch, centre: tuple[float, float], half: int
    ) -> tuple[Patch, Patch]:
        """`under` with another piece drawn in, and how much of each pixel that piece hides."""
        stamp = cover.stamp
        layers = stamp.layers((cover.x_mm, cover.y_mm), cover.blur_mm)
        # seen in this piece's plane, a higher top lies farther from the camera's foot
        lift = stamp._lean - self._lean
        x = cover.x_mm + (cover.x_mm - self._foot[0]) * lift
        y = cover.y_mm + (cover.y_mm - self._foot[1]) * lift
        scale = stamp.plane.step_mm / self.plane.step_mm
        shift_x = half + (x - centre[0]) / self.plane.step_mm - layers.half * scale
        shift_y = half + (y - centre[1]) / self.plane.step_mm - layers.half * scale
        matrix = np.array([[scale, 0.0, shift_x], [0.0, scale, shift_y]])
        size = (2 * half + 1, 2 * half + 1)
        hide = cv2.warpAffine(1 - layers.through, matrix, size, flags=cv2.INTER_LINEAR)
        layer = cv2.warpAffine(layers.layer, matrix, size, flags=cv2.INTER_LINEAR)
        gain = cover.gain if cover.gain is not None else stamp.gain_over(under)
        drawn = under * (1 - hide) + gain * layer
        return drawn.astype(np.float32), np.clip(hide, 0, 1).astype(np.float32)


def _streak(bx: int, by: int) -> Patch:
    """A line kernel over (bx, by) pixels, its mass even along the way and centred."""
    reach = (max(abs(bx), abs(by)) + 1) // 2
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    count = 4 * max(abs(bx), abs(by)) + 1
    for k in range(count):
        part = (k + 0.5) / count - 0.5
        x, y = reach + bx * part, reach + by * part
        x0, y0 = int(np.floor(x)), int(np.floor(y))
        fx, fy = x - x0, y - y0
        for i, wy in ((y0, 1 - fy), (y0 + 1, fy)):
            for j, wx in ((x0, 1 - fx), (x0 + 1, fx)):
                if 0 <= i <= 2 * reach and 0 <= j <= 2 * reach:
                    kernel[i, j] += wy * wx
    total: Patch = (kernel / kernel.sum()).astype(np.float32)
    return total


def _smear(patch: Patch, kernel: Patch) -> Patch:
    smeared = cv2.filter2D(patch, -1, kernel, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(smeared, dtype=np.float32)
