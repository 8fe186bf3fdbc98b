"""Between the match and a box: which ruling sounds how, and what a button declares."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.cues import Buzz, Cue, Lamp, Light, Press
from rules.facts import Declared
from rules.geometry import Seat
from rules.rulings import Ruling, RulingKind, Standing

_SOUNDS = {
    RulingKind.FOUL: Buzz(long_ms=600),
    RulingKind.PENALTY: Buzz(long_ms=600),
    RulingKind.REFUSED: Buzz(long_ms=600),
    RulingKind.POCKET: Buzz(long_ms=80),
    RulingKind.QUESTION: Buzz(long_ms=150, times=2),
    RulingKind.WIN: Buzz(long_ms=300, times=3),
}
_LONGEST_FIRST = (
    RulingKind.WIN,
    RulingKind.QUESTION,
    RulingKind.FOUL,
    RulingKind.PENALTY,
    RulingKind.REFUSED,
    RulingKind.POCKET,
)
_SEAT_LAMPS = {
    Seat.S: Lamp.SEAT_S,
    Seat.E: Lamp.SEAT_E,
    Seat.N: Lamp.SEAT_N,
    Seat.W: Lamp.SEAT_W,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a button says when it goes down: a `Declared` fact's own words."""

    what: str
    side: str | None = None
    value: str = ""


def cues_of(rulings: tuple[Ruling, ...]) -> tuple[Cue, ...]:
    """What a box does on the rulings of one moment: one sound at most, and the amber lamp.

    A question, or a call that is open, lights amber until rulings come that leave none open.
    """
    if not rulings:
        return ()
    kinds = {
        RulingKind.QUESTION if ruling.standing is Standing.OPEN else ruling.kind
        for ruling in rulings
        if ruling.standing is not Standing.OVERRULED
    }
    sounds = [_SOUNDS[kind] for kind in _LONGEST_FIRST if kind in kinds]
    amber = Light(lamp=Lamp.AMBER, on=RulingKind.QUESTION in kinds)
    return (*sounds[:1], amber)


def turn_cues(seat: Seat | None) -> tuple[Cue, ...]:
    """The seats' lamps: the one whose turn it is shines, the others do not."""
    return tuple(Light(lamp=lamp, on=each is seat) for each, lamp in _SEAT_LAMPS.items())


def declared(press: Press, meanings: Mapping[int, Meaning], *, at_ms: float) -> Declared | None:
    """The fact that a press states at `at_ms` of the match; None for a release, an idle button."""
    meaning = meanings.get(press.button)
    if meaning is None or not press.down:
        return None
    return Declared(at_ms=at_ms, what=meaning.what, side=meaning.side, value=meaning.value)
