"""Short exact phrases for players."""

from collections.abc import Iterable

from rules.games.qsquare.state import Phase, State
from rules.games.qsquare.terms import Terms
from rules.geometry import Seat

BORDERS = {Seat.S: "south", Seat.E: "east", Seat.N: "north", Seat.W: "west"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def pucks(count: int, colour: str) -> str:
    """Return "two blue pucks"."""
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{number} {colour} puck{'' if count == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Return "a, b and c"."""
    parts = list(names)
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def outlook(before: State, after: State) -> str:
    """Return in words what a way comes to: counts, debts, turn, result."""
    terms, tally = after.terms, after.tally
    if tally.games != before.tally.games:
        winner = 0 if tally.games[0] != before.tally.games[0] else 1
        return f"{terms.team(winner)} {verb(terms, winner, 'win')} the game."
    parts = []
    for side in (0, 1):
        if tally.counts[side] != before.tally.counts[side]:
            count = tally.counts[side]
            parts.append(f"{terms.colours[side]} {count.on} on, {count.down} down, {count.off} off")
        if tally.debts[side] != before.tally.debts[side]:
            parts.append(f"{terms.team(side)} owing {len(tally.debts[side])}")
    counts = "; ".join(parts) if parts else "counts unchanged"
    if after.phase is Phase.RACKING and before.phase is Phase.RACKING:
        return "The rack is set again."
    if after.phase in (Phase.AIMING, Phase.SERVICE):
        counts += f"; {terms.who(tally.to_shoot)} to shoot"
    return counts[:1].upper() + counts[1:] + "."


def verb(terms: Terms, side: int, word: str) -> str:
    """Return a verb for a side: "wins" for one player, "win" for a team."""
    return word if terms.four else f"{word}s"
