"""From a solved spell of motion to its facts."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Moved,
    Pocketed,
    Rebounded,
    Struck,
    Travelled,
    Unclear,
)
from rules.geometry import Point
from rules.said import written
from rules.unseen import NO_PIECE, TURNED_UNSEEN
from vision.strikers import BY_CUE, CUED, FLICKED
from vision.telling.grazes import grazes
from vision.telling.soft_touch import soft_touches
from vision.tracking.drags import STROKE_MM_S, dragged, outruns_drags
from vision.tracking.held import SHIFTED_MM
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.sent import BESIDE_MM, gap_mm, least_mm_s
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_ANYWHERE_MM, _ANYWHEN_MS = 30.0, 100.0  # one sd of what nobody saw
_HELD_S = 0.5
_TELLS_WHENCE, _BESIDE_HOME_MM = 2, 3.0  # so many places of a run from home, or by it, show that
_TURNED_MM_S = 150.0
_TURNED_SHARE = 0.2
_NEAR_MM, _CLOSE_BY_MM = 12.0, 60.0
_SURELY = 2.0  # combined sd
_AS_IT_WENT_S = 0.1  # so much the times may be amiss at which two set off


def spell_facts(
    spell: Spell, slowing_mm_s2: float | None = None, missing: Collection[str] = ()
) -> list[Fact]:
    """The facts of one solved spell of motion, in order of time.

    `slowing_mm_s2` is what friction took in earlier ones, where that was seen. `missing` are
    pieces not seen any more though nothing lies over where they lay.
    """
    lines = spell.lines
    facts: list[Fact] = [b for b in (_brought(line.track) for line in lines) if b is not None]
    for knock in spell.knocks:
        fact = _knock_fact(knock, lines)
        if fact is not None:
            facts.append(fact)
    for line in lines:
        if not line.moved:
            continue
        name, ending = line.track.name, line.ending
        for t, pocket in line.rebounds:
            facts.append(Rebounded(at_ms=1000 * t, piece=name, pocket=pocket))
        at, error = 1000 * ending.t_s, 1000 * ending.error_s
        if ending.kind == "pocketed":
            facts.append(Pocketed(at_ms=at, piece=name, pocket=ending.pocket, error_ms=error))
        elif ending.kind == "off_board":
            facts.append(LeftBoard(at_ms=at, piece=name, error_ms=error))
    facts, hauled = _without_drags(facts, spell, slowing_mm_s2, missing)
    facts = _without_strays(facts, lines)
    facts += [fact for fact in _hidden(spell, hauled) if fact.at_ms < _first_contact_ms(facts)]
    facts += soft_touches(spell, facts)
    facts += grazes(spell, facts)
    struck = {fact.piece for fact in facts if isinstance(fact, Struck)} - hauled
    for line in lines:
        if line.track.name in struck:
            facts.append(_travelled(line))
    facts.sort(key=lambda fact: fact.at_ms)
    return facts


def _brought(track: Track) -> Moved | Struck | None:
    """That a hand or a cue brought it to where it lay before it ran; None: nobody did."""
    if track.brought is None:
        return None
    at_s, *place = track.brought
    if track.kind in BY_CUE:
        return Struck(
            at_ms=1000 * at_s,
            piece=track.name,
            at=Point(*place),
            error_mm=track.home_error_mm,
            error_ms=_ANYWHEN_MS,
            dragged=True,
        )
    return Moved(
        at_ms=1000 * at_s,
        piece=track.name,
        before=Point(*place),
        after=Point(*track.home),
        error_mm=track.home_error_mm,
    )


def _without_drags(
    facts: Sequence[Fact], spell: Spell, slowing_mm_s2: float | None, missing: Collection[str]
) -> tuple[list[Fact], set[str]]:
    """The facts with drags told as such, and the pieces that were dragged.

    The path of a dragged piece is not a free one: the corners that were found in it are neither
    cushions nor contacts, unless the other piece moved. A man that another sent off was not dragged
    however slowly he runs, nor was what sent a man off as only a stroke can.
    """
    lines, played = spell.lines, _sent_as_by_stroke(spell, missing)
    struck = {fact.piece for fact in facts if isinstance(fact, Struck)}
    found = (
        dragged(line.track, slowing_mm_s2)
        for line in lines
        if line.moved
        and line.track.name not in played
        and (line.track.kind in CUED or line.track.name in struck)
    )
    drags = {drag.piece: drag for drag in found if drag is not None}
    moved = {line.track.name for line in lines if line.moved}
    fingered = {line.track.name: line for line in lines if line.track.kind in FLICKED}
    kept: list[Fact] = []
    for fact in facts:
        match fact:
            case Struck(piece=name) if name in drags and name in fingered:
                kept.append(_moved(fact, fingered[name]))
            case Struck(piece=name) if name in drags:
                peak = drags[name].peak_mm_s
                kept.append(replace(fact, dragged=True, speed_mm_s=peak))
            case Cushioned(piece=name) if name in drags:
                continue
            case Contacted(a=a, b=b) if {a, b} & drags.keys() and not {a, b} <= moved:
                continue
            case _:
                kept.append(fact)
    return kept, set(drags)


def _moved(fact: Struck, line: Timeline) -> Moved:
    """What a finger brings along is moved by a hand, as when it is set."""
    return Moved(
        at_ms=fact.at_ms,
        piece=fact.piece,
        before=fact.at,
        after=Point(*line.final_place()),
        error_mm=fact.error_mm,
    )


def _sent_as_by_stroke(spell: Spell, missing: Collection[str]) -> set[str]:
    """The pieces that sent a man at rest off so fast that they must have come as fast as a stroke.

    What a hand does with them where it hides them does not matter then. Nor does it matter which
    man was sent so by what is struck with a cue: the next one, through which it went, may have
    stayed, or both may be of one colour. One of the `missing` that lay close by was so fast that it
    was nowhere seen.
    """
    began_s = min((knock.t_s for knock in spell.knocks), default=0.0)
    men = [line for line in spell.lines if line.track.kind not in CUED]
    cued = [line for line in spell.lines if line.moved and line.track.kind in BY_CUE]
    found: set[str] = set()
    if any(outruns_drags(line.track, began_s) for line in men if line.moved):
        found |= {line.track.name for line in cued}
    unseen = [line for line in men if line.track.name in missing and not line.moved]
    found |= {line.track.name for line in cued if any(_has_shot_off(line, o) for o in unseen)}
    for who, line in enumerate(spell.lines):
        if not line.moved or line.track.kind in CUED:
            continue
        met = (knock for knock in spell.knocks if knock.concerns(who))
        first = min(met, key=lambda knock: knock.t_s, default=None)
        if first is None:
            continue
        if first.kind == "contact":
            others = [spell.lines[first.other(who)]]
        else:  # nobody saw what sent it: no cue strikes it
            others = [other for other in cued if _may_have_met(other, line)]
        found |= {
            other.track.name
            for other in others
            if other.track.kind in CUED and least_mm_s(other, line) > STROKE_MM_S
        }
    return found


def _may_have_met(line: Timeline, other: Timeline) -> bool:
    """Whether one that set off lay close by what was struck, and lay there until that set off."""
    return gap_mm(line, other) < _CLOSE_BY_MM and other.left_by_s > line.phases[0].last_s


def _has_shot_off(line: Timeline, other: Timeline) -> bool:
    """Whether one that never ran in sight lay close by, until what was struck set off."""
    early_s, late_s = line.lay_until_s - _AS_IT_WENT_S, line.left_by_s + _AS_IT_WENT_S
    return early_s < other.lay_until_s < late_s and gap_mm(line, other) < BESIDE_MM


def _without_strays(facts: Sequence[Fact], lines: Sequence[Timeline]) -> list[Fact]:
    """The facts but for men that seem struck by themselves while the struck piece may have run.

    What hit them was not seen, and no cue can have been there.
    """
    cued = {line.track.name for line in lines if line.track.kind in CUED}
    strikes = [fact for fact in facts if isinstance(fact, Struck)]
    first = min(
        (fact for fact in strikes if fact.piece in cued and not fact.dragged),
        key=lambda fact: fact.at_ms,
        default=None,
    )
    if first is None:
        return list(facts)
    strays = [
        fact
        for fact in strikes
        if fact.piece not in cued
        and fact.at_ms > first.at_ms - _SURELY * hypot(fact.error_ms, first.error_ms)
    ]
    return [fact for fact in facts if fact not in strays]


def _knock_fact(knock: Knock, lines: Sequence[Timeline]) -> Fact | None:
    at, error = 1000 * knock.t_s, 1000 * knock.error_s
    who = lines[knock.a].track
    if knock.kind == "strike":
        if who.taken:
            error = max(error, _ANYWHEN_MS)
        shifted = _may_have_been_shifted(lines[knock.a], knock.t_s)
        return Struck(
            at_ms=at,
            piece=who.name,
            at=Point(*(who.laid or who.home)),
            error_mm=_ANYWHERE_MM
            if who.taken
            else max(who.home_error_mm, SHIFTED_MM if shifted else 0.0),
            error_ms=error,
            speed_mm_s=knock.speed_mm_s,
            hidden=shifted or who.taken,
        )
    if knock.kind == "contact":
        return Contacted(
            at_ms=at,
            a=who.name,
            b=lines[knock.b].track.name,
            at=Point(knock.x_mm, knock.y_mm),
            error_ms=error,
        )
    assert knock.wall is not None
    return Cushioned(at_ms=at, piece=who.name, border=knock.wall, error_ms=error)


def _may_have_been_shifted(line: Timeline, struck_s: float) -> bool:
    """Whether a finger may have shifted it before it flicked it: for long nobody saw it lie there,
    and what was seen of its first run does not show that this began there: not if it was seen off
    before that, so that something had turned it by then."""
    track = line.track
    if track.kind not in FLICKED or track.seen_s is None or not line.moved:
        return False
    if struck_s - track.seen_s <= _HELD_S:
        return False
    first = line.phases[1]
    off = track.is_off() & (track.t > struck_s)
    if (off & (track.t < first.first_s)).any():
        return True
    ran = off & (track.t >= first.first_s) & (track.t <= first.last_s)
    (x, y), (dx, dy) = first.at(first.first_s), first.speed_at(first.first_s)
    beside_mm = abs((track.home[0] - x) * dy - (track.home[1] - y) * dx) / max(hypot(dx, dy), 1.0)
    return bool(np.count_nonzero(ran) < _TELLS_WHENCE or beside_mm > _BESIDE_HOME_MM)


def _travelled(line: Timeline) -> Travelled:
    corners = [Point(*line.track.home)]
    for phase in line.phases[1:]:
        if hypot(*phase.speed_at(phase.first_s)) > 1:
            corners.append(Point(*phase.at(phase.first_s)))
        corners.append(Point(*phase.at(min(phase.last_s, 1e6))))
    end = line.ending.t_s if line.ending.t_s else 0.0
    return Travelled(at_ms=1000 * end, piece=line.track.name, path=tuple(corners), error_mm=0.5)


def _first_contact_ms(facts: Sequence[Fact]) -> float:
    return min((fact.at_ms for fact in facts if isinstance(fact, Contacted)), default=float("inf"))


def _hidden(spell: Spell, hauled: Collection[str]) -> list[Unclear]:
    """Turns of a struck piece that nothing seen accounts for, though pieces lay where it turned.

    A hand or a cue hid what happened there: it is asked, not guessed. Those `hauled` turn as they
    are led.
    """
    found = []
    for who in {knock.a for knock in spell.knocks if knock.kind == "strike"}:
        line = spell.lines[who]
        if line.track.kind not in CUED or line.track.name in hauled:
            continue  # it was pushed, or half hidden: the next still picture tells
        for k in range(1, len(line.phases) - 1):
            before, after = line.phases[k], line.phases[k + 1]
            lo, hi = before.last_s, max(after.first_s, before.last_s)
            gap = max(hi - lo, 1e-3)
            ux, uy = before.speed_at(lo)
            vx, vy = after.speed_at(after.first_s)
            speed = hypot(ux, uy)
            if hypot(vx - ux, vy - uy) < max(_TURNED_MM_S, _TURNED_SHARE * speed):
                continue
            told = any(
                knock.concerns(who)
                and lo - 2 * gap - knock.error_s <= knock.t_s <= hi + 2 * gap + knock.error_s
                for knock in spell.knocks
            )
            if not told:
                found += _asked(spell, who, 0.5 * (lo + hi), speed * gap)
    return found


def _asked(spell: Spell, who: int, at_s: float, slack_mm: float) -> list[Unclear]:
    me = spell.lines[who]
    x, y = me.phases[me.phase_at(at_s)].at(at_s)
    near = []
    for line in spell.lines:
        if line is me or (line.ending.off_surface and line.ending.t_s < at_s):
            continue
        px, py = line.phases[line.phase_at(at_s)].at(at_s)
        reach = me.track.radius_mm + line.track.radius_mm
        if hypot(px - x, py - y) < reach + _NEAR_MM + slack_mm:
            part = me.track.radius_mm / reach
            near.append((line.track.name, Point(x + (px - x) * part, y + (py - y) * part)))
    if not near:
        return []
    name, at_ms = me.track.name, 1000 * at_s
    answers: list[tuple[Fact, ...]] = [
        (Contacted(at_ms=at_ms, a=name, b=other, at=at),) for other, at in near
    ]
    return [
        Unclear(
            at_ms=at_ms,
            question=written(TURNED_UNSEEN, piece=name),
            answers=(*answers, ()),
            words=(*(other for other, _ in near), written(NO_PIECE)),
        )
    ]
