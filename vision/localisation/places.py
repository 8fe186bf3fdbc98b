"""Where the pieces of one picture stand, and where its light comes from: each needs the other.

A shadow clings to its piece like more of it, so the first places come from colours that no shadow
has; from these the light is read, with which the others come right too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.geometry import Point
from vision.appearance.lamps import gathered
from vision.appearance.levelling import levelled
from vision.appearance.light import Light, Standing, Surroundings, estimate_light
from vision.appearance.patch import MARGIN_PX
from vision.appearance.scene import Scene
from vision.appearance.surroundings import beside, surroundings
from vision.appearance.teaching import Taught
from vision.detection.detect import Guess, climbed
from vision.detection.edges import Edges
from vision.detection.resting import overhangs, rests_at
from vision.detection.rims import wider
from vision.localisation.better import SAME_MM, Judge, worth
from vision.localisation.between_fingers import cleared
from vision.localisation.closely import closely
from vision.localisation.first_light import first_light, is_lit_by
from vision.localisation.fitting import Fitter
from vision.localisation.focus import blurred
from vision.localisation.hue import drawn_by_hue
from vision.localisation.stand import HUB, Fit
from vision.localisation.standing import (
    NOISY,
    is_hopeless,
    is_near,
    is_none,
    is_sure,
    moved,
    runs_round,
    stands,
    strayed_mm,
)
from vision.localisation.starts import about, apart_mm, others_than, top_or_foot
from vision.localisation.trust.settle import settle

_WELL = 0.9
"""What a fit explains where there is no doubt about the place."""

_FOLLOWED_MM = 2.5
_AGAIN = 1
"""How often places and lamps are read anew from each other: each errs where the other does."""

_FEW = 3
"""So many pieces tell what is usually left over."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """A guess that stands the test: number `look` of the view's looks, where `fit` says."""

    look: int
    fit: Fit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """The guesses that are pieces, measured; those that surely are none; the light they stand in.

    A guess that is in neither may be a piece that did not show well enough.
    """

    found: tuple[Found, ...]
    refused: tuple[Guess, ...]
    light: Light


def measure(scene: Scene, edges: Edges, taught: Taught, guesses: Sequence[Guess]) -> Reading:
    """The guesses that are pieces, measured, and the light that was read off them."""
    places = _Places(scene, edges, taught, guesses)
    if places.lit_by(taught.light):
        places.come_near(taught.light)
        light = places.read_light(None)
    else:
        light = places.first_light()
        places.restart(light)
        light = places.read_light(None)
    places.refine(light, rounds=3)
    light = places.read_lamps(places.read_light(light))
    for _ in range(_AGAIN):
        places.come_near(light)
        light = places.read_lamps(light)
    places.beside_pockets(light)
    return places.last(light)


def measure_among(
    scene: Scene,
    edges: Edges,
    taught: Taught,
    guesses: Sequence[Guess],
    staying: Sequence[Found],
    light: Light,
    followed: Sequence[tuple[int, Point]] = (),
) -> Reading:
    """The guesses that are pieces, measured among pieces that stay, in a light that is known.

    `followed`: looks of pieces, with the places they have been followed to.
    """
    places = _Places(scene, edges, taught, guesses, staying, followed)
    places.come_near(light)
    places.beside_pockets(light)
    return places.last(light)


class _Places:
    def __init__(
        self,
        scene: Scene,
        edges: Edges,
        taught: Taught,
        guesses: Sequence[Guess],
        staying: Sequence[Found] = (),
        followed: Sequence[tuple[int, Point]] = (),
    ) -> None:
        hidden = wider(scene.hidden) if scene.hidden.any() else None
        self._judge = Judge(scene, edges, hidden)
        self._begun = list(guesses)
        self._guesses = [climbed(scene.view, edges, guess, hidden) for guess in guesses]
        self._standing = [_standing(scene, taught, g.look, g.x_mm, g.y_mm) for g in self._guesses]
        self._camera = scene.view.table.camera
        self._kept = staying
        stays = [_standing(scene, taught, f.look, f.fit.x_mm, f.fit.y_mm) for f in staying]
        self._fitter = Fitter(scene, stays)
        self._followed = followed
        self._refused: list[Guess] = []

    @property
    def _scene(self) -> Scene:
        return self._fitter.scene

    def lit_by(self, light: Light) -> bool:
        """Whether pieces whose guess leaves no doubt look as they would in `light`."""
        sure = [n for n, guess in enumerate(self._guesses) if is_sure(guess)]
        return is_lit_by(light, self._fitter, self._standing, sure)

    def first_light(self) -> Light:
        """The light, read for the first time, and the places that it was read from."""
        light, self._standing = first_light(self._fitter, self._standing)
        return light

    def restart(self, light: Light) -> None:
        """Find each piece again in `light`; drop what cannot be one."""
        fits = [self._again(n, light) for n in range(len(self._standing))]
        self._keep(fits, least=0.3)

    def read_light(self, like: Light | None) -> Light:
        return estimate_light(self._around(), self._scene.view.cushions, like)

    def read_lamps(self, light: Light) -> Light:
        """`light` as it is read lamp by lamp where the pieces are held to stand by now."""
        return gathered(self._around(), self._scene.view.cushions, light)

    def _around(self) -> list[Surroundings]:
        return surroundings(self._scene, self._standing, range(len(self._standing)))

    def refine(self, light: Light, rounds: int) -> None:
        numbers = range(len(self._standing))
        fits = [
            self._fitter.fit(self._standing, n, light, rounds=rounds, pull=True) for n in numbers
        ]
        self._keep(fits, least=0.4)

    def come_near(self, light: Light) -> None:
        """The places in `light`, from other starts too where a fit is doubted.

        Of so few pieces that none tells what is usually left over, all are.
        """
        numbers = range(len(self._standing))
        wide = [
            self._fitter.fit(self._standing, n, light, rounds=4, margin_px=MARGIN_PX)
            for n in numbers
        ]
        usual = self._usual(wide)
        alone = len(self._kept) + sum(f is not None for f in wide) < _FEW
        near = [
            self._doubted(n, light, f) if alone or _is_doubted(f, usual[n]) else f
            for n, f in enumerate(wide)
        ]
        self._standing = [
            s.at(f.x_mm, f.y_mm) if f is not None and self._is_near(n, f, usual[n]) else s
            for n, (s, f) in enumerate(zip(self._standing, near, strict=True))
        ]

    def beside_pockets(self, light: Light) -> None:
        """The places of what is partly over a pocket, from where it was guessed first, too.

        Against a pocket the top's edge is dark before dark, while that of the foot shows against
        the board: a guess may have climbed to there, and a fit explain nearly as much. So edges are
        no judge here, only what is left over.
        """
        board = self._scene.view.table.board
        for n, me in enumerate(self._standing):
            if not overhangs(board, me.x_mm, me.y_mm, me.body.radius_mm):
                continue
            begun = self._begun[n]
            where = [me, *others_than(me, [me.at(begun.x_mm, begun.y_mm)])]
            starts = [start for at in where for start in self._top_or_foot(n, at)]
            fits = self._fitter.from_each(self._standing, n, light, starts)
            found = max(fits, key=worth, default=None)
            if found is None or apart_mm(found, me) < SAME_MM:
                continue
            self._standing[n] = me.at(found.x_mm, found.y_mm)
            if strayed_mm(begun, found) < strayed_mm(self._guesses[n], found):
                self._guesses[n] = begun

    def _usual(self, fits: Sequence[Fit | None]) -> list[float]:
        """What is left over of each number's like, or of all where there are fewer than three.

        Those that stay say it alone where they are as many: fits that are not known to be right yet
        may be wrong together, as those of neighbours that both were guessed badly.
        """
        looks = [g.look for g in self._guesses]
        left = [(kept.look, kept.fit.noise) for kept in self._kept]
        if len(left) < _FEW:
            left += [(k, f.noise) for k, f in zip(looks, fits, strict=True) if f]
        of = {look: [noise for k, noise in left if k == look] for look in set(looks)}
        everywhere = [noise for _, noise in left] or [1.0]
        return [float(np.median(of[k] if len(of[k]) >= _FEW else everywhere)) for k in looks]

    def last(self, light: Light) -> Reading:
        """The final places, of what stands the test and has come near them.

        What does not stand it hides nothing of the others: these are measured again without it.
        """
        bare, began = self._scene, list(self._standing)
        lit = levelled(bare, self._standing, self._fitter.staying, light)
        self._fitter = replace(self._fitter, scene=lit)
        fits = [
            self._fitter.fit(
                self._standing, n, light, rounds=6, margin_px=MARGIN_PX, hub=HUB, chequered=False
            )
            for n in range(len(self._standing))
        ]
        usual = self._usual(fits)
        stays = [n for n, f in enumerate(fits) if f is not None and self._stands(n, f, usual[n])]
        gone = [n for n in range(len(fits)) if n not in stays]
        self._refused += [self._guesses[n] for n in gone if self._is_none(n, fits[n], usual[n])]
        if any(began[n] in beside(began, k) for n in gone for k in stays):
            self._fitter = replace(self._fitter, scene=bare)
            self._only(stays)
            self.come_near(light)
            return self.last(light)
        self._standing = [moved(s, f) for s, f in zip(self._standing, fits, strict=True)]
        found = tuple(
            Found(look=self._guesses[n].look, fit=self._settled(n, light, f))
            for n, f in enumerate(fits)
            if f is not None and n in stays
        )
        return Reading(found=found, refused=tuple(self._refused), light=light)

    def _stands(self, n: int, found: Fit, usual: float) -> bool:
        """Whether number `n` is a piece that lies where `found` says."""
        if not self._rests(n, found):
            return False
        hand = self._scene.hand_about(found.x_mm, found.y_mm)
        return stands(self._guesses[n], found, usual, hand=hand)

    def _is_near(self, n: int, found: Fit, usual: float) -> bool:
        hand = self._scene.hand_about(found.x_mm, found.y_mm)
        return is_near(self._guesses[n], found, usual, hand=hand)

    def _is_none(self, n: int, found: Fit | None, usual: float) -> bool:
        """Whether it leaves no doubt that number `n`, which does not stand, is no piece."""
        return found is None or not self._rests(n, found) or is_none(found, usual)

    def _rests(self, n: int, found: Fit) -> bool:
        return rests_at(self._scene.view, self._guesses[n].look, found.x_mm, found.y_mm)

    def _settled(self, n: int, light: Light, found: Fit) -> Fit:
        """`found` of number `n`, looked at closely, by pixels to be believed, and by its colour."""
        scene, me = self._scene, self._standing[n]
        others = self._fitter.beside(self._standing, n)
        scene, found = cleared(scene, found, me, others, light)
        found = blurred(scene, found, me, others, light)
        found = closely(scene, found, me, others, light)
        return drawn_by_hue(scene, settle(scene, found, me, others, light), me, others, light)

    def _doubted(self, n: int, light: Light, best: Fit | None) -> Fit | None:
        """The place of a piece that does not fit well, from other starts too."""
        me = self._standing[n]
        aside = [
            start
            for start in self._ran_to(n) or (*self._starts(n), *about(me))
            if apart_mm(start, me) >= SAME_MM
        ]
        found: Fit | None = None
        for here in self._fitter.from_each(self._standing, n, light, (me, *aside)):
            found = self._judge.better(self._guesses[n], me.body, found, here)
        return found or best

    def _ran_to(self, n: int) -> list[Standing]:
        """Where pieces like number `n` were followed to, if to about there."""
        me, look = self._standing[n], self._guesses[n].look
        return [
            me.at(at.x_mm, at.y_mm)
            for other, at in self._followed
            if other == look and at.distance_mm(Point(me.x_mm, me.y_mm)) < _FOLLOWED_MM
        ]

    def _starts(self, n: int) -> list[Standing]:
        """Where number `n` may stand if its guess has taken the foot's edge for the top's."""
        here, foot, top = self._top_or_foot(n, self._guesses[n])
        return [top, *others_than(top, [here, foot])]

    def _top_or_foot(self, n: int, at: Standing | Guess) -> list[Standing]:
        return top_or_foot(self._camera, self._standing[n], Point(at.x_mm, at.y_mm))

    def _keep(self, fits: Sequence[Fit | None], least: float) -> None:
        kept = [
            n
            for n, f in enumerate(fits)
            if f is not None and (f.explained > least or self._shows(self._guesses[n]))
        ]
        self._refused += [g for n, g in enumerate(self._guesses) if n not in kept]
        self._standing = [moved(s, f) for s, f in zip(self._standing, fits, strict=True)]
        self._only(kept)

    def _shows(self, guess: Guess) -> bool:
        """Whether it shows too well to be dropped by what a fit explains of the board about it."""
        if is_sure(guess):
            return True
        return runs_round(guess) and self._scene.hand_about(guess.x_mm, guess.y_mm)

    def _only(self, kept: Sequence[int]) -> None:
        """Leave out all but the numbers `kept`; those that are left are numbered anew."""
        self._standing = [self._standing[n] for n in kept]
        self._guesses = [self._guesses[n] for n in kept]
        self._begun = [self._begun[n] for n in kept]

    def _again(self, n: int, light: Light) -> Fit | None:
        """The best place in a light that is known: from where it is held to be, and about it."""
        me = self._standing[n]
        best: Fit | None = None
        for start in (me, *others_than(me, self._starts(n))):
            found = self._fitter.fit(
                [*self._standing[:n], start, *self._standing[n + 1 :]],
                n,
                light,
                rounds=3,
                pull=True,
                loose=True,
            )
            best = self._judge.better(self._guesses[n], me.body, best, found)
        return best


def _is_doubted(found: Fit | None, usual: float) -> bool:
    """Whether a first fit is not good enough, and yet may become it from another start."""
    if found is None:
        return True
    well = found.explained > _WELL and found.noise < NOISY * usual
    return not well and not is_hopeless(found, usual)


def _standing(scene: Scene, taught: Taught, look: int, x_mm: float, y_mm: float) -> Standing:
    view = scene.view
    return Standing(
        body=view.pieces[look].body,
        x_mm=x_mm,
        y_mm=y_mm,
        rings=taught.rings[look],
        paint=view.paints[look],
    )
