"""Strikes that a hand hid: what the struck piece set running bounds when it can have set off."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, inf, sqrt

from vision.motion.body import CUED
from vision.motion.knocks import Knock
from vision.motion.timeline import Timeline

_KEEPS = 0.6  # at the least a piece comes at so much of the speed at which it sends others off


def with_unseen_strikes(lines: Sequence[Timeline], frame_s: float) -> list[Timeline]:
    """`lines`, in which what a cue or a finger strikes lay no longer than it can have.

    A piece that came in sight only after it had set others running was on its way to them before:
    slower than they ran at first, about, it cannot have come.
    """
    return [_since_it_can_have_left(line, lines, frame_s) for line in lines]


def struck_before_touching(knocks: Sequence[Knock], lines: Sequence[Timeline]) -> list[Knock]:
    """`knocks`, in which no piece that lay at rest touches another before it is struck.

    Such a strike was between when the piece lay still and when it touched.
    """
    return sorted((_before_touching(k, knocks, lines) for k in knocks), key=lambda k: k.t_s)


def _before_touching(knock: Knock, knocks: Sequence[Knock], lines: Sequence[Timeline]) -> Knock:
    if knock.kind != "strike" or lines[knock.a].track.kind not in CUED:
        return knock
    touched = (k.t_s for k in knocks if k.kind == "contact" and knock.a in (k.a, k.b))
    first_s, lay_s = min(touched, default=inf), lines[knock.a].phases[0].last_s
    if not lay_s < first_s < knock.t_s:
        return knock
    return replace(knock, t_s=(lay_s + first_s) / 2, error_s=(first_s - lay_s) / sqrt(12.0))


def _since_it_can_have_left(line: Timeline, lines: Sequence[Timeline], frame_s: float) -> Timeline:
    if not line.moved or line.track.kind not in CUED or line.track.lay_s is None:
        return line
    lay, run = line.phases[0], line.phases[1]
    others = [
        o for o in lines if o.moved and o.track.kind not in CUED and o.phases[0].last_s > lay.last_s
    ]
    first = min(others, key=lambda o: o.phases[0].last_s, default=None)
    if run.first_s - lay.last_s < 1.5 * frame_s or first is None:
        return line
    lain, begun = first.phases[0], first.phases[1]
    if lain.last_s > run.first_s:
        return line
    home, there = line.track.home, first.track.home
    gap = hypot(there[0] - home[0], there[1] - home[1])
    gap = max(gap - line.track.radius_mm - first.track.radius_mm, 0.0)
    pace = max(_KEEPS * hypot(*begun.speed_at(begun.first_s)), 1.0)
    until = max(lay.last_s, lain.last_s - gap / pace)
    return replace(line, phases=(replace(lay, last_s=until), *line.phases[1:]))
