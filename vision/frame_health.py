"""Can this picture be trusted? A reason when not, so that no ruling is ever made from it.

Many damaged pictures decode without an error: the missing part is filled with grey (JPEG) or grey
and green (H.264), or the rest of the picture is shifted in brightness. And a whole picture may show
nothing: dark, overexposed, covered, out of focus, or of another table.

What a table normally looks like is its empty picture (`reference`); without it only what is wrong
in any picture is found. Hands, pieces and another light are no fault.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.said import Said, written
from vision import reasons
from vision.frame import Picture

_CELL_PX = 16  # what one JPEG block of the usual colour sampling covers
_GREY = 128  # libjpeg's and FFmpeg's filling for what they could not read
_GREEN = (0, 135, 0)  # an H.264 picture of zeros, as BGR
_ROW_STEP = 8
_FILLED_SHARE = 0.02
_DARK_LEVEL = 26
_BRIGHT_LEVEL = 250
_BRIGHT_SHARE = 0.6
_PLAIN_SPREAD = 5.0
_EDGE_POINTS = 1500
_STEEP_POINTS = 300
_LIKENESS = 0.35  # by chance 0.22 of all edges run alike
_SHARPNESS = 0.5
_STEP_LEVELS = 4.0
_BANDS = 12
_BAND_POINTS = 30
_BAND_LIKENESS = 0.3
_THIRD_LIKENESS = 0.45

_FILLINGS: tuple[tuple[tuple[int, int, int], Said], ...] = (
    ((_GREY, _GREY, _GREY), reasons.FILLED_GREY),
    (_GREEN, reasons.FILLED_GREEN),
)

Coarse = NDArray[np.float32]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Normal:
    """What a sound picture of this table looks like, prepared once for many comparisons."""

    size: tuple[int, int]
    cells: Coarse  # (H / 16, W / 16[, 3]) mean levels
    rows: Places  # (N,) of the strongest edges, in the quarter picture
    cols: Places
    slopes: NDArray[np.complex64]  # (N,) their gradients there, across + 1j * down
    steepness: float
    repeated_rows: NDArray[np.bool_]


def normal_of(reference: Picture) -> Normal:
    """Prepare a sound picture, usually the empty board, (H, W, 3) BGR or (H, W) gray."""
    quarter = _quarter(reference)
    strength: NDArray[np.float32] = np.abs(_slopes(quarter))
    strength[:3] = strength[-3:] = 0.0
    strength[:, :3] = strength[:, -3:] = 0.0
    count = min(_EDGE_POINTS, strength.size // 20)
    # The strongest edge of each little square, so that one bright thing does not take them all.
    height, width = (side // 3 * 3 for side in strength.shape)
    blocks = strength[:height, :width].reshape(height // 3, 3, width // 3, 3)
    squares = blocks.transpose(0, 2, 1, 3).reshape(-1, 9)
    best = np.argsort(squares.max(axis=1))[-count:]
    inner = squares[best].argmax(axis=1)
    rows = best // (width // 3) * 3 + inner // 3
    cols = best % (width // 3) * 3 + inner % 3
    slopes = _slopes_at(quarter, rows, cols)
    return Normal(
        size=(reference.shape[1], reference.shape[0]),
        cells=_cells(reference),
        rows=rows,
        cols=cols,
        slopes=slopes,
        steepness=_steepness(reference, rows, cols, slopes),
        repeated_rows=_repeated_rows(reference),
    )


def judge_frame(
    picture: Picture,
    *,
    reference: Picture | Normal | None = None,
    previous: Picture | None = None,
) -> str | None:
    """Why the picture cannot be trusted, in words for the page; None for a sound one.

    `picture` is (H, W, 3) BGR or (H, W) gray. `reference` is a sound picture of the same view
    (prepare it by `normal_of` for a stream). `previous` is the sound picture just before from the
    same camera: the very same pixels again mean that the camera hangs, a jump in brightness across
    a whole row of blocks that the picture is torn.
    """
    normal = normal_of(reference) if isinstance(reference, np.ndarray) else reference
    size = (picture.shape[1], picture.shape[0])
    if normal is not None and size != normal.size:
        here, usual = (f"{width} x {height}" for width, height in (size, normal.size))
        return written(reasons.SIZED_OTHERWISE, size=here, usual=usual)
    if previous is not None and previous.shape[:2] != picture.shape[:2]:
        return written(reasons.SIZE_CHANGED)
    quarter = _quarter(picture)
    reason = _without_light(quarter) or missing_part(picture, normal)
    if reason is None and normal is not None:
        reason = _unlike(picture, quarter, normal)
    if reason is None and previous is not None:
        reason = _stepped(_cells(picture), _cells(previous))
    elif reason is None and normal is not None:
        reason = _stepped(_cells(picture), normal.cells)
    if reason is None and previous is not None and same_picture(picture, previous):
        reason = written(reasons.REPEATED)
    return reason


def same_picture(one: Picture, other: Picture) -> bool:
    """Whether two frames are equal to the pixel, which no two looks of a real camera are."""
    return one.shape == other.shape and bool(
        np.array_equal(one[3::16], other[3::16]) and np.array_equal(one, other)
    )


def missing_part(picture: Picture, normal: Normal | None = None) -> str | None:
    """Whether a decoder filled rows or blocks that it could not read: the quick part of it all."""
    rows = _repeated_rows(picture)
    if normal is not None:
        rows &= ~normal.repeated_rows
    else:  # bars of black are common in pictures that were fitted to another shape
        rows[rows] = _luma(picture)[::_ROW_STEP][rows].max(axis=1) > _DARK_LEVEL
    if _longest_run(rows) >= 2:
        return written(reasons.ROWS_MISSING, share=f"{100.0 * float(rows.mean()):.0f}")
    if picture.ndim == 2:
        return None
    few = picture[::8, ::8]
    for colour, reason in _FILLINGS:
        hit = cv2.inRange(few[:, :, 1], colour[1] - 2, colour[1] + 2) > 0
        if hit.mean() <= _FILLED_SHARE:
            continue
        for channel in (0, 2):
            hit &= cv2.inRange(few[:, :, channel], colour[channel] - 2, colour[channel] + 2) > 0
        solid = hit[1:, 1:] & hit[:-1, 1:] & hit[1:, :-1] & hit[:-1, :-1]
        if solid.mean() > _FILLED_SHARE and _flat_between(_luma(picture), solid):
            return written(reason)
    return None


def _flat_between(luma: Picture, solid: NDArray[np.bool_]) -> bool:
    """Whether the blocks that look filled are so to the last pixel, as no surface is."""
    places = np.argwhere(solid)[:: max(1, int(solid.sum()) // 16)]
    flat = [np.ptp(luma[8 * row : 8 * row + 9, 8 * col : 8 * col + 9]) <= 1 for row, col in places]
    return float(np.mean(flat)) > 0.6


def _without_light(quarter: Picture) -> str | None:
    few = quarter[::4, ::4]
    low, high = (float(level) for level in np.percentile(few, (2, 99.5)))
    if high < _DARK_LEVEL:
        return written(reasons.DARK)
    if float((few >= _BRIGHT_LEVEL).mean()) > _BRIGHT_SHARE:
        return written(reasons.OVEREXPOSED)
    if high - low < _PLAIN_SPREAD:
        return written(reasons.NOTHING_SHOWN)
    return None


def _stepped(cells: Coarse, expected: Coarse) -> str | None:
    """A jump of brightness or colour from one row of blocks to the next, all across the picture.

    A damaged block leaves all after it too bright, too dark or in a wrong colour.
    """
    if cells.ndim != expected.ndim:
        cells, expected = (
            each if each.ndim == 2 else np.ascontiguousarray(each[:, :, 1])
            for each in (cells, expected)
        )
    gain = np.median(cells + 4.0, axis=(0, 1)) / np.median(expected + 4.0, axis=(0, 1))
    change = cells - gain * expected
    # Over two rows, because the damage began somewhere within one.
    jump = change[2:] - change[:-2]
    middle = np.median(jump, axis=1)
    # Nearly the whole width jumps alike; a shadow's or an arm's edge crosses the rows aslant.
    alike = (np.abs(jump - middle[:, None]) < 0.5 * np.abs(middle[:, None])).mean(axis=1)
    usual = np.median(np.abs(middle), axis=0)
    suspects = (np.abs(middle) > _STEP_LEVELS + 4.0 * usual) & (alike > 0.55)
    rows = np.flatnonzero(suspects.reshape(len(suspects), -1).any(axis=1))
    if not rows.size:
        return None
    return written(reasons.TORN, share=f"{100 * (int(rows[0]) + 1) / len(cells):.0f}")


def _unlike(picture: Picture, quarter: Picture, normal: Normal) -> str | None:
    """Whether the reference's edges are there, and as sharp; whatever light they are seen in."""
    slopes = _slopes_at(quarter, normal.rows, normal.cols)
    # Doubling the angle makes an edge the same whichever of its sides is the brighter.
    turn = (slopes**2) * np.conj(normal.slopes**2)
    alike = (turn.real > np.cos(np.deg2rad(40.0)) * np.abs(turn)) & (np.abs(slopes) > 2.0)
    if alike.mean() < _LIKENESS:
        return written(reasons.ELSEWHERE)
    here = _steepness(picture, normal.rows[alike], normal.cols[alike], slopes[alike])
    if here < _SHARPNESS * normal.steepness:
        return written(reasons.OUT_OF_FOCUS)
    band = normal.rows * _BANDS // quarter.shape[0]
    third = normal.cols * 3 // quarter.shape[1]
    for number in range(_BANDS):
        there = band == number
        if there.sum() < _BAND_POINTS or alike[there].mean() >= _BAND_LIKENESS:
            continue
        # An arm hides a part of a band, a tear spoils all of it.
        parts = [alike[there & (third == side)] for side in range(3)]
        if all(part.mean() < _THIRD_LIKENESS for part in parts if part.size >= 5):
            return written(reasons.TORN, share=f"{100 * number / _BANDS:.0f}")
    return None


def _steepness(
    picture: Picture, rows: Places, cols: Places, slopes: NDArray[np.complex64]
) -> float:
    """How much steeper edges are in the whole picture than in the quarter: what blur takes away."""
    thin = max(1, len(rows) // _STEEP_POINTS)
    rows, cols, slopes = rows[::thin], cols[::thin], slopes[::thin]
    luma = _luma(picture)
    span = np.arange(-3, 7)
    patch = luma[
        (4 * rows)[:, None, None] + span[:, None], (4 * cols)[:, None, None] + span
    ].astype(np.int16)
    down = np.abs(np.diff(patch, axis=1)).max(axis=(1, 2))
    across = np.abs(np.diff(patch, axis=2)).max(axis=(1, 2))
    coarse = np.maximum(np.abs(slopes), 1.0)
    return float(np.median(np.maximum(down, across) / coarse))


def _luma(picture: Picture) -> Picture:
    """One channel to judge by: green, which carries most of the luma and costs no conversion."""
    return picture if picture.ndim == 2 else picture[:, :, 1]


def _quarter(picture: Picture) -> Picture:
    """A quarter of the size each way, gray, by the mean of each pixel's four nearest of 16."""
    half = np.ascontiguousarray(_luma(picture)[1::2, ::2])
    size = (max(1, picture.shape[1] // 4), max(1, picture.shape[0] // 4))
    return np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_AREA), np.uint8)


def _cells(picture: Picture) -> Coarse:
    """The mean level of each 16 x 16 block, per channel, from every other row of its pixels."""
    height, width = (side // _CELL_PX for side in picture.shape[:2])
    whole = picture[: height * _CELL_PX : 2, : width * _CELL_PX]
    means = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float32)


def _slopes(quarter: Picture) -> NDArray[np.complex64]:
    across = cv2.Sobel(quarter, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    down = cv2.Sobel(quarter, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    return np.asarray(across + 1j * down, np.complex64)


def _slopes_at(quarter: Picture, rows: Places, cols: Places) -> NDArray[np.complex64]:
    level = quarter.astype(np.float32)
    across: NDArray[np.float32] = np.zeros(rows.shape, np.float32)
    down = np.zeros(rows.shape, np.float32)
    for side, weight in ((-1, 0.125), (0, 0.25), (1, 0.125)):
        across = across + weight * (level[rows + side, cols + 1] - level[rows + side, cols - 1])
        down = down + weight * (level[rows + 1, cols + side] - level[rows - 1, cols + side])
    return np.asarray(across + 1j * down, np.complex64)


def _repeated_rows(picture: Picture) -> NDArray[np.bool_]:
    """Every eighth row: whether it repeats itself every 16 pixels, as a filling does."""
    rows = picture[::_ROW_STEP].reshape(-(-picture.shape[0] // _ROW_STEP), -1)
    apart = _CELL_PX * (picture.shape[2] if picture.ndim == 3 else 1)
    begin = rows[:, : 4 * apart]
    repeated = np.asarray((begin[:, apart:] == begin[:, :-apart]).all(axis=1))
    suspects = np.flatnonzero(repeated)
    if suspects.size:
        whole = rows[suspects]
        repeated[suspects] = (whole[:, apart:] == whole[:, :-apart]).all(axis=1)
    return repeated


def _longest_run(rows: NDArray[np.bool_]) -> int:
    longest = run = 0
    for each in rows.tolist():
        run = run + 1 if each else 0
        longest = max(longest, run)
    return longest
