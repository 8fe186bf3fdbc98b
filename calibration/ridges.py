"""Sub-pixel measurement of drawn lines: how far the paint lies from where it was expected.

Each stretch of a line is fitted on the picture's own pixels, with no resampling: a sloping
background plus a bar of the line's width, blurred by the lens (a box convolved with a Gaussian).
Its centre is found by Gauss-Newton; noise is judged from the residuals of the same fit.
"""

from dataclasses import dataclass, fields
from typing import NamedTuple

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
    background in 8-bit steps, `noise` (K,) the residual's; `good` (K,) false where nothing was
    read.
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
    count = len(cut)
    offset, error = np.zeros(count), np.full(count, np.inf)
    contrast, noise = np.zeros(count), np.zeros(count)
    good = np.zeros(count, dtype=bool)
    frame = _frame(camera, cut)
    edge = np.array([s.is_edge for s in cut.strokes], dtype=bool)[cut.stroke]
    widths = cut.width_mm if width_mm is None else width_mm
    half_px = np.where(edge, 0.0, widths * frame.scale / 2)
    window = np.minimum(half_px + reach_px + search_px, cut.room_mm * frame.scale - 0.7)
    usable = (window >= half_px + 1.5) & _inside(frame, picture.shape, window)
    if usable.any():
        bars = _Bars(
            low_px=half_px[usable],
            high_px=np.where(edge, 1e4, half_px)[usable],
            window_px=window[usable],
        )
        pixels = _gather(picture, _pick(frame, usable), bars.window_px)
        found = _fit(pixels, _one_channel(pixels, bars), bars, search_px, blur_px)
        offset[usable], error[usable], contrast[usable], noise[usable], good[usable] = found
    return Ridges(
        pixel=frame.middle,
        normal_px=frame.normal,
        px_per_mm=frame.scale,
        offset_px=offset,
        error_px=error,
        contrast=contrast,
        noise=noise,
        good=good,
    )


def width_offsets(
    picture: NDArray[np.uint8],
    camera: Camera,
    cut: Stretches,
    *,
    exponent: float = 1.0,
    reach_px: float = 3.5,
) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
    """How much wider than drawn the paint is on each stretch: px, its error, px per mm, good (K,).

    The picture's values are first raised to `exponent`, which undoes a camera's tone curve.
    The blur of the picture is fitted along, common to all stretches: it widens a line as well.
    """
    count = len(cut)
    frame = _frame(camera, cut)
    drawn_px = cut.width_mm * frame.scale
    window = np.minimum(drawn_px / 2 + reach_px, cut.room_mm * frame.scale - 0.7)
    usable = (window >= drawn_px / 2 + 1.5) & _inside(frame, picture.shape, window)
    off, error = np.zeros(count), np.full(count, np.inf)
    good = np.zeros(count, dtype=bool)
    if not usable.any():
        return off, error, frame.scale, good
    raw = _gather(picture, _pick(frame, usable), window[usable])
    pixels = _Pixels(d=raw.d, value=255 * (raw.value / 255) ** exponent, use=raw.use)
    wider, blur = np.zeros(int(usable.sum())), BLUR_PX
    start, rounds = np.zeros(len(wider)), 3
    for _ in range(5):
        half = (drawn_px[usable] + wider) / 2
        bars = _Bars(low_px=half, high_px=half, window_px=window[usable])
        shade = _one_channel(pixels, bars)
        found = _fit(pixels, shade, bars, 0.6, blur, start, rounds)
        start, rounds = np.clip(found.offset, -0.6, 0.6), 1
        more, spread, sharper = _wider(pixels, shade, bars, found, blur)
        wider = np.clip(wider + np.clip(more, -0.4, 0.4), 0.3 - drawn_px[usable], 4.0)
        blur = float(np.clip(blur + np.clip(sharper, -0.15, 0.15), 0.25, 3.0))
    off[usable], error[usable] = wider, spread
    good[usable] = found.good & (np.abs(wider) < 3.0) & (spread < 1.0)
    return off, error, frame.scale, good


def _wider(
    pixels: "_Pixels", shade: Floats, bars: "_Bars", found: "_Found", blur_px: float
) -> tuple[Floats, Floats, float]:
    """One Gauss-Newton step: how much each bar should be wider, its error, and the common blur."""
    weight = pixels.use.astype(np.float64)
    e = pixels.d - found.offset[:, None]
    up, down = (e + bars.low_px[:, None]) / blur_px, (e - bars.high_px[:, None]) / blur_px
    rise, fall = np.exp(-0.5 * up**2), np.exp(-0.5 * down**2)
    gain = found.contrast[:, None] / (blur_px * np.sqrt(2 * np.pi))
    design = np.stack(
        [
            np.ones_like(e),
            pixels.d,
            ndtr(up) - ndtr(down),
            gain * (fall - rise),
            gain * (rise + fall) / 2,
            gain * (down * fall - up * rise),
        ],
        axis=-1,
    )
    design *= weight[..., None]
    square = design.swapaxes(1, 2) @ design + 1e-6 * np.eye(6)
    right = (design.swapaxes(1, 2) @ (shade * weight)[..., None])[..., 0]
    inner = np.linalg.inv(square[:, :4, :4])
    cross = square[:, 4:, :4]
    left = square[:, 4:, 4:] - cross @ inner @ cross.swapaxes(1, 2)
    pull = right[:, 4:] - (cross @ inner @ right[:, :4, None])[..., 0]
    sure = found.good & (found.noise > 0)
    precise = np.where(sure, 1 / np.maximum(found.noise, 0.3) ** 2, 0.0)
    own, mixed, blurs = left[:, 0, 0], left[:, 0, 1], left[:, 1, 1]
    own = np.maximum(own, 1e-9)
    total = float(np.sum(precise * (blurs - mixed**2 / own)))
    sharper = float(np.sum(precise * (pull[:, 1] - mixed / own * pull[:, 0]))) / max(total, 1e-9)
    more = (pull[:, 0] - mixed * np.clip(sharper, -0.15, 0.15)) / own
    spread = np.maximum(found.noise, 0.3) / np.sqrt(own)
    return np.where(sure, more, 0.0), spread, sharper


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Bars:
    """What is drawn: paint from `low_px` below the centre line to `high_px` above it (K,)."""

    low_px: Floats
    high_px: Floats
    window_px: Floats


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
    def seen(s_mm: Floats, offset_mm: float = 0.0) -> Floats:
        return camera.project(cut.places(s_mm, offset_mm))

    first, middle, last = seen(cut.begin_mm), seen(cut.s_mm), seen(cut.end_mm)
    chord = last - first
    length = np.maximum(np.hypot(chord[:, 0], chord[:, 1]), 1e-9)
    along = chord / length[:, None]
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    across = seen(cut.s_mm, 0.5) - seen(cut.s_mm, -0.5)
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


def _pick(frame: _Frame, which: NDArray[np.bool_]) -> _Frame:
    return _Frame(**{part.name: getattr(frame, part.name)[which] for part in fields(frame)})


def _inside(frame: _Frame, shape: tuple[int, ...], window: Floats) -> NDArray[np.bool_]:
    size = np.array([shape[1] - 1, shape[0] - 1])
    edge = np.clip(window, 0, 20)[:, None] + 1
    ok = [np.all((p > edge) & (p < size - edge), axis=1) for p in (frame.first, frame.last)]
    return np.asarray(ok[0] & ok[1])


def _gather(picture: NDArray[np.uint8], frame: _Frame, window: Floats) -> _Pixels:
    """Take, row by row (or column by column for level lines), the pixels across each stretch."""
    height, width = picture.shape[:2]
    count = len(frame.length)
    steep = np.abs(frame.normal[:, 0]) >= np.abs(frame.normal[:, 1])
    main = np.where(steep, 1, 0)
    index = np.arange(count)
    chord = (frame.last - frame.first)[index]
    begin = frame.first[index, main]
    run = chord[index, main]
    start = np.ceil(np.minimum(begin, begin + run))
    stop = np.maximum(begin, begin + run)
    rows = int(np.max(np.ceil(stop) - start, initial=1.0))
    reach = int(np.ceil(np.max(window + np.abs(frame.sag)) * np.sqrt(2))) + 1
    steps = start[:, None] + np.arange(rows)
    within = steps < np.maximum(stop, start + 1e-9)[:, None]
    slope = chord[index, 1 - main] / np.where(np.abs(run) > 1e-9, run, 1.0)
    centre = frame.first[index, 1 - main][:, None] + (steps - begin[:, None]) * slope[:, None]
    side = np.round(centre)[:, :, None] + np.arange(-reach, reach + 1)
    stepped = np.broadcast_to(steps[:, :, None], side.shape)
    u = np.where(steep[:, None, None], side, stepped).reshape(count, -1)
    v = np.where(steep[:, None, None], stepped, side).reshape(count, -1)
    middle = (frame.first + frame.last) / 2
    du, dv = u - middle[:, :1], v - middle[:, 1:]
    x = du * frame.along[:, :1] + dv * frame.along[:, 1:]
    bow = frame.sag[:, None] * (1 - (2 * x / frame.length[:, None]) ** 2)
    d = du * frame.normal[:, :1] + dv * frame.normal[:, 1:] - bow
    use = np.repeat(within, side.shape[2], axis=1) & (np.abs(d) <= window[:, None])
    use &= (u >= 0) & (u < width) & (v >= 0) & (v < height)
    first = np.argsort(~use, axis=1, kind="stable")[:, : max(1, int(use.sum(axis=1).max()))]
    use, d = np.take_along_axis(use, first, axis=1), np.take_along_axis(d, first, axis=1)
    column = np.clip(np.take_along_axis(u, first, axis=1), 0, width - 1).astype(np.intp)
    row = np.clip(np.take_along_axis(v, first, axis=1), 0, height - 1).astype(np.intp)
    value = picture.reshape(height, width, -1)[row, column].astype(np.float64)
    return _Pixels(d=d, value=value, use=use)


def _one_channel(pixels: _Pixels, bars: _Bars) -> Floats:
    """(K, P) one shade per pixel, the mix of channels in which the paint stands out.

    Each channel counts by how far paint and background differ in it, so that a red line on red
    wood is read in blue and green.
    """
    d = pixels.d
    inner = pixels.use & (d >= -np.maximum(bars.low_px, 0.7)[:, None])
    inner &= d <= np.maximum(bars.high_px, 0.7)[:, None]
    outer = pixels.use & ((d < -bars.low_px[:, None] - 1.2) | (d > bars.high_px[:, None] + 1.2))
    many_in = np.maximum(inner.sum(axis=1), 1)[:, None]
    many_out = np.maximum(outer.sum(axis=1), 1)[:, None]
    paint = np.einsum("kp,kpc->kc", inner, pixels.value) / many_in
    ground = np.einsum("kp,kpc->kc", outer, pixels.value) / many_out
    step = np.abs(paint - ground)
    mix = step / np.maximum(step.sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(np.einsum("kpc,kc->kp", pixels.value, mix))


class _Found(NamedTuple):
    offset: Floats
    error: Floats
    contrast: Floats
    noise: Floats
    good: NDArray[np.bool_]


def _fit(
    pixels: _Pixels,
    shade: Floats,
    bars: _Bars,
    search_px: float,
    blur_px: float,
    start: Floats | None = None,
    rounds: int = 4,
) -> _Found:
    """Fit every stretch: a coarse search about `start`, then `rounds` of Gauss-Newton."""
    d = pixels.d
    weight = pixels.use.astype(np.float64)
    many = weight.sum(axis=1)
    low, high = bars.low_px[:, None], bars.high_px[:, None]
    ramp = d / bars.window_px[:, None]
    one = np.ones_like(d)

    def bar(delta: Floats) -> Floats:
        e = d - delta[:, None]
        return np.asarray(ndtr((e + low) / blur_px) - ndtr((e - high) / blur_px))

    def solve(columns: list[Floats], target: Floats) -> tuple[Floats, Floats, Floats]:
        design = np.stack(columns, axis=-1) * weight[..., None]
        square = design.swapaxes(1, 2) @ design
        square += 1e-6 * np.eye(design.shape[-1])
        right = design.swapaxes(1, 2) @ (target * weight)[..., None]
        answer = np.asarray(np.linalg.solve(square, right), dtype=np.float64)
        rest = np.asarray(target * weight - (design @ answer)[..., 0], dtype=np.float64)
        return answer[..., 0], rest, square

    best = np.full(len(d), np.inf)
    delta = np.zeros(len(d)) if start is None else start
    trials = np.arange(-search_px, search_px + 1e-9, 0.6) if search_px > 0.6 else np.zeros(0)
    if len(trials) > 1:
        for trial in trials:
            guess = np.full(len(d), trial)
            cost = np.sum(solve([one, ramp, bar(guess)], shade)[1] ** 2, axis=1)
            delta = np.where(cost < best, guess, delta)
            best = np.minimum(best, cost)
    for _ in range(rounds):
        shape = bar(delta)
        flat, rest, _ = solve([one, ramp, shape], shade)
        e = d - delta[:, None]
        rise = np.exp(-0.5 * ((e - high) / blur_px) ** 2) - np.exp(
            -0.5 * ((e + low) / blur_px) ** 2
        )
        slope = flat[:, 2:3] * rise / (blur_px * np.sqrt(2 * np.pi))
        step, _, square = solve([one, ramp, shape, slope], rest)
        delta = delta + np.clip(step[:, 3], -0.5, 0.5)
    noise = np.sqrt(np.sum(rest**2, axis=1) / np.maximum(many - 4, 1))
    error = noise * np.sqrt(np.maximum(np.linalg.inv(square)[:, 3, 3], 0))
    contrast = flat[:, 2]
    good = (many >= 12) & np.isfinite(delta) & (np.abs(delta) <= search_px + 1.0)
    good &= (np.abs(contrast) > 3 * noise) & (error < 0.5)
    return _Found(offset=delta, error=error, contrast=contrast, noise=noise, good=good)
