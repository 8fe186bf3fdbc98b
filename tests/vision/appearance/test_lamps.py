"""The few lamps behind a light that was first read as many."""

import numpy as np
import pytest

from calibration.camera import Floats
from calibration.silhouette import Body
from vision.appearance.lamps import gathered
from vision.appearance.light import (
    AROUND,
    DIFFUSE,
    Cushions,
    Light,
    Standing,
    Surroundings,
    estimate_light,
    hidden_by,
)

MAN = Body(radius_mm=15.5, thickness_mm=8.0)
CUSHIONS = Cushions(half_x_mm=500.0, half_y_mm=500.0, height_mm=18.0)
PLACES = [(-310.0, -300.0), (-20.0, 40.0), (330.0, -280.0), (290.0, 310.0), (-280.0, 330.0)]

SPOT = Light(
    lean=np.array([[-0.18, 0.21]]),
    spread=np.array([0.03]),
    share=np.array([0.95]),
    nearness=6.5e-4,
)
BULBS = Light(
    lean=np.array([[-0.3, 0.3], [0.28, -0.24], [0.2, 0.45]]),
    spread=np.full(3, 0.04),
    share=np.array([0.35, 0.33, 0.3]),
    nearness=6.5e-4,
)


def around(
    light: Light, noise: float = 0.005, places: list[tuple[float, float]] = PLACES
) -> list[Surroundings]:
    """The board about men at `places`, dark where their shadows fall."""
    dice = np.random.default_rng(0)
    found = []
    for x_mm, y_mm in places:
        foot = dice.uniform(-28, 28, (900, 2)).astype(np.float32)
        foot = foot[np.hypot(*foot.T) > MAN.radius_mm + 1]
        piece = Standing(body=MAN, x_mm=x_mm, y_mm=y_mm)
        hidden = hidden_by(
            foot, (x_mm, y_mm), [piece], light.lean_at(x_mm, y_mm), light.spread, CUSHIONS, AROUND
        )
        seen = 1 - light.share @ hidden + dice.normal(0, noise, len(foot))
        weight: Floats = np.ones(len(foot))
        found.append(Surroundings(pieces=(piece,), foot=foot, seen=seen, weight=weight))
    return found


@pytest.mark.parametrize("light", [SPOT, BULBS], ids=["a spot lamp", "three bulbs"])
def test_lamps_are_told_one_by_one_with_their_place_and_share(light: Light) -> None:
    seen = around(light)
    many = estimate_light(seen, CUSHIONS)
    few = gathered(seen, CUSHIONS, many)
    assert len(light.share) <= len(few.share) < len(many.share)
    for lean, share in zip(light.lean, light.share, strict=True):
        near = np.hypot(*(few.lean - lean).T) < 0.06
        assert float(few.share[near].sum()) == pytest.approx(share, abs=0.08)


def test_a_lamp_that_hangs_lower_is_told_by_how_shadows_turn_over_the_board() -> None:
    seen = around(SPOT)
    few = gathered(seen, CUSHIONS, estimate_light(seen, CUSHIONS))
    assert few.nearness == pytest.approx(SPOT.nearness, abs=0.5e-4)


def test_light_from_everywhere_stays_what_it_is() -> None:
    assert gathered(around(SPOT), CUSHIONS, DIFFUSE) is DIFFUSE


def test_one_piece_alone_does_not_tell_where_lamps_are() -> None:
    many = estimate_light(around(SPOT), CUSHIONS)
    assert gathered(around(SPOT)[:1], CUSHIONS, many) is many


def test_lamps_that_have_been_told_one_by_one_stay_as_they_are() -> None:
    seen = around(BULBS)
    again = gathered(seen, CUSHIONS, BULBS)
    assert len(again.share) == len(BULBS.share)
    assert again.lean == pytest.approx(BULBS.lean, abs=0.03)
