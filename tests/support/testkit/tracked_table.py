"""Three pieces at rest on the simulated table, and a tracker that has begun to follow them."""

import numpy as np
from numpy.typing import NDArray
from testkit.simulated_table import known, lying, tables

from vision.tracking.tracker import Tracker

LAID = (
    lying("cue-puck", "natural", 0, -150),
    lying("red-1", "red", 62, -150),
    lying("blue-1", "blue", -220, 240),
)


def tracking(picture: NDArray[np.uint8], hidden: NDArray[np.bool_] | None = None) -> Tracker:
    table = tables()[1]
    empty = np.asarray(table.empty.mean(axis=2), dtype=np.uint8)
    tracker = Tracker(table.camera, table.board, empty)
    tracker.begin(picture, known(LAID), noise=1.6, hidden=hidden)
    return tracker
