"""A reader that is late now and then, whom a camera spares some of its frames."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np

from vision.frame import Frame
from vision.sources.catching_up import LATE_MS, CatchingUp

SPELL_S = (0.1, 0.5)
"""The shortest and the longest time for which it is late, or is not."""


def read_late(frames: Iterable[Frame], random: np.random.Generator) -> Iterator[Frame]:
    """The `frames` it gets: those beyond 60 a second only while it is not late."""
    catching_up, until_ms, late = CatchingUp(), float("-inf"), False
    every = list(frames)
    for frame, following in pairwise(every):
        if frame.at_ms >= until_ms:
            until_ms = frame.at_ms + 1000 * random.uniform(*SPELL_S)
            late = not late
        newest_ms = frame.at_ms + (2 * LATE_MS if late else 0.0)
        if catching_up.takes(frame.at_ms, next_ms=following.at_ms, newest_ms=newest_ms):
            yield frame
    yield every[-1]
