"""A box on a real pseudo-terminal, with a cable that is pulled at the worst moments."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from testkit.serial_box import SerialBox

from hardware.cues import Buzz, Countdown, Lamp, Light, Press
from hardware.device import DeviceLost, NullDevice
from hardware.ports import find_ports
from hardware.serial_device import SerialDevice
from hardware.wire import Line, encode


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def box() -> SerialBox:
    return SerialBox()


@pytest.fixture
def device(box: SerialBox, clock: Clock) -> Iterator[SerialDevice]:
    opened = SerialDevice(box.path, clock=clock)
    yield opened
    opened.close()


def play(
    device: SerialDevice, box: SerialBox, done: Callable[[], bool], *, rounds: int = 100
) -> list[Press]:
    """Let both sides work until `done`; what was pressed meanwhile."""
    presses: list[Press] = []
    for _ in range(rounds):
        presses += device.poll()
        box.step()
        presses += device.poll()
        if done():
            return presses
    raise AssertionError(f"never done; the box heard {box.heard}")


def poll_until_lost(device: SerialDevice, clock: Clock | None = None) -> None:
    """Poll as a match does, 20 times a second by `clock`; raises what `poll` raises."""
    for _ in range(200):
        if clock is not None:
            clock.now_s += 0.05
        device.poll()


def test_each_cue_is_obeyed_once_and_in_order(box: SerialBox, device: SerialDevice) -> None:
    play(device, box, lambda: device._greeted)
    device.send(Buzz(long_ms=120, times=2))
    device.send(Light(lamp=Lamp.SEAT_N, on=True))
    device.send(Countdown(left_ms=90_000, running=True))

    play(device, box, lambda: len(box.obeyed) == 3)

    assert box.obeyed == [
        ("BUZZ", "120", "2"),
        ("LAMP", "seat-n", "ON"),
        ("CLOCK", "90000", "RUN"),
    ]


def test_a_lost_answer_repeats_the_cue_and_the_box_sounds_once(
    box: SerialBox, device: SerialDevice, clock: Clock
) -> None:
    play(device, box, lambda: device._greeted)
    box.drop_answers = 2
    device.send(Buzz(long_ms=500))
    play(device, box, lambda: bool(box.obeyed))
    for _ in range(4):
        clock.now_s += 0.3
        play(device, box, lambda: True)
    play(device, box, lambda: device._awaiting is None)

    assert box.obeyed == [("BUZZ", "500", "1")]
    assert sum(isinstance(each, Line) and each.words[0] == "BUZZ" for each in box.heard) == 3


def test_presses_arrive_once_though_the_box_repeats_them(
    box: SerialBox, device: SerialDevice, clock: Clock
) -> None:
    play(device, box, lambda: device._greeted)
    box.press(2)
    box.repeat_presses()
    box.repeat_presses()
    presses = play(device, box, lambda: not box.pending)
    clock.now_s += 0.1
    box.press(2, down=False)
    presses += play(device, box, lambda: not box.pending)

    assert presses == [
        Press(button=2, down=True, at_s=100.0),
        Press(button=2, down=False, at_s=100.1),
    ]


def test_two_presses_that_are_both_repeated_are_two(box: SerialBox, device: SerialDevice) -> None:
    play(device, box, lambda: device._greeted)
    box.press(0)
    box.press(1)
    box.repeat_presses()
    box.repeat_presses()
    presses = play(device, box, lambda: not box.pending)
    for _ in range(5):
        presses += play(device, box, lambda: True)

    assert [press.button for press in presses] == [0, 1]


def test_a_cable_pulled_in_the_middle_of_a_line_is_a_lost_device(
    box: SerialBox, device: SerialDevice
) -> None:
    play(device, box, lambda: device._greeted)
    box.write(encode(Line(number=9, words=("BUTTON", "1", "DOWN")))[:7])
    box.unplug()

    with pytest.raises(DeviceLost, match="plug it in again"):
        poll_until_lost(device)

    assert device.lost is not None
    assert device.poll() == ()
    with pytest.raises(DeviceLost):
        device.send(Buzz(long_ms=100))


def test_a_box_that_comes_back_is_told_how_things_stand_and_does_not_sound_again(
    box: SerialBox, clock: Clock, tmp_path: Path
) -> None:
    link = str(tmp_path / "box")
    os.symlink(box.path, link)
    device = SerialDevice(link, clock=clock)
    play(device, box, lambda: device._greeted)
    device.send(Buzz(long_ms=100))
    device.send(Light(lamp=Lamp.RED, on=True))
    device.send(Countdown(left_ms=60_000, running=True))
    play(device, box, lambda: len(box.obeyed) == 3)
    box.unplug()
    with pytest.raises(DeviceLost):
        poll_until_lost(device)

    fresh = SerialBox()
    os.remove(link)
    os.symlink(fresh.path, link)
    clock.now_s += 2.0
    play(device, fresh, lambda: len(fresh.obeyed) == 2)
    device.close()

    assert fresh.obeyed == [("LAMP", "red", "ON"), ("CLOCK", "58000", "RUN")]
    assert device.lost is None


def test_a_box_that_restarts_by_itself_is_told_how_things_stand(
    box: SerialBox, device: SerialDevice
) -> None:
    play(device, box, lambda: device._greeted)
    device.send(Light(lamp=Lamp.GREEN, on=True))
    play(device, box, lambda: len(box.obeyed) == 1)
    box.restart()
    play(device, box, lambda: len(box.obeyed) == 2)

    assert box.obeyed == [("LAMP", "green", "ON")] * 2


def test_a_silent_box_is_noticed_by_its_missing_heartbeat(
    box: SerialBox, device: SerialDevice, clock: Clock
) -> None:
    play(device, box, lambda: device._greeted)
    box.deaf = True
    began_s = clock.now_s

    with pytest.raises(DeviceLost, match="does not answer"):
        poll_until_lost(device, clock)

    assert clock.now_s - began_s < 2.5


def test_a_box_with_another_firmware_is_refused_with_the_remedy(clock: Clock) -> None:
    box = SerialBox(version="9")
    device = SerialDevice(box.path, clock=clock)

    with pytest.raises(DeviceLost, match="load the firmware"):
        play(device, box, lambda: False)
    device.close()


def test_noise_on_the_line_is_passed_over(box: SerialBox, device: SerialDevice) -> None:
    play(device, box, lambda: device._greeted)
    box.write(b"\x00\xff*garbage\n" + bytes(range(128, 256)) + b"\n")
    box.press(1)

    presses = play(device, box, lambda: not box.pending)

    assert [press.button for press in presses] == [1]


def test_a_port_that_is_not_there_is_an_error_unless_it_is_waited_for(clock: Clock) -> None:
    with pytest.raises(DeviceLost, match="dialout"):
        SerialDevice("/dev/no-such-port", clock=clock)

    device = SerialDevice("/dev/no-such-port", clock=clock, patient=True)
    assert device.poll() == ()
    assert device.lost is not None


def test_no_device_takes_every_cue_and_is_never_pressed() -> None:
    device = NullDevice()
    device.send(Buzz(long_ms=100))

    assert device.poll() == ()
    assert device.lost is None


@pytest.mark.parametrize(
    "make",
    [
        lambda: Buzz(long_ms=0),
        lambda: Buzz(long_ms=100, times=10),
        lambda: Countdown(left_ms=-1, running=True),
    ],
)
def test_a_cue_that_no_box_can_do_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        make()


def test_only_ports_that_a_box_can_be_on_are_listed() -> None:
    assert all(port.device and port.path for port in find_ports())
    assert not any(port.device.startswith("/dev/ttyS") for port in find_ports())
