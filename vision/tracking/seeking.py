"""Looking for a piece that is not where it was thought to be."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import atan2, ceil, cos, hypot, pi, radians, sin

import cv2
import numpy as np

from vision.tracking.body import Body
from vision.tracking.differences import Difference, blots, differing
from vision.tracking.fitting import Fix, fit
from vision.tracking.foresight import Runner
from vision.tracking.instant import Instant
from vision.tracking.plane import Patch, Spot
from vision.tracking.stamp import Cover, lit_level

Covers = tuple[Cover, ...]
_TOP_SPEED_MM_S = 6000.0
_FARTHEST_MM = 600.0
_HIT = 0.5  # of the top speed: what is hit on its way
FARTHEST_FRAMES = 8  # lost for longer, a piece is looked for no farther off
_PEAKS, _ALONE = 4, 2  # places, and such where nothing else is as well
_LEAST_GAIN = 0.1
_FAINTEST = 0.4
_HIDDEN = 0.18  # what is left of a piece half hidden by the one that it runs into
_LONG, _SURE = 5, 0.75  # lost for so many frames, a piece must look like itself
_BACK = 0.88  # of a piece that sank, and that nothing else can be
_NEARBY = (0.4, 0.8)
_FAN, _FANNED_MM = radians(75.0), 150.0  # what is touched leaves within so much of the way it came
_STEP, _PLAINLY = 0.7, 0.85
_SAME = 0.3  # of a radius: places so near are one
_SPANS = (1, 2, 4, 8)  # frames for which what has been lost for longer may have run
_PARTS = (0.55, 0.8, 1.0, 1.25, 1.6)
_FASTER = (2.0, 2.5)  # what has just been struck itself runs faster than its first frame shows


def fit_on(
    now: Instant,
    body: Body,
    place: tuple[float, float],
    *,
    blur_mm: tuple[float, float],
    others: Covers,
    rounds: int = 6,
) -> Fix:
    """The fit of a piece near a place on the board as it is known, and doubted, there."""
    return fit(
        body.stamp,
        now.picture,
        now.ground.backdrop,
        place,
        blur_mm=blur_mm,
        others=others,
        rounds=rounds,
        doubtful=now.ground.doubtful_by(body, place),
    )


def search(
    now: Instant, body: Body, others: Covers, *, lying: Covers = (), twins: bool = False
) -> list[Fix]:
    """Places within reach of where it was last seen that look like this piece, hands aside.

    `others`: pieces that hide what is beneath them. `lying`: those that seem to lie where they
    lay, half hidden: there it is looked for last. `twins`: pieces that look the same are being
    looked for, so the best place may be another's.
    """
    frames = min(body.lost + 1, FARTHEST_FRAMES)
    lost_s = frames * now.frame_s
    found: list[Fix] = []
    places = _peaks(now, body, others + lying)
    if lying:
        places = chain(places, _peaks(now, body, others))
    places = _once(places, _SAME * body.known.radius_mm)
    # what was just struck hangs together with the hand still, or runs under the cue
    if body.held or (body.moved and body.sets_off_anyhow and not body.runs_by_itself):
        places = chain(places, _peaks(now, body, others, in_sight=True))
    tries: Iterable[tuple[tuple[float, float], tuple[float, ...]]]
    tries = ((place, (lost_s, *_since_exposed(now, body, place))) for place in places)
    if body.cued and body.has_just_set_off:
        just = _just_struck(now, body, others + lying)
        since_s = tuple(span * now.frame_s for span in _SPANS[: frames.bit_length()])
        tries = chain(tries, ((place, since_s) for place in just))
    for place, spans_s in tries:
        fits = [new for span_s in spans_s if (new := _blurred(now, body, place, span_s, others))]
        if fits:
            new = max(fits, key=lambda fix: fix.share)
            if looks_like(body, new, alone=not twins) and (
                body.showed_near(new) or not body.may_be_a_hand(new)
            ):
                found.append(new)
            if new.share > 0.95 * body.best and not twins:
                break
    return found


def _since_exposed(now: Instant, body: Body, place: tuple[float, float]) -> Iterator[float]:
    """For how long what is flicked has run, by the middle of an exposure in which it set off.

    Its smear is twice as long as its way then. A cue stays over what it strikes, and hides of it
    what would tell that.
    """
    x, y = body.last
    near = hypot(place[0] - x, place[1] - y) < _TOP_SPEED_MM_S * now.exposure_s
    if body.flicked and not body.moved and near and now.exposure_s:
        yield 0.5 * now.exposure_s


def _blurred(
    now: Instant, body: Body, place: tuple[float, float], span_s: float, others: Covers
) -> Fix | None:
    """The fit near a place, blurred as by a run of `span_s` from where it was seen last."""
    share, origin = now.exposure_s / span_s, body.last
    blur = ((place[0] - origin[0]) * share, (place[1] - origin[1]) * share)
    new = fit_on(now, body, place, blur_mm=blur, others=others, rounds=4)
    off = hypot(new.x_mm - place[0], new.y_mm - place[1])
    if off >= body.known.radius_mm or new.share <= 0.15:
        return None
    return _again(now, body, new, span_s, others)


def _just_struck(now: Instant, body: Body, others: Covers) -> Iterator[tuple[float, float]]:
    """Places of what may be the piece, smeared by a run that has only just begun."""
    seen = differing(now, body, _FARTHEST_MM, others)
    if seen is not None:
        smear = now.exposure_s / now.frame_s
        yield from blots(seen, sign_of(body, seen), body.known.radius_mm, smear)


def looks_like(body: Body, found: Fix, *, alone: bool = False) -> bool:
    """Whether enough of a piece is explained at a place to take it for the piece.

    One that has long been lost must look like itself, unless half of it showed there before.
    `alone`: no other that looks like it is being looked for; what sank and is back has turned, so
    that nobody knows how it is blurred.
    """
    if alone and body.sinks and body.lost > 0:
        return found.share > _BACK * body.best
    least = body.least if body.lost < _LONG or body.showed_near(found) else _SURE * body.best
    return found.share > least


def ahead(now: Instant, body: Body, runner: Runner, others: Covers) -> list[Fix]:
    """Fits along the way it is thought to have been sent, at several speeds; best two."""
    vx, vy = runner.vx_mm_s, runner.vy_mm_s
    speed = hypot(vx, vy)
    if speed < 100:
        return []
    last = body.last
    span = now.frame_s * (min(body.lost + 1, 4) if body.moved else 1)
    straight = (runner.x_mm - last[0], runner.y_mm - last[1])
    size = hypot(*straight)
    ways = [(vx / speed, vy / speed, speed * span)]
    if size > 2 and straight[0] * vx + straight[1] * vy < 0.98 * size * speed:
        ways.append((straight[0] / size, straight[1] / size, size))
    found = []
    for ux, uy, far in ways:
        for part in _PARTS if body.moved else (*_PARTS, *_FASTER):
            place = (last[0] + ux * far * part, last[1] + uy * far * part)
            pace = far * part / span * now.exposure_s
            blur = (ux * pace, uy * pace)
            new = fit_on(now, body, place, blur_mm=blur, others=others, rounds=4)
            off = hypot(new.x_mm - place[0], new.y_mm - place[1])
            if off < body.known.radius_mm and new.share > 0.0:
                new = _again(now, body, new, span, others)
                if new.share > (_HIDDEN if body.lost == 0 else body.least):
                    found.append(new)
                if new.share > 0.97 * body.best:
                    break
    found.sort(key=lambda fix: -fix.share)
    return found[:2]


def around(now: Instant, body: Body, others: Covers) -> list[Fix]:
    """Fits all round the place where it was last seen: for a piece that hardly stands out."""
    last = body.last
    found = []
    for part in _NEARBY:
        far = max(part * body.pace * now.frame_s, 0.4 * body.known.radius_mm)
        for turn in range(8):
            x, y = far * cos(turn * pi / 4), far * sin(turn * pi / 4)
            blur = (x * now.exposure_s / now.frame_s, y * now.exposure_s / now.frame_s)
            place = (last[0] + x, last[1] + y)
            new = fit_on(now, body, place, blur_mm=blur, others=others, rounds=4)
            off = hypot(new.x_mm - place[0], new.y_mm - place[1])
            if off < 0.7 * body.known.radius_mm and new.share > body.least:
                found.append(_again(now, body, new, now.frame_s, others))
    found.sort(key=lambda fix: -fix.share)
    return found[:2]


def sent_off(now: Instant, body: Body, came_from: tuple[float, float], others: Covers) -> list[Fix]:
    """Fits all over where a piece at rest may have been sent by what came from there; best two.

    For one as pale as the board, which next to nothing but its rim shows.
    """
    last, radius, span = body.last, body.known.radius_mm, now.frame_s * (body.lost + 1)
    middle = atan2(last[1] - came_from[1], last[0] - came_from[0])
    farthest = min(body.sent_mm_s * span, _FANNED_MM)
    found: list[Fix] = []
    for far in np.arange(0.8 * radius, farthest, _STEP * radius):
        turns = 2 * ceil(_FAN * far / (_STEP * radius)) + 1
        for turn in sorted(np.linspace(-_FAN, _FAN, turns), key=abs):
            place = (last[0] + far * cos(middle + turn), last[1] + far * sin(middle + turn))
            if now.ground.looks_bare(now.picture, place, body.known):
                continue
            new = _blurred(now, body, place, span, others)
            if new is not None and new.share > body.least:
                found.append(new)
                if new.share > _PLAINLY * body.best:
                    return [new]
    found.sort(key=lambda fix: -fix.share)
    return found[:2]


def reach_of(body: Body, frame_s: float) -> float:
    """How far from where it was last seen a piece may be now, mm."""
    frames = min(body.lost + 1, FARTHEST_FRAMES)
    pace = max(1.25 * body.pace, body.sent_mm_s)
    reach = min(400.0, pace * frame_s * frames + 12)
    if body.speed < 200 or not body.runs_by_itself:
        sudden = 1.0 if body.sets_off_anyhow else 0.3
        if body.held:  # nobody knows when it was struck
            return min(_FARTHEST_MM, _TOP_SPEED_MM_S * frame_s * frames)
        reach = max(reach, min(250.0, sudden * _TOP_SPEED_MM_S * frame_s))
        if body.lost > 4:
            reach = min(reach, 90.0)
    elif body.turned and body.lost:  # what hit it was faster: its way since then was but a part
        reach = max(reach, min(250.0, _HIT * _TOP_SPEED_MM_S * frame_s * frames))
    return reach


def _peaks(
    now: Instant, body: Body, others: Covers, *, in_sight: bool = False
) -> Iterator[tuple[float, float]]:
    """Where the coarse picture differs from the backdrop most as this piece would make it.

    `in_sight`: also where a hand seems to be.
    """
    origin, reach_mm = body.last, reach_of(body, now.frame_s)
    seen = differing(now, body, reach_mm, others, in_sight=in_sight)
    if seen is None:
        return
    gap, factor = seen.gap, seen.factor
    sign = sign_of(body, seen)
    if sign.shape[0] >= gap.shape[0] or sign.shape[1] >= gap.shape[1]:
        return
    across = 2 * body.known.radius_mm
    smear_mm = max(body.pace, body.sent_mm_s) * now.exposure_s  # which makes it fainter
    gain = explained(gap, sign, max(_FAINTEST, across / (across + smear_mm)))
    apart = max(2, round(0.5 * body.known.radius_mm * seen.scale / factor))
    if in_sight:
        cells = _highest(gain.alone(), apart, _PEAKS)
    else:
        # more than all of it changed somewhere: what covers it there must not outvote it elsewhere
        alone = gain.alone() if gain.most.max() > 1.0 else None
        cells = _highest(gain.most, apart, _PEAKS)
        if alone is not None:
            cells = chain(cells, _highest(alone, apart, _ALONE))
    for column, row in cells:
        x, y = seen.place(column + sign.shape[1] / 2, row + sign.shape[0] / 2)
        if hypot(x - origin[0], y - origin[1]) < reach_mm:
            yield x, y


def _highest(gain: Patch, apart: int, many: int) -> Iterator[tuple[int, int]]:
    """Columns and rows of so many of the highest values of `gain`, so far apart; they are spent."""
    for _ in range(many):
        _, best, _, (u, v) = cv2.minMaxLoc(gain)
        if best < _LEAST_GAIN:
            return
        yield u, v
        gain[max(v - apart, 0) : v + apart + 1, max(u - apart, 0) : u + apart + 1] = -1


@dataclass(frozen=True, slots=True, eq=False)
class Gain:
    """How much of what a piece changes is seen at each place, by its left upper corner.

    `most` (H, W): 1 is all of it, more where more has changed, as by a darker piece that covers it.
    `power` (H, W) is all that has changed there, by what the piece changes.
    """

    most: Patch
    power: Patch

    def alone(self) -> Patch:
        """(H, W) the same, but less where more has changed, by its part in that: 1 is all of it,
        and nothing else is there."""
        part = np.minimum(self.most, 1.0) / np.maximum(self.power, 1.0)
        return np.asarray(part, dtype=np.float32)


def explained(gap: Patch, sign: Patch, faintest: float) -> Gain:
    """How much of what a piece changes, `sign` (h, w), is in the `gap` (H, W) at each place.

    (H - h + 1, W - w + 1) of them. `faintest` is the least part of it that is worth anything.
    """
    blank = max(float((sign * sign).sum()), 1.0)
    score = cv2.matchTemplate(gap, sign, cv2.TM_SQDIFF)
    sums = cv2.boxFilter(gap * gap, -1, sign.shape[::-1], normalize=False)
    v0, u0 = sign.shape[0] // 2, sign.shape[1] // 2
    power = sums[v0 : v0 + score.shape[0], u0 : u0 + score.shape[1]]
    alike = np.maximum((power - score) / blank + 1.0, 0.0) / 2
    faint = np.clip(alike, faintest, 1.0)
    most = np.asarray(faint * (2 * alike - faint), dtype=np.float32)
    return Gain(most, np.asarray(power / blank, dtype=np.float32))


def _once(places: Iterator[tuple[float, float]], near_mm: float) -> Iterator[tuple[float, float]]:
    """The places but for those near one that came before."""
    before: list[tuple[float, float]] = []
    for x, y in places:
        if all(hypot(x - a, y - b) > near_mm for a, b in before):
            before.append((x, y))
            yield x, y


def sign_of(body: Body, seen: Difference) -> Patch:
    """How the piece makes the coarse picture differ from the board where it is looked for."""
    level = lit_level(seen.under)
    drawn = body.stamp.layers(seen.origin, (0.0, 0.0)).drawn
    patch = body.stamp.gain_over(level) * drawn[:, :, 1] - level * drawn[:, :, 0]
    keep = np.flatnonzero((drawn[:, :, 0] > 0.5).any(axis=0))
    inner = as_seen(patch[keep[0] : keep[-1] + 1, keep[0] : keep[-1] + 1], seen.spot)
    size = max(3, round(inner.shape[0] * seen.per_cell))
    small = cv2.resize(np.ascontiguousarray(inner), (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)


def as_seen(patch: Patch, spot: Spot) -> Patch:
    """A `patch` of the board, its columns along x and its rows along y, as the camera sees it.

    By quarters of a turn: a piece's shadow and the side of its wall must lie where they are seen.
    """
    if abs(spot.uy) > abs(spot.ux):
        patch, right, down = patch.T, spot.uy, spot.vx
    else:
        right, down = spot.ux, spot.vy
    return patch[:: -1 if down < 0 else 1, :: -1 if right < 0 else 1]


def _again(now: Instant, body: Body, old: Fix, span_s: float, others: Covers) -> Fix:
    """The fit once more, blurred as its own displacement says."""
    part = now.exposure_s / span_s
    last = body.last
    blur = ((old.x_mm - last[0]) * part, (old.y_mm - last[1]) * part)
    place = (old.x_mm, old.y_mm)
    new = fit_on(now, body, place, blur_mm=blur, others=others)
    near = hypot(new.x_mm - place[0], new.y_mm - place[1]) < 0.5 * body.known.radius_mm
    return new if near and new.share > old.share else old
