"""A place that can hardly be made out is told by how it has changed since a moment ago."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.lattice.judge import Judged
from vision.lattice.remembered import Kept, and_now, with_memory

SURE = 4.0
STICK = np.array([0.34, 0.05, -0.08])
"""How a stick in a groove should look beneath a lamp's reflection, off the empty groove."""
SEEN = np.array([0.22, 0.086, -0.09])
"""How one was seen there."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Look:
    """A groove that looks off an empty one by `step`; taken for `best`, `ahead` by so much."""

    step: Floats
    best: int = 1
    ahead: float = 0.5
    off: float = 0.2

    def judged(self) -> Judged:
        return Judged(
            best=np.array([self.best]), ahead=np.array([self.ahead]), off=np.array([self.off])
        )

    def away(self) -> Floats:
        return np.stack([self.step, self.step - STICK])[:, :, None]


def kept(held: int = 0, *, step: Floats | None = None, clear: bool = True) -> Kept:
    look = np.zeros(3) if step is None else step
    return Kept(held=np.array([held]), look=look[:, None], clear=np.array([clear]))


@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        (Look(step=SEEN), kept(), 1),
        (Look(step=SEEN, best=0), kept(), 1),
        (Look(step=0.0 * STICK), kept(1, step=STICK), 0),
        (Look(step=0.1 * STICK), kept(), 0),
        (Look(step=1.05 * SEEN), kept(1, step=SEEN), 1),
        (Look(step=SEEN), kept(-1), None),
        (Look(step=SEEN, off=1.5), kept(), None),
        (Look(step=SEEN, best=0), kept(0, step=SEEN, clear=False), None),
        (Look(step=np.array([-0.3, 0.0, 0.0]), best=0), kept(0, clear=False), None),
    ],
    ids=[
        "it looks as if the stick has come",
        "so it does, though the empty groove is as likely",
        "it looks as if the stick has gone",
        "it looks as empty as it did",
        "it looks as filled as it did",
        "nothing is known of it",
        "what lies there is no stick as it was taught",
        "it was unclear, and nothing has changed",
        "a shadow has fallen on it",
    ],
)
def test_what_has_come_or_gone_is_told_by_the_change(
    now: Look, before: Kept, told: int | None
) -> None:
    judged = with_memory(now.judged(), now.away(), before, SURE)
    sure = judged.ahead[0] >= SURE
    assert (int(judged.best[0]) if sure else None) == told


def test_what_is_clear_by_itself_is_not_asked_of_memory() -> None:
    now = Look(step=0.0 * STICK, best=0, ahead=9.0)
    judged = with_memory(now.judged(), now.away(), kept(1, step=STICK), SURE)
    assert (judged.best[0], judged.ahead[0]) == (0, 9.0)


def test_a_place_that_is_covered_keeps_what_was_known_of_it() -> None:
    before = kept(1, step=STICK)
    seen, clear = np.array([False]), np.array([False])
    after = and_now(before, np.array([0]), np.zeros((3, 1)), seen=seen, clear=clear)
    assert (after.held[0], after.clear[0]) == (1, True)
    assert np.array_equal(after.look[:, 0], STICK)


@pytest.mark.parametrize(
    ("ahead", "step", "told"),
    [
        (6.9, SEEN - [0.12, 0.0, 0.0], 1),
        (20.0, SEEN - [0.12, 0.0, 0.0], 0),
        (6.9, 0.0 * STICK, 0),
    ],
    ids=["a shadow beside it", "it is empty beyond doubt", "it looks empty"],
)
def test_what_looks_nearly_as_it_did_is_called_gone_only_beyond_doubt(
    ahead: float, step: Floats, told: int
) -> None:
    now = Look(step=step, best=0, ahead=ahead, off=0.6)
    judged = with_memory(now.judged(), now.away(), kept(1, step=SEEN), SURE)
    assert judged.ahead[0] >= SURE
    assert judged.best[0] == told
