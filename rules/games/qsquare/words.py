"""Short exact phrases for players."""

from rules.games.qsquare.state import Phase, State
from rules.games.qsquare.terms import Terms
from rules.phrases import counted


def pucks(count: int, colour: str) -> str:
    """Return "two blue pucks"."""
    return counted(count, f"{colour} puck")


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
