"""What a page says of a state: headline, sides, tasks, and what may be announced."""

from rules.games.qsquare.reading import CUE
from rules.games.qsquare.spots import misplaced, services
from rules.games.qsquare.state import CENTRAL_ZONE, Errand, Phase, State
from rules.games.qsquare.words import LOT_OR_LAG
from rules.restored import SPOT_MM
from rules.rulings import Announcement, Scoreboard, SideScore, Task
from rules.said import plural, say, word
from rules.verdicts import Verdict


def scoreboard(state: State) -> Scoreboard:
    """Return the scoreboard of a state."""
    playing = state.phase not in (Phase.SETUP, Phase.OPENING, Phase.BREAK_CHOICE, Phase.SET_OVER)
    return Scoreboard(
        phase=word(str(state.phase)),
        headline=headline(state),
        turn=str(state.shooter) if playing else None,
        sides=tuple(_side(state, side) for side in (0, 1)),
        tasks=tasks(state),
        announcements=announcements(state),
    )


def headline(state: State) -> str:
    """Return what is going on, in one sentence."""
    terms, tally = state.terms, state.tally
    who = terms.who(state.shooter)
    match state.phase:
        case Phase.SETUP:
            return say("Before the match")
        case Phase.OPENING:
            return say("Lag or lot for the break")
        case Phase.BREAK_CHOICE:
            side = state.chooser or 0
            return say(
                "{team} choose who breaks" if terms.four else "{team} chooses who breaks",
                team=terms.team(side),
            )
        case Phase.RACKING:
            return say("Rack the pucks; {who} breaks", who=terms.who(tally.breaker))
        case Phase.AIMING:
            return say("{who} to shoot", who=who)
        case Phase.SHOT:
            return say("{who} is shooting", who=who)
        case Phase.PENDING_HUMAN:
            return say("A question for the referee")
        case Phase.SERVICE:
            return say("Put the table right; then {who} shoots", who=who)
        case Phase.SET_OVER:
            side = tally.winner or 0
            return say(
                "{team} win the match" if terms.four else "{team} wins the match",
                team=terms.team(side),
            )
        case Phase.PAUSED:
            return say("Paused")


def _side(state: State, side: int) -> SideScore:
    terms, tally = state.terms, state.tally
    target = tally.counts[1 - side]
    items = [
        (say("to pocket"), str(target.on)),
        (say("pocketed"), str(target.down)),
        (say("off"), str(target.off)),
        (say("owes"), _owed(tally.debts[side])),
    ]
    if terms.options.queen == "on":
        items.append((say("Queen"), say("open" if target.on == 0 else "locked")))
    items.append((say("games"), str(tally.games[side])))
    return SideScore(
        side=terms.sides[side],
        name=terms.team(side),
        colour=terms.colours[side],
        items=tuple(items),
    )


def _owed(places: tuple[str, ...]) -> str:
    """Say how many penalty pucks a side owes; those for the centre are told apart."""
    if not places:
        return "–"
    pucks = plural(len(places), one="one puck", many="{count} pucks")
    centre = places.count(CENTRAL_ZONE)
    return say("{pucks}, {centre} to the centre", pucks=pucks, centre=centre) if centre else pucks


def tasks(state: State) -> tuple[Task, ...]:
    """Return what must be put right by hand, in order, each with whether it is done."""
    if state.phase is not Phase.SERVICE:
        return ()
    found = services(state.errands, state.pieces)
    astray = {errand: piece.at for errand, piece in misplaced(state, state.pieces, found)}
    return tuple(
        Task(
            words=_told(state, service.errand),
            kind=service.errand.kind,
            colour=service.errand.colour,
            at=service.errand.at,
            tolerance_mm=SPOT_MM,
            done=service.sure is Verdict.YES,
            lies=astray.get(service.errand),
        )
        for service in found
    )


def _told(state: State, errand: Errand) -> str:
    if errand.kind == CUE and errand.at is None:
        return say("Bring the cue-puck into {who}’s Home Zone", who=state.terms.who(state.shooter))
    colour = word(errand.colour)
    what = errand.piece or say("a {colour} puck", colour=colour)
    if errand.kind == "queen":
        what = say("the Queen")
    if errand.why == "penalty puck":
        what = say("a {colour} penalty puck", colour=colour)
    if errand.away:
        return say("Take {what} off", what=what)
    if errand.why == "put back":
        return say("Put {what} back where it lay", what=what)
    if errand.why == "laid flat":
        return say("Lay {what} flat", what=what)
    return say("Put {what} on its marked spot", what=what)


def announcements(state: State) -> tuple[Announcement, ...]:
    """Return what a person may declare now with one tap."""
    terms = state.terms
    offers: list[Announcement] = []
    sides = [(terms.sides[n], terms.team(n), n) for n in (0, 1)]
    if state.phase is Phase.SETUP:
        offers.append(Announcement(what="agreed", words=say("Everything agreed")))
    if state.phase in (Phase.SETUP, Phase.OPENING):
        for how in ("lot", "lag") if terms.options.opening == "lag" else ("lot",):
            offers += [
                Announcement(
                    what=how,
                    side=id,
                    words=say(
                        "{team} win the {how}" if terms.four else "{team} wins the {how}",
                        team=team,
                        how=LOT_OR_LAG[how],
                    ),
                )
                for id, team, n in sides
            ]
    if state.phase is Phase.BREAK_CHOICE:
        offers += [
            Announcement(
                what="break", side=str(seat), words=say("{who} breaks", who=terms.who(seat))
            )
            for seat in terms.seats
        ]
    if state.phase is Phase.RACKING:
        offers.append(Announcement(what="rack accepted", words=say("Rack is good")))
        if terms.four:
            side = terms.side_at(state.tally.breaker)
            offers += [
                Announcement(
                    what="breaker", side=str(seat), words=say("{who} breaks", who=terms.who(seat))
                )
                for seat in terms.seats_of(side)
            ]
    if state.phase is Phase.SERVICE:
        offers.append(Announcement(what="restored", words=say("The table is right")))
    if state.phase is Phase.AIMING and terms.options.call_shots == "on":
        target = terms.colours[1 - state.side]
        what = "queen" if state.tally.counts[1 - state.side].on == 0 else target
        offers += [
            Announcement(
                what="call",
                value=f"{what} {pocket.id}",
                words=say("Calls {what} in {pocket}", what=word(what), pocket=pocket.id),
            )
            for pocket in terms.ground.board.pockets
        ]
    if state.phase is Phase.SHOT or (
        state.last is not None and state.phase in (Phase.AIMING, Phase.SERVICE, Phase.SET_OVER)
    ):
        offers.append(Announcement(what="miscue", words=say("Miscue")))
        offers.append(Announcement(what="not tip", words=say("Not the tip")))
        offers.append(Announcement(what="wrong player", words=say("Wrong player shot")))
        offers.append(
            Announcement(what="spoiled", value="replay", words=say("Spoiled: play again"))
        )
    if state.phase in (Phase.AIMING, Phase.SHOT):
        offers += [
            Announcement(
                what="hand", side=str(seat), words=say("{who}’s hand", who=terms.who(seat))
            )
            for seat in terms.seats
        ]
    if state.phase is Phase.AIMING:
        offers += [
            Announcement(
                what="disturbed",
                side=str(seat),
                words=say("{who} moved a puck", who=terms.who(seat)),
            )
            for seat in terms.seats
        ]
    if state.phase in (Phase.RACKING, Phase.AIMING, Phase.SHOT, Phase.SERVICE):
        offers += [
            Announcement(
                what="concede",
                side=id,
                words=say("{team} concede" if terms.four else "{team} concedes", team=team),
            )
            for id, team, n in sides
        ]
    if state.phase is Phase.PAUSED:
        offers.append(Announcement(what="resume", words=say("Resume")))
    elif state.phase not in (Phase.SET_OVER, Phase.PENDING_HUMAN):
        offers.append(Announcement(what="pause", words=say("Pause")))
    return tuple(offers)
