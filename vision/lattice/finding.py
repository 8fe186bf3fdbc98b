"""Which outlines explain best what has changed in cells, and what lies within or around them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.lattice.cells import AROUND, PLACE, SIDES, Changed, Outlines

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
_AT_ONCE, _CLIMBS = 2, 6
"""So often a find climbs on to a better neighbour, at first along both sides at once."""
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
    """All cells tried of which some outline may explain `least`, if one that is tried later.

    Of round forms all outlines are tried: a rim is no broader than the step between two of them,
    and of every second one the best may explain a quarter of what the best of all does.
    """
    lively = changed.squares - changed.noise > _LIVELY * least
    cells = np.flatnonzero(lively & (changed.squares > least))
    rest = changed.rest[cells]
    most = np.full(len(cells), np.inf, dtype=np.float32)
    kept = np.arange(len(cells))
    if lines.glanced.shape[1]:
        most = _worth(_parts_of(rest, lines.glanced)).max(axis=1, initial=0.0)
        kept = np.flatnonzero(most > _ROUGHLY * least)
    rest, most = rest[kept], most[kept]
    parts = tuple(_parts_of(rest, vectors) for vectors in lines.tried)
    worth = np.concatenate([_worth(part) for part in parts], axis=1)
    many = np.flatnonzero(worth.max(axis=1, initial=0.0) > _COARSELY * least)
    kept = cells[kept[many]]
    return Tried(
        cells=kept,
        rest=rest[many],
        squares=changed.squares[kept],
        parts=tuple(part[many] for part in parts),
        worth=worth[many],
    )


def _parts_of(rest: Floats32, vectors: Floats32) -> Floats32:
    """(Q, 3, 2c) how much of every one of some `vectors` (N, 2c) is in the `rest` (Q, 3, N)."""
    flat = rest.reshape(-1, len(vectors)) @ vectors
    return flat.reshape(len(rest), 3, vectors.shape[1])


def find_outlines(tried: Tried, lines: Outlines) -> Finds:
    """The outlines that explain each changed cell best, one of each form that comes near the best.

    They come cell by cell, the best of each first.
    """
    row, start = _best_of_each_form(tried.worth, tried.rest, lines)
    found = climbed(tried.rest[row], tried.squares[row], start, lines)
    found = replace(found, cell=tried.cells[row])
    return found.only(np.lexsort((-found.explained, found.cell)))


def _best_of_each_form(worth: Floats32, rest: Floats32, lines: Outlines) -> tuple[Ints, Ints]:
    """Outlines from which to climb in some cells: of each form one that comes near the best.

    The cells' numbers (S,) and the outlines' (S,), by how much those tried first explain (`worth`,
    (Q, C)) of what has changed there (`rest`, (Q, 3, N)).
    """
    most = worth.max(axis=1, initial=0.0)
    each = np.arange(len(worth))
    rows, starts = [], []
    for mine in lines.blocks:
        best = mine.start + worth[:, mine].argmax(axis=1)
        square = bool(lines.square[lines.coarse[mine.start]])
        near = np.flatnonzero(worth[each, best] >= (_SQUARELY if square else _RIVAL) * most)
        first = lines.coarse[best[near]]
        rows.append(near)
        starts.append(_best_square(rest[near], first, lines) if square else first)
    return np.concatenate(rows), np.concatenate(starts)


def _best_square(rest: Floats32, like: Ints, lines: Outlines) -> Ints:
    """(F,) the squares that explain most of the `rest` (F, 3, N), of the same form as `like` (F,).

    They are tried one and all: from the best of those tried first, the way up to another, turned a
    little and by the side of it, may lead through worse ones.
    """
    worth = _worth(_parts_of(rest, lines.squares))
    first = len(lines.form) - worth.shape[1]
    same = lines.form[first:] == lines.form[like][:, None]
    best = np.where(same, worth, np.float32(-1.0)).argmax(axis=1)
    return np.asarray(first + best, dtype=np.intp)


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
    worth = np.zeros((len(at), SIDES.stop), dtype=np.float32)
    square = lines.square[start]
    for many, mine in ((SIDES.stop, np.flatnonzero(~square)), (AROUND, np.flatnonzero(square))):
        if len(mine):
            at[mine], worth[mine] = _climbed(rest[mine], start[mine], lines, many)
    middle = lines.at[at] + lines.step_mm * _peaks(worth[:, [1, 3]], worth[:, :1], worth[:, [2, 4]])
    explained = worth[:, 0].astype(np.float64)
    return Finds(
        cell=np.arange(len(at)),
        number=at,
        form=lines.form[at],
        at=middle,
        explained=explained,
        share=explained / np.maximum(squares, 1e-9),
    )


def _climbed(rest: Floats32, start: Ints, lines: Outlines, many: int) -> tuple[Ints, Floats32]:
    """(F,) outlines and (F, 5) how much they and those to their sides explain, climbing on from
    `start` (F,) to the best of so `many` neighbours."""
    at = start.copy()
    worth = np.zeros((len(at), SIDES.stop), dtype=np.float32)
    going, mine, round_ones = np.arange(len(at)), rest, many == SIDES.stop
    for climbs in range(_CLIMBS + 1):
        here = at[going]
        now = _worth_around(mine, lines.around[here, :many], lines)
        worth[going] = now[:, : SIDES.stop]
        best = now.argmax(axis=1)
        up = np.flatnonzero(best)
        if climbs == _CLIMBS or not len(up):
            break
        going, best, here = going[up], best[up], here[up]
        mine = rest[going]
        if round_ones and climbs < _AT_ONCE:
            sides = now[up, SIDES].reshape(-1, 2, 2)
            higher = sides.max(axis=2) > now[up, :1]
            off = np.where(higher, 2 * sides.argmax(axis=2), 1)
            best = PLACE[off[:, 0], off[:, 1]]
        at[going] = lines.around[here, best]
    return at, worth


def _worth_around(rest: Floats32, around: Ints, lines: Outlines) -> Floats32:
    """(F, A) how much of the `rest` (F, 3, N) the outlines `around` (F, A) explain."""
    finds, channels, samples = rest.shape
    many = around.shape[1]
    flat = lines.vectors.reshape(len(lines.vectors), -1)
    near = flat.take(around.reshape(-1), axis=0, mode="clip")
    part = np.matmul(near.reshape(finds, 2 * many, samples), rest.swapaxes(1, 2))
    each = part.reshape(finds, many, 2 * channels)
    return np.asarray(np.einsum("fki,fki->fk", each, each), dtype=np.float32)


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
    unexplained = np.flatnonzero(squares >= least)
    least, mine = least[unexplained], first.only(unexplained)
    squares, row = squares[unexplained], row[unexplained]
    known, rest = lines.vectors[mine.number], tried.rest[row]
    amount = np.matmul(rest, known.swapaxes(1, 2))
    worth = np.concatenate(
        [
            _worth(parts[row] - np.matmul(amount, shared[mine.number]))
            for parts, shared in zip(tried.parts, lines.shared, strict=True)
        ],
        axis=1,
    )
    within = np.where(_nesting(mine, lines), worth, np.float32(0.0))
    likely = np.flatnonzero(within.max(axis=1, initial=0.0) >= _COARSELY**2 * least)
    known, amount, mine = known[likely], amount[likely], mine.only(likely)
    left = rest[likely] - np.matmul(amount, known)
    row, start = _best_of_each_form(within[likely], left, lines)
    others = climbed(left[row], squares[likely][row], start, lines)
    more = _explained_besides(left[row], known[row], lines.vectors[others.number])
    like = others.form == mine.form[row]
    order = np.lexsort((-more, like, row))
    best = order[np.searchsorted(row[order], np.arange(len(likely)))]
    most = more[best]
    near = more >= ALIKE_SHARE * most[row]
    near &= ~like | lines.barely[mine.form, others.form[best]][row]
    near[best] = like[best]
    together = most + np.square(amount).sum(axis=(1, 2))
    return Nested(
        first=unexplained[likely],
        other=replace(others.only(best), cell=mine.cell),
        together=together.astype(np.float64),
        alike=np.bincount(row[near], minlength=len(likely)) > 0,
    )


def _nesting(finds: Finds, lines: Outlines) -> NDArray[np.bool_]:
    """(F, C) which of the outlines that are tried first may lie within or around each find."""
    x = lines.coarse_at[0] - finds.at[:, :1]
    y = lines.coarse_at[1] - finds.at[:, 1:]
    far = x * x + y * y
    nests = lines.nests[finds.form]
    return np.asarray((far <= nests) & (far >= lines.clear[finds.form]))


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
