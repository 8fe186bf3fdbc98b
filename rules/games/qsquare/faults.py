"""What was done wrong in a shot, as it adds up to a foul and penalties."""

from collections.abc import Iterable

from msgspec import Struct, field

from rules.games.qsquare.state import CENTRAL_ZONE, PENALTY_ZONE
from rules.geometry import Seat


class Faults(Struct):
    """What was done wrong in a shot: whether it is a foul, and the penalties as (letter, place)."""

    foul: bool = False
    penalties: list[tuple[str, str]] = field(default_factory=list)
    returned: str | None = None
    lost_by: int | None = None
    skips: set[Seat] = field(default_factory=set)

    def letter(self, letter: str, place: str) -> None:
        """Add a penalty: one per letter, but of letter b one per puck (QS-X.7)."""
        self.foul = True
        if letter == "b" or all(given != letter for given, _ in self.penalties):
            self.penalties.append((letter, place))

    def has(self, letters: str) -> bool:
        return any(letter in letters for letter, _ in self.penalties)


def ordered_faults(codes: Iterable[str], faults: Faults) -> None:
    """Treat as found the faults that the referee put in another ruling's place."""
    for code in codes:
        if code in ("QS-8a.1", "QS-8a.2", "QS-8a.3", "QS-8a.4"):
            faults.letter("a", PENALTY_ZONE)
        elif code in ("QS-8b", "QS-X.6"):
            faults.letter("b", CENTRAL_ZONE)
        elif code == "QS-8c":
            faults.letter("c", PENALTY_ZONE)
        elif code == "QS-8d.1":
            faults.letter("d", CENTRAL_ZONE)
        elif code == "QS-8e":
            faults.letter("e", PENALTY_ZONE)
        elif code in (
            "QS-4.1",
            "QS-4.4",
            "QS-4.5",
            "QS-4.6",
            "QS-4.7",
            "QS-8f",
            "QS-9.5",
            "QS-9.7",
            "QS-9.8",
            "QS-2.4",
        ):
            faults.foul = True
