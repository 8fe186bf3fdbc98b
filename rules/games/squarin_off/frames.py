"""The order in which facts of one frame are taken (SO-6.13)."""

from collections.abc import Iterator

from rules.facts import Emptied, Fact, Filled
from rules.games.squarin_off.grid import BESIDE, FENCE, SIDES, groove_order
from rules.games.squarin_off.places import thing_of
from rules.games.squarin_off.state import State


def presumed_orders(state: State, facts: tuple[Fact, ...]) -> Iterator[list[Fact]]:
    """The presumed order, then the same with each stick put first, by name.

    What was taken away comes before all else, so that a piece shifted within one frame is seen as
    shifted and not as a second one. Nobody sees in which order a frame lists its facts, so no foul
    hangs on it: what the rules leave open goes by name.
    """
    gone: list[Fact] = sorted((f for f in facts if isinstance(f, Emptied)), key=_by_place)
    rest: list[Fact] = [fact for fact in facts if not isinstance(fact, Emptied)]
    yield gone + _in_order(state, rest, None)
    for first in sorted(_things(rest, "stick"), key=_by_name):
        yield [*gone, first, *_in_order(state, [f for f in rest if f is not first], first)]


def _things(facts: list[Fact], kind: str) -> list[Fact]:
    return [f for f in facts if isinstance(f, Filled) and (thing_of(f) or ("",))[0] == kind]


def _place(fact: Fact) -> int:
    thing = thing_of(fact)
    return -1 if thing is None else thing[1]


def _by_place(fact: Fact) -> tuple[int, str]:
    return _place(fact), fact.place if isinstance(fact, Filled | Emptied) else ""


def _by_name(fact: Fact) -> tuple[int, int, str]:
    return groove_order(_place(fact))


def _in_order(state: State, facts: list[Fact], first: Fact | None) -> list[Fact]:
    sticks = sorted(_things(facts, "stick"), key=_by_name)
    chips, blockers = _things(facts, "chip"), sorted(_things(facts, "blocker"), key=_by_place)
    barred = state.blocked | sum(1 << _place(b) for b in blockers)
    lying = state.sticks | (0 if first is None else 1 << _place(first))
    completed = state.completed | _full(lying, state)
    order: list[Fact] = []
    while (found := _completing(sticks, lying, barred)) is not None:
        sticks.remove(found)
        lying |= 1 << _place(found)
        completed |= _full(lying, state)
        order.append(found)
    order += [chip for chip in chips if completed >> _place(chip) & 1]
    order += blockers
    beside = {groove for b in blockers for groove in SIDES[_place(b)]}
    order += [stick for stick in sticks if _place(stick) in beside]
    order += [stick for stick in sticks if _place(stick) not in beside]
    others = [chip for chip in chips if not completed >> _place(chip) & 1]
    order += sorted(others, key=_by_place)
    return order + [fact for fact in facts if not any(fact is taken for taken in order)]


def _completing(sticks: list[Fact], lying: int, barred: int) -> Fact | None:
    for stick in sticks:
        groove = _place(stick)
        after = lying | 1 << groove
        if not lying >> groove & 1 and any(
            after & FENCE[q] == FENCE[q] and not barred >> q & 1 for q in BESIDE[groove]
        ):
            return stick
    return None


def _full(lying: int, state: State) -> int:
    return sum(
        1 << q for q, fence in enumerate(FENCE) if lying & fence == fence and state.open >> q & 1
    )
