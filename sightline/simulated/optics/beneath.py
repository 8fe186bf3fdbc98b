"""What rests on a part of the picture, drawn once where something moves above all of it."""

from collections.abc import Sequence

import numpy as np

from sightline.simulated.optics.rays import Box, Floats
from sightline.simulated.optics.sprites import Sprite


class Beneath:
    """A `box` of the picture with the `shadows` on it and the `bodies` above them, lowest first.

    A shadow thrown on it falls on the board, not on the bodies: their light stays as it is.
    """

    def __init__(
        self, box: Box, lit: Floats, shadows: Sequence[Sprite], bodies: Sequence[Sprite]
    ) -> None:
        """`lit` (h, w, 3) is the bare board's light there."""
        self.box = box
        self._board = lit.copy()
        self._keep = np.ones_like(lit)
        self._add = np.zeros_like(lit)
        for shadow in shadows:
            shadow.on(self._board, box)
        for body in bodies:
            body.on(self._add, box)
            Sprite(body.box, body.keep, None).on(self._keep, box)

    def shaded(self, shadows: Sequence[Sprite]) -> Floats:
        """(h, w, 3) the light there, further shadows thrown on it."""
        light = self._board.copy()
        for shadow in shadows:
            shadow.on(light, self.box)
        light *= self._keep
        light += self._add
        return light
