"""A whole match with a box on a real pseudo-terminal: its clock, lamps, sounds and buttons."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from testkit.carrom_table import GAME, Table, board
from testkit.clock import ManualClock
from testkit.serial_box import SerialBox

from hardware.serial_device import SerialDevice
from rules.facts import Declared, Fact, Pocketed, SightLost, Struck
from rules.game import Setup
from sightline.complaint import Complaint
from sightline.match_log.log import MatchHeader, Store
from sightline.running.boxes import NO_BOXES, Boxes, BoxWishes, boxes_of, serving_boxes
from sightline.running.match import Match, Seen
from sightline.running.translate import meanings_of

OPTIONS = {"game": "single_board"}
MEANINGS = meanings_of(("2=pause", "3=resume"))


class Hall:
    """A running match and its box; facts are told, time passes and the box works as asked."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.clock = ManualClock()
        self.now_s = 0.0
        self.port = folder / "port"
        self.plug_in()
        store = stack.enter_context(Store(folder / "matches.db"))
        setup = Setup(game="carrom", board=board(), options=OPTIONS)
        header = MatchHeader(name="final", setup=setup, started="2026-11-21T15:00:00Z")
        device = SerialDevice(str(self.port), clock=lambda: self.now_s)
        stack.callback(device.close)
        self.boxes = Boxes((device,), MEANINGS)
        self.match = stack.enter_context(
            Match(store.create(header), GAME, clock=self.clock, listeners=(self.boxes.heard,))
        )
        self.store = store
        self.work()

    def plug_in(self) -> None:
        """Put a fresh box on the port."""
        self.box = SerialBox()
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(self.box.path)

    def work(self, done: Callable[[], bool] = lambda: False) -> None:
        """Let both sides work until `done`, or until neither has anything left to say."""
        quiet = 0
        while quiet < 3 and not done():
            heard = len(self.box.heard)
            self.boxes.turn(self.match)
            if self.port.is_symlink():
                self.box.step(0.002)
            quiet = quiet + 1 if len(self.box.heard) == heard else 0

    def pass_seconds(self, seconds: float) -> None:
        """Let time pass for the device, and the boxes be turned to meanwhile."""
        for _ in range(round(seconds / 0.1)):
            self.now_s += 0.1
            self.work()

    def tell(self, *facts: Fact) -> list[tuple[str, ...]]:
        """Hand in facts at their times; return what the box has obeyed since."""
        before = len(self.box.obeyed)
        for fact in facts:
            self.clock.at_ms = 5000.0 + fact.at_ms
            self.match.take((Seen(fact=fact),))
            self.match.sync()
            self.work()
        return self.box.obeyed[before:]

    def logged(self) -> list[object]:
        return [entry.body for entry in self.store.read("final")[1]]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with ExitStack() as stack:
        yield Hall(stack, tmp_path)


@pytest.fixture(scope="module")
def facts() -> tuple[Fact, ...]:
    """A match of carrom for one board: seat S breaks and clears it."""
    table = Table(options=OPTIONS).open()
    for n in range(9):
        table.strike(["W"] if n != 7 else ["Q", "W"])
    return tuple(table.facts)


def sounds(obeyed: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [words for words in obeyed if words[0] == "BUZZ"]


def lamps(obeyed: list[tuple[str, ...]]) -> dict[str, str]:
    return {words[1]: words[2] for words in obeyed if words[0] == "LAMP"}


def test_a_whole_match_is_cued_on_the_box(hall: Hall, facts: tuple[Fact, ...]) -> None:
    first = next(n for n, fact in enumerate(facts) if isinstance(fact, Struck))
    assert sounds(hall.tell(*facts[:first])) == []
    assert lamps(hall.box.obeyed)["seat-s"] == "ON"
    assert lamps(hall.box.obeyed)["green"] == "ON"

    obeyed = hall.tell(*facts[first:])
    clocks = [words for words in obeyed if words[0] == "CLOCK"]
    assert clocks[0] == ("CLOCK", "2098700", "RUN")  # it began with the strike, 1.3 s before
    assert clocks[1:] == [("CLOCK", "0", "STOP")]
    assert len(sounds(obeyed)) == 9
    assert sounds(obeyed)[0] == ("BUZZ", "80", "1")
    assert sounds(obeyed)[-1] == ("BUZZ", "300", "3")
    assert lamps(hall.box.obeyed)["seat-s"] == "OFF"
    assert hall.match.view().outcome is not None
    assert hall.logged() == list(facts)


def test_a_box_that_is_unplugged_costs_nothing_and_hears_how_things_stand_when_it_is_back(
    hall: Hall, facts: tuple[Fact, ...], caplog: pytest.LogCaptureFixture
) -> None:
    strikes = [n for n, fact in enumerate(facts) if isinstance(fact, Struck)]
    hall.tell(*facts[: strikes[2]])
    hall.box.unplug()
    hall.port.unlink()
    hall.tell(*facts[strikes[2] : strikes[3]])
    hall.pass_seconds(5.0)
    assert caplog.text.count("the match goes on without it") == 1
    assert hall.logged() == list(facts[: strikes[3]])

    hall.clock.at_ms += 60_000.0
    hall.plug_in()
    hall.pass_seconds(2.5)
    hall.work()
    back = hall.box.obeyed
    assert sounds(back) == []
    assert (lamps(back)["seat-s"], lamps(back)["green"]) == ("ON", "ON")
    assert [words[2] for words in back if words[0] == "CLOCK"] == ["RUN"]
    assert len(sounds(hall.tell(*facts[strikes[3] : strikes[4]]))) == 1


def test_a_button_declares_what_it_was_given_to_mean(hall: Hall, facts: tuple[Fact, ...]) -> None:
    played = next(n for n, fact in enumerate(facts) if isinstance(fact, Pocketed))
    hall.tell(*facts[: played + 2])
    hall.box.press(2)
    hall.box.press(2, down=False)
    hall.box.press(7)
    hall.work(lambda: not hall.box.pending)
    hall.match.sync()
    said = [body for body in hall.logged() if isinstance(body, Declared)]
    assert said[-1].what == "pause"
    assert [body.what for body in said].count("pause") == 1
    assert hall.match.view().scoreboard.headline == "Paused"


def test_a_blind_match_shines_red_and_at_its_end_all_is_dark(
    hall: Hall, facts: tuple[Fact, ...]
) -> None:
    hall.tell(*facts[:3])
    lit = lamps(hall.tell(SightLost(at_ms=90_000.0, why="the lens is covered")))
    assert lit == {"green": "OFF", "red": "ON"}


def test_the_boxes_are_served_by_a_thread_of_their_own_and_darkened_at_the_end(
    hall: Hall, facts: tuple[Fact, ...]
) -> None:
    with serving_boxes(hall.boxes, hall.match):
        for fact in facts[:3]:
            hall.match.take((Seen(fact=fact),))
        while lamps(hall.box.obeyed).get("green") != "ON":
            hall.box.step(0.05)
        answering = Thread(target=lambda: [hall.box.step(0.02) for _ in range(40)])
        answering.start()
    answering.join()
    assert set(lamps(hall.box.obeyed).values()) == {"OFF"}


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        (BoxWishes(ports=("/dev/nowhere",)), "sightline ports"),
        (BoxWishes(buttons=("pause",)), "NUMBER=WHAT"),
        (BoxWishes(buttons=("x=pause",)), "NUMBER=WHAT"),
    ],
)
def test_a_box_that_is_not_there_or_a_button_without_sense_is_said(
    wishes: BoxWishes, words: str
) -> None:
    with pytest.raises(Complaint, match=words), boxes_of(wishes, patient=False):
        raise AssertionError("opened")


def test_without_boxes_there_is_nothing_to_serve() -> None:
    with boxes_of(NO_BOXES, patient=False) as boxes:
        assert not boxes.any
