"""How long the shutter is open, told by the blur of fast pieces."""

from collections.abc import Sequence

import numpy as np


class Shutter:
    """Gathers how well each share of the frame time explains the blur of pieces that run free.

    `share` is None until enough pixels of blur have been seen.
    """

    SHARES = (0.03, 0.1, 0.18, 0.26, 0.35, 0.45, 0.6, 0.8, 0.98)

    def __init__(self) -> None:
        self._sums = np.zeros(len(self.SHARES))
        self._seen = 0
        self._run_px = 0.0
        self.share: float | None = None

    @property
    def sure(self) -> bool:
        return self._seen >= 24

    def learn(self, misfits: Sequence[float], run_px: float) -> None:
        """`misfits`: mean squared misfit with each share; `run_px`: what it ran in a frame."""
        values = np.asarray(misfits)
        self._sums += values - values.min()
        self._seen += 1
        self._run_px += run_px
        if self._seen < 2 or self._run_px < 30:
            return
        k = int(np.argmin(self._sums))
        share = self.SHARES[k]
        if 0 < k < len(self.SHARES) - 1:
            x, y = np.array(self.SHARES[k - 1 : k + 2]), self._sums[k - 1 : k + 2]
            a, b, _ = np.polyfit(x, y, 2)
            if a > 0:
                share = float(np.clip(-b / (2 * a), x[0], x[2]))
        self.share = float(share)
