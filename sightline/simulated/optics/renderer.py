"""The simulated camera: takes pictures of scenes, over an exposure, with noise."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, hypot, inf

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board
from sightline.simulated.optics.backdrop import OAK, Finish, paint_backdrop
from sightline.simulated.optics.beneath import Beneath
from sightline.simulated.optics.light import PANELS, Light
from sightline.simulated.optics.limbs import limb_parts, overlay, stick_parts
from sightline.simulated.optics.noise import Grain
from sightline.simulated.optics.rays import Box, Floats, Rays
from sightline.simulated.optics.sprites import Sprite, body_sprite, outer_box, shadow_sprite
from sightline.simulated.optics.tones import to_bytes
from sightline.simulated.scene import Body, Scene

STEP_PX = 1.2  # with the lens's blur, steps of this size leave a ripple below 1 %
MOST_STEPS = 24
MOST_KEPT = 500
Picture = NDArray[np.uint8]


class Photographer:
    """A fixed camera over a fixed board. Pictures are (H, W, 3) BGR, uint8.

    `blur_px` is the lens's point spread (one sd), `noise` the sensor's (one sd at mid-grey, in
    8-bit steps). What rests is drawn once and kept; what moves is drawn again for every frame, at
    several instants of its exposure, so that it is smeared as a real shutter smears it.
    """

    def __init__(
        self,
        board: Board,
        camera: Camera,
        *,
        finish: Finish = OAK,
        light: Light = PANELS,
        blur_px: float = 0.6,
        noise: float = 1.6,
        seed: int = 0,
        tints: Mapping[str, tuple[int, int, int]] | None = None,
    ) -> None:
        """`tints` are the sRGB colours of cells of a lattice that are printed otherwise."""
        self.board = board
        self.rays = Rays(camera, blur_px)
        self._reflects = paint_backdrop(board, self.rays, finish, tints or {})
        self._grain = Grain(camera.lens.height, camera.lens.width, noise, seed)
        self._nadir = self.rays.eye
        self.relight(light)

    def relight(self, light: Light) -> None:
        """Changes the light for all pictures from here on."""
        self.light = light
        self._gain, self._glare = light.on(self.rays)
        self._lit = self._reflects * self._gain + self._glare
        self._resting: frozenset[Body] = frozenset()
        self._kept: dict[Body, tuple[Sprite | None, Sprite]] = {}
        self._boxes: dict[Body, Box] = {}
        self._base = self._lit.copy()
        self._drawn: tuple[object, tuple[Sprite, ...]] = (None, ())
        self._base_bytes = to_bytes(self._base)

    def begin_again(self, film: int = 1) -> None:
        """From here on the noise of that film, from its start; the first pictures are film 1."""
        self._grain.begin_again(film)

    def miss(self) -> None:
        """Takes no picture where one was due: the next one's noise is what it would have been."""
        self._grain.pass_over()

    def picture(self, scene: Scene) -> Picture:
        """A picture of a scene that stands still."""
        return self.frame(lambda at_s: scene, 0.0, 0.0)

    def frame(
        self, scene_at: Callable[[float], Scene], start_s: float, exposure_s: float
    ) -> Picture:
        """A picture exposed from `start_s` on, for `exposure_s`, of a scene that changes."""
        return self._grain.on(self.clean_frame(scene_at, start_s, exposure_s))

    def clean_frame(
        self, scene_at: Callable[[float], Scene], start_s: float, exposure_s: float
    ) -> Picture:
        """As `frame`, without the sensor's noise."""
        first = scene_at(start_s)
        last = scene_at(start_s + exposure_s) if exposure_s > 0 else first
        resting = frozenset(first.bodies) & frozenset(last.bodies)
        self._rest(resting)
        shown = self._base_bytes.copy()
        middle = scene_at(start_s + exposure_s / 2)
        drawn = [
            (box, self._smeared(box, steps, scene_at, (start_s, exposure_s), resting))
            for box, steps in self._moving(first, middle, last, resting)
        ]
        # cues and hands are drawn where they are at mid-exposure: nobody measures them
        overlays = self._overlays(middle)
        for box in _merged([*(box for box, _ in drawn), *(o.box for o in overlays)]):
            patch = box.of(self._base).copy()
            for part, light in drawn:
                if part.meets(box):
                    part.seen_from(box).of(patch)[:] = light
            for over in overlays:
                over.on(patch, box)
            box.of(shown)[:] = to_bytes(patch)
        return shown

    def light_of(self, scene: Scene) -> Floats:
        """(H, W, 3) the linear light of a still scene, neither rounded nor noisy."""
        self._rest(frozenset())
        light = self._compose(self.rays.whole, scene, frozenset())
        for over in self._overlays(scene):
            over.on(light, self.rays.whole)
        return light

    # what rests

    def _rest(self, resting: frozenset[Body]) -> None:
        changed = resting ^ self._resting
        if not changed:
            return
        boxes = [self._box(body) for body in changed]
        self._resting = resting
        for box in _merged(boxes):
            patch = box.of(self._lit).copy()
            self._lay_bodies(patch, box, resting)
            box.of(self._base)[:] = patch
            box.of(self._base_bytes)[:] = to_bytes(patch)

    def _sprites(self, body: Body) -> tuple[Sprite | None, Sprite]:
        kept = self._kept.get(body)
        if kept is None:
            if len(self._kept) > MOST_KEPT:
                self._kept = {b: k for b, k in self._kept.items() if b in self._resting}
            kept = self._kept[body] = (
                shadow_sprite(body, self.rays, self.light),
                body_sprite(body, self.rays, self._gain, self._glare, self.board.pockets),
            )
        return kept

    def _box(self, body: Body) -> Box:
        box = self._boxes.get(body)
        if box is None:
            if len(self._boxes) > 2 * MOST_KEPT:
                self._boxes = {b: k for b, k in self._boxes.items() if b in self._resting}
            box = self._boxes[body] = outer_box(body, self.rays, self.light)
        return box

    # what moves

    def _moving(
        self, first: Scene, middle: Scene, last: Scene, resting: frozenset[Body]
    ) -> list[tuple[Box, int]]:
        """The boxes where pieces move, and at how many instants of the exposure to draw each."""
        moving: list[tuple[Box, float]] = []
        ends = {body.name: body for body in last.bodies}
        for body in first.bodies:
            if body in resting:
                continue
            end = ends.get(body.name, body)
            box = self._box(body).joined(self._box(end))
            centre = next((b for b in middle.bodies if b.name == body.name), None)
            way = self._way(body, end)
            if centre is not None:
                box = box.joined(self._box(centre))
                way = max(way, self._way(body, centre) + self._way(centre, end))
            moving.append((box.within(self.rays.whole), way))
        names = {body.name for body in first.bodies}
        moving += [
            (self._box(body), 0.0)
            for body in last.bodies
            if body.name not in names and body not in resting
        ]
        boxes: list[tuple[Box, int]] = []
        for box in _merged([b for b, _ in moving]):
            far = max(way for b, way in moving if b.meets(box) or b == box)
            boxes.append((box, min(MOST_STEPS, max(1, ceil(far / STEP_PX)))))
        return boxes

    def _way(self, a: Body, b: Body) -> float:
        ua, va = self.rays.pixel(a.x_mm, a.y_mm, a.lift_mm)
        ub, vb = self.rays.pixel(b.x_mm, b.y_mm, b.lift_mm)
        return hypot(ub - ua, vb - va)

    def _overlays(self, scene: Scene) -> Sequence[Sprite]:
        key = (scene.sticks, scene.limbs)
        if self._drawn[0] != key:
            parts = [stick_parts(s) for s in scene.sticks] + [limb_parts(m) for m in scene.limbs]
            found = [overlay(p, self.rays, self._gain, self.light) for p in parts]
            self._drawn = (key, tuple(strip for strips in found for strip in strips))
        return self._drawn[1]

    def _smeared(
        self,
        box: Box,
        steps: int,
        scene_at: Callable[[float], Scene],
        exposed: tuple[float, float],
        resting: frozenset[Body],
    ) -> Floats:
        """The mean light on a box over an exposure, from when on and for how long, s."""
        start_s, exposure_s = exposed
        if steps == 1:
            return self._compose(box, scene_at(start_s + exposure_s / 2), resting)
        scenes = [scene_at(start_s + exposure_s * (k + 0.5) / steps) for k in range(steps)]
        light = np.zeros((box.bottom - box.top, box.right - box.left, 3), np.float32)
        moving = [[body for body in scene.bodies if body not in resting] for scene in scenes]
        near = [body for body in resting if self._box(body).meets(box)]
        highest = max((body.lift_mm for body in near), default=-inf)
        if all(body.lift_mm > highest for movers in moving for body in movers):
            beneath = self._beneath(box, near)
            for movers in moving:
                light += self._above(beneath, movers)
        else:
            for scene in scenes:
                light += self._compose(box, scene, resting)
        return light / np.float32(steps)

    def _compose(self, box: Box, scene: Scene, resting: frozenset[Body]) -> Floats:
        patch = box.of(self._base).copy()
        movers = [body for body in scene.bodies if body not in resting]
        ways = [self._box(body).within(box) for body in movers]
        # only where something moves are those that rest there drawn again, below and above it
        for part in _merged(ways):
            near = [body for body in resting if self._box(body).meets(part)]
            redrawn = part.of(self._lit).copy()
            self._lay_bodies(redrawn, part, [*near, *movers])
            part.seen_from(box).of(patch)[:] = redrawn
        return patch

    def _beneath(self, box: Box, resting: Iterable[Body]) -> Beneath:
        """What rests on a box, drawn once for all that moves above it."""
        drawn = sorted(resting, key=self._order)
        sprites = [self._sprites(body) for body in drawn]
        return Beneath(
            box,
            box.of(self._lit),
            [shadow for shadow, _ in sprites if shadow is not None],
            [own for _, own in sprites],
        )

    def _above(self, beneath: Beneath, movers: Iterable[Body]) -> Floats:
        """The light on a box where those move above what rests there."""
        sprites = [self._sprites(body) for body in sorted(movers, key=self._order)]
        light = beneath.shaded([shadow for shadow, _ in sprites if shadow is not None])
        for _, own in sprites:
            own.on(light, beneath.box)
        return light

    def _lay_bodies(self, patch: Floats, box: Box, bodies: Iterable[Body]) -> None:
        here = []
        for body in bodies:
            if not self._box(body).meets(box):
                continue
            shadow, own = self._sprites(body)
            if shadow is not None and shadow.box.meets(box):
                shadow.on(patch, box)
            if own.box.meets(box):
                here.append((self._order(body), own))
        for _, own in sorted(here, key=lambda entry: entry[0]):
            own.on(patch, box)

    def _order(self, body: Body) -> tuple[float, float, str]:
        """Low before high, far before near: a top leans outwards over the foot behind it."""
        far = hypot(body.x_mm - self._nadir[0], body.y_mm - self._nadir[1])
        return (min(body.lift_mm, 0.0) if body.lift_mm < 0 else body.lift_mm, -far, body.name)


def _merged(boxes: Iterable[Box]) -> list[Box]:
    """The boxes, those that overlap joined into one until none overlap."""
    found: list[Box] = []
    for box in boxes:
        if box.empty:
            continue
        joined = box
        again = True
        while again:
            again = False
            for other in found:
                if other.meets(joined):
                    found.remove(other)
                    joined = joined.joined(other)
                    again = True
                    break
        found.append(joined)
    return found
