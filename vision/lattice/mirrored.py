"""Products with vectors that come with their mirror images, in a quarter of the time.

A cell's grid of samples is its own mirror image, from side to side and up and down. What is even
in both ways, even in one and odd in the other, and so on, are orthogonal: the product of two
vectors is the sum of the products of these four parts, each a quarter as long, and of a mirror
image's parts two have the other sign. (Symmetry-adapted bases: A. Fässler, E. Stiefel, Group
Theoretical Methods and Their Applications, 1992.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]

IMAGES = ((1, 1), (-1, 1), (1, -1), (-1, -1))
"""The mirror images in the order in which their products are told: what x and y are times."""
BETWEEN = np.arange(4) ^ np.arange(4)[:, None]
"""(4, 4) which image of one vector is to it as one image of it is to another."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mirrored:
    """Vectors of samples on a square grid, each of which stands for its mirror images as well.

    `parts` (4, Q, C) are what each of C vectors has of the four parts, by weight.
    """

    parts: Floats32

    def products(self, rest: Floats32) -> Floats32:
        """(4, R, C) how much of every vector's `IMAGES` is in each `rest` (R, N), N samples row by
        row, x along the rows."""
        both, side, up, turned = np.matmul(folded(rest), self.parts)
        even, odd = both + up, both - up
        even_across, odd_across = side + turned, side - turned
        made = np.empty((4, *both.shape), dtype=np.float32)
        np.add(even, even_across, out=made[0])
        np.subtract(even, even_across, out=made[1])
        np.add(odd, odd_across, out=made[2])
        np.subtract(odd, odd_across, out=made[3])
        return made


def mirrored(vectors: Floats32) -> Mirrored:
    """Make `vectors` (C, N), of samples on a square grid with an odd number along its side."""
    half = round(vectors.shape[1] ** 0.5) // 2 + 1
    # a product of two sums of pairs counts each pair twice; of the middle's sums, four times
    once = np.full(half, 0.5)
    once[-1] = 0.25
    weight = np.outer(once, once).ravel()
    parts = folded(vectors) * weight
    return Mirrored(parts=np.ascontiguousarray(parts.swapaxes(1, 2), dtype=np.float32))


def folded(rest: Floats32) -> Floats32:
    """(4, R, Q) what of each `rest` (R, N) is even in both ways, odd from side to side, odd up and
    down, odd in both: sums and differences of the samples that are mirror images."""
    side = round(rest.shape[1] ** 0.5)
    half = side // 2 + 1
    whole = rest.reshape(-1, side, side)
    rows, below = whole[:, :half], whole[:, : half - 2 : -1]
    made = np.empty((4, len(rest), half, half), dtype=np.float32)
    for way, across in enumerate((rows + below, rows - below)):
        left, right = across[:, :, :half], across[:, :, : half - 2 : -1]
        np.add(left, right, out=made[2 * way])
        np.subtract(left, right, out=made[2 * way + 1])
    return made.reshape(4, len(rest), half * half)
