"""Step 5 for a foul shot: what comes back, and which penalties are due."""

from rules.departures import Gone
from rules.games.qsquare.books import Books
from rules.games.qsquare.reading import CUE, PUCK
from rules.games.qsquare.state import State
from rules.games.qsquare.words import object_pucks
from rules.phrases import possessive
from rules.rulings import RulingKind
from rules.said import listed, say


def foul(books: Books, fallen: list[Gone], forced: list[Gone]) -> State:
    """Return the state after a foul shot in which pucks have `fallen` and been `forced` off."""
    case, state, terms = books.case, books.state, books.state.terms
    options = terms.options
    me, target = state.side, 1 - state.side
    scratch = any(g.kind == CUE and g.pocket is not None for g in books.reading.gone)
    returning = _returning(books, fallen, scratch)
    for gone in fallen:
        if gone in returning:
            books.back.append(gone)
        else:
            books.goes_down(gone)
    for gone in forced:
        if gone.name == books.faults.returned:
            books.back.append(gone)
        elif options.off_puck == "stays_off":
            books.leaves(gone)
        else:
            books.forced_back.append(gone)
            case.rule(
                "QS-X.5", say("{name} is put back, as agreed.", name=gone.name), pieces=(gone.name,)
            )
    back, books.back = books.back, []
    for gone in back:
        if gone.pocket is None or case.rule(
            "QS-6.1",
            say("{name} fell in a foul shot: not pocketed, it returns.", name=gone.name),
            RulingKind.PLACE,
            side=terms.sides[me],
            pieces=(gone.name,),
        ):
            books.back.append(gone)
        else:
            books.goes_down(gone)
    penalised = bool(books.faults.penalties)
    if scratch and fallen:
        case.rule(
            "QS-8a.6",
            say(
                "The cue-puck fell with {pucks}: what fell returns."
                if _two_only(books, fallen, scratch)
                else "The cue-puck fell with {pucks}: what fell returns, and a penalty puck "
                "besides.",
                pucks=object_pucks(len(fallen)),
            ),
            RulingKind.PENALTY,
            side=terms.sides[me],
        )
    due = _due(books, fallen, scratch)
    if "a" in [letter for letter, _ in due]:
        case.rule(
            "QS-8a.5",
            say(
                "One penalty puck to {whose} penalty zone.",
                whose=possessive(terms.who(books.next_opponent())),
            ),
            RulingKind.PENALTY,
            side=terms.sides[me],
        )
    owed = state.tally.debts[me] + tuple(place for _, place in due)
    if due and books.down[target] == 0:
        case.rule(
            "QS-8.2",
            say("No {colour} puck is down: the penalty is owed.", colour=terms.colours[target]),
            RulingKind.PENALTY,
            side=terms.sides[me],
        )
    if penalised:
        case.rule(
            "QS-8g",
            say("A penalty ends the turn."),
            RulingKind.TURN,
            side=terms.sides[me],
        )
    lost = case.rule(
        "QS-2.4",
        say("Foul: {who} loses the turn.", who=terms.who(state.shooter)),
        RulingKind.TURN,
        side=terms.sides[me],
    )
    if forced and options.off_puck == "stays_off":
        _explain_off(books, forced)
    return books.lose(owed, forced) if lost else books.keep(owed)


def _explain_off(books: Books, forced: list[Gone]) -> None:
    names = [g.name for g in forced if g.name != books.faults.returned]
    if names:
        books.case.rule(
            "QS-X.5",
            say(
                "{names} is out of the game for good."
                if len(names) == 1
                else "{names} are out of the game for good.",
                names=listed(names),
            ),
            pieces=tuple(names),
        )


def _two_only(books: Books, fallen: list[Gone], scratch: bool) -> bool:
    always = books.state.terms.options.scratch_returns == "always_2"
    return always and scratch and len(fallen) >= 2


def _due(books: Books, fallen: list[Gone], scratch: bool) -> list[tuple[str, str]]:
    """Return the penalties to be paid, in the order of step 6: a, b, c, d, e."""
    given = sorted(books.faults.penalties, key=lambda p: "abcdeh".index(p[0]))
    if _two_only(books, fallen, scratch):
        given = [p for p in given if p[0] != "a"]
    if books.state.terms.options.multi_penalty == "worst_only" and given:
        return [min(given, key=lambda p: "acehdb".index(p[0]))]
    return given


def _returning(books: Books, fallen: list[Gone], scratch: bool) -> list[Gone]:
    """Return which of the fallen pucks come back from a foul shot (QS-6.1, QS-8a.6)."""
    options = books.state.terms.options
    target = 1 - books.state.side
    if scratch:
        two = fallen[:2] if _two_only(books, fallen, scratch) else fallen
        return [g for g in fallen if g in two or g.name == books.faults.returned]
    if options.foul_drops == "return_all":
        return fallen
    stays = [
        g
        for g in fallen
        if g.name != books.faults.returned
        and (options.foul_drops == "all_stay_down" or books.side_of(g) != target)
    ]
    gone = sum(books.side_of(g) == target for g in stays)
    gone += sum(
        books.side_of(g) == target
        for g in books.reading.gone
        if g.kind == PUCK and g.pocket is None and g.name != books.faults.returned
    )
    if options.queen == "off" and gone >= books.on[target]:
        last = [g for g in stays if books.side_of(g) == target][-1:]
        stays = [g for g in stays if g not in last]
    return [g for g in fallen if g not in stays]
