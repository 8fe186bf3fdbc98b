"""How blurred a piece is seen, told by what is left over of it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.light import DIFFUSE, Standing
from vision.appearance.scene import BLUR_PX, Scene
from vision.localisation.focus import blur_about, blurred
from vision.localisation.stand import Fit

PIECE = Standing(body=PUCK, x_mm=150.0, y_mm=-200.0)


def puck(light: float, out_of_focus_px: float = 0.0) -> Scene:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=150.0, y_mm=-200.0, light=light)])
    if not out_of_focus_px:
        return scene
    seen = cv2.GaussianBlur(scene.seen, (0, 0), out_of_focus_px)
    return replace(scene, seen=np.asarray(seen, dtype=np.float32))


def seen(x_mm: float, blur: float, error_mm: float, *, plain: bool = False) -> Fit:
    covariance = np.eye(2) * error_mm**2
    return Fit(
        x_mm=x_mm,
        y_mm=0.0,
        covariance=covariance,
        noise=1,
        explained=1,
        left=1,
        visible=1,
        blur_px=blur,
        blur_plain=plain,
    )


def seen_blur_px(scene: Scene, piece: Standing = PIECE) -> float:
    return blurred(scene, seen(0.0, BLUR_PX, 0.1), piece, [], DIFFUSE).blur_px


@pytest.mark.parametrize("light", [0.02, 0.1, 0.8], ids=["black", "dark", "white"])
def test_a_piece_in_focus_is_sharp(light: float) -> None:
    assert seen_blur_px(puck(light)) == BLUR_PX


@pytest.mark.parametrize(("out_px", "least", "most"), [(1.0, 1.0, 1.4), (2.0, 1.4, 2.8)])
def test_a_piece_out_of_focus_is_as_blurred_as_it_looks(
    out_px: float, least: float, most: float
) -> None:
    assert least <= seen_blur_px(puck(0.1, out_px)) <= most


def test_a_piece_that_is_a_little_elsewhere_is_not_taken_for_blurred() -> None:
    aside = PIECE.at(PIECE.x_mm + 0.2, PIECE.y_mm - 0.1)
    assert seen_blur_px(puck(0.1), aside) == BLUR_PX


def test_of_a_piece_that_a_hand_covers_no_blur_is_told() -> None:
    scene = puck(0.1, 2.0)
    covered = replace(scene, hidden=np.ones_like(scene.hidden))
    assert seen_blur_px(covered) == BLUR_PX


def test_the_blur_about_a_piece_is_that_of_what_shows_most_plainly_there() -> None:
    pale = [seen(x_mm, 1.4, 0.07) for x_mm in (-60.0, 0.0, 60.0)]
    dark = [seen(x_mm, BLUR_PX, 0.02) for x_mm in (-30.0, 30.0)]
    assert blur_about(pale[1], [*pale, *dark]) == BLUR_PX
    assert blur_about(pale[1], pale) == 1.4
    hazy = [seen(x_mm, 2.0, 0.03) for x_mm in (-30.0, 30.0)]
    assert blur_about(pale[1], [*pale, *hazy]) == 2.0


def test_a_piece_that_is_plainly_blurred_is_so_whatever_lies_about_it() -> None:
    one, others = seen(0.0, 2.0, 0.05, plain=True), [seen(30.0, BLUR_PX, 0.02)]
    assert blur_about(one, [one, *others]) == 2.0
    assert blurred(puck(0.1, 2.0), one, PIECE, [], DIFFUSE).blur_plain
    assert not blurred(puck(0.1), one, PIECE, [], DIFFUSE).blur_plain


@pytest.mark.parametrize("light", [0.1, 0.8], ids=["dark", "white"])
def test_a_piece_that_is_hardly_more_blurred_than_usual_is_not_plainly_so(light: float) -> None:
    found = blurred(puck(light, 0.71), seen(0.0, BLUR_PX, 0.1), PIECE, [], DIFFUSE)
    assert found.blur_px > BLUR_PX
    assert not found.blur_plain


def test_a_piece_far_off_says_nothing_of_the_blur() -> None:
    here, far = seen(0.0, 2.0, 0.05), seen(300.0, BLUR_PX, 0.02)
    assert blur_about(here, [here, far]) == 2.0
    assert blur_about(far, [here, far]) == BLUR_PX
