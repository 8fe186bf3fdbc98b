from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens
from calibration.landmarks import NotFound
from calibration.lens import LensFit, LensRefused, calibrate_lens, place_error_mm
from calibration.sheet import CharucoSheet, Chessboard, View, find_sheet

SHARED = Path(__file__).parents[2].parent / "shared"
LENS = Lens(
    width=1280,
    height=720,
    fx=1100.0,
    fy=1102.0,
    cx=646.0,
    cy=352.0,
    dist=(-0.12, 0.03, 0.0005, -0.0004, 0.0),
)
CORNERS = np.array([(x * 25.0, y * 25.0, 0.0) for y in range(7) for x in range(10)])


def views(
    rng: np.random.Generator,
    count: int,
    *,
    tilt_deg: float = 32.0,
    noise_px: float = 0.1,
    reach: float = 0.38,
) -> list[View]:
    """Views of a sheet held up at random, never quite out of the picture."""
    made: list[View] = []
    while len(made) < count:
        turn = rng.normal(0, np.radians(tilt_deg) / 1.5, 2)
        matrix = np.asarray(cv2.Rodrigues(np.array([*turn, rng.uniform(-0.4, 0.4)]))[0])
        z = rng.uniform(380, 620)
        middle = np.array([rng.uniform(-reach, reach), rng.uniform(-reach, reach) * 0.6, 1.0]) * z
        move = middle - matrix @ CORNERS.mean(axis=0)
        seen = CORNERS @ matrix.T + move
        px = LENS.distort(seen[:, :2] / seen[:, 2:3])
        inside = np.all((px > 5) & (px < (LENS.width - 5, LENS.height - 5)), axis=1)
        if seen[:, 2].min() > 100 and inside.sum() >= 40:
            told = px[inside] + rng.normal(0, noise_px, (int(inside.sum()), 2))
            made.append(view(len(made), CORNERS[inside], told))
    return made


def view(number: int, places: np.ndarray, pixels: np.ndarray) -> View:
    return View(
        name=f"{number:02}.jpg",
        width=LENS.width,
        height=LENS.height,
        places_mm=places,
        pixels=pixels,
    )


def test_a_good_set_gives_the_lens_and_an_honest_error() -> None:
    rng = np.random.default_rng(51)
    chi = []
    for _ in range(4):
        fit = calibrate_lens(views(rng, 14))
        assert isinstance(fit, LensFit)
        assert fit.place_mm < 0.3
        off = np.array([fit.lens.fx, fit.lens.fy, fit.lens.cx, fit.lens.cy, *fit.lens.dist])
        off -= np.array([LENS.fx, LENS.fy, LENS.cx, LENS.cy, *LENS.dist])
        chi.append(off @ np.linalg.solve(fit.covariance, off) / 9)
    assert 0.3 < np.mean(chi) < 3.0


def test_more_views_make_a_surer_lens() -> None:
    rng = np.random.default_rng(52)
    every = views(rng, 20)
    few, many = calibrate_lens(every[:7]), calibrate_lens(every)
    assert isinstance(many, LensFit)
    told = few.place_mm if isinstance(few, LensFit) else np.inf
    assert many.place_mm < told


def said(refused: LensFit | LensRefused) -> str:
    assert isinstance(refused, LensRefused)
    assert not refused
    return " / ".join(refused.reasons)


def test_too_few_views_are_refused() -> None:
    assert "only 5 views" in said(calibrate_lens(views(np.random.default_rng(53), 5)))


def test_views_held_alike_are_refused() -> None:
    rng = np.random.default_rng(54)
    one = views(rng, 1)[0]
    alike = [
        view(n, one.places_mm, one.pixels + rng.normal(0, 0.1, one.pixels.shape)) for n in range(8)
    ]
    assert "much the same in all views" in said(calibrate_lens(alike))


def test_views_of_the_middle_only_are_refused() -> None:
    small = views(np.random.default_rng(55), 12, reach=0.03)
    kept = []
    for each in small:
        inner = np.all(np.abs(each.pixels - (640, 360)) < (170, 120), axis=1)
        if inner.sum() >= 12:
            kept.append(view(len(kept), each.places_mm[inner], each.pixels[inner]))
    assert "of the picture: hold the sheet into" in said(calibrate_lens(kept))


def test_a_bent_sheet_is_refused() -> None:
    rng = np.random.default_rng(56)
    bent = []
    for n, each in enumerate(views(rng, 12)):
        wave = 4.0 * np.sin(each.places_mm[:, :1] / 60 + n)
        bent.append(view(n, each.places_mm, each.pixels + wave))
    assert "flat" in said(calibrate_lens(bent))


def test_a_view_that_was_shaken_is_left_out_with_the_reason() -> None:
    rng = np.random.default_rng(57)
    good = views(rng, 14)
    shaken = good[4]
    good[4] = view(4, shaken.places_mm, shaken.pixels + rng.normal(0, 2.0, shaken.pixels.shape))
    fit = calibrate_lens(good)
    assert isinstance(fit, LensFit)
    left_out = [v for v in fit.views if v.dropped]
    assert [v.name for v in left_out] == ["04.jpg"]
    assert left_out[0].dropped is not None
    assert "misses by" in left_out[0].dropped
    assert fit.rms_px < 0.3


def test_views_of_two_sizes_are_refused() -> None:
    some = views(np.random.default_rng(58), 8)
    some[3] = replace(some[3], width=1920, height=1080)
    assert "different sizes" in said(calibrate_lens(some))


def test_an_error_of_the_lens_costs_more_the_larger_it_is() -> None:
    small = np.diag([0.5, 0.5, 0.5, 0.5, 1e-3, 1e-3, 1e-5, 1e-5, 1e-3]) ** 2
    assert 0 < place_error_mm(LENS, small) < place_error_mm(LENS, 9 * small)
    assert place_error_mm(LENS, 9 * small) == pytest.approx(3 * place_error_mm(LENS, small))


def test_a_drawn_sheet_is_found_to_a_tenth_of_a_pixel() -> None:
    sheet = CharucoSheet(
        dictionary="DICT_5X5_100", squares_x=6, squares_y=5, square_mm=30.0, marker_mm=22.0
    )
    board = cv2.aruco.CharucoBoard(
        (6, 5), 30.0, 22.0, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    )
    drawn = np.asarray(board.generateImage((600, 500), marginSize=0), dtype=np.uint8)
    page = np.full((640, 760), 255, dtype=np.uint8)
    page[70:570, 80:680] = drawn
    found = find_sheet(page, sheet, "page")
    assert isinstance(found, View)
    assert len(found.pixels) == 20
    expected = found.places_mm[:, :2] / 30.0 * 100 + (79.5, 69.5)
    assert np.abs(found.pixels - expected).max() < 0.15


def test_a_picture_without_the_sheet_says_so() -> None:
    blank = np.full((200, 300), 200, dtype=np.uint8)
    assert find_sheet(blank, Chessboard(corners_x=8, corners_y=5, square_mm=25)) == NotFound(
        "the sheet was not found"
    )


def found_in(files: Sequence[Path], sheet: CharucoSheet) -> list[View]:
    seen = [find_sheet(np.asarray(cv2.imread(str(f))), sheet, f.name) for f in files]
    return [v for v in seen if isinstance(v, View)]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the photographs are not here")
def test_photographs_of_a_wide_lens_held_alike_are_refused() -> None:
    sheet = CharucoSheet(
        dictionary="DICT_4X4_50", squares_x=6, squares_y=8, square_mm=34.0, marker_mm=27.0
    )
    files = sorted((SHARED / "real" / "charuco-sdp").glob("wide_angle*.jpg"))
    assert "tilt it" in said(calibrate_lens(found_in(files, sheet)))


def test_the_camera_of_a_lens_looks_down() -> None:
    from calibration.lens import _above

    camera = _above(LENS)
    assert isinstance(camera, Camera)
    px = camera.project(np.array([[500.0, 500.0, 0.0], [-500.0, -500.0, 0.0]]))
    assert np.all((px > 0) & (px < (LENS.width, LENS.height)))
