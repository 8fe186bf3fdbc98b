"""Hands on drawn frames: who reached where and how far, and what they did to the pieces."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from testkit.simulated_table import film, lying, observed, scene, tables

from calibration.table import Table
from rules.facts import (
    Contacted,
    Fact,
    HandEntered,
    HandLeft,
    Moved,
    Piece,
    Placed,
    Removed,
    Settled,
    SightLost,
    SightRegained,
    Struck,
)
from rules.geometry import Seat
from sightline.simulated.hands import limb_at
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Scene, Stick
from vision.frame import Frame, Observation, Picture
from vision.witness import Witness

FPS = 25.0
CUE = lying("cue-puck", "natural", 0.0, -250.0)
RED = lying("red-1", "red", 300.0, 40.0)
BLUE = lying("blue-1", "blue", -200.0, 200.0)


class Eye:
    """Looks at still pictures by the truth, so that only the stream is tested."""

    def __init__(self, *before: Lying) -> None:
        self.lies: tuple[Lying, ...] = before

    def look(self, picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        return observed(self.lies)


def reaching(
    side: Seat, tips: tuple[float, float], before: tuple[Lying, ...], after: tuple[Lying, ...]
) -> Callable[[float], Scene]:
    """An arm that comes in within 0.4 s from 0.3 s on, stays for 0.4 s and leaves as it came."""
    board = tables()[0].board
    out = {Seat.E: (900.0, tips[1]), Seat.S: (tips[0], -900.0)}[side]

    def at(at_s: float) -> Scene:
        share = min(max(min((at_s - 0.3) / 0.4, (1.5 - at_s) / 0.4), 0.0), 1.0)
        place = tuple(o + (t - o) * share for o, t in zip(out, tips, strict=True))
        limb = limb_at(board, side, (place[0], place[1]), 35.0)
        return scene(before if at_s < 0.9 else after, *((limb,) if share > 0 else ()))

    return at


def watch(witness: Witness, frames: list[Frame]) -> list[Fact]:
    return [sighting.fact for frame in frames for sighting in witness.feed(frame)]


@pytest.mark.parametrize(
    ("side", "tips", "deep_mm"),
    [(Seat.E, (330.0, 60.0), 178.0), (Seat.S, (-120.0, -380.0), 128.0)],
    ids=["from the right", "from below"],
)
def test_a_hand_is_told_with_its_side_and_depth(
    side: Seat, tips: tuple[float, float], deep_mm: float
) -> None:
    eye = Eye(CUE, BLUE)
    witness = Witness(tables()[1], look=eye.look)
    frames = film(reaching(side, tips, eye.lies, eye.lies), fps=FPS, lasts_s=2.2)
    early = watch(witness, frames[:20])
    came = [f for f in early if isinstance(f, HandEntered)]
    assert [f.side for f in came] == [side], "told while the hand is still there"
    left = [f for f in watch(witness, frames[20:]) if isinstance(f, HandLeft)]
    assert [f.side for f in left] == [side]
    assert left[0].depth_mm == pytest.approx(deep_mm, abs=35.0)
    assert 300 < came[0].at_ms < 760
    assert 1100 < left[0].at_ms < 1600


def test_a_hand_that_lies_still_is_looked_at_now_and_then_so_that_no_frame_waits() -> None:
    looks: list[bool] = []
    over = True

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        looks.append(over)
        return replace(observed((CUE, BLUE)), hand=over)

    witness = Witness(tables()[1], look=look)
    reach = reaching(Seat.E, (330.0, 60.0), (CUE, BLUE), (CUE, BLUE))
    with_hand, bare = (film(lambda _, at=at: reach(at), fps=FPS, lasts_s=0.1)[0] for at in (0.8, 0))
    times = [1000 * n / FPS for n in range(round(16 * FPS))]
    frames = [replace(with_hand, at_ms=at_ms, number=n) for n, at_ms in enumerate(times)]
    facts = watch(witness, frames)
    assert len(looks) < 10
    assert not any(isinstance(fact, Settled) for fact in facts)
    over = False
    facts = watch(witness, [replace(f, image=bare.image, at_ms=f.at_ms + 16000) for f in frames])
    assert any(isinstance(fact, Settled) for fact in facts)
    assert next(f.at_ms for f in facts if isinstance(f, Settled)) < 17200


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ((CUE, BLUE, RED), (CUE, BLUE, lying("red-1", "red", 340.0, -30.0)), Moved),
        ((CUE, BLUE, RED), (CUE, BLUE), Removed),
        ((CUE, BLUE), (CUE, BLUE, RED), Placed),
    ],
    ids=["moved", "removed", "placed"],
)
def test_what_a_hand_did_is_told_once_the_table_is_still(
    before: tuple[Lying, ...], after: tuple[Lying, ...], kind: type[Fact]
) -> None:
    eye = Eye(*before)
    witness = Witness(tables()[1], look=eye.look, rest_ms=700.0)
    frames = film(reaching(Seat.E, (300.0, 40.0), before, after), fps=FPS, lasts_s=3.0)
    facts = watch(witness, frames[:20])
    eye.lies = after
    facts += watch(witness, frames[20:])
    done = [f for f in facts if isinstance(f, Moved | Removed | Placed)]
    assert [type(f) for f in done] == [kind]
    assert done[0].by is Seat.E
    settled = [f for f in facts if isinstance(f, Settled)]
    assert len(settled[-1].pieces) == len(after)
    assert settled[-1].at_ms > 1500
    assert not any(isinstance(f, Struck | Contacted) for f in facts)


def test_what_a_cue_hides_when_the_hand_has_left_is_not_taken_for_removed() -> None:
    eye = Eye(CUE, BLUE, RED)
    witness = Witness(tables()[1], look=eye.look, rest_ms=700.0)
    reach = reaching(Seat.E, (330.0, 60.0), eye.lies, eye.lies)
    cue = Stick(tip_mm=(100.0, 40.0, 20.0), butt_mm=(1100.0, 40.0, 60.0))
    frames = film(
        lambda at_s: replace(reach(at_s), sticks=(cue,) if 0.9 < at_s < 2.7 else ()),
        fps=FPS,
        lasts_s=4.4,
    )
    covered, bare = round(FPS * 0.9), round(FPS * 2.7)
    facts = watch(witness, frames[:covered])
    eye.lies = (CUE, BLUE)
    facts += watch(witness, frames[covered:bare])
    eye.lies = (CUE, BLUE, RED)
    facts += watch(witness, frames[bare:])
    assert not [f for f in facts if isinstance(f, Moved | Removed | Placed)]
    settled = [f for f in facts if isinstance(f, Settled)]
    assert len(settled[-1].pieces) == 3


def test_a_cue_that_hides_nothing_from_a_close_look_holds_no_ruling_up() -> None:
    eye = Eye(CUE, BLUE, RED)
    witness = Witness(tables()[1], look=eye.look)
    reach = reaching(Seat.E, (330.0, 60.0), eye.lies, eye.lies)
    cue = Stick(tip_mm=(100.0, 40.0, 20.0), butt_mm=(1100.0, 40.0, 60.0))
    frames = film(
        lambda at_s: replace(reach(at_s), sticks=(cue,) if at_s > 0.9 else ()), fps=FPS, lasts_s=3.6
    )
    settled = [f for f in watch(witness, frames) if isinstance(f, Settled)]
    assert settled[-1].at_ms > 900.0
    assert len(settled[-1].pieces) == 3


def test_a_man_that_the_cue_brushes_by_the_border_is_moved_from_that_side_and_not_struck() -> None:
    lay, lies = lying("red-1", "red", 33.0, 481.0), lying("red-1", "red", 43.0, 486.0)

    def at(at_s: float) -> Scene:
        share = min(max((at_s - 1.14) / 0.06, 0.0), 1.0)
        x, y = (a + (b - a) * share for a, b in ((33.0, 43.0), (481.0, 486.0)))
        cue = Stick(tip_mm=(x - 10.0, y + 4.0, 14.0), butt_mm=(x - 260.0, 1500.0, 120.0))
        there = (CUE, BLUE, lying("red-1", "red", x, y))
        return replace(scene(there), sticks=(cue,) if 0.9 < at_s < 1.26 else ())

    eye = Eye(CUE, BLUE, lay)
    witness = Witness(tables()[1], look=eye.look)
    frames = film(at, fps=FPS, lasts_s=3.4)
    moved = round(FPS * 1.2)
    facts = watch(witness, frames[:moved])
    eye.lies = (CUE, BLUE, lies)
    facts += watch(witness, frames[moved:])
    told = [f for f in facts if isinstance(f, Moved | Removed | Placed | Struck)]
    assert [type(f) for f in told] == [Moved]
    assert (told[0].piece, told[0].by) == ("red-1", Seat.N)


@pytest.mark.parametrize("since_s", [0.0, 1.0], ids=["at the start", "later"])
def test_a_piece_that_only_finger_tips_moved_is_told_once_the_table_is_still(
    since_s: float,
) -> None:
    lay, lies = lying("red-1", "red", 9.0, -472.0), lying("red-1", "red", -12.0, -468.0)
    eye = Eye(BLUE, lay)
    witness = Witness(tables()[1], look=eye.look, arms=lambda seen: ())  # hardly a hand in sight
    reach = reaching(Seat.S, (0.0, -482.0), eye.lies, (BLUE, lies))
    frames = film(lambda at_s: reach(at_s - since_s), fps=FPS, lasts_s=since_s + 3.4)
    moved = int(FPS * (since_s + 0.9)) + 1
    facts = watch(witness, frames[:moved])
    eye.lies = (BLUE, lies)
    facts += watch(witness, frames[moved:])
    assert [f.piece for f in facts if isinstance(f, Moved)] == ["red-1"]
    settled = [f for f in facts if isinstance(f, Settled)]
    assert [p.at.x_mm for p in settled[-1].pieces if p.name == "red-1"] == [-12.0]


def test_finger_tips_that_reach_in_a_little_are_a_hand_with_its_side_and_depth() -> None:
    eye = Eye(BLUE)
    witness = Witness(tables()[1], look=eye.look)
    reach = reaching(Seat.S, (0.0, -490.0), eye.lies, eye.lies)
    facts = watch(witness, film(lambda at_s: reach(at_s - 1.0), fps=FPS, lasts_s=3.6))
    hands = [f for f in facts if isinstance(f, HandEntered | HandLeft)]
    assert [(type(f), f.side) for f in hands] == [(HandEntered, Seat.S), (HandLeft, Seat.S)]
    assert 15.0 < hands[-1].depth_mm < 50.0


@pytest.mark.parametrize("tips_mm", [-476.0, -484.0, -490.0])
def test_a_piece_that_finger_tips_lay_between_others_at_the_border_is_told(tips_mm: float) -> None:
    before = (CUE, lying("blue-1", "blue", -24.0, -475.7), lying("red-1", "red", 28.6, -488.1))
    new = lying("blue-2", "blue", -0.6, -495.3)
    eye = Eye(*before)
    witness = Witness(tables()[1], look=eye.look)
    reach = reaching(Seat.S, (-0.6, tips_mm), before, (*before, new))
    frames = film(lambda at_s: reach(at_s - 1.0), fps=FPS, lasts_s=4.4)
    laid = int(FPS * 1.9) + 1
    facts = watch(witness, frames[:laid])
    eye.lies = (*before, new)
    facts += watch(witness, frames[laid:])
    assert [f.by for f in facts if isinstance(f, Placed)] == [Seat.S]
    assert len([f for f in facts if isinstance(f, HandEntered)]) == 1


def test_a_cue_over_a_hand_that_bridges_it_on_the_border_is_no_hand_over_the_surface() -> None:
    eye = Eye(CUE, BLUE)
    witness = Witness(tables()[1], look=eye.look)
    bridge = limb_at(tables()[1].board, Seat.S, (125.0, -527.0), 25.0)

    def at(at_s: float) -> Scene:
        y = -330.0 + 12.0 * float(np.sin(7.0 * at_s))
        cue = Stick(tip_mm=(120.0, y, 14.0), butt_mm=(150.0, -1500.0, 120.0))
        return replace(scene(eye.lies, bridge), sticks=(cue,) if at_s > 0.4 else ())

    facts = watch(witness, film(at, fps=FPS, lasts_s=1.6))
    assert not [f for f in facts if isinstance(f, HandEntered)]


def test_garbage_in_mid_stream_makes_blind_and_settles_nothing() -> None:
    eye = Eye(CUE, BLUE)
    witness = Witness(
        tables()[1],
        look=eye.look,
        judge=lambda picture: "the picture is torn" if picture[-1].mean() < 3 else None,
        rest_ms=500.0,
    )
    still = scene(eye.lies)
    frames = film(lambda at_s: still, fps=FPS, lasts_s=0.3)
    assert watch(witness, frames) == []
    torn = frames[-1].image.copy()
    torn[200:] = np.uint8(0)
    bad = [
        Frame(image=torn, at_ms=1000 * k / FPS, number=k)
        for k in range(len(frames), len(frames) + 40)
    ]
    facts = watch(witness, bad)
    assert [type(f) for f in facts] == [SightLost]
    number = bad[-1].number + 1
    after = watch(witness, film(lambda at_s: still, fps=FPS, lasts_s=1.0, first=number))
    assert isinstance(after[0], SightRegained)
    settled = [f for f in after if isinstance(f, Settled)]
    assert len(settled) == 1
    assert settled[0].at_ms >= 1000 * number / FPS + 500 - 2
