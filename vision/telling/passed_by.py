"""Whom a struck piece may have touched though no knock tells of it: what stayed where it lay."""

from collections.abc import Iterator, Sequence

from rules.facts import Contacted, Fact, LeftBoard, Pocketed, Struck
from rules.geometry import Point
from vision.strikers import CUED
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline


def passed_by(spell: Spell, facts: Sequence[Fact]) -> Iterator[tuple[Timeline, Timeline]]:
    """Each struck piece with each one that did not run, nor go, and whose touch `facts` do not
    tell. What was hauled was not struck."""
    struck = {fact.piece for fact in facts if isinstance(fact, Struck) and not fact.dragged}
    gone = {fact.piece for fact in facts if isinstance(fact, Pocketed | LeftBoard)}
    told = {frozenset((fact.a, fact.b)) for fact in facts if isinstance(fact, Contacted)}
    for line in spell.lines:
        if line.track.name not in struck or line.track.kind not in CUED:
            continue
        for other in spell.lines:
            if other is line or other.moved or other.track.name in gone:
                continue
            if frozenset((line.track.name, other.track.name)) not in told:
                yield line, other


def touch_from(
    line: Timeline, place: tuple[float, float], other: Timeline, *, at_ms: float, error_ms: float
) -> Contacted:
    """The touch of a struck piece at a `place`, in mm, and another at home: where their rims meet,
    or lie nearest."""
    (x, y), (u, v) = place, other.track.home
    part = line.track.radius_mm / (line.track.radius_mm + other.track.radius_mm)
    return Contacted(
        at_ms=at_ms,
        a=line.track.name,
        b=other.track.name,
        at=Point(x + (u - x) * part, y + (v - y) * part),
        error_ms=error_ms,
    )
