"""A box on a serial port: found again when it was pulled, never sounding twice for one cue."""

import contextlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import serial

from hardware.cues import Buzz, Countdown, Cue, Light, Press
from hardware.device import DeviceLost
from hardware.wire import Decoder, Garbled, Line, encode

PROTOCOL = 1
BAUD = 115200
_ANSWER_S = 0.25
_TRIES = 4
_PING_S = 1.0
_GREETING_S = 3.0  # an Arduino starts anew when its port is opened
_BACK_OFF_S = (0.2, 0.4, 0.8, 1.6, 2.0)


@dataclass(slots=True)
class _Sent:
    line: Line
    at_s: float
    tries: int = 1


class SerialDevice:
    """A `hardware.device.Device` that speaks the lines of `hardware.wire`.

    Everything happens in `send` and `poll`, which never wait; one thread calls both. A cue is
    repeated with the same number until the box answers, and the box obeys a number once. Numbers
    of presses are treated alike the other way round.
    """

    def __init__(
        self,
        port: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        patient: bool = False,
    ) -> None:
        """Open the port ("/dev/serial/by-id/…", "socket://…"); `DeviceLost` where that fails.

        `patient`: keep trying instead.
        """
        self.name = port
        self.lost: str | None = None
        self._clock = clock
        self._serial: Any = None
        self._opened_s = 0.0
        self._retry_s = 0.0
        self._failures = 0
        self._standing: dict[object, tuple[Cue, float]] = {}
        self._begin()
        try:
            self._open()
        except DeviceLost as err:
            if not patient:
                raise
            self._lose(str(err))

    def send(self, cue: Cue) -> None:
        if not isinstance(cue, Buzz):
            self._standing[_standing_key(cue)] = (cue, self._clock())
        if self._serial is None:
            raise DeviceLost(self.lost or f"{self.name}: closed")
        if self._greeted or isinstance(cue, Buzz):
            self._queue.append(_words_of(cue))
        self._write_due()

    def poll(self) -> tuple[Press, ...]:
        now_s = self._clock()
        if self._serial is None:
            if self.lost is not None and now_s >= self._retry_s:
                self._reopen()
            return ()
        self._read()
        self._write_due()
        presses = tuple(self._presses)
        self._presses.clear()
        if self._serial is None and not presses:
            raise DeviceLost(self.lost or "")
        return presses

    def close(self) -> None:
        self._shut()
        self.lost = None

    def _begin(self) -> None:
        """As if nothing had ever been said: a box that was opened has started anew."""
        self._decoder = Decoder()
        self._queue: deque[tuple[str, ...]] = deque()
        self._presses: deque[Press] = deque()
        self._awaiting: _Sent | None = None
        self._number = 0
        self._greeted = False
        self._heard_s = 0.0
        self._last_event: int | None = None

    def _open(self) -> None:
        try:
            port = serial.serial_for_url(
                self.name, do_not_open=True, baudrate=BAUD, timeout=0, write_timeout=0.2
            )
            with contextlib.suppress(ValueError, OSError):
                port.dtr = False  # lets most Arduinos run on
            with contextlib.suppress(ValueError, OSError, AttributeError):
                port.exclusive = True
            port.open()
        except (serial.SerialException, OSError, ValueError) as err:
            raise DeviceLost(
                f"{self.name}: the port cannot be opened ({err}); check the cable, that no other "
                "program uses it, and that you are in the group `dialout`"
            ) from err
        self._begin()
        self._serial = port
        self._opened_s = self._heard_s = self._clock()
        self._queue.append(("HELLO", str(PROTOCOL)))
        self._write_due()

    def _reopen(self) -> None:
        try:
            self._open()
        except DeviceLost as err:
            self._lose(str(err))

    def _read(self) -> None:
        try:
            data = self._serial.read(4096)
        except (serial.SerialException, OSError) as err:
            self._lose(f"{self.name}: it was unplugged ({err}); plug it in again")
            return
        for item in self._decoder.feed(data):
            if self._serial is None:
                return
            if not isinstance(item, Garbled):
                self._heard_s = self._clock()
                self._take(item)

    def _take(self, line: Line) -> None:
        match line.words:
            case ("OK", number) if self._awaiting and number == str(self._awaiting.line.number):
                self._awaiting = None
            case ("BOX", version, *_):
                if version != str(PROTOCOL):
                    self._lose(
                        f"{self.name}: the box speaks version {version}, Sightline {PROTOCOL}; "
                        "load the firmware that came with this Sightline"
                    )
                    return
                self._greet()
            case ("BUTTON", number, "DOWN" | "UP" as way) if number.isdigit():
                self._say(Line(number=line.number, words=("OK", str(line.number))))
                if self._last_event is None or 0 < (line.number - self._last_event) % 256 < 128:
                    self._last_event = line.number
                    press = Press(button=int(number), down=way == "DOWN", at_s=self._clock())
                    self._presses.append(press)
            case _:
                pass  # an answer to what is settled, or a word of a later firmware

    def _greet(self) -> None:
        """The box has just started, or answered our hello: tell it how things stand."""
        if self._awaiting is not None and self._awaiting.line.words[0] == "HELLO":
            self._awaiting = None
        self._greeted = True
        self._failures = 0
        self.lost = None
        self._last_event = None
        now_s = self._clock()
        for cue, said_s in self._standing.values():
            self._queue.append(_words_of(_by_now(cue, now_s - said_s)))

    def _write_due(self) -> None:
        now_s = self._clock()
        if self._serial is None:
            return
        if self._awaiting is not None:
            greeting = self._awaiting.line.words[0] == "HELLO"
            if now_s - self._awaiting.at_s < _ANSWER_S:
                return
            patience_over = (
                now_s - self._opened_s >= _GREETING_S
                if greeting
                else self._awaiting.tries >= _TRIES
            )
            if patience_over:
                self._lose(
                    f"{self.name}: the box does not answer; "
                    "check that it is a Sightline box and its cable"
                )
                return
            self._awaiting.tries += 1
            self._awaiting.at_s = now_s
            self._say(self._awaiting.line)
            return
        if not self._queue and now_s - self._heard_s >= _PING_S:
            self._queue.append(("PING",))
        if self._queue:
            self._number = (self._number + 1) % 256
            line = Line(number=self._number, words=self._queue.popleft())
            self._awaiting = _Sent(line=line, at_s=now_s)
            self._say(line)

    def _say(self, line: Line) -> None:
        if self._serial is None:
            return
        try:
            self._serial.write(encode(line))
        except (serial.SerialException, OSError) as err:
            self._lose(f"{self.name}: it was unplugged ({err}); plug it in again")

    def _lose(self, why: str) -> None:
        self._shut()
        self.lost = why
        pause_s = _BACK_OFF_S[min(self._failures, len(_BACK_OFF_S) - 1)]
        self._retry_s = self._clock() + pause_s
        self._failures += 1

    def _shut(self) -> None:
        if self._serial is not None:
            with contextlib.suppress(serial.SerialException, OSError):
                self._serial.close()
            self._serial = None
        self._queue.clear()
        self._awaiting = None


def _standing_key(cue: Cue) -> object:
    return cue.lamp if isinstance(cue, Light) else type(cue)


def _by_now(cue: Cue, gone_s: float) -> Cue:
    """What a cue has become since: a running clock has run on."""
    if isinstance(cue, Countdown) and cue.running:
        return Countdown(left_ms=max(0, cue.left_ms - round(1000 * gone_s)), running=True)
    return cue


def _words_of(cue: Cue) -> tuple[str, ...]:
    match cue:
        case Buzz(long_ms=long_ms, times=times):
            return ("BUZZ", str(long_ms), str(times))
        case Light(lamp=lamp, on=on):
            return ("LAMP", lamp.value, "ON" if on else "OFF")
        case Countdown(left_ms=left_ms, running=running):
            return ("CLOCK", str(left_ms), "RUN" if running else "STOP")
