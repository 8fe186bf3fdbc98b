"""From the places of one spell of motion to what happened in it."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import hypot, sqrt

import numpy as np

from rules.board import Board
from vision.strikers import CUED
from vision.tracking.body import Body, Sample
from vision.tracking.drags import STROKE_MM_S
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.bursts import scattered_unseen
from vision.trajectories.by_hand import by_hand
from vision.trajectories.crowded import fill_in
from vision.trajectories.cushions import by_mouths, by_pushes
from vision.trajectories.knocks import find_knocks
from vision.trajectories.leaving import lost_into
from vision.trajectories.passed_on import passed_on
from vision.trajectories.timeline import Timeline
from vision.trajectories.timelines import UNKNOWN_MM_S2, timelines
from vision.trajectories.timing import timed
from vision.trajectories.unseen_strikes import (
    pushed_on,
    sent_at_once,
    sent_beneath_a_hand,
    struck_before_touching,
    with_unseen_strikes,
)

_FLOOR_MM = 0.12
_RESTING, _FEW, _SAME_MM, _SPREAD_MM = 6, 3, 1.0, 0.5
_SPREAD = 1.5
_WHOLE = 0.96
_BARE_MS = 150.0  # a piece that is struck comes in sight sooner
_FOUND = 4  # places of a piece at rest, that what lies there shows at the end
_INSTANT = 6.0  # frames: what set off at nobody knows when was carried, for a strike is an instant


@dataclass(frozen=True, slots=True)
class Spell:
    """One spell of motion, from the first piece that moved to the last that came to rest.

    `end_s` is when the last piece stopped on the surface, None where it still ran when sight ended;
    `last_event_s` counts falls and flights as well. `scattered` are the numbers of those that were
    hit with others, nobody saw by what.
    """

    lines: tuple[Timeline, ...]
    knocks: tuple[Knock, ...]
    end_s: float | None
    last_event_s: float
    scattered: frozenset[int] = frozenset()

    @property
    def slowing_mm_s2(self) -> float | None:
        """What friction took, None where no path was long enough to show it."""
        line = self.lines[0] if self.lines else None
        return line.slowing if line and line.slowing_error < UNKNOWN_MM_S2 else None


def solve(
    bodies: Sequence[Body],
    board: Board,
    *,
    frame_s: float,
    exposure_s: float,
    until_s: float,
    lie: Mapping[str, tuple[float, float]] | None = None,
) -> Spell:
    """What happened to `bodies` by their samples; times in seconds on the frames' clock.

    `lie` are places, by name, at which a still picture shows by now what was not followed there.
    """
    tracks = [_track(body, exposure_s) for body in bodies]
    for k, (track, body) in enumerate(zip(tracks, bodies, strict=True)):
        if lie and (place := lie.get(track.name)) is not None:
            found = _found_at(track, place, until_s, frame_s)
            tracks[k] = replace(found, lay_s=_lay_before(found, body, place, exposure_s))
    return solve_tracks(tracks, board, frame_s=frame_s, until_s=until_s, exposure_s=exposure_s)


def solve_tracks(
    tracks: Sequence[Track],
    board: Board,
    *,
    frame_s: float,
    until_s: float,
    exposure_s: float = 0.0,
) -> Spell:
    """What happened to pieces whose places in each frame are known; times in seconds."""
    lines = with_unseen_strikes(timelines(tracks, board, frame_s, until_s), board, frame_s)
    lines = [lost_into(line, board, frame_s) for line in lines]
    knocks = fill_in(lines, find_knocks(lines, board, frame_s), board, frame_s, exposure_s)
    knocks = [k for k in knocks if k.kind != "strike" or k.error_s < _INSTANT * frame_s]
    knocks = sent_beneath_a_hand(knocks, lines)
    taken = by_hand(lines, knocks, board)
    cued = {who for who, line in enumerate(lines) if line.moved and line.track.kind in CUED}
    if cued <= taken:
        # what sets off more slowly than any stroke was brushed aside
        knocks = [
            k
            for k in knocks
            if k.kind != "strike"
            or (k.speed_mm_s >= STROKE_MM_S and _set_off_within_s(lines[k.a]) < _INSTANT * frame_s)
        ]
    knocks = [k for k in knocks if not {k.a, k.b} & taken]
    knocks = sent_at_once(knocks, lines, cued - taken, frame_s)
    pushed = _pushed(knocks, cued - taken)
    scattered = scattered_unseen(lines, pushed, cued - taken, board, frame_s)
    passed = passed_on(lines, knocks, pushed, frame_s)
    hit = pushed_on(knocks, pushed | scattered | passed)
    lines, knocks = _of_the_shot(lines, knocks, pushed, hit)
    blurred = [replace(line, track=line.track.smeared(exposure_s)) for line in lines]
    knocks = timed(knocks, blurred, board, frame_s=frame_s, exposure_s=exposure_s)
    knocks = struck_before_touching(knocks, lines)
    knocks = [*knocks, *by_mouths(lines, board, frame_s, knocks)]
    knocks = [*knocks, *by_pushes(lines, board, frame_s, knocks)]
    knocks.sort(key=lambda knock: knock.t_s)
    stops = [
        line.ending.t_s for line in lines if line.moved and line.ending.kind in ("rest", "lost")
    ]
    falls = [line.ending.t_s for line in lines if line.moved and line.ending.off_surface]
    running = any(line.ending.kind == "running" for line in lines if line.moved)
    last = max([*stops, *falls, *(knock.t_s for knock in knocks)], default=0.0)
    end = None if running or not stops else max(stops)
    return Spell(tuple(lines), tuple(knocks), end, last, scattered)


def _set_off_within_s(line: Timeline) -> float:
    """One sd of when a piece set off, by when it was last seen at rest, and first on its way."""
    return (line.phases[1].first_s - line.phases[0].last_s) / sqrt(12.0)


def _pushed(knocks: Sequence[Knock], cued: set[int]) -> set[int]:
    """The numbers of what was struck, and of what it pushed, from one to the next."""
    return pushed_on(knocks, cued | {k.a for k in knocks if k.kind == "strike"})


def _of_the_shot(
    lines: list[Timeline], knocks: list[Knock], pushed: Set[int], hit: Set[int]
) -> tuple[list[Timeline], list[Knock]]:
    """Only what was struck or pushed: what moved without such a cause was carried or half hidden.

    A hand that takes up two that touch seems to make one push the other; but no push goes back to
    what was struck, nor to a cued piece, which may have been brought along. The next still picture
    tells where such a piece lies. What was `hit` with others, though nobody saw by what, is of the
    shot as well, and so is what it pushed on.
    """
    kept = [
        line if who in hit or not line.moved else replace(line, phases=line.phases[:1])
        for who, line in enumerate(lines)
    ]
    return kept, [k for k in knocks if k.a in pushed]


def _home(body: Body) -> tuple[float, float]:
    """Where it lay as the following of motion sees it.

    A still picture is measured in another way and may differ by a few tenths of a millimetre, which
    would look like a motion.
    """
    known = (body.known.x_mm, body.known.y_mm)
    begun = body.seems or known
    resting: list[tuple[float, float]] = []
    for sample in body.samples[:_RESTING]:
        if hypot(sample.x_mm - begun[0], sample.y_mm - begun[1]) > _SPREAD_MM:
            break
        if sample.share > _WHOLE * body.best:
            resting.append((sample.x_mm, sample.y_mm))
    if len(resting) >= _FEW:
        x, y = np.median(np.array(resting), axis=0)
        return float(x), float(y)
    if not resting and hypot(begun[0] - known[0], begun[1] - known[1]) > _SAME_MM:
        return known  # it may have been on its way
    return begun


def _lay_until(body: Body, exposure_s: float) -> float | None:
    """Until when a body surely lay; a man may have set off while the shutter was open.

    Pushed by a little, it looks in part as if it lay there still.
    """
    near = all(body.may_lie_at(sample) for sample in body.samples)
    lay_ms = body.unmoved_ms if body.cued and body.moved and near else body.lay_ms
    if lay_ms is None:
        return None
    return _middle_s(lay_ms, exposure_s if body.cued else 0.0)


def _seen_until(body: Body, exposure_s: float) -> float | None:
    """When a body was seen last that had not moved."""
    return None if body.unmoved_ms is None else _middle_s(body.unmoved_ms, exposure_s)


def _middle_s(at_ms: float, exposure_s: float) -> float:
    """When the shutter was half way through the frame of that time, in seconds."""
    return at_ms / 1000 + exposure_s / 2


def _lay_before(
    track: Track, body: Body, place: tuple[float, float], exposure_s: float
) -> float | None:
    """Until when a body surely lay at home, if it lies at `place` now.

    Where that is close by, what showed of it at home may have shown from there.
    """
    if track.lay_s is None or track.way_mm(place) > 2 * track.radius_mm or not body.cued:
        return track.lay_s
    seen_s = _seen_until(body, exposure_s)
    return None if seen_s is None else min(track.lay_s, seen_s)


def _found_at(track: Track, place: tuple[float, float], until_s: float, frame_s: float) -> Track:
    """`track`, with the place where a still picture shows the piece as the last of its places."""
    t = until_s - frame_s * np.arange(_FOUND, 0.0, -1.0)
    rests = np.full(_FOUND, _FLOOR_MM * _SPREAD)
    before = track.part(track.t < t[0])
    return replace(
        track,
        t=np.concatenate([before.t, t]),
        x=np.concatenate([before.x, 0.0 * t + place[0]]),
        y=np.concatenate([before.y, 0.0 * t + place[1]]),
        sigma=np.concatenate([before.sigma, rests]),
    )


def _was_taken(body: Body, samples: Sequence[Sample]) -> bool:
    """Whether the place where it lay was bare for long before it was seen to run."""
    if body.bare_ms is None or not body.cued:
        return False
    ran = [s.at_ms for s in samples if s.at_ms > body.bare_ms and not body.may_lie_at(s)]
    return bool(ran) and ran[0] - body.bare_ms > _BARE_MS


def _led_away(body: Body) -> list[Sample]:
    """The places of a body since it lay at home, of which the hand that reached for it was taken
    just before. It is seen there in the hand, frame after frame, and led away into plain sight.

    The first is the last one at home. Empty where it has not seemed to be elsewhere before, or did
    not come back.
    """
    samples = body.samples
    home = [body.away_mm(sample) < _SAME_MM for sample in samples]
    led = [k for k in range(_FEW, len(home)) if all(home[k - _FEW : k]) and not home[k]]
    if not led or not body.flicked:
        return []
    k = led[-1]
    astray = any(body.away_mm(sample) > body.known.radius_mm for sample in samples[: k - _FEW])
    out = next((n for n in range(k, len(home)) if not samples[n].in_hand), k)
    if not astray or out == k:
        return []
    last, first = samples[out - 1 : out + 1]
    if hypot(first.x_mm - last.x_mm, first.y_mm - last.y_mm) > body.known.radius_mm:
        return []
    return [*samples[k - 1 : out], *(sample for sample in samples[out:] if not sample.in_hand)]


def _track(body: Body, exposure_s: float) -> Track:
    known = body.known
    samples = [sample for sample in body.samples if not sample.in_hand]
    lay_s = _lay_until(body, exposure_s)
    if led := _led_away(body):
        samples, lay_s = led, _middle_s(led[0].at_ms, exposure_s)
    return Track(
        known.name,
        known.kind,
        known.radius_mm,
        body.mass,
        _home(body),
        max(known.error_mm, 0.05),
        np.array([_middle_s(s.at_ms, exposure_s) for s in samples]),
        np.array([s.x_mm for s in samples]),
        np.array([s.y_mm for s in samples]),
        np.array([max(s.error_mm, _FLOOR_MM) * _SPREAD for s in samples]),
        body.moved and body.lost > 1,
        (known.x_mm, known.y_mm),
        None if body.flew is None else (_middle_s(body.flew[0], exposure_s), *body.flew[1:]),
        body.sank,
        lay_s=lay_s,
        seen_s=_seen_until(body, exposure_s),
        taken=_was_taken(body, samples),
        brought=None
        if body.brought is None
        else (_middle_s(body.brought.at_ms, exposure_s), *body.brought.home),
    )
