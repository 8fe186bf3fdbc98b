"""The recording: exact frames, a crash, a full disk, room made in time."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import time

import av
import pytest
from testkit.numbered_frames import EVERY_MS, numbered, read_number

from sightline.review.footage import Footage
from sightline.review.recording import STOP_BELOW_BYTES, Recorder, Segment
from sightline.review.retention import keep, make_room
from web.wellbeing import Level

ROOT = Path(__file__).parents[3]


def lots_of_room(path: Path) -> int:
    return 10**12


def recorded(
    folder: Path, count: int, *, first: int = 0, free: Callable[[Path], int] = lots_of_room
) -> Recorder:
    recorder = Recorder(folder, shift_ms=lambda: 500.0, free_bytes=free)
    for number in range(first, first + count):
        recorder.heard(numbered(number))
        if number % 60 == 59:
            drain(recorder)
    drain(recorder)
    return recorder


def drain(recorder: Recorder) -> None:
    """Record all that waits, in this thread."""
    recorder._closing = True
    recorder._run()
    recorder._closing = False


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "1" / "video"


def test_the_frame_shown_is_the_frame_asked_for(folder: Path) -> None:
    recorded(folder, 300)
    footage = Footage(folder)
    assert len(footage.stills) == 300
    chance = random.Random(3)
    numbers = [chance.randrange(300) for _ in range(200)]
    assert [read_number(footage.picture(number)) for number in numbers] == numbers


def test_a_frame_knows_its_match_time_across_segments(folder: Path) -> None:
    recorded(folder, 40)
    recorded(folder, 40, first=3000)
    footage = Footage(folder)
    assert {still.segment for still in footage.stills} == {"000001", "000002"}
    still = footage.nearest(500 + 3010 * EVERY_MS)
    assert still is not None
    assert read_number(footage.picture(still.number)) == 3010
    assert footage.nearest(-1) == footage.stills[0]
    assert footage.picture(80) is None


def test_a_clip_is_cut_to_the_frame(folder: Path, tmp_path: Path) -> None:
    recorded(folder, 120)
    path = tmp_path / "clip.mp4"
    count = Footage(folder).cut(500 + 30 * EVERY_MS - 1, 500 + 60 * EVERY_MS + 1, path)
    with av.open(str(path)) as clip:
        shown = [read_number(frame.to_ndarray(format="bgr24")) for frame in clip.decode(video=0)]
    assert shown == list(range(30, 61))
    assert count == 31
    assert Footage(folder).cut(1e9, 2e9, path) == 0


@pytest.mark.parametrize("fps", [5, 25, 30, 120])
def test_a_picture_that_leans_on_no_other_comes_every_second_at_any_rate(
    folder: Path, fps: int
) -> None:
    frames = [replace(numbered(n), at_ms=1000 * n / fps) for n in range(3 * fps + 1)]
    segment = Segment(folder, frames[0], 0.0)
    assert all(segment.add(frame, frame.at_ms) for frame in frames)
    segment.close()
    with av.open(str(segment.path)) as video:
        times_s = [float(p.pts * p.time_base) for p in video.demux(video=0) if p.is_keyframe]
    assert times_s == pytest.approx([0.0, 1.0, 2.0, 3.0], abs=0.05)


def test_frames_out_of_order_or_twice_are_left_out(folder: Path) -> None:
    recorder = Recorder(folder, shift_ms=lambda: 0.0, free_bytes=lots_of_room)
    for number in (0, 1, 1, 2, 4, 3, 5):
        recorder.heard(numbered(number))
    drain(recorder)
    footage = Footage(folder)
    shown = [read_number(footage.picture(still.number)) for still in footage.stills]
    assert shown == [0, 1, 2, 4, 5]


def test_frames_wait_until_it_is_known_what_time_of_the_match_they_show(folder: Path) -> None:
    shift_ms: list[float] = []
    recorder = Recorder(
        folder, shift_ms=lambda: next(iter(shift_ms), None), free_bytes=lots_of_room
    )
    for number in range(3):
        recorder.heard(numbered(number))
    drain(recorder)
    assert recorder.recorded == 0
    shift_ms.append(700.0)
    drain(recorder)
    assert Footage(folder).stills[0].at_ms == pytest.approx(700.0)
    assert recorder.recorded == 3


def test_a_picture_of_another_size_begins_another_segment(folder: Path) -> None:
    recorder = Recorder(folder, shift_ms=lambda: 0.0, free_bytes=lots_of_room)
    for number in range(6):
        recorder.heard(numbered(number, (96, 128) if number < 3 else (98, 160)))
    drain(recorder)
    footage = Footage(folder)
    assert [footage.picture(n).shape for n in (0, 5)] == [(96, 128, 3), (98, 160, 3)]


def test_a_recorder_that_cannot_keep_up_leaves_the_oldest_out_and_says_so(folder: Path) -> None:
    recorder = Recorder(folder, shift_ms=lambda: 0.0, free_bytes=lots_of_room)
    for number in range(200):
        recorder.heard(numbered(number))
    drain(recorder)
    assert (recorder.recorded, recorder.dropped) == (90, 110)
    assert "too busy" in recorder.finding().words


def test_a_full_disk_stops_the_video_says_so_and_goes_on_when_there_is_room(folder: Path) -> None:
    free = [STOP_BELOW_BYTES - 1]
    now = [0.0]
    recorder = Recorder(
        folder, shift_ms=lambda: 0.0, free_bytes=lambda path: free[0], clock=lambda: now[0]
    )
    recorder.heard(numbered(0))
    drain(recorder)
    assert (recorder.recorded, recorder.finding().level) == (0, Level.WARNING)
    assert "recording has stopped" in recorder.finding().words
    assert recorder.numbers()["recording"] == 0.0
    free[0] = 10**12
    now[0] += 6
    recorder.heard(numbered(1))
    drain(recorder)
    assert (recorder.recorded, recorder.finding().level) == (1, Level.GOOD)


def test_where_the_disputed_cannot_be_marked_nothing_of_this_match_is_deleted(
    tmp_path: Path,
) -> None:
    """A full disk takes no mark either: what makes room then is what other matches recorded."""
    segments(tmp_path, {"1/video/000001.mp4": 90.0, "2/video/000001.mp4": 90.0}, time())
    told: list[str] = []
    recorder = Recorder(
        tmp_path / "1" / "video",
        shift_ms=lambda: 0.0,
        recordings=tmp_path,
        protect=lambda: False,
        tell=told.append,
        free_bytes=lambda path: STOP_BELOW_BYTES - 1,
    )
    recorder.heard(numbered(0))
    drain(recorder)
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.mp4"))
    assert left == ["1/video/000001.mp4"]
    assert [words.partition(":")[0] for words in told] == ["Recording has stopped"]


def test_a_folder_that_cannot_be_written_stops_the_video_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recorder = Recorder(tmp_path / "file" / "video", shift_ms=lambda: 0.0, free_bytes=lots_of_room)
    recorder.heard(numbered(0))
    drain(recorder)
    assert "recording has stopped" in recorder.finding().words


def test_a_running_recorder_records_what_it_hears(folder: Path) -> None:
    recorder = Recorder(folder, shift_ms=lambda: 0.0, free_bytes=lots_of_room)
    recorder.start()
    for number in range(50):
        recorder.heard(numbered(number))
    recorder.close()
    assert len(Footage(folder).stills) == 50


CRASHING = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/support"]
from pathlib import Path
from time import sleep
from sightline.review.recording import Recorder
from testkit.numbered_frames import numbered
recorder = Recorder(Path(sys.argv[2]), shift_ms=lambda: 0.0, free_bytes=lambda path: 10**12)
recorder.start()
for number in range(1 << 16):
    recorder.heard(numbered(number))
    while len(recorder._waiting) > 30:
        sleep(0.001)
    if recorder.recorded > 150:
        print(recorder.recorded, flush=True)
        sleep(60)
"""


def test_a_recording_cut_off_by_a_kill_plays_up_to_two_seconds_before(folder: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(ROOT), str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    done = int(child.stdout.readline())
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    footage = Footage(folder)
    playable = done - 60  # two seconds
    assert playable > 80
    assert all(read_number(footage.picture(n)) == n for n in range(0, playable, 7))
    with av.open(str(folder / "000001.mp4")) as video:
        assert sum(1 for _ in video.decode(video=0)) >= playable
    recorded(folder, 10, first=5000)
    assert read_number(Footage(folder).picture(len(Footage(folder).stills) - 1)) == 5009


def segments(root: Path, ages_days: dict[str, float], now_s: float) -> None:
    for name, age in ages_days.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for each in (path, path.with_suffix(".index")):
            each.write_bytes(b"x")
            os.utime(each, (now_s - age * 86400, now_s - age * 86400))


@pytest.mark.parametrize(
    ("free", "left"),
    [
        ([99], ["1/video/000002.mp4", "2/video/000001.mp4", "2/video/000002.mp4"]),
        ([1, 1, 99], ["2/video/000001.mp4", "2/video/000002.mp4"]),
        ([1], ["2/video/000001.mp4", "2/video/000002.mp4"]),
    ],
    ids=["too old", "a little room is needed", "no room at all"],
)
def test_room_is_made_by_age_and_need_and_never_of_what_is_kept(
    tmp_path: Path, free: list[int], left: list[str]
) -> None:
    now_s = 1_700_000_000.0
    ages = {
        "1/video/000001.mp4": 30.0,
        "1/video/000002.mp4": 5.0,
        "2/video/000001.mp4": 40.0,
        "2/video/000002.mp4": 1.0,
        "1/picture.mp4": 90.0,
    }
    segments(tmp_path, ages, now_s)
    keep(tmp_path / "2" / "video", ["000001"])
    make_room(
        tmp_path,
        keep_days=14,
        least_free_bytes=50,
        free_bytes=lambda: free.pop(0) if len(free) > 1 else free[0],
        spare=tmp_path / "2/video/000002.mp4",
        now_s=lambda: now_s,
    )
    found = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.mp4"))
    assert found == ["1/picture.mp4", *left]
    assert len(list(tmp_path.rglob("*.index"))) == len(left) + 1


def test_what_is_kept_is_added_to(tmp_path: Path) -> None:
    keep(tmp_path, ["000002"])
    keep(tmp_path, ["000001", "000002"])
    assert (tmp_path / "keep").read_text() == "000001\n000002\n"
