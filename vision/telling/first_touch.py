"""What a struck piece touched first, where that was not seen: what its way leads to.

Which pieces lay on the way is known, and how far aside of it they may lie to be touched. Where that
leaves several, it is asked.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import hypot, inf, sqrt

from rules.facts import Contacted, Fact, Struck, Unclear
from rules.geometry import Point
from rules.said import written
from rules.unseen import TURNED_UNSEEN
from vision.strikers import CUED
from vision.telling.ways import (
    FASTEST_MM_S,
    MOST,
    Way,
    as_wide,
    first_seen,
    goes_elsewhere,
    is_in_reach,
    lie_first,
    reaches,
    straight,
    way_by_mm,
    way_from_home,
    way_to_first_touch,
)
from vision.trajectories.sent import gap_mm, lie_touching, rim_towards
from vision.trajectories.shots import Spell
from vision.trajectories.spread import spread
from vision.trajectories.timeline import Timeline

_LOOSE = 0.25  # of a frame: a cause whose time is known no better is a guess
_SLOW_MM_S = 200.0
_CLOSE_MM = 5.0
_SIGMAS = 2.0
_BRIEF = 0.1
_BRIEF_S = 1e-3  # times nearer to each other are of one frame
_FEW = 2  # places


def with_unseen_first_touch(
    spell: Spell, facts: Sequence[Fact], frame_s: float, lost: Collection[str] = ()
) -> list[Fact]:
    """`facts`, with the first touch of the struck piece where that was not seen.

    So it is where a man set off, nobody knows by what, while the struck piece was on its way and
    out of sight. The way from where that lay to where it was first seen tells whom it touched;
    where that is neither such a man nor the one told, or may be several, it is asked. It is asked
    as well where one of those `lost`, which were seen no more, lay where it may have come by, where
    a man there was on his way before the touch that was told, or where something else has turned it
    before that, and one may have done so whom a cue or a hand hides.
    """
    struck = struck_in(spell, facts)
    if struck is None or struck.dragged:
        return list(facts)
    cue = line_of(spell, struck.piece)
    told = _first_told(cue, facts)
    until_s = inf if told is None else (told.at_ms + _SIGMAS * told.error_ms) / 1000
    until_s = min(until_s, cue.phases[1].first_s + 0.5 * frame_s)
    early = [
        line
        for line in _set_off_unseen(spell, frame_s)
        if line.phases[0].last_s < until_s and _left_after(line, cue, frame_s)
    ]
    missing = [
        o
        for o in spell.lines
        if (o.track.name in lost or _came_to_lie_elsewhere(o)) and _may_have_come_by(cue, o)
    ]
    if _was_turned_unseen(cue, spell, told):
        missing += [o for o in spell.lines if o not in missing and _may_have_turned(cue, o)]
    if told is not None and _is_guessed(told, frame_s):
        missing += _that_passed_it_on(cue, line_of(spell, partner(told, cue)), spell)
    if not early and not missing:
        met = _met_at_the_end(cue, spell, frame_s) if told is None else []
        late = [_told_or_asked(cue, met[:MOST], min(t.at_ms for t in met))] if met else []
        return sorted([*facts, *late], key=lambda fact: fact.at_ms)
    others = [o for o in spell.lines if o is not cue and _may_be_touched(o, cue)]
    way = way_from_home(cue)
    first, turned = lie_first(cue, others, way)
    names = [line.track.name for line in first]
    sooner = [
        o for o in early if o not in first and told and _was_sent_before(told, cue, o, frame_s)
    ]
    if told is not None and names == [partner(told, cue)] and not (missing or sooner):
        return list(facts)
    rivals = [o for o in early if o not in first and _left_before(cue, o)]
    if len(first) == 1 and first[0] in early and not (turned or missing or rivals):
        found: Contacted | Unclear = _touch_between(cue, first[0], way, frame_s)
    else:
        maybe = [*first, *(line for line in (*early, *missing) if line not in first)]
        touches = [_touch_between(cue, line, way, frame_s) for line in maybe]
        if told is not None and partner(told, cue) not in [t.b for t in touches]:
            touches.append(told)
        found = _told_or_asked(cue, touches[:MOST], min(t.at_ms for t in touches))
    kept: list[Fact] = [f for f in facts if not _is_loose_touch(f, cue, early, frame_s)]
    if told is not None and told in kept:
        kept[kept.index(told)] = _after(told, found, frame_s)
    if found.at_ms <= struck.at_ms:
        kept[kept.index(struck)] = _before(struck, found, cue)
    return sorted([*kept, found], key=lambda fact: fact.at_ms)


def _met_at_the_end(cue: Timeline, spell: Spell, frame_s: float) -> list[Contacted]:
    """Touches of men that set off, nobody knows by what, just beyond where the struck piece was
    seen last: it ran on into them as it fell or was lost."""
    if cue.ending.on_surface:
        return []
    path = cue.phases[-1]
    seen_s, speed = path.last_s, hypot(*path.speed_at(path.last_s))
    x, y = path.at(seen_s)
    touches = []
    for line in _set_off_unseen(spell, frame_s):
        u, v = line.track.home
        gap = hypot(u - x, v - y) - cue.track.radius_mm - line.track.radius_mm
        lay_s, left_s = max(line.phases[0].last_s, seen_s), line.left_by_s
        if left_s > seen_s and gap < max(speed, _SLOW_MM_S) * (left_s - seen_s):
            touch = touch_of(cue, line, 500 * (lay_s + left_s), frame_s)
            touches.append(replace(touch, error_ms=1000 * (left_s - lay_s) / sqrt(12.0)))
    return touches


def _left_after(line: Timeline, cue: Timeline, frame_s: float) -> bool:
    """Whether a man left when the struck piece may have set off, for all that was seen.

    What nearly touches it is sent off before it has gone far enough to be seen to move.
    """
    early_s = frame_s if gap_mm(cue, line) < _CLOSE_MM else 0.0
    return line.left_by_s > cue.phases[0].last_s - early_s


def _first_told(cue: Timeline, facts: Sequence[Fact]) -> Contacted | None:
    name = cue.track.name
    mine = [f for f in facts if isinstance(f, Contacted) and name in (f.a, f.b)]
    return min(mine, key=lambda f: f.at_ms, default=None)


def partner(touch: Contacted, cue: Timeline) -> str:
    """What the struck piece touched."""
    return touch.b if touch.a == cue.track.name else touch.a


def _was_seen(told: Contacted, cue: Timeline, spell: Spell, frame_s: float) -> bool:
    """Whether a first touch is known well, and no other man can have been touched before it."""
    touched = line_of(spell, partner(told, cue))
    unseen = _set_off_unseen(spell, frame_s)
    if not touched.moved or touched in unseen or _is_guessed(told, frame_s):
        return False
    until_s = (told.at_ms + _SIGMAS * told.error_ms) / 1000
    unseen += [line for line in spell.lines if not line.moved and _was_stirred(line)]
    return all(line.lay_until_s > until_s for line in unseen)


def _set_off_unseen(spell: Spell, frame_s: float) -> list[Timeline]:
    """The men that set off with no cause but guessed ones: no known touches lead to a struck piece.

    Two that lay at rest and touched each other did not set each other off.
    """
    lines = spell.lines
    pairs = {
        (who, other)
        for k in spell.knocks
        if k.kind == "contact" and k.error_s < _LOOSE * frame_s
        for who, other in ((k.a, k.b), (k.b, k.a))
        if lines[who].moved and k.t_s < lines[who].phases[1].first_s + 0.5 * frame_s
    }
    known = {who for who, line in enumerate(lines) if is_cued(line)}
    known = spread(known, range(len(lines)), lambda other, who: (who, other) in pairs)
    return [line for who, line in enumerate(lines) if line.moved and who not in known]


def _may_have_come_by(cue: Timeline, line: Timeline) -> bool:
    """Whether the struck piece may have touched one that never ran in sight, itself out of sight.

    A hand that hides both may have sent it there and back, however straight it comes.
    """
    if line.moved or line.lay_until_s > cue.left_by_s:
        return False
    return is_in_reach(cue, line)


def _was_turned_unseen(cue: Timeline, spell: Spell, told: Contacted | None) -> bool:
    """Whether the struck piece, first seen on a path, has been turned by nothing that is told."""
    path, who = cue.phases[1], spell.lines.index(cue)
    if told is not None and told.at_ms <= 1000 * path.first_s:
        return False
    if any(k.kind == "cushion" and k.a == who and k.t_s <= path.first_s for k in spell.knocks):
        return False
    since_s = cue.phases[0].last_s
    way = straight(cue.track.home, path.at(path.first_s), since_s, path.first_s)
    return goes_elsewhere(path, way)


def _may_have_turned(cue: Timeline, line: Timeline) -> bool:
    """Whether the struck piece may have run into one that lay there and is not seen since."""
    seen_s = cue.phases[1].first_s
    if line is cue or line.moved or not _was_stirred(line) or line.lay_until_s > seen_s:
        return False
    run_s = seen_s - cue.phases[0].last_s
    return way_by_mm(cue, line, cue.phases[1].at(seen_s)) < FASTEST_MM_S * run_s


def _came_to_lie_elsewhere(line: Timeline) -> bool:
    """Whether a piece is seen to lie elsewhere of which nobody knows since when: no run is told."""
    off = line.track.is_off()
    return not line.moved and len(off) >= _FEW and bool(off[-_FEW:].all())


def _was_sent_before(told: Contacted, cue: Timeline, line: Timeline, frame_s: float) -> bool:
    """Whether one ran already when the first touch that was told came, and the struck piece may
    have sent it off, itself out of sight.

    Where that touch is a guess, it is enough that it may have run.
    """
    begun_s = (told.at_ms - _SIGMAS * told.error_ms) / 1000
    if _is_guessed(told, frame_s):
        ran = line.phases[0].last_s < told.at_ms / 1000
    else:
        ran = line.left_by_s < begun_s
    return ran and is_in_reach(cue, line)


def _is_guessed(touch: Contacted, frame_s: float) -> bool:
    """Whether a touch was not seen: nobody knows the time within a part of a frame."""
    return touch.error_ms >= 1000 * _LOOSE * frame_s


def _that_passed_it_on(cue: Timeline, hit: Timeline, spell: Spell) -> list[Timeline]:
    """Those that lie still, nearer to the struck piece, and touch the one that was `hit`.

    A blow goes through the first of two that touch, which stays where it lies.
    """
    near_mm = gap_mm(cue, hit)
    return [
        line
        for line in spell.lines
        if not (line.moved or is_cued(line))
        and lie_touching(line, hit)
        and gap_mm(cue, line) < near_mm
    ]


def _left_before(cue: Timeline, line: Timeline) -> bool:
    """Whether one was not seen where it lay any more when the struck piece came in sight, which
    may have sent it off until then."""
    return line.phases[0].last_s < cue.left_by_s - _BRIEF_S and is_in_reach(cue, line)


def _may_be_touched(line: Timeline, cue: Timeline) -> bool:
    """Whether a man was not seen to lie still after the struck piece had passed."""
    passed = line.track.t > cue.phases[1].first_s
    return _was_stirred(line) and (line.moved or not passed.any())


def _was_stirred(line: Timeline) -> bool:
    """Whether a piece was looked for in motion, for something changed where it lay."""
    return len(line.track.t) > 0 or line.track.lay_s is not None


def _is_loose_touch(fact: Fact, cue: Timeline, men: Sequence[Timeline], frame_s: float) -> bool:
    """Whether a fact is a guessed touch of the struck piece and one of `men`."""
    return (
        isinstance(fact, Contacted)
        and cue.track.name in (fact.a, fact.b)
        and partner(fact, cue) in [line.track.name for line in men]
        and _is_guessed(fact, frame_s)
    )


def _touch_between(cue: Timeline, other: Timeline, way: Way, frame_s: float) -> Contacted:
    """A touch timed by when both were last and next seen, and by how fast the one can have come."""
    low, high = max(other.phases[0].last_s, cue.phases[0].last_s), cue.phases[1].first_s
    if other.moved:
        high = min(high, other.left_by_s)
    else:  # out of sight all the while, as the strike was
        low = 0.5 * (cue.phases[0].last_s + high)
    ((near_mm, far_mm),) = reaches(cue, [other], way)
    if way.far_mm < near_mm < inf and way.seen_s < high:
        low = max(low, way.seen_s + (near_mm - way.far_mm) / FASTEST_MM_S)
        slowest = way.far_mm / (way.seen_s - way.since_s)
        if far_mm < inf and slowest > _SLOW_MM_S:
            high = min(high, way.seen_s + 1.1 * (far_mm - way.far_mm) / slowest)
    high = max(high, low + _BRIEF * frame_s)
    touch = touch_of(cue, other, 500 * (low + high), frame_s)
    return replace(touch, error_ms=1000 * (high - low) / sqrt(12.0))


def _after(told: Contacted, first: Contacted | Unclear, frame_s: float) -> Contacted:
    """A touch that was after another, with no time before that."""
    until_ms = max(told.at_ms + sqrt(3.0) * told.error_ms, first.at_ms + 500 * frame_s)
    if told.at_ms > first.at_ms + told.error_ms:
        return told
    at_ms = 0.5 * (first.at_ms + until_ms)
    return replace(told, at_ms=at_ms, error_ms=(until_ms - first.at_ms) / sqrt(12.0))


def _before(struck: Struck, first: Contacted | Unclear, cue: Timeline) -> Struck:
    """A strike that was before what it led to, and after the struck piece was last seen to lie."""
    lain_ms = min(1000 * cue.phases[0].last_s, first.at_ms - _BRIEF)
    return replace(
        struck,
        at_ms=0.5 * (lain_ms + first.at_ms),
        error_ms=first.at_ms - lain_ms,
    )


def is_cued(line: Timeline) -> bool:
    return line.track.kind in CUED


def line_of(spell: Spell, name: str) -> Timeline:
    return next(line for line in spell.lines if line.track.name == name)


def struck_in(spell: Spell, facts: Sequence[Fact]) -> Struck | None:
    """The strike of the one piece that a cue or a finger set running."""
    found = [f for f in facts if isinstance(f, Struck) and is_cued(line_of(spell, f.piece))]
    return found[0] if len({f.piece for f in found}) == 1 else None


def first_touch(
    cue: Timeline, spell: Spell, facts: Sequence[Fact], struck_s: float, frame_s: float
) -> list[Fact]:
    """What the struck piece touched first, by where its way leads if that was not seen.

    A question where that may be several. Where its way leads to none, it was turned out of sight:
    it may have been any of those that were sent off meanwhile, rather those that lay on its way.
    """
    told = _first_told(cue, facts)
    if told is not None and _was_seen(told, cue, spell, frame_s):
        return [told]
    way = way_to_first_touch(cue, spell)
    others = [o for o in spell.lines if o is not cue and _was_stirred(o)]
    first, turned = lie_first(cue, others, way)
    unseen = [o for o in _set_off_unseen(spell, frame_s) if o not in first]
    touches: list[Contacted] = []
    if first:
        begun = cue.phases[1]
        far_mm = min(near for near, _ in reaches(cue, first, as_wide(way, turned=turned)))
        run_s = far_mm / max(hypot(*begun.speed_at(begun.first_s)), _SLOW_MM_S)
        at_ms = 1000 * _when_first_moved(others, struck_s, way.since_s + run_s, 0.5 * frame_s)
        touches = [touch_of(cue, other, at_ms, frame_s) for other in first]
        unseen = [other for other in unseen if _left_before(cue, other)]
    near = [other for other in unseen if is_in_reach(cue, other)]
    passed = (line for other in near for line in _that_passed_it_on(cue, other, spell))
    near += {line.track.name: line for line in passed if line not in first}.values()
    near.sort(key=lambda other: way_by_mm(cue, other, first_seen(cue)))
    touches += [_touch_between(cue, other, way, frame_s) for other in near]
    if not touches:
        return []
    return [_told_or_asked(cue, touches[:MOST], min(touch.at_ms for touch in touches))]


def _told_or_asked(
    cue: Timeline, touches: Sequence[Contacted], at_ms: float
) -> Contacted | Unclear:
    """The one touch there may have been; a question has two answers at the least."""
    if len(touches) == 1:
        return touches[0]
    return Unclear(
        at_ms=at_ms,
        question=written(TURNED_UNSEEN, piece=cue.track.name),
        answers=tuple((touch,) for touch in touches),
        words=tuple(partner(touch, cue) for touch in touches),
    )


def _when_first_moved(
    others: Sequence[Timeline], struck_s: float, guess_s: float, least_s: float
) -> float:
    """When the first touch was: near `guess_s`, but when the first of the others set off.

    How fast the struck piece came is known badly where it was half hidden, or seen once.
    """
    set_off = [o.phases[:2] for o in others if o.moved and o.phases[1].first_s > struck_s]
    if set_off:
        lay_s = min(lay.last_s for lay, _ in set_off)
        guess_s = min(max(guess_s, lay_s), min(run.first_s for _, run in set_off))
    return max(guess_s, struck_s + least_s)


def touch_of(cue: Timeline, other: Timeline, at_ms: float, frame_s: float) -> Contacted:
    """The touch of two rims, its place about where the other lay."""
    at = Point(*rim_towards(other, cue))
    name = cue.track.name
    return Contacted(at_ms=at_ms, a=name, b=other.track.name, at=at, error_ms=1000 * frame_s)
