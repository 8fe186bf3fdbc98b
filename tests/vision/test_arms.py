"""Arms as they are told from a stream: two looks agree, or what was wide left over the border."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from scipy.ndimage import median_filter
from testkit.simulated_table import lying, scene, tables

from calibration.table import Table, load_table
from rules.facts import Fact, HandEntered, HandLeft
from rules.geometry import Point, Seat
from sightline.simulated.boards import club_board
from sightline.simulated.hands import limb_at
from sightline.simulated.table import set_up_table, write_table
from vision.arms import ArmWatch
from vision.detection.crossings import (
    AtEdge,
    Crossing,
    crossings,
    crossings_since,
    reaching_over,
    stands_out,
)
from vision.frame import Frame, Picture
from vision.tracking.hands import Glimpse
from vision.tracking.tracker import Tracker

FRAME_MS = 40.0
WIDE = Glimpse(at_ms=0.0, area_mm2=6000.0, width_mm=70.0, moving_mm2=4000.0, mask=None)
FINGERS = replace(WIDE, area_mm2=1500.0, width_mm=19.0)
S = (Crossing(side=Seat.S, at=Point(0.0, 0.0), width_mm=80.0),)
RED = lying("red-1", "red", 300.0, 40.0)


def drawn(reach_mm: float | None) -> Picture:
    """The board with one puck, and with an arm from the left that reaches in so far."""
    board = tables()[0].board
    limbs = () if reach_mm is None else (limb_at(board, Seat.W, (reach_mm - 508.0, 0.0), 35.0),)
    return tables()[0].photographer.picture(scene((RED,), *limbs))


def drawn_across(table: Table, broad_mm: float, slant: float) -> Picture:
    """The empty board, and a pale band so broad over its left border, `slant` mm aside for each."""
    board = table.board
    half, aside = board.width_mm / 2, broad_mm / 2 * float(np.hypot(1.0, slant))
    ends = (-60.0, board.border_width_mm + 60.0)
    corners = [(d, slant * d - aside) for d in ends] + [(d, slant * d + aside) for d in ends[::-1]]
    high = board.border_height_mm
    outline = table.camera.project(np.array([(-half - d, y, high) for d, y in corners]))
    picture = table.empty.copy()
    cv2.fillPoly(picture, [np.rint(outline).astype(np.int32)], (150, 190, 235))
    return picture


def told(answers: list[tuple[Crossing, ...]], pictures: list[Picture]) -> list[Fact]:
    """The facts of a wide thing that moves in all but the first of `pictures` and then is gone.

    The looks answer with `answers`, and then with nothing.
    """
    left = iter(answers)
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, np.asarray(table.empty[:, :, 0]), table.empty)
    watch = ArmWatch(table, tracker, lambda seen: next(left, ()))
    watch.rest(Frame(image=pictures[0], at_ms=0.0, number=0), 0.0)
    facts: list[Fact] = []
    for k in range(1, len(pictures) + 8):
        picture = pictures[min(k, len(pictures) - 1)]
        frame = Frame(image=picture, at_ms=k * FRAME_MS, number=k)
        glimpse = replace(WIDE, at_ms=frame.at_ms)
        tracker.hands.glimpses.append(glimpse)
        facts += [s.fact for s in watch.feed(frame, glimpse, moves=k < len(pictures))]
    return facts


def over(side: Seat) -> tuple[Crossing, ...]:
    return (Crossing(side=side, at=Point(0.0, 0.0), width_mm=80.0),)


def test_one_look_that_sees_an_arm_is_chance_and_two_that_agree_are_a_hand() -> None:
    bare = [drawn(None)] * 10
    assert told([over(Seat.E)], bare) == []
    assert told([over(Seat.E), over(Seat.S)], bare) == []
    facts = told([over(Seat.E), over(Seat.E)], bare)
    assert [type(f) for f in facts] == [HandEntered, HandLeft]


@pytest.mark.parametrize(
    ("answers", "hand"),
    [([(), S, S], True), ([(), S], False), ([S, (), S], False)],
    ids=["seen once it lies still", "seen once", "seen, and not again"],
)
def test_finger_tips_that_come_and_lie_still_are_looked_at_until_looks_agree(
    answers: list[tuple[Crossing, ...]], hand: bool
) -> None:
    left = iter(answers)
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, np.asarray(table.empty[:, :, 0]), table.empty)
    watch = ArmWatch(table, tracker, lambda seen: next(left, ()))
    facts: list[Fact] = []
    for k in range(1, 10):
        frame = Frame(image=table.empty, at_ms=k * FRAME_MS, number=k)
        glimpse = replace(FINGERS, at_ms=frame.at_ms)
        tracker.hands.glimpses.append(glimpse)
        facts += [s.fact for s in watch.feed(frame, glimpse, moves=False, stirs=k == 1)]
    assert any(isinstance(fact, HandEntered) for fact in facts) == hand


def test_an_arm_that_no_look_sees_is_told_when_it_has_left() -> None:
    facts = told([], [drawn(None), *[drawn(150.0)] * 6, drawn(None)])
    assert [(type(f), getattr(f, "side", None)) for f in facts] == [
        (HandEntered, Seat.W),
        (HandLeft, Seat.W),
    ]
    assert facts[0].at_ms == pytest.approx(FRAME_MS)


def test_an_arm_that_lay_there_already_is_told_from_then_on() -> None:
    facts = told([], [*[drawn(150.0)] * 6, drawn(None)])
    assert isinstance(facts[0], HandEntered)
    assert facts[0].at_ms == 0.0


def lit(picture: Picture, gain: float) -> Picture:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def without_cues() -> Table:
    """The table, for a game in which fingers flick the pieces."""
    table = tables()[1]
    pieces = tuple(piece for piece in table.board.pieces if not piece.kind.startswith("cue"))
    return replace(table, board=replace(table.board, pieces=pieces))


@pytest.mark.parametrize("gain", [0.8, 1.0, 1.2], ids=["darker", "as it was", "brighter"])
def test_in_one_light_an_arm_stands_out_from_the_picture_before_it(gain: float) -> None:
    table: Table = tables()[1]
    without, within = drawn(None), drawn(150.0)

    def changed(before: Picture, picture: Picture) -> list[Seat]:
        at_edge = (AtEdge(lambda: before, table), AtEdge(lambda: picture, table))
        return [way.side for way in crossings_since(*at_edge)]

    assert changed(without, lit(within, gain)) == [Seat.W]
    assert changed(within, lit(without, gain)) == [Seat.W]
    assert changed(without, lit(without, gain)) == []


@pytest.mark.parametrize(
    ("share", "arm"),
    [((0.9, 0.98, 1.08), True), ((0.82, 0.82, 0.82), False)],
    ids=["an arm", "what is black, and its shadow on the border"],
)
def test_an_arm_as_bright_as_the_border_gleams_stands_out_by_its_colour_once_it_has_left(
    share: tuple[float, float, float], arm: bool
) -> None:
    table = without_cues()
    board = table.board
    left, out = -board.width_mm / 2, board.border_width_mm
    corners = [(left - d, y) for d, y in ((0.0, -90.0), (out, -90.0), (out, 90.0), (0.0, 90.0))]
    at = table.camera.project(np.array([(x, y, board.border_height_mm) for x, y in corners]))
    border = cv2.fillPoly(np.zeros(table.empty.shape[:2], np.uint8), [np.rint(at).astype(int)], 1)
    gleam = np.where(border[..., None] > 0, table.empty + 80.0, table.empty)
    band = (drawn_across(table, 70.0, 0.0) != table.empty).any(axis=2)
    there = np.where(border[band, None] > 0, np.array(share), 0.5) * gleam[band]
    within = gleam.copy()
    within[band] = there
    pictures = [np.clip(each, 0, 255).astype(np.uint8) for each in (within, gleam)]
    before, now = (AtEdge(lambda p=p: p, table) for p in pictures)
    assert [way.side for way in crossings_since(before, now)] == [Seat.W] * arm


def test_the_colour_of_a_cue_that_coding_spreads_beside_it_makes_it_no_arm() -> None:
    table = tables()[1]
    bright = np.clip(table.empty + 80.0, 0, 255).astype(np.uint8)
    within = bright.copy()
    spread = (drawn_across(table, 64.0, 0.0) != table.empty).any(axis=2)
    within[spread] = np.clip(bright[spread] * np.array((0.9, 0.98, 1.08)), 0, 255)
    stick = drawn_across(table, 30.0, 0.0)
    drawn = (stick != table.empty).any(axis=2)
    within[drawn] = stick[drawn]
    before, now = (AtEdge(lambda p=p: p, table) for p in (within, bright))
    assert crossings_since(before, now) == ()


@pytest.mark.parametrize("least", [0.07, 0.25])
def test_what_is_even_along_a_side_is_told_without_medians(least: float) -> None:
    chance = np.random.default_rng(1)
    ratio = chance.normal(0.0, 0.03, (190, 8, 3)).astype(np.float32)
    ratio[60:75, :, 1] += 0.4
    medians = np.apply_along_axis(lambda row: median_filter(row, size=75), 0, ratio)
    medians[:37], medians[-37:] = medians[37], medians[-38]
    off = np.abs(ratio - medians).max(axis=-1) > least
    assert 0 < off.sum() < off.size
    then = np.full_like(ratio, 94.0)
    assert np.array_equal(stands_out(100.0 * np.exp(ratio) - 6.0, then, least), off)


@pytest.mark.parametrize("stations", [slice(0, 25), slice(165, 190), slice(80, 105)])
def test_an_arm_stands_out_in_a_corner_as_it_does_in_mid_side(stations: slice) -> None:
    then = np.full((190, 8, 3), 60.0, dtype=np.float32)
    now = then.copy()
    now[stations] = 110.0
    out = stands_out(now, then, 0.25)
    assert out[stations].all()
    assert out.sum() == 25 * 8


def test_the_coding_of_colours_makes_nothing_stand_out_where_a_channel_is_all_but_dark() -> None:
    then = np.full((190, 8, 3), 100.0, dtype=np.float32)
    then[:, :, 0] = 18.0
    now = then.copy()
    now[60:75, :, 0] = 11.0
    assert not stands_out(now, then, 0.25).any()
    now[60:75, :, 1] = 60.0
    assert stands_out(now, then, 0.25)[60:75].all()


@pytest.mark.parametrize(
    ("broad_mm", "slant", "arm"),
    [(32.0, 0.0, False), (32.0, 1.0, False), (70.0, 0.0, True), (70.0, 1.0, True)],
    ids=["a stick", "a stick aslant", "an arm", "an arm aslant"],
)
def test_a_stick_that_crosses_the_border_aslant_is_no_arm(
    broad_mm: float, slant: float, arm: bool
) -> None:
    table: Table = tables()[1]
    picture = drawn_across(table, broad_mm, slant)
    assert [way.side for way in crossings(picture, table)] == [Seat.W] * arm
    assert reaching_over(picture, table)


@pytest.mark.parametrize(
    ("wood", "seat", "tip_mm"),
    [
        ("walnut", Seat.E, (-241.7, 156.6)),
        ("walnut", Seat.S, (178.7, -233.2)),
        ("oak", Seat.E, (-241.7, 156.6)),
    ],
    ids=["grey over a grey floor", "skin over a grey floor", "plain"],
)
def test_an_arm_that_hardly_stands_out_from_the_floor_is_seen(
    wood: str, seat: Seat, tip_mm: tuple[float, float], tmp_path: Path
) -> None:
    simulated = set_up_table(board=club_board("carrom"), finish=wood)
    table = load_table(write_table(simulated, tmp_path / "table"))
    limb = limb_at(table.board, seat, tip_mm, 25.0)
    photograph = simulated.photographer.picture
    assert [way.side for way in crossings(photograph(scene(())), table)] == []
    assert [way.side for way in crossings(photograph(scene((), limb)), table)] == [seat]
