"""One fact judged: rulings gathered along one way, waived ones left out, and the state after."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.facts import Fact
from rules.games.qsquare.doubts import Doubt, Oracle, Way, first_that_matters, ways
from rules.games.qsquare.state import Pending, Phase, State
from rules.games.qsquare.words import outlook
from rules.games.qsquare.zones import SIGMAS, Verdict, verdict
from rules.geometry import Point
from rules.rulings import Answer, Question, Ruling, RulingKind, Standing

YES_NO = (("yes", "Yes"), ("no", "No"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a fact comes to when all its rulings stand: their keys, and the state after."""

    keys: tuple[str, ...]
    after: State
    before: State
    fact: Fact
    known: Mapping[str, str]
    waived: frozenset[str]


@dataclass(frozen=True, slots=True)
class Mark:
    """The effect of a ruling: which one it is, and the step it belongs to."""

    key: str
    step: Step = field(compare=False, repr=False)


@dataclass(slots=True)
class Case:
    """One way of judging a fact. `waived` are keys of rulings that the referee has overruled.

    `ordered` are codes of rulings that the referee has put in another's place; a fault among them
    is treated as found.
    """

    oracle: Oracle
    waived: frozenset[str] = frozenset()
    ordered: tuple[str, ...] = ()
    rulings: list[Ruling] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def rule(
        self,
        code: str,
        words: str,
        kind: RulingKind = RulingKind.NOTE,
        *,
        side: str | None = None,
        pieces: tuple[str, ...] = (),
        margin_mm: float | None = None,
        error_mm: float | None = None,
        margin_ms: float | None = None,
        error_ms: float | None = None,
    ) -> bool:
        """Give a ruling; return whether it stands, so that what follows from it can follow."""
        key = f"{code} {' '.join(pieces)}".rstrip()
        if key in self.keys:
            key = f"{key} +{sum(k.startswith(key) for k in self.keys)}"
        if key in self.waived:
            return False
        self.keys.append(key)
        self.rulings.append(
            Ruling(
                code=code,
                words=words,
                kind=kind,
                side=side,
                pieces=pieces,
                margin_mm=margin_mm,
                error_mm=error_mm,
                margin_ms=margin_ms,
                error_ms=error_ms,
            )
        )
        return True

    def waives(self, code: str) -> bool:
        """Return whether a ruling with this code has been overruled."""
        return any(key.split(" ")[0] == code for key in self.waived)

    def holds(
        self,
        margin_mm: float,
        error_mm: float,
        key: str,
        words: str,
        *,
        piece: str | None = None,
        line: str | None = None,
        at: Point | None = None,
        answers: tuple[tuple[str, str], ...] = YES_NO,
    ) -> bool:
        """Return whether a measured margin is on the yes side; a close one is asked (4.4)."""
        match verdict(margin_mm, error_mm):
            case Verdict.YES:
                return True
            case Verdict.NO:
                return False
        return self.oracle.yes(
            Doubt(
                key=key,
                words=words,
                answers=answers,
                piece=piece,
                line=line,
                at=at,
                margin_mm=margin_mm,
                error_mm=error_mm,
            )
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """What one way comes to."""

    rulings: tuple[Ruling, ...]
    keys: tuple[str, ...]
    after: State


Play = Callable[[Case, State, Fact], State]


def decide(
    play: Play,
    state: State,
    fact: Fact,
    known: Mapping[str, str],
    waived: frozenset[str] = frozenset(),
    ordered: tuple[str, ...] = (),
    answered: str = "",
) -> tuple[tuple[Ruling, ...], State]:
    """Judge a fact under every answer that is open; return the rulings and the state after.

    Where all answers come to the same, the rulings common to them are given; otherwise one OPEN
    ruling asks the first question that matters, and the state waits. `answered` are the words in
    which the referee has just answered; they are noted with what comes of them.
    """

    def follow(oracle: Oracle) -> Judged:
        case = Case(oracle=oracle, waived=waived, ordered=ordered)
        after = play(case, state, fact)
        if answered:
            case.rule("QS-X.19", answered, pieces=("answered",))
        return Judged(tuple(case.rulings), tuple(case.keys), after)

    found, complete = ways(follow, known)
    first = found[0]
    if len(found) == 1:
        return _given(first.result, state, fact, known, waived)
    matter = first_that_matters(found, lambda judged: gist(judged.after)) if complete else None
    if matter is None and complete:
        return _common(found, state, fact, known, waived)
    doubt, branches = matter or (first.doubts[0], {})
    return _asked(doubt, branches, state, fact, known, waived)


def gist(state: State) -> tuple[object, ...]:
    """Return what answers must agree on: counts, debts, placements, turn, result, phase."""
    spots = tuple(
        (e.kind, e.colour, e.piece, e.away, None if e.at is None else _rounded(e.at))
        for e in state.errands
    )
    return (state.tally, spots, state.phase, state.chooser, state.table_seen)


def _rounded(at: Point) -> tuple[float, float]:
    return (round(at.x_mm, 3), round(at.y_mm, 3))


def _given(
    judged: Judged,
    before: State,
    fact: Fact,
    known: Mapping[str, str],
    waived: frozenset[str],
) -> tuple[tuple[Ruling, ...], State]:
    after = judged.after
    if not judged.rulings:
        return (), after
    step = Step(keys=judged.keys, after=after, before=before, fact=fact, known=known, waived=waived)
    marked = tuple(
        replace(ruling, effect=Mark(key, step))
        for ruling, key in zip(judged.rulings, judged.keys, strict=True)
    )
    return marked, after


def _common(
    found: Sequence[Way[Judged]],
    before: State,
    fact: Fact,
    known: Mapping[str, str],
    waived: frozenset[str],
) -> tuple[tuple[Ruling, ...], State]:
    """Give what all ways share, and say that the open fact makes no difference (QS-X.19)."""
    shared = set(found[0].result.keys)
    for way in found[1:]:
        shared &= set(way.result.keys)
    kept = [
        (ruling, key)
        for ruling, key in zip(found[0].result.rulings, found[0].result.keys, strict=True)
        if key in shared
    ]
    doubts = list(dict.fromkeys(d.words for way in found for d in way.doubts))
    measured = found[0].doubts[0]
    note = Ruling(
        code="QS-X.19",
        words="Too close to call, but it makes no difference: " + " ".join(doubts),
        margin_mm=measured.margin_mm,
        error_mm=measured.error_mm,
        margin_ms=measured.margin_ms,
        error_ms=measured.error_ms,
    )
    judged = Judged(
        (*(ruling for ruling, _ in kept), note),
        (*(key for _, key in kept), "QS-X.19 no difference"),
        found[0].result.after,
    )
    return _given(judged, before, fact, known, waived)


def _asked(
    doubt: Doubt,
    branches: Mapping[str, Way[Judged]],
    before: State,
    fact: Fact,
    known: Mapping[str, str],
    waived: frozenset[str],
) -> tuple[tuple[Ruling, ...], State]:
    question = Question(
        key=doubt.key,
        words=doubt.words,
        answers=tuple(
            Answer(key=key, words=words, consequence=_consequence(branches.get(key), before))
            for key, words in doubt.answers
        ),
        piece=doubt.piece,
        line=doubt.line,
        at=doubt.at,
    )
    pending = Pending(before=before, fact=fact, known=known, question=question, waived=waived)
    after = replace(
        before,
        phase=Phase.PENDING_HUMAN,
        pending=pending,
        shot=None,
        last=None,
        pieces=_seen_at(fact, before),
    )
    words = doubt.words
    if doubt.margin_mm is not None and doubt.error_mm is not None:
        words += f" Measured {doubt.margin_mm:+.2f} mm, ± {SIGMAS * doubt.error_mm:.2f} mm."
    ruling = Ruling(
        code="QS-X.19",
        words=words,
        kind=RulingKind.QUESTION,
        standing=Standing.OPEN,
        pieces=(doubt.piece,) if doubt.piece else (),
        margin_mm=doubt.margin_mm,
        error_mm=doubt.error_mm,
        margin_ms=doubt.margin_ms,
        error_ms=doubt.error_ms,
        question=question,
    )
    judged = Judged((ruling,), (f"QS-X.19 {doubt.key}",), after)
    return _given(judged, before, fact, known, waived)


def _consequence(way: Way[Judged] | None, before: State) -> str:
    return "" if way is None else outlook(before, way.result.after)


def _seen_at(fact: Fact, before: State) -> tuple:  # type: ignore[type-arg]
    return getattr(fact, "pieces", before.pieces)


def stands(rulings: Iterable[Ruling]) -> tuple[Step | None, set[str], tuple[str, ...]]:
    """Return the step that rulings belong to, the keys that stand, and codes put in by hand."""
    step: Step | None = None
    keys: set[str] = set()
    ordered: list[str] = []
    for ruling in rulings:
        if ruling.standing is Standing.OVERRULED:
            continue
        if isinstance(ruling.effect, Mark):
            step = ruling.effect.step
            keys.add(ruling.effect.key)
        elif ruling.standing is not Standing.OPEN:
            ordered.append(ruling.code)
    return step, keys, tuple(ordered)
