"""How the machine is, in words with a remedy: camera, log, disk."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from testkit.film import Film
from testkit.sample_match import sample_view

from sightline.running.wellbeing import LEAST_FREE_BYTES, FrameMeter, MatchWellbeing
from vision.frame import Frame
from vision.sources import Ended, Event
from web.desk import Sight
from web.wellbeing import Level

IMAGE = np.zeros((4, 4), np.uint8)


def cam() -> Film:
    """A camera; what it sends is told to its meter by hand."""
    return Film(name="cam", live=True)


class Hand:
    def __init__(self) -> None:
        self.now_s = 100.0

    def now(self) -> float:
        return self.now_s


@pytest.fixture
def hand() -> Hand:
    return Hand()


def frames(meter: FrameMeter, hand: Hand, count: int, every_s: float) -> None:
    for number in range(count):
        hand.now_s += every_s
        meter.heard(Frame(image=IMAGE, at_ms=hand.now_s * 1000, number=number))


@pytest.mark.parametrize(
    ("every_s", "wait_s", "level", "words"),
    [
        (1 / 30, 0.0, Level.GOOD, "cam: 30 pictures a second"),
        (1 / 10, 0.0, Level.WARNING, "cam: 10 pictures a second"),
        (1 / 30, 2.5, Level.BAD, "cam: no picture for 2 s"),
    ],
    ids=["fast", "slow", "silent"],
)
def test_a_camera_is_told_by_its_frames(
    hand: Hand, every_s: float, wait_s: float, level: Level, words: str
) -> None:
    meter = FrameMeter(cam(), clock=hand.now)
    frames(meter, hand, 120, every_s)
    hand.now_s += wait_s
    found = meter.finding()
    assert (found.level, found.words) == (level, words)
    assert bool(found.remedy) == (level is not Level.GOOD)


def test_pictures_left_out_are_counted_and_said_until_none_are(hand: Hand) -> None:
    camera = cam()
    meter = FrameMeter(camera, clock=hand.now)
    for number in range(200):
        hand.now_s += 1 / 32
        camera.dropped = number // 2
        meter.heard(Frame(image=IMAGE, at_ms=hand.now_s * 1000, number=number))
    found = meter.finding()
    assert found.level is Level.WARNING
    assert "32 pictures a second, 48 of 96 left out" in found.words
    assert meter.numbers()["frames_dropped"] == 99.0
    for number in range(200, 300):
        hand.now_s += 1 / 32
        meter.heard(Frame(image=IMAGE, at_ms=hand.now_s * 1000, number=number))
    assert meter.finding().level is Level.GOOD


def test_a_camera_that_never_sent_a_picture_is_bad_after_two_seconds(hand: Hand) -> None:
    meter = FrameMeter(cam(), clock=hand.now)
    assert meter.finding().level is Level.GOOD
    hand.now_s += 2.1
    assert meter.finding().level is Level.BAD


def test_a_recording_that_has_ended_is_nothing_to_worry_about(hand: Hand) -> None:
    meter = FrameMeter(Film(name="film.mp4"), clock=hand.now)
    meter.heard(Ended(at_ms=5, frames=0))
    hand.now_s += 60
    assert meter.finding().words == "film.mp4 has ended"
    assert meter.finding().level is Level.GOOD


def free(amount: int) -> Callable[[Path], int]:
    return lambda path: amount


def test_a_disk_that_runs_full_is_bad_before_it_is_full(tmp_path: Path) -> None:
    well = MatchWellbeing(sample_view, tmp_path, free_bytes=free(LEAST_FREE_BYTES))
    assert [found.level for found in well.findings()] == [Level.GOOD, Level.GOOD]
    full = MatchWellbeing(sample_view, tmp_path, free_bytes=free(LEAST_FREE_BYTES - 1))
    assert [found.level for found in full.findings()] == [Level.GOOD, Level.BAD]
    assert full.findings()[1].remedy
    assert full.numbers() == {"log_writable": 1.0, "disk_free_bytes": LEAST_FREE_BYTES - 1}


def test_a_disk_that_cannot_be_looked_at_is_bad(tmp_path: Path) -> None:
    def gone(path: Path) -> int:
        raise OSError("no such device")

    well = MatchWellbeing(sample_view, tmp_path, free_bytes=gone)
    assert well.findings()[1].level is Level.BAD
    assert "disk_free_bytes" not in well.numbers()


def test_a_log_that_cannot_be_written_is_bad(tmp_path: Path) -> None:
    words = "The match log cannot be written: disk full"
    view = replace(sample_view(), sight=Sight.BLIND, sight_words=words)
    well = MatchWellbeing(lambda: view, tmp_path, free_bytes=free(10**12))
    assert well.findings()[0].level is Level.BAD
    assert well.numbers()["log_writable"] == 0.0


def test_who_listens_to_a_source_hears_all_that_its_reader_gets() -> None:
    frame, end = Frame(image=IMAGE, at_ms=0, number=0), Ended(at_ms=1, frames=1)

    heard: list[Event] = []
    source = Film([frame, None, end])
    source.overhear(heard.append)
    assert list(source) == [frame]
    assert heard == [frame, end]
