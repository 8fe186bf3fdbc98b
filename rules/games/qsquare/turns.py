"""Turns, debts and games: who is next, who pays, who has won (steps 6 to 8)."""

import dataclasses

from msgspec.structs import replace

from rules.case import Case
from rules.games.qsquare.spots import Restoring, restoring
from rules.games.qsquare.state import (
    Count,
    Errand,
    Phase,
    State,
    Tally,
)
from rules.games.qsquare.terms import Terms
from rules.games.qsquare.words import pucks
from rules.geometry import Seat
from rules.rulings import RulingKind
from rules.said import say


def queen_locks(case: Case, state: State, tally: Tally) -> Tally:
    """Say when the Queen opens for a side, or locks again (QS-7.2)."""
    terms = state.terms
    if terms.options.queen == "off":
        return tally
    unlocked = (tally.counts[1].on == 0, tally.counts[0].on == 0)
    for side in (0, 1):
        if unlocked[side] and not state.tally.unlocked[side]:
            case.rule(
                "QS-7.2",
                say(
                    "The Queen is open for {team}: no {colour} puck is left.",
                    team=terms.team(side),
                    colour=terms.colours[1 - side],
                ),
                side=terms.sides[side],
                pieces=(f"open-{terms.sides[side]}",),
            )
        elif state.tally.unlocked[side] and not unlocked[side]:
            case.rule(
                "QS-7.2",
                say("The Queen is locked again for {team}.", team=terms.team(side)),
                side=terms.sides[side],
                pieces=(f"locked-{terms.sides[side]}",),
            )
    return tally if unlocked == tally.unlocked else replace(tally, unlocked=unlocked)


def turn_note(case: Case, state: State, tally: Tally, penalised: bool) -> None:
    """In the four-player game, say who is next and whose zone takes the penalty puck."""
    terms = state.terms
    if not terms.four:
        return
    case.rule("QS-X.10", say("{who} shoots next.", who=terms.who(tally.to_shoot)), RulingKind.TURN)
    if penalised or tally.debts != state.tally.debts:
        case.rule(
            "QS-10.6", say("Penalty pucks go to the penalty zone of the opponent who shoots next.")
        )


def hand_over(case: Case, tally: Tally, state: State, put: Restoring) -> Tally:
    """Return the tally with the turn handed on, past players who lose theirs (QS-X.10, QS-X.13)."""
    terms = state.terms
    seat = terms.after(state.shooter)
    while seat in tally.skips:
        case.rule(
            "QS-X.13",
            say("{who} loses this turn for the hand over the surface.", who=terms.who(seat)),
            RulingKind.TURN,
            side=terms.sides[terms.side_at(seat)],
            pieces=(f"skip-{seat}",),
        )
        tally = replace(tally, skips=tally.skips - {seat})
        tally = settle_debt(case, tally, terms, seat, put)
        seat = terms.after(seat)
    return replace(tally, to_shoot=seat)


def settle_debt(case: Case, tally: Tally, terms: Terms, seat: Seat, put: Restoring) -> Tally:
    """Pay what the side of `seat` owes, as far as pucks are down, its turn being lost (QS-8.3)."""
    me = terms.side_at(seat)
    target = 1 - me
    owed, count = tally.debts[me], tally.counts[target]
    paying = min(len(owed), count.down)
    if not paying or not case.rule(
        "QS-8.3",
        say(
            "{Pucks} of what was owed comes back."
            if paying == 1
            else "{Pucks} of what was owed come back.",
            pucks=pucks(paying, terms.colours[target]),
        ),
        RulingKind.PENALTY,
        side=terms.sides[me],
    ):
        return tally
    for place in owed[:paying]:
        put.place(place, terms.colours[target], terms.after(seat), "penalty puck")
    return tally.owing(me, owed[paying:]).counted(
        target, Count(count.on + paying, count.down - paying, count.off)
    )


def lose_turn(
    case: Case,
    state: State,
    code: str,
    words: str,
    errands: tuple[Errand, ...] = (),
    skips: frozenset[Seat] = frozenset(),
) -> State:
    """Lose the turn without a shot: what is owed is paid, the next player shoots."""
    terms, tally = state.terms, state.tally
    if not case.rule(code, words, RulingKind.TURN, side=terms.sides[state.side]):
        return replace(state, phase=Phase.SERVICE if errands else Phase.AIMING, errands=errands)
    spots = {e.piece: e.at for e in errands if e.piece is not None and e.at is not None}
    put = restoring(
        terms,
        state.shooter,
        [dataclasses.replace(p, at=spots.get(p.name, p.at)) for p in state.pieces],
    )
    tally = replace(tally, skips=tally.skips | skips)
    tally = settle_debt(case, tally, terms, state.shooter, put)
    tally = queen_locks(case, state, hand_over(case, tally, state, put))
    errands += tuple(put.errands)
    turn_note(case, state, tally, False)
    return replace(
        state,
        tally=tally,
        phase=Phase.SERVICE if errands else Phase.AIMING,
        errands=errands,
        called=None,
    )


def game_over(case: Case, state: State, winner: int) -> State:
    """End a game: the set goes on with a rack, or is over (QS-2.9, QS-X.11, QS-X.20)."""
    terms, tally = state.terms, state.tally
    games = (tally.games[0] + (winner == 0), tally.games[1] + (winner == 1))
    if any(tally.debts):
        case.rule("QS-X.20", say("What was owed in this game is cancelled."))
    best = int(terms.options.best_of)
    if best > 1:
        case.rule(
            "QS-2.9",
            say(
                "Games in this set: {team} {games}, {other} {others} (best of {best}).",
                team=terms.team(0),
                games=games[0],
                other=terms.team(1),
                others=games[1],
                best=best,
            ),
            RulingKind.WIN,
            side=terms.sides[winner],
        )
    state = replace(
        state, errands=(), brought=frozenset(), shot=None, hand=None, called=None, drag=None
    )
    if games[winner] >= terms.wins_needed():
        over = replace(tally, games=games, debts=((), ()), winner=winner)
        return replace(state, tally=over, phase=Phase.SET_OVER)
    side = {
        "alternate": 1 - terms.side_at(tally.breaker),
        "loser": 1 - winner,
        "winner": winner,
    }[terms.options.next_break]
    breaker = terms.seats_of(side)[0]
    case.rule(
        "QS-X.11",
        say("{who} breaks in game {game}.", who=terms.who(breaker), game=tally.game + 1),
        RulingKind.TURN,
        side=terms.sides[side],
    )
    return replace(
        state,
        tally=Tally(
            counts=(Count(terms.pucks[0]), Count(terms.pucks[1])),
            to_shoot=breaker,
            breaker=breaker,
            games=games,
            game=tally.game + 1,
        ),
        phase=Phase.RACKING,
        said="",
    )
