"""Every piece's place in every frame, measured only where something may move.

A frame costs one difference to the backdrop (the board with all resting pieces) and one fit for
each piece that moves or may be about to. The backdrop is mended as pieces uncover the board.
"""

from dataclasses import dataclass, field, replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board
from vision.motion.backdrop import footprint, noise_of, paint, relight, surface_mask
from vision.motion.foresight import Runner, foresee
from vision.motion.hands import Glimpse, HandWatch
from vision.motion.plane import Plane, pitch_mm
from vision.motion.shutter import Shutter
from vision.motion.stamp import Cover, Fix, Stamp

Gray = NDArray[np.uint8]
_GOOD, _FAIR = 0.7, 0.4
_TOP_SPEED_MM_S = 6000.0
_SHADOW_MM = 15.0  # how far around a piece its shadow is looked for
_CUED = ("cue-puck", "striker", "cue-ball")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A piece as it lies when tracking begins."""

    name: str
    kind: str
    colour: str
    x_mm: float
    y_mm: float
    error_mm: float
    radius_mm: float
    thickness_mm: float


@dataclass(slots=True)
class Sample:
    """One measured place; `at_ms` is the start of the frame's exposure."""

    at_ms: float
    frame: int
    x_mm: float
    y_mm: float
    error_mm: float
    share: float


@dataclass(slots=True)
class Body:
    known: Known
    stamp: Stamp
    home: tuple[float, float]  # where it lies, or last lay, at rest
    x_mm: float
    y_mm: float
    vx_mm_s: float = 0.0
    vy_mm_s: float = 0.0
    awake: bool = False
    moved: bool = False
    lost: int = 0
    gone: bool = False
    still: int = 0
    samples: list[Sample] = field(default_factory=list)
    under: list[tuple[float, float]] = field(default_factory=list)  # places to mend
    best: float = 0.8  # how well its stamp explains it where it lay
    speed: float = 0.0  # when last seen
    inside: int = 0  # frames in a pocket's mouth
    runs: int = 0  # samples since it began to run

    @property
    def enough(self) -> float:
        """How much of it must be explained to take a fit without looking elsewhere."""
        return max(_GOOD, 0.82 * self.best) if self.moved else max(0.96 * self.best, 0.82)

    @property
    def mass(self) -> float:
        return self.known.radius_mm**2 * self.known.thickness_mm

    @property
    def least(self) -> float:
        return max(_FAIR, 0.5 * self.best)


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame showed besides the pieces: where it differs from all that is known."""

    at_ms: float
    frame: int
    glimpse: Glimpse
    moving: int
    awake: int


class Tracker:
    """Follows pieces from a still start. Feed it gray frames in order."""

    def __init__(
        self, camera: Camera, board: Board, empty: Gray, exposure_share: float = 0.25
    ) -> None:
        self.camera = camera
        self.board = board
        self.empty = empty
        self.pitch = pitch_mm(camera)
        self.exposure_share = exposure_share
        self.exposure_s = 0.0
        self._last_change = np.zeros((1, 1), dtype=np.uint8)
        self.shutter = Shutter()
        self.bodies: list[Body] = []
        self.noise = 1.5
        self._planes: dict[tuple[float, float], Plane] = {}
        self._last_ms: float | None = None
        self.frame_s = 1 / 60
        self.crop = self._crop()
        surface = surface_mask(camera, board, (empty.shape[0], empty.shape[1]), -2.0)[self.crop]
        small = cv2.resize(surface, (surface.shape[1] // 4, surface.shape[0] // 4))
        self.surface = np.where(small > 250, 255, 0).astype(np.uint8)
        self.hands = HandWatch(self.surface, 4 * self.pitch)

    def _crop(self) -> tuple[slice, slice]:
        half_x = self.board.width_mm / 2 + self.board.border_width_mm + 40
        half_y = self.board.height_mm / 2 + self.board.border_width_mm + 40
        run = np.linspace(-1, 1, 9)
        edge = [(a * half_x, b * half_y, 0.0) for a in run for b in run]
        px = self.camera.project(np.array(edge))
        height, width = self.empty.shape
        u0, v0 = np.maximum(np.floor(px.min(0) / 4) * 4, 0).astype(int)
        u1 = min(int(px[:, 0].max()) + 4, width)
        v1 = min(int(px[:, 1].max()) + 4, height)
        u1, v1 = u0 + (u1 - u0) // 4 * 4, v0 + (v1 - v0) // 4 * 4
        return slice(int(v0), int(v1)), slice(int(u0), int(u1))

    def plane(self, z_mm: float, radius_mm: float = 0.0) -> Plane:
        """The plane of tops at `z_mm`, as finely cut as a piece of that radius needs."""
        step = max(self.pitch, radius_mm / 15)
        key = (z_mm, step)
        if key not in self._planes:
            self._planes[key] = Plane(self.camera, z_mm, step)
        return self._planes[key]

    @property
    def exposure_now(self) -> float:
        """What is known or taken for the exposure time, in seconds."""
        if self.exposure_s:
            return self.exposure_s
        return self.frame_s * (self.shutter.share or self.exposure_share)

    @property
    def stirring(self) -> bool:
        """Whether a piece on the surface moves, or did a moment ago."""
        return any(
            b.moved and not b.gone and b.still * self.frame_s < 0.05 and b.lost * self.frame_s < 0.5
            for b in self.bodies
        )

    def changed_at(self, x_mm: float, y_mm: float) -> bool:
        """Whether the last frame differs from the backdrop at a place on the surface."""
        spot = self.plane(5.0).spot(x_mm, y_mm)
        v, u = int((spot.v - self.crop[0].start) // 4), int((spot.u - self.crop[1].start) // 4)
        part = self._last_change[max(v - 2, 0) : v + 3, max(u - 2, 0) : u + 3]
        return bool(part.size) and float(part.mean()) > 1.5

    def touched(self, name: str) -> bool:
        """Whether anything has changed where the piece lay since tracking began."""
        return any(b.known.name == name and (b.awake or b.gone) for b in self.bodies)

    def holds(self, name: str) -> bool:
        """Whether the piece is still being seen, whatever else says that it is missing."""
        for body in self.bodies:
            if body.known.name == name:
                return not body.gone and body.lost == 0
        return False

    # -- the still start ---------------------------------------------------------------------

    def begin(self, picture: Gray, pieces: list[Known], *, noise: float | None = None) -> None:
        """Take `picture` (still; best a mean of several frames) as the start."""
        if noise is not None:
            self.noise = noise
        mask, wide = np.zeros_like(picture), np.zeros_like(picture)
        for piece in pieces:
            paint(mask, self._print(piece.x_mm, piece.y_mm, piece))
            paint(wide, self._print(piece.x_mm, piece.y_mm, piece, _SHADOW_MM))
        lit = relight(picture, self.empty, wide)
        self.clean = lit
        self.backdrop = picture.copy()
        self.bodies = []
        for piece in pieces:
            plane = self.plane(piece.thickness_mm, piece.radius_mm)
            at = (piece.x_mm, piece.y_mm)
            stamp = Stamp(plane, picture, lit, at, radius_mm=piece.radius_mm, noise=self.noise)
            self.bodies.append(Body(piece, stamp, at, *at))
        self._share_shadows()
        self.clean = np.where(mask > 0, lit, picture)
        for body in self.bodies:
            self._unshade(body, lit)
        for body in self.bodies:
            body.best = self._best(picture, body)
        self._last_ms = None

    def _share_shadows(self) -> None:
        """All stand in one light: where one's shadow is unlike the others', it is no shadow."""
        if len(self.bodies) < 3:
            return
        for body in self.bodies:
            alike = [
                other.stamp.looks / max(other.stamp.level, 8.0)
                for other in self.bodies
                if (other.known.kind, other.known.colour) == (body.known.kind, body.known.colour)
            ]
            if len(alike) >= 3:
                body.stamp.heal(np.median(np.stack(alike), axis=0))
        halos = np.stack([body.stamp.halo for body in self.bodies])
        usual = np.median(halos, axis=0)
        for body in self.bodies:
            halo = body.stamp.halo
            body.stamp.cast(np.where(np.abs(halo - usual) < 0.12, halo, usual).astype(np.float32))

    def _unshade(self, body: Body, lit: Gray) -> None:
        """Take the piece's shadow out of the clean board."""
        found = self._mask_of(*body.home, body.known, _SHADOW_MM)
        if found is None:
            return
        view, _ = found
        stamp = body.stamp
        spot = stamp.plane.spot(*body.home)
        shade = stamp.plane.paste(stamp.shadow(), spot, stamp.half, view, 1.0)
        dark = shade < 0.97
        self.clean[view][dark] = lit[view][dark]

    def _best(self, picture: Gray, body: Body) -> float:
        """How well the stamp explains the piece where it was learned."""
        neighbours = tuple(
            Cover(b.stamp, b.x_mm, b.y_mm, (0.0, 0.0)) for b in self.bodies if b is not body
        )
        fix = body.stamp.fit(picture, self.clean, body.home, others=neighbours)
        return min(max(fix.share, 0.75), 0.99)

    def _print(self, x: float, y: float, piece: Known, grow: float = 5.0) -> NDArray[np.int32]:
        return footprint(self.camera, x, y, piece.radius_mm + grow, piece.thickness_mm)

    def rebase(self) -> None:
        """Take what has come to rest as resting from now on; what has left play stays away."""
        for body in self.bodies:
            if body.gone or not body.samples:
                continue
            if body.moved and body.lost > 2:
                body.gone = True
                continue
            if body.moved:
                last = body.samples[-min(len(body.samples), 4) :]
                x = sum(s.x_mm for s in last) / len(last)
                y = sum(s.y_mm for s in last) / len(last)
                body.home = (x, y)
                body.known = replace(body.known, x_mm=x, y_mm=y)
                body.x_mm, body.y_mm = x, y
            body.moved, body.runs, body.still, body.speed = False, 0, 0, 0.0
            body.vx_mm_s = body.vy_mm_s = 0.0
            body.samples.clear()

    # -- a frame -----------------------------------------------------------------------------

    def step(self, picture: Gray, at_ms: float, frame: int) -> Look:
        if self._last_ms is not None and at_ms > self._last_ms:
            self.frame_s = (at_ms - self._last_ms) / 1000
        self._last_ms = at_ms
        exposure = self.exposure_now
        change = self._last_change = self._change(picture)
        self._wake(change)
        self._measure(picture, at_ms, frame, exposure)
        pieces = self._explained(change.shape)
        glimpse = self.hands.look(at_ms, change, pieces)
        self._mend(picture)
        moving = sum(1 for body in self.bodies if body.awake and body.moved and not body.gone)
        awake = sum(1 for body in self.bodies if body.awake and not body.gone)
        return Look(at_ms, frame, glimpse, moving, awake)

    def _change(self, picture: Gray) -> Gray:
        """How far each 4 x 4 px cell of the crop differs from the backdrop, noise taken off."""
        gap = cv2.absdiff(picture[self.crop], self.backdrop[self.crop])
        _, gap = cv2.threshold(gap, max(4.0, 3.5 * self.noise), 255, cv2.THRESH_TOZERO)
        height, width = gap.shape
        half = cv2.resize(gap, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        small = cv2.resize(half, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)

    def _cells(self, x: float, y: float, piece: Known, grow_mm: float) -> tuple[slice, slice]:
        """The box of quarter-size cells around a piece at (x, y)."""
        spot = self.plane(piece.thickness_mm).spot(x, y)
        reach = (piece.radius_mm + grow_mm) / self.pitch * 1.1
        v0, u0 = self.crop[0].start, self.crop[1].start
        top, left = int((spot.v - reach - v0) // 4), int((spot.u - reach - u0) // 4)
        low, right = int((spot.v + reach - v0) // 4) + 1, int((spot.u + reach - u0) // 4) + 1
        return slice(max(top, 0), max(low, 0)), slice(max(left, 0), max(right, 0))

    def _wake(self, change: Gray) -> None:
        movers = [b for b in self.bodies if b.awake and b.moved and not b.gone]
        for body in self.bodies:
            if body.awake or body.gone:
                continue
            near = any(self._may_meet(m, body) for m in movers)
            if not near:
                if not hasattr(body.known, "name"):
                    continue
                cells = self._box(body)
                part = change[cells]
                if not part.size or int(part.sum()) < 3 * part.size**0.5 + 12:
                    continue
            self._rouse(body)

    def _box(self, body: Body) -> tuple[slice, slice]:
        key = (body.known.name, body.home)
        if not hasattr(self, "_boxes"):
            self._boxes: dict[tuple[str, tuple[float, float]], tuple[slice, slice]] = {}
        if key not in self._boxes:
            self._boxes[key] = self._cells(*body.home, body.known, 1.0)
        return self._boxes[key]

    def _may_meet(self, mover: Body, body: Body) -> bool:
        span = 2 * self.frame_s
        ex, ey = mover.vx_mm_s * span, mover.vy_mm_s * span
        dx, dy = body.x_mm - mover.x_mm, body.y_mm - mover.y_mm
        length = ex * ex + ey * ey
        part = min(1.0, max(0.0, (dx * ex + dy * ey) / length)) if length > 0 else 0.0
        away = hypot(dx - part * ex, dy - part * ey)
        reach = body.known.radius_mm + mover.known.radius_mm + 8 + 0.1 * hypot(ex, ey)
        return away < reach

    def _rouse(self, body: Body) -> None:
        body.awake, body.still, body.lost = True, 0, 0
        body.vx_mm_s = body.vy_mm_s = 0.0
        self._erase(*body.home, body.known)
        body.under.append(body.home)

    def _erase(self, x: float, y: float, piece: Known) -> None:
        mask = self._mask_of(x, y, piece, _SHADOW_MM)
        if mask is None:
            return
        view, inside = mask
        part = self.backdrop[view]
        # Neighbours that lie at rest stay in the backdrop.
        for other in self.bodies:
            if other.awake or other.gone or other.known.name == piece.name:
                continue
            if hypot(other.x_mm - x, other.y_mm - y) < 3 * (piece.radius_mm + 20):
                kept = self._mask_of(other.x_mm, other.y_mm, other.known, 3.0, view)
                if kept is not None:
                    inside = inside & ~kept[1]
        part[inside] = self.clean[view][inside]

    def _mask_of(
        self,
        x: float,
        y: float,
        piece: Known,
        grow: float,
        view: tuple[slice, slice] | None = None,
    ) -> tuple[tuple[slice, slice], NDArray[np.bool_]] | None:
        polygon = self._print(x, y, piece, grow)
        height, width = self.empty.shape
        if view is None:
            u0, v0 = np.maximum(polygon.min(0) // 16 - 1, 0)
            u1 = min(int(polygon[:, 0].max() // 16) + 2, width)
            v1 = min(int(polygon[:, 1].max() // 16) + 2, height)
            if u1 <= u0 or v1 <= v0:
                return None
            view = (slice(int(v0), v1), slice(int(u0), u1))
        shape = (view[0].stop - view[0].start, view[1].stop - view[1].start)
        mask = np.zeros(shape, dtype=np.uint8)
        offset = np.array([view[1].start, view[0].start], dtype=np.int32) * 16
        paint(mask, polygon - offset)
        return view, mask > 0

    # -- measuring ---------------------------------------------------------------------------

    def _measure(self, picture: Gray, at_ms: float, frame: int, exposure: float) -> None:
        awake = [b for b in self.bodies if b.awake and not b.gone]
        if not awake:
            return
        runners = [
            Runner(b.x_mm, b.y_mm, b.vx_mm_s, b.vy_mm_s, b.known.radius_mm, b.mass) for b in awake
        ]
        if any(b.vx_mm_s or b.vy_mm_s for b in awake):
            half_x, half_y = self.board.width_mm / 2, self.board.height_mm / 2
            foresee(runners, self.frame_s, half_x, half_y)
        guesses = [(r.x_mm, r.y_mm) for r in runners]
        fixes: dict[int, Fix] = {}
        offers: list[tuple[float, int, Fix]] = []
        weak: list[int] = []
        for k in sorted(range(len(awake)), key=lambda k: (awake[k].lost, not awake[k].moved)):
            body, runner = awake[k], runners[k]
            if not body.moved and self._covered(body):
                continue
            others = tuple(
                _cover(awake[i], runners[i], fixes.get(i), exposure)
                for i in range(len(awake))
                if i != k and (i in fixes or awake[i].lost < 3)
            )
            blur = (runner.vx_mm_s * exposure, runner.vy_mm_s * exposure)
            fix = body.stamp.fit(picture, self.backdrop, guesses[k], blur_mm=blur, others=others)
            off = hypot(fix.x_mm - guesses[k][0], fix.y_mm - guesses[k][1])
            limit = 0.6 * body.known.radius_mm + 0.3 * hypot(*blur) + 4
            if off < limit and fix.share > body.enough and _apart(fix, body, fixes, awake):
                fixes[k] = fix
                guesses[k] = (fix.x_mm, fix.y_mm)
                continue
            weak.append(k)
            if off < limit and body.moved and fix.share > body.least:
                offers.append((fix.share / body.best, k, fix))
        for k in weak:
            body, runner = awake[k], runners[k]
            others = tuple(_cover(awake[i], runners[i], f, exposure) for i, f in fixes.items())
            if body.lost > 12 and (frame + k) % 4:
                continue  # long lost: look for it now and then
            tries = self._ahead(picture, body, runner, exposure, others)
            for fix in tries:
                offers.append((fix.share / body.best + 0.1, k, fix))
            if not any(fix.share > 0.9 * body.best for fix in tries):
                for fix in self._search(picture, body, guesses[k], exposure, others):
                    if fix.share > body.least and (body.moved or self._plausible(body, fix)):
                        offers.append((fix.share / body.best, k, fix))
        for _, k, fix in sorted(offers, key=lambda o: -o[0]):
            if k not in fixes and _apart(fix, awake[k], fixes, awake):
                fixes[k] = fix
        self._refine(picture, awake, runners, fixes, exposure)
        if not self.exposure_s:
            self._time_shutter(picture, awake, runners, fixes, exposure)
        for k, body in enumerate(awake):
            self._accept(body, fixes.get(k), runners[k], at_ms, frame)
            body.gone = self._is_gone(body)

    def _time_shutter(
        self,
        picture: Gray,
        awake: list[Body],
        runners: list[Runner],
        fixes: dict[int, Fix],
        exposure: float,
    ) -> None:
        """Let fast pieces that run free tell by their blur how long the shutter was open."""
        if self.shutter.sure:
            return
        for k, fix in fixes.items():
            body = awake[k]
            run = body.speed * self.frame_s / self.pitch
            if body.runs < 2 or run < 8 or fix.share < 0.6:
                continue
            speed = (
                (fix.x_mm - body.samples[-1].x_mm) / self.frame_s,
                (fix.y_mm - body.samples[-1].y_mm) / self.frame_s,
            )
            turn = hypot(speed[0] - body.vx_mm_s, speed[1] - body.vy_mm_s)
            if body.lost or turn > 0.12 * body.speed:
                continue
            others = tuple(
                _cover(awake[i], runners[i], fixes[i], exposure) for i in fixes if i != k
            )
            misfits = []
            for share in Shutter.SHARES:
                blur = (speed[0] * share * self.frame_s, speed[1] * share * self.frame_s)
                trial = body.stamp.fit(
                    picture,
                    self.backdrop,
                    (fix.x_mm, fix.y_mm),
                    blur_mm=blur,
                    others=others,
                    rounds=3,
                )
                misfits.append(trial.misfit**2)
            self.shutter.learn(misfits, run)

    def _refine(
        self,
        picture: Gray,
        awake: list[Body],
        runners: list[Runner],
        fixes: dict[int, Fix],
        exposure: float,
    ) -> None:
        """Neighbours once more, each with the other where it was now found."""
        for k, fix in list(fixes.items()):
            body = awake[k]
            near = [
                i
                for i, other in fixes.items()
                if i != k
                and hypot(other.x_mm - fix.x_mm, other.y_mm - fix.y_mm)
                < 1.4 * (body.known.radius_mm + awake[i].known.radius_mm) + 8
            ]
            if not near:
                continue
            others = tuple(_cover(awake[i], runners[i], fixes[i], exposure) for i in near)
            blur = _blur(body, runners[k], fix, exposure, self.frame_s)
            place = (fix.x_mm, fix.y_mm)
            new = body.stamp.fit(picture, self.backdrop, place, blur_mm=blur, others=others)
            close = hypot(new.x_mm - place[0], new.y_mm - place[1]) < 0.5 * body.known.radius_mm
            if close and new.share > fix.share - 0.05:
                fixes[k] = new

    def _covered(self, body: Body) -> bool:
        """Whether a hand hides a good part of a resting piece (as of the frame before)."""
        if not self.hands.glimpses:
            return False
        part = self.hands.glimpses[-1].mask[self._box(body)]
        return bool(part.size) and float((part > 0).mean()) > 0.2

    def _is_gone(self, body: Body) -> bool:
        """Whether a piece has left play: deep in a pocket, or past the border, or long unseen."""
        if not body.moved:
            return False
        x, y = body.x_mm, body.y_mm
        for pocket in self.board.pockets:
            away = hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm)
            if away < pocket.radius_mm:
                body.inside += 1
                return body.inside * self.frame_s > 0.2 or (body.lost >= 2 and body.inside > 2)
        body.inside = 0
        over = max(abs(x) - self.board.width_mm / 2, abs(y) - self.board.height_mm / 2)
        if over > body.known.radius_mm * 0.5:
            return over > 150 or body.lost >= 3
        return body.lost * self.frame_s > 3.0

    def _plausible(self, body: Body, fix: Fix) -> bool:
        """A piece half hidden by a hand or a cue seems to shift a little: that is no motion."""
        away = hypot(fix.x_mm - body.home[0], fix.y_mm - body.home[1])
        pushed = body.known.kind in _CUED or self._near_mover(body)
        if away < 0.6 * body.known.radius_mm:
            part = 0.85 if pushed and away > 1.5 else 0.96
            return fix.share > max(part * body.best, 0.78)
        if not pushed and any(g.area_mm2 > 1500 for g in self.hands.glimpses_since(0.4)):
            return False  # a hand may hide it or carry it: the next still picture will tell
        return fix.share > (0.5 if pushed else 0.96) * body.best

    def _near_mover(self, body: Body) -> bool:
        """Whether a moving piece is, or just was, close enough to have pushed this one."""
        for other in self.bodies:
            if other is body or not other.moved or other.gone:
                continue
            reach = body.known.radius_mm + other.known.radius_mm + 12
            reach += 1.5 * other.speed * self.frame_s * min(body.lost + 1, 4)
            if hypot(other.x_mm - body.home[0], other.y_mm - body.home[1]) < reach:
                return True
        return False

    def _ahead(
        self,
        picture: Gray,
        body: Body,
        runner: Runner,
        exposure: float,
        others: tuple[Cover, ...],
    ) -> list[Fix]:
        """Fits along the way it is thought to have been sent, at several speeds."""
        vx, vy = runner.vx_mm_s, runner.vy_mm_s
        speed = hypot(vx, vy)
        if speed < 100:
            return []
        found = []
        last = (body.samples[-1].x_mm, body.samples[-1].y_mm) if body.samples else body.home
        span = self.frame_s * (min(body.lost + 1, 4) if body.moved else 1)
        straight = (runner.x_mm - last[0], runner.y_mm - last[1])
        size = hypot(*straight)
        ways = [(vx / speed, vy / speed, speed * span)]
        if size > 2:
            ways.append((straight[0] / size, straight[1] / size, size))
        for ux, uy, far in ways:
            for part in (0.4, 0.55, 0.7, 0.85, 1.0, 1.15, 1.35, 1.65, 2.1):
                place = (last[0] + ux * far * part, last[1] + uy * far * part)
                pace = far * part / span * exposure
                fix = body.stamp.fit(
                    picture, self.backdrop, place, blur_mm=(ux * pace, uy * pace), others=others
                )
                off = hypot(fix.x_mm - place[0], fix.y_mm - place[1])
                if off < body.known.radius_mm and fix.share > 0.0:
                    fix = self._again(picture, body, fix, last, span, exposure, others)
                    if fix.share > 0.18:
                        found.append(fix)
                    if fix.share > 0.97 * body.best:
                        break
        found.sort(key=lambda fix: -fix.share)
        return found[:2]

    def _again(
        self,
        picture: Gray,
        body: Body,
        fix: Fix,
        last: tuple[float, float],
        span: float,
        exposure: float,
        others: tuple[Cover, ...],
    ) -> Fix:
        """The fit once more, blurred as its own displacement says."""
        part = exposure / span
        blur = ((fix.x_mm - last[0]) * part, (fix.y_mm - last[1]) * part)
        place = (fix.x_mm, fix.y_mm)
        new = body.stamp.fit(picture, self.backdrop, place, blur_mm=blur, others=others)
        near = hypot(new.x_mm - place[0], new.y_mm - place[1]) < 0.5 * body.known.radius_mm
        return new if near and new.share > fix.share else fix

    def _search(
        self,
        picture: Gray,
        body: Body,
        guess: tuple[float, float],
        exposure: float,
        others: tuple[Cover, ...],
    ) -> list[Fix]:
        """Places within reach of where it was last seen that look like this piece, best three."""
        frames = min(body.lost + 1, 8)
        origin = (body.samples[-1].x_mm, body.samples[-1].y_mm) if body.samples else body.home
        reach = min(400.0, 1.25 * body.speed * self.frame_s * frames + 12)
        if body.speed < 200 or body.runs < 2:
            sudden = 1.0 if body.known.kind in _CUED else 0.3
            reach = max(reach, min(250.0, sudden * _TOP_SPEED_MM_S * self.frame_s))
            if body.lost > 4:
                reach = min(reach, 90.0)
        stamp = body.stamp
        coarse = 2 * stamp.plane.step_mm
        plane = Plane(self.camera, body.known.thickness_mm, coarse)
        layers = stamp.layers(guess, (0.0, 0.0))
        small_half = layers.half // 2
        take = slice(layers.half - 2 * small_half, layers.half + 2 * small_half + 1, 2)
        through = cv2.blur(layers.through, (3, 3))[take, take]
        layer = cv2.blur(layers.layer, (3, 3))[take, take]
        half = int(reach / coarse) + small_half + 1
        spot = plane.spot(*origin)
        seen = plane.cut(picture, spot, half, (0.0, 0.0))
        under = plane.cut(self.backdrop, spot, half, (0.0, 0.0))
        gap = seen - under
        run = np.arange(-half, half + 1) * coarse
        for cover in others:
            dx, dy = cover.x_mm - origin[0], cover.y_mm - origin[1]
            away = np.hypot(run[None, :] - dx, run[:, None] - dy)
            gap[away < cover.stamp.radius_mm + 2 + 0.5 * hypot(*cover.blur_mm)] = 0
        middle = float(np.median(under))
        gain0 = stamp.gain_over(under)
        sign = (gain0 * layer - middle * (1 - through)).astype(np.float32)
        blank = float((sign * sign).sum())
        score = cv2.matchTemplate(gap, sign, cv2.TM_SQDIFF)
        power = cv2.matchTemplate(gap * gap, np.ones_like(sign), cv2.TM_CCORR)
        gain = (power - score) / max(blank, 1.0)
        found: list[Fix] = []
        for _ in range(5):
            _, top, _, where = cv2.minMaxLoc(gain)
            if top < 0.1 or len(found) == 3:
                break
            px = where[0] - (gain.shape[1] - 1) / 2
            py = where[1] - (gain.shape[0] - 1) / 2
            place = (origin[0] + px * coarse, origin[1] + py * coarse)
            share = exposure / (self.frame_s * frames)
            blur = ((place[0] - origin[0]) * share, (place[1] - origin[1]) * share)
            fix = stamp.fit(picture, self.backdrop, place, blur_mm=blur, others=others)
            off = hypot(fix.x_mm - place[0], fix.y_mm - place[1])
            if off < body.known.radius_mm and fix.share > _FAIR:
                fix = self._again(
                    picture, body, fix, origin, self.frame_s * frames, exposure, others
                )
                found.append(fix)
                if fix.share > 0.95 * body.best:
                    break
            y0, x0 = max(where[1] - 3, 0), max(where[0] - 3, 0)
            gain[y0 : where[1] + 4, x0 : where[0] + 4] = -1
        return found

    def _accept(
        self, body: Body, fix: Fix | None, runner: Runner, at_ms: float, frame: int
    ) -> None:
        if fix is None:
            body.lost += 1
            if body.moved:
                body.x_mm, body.y_mm = runner.x_mm, runner.y_mm
                body.vx_mm_s, body.vy_mm_s = runner.vx_mm_s, runner.vy_mm_s
            return
        # from rest nobody knows when within the frame it set off
        span = self.frame_s * (body.lost + 1 if body.moved else 1)
        last = body.samples[-1] if body.samples else None
        ax, ay = (last.x_mm, last.y_mm) if last else body.home
        vx, vy = (fix.x_mm - ax) / span, (fix.y_mm - ay) / span
        quiet = hypot(vx, vy) * self.frame_s < max(0.25, 4 * fix.error_mm)
        if not body.moved:
            away = hypot(fix.x_mm - body.home[0], fix.y_mm - body.home[1])
            body.moved = away > max(2.0, 8 * fix.error_mm)
            body.best = max(body.best, fix.share)
        body.still = body.still + 1 if quiet else 0
        body.runs = 0 if not body.moved or body.still > 2 else body.runs + 1
        if not body.moved or (quiet and body.still > 2):
            vx = vy = 0.0
        body.x_mm, body.y_mm = fix.x_mm, fix.y_mm
        body.vx_mm_s, body.vy_mm_s = vx, vy
        body.speed = hypot(vx, vy)
        body.lost = 0
        body.samples.append(Sample(at_ms, frame, fix.x_mm, fix.y_mm, fix.error_mm, fix.share))

    # -- the backdrop ------------------------------------------------------------------------

    def _explained(self, shape: tuple[int, ...]) -> Gray:
        """255 over the cells where pieces, or the places they have left, explain a difference."""
        mask = np.zeros(shape, dtype=np.uint8)
        for body in self.bodies:
            if not body.awake or body.gone:
                continue
            blur = body.speed * self.frame_s * 0.3
            mask[self._cells(body.x_mm, body.y_mm, body.known, 8.0 + blur)] = 255
            for x, y in body.under:
                mask[self._cells(x, y, body.known, 6.0)] = 255
        return mask

    def _mend(self, picture: Gray) -> None:
        for body in self.bodies:
            if not body.under:
                continue
            left = []
            for x, y in body.under:
                clear = all(
                    hypot(other.x_mm - x, other.y_mm - y)
                    > 1.3 * (other.known.radius_mm + body.known.radius_mm) + 12
                    for other in self.bodies
                    if not other.gone
                )
                if not clear or body.lost:
                    left.append((x, y))
                    continue
                found = self._mask_of(x, y, body.known, _SHADOW_MM)
                if found is None:
                    continue
                view, inside = found
                gap = np.abs(picture[view].astype(np.int16) - self.clean[view].astype(np.int16))[
                    inside
                ]
                if float(gap.mean()) > 10:
                    left.append((x, y))
                    continue
                self.clean[view][inside] = picture[view][inside]
                self.backdrop[view][inside] = picture[view][inside]
            body.under[:] = left


def _blur(
    body: Body, runner: Runner, fix: Fix | None, exposure: float, frame_s: float
) -> tuple[float, float]:
    """What a piece ran during the exposure: by its speed, or from rest by where it was found."""
    if body.moved or fix is None:
        return runner.vx_mm_s * exposure, runner.vy_mm_s * exposure
    part = exposure / (frame_s * min(body.lost + 1, 4))
    return (fix.x_mm - body.home[0]) * part, (fix.y_mm - body.home[1]) * part


def _cover(body: Body, runner: Runner, fix: Fix | None, exposure: float) -> Cover:
    blur = (runner.vx_mm_s * exposure, runner.vy_mm_s * exposure)
    if fix is None:
        return Cover(body.stamp, runner.x_mm, runner.y_mm, blur)
    return Cover(body.stamp, fix.x_mm, fix.y_mm, blur, fix.gain)


def _apart(fix: Fix, body: Body, fixes: dict[int, Fix], awake: list[Body]) -> bool:
    """Whether no other piece has been found where this one would be."""
    for k, other in fixes.items():
        reach = 0.75 * (body.known.radius_mm + awake[k].known.radius_mm)
        if hypot(fix.x_mm - other.x_mm, fix.y_mm - other.y_mm) < reach:
            return False
    return True


def still_picture(pictures: list[Gray]) -> tuple[Gray, float]:
    """The mean of still pictures, and one sd of their noise."""
    mean = np.mean(np.stack([p.astype(np.float32) for p in pictures]), axis=0)
    noise = noise_of(pictures[0], pictures[-1]) if len(pictures) > 1 else 1.5
    return np.asarray(mean + 0.5, dtype=np.uint8), noise
