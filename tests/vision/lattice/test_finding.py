"""Which outline is found in a cell, of those between which the difference is small."""

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.board import PieceSpec, Shape
from vision.lattice.cells import Changed
from vision.lattice.contents import chosen_of
from vision.lattice.drifts import Drift
from vision.lattice.finding import Finds, beneath_or_above, find_outlines, tried_in
from vision.lattice.grid import SIDE, CellGrid
from vision.lattice.naming import Named
from vision.lattice.outlines import Outlines, outlines_of
from vision.lattice.places import Layer
from vision.lattice.sampled import samples_of

_PITCH_MM = 26.0
_FORMS = ((Shape.DISC, 13.0), (Shape.DISC, 17.0), (Shape.DISC, 21.0), (Shape.SQUARE, 16.0))


def _lines() -> Outlines:
    half = 0.41 * _PITCH_MM
    steps = np.linspace(-half, half, SIDE)
    x, y = np.meshgrid(steps, steps)
    pixels = np.arange(SIDE * SIDE).reshape(1, -1)
    grid = CellGrid(
        pixels=pixels,
        samples=samples_of(pixels, SIDE),
        offset=np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32),
        z_mm=6.0,
        drift=np.zeros((1, 2)),
        step_mm=float(steps[1] - steps[0]),
        weight=1.0,
    )
    specs = tuple(
        PieceSpec(
            kind=f"kind-{number}",
            colour="red",
            shape=shape,
            diameter_mm=diameter,
            thickness_mm=6.0,
            hole_mm=0.0,
            length_mm=0.0,
            rgb=(200, 40, 40),
        )
        for number, (shape, diameter) in enumerate(_FORMS)
    )
    layer = Layer(
        id="cells",
        keys=("0,0",),
        at=np.zeros((1, 2)),
        turn=np.zeros(1, dtype=np.intp),
        pitch_mm=_PITCH_MM,
        specs=specs,
    )
    return outlines_of(grid, layer)


def _changed(rest: NDArray[np.float32]) -> Changed:
    return Changed(
        rest=rest[None],
        squares=np.square(rest).sum(keepdims=True).reshape(1).astype(np.float32),
        noise=np.zeros(1, dtype=np.float32),
        usual=0.0,
        mean=np.zeros((1, 3), dtype=np.float32),
        drift=Drift(),
    )


def _number(lines: Outlines, form: tuple[Shape, float], right: int, up: int, turn: int) -> int:
    """The number of the outline of a form so many steps off the cell's middle, so often turned."""
    of = lines.form == lines.forms.index(form)
    off = np.abs(lines.at - np.array([right, up]) * lines.step_mm).max(axis=1) < 1e-6
    turned = np.abs(lines.turn - turn * np.pi / 16) < 1e-6
    return int(np.flatnonzero(of & off & turned)[0])


@pytest.mark.parametrize("form", _FORMS)
@pytest.mark.parametrize(("right", "up", "turn"), [(1, -1, 3), (3, 1, 1), (-1, 3, 5), (0, 1, 7)])
def test_a_form_of_which_little_but_the_rim_shows_is_found_wherever_it_lies(
    form: tuple[Shape, float], right: int, up: int, turn: int
) -> None:
    lines = _lines()
    turn = turn if form[0] is Shape.SQUARE else 0
    true = _number(lines, form, right, up, turn)
    decoy = _number(lines, (Shape.DISC, 17.0 if form[1] != 17.0 else 13.0), right, up, 0)
    rest = np.zeros((3, SIDE * SIDE), dtype=np.float32)
    rest[0] = 3.0 * lines.vectors[true, 1] + 1.2 * lines.vectors[decoy, 0]

    found = find_outlines(tried_in(_changed(rest), lines, 1.0), lines)

    assert lines.forms[found.form[0]] == form


@pytest.mark.parametrize(
    ("strength", "nested"), [(0.0, []), (0.5, []), (5.0, [(Shape.DISC, 13.0)])]
)
def test_a_second_form_is_told_within_the_first_where_that_leaves_its_form_unexplained(
    strength: float, nested: list[tuple[Shape, float]]
) -> None:
    lines = _lines()
    outer, inner = (_number(lines, (Shape.DISC, wide), 0, 0, 0) for wide in (21.0, 13.0))
    rest = np.zeros((3, SIDE * SIDE), dtype=np.float32)
    rest[0] = 9.0 * lines.vectors[outer].sum(axis=0)
    rest[1] = strength * lines.vectors[inner].sum(axis=0)
    tried = tried_in(_changed(rest), lines, 1.0)
    first = find_outlines(tried, lines).only(np.zeros(1, dtype=np.intp))
    assert lines.forms[first.form[0]] == (Shape.DISC, 21.0)

    found = beneath_or_above(tried, first, lines, np.ones(1))

    assert [lines.forms[form] for form in found.other.form] == nested


def test_where_nothing_was_found_nothing_lies_beneath_or_above() -> None:
    lines = _lines()
    tried = tried_in(_changed(np.ones((3, SIDE * SIDE), dtype=np.float32)), lines, 1.0)
    none = find_outlines(tried, lines).only(np.zeros(0, dtype=np.intp))
    assert len(beneath_or_above(tried, none, lines, np.zeros(0)).first) == 0


@pytest.mark.parametrize(
    ("explained", "chosen", "doubtful"),
    [
        ((2.0, 1.6), [], set()),  # gloss beside white lines: no piece has its colour
        ((5.5, 5.0), [], {0}),  # too much for gloss, too little for a piece
        ((200.0, 150.0), [1], set()),  # a piece beside something that shines
        ((200.0, 60.0), [], {0}),  # a part of a foreign thing that looks like a piece
    ],
    ids=["light", "unclear", "plain", "foreign"],
)
def test_what_has_a_form_but_no_pieces_colour_is_light(
    explained: tuple[float, float], chosen: list[int], doubtful: set[int]
) -> None:
    finds = Finds(
        cell=np.zeros(2, dtype=np.intp),
        number=np.arange(2),
        form=np.arange(2),
        at=np.zeros((2, 2)),
        explained=np.array(explained),
        share=np.array([0.35, 0.3]),
    )
    named = Named(
        top=np.arange(2),
        misfit=np.array([1.7, 0.04]),  # the other one has the board's own colour
        ahead=np.array([1.0, 0.5]),
        rimmed=np.zeros(2, dtype=np.bool_),
    )

    told = chosen_of(finds, named, 1.3)

    assert (told[0].tolist(), told[1]) == (chosen, doubtful)
