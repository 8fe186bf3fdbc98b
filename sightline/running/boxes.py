"""The boxes of a running match: what is ruled is cued, what is pressed is declared.

A box that goes away costs its sounds, never the match; when it is back, its lamps and its clock are
told anew.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread

from hardware.cues import Buzz, Countdown, Cue, Lamp, Light, Press
from hardware.device import Device, DeviceLost
from hardware.serial_device import SerialDevice
from rules.rulings import Ruling
from sightline.complaint import Complaint
from sightline.running.match import Change, Match, Seen
from sightline.running.translate import Meaning, declared, meanings_of, sound_of, standing_cues

_LOG = logging.getLogger(__name__)
TURN_S = 0.02
_LAST_WORDS_TURNS = 25


class Boxes:
    """Cues the devices of one match and listens to their buttons.

    `heard` is a listener of the match; all else happens in `turn`, which is called some 50 times a
    second by one thread (`serving_boxes` makes one).
    """

    def __init__(self, devices: Sequence[Device], meanings: Mapping[int, Meaning]) -> None:
        self._devices = tuple(devices)
        self._meanings = meanings
        self._sounds: SimpleQueue[Buzz] = SimpleQueue()
        self._version = -1
        self._stand: dict[Lamp | None, Cue] = {}
        self._timer: object = None

    @property
    def any(self) -> bool:
        return bool(self._devices)

    def heard(self, change: Change) -> None:
        """Sound what is new; a correction of what was long ago makes no sound."""
        fresh = {entry.seq for entry in change.entries}
        rulings: list[Ruling] = []
        for step in change.steps:
            if step.seq in fresh:
                rulings += step.rulings
        sound = sound_of(rulings)
        if sound is not None:
            self._sounds.put(sound)

    def turn(self, match: Match) -> None:
        """Tell the devices what is new since the last turn, and the match what was pressed."""
        for device in self._devices:
            for press in self._pressed(device):
                fact = declared(press, self._meanings, at_ms=match.now_ms())
                if fact is not None:
                    match.take((Seen(fact=fact),))
        self._tell(self._new_cues(match))

    def darken(self) -> None:
        """Put all lamps out and stop the clock; wait for the boxes' answers for a moment."""
        dark: list[Cue] = [
            Light(lamp=cue.lamp, on=False)
            for cue in self._stand.values()
            if isinstance(cue, Light) and cue.on
        ]
        if isinstance(self._stand.get(None), Countdown):
            dark.append(Countdown(left_ms=0, running=False))
        self._tell(dark)
        pause = Event()
        for _ in range(_LAST_WORDS_TURNS if dark else 0):
            for device in self._devices:
                self._pressed(device)
            pause.wait(TURN_S)

    def _new_cues(self, match: Match) -> Iterator[Cue]:
        try:
            while True:
                yield self._sounds.get_nowait()
        except Empty:
            pass
        view = match.view()
        if view.version == self._version:
            return
        self._version = view.version
        stand = standing_cues(view)
        timer = view.scoreboard.timer
        if timer == self._timer and None in self._stand:
            stand[None] = self._stand[None]  # it runs on by itself
        elif timer is None and None in self._stand:
            stand[None] = Countdown(left_ms=0, running=False)
        self._timer = timer
        for key, cue in stand.items():
            if self._stand.get(key) != cue:
                yield cue
        self._stand = stand

    def _tell(self, cues: Iterable[Cue]) -> None:
        for cue in cues:
            for device in self._devices:
                # Said when it went; it hears of all that stands when it is back.
                with suppress(DeviceLost):
                    device.send(cue)

    def _pressed(self, device: Device) -> tuple[Press, ...]:
        try:
            return device.poll()
        except DeviceLost as err:
            _LOG.warning("%s; the match goes on without it", err)
            return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxWishes:
    """What the command line asks for: the ports of boxes, and what their buttons mean."""

    ports: tuple[str, ...] = ()
    buttons: tuple[str, ...] = ()


NO_BOXES = BoxWishes()


@contextmanager
def boxes_of(wishes: BoxWishes, *, patient: bool) -> Iterator[Boxes]:
    """Open the boxes, and close them after the block; Complaint names a port with no box.

    `patient`: take it for granted that they will come, as where a match goes on.
    """
    meanings = meanings_of(wishes.buttons)
    with ExitStack() as stack:
        devices: list[SerialDevice] = []
        for port in wishes.ports:
            try:
                device = SerialDevice(port, patient=patient)
            except DeviceLost as err:
                raise Complaint(f"{err}; `sightline ports` lists the ports") from err
            stack.callback(device.close)
            devices.append(device)
        yield Boxes(devices, meanings)


@contextmanager
def serving_boxes(boxes: Boxes, match: Match) -> Iterator[None]:
    """Serve the boxes of a match while the block runs."""
    if not boxes.any:
        yield
        return
    stop = Event()

    def serve() -> None:
        while not stop.wait(TURN_S):
            try:
                boxes.turn(match)
            except Exception:
                _LOG.exception("a box failed; the match goes on")

    thread = Thread(target=serve, name="boxes", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        boxes.darken()
