"""Strokes under lamps that flicker while a camera reads its rows, coded as webcams do."""

from collections import Counter

import pytest
from testkit.flicks import Man, Set, carrom_tables, cue_stroke, flick, qsquare_tables, watched

from benchmarks.cameras import through
from rules.facts import Fact, HandEntered, HandLeft, Settled, Struck

pytestmark = pytest.mark.film

SLOW = (
    [
        ("black", 204.9, 114.4),
        ("white", -276.0, 33.9),
        ("black", -231.4, 196.7),
        ("white", -47.2, 116.9),
        ("white", 161.7, 316.4),
    ],
    706.0,
    (-165.7, -252.6),
    (203.0, 122.0),
)
FAST = (
    [
        ("white", 10.4, -45.7),
        ("white", -303.3, 7.0),
        ("black", -309.2, -173.7),
        ("white", 339.4, 152.3),
    ],
    4330.0,
    (122.0, -252.6),
    (2.8, -32.9),
)
"""The men, how fast the striker sets off, where it lies and at what it is aimed."""


@pytest.fixture(scope="module")
def carrom(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return carrom_tables(tmp_path_factory.mktemp("carrom") / "table")


@pytest.fixture(scope="module")
def qsquare(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return qsquare_tables(tmp_path_factory.mktemp("qsquare") / "table")


def lying(facts: list[Fact]) -> Counter[str]:
    """How many pieces of each colour lie there as told last."""
    told = [fact.pieces for fact in facts if isinstance(fact, Settled)]
    return Counter(piece.colour for piece in told[-1]) if told else Counter()


@pytest.mark.parametrize("camera", ["mains", "webcam"])
@pytest.mark.parametrize(("stroke", "film"), [(SLOW, 3), (FAST, 5)], ids=["slow", "fast"])
def test_a_striker_in_plain_sight_is_struck_from_where_it_lay_though_lamps_flicker(
    carrom: Set,
    stroke: tuple[list[Man], float, tuple[float, float], tuple[float, float]],
    film: int,
    camera: str,
) -> None:
    simulated, table = carrom
    act = flick(table, *stroke)
    facts, _ = watched((through(simulated, camera), table), act, film=film)
    struck = [f for f in facts if isinstance(f, Struck)]
    assert [(f.piece, f.hidden, f.dragged) for f in struck] == [("striker", False, False)]
    assert lying(facts) == Counter(piece.spec.colour for piece in act.after)


@pytest.mark.parametrize("camera", ["mains", "webcam"])
def test_a_cue_that_has_left_is_told_to_have_left_though_lamps_flicker(
    qsquare: Set, camera: str
) -> None:
    simulated, table = qsquare
    act = cue_stroke(
        table,
        [("red", 100.0, 150.0), ("blue", -200.0, 30.0)],
        1500.0,
        (-40.0, -300.0),
        (100.0, 150.0),
    )
    facts, _ = watched((through(simulated, camera), table), act, film=7)
    assert [f.piece for f in facts if isinstance(f, Struck)] == ["cue-puck"]
    assert lying(facts) == Counter(piece.spec.colour for piece in act.after)
    comes, goes = (sum(isinstance(f, kind) for f in facts) for kind in (HandEntered, HandLeft))
    assert comes == goes
