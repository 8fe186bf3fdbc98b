"""Where discs and rings may stand: votes of the picture's edges that the empty board does not have.

Every edge pixel of the difference to the relit empty board votes for the centres of discs whose
top rim would run through it, one radius off along its gradient, in millimetres on the plane of the
tops, where a disc is a true circle wherever it stands (a Hough transform with gradient, as in
Ballard 1981). Hypotheses are then judged by how much of their rim shows and by their colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import Look, sample, top_points
from calibration.relight import Relit, to_light
from calibration.silhouette import Body, Floats32
from vision.appearance.view import View
from vision.detection.edges import Edges
from vision.detection.resting import GUESSED_MM, can_rest
from vision.detection.rims import Mask, rim_shown

_CELL_MM = 1.0
_VOTES = 2.5  # an edge so many times stronger than the noise votes,
_FULL_VOTE = 6.0  # and one so strong with its full weight
_MANY = 0.22  # of the votes that a whole rim has: fewer are no piece's
_MOST_PEAKS, _PEAK_CELLS = 400, 2  # places looked at; so far about each its votes are gathered
_FAINT_BONUS = 0.13
_ROUND_ENOUGH = 0.92
_LEAST, _LEAST_OF_PALE = 0.72, 0.6  # a score; and that of a piece in the board's own colour
_PALE, _OWN_COLOUR = 0.15, 1.5  # so little change, in a colour that is its own
_OVERLAP_MM = 4.0  # tops may touch but not overlap by more (a guess is that good)
_CLIMB_MM, _CLIMB_STEP_MM, _CLIMB_GAIN = 9.0, 1.0, 0.02
_PER_MM = 0.01  # that it costs to climb, where few bearings may run round by chance
_SHADES = ((1.0, 0.0), (1.25, 0.3), (0.8, 0.2), (0.6, 0.5), (0.45, 0.8), (0.3, 1.1))
"""How much of the board's light a top may get (a shadow, a lamp nearer by), and at what price."""


RUNS_ROUND = 0.8
"""`Guess.round` of a piece: about a finger, or by chance, edges do not run so."""

Taken = tuple[int, float, float]
"""(look, x_mm, y_mm) of a piece that is known to stand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A disc that may stand at (x, y): number `look` of the view's looks.

    `rim` and `bore` are the shares of its rim's and its hole's bearings that show an edge, `round`
    that of both at which even a faint edge runs as they run, `colour` how far its top's colour is
    from the look's (in standard deviations), `change` how far the top is from the empty board.
    """

    look: int
    x_mm: float
    y_mm: float
    rim: float
    bore: float
    colour: float
    change: float
    shine: float = 0.0
    round: float = 0.0

    @property
    def score(self) -> float:
        """What speaks for a piece: strong edges, or faint ones that run round as no other does."""
        strong = 0.75 * self.rim + 0.25 * self.bore
        return max(strong, self.round + _FAINT_BONUS) - 0.05 * self.colour

    @property
    def may_be_one(self) -> bool:
        """Whether it is worth measuring: one as pale as the board cannot show much of its rim."""
        pale = self.change < _PALE and self.colour < _OWN_COLOUR
        return self.score > (_LEAST_OF_PALE if pale else _LEAST)


def find(
    view: View,
    relit: Relit,
    edges: Edges,
    reach_mm: float = 6.0,
    among: Sequence[Taken] = (),
) -> list[Guess]:
    """Discs that may stand on the surface, in no order; several guesses may share one place.

    What would stand in one of `among` is left out: `choose` would not take it.
    """
    margin = reach_mm
    guesses: list[Guess] = []
    groups: dict[tuple[float, float, float], list[int]] = {}
    for n, look in enumerate(view.pieces):
        body = look.body
        groups.setdefault((body.radius_mm, body.thickness_mm, body.hole_mm), []).append(n)
    rows, columns = np.nonzero(edges.strength > _VOTES * edges.noise)
    u0, v0 = relit.box.u0, relit.box.v0
    planes = view.rays.planes[:, rows + v0, columns + u0]
    gu, gv = edges.gu[rows, columns], edges.gv[rows, columns]
    strength = edges.strength[rows, columns]
    weight = np.minimum(strength / (_FULL_VOTE * edges.noise), 1.0)
    normals = _to_board(view, gu, gv)
    for (radius, thickness, _), members in groups.items():
        spots = _vote(view, planes, thickness, normals, weight, radius, margin)
        spots = spots[can_rest(view.table.board, spots, radius, GUESSED_MM, GUESSED_MM)]
        spots = spots[_clear_of(view, among, spots, radius)]
        if not len(spots):
            continue
        look = view.pieces[members[0]]
        rim, run = rim_shown(view, edges, look.body, look.body.radius_mm, spots)
        keep = (rim > 0.4) | (run > 0.4)
        spots, rim, run = spots[keep], rim[keep], run[keep]
        if not len(spots):
            continue
        bore, run = _with_bore(view, edges, look.body, spots, rim, run)
        for n in members:
            colour, change, shine = colours(view, relit, view.pieces[n], spots)
            guesses.extend(
                Guess(
                    look=n,
                    x_mm=float(at[0]),
                    y_mm=float(at[1]),
                    rim=float(r),
                    bore=float(b),
                    colour=float(c),
                    change=float(d),
                    shine=float(s),
                    round=float(o),
                )
                for at, r, b, o, c, d, s in zip(
                    spots, rim, bore, run, colour, change, shine, strict=True
                )
            )
    return guesses


def _to_board(view: View, gu: Floats32, gv: Floats32) -> Floats32:
    """(2, N) unit normals on the board of edges with picture gradients (gu, gv), roughly."""
    table = view.table
    at = table.camera.project(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))
    steps = (at[1:] - at[0]).astype(np.float32)
    normals = steps @ np.stack([gu, gv])
    normals /= np.maximum(np.hypot(*normals), np.float32(1e-9))
    return np.asarray(normals, dtype=np.float32)


def _vote(
    view: View,
    planes: Floats32,
    thickness: float,
    normals: Floats32,
    weight: Floats32,
    radius: float,
    margin: float,
) -> Floats:
    """(K, 2) places in mm where many edges agree on a centre, best first.

    `planes` (4, N) as in `RayMap`, `normals` (2, N) and `weight` (N,) are of the edge pixels. The
    side of a piece that faces away from the camera ends at its top; the side towards it may show
    the top's edge or the foot's.
    """
    board = view.table.board
    half_x, half_y = board.width_mm / 2 + margin, board.height_mm / 2 + margin
    columns, rows = int(2 * half_x / _CELL_MM) + 1, int(2 * half_y / _CELL_MM) + 1
    away = planes[2] * normals[0] + planes[3] * normals[1]
    runs = np.float32(radius / _CELL_MM) * normals
    middle = np.array([[half_x], [half_y]], dtype=np.float32)
    feet = (planes[:2] + middle) / np.float32(_CELL_MM)
    tops = feet + np.float32(thickness / _CELL_MM) * planes[2:]
    places, shares = [], []
    for side in (np.float32(-1), np.float32(1)):
        # The centre lies on this side of the edge, so the outward normal is the other way.
        near = np.flatnonzero(side * away >= 0)
        share = weight.copy()
        share[near] *= 0.5
        places += [tops + side * runs, feet[:, near] + side * runs[:, near]]
        shares += [share, share[near]]
    cells = _counted(np.concatenate(places, axis=1), np.concatenate(shares), rows, columns)
    soft = cv2.GaussianBlur(cells, (0, 0), 1.4)
    # One for a whole rim: the blur spreads a vote over 2 pi 1.4^2 cells.
    votes = np.asarray(soft * (1.4**2 / (radius * view.scale)), dtype=np.float32)
    top = cv2.dilate(votes, np.ones((5, 5), dtype=np.uint8)).ravel()
    many = np.flatnonzero(votes > _MANY)
    peaks = many[votes.ravel()[many] >= top[many]]
    best = peaks[np.argsort(-votes.ravel()[peaks])[:_MOST_PEAKS]]
    return (_centroids(votes, *np.divmod(best, columns)) + 0.5) * _CELL_MM - (half_x, half_y)


def _counted(at: Floats32, votes: Floats32, rows: int, columns: int) -> Floats32:
    """(rows, columns) the sum of the `votes` (N,) whose place `at` (2, N) lies in each cell."""
    np.floor(at, out=at)
    at += np.float32(1)  # a cell more on each side takes those that lie outside
    column, row = np.clip(at, 0, np.array([[columns + 1], [rows + 1]], dtype=np.float32), out=at)
    wide = columns + 2
    row *= np.float32(wide)
    row += column
    cells = np.bincount(row.astype(np.intp), weights=votes, minlength=wide * (rows + 2))
    return cells.reshape(rows + 2, wide)[1:-1, 1:-1].astype(np.float32)


def _centroids(votes: Floats32, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
    """(K, 2) column and row, to fractions, of the middle of the `votes` about K peaks."""
    far = _PEAK_CELLS
    aside, down = np.meshgrid(np.arange(-far, far + 1), np.arange(-far, far + 1))
    row, column = rows[:, None] + down.ravel(), columns[:, None] + aside.ravel()
    high, wide = votes.shape
    inside = (row >= 0) & (row < high) & (column >= 0) & (column < wide)
    parts = np.where(inside, votes[row % high, column % wide], 0).astype(np.float64)
    parts = np.maximum(parts - 0.5 * parts.max(axis=1, keepdims=True), 0)
    off = np.stack([(parts * aside.ravel()).sum(axis=1), (parts * down.ravel()).sum(axis=1)])
    return np.asarray(np.stack([columns, rows], axis=1) + (off / parts.sum(axis=1)).T)


def _with_bore(
    view: View, edges: Edges, body: Body, spots: Floats, rim: Floats, run: Floats
) -> tuple[Floats, Floats]:
    """`Guess.bore` and `Guess.round` at each of `spots`, from what `rim_shown` says of the rim."""
    if body.hole_mm == 0:
        return rim, run
    bore, about = rim_shown(view, edges, body, body.hole_mm, spots)
    return bore, 0.75 * run + 0.25 * about


def climbed(view: View, edges: Edges, guess: Guess, hidden: Mask | None = None) -> Guess:
    """`guess` moved to where, within some millimetres, the edges run round it best.

    At a shadow's edge or a cushion's, strong edges add to a rim's without running round with it.
    Those `hidden` (h, w) by a hand are the hand's own.
    """
    if guess.round > _ROUND_ENOUGH:
        return guess
    body = view.pieces[guess.look].body
    steps = np.arange(-_CLIMB_MM, _CLIMB_MM + 0.1, _CLIMB_STEP_MM)
    around = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    spots = around + np.array([guess.x_mm, guess.y_mm])
    rim, run = rim_shown(view, edges, body, body.radius_mm, spots, hidden=hidden)
    bore, run = _with_bore(view, edges, body, spots, rim, run)
    worth = run
    if hidden is not None:
        rim = np.maximum(rim, rim_shown(view, edges, body, body.radius_mm, spots)[0])
        worth = run - _PER_MM * np.hypot(*around.T)
    best = int(np.argmax(worth))
    if worth[best] < guess.round + _CLIMB_GAIN:
        return guess
    return replace(
        guess,
        x_mm=float(spots[best, 0]),
        y_mm=float(spots[best, 1]),
        rim=float(rim[best]),
        bore=float(bore[best]),
        round=float(run[best]),
    )


def colours(view: View, relit: Relit, look: Look, places: Floats) -> tuple[Floats, Floats, Floats]:
    """How far the tops at (N, 2) places are from the look and from the board beneath, and shine.

    Each (N,). The top may reflect a lamp: any non-negative share of the light's own colour is
    allowed on top of the look's colour, at a small price.
    """
    body = look.body
    offsets = top_points(body)
    n, k = len(places), len(offsets)
    at = (places[:, None, :] + offsets[None]).reshape(-1, 2)
    px = view.table.camera.project(
        np.concatenate([at, np.full((n * k, 1), body.thickness_mm)], axis=1)
    )
    u0, v0 = relit.box.u0, relit.box.v0
    seen = to_light(sample(relit.picture, px, u0, v0)).reshape(n, k, 3)
    board = to_light(sample(relit.board, px, u0, v0)).reshape(n, k, 3)
    gain = sample(relit.gain, px, u0, v0).reshape(n, k, 3).mean(axis=1) ** 2.2
    middle = np.median(seen, axis=1)
    white = gain * view.looks.white
    # The taught piece may itself have shone: as much may be missing here.
    least = -min(0.9 * float(np.min(np.array(look.light) / view.looks.white)), 0.15)
    off = np.full(n, np.inf)
    shine = np.zeros(n)
    for shade, price in _SHADES:
        expected = shade * np.array(look.light)[None] * gain
        lamp = max(shade, 0.5) * white
        # Errors: in proportion to the light, and a floor for the camera's noise and stray light.
        sigma = np.hypot(look.spread * expected, 0.12 * look.spread * lamp) + 0.004
        gloss = np.sum((middle - expected) * lamp / sigma**2, axis=1)
        gloss = np.maximum(gloss / np.sum(lamp**2 / sigma**2, axis=1), least * shade)
        model = expected + gloss[:, None] * lamp
        wide = sigma + 0.10 * np.maximum(gloss, 0)[:, None] * lamp
        away = np.sqrt(np.mean(((middle - model) / wide) ** 2, axis=1)) + price
        away += 1.5 * np.maximum(gloss, 0) + 3.0 * np.maximum(-gloss, 0)
        better = away < off
        off = np.where(better, away, off)
        shine = np.where(better, gloss, shine)
    change = np.median(np.linalg.norm(seen - board, axis=2), axis=1)
    return off, change / (np.linalg.norm(white, axis=1) + 1e-9), shine


def _clear_of(
    view: View, among: Sequence[Taken], places: Floats, radius_mm: float
) -> NDArray[np.bool_]:
    """(N,) whether a disc at each of (N, 2) places would stand in none of `among`."""
    clear = np.ones(len(places), dtype=np.bool_)
    for look, x_mm, y_mm in among:
        away = np.hypot(places[:, 0] - x_mm, places[:, 1] - y_mm)
        clear &= away > radius_mm + view.pieces[look].body.radius_mm - _OVERLAP_MM
    return clear


def choose(
    view: View,
    guesses: Sequence[Guess],
    among: Sequence[Taken] = (),
) -> list[Guess]:
    """The best that may be pieces and stand neither in each other nor in `among`, best first."""
    chosen: list[Guess] = []
    taken = [(view.pieces[look].body.radius_mm, x_mm, y_mm) for look, x_mm, y_mm in among]
    for guess in sorted(guesses, key=lambda g: -g.score):
        if not guess.may_be_one:
            continue
        radius = view.pieces[guess.look].body.radius_mm
        clear = all(
            np.hypot(guess.x_mm - x_mm, guess.y_mm - y_mm) > radius + other - _OVERLAP_MM
            for other, x_mm, y_mm in taken
        )
        if clear:
            chosen.append(guess)
            taken.append((radius, guess.x_mm, guess.y_mm))
    return chosen
