"""Which ruling sounds how on a box, and what its buttons declare."""

import pytest

from hardware.cues import Buzz, Lamp, Light, Press
from rules.facts import Declared
from rules.geometry import Seat
from rules.rulings import Ruling, RulingKind, Standing
from sightline.translate import Meaning, cues_of, declared, turn_cues


def ruling(kind: RulingKind, standing: Standing = Standing.FIRM) -> Ruling:
    return Ruling(code="QS-0", words="", kind=kind, standing=standing)


@pytest.mark.parametrize(
    ("rulings", "sound", "amber"),
    [
        ((ruling(RulingKind.NOTE),), None, False),
        ((ruling(RulingKind.POCKET),), Buzz(long_ms=80), False),
        ((ruling(RulingKind.POCKET), ruling(RulingKind.FOUL)), Buzz(long_ms=600), False),
        ((ruling(RulingKind.FOUL, Standing.OPEN),), Buzz(long_ms=150, times=2), True),
        ((ruling(RulingKind.FOUL), ruling(RulingKind.WIN)), Buzz(long_ms=300, times=3), False),
        ((ruling(RulingKind.FOUL, Standing.OVERRULED),), None, False),
    ],
    ids=["note", "pocket", "foul beats pocket", "open call", "win beats foul", "overruled"],
)
def test_one_moment_makes_one_sound_and_a_question_lights_amber(
    rulings: tuple[Ruling, ...], sound: Buzz | None, amber: bool
) -> None:
    light = Light(lamp=Lamp.AMBER, on=amber)

    assert cues_of(rulings) == ((light,) if sound is None else (sound, light))


def test_no_ruling_makes_no_sound() -> None:
    assert cues_of(()) == ()


def test_the_lamp_of_the_seat_whose_turn_it_is_shines() -> None:
    shining = [cue.lamp for cue in turn_cues(Seat.N) if isinstance(cue, Light) and cue.on]

    assert shining == [Lamp.SEAT_N]
    assert len(turn_cues(None)) == 4


def test_a_button_declares_what_it_was_given_to_mean() -> None:
    meanings = {1: Meaning(what="miscue", side="S")}

    assert declared(Press(button=1, down=True, at_s=3.0), meanings, at_ms=1500.0) == Declared(
        at_ms=1500.0, what="miscue", side="S"
    )
    assert declared(Press(button=1, down=False, at_s=3.0), meanings, at_ms=1500.0) is None
    assert declared(Press(button=2, down=True, at_s=3.0), meanings, at_ms=1500.0) is None
