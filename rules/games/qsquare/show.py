"""What a page says of a state: headline, sides, tasks, and what may be announced."""

from rules.games.qsquare.reading import CUE
from rules.games.qsquare.spots import SPOT_MM, settled_errands
from rules.games.qsquare.state import CENTRAL_ZONE, Errand, Phase, State
from rules.games.qsquare.words import verb
from rules.phrases import counted
from rules.rulings import Announcement, Scoreboard, SideScore, Task


def scoreboard(state: State) -> Scoreboard:
    """Return the scoreboard of a state."""
    playing = state.phase not in (Phase.SETUP, Phase.OPENING, Phase.BREAK_CHOICE, Phase.SET_OVER)
    return Scoreboard(
        phase=str(state.phase),
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
            return "Before the match"
        case Phase.OPENING:
            return "Lag or lot for the break"
        case Phase.BREAK_CHOICE:
            side = state.chooser or 0
            return f"{terms.team(side)} {verb(terms, side, 'choose')} who breaks"
        case Phase.RACKING:
            return f"Rack the pucks; {terms.who(tally.breaker)} breaks"
        case Phase.AIMING:
            return f"{who} to shoot"
        case Phase.SHOT:
            return f"{who} is shooting"
        case Phase.PENDING_HUMAN:
            return "A question for the referee"
        case Phase.SERVICE:
            return f"Put the table right; then {who} shoots"
        case Phase.SET_OVER:
            side = tally.winner or 0
            return f"{terms.team(side)} {verb(terms, side, 'win')} the match"
        case Phase.PAUSED:
            return "Paused"


def _side(state: State, side: int) -> SideScore:
    terms, tally = state.terms, state.tally
    target = tally.counts[1 - side]
    items = [
        ("to pocket", str(target.on)),
        ("pocketed", str(target.down)),
        ("off", str(target.off)),
        ("owes", _owed(tally.debts[side])),
    ]
    if terms.options.queen == "on":
        items.append(("Queen", "open" if target.on == 0 else "locked"))
    items.append(("games", str(tally.games[side])))
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
    pucks = counted(len(places), "puck")
    centre = places.count(CENTRAL_ZONE)
    return f"{pucks}, {centre} to the centre" if centre else pucks


def tasks(state: State) -> tuple[Task, ...]:
    """Return what must be put right by hand, in order, each with whether it is done."""
    if state.phase is not Phase.SERVICE:
        return ()
    done = settled_errands(state.errands, state.pieces)
    return tuple(
        Task(
            words=_told(state, errand),
            kind=errand.kind,
            colour=errand.colour,
            at=errand.at,
            tolerance_mm=SPOT_MM,
            done=ok,
        )
        for errand, ok in zip(state.errands, done, strict=True)
    )


def _told(state: State, errand: Errand) -> str:
    if errand.kind == CUE and errand.at is None:
        return f"Bring the cue-puck into {state.terms.who(state.shooter)}’s Home Zone"
    what = "the Queen" if errand.kind == "queen" else errand.piece or f"a {errand.colour} puck"
    if errand.why == "penalty puck":
        what = f"a {errand.colour} penalty puck"
    if errand.away:
        return f"Take {what} off"
    if errand.why == "put back":
        return f"Put {what} back where it lay"
    if errand.why == "laid flat":
        return f"Lay {what} flat"
    return f"Put {what} on its marked spot"


def announcements(state: State) -> tuple[Announcement, ...]:
    """Return what a person may declare now with one tap."""
    terms = state.terms
    offers: list[Announcement] = []
    sides = [(terms.sides[n], terms.team(n), n) for n in (0, 1)]
    if state.phase is Phase.SETUP:
        offers.append(Announcement(what="agreed", words="Everything agreed"))
    if state.phase in (Phase.SETUP, Phase.OPENING):
        for how in ("lot", "lag") if terms.options.opening == "lag" else ("lot",):
            offers += [
                Announcement(what=how, side=id, words=f"{team} {verb(terms, n, 'win')} the {how}")
                for id, team, n in sides
            ]
    if state.phase is Phase.BREAK_CHOICE:
        offers += [
            Announcement(what="break", side=str(seat), words=f"{terms.who(seat)} breaks")
            for seat in terms.seats
        ]
    if state.phase is Phase.RACKING:
        offers.append(Announcement(what="rack accepted", words="Rack is good"))
        if terms.four:
            side = terms.side_at(state.tally.breaker)
            offers += [
                Announcement(what="breaker", side=str(seat), words=f"{terms.who(seat)} breaks")
                for seat in terms.seats_of(side)
            ]
    if state.phase is Phase.SERVICE:
        offers.append(Announcement(what="restored", words="The table is right"))
    if state.phase is Phase.AIMING and terms.options.call_shots == "on":
        target = terms.colours[1 - state.side]
        what = "queen" if state.tally.counts[1 - state.side].on == 0 else target
        offers += [
            Announcement(
                what="call", value=f"{what} {pocket.id}", words=f"Calls {what} in {pocket.id}"
            )
            for pocket in terms.ground.board.pockets
        ]
    if state.phase is Phase.SHOT or (
        state.last is not None and state.phase in (Phase.AIMING, Phase.SERVICE, Phase.SET_OVER)
    ):
        offers.append(Announcement(what="miscue", words="Miscue"))
        offers.append(Announcement(what="not tip", words="Not the tip"))
        offers.append(Announcement(what="wrong player", words="Wrong player shot"))
        offers.append(Announcement(what="spoiled", value="replay", words="Spoiled: play again"))
    if state.phase in (Phase.AIMING, Phase.SHOT):
        offers += [
            Announcement(what="hand", side=str(seat), words=f"{terms.who(seat)}’s hand")
            for seat in terms.seats
        ]
    if state.phase is Phase.AIMING:
        offers += [
            Announcement(what="disturbed", side=str(seat), words=f"{terms.who(seat)} moved a puck")
            for seat in terms.seats
        ]
    if state.phase in (Phase.RACKING, Phase.AIMING, Phase.SHOT, Phase.SERVICE):
        offers += [
            Announcement(what="concede", side=id, words=f"{team} {verb(terms, n, 'concede')}")
            for id, team, n in sides
        ]
    if state.phase is Phase.PAUSED:
        offers.append(Announcement(what="resume", words="Resume"))
    elif state.phase not in (Phase.SET_OVER, Phase.PENDING_HUMAN):
        offers.append(Announcement(what="pause", words="Pause"))
    return tuple(offers)
