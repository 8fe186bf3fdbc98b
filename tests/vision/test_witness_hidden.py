"""Strokes of which a hand hides most, on drawn frames: what comes out from beneath it tells."""

from math import hypot

import pytest
from testkit.flicks import STRUCK_S, Man, Set, carrom_tables, flick, watched

from rules.facts import Contacted, Moved, Placed, Pocketed, Removed, Struck, Unclear

pytestmark = pytest.mark.film

FAR_OFF: list[Man] = [("white", -119.5, 38.6), ("white", -287.5, -102.6), ("black", 213.3, 283.8)]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return carrom_tables(tmp_path_factory.mktemp("carrom") / "table")


@pytest.mark.parametrize(
    ("at", "man", "aim", "speed_mm_s"),
    [
        ((54.8, -252.6), ("black", 4.1, -348.8), (-1.5, -359.0), 2432.0),
        ((81.7, -252.6), ("white", 117.2, -346.7), (114.3, -341.2), 1305.0),
        ((46.3, -252.6), ("black", 62.6, -312.0), (54.3, -313.9), 1035.0),
        ((-111.0, -252.6), ("black", -106.9, -345.9), (-119.8, -336.8), 1710.0),
        ((-136.0, -252.6), ("black", -117.1, -288.6), (-121.9, -291.5), 2536.0),
    ],
)
def test_a_man_sent_off_beneath_the_hand_is_followed_and_the_striker_told_as_struck(
    tables: Set, at: tuple[float, float], man: Man, aim: tuple[float, float], speed_mm_s: float
) -> None:
    act = flick(tables[1], [man, *FAR_OFF], speed_mm_s, at, aim)
    facts, start = watched(tables, act)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    assert struck.piece == "striker"
    assert abs(struck.at_ms - 1000 * STRUCK_S) < 4 * struck.error_ms
    [sent] = [p for p in start if hypot(p.at.x_mm - man[1], p.at.y_mm - man[2]) < 1]
    first = min((f for f in facts if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    assert {first.a, first.b} == {"striker", sent.name}
    true = next(f for f in act.facts() if isinstance(f, Contacted))
    assert abs(first.at_ms - true.at_ms) < 4 * first.error_ms
    fell = [f.pocket for f in facts if isinstance(f, Pocketed)]
    assert fell == [f.pocket for f in act.facts() if isinstance(f, Pocketed)]
    assert not [f for f in facts if isinstance(f, Moved | Placed | Removed)]


@pytest.mark.parametrize(
    ("at", "men", "aim", "speed_mm_s"),
    [
        (
            (-88.0, -252.6),
            [("black", -96.5, -342.6), ("white", -59.9, -162.0), ("white", -41.4, -283.8)],
            (-95.5, -347.7),
            2244.0,
        ),
        (
            (25.1, -252.6),
            [("black", 40.9, -317.7), ("white", 173.4, -83.5), ("black", 328.1, 298.5)],
            (35.0, -317.0),
            2447.0,
        ),
        (
            (59.4, -252.6),
            [("white", 54.5, -313.3), ("white", -5.8, -159.4), ("black", 323.1, -111.4)],
            (65.1, -316.0),
            1382.0,
        ),
    ],
    ids=[
        "the striker came back and hit another",
        "the man sent another off far away and stopped",
        "the man sent another off near by and stopped",
    ],
)
def test_a_man_hit_beneath_the_hand_is_not_forgotten_for_one_who_is_hit_in_sight(
    tables: Set,
    at: tuple[float, float],
    men: list[Man],
    aim: tuple[float, float],
    speed_mm_s: float,
) -> None:
    act = flick(tables[1], men, speed_mm_s, at, aim)
    facts, start = watched(tables, act)
    [hit] = [p.name for p in start if hypot(p.at.x_mm - men[0][1], p.at.y_mm - men[0][2]) < 1]
    touches = [f for f in facts if isinstance(f, Contacted) and "striker" in (f.a, f.b)]
    asked = [touch for f in facts if isinstance(f, Unclear) for a in f.answers for touch in a]
    first = min([*touches, *asked], key=lambda f: f.at_ms)
    offered = [first, *asked] if first in asked else [first]
    assert any(isinstance(f, Contacted) and hit in (f.a, f.b) for f in offered)
    assert not [f for f in facts if isinstance(f, Moved | Placed | Removed)]
