"""A piece that a cue half hides: when it set off, how, and that it did not where it seems to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pytest
from testkit.simulated_table import film, lying, observed, scene, tables

from calibration.table import Table
from rules.facts import Fact, Moved, Piece, Struck
from rules.geometry import Seat
from sightline.simulated.acts.cue import Haul
from sightline.simulated.cueing import stroke_stick
from sightline.simulated.scene import Scene
from vision.frame import Observation, Picture
from vision.tracking.body import Sample
from vision.tracking.covered import borne_out
from vision.tracking.fitting import Fix
from vision.witness import Witness

pytestmark = pytest.mark.film

FPS = 30.0
STRUCK_S, RUNS_S = 1.5, 0.08
CUE = lying("cue-puck", "natural", -40.0, 250.0)
BLUE = lying("blue-1", "blue", -200.0, 100.0)
WAY = (0.43, -0.9)


def struck_softly(far_mm: float, at_s: float) -> Scene:
    """The cue-puck struck so that it runs `far_mm`, and the cue then lying on it for a while."""
    share = min(max((at_s - STRUCK_S) / RUNS_S, 0.0), 1.0)
    run = far_mm * share * (2 - share)
    puck = replace(CUE, x_mm=CUE.x_mm + run * WAY[0], y_mm=CUE.y_mm + run * WAY[1])
    stick = stroke_stick((CUE.x_mm, CUE.y_mm), CUE.radius_mm, WAY, STRUCK_S - at_s)
    return replace(scene((puck, BLUE)), sticks=(stick,) if stick else ())


class Eye:
    """Looks at still pictures by the truth."""

    def __init__(self, scene_at: Callable[[float], Scene]) -> None:
        self.scene_at, self.now_s = scene_at, 0.0

    def look(self, picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        now = self.scene_at(self.now_s)
        puck = replace(CUE, x_mm=now.bodies[0].x_mm, y_mm=now.bodies[0].y_mm)
        return observed((puck, BLUE), hand=bool(now.sticks))


def told(scene_at: Callable[[float], Scene], lasts_s: float) -> list[Fact]:
    eye = Eye(scene_at)
    witness = Witness(tables()[1], look=eye.look)
    facts: list[Fact] = []
    for frame in film(scene_at, fps=FPS, lasts_s=lasts_s):
        eye.now_s = frame.at_ms / 1000
        facts += [sighting.fact for sighting in witness.feed(frame)]
    return facts


@pytest.mark.parametrize(
    ("far_mm", "times"),
    [(1.8, 1), (3.0, 1), (5.0, 1), (0.0, 0)],
    ids=["hardly", "a little", "farther", "not at all"],
)
def test_a_soft_push_is_told_though_the_cue_stays_over_the_piece(far_mm: float, times: int) -> None:
    """Whether it was struck nobody can say: the rules ask where that matters."""
    facts = told(partial(struck_softly, far_mm), STRUCK_S + 2.6)
    moved = [fact for fact in facts if isinstance(fact, Moved)]
    assert [fact.piece for fact in moved] == ["cue-puck"] * times
    for fact in moved:
        assert fact.at_ms == pytest.approx(1000 * STRUCK_S, abs=40)
    assert not any(isinstance(fact, Struck) for fact in facts)


@pytest.mark.parametrize(
    ("far_mm", "aside"), [(50.0, 0.51), (66.0, 0.51), (170.0, 0.0)], ids=["short", "longer", "long"]
)
def test_a_drag_is_one_though_the_cue_hides_half_of_the_piece_all_the_way(
    far_mm: float, aside: float
) -> None:
    x, y = CUE.x_mm, CUE.y_mm
    way = ((x, y), (x - aside * far_mm, y + (1 - aside**2) ** 0.5 * far_mm))
    haul = Haul(before=(CUE, BLUE), piece="cue-puck", way=way, by=Seat.N)
    facts = told(lambda at_s: haul.scene(max(at_s - 0.6, 0.0)), haul.lasts_s + 2.4)
    struck = [fact for fact in facts if isinstance(fact, Struck)]
    assert [(fact.piece, fact.dragged) for fact in struck] == [("cue-puck", True)]
    assert struck[0].at_ms == pytest.approx(1000 * (0.6 + haul.come_s), abs=80)


@pytest.mark.parametrize("turn_mm", [(-60.0, 60.0), (60.0, 60.0), (-90.0, 20.0)])
def test_a_drag_round_something_is_one_though_the_cue_hides_half_of_the_piece_all_the_way(
    turn_mm: tuple[float, float],
) -> None:
    x, y = CUE.x_mm, CUE.y_mm
    way = ((x, y), (x + turn_mm[0], y + turn_mm[1]), (x, y + 160.0))
    haul = Haul(before=(CUE, BLUE), piece="cue-puck", way=way, by=Seat.N)
    facts = told(lambda at_s: haul.scene(max(at_s - 0.6, 0.0)), haul.lasts_s + 2.4)
    struck = [fact for fact in facts if isinstance(fact, Struck)]
    assert [(fact.piece, fact.dragged) for fact in struck] == [("cue-puck", True)]
    assert struck[0].at_ms == pytest.approx(1000 * (0.6 + haul.come_s), abs=80)


@pytest.mark.parametrize(
    ("amiss", "all_kept"),
    [((), True), ((40,), True), ((20, 40, 43), True), ((30, 31), False)],
    ids=["none", "one", "some", "two in a row"],
)
def test_single_places_amiss_do_not_hide_the_way_that_a_piece_was_brought(
    amiss: tuple[int, ...], all_kept: bool
) -> None:
    """A cue lies over half of it for 60 frames, in each of which it also seems to lie beside."""
    places = [
        (
            Sample(at_ms=33.0 * k, frame=k, x_mm=5.0 * k, y_mm=2.5, error_mm=0.2, share=0.6),
            Sample(33.0 * k, k, 5.0 * k, 6.0 if k in amiss else 0.0, 0.1, 0.8),
        )
        for k in range(60)
    ]
    found = Fix(x_mm=300.0, y_mm=0.0, error_mm=0.1, share=0.98, gain=1.0, misfit=1.0)
    brought = borne_out((0.0, 0.0), places, found, 33.0 * 60)
    if not all_kept:
        assert [s.frame for s in brought] == []
        return
    assert [s.frame for s in brought] == [k for k in range(60) if k not in amiss]
    assert {s.y_mm for s in brought} == {0.0}


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "led"),
    [(5.3, 0.1, True), (5.3, 0.6, False), (0.9, 0.0, False), (7.4, 0.0, False)],
    ids=["midway", "beside the line", "by home", "by where it lies"],
)
def test_a_single_place_tells_of_a_short_drag_where_it_lies_midway_and_in_line(
    x_mm: float, y_mm: float, *, led: bool
) -> None:
    """Half hidden, a piece that lies still may seem to have shifted a little."""
    home, between = (
        Sample(at_ms=33.0 * k, frame=k, x_mm=x, y_mm=y, error_mm=0.05, share=0.78)
        for k, (x, y) in enumerate([(0.05, 0.0), (x_mm, y_mm)])
    )
    found = Fix(x_mm=8.2, y_mm=0.0, error_mm=0.05, share=0.98, gain=1.0, misfit=1.0)
    brought = borne_out((0.0, 0.0), [(home,), (between,)], found, 67.0)
    assert brought == ([home, between] if led else [])
