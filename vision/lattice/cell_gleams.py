"""Light mirrored over cells that was not there when the table was set up, or is there no more.

A reflection adds the same light to all that lies in it, to white lines and dark squares alike, so
that they change by different shares: no smooth change of how strongly a cell is lit looks like it.
What a cell's samples share in all colours tells the light added, what differs between them how
strongly the cell is lit. Where both pictures have the same reflections over them, they can be
compared as ever.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lattice.gleams import EXPLAINS, LEAST, LIT, Bools, borne_out

Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

_STEADY = 0.0006
"""A cell is taken to be lit as ever as surely as by samples with this sum of squares of light."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BareCells:
    """The light of the empty board in its cells, `light` (P, 3, N), white being 1.

    Some samples are `asked` (n,): their light `shown` (P, 3*n), and the sums of its squares,
    `bright` (P,); how much `apart` (P, 3*n) it is from what is smooth and of no colour, the sums of
    the `squares` (P,) of that, and that smooth part itself, `smooth` (P, M). `plane` (n, M) are
    their smooth changes, orthonormal, `whole` (M, N) the same for all samples; `neighbours` (P, P)
    are which cells lie near each other.
    """

    light: Floats32
    asked: Ints
    shown: Floats32
    bright: Floats32
    apart: Floats32
    squares: Floats32
    smooth: Floats32
    plane: Floats32
    whole: Floats32
    neighbours: Bools


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reflected:
    """In which `cells` (K,) other light is mirrored than was: there the board is lit `lit` (K,)
    times as strongly, and has so much light over it, `added` (K, N), less than 0 where some is
    missing."""

    cells: Ints
    lit: Floats32
    added: Floats32


def bare_cells_of(light: Floats32, plane: Floats32, asked: Ints, neighbours: Bools) -> BareCells:
    """Make the light of the empty board, (P, 3, N), ready for `reflected_over`; `plane` (N, M) are
    smooth changes, `asked` (n,) the samples that are compared."""
    few, turned = np.linalg.qr(plane[asked].astype(np.float64))
    few = few.astype(np.float32)
    shown = light[:, :, asked]
    smooth = shown.mean(axis=1) @ few
    apart = (shown - (smooth @ few.T)[:, None]).reshape(len(light), -1)
    shown = shown.reshape(len(light), -1)
    return BareCells(
        light=light,
        asked=asked,
        shown=shown,
        bright=np.vecdot(shown, shown),
        apart=apart,
        squares=np.vecdot(apart, apart),
        smooth=smooth,
        plane=few,
        whole=np.linalg.solve(turned.T, plane.T.astype(np.float64)).astype(np.float32),
        neighbours=neighbours,
    )


def reflected_over(now: Floats32, bare: BareCells) -> Reflected:
    """Where light is mirrored over cells beyond what was on the empty picture, or some is missing.

    `now` (P, 3, n) is the light of the samples that are asked, in the exposure of the empty
    picture. Least squares for how strongly each cell is lit, and for smooth light of no colour that
    is added. It is told where that explains what has changed far better than being lit otherwise
    alone, in cells beside others of which the same is true.
    """
    flat = now.reshape(len(now), -1)
    smooth = ((now[:, 0] + now[:, 1] + now[:, 2]) / 3) @ bare.plane
    shared = np.vecdot(flat, bare.apart)
    whole = np.vecdot(flat, flat)
    lit = (shared + _STEADY) / (bare.squares + _STEADY)
    added = smooth - lit[:, None] * bare.smooth
    left = whole - 3 * np.vecdot(smooth, smooth) - 2 * lit * shared + lit**2 * bare.squares
    without = whole - np.vecdot(flat, bare.shown) ** 2 / bare.bright
    mean = added @ bare.plane.mean(axis=0)
    sure = (np.abs(mean) > LEAST) & (lit > LIT[0]) & (lit < LIT[1])
    sure &= left < EXPLAINS**2 * without
    told = np.flatnonzero(borne_out(sure, mean, bare.neighbours))
    return Reflected(cells=told, lit=lit[told], added=added[told] @ bare.whole)
