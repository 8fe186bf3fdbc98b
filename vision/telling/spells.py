"""A spell of motion that has ended: what it tells, and what the next still picture is to tell."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import dist, hypot, inf

from rules.board import Board
from rules.facts import Fact, Piece, Struck
from vision.frame import Observation
from vision.strikers import BY_CUE
from vision.telling.adjusted import brought_s, perhaps_adjusted
from vision.telling.brinks import knocked_in
from vision.telling.first_touch import with_unseen_first_touch
from vision.telling.found_elsewhere import found_elsewhere
from vision.telling.in_turn import in_turn
from vision.telling.refuted import Righted, set_right
from vision.telling.spell_facts import spell_facts
from vision.telling.tangles import (
    Tangle,
    coarse,
    flung_unseen,
    hit_unseen,
    inferred_falls,
    tangle_of,
    unfollowed,
)
from vision.tracking.tracker import Tracker
from vision.trajectories.shots import Spell, solve
from vision.trajectories.timeline import Timeline

_NEAR_MM, _FRICTION = 5.0, 0.25  # of where a path leads to: of its way, as friction is not known
_SAME_MM, _SIGMAS = 0.5, 3.0  # so far aside a place may be seen of what has not moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """`facts` in order of time; `tangle` is what is left open, of spells before this one, too.

    `frames` are the first and the last in which a piece moved, and `left` the pieces that were seen
    to leave the surface. `ran` says where the others came to rest, in mm, and `rest_at_ms` when,
    where that was the last that happened. `slowing_mm_s2` is what friction took from them in a
    stroke; None: it was no stroke, or the friction was not seen.
    """

    facts: tuple[Fact, ...]
    tangle: Tangle | None
    frames: tuple[int, ...]
    left: tuple[str, ...]
    ran: dict[str, tuple[float, float]]
    rest_at_ms: float | None
    slowing_mm_s2: float | None


def tell(
    tracker: Tracker,
    board: Board,
    *,
    until_ms: float,
    slowing_mm_s2: float | None,
    away: Collection[str],
    tangle: Tangle | None,
    known: Sequence[Piece] = (),
    still: Observation | None = None,
    hand: bool = False,
) -> Told:
    """What `tracker` has followed until `until_ms`, solved as a whole.

    `slowing_mm_s2` is what friction took in earlier strokes, where that was seen; `away` are pieces
    that have left the surface, and `tangle` is what spells before this one left open. `known` are
    the pieces that lay on the surface before, and `still` what a picture shows there by now, where
    one has been looked at; `hand`: one was over it meanwhile.
    """
    frame_s = tracker.frame_s
    spell = solve(
        tracker.bodies,
        board,
        frame_s=frame_s,
        exposure_s=tracker.exposure_now,
        until_s=until_ms / 1000,
        lie=found_elsewhere(tracker.bodies, still),
    )
    lost = [name for name in tracker.lost_names() if name not in away]
    at_home = tracker.covered | _lying_still(known, still)
    missing = [name for name in lost if name not in at_home]
    facts = spell_facts(spell, slowing_mm_s2, missing)
    unseen: Tangle | None = None
    tangled = tangle_of(spell, facts, board, frame_s)
    if tangled is not None:
        tangle, facts = tangled, coarse(spell, facts, frame_s)
    else:
        facts = with_unseen_first_touch(spell, facts, frame_s, missing)
        facts = in_turn(spell, facts)
        knocked = knocked_in(spell, missing, board, frame_s)
        unseen = inferred_falls(spell, facts, (*knocked, *flung_unseen(spell, board)))
        tangle = tangle or unfollowed(spell, facts, [*lost, *hit_unseen(spell)])
        if unseen is not None:
            facts = [fact for fact in facts if fact not in unseen.likely]
    right = Righted(facts=tuple(facts))
    if still is not None:
        likely = unseen.likely if unseen else ()
        right = set_right(spell, facts, known, still, board, hand=hand, likely=likely)
    if unseen is not None and not unseen.names <= right.carried:
        tangle = unseen.and_with(tangle)
    if unsure := right.stayed - right.carried:
        tangle = Tangle(names=unsure).and_with(tangle)
    left = [
        line.track.name
        for line in spell.lines
        if line.moved
        and line.ending.kind in ("pocketed", "off_board")
        and not (line.ending.inferred or line.track.name in right.stayed)
    ]
    places = tracker.places()
    ran = {
        line.track.name: _came_to_rest(line, places.get(line.track.name))
        for line in spell.lines
        if line.moved and line.track.name not in right.carried
    }
    told = right.facts
    if tangle is None and any(isinstance(fact, Struck) for fact in told):
        cued = {p.name for p in known if p.kind in BY_CUE}
        brought = {
            line.track.name: while_s
            for line in spell.lines
            if line.track.name in cued
            and (
                while_s := brought_s(
                    line, spell.lines, board, frame_s=frame_s, slowing_mm_s2=slowing_mm_s2
                )
            )
        }
        told = perhaps_adjusted(told, cued, ran, brought)
    strokes = [fact for fact in told if isinstance(fact, Struck)]
    smooth = bool(strokes) and not any(fact.dragged for fact in strokes)
    return Told(
        facts=told,
        tangle=tangle,
        frames=_frames_of(tracker),
        left=() if tangled is not None else tuple(n for n in left if n not in away),
        ran=ran,
        rest_at_ms=_rest_at_ms(spell),
        slowing_mm_s2=spell.slowing_mm_s2 or None if smooth else None,
    )


def _came_to_rest(line: Timeline, seen: tuple[float, float] | None) -> tuple[float, float]:
    """Where a piece that ran came to rest, as far as is known; it is `seen` there now, if at all.

    A hand or a cue that lies all about it may have been seen in its place, so that the path ends
    short of there: it ran on to where the path leads, if it is seen there.
    """
    end, path = line.final_place(), line.phases[-1]
    if seen is None or not path.last_s < path.stop_s < inf:
        return end
    stops = path.at(path.stop_s)
    near_mm = max(_NEAR_MM, _FRICTION * dist(end, stops))
    return seen if dist(seen, stops) < near_mm else end


def _lying_still(known: Sequence[Piece], still: Observation | None) -> frozenset[str]:
    """Those `known` that a still picture shows where they lay: nothing has hit them."""
    if still is None or still.blind is not None:
        return frozenset()
    return frozenset(
        piece.name
        for piece in known
        for seen in still.pieces
        if (seen.kind, seen.colour) == (piece.kind, piece.colour)
        and seen.at.distance_mm(piece.at)
        < max(_SAME_MM, _SIGMAS * hypot(seen.error_mm, piece.error_mm))
    )


def _frames_of(tracker: Tracker) -> tuple[int, ...]:
    frames = {sample.frame for body in tracker.bodies if body.moved for sample in body.samples}
    return (min(frames), max(frames)) if frames else ()


def _rest_at_ms(spell: Spell) -> float | None:
    last_of_all = spell.end_s is not None and spell.end_s >= spell.last_event_s - 1e-6
    return 1000 * spell.end_s if spell.end_s and last_of_all else None
