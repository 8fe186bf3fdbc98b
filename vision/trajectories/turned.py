"""Whether the first path seen of a struck piece begins where it lay, or where it was turned."""

from collections.abc import Sequence
from math import hypot

from vision.trajectories.breaks import Knock
from vision.trajectories.paths import Stretch
from vision.trajectories.timeline import Timeline

_ASIDE_MM = 1.5  # farther from where it lay, a piece's first path does not come from there
Side = tuple[int, int]  # a piece and the number of its path before a knock


def turned_on_the_way(
    knock: Knock,
    sides: Sequence[Side],
    knocks: Sequence[Knock],
    lines: Sequence[Timeline],
    slack_s: float,
) -> bool:
    """Whether a struck piece may have been turned between the only two places of its first path.

    Where it was just turned, that path leads on to a touch at about the time of the second place,
    but not back to where the piece lay.
    """
    if knock.kind != "strike":
        return False
    lay, path = lines[knock.a].phases[sides[0][1] : sides[0][1] + 2]
    slack_s = slack_s if _aside_mm(path, lay.at(lay.last_s)) > _ASIDE_MM else 0.0
    return path.count <= 2 and any(
        k is not knock and k.concerns(knock.a) and k.t_s - 2 * k.error_s - slack_s < path.last_s
        for k in knocks
    )


def _aside_mm(path: Stretch, place: tuple[float, float]) -> float:
    """How far a place is from the line of a path."""
    (x, y), (vx, vy) = path.at(path.first_s), path.speed_at(path.first_s)
    return abs((place[0] - x) * vy - (place[1] - y) * vx) / max(hypot(vx, vy), 1.0)


def ran_unseen(knock: Knock, sides: Sequence[Side], lines: Sequence[Timeline]) -> bool:
    """Whether a struck piece was seen nowhere between where it lay and where it came to rest."""
    if knock.kind != "strike" or knock.played:
        return False
    (who, k), *_ = sides
    run = lines[who].phases[k + 1]
    return run.count > 1 and run.first_s == run.last_s


def had_touched(
    knock: Knock, sides: Sequence[Side], lines: Sequence[Timeline], slack_s: float
) -> bool:
    """Whether a struck piece had set another running by the time at which it was first seen run.

    Its way back from there leads to where it touched, not to where it lay.
    """
    if knock.kind != "strike" or knock.played:
        return False
    (who, k), *_ = sides
    lay, run = lines[who].phases[k : k + 2]
    return any(
        lay.last_s < other.left_by_s < run.first_s + slack_s
        for i, other in enumerate(lines)
        if i != who and other.moved
    )
