"""Which outlines explain best what has changed in cells, and what lies within or around them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.lattice.cells import AROUND, ITSELF, Changed, Outlines, squares_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

_COARSELY = 0.7
"""An outline between two that were tried explains up to so much more than they."""
_ROUGHLY = 0.25
"""A square is tried where something round explains this share of what is asked for."""
_CLIMBS = 4
"""So often a find climbs on to a better neighbour."""
_RIVAL = 0.65
"""An outline is looked at more closely if it explains this share of what the best one does."""
_STEP_MM = 1.5
_LEAN_MM = 2.5
"""Two forms one upon the other differ by so much in radius; the upper may lean over by this."""


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
    """All outlines tried that are tried first, in the `cells` (Q,), ascending, of which some may
    explain enough: what has changed there, `rest` (Q, 3, N), in `squares` (Q,); `parts` are how
    much of every disc and rim is in it, (Q, 3, 2c) of each of `Outlines.tried`; `worth` (Q, C) how
    much each outline explains."""

    cells: Ints
    rest: Floats32
    squares: Floats32
    parts: tuple[Floats32, ...]
    worth: Floats32


def tried_in(changed: Changed, lines: Outlines, least: float) -> Tried:
    """All cells tried of which some outline may explain `least`, if one that is tried later."""
    cells = np.flatnonzero(changed.squares > least)
    rest = changed.within(cells)
    squares = squares_of(rest)
    parts: list[Floats32] = []
    worths: list[Floats32] = []
    bars = _ROUGHLY, _COARSELY
    for tried, bar in zip(lines.tried, bars[-len(lines.tried) :], strict=True):
        part = (rest.reshape(-1, len(tried)) @ tried).reshape(len(cells), 3, tried.shape[1])
        parts.append(part)
        worths.append(_worth(part))
        most = np.max([worth.max(axis=1, initial=0.0) for worth in worths], axis=0)
        many = np.flatnonzero(most > bar * least)
        if len(many) < len(cells):
            cells, rest, squares = cells[many], rest[many], squares[many]
            parts = [each[many] for each in parts]
            worths = [each[many] for each in worths]
    return Tried(
        cells=cells,
        rest=rest,
        squares=squares,
        parts=tuple(parts),
        worth=np.concatenate(worths, axis=1),
    )


def find_outlines(tried: Tried, lines: Outlines) -> Finds:
    """The outlines that explain each changed cell best, one of each form that comes near the best.

    They come cell by cell, the best of each first.
    """
    worth = tried.worth
    enough = _RIVAL * worth.max(axis=1, initial=0.0)
    each = np.arange(len(worth))
    rows, starts = [], []
    for mine in lines.blocks:
        best = mine.start + worth[:, mine].argmax(axis=1)
        near = np.flatnonzero(worth[each, best] >= enough)
        rows.append(near)
        starts.append(best[near])
    row, start = np.concatenate(rows), np.concatenate(starts)
    found = climbed(tried.rest[row], tried.squares[row], _between(worth[row], start, lines), lines)
    found = replace(found, cell=tried.cells[row])
    return found.only(np.lexsort((-found.explained, found.cell)))


def _between(worth: Floats32, best: Ints, lines: Outlines) -> Ints:
    """(F,) the outlines where parabolas through the `worth` (F, C) of the `best` of those that are
    tried first and of their neighbours have their tops."""
    each = np.arange(len(best))[:, None]
    here = worth[each, best[:, None]]
    beside = worth[each, lines.beside[best]]
    peak = 2 * _peaks(beside[:, 0::2], here, beside[:, 1::2])
    off = np.rint(peak).astype(np.intp)
    return np.asarray(lines.around[lines.coarse[best], ITSELF + 3 * off[:, 0] + off[:, 1]])


def _worth(parts: Floats32) -> Floats32:
    """(Q, C) how much each outline explains by its (Q, 3, 2c) `parts`."""
    square = np.einsum("qkc,qkc->qc", parts, parts)
    half = square.shape[1] // 2
    return np.asarray(square[:, :half] + square[:, half:], dtype=np.float32)


def climbed(rest: Floats32, squares: Floats32, start: Ints, lines: Outlines) -> Finds:
    """From each outline `start` (F,) to the best neighbour, on and on, then between the samples.

    `rest` (F, 3, N) is what has changed in each one's cell, `squares` (F,) the sums of its squares.
    Finds are numbered by these instead of by cells.
    """
    at = start.copy()
    left = rest.swapaxes(1, 2)
    worth = np.zeros((len(at), AROUND), dtype=np.float32)
    going = np.arange(len(at))
    for climbs in range(_CLIMBS + 1):
        near = lines.vectors[lines.around[at[going]]]
        part = np.matmul(near.reshape(len(going), 2 * AROUND, rest.shape[2]), left[going])
        worth[going] = np.square(part).reshape(len(going), AROUND, 6).sum(axis=2)
        best = worth[going].argmax(axis=1)
        up = worth[going, best] > worth[going, ITSELF]
        if climbs == _CLIMBS or not up.any():
            break
        going, best = going[up], best[up]
        at[going] = lines.around[at[going], best]
    middle = lines.at[at] + lines.step_mm * _peaks(
        worth[:, [1, 3]], worth[:, ITSELF, None], worth[:, [7, 5]]
    )
    explained = worth[:, ITSELF].astype(np.float64)
    return Finds(
        cell=np.arange(len(at)),
        number=at,
        form=lines.form[at],
        at=middle,
        explained=explained,
        share=explained / np.maximum(squares, 1e-9),
    )


def _peaks(before: Floats32, here: Floats32, after: Floats32) -> Floats:
    """Where parabolas through three equidistant values have their tops, in steps, (F, 2) each."""
    bend = (before - 2 * here + after).astype(np.float64)
    falls = bend < 0
    top = 0.5 * (before - after) / np.where(falls, bend, 1.0)
    return np.where(falls, np.clip(top, -0.5, 0.5), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nested:
    """Outlines within or around others, F of them: the `first` (F,) ones' numbers, the `other`
    ones, and how much both explain `together` (F,), in squares."""

    first: Ints
    other: Finds
    together: Floats


def beneath_or_above(tried: Tried, first: Finds, lines: Outlines, least: Floats) -> Nested:
    """Of each find another outline within or around it in the same cell, and what both explain.

    Left out where no other form nests with it that may explain `least` (F,) more.
    """
    known = lines.vectors[first.number]
    row = np.searchsorted(tried.cells, first.cell)
    rest = tried.rest[row]
    amount = np.matmul(rest, known.swapaxes(1, 2))
    left = rest - np.matmul(amount, known)
    squares = squares_of(left)
    unexplained = np.flatnonzero(squares >= least)
    least = least[unexplained]
    squares, row, amount = squares[unexplained], row[unexplained], amount[unexplained]
    left, known, mine = left[unexplained], known[unexplained], first.only(unexplained)
    worth = np.concatenate(
        [
            _worth(parts[row] - np.matmul(amount, shared[mine.number]))
            for parts, shared in zip(tried.parts, lines.shared, strict=True)
        ],
        axis=1,
    )
    worth[~_nesting(mine, lines)] = 0.0
    best = worth.argmax(axis=1) if len(worth) else np.zeros(0, dtype=np.intp)
    likely = np.flatnonzero(worth[np.arange(len(best)), best] >= _COARSELY**2 * least)
    others = climbed(left[likely], squares[likely], lines.coarse[best[likely]], lines)
    more = _explained_besides(left[likely], known[likely], lines.vectors[others.number])
    together = more + np.square(amount[likely]).sum(axis=(1, 2))
    return Nested(
        first=unexplained[likely],
        other=replace(others, cell=mine.cell[likely]),
        together=together.astype(np.float64),
    )


def _nesting(finds: Finds, lines: Outlines) -> NDArray[np.bool_]:
    """(F, C) which of the outlines that are tried first may lie within or around each find."""
    at = lines.at[lines.coarse]
    off = np.square(at[:, 0] - finds.at[:, :1]) + np.square(at[:, 1] - finds.at[:, 1:])
    radius = np.array([diameter / 2 for _, diameter in lines.forms])
    gap = np.abs(radius - radius[:, None])
    reach = np.where(gap < _STEP_MM, -1.0, np.square(gap + _LEAN_MM))
    return np.asarray(off <= reach[:, lines.form[lines.coarse]][finds.form])


def _explained_besides(left: Floats32, known: Floats32, other: Floats32) -> Floats32:
    """(F,) how much of what is `left` (F, 3, N) without the `known` (F, 2, N) outline, orthonormal,
    the `other` one (F, 2, N) explains."""
    more = other - np.matmul(np.matmul(other, known.swapaxes(1, 2)), known)
    disc = _of_length_one(more[:, 0])
    rim = _of_length_one(more[:, 1] - disc * (disc * more[:, 1]).sum(axis=1, keepdims=True))
    both = np.stack([disc, rim], axis=2)
    return np.asarray(np.square(np.matmul(left, both)).sum(axis=(1, 2)), dtype=np.float32)


def _of_length_one(vectors: Floats32) -> Floats32:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-6), dtype=np.float32)
