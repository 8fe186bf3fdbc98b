"""A Sightline box on a real pseudo-terminal, simulated as the firmware behaves."""

import contextlib
import os
import select
import tty
from dataclasses import dataclass, field

from hardware.wire import Decoder, Garbled, Line, encode


@dataclass
class SerialBox:
    """`path` is the port to open. `step` does what the firmware's loop does once."""

    version: str = "1"
    deaf: bool = False
    drop_answers: int = 0
    obeyed: list[tuple[str, ...]] = field(default_factory=list)
    heard: list[Line | Garbled] = field(default_factory=list)
    pending: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ours, theirs = os.openpty()
        tty.setraw(theirs)
        self.path = os.ttyname(theirs)
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._decoder = Decoder()
        self._last: int | None = None
        self._number = 0

    def step(self, wait_s: float = 0.02) -> None:
        if not select.select([self._ours], [], [], wait_s)[0]:
            return
        with contextlib.suppress(OSError):
            for line in self._decoder.feed(os.read(self._ours, 4096)):
                self.heard.append(line)
                if isinstance(line, Line) and not self.deaf:
                    self._take(line)

    def press(self, button: int, *, down: bool = True) -> None:
        way = "DOWN" if down else "UP"
        line = self._next("BUTTON", str(button), way)
        self.pending.append(line)
        self.write(encode(line))

    def repeat_presses(self) -> None:
        for line in self.pending:
            self.write(encode(line))

    def restart(self) -> None:
        """As after a brown-out: everything forgotten, the greeting said."""
        self._last = None
        self._number = 0
        self.pending.clear()
        self.write(encode(self._next("BOX", self.version, "test-box")))

    def write(self, data: bytes) -> None:
        os.write(self._ours, data)

    def unplug(self) -> None:
        os.close(self._ours)

    def _take(self, line: Line) -> None:
        match line.words:
            case ("HELLO", _):
                self._last = line.number
                self.write(encode(self._next("BOX", self.version, "test-box")))
            case ("OK", number):
                self.pending = [each for each in self.pending if str(each.number) != number]
            case words:
                if line.number != self._last:
                    self._last = line.number
                    self.obeyed.append(words)
                if self.drop_answers > 0:
                    self.drop_answers -= 1
                    return
                self.write(encode(Line(number=line.number, words=("OK", str(line.number)))))

    def _next(self, *words: str) -> Line:
        self._number = (self._number + 1) % 256
        return Line(number=self._number, words=words)
