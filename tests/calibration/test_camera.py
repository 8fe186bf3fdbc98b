import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples
from testkit.painted_board import camera_over, small_lens

from calibration.camera import Camera


def some_camera(seed: int) -> Camera:
    return camera_over(small_lens(), np.random.default_rng(seed))


@settings(max_examples=examples(60))
@given(
    seed=st.integers(0, 10_000),
    x=st.floats(-260, 260),
    y=st.floats(-260, 260),
    z=st.floats(0, 30),
)
def test_a_point_projected_comes_back_on_its_plane(seed: int, x: float, y: float, z: float) -> None:
    camera = some_camera(seed)
    px = camera.project(np.array([[x, y, z]]))
    assert np.allclose(camera.to_plane(px, z), [[x, y]], atol=1e-6)


def test_projection_is_opencv_s() -> None:
    rng = np.random.default_rng(1)
    camera = some_camera(2)
    places = rng.uniform((-250, -250, 0), (250, 250, 20), (50, 3))
    theirs, _ = cv2.projectPoints(
        places,
        np.array(camera.rotation),
        np.array(camera.translation_mm),
        camera.lens.matrix,
        np.array(camera.lens.dist),
    )
    assert np.allclose(camera.project(places), np.asarray(theirs).reshape(-1, 2), atol=1e-9)


def test_the_camera_is_above_the_board() -> None:
    assert 700 < some_camera(3).centre_mm[2] < 900
