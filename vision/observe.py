"""What one settled picture shows: pieces with their places, line tests, a hand over the surface."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import Relit, relight
from calibration.silhouette import Floats32
from calibration.table import Table
from rules.geometry import Point
from vision.crossings import crossings
from vision.detect import Guess, choose, edges_of, find
from vision.frame import Observation, Picture, SeenPiece
from vision.hand import hands
from vision.lattice.read import read_lattice
from vision.light import DIFFUSE, Cushions, Light, Standing, Surroundings, estimate_light
from vision.line_tests import line_tests
from vision.stand import BLUR_PX, Fit, cut, fit, reach_mm, telling_hue
from vision.view import View, view_of

NEIGHBOUR_MM = 26.0
FLOOR_MM = 0.12
NOISE_TIMES = 3.0
UNEXPLAINED_MM = 11.0
"""What a place's error is made of besides the pose's: measured on the reference tables."""

_GRAY = np.array([0.114, 0.587, 0.299], dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Scene:
    """One picture made ready: its difference to the empty board, and gray codes of both."""

    view: View
    relit: Relit
    seen: NDArray[np.float32]
    board: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    empty_light: Light = DIFFUSE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    guess: Guess
    standing: Standing
    fit: Fit | None


def observe(picture: Picture, table: Table) -> Observation:
    """All that `picture` (H, W, 3), BGR, shows of `table`: pieces, line tests, hand.

    `Observation.blind` says why, where the picture cannot be read.
    """
    why = _unreadable(picture, table)
    if why is not None:
        return Observation(blind=why)
    if table.board.lattices:
        return read_lattice(picture, table)
    view = view_of(table)
    relit = relight(picture, table.empty, view.box, view.surface)
    edges = edges_of(relit, view.surface)
    guesses = find(view, relit, edges)
    hand = hands(view, relit, edges, guesses, crossings(picture, table))
    scene = _Scene(
        view=view,
        relit=relit,
        seen=_gray(relit.picture),
        board=_gray(relit.board),
        hidden=hand.mask,
        empty_light=_empty_light(view),
    )
    found = _stand(scene, choose(view, guesses))
    pieces = tuple(_seen(view, f) for f in found)
    return Observation(
        pieces=pieces,
        line_tests=line_tests(table, pieces),
        hand=hand.over_surface,
    )


def _empty_light(view: View) -> Light:
    """The empty picture's light, from the shadows in the teach picture, which was taken in it."""
    kept = view.table.memo.get("empty light")
    if isinstance(kept, Light):
        return kept
    light = DIFFUSE
    teach = view.table.teach
    if teach is not None:
        relit = relight(teach.picture, view.table.empty, view.box, view.surface)
        bodies = {(p.spec.kind, p.spec.colour): p.body for p in view.pieces}
        standing = [
            Standing(body=bodies[p.kind, p.colour], x_mm=p.at.x_mm, y_mm=p.at.y_mm)
            for p in teach.pieces
            if (p.kind, p.colour) in bodies
        ]
        scene = _Scene(
            view=view,
            relit=relit,
            seen=_gray(relit.picture),
            board=_gray(relit.board),
            hidden=np.zeros(view.surface.shape, dtype=np.bool_),
        )
        far_away = Cushions(half_x_mm=1e6, half_y_mm=1e6, height_mm=0.0)
        light = estimate_light(_around(scene, standing, range(len(standing))), far_away)
    view.table.memo["empty light"] = light
    return light


def _gray(codes: Floats32) -> Floats32:
    """(h, w, 3) codes -> (h, w) gray codes."""
    return np.asarray(cv2.transform(codes, _GRAY[None]), dtype=np.float32)


def _unreadable(picture: Picture, table: Table) -> str | None:
    lens = table.camera.lens
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        return "the picture is not in colour"
    if picture.shape[:2] != (lens.height, lens.width):
        height, width = picture.shape[:2]
        camera = f"{lens.width} x {lens.height}"
        return f"the picture is {width} x {height}, but the table's camera takes {camera}"
    return None


def _stand(scene: _Scene, chosen: Sequence[Guess]) -> list[_Found]:
    """Measure where the chosen guesses stand.

    A shadow clings to its piece like more of it, so the first places come from colours that no
    shadow has; from these the light is read, with which the others come right too.
    """
    view = scene.view
    standing = [Standing(body=view.pieces[g.look].body, x_mm=g.x_mm, y_mm=g.y_mm) for g in chosen]
    hues = [telling_hue(view, scene.relit, s) for s in standing]
    first = [_settle(scene, standing, n, hues[n]) for n in range(len(standing))]
    standing = [_moved(s, f) for s, f in zip(standing, first, strict=True)]
    telling = [n for n, hue in enumerate(hues) if hue is not None]
    if len(telling) >= 3:
        light = estimate_light(_around(scene, standing, telling), view.cushions)
    else:
        light = _search_light(scene, standing)
    again = [_restart(scene, standing, n, chosen[n], light) for n in range(len(standing))]
    standing = [_moved(s, f) for s, f in zip(standing, again, strict=True)]
    light = estimate_light(_around(scene, standing, range(len(standing))), view.cushions)
    again = [_fit(scene, standing, n, light, rounds=3, pull=True) for n in range(len(standing))]
    standing = [_moved(s, f) for s, f in zip(standing, again, strict=True)]
    light = estimate_light(_around(scene, standing, range(len(standing))), view.cushions, light)
    last = [_fit(scene, standing, n, light, rounds=4) for n in range(len(standing))]
    return [
        _Found(guess=g, standing=_moved(s, f), fit=f)
        for g, s, f in zip(chosen, standing, last, strict=True)
        if f is not None and _stands(g, f)
    ]


def _lean(scene: _Scene, me: Standing) -> tuple[float, float]:
    """How far a piece's top seems shifted against its foot, as seen on the board, in mm."""
    top = np.array([[me.x_mm, me.y_mm, me.body.thickness_mm]])
    at = scene.view.table.camera.to_plane(scene.view.table.camera.project(top), 0.0)[0]
    return float(at[0] - me.x_mm), float(at[1] - me.y_mm)


def _settle(
    scene: _Scene, standing: Sequence[Standing], n: int, hue: NDArray[np.float64] | None
) -> Fit | None:
    """A first place, from three starts: a guess may have taken the foot's edge for the top's."""
    me = standing[n]
    lean = _lean(scene, me)
    best: Fit | None = None
    for part in (0.0, -1.0, 1.0):
        start = _shifted(me, part * lean[0], part * lean[1])
        moved = [*standing[:n], start, *standing[n + 1 :]]
        found = _fit(scene, moved, n, DIFFUSE, rounds=3, blur_px=1.0, hue=hue)
        if found is not None and (best is None or found.explained > best.explained):
            best = found
    return best


def _restart(
    scene: _Scene, standing: Sequence[Standing], n: int, guess: Guess, light: Light
) -> Fit | None:
    """The best place in a light that is known: from where the piece is held to be, and about it."""
    me = standing[n]
    lean = _lean(scene, me)
    there = Standing(body=me.body, x_mm=guess.x_mm, y_mm=guess.y_mm)
    starts = [me]
    for other in (_shifted(there, lean[0], lean[1]), there, _shifted(there, -lean[0], -lean[1])):
        if all(np.hypot(other.x_mm - s.x_mm, other.y_mm - s.y_mm) > 0.8 for s in starts):
            starts.append(other)
    best: Fit | None = None
    for start in starts:
        moved = [*standing[:n], start, *standing[n + 1 :]]
        found = _fit(scene, moved, n, light, rounds=3, pull=True)
        if found is not None and (best is None or found.explained > best.explained):
            best = found
    return best


def _shifted(me: Standing, x_mm: float, y_mm: float) -> Standing:
    return Standing(body=me.body, x_mm=me.x_mm + x_mm, y_mm=me.y_mm + y_mm)


def _search_light(scene: _Scene, standing: Sequence[Standing]) -> Light:
    """One lamp, tried all around, by how well the freest pieces fit in its light."""
    order = sorted(range(len(standing)), key=lambda n: len(_beside(standing, n)))[:6]
    best, light = -np.inf, DIFFUSE
    for reach, share in ((0.0, 0.0), (0.25, 0.7), (0.6, 0.6)):
        for angle in np.arange(8 if reach else 1) * np.pi / 4:
            lean = reach * np.array([[np.cos(angle), np.sin(angle)]])
            tried = Light(
                lean=lean, spread=np.full(len(lean), 0.12), share=np.array([share]), nearness=5e-4
            )
            fits = [_fit(scene, standing, n, tried, rounds=3, pull=True) for n in order]
            worth = float(np.sum([f.explained for f in fits if f is not None]))
            if worth > best:
                best, light = worth, tried
    return light


def _stands(guess: Guess, found: Fit) -> bool:
    least = 0.66 if found.visible > 0.9 else 0.72
    return (
        found.explained > least and np.hypot(found.x_mm - guess.x_mm, found.y_mm - guess.y_mm) < 6
    )


def _moved(standing: Standing, found: Fit | None) -> Standing:
    if found is None or np.hypot(found.x_mm - standing.x_mm, found.y_mm - standing.y_mm) > 6:
        return standing
    return Standing(body=standing.body, x_mm=found.x_mm, y_mm=found.y_mm)


def _beside(standing: Sequence[Standing], n: int) -> list[Standing]:
    me = standing[n]
    return [
        s
        for k, s in enumerate(standing)
        if k != n
        and np.hypot(s.x_mm - me.x_mm, s.y_mm - me.y_mm)
        < s.body.radius_mm + me.body.radius_mm + NEIGHBOUR_MM
    ]


def _fit(
    scene: _Scene,
    standing: Sequence[Standing],
    n: int,
    light: Light,
    rounds: int,
    blur_px: float = BLUR_PX,
    pull: bool = False,
    hue: NDArray[np.float64] | None = None,
) -> Fit | None:
    others = _beside(standing, n)
    patch = cut(
        scene.view,
        scene.seen,
        scene.board,
        scene.relit,
        standing[n],
        others,
        scene.hidden,
        hue=hue,
        empty_light=scene.empty_light,
    )
    if patch is None:
        return None
    return fit(
        scene.view, patch, standing[n], others, light, rounds=rounds, blur_px=blur_px, pull=pull
    )


def _around(
    scene: _Scene, standing: Sequence[Standing], numbers: Iterable[int], most: int = 14
) -> list[Surroundings]:
    """The board about the pieces that stand freest, for reading the light off their shadows."""
    view = scene.view
    around = []
    board = view.table.board
    inner = [
        n
        for n in numbers
        if abs(standing[n].x_mm) < board.width_mm / 2 - 55
        and abs(standing[n].y_mm) < board.height_mm / 2 - 55
    ]
    order = sorted(inner if len(inner) >= 5 else numbers, key=lambda n: len(_beside(standing, n)))
    for n in order[:most]:
        me = standing[n]
        others = _beside(standing, n)
        patch = cut(
            view,
            scene.seen,
            scene.board,
            scene.relit,
            me,
            others,
            scene.hidden,
            margin_px=13.0,
            empty_light=scene.empty_light,
        )
        if patch is None:
            continue
        free = np.ones(len(patch.seen), dtype=bool)
        for piece in (me, *others):
            free &= reach_mm(patch.foot, patch.drift, patch.origin, piece) * view.scale > 1.0
        free &= np.arange(len(free)) % 2 == 0
        if free.sum() < 60:
            continue
        expected = np.maximum(patch.board[free], 0.4)
        seen = patch.seen[free] / expected
        level = float(np.quantile(seen, 0.8))
        usual = np.abs(seen / level - 0.6) < 0.7
        around.append(
            Surroundings(
                pieces=(me, *others),
                foot=patch.foot[free],
                seen=seen / level,
                weight=usual * expected / expected.max(),
            )
        )
    return around


def _error_mm(noise: float, pose: float, explained: float) -> float:
    """One standard deviation per axis, from the fit's variance by noise alone and what it leaves.

    Rims are rounded and shine, and light is never known fully: residuals are not noise alone.
    """
    left = UNEXPLAINED_MM * (1 - explained) ** 2
    return float(np.sqrt(NOISE_TIMES**2 * noise + pose**2 + FLOOR_MM**2 + left**2))


def _seen(view: View, found: _Found) -> SeenPiece:
    assert found.fit is not None
    spec = view.pieces[found.guess.look].spec
    pose = view.table.pose_error.at(found.fit.x_mm, found.fit.y_mm, spec.thickness_mm)
    noise = float(np.trace(found.fit.covariance)) / 2
    return SeenPiece(
        kind=spec.kind,
        colour=spec.colour,
        at=Point(found.fit.x_mm, found.fit.y_mm),
        error_mm=_error_mm(noise, pose, found.fit.explained),
        visible=found.fit.visible,
        confidence=float(np.clip(found.fit.explained, 0, 1)),
    )
