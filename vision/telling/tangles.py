"""Shots in which too much happened at once to follow each piece: what can be said of them still.

Where a struck piece runs into a rack, a dozen touching pieces part within one frame, and pieces of
one look change places unseen. Who was struck is known, and what lay on its way; what fell and where
each look lies, the next still picture tells. Which of equal pieces is which nobody can say.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, sqrt

import numpy as np

from rules.board import Board
from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Travelled,
    Unclear,
)
from rules.said import written
from rules.unseen import NO_PIECE, TURNED_UNSEEN
from vision.frame import SeenPiece
from vision.telling.first_touch import first_touch, is_cued, line_of, struck_in, touch_of
from vision.tracking.flying import clears_border
from vision.trajectories.bursts import MANY, TOGETHER_S
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_LOOSE = 0.55  # of a frame: a cause whose time is known no better is a guess
_LONG_S = 0.1  # taken for one frame where a piece was not seen in two
_SIGMAS = 2.0
_MOUTHS = 2.0  # so many radii from a pocket's middle, and a frame's run, was what fell last seen

Fall = Pocketed | LeftBoard


@dataclass(frozen=True, slots=True, kw_only=True)
class Tangle:
    """What the next still picture must bear out: `falls`; `names` were not followed to the end.

    `likely`: falls that nobody saw, though the way of the piece tells of them; the same of them.
    `maybe`: touches that nobody saw, of pieces which may be found gone.
    """

    falls: tuple[Fall, ...] = ()
    likely: tuple[Fall, ...] = ()
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
        for fall in sorted(
            (*self.falls, *self.likely), key=lambda f: (isinstance(f, LeftBoard), f.error_ms)
        ):
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

    def as_seen(self, falls: Sequence[Pocketed]) -> "Tangle":
        """The same, but for what `falls` tell of the likely ones: they were seen in a mouth."""
        seen = {fall.piece: fall for fall in falls}
        return replace(self, likely=tuple(seen.get(f.piece, f) for f in self.likely))

    def and_with(self, other: "Tangle | None") -> "Tangle":
        """What this and another shot leave open, before any still picture."""
        if other is None:
            return self
        return Tangle(
            falls=(*self.falls, *other.falls),
            likely=(*self.likely, *other.likely),
            names=self.names | other.names,
            maybe=(*self.maybe, *other.maybe),
        )


def inferred_falls(
    spell: Spell, facts: Sequence[Fact], others: Sequence[Fall] = ()
) -> Tangle | None:
    """The falls that nobody saw, which the next still picture must bear out; None: there are none.

    `others` are those of pieces that were not seen to run at all. Where the piece is found on
    the surface after all, it only ran out of sight.
    """
    unseen = {line.track.name for line in spell.lines if line.ending.inferred}
    falls = *(f for f in facts if isinstance(f, Fall) and f.piece in unseen), *others
    return Tangle(likely=falls, names=frozenset(f.piece for f in falls)) if falls else None


def unfollowed(spell: Spell, facts: Sequence[Fact], lost: Sequence[str]) -> Tangle | None:
    """The pieces of a shot that was followed but for those `lost`; None where it was no shot."""
    struck = struck_in(spell, facts)
    if struck is None or struck.dragged:
        return None
    ended = {f.piece for f in facts if isinstance(f, Fall)}
    touched = {name for f in facts if isinstance(f, Contacted) for name in (f.a, f.b)}
    names = frozenset(lost) - ended
    cue = line_of(spell, struck.piece)
    frame_s = float(np.median(np.diff(cue.track.t))) if len(cue.track.t) > 1 else _LONG_S
    unseen = [line_of(spell, name) for name in sorted(names - touched)]
    maybe = (touch_of(cue, line, _nearest_ms(cue, line, struck.at_ms), frame_s) for line in unseen)
    return Tangle(names=names, maybe=tuple(maybe)) if names else None


def hit_unseen(spell: Spell) -> list[str]:
    """Those that came to lie elsewhere, seen on no run, but left home as pieces hit each other.

    What a hand lays elsewhere leaves at some other time.
    """
    return [
        line.track.name
        for line in spell.lines
        if line.came_unseen
        and (lay_s := line.track.lay_s) is not None
        and _set_off_in_a_hit(lay_s, spell)
    ]


def flung_unseen(spell: Spell, board: Board) -> tuple[LeftBoard, ...]:
    """Those that were seen in the air past the border, on no run, but left home as pieces hit each
    other, and so fast that no hand took them: nobody saw what sent them off."""
    found = []
    for line in spell.lines:
        flew = line.track.flew
        if flew is None or line.moved or not _set_off_in_a_hit(line.lay_until_s, spell):
            continue
        took_s = flew[0] - line.lay_until_s
        if took_s > 0 and clears_border(line.track.way_mm(flew[1:]) / took_s, board):
            error_ms = 1000 * took_s / sqrt(12.0)
            at_ms = 1000 * flew[0]
            found.append(LeftBoard(at_ms=at_ms, piece=line.track.name, error_ms=error_ms))
    return tuple(found)


def _set_off_in_a_hit(lay_s: float, spell: Spell) -> bool:
    """Whether pieces hit each other just after one of them was last seen to lie at home."""
    hits = [(k.t_s, _SIGMAS * k.error_s) for k in spell.knocks if k.kind == "contact"]
    return any(-error_s <= hit_s - lay_s <= TOGETHER_S + error_s for hit_s, error_s in hits)


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
    struck = struck_in(spell, facts)
    if struck is None:
        return None
    guessed = [
        k
        for k in spell.knocks
        if (k.kind in ("strike", "contact") and k.error_s > _LOOSE * frame_s)
        or (k.kind == "strike" and not is_cued(spell.lines[k.a]))
    ]
    if max(len(guessed), len(spell.scattered)) < MANY:
        return None  # of so few, it is not worth to give up what was seen of the others
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
    struck = struck_in(spell, facts)
    assert struck is not None
    name = struck.piece
    told: list[Fact] = [replace(struck, dragged=False)]
    told += [f for f in facts if isinstance(f, Cushioned | Travelled) and f.piece == name]
    told += first_touch(line_of(spell, name), spell, facts, struck.at_ms / 1000, frame_s)
    return sorted(told, key=lambda fact: fact.at_ms)


def _was_seen(fall: Fall, spell: Spell, board: Board, frame_s: float) -> bool:
    """Whether a piece was seen at the mouth, or in the air, and not only lost on its way there."""
    line = line_of(spell, fall.piece)
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
