"""Sub-pixel measurement of drawn lines: how far the paint lies from where it was expected.

Each stretch of a line is fitted on the picture's own pixels, with no resampling: a sloping
background plus a bar of the line's width, blurred by the lens (a box convolved with a Gaussian).
Its centre is found by Gauss-Newton; noise is judged from the residuals of the same fit.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.camera import Camera, Floats
from calibration.strokes import Stretches

BLUR_PX = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ridges:
    """What was measured on K stretches.

    `pixel` (K, 2) is where the stretch's middle was expected, `normal_px` (K, 2) the unit normal in
    the picture and `px_per_mm` (K,) its scale across the line; `offset_px` (K,) how far along the
    normal the paint lies, with one standard deviation `error_px`; `contrast` (K,) paint minus
    background in 8-bit steps, `noise` (K,) the residual's; `good` (K,) false where nothing was read.
    """

    pixel: Floats
    normal_px: Floats
    px_per_mm: Floats
    offset_px: Floats
    error_px: Floats
    contrast: Floats
    noise: Floats
    good: NDArray[np.bool_]


def measure_ridges(
    picture: NDArray[np.uint8],
    camera: Camera,
    cut: Stretches,
    *,
    reach_px: float = 3.5,
    search_px: float = 1.0,
    blur_px: float = BLUR_PX,
    width_mm: Floats | None = None,
) -> Ridges:
    """Measure every stretch of `cut` in `picture` ((H, W, 3) BGR uint8) as seen by `camera`.

    `reach_px` is how much background to either side of the line is used, `search_px` how far from
    its expected place the line is looked for. `width_mm` (K,) overrides the drawn widths.
    """
    widths = (
        np.array([cut.strokes[n].width_mm for n in cut.stroke]) if width_mm is None else width_mm
    )
    if not len(cut):
        none = np.zeros(0)
        return Ridges(
            pixel=np.zeros((0, 2)),
            normal_px=np.zeros((0, 2)),
            px_per_mm=none,
            offset_px=none,
            error_px=none,
            contrast=none,
            noise=none,
            good=np.zeros(0, dtype=bool),
        )
    frame = _frame(camera, cut)
    half_px = widths * frame.scale / 2
    window = np.minimum(half_px + reach_px + search_px, cut.room_mm * frame.scale - 0.7)
    usable = (window >= half_px + 1.5) & _inside(frame, picture.shape, float(window.max(initial=0)))
    pixels = _gather(picture, frame, window, usable)
    shade = _one_channel(pixels, half_px)
    offset, error, contrast, noise, good = _fit(
        pixels.d, shade, pixels.use, half_px, search_px, blur_px
    )
    return Ridges(
        pixel=frame.middle,
        normal_px=frame.normal,
        px_per_mm=frame.scale,
        offset_px=offset,
        error_px=error,
        contrast=contrast,
        noise=noise,
        good=good & usable,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Frame:
    """Where each stretch lies in the picture: chord, sagitta, normal and scale across."""

    first: Floats
    last: Floats
    middle: Floats
    along: Floats
    normal: Floats
    length: Floats
    sag: Floats
    scale: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pixels:
    """(K, P) distances across the stretch, (K, P, C) values, (K, P) which count."""

    d: Floats
    value: Floats
    use: NDArray[np.bool_]


def _frame(camera: Camera, cut: Stretches) -> _Frame:
    flat = np.zeros((len(cut), 1))

    def seen(s_mm: Floats, offset_mm: float = 0.0) -> Floats:
        return camera.project(np.hstack([cut.places(s_mm, offset_mm), flat]))

    first, middle, last = seen(cut.begin_mm), seen(cut.s_mm), seen(cut.end_mm)
    chord = last - first
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
    along = chord / length[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    across = (seen(cut.s_mm, 0.5) - seen(cut.s_mm, -0.5)).copy()
    scale = np.sum(across * normal, axis=1)
    normal[scale < 0] *= -1
    sag = np.sum((middle - (first + last) / 2) * normal, axis=1)
    return _Frame(
        first=first,
        last=last,
        middle=middle,
        along=along,
        normal=normal,
        length=length,
        sag=sag,
        scale=np.abs(scale),
    )


def _inside(frame: _Frame, shape: tuple[int, ...], reach: float) -> NDArray[np.bool_]:
    height, width = shape[:2]
    edge = reach + 2
    ok = np.ones(len(frame.length), dtype=bool)
    for point in (frame.first, frame.last):
        ok &= (point[:, 0] > edge) & (point[:, 0] < width - 1 - edge)
        ok &= (point[:, 1] > edge) & (point[:, 1] < height - 1 - edge)
    return np.asarray(ok)


def _gather(
    picture: NDArray[np.uint8], frame: _Frame, window: Floats, usable: NDArray[np.bool_]
) -> _Pixels:
    """Take, row by row (or column by column for level lines), the pixels across each stretch."""
    height, width = picture.shape[:2]
    count = len(frame.length)
    steep = np.abs(frame.normal[:, 0]) >= np.abs(frame.normal[:, 1])
    main = np.where(steep, 1, 0)
    index = np.arange(count)
    lo = np.minimum(frame.first[index, main], frame.last[index, main])
    hi = np.maximum(frame.first[index, main], frame.last[index, main])
    start = np.ceil(lo)
    rows = int(np.max(np.ceil(hi) - start, initial=1.0, where=usable))
    reach = int(np.ceil(np.max(window, initial=1.0, where=usable) * 1.45)) + 1
    steps = start[:, None] + np.arange(rows)
    within = steps < np.maximum(hi, lo + 1e-9)[:, None]
    slope = (frame.last - frame.first)[index, 1 - main] / np.where(
        hi > lo, (frame.last - frame.first)[index, main], 1.0
    )
    centre = (
        frame.first[index, 1 - main][:, None]
        + (steps - frame.first[index, main][:, None]) * slope[:, None]
    )
    side = np.round(centre)[:, :, None] + np.arange(-reach, reach + 1)
    stepped = np.broadcast_to(steps[:, :, None], side.shape)
    u = np.where(steep[:, None, None], side, stepped).reshape(count, -1)
    v = np.where(steep[:, None, None], stepped, side).reshape(count, -1)
    chord_mid = (frame.first + frame.last) / 2
    du, dv = u - chord_mid[:, :1], v - chord_mid[:, 1:]
    x = du * frame.along[:, :1] + dv * frame.along[:, 1:]
    bow = frame.sag[:, None] * (1 - (2 * x / frame.length[:, None]) ** 2)
    d = du * frame.normal[:, :1] + dv * frame.normal[:, 1:] - bow
    use = np.repeat(within, side.shape[2], axis=1) & (np.abs(d) <= window[:, None])
    use &= usable[:, None] & (u >= 0) & (u < width) & (v >= 0) & (v < height)
    column = np.clip(u, 0, width - 1).astype(np.intp)
    row = np.clip(v, 0, height - 1).astype(np.intp)
    value = picture.reshape(height, width, -1)[row, column].astype(np.float64)
    return _Pixels(d=d, value=value, use=use)


def _one_channel(pixels: _Pixels, half_px: Floats) -> Floats:
    """(K, P) one shade per pixel, the mix of channels in which the paint stands out.

    The mix is common to all: the mean over stretches of |paint - background| per channel, so that a
    red line on red wood is read in blue and green.
    """
    inner = pixels.use & (np.abs(pixels.d) <= np.maximum(half_px, 0.7)[:, None])
    outer = pixels.use & (np.abs(pixels.d) > half_px[:, None] + 1.2)
    many_in = np.maximum(inner.sum(axis=1), 1)[:, None]
    many_out = np.maximum(outer.sum(axis=1), 1)[:, None]
    paint = np.einsum("kp,kpc->kc", inner, pixels.value) / many_in
    ground = np.einsum("kp,kpc->kc", outer, pixels.value) / many_out
    step = np.abs(paint - ground)
    mix = step / np.maximum(step.sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.einsum("kpc,kc->kp", pixels.value, mix))


def _fit(
    d: Floats,
    shade: Floats,
    use: NDArray[np.bool_],
    half_px: Floats,
    search_px: float,
    blur_px: float,
) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]:
    weight = use.astype(np.float64)
    many = weight.sum(axis=1)
    half = half_px[:, None]

    def bar(delta: Floats) -> Floats:
        e = d - delta[:, None]
        return np.asarray(ndtr((e + half) / blur_px) - ndtr((e - half) / blur_px))

    def solve(columns: list[Floats]) -> tuple[Floats, Floats, Floats]:
        design = np.stack(columns, axis=-1)
        normal = np.einsum("kpi,kp,kpj->kij", design, weight, design)
        normal += 1e-9 * np.eye(design.shape[-1])
        right = np.einsum("kpi,kp,kp->ki", design, weight, shade)
        answer = np.linalg.solve(normal, right[..., None])[..., 0]
        rest = (shade - np.einsum("kpi,ki->kp", design, answer)) * weight
        return answer, rest, normal

    one = np.ones_like(d)
    trials = np.arange(-search_px, search_px + 1e-9, 0.6) if search_px > 0.5 else np.zeros(1)
    best = np.full(len(d), np.inf)
    delta = np.zeros(len(d))
    for trial in trials:
        guess = np.full(len(d), trial)
        _, rest, _ = solve([one, d, bar(guess)])
        cost = np.sum(rest**2, axis=1)
        delta = np.where(cost < best, guess, delta)
        best = np.minimum(best, cost)
    normal = np.broadcast_to(np.eye(4), (len(d), 4, 4))
    answer = np.zeros((len(d), 3))
    rest = np.zeros_like(d)
    for _ in range(5):
        answer, rest, _ = solve([one, d, bar(delta)])
        e = d - delta[:, None]
        gauss = np.exp(-0.5 * ((e - half) / blur_px) ** 2) - np.exp(
            -0.5 * ((e + half) / blur_px) ** 2
        )
        slope = answer[:, 2:3] * gauss / (blur_px * np.sqrt(2 * np.pi))
        design = np.stack([one, d, bar(delta), slope], axis=-1)
        normal = np.einsum("kpi,kp,kpj->kij", design, weight, design) + 1e-9 * np.eye(4)
        right = np.einsum("kpi,kp,kp->ki", design, weight, rest)
        step = np.linalg.solve(normal, right[..., None])[:, 3, 0]
        delta = delta + np.clip(step, -0.5, 0.5)
    noise = np.sqrt(np.sum(rest**2, axis=1) / np.maximum(many - 4, 1))
    spread = np.linalg.inv(normal)[:, 3, 3]
    error = noise * np.sqrt(np.maximum(spread, 0))
    contrast = answer[:, 2]
    good = (many >= 12) & np.isfinite(delta) & (np.abs(delta) <= search_px + 1.0)
    good &= (np.abs(contrast) > 3 * noise) & (error < 0.5)
    return delta, error, contrast, noise, good
