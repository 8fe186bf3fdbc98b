"""Between the match and a box: how rulings sound, which lamps shine, what a button declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.cues import Buzz, Countdown, Cue, Lamp, Light, Press
from rules.facts import Declared
from rules.geometry import Seat
from rules.rulings import Ruling, RulingKind, Scoreboard, Standing, Timer
from sightline.complaint import Complaint
from web.desk import Sight, View

_SOUNDS = {
    RulingKind.WIN: Buzz(long_ms=300, times=3),
    RulingKind.QUESTION: Buzz(long_ms=150, times=2),
    RulingKind.FOUL: Buzz(long_ms=600),
    RulingKind.PENALTY: Buzz(long_ms=600),
    RulingKind.REFUSED: Buzz(long_ms=600),
    RulingKind.POCKET: Buzz(long_ms=80),
}
"""What matters most comes first."""
_SEAT_LAMPS = {
    Seat.S: Lamp.SEAT_S,
    Seat.E: Lamp.SEAT_E,
    Seat.N: Lamp.SEAT_N,
    Seat.W: Lamp.SEAT_W,
}
_LONGEST_MS = 100 * 3_600_000 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a button says when it goes down: a `Declared` fact's own words."""

    what: str
    side: str | None = None
    value: str = ""


def sound_of(rulings: Sequence[Ruling]) -> Buzz | None:
    """The one sound, if any, that the rulings of one moment make together."""
    kinds = {
        RulingKind.QUESTION if ruling.standing is Standing.OPEN else ruling.kind
        for ruling in rulings
        if ruling.standing is not Standing.OVERRULED
    }
    return next((sound for kind, sound in _SOUNDS.items() if kind in kinds), None)


def standing_cues(view: View) -> dict[Lamp | None, Cue]:
    """How all lamps of a box, and its clock (under None), are to stand at this moment.

    Green: the table is still and seen. Red: Sightline is blind. Amber: the referee is asked. Of
    the seats' lamps the one shines whose turn it is.
    """
    asked = any(each.ruling.standing is Standing.OPEN for each in view.rulings)
    playing = view.outcome is None
    shining = {
        Lamp.GREEN: view.sight is Sight.STILL and playing,
        Lamp.AMBER: asked,
        Lamp.RED: view.sight is Sight.BLIND,
    }
    seat = _seat_of(view.scoreboard) if playing else None
    shining |= {lamp: each is seat for each, lamp in _SEAT_LAMPS.items()}
    cues: dict[Lamp | None, Cue] = {lamp: Light(lamp=lamp, on=on) for lamp, on in shining.items()}
    timer = view.scoreboard.timer
    if timer is not None:
        cues[None] = countdown_of(timer, view.now_ms)
    return cues


def countdown_of(timer: Timer, now_ms: float) -> Countdown:
    """What a clock shows of a timer now."""
    gone_ms = max(0.0, now_ms - timer.at_ms) if timer.running else 0.0
    left_ms = round(min(max(0.0, timer.left_ms - gone_ms), _LONGEST_MS))
    return Countdown(left_ms=left_ms, running=timer.running and left_ms > 0)


def _seat_of(board: Scoreboard) -> Seat | None:
    if board.seat is not None:
        return board.seat
    return Seat(board.turn) if board.turn in set(Seat) else None


def declared(press: Press, meanings: Mapping[int, Meaning], *, at_ms: float) -> Declared | None:
    """The fact that a press states at `at_ms` of the match; None for a release, an idle button."""
    meaning = meanings.get(press.button)
    if meaning is None or not press.down:
        return None
    return Declared(at_ms=at_ms, what=meaning.what, side=meaning.side, value=meaning.value)


def meanings_of(given: Sequence[str]) -> dict[int, Meaning]:
    """What buttons mean, from `NUMBER=WHAT[/SIDE][=VALUE]` as the command line takes it."""
    meanings: dict[int, Meaning] = {}
    for each in given:
        number, _, said = each.partition("=")
        about, _, value = said.partition("=")
        what, _, side = about.partition("/")
        if not (number.isascii() and number.isdigit() and what):
            raise Complaint(
                f"--button: expected NUMBER=WHAT, NUMBER=WHAT/SIDE or NUMBER=WHAT=VALUE as in "
                f"0=pause or 1=concede/S, got {each!r}"
            )
        meanings[int(number)] = Meaning(what=what, side=side or None, value=value)
    return meanings
