"""Steps 7 and 8: the end of a board, of a game and of the match."""

from msgspec.structs import replace

from rules.case import Case
from rules.games.carrom.ledger import Ledger
from rules.games.carrom.state import Clock, Phase, Queen, State, Tally, put
from rules.games.carrom.terms import PIECES
from rules.games.carrom.words import men, score, won_game, won_match
from rules.geometry import Seat
from rules.rulings import RulingKind
from rules.said import say

WIN = RulingKind.WIN
QUEEN_POINTS = 3
CAP = 22


def won_by(
    case: Case, ledger: Ledger, me: int, one_each: bool, queen_fell: bool
) -> tuple[int, int] | None:
    """Return the winner of a board and the points, or None while it goes on (step 7).

    `me` is the striking team; `one_each` says that each team had one piece before the strike.
    """
    opp = 1 - me
    terms, options = ledger.state.terms, ledger.state.terms.options
    queen = ledger.queen
    if ledger.on[me] == 0:
        both = ledger.on[opp] == 0
        if both:
            case.rule("CR-X.13", say("Both teams’ last pieces fell in one strike."))
        if queen.covered:
            return me, _clause_19(case, ledger, me)
        if options.last_piece_queen_up == "replace_piece" and not both:
            return None
        case.rule(
            "CR-X.11",
            say(
                "{team} pocketed the last piece with the queen uncovered: {winners} win the "
                "board, {points} points."
                if terms.pairs
                else "{team} pocketed the last piece with the queen uncovered: {winners} wins the "
                "board, {points} points.",
                team=terms.team(me),
                winners=terms.team(opp),
                points=QUEEN_POINTS,
            ),
            WIN,
            side=ledger.side(opp),
        )
        return opp, QUEEN_POINTS
    if ledger.on[opp] == 0:
        left = ledger.on[me]
        if queen.covered:
            case.rule(
                "CR-X.12", say("{team} pocketed the opponents’ last piece.", team=terms.team(me))
            )
            return opp, _clause_19(case, ledger, opp)
        if one_each and queen_fell and queen.pending:
            case.rule(
                "CR-23.1",
                say(
                    "Queen and the opponents’ last piece: {team} win the board."
                    if terms.pairs
                    else "Queen and the opponents’ last piece: {team} wins the board.",
                    team=terms.team(opp),
                ),
                WIN,
                side=ledger.side(opp),
            )
            case.rule("CR-23.2", say("{left} point for the piece left on the board.", left=left))
            return opp, left
        bonus = int(options.last_opponent_queen_bonus)
        case.rule(
            "CR-X.12",
            say(
                "{team} pocketed the opponents’ last piece: {winners} win the board, {points} "
                "points."
                if terms.pairs
                else "{team} pocketed the opponents’ last piece: {winners} wins the board, "
                "{points} points.",
                team=terms.team(me),
                winners=terms.team(opp),
                points=left + bonus,
            ),
            WIN,
            side=ledger.side(opp),
        )
        return opp, left + bonus
    return None


def _clause_19(case: Case, ledger: Ledger, winner: int) -> int:
    """Return the points of a board that ends with the queen covered (CR-19)."""
    terms, loser = ledger.state.terms, 1 - winner
    left = ledger.on[loser]
    tally = ledger.state.tally
    name = terms.team(winner)
    case.rule(
        "CR-19.1",
        say(
            "Only {men} left: {team} win the board."
            if terms.pairs
            else "Only {men} left: {team} wins the board.",
            men=men(left, ledger.state.colour(loser)),
            team=name,
        ),
        WIN,
        side=ledger.side(winner),
    )
    case.rule("CR-17.1", say("{left} for the pieces left.", left=left))
    if ledger.queen.team != winner:
        case.rule(
            "CR-19.3",
            say("{team}: {points} points.", team=name, points=left),
            side=ledger.side(winner),
        )
        case.rule("CR-19.4", say("The losing team gets nothing for the queen."))
        return left
    if terms.options.queen_cap_22 == "on" and tally.points[winner] >= CAP:
        case.rule(
            "CR-17.2",
            say(
                "{team} had {cap} points or more: no points for the queen, as agreed.",
                team=name,
                cap=CAP,
            ),
        )
        return left
    case.rule("CR-17.2", say("{points} for the queen.", points=QUEEN_POINTS))
    case.rule("CR-16.2", say("The winner covered the queen."))
    case.rule("CR-18.1", say("Board won and queen covered: her points count."))
    case.rule(
        "CR-19.2",
        say(
            "{team}: {left} + {queen_points} points.",
            team=name,
            left=left,
            queen_points=QUEEN_POINTS,
        ),
        side=ledger.side(winner),
    )
    return left + QUEEN_POINTS


def concession(state: State, loser: int) -> int:
    """Return the points of a board that `loser` gives up (CR-X.28)."""
    queen = state.tally.queen
    extra = QUEEN_POINTS if queen.covered and queen.team == 1 - loser else 0
    return state.tally.on[loser] + extra


def board_over(case: Case, state: State, winner: int, points: int, at_ms: float) -> State:
    """Book a board; go on to the next, to the toss for an extra one, or end the game (CR-X.1)."""
    terms, tally = state.terms, state.tally
    total = put(tally.points, winner, tally.points[winner] + points)
    options = terms.options
    case.rule(
        "CR-X.1",
        say(
            "Board {board} is over. Points: {score}.", board=tally.board, score=score(terms, total)
        ),
        side=terms.sides[winner],
    )
    tally = replace(tally, points=total)
    state = replace(state, tally=tally)
    by_points = options.points_to_win is not None and total[winner] >= options.points_to_win
    single = options.points_to_win is None and options.boards == 1
    if by_points or single:
        return game_over(case, state, winner)
    if tally.board >= options.boards:
        if total[0] != total[1]:
            return game_over(case, state, 0 if total[0] > total[1] else 1)
        case.rule(
            "CR-X.1",
            say("A tie: one extra board, after a toss."),
            RulingKind.TURN,
            pieces=("tie",),
        )
        fresh = new_board(tally, tally.breaker, terms.team_at(tally.breaker))
        return replace(_cleared(state, at_ms), phase=Phase.TOSS, tally=fresh)
    breaker = _next_breaker(state, winner)
    case.rule(
        "CR-X.2",
        say("{who} breaks the next board, with white.", who=terms.who(breaker)),
        RulingKind.TURN,
        side=terms.sides[terms.team_at(breaker)],
    )
    fresh = new_board(tally, breaker, terms.team_at(breaker))
    return replace(_cleared(state, at_ms), phase=Phase.RACKING, tally=fresh)


def _next_breaker(state: State, winner: int) -> Seat:
    """Return who breaks the next board (CR-X.2)."""
    terms, tally = state.terms, state.tally
    how = terms.options.later_break
    if how == "right":
        return terms.right_of(tally.breaker)
    team = winner if how == "winner" else 1 - winner
    seat = terms.right_of(tally.to_strike)
    while terms.team_at(seat) != team:
        seat = terms.right_of(seat)
    return seat


def new_board(tally: Tally, breaker: Seat, white: int) -> Tally:
    """Return the tally of the next board, nobody having struck."""
    return replace(
        tally,
        on=(PIECES, PIECES),
        due=(0, 0),
        netted=(False, False),
        entitled=(False, False),
        queen=Queen(),
        to_strike=breaker,
        breaker=breaker,
        white=white,
        strikes=0,
        turns=0,
        tries=0,
        turn_netted=False,
        board=tally.board + 1,
    )


def _cleared(state: State, at_ms: float) -> State:
    """Return the state between two boards; the clock may stand meanwhile."""
    clock = state.clock
    if state.terms.options.clock_stops == "between_boards":
        clock = replace(clock, shown_ms=clock.at(at_ms), since_ms=at_ms, stopped=True)
    return replace(
        state,
        clock=clock,
        errands=(),
        amiss=frozenset(),
        said="",
        pending=None,
        excused=(0, 0),
        touched=frozenset(),
    )


def game_over(case: Case, state: State, winner: int, *, match: bool = False) -> State:
    """Book a game; end the match or toss for the next one (CR-X.1). `match`: it is given up."""
    terms, tally = state.terms, state.tally
    games = put(tally.games, winner, tally.games[winner] + 1)
    over = match or games[winner] >= terms.wins_needed()
    case.rule(
        "CR-X.1",
        say("{won}.", won=won_match(terms, winner) if over else won_game(terms, winner)),
        WIN,
        side=terms.sides[winner],
        pieces=("game",),
    )
    state = replace(_cleared(state, 0.0), clock=Clock())
    if over:
        tally = replace(tally, games=games, winner=winner, queen_phase=False)
        return replace(state, phase=Phase.MATCH_OVER, tally=tally)
    fresh = new_board(tally, tally.breaker, tally.white)
    fresh = replace(
        fresh, board=1, points=(0, 0), game=tally.game + 1, games=games, queen_phase=False
    )
    return replace(state, phase=Phase.TOSS, tally=fresh, toss=None)
