"""How sharp the camera's pictures are: how blurred, how strongly sharpened; and to take that back.

Cameras sharpen with an unsharp mask (a picture minus its blurred copy, added to it), which leaves
halos on both sides of every edge: a step of 100 codes gets a rim of some 5. Where an edge has to
be found to a hundredth of a pixel, the halo is part of the answer. It is measured on the painted
lines of the empty board, whose sides are straight and long; and with it the blur of lens and pixel,
as a blurred edge that was sharpened much has as little of a halo as a sharp one that was not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter
from scipy.optimize import least_squares
from scipy.special import ndtr

from calibration.camera import Camera, Floats
from calibration.relight import Floats32, to_code, to_light
from calibration.strokes import strokes_of
from rules.board import Board

RADIUS_PX = 1.0
"""Standard deviation of the unsharp mask's blur."""

_REACH_PX = 5.0
_STEP_PX = 0.25
_FEWEST = 40
_MOST = 1.2
_ALIKE = 25
_BEGIN = 0.45
_UNSURE, _KNOWN = 0.01, 1e3  # how much a blur that is not as usual counts against it
_USUAL_LOOK_PX, _LENS_PX = 0.71, 0.6
"""How blurred lines look to a usual camera, paint with its soft edges and all, and how much of that
is the lens's and the pixel's."""

_LINES_DIFFER_PX = 0.08
"""What the lines of one board differ by, as their paint does, tells nothing of the camera."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharpness:
    """`amount` of the unsharp mask (0: none); `blur_px` before it, one standard deviation."""

    amount: float
    blur_px: float


USUAL = Sharpness(amount=0.45, blur_px=0.65)
"""What is assumed where the board has no lines to measure it on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    """The pixels across one place of a line: `offset_px` (N,) from where it should lie, `code`
    (N,) over the bare board's; `middle_px`: where it seems to lie, by its darkness."""

    offset_px: Floats
    code: Floats
    middle_px: float
    board_code: float
    width_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Profile:
    """A line seen across, its whole length taken together: `code` (N,) over the bare board's at
    `places_px` (N,) from its middle."""

    places_px: Floats
    code: Floats
    board_code: float
    width_px: float


def measure_sharpness(empty: NDArray[np.uint8], board: Board, camera: Camera) -> Sharpness:
    """How sharp the picture (H, W, 3) of the empty board is.

    The middle of what the dark straight lines say; `USUAL` where none has 40 places to read.
    """
    gray = np.asarray(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    by_line: dict[int, list[_Section]] = {}
    for line, section in _sections(gray, board, camera):
        by_line.setdefault(line, []).append(section)
    profiles = [_profile(found) for found in by_line.values() if len(found) >= _FEWEST]
    if not profiles:
        return USUAL
    look_px = float(np.median([_fitted(profile, None).blur_px for profile in profiles]))
    times = look_px / _USUAL_LOOK_PX
    if abs(look_px - _USUAL_LOOK_PX) < _LINES_DIFFER_PX:
        times = 1.0
    amounts = [_fitted(profile, times * _LENS_PX).amount for profile in profiles]
    return Sharpness(amount=float(np.median(amounts)), blur_px=times * USUAL.blur_px)


def _profile(sections: Sequence[_Section]) -> _Profile:
    # One place's middle depends on how its pixels fall; paint strays slowly.
    middles = median_filter([s.middle_px for s in sections], size=_ALIKE, mode="nearest")
    offset = np.concatenate([s.offset_px - m for s, m in zip(sections, middles, strict=True)])
    code = np.concatenate([s.code for s in sections])
    bins = np.arange(-_REACH_PX, _REACH_PX + 0.01, _STEP_PX)
    near = [code[np.abs(offset - at) < 0.6 * _STEP_PX] for at in bins]
    return _Profile(
        places_px=np.array([at for at, codes in zip(bins, near, strict=True) if len(codes)]),
        code=np.array([np.median(codes) for codes in near if len(codes)]),
        board_code=float(np.median([s.board_code for s in sections])),
        width_px=float(np.median([s.width_px for s in sections])),
    )


def _fitted(profile: _Profile, blur_px: float | None) -> Sharpness:
    """The sharpness that explains a line's profile best; of one `blur_px`, where it is known."""
    usual_px, sure = (USUAL.blur_px, _UNSURE) if blur_px is None else (blur_px, _KNOWN)
    fine = np.arange(-2 * _REACH_PX, 2 * _REACH_PX, 0.05)
    width = profile.width_px

    def off(values: Floats) -> Floats:
        amount, wide, dark, blur = values
        sharpness = Sharpness(amount=amount, blur_px=blur)
        shown = np.interp(
            profile.places_px, fine, _line(fine, profile.board_code, wide, dark, sharpness)
        )
        unusual = [0.02 * (wide / width - 1), sure * np.log(blur / usual_px)]
        return np.append(shown - profile.code, unusual)

    found = least_squares(
        off,
        [_BEGIN, width, 0.8, usual_px],
        bounds=([0.0, 0.4 * width, 0.02, 0.2], [_MOST, 1.8 * width, 1.0, 3.0]),
    )
    return Sharpness(amount=float(found.x[0]), blur_px=float(found.x[3]))


def _line(
    at_px: Floats, level: float, width_px: float, dark: float, sharpness: Sharpness
) -> Floats:
    """Code over the board's code across a dark line: blurred in light, then sharpened in code."""
    blur_px = sharpness.blur_px
    covered = ndtr((at_px + width_px / 2) / blur_px) - ndtr((at_px - width_px / 2) / blur_px)
    code = to_code(to_light(np.array([level])) * (1 - dark * covered)) / level
    step = float(at_px[1] - at_px[0])
    reach = int(5 * RADIUS_PX / step)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * step / RADIUS_PX) ** 2)
    soft = np.convolve(np.pad(code, reach, mode="edge"), kernel / kernel.sum(), "valid")
    return np.asarray(code + sharpness.amount * (code - soft), dtype=np.float64)


def _sections(gray: Floats32, board: Board, camera: Camera) -> list[tuple[int, _Section]]:
    height, width = gray.shape
    rows, columns = np.mgrid[-6:7, -6:7]
    grid = np.stack([columns.ravel(), rows.ravel()], axis=1)
    found = []
    for stroke in strokes_of(board):
        if stroke.is_edge or stroke.along is None:
            continue
        line = board.lines[stroke.line]
        for s in np.arange(stroke.begin_mm + 15, stroke.end_mm - 15, 6.0):
            at = camera.project(
                np.column_stack([stroke.at(np.array([s, s]), np.array([0.0, 1.0])), np.zeros(2)])
            )
            normal = at[1] - at[0]
            scale = float(np.hypot(*normal))
            normal = normal / scale
            pixels = np.round(at[0]).astype(int) + grid
            inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
            away = pixels - at[0]
            near = inside & (np.abs(away @ np.array([-normal[1], normal[0]])) < 1.6)
            section = _section(
                away[near] @ normal, gray[pixels[near, 1], pixels[near, 0]], scale * line.width_mm
            )
            if section is not None:
                found.append((stroke.line, section))
    return found


def _section(offset: Floats, code: Floats32, width_px: float) -> _Section | None:
    """None where no dark line stands out, or the board's two sides differ."""
    left, right = code[offset < -4], code[offset > 4]
    if len(left) < 4 or len(right) < 4 or abs(float(left.mean() - right.mean())) > 12:
        return None
    level = float(np.median(np.concatenate([left, right])))
    dip = np.where(np.abs(offset) < 3, np.maximum(level - code, 0), 0)
    if dip.max() < 35 or level < 40:
        return None
    middle = float((dip * offset).sum() / dip.sum())
    return _Section(
        offset_px=offset,
        middle_px=middle,
        code=np.asarray(code / level, dtype=np.float64),
        board_code=level,
        width_px=width_px,
    )


def unsharpened(codes: Floats32, amount: float) -> Floats32:
    """(h, w) codes as they were before an unsharp mask of `amount`."""
    if amount <= 0.01:
        return codes
    return np.asarray(
        cv2.filter2D(codes, cv2.CV_32F, _inverse(amount), borderType=cv2.BORDER_REFLECT),
        dtype=np.float32,
    )


@lru_cache(maxsize=16)
def _inverse(amount: float) -> Floats32:
    """(9, 9) kernel that undoes the mask: the middle of its inverse Fourier transform's."""
    turn = 2 * np.pi * np.fft.fftfreq(32)
    square = turn[:, None] ** 2 + turn[None] ** 2
    sharpened = 1 + amount * (1 - np.exp(-0.5 * RADIUS_PX**2 * square))
    kernel = np.fft.fftshift(np.fft.ifft2(1 / sharpened).real)[12:21, 12:21]
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
