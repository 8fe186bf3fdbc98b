"""Whole simulated matches: from the truth alone, or from pictures with the truth beside them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.board import Board
from rules.case import is_left_open
from rules.doubts import STRUCK
from rules.facts import Declared, Fact
from rules.game import Player, Setup, Step
from rules.geometry import Seat
from rules.parts import parts_of
from rules.registry import find_game
from rules.rulings import Question, Ruling, Standing
from rules.stroked import StrokedState
from sightline.simulated import playing
from sightline.simulated.director import Director
from sightline.simulated.playing import Truly
from sightline.simulated.referee import WEIGHTY, FoldedReferee, Referee, answers_from
from sightline.simulated.stage import Stage

NAMES = {Seat.S: "Ada", Seat.W: "Bruno", Seat.N: "Chika", Seat.E: "Dmitri"}
TWO = (Seat.S, Seat.N)
FOUR = (Seat.S, Seat.W, Seat.N, Seat.E)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What the simulated players agree on before they begin."""

    seats: tuple[Seat, ...] = TWO
    pucks: int = 8
    options: tuple[tuple[str, str], ...] = ()
    game: str = "qsquare"

    def setup(self, board: Board) -> Setup:
        """The match's setup on a board, the break by lot."""
        colours = self.colours(board)
        return Setup(
            game=self.game,
            board=board,
            players=tuple(
                Player(seat=s, name=NAMES[s], colour=colours[str(s)]) for s in self.seats
            ),
            options={"opening": "lot", "pucks_per_player": str(self.pucks), **self.chosen},
        )

    @property
    def chosen(self) -> dict[str, str]:
        """The options by name."""
        return dict(self.options)

    def colours(self, board: Board) -> dict[str, str]:
        """Each seat's own colour: S and N one each, or with four players one a team."""
        first, second = (spec.colour for spec in board.pieces if spec.kind == "puck")
        if len(self.seats) == 4:
            return {"S": first, "N": first, "E": second, "W": second}
        return {str(self.seats[0]): first, str(self.seats[1]): second}

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> Director:
        """Those who play it; `habits` are their `skill` and `slips`."""
        return Director(
            stage,
            referee,
            colours=self.colours(stage.board),
            seats=self.seats,
            pucks=self.pucks,
            queen=self.chosen.get("queen") != "off",
            lag=self.chosen.get("opening") == "lag",
            seed=seed,
            truly=truly,
            **habits,
        )


class Evening:
    """One match being played on a stage, refereed by `referee`, its truth kept beside.

    `truth` is a second match, fed with what really happened. It only serves to answer what the
    referee asks the people, and to be compared with.
    """

    def __init__(
        self,
        board: Board,
        agreement: playing.Agreement,
        referee: Callable[[Setup], Referee],
        *,
        seed: int = 0,
        **habits: Any,
    ) -> None:
        """`habits` are the players' own: `skill`, `slips`; as usual where None."""
        setup = agreement.setup(board)
        self.setup = setup
        self.stage = Stage(board=board)
        self.truth = FoldedReferee(find_game(agreement.game), setup)
        self.referee = referee(setup)
        self._fed = 0
        mirror = getattr(self.referee, "mirror", self.referee)
        assert isinstance(mirror, FoldedReferee)
        self.director = agreement.players(
            self.stage,
            self.referee,
            seed=seed,
            truly=answers_from(self.truth, mirror),
            **{habit: value for habit, value in habits.items() if value is not None},
        )

    def know(self, until_s: float) -> tuple[Fact, ...]:
        """Lets the truth know all that has happened by then; those facts."""
        known = []
        truth = self.stage.truth
        while self._fed < len(truth) and truth[self._fed].at_ms <= 1000 * until_s + 1e-6:
            known.append(truth[self._fed])
            self.truth.see(truth[self._fed])
            self._fed += 1
        for asked in self.truth.questions():
            self.truth.answer(asked, as_happened(asked.question))
        return tuple(known)


def as_happened(question: Question) -> str:
    """The answer to what the rules ask where they are told the truth itself: what is told as moved
    was not struck; else the first."""
    return "no" if question.key == STRUCK else question.answers[0].key


def play_truly(
    board: Board,
    agreement: playing.Agreement,
    *,
    seed: int = 0,
    most_s: float = 7200.0,
    **habits: Any,
) -> Evening:
    """A match whose referee sees the truth itself: the rules alone, no pictures."""
    evening = Evening(
        board,
        agreement,
        lambda setup: FoldedReferee(find_game(setup.game), setup),
        seed=seed,
        **habits,
    )
    referee, stage = evening.referee, evening.stage
    assert isinstance(referee, FoldedReferee)
    while stage.end_s < most_s and evening.director.go_on(stage.end_s):
        for fact in evening.know(stage.end_s):
            # what people said, the director has told the referee already
            if not isinstance(fact, Declared):
                referee.see(fact)
    return evening


Line = tuple[str, str | None, str]
NOT_MADE = frozenset({"CR-X.20", "QS-X.1"})
"""What rules that a strike was not made, and may be made again."""


def strokes_of(steps: Sequence[Step[Any]]) -> list[list[Step[Any]]]:
    """The steps before the first stroke, then those of each from its strike on.

    Whether there was a strike the rules say: one told while none was due is none, and what the
    referee calls one is. One that was not made begins none: all stands as it did, whether it was
    told or a hand was seen to move the piece by as little. A game without strokes has all its steps
    before the first.
    """
    found: list[list[Step[Any]]] = [[]]
    runs = False
    for step in steps:
        ran, runs = runs, isinstance(step.state, StrokedState) and step.state.runs
        if runs and not ran:
            found.append([])
        if any(r.code in NOT_MADE and _stands(r) for r in step.rulings):
            vain = found.pop() if len(found) > 1 else []
            found[-1] += vain
        found[-1].append(step)
    return found


def by_shot(steps: Sequence[Step[Any]]) -> list[Counter[Line]]:
    """What was ruled, in portions from one stroke to the next: (clause, side, kind), counted.

    Notes and refused service are left out: they count nothing and decide nothing.
    """
    return [
        Counter(
            (ruling.code, ruling.side, str(ruling.kind))
            for step in stroke
            for ruling in step.rulings
            if _stands(ruling) and ruling.code not in NOT_MADE
        )
        for stroke in strokes_of(steps)
    ]


def _stands(ruling: Ruling) -> bool:
    """Whether it is firm and counts or decides something."""
    return ruling.standing is Standing.FIRM and ruling.kind in WEIGHTY


def first_difference(
    seen: Sequence[Step[Any]], true: Sequence[Step[Any]]
) -> tuple[int, Counter[Line], Counter[Line]] | None:
    """The first portion ruled otherwise: its number, what only pictures gave, what only truth.

    Where pictures say that a call is too close to be made and that nothing hangs on it, what only
    truth gave is no difference. The same rulings that leave another score are one.
    """
    a, b = by_shot(seen), by_shot(true)
    after, truly = strokes_of(seen), strokes_of(true)
    spared = _left_open(seen)
    for k in range(max(len(a), len(b))):
        left = a[k] if k < len(a) else Counter[Line]()
        right = b[k] if k < len(b) else Counter[Line]()
        if left - right or (left != right and k not in spared):
            return k, left - right, right - left
        if k + 1 < min(len(a), len(b)):
            one, other = _score(after[k]), _score(truly[k])
            if one and other and one != other:
                return k, Counter(one - other), Counter(other - one)
    return None


def _score(stroke: Sequence[Step[Any]]) -> set[Line]:
    """The score when the next stroke begins: nothing where that hangs on an answer still."""
    state = stroke[-1].state if stroke else None
    tally = getattr(state, "tally", None)
    if tally is None or getattr(state, "pending", None) is not None:
        return set()
    return {(part.name, None, repr(getattr(tally, part.name))) for part in parts_of(type(tally))}


def _left_open(steps: Sequence[Step[Any]]) -> set[int]:
    """The portions in which a call was too close to be made, but came to the same either way."""
    return {
        k
        for k, stroke in enumerate(strokes_of(steps))
        if any(is_left_open(ruling) for step in stroke for ruling in step.rulings)
    }


Said = tuple[str, str | None, str]


def said_in_order(steps: Sequence[Step[Any]]) -> list[Said]:
    """What was ruled in a lattice game, in order: (clause, side, call).

    Legal moves are told too; other notes are left out, and so is what waits to be put right or is
    counted down while a field is cleared: how much of it is told depends on when one looks.
    """
    return [
        (ruling.code, ruling.side, ruling.call)
        for step in steps
        for ruling in step.rulings
        if ruling.standing is Standing.FIRM
        and (ruling.kind in WEIGHTY or ruling.call.startswith("OK"))
        and not ruling.call.startswith("CLEARING")
    ]


def first_unlike(
    seen: Sequence[Step[Any]], true: Sequence[Step[Any]], until_ms: float = float("inf")
) -> tuple[int, Sequence[Said], Sequence[Said]] | None:
    """The first ruling of a lattice game that is not the truth's, as (its number, seen, true).

    Counted from 0; where one side ruled nothing more, it is empty. None: all are alike. What truly
    happened after `until_ms` need not have been seen: a match that was broken off.
    """
    a, b = said_in_order(seen), said_in_order(true)
    due = len(said_in_order([step for step in true if step.fact.at_ms <= until_ms]))
    for k in range(max(len(a), min(due, len(b)))):
        left, right = a[k : k + 1], b[k : k + 1]
        if left != right:
            return k, left, right
    return None


def counted(steps: Sequence[Step[Any]]) -> Mapping[str, int]:
    """How often each clause was cited."""
    return Counter(r.code for step in steps for r in step.rulings)
