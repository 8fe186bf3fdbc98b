"""Live cameras: real sockets and processes, and cameras that fail in every known way."""

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from itertools import count as count_from
from pathlib import Path

import numpy as np
import pytest
from testkit.clips import jpeg, scene, write_video
from testkit.mjpeg_camera import MjpegCamera, serving

from vision.frame import Frame
from vision.sources import Ended, Lost, Regained, Source, SourceError, in_colour, open_source
from vision.sources.camera_process import connect_stream
from vision.sources.jpeg import JpegStream, TornPicture
from vision.sources.live import LiveCamera, Parcel
from vision.sources.mjpeg_http import connect_mjpeg

JPEGS = [jpeg(scene(number)) for number in range(6)]
PADDED = JPEGS[0][:-2] + bytes(range(1, 40)) + JPEGS[0][-2:]
TORN = JPEGS[1][:3000] + bytes(2000) + JPEGS[1][5000:]


def next_event(source: Source) -> object:
    """The next thing a source says; the longest wait that any of these tests needs."""
    return source.read(timeout_s=15.0)


def test_an_http_camera_gives_its_frames_with_their_own_bytes() -> None:
    with serving(MjpegCamera(JPEGS)) as camera, open_source(camera.address) as source:
        frames = [next_event(source) for _ in JPEGS]

    assert [frame.jpeg for frame in frames if isinstance(frame, Frame)] == JPEGS
    assert [frame.number for frame in frames if isinstance(frame, Frame)] == list(range(6))


def test_an_http_camera_that_states_no_lengths_is_read_too() -> None:
    camera = MjpegCamera(JPEGS, lengths=False)
    with serving(camera), open_source(camera.address, gray=True) as source:
        frames = [next_event(source) for _ in JPEGS]

    for frame, data in zip(frames, JPEGS, strict=True):
        assert isinstance(frame, Frame)
        assert frame.jpeg == data
        assert frame.image.shape == (240, 320)
        assert in_colour(frame).shape == (240, 320, 3)


DELAYS_S = [0.004, 0.009, 0.031, 0.004, 0.02, 0.0055, 0.012]
LATE_AT_FIRST_S = [0.03, 0.004, 0.009, 0.02, 0.0055, 0.012]


@pytest.mark.parametrize(
    ("delays_s", "from_picture"),
    [
        pytest.param(DELAYS_S, 0, id="the first picture came as fast as any"),
        pytest.param(LATE_AT_FIRST_S, 1, id="the first picture was held up"),
    ],
)
def test_a_cameras_own_stamps_take_the_networks_jitter_out(
    delays_s: list[float], from_picture: int
) -> None:
    # By the camera's own clock the pictures were made 15 ms apart.
    stamps = [100.0 + 0.015 * number for number in range(len(delays_s))]
    asked = threading.Semaphore(0)
    camera = MjpegCamera(JPEGS, then="repeat", stamps=stamps, asked=asked)
    now_s = stamps[0]
    times_ms = []
    with serving(camera), closing(connect_mjpeg(camera.address, clock=lambda: now_s)) as stream:
        for stamp_s, delay_s in zip(stamps, delays_s, strict=True):
            now_s = stamp_s + delay_s
            asked.release()
            parcel = stream.receive(timeout_s=15.0)
            assert parcel is not None
            times_ms.append(1000.0 * parcel.at_s)

    steady = np.diff(times_ms[from_picture:])
    assert steady == pytest.approx([15.0] * len(steady), abs=0.01)


def test_a_silent_camera_is_lost_within_two_seconds_and_regained_when_it_speaks() -> None:
    camera = MjpegCamera(JPEGS[:1], then="hang")
    with serving(camera), open_source(camera.address) as source:
        first = next_event(source)
        lost = next_event(source)
        regained = next_event(source)
        again = next_event(source)

    assert isinstance(first, Frame)
    assert isinstance(lost, Lost)
    assert lost.at_ms - first.at_ms < 2000
    assert "no picture came" in lost.why
    assert isinstance(regained, Regained)
    assert isinstance(again, Frame)
    assert again.number == 1
    assert regained.at_ms <= again.at_ms


def test_a_camera_that_goes_and_comes_back_is_found_again() -> None:
    with serving(MjpegCamera(JPEGS[:2], then="close")) as camera:
        port = camera.port
        source = open_source(camera.address)
        events: list[object] = [next_event(source) for _ in range(3)]
    with source:
        events += [next_event(source)] if isinstance(events[-1], Regained) else []
        while not isinstance(events[-1], Lost):
            events.append(next_event(source))
        with serving(MjpegCamera(JPEGS, then="repeat"), port=port):
            events = [next_event(source), next_event(source)]

    assert [type(event) for event in events] == [Regained, Frame]


def test_nobody_reading_costs_the_oldest_frames_and_no_memory() -> None:
    camera = MjpegCamera(JPEGS, then="repeat")
    with serving(camera), open_source(camera.address, backlog=3) as source:
        assert isinstance(source, LiveCamera)
        while source.dropped < 5:
            source._stop.wait(0.02)
        frame = next_event(source)

    assert isinstance(frame, Frame)
    assert frame.number >= 5


class Burst:
    """A camera that sends JPEGs as fast as they are taken, each `step_s` after the one before."""

    def __init__(self, count: int, step_s: float, jpeg: bytes) -> None:
        self._parcels = [Parcel(at_s=1000 + n * step_s, jpeg=jpeg) for n in range(count)]
        self.done = threading.Event()

    def receive(self, timeout_s: float) -> Parcel | None:
        if self._parcels:
            return self._parcels.pop(0)
        self.done.set()
        threading.Event().wait(min(timeout_s, 0.01))
        return None

    def close(self) -> None:
        self._parcels.clear()


@pytest.mark.parametrize(
    ("count", "step_s", "more_bytes", "dropped", "every"),
    [
        (250, 0.01, 0, 0, 1),
        (390, 0.01, 0, 89, 1),
        (1000, 0.001, 0, 600, 17),
        (40, 0.01, 12 << 20, 25, 1),
    ],
    ids=["two and a half seconds", "four seconds", "faster than any camera", "large pictures"],
)
def test_a_burst_waits_for_a_while_then_the_oldest_are_left_out_and_times_are_kept(
    count: int, step_s: float, more_bytes: int, dropped: int, every: int
) -> None:
    camera = Burst(count, step_s, JPEGS[0] + b"\0" * more_bytes)
    with LiveCamera("burst", lambda: camera, gray=True, clock=lambda: 1000.0) as source:
        assert camera.done.wait(20)
        assert source.dropped == pytest.approx(dropped, abs=1)
        frames = [next_event(source) for _ in range(3)]
    for number, frame in zip(count_from(source.dropped, every), frames, strict=False):
        assert isinstance(frame, Frame)
        assert frame.number == number
        assert frame.at_ms == pytest.approx(1000 * step_s * number)


@pytest.mark.parametrize(
    ("fps", "read"),
    [(60, [*range(24)]), (125, [0, 2, 4, 6, 8, 10, *range(11, 24)])],
)
def test_a_late_reader_of_a_fast_camera_gets_sixty_frames_a_second_until_it_has_caught_up(
    fps: float, read: list[int]
) -> None:
    camera = Burst(24, 1 / fps, JPEGS[0])
    with LiveCamera("burst", lambda: camera, gray=True, clock=lambda: 1000.0) as source:
        assert camera.done.wait(20)
        frames = [next_event(source) for _ in read]
        assert [frame.number for frame in frames if isinstance(frame, Frame)] == read
        assert source.read(timeout_s=0.0) is None
        assert source.dropped == 0


def test_who_overhears_a_camera_gets_every_frame_though_nobody_reads() -> None:
    begin = threading.Event()
    heard: list[object] = []
    camera = Burst(390, 0.01, JPEGS[0])

    def connect() -> Burst:
        assert begin.wait(20)
        return camera

    source = LiveCamera("burst", connect_later(connect), patient=True, clock=lambda: 1000.0)
    with source:
        source.overhear(heard.append)
        begin.set()
        assert camera.done.wait(20)
    numbers = [event.number for event in heard if isinstance(event, Frame)]
    assert (numbers, isinstance(heard[-1], Ended)) == (list(range(390)), True)
    assert source.dropped > 0


def connect_later(connect: Callable[[], Burst]) -> Callable[[], Burst]:
    """A camera that is not there when it is first looked for."""
    tries = iter([SourceError("cam", "not there", "plug it in")])

    def connect_now() -> Burst:
        refusal = next(tries, None)
        if refusal is not None:
            raise refusal
        return connect()

    return connect_now


def test_a_torn_picture_is_left_out() -> None:
    camera = MjpegCamera([JPEGS[0], TORN, JPEGS[2]])
    with serving(camera), open_source(camera.address) as source:
        frames = [next_event(source), next_event(source)]

    assert [frame.number for frame in frames if isinstance(frame, Frame)] == [0, 2]


def test_a_camera_that_sends_only_torn_pictures_is_lost_with_the_reason() -> None:
    camera = MjpegCamera([TORN], then="repeat")
    with serving(camera), open_source(camera.address) as source:
        lost = next_event(source)

    assert isinstance(lost, Lost)
    assert "damaged" in lost.why


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        (MjpegCamera(JPEGS, status=401), "user name and password"),
        (MjpegCamera(JPEGS, status=404), "does not know this path"),
        (MjpegCamera(JPEGS, status=503), "answers with an error"),
        (MjpegCamera(JPEGS, content_type="text/html"), "text/html, not an MJPEG stream"),
    ],
    ids=["locked", "no such path", "busy", "a web page"],
)
def test_a_camera_that_refuses_is_an_error_with_a_remedy(camera: MjpegCamera, said: str) -> None:
    with serving(camera), pytest.raises(SourceError, match=said):
        open_source(camera.address)


def test_a_camera_that_is_not_there_is_an_error_unless_it_is_waited_for() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"http://bob:secret@127.0.0.1:{held.getsockname()[1]}/"
        with pytest.raises(SourceError, match="does not answer") as refusal:
            open_source(address)
        with open_source(address, patient=True) as source:
            lost = next_event(source)
    assert "secret" not in str(refusal.value)
    assert isinstance(lost, Lost)
    assert "does not answer" in lost.why


def test_the_password_in_an_address_is_sent_and_not_shown() -> None:
    with serving(MjpegCamera(JPEGS)) as camera:
        address = camera.address.replace("http://", "http://bob:s%20cret@")
        with open_source(address) as source:
            assert isinstance(next_event(source), Frame)
            assert "cret" not in source.name
    assert camera.requests[0]["Authorization"] == "Basic Ym9iOnMgY3JldA=="


def test_a_closed_source_says_so_and_nothing_more() -> None:
    with serving(MjpegCamera(JPEGS, then="repeat")) as camera:
        source = open_source(camera.address)
        source.close()
        source.close()
        assert isinstance(next_event(source), Ended)
        assert list(source) == []


class ScriptedCamera:
    """A connection that does what its script says: a parcel, silence, or being gone."""

    def __init__(self, script: deque[Parcel | SourceError | None]) -> None:
        self._script = script
        self.closed = False

    def receive(self, timeout_s: float) -> Parcel | None:
        if not self._script:
            threading.Event().wait(timeout_s)
            return None
        step = self._script.popleft()
        if isinstance(step, SourceError):
            raise step
        return step

    def close(self) -> None:
        self.closed = True


def test_each_lost_connection_is_let_go_of_before_the_next_is_made() -> None:
    gone = SourceError("cam", "unplugged", "plug it in")
    made: list[ScriptedCamera] = []

    def connect() -> ScriptedCamera:
        assert all(camera.closed for camera in made)
        parcel = Parcel(at_s=float(len(made)), picture=scene(len(made)))
        made.append(ScriptedCamera(deque([parcel, gone])))
        return made[-1]

    with LiveCamera("cam", connect, clock=lambda: 0.0) as source:
        seen: list[object] = []
        while sum(isinstance(event, Frame) for event in seen) < 3:
            seen.append(next_event(source))

    assert len(made) >= 3
    assert all(camera.closed for camera in made)
    losses = [event for event in seen if isinstance(event, Lost)]
    assert all("unplugged" in loss.why and "plug it in" in loss.why for loss in losses)


def test_a_stream_is_read_by_a_process_that_is_killed_when_it_hangs(tmp_path: Path) -> None:
    pictures = [scene(number) for number in range(30)]
    data = write_video(tmp_path / "shot.ts", pictures).read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10.0)
        clients: list[socket.socket] = []

        def serve_then_hang() -> None:
            client, _ = server.accept()
            clients.append(client)
            client.sendall(data)

        thread = threading.Thread(target=serve_then_hang, daemon=True)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        connection = connect_stream(address)
        parcels = []
        until_s = time.monotonic() + 10.0
        while len(parcels) < 5 and time.monotonic() < until_s:
            parcel = connection.receive(0.5)
            if parcel is not None:
                parcels.append(parcel)
        child = connection._child.pid  # type: ignore[attr-defined]
        connection.close()
        thread.join()
        for client in clients:
            client.close()

    assert len(parcels) == 5
    assert all(parcel.planes.width == 320 for parcel in parcels)
    assert np.all(np.diff([parcel.at_s for parcel in parcels]) > 0)
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_stream_that_nobody_serves_is_an_error_with_a_remedy() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        with pytest.raises(SourceError, match="check the address"):
            open_source(f"rtsp://127.0.0.1:{held.getsockname()[1]}/main")


def test_a_device_that_is_not_there_is_an_error_that_names_it() -> None:
    with pytest.raises(SourceError, match="/dev/video97"):
        open_source("97")


def test_a_camera_that_pads_every_picture_is_seen_in_colour_too() -> None:
    with LiveCamera("pads", lambda: Burst(60, 0.01, PADDED), gray=True) as source:
        frame = next_event(source)
        assert isinstance(frame, Frame)
        assert frame.number > 0, "the first are taken for torn"
        assert in_colour(frame).shape == (240, 320, 3)


def test_a_camera_that_pads_every_picture_is_believed_after_a_while() -> None:
    habit = PADDED
    stream = JpegStream()
    refused = 0
    for _ in range(40):
        try:
            stream.decode(habit)
        except TornPicture:
            refused += 1

    assert 0 < refused < 25
    with pytest.raises(TornPicture):
        JpegStream().decode(habit)
