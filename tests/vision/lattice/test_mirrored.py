"""Products with mirror images are those that multiplying every image would give."""

import numpy as np
import pytest

from vision.lattice.mirrored import BETWEEN, IMAGES, folded, mirrored


def _image(vectors: np.ndarray, x: int, y: int, side: int) -> np.ndarray:
    return vectors.reshape(-1, side, side)[:, ::y, ::x].reshape(len(vectors), -1)


@pytest.mark.parametrize("side", [3, 5, 17])
@pytest.mark.parametrize(("vectors", "rest"), [(1, 1), (4, 7), (6, 0)])
def test_products_with_mirror_images_are_those_of_each_image(
    side: int, vectors: int, rest: int
) -> None:
    draw = np.random.default_rng(side * 10 + vectors)
    some = draw.normal(size=(vectors, side * side)).astype(np.float32)
    seen = draw.normal(size=(rest, side * side)).astype(np.float32)

    made = mirrored(some).products(seen)

    wanted = [seen @ _image(some, x, y, side).T for x, y in IMAGES]
    assert made == pytest.approx(np.array(wanted), abs=1e-4)


def test_the_image_between_two_images_of_a_vector_takes_one_to_the_other() -> None:
    vector = np.arange(9.0)[None]
    for a, (x, y) in enumerate(IMAGES):
        for b, (u, v) in enumerate(IMAGES):
            first, other = _image(vector, x, y, 3), _image(vector, u, v, 3)
            assert (_image(first, *IMAGES[BETWEEN[a, b]], 3) == other).all()


def test_what_is_its_own_mirror_image_has_nothing_odd() -> None:
    even = np.array([[1, 2, 1, 3, 5, 3, 1, 2, 1]], dtype=np.float32)

    parts = folded(even)

    assert (parts[1:] == 0).all()
    assert parts[0].any()
