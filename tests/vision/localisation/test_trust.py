"""What is left over about a piece, how far it is believed, and what comes of it for a place."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.light import DIFFUSE, Standing
from vision.localisation.stand import Fit
from vision.localisation.trust.case import Case, case_of
from vision.localisation.trust.hints import hints_mm
from vision.localisation.trust.law import Law, learned
from vision.localisation.trust.settle import FARTHEST_MM, settle

TRUE = (20.0, -30.0)


def believing(amount: float) -> Law:
    """A law that takes `amount` of all that is left over for place, and knows nothing else."""
    return Law(names=("left",), usual_mm=np.ones(1), amounts=np.array([amount]))


def fit_at(x_mm: float, y_mm: float) -> Fit:
    return Fit(
        x_mm=x_mm, y_mm=y_mm, covariance=np.eye(2), noise=1.0, explained=0.9, left=1.0, visible=1.0
    )


def case_at(x_mm: float, y_mm: float, light: float = 0.1) -> Case:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=TRUE[0], y_mm=TRUE[1], light=light)])
    case = case_of(scene, Standing(body=PUCK, x_mm=x_mm, y_mm=y_mm), [], DIFFUSE)
    assert case is not None
    return case


def settled(law: Law | None, start: tuple[float, float], light: float = 0.1) -> Fit:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=TRUE[0], y_mm=TRUE[1], light=light)])
    piece = Standing(body=PUCK, x_mm=start[0], y_mm=start[1])
    return settle(scene, fit_at(*start), piece, [], DIFFUSE, law)


@pytest.mark.parametrize("start", [(20.1, -30.0), (20.0, -29.9), (19.93, -30.07)])
def test_where_all_pixels_are_believed_a_place_comes_nearer(start: tuple[float, float]) -> None:
    found = settled(believing(1.0), start)
    before = np.hypot(start[0] - TRUE[0], start[1] - TRUE[1])
    assert np.hypot(found.x_mm - TRUE[0], found.y_mm - TRUE[1]) < before


def test_the_parts_of_what_is_left_over_move_a_piece_as_far_as_all_of_it() -> None:
    case = case_at(20.1, -30.0)
    said = hints_mm(case)
    places = ("top", "bevel", "wall", "lip", "bore", "through", "foot", "near", "about")
    parts = np.sum([said[f"left {place}"] for place in places], axis=0)
    assert np.allclose(parts, case.moved_mm(case.residual[None])[0], atol=1e-4)
    assert np.hypot(*parts) > 0.01


def test_a_piece_is_never_moved_far() -> None:
    start = (20.1, -30.0)
    found = settled(believing(500.0), start)
    assert 0.5 * FARTHEST_MM < np.hypot(found.x_mm - start[0], found.y_mm - start[1]) < FARTHEST_MM


def test_a_hint_that_says_far_more_than_usual_is_held_to_say_less() -> None:
    case = case_at(20.1, -30.0)
    said = float(np.hypot(*hints_mm(case)["left"]))
    law = Law(names=("left",), usual_mm=np.array([said / 1000]), amounts=np.array([said / 1000]))
    assert np.hypot(*law.step_mm(case)) < said / 50


@pytest.mark.parametrize("light", [0.02, 0.1, 0.3], ids=["black", "dark", "gray"])
def test_what_was_learned_does_not_draw_a_piece_away_from_where_it_stands(light: float) -> None:
    """The drawn pieces are not like those that it learned from: it must do no harm."""
    found = settled(None, TRUE, light)
    assert np.hypot(found.x_mm - TRUE[0], found.y_mm - TRUE[1]) < 0.1


def test_the_law_was_learned_of_the_hints_that_there_are() -> None:
    assert set(learned().names) == set(hints_mm(case_at(*TRUE)))


def test_a_piece_out_of_focus_stays_where_it_is() -> None:
    """The law knows sharp pieces only."""
    scene = drawn_scene([Drawn(body=PUCK, x_mm=TRUE[0], y_mm=TRUE[1], light=0.1)])
    blurred = replace(fit_at(20.1, -30.0), blur_px=2.0)
    piece = Standing(body=PUCK, x_mm=20.1, y_mm=-30.0)
    assert settle(scene, blurred, piece, [], DIFFUSE) is blurred


def test_only_the_place_changes() -> None:
    found = settled(None, (20.1, -30.0))
    assert (found.explained, found.visible, found.noise) == (0.9, 1.0, 1.0)
