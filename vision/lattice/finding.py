"""Which outlines explain best what has changed in cells, and what lies within or around them."""

from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from vision.lattice.cells import Changed, noise_of
from vision.lattice.mirrored import BETWEEN
from vision.lattice.outlines import Outlines

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

_COARSELY = 0.7
"""An outline between two that were tried explains up to so much more than they."""
_LIVELY = 0.6
"""Of a cell so much more than noise must have changed, as a share of what is asked for."""
_ROUGHLY = 0.4
"""All outlines are tried where one of every second round one explains this share of what is asked
for."""
_CLIMBS = 12
"""So often a find climbs on to a better neighbour."""
_NIL = 1e-6
ALIKE_SHARE = 0.95
"""Two forms are alike of which one explains so much of what the other does."""
_RIVAL, _SQUARELY = 0.65, 0.25
"""An outline is looked at more closely if it explains this share of what the best one does; squares
of which not all have been tried, if so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finds:
    """Outlines found in cells, F of them: which cell's, which outline was the nearest that was
    tried, its form's number, its middle (F, 2) in the plane of the grid, mm, and how much it
    explains of what has changed there, in squares (`explained`) and of all (`share`)."""

    cell: Ints
    number: Ints
    form: Ints
    at: Floats
    explained: Floats
    share: Floats

    def __len__(self) -> int:
        return len(self.cell)

    def firsts(self) -> Ints:
        """The number of each cell's first find, of finds cell by cell."""
        starts = np.ones(len(self.cell), dtype=np.bool_)
        np.not_equal(self.cell[1:], self.cell[:-1], out=starts[1:])
        return starts.nonzero()[0]

    def only(self, numbers: Ints) -> "Finds":
        """The finds of these numbers, in that order."""
        return Finds(
            cell=self.cell[numbers],
            number=self.number[numbers],
            form=self.form[numbers],
            at=self.at[numbers],
            explained=self.explained[numbers],
            share=self.share[numbers],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tried:
    """All outlines tried in the `cells` (Q,), ascending, of which some explain enough: what has
    changed there, `rest` (Q, 3, N), in `squares` (Q,), how much of every image's disc and rim is in
    it, `parts` (4, Q, 3, 2C), and how much each outline explains, `worth` (Q, K)."""

    cells: Ints
    rest: Floats32
    squares: Floats32
    parts: Floats32
    worth: Floats32


def tried_in(changed: Changed, lines: Outlines, least: float) -> Tried:
    """All cells tried of which some outline may explain `least`.

    All outlines are tried: a rim is no broader than the step between two of them, and of every
    second one the best may explain a quarter of what the best of all does.
    """
    lively = changed.squares - changed.noise > _LIVELY * least
    cells = np.flatnonzero(lively & (changed.squares > least))
    rest = changed.rest.take(cells, axis=0)
    if lines.glanced.shape[1]:
        glanced = rest.reshape(-1, len(lines.glanced)) @ lines.glanced
        most = _explained(glanced.reshape(*rest.shape[:2], glanced.shape[1])).max(axis=1)
        kept = np.flatnonzero(most > _ROUGHLY * least)
        cells, rest = cells[kept], rest[kept]
    parts = lines.imaged.products(rest.reshape(-1, rest.shape[2]))
    parts = parts.reshape(len(parts), *rest.shape[:2], parts.shape[2])
    worth = _worth(parts, lines)
    many = np.flatnonzero(worth.max(axis=1, initial=0.0) > _COARSELY * least)
    cells = cells[many]
    return Tried(
        cells=cells,
        rest=rest[many],
        squares=changed.squares[cells],
        parts=parts if len(many) == len(rest) else parts[:, many],
        worth=worth[many],
    )


def _worth(parts: Floats32, lines: Outlines) -> Floats32:
    """(Q, K) how much each outline explains by how much of every image's disc and rim there is,
    (4, Q, 3, 2C)."""
    images, cells = parts.shape[:2]
    explained = _explained(parts.reshape(images * cells, *parts.shape[2:]))
    each = explained.shape[1]
    by_cell = explained.reshape(images, cells, each).swapaxes(0, 1).reshape(cells, images * each)
    return np.asarray(by_cell.take(lines.image, axis=1), dtype=np.float32)


def _explained(parts: Floats32) -> Floats32:
    """(Q, C) how much outlines explain by how much of their discs and rims there is, (Q, k, 2C)."""
    cells, colours, both = parts.shape
    squares = np.square(parts).reshape(cells, 2 * colours, both // 2)
    return np.asarray(np.add.reduce(squares, axis=1), dtype=np.float32)


def find_outlines(tried: Tried, lines: Outlines) -> Finds:
    """The outlines that explain each changed cell best, one of each form that comes near the best.

    They come cell by cell, the best of each first.
    """
    row, at = _best_of_each_form(tried.worth, tried.worth, lines)
    found = _finds(tried.cells[row], at, tried.worth[row], tried.squares[row], lines)
    return found.only(np.lexsort((-found.explained, found.cell)))


def _best_of_each_form(within: Floats32, worth: Floats32, lines: Outlines) -> tuple[Ints, Ints]:
    """Of each form the best outline that comes near the best, in some cells: their numbers (F,) and
    the outlines' (F,).

    `worth` (Q, K) is how much each explains, `within` (Q, K) the same of those that are looked for;
    the best may lie beside these.
    """
    most = within.max(axis=1, initial=0.0)
    each = np.arange(len(within))
    rows, found = [], []
    for mine in lines.blocks:
        best = mine.start + within[:, mine].argmax(axis=1)
        square = bool(lines.square[mine.start])
        near = np.flatnonzero(within[each, best] >= (_SQUARELY if square else _RIVAL) * most)
        rows.append(near)
        if square:
            # the way up from one to another, turned a little, may lead through worse ones
            found.append(mine.start + worth[near, mine].argmax(axis=1))
        else:
            found.append(_climbed(worth[near], best[near], lines))
    return np.concatenate(rows), np.concatenate(found)


def _climbed(worth: Floats32, start: Ints, lines: Outlines) -> Ints:
    """(F,) outlines reached from `start` (F,) by climbing to better ones beside them, by how much
    each explains (`worth`, (F, K))."""
    at, each = start, np.arange(len(start))
    for _ in range(_CLIMBS):
        around = lines.around[at]
        best = worth[each[:, None], around].argmax(axis=1)
        if not best.any():
            break
        at = around[each, best]
    return at


def _finds(cell: Ints, at: Ints, worth: Floats32, squares: Floats32, lines: Outlines) -> Finds:
    """Finds of the outlines `at` (F,) in these cells, by how much each explains (`worth`, (F, K))
    of the `squares` (F,): their middles lie between the samples."""
    beside = worth[np.arange(len(at))[:, None], lines.around[at]]
    top = _peaks(beside[:, [1, 3]], beside[:, :1], beside[:, [2, 4]])
    explained = beside[:, 0].astype(np.float64)
    return Finds(
        cell=cell,
        number=at,
        form=lines.form[at],
        at=lines.at[at] + lines.step_mm * top,
        explained=explained,
        share=explained / np.maximum(squares, 1e-9),
    )


def _peaks(before: Floats32, here: Floats32, after: Floats32) -> Floats:
    """Where parabolas through three equidistant values have their tops, in steps, (F, 2) each."""
    bend = (before - 2 * here + after).astype(np.float64)
    top = 0.5 * (before - after) / np.minimum(bend, -_NIL)
    return np.where(bend < 0, np.minimum(np.maximum(top, -0.5), 0.5), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nested:
    """Outlines beneath or upon others, F of them: the `first` (F,) ones' numbers, the `other`
    ones, and how much both explain `together` (F,), in squares; `alike` (F,) are those where some
    further form explains as much as the other one."""

    first: Ints
    other: Finds
    together: Floats
    alike: NDArray[np.bool_]


def beneath_or_above(tried: Tried, first: Finds, lines: Outlines, least: Floats) -> Nested:
    """Of each find another outline beneath or upon it in the same cell, and what both explain.

    Left out where no other form nests with it that may explain `least` (F,) more.
    """
    row = np.searchsorted(tried.cells, first.cell)
    squares = (tried.squares[row] - first.explained).astype(np.float32)
    rest, known = tried.rest.take(row, axis=0), lines.vectors.take(first.number, axis=0)
    amount = np.matmul(rest, known.swapaxes(1, 2))
    left = np.subtract(rest, np.matmul(amount, known), out=rest)
    form = squares - noise_of(left, squares)
    lively = np.flatnonzero((form > _LIVELY * least) & (squares >= least))
    least, mine, row = least[lively], first.only(lively), row[lively]
    squares, amount = squares[lively], amount.take(lively, axis=0)
    parts = np.matmul(amount, _shared_of(mine.number, lines))
    worth = _worth(np.subtract(tried.parts.take(row, axis=1), parts, out=parts), lines)
    within = np.where(_nesting(mine, lines), worth, np.float32(0.0))
    likely = np.flatnonzero(within.max(axis=1, initial=0.0) >= _COARSELY**2 * least)
    amount, mine = amount.take(likely, axis=0), mine.only(likely)
    known, left = (each.take(lively[likely], axis=0) for each in (known, left))
    row, at = _best_of_each_form(within.take(likely, axis=0), worth.take(likely, axis=0), lines)
    others = _finds(row, at, worth[likely[row]], squares[likely][row], lines)
    more = _explained_besides(
        left.take(row, axis=0), known.take(row, axis=0), lines.vectors.take(others.number, axis=0)
    )
    like = others.form == mine.form[row]
    order = np.lexsort((-more, like, row))
    best = order[np.searchsorted(row[order], np.arange(len(likely)))]
    most = more[best]
    near = more >= ALIKE_SHARE * most[row]
    near &= ~like | lines.barely[mine.form, others.form[best]][row]
    near[best] = like[best]
    together = most + np.square(amount).sum(axis=(1, 2))
    return Nested(
        first=lively[likely],
        other=replace(others.only(best), cell=mine.cell),
        together=together.astype(np.float64),
        alike=np.bincount(row[near], minlength=len(likely)) > 0,
    )


def _shared_of(numbers: Ints, lines: Outlines) -> Floats32:
    """(4, F, 2, 2C) how much of every image's disc and rim is in the disc and rim of outlines."""
    images, one = np.divmod(lines.image[numbers], lines.shared.shape[1])
    between = BETWEEN[:, images] * lines.shared.shape[1] + one
    each = lines.shared.reshape(-1, *lines.shared.shape[2:])
    return np.asarray(each.take(between, axis=0), dtype=np.float32)


def _nesting(finds: Finds, lines: Outlines) -> NDArray[np.bool_]:
    """(F, K) which of the outlines may lie within or around each find."""
    off = lines.middles - finds.at[:, None, :]
    far = np.vecdot(off, off)[:, None, :]
    within = far <= lines.nests[finds.form][:, :, None]
    within &= far >= lines.clear[finds.form][:, :, None]
    by_middle = within.reshape(len(finds), prod(within.shape[1:]))
    return np.asarray(by_middle.take(lines.middle, axis=1), dtype=np.bool_)


def _explained_besides(left: Floats32, known: Floats32, other: Floats32) -> Floats32:
    """(F,) how much of what is `left` (F, 3, N) without the `known` (F, 2, N) outline, orthonormal,
    the `other` one (F, 2, N) explains."""
    more = other - np.matmul(np.matmul(other, known.swapaxes(1, 2)), known)
    # the sum of squares of what is left along two vectors that need not be orthonormal
    disc, rim = more[:, 0], more[:, 1]
    dd, rr, dr = (np.einsum("fn,fn->f", a, b) for a, b in ((disc, disc), (rim, rim), (disc, rim)))
    along = np.matmul(left, more.swapaxes(1, 2))
    first = along[:, :, 0]
    second = along[:, :, 1] - first * (dr / np.maximum(dd, _NIL))[:, None]
    rest = np.maximum(rr - dr * dr / np.maximum(dd, _NIL), _NIL)
    square = np.square(first).sum(axis=1) / np.maximum(dd, _NIL)
    return np.asarray(square + np.square(second).sum(axis=1) / rest, dtype=np.float32)
