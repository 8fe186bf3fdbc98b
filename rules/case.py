"""One fact judged: rulings gathered along one way, waived ones left out, and the state after.

A game whose calls rest on measurements judges through a `Court`: it plays a fact under every answer
that is open, rules where all come to the same, and otherwise asks the one question that matters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from rules.compared import PartlyCompared
from rules.doubts import Doubt, Oracle, Way, first_that_matters, ways
from rules.facts import Fact, Unclear
from rules.geometry import Point
from rules.rulings import Answer, Question, Ruling, RulingKind, Standing
from rules.said import joined, say
from rules.unseen import answer_words, question_words
from rules.verdicts import SIGMAS, Verdict, verdict

S = TypeVar("S")
YES_NO = (("yes", say("Yes")), ("no", say("No")))
NOTHING: Mapping[str, str] = {}
_NO_DIFFERENCE = " no difference"
_AT_MS = attrgetter("at_ms")


class Pending(Struct, Generic[S], frozen=True, kw_only=True):
    """A fact that waits for the referee's answer: the state before it, and what is answered."""

    before: S
    fact: Fact
    known: Mapping[str, str]
    question: Question
    waived: frozenset[str] = frozenset()


@dataclass(slots=True, init=False)
class Step(Generic[S]):
    """What a fact comes to when all its rulings stand: their keys, and the state after.

    It is made with the first of the rulings, and filled in once its way has come to its end.
    """

    keys: tuple[str, ...]
    after: S
    before: S
    fact: Fact
    known: Mapping[str, str]
    waived: frozenset[str]


class Mark(PartlyCompared, Generic[S], frozen=True):
    """The effect of a ruling: which one it is, and the step it belongs to."""

    aside: ClassVar[frozenset[str]] = frozenset({"step"})

    key: str
    step: Step[S]


class Case(Struct):
    """One way of judging a fact. `waived` are keys of rulings that the referee has overruled.

    `ordered` are codes of rulings that the referee has put in another's place; a fault among them
    is treated as found. `after` is the state that the way has come to, once it has been followed.
    """

    oracle: Oracle
    waived: frozenset[str] = frozenset()
    ordered: tuple[str, ...] = ()
    rulings: list[Ruling] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    step: Step[Any] | None = None
    after: Any = None

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
        key = f"{code} {' '.join(pieces)}" if pieces else code
        if key in self.keys:
            key = f"{key} +{sum(k.startswith(key) for k in self.keys)}"
        if key in self.waived:
            return False
        if self.step is None:
            self.step = Step()
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
                effect=Mark(key, self.step),
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
        words: str | Callable[[], str],
        *,
        piece: str | None = None,
        line: str | None = None,
        at: Point | None = None,
        answers: tuple[tuple[str, str], ...] = YES_NO,
    ) -> bool:
        """Return whether a measured margin is on the yes side; a close one is asked.

        `words` may be what makes them, where hardly ever anybody is asked.
        """
        sure = verdict(margin_mm, error_mm)
        if sure is not Verdict.CLOSE:
            return sure is Verdict.YES
        return self.oracle.yes(
            Doubt(
                key=key,
                words=words if isinstance(words, str) else words(),
                answers=answers,
                piece=piece,
                line=line,
                at=at,
                margin_mm=margin_mm,
                error_mm=error_mm,
            )
        )

    def told(self, fact: Unclear, key: str = "unclear") -> tuple[Fact, ...]:
        """Return what this way supposes to have happened where the camera could not tell."""
        if not fact.answers:
            return ()
        words = [
            *answer_words(fact),
            *(say("Answer {number}", number=n + 1) for n in range(len(fact.answers))),
        ]
        picked = self.oracle.pick(
            Doubt(
                key=key,
                words=question_words(fact),
                answers=tuple((str(n + 1), words[n]) for n in range(len(fact.answers))),
            )
        )
        return fact.answers[int(picked) - 1]

    def spliced(self, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Return facts in the order of their times, each unclear one as this way supposes it."""
        told: list[Fact] = []
        for number, fact in enumerate(facts):
            if isinstance(fact, Unclear):
                told += self.told(fact, f"unclear-{number}")
            else:
                told.append(fact)
        return tuple(sorted(told, key=_AT_MS))


class Court(Struct, Generic[S], kw_only=True):
    """How one game judges. `close` is its clause for calls that are too close.

    `play` plays a fact along one way and returns the state after; `gist` is what the answers to a
    question must agree on for it not to matter; `outlook` says in words what a way comes to;
    `pend` makes the state that waits for an answer.
    """

    close: str
    play: Callable[[Case, S, Fact], S]
    gist: Callable[[S], object]
    outlook: Callable[[S, S], str]
    pend: Callable[[S, Pending[S]], S]
    _last: tuple[S, Fact, tuple[Ruling, ...], S] | None = None  # judged, and what it came to

    def judge(self, state: S, fact: Fact) -> tuple[Ruling, ...]:
        """Return what the rulebook says of a fact."""
        rulings, after = self.decide(state, fact, NOTHING)
        self.remember(state, fact, rulings, after)
        return rulings

    def remember(self, state: S, fact: Fact, rulings: tuple[Ruling, ...], after: S) -> None:
        """Note what the fact judged last has come to."""
        self._last = (state, fact, rulings, after)

    def remembered(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S | None:
        """Return what the fact judged last came to where it was this one and all of it stands."""
        last = self._last
        if last is not None and last[0] is state and last[1] is fact and last[2] is rulings:
            return last[3]
        return None

    def advance(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S:
        """Return the state that follows when `rulings` stand of what was judged or answered."""
        step: Step[S] | None
        step, keys, ordered = _stands(rulings)
        if step is None:
            judged, after = self.decide(state, fact, NOTHING)
            if not judged and not ordered:
                return after
            if any(ruling.standing is Standing.OPEN for ruling in judged):
                return after
            step = _stands(judged)[0]
            if step is None:
                return after
        if len(keys) == len(step.keys) and not ordered:
            return step.after
        waived = step.waived | (frozenset(step.keys) - keys)
        return self.decide(step.before, step.fact, step.known, waived, ordered)[1]

    def answer(self, pending: Pending[S] | None, question: str, answer: str) -> tuple[Ruling, ...]:
        """Return the rulings that replace an OPEN one once the referee has answered it."""
        if pending is None:
            return ()
        known = {**pending.known, question: answer}
        words = next((a.words for a in pending.question.answers if a.key == answer), answer)
        said = say(
            "{question} The referee says: {answer}.", question=pending.question.words, answer=words
        )
        return self.decide(pending.before, pending.fact, known, pending.waived, answered=said)[0]

    def decide(
        self,
        state: S,
        fact: Fact,
        known: Mapping[str, str],
        waived: frozenset[str] = frozenset(),
        ordered: tuple[str, ...] = (),
        answered: str = "",
    ) -> tuple[tuple[Ruling, ...], S]:
        """Judge a fact under every answer that is open; return the rulings and the state after.

        Where all answers come to the same, the rulings common to them are given; otherwise one OPEN
        ruling asks the first question that matters, and the state waits. `answered` are the words
        in which the referee has just answered; they are noted with what comes of them.
        """

        def follow(oracle: Oracle) -> Case:
            case = Case(oracle, waived, ordered)
            case.after = self.play(case, state, fact)
            if answered:
                case.rule(self.close, answered, pieces=("answered",))
            return case

        oracle = Oracle(known)
        only = follow(oracle)
        if not oracle.met:  # as nearly always: nothing is open
            return _given(only, state, fact, known, waived)
        found, complete = ways(follow, oracle, only)
        first = found[0]
        matter = first_that_matters(found, lambda way: self.gist(way.after)) if complete else None
        if matter is None and complete:
            return self._common(found, state, fact, known, waived)
        doubt, branches = matter or (first.doubts[0], {})
        return self._asked(doubt, branches, state, fact, known, waived)

    def _common(
        self,
        found: Sequence[Way[Case]],
        before: S,
        fact: Fact,
        known: Mapping[str, str],
        waived: frozenset[str],
    ) -> tuple[tuple[Ruling, ...], S]:
        """Give what all ways share, and say that the open fact makes no difference."""
        first = found[0].result
        shared = set(map(_told, first.rulings, first.keys))
        for way in found[1:]:
            shared &= set(map(_told, way.result.rulings, way.result.keys))
        kept = [
            (ruling, key)
            for ruling, key in zip(first.rulings, first.keys, strict=True)
            if _told(ruling, key) in shared
        ]
        doubts = list(dict.fromkeys(d.words for way in found for d in way.doubts))
        measured = found[0].doubts[0]
        note = Ruling(
            code=self.close,
            words=say(
                "Too close to call, but it makes no difference: {doubts}", doubts=joined(doubts)
            ),
            margin_mm=measured.margin_mm,
            error_mm=measured.error_mm,
            margin_ms=measured.margin_ms,
            error_ms=measured.error_ms,
        )
        judged = _marked(
            (*(ruling for ruling, _ in kept), note),
            (*(key for _, key in kept), f"{self.close}{_NO_DIFFERENCE}"),
            first.after,
        )
        return _given(judged, before, fact, known, waived)

    def _asked(
        self,
        doubt: Doubt,
        branches: Mapping[str, Way[Case]],
        before: S,
        fact: Fact,
        known: Mapping[str, str],
        waived: frozenset[str],
    ) -> tuple[tuple[Ruling, ...], S]:
        question = Question(
            key=doubt.key,
            words=doubt.words,
            answers=tuple(
                Answer(
                    key=key,
                    words=words,
                    consequence=self.outlook(before, branches[key].result.after)
                    if key in branches
                    else "",
                )
                for key, words in doubt.answers
            ),
            piece=doubt.piece,
            line=doubt.line,
            at=doubt.at,
        )
        after = self.pend(
            before,
            Pending(before=before, fact=fact, known=known, question=question, waived=waived),
        )
        words = doubt.words
        if doubt.margin_mm is not None and doubt.error_mm is not None:
            words = say(
                "{question} Measured {margin_mm:+.2f} mm, ± {sure_mm:.2f} mm.",
                question=doubt.words,
                margin_mm=doubt.margin_mm,
                sure_mm=SIGMAS * doubt.error_mm,
            )
        ruling = Ruling(
            code=self.close,
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
        judged = _marked((ruling,), (f"{self.close} {doubt.key}",), after)
        return _given(judged, before, fact, known, waived)


def _told(ruling: Ruling, key: str) -> tuple[str, str]:
    """Return what ways must share to say the same: of a note the words, too, all it consists of."""
    return key, ruling.words if ruling.kind is RulingKind.NOTE else ""


def is_left_open(ruling: Ruling) -> bool:
    """Whether a ruling says that a call was too close to be made, and that nothing hangs on it."""
    return isinstance(ruling.effect, Mark) and ruling.effect.key.endswith(_NO_DIFFERENCE)


def _given(
    case: Case, before: S, fact: Fact, known: Mapping[str, str], waived: frozenset[str]
) -> tuple[tuple[Ruling, ...], S]:
    """Return what a way has come to, its rulings marked with the step that they belong to."""
    after: S = case.after
    step = case.step
    if step is None:
        return (), after
    step.keys, step.before, step.after = tuple(case.keys), before, after
    step.fact, step.known, step.waived = fact, known, waived
    return tuple(case.rulings), after


def _marked(rulings: Iterable[Ruling], keys: Iterable[str], after: object) -> Case:
    """Return rulings of several ways, or of none, as those of one case of their own."""
    step: Step[Any] = Step()
    case = Case(Oracle(NOTHING), keys=list(keys), step=step, after=after)
    case.rulings += (
        replace(ruling, effect=Mark(key, step))
        for ruling, key in zip(rulings, case.keys, strict=True)
    )
    return case


def _stands(
    rulings: Iterable[Ruling],
) -> tuple[Step[S] | None, set[str], tuple[str, ...]]:
    """Return the step that rulings belong to, the keys that stand, and codes put in by hand."""
    step: Step[S] | None = None
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
