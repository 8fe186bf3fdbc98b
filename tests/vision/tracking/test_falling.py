"""Pieces that fall as soon as they are hit are seen in the pocket, on drawn pictures."""

from collections.abc import Callable
from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from testkit.simulated_table import known, lying, tables

from rules.board import Pocket
from rules.facts import Contacted, Fact, LeftBoard, Placed, Pocketed, Settled, Unclear
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.scene import Body as Drawn
from sightline.simulated.scene import Scene, Stick
from sightline.simulated.shots import Film
from sightline.simulated.truth import shot_facts
from vision.frame import Observation, Picture, SeenPiece
from vision.tracking.body import Sample
from vision.tracking.falling import Mouths, seen_in_mouth, stays_in_mouth
from vision.tracking.fitting import Fix
from vision.tracking.tracker import Tracker
from vision.witness import Witness

RED = lying("red-1", "red", 410.0, 380.0)
BLUE = lying("blue-1", "blue", 380.0, 380.0)
FPS = 30.0


def pocket_ne() -> Pocket:
    return next(p for p in tables()[1].board.pockets if p.id == "NE")


def drawn(*bodies: Drawn, sticks: tuple[Stick, ...] = ()) -> Picture:
    return tables()[0].photographer.picture(Scene(bodies=bodies, sticks=sticks))


def sunk(piece: Lying, lift_mm: float) -> Drawn:
    """A piece in the mouth of the pocket NE, its foot so far above the board."""
    middle = pocket_ne().centre
    x, y = middle.x_mm - 12.0, middle.y_mm - 8.0
    return Drawn(name=piece.name, spec=piece.spec, x_mm=x, y_mm=y, lift_mm=lift_mm)


def looked_for(picture: Picture, reach_mm: float = 150.0) -> Fix | None:
    """Where in a mouth the red puck, just lost, is seen."""
    tracker = tracked()
    return seen_in_mouth(mouths_in(picture, tracker), tracker.bodies[0], reach_mm=reach_mm)


def stays(picture: Picture) -> bool:
    """Whether something shows in the mouth in which the red puck was last seen."""
    tracker = tracked()
    body, middle = tracker.bodies[0], pocket_ne().centre
    body.samples.append(Sample(0.0, 0, middle.x_mm - 12.0, middle.y_mm, 0.2, 0.9))
    return stays_in_mouth(mouths_in(picture, tracker), body)


def tracked() -> Tracker:
    """The red puck, and then the blue one, as they lie."""
    table, before = tables()[1], as_they_lie()
    tracker = Tracker(table.camera, table.board, gray(table.empty), table.empty)
    tracker.begin(gray(before), known([RED, BLUE]), noise=1.6, colours=before)
    return tracker


def as_they_lie() -> Picture:
    return drawn(RED.body(), BLUE.body())


def mouths_in(picture: Picture, tracker: Tracker) -> Mouths:
    return Mouths(
        ground=tracker.ground,
        board=tables()[1].board,
        before=as_they_lie(),
        now=lambda: picture,
        others=[(*b.home, b.known.radius_mm) for b in tracker.bodies],
    )


def gray(picture: Picture) -> Picture:
    return np.asarray(picture.mean(axis=2), dtype=np.uint8)


@pytest.mark.parametrize("lift_mm", [-2.0, -10.0, -25.0])
def test_a_piece_that_sinks_is_seen_in_the_mouth(lift_mm: float) -> None:
    found = looked_for(drawn(BLUE.body(), sunk(RED, lift_mm)))
    assert found is not None
    middle = pocket_ne().centre
    assert hypot(found.x_mm - middle.x_mm, found.y_mm - middle.y_mm) < pocket_ne().radius_mm


def test_what_cannot_have_come_to_a_pocket_is_not_looked_for_there() -> None:
    assert looked_for(drawn(BLUE.body(), sunk(RED, -10.0)), reach_mm=20.0) is None


def test_a_mouth_in_which_nothing_or_another_piece_is_seen_holds_no_fall() -> None:
    assert looked_for(drawn(BLUE.body())) is None
    assert looked_for(drawn(sunk(BLUE, -10.0))) is None


@pytest.mark.parametrize("lift_mm", [-5.0, -25.0, -45.0])
def test_what_fell_shows_in_the_mouth_after_it_is_lost(lift_mm: float) -> None:
    assert stays(drawn(BLUE.body(), sunk(RED, lift_mm)))


def test_what_flew_on_leaves_the_mouth_bare() -> None:
    assert not stays(drawn(BLUE.body()))
    middle = pocket_ne().centre
    beyond = replace(sunk(RED, 25.0), x_mm=middle.x_mm + 45.0, y_mm=middle.y_mm)
    assert not stays(drawn(BLUE.body(), beyond))


def test_a_cue_over_the_mouth_tells_nothing() -> None:
    middle = pocket_ne().centre
    cue = Stick(
        tip_mm=(middle.x_mm - 20.0, middle.y_mm - 20.0, 15.0),
        butt_mm=(middle.x_mm + 700.0, middle.y_mm + 700.0, 90.0),
    )
    assert looked_for(drawn(BLUE.body(), sticks=(cue,))) is None
    assert looked_for(drawn(BLUE.body(), sunk(RED, -10.0), sticks=(cue,))) is None
    assert not stays(drawn(BLUE.body(), sticks=(cue,)))


@pytest.mark.parametrize(
    ("cue", "man", "push", "pocket"),
    [
        ((-269.5, 239.5), (388.2, 492.5), (2370, 991), "NE"),
        ((-355.8, -21.5), (443.5, -420.0), (2866, -1397), "SE"),
        ((-330.0, 112.6), (-414.6, -493.5), (-162, -1334), "SW"),
        ((-240.6, 238.5), (-464.1, -267.1), (-989, -2520), "SW"),
        ((-147.9, 324.7), (-441.1, 36.1), (-1502, -1713), None),
        ((-9.8, 319.4), (-83.8, -457.0), (-144, -1654), None),
    ],
    ids=[
        "squeezed beside a mouth",
        "hit into it at once",
        "squeezed into it",
        "out of one mouth and back",
        "squeezed, and fast",
        "hit twice",
    ],
)
def test_a_man_squeezed_at_the_cushion_went_where_he_was_seen_to_go(
    cue: tuple[float, float],
    man: tuple[float, float],
    push: tuple[float, float],
    pocket: str | None,
) -> None:
    told = told_of(cue, man, push)
    left = [f for f in told if isinstance(f, Pocketed | LeftBoard) and f.piece == "red-1"]
    assert [f.pocket for f in left if isinstance(f, Pocketed)] == ([pocket] if pocket else [])
    assert not [f for f in left if isinstance(f, LeftBoard)]
    assert not [f for f in told if isinstance(f, Placed | Unclear)]
    first = next(f for f in told if isinstance(f, Contacted))
    assert {first.a, first.b} == {"cue-puck", "red-1"}


@pytest.mark.parametrize(
    ("cue", "push"), [((-200.0, -310.0), (-1500, -620)), ((-200.0, -290.0), (-1500, -720))]
)
def test_a_man_that_flies_over_a_mouth_is_not_told_as_fallen(
    cue: tuple[float, float], push: tuple[float, float]
) -> None:
    told = told_of(cue, (-356.0, -378.0), push, hops=lambda speed: speed > 250)
    assert [f for f in told if isinstance(f, Contacted)]
    assert not [f for f in told if isinstance(f, Pocketed)]


def told_of(
    cue: tuple[float, float],
    man: tuple[float, float],
    push: tuple[float, float],
    hops: Callable[[float], bool] = lambda _: False,
) -> list[Fact]:
    """All that is told of a drawn shot in which the cue-puck is pushed at a red puck.

    `hops` tells whether a piece that fast jumps where it is hit.
    """
    simulated, table = tables()
    laid = (lying("cue-puck", "natural", *cue), lying("red-1", "red", *man))
    surface = surface_of(table.board, slowing_mm_s2=1100.0)
    discs = [piece.disc() for piece in laid]
    run = play(surface, discs, {"cue-puck": push}, start_s=0.35, hops=hops)
    true = shot_facts(run, laid, "cue-puck")
    begun, rest = true[0], true[-1]
    assert isinstance(rest, Settled)
    now_ms = 0.0

    def look(*_: object) -> Observation:
        there = rest.pieces if now_ms > begun.at_ms else [p.piece() for p in laid]
        return Observation(
            pieces=tuple(
                SeenPiece(kind=p.kind, colour=p.colour, at=p.at, error_mm=0.06) for p in there
            )
        )

    witness = Witness(table, look=look)
    film = Film(
        table=simulated,
        lying=laid,
        run=run,
        struck="cue-puck",
        fps=FPS,
        count=int(FPS * (run.rest_s + 1.25)),
        exposure_s=0.006,
    )
    told: list[Fact] = []
    for frame in film:
        now_ms = frame.at_ms
        told += [sighting.fact for sighting in witness.feed(frame)]
    return told
