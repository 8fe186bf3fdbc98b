"""From a log to its rulings: the fold of facts, with the referee's decisions in between.

The laws of this module (tests/rules/test_engine_laws.py): more facts change no earlier step; a fact
amended is a fact seen right; a fact struck out never happened; a fact inserted was not missed; a
decision that was taken back was never made; an overrule changes no step before its own; a ruling
confirmed is the ruling it was; a decision that no longer finds what it decided on is reported in
`to_review`, neither applied nor lost.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any, Generic

from msgspec import Struct
from msgspec.structs import replace

from rules.decisions import Confirm, Overrule, Reply
from rules.facts import Fact
from rules.game import Clause, Entry, Game, Record, Replied, S, Setup, Step
from rules.orders import NO_BEARING, Bearing, OnRuling, Orders, bear, fact_of, read_orders
from rules.rulings import Ruling, RulingId, RulingKind, Standing

CLAUSES = (
    Clause(
        code="SIGHTLINE-1",
        section="Sightline",
        words="Sightline could not judge this because of a fault of its own. From here on nothing "
        "is ruled until the fact is amended or struck out; the referee keeps the score by hand.",
    ),
)


class _Given(Struct):
    """One ruling on its way: what the rulebook said, what stands, and who decided on it."""

    id: RulingId
    judged: Ruling
    ruling: Ruling
    overruled_by: int | None = None
    confirmed_by: int | None = None


def apply(game: Game[S], state: S, seq: int, fact: Fact, bearing: Bearing = NO_BEARING) -> Step[S]:
    """Return the step that `fact` of entry `seq` makes from `state`, decided on by `bearing`.

    Waived rulings stay in the step, marked OVERRULED, and do not reach `advance`; a ruling that an
    overrule put in another's place has no effect of its own beyond being shown. A game that raises
    is a fault of ours, not of the match: the step keeps the fact and says so (SIGHTLINE-1).
    """
    try:
        if bearing is NO_BEARING:
            rulings = game.judge(state, fact)
            return Step(
                seq=seq,
                fact=fact,
                rulings=rulings,
                ids=_ids(seq, rulings) if rulings else (),
                state=game.advance(state, fact, rulings),
                judged=rulings,
                overruled_by=(None,) * len(rulings),
                confirmed_by=(None,) * len(rulings),
            )
        return _apply_decided(game, state, seq, fact, bearing)
    except Exception as fault:
        notice = Ruling(code=CLAUSES[0].code, words=CLAUSES[0].words, kind=RulingKind.REFUSED)
        return Step(
            seq=seq,
            fact=fact,
            rulings=(notice,),
            ids=(RulingId(seq, notice.code),),
            state=state,
            judged=(notice,),
            overruled_by=(None,),
            confirmed_by=(None,),
            fault=f"{type(fault).__name__}: {fault}",
        )


def replay(game: Game[S], setup: Setup, entries: Iterable[Entry]) -> Record[S]:
    """Return the fold of a log, whose seqs must grow; ValueError for a setup the game refuses."""
    return Fold(game, setup, entries).record()


class Fold(Generic[S]):
    """A log folded as it grows: a fact costs one step, a decision those steps that it changes.

    Decisions that bear on one fact (`Overrule`, `Confirm`, `Reply`) are taken as they come; others
    change which facts there are, and for those the log is read anew.
    """

    def __init__(self, game: Game[S], setup: Setup, entries: Iterable[Entry] = ()) -> None:
        self.game = game
        self.start = game.start(setup)
        self._entries: list[Entry] = []
        self._bearings: dict[int, Bearing] = {}
        self._latest: dict[object, int] = {}
        self._misfits: frozenset[int] = frozenset()
        self._met: dict[int, frozenset[int | None]] = {}
        self._steps: list[Step[S]] = []
        self._review: tuple[int, ...] = ()
        self._last = 0
        self.extend(entries)

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def steps(self) -> Sequence[Step[S]]:
        return self._steps

    @property
    def state(self) -> S:
        return self._steps[-1].state if self._steps else self.start

    @property
    def to_review(self) -> tuple[int, ...]:
        return self._review

    def record(self) -> Record[S]:
        return Record(start=self.start, steps=tuple(self._steps), to_review=self._review)

    def fork(self) -> "Fold[S]":
        """Return a fold that stands where this one does and goes its own way from here."""
        twin = copy(self)
        twin._entries = list(self._entries)
        twin._steps = list(self._steps)
        twin._bearings = dict(self._bearings)
        twin._latest = dict(self._latest)
        twin._met = dict(self._met)
        return twin

    def append(self, entry: Entry) -> int:
        """Fold one more entry; return how many steps stand before the first that it changed."""
        fact = fact_of(entry)
        if fact is None or entry.seq <= self._last:
            return self.extend((entry,))
        kept = len(self._steps)
        self._last = entry.seq
        self._entries.append(entry)
        self._steps.append(self._step(entry.seq, fact, NO_BEARING))
        return kept

    def extend(self, entries: Iterable[Entry]) -> int:
        """Fold more entries; return how many steps stand before the first that they changed."""
        place = kept = len(self._steps)
        decided = anew = False
        later: list[tuple[int, Fact]] = []  # facts that wait until all is decided
        for entry in entries:
            if entry.seq <= self._last:
                raise ValueError(f"expected a seq above {self._last}, got {entry.seq}")
            self._last = entry.seq
            self._entries.append(entry)
            fact = fact_of(entry)
            if fact is None:
                decided = True
                if isinstance(entry.body, Overrule | Confirm | Reply):
                    place = min(place, self._borne_on(entry.seq, entry.body))
                else:
                    anew = True
            elif decided:
                later.append((entry.seq, fact))
            else:
                self._steps.append(self._step(entry.seq, fact, NO_BEARING))
                place += 1
        if not decided:
            return kept
        if anew:
            place = self._fold_anew(place)
        else:
            stood = [(step.seq, step.fact) for step in self._steps[place:]]
            self._fold_from(place, stood + later)
        self._review = tuple(sorted(self._unmet()))
        return min(kept, place)

    def _step(self, seq: int, fact: Fact, bearing: Bearing) -> Step[S]:
        last = self._steps[-1] if self._steps else None
        if last is not None and last.fault:
            return Step(seq=seq, fact=fact, rulings=(), ids=(), state=last.state, fault=last.fault)
        state = self.start if last is None else last.state
        return apply(self.game, state, seq, fact, bearing)

    def _borne_on(self, seq: int, decision: OnRuling | Reply) -> int:
        """Note a decision that bears on one fact; return the place of its step, or the end."""
        target = bear(self._bearings, self._latest, seq, decision)
        end = len(self._steps)
        back = (place for place in range(end - 1, -1, -1) if self._steps[place].seq == target)
        return next(back, end) if target < seq else end

    def _fold_anew(self, most: int) -> int:
        """Fold from the first fact that any decision has changed, at `most` that; return its place.

        `most` is the place of the first step that what was noted so far bears on.
        """
        orders = read_orders(self._entries)
        kept = min(most, self._unchanged(orders))
        self._bearings, self._latest = dict(orders.bearings), dict(orders.latest)
        self._misfits = orders.misfits
        self._fold_from(kept, orders.timeline[kept:])
        return kept

    def _fold_from(self, place: int, facts: Sequence[tuple[int, Fact]]) -> None:
        for step in self._steps[place:]:
            self._met.pop(step.seq, None)
        del self._steps[place:]
        for seq, fact in facts:
            bearing = self._bearings.get(seq, NO_BEARING)
            step = self._step(seq, fact, bearing)
            self._steps.append(step)
            if bearing is not NO_BEARING:
                self._met[seq] = _met_by(step)

    def _unchanged(self, orders: Orders) -> int:
        kept = 0
        for step, (seq, fact) in zip(self._steps, orders.timeline, strict=False):
            if step.seq != seq or (step.fact is not fact and step.fact != fact):
                break
            if self._bearings.get(seq) != orders.bearings.get(seq):
                break
            kept += 1
        return kept

    def _unmet(self) -> set[int]:
        """Return the decisions that no longer find what they decided on."""
        met = frozenset[int | None]().union(*self._met.values())
        return (set(self._latest.values()) - met) | self._misfits


def _met_by(step: Step[Any]) -> frozenset[int | None]:
    """Return the decisions that found on a step what they decided on."""
    replies = (reply.seq for reply in step.replies)
    return frozenset((*step.overruled_by, *step.confirmed_by, *replies))


def _ids(seq: int, rulings: Sequence[Ruling]) -> tuple[RulingId, ...]:
    if len(rulings) == 1:
        return (RulingId(seq, rulings[0].code),)
    return tuple(_numbered(seq, rulings, {}))


def _numbered(seq: int, rulings: Iterable[Ruling], counts: dict[str, int]) -> list[RulingId]:
    ids = []
    for ruling in rulings:
        code = ruling.code
        nth = counts.get(code, 0)
        counts[code] = nth + 1
        ids.append(RulingId(seq, code, nth))
    return ids


def _apply_decided(game: Game[S], state: S, seq: int, fact: Fact, bearing: Bearing) -> Step[S]:
    counts: dict[str, int] = {}

    def give(rulings: tuple[Ruling, ...]) -> list[_Given]:
        return [
            _decided(id, ruling, bearing.verdicts)
            for id, ruling in zip(_numbered(seq, rulings, counts), rulings, strict=True)
        ]

    given = give(game.judge(state, fact))
    state = game.advance(state, fact, _standing(given))
    replies: list[Replied] = []
    while (found := _answered(given, bearing.replies, replies)) is not None:
        asking, reply_seq, reply = found
        replies.append(
            Replied(seq=reply_seq, id=asking.id, asked=asking.judged, answer=reply.answer)
        )
        fresh = give(game.answer(state, reply.question, reply.answer))
        given = [g for g in given if g.ruling.standing is not Standing.OPEN] + fresh
        state = game.advance(state, fact, _standing(fresh))
    return Step(
        seq=seq,
        fact=fact,
        rulings=tuple(g.ruling for g in given),
        ids=tuple(g.id for g in given),
        state=state,
        judged=tuple(g.judged for g in given),
        overruled_by=tuple(g.overruled_by for g in given),
        confirmed_by=tuple(g.confirmed_by for g in given),
        replies=tuple(replies),
    )


def _standing(given: Iterable[_Given]) -> tuple[Ruling, ...]:
    return tuple(g.ruling for g in given if g.ruling.standing is not Standing.OVERRULED)


def as_logged(ruling: Ruling) -> Ruling:
    """Return the ruling as a log can hold it: without its effect, which is the game's own."""
    return ruling if ruling.effect is None else replace(ruling, effect=None)


def _decided(
    id: RulingId, judged: Ruling, verdicts: Iterable[tuple[int, Overrule | Confirm]]
) -> _Given:
    """Apply the newest verdict that was given on exactly this ruling."""
    for seq, verdict in verdicts:
        if verdict.ruling == id and as_logged(verdict.was) == as_logged(judged):
            if isinstance(verdict, Confirm):
                return _Given(id=id, judged=judged, ruling=judged, confirmed_by=seq)
            if verdict.becomes is None:
                ruling = replace(judged, standing=Standing.OVERRULED)
            else:
                ruling = as_logged(verdict.becomes)
            return _Given(id=id, judged=judged, ruling=ruling, overruled_by=seq)
    return _Given(id=id, judged=judged, ruling=judged)


def _answered(
    given: Iterable[_Given], replies: Iterable[tuple[int, Reply]], used: Iterable[Replied]
) -> tuple[_Given, int, Reply] | None:
    """Find an open question and the newest reply that answers it as it was asked."""
    spent = {reply.seq for reply in used}
    for asking in given:
        question = asking.ruling.question
        if asking.ruling.standing is not Standing.OPEN or question is None:
            continue
        for seq, reply in replies:
            if (
                seq not in spent
                and reply.question == question.key
                and (reply.was is None or reply.was == question)
                and any(reply.answer == answer.key for answer in question.answers)
            ):
                return asking, seq, reply
    return None
