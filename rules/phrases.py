"""Short exact phrases for players."""

from collections.abc import Iterable

from rules.geometry import Seat

BORDERS = {Seat.S: "south", Seat.E: "east", Seat.N: "north", Seat.W: "west"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(count: int, what: str) -> str:
    """Return "two blue pucks" of 2 and "blue puck"."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} {what}{'' if count == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Return "a, b and c"."""
    parts = list(names)
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"
