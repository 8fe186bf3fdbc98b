"""From frames to a match: times, evidence, and what happens when nothing can be seen."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from testkit.clips import scene
from testkit.clock import ManualClock
from testkit.logs import HAND, POCKETED, SETUP, lying
from testkit.toy import Toy

from rules.facts import (
    Batch,
    Contacted,
    Fact,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Unclear,
)
from rules.geometry import Point
from sightline.clock import Clock, FrameClock
from sightline.match_log.log import MatchHeader, Store
from sightline.running.album import Album, to_jpeg
from sightline.running.close_look import Doing
from sightline.running.match import Match
from sightline.running.watching import Health, Watch, Watched, shifted
from vision.frame import Frame, Picture, Sighting
from vision.frame_judge import FrameJudge
from vision.sources import Ended, Event, Lost, Regained
from vision.sources.source import Readable
from web.desk import Sight


def picture(level: int = 100) -> Picture:
    return np.full((48, 64, 3), level, dtype=np.uint8)


def frame(number: int, at_ms: float | None = None, level: int = 100) -> Frame:
    at_ms = 1000.0 + number * 40.0 if at_ms is None else at_ms
    return Frame(image=picture(level), at_ms=at_ms, number=number)


class Script(Readable):
    """A source that says what the test wrote down (None: nothing came), then ends."""

    name = "script"
    live = True
    fps: float | None = 25.0
    expected: int | None = None
    ended: Ended | None = None

    def __init__(self, events: Sequence[Event | Callable[[], None] | None]) -> None:
        self._events = list(events)

    def _read(self, timeout_s: float) -> Event | None:
        while self._events:
            event = self._events.pop(0)
            if callable(event):
                event()
                continue
            if event is not None:
                self._tell(event)
            return event
        return Ended(at_ms=9000, frames=0)

    def close(self) -> None:
        pass


@dataclass
class Seer:
    """An eye that says of each frame, by number, what the test wrote down."""

    facts: dict[int, list[Fact]] = field(default_factory=dict)
    broken: set[int] = field(default_factory=set)
    last_words: list[Fact] = field(default_factory=list)
    fed: list[int] = field(default_factory=list)
    blind: bool = False

    def feed(self, frame: Frame) -> list[Sighting]:
        self.fed.append(frame.number)
        if frame.number in self.broken:
            raise ArithmeticError("an odd picture")
        facts = list(self.facts.get(frame.number, ()))
        if self.blind:
            self.blind = False
            facts.insert(0, SightRegained(at_ms=frame.at_ms))
        return [Sighting(fact=fact, frames=(frame.number,)) for fact in facts]

    def lose(self, at_ms: float, why: str) -> list[Sighting]:
        self.blind = True
        return [Sighting(fact=SightLost(at_ms=at_ms, why=why))]

    def finish(self) -> list[Sighting]:
        return [Sighting(fact=fact) for fact in self.last_words]


def by_level(picture: Picture) -> str | None:
    return "the picture is black" if int(picture[0, 0, 0]) == 0 else None


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.db") as store:
        yield store


def watched(
    store: Store,
    events: Sequence[Event | Callable[[], None] | None],
    eye: Seer,
    *,
    clock: Clock | None = None,
    seconds: Callable[[], float] = lambda: 0.0,
    health: Health = by_level,
) -> tuple[Watched, list[Fact], Match]:
    header = MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z")
    clock = clock or ManualClock()
    known = {match.name for match in store.matches()}
    log = store.open("final") if known else store.create(header)
    album = Album()
    with Match(log, Toy(), clock=clock, live=album.live) as match:
        source = Script(events)
        source.overhear(album.heard)
        result = Watch(
            source,
            lambda: eye,
            match,
            album,
            health=health,
            clock=clock,
            seconds=seconds,
        ).run()
    album.close()
    return result, [e.body for e in store.read("final")[1]], match  # type: ignore[misc]


def test_the_first_frame_is_now_and_facts_come_in_match_time(store: Store) -> None:
    eye = Seer({3: [lying(3, name="late")]}, last_words=[HAND])
    result, facts, _ = watched(store, [frame(n) for n in range(1, 5)], eye)
    assert [type(fact) for fact in facts] == [Settled, type(HAND)]
    assert facts[0].at_ms == 4 - 1040
    assert (result.frames, result.untrusted, result.faults) == (4, 0, 0)
    assert result.ended is not None


def test_a_recordings_clock_stands_at_its_newest_frame(store: Store) -> None:
    eye = Seer({3: [Settled(at_ms=1120, pieces=())]})
    _, facts, match = watched(store, [frame(n) for n in range(1, 5)], eye, clock=FrameClock())
    assert facts[0].at_ms == 80
    assert store.read("final")[1][0].at_ms in (80.0, 120.0)
    assert match.now_ms() == 120


def test_the_times_of_facts_within_facts_are_shifted_too() -> None:
    contact = Contacted(at_ms=5, a="a", b="b", at=Point(1, 2))
    unclear = Unclear(at_ms=5, question="?", answers=((), (contact,)))
    moved = shifted(Batch(at_ms=6, facts=(unclear, contact)), 10)
    assert isinstance(moved, Batch)
    assert moved.at_ms == 16
    inner = moved.facts[0]
    assert isinstance(inner, Unclear)
    assert (inner.at_ms, inner.answers[1][0].at_ms, moved.facts[1].at_ms) == (15, 15, 15)
    assert shifted(lying(3), 10) == replace(lying(3), at_ms=14)


def test_facts_are_logged_without_digits_that_nobody_measured() -> None:
    struck = Struck(at_ms=1 / 3, piece="cue-puck", at=Point(-64.05068006286638, 0.1 + 0.2))
    assert shifted(struck, 2000 / 3) == replace(
        struck, at_ms=666.9999 + 0.0001, at=Point(-64.0507, 0.3)
    )
    settled = shifted(replace(lying(3), at_ms=2433.3333333), 0)
    assert settled.at_ms == 2433.3333


def test_a_shot_is_shown_at_rest_at_the_strike_and_at_the_first_contact(store: Store) -> None:
    def levels(n: int) -> Frame:
        return frame(n, level=40 * n)

    eye = Seer(
        {
            1: [Struck(at_ms=1, piece="cue-puck", at=Point(0, 0))],
            2: [Contacted(at_ms=2, a="cue-puck", b="red-1", at=Point(0, 0))],
            3: [Contacted(at_ms=2, a="red-1", b="red-2", at=Point(0, 0))],
            4: [lying(3)],
        }
    )
    _, _, match = watched(store, [levels(n) for n in range(1, 5)], eye)
    entries = store.read("final")[1]
    assert [len(entry.evidence) for entry in entries] == [0, 0, 0, 3]
    shown = [match.evidence(name) for name in entries[3].evidence]
    assert shown == [to_jpeg(levels(4)), to_jpeg(levels(1)), to_jpeg(levels(2))]
    assert match.live() == to_jpeg(levels(4))


def test_the_picture_that_was_looked_at_closely_is_the_evidence_however_long_ago() -> None:
    album = Album()
    frames = [frame(n, level=5 * n) for n in range(1, 41)]
    for each in frames:
        album.add(each)
        if each.number == 3:
            album.hold()
    shown = album.evidence(lying(3), (3, 40))
    late = album.evidence(lying(3), (40,))
    album.close()
    assert [picture() for picture in shown] == [to_jpeg(frames[2])]
    assert [picture() for picture in late] == [to_jpeg(frames[39])]


def test_a_camera_that_is_lost_makes_the_match_blind_until_it_is_back(store: Store) -> None:
    eye = Seer({3: [lying(3)]})
    events = [
        frame(1),
        Lost(at_ms=1500, why="the cable was pulled"),
        Regained(at_ms=1800),
        frame(3, at_ms=1900),
    ]
    result, facts, match = watched(store, events, eye)
    assert facts[0] == SightLost(at_ms=460, why="the cable was pulled")
    assert facts[1] == SightRegained(at_ms=860)
    assert isinstance(facts[2], Settled)
    assert match.view().sight is Sight.STILL
    assert result.faults == 0


def test_a_camera_that_never_was_there_makes_the_match_blind(store: Store) -> None:
    _, facts, match = watched(store, [Lost(at_ms=0, why="no such camera")], Seer())
    assert [type(fact) for fact in facts] == [SightLost]
    assert match.view().sight is Sight.BLIND


def test_a_single_torn_frame_is_left_out_and_nothing_else(store: Store) -> None:
    eye = Seer()
    events = [frame(1), frame(2, level=0), frame(3)]
    result, facts, _ = watched(store, events, eye)
    assert eye.fed == [1, 3]
    assert (facts, result.untrusted) == ([], 1)


def test_untrusted_frames_for_long_are_said_once_and_no_ruling_is_made_of_them(
    store: Store,
) -> None:
    eye = Seer({n: [POCKETED] for n in range(2, 20)})
    events = [frame(1), *(frame(n, level=0) for n in range(2, 20)), frame(20)]
    result, facts, _ = watched(store, events, eye)
    assert [type(fact) for fact in facts] == [SightLost, SightRegained]
    assert facts[0].at_ms == pytest.approx(360)
    assert result.untrusted == 18


sound = cache(scene)


def black(number: int) -> Picture:
    return np.zeros_like(sound(0))


def garbage(number: int) -> Picture:
    return np.random.default_rng(number).integers(0, 256, sound(0).shape).astype(np.uint8)


def half_grey(number: int) -> Picture:
    picture = sound(number).copy()
    picture[picture.shape[0] // 2 :] = 128
    return picture


def frozen(number: int) -> Picture:
    return sound(9)


@pytest.mark.parametrize("spoiled", [black, garbage, half_grey, frozen])
def test_from_spoiled_pictures_sight_is_lost_within_a_second_and_nothing_is_ruled(
    store: Store, spoiled: Callable[[int], Picture]
) -> None:
    first, back = 10, 40
    pictures = [spoiled(n) if first <= n < back else sound(n) for n in range(back + 6)]
    events = [Frame(image=each, at_ms=40.0 * n, number=n) for n, each in enumerate(pictures)]
    eye = Seer({n: [POCKETED] for n in range(first + 15, back)})
    health = FrameJudge(sound(100), live=True)
    result, facts, match = watched(store, events, eye, health=health)
    assert [type(fact) for fact in facts] == [SightLost, SightRegained]
    assert facts[0].at_ms - 40.0 * first < 1000.0
    assert facts[1].at_ms >= 40.0 * back
    assert result.untrusted > 10
    assert match.view().sight is Sight.SETTLING


def test_a_source_that_falls_silent_without_a_word_makes_the_match_blind(store: Store) -> None:
    now_s = [0.0]

    def wait(seconds: float) -> Callable[[], None]:
        def waited() -> None:
            now_s[0] += seconds

        return waited

    eye = Seer({3: [lying(3)]})
    events = [frame(1), wait(1.4), None, wait(0.2), None, wait(0.2), None, frame(3, at_ms=3000)]
    _, facts, match = watched(store, events, eye, seconds=lambda: now_s[0])
    assert [type(fact) for fact in facts] == [SightLost, SightRegained, Settled]
    assert getattr(facts[0], "why", "") == "no picture came for 2 s"
    assert match.view().sight is Sight.STILL


def test_a_source_that_pauses_for_a_moment_is_no_reason_to_be_blind(store: Store) -> None:
    now_s = [0.0]

    def pause() -> None:
        now_s[0] += 1.0

    events = [frame(1), pause, None, frame(2), pause, None, frame(3)]
    _, facts, _ = watched(store, events, Seer(), seconds=lambda: now_s[0])
    assert facts == []


def test_pictures_that_come_out_of_order_are_not_looked_at(store: Store) -> None:
    now_s = [0.0]

    def later() -> None:
        now_s[0] += 0.2

    eye = Seer({n: [POCKETED] for n in range(3, 9)})
    stuck = [part for n in range(3, 7) for part in (later, frame(n, at_ms=1080.0))]
    events = [frame(1), frame(2, at_ms=1080.0), *stuck, frame(9)]
    result, facts, _ = watched(store, events, eye, seconds=lambda: now_s[0])
    assert eye.fed == [1, 2, 9]
    assert [type(fact) for fact in facts] == [SightLost, SightRegained]
    assert getattr(facts[0], "why", "") == "the camera's pictures come out of order"
    assert result.untrusted == 4


def test_a_match_that_goes_on_sees_again_with_its_first_frame(store: Store) -> None:
    watched(store, [frame(1)], Seer({1: [lying(3)]}))
    _, facts, match = watched(store, [frame(1)], Seer())
    assert [type(fact) for fact in facts] == [Settled, SightLost, SightRegained]
    assert match.view().sight is Sight.SETTLING


def test_a_fault_of_the_eye_costs_sight_for_a_moment_and_not_the_match(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    eye = Seer({3: [lying(3)]}, broken={2})
    result, facts, _ = watched(store, [frame(n) for n in range(1, 5)], eye)
    assert [type(fact) for fact in facts] == [SightLost, SightRegained, Settled]
    assert "an odd picture" in getattr(facts[0], "why", "")
    assert result.faults == 1
    assert "could not be read" in caplog.text


def test_a_video_that_ends_early_is_said_in_the_match(store: Store) -> None:
    ended = Ended(at_ms=1100, frames=2, expected=9, why="ended early at frame 2 of 9")
    result, facts, _ = watched(store, [frame(1), ended], Seer())
    assert facts == [SightLost(at_ms=60, why="ended early at frame 2 of 9")]
    assert result.ended == ended


def test_when_looking_itself_hangs_the_page_says_so(store: Store) -> None:
    seconds = [0.0]
    seen = threading.Event()
    views: list[Sight] = []

    def hang() -> None:
        version = match_of[0].view().version
        seconds[0] = 10.0
        view = match_of[0].wait(version, 30)
        views.append(match_of[0].view().sight if view is None else view.sight)
        seen.set()

    match_of: list[Match] = []
    header = MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z")
    album = Album()
    clock = ManualClock()
    with Match(store.create(header), Toy(), clock=clock) as match:
        match_of.append(match)
        Watch(
            Script([frame(1), hang, frame(2)]),
            Seer,
            match,
            album,
            health=by_level,
            clock=clock,
            seconds=lambda: seconds[0],
        ).run()
        match.sync()
        after = match.view().sight
    album.close()
    assert seen.is_set()
    assert views == [Sight.BLIND]
    assert after is Sight.SETTLING


@dataclass
class SlowLooker:
    """An eye that looks closely at its first frame until the page has been told something."""

    match: Match
    doing: Doing | None = None
    first: bool = True
    clock_s: float = 0.0
    lasts_s: float = 3.0
    told: list[tuple[Sight, str]] = field(default_factory=list)

    def feed(self, frame: Frame) -> list[Sighting]:
        if not self.told:
            version = self.match.view().version
            self.clock_s += self.lasts_s
            self.doing = Doing(words="Sightline reads the board.", since_s=0.0, first=self.first)
            view = self.match.wait(version, 30)
            assert view is not None
            self.told.append((view.sight, view.sight_words))
            self.doing = None
        return []

    def lose(self, at_ms: float, why: str) -> list[Sighting]:
        return [Sighting(fact=SightLost(at_ms=at_ms, why=why))]

    def finish(self) -> list[Sighting]:
        return []


@pytest.mark.parametrize(
    ("first", "lasts_s", "sight", "words"),
    [
        (True, 0.3, Sight.SETTLING, "Sightline reads the board."),
        (True, 4.2, Sight.SETTLING, "Sightline reads the board."),
        (False, 2.0, Sight.SETTLING, "Sightline reads the board."),
        (True, 21.0, Sight.BLIND, "Sightline is too busy to look at the table."),
    ],
    ids=["at the start", "a slow start", "a long look later", "no look takes so long"],
)
def test_what_a_close_look_is_about_is_said_while_it_lasts(
    store: Store, first: bool, lasts_s: float, sight: Sight, words: str
) -> None:
    header = MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z")
    clock = ManualClock()
    album = Album()
    with Match(store.create(header), Toy(), clock=clock) as match:
        eye = SlowLooker(match, first=first, lasts_s=lasts_s)
        Watch(
            Script([frame(1), frame(2)]),
            lambda: eye,
            match,
            album,
            health=by_level,
            clock=clock,
            doing=lambda: eye.doing,
            seconds=lambda: eye.clock_s,
        ).run()
        match.sync()
        after = match.view()
    album.close()
    assert eye.told == [(sight, words)]
    assert (after.sight, after.sight_words) != (sight, words)
    assert after.sight is Sight.SETTLING
