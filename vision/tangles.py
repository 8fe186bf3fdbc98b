"""Shots in which too much happened at once to follow each piece: what can be said of them still.

Where a struck piece runs into a rack, a dozen touching pieces part within one frame, and pieces of
one look change places unseen. Who was struck is known, and what lay on its way; what fell and where
each look lies, the next still picture tells. Which of equal pieces is which nobody can say.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, inf, sin, sqrt

import numpy as np

from rules.board import Board
from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Struck,
    Travelled,
    Unclear,
)
from rules.geometry import Point
from rules.said import written
from rules.unseen import NO_PIECE, TURNED_UNSEEN
from vision.frame import SeenPiece
from vision.motion.body import CUED
from vision.motion.shots import Spell
from vision.motion.timeline import Timeline

_LOOSE = 0.9  # of a frame: a cause whose time is known no better is a guess
_MANY = 4
_LONG_S = 0.1  # taken for one frame where a piece was not seen in two
_MOUTHS = 2.0  # so many radii from a pocket's middle, and a frame's run, was what fell last seen
_SEEN_MM = 2.0  # how far aside of its way a piece seen once or twice may have been
_BOUNCED, _TURNED = 0.04, 0.3  # radians: after a cushion; first seen after it had been turned
_SLOW_MM_S = 200.0
_MOST = 6  # pieces that a question offers

Fall = Pocketed | LeftBoard


@dataclass(frozen=True, slots=True, kw_only=True)
class Tangle:
    """What the next still picture must bear out: `falls`; `names` were not followed to the end.

    `maybe`: touches that nobody saw, of pieces which may be found gone.
    """

    falls: tuple[Fall, ...] = ()
    names: frozenset[str] = frozenset()
    maybe: tuple[Contacted, ...] = ()

    def borne_out(self, known: Sequence[Piece], seen: Sequence[SeenPiece]) -> tuple[Fall, ...]:
        """As many falls of each look as pieces of it are missing among those `known` before.

        Those into pockets first, for their places are known; then the surest.
        """
        look = {piece.name: (piece.kind, piece.colour) for piece in known}
        missing = Counter(look.values())
        missing.subtract((piece.kind, piece.colour) for piece in seen)
        kept: list[Fall] = []
        for fall in sorted(self.falls, key=lambda f: (isinstance(f, LeftBoard), f.error_ms)):
            one = look.get(fall.piece)
            if one is not None and missing[one] > 0:
                missing[one] -= 1
                kept.append(fall)
        return tuple(sorted(kept, key=lambda f: f.at_ms))

    def asked(self, gone: Sequence[str]) -> tuple[Unclear, ...]:
        """Whether the struck piece touched those that are `gone` and were not seen to go."""
        return tuple(
            Unclear(
                at_ms=touch.at_ms,
                question=written(TURNED_UNSEEN, piece=touch.a),
                answers=((touch,), ()),
                words=(touch.b, written(NO_PIECE)),
            )
            for touch in self.maybe
            if touch.b in gone
        )


def unfollowed(spell: Spell, facts: Sequence[Fact], lost: Sequence[str]) -> Tangle | None:
    """The pieces of a shot that was followed but for those `lost`; None where it was no shot."""
    struck = _struck(spell, facts)
    if struck is None or struck.dragged:
        return None
    ended = {f.piece for f in facts if isinstance(f, Fall)}
    touched = {name for f in facts if isinstance(f, Contacted) for name in (f.a, f.b)}
    names = frozenset(lost) - ended
    cue = _line(spell, struck.piece)
    frame_s = float(np.median(np.diff(cue.track.t))) if len(cue.track.t) > 1 else _LONG_S
    unseen = [_line(spell, name) for name in sorted(names - touched)]
    maybe = (_touch(cue, line, _nearest_ms(cue, line, struck.at_ms), frame_s) for line in unseen)
    return Tangle(names=names, maybe=tuple(maybe)) if names else None


def _nearest_ms(cue: Timeline, other: Timeline, struck_ms: float) -> float:
    """When the struck piece came nearest to where the other lay: if ever, it touched it then."""
    x, y = other.track.home
    nearest = inf, struck_ms
    for run in cue.phases[1:]:
        for t in np.linspace(run.first_s, max(run.first_s, min(run.last_s, run.stop_s)), 50):
            place = run.at(float(t))
            nearest = min(nearest, (hypot(place[0] - x, place[1] - y), 1000 * float(t)))
    return max(nearest[1], struck_ms + 1.0)


def tangle_of(spell: Spell, facts: Sequence[Fact], board: Board, frame_s: float) -> Tangle | None:
    """What is left open of a shot that could not be followed; None: it could be, or was none."""
    struck = _struck(spell, facts)
    if struck is None:
        return None
    guessed = [
        k
        for k in spell.knocks
        if (k.kind in ("strike", "contact") and k.error_s > _LOOSE * frame_s)
        or (k.kind == "strike" and not _is_cued(spell.lines[k.a]))
    ]
    if len(guessed) < _MANY:
        return None
    return Tangle(
        falls=tuple(
            f for f in facts if isinstance(f, Fall) and _was_seen(f, spell, board, frame_s)
        ),
        names=frozenset(line.track.name for line in spell.lines),
    )


def coarse(spell: Spell, facts: Sequence[Fact], frame_s: float) -> list[Fact]:
    """The facts that hold of a tangled shot all the same, but for falls: the picture tells those.

    A piece that seems struck by itself was hit by one that nobody saw.
    """
    struck = _struck(spell, facts)
    assert struck is not None
    name = struck.piece
    told: list[Fact] = [replace(struck, dragged=False)]
    told += [f for f in facts if isinstance(f, Cushioned | Travelled) and f.piece == name]
    told += _first_touch(_line(spell, name), spell, struck.at_ms / 1000, frame_s)
    return sorted(told, key=lambda fact: fact.at_ms)


def _is_cued(line: Timeline) -> bool:
    return line.track.kind in CUED


def _line(spell: Spell, name: str) -> Timeline:
    return next(line for line in spell.lines if line.track.name == name)


def _struck(spell: Spell, facts: Sequence[Fact]) -> Struck | None:
    """The strike of the one piece that a cue or a finger set running."""
    found = [f for f in facts if isinstance(f, Struck) and _is_cued(_line(spell, f.piece))]
    return found[0] if len({f.piece for f in found}) == 1 else None


def _was_seen(fall: Fall, spell: Spell, board: Board, frame_s: float) -> bool:
    """Whether a piece was seen at the mouth, or in the air, and not only lost on its way there."""
    line = _line(spell, fall.piece)
    track = line.track
    if isinstance(fall, LeftBoard):
        return track.flew is not None
    if not len(track.t):
        return False
    pocket = next(p for p in board.pockets if p.id == fall.pocket)
    last = line.phases[-1]
    near = _MOUTHS * pocket.radius_mm + hypot(*last.speed_at(last.last_s)) * frame_s
    x, y = float(track.x[-1]), float(track.y[-1])
    return hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm) < near


# -- what was touched first ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """A straight way from `at`, its direction known to `error` radians, seen for `far_mm`."""

    at: tuple[float, float]
    turn: float
    error: float
    far_mm: float
    since_s: float


def _first_touch(cue: Timeline, spell: Spell, struck_s: float, frame_s: float) -> list[Fact]:
    """What lay first on the way of the struck piece; a question where that may be several."""
    way = _way(cue, spell)
    others = [o for o in spell.lines if o is not cue and len(o.track.t)]
    reach = _reaches(cue, others, way)
    turned = any(near < way.far_mm for near, _ in reach)
    if turned:  # it had been turned already where it was first seen
        reach = _reaches(cue, others, replace(way, error=_TURNED))
    latest = min((last for _, last in reach), default=inf)
    near = [(r[0], o) for r, o in zip(reach, others, strict=True) if r[0] <= latest and r[0] < inf]
    first = [other for _, other in sorted(near, key=lambda found: found[0])][:_MOST]
    if not first:
        return []
    begun = cue.phases[1]
    run_s = min(far for far, _ in near) / max(hypot(*begun.speed_at(begun.first_s)), _SLOW_MM_S)
    at_ms = 1000 * _when_first_moved(others, struck_s, way.since_s + run_s, 0.5 * frame_s)
    touches = [_touch(cue, other, at_ms, frame_s) for other in first]
    if len(touches) == 1 and not turned:
        return list(touches)
    return [
        Unclear(
            at_ms=at_ms,
            question=written(TURNED_UNSEEN, piece=cue.track.name),
            answers=tuple((touch,) for touch in touches),
            words=tuple(touch.b for touch in touches),
        )
    ]


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


def _way(cue: Timeline, spell: Spell) -> _Way:
    """The last free way of the struck piece before it first touched any other."""
    who = spell.lines.index(cue)
    touched = [k.t_s for k in spell.knocks if k.kind == "contact" and who in (k.a, k.b)]
    turns = [k.t_s for k in spell.knocks if k.kind == "cushion" and k.a == who]
    turns = [t for t in turns if t < min(touched, default=inf)]
    begun, lay = cue.phases[1], cue.phases[0]
    if turns:
        begun = cue.phases[max(cue.phase_at(turns[-1] + 1e-3), 1)]
        vx, vy = begun.speed_at(begun.first_s)
        at = begun.at(begun.first_s)
        return _Way(at=at, turn=atan2(vy, vx), error=_BOUNCED, far_mm=0.0, since_s=begun.first_s)
    home, seen = cue.track.home, begun.at(begun.first_s)
    dx, dy = seen[0] - home[0], seen[1] - home[1]
    far = hypot(dx, dy)
    error = min(_SEEN_MM / max(far, 1.0), _TURNED)
    return _Way(at=home, turn=atan2(dy, dx), error=error, far_mm=far, since_s=lay.last_s)


def _reaches(cue: Timeline, others: Sequence[Timeline], way: _Way) -> list[tuple[float, float]]:
    """How far the struck piece runs to each other: (nearest, farthest) of the ways it may take."""
    turns = [way.turn + 2 * way.error * part / 4 for part in range(-4, 5)]
    found = []
    for other in others:
        x, y = other.track.home[0] - way.at[0], other.track.home[1] - way.at[1]
        room = cue.track.radius_mm + other.track.radius_mm
        reach = []
        for turn in turns:
            along, aside = x * cos(turn) + y * sin(turn), x * sin(turn) - y * cos(turn)
            hit = along > 0 and abs(aside) < room
            reach.append(along - sqrt(room**2 - aside**2) if hit else inf)
        found.append((min(reach), max(reach)))
    return found


def _touch(cue: Timeline, other: Timeline, at_ms: float, frame_s: float) -> Contacted:
    """The touch of two rims, its place about where the other lay."""
    (x, y), (u, v) = cue.track.home, other.track.home
    part = other.track.radius_mm / max(hypot(x - u, y - v), 1.0)
    at = Point(u + (x - u) * part, v + (y - v) * part)
    name = cue.track.name
    return Contacted(at_ms=at_ms, a=name, b=other.track.name, at=at, error_ms=1000 * frame_s)
