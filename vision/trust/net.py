"""A small convolutional network, run in numpy: how far to believe each pixel, and what it hides.

Dilated convolutions (Yu & Koltun, Multi-scale context aggregation, 2016) with residual sums (He et
al. 2016); trained by `training/learn.py`, whose network this repeats.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from calibration.silhouette import Floats32

DILATIONS = (1, 2, 4, 8, 1)
"""How far apart the nine pixels are that each layer looks at; as in training."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Net:
    """`kernels`: for each layer (outputs, inputs * 9), the last of one pixel only: (2, inputs)."""

    kernels: tuple[Floats32, ...]
    offsets: tuple[Floats32, ...]

    def __call__(self, maps: Floats32) -> tuple[Floats32, Floats32]:
        """Logarithm of the belief in each pixel, and what to take off its residual, in noises.

        `maps` (C, h, w); the last says which pixels there are. Both answers are (h, w).
        """
        there = maps[-1]
        x = maps
        last = len(DILATIONS) - 1
        for n, dilation in enumerate(DILATIONS):
            y = _silu(_convolved(x, self.kernels[n], self.offsets[n], dilation)) * there
            x = y if n in (0, last) else x + y
        out = np.tensordot(self.kernels[-1], x, axes=1) + self.offsets[-1][:, None, None]
        return out[0], out[1]


@cache
def trained() -> Net:
    """The network that comes with the program."""
    with files(__package__).joinpath("weights.npz").open("rb") as file, np.load(file) as stored:
        layers = len(DILATIONS) + 1
        return Net(
            kernels=tuple(stored[f"kernel{n}"].astype(np.float32) for n in range(layers)),
            offsets=tuple(stored[f"offset{n}"].astype(np.float32) for n in range(layers)),
        )


def _convolved(x: Floats32, kernel: Floats32, offset: Floats32, dilation: int) -> Floats32:
    channels, h, w = x.shape
    d = dilation
    padded = np.pad(x, ((0, 0), (d, d), (d, d)))
    shifted = [
        padded[:, d + j * d : d + j * d + h, d + i * d : d + i * d + w]
        for j in (-1, 0, 1)
        for i in (-1, 0, 1)
    ]
    columns = np.stack(shifted, axis=1).reshape(channels * 9, h * w)
    return np.asarray((kernel @ columns + offset[:, None]).reshape(-1, h, w), dtype=np.float32)


def _silu(x: Floats32) -> Floats32:
    return np.asarray(x / (1 + np.exp(-np.clip(x, -60, 60))), dtype=np.float32)
