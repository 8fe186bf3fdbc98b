"""What is drawn lies where it should: against rays traced one by one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera
from rules.board import Board
from sightline.simulated.boards import club_board
from sightline.simulated.optics.light import PANELS
from sightline.simulated.optics.rays import Rays
from sightline.simulated.optics.renderer import Photographer
from sightline.simulated.optics.sprites import BEVEL_MM, body_sprite
from sightline.simulated.optics.tones import to_bytes, to_light
from sightline.simulated.placing import hang_camera
from sightline.simulated.scene import Body, Limb, Scene, Stick

FINE = 8
BLUR = 0.6
PLACES = [(0.0, 0.0), (-480.0, -380.0), (455.3, 210.7), (13.4, 488.2), (-301.9, 77.7)]


@pytest.fixture(scope="module")
def board() -> Board:
    return club_board()


@pytest.fixture(scope="module")
def camera(board: Board) -> Camera:
    return hang_camera(board, (640, 480))


@pytest.fixture(scope="module")
def rays(camera: Camera) -> Rays:
    return Rays(camera, BLUR)


@pytest.fixture(scope="module")
def photographer(board: Board, camera: Camera) -> Photographer:
    return Photographer(board, camera, noise=0.0, blur_px=BLUR)


def traced(camera: Camera, body: Body, box: tuple[int, int, int, int]) -> dict[str, np.ndarray]:
    """The share of each pixel that a body's outline, top and hole cover, ray by ray."""
    left, top, right, bottom = box
    us = left + (np.arange((right - left) * FINE) + 0.5) / FINE - 0.5
    vs = top + (np.arange((bottom - top) * FINE) + 0.5) / FINE - 0.5
    grid = np.stack(np.meshgrid(us, vs), axis=-1).reshape(-1, 2)
    normal = camera.lens.undistort(grid)
    way = np.hstack([normal, np.ones((len(normal), 1))]) @ camera.rotation_matrix
    eye = camera.centre_mm

    def hits(z_mm: float, radius_mm: float) -> np.ndarray:
        at = eye[:2] + way[:, :2] * ((z_mm - eye[2]) / way[:, 2:3])
        return np.hypot(at[:, 0] - body.x_mm, at[:, 1] - body.y_mm) < radius_mm

    spec = body.spec
    radius = spec.diameter_mm / 2
    bevel = min(BEVEL_MM, 0.2 * spec.thickness_mm)
    # the wall: the ray's nearest approach to the axis between foot and top, whose rim is rounded
    wall = [hits(z, radius) for z in np.linspace(0, spec.thickness_mm - bevel, 121)]
    rim = [hits(spec.thickness_mm - h, radius - bevel + h) for h in np.linspace(bevel, 0, 11)]
    levels = [*wall, *rim]
    shapes = {
        "outline": np.any(levels, axis=0),
        "top": levels[-1],
        "hole": hits(spec.thickness_mm, spec.hole_mm / 2),
    }
    size = (bottom - top, FINE, right - left, FINE)
    soft = FINE * BLUR
    return {
        name: cv2.GaussianBlur(hit.reshape(size[0] * FINE, -1).astype(np.float32), (0, 0), soft)
        .reshape(size)
        .mean(axis=(1, 3))
        for name, hit in shapes.items()
    }


def middle(share: np.ndarray) -> np.ndarray:
    """The centre of gravity, (u, v), from the corner of the box."""
    v, u = np.mgrid[: share.shape[0], : share.shape[1]]
    return np.array([(u * share).sum(), (v * share).sum()]) / share.sum()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", [("puck", "red"), ("cue-puck", "natural")])
def test_a_piece_is_drawn_where_rays_find_it(
    place: tuple[float, float],
    kind: tuple[str, str],
    board: Board,
    camera: Camera,
    rays: Rays,
) -> None:
    spec = replace(board.piece(*kind), hole_mm=0.0, rgb=(255, 255, 255))
    body = Body(name="a", spec=spec, x_mm=place[0], y_mm=place[1])
    gain = np.ones((480, 640, 3), np.float32)
    sprite = body_sprite(body, rays, gain, np.zeros((480, 640, 1), np.float32), board.pockets)
    box = (sprite.box.left, sprite.box.top, sprite.box.right, sprite.box.bottom)
    want = traced(camera, body, box)["outline"]
    drawn = 1 - sprite.keep[..., 0]
    assert middle(drawn) == pytest.approx(middle(want), abs=0.02)
    assert drawn.sum() == pytest.approx(want.sum(), rel=0.01)
    assert np.abs(drawn - want).max() < 0.05


@pytest.mark.parametrize("place", PLACES)
def test_the_top_and_the_hole_are_drawn_where_rays_find_them(
    place: tuple[float, float], board: Board, camera: Camera, rays: Rays
) -> None:
    # a piece as thin as paper at the height of a top: all that its hole takes away is the hole
    cue_puck = board.piece("cue-puck", "natural")
    spec = replace(cue_puck, rgb=(255, 255, 255), thickness_mm=0.01)
    body = Body(name="a", spec=spec, x_mm=place[0], y_mm=place[1], lift_mm=12.0)
    gain = np.ones((480, 640, 3), np.float32)
    glare = np.zeros((480, 640, 1), np.float32)
    with_hole = body_sprite(body, rays, gain, glare, board.pockets)
    without = body_sprite(
        replace(body, spec=replace(spec, hole_mm=0.0)), rays, gain, glare, board.pockets
    )
    box = (without.box.left, without.box.top, without.box.right, without.box.bottom)
    want = traced(camera, replace(body, spec=replace(cue_puck, thickness_mm=12.01)), box)
    taken = (without.add - with_hole.add)[..., 1]
    assert middle(taken) == pytest.approx(middle(want["hole"]), abs=0.02)
    assert taken.sum() == pytest.approx(want["hole"].sum(), rel=0.03)
    # a circle's middle is not quite where its centre is seen: perspective, 0.03 px at most here
    centre = camera.project(np.array([[place[0], place[1], 12.0]]))[0]
    assert middle(want["top"]) + np.array([box[0], box[1]]) == pytest.approx(centre, abs=0.035)


def test_a_moving_piece_is_smeared_evenly_about_its_place_at_mid_exposure(
    photographer: Photographer, board: Board, camera: Camera
) -> None:
    spec = replace(board.piece("puck", "red"), hole_mm=0.0, rgb=(255, 255, 255), thickness_mm=0.01)
    empty = to_light(photographer.clean_frame(lambda at_s: Scene(), 0.0, 0.0))

    def scene(at_s: float) -> Scene:
        x = -100.0 + 2500.0 * (at_s - 0.5)
        return Scene(bodies=(Body(name="a", spec=spec, x_mm=x, y_mm=60.0, lift_mm=0.0),))

    exposure_s = 0.008
    picture = photographer.clean_frame(scene, 0.5, exposure_s)
    away = np.abs(to_light(picture) - empty)[..., 0]
    x = -100.0 + 2500.0 * exposure_s / 2
    centre = camera.project(np.array([[x, 60.0, 0.0]]))[0]
    u, v = round(centre[0]), round(centre[1])
    part = away[v - 14 : v + 15, u - 26 : u + 27]
    assert middle(part) + np.array([u - 26, v - 14]) == pytest.approx(centre, abs=0.5)
    spread = (part.sum(axis=0) > 0.5 * part.sum(axis=0).max()).sum()
    # a cut through the smear is as long as the way it went in the exposure
    scale = np.linalg.norm(camera.project(np.array([[x + 10, 60, 0.0]]))[0] - centre) / 10
    assert spread == pytest.approx(20 * scale + 0.6 * 25 * scale, abs=5)


def test_what_rests_is_drawn_alike_however_the_picture_came_about(
    photographer: Photographer, board: Board
) -> None:
    red, blue = board.piece("puck", "red"), board.piece("puck", "blue")
    resting = Body(name="a", spec=red, x_mm=40.0, y_mm=30.0)
    other = Body(name="b", spec=blue, x_mm=64.9, y_mm=31.0)
    at_once = photographer.clean_frame(lambda at_s: Scene(bodies=(resting, other)), 0.0, 0.0)

    def arriving(at_s: float) -> Scene:
        moved = replace(other, x_mm=64.9 + 900 * max(0.0, 0.1 - at_s))
        return Scene(bodies=(resting, moved))

    for k in range(8):
        later = photographer.clean_frame(arriving, k * 0.02, 0.004)
    assert int(np.abs(later.astype(int) - at_once.astype(int)).max()) <= 1


def test_a_piece_carried_over_others_looks_like_the_mean_of_where_it_was(
    photographer: Photographer, board: Board
) -> None:
    red, blue = board.piece("puck", "red"), board.piece("puck", "blue")
    resting = tuple(Body(name=f"r{k}", spec=red, x_mm=40.0 * k, y_mm=30.0) for k in range(4))

    def carried(at_s: float) -> Scene:
        over = Body(name="b", spec=blue, x_mm=10.0 + 900 * at_s, y_mm=36.0, lift_mm=20.0)
        return Scene(bodies=(*resting, over))

    exposure_s, steps = 0.004, 2  # it goes 3.6 mm, about two pixels
    drawn = photographer.clean_frame(carried, 0.02, exposure_s)
    instants = [0.02 + exposure_s * (k + 0.5) / steps for k in range(steps)]
    mean = sum(photographer.light_of(carried(at_s)) for at_s in instants) / steps
    assert int(np.abs(to_bytes(mean).astype(int) - drawn.astype(int)).max()) <= 1


def test_leaving_pieces_leave_the_empty_table(photographer: Photographer, board: Board) -> None:
    empty = photographer.clean_frame(lambda at_s: Scene(), 0.0, 0.0)
    body = Body(name="a", spec=board.piece("queen", "white"), x_mm=0.0, y_mm=0.0)
    with_it = photographer.clean_frame(lambda at_s: Scene(bodies=(body,)), 0.0, 0.0)
    again = photographer.clean_frame(lambda at_s: Scene(), 0.0, 0.0)
    assert np.array_equal(empty, again)
    assert not np.array_equal(empty, with_it)


def test_a_hand_and_a_cue_hide_what_lies_beneath(photographer: Photographer, board: Board) -> None:
    body = Body(name="a", spec=board.piece("queen", "white"), x_mm=0.0, y_mm=0.0)
    bare = photographer.picture(Scene(bodies=(body,)))
    hand = Limb(reach_mm=(60.0, 0.0), elbow_mm=(-1400.0, 0.0))
    cue = Stick(tip_mm=(0.0, 40.0, 14.0), butt_mm=(0.0, -1300.0, 140.0))
    u, v = photographer.rays.pixel(0.0, 0.0, 12.0)
    for scene in (Scene(bodies=(body,), limbs=(hand,)), Scene(bodies=(body,), sticks=(cue,))):
        hidden = photographer.picture(scene)
        difference = hidden[round(v), round(u)].astype(int) - bare[round(v), round(u)]
        assert np.abs(difference).max() > 20


def test_noise_has_the_strength_that_was_asked_for(board: Board, camera: Camera) -> None:
    photographer = Photographer(board, camera, noise=2.0, seed=4)
    a = photographer.picture(Scene()).astype(int)
    b = photographer.picture(Scene()).astype(int)
    spread = (a - b)[100:380, 200:440].std() / np.sqrt(2)
    assert spread == pytest.approx(2.0, rel=0.1)


def test_bytes_and_light_are_each_other_s_inverse() -> None:
    every = np.arange(256, dtype=np.uint8)
    assert np.array_equal(to_bytes(to_light(every)), every)


def test_a_new_light_changes_the_picture_and_the_old_one_brings_it_back(
    photographer: Photographer, board: Board
) -> None:
    scene = Scene(bodies=(Body(name="a", spec=board.piece("puck", "red"), x_mm=5.0, y_mm=9.0),))
    first = photographer.picture(scene)
    photographer.relight(replace(PANELS, gain=0.6))
    darker = photographer.picture(scene)
    photographer.relight(PANELS)
    assert darker.mean() < 0.85 * first.mean()
    assert np.array_equal(photographer.picture(scene), first)
