"""Two pieces of one look, of which one sends the other on."""

from math import hypot
from types import SimpleNamespace

import pytest

from vision.tracking.fitting import Fix
from vision.tracking.foresight import Runner
from vision.tracking.twins import seems_pushed, untwined

RADIUS_MM = 12.5


def puck(
    home: tuple[float, float], *, colour: str = "red", moved: bool = False, off_mm: float = 60.0
) -> object:
    known = SimpleNamespace(kind="puck", colour=colour, radius_mm=RADIUS_MM)
    return SimpleNamespace(
        known=known,
        home=home,
        last=home,
        moved=moved,
        has_just_set_off=True,
        may_lie_at=lambda _: off_mm < 0.6 * RADIUS_MM,
    )


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
    touched = puck((4.0, 60.0), moved=True, off_mm=3.0)
    assert seems_pushed(place, runner, touched) == pushed  # type: ignore[arg-type]


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


def runner(colour: str = "red", *, lost: int = 0, runs: int = 1) -> object:
    known = SimpleNamespace(kind="puck", colour=colour, radius_mm=RADIUS_MM)
    return SimpleNamespace(known=known, best=1.0, lost=lost, runs=runs, moved=True)


def seen(x: float, y: float, share: float) -> Fix:
    return Fix(x_mm=x, y_mm=y, error_mm=0.1, share=share, gain=1.0, misfit=0.0)


def foreseen(x: float, y: float) -> Runner:
    return Runner(x_mm=x, y_mm=y, vx_mm_s=0, vy_mm_s=0, radius_mm=RADIUS_MM, mass=1)


UP, ASIDE = (34.0, 371.0), (118.0, 315.0)
RED, BLUE = runner(), runner("blue")


@pytest.mark.parametrize(
    ("bodies", "ways", "shares", "swapped"),
    [
        ((RED, RED), ((79, 317), (44, 348)), (0.99, 0.99), True),
        ((RED, RED), ((44, 348), (79, 317)), (0.99, 0.99), False),
        ((RED, BLUE), ((79, 317), (44, 348)), (0.99, 0.99), False),
        ((RED, RED), ((79, 317), (44, 348)), (0.99, 0.7), False),
        ((RED, runner(lost=1)), ((79, 317), (44, 348)), (0.99, 0.99), False),
        ((RED, runner(runs=0)), ((79, 317), (44, 348)), (0.99, 0.99), False),
    ],
    ids=[
        "their ways lead to each other's place",
        "their ways lead there",
        "they differ in colour",
        "one is no piece of that look there",
        "one was out of sight",
        "one has not run yet",
    ],
)
def test_of_two_runners_of_one_look_each_is_where_its_way_leads(
    bodies: tuple[object, object],
    ways: tuple[tuple[float, float], tuple[float, float]],
    shares: tuple[float, float],
    swapped: bool,
) -> None:
    fixes = {0: seen(*UP, 1.0), 1: seen(*ASIDE, 1.0)}
    offers = [
        (1.0, 0, fixes[0]),
        (1.0, 1, fixes[1]),
        (shares[0], 0, seen(*ASIDE, shares[0])),
        (shares[1], 1, seen(*UP, shares[1])),
    ]
    runners = [foreseen(*way) for way in ways]
    told = untwined(fixes, offers, bodies, runners)  # type: ignore[arg-type]
    places = [(told[k].x_mm, told[k].y_mm) for k in (0, 1)]
    assert places == ([ASIDE, UP] if swapped else [UP, ASIDE])


def at_rest(x: float, y: float, colour: str = "red", *, lost: int = 0) -> object:
    known = SimpleNamespace(kind="puck", colour=colour, radius_mm=RADIUS_MM)
    away = lambda place: hypot(place.x_mm - x, place.y_mm - y)  # noqa: E731
    return SimpleNamespace(
        known=known, best=1.0, lost=lost, runs=0, moved=False, x_mm=x, y_mm=y, away_mm=away
    )


@pytest.mark.parametrize(
    ("resting", "home_share", "found_share", "stays"),
    [
        ("red", 0.98, 0.99, True),
        ("red", 0.60, 0.99, False),
        ("blue", 0.98, 0.99, False),
        ("red", 0.98, 0.90, False),
    ],
    ids=["shows at home", "hardly shows at home", "looks otherwise", "not the runner's place"],
)
def test_what_shows_where_it_lay_still_lies_there_where_its_like_on_its_way_would_be_lost(
    resting: str, home_share: float, found_share: float, stays: bool
) -> None:
    """The second runs; what the first is found at is a place of the second as well."""
    lying, home, place = at_rest(-52, -37, resting), (-52.0, -37.0), (-51.0, 14.0)
    chosen = seen(*place, 0.99)
    offers = [
        (1.0, 0, chosen),
        (home_share, 0, seen(*home, home_share)),
        (found_share, 1, seen(*place, found_share)),
    ]
    told = untwined(
        {0: chosen},
        offers,
        [lying, runner()],  # type: ignore[list-item]
        [foreseen(*home), foreseen(-36, -3)],
    )
    if stays:
        assert (told[0].x_mm, told[0].y_mm) == home
        assert (told[1].x_mm, told[1].y_mm) == place
    else:
        assert told == {0: chosen}


@pytest.mark.parametrize(
    ("lost", "running", "way", "left"),
    [
        (runner(lost=1), runner(), (327, -312), True),
        (runner(), runner(), (327, -312), False),
        (runner(lost=1), runner("blue"), (327, -312), False),
        (runner(lost=1), runner(lost=1), (327, -312), False),
        (runner(lost=1), runner(runs=0), (327, -312), False),
        (runner(lost=1), runner(), (327, -250), False),
    ],
    ids=[
        "its like ran there",
        "it was not lost itself",
        "what ran there looks otherwise",
        "the other was lost as well",
        "the other has not run yet",
        "the other was to be elsewhere",
    ],
)
def test_what_was_lost_is_not_found_where_its_like_has_run_on_to(
    lost: object, running: object, way: tuple[float, float], left: bool
) -> None:
    """A man fell into a pocket; the next one is on his way to it."""
    place, sunk = (327.0, -313.0), (335.0, -343.0)
    chosen, other = seen(*place, 0.99), seen(*place, 0.99)
    told = untwined(
        {0: chosen},
        [(1.0, 0, chosen), (0.99, 1, other)],
        [lost, running],  # type: ignore[list-item]
        [foreseen(*sunk), foreseen(*way)],
    )
    assert told == ({1: other} if left else {0: chosen})


@pytest.mark.parametrize(("lost", "left"), [(1, True), (0, False)])
def test_what_was_knocked_into_a_pocket_unseen_is_not_found_where_its_like_has_run_on_to(
    lost: int, left: bool
) -> None:
    """Both were hit by the same blow; seen at home in the frame before, it may have set off now."""
    home, place = (423.0, -479.0), (462.0, -324.0)
    chosen, other = seen(*place, 0.92), seen(*place, 0.92)
    told = untwined(
        {0: chosen},
        [(1.0, 0, chosen), (0.99, 1, other)],
        [at_rest(*home, lost=lost), runner()],  # type: ignore[list-item]
        [foreseen(*home), foreseen(455, -300)],
    )
    assert told == ({1: other} if left else {0: chosen})
