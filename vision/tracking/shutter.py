"""How long the shutter is open, told by the blur of fast pieces."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

_USUAL, _USUAL_SD = 0.25, 0.15
_PIXELS = 60.0  # how many independent pixels a piece's rim is worth
_ENOUGH = 24
_ONE_VOTE = 4.0  # a piece in the air, or half hidden, may err: none decides alone
_WORST = 1 + _ONE_VOTE / (0.5 * _PIXELS)  # times the least misfit: more counts no more


class Shutter:
    """Gathers how well each share of the frame time explains the blur of pieces that run free.

    `share` is the usual one until fast pieces have been seen.
    """

    SHARES = (0.03, 0.1, 0.18, 0.26, 0.35, 0.45, 0.6, 0.8, 0.98)

    def __init__(self) -> None:
        shares = np.array(self.SHARES)
        self._cost = 0.5 * ((shares - _USUAL) / _USUAL_SD) ** 2
        self._seen = 0
        self.share = _USUAL

    @property
    def sure(self) -> bool:
        return self._seen >= _ENOUGH

    def learn(self, misfit_of: Callable[[float], float]) -> None:
        """`misfit_of` gives one piece's mean squared misfit with a share."""
        values = self._misfits(misfit_of)
        cost = 0.5 * _PIXELS * (values / max(float(values.min()), 1e-6) - 1)
        self._cost += np.minimum(cost, _ONE_VOTE)
        self._seen += 1
        k = min(max(int(np.argmin(self._cost)), 1), len(self.SHARES) - 2)
        x, y = np.array(self.SHARES[k - 1 : k + 2]), self._cost[k - 1 : k + 2]
        a, b, _ = np.polyfit(x, y, 2)
        lowest = -b / (2 * a) if a > 0 else self.SHARES[int(np.argmin(self._cost))]
        self.share = float(np.clip(lowest, self.SHARES[0], self.SHARES[-1]))

    def _misfits(self, misfit_of: Callable[[float], float]) -> NDArray[np.float64]:
        """Of each of `SHARES`; infinite beyond the first on either side that counts no more.

        A piece fits the worse the farther off a share is, so they are tried from the likeliest on.
        """
        shares = self.SHARES
        values = np.full(len(shares), np.inf)
        middle = int(np.argmin(np.abs(np.array(shares) - self.share)))
        least = values[middle] = misfit_of(shares[middle])
        sides: tuple[Iterable[int], ...] = (range(middle + 1, len(shares)), reversed(range(middle)))
        for side in sides:
            for k in side:
                values[k] = misfit_of(shares[k])
                least = min(least, values[k])
                if values[k] > _WORST * least:
                    break
        return values
