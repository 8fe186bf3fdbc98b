"""Two pieces of one look, of which one sends the other on."""

from types import SimpleNamespace

import pytest

from vision.motion.twins import seems_pushed

RADIUS_MM = 12.5


def puck(home: tuple[float, float], *, colour: str = "red", moved: bool = False) -> object:
    known = SimpleNamespace(kind="puck", colour=colour, radius_mm=RADIUS_MM)
    return SimpleNamespace(known=known, home=home, last=home, moved=moved)


@pytest.mark.parametrize(
    ("found", "pushed"),
    [((0.0, 95.0), True), ((0.0, 60.0), True), ((0.0, 35.0), False), ((40.0, 60.0), False)],
    ids=["past where the other lay", "where the other lay", "before it", "beside it"],
)
def test_what_is_found_beyond_where_its_like_lay_is_its_like_sent_on(
    found: tuple[float, float], pushed: bool
) -> None:
    place = SimpleNamespace(x_mm=found[0], y_mm=found[1])
    runner, other = puck((0.0, 0.0), moved=True), puck((4.0, 60.0))
    assert seems_pushed(place, runner, other) == pushed  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("runner", "other"),
    [
        (puck((0.0, 0.0), moved=True), puck((4.0, 60.0), moved=True)),
        (puck((0.0, 0.0), moved=True), puck((4.0, 60.0), colour="blue")),
        (puck((0.0, 0.0)), puck((4.0, 60.0))),
    ],
    ids=["it runs already", "it looks otherwise", "nothing runs into it"],
)
def test_a_place_is_left_to_another_only_where_the_other_may_have_been_sent_on(
    runner: object, other: object
) -> None:
    place = SimpleNamespace(x_mm=0.0, y_mm=95.0)
    assert not seems_pushed(place, runner, other)  # type: ignore[arg-type]
