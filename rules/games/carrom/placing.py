"""Whether what had to be put back lies where it may (CR-F4.3, CR-X.6 to CR-X.8, CR-X.24)."""

from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from msgspec import Struct
from msgspec.structs import replace

from rules.case import Case
from rules.facts import Piece, Placed
from rules.games.carrom.ground import MAN, MIDDLE, QUEEN, STRIKER
from rules.games.carrom.reading import STILL_MM
from rules.games.carrom.state import COLOURS, Errand, Phase, State, Where
from rules.games.carrom.words import men
from rules.geometry import Point, Seat
from rules.restored import SPOT_MM, lies_right, shared_out
from rules.rulings import RulingKind
from rules.said import listed, say
from rules.verdicts import SIGMAS, Verdict, verdict

TOUCHING_MM = 3.0
REFUSED, PLACE = RulingKind.REFUSED, RulingKind.PLACE
_RANK = {Verdict.NO: 0, Verdict.CLOSE: 1, Verdict.YES: 2}


class Run(Struct, frozen=True, kw_only=True):
    """An errand, the piece that serves it, if one does, and the name of the one that is to."""

    errand: Errand
    piece: Piece | None = None
    done: bool = False
    name: str | None = None


def runs(state: State, pieces: Sequence[Piece]) -> tuple[Run, ...]:
    """Return for each errand the piece that was put down for it, in the errands' order.

    Of discs that lay on the surface and are alike each serves what it lies nearest to. A piece from
    the nets serves what it lies right for, else what still waits for such a piece.
    """
    there = {p.name: p for p in pieces}
    served = _named(state, there)
    taken = {*state.lay, *state.amiss, *(piece.name for piece in served.values())}
    free = [p for p in pieces if p.name not in taken and p.kind != STRIKER]
    for suits in (_lies_right, _for_the_circle, _may_serve):
        for number, errand in enumerate(state.errands):
            if number in served:
                continue
            mine = [p for p in free if suits(state, errand, p)]
            if mine:
                goal = errand.at or MIDDLE
                served[number] = min(mine, key=lambda p: p.at.distance_mm(goal))
                free.remove(served[number])
    since = {e.piece: e.since for e in state.errands if e.piece}
    found = []
    for number, errand in enumerate(state.errands):
        if errand.where is Where.AWAY:
            found.append(Run(errand=errand, done=errand.piece not in there, name=errand.piece))
            continue
        piece = served.get(number)
        name = piece.name if piece is not None and errand.piece else errand.piece
        if piece is not None and _untouched(errand, piece, since.get(piece.name)):
            piece = None
        found.append(Run(errand=errand, piece=piece, done=piece is not None, name=name))
    return tuple(found)


def _named(state: State, there: Mapping[str, Piece]) -> dict[int, Piece]:
    """Return by the errands' numbers the pieces that serve those for which pieces are named."""
    served: dict[int, Piece] = {}
    alike: dict[tuple[str, str], dict[int, Point]] = {}
    for number, errand in enumerate(state.errands):
        piece = there.get(errand.piece) if errand.piece else None
        if piece is None or errand.where is Where.AWAY:
            continue
        served[number] = piece
        if errand.where is Where.SPOT and errand.at is not None:
            alike.setdefault((errand.kind, errand.colour), {})[number] = errand.at
    for spots in alike.values():
        shared = shared_out([served[n] for n in spots], tuple(spots.values()))
        served |= {n: piece for n, piece in zip(spots, shared, strict=True) if piece}
    return served


def _may_serve(state: State, errand: Errand, piece: Piece) -> bool:
    same = (piece.kind, piece.colour) == (errand.kind, errand.colour)
    return same and errand.where is not Where.AWAY


def _lies_right(state: State, errand: Errand, piece: Piece) -> bool:
    if errand.at is None or not _may_serve(state, errand, piece):
        return False
    return _near(piece, errand.at) is not Verdict.NO


def _near(piece: Piece, spot: Point) -> Verdict:
    """Return whether a piece lies within 5 mm of a spot, as surely as its place is known."""
    return verdict(SPOT_MM - piece.at.distance_mm(spot), piece.error_mm)


def _for_the_circle(state: State, errand: Errand, piece: Piece) -> bool:
    return errand.where is Where.CIRCLE and _may_serve(state, errand, piece)


def _untouched(errand: Errand, piece: Piece, since: Point | None) -> bool:
    """Return whether a disc still lies where it was pushed to, nobody having put it right yet."""
    if since is None or errand.at is None:
        return False
    there = piece.at.distance_mm(since) <= STILL_MM + SIGMAS * piece.error_mm
    return there and _near(piece, errand.at) is Verdict.NO


def check_placing(case: Case, before: State, seen: State) -> State:
    """Judge what has been put back, the table being at rest and free of hands."""
    found = runs(seen, seen.pieces)
    seen = replace(seen, touched=frozenset())
    told: list[tuple[str, str, Piece]] = []
    for run in found:
        if run.piece is not None:
            told += _amiss(case, seen, run.errand, run.piece)
    if told:
        return _again(case, seen, told)
    waits = [run for run in found if not run.done]
    if waits:
        return seen
    wrong = miscounted(seen)
    if wrong:
        return _counted_wrongly(case, seen, wrong)
    if any(run.piece is not None for run in found):
        case.rule(
            "CR-X.7",
            say("Everything is back in its place: {who} strikes.", who=seen.terms.who(seen.seat)),
            PLACE,
            pieces=("placed",),
        )
    return replace(
        _as_excused(seen),
        phase=Phase.STRIKE_DUE,
        errands=(),
        lay=frozenset(),
        amiss=frozenset(),
        said="",
    )


def _again(case: Case, seen: State, told: list[tuple[str, str, Piece]]) -> State:
    """Refuse what was placed wrongly: it is placed again."""
    said = "; ".join(words for _, words, _ in told)
    if said != seen.said:
        for code, words, piece in told:
            case.rule(code, say("{words}.", words=words), REFUSED, pieces=(piece.name,))
        case.rule("CR-X.7", say("Placed wrongly: place it again."), REFUSED, pieces=("again",))
    return replace(seen, said=said)


def _counted_wrongly(case: Case, seen: State, wrong: str) -> State:
    if wrong != seen.said:
        case.rule("CR-7.2", say("On the board: {wrong}.", wrong=wrong), REFUSED)
    return replace(seen, said=wrong)


def check_count(case: Case, seen: State) -> State:
    """Compare the surface at rest with the counts while a strike is due (CR-7.2)."""
    wrong = miscounted(seen)
    if not wrong:
        seen = _as_excused(seen)
        return replace(seen, said="") if seen.said else seen
    return _counted_wrongly(case, replace(seen, phase=Phase.PLACING, lay=_names(seen)), wrong)


def _as_excused(state: State) -> State:
    """Return the state with excuses forgotten for what agrees with the count again."""
    if state.excused == (0, 0):
        return state
    more = differences(state)
    kept = [was if now == was else 0 for was, now in zip(state.excused, more, strict=True)]
    return replace(state, excused=(kept[0], kept[1]))


def _names(state: State) -> frozenset[str]:
    return frozenset(p.name for p in state.pieces)


def _amiss(case: Case, state: State, errand: Errand, piece: Piece) -> list[tuple[str, str, Piece]]:
    """Return what is wrong with a piece's place, as (clause, words, piece)."""
    match errand.where:
        case Where.SPOT if errand.at is not None:
            off = piece.at.distance_mm(errand.at)
            if lies_right(case, piece, errand.at, SPOT_MM - off):
                return []
            return [
                (
                    "CR-X.24",
                    say(
                        "{piece} lies {off_mm:.0f} mm from where it lay",
                        piece=piece.name,
                        off_mm=off,
                    ),
                    piece,
                )
            ]
        case Where.CENTRE:
            if _central(case, state, errand, piece):
                return []
            code = "CR-X.6" if piece.kind == QUEEN else "CR-X.8"
            return [
                (code, say("{piece} does not lie on the centre circle", piece=piece.name), piece)
            ]
        case Where.CIRCLE:
            return _in_circle(case, state, piece)
    return []


def _central(case: Case, state: State, errand: Errand, piece: Piece) -> bool:
    """Return whether a piece lies on the centre, or as near as the others let it (CR-X.6)."""
    margin_mm, error_mm = max(
        _central_margins(state, errand, piece), key=lambda each: (_RANK[verdict(*each)], each[0])
    )
    return case.holds(
        margin_mm,
        error_mm,
        f"centre-{piece.name}",
        say("Does {piece} lie on the centre circle, or as near as is free?", piece=piece.name),
        piece=piece.name,
        at=errand.at or MIDDLE,
    )


def _central_margins(state: State, errand: Errand, piece: Piece) -> Iterator[tuple[float, float]]:
    """Yield (margin_mm, error_mm) for each way in which a piece may lie at the centre."""
    ground = state.terms.ground
    best = MIDDLE.distance_mm(errand.at) if errand.at is not None else 0.0
    yield best + SPOT_MM - MIDDLE.distance_mm(piece.at), piece.error_mm
    if best <= SPOT_MM:
        return
    for other in state.pieces:
        size = ground.size_mm(other.kind)
        if other.name != piece.name and MIDDLE.distance_mm(other.at) <= ground.centre_mm + size:
            reach = size + ground.size_mm(piece.kind) + TOUCHING_MM
            yield (
                reach - other.at.distance_mm(piece.at),
                hypot(piece.error_mm, other.error_mm),
            )


def _in_circle(case: Case, state: State, piece: Piece) -> list[tuple[str, str, Piece]]:
    """Test B3 on a returned piece, and that it touches no other disc (CR-F4.3, CR-X.7)."""
    ground = state.terms.ground
    margin = ground.inside_mm(piece.kind, piece.at)
    if not case.holds(
        margin,
        piece.error_mm,
        f"inside-{piece.name}",
        say("Does {piece} lie inside the outer circle?", piece=piece.name),
        piece=piece.name,
        at=piece.at,
    ):
        words = say(
            "{piece} reaches {over_mm:.1f} mm over the outer circle",
            piece=piece.name,
            over_mm=-margin,
        )
        return [("CR-F4.3", words, piece)]
    for other in state.pieces:
        reach = ground.size_mm(other.kind) + ground.size_mm(piece.kind)
        gap = other.at.distance_mm(piece.at) - reach
        if other.name == piece.name or other.kind == STRIKER or gap > SPOT_MM:
            continue
        one, another = sorted((piece.name, other.name))  # of both it is asked once
        if not case.holds(
            gap,
            hypot(piece.error_mm, other.error_mm),
            f"apart-{one}-{another}",
            say("Does {piece} lie clear of {other}?", piece=one, other=another),
            piece=piece.name,
            at=piece.at,
        ):
            return [
                (
                    "CR-X.7",
                    say("{piece} touches {other}", piece=piece.name, other=other.name),
                    piece,
                )
            ]
    return []


def put_down(case: Case, state: State, fact: Placed) -> State:
    """Note a piece put down while things are put back; the right hand must do it (CR-X.7)."""
    piece, by = fact.piece, fact.by
    amiss = state.amiss - {piece.name}
    waiting = [e for e in state.errands if _for_the_circle(state, e, piece)]
    other = any(_may_serve(state, e, piece) and e.where is not Where.CIRCLE for e in state.errands)
    known = by in state.terms.seats and piece.name not in state.lay
    if waiting and known and not other:
        assert by is not None
        if not any(may_place(state, e, by) for e in waiting):
            first = waiting[0].by
            placer = state.terms.who(first) if first is not None else say("the referee")
            if case.rule(
                "CR-X.7",
                say(
                    "{who} placed {piece}: {placer} is to place it.",
                    who=state.terms.who(by),
                    piece=piece.name,
                    placer=placer,
                ),
                REFUSED,
                pieces=(piece.name,),
            ):
                amiss |= {piece.name}
    return replace(state, amiss=amiss)


def may_place(state: State, errand: Errand, by: Seat) -> bool:
    """Return whether a player may place a returned piece (CR-X.7)."""
    if errand.by is None or by is errand.by:
        return True
    terms = state.terms
    return terms.options.placer == "any_opponent" and terms.team_at(by) == terms.team_at(errand.by)


def miscounted(state: State) -> str:
    """Return in words where the surface does not show what is counted, or nothing."""
    wrong = []
    for n, more in enumerate(differences(state)):
        team = state.team_of(COLOURS[n])
        if more not in (0, state.excused[n]) and team is not None:
            on = state.tally.on[team]
            wrong.append(say("{men}, but {on} in play", men=men(on + more, COLOURS[n]), on=on))
    queens = sum(p.kind == QUEEN for p in state.pieces)
    if queens != int(state.tally.queen.on_board):
        wrong.append(say("no queen" if queens == 0 else "a queen that is not in play"))
    return listed(wrong)


def differences(state: State) -> tuple[int, int]:
    """Return by how many white and black pieces the surface shows more than are counted."""
    more = []
    for colour in COLOURS:
        team = state.team_of(colour)
        on = 0 if team is None else state.tally.on[team]
        more.append(sum(p.kind == MAN and p.colour == colour for p in state.pieces) - on)
    return more[0], more[1]
