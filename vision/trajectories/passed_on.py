"""A blow that goes through a man who hardly moves himself, to those that touch him."""

from collections.abc import Sequence, Set

from vision.strikers import CUED
from vision.trajectories.breaks import Knock
from vision.trajectories.sent import lie_touching
from vision.trajectories.spread import spread
from vision.trajectories.timeline import Timeline

_FRAMES = 3.0  # so long one that sets off slowly may be taken to lie still


def passed_on(
    lines: Sequence[Timeline], knocks: Sequence[Knock], pushed: Set[int], frame_s: float
) -> set[int]:
    """The numbers of men that set off as one of the `pushed` was hit who touches them, or touches
    others that do, all of whom stayed where they lay.
    """
    found: set[int] = set()
    for knock in knocks:
        stayed = {k for k in (knock.a, knock.b) if k in pushed and _stays(lines, k)}
        if knock.kind != "contact" or not stayed:
            continue
        heap = spread(
            stayed,
            range(len(lines)),
            lambda i, k: _stays(lines, i) and lie_touching(lines[i], lines[k]),
        )
        found |= {k for k in heap - pushed if _set_off_at(lines[k], knock, frame_s)}
    return found


def _stays(lines: Sequence[Timeline], number: int) -> bool:
    return not lines[number].moved and lines[number].track.kind not in CUED


def _set_off_at(line: Timeline, knock: Knock, frame_s: float) -> bool:
    """Whether a man was last seen where he lay about when a knock came, or soon after."""
    if not line.moved or line.track.kind in CUED:
        return False
    amiss_s = knock.error_s + frame_s
    until_s = knock.t_s + knock.error_s + _FRAMES * frame_s
    return knock.t_s - amiss_s < line.phases[0].last_s < until_s
