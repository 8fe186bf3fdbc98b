"""What is said of pucks that are not yet put back where they lay."""

from dataclasses import replace
from itertools import permutations

import pytest
from msgspec import structs
from testkit.qsquare_table import GAME, Table

from rules.facts import Fact, Moved, Piece, Placed, Settled
from rules.games.qsquare.show import tasks
from rules.games.qsquare.spots import misplaced, restoring, services
from rules.games.qsquare.state import Errand, Phase
from rules.geometry import Point, Seat
from rules.rulings import RulingKind
from rules.verdicts import Verdict

SPOTS = (Point(0.0, 0.0), Point(30.0, 0.0))


def blue(name: str, x_mm: float, y_mm: float) -> Piece:
    return Piece(name=name, kind="puck", colour="blue", at=Point(x_mm, y_mm))


@pytest.mark.parametrize(
    ("lying", "told"),
    [
        (
            [blue("blue-1", 13.0, 8.0), blue("blue-2", 100.0, 0.0)],
            {SPOTS[0]: "blue-1", SPOTS[1]: "blue-2"},
        ),
        (
            [blue("blue-1", 60.0, 0.0), blue("blue-2", 0.0, 20.0)],
            {SPOTS[0]: "blue-2", SPOTS[1]: "blue-1"},
        ),
        ([blue("blue-1", 12.0, 0.0)], {SPOTS[0]: "blue-1"}),
        ([blue("blue-1", 30.0, 1.0), blue("blue-2", 40.0, 0.0)], {SPOTS[0]: "blue-2"}),
        ([blue("blue-1", 12.0, 0.0), blue("blue-3", 31.0, 8.0)], {SPOTS[0]: "blue-1"}),
    ],
    ids=["both near one", "crosswise", "one in a hand", "one right", "one of no concern"],
)
def test_no_puck_is_said_to_be_missing_from_two_spots(
    lying: list[Piece], told: dict[Point, str]
) -> None:
    errands = tuple(
        Errand(kind="puck", colour="blue", at=spot, piece=name)
        for spot, name in zip(SPOTS, ("blue-1", "blue-2"), strict=True)
    )
    state = structs.replace(Table().open().reach(3, 0).state, errands=errands)
    assert {
        e.at: p.name for e, p in misplaced(state, lying, services(state.errands, lying))
    } == told


def test_the_page_knows_which_puck_is_to_go_where() -> None:
    errands = (
        Errand(kind="puck", colour="blue", at=SPOTS[0], piece="blue-1"),
        Errand(kind="puck", colour="red", at=SPOTS[1]),
    )
    lying = (blue("blue-1", 13.0, 8.0), blue("blue-2", 4.0, 30.0))
    state = Table().open().reach(3, 0).state
    state = structs.replace(state, phase=Phase.SERVICE, errands=errands, pieces=lying)
    assert [task.lies for task in tasks(state)] == [Point(13.0, 8.0), None]
    lying = (blue("blue-1", 1.0, 1.0), blue("blue-2", 4.0, 30.0))
    assert tasks(structs.replace(state, pieces=lying))[0].lies is None


@pytest.mark.parametrize(
    ("hands", "told"),
    [
        ([], []),
        ([("blue-1", SPOTS[0])], []),
        ([("blue-1", Point(7.0, 0.0))], ["blue-1 lies 7.0 mm from its spot."]),
        ([("blue-2", Point(40.0, 0.0))], ["blue-2 lies 10.0 mm from its spot."]),
        (
            [("blue-1", Point(7.0, 0.0)), ("blue-1", SPOTS[0]), ("blue-2", Point(40.0, 0.0))],
            ["blue-1 lies 7.0 mm from its spot.", "blue-2 lies 10.0 mm from its spot."],
        ),
    ],
    ids=["nobody has touched any", "one right", "one wrong", "the other wrong", "one by one"],
)
def test_while_pucks_are_put_back_one_by_one_those_left_for_later_are_not_refused(
    hands: list[tuple[str, Point]], told: list[str]
) -> None:
    errands = tuple(
        Errand(kind="puck", colour="blue", at=spot, piece=name)
        for spot, name in zip(SPOTS, ("blue-1", "blue-2"), strict=True)
    )
    lying = {"blue-1": blue("blue-1", 200.0, 50.0), "blue-2": blue("blue-2", 300.0, 50.0)}
    state = Table().open().reach(3, 0).state
    state = structs.replace(
        state, phase=Phase.SERVICE, errands=errands, pieces=tuple(lying.values())
    )
    refused: list[str] = []
    facts: list[Fact] = [Settled(at_ms=0.0, pieces=state.pieces)]
    for name, to in hands:
        before, lying[name] = lying[name].at, replace(lying[name], at=to)
        facts.append(Moved(at_ms=1.0, piece=name, before=before, after=to, by=Seat.S))
        facts.append(Settled(at_ms=2.0, pieces=tuple(lying.values())))
    for fact in facts:
        rulings = GAME.judge(state, fact)
        state = GAME.advance(state, fact, rulings)
        refused += [str(r.words) for r in rulings if r.kind is RulingKind.REFUSED]
    assert refused == told


@pytest.mark.parametrize(
    ("puts", "told"),
    [
        ([(25.0, "blue-9")], [""]),
        ([(33.0, "blue-9")], ["blue-9 lies 8.0 mm from its spot."]),
        ([(33.0, "blue-9"), (25.0, "blue-9")], ["blue-9 lies 8.0 mm from its spot.", ""]),
    ],
    ids=["right", "wrong", "wrong and put right"],
)
def test_a_penalty_puck_that_was_seen_to_be_laid_off_its_spot_is_refused_and_shown(
    puts: list[tuple[float, str]], told: list[str]
) -> None:
    errand = Errand(kind="puck", colour="blue", at=Point(25.0, 0.0), why="penalty puck")
    state = Table().open().reach(3, 1).state
    lying = tuple(p for p in state.pieces if p.name != "blue-9")
    state = structs.replace(state, phase=Phase.SERVICE, errands=(errand,), pieces=lying)
    refused: list[str] = []
    for at_ms, (x_mm, name) in enumerate(puts):
        puck = blue(name, x_mm, 0.0)
        facts: tuple[Fact, ...] = (
            Placed(at_ms=float(at_ms), piece=puck, by=Seat.S),
            Settled(at_ms=at_ms + 0.5, pieces=(*lying, puck)),
        )
        for fact in facts:
            rulings = GAME.judge(state, fact)
            state = GAME.advance(state, fact, rulings)
        refused.append("".join(str(r.words) for r in rulings if r.kind is RulingKind.REFUSED))
        if refused[-1]:
            assert [task.lies for task in tasks(state)] == [puck.at]
    assert refused == told
    assert not state.brought or state.phase is Phase.SERVICE


@pytest.mark.parametrize(
    ("lies_at_mm", "laid_at_mm", "sure"),
    [
        (0.0, 25.0, Verdict.YES),
        (0.0, -25.0, Verdict.YES),
        (1.5, 26.5, Verdict.YES),
        (1.5, -23.5, Verdict.YES),
        (8.0, 33.0, Verdict.NO),
        (8.0, -17.0, Verdict.YES),
    ],
    ids=["right of it", "left of it", "farther by 3 mm", "nearer", "farther by 16 mm", "nearest"],
)
def test_a_penalty_puck_may_lie_on_either_side_of_one_at_about_the_middle_of_the_border(
    lies_at_mm: float, laid_at_mm: float, sure: Verdict
) -> None:
    state = Table().open().reach(3, 0).state
    back = restoring(state.terms, Seat.N, [blue("blue-5", lies_at_mm, -495.5)])
    back.penalty("blue", Seat.S, "")
    [service] = services(back.errands, [blue("blue-1", laid_at_mm, -495.5)])
    assert service.sure is sure


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_penalty_pucks_side_by_side_serve_all_their_spots_whichever_is_looked_at_first(
    order: tuple[int, ...],
) -> None:
    """The second may lie on either side of the first, where the third belongs as well."""
    state = Table().open().reach(3, 0).state
    back = restoring(state.terms, Seat.N, [])
    for _ in order:
        back.penalty("blue", Seat.S, "")
    laid = [blue(f"blue-{n}", x_mm, -495.5) for n, x_mm in enumerate((-0.9, -26.2, 28.0, -52.3))]
    found = services(back.errands, [laid[n] for n in order])
    assert [service.sure for service in found] == [Verdict.YES] * 4
    assert len({service.piece.name for service in found if service.piece}) == 4
