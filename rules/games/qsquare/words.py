"""Short exact phrases for players."""

from rules.games.qsquare.state import Phase, State
from rules.said import joined, plural, say

LOT_OR_LAG = {"lot": say("lot"), "lag": say("lag")}


def pucks(count: int, colour: str) -> str:
    """Return "two blue pucks"."""
    return plural(
        count,
        none="no {colour} pucks",
        one="one {colour} puck",
        many="{count} {colour} pucks",
        colour=colour,
    )


def object_pucks(count: int) -> str:
    """Return "two object pucks"."""
    return plural(
        count,
        none="no object pucks",
        one="one object puck",
        many="{count} object pucks",
    )


def outlook(before: State, after: State) -> str:
    """Return in words what a way comes to: counts, debts, turn, result."""
    terms, tally = after.terms, after.tally
    if tally.games != before.tally.games:
        winner = 0 if tally.games[0] != before.tally.games[0] else 1
        return say(
            "{team} win the game." if terms.four else "{team} wins the game.",
            team=terms.team(winner),
        )
    parts = []
    for side in (0, 1):
        if tally.counts[side] != before.tally.counts[side]:
            count = tally.counts[side]
            parts.append(
                say(
                    "{colour} {on} on, {down} down, {off} off",
                    colour=terms.colours[side],
                    on=count.on,
                    down=count.down,
                    off=count.off,
                )
            )
        if tally.debts[side] != before.tally.debts[side]:
            parts.append(
                say("{team} owing {owed}", team=terms.team(side), owed=len(tally.debts[side]))
            )
    counts = joined(parts, "; ") if parts else say("counts unchanged")
    if after.phase is Phase.RACKING and before.phase is Phase.RACKING:
        return say("The rack is set again.")
    if after.phase in (Phase.AIMING, Phase.SERVICE):
        counts = say("{counts}; {who} to shoot", counts=counts, who=terms.who(tally.to_shoot))
    return say("{Counts}.", counts=counts)
