"""Which ruling sounds how on a box, and what its buttons declare."""

import pytest

from hardware.cues import Buzz, Countdown, Press
from rules.facts import Declared
from rules.rulings import Ruling, RulingKind, Standing, Timer
from sightline.running.translate import Meaning, countdown_of, declared, sound_of


def ruling(kind: RulingKind, standing: Standing = Standing.FIRM) -> Ruling:
    return Ruling(code="QS-0", words="", kind=kind, standing=standing)


@pytest.mark.parametrize(
    ("rulings", "sound"),
    [
        ((), None),
        ((ruling(RulingKind.NOTE),), None),
        ((ruling(RulingKind.POCKET),), Buzz(long_ms=80)),
        ((ruling(RulingKind.POCKET), ruling(RulingKind.FOUL)), Buzz(long_ms=600)),
        ((ruling(RulingKind.FOUL, Standing.OPEN),), Buzz(long_ms=150, times=2)),
        ((ruling(RulingKind.FOUL), ruling(RulingKind.WIN)), Buzz(long_ms=300, times=3)),
        ((ruling(RulingKind.FOUL, Standing.OVERRULED),), None),
    ],
    ids=["none", "note", "pocket", "foul beats pocket", "open", "win beats foul", "overruled"],
)
def test_one_moment_makes_one_sound(rulings: tuple[Ruling, ...], sound: Buzz | None) -> None:
    assert sound_of(rulings) == sound


@pytest.mark.parametrize(
    ("running", "now_ms", "shown"),
    [
        (True, 9_000.0, Countdown(left_ms=56_000, running=True)),
        (False, 9_000.0, Countdown(left_ms=60_000, running=False)),
        (True, 90_000.0, Countdown(left_ms=0, running=False)),
        (True, 4_000.0, Countdown(left_ms=60_000, running=True)),
    ],
    ids=["runs", "stands", "is over", "before it began"],
)
def test_a_clock_shows_what_is_left_by_now(running: bool, now_ms: float, shown: Countdown) -> None:
    assert countdown_of(Timer(left_ms=60_000.0, at_ms=5_000.0, running=running), now_ms) == shown


def test_a_button_declares_what_it_was_given_to_mean() -> None:
    meanings = {1: Meaning(what="miscue", side="S")}

    assert declared(Press(button=1, down=True, at_s=3.0), meanings, at_ms=1500.0) == Declared(
        at_ms=1500.0, what="miscue", side="S"
    )
    assert declared(Press(button=1, down=False, at_s=3.0), meanings, at_ms=1500.0) is None
    assert declared(Press(button=2, down=True, at_s=3.0), meanings, at_ms=1500.0) is None
