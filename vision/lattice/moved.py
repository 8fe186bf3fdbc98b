"""A board that lies elsewhere in the picture than when the table was set up.

Whether it seems to is told by every picture at little cost: by how the quiet cells, or the wood
around quiet holes, have changed together. Where they have, paint and corners are measured, which
takes long, and the picture is turned back.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from math import cos, inf, radians, sin, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bump import Reference, Shift, bump_reference, guesses_px
from calibration.table import Table
from vision.frame import Observation, Picture
from vision.lattice.drifts import Drift, Drifting, drifting_of
from vision.lattice.fixed import Fixed
from vision.lattice.sampled import logs_of
from vision.lattice.shade import LOG, TURN

Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]
Read = Callable[[Picture], tuple[Observation, float | None]]
"""What is seen in a picture, and how far the board seems to lie elsewhere: beyond 1 too far; None
where a hand hides too much of it to tell."""

_STILL_PX = 0.15
"""What has moved by less at every corner of the board has not moved."""
_CELLS, _BEDS = (0.3, 1.35), (0.68, 2.0)
"""By how many pixels cells, or the wood around holes, which tells less well, move where pieces are
soon read amiss; and what looks so much more blurred than usual has moved by far more, or is out of
focus."""
_TURNED = 1.8
"""A board that turns moves so much farther at its farthest place before pieces are read amiss."""
_BOTH = 0.58
"""What has done both is told by this share of each."""
_SURELY, _NO_FARTHER = 0.65, 1.15
"""A board that seems to lie elsewhere by so little lies where it was; and so does one that seems to
by no more than so many times what another picture did in which it had stayed."""
_QUIET, _ENOUGH, _OTHER = 0.4, 8, 0.12
"""So many of the places, and how many at least, change least; where even these differ by so much in
log codes, something else is seen there."""
_HIDES_MOST = 0.9
_SOFTENED_PX = 0.6
_LAST, _SEEMED, _REFERENCE = "lattice moved by", "lattice seemed astray", "lattice in its place"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bed:
    """The wood around the places of a layer, whose samples are `ring`: its brightness `then` (N, P)
    on the empty board, and how that changes (3, N, P) where the board moves by a pixel to the left
    or up, or blurs (`modes`); each place's mean left out. As much `blur` is usual, for what was
    noise on the empty picture is not there in another; infinite where that is not known. `drifting`
    tells how the board has drifted."""

    ring: slice
    then: Floats32
    modes: Floats32
    drifting: Drifting
    blur: float

    def astray(self, codes: Codes, covered: Bools) -> float | None:
        """How far the board seems to lie elsewhere, by the `codes` (M, P, 3) of all samples of its
        places: beyond 1 too far. Those `covered` (P,) are not asked; None where these are most."""
        if hides_most(covered):
            return None
        other, drift = self.measured(codes, covered)
        return max(other / _OTHER, _astray(drift, drift.blur - self.blur, _BEDS))

    def measured(self, codes: Codes, covered: Bools) -> tuple[float, Drift]:
        """By how much quiet places differ, in log codes, and how the board has drifted; nothing
        where too few are to be seen."""
        change = _levelled(logs_of(codes[self.ring]) @ TURN[0]) - self.then
        squares = np.square(change).sum(axis=0)
        squares[covered] = np.inf
        many = int(_QUIET * (len(covered) - np.count_nonzero(covered)))
        if many < _ENOUGH:
            return 0.0, Drift()
        quiet = np.argsort(squares)[:many]
        drift = self.drifting.told(np.einsum("mnp,np->mp", self.modes, change), quiet)
        return sqrt(float(squares.take(quiet).mean()) / len(change)), drift


def bed_of(table: Table, fixed: Fixed) -> Bed:
    """The wood around the places of a layer of `table`."""
    ring = fixed.regions.ring
    level = cv2.GaussianBlur(LOG[table.empty] @ TURN[0], (0, 0), _SOFTENED_PX)
    right, down = (cv2.Sobel(level, cv2.CV_32F, *way, ksize=1, scale=0.5) for way in _WAYS)
    blurred = cv2.Laplacian(level, cv2.CV_32F, scale=0.25)
    pixels = fixed.regions.pixels.T[ring]
    modes = np.array([_levelled(np.take(mode, pixels)) for mode in (right, down, blurred)])
    products = np.einsum("mnp,knp->pmk", modes, modes).astype(np.float64)
    at_px = fixed.samples.at[ring].mean(axis=0, dtype=np.float64)
    bed = Bed(
        ring=ring,
        then=_levelled(logs_of(fixed.samples.codes(table.empty)[ring]) @ TURN[0]),
        modes=modes,
        drifting=drifting_of(at_px, products),
        blur=inf,
    )
    if table.teach is None:
        return bed
    codes = fixed.samples.codes(table.teach.picture)
    nothing = np.zeros(codes.shape[1], dtype=np.bool_)
    return replace(bed, blur=bed.measured(codes, nothing)[1].blur)


_WAYS = (1, 0), (0, 1)


def _levelled(values: Floats32) -> Floats32:
    """(N, P) values without each place's mean."""
    return np.asarray(values - values.mean(axis=0), dtype=np.float32)


def hides_most(covered: Bools) -> bool:
    """Whether too few places are seen to tell where the board lies, as those `covered` (P,) hide
    it."""
    return bool(covered.mean() > _HIDES_MOST)


def cells_astray(drift: Drift) -> float:
    """How far the board seems to lie elsewhere, as cells tell: beyond 1 too far."""
    return _astray(drift, drift.blur, _CELLS)


def _astray(drift: Drift, blur: float, bounds: tuple[float, float]) -> float:
    shares = max(drift.moved_px, drift.most_px / _TURNED) / bounds[0], blur / bounds[1]
    return max(*shares, min(shares) / _BOTH)


def read_moved(picture: Picture, table: Table, read: Read) -> Observation | None:
    """What can be read of a picture (H, W, 3), wherever the board lies in it by now.

    None where that cannot be found out. Each guess is tried, first how far it had moved the last
    time, and then with what is left of it: the picture as the camera would have taken it from its
    old place is read, and the guess counts after which the board lies best. Where nothing has
    moved, the picture is read as it is, and so is what seems no farther astray from now on.
    """
    seen, astray = read(picture)
    if astray is None or astray <= max(1.0, table.memo.get(_SEEMED, 0.0)):
        return seen
    best: tuple[float, Observation, Shift] | None = None
    for guess in _guesses_px(picture, table):
        if guess.worst_px < _STILL_PX:
            table.memo[_SEEMED] = _NO_FARTHER * astray
            return seen
        for shift in _finer_px(picture, guess, table):
            back, left = read(_turned_back(picture, shift, table))
            if left is not None and (best is None or left < best[0]):
                best = left, back, shift
            if left is not None and left < _SURELY:
                break
        if best is not None and best[0] < _SURELY:
            break
    if best is None or best[0] > 1:
        table.memo.pop(_LAST, None)
        return None
    table.memo[_LAST] = best[2]
    return best[1]


def _guesses_px(picture: Picture, table: Table) -> Iterator[Shift]:
    """How far a picture may have moved; as far as the last one costs nothing."""
    last = table.memo.get(_LAST)
    if isinstance(last, Shift):
        yield last
    reference = _reference(table)
    if reference is not None:
        yield from guesses_px(reference, picture)


def _finer_px(picture: Picture, guess: Shift, table: Table) -> Iterator[Shift]:
    """A guess, and what is measured once more in the picture turned back by it: nearer its old
    place, paint and corners tell more finely."""
    yield guess
    reference = _reference(table)
    if reference is not None:
        back = _turned_back(picture, guess, table)
        yield from (rest.after(guess) for rest in guesses_px(reference, back))


def _reference(table: Table) -> Reference | None:
    """What can be measured on the empty picture, from the memo; None where that is too little."""
    if _REFERENCE not in table.memo:
        with suppress(ValueError):
            table.memo[_REFERENCE] = bump_reference(table.empty, table.camera, table.board)
    kept = table.memo.setdefault(_REFERENCE, None)
    return kept if isinstance(kept, Reference) else None


def _turned_back(picture: Picture, shift: Shift, table: Table) -> Picture:
    """A picture (H, W, 3) that has moved, as it was, had the camera stayed."""
    u, v = table.camera.project(np.zeros((1, 3)))[0].tolist()
    turn = radians(shift.turn_deg)
    c, s = (1 + shift.scale) * cos(turn), (1 + shift.scale) * sin(turn)
    there = np.array(
        [[c, -s, u + shift.dx_px - c * u + s * v], [s, c, v + shift.dy_px - s * u - c * v]]
    )
    back = cv2.warpAffine(
        picture,
        there,
        (picture.shape[1], picture.shape[0]),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(back, dtype=np.uint8)
