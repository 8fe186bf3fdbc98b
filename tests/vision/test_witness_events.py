"""What happens on a table besides plain hits, on drawn frames: told, and told as what it was."""

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from typing import Any

import pytest
from testkit.simulated_table import film, lying, observed, scene, tables

from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Moved,
    Placed,
    Pocketed,
    Rebounded,
    Removed,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
    Unclear,
)
from rules.geometry import Point, Seat
from sightline.simulated.acts.act import Act
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.acts.cue import Haul, Stroke
from sightline.simulated.acts.mishaps import Brush, Topple
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, surface_of
from vision.telling import spells
from vision.tracking.tracker import Tracker
from vision.witness import Witness

pytestmark = pytest.mark.film

FPS = 30.0
REST_MS = 1000.0
CUE = lying("cue-puck", "natural", 0.0, -200.0)
RED = lying("red-1", "red", -260.0, 40.0)
CUE_BEHIND = lying("cue-puck", "natural", 200.0, 200.0)
BLUE = lying("blue-1", "blue", 210.0, 150.0)


class Eye:
    """Looks at still pictures by the truth, so that only the stream is tested."""

    def __init__(self, lies: tuple[Lying, ...]) -> None:
        self.lies = lies

    def look(self, picture: object, table: object, followed: object = ()) -> object:
        del picture, table
        return observed(self.lies)


def stroke(
    before: tuple[Lying, ...],
    push: tuple[float, float],
    hops: Callable[[float], bool] = lambda speed_mm_s: False,
    start_s: float = 0.4,
) -> Stroke:
    surface = surface_of(tables()[0].board)
    discs = [piece.disc() for piece in before]
    run = play(surface, discs, {before[0].name: push}, start_s=start_s, hops=hops)
    return Stroke(before=before, run=run, struck=before[0].name, by=None)


def seen(
    act: Act, *, until_s: float | None = None, lies_after: tuple[Lying, ...] | None = None
) -> list[Fact]:
    """The facts of an act, drawn and watched from still picture to still picture.

    The still pictures after it show `lies_after`, or what lies there in truth.
    """
    eye = Eye(act.before)
    witness = Witness(tables()[1], look=eye.look, rest_ms=REST_MS)  # type: ignore[arg-type]
    lasts_s = act.lasts_s + REST_MS / 1000 + 0.3 if until_s is None else until_s
    facts: list[Fact] = []
    for frame in film(act.scene, fps=FPS, lasts_s=lasts_s):
        if frame.at_ms > 700:  # by then it is under way
            eye.lies = act.after if lies_after is None else lies_after
        facts += [sighting.fact for sighting in witness.feed(frame)]
    return facts


def test_a_rebound_from_a_pocket_is_no_fall() -> None:
    # it flies over the mouth too fast to sink, touches both borders there and comes back
    way = (470.0 - 14.0, 470.0 + 14.0 + 200.0)
    size = hypot(*way)
    act = stroke((CUE, RED), (4500 * way[0] / size, 4500 * way[1] / size))
    assert [h.where for h in act.run.happenings if h.what == "rebounded"] == ["NE"]
    facts = seen(act)
    assert [(f.piece, f.pocket) for f in facts if isinstance(f, Rebounded)] == [("cue-puck", "NE")]
    assert not any(isinstance(f, Pocketed) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert {p.name for p in settled[-1].pieces} == {"cue-puck", "red-1"}


def test_what_a_still_picture_shows_beside_the_mouth_has_not_fallen_in_it() -> None:
    # seen to go into the mouth, and in no frame to leave it
    red = lying("red-1", "red", 300.0, 300.0)
    act = stroke((CUE_BEHIND, red), (900.0, 900.0))
    assert ("pocketed", "red-1", "NE") in [(h.what, h.a, h.where) for h in act.run.happenings]
    beside = replace(red, x_mm=425.0, y_mm=425.0)
    facts = seen(act, lies_after=(*act.after, beside))
    assert [(f.piece, f.pocket) for f in facts if isinstance(f, Rebounded)] == [("red-1", "NE")]
    assert not any(isinstance(f, Pocketed | Placed | Moved | Removed | Unclear) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert [p.at for p in settled[-1].pieces if p.name == "red-1"] == [Point(425.0, 425.0)]


def test_a_puck_that_is_turned_in_a_mouth_before_it_was_seen_twice_is_not_lost() -> None:
    cue = lying("cue-puck", "natural", 196.3, 438.3)
    red = lying("red-1", "red", -341.2, -300.2)
    act = stroke((cue, red), (-2552.0, -3460.0), start_s=0.4 + 0.5 / FPS)
    assert ("rebounded", "red-1") in [(h.what, h.a) for h in act.run.happenings]
    facts = seen(act)
    assert not any(isinstance(f, LeftBoard | Placed | Moved) for f in facts)
    assert [f.piece for f in facts if isinstance(f, Pocketed)] == ["cue-puck"]
    settled = [f for f in facts if isinstance(f, Settled)]
    assert {p.name for p in settled[-1].pieces} == {"red-1"}


def test_of_two_like_pucks_the_one_that_falls_is_told_though_the_other_leaves_the_mouth() -> None:
    # between two frames red-1 comes off the border, sends red-2 on and is in the pocket's mouth
    first, other = lying("red-1", "red", -157.0, 300.6), lying("red-2", "red", -425.8, 453.5)
    cue = lying("cue-puck", "natural", -87.65, 243.24)
    act = stroke((cue, first, other), (-1078.9, 892.2))
    assert [h.a for h in act.run.happenings if h.what == "pocketed"] == ["red-1"]
    facts = seen(act)
    assert [(f.piece, f.pocket) for f in facts if isinstance(f, Pocketed)] == [("red-1", "NW")]
    assert [f.piece for f in facts if isinstance(f, Cushioned)][-1] == "red-2"
    assert not any(isinstance(f, Unclear | LeftBoard | Removed | Moved) for f in facts)


def test_a_light_piece_hit_twice_within_a_frame_is_followed_though_it_leaves_much_faster() -> None:
    # off the border it meets what hit it again, as its first place is taken: by that it is slow
    cue, queen = (
        lying("cue-puck", "natural", -38.7, -190.4),
        lying("queen", "white", -215.4, -477.9),
    )
    act = stroke((cue, queen), (-1219.7, -1950.0), start_s=0.4 + 0.55 / FPS)
    assert [(h.what, h.a) for h in act.run.happenings].count(("contact", "cue-puck")) == 2
    facts = seen(act)
    assert [(f.piece, f.pocket) for f in facts if isinstance(f, Pocketed)] == [("queen", "SW")]
    assert not any(isinstance(f, LeftBoard | Removed) for f in facts)


@pytest.mark.parametrize(
    ("falls", "out_mm"),
    [("red-1", 1.5), ("red-1", 4.3), ("cue-puck", 2.1)],
    ids=["at once", "creeping", "what may be struck"],
)
def test_a_piece_that_falls_from_the_brink_by_itself_is_pocketed(falls: str, out_mm: float) -> None:
    pocket = next(p for p in tables()[0].board.pockets if p.id == "NW")
    aside = (pocket.radius_mm + out_mm) * 0.5**0.5
    pieces = {"red-1": RED, "cue-puck": CUE}
    pieces[falls] = replace(
        pieces[falls], x_mm=pocket.centre.x_mm + aside, y_mm=pocket.centre.y_mm - aside
    )
    facts = seen(Topple(before=tuple(pieces.values()), piece=falls, into=pocket))
    assert [(f.piece, f.pocket) for f in facts if isinstance(f, Pocketed)] == [(falls, "NW")]
    assert not any(isinstance(f, Removed | Moved | Struck | Travelled) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert [p.name for p in settled[-1].pieces] == [name for name in pieces if name != falls]


def test_a_cue_puck_on_the_brink_that_a_cue_sends_into_the_pocket_did_not_fall_by_itself() -> None:
    pocket = next(p for p in tables()[0].board.pockets if p.id == "NW")
    aside = (pocket.radius_mm + 2.0) * 0.5**0.5
    cue = lying("cue-puck", "natural", pocket.centre.x_mm + aside, pocket.centre.y_mm - aside)
    facts = seen(stroke((cue, RED), (-200.0, 200.0)))
    told = {type(f) for f in facts}
    assert Struck in told or Pocketed not in told


def test_nobody_puts_a_piece_back_with_a_cue(monkeypatch: pytest.MonkeyPatch) -> None:
    hands: list[bool] = []

    def told(*args: Any, **rest: Any) -> spells.Told:
        hands.append(rest["hand"])
        return spells.tell(*args, **rest)

    monkeypatch.setattr("vision.telling.account.tell", told)
    facts = seen(stroke((CUE, RED), (-200.0, 200.0)))
    assert any(isinstance(fact, Struck) for fact in facts)
    assert hands
    assert not any(hands)


def test_a_piece_that_flies_off_the_board_has_left_it() -> None:
    way = (BLUE.x_mm - CUE.x_mm, BLUE.y_mm - CUE.y_mm)
    size = hypot(*way)
    speeds: list[float] = []

    def lighter(speed_mm_s: float) -> bool:
        """The struck one stays down, what it hits jumps."""
        speeds.append(speed_mm_s)
        return len(speeds) == 2

    act = stroke((CUE, BLUE), (2600 * way[0] / size, 2600 * way[1] / size), lighter)
    assert [h.a for h in act.run.happenings if h.what == "off_board"] == ["blue-1"]
    facts = seen(act)
    assert [f.piece for f in facts if isinstance(f, LeftBoard)] == ["blue-1"]
    assert {(f.a, f.b) for f in facts if isinstance(f, Contacted)} == {("cue-puck", "blue-1")}
    assert not any(isinstance(f, Pocketed) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert {p.name for p in settled[-1].pieces} == {"cue-puck"}


def test_an_idle_piece_that_a_cue_brushes_was_moved_and_not_shot() -> None:
    act = Brush(before=(CUE, RED, BLUE), piece="red-1", to=(-251.0, 52.0), by=Seat.W)
    facts = seen(act)
    moved = [f for f in facts if isinstance(f, Moved)]
    assert [(f.piece, f.by) for f in moved] == [("red-1", Seat.W)]
    assert moved[0].after.distance_mm(moved[0].before) == pytest.approx(15.0, abs=1.0)
    assert not any(isinstance(f, Struck | Contacted | Cushioned) for f in facts)
    assert isinstance(facts[-1], Settled)


@pytest.mark.parametrize("x_mm", [0.0, 15.0])
def test_a_cue_puck_that_an_arm_hides_on_its_way_to_another_piece_was_not_struck(
    x_mm: float,
) -> None:
    cue, blue = lying("cue-puck", "natural", x_mm, -452.0), lying("blue-1", "blue", -41.0, 104.0)
    there = lying("blue-1", "blue", -25.0, 121.0)
    act = Carry(
        before=(cue, RED, blue),
        pieces=(there,),
        by=Seat.S,
        board=tables()[0].board,
        moves_from=(blue.x_mm, blue.y_mm),
    )
    facts = seen(act)
    assert not any(isinstance(f, Struck | Contacted) for f in facts)
    assert [(f.piece, f.by) for f in facts if isinstance(f, Moved)] == [("blue-1", Seat.S)]


@pytest.mark.parametrize(
    "cue",
    [CUE, lying("cue-puck", "natural", 4.65, -458.3)],
    ids=["by itself", "close to the cue-puck"],
)
def test_a_puck_that_no_arm_was_seen_to_lay_down_is_told_when_it_stays(cue: Lying) -> None:
    blue = lying("blue-1", "blue", -1.7, -495.5)
    eye = Eye((cue, RED))
    witness = Witness(tables()[1], look=eye.look, pieces=(cue.piece(), RED.piece()))  # type: ignore[arg-type]
    frames = film(lambda t: scene((cue, RED, blue) if t > 1.5 else (cue, RED)), fps=FPS, lasts_s=4)
    facts: list[Fact] = []
    for frame in frames:
        eye.lies = (cue, RED, blue) if frame.at_ms > 1500 else (cue, RED)
        facts += [sighting.fact for sighting in witness.feed(frame)]
    assert [f.piece.colour for f in facts if isinstance(f, Placed)] == ["blue"]
    assert isinstance(facts[-1], Settled)
    assert len(facts[-1].pieces) == 3


@pytest.mark.parametrize("to", [(-120.0, -430.0), (30.0, -238.0)], ids=["far", "near"])
def test_a_cue_puck_brought_back_by_the_cue_is_no_stroke(to: tuple[float, float]) -> None:
    act = Haul(before=(CUE, RED), piece="cue-puck", way=((CUE.x_mm, CUE.y_mm), to), by=Seat.S)
    facts = seen(act)
    struck = [f for f in facts if isinstance(f, Struck)]
    assert all(f.dragged and f.piece == "cue-puck" for f in struck)
    assert not any(isinstance(f, Contacted | Cushioned) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    places = {p.name: p.at for p in settled[-1].pieces}
    assert hypot(places["cue-puck"].x_mm - to[0], places["cue-puck"].y_mm - to[1]) < 1.0


def test_frames_that_stop_in_mid_shot_settle_nothing_until_they_come_again() -> None:
    act = stroke((CUE, RED, BLUE), (900.0, 1500.0))
    eye = Eye(act.before)
    witness = Witness(tables()[1], look=eye.look, rest_ms=REST_MS)  # type: ignore[arg-type]
    frames = film(act.scene, fps=FPS, lasts_s=0.75)
    early = [s.fact for frame in frames for s in witness.feed(frame)]
    lost = [s.fact for s in witness.lose(frames[-1].at_ms + 500, "no frames for 0.5 s")]
    assert [f.why for f in lost if isinstance(f, SightLost)] == ["no frames for 0.5 s"]
    assert any(isinstance(f, Struck) for f in [*early, *lost])
    assert not any(isinstance(f, Settled) for f in [*early, *lost])
    eye.lies = act.after
    end_s = act.lasts_s
    late = film(lambda at_s: act.scene(end_s + at_s), fps=FPS, lasts_s=1.2, first=600)
    back = [s.fact for frame in late for s in witness.feed(frame)]
    assert isinstance(back[0], SightRegained)
    settled = [f for f in back if isinstance(f, Settled)]
    assert len(settled) == 1
    assert settled[0].at_ms >= late[0].at_ms + REST_MS - 2
    assert not any(isinstance(f, Struck | Contacted) for f in back)


@pytest.mark.parametrize("x_mm", [8.0, 12.0, 16.0])
def test_a_stroke_over_men_that_the_cue_half_hides_is_told(x_mm: float) -> None:
    owed = lying("blue-1", "blue", 0.0, 495.0), lying("blue-2", "blue", 26.0, 495.0)
    act = stroke((lying("cue-puck", "natural", x_mm, 425.0), *owed), (-86.0, -4300.0))
    facts = seen(act)
    struck = [fact for fact in facts if isinstance(fact, Struck)]
    assert [fact.piece for fact in struck] == ["cue-puck"]
    assert abs(struck[0].at_ms - 400.0) < 3.0
    assert struck[0].error_ms < 2.0


@pytest.mark.parametrize("x_mm", [0.0, 2.5, 5.0])
def test_a_man_that_the_cue_covers_at_a_weak_stroke_was_not_touched(x_mm: float) -> None:
    blue = lying("blue-1", "blue", x_mm, 495.6)
    cue = lying("cue-puck", "natural", 0.0, 432.9)
    act = stroke((cue, blue), (0.0, -220.0), start_s=1.6)
    eye = Eye(act.before)
    witness = Witness(tables()[1], look=eye.look, rest_ms=REST_MS)  # type: ignore[arg-type]
    facts: list[Fact] = []
    for frame in film(act.scene, fps=FPS, lasts_s=act.lasts_s + 1.3):
        if frame.at_ms > 1400:
            covered = frame.at_ms < 2120  # until the cue has gone
            eye.lies = tuple(p for p in act.after if not (covered and p == blue))
        facts += [sighting.fact for sighting in witness.feed(frame)]
    assert [f.piece for f in facts if isinstance(f, Struck)] == ["cue-puck"]
    assert not any(isinstance(f, Unclear | Contacted | Placed | Removed | Moved) for f in facts)
    settled = [f for f in facts if isinstance(f, Settled)]
    assert {p.name for p in settled[-1].pieces} == {"cue-puck", "blue-1"}
    assert abs(settled[-1].at_ms - 1000 * act.run.rest_s - REST_MS) < 60.0


@pytest.mark.parametrize(("aside_mm", "missing"), [(0.0, False), (0.3, False), (10.0, True)])
def test_a_man_that_lies_where_he_lay_was_not_touched_though_sight_of_him_was_lost(
    monkeypatch: pytest.MonkeyPatch, aside_mm: float, missing: bool
) -> None:
    missed: list[str] = []

    def without_guess(
        spell: object, facts: list[Fact], frame_s: float, lost: list[str]
    ) -> list[Fact]:
        missed.extend(lost)
        return facts

    monkeypatch.setattr(Tracker, "lost_names", lambda self: ["blue-1"])
    monkeypatch.setattr(spells, "with_unseen_first_touch", without_guess)
    act = stroke((CUE, RED, BLUE), (-900.0, 900.0))
    beside = replace(BLUE, x_mm=BLUE.x_mm + aside_mm)
    seen(act, lies_after=(*(p for p in act.after if p != BLUE), beside))
    assert ("blue-1" in missed) is missing
