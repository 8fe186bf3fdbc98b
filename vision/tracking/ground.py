"""The board that pieces run over: as it looks bare, and with all pieces that rest on it.

`clean` is the board without any piece, `backdrop` with those that lie at rest. Both begin as the
empty picture in the light of now and are mended with the real thing as pieces uncover it.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.tracking.backdrop import footprint, mean_square, paint, relight
from vision.tracking.body import Bared, Body, Known, View
from vision.tracking.fitting import Fix, fit
from vision.tracking.hands import HandWatch
from vision.tracking.plane import Patch, Plane, pitch_mm
from vision.tracking.stamp import Cover, Stamp
from vision.tracking.tint import Tint, tint_of

Gray = NDArray[np.uint8]
_STILL_FRAMES, _LONG_STILL = 3, 30
_STRANGE = 18.0  # codes that a part differs otherwise than the rest: something lies there
_STRANGE_SHARE = 0.01
_UNLIKE = 0.12
_USUAL_WALL, _WALL_PRIOR = 0.75, 3 * (20 * 150.0**2,)  # of the top's light; as if seen so often
_WALL_OFF, _ROUNDS = 15.0, 6  # codes
SET_DOWN_ERROR_MM = 0.3  # one sd: its looks were learned elsewhere, in another light
_BLURS_PX = (0.5, 0.65, 0.8, 1.0, 1.3)
_ONLY_NOISE, _ONLY_CODING = 1.5, 7.5  # of its square; and what coding makes of a rim
_LEAST_NOISE = 1.2  # codes, that coding leaves
_AS_BEGUN, _TELLS = 0.1, 9.0  # of what its leaving would change; of the noise, both squared
_SHADOW_MM = 15.0  # how far around a piece its shadow is looked for


class Ground:
    """Keeps both pictures, and makes the stamps of the pieces that lie there."""

    def __init__(self, camera: Camera, empty: Gray, colours: Gray | None = None) -> None:
        """`empty` (H, W) is the empty board, `colours` (H, W, 3) the same where it is known."""
        self.camera = camera
        self.empty = empty
        self.colours = colours
        self.clean = empty.copy()
        self.backdrop = empty.copy()
        self.unseen = np.zeros_like(empty)  # 255: bare board not yet seen in this light
        self._guessed = np.zeros_like(empty)  # 255: where `clean` is no picture, but a guess
        self._doubtful = np.zeros_like(empty)  # the same of `backdrop`
        self._bared: list[tuple[float, float]] = []  # where that is: pieces lay there
        self.begun: Gray | None = None  # (H, W, 3) the still picture in colour that it began with
        self._started = empty  # (H, W) the same in gray
        self.changes = 0  # how often the backdrop has been changed
        self.noise = 1.5
        self.blur_px: float | None = None  # of edges; None: to be found when pieces are laid next
        self.pitch = pitch_mm(camera)
        self._planes: dict[tuple[float, float], Plane] = {}
        self.hid: NDArray[np.bool_] | None = None  # what a hand hid then, in `begun` as well
        self._hidden: NDArray[np.bool_] | None = None  # of that, what it hides still
        self._hid_away_px: NDArray[np.float32] | None = None  # from `hid`, where it was asked for

    def plane(self, z_mm: float, radius_mm: float = 0.0) -> Plane:
        """The plane of tops at `z_mm`, as finely cut as a piece of that radius needs."""
        step = max(self.pitch, radius_mm / 15)
        key = (z_mm, step)
        if key not in self._planes:
            self._planes[key] = Plane(self.camera, z_mm, step)
        return self._planes[key]

    def lay(
        self,
        picture: Gray,
        pieces: Sequence[Known],
        hidden: NDArray[np.bool_] | None = None,
    ) -> list[Body]:
        """Take `picture` (still) as the start, with these pieces in it; a hand hides `hidden`."""
        mask, wide = np.zeros_like(picture), np.zeros_like(picture)
        self.hid = self._hidden = hidden
        self._hid_away_px = None
        if hidden is not None:
            wide[hidden] = 255
        for piece in pieces:
            paint(mask, self._print(piece.x_mm, piece.y_mm, piece))
            paint(wide, self._print(piece.x_mm, piece.y_mm, piece, _SHADOW_MM))
        lit = relight(picture, self.empty, wide)
        self.clean = lit
        self.backdrop = picture.copy()
        self._started = picture
        self.changes += 1
        bodies = []
        for piece in pieces:
            plane = self.plane(piece.thickness_mm, piece.radius_mm)
            at = (piece.x_mm, piece.y_mm)
            stamp = Stamp(
                plane,
                picture,
                lit,
                at,
                radius_mm=piece.radius_mm,
                hole_mm=piece.hole_mm,
                noise=self.noise,
                pitch_mm=self.pitch,
                beside=[
                    (other.x_mm, other.y_mm, other.radius_mm)
                    for other in pieces
                    if other is not piece and _near(other, piece)
                ],
            )
            bodies.append(Body(piece, stamp, at, *at))
        _share_looks(bodies)
        self.unseen = mask
        if hidden is not None:
            self.unseen[hidden] = 255
            self.backdrop[hidden] = lit[hidden]
        self.clean = np.where(self.unseen > 0, lit, picture)
        self._guessed, self._doubtful = self.unseen.copy(), np.zeros_like(picture)
        self._bared.clear()
        for body in bodies:
            self._unshade(body, lit)
        self._focus(picture, bodies)
        return bodies

    def _focus(self, picture: Gray, bodies: Sequence[Body]) -> None:
        """Draw the stamps as blurred as edges are here; how well each then explains its piece."""
        if self.blur_px is None and bodies:
            self.blur_px = self._blur_of(picture, bodies)
        for body in bodies:
            body.stamp.focus(self.blur_px or _BLURS_PX[0])
            body.stamp.shade_anew()
        _share_shadows(bodies)
        for body in bodies:
            found = self._at_home(picture, body, bodies)
            body.best = min(max(found.share, 0.75), 0.99)
            body.seems = (found.x_mm, found.y_mm)

    def _blur_of(self, picture: Gray, bodies: Sequence[Body]) -> float:
        """How blurred edges are, by how well stamps of that blur explain their pieces."""
        misfits: dict[float, float] = {}
        for blur_px in _BLURS_PX:
            for body in bodies:
                body.stamp.focus(blur_px)
            misfits[blur_px] = sum(self._at_home(picture, b, bodies).misfit for b in bodies)
        return min(_BLURS_PX, key=misfits.__getitem__)

    def _at_home(self, picture: Gray, body: Body, bodies: Sequence[Body]) -> Fix:
        neighbours = tuple(
            Cover(b.stamp, b.x_mm, b.y_mm, (0.0, 0.0))
            for b in bodies
            if b is not body and _near(b.known, body.known)
        )
        return fit(body.stamp, picture, self.clean, body.home, others=neighbours)

    def _unshade(self, body: Body, lit: Gray) -> None:
        """Take the piece's shadow out of the clean board."""
        found = self.mask_of(*body.home, body.known, _SHADOW_MM)
        if found is None:
            return
        view, _ = found
        stamp = body.stamp
        spot = stamp.plane.spot(*body.home)
        shade = stamp.plane.paste(stamp.shadow(body.home), spot, stamp.half, view, 1.0)
        dark = shade < 0.97
        self.clean[view][dark] = lit[view][dark]
        self._guessed[view][dark] = 255

    def tint_of_board(self, plane: Plane, at: tuple[float, float], radius_mm: float) -> Tint | None:
        """The colour of the bare board under a piece, in the light in which it was taken."""
        return None if self.colours is None else tint_of(plane, self.colours, *at, radius_mm)

    @property
    def coloured(self) -> list[Gray]:
        """(H, W, 3) what may be seen of the board at rest: as it began, and bare; none in gray."""
        return [p for p in (self.begun, self.colours) if p is not None and p.ndim == 3]

    # -- masks -------------------------------------------------------------------------------

    def _print(self, x: float, y: float, piece: Known, grow: float = 5.0) -> NDArray[np.int32]:
        return footprint(self.camera, x, y, piece.radius_mm + grow, piece.thickness_mm)

    def mask_of(
        self, x: float, y: float, piece: Known, grow: float, view: View | None = None
    ) -> tuple[View, NDArray[np.bool_]] | None:
        """The pixels of a piece at (x, y) and `grow` mm around, in a box of the picture."""
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

    def box_of(self, x: float, y: float, piece: Known, grow_mm: float) -> View:
        """A box of the picture around a piece at (x, y); empty outside the picture."""
        spot = self.plane(piece.thickness_mm).spot(x, y)
        reach = (piece.radius_mm + grow_mm) / self.pitch * 1.1
        height, width = self.empty.shape
        top, low = int(spot.v - reach), int(spot.v + reach) + 1
        left, right = int(spot.u - reach), int(spot.u + reach) + 1
        return (
            slice(min(max(top, 0), height), min(max(low, 0), height)),
            slice(min(max(left, 0), width), min(max(right, 0), width)),
        )

    # -- pieces that set off, and what they uncover --------------------------------------------

    def erase(self, body: Body, bodies: Sequence[Body]) -> None:
        """Take a piece that may move out of the backdrop; its neighbours at rest stay in."""
        x, y = body.home
        found = self.mask_of(x, y, body.known, _SHADOW_MM)
        if found is None:
            return
        view, inside = found
        part = self.backdrop[view]
        for other in bodies:
            if other.awake or other.gone or other is body:
                continue
            if hypot(other.x_mm - x, other.y_mm - y) < 3 * (body.known.radius_mm + 20):
                kept = self.mask_of(other.x_mm, other.y_mm, other.known, 3.0, view)
                if kept is not None:
                    inside = inside & ~kept[1]
        part[inside] = self.clean[view][inside]
        self._doubtful[view][inside] = self._guessed[view][inside]
        self._bared.append(body.home)
        self.changes += 1

    def doubtful_by(self, body: Body, place: tuple[float, float]) -> Gray | None:
        """255 where the backdrop is a guess, beside a `place` to which a piece may have run.

        None where it has been seen all about. For what has not moved, or lay there, the guess is
        good: its own looks were learned over it.
        """
        reach = 3 * body.known.radius_mm + 2 * _SHADOW_MM
        about = any(
            hypot(place[0] - x, place[1] - y) < reach for x, y in self._bared if (x, y) != body.home
        )
        return self._doubtful if body.moved and about else None

    def near_hidden(self, view: View, within_px: float) -> NDArray[np.bool_]:
        """Which pixels of a part of the picture lie so near to what a hand hid at the start."""
        if self.hid is None:
            return np.zeros(self.empty[view].shape, dtype=np.bool_)
        if self._hid_away_px is None:
            seen = (~self.hid).astype(np.uint8)
            self._hid_away_px = np.asarray(cv2.distanceTransform(seen, cv2.DIST_L2, 5))
        return np.asarray(self._hid_away_px[view] < within_px)

    def looks_bare(self, picture: Gray, place: tuple[float, float], piece: Known) -> bool:
        """Whether the picture differs from the backdrop by nothing but noise where a piece would be
        at that place."""
        return self._differs_by(picture, self.box_of(*place, piece, 0.0)) < _ONLY_NOISE

    def looks_as_laid(self, picture: Gray, body: Body) -> bool:
        """Whether a piece that lies in the backdrop looks as it does there, but for what coding a
        picture makes of its rim."""
        view = self.box_of(*body.home, body.known, 1.0)
        return self._differs_by(picture, view) < _ONLY_CODING

    def _differs_by(self, picture: Gray, view: View) -> float:
        """By how much a part of the picture differs from the backdrop, in squares of the noise."""
        now = picture[view]
        if not now.size:
            return 0.0
        return mean_square(now, self.backdrop[view]) / max(self.noise, _LEAST_NOISE) ** 2

    def shows_as_begun(self, picture: Gray, body: Body) -> bool:
        """Whether a piece is seen to lie at home as it did at the start, or its like does.

        False as well where the bare board would look nearly as it does.
        """
        found = self.mask_of(*body.home, body.known, 0.0)
        if found is None:
            return False
        view, inside = found
        began = self._started[view][inside].astype(np.float32)
        left = float(np.square(self.clean[view][inside] - began).mean())
        now = float(np.square(picture[view][inside] - began).mean())
        noise = max(self.noise, _LEAST_NOISE) ** 2
        return now < _AS_BEGUN * left and left > _TELLS * noise

    def reveal(self, picture: Gray, bodies: Sequence[Body]) -> None:
        """Learn what the hand hid that was there from the start, but where pieces are."""
        if self._hidden is None:
            return
        bare, self._hidden = self._hidden & (self.unseen > 0), None
        for body in bodies:
            found = None if body.gone else self.mask_of(body.x_mm, body.y_mm, body.known, 5.0)
            if found is not None:
                bare[found[0]] &= ~found[1]
        self.clean[bare] = picture[bare]
        self.backdrop[bare] = picture[bare]
        self.unseen[bare] = self._guessed[bare] = self._doubtful[bare] = 0
        self.changes += 1

    def mend(self, picture: Gray, bodies: Sequence[Body], hands: HandWatch) -> None:
        """Learn the real board where pieces lay and lie no longer."""
        for body in bodies:
            if body.under:
                body.under[:] = [
                    bare
                    for bare in body.under
                    if not self._mended(picture, body, bare, bodies, hands)
                ]

    def _mended(
        self, picture: Gray, body: Body, bare: Bared, bodies: Sequence[Body], hands: HandWatch
    ) -> bool:
        x, y = bare.place
        clear = all(
            hypot(other.x_mm - x, other.y_mm - y)
            > 1.2 * (other.known.radius_mm + body.known.radius_mm) + 10
            for other in bodies
            if not other.gone
        )
        if not clear or body.lost:
            bare.still = 0
            return False
        if bare.mask is None:
            bare.mask = self.mask_of(x, y, body.known, _SHADOW_MM)
        if bare.mask is None:
            return True
        view, inside = bare.mask
        now = picture[view]
        self._watch(now, bare)
        if hands.share_over(view) > 0.02:
            return False
        gap = now[inside].astype(np.float32) - self.clean[view][inside]
        if bare.still < _STILL_FRAMES and float(np.abs(gap).mean()) > 10:
            return False
        if bare.still < _LONG_STILL and _stranger(gap):
            return False
        if bare.place == body.home and self.shows_as_begun(picture, body):
            return False
        self.clean[view][inside] = now[inside]
        self.backdrop[view][inside] = now[inside]
        self._guessed[view][inside] = self._doubtful[view][inside] = 0
        self._bared = [place for place in self._bared if place != bare.place]
        self.changes += 1
        return True

    def _watch(self, now: Gray, bare: Bared) -> None:
        """Count for how many frames a place has looked the same: nothing runs or reaches there."""
        before = bare.pixels
        same = (
            before is not None
            and before.shape == now.shape
            and mean_square(now, before) < 3 * max(self.noise, 1.2) ** 2 + 2
        )
        bare.still = bare.still + 1 if same else 0
        bare.pixels = now.copy()


def _stranger(gap: NDArray[np.float32]) -> bool:
    """Whether a part of a place differs otherwise than the rest of it, as what lies on it does.

    `gap` (N): how far its pixels differ from the board, codes.
    """
    return float((np.abs(gap - np.median(gap)) > _STRANGE).mean()) > _STRANGE_SHARE


def _near(a: Known, b: Known) -> bool:
    reach = a.radius_mm + b.radius_mm + 30
    return hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) < reach


def rested(body: Body) -> None:
    """Take a piece that has come to rest as lying there from now on."""
    if body.moved:
        last = body.samples[-min(len(body.samples), 4) :]
        x = sum(s.x_mm for s in last) / len(last)
        y = sum(s.y_mm for s in last) / len(last)
        lay_at(body, (x, y))
        body.lay_ms = body.unmoved_ms = body.bare_ms = None  # that was elsewhere
    body.moved, body.runs, body.still = False, 0, 0
    body.speed = body.pace = body.push = 0.0
    body.vx_mm_s = body.vy_mm_s = 0.0
    body.samples.clear()
    body.covered.clear()


def lay_at(body: Body, place: tuple[float, float], *, error_mm: float = SET_DOWN_ERROR_MM) -> None:
    """Take a piece as lying at a place, mm, that no close look at a still picture has shown.

    `error_mm` is one sd of the place of what may be struck before it is looked at closely again.
    """
    error_mm = max(body.known.error_mm, error_mm) if body.cued else body.known.error_mm
    x, y = body.home = body.seems = place
    body.x_mm, body.y_mm = place
    body.known = replace(body.known, x_mm=x, y_mm=y, error_mm=error_mm)


def _share_looks(bodies: Sequence[Body]) -> None:
    """All stand in one light: where one's looks or shadow are unlike the others', it errs."""
    for body in bodies:
        alike = [
            other.stamp
            for other in bodies
            if (other.known.kind, other.known.colour) == (body.known.kind, body.known.colour)
        ]
        if len(alike) >= 3:
            looks = [stamp.looks / max(stamp.level, 8.0) for stamp in alike]
            body.stamp.heal(np.median(np.stack(looks), axis=0))
    even, tilt = _lit_walls(bodies)
    for body in bodies:
        body.stamp.light_wall(even, tilt)
    _share_shadows(bodies)


def _lit_walls(bodies: Sequence[Body]) -> tuple[float, tuple[float, float]]:
    """How bright walls are over their tops, and by how much brighter towards x and y.

    Least squares with Huber's weights: what a cue or a neighbour makes of a wall counts little.
    """
    seen = [body.stamp.wall_looks.astype(np.float64) for body in bodies]
    looks = np.concatenate(seen or [np.zeros((0, 3))])
    tops = np.repeat([float(body.stamp.edge) for body in bodies], [len(each) for each in seen])
    rows = tops[:, None] * np.column_stack([np.ones(len(looks)), looks[:, :2]])
    usual, prior = np.array([_USUAL_WALL, 0.0, 0.0]), np.diag(_WALL_PRIOR)
    answer, weight = usual, np.ones(len(looks))
    for _ in range(_ROUNDS):
        weighted = rows * weight[:, None]
        answer = np.linalg.solve(
            weighted.T @ rows + prior, weighted.T @ looks[:, 2] + prior @ usual
        )
        weight = 1 / np.maximum(np.abs(looks[:, 2] - rows @ answer) / _WALL_OFF, 1.0)
    return float(answer[0]), (float(answer[1]), float(answer[2]))


def _share_shadows(bodies: Sequence[Body]) -> None:
    """All stand in one light and cast one shadow, as long as they are thick.

    A cue's beside one of them is none of it.
    """
    usual_of = {
        thick_mm: _usual(np.stack([body.stamp.halo_of(thick_mm) for body in bodies]))
        for thick_mm in {body.known.thickness_mm for body in bodies}
    }
    for body in bodies:
        usual = usual_of[body.known.thickness_mm]
        halo = np.nan_to_num(body.stamp.halo, nan=9.0)
        fits = np.abs(halo - usual) < _UNLIKE
        body.stamp.cast(np.where(fits, halo, usual).astype(np.float32))


def _usual(halos: Patch) -> Patch:
    """(turns, distances) the median over all pieces; what none shows goes on as what is near."""
    shown = ~np.isnan(halos)
    count = shown.sum(axis=0)
    ranked = np.sort(np.where(shown, halos, np.inf), axis=0)
    middle = np.maximum((count - 1) // 2, 0)
    usual = np.take_along_axis(ranked, middle[None], axis=0)[0]
    known = count > 0
    level = np.where(known, usual, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    usual = np.where(known, usual, level[None])
    far = known.any(axis=0)
    if not far.any():
        return np.ones_like(usual)
    first = int(np.argmax(far))
    if first and first + 2 < usual.shape[1]:
        # hard by the rim nothing can be seen: the shadow deepens on towards the foot
        slope = (usual[:, first + 2] - usual[:, first]) / 2
        way = np.arange(first, 0, -1)
        usual[:, :first] = usual[:, first : first + 1] - slope[:, None] * way
    return np.asarray(np.clip(usual, 0.3, 1.15), dtype=np.float32)
