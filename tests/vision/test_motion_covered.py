"""A piece that a cue half hides: when it set off, and that it did not where it only seems to."""

from dataclasses import replace

import pytest
from testkit.simulated_table import film, lying, observed, scene, tables

from calibration.table import Table
from rules.facts import Fact, Moved, Struck
from sightline.simulated.cueing import stroke_stick
from sightline.simulated.scene import Scene
from vision.frame import Observation, Picture
from vision.witness import Witness

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

    def __init__(self, far_mm: float) -> None:
        self.far_mm, self.now_s = far_mm, 0.0

    def look(self, picture: Picture, table: Table) -> Observation:
        del picture, table
        now = struck_softly(self.far_mm, self.now_s)
        puck = replace(CUE, x_mm=now.bodies[0].x_mm, y_mm=now.bodies[0].y_mm)
        return observed((puck, BLUE), hand=bool(now.sticks))


@pytest.mark.parametrize(
    ("far_mm", "strokes"), [(3.0, 1), (5.0, 1), (0.0, 0)], ids=["a little", "farther", "not at all"]
)
def test_a_soft_stroke_is_told_though_the_cue_stays_over_the_piece(
    far_mm: float, strokes: int
) -> None:
    eye = Eye(far_mm)
    witness = Witness(tables()[1], look=eye.look)
    facts: list[Fact] = []
    for frame in film(lambda at_s: struck_softly(far_mm, at_s), fps=FPS, lasts_s=STRUCK_S + 2.6):
        eye.now_s = frame.at_ms / 1000
        facts += [sighting.fact for sighting in witness.feed(frame)]
    struck = [fact for fact in facts if isinstance(fact, Struck)]
    assert [fact.piece for fact in struck] == ["cue-puck"] * strokes
    for fact in struck:
        assert fact.at_ms == pytest.approx(1000 * STRUCK_S, abs=40)
        assert not fact.dragged
    assert not any(isinstance(fact, Moved) for fact in facts)
