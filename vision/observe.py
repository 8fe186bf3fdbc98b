"""What one settled picture shows: pieces with their places, line tests, a hand over the surface."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from calibration.pose import PoseError
from calibration.relight import Relit, relight
from calibration.table import Table
from rules.facts import Piece
from rules.geometry import Point
from vision.appearance.light import DIFFUSE, Light
from vision.appearance.scene import BLUR_PX, Scene, scene_of
from vision.appearance.teaching import taught_of
from vision.appearance.tints import softened
from vision.appearance.view import View, view_of
from vision.detection.covered_parts import Covers
from vision.detection.crossings import Crossing, crossings
from vision.detection.detect import Guess, choose, find
from vision.detection.edges import Edges, edges_of
from vision.detection.hand import hands
from vision.detection.rims import wider
from vision.detection.skin import hand_by_colour
from vision.detection.unhidden import by_what_shows
from vision.frame import Observation, Picture, SeenPiece
from vision.lattice.read import read_after
from vision.lattice.remembered import Remembered
from vision.line_tests import line_tests
from vision.localisation.board_focus import board_is_sharp
from vision.localisation.focus import blur_about
from vision.localisation.places import Found, measure, measure_among
from vision.localisation.stand import Fit
from vision.localisation.staying import Staying, unchanged

FLOOR_MM = 0.08
NOISE_TIMES = 3.4
UNEXPLAINED_MM = 0.12
"""What a place's error is made of besides the pose's: at least so much, so many times what noise
makes of it, and so much for each squared code left over, by the share that is not explained."""

PER_BLUR = 0.6
"""How much of the blur that a piece is seen in, beyond that of the camera, its place errs."""

PER_CAMERAS_BLUR = 0.15
"""The same of the camera's own blur, beyond the usual: what it was taught with has that as well."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """A closer look: what was observed, and what the next look at the same table can build on."""

    seen: Observation
    scene: Scene | None = None
    found: tuple[Found, ...] = ()
    refused: tuple[Guess, ...] = ()
    light: Light = DIFFUSE
    remembered: Remembered | None = None


_UNKNOWN_MM, _SHORT_RIM, _GUESSED_MM = 1.5, 0.65, 2.5
"""A place known no better, where a hand hides things, is not known; a piece of which no more shows
is known less well than its fit says; and one whose place is known no better then is a guess."""


def observe(picture: Picture, table: Table) -> Observation:
    """All that `picture` (H, W, 3), BGR, shows of `table`: pieces, line tests, hand.

    `Observation.blind` says why, where the picture cannot be read.
    """
    return look(picture, table).seen


def look(
    picture: Picture, table: Table, before: Look | None = None, followed: Sequence[Piece] = ()
) -> Look:
    """`observe`, measuring anew only what has changed since `before` (of the same table).

    `followed` are pieces where they have been followed to meanwhile: good places to begin at.
    """
    why = _unreadable(picture, table)
    if why is not None:
        return Look(seen=Observation(blind=why))
    if table.board.lattices:
        seen, remembered = read_after(picture, table, before.remembered if before else None)
        return Look(seen=seen, remembered=remembered)
    view = view_of(table)
    taught = taught_of(view)
    relit = relight(picture, table.empty, view.box, view.surface)
    edges = edges_of(relit, view.surface)
    arms = crossings(picture, table)
    guesses: list[Guess] | None = None
    hidden = np.zeros(view.surface.shape, dtype=np.bool_)
    if arms:
        guesses, hidden = _beside_arms(view, relit, edges, arms)
    scene = scene_of(
        view,
        relit,
        hidden,
        sharpness=taught.sharpness,
        empty_light=taught.light,
        hand=bool(arms),
    )
    staying = Staying()
    if before is not None and before.scene is not None:
        staying = unchanged(before.scene, scene, before.found, before.refused)
    among = [(f.look, f.fit.x_mm, f.fit.y_mm) for f in staying.found]
    if guesses is None:
        guesses = find(view, relit, edges, among=among)
    if staying.found and before is not None:
        new = staying.without_refused(choose(view, guesses, among=among))
        read = measure_among(
            scene,
            edges,
            taught,
            new,
            staying.found,
            before.light,
            followed=_by_look(view, followed),
        )
    else:
        read = measure(scene, edges, taught, choose(view, guesses))
    found = (*staying.found, *read.found)
    pieces = tuple(_seen(scene, f, _blur_px(scene, f, found)) for f in found)
    if arms:
        pieces = _beside_a_hand(pieces)
    whole: NDArray[np.bool_] | None = None
    if hidden.any():
        whole = np.zeros(picture.shape[:2], dtype=np.bool_)
        whole[view.box.rows_columns] = hidden
    seen = Observation(
        pieces=pieces,
        line_tests=line_tests(table, pieces),
        hand=bool(arms),
        hidden=whole,
    )
    return Look(
        seen=seen,
        scene=scene,
        found=found,
        refused=(*staying.refused, *read.refused),
        light=read.light,
    )


class Looker:
    """`observe` for a camera that stays where it is: each look builds on the one before."""

    def __init__(self) -> None:
        self._before: Look | None = None
        self._table: Table | None = None

    def __call__(
        self, picture: Picture, table: Table, followed: Sequence[Piece] = ()
    ) -> Observation:
        before = self._before if self._table is table else None
        now = look(picture, table, before, followed)
        if now.scene is not None or now.remembered is not None:
            self._before, self._table = now, table
        return now.seen


def _unreadable(picture: Picture, table: Table) -> str | None:
    lens = table.camera.lens
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        return "the picture is not in colour"
    if picture.shape[:2] != (lens.height, lens.width):
        height, width = picture.shape[:2]
        camera = f"{lens.width} x {lens.height}"
        return f"the picture is {width} x {height}, but the table's camera takes {camera}"
    return None


def _beside_arms(
    view: View, relit: Relit, edges: Edges, arms: Sequence[Crossing]
) -> tuple[list[Guess], NDArray[np.bool_]]:
    """Guesses, judged by what shows of them, and (h, w) what the arms hide, of pieces as well."""
    guesses = find(view, relit, edges)
    soft = softened(relit.picture)
    covers = Covers(view, relit, soft, edges, hands(view, relit, edges, guesses, arms))
    guesses = covers.judged(guesses)
    hidden = hands(view, relit, edges, guesses, arms)
    hidden |= hand_by_colour(view, relit, soft, hidden, choose(view, guesses))
    guesses = by_what_shows(view, edges, guesses, wider(hidden))
    return guesses, hidden | covers.hidden(choose(view, guesses))


def place_error_mm(fit: Fit, pose_mm: float, blur_mm: float) -> float:
    """One standard deviation per axis, from the fit's variance by noise alone and what it leaves.

    Rims are rounded and shine, and light is never known fully: residuals are not noise alone. A
    piece among others, or as pale as the board, leaves little to explain: there the share that is
    not explained says little by itself, and counts by how much light it is.
    `blur_mm`: by how much it errs for being seen blurred.
    """
    noise_mm = NOISE_TIMES * float(np.sqrt(np.trace(fit.covariance) / 2))
    left_mm = UNEXPLAINED_MM * (1 - fit.explained) * fit.left**2
    return hypot(FLOOR_MM, noise_mm, pose_mm, left_mm, blur_mm)


def _beside_a_hand(pieces: Sequence[SeenPiece]) -> tuple[SeenPiece, ...]:
    """Those whose place is known at all; the less of one shows, the less well it is known.

    What is taken for a finger's and is the piece's, or the other way about, moves its place by more
    than the fit can say, and the more so the shorter the rim that is left. The next look may
    still begin at the fit of what is left out here.
    """
    known = [
        replace(piece, error_mm=piece.error_mm / piece.visible)
        if piece.visible < _SHORT_RIM
        else piece
        for piece in pieces
        if piece.error_mm < _UNKNOWN_MM
    ]
    return tuple(piece for piece in known if piece.error_mm < _GUESSED_MM)


def _by_look(view: View, pieces: Sequence[Piece]) -> list[tuple[int, Point]]:
    """Each piece's place, with the number of its look."""
    number = {(look.spec.kind, look.spec.colour): n for n, look in enumerate(view.pieces)}
    return [(number[p.kind, p.colour], p.at) for p in pieces if (p.kind, p.colour) in number]


def _blur_px(scene: Scene, one: Found, found: Sequence[Found]) -> float:
    """The blur in which `one` of those `found` is seen: none where the board beside it is sharp."""
    blur = blur_about(one.fit, [other.fit for other in found])
    if blur <= scene.blur_px:
        return blur
    discs = [(f.fit.x_mm, f.fit.y_mm, scene.view.pieces[f.look].body.radius_mm) for f in found]
    sharp = board_is_sharp(scene, discs, one.fit.x_mm, one.fit.y_mm)
    return scene.blur_px if sharp else blur


def blur_error_px(blur_px: float, cameras_px: float) -> float:
    """By how much a piece errs that is seen in a blur, by a camera with one of its own."""
    own = sqrt(max(cameras_px**2 - BLUR_PX**2, 0.0))
    beyond = sqrt(max(blur_px**2 - cameras_px**2, 0.0))
    return hypot(PER_CAMERAS_BLUR * own, PER_BLUR * beyond)


def _seen(scene: Scene, found: Found, blur_px: float) -> SeenPiece:
    view = scene.view
    spec = view.pieces[found.look].spec
    pose = _pose_mm(view.table.pose_error, found.fit.x_mm, found.fit.y_mm, spec.thickness_mm)
    blur_mm = blur_error_px(blur_px, scene.blur_px) / view.scale
    return SeenPiece(
        kind=spec.kind,
        colour=spec.colour,
        at=Point(found.fit.x_mm, found.fit.y_mm),
        error_mm=place_error_mm(found.fit, pose, blur_mm),
        visible=found.fit.visible,
        confidence=float(np.clip(found.fit.explained, 0, 1)),
    )


@lru_cache(maxsize=256)
def _pose_mm(error: PoseError, x_mm: float, y_mm: float, z_mm: float) -> float:
    """`PoseError.at`: of what stays it is asked for in each look."""
    return error.at(x_mm, y_mm, z_mm)
