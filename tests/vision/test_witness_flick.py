"""A striker flicked or carried by a hand, on drawn frames: each is told as what it was."""

from dataclasses import replace
from math import cos, hypot, radians, sin

import pytest
from testkit.flicks import STRUCK_S, Set, carrom_tables, flick, watched

from rules.facts import (
    Contacted,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Placed,
    Pocketed,
    Removed,
    Struck,
)
from rules.geometry import Seat
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.carrom.flick import Flick
from sightline.simulated.carrom.players import SLOWING_MM_S2
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of

pytestmark = pytest.mark.film

BY_THE_HAND = [("white", -143.2, -289.2), ("black", -79.3, -299.6), ("white", -34.6, -319.9)]
"""Men that lie where a hand does that flicks from S; one of them it hides in part."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return carrom_tables(tmp_path_factory.mktemp("carrom") / "table")


@pytest.mark.parametrize(
    ("men", "speed_mm_s"),
    [
        ([("white", 38.2, -90.0), ("black", 221.0, 190.0)], 1970.0),
        ([("black", 10.0, 120.0), ("white", -200.0, -120.0)], 1400.0),
    ],
    ids=["a white man near by", "a black man far off"],
)
def test_a_flick_is_a_strike_with_its_first_contact_and_no_hand_moves_a_piece(
    tables: Set, men: list[tuple[str, float, float]], speed_mm_s: float
) -> None:
    act = flick(tables[1], men, speed_mm_s)
    facts, start = watched(tables, act)
    struck = [f for f in facts if isinstance(f, Struck)]
    assert [(f.piece, f.by) for f in struck] == [("striker", Seat.S)]
    assert not struck[0].dragged
    assert abs(struck[0].at_ms - 1000 * STRUCK_S) < 15
    assert abs(struck[0].speed_mm_s - speed_mm_s) < 0.1 * speed_mm_s
    first = min((f for f in facts if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    hit = next(p for p in start if p.name in (first.a, first.b) and p.kind != "striker")
    assert hypot(hit.at.x_mm - men[0][1], hit.at.y_mm - men[0][2]) < 1
    true = min((f for f in act.facts() if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    assert abs(first.at_ms - true.at_ms) < 5
    assert not [f for f in facts if isinstance(f, Moved)]
    assert [type(f) for f in facts if isinstance(f, HandEntered | HandLeft)] == [
        HandEntered,
        HandLeft,
    ]


def test_a_flick_so_hard_that_the_striker_is_smeared_at_once_is_a_strike_with_its_speed(
    tables: Set,
) -> None:
    men = [("black", -335.2, 199.3), ("white", 226.4, 141.0), *BY_THE_HAND]
    act = flick(tables[1], men, 4600.0, (-121.6, -255.2))
    facts, _ = watched(tables, act)
    struck = [f for f in facts if isinstance(f, Struck)]
    assert [(f.piece, f.by) for f in struck] == [("striker", Seat.S)]
    assert abs(struck[0].at_ms - 1000 * STRUCK_S) < 3
    assert abs(struck[0].speed_mm_s - 4600.0) < 100.0
    true = min((f for f in act.facts() if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    first = min((f for f in facts if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    assert {first.a, first.b} == {"striker", "black-1"}
    assert abs(first.at_ms - true.at_ms) < 2


@pytest.mark.parametrize(
    ("at", "aim", "speed_mm_s"),
    [
        ((176.7, -267.8), (32.2, -30.3), 2643.0),
        ((174.7, -267.8), (25.7, -30.3), 2844.0),
        ((179.5, -267.8), (31.3, -30.3), 2843.0),
    ],
)
def test_a_flick_as_the_shutter_opens_is_a_strike_though_it_shows_the_striker_hardly_off_its_place(
    tables: Set, at: tuple[float, float], aim: tuple[float, float], speed_mm_s: float
) -> None:
    facts, _ = watched(tables, flick(tables[1], [("white", 300.0, -300.0)], speed_mm_s, at, aim))
    [struck] = [f for f in facts if isinstance(f, Struck)]
    assert struck.piece == "striker"
    assert abs(struck.at_ms - 1000 * STRUCK_S) < 3
    assert not [f for f in facts if isinstance(f, Moved | Placed | Removed)]


@pytest.mark.parametrize("x_mm", [121.3, 174.7], ids=["half under the hand", "all under the hand"])
def test_a_striker_hidden_until_it_has_touched_is_told_as_struck_before_that(
    tables: Set, x_mm: float
) -> None:
    men = [("black", x_mm + 60.0, -288.0), ("white", 0.0, 100.0)]
    act = flick(tables[1], men, 800.0, (x_mm, -252.9))
    facts, _ = watched(tables, act)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    [touch] = [f for f in facts if isinstance(f, Contacted)]
    assert struck.piece == "striker"
    assert {touch.a, touch.b} == {"striker", "black-1"}
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 1000 * STRUCK_S) < 3 * struck.error_ms
    true = next(f for f in act.facts() if isinstance(f, Contacted))
    assert abs(touch.at_ms - true.at_ms) < 3 * touch.error_ms
    assert not [f for f in facts if isinstance(f, Moved)]
    fell = {f.piece for f in facts if isinstance(f, Pocketed)}
    assert fell == {f.piece for f in act.facts() if isinstance(f, Pocketed)}


@pytest.mark.parametrize(
    ("at", "towards", "speed_mm_s"),
    [
        ((147.5, -252.4), (-60.0, 120.0), 59.0),
        ((-2.7, -252.4), (-60.0, 120.0), 63.0),
        ((-79.0, -252.6), (-60.0, 120.0), 95.0),
        ((0.6, -251.7), (-115.0, -160.0), 116.0),
        ((100.0, -252.6), (-60.0, 120.0), 155.0),
        ((153.7, -252.1), (298.0, -212.0), 71.6),
    ],
    ids=[
        "by 1.9 mm",
        "by 2.2 mm",
        "by 5.0 mm",
        "by 7.3 mm",
        "by 13.1 mm",
        "by 2.8 mm, in the hand's shadow before",
    ],
)
def test_a_striker_that_a_finger_pushes_by_millimetres_is_told_as_struck(
    tables: Set, at: tuple[float, float], towards: tuple[float, float], speed_mm_s: float
) -> None:
    act = flick(tables[1], [("white", *towards)], speed_mm_s, at)
    facts, _ = watched(tables, act)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    assert (struck.piece, struck.by) == ("striker", Seat.S)
    assert not struck.dragged
    assert abs(struck.at_ms - 1000 * STRUCK_S) < 3 * struck.error_ms
    assert not [f for f in facts if isinstance(f, Moved)]


@pytest.mark.parametrize(
    ("striker", "to"),
    [
        ((147.5, -252.4), (147.7, -250.5)),
        ((-2.0, -250.3), (0.0, -252.4)),
        ((187.2, -103.5), (126.5, -251.7)),
        ((-20.0, 100.5), (60.0, 252.9)),
    ],
    ids=["by 1.9 mm", "by 2.9 mm", "from beside it", "from the other half"],
)
def test_a_striker_that_a_hand_brings_to_its_place_is_moved_and_not_struck(
    tables: Set, striker: tuple[float, float], to: tuple[float, float]
) -> None:
    board = tables[1].board
    lies = [
        Lying(
            name="striker", spec=board.piece("striker", "ivory"), x_mm=striker[0], y_mm=striker[1]
        )
    ]
    men = [("white", -2.0, 21.0), ("white", 47.0, -66.0), ("black", 43.0, -8.0)]
    for colour, x, y in [*men, ("black", 133.0, 100.0), ("white", 330.0, -63.0)]:
        man = board.piece("carromman", colour)
        lies.append(Lying(name=f"{colour}-{len(lies)}", spec=man, x_mm=x, y_mm=y))
    placed = replace(lies[0], x_mm=to[0], y_mm=to[1])
    act = Carry(before=tuple(lies), pieces=(placed,), by=Seat.S, board=board, moves_from=striker)
    facts, _ = watched(tables, act)
    assert not [f for f in facts if isinstance(f, Struck | Contacted | Pocketed | LeftBoard)]
    [moved] = [f for f in facts if isinstance(f, Moved)]
    assert moved.piece == "striker"
    assert moved.by == Seat.S
    assert hypot(moved.after.x_mm - to[0], moved.after.y_mm - to[1]) < 1


@pytest.mark.parametrize(
    ("striker", "men"),
    [
        ((-202.1, -257.3), [("black", 135.8, 212.0), ("white", -302.5, 185.4)]),
        ((342.3, -177.4), [("white", -81.6, 240.2), ("white", 279.1, 352.5)]),
    ],
    ids=["by the base line", "by a pocket"],
)
def test_a_striker_that_a_hand_clears_away_with_the_men_is_not_struck(
    tables: Set, striker: tuple[float, float], men: list[tuple[str, float, float]]
) -> None:
    board = tables[1].board
    spec = board.piece("striker", "ivory")
    lies = [Lying(name="striker", spec=spec, x_mm=striker[0], y_mm=striker[1])]
    for colour, x, y in men:
        man = board.piece("carromman", colour)
        lies.append(Lying(name=f"{colour}-{len(lies)}", spec=man, x_mm=x, y_mm=y))
    act = Carry(before=tuple(lies), pieces=tuple(lies), by=Seat.S, board=board, brings=False)
    facts, _ = watched(tables, act)
    assert not [f for f in facts if isinstance(f, Struck | Contacted | Pocketed | LeftBoard)]
    assert len([f for f in facts if isinstance(f, Removed)]) == len(lies)


def test_of_a_bursting_rack_no_man_is_followed_under_the_name_of_another_colour(
    tables: Set,
) -> None:
    board = tables[1].board
    ring = [(31.25, 30 + 60 * k, "black" if k % 2 == 0 else "white") for k in range(6)]
    ring += [(62.5, 30 + 60 * k, "white") for k in range(6)]
    ring += [(54.13, 60 * k, "black") for k in range(6)]
    spots = [(r * cos(radians(a)), r * sin(radians(a)), colour) for r, a, colour in ring]
    lies = [Lying(name="striker", spec=board.piece("striker", "ivory"), x_mm=22.98, y_mm=253.63)]
    lies.append(Lying(name="queen", spec=board.piece("queen", "red"), x_mm=-0.37, y_mm=-0.21))
    for n, (x, y, colour) in enumerate(spots):
        man = board.piece("carromman", colour)
        lies.append(Lying(name=f"{colour}-{n}", spec=man, x_mm=x - 0.37, y_mm=y - 0.21))
    run = play(
        surface_of(board, slowing_mm_s2=SLOWING_MM_S2),
        [piece.disc() for piece in lies],
        {"striker": (-290.1, -3197.4)},
        start_s=STRUCK_S,
    )
    act = Flick(before=tuple(lies), run=run, struck="striker", by=Seat.N, board=board)
    facts, start = watched(tables, act)
    colours = {p.name: p.colour for p in start}
    fell = [(colours[f.piece], f.pocket) for f in facts if isinstance(f, Pocketed)]
    true = [f for f in act.facts() if isinstance(f, Pocketed)]
    assert fell == [(f.piece.split("-")[0], f.pocket) for f in true]
    assert not [f for f in facts if isinstance(f, Moved | Placed | Removed)]


@pytest.mark.parametrize("x_mm", [179.5, 190.0])
def test_a_striker_first_seen_far_from_the_hand_is_followed_as_fast_as_it_must_have_run(
    tables: Set, x_mm: float
) -> None:
    act = flick(tables[1], [("white", x_mm, 320.9)], 4600.0, at=(25.2, -251.7))
    facts, _ = watched(tables, act)
    assert [f.piece for f in facts if isinstance(f, Struck)] == ["striker"]
    first = next(f for f in facts if isinstance(f, Contacted))
    assert {first.a.split("-")[0], first.b.split("-")[0]} == {"striker", "white"}
    assert not [f for f in facts if isinstance(f, Moved | Removed | LeftBoard)]


@pytest.mark.parametrize("speed_mm_s", [700.0, 1000.0])
def test_a_striker_followed_nowhere_that_lies_elsewhere_when_the_hand_has_gone_hit_the_man(
    tables: Set, speed_mm_s: float
) -> None:
    act = flick(
        tables[1],
        [("black", -66.7, -294.8)],
        speed_mm_s,
        at=(-123.5, -252.0),
        aim=(-56.8, -281.7),
    )
    facts, _ = watched(tables, act)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    true = next(h for h in act.run.happenings if h.what == "contact")
    assert (struck.piece, {touch.a, touch.b}) == ("striker", {"striker", "black-1"})
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 1000 * STRUCK_S) < 3 * struck.error_ms
    assert abs(touch.at_ms - 1000 * true.at_s) < 3 * touch.error_ms
    assert 0.5 * speed_mm_s < struck.speed_mm_s < 1.1 * speed_mm_s
    assert not [f for f in facts if isinstance(f, Moved | Placed | Removed)]
