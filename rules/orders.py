"""Which facts and decisions of a log are in force, and in which order the facts stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.facts import Fact
from rules.game import Entry

DECISIONS = (Amend, Confirm, Insert, Overrule, Reply, Withdraw)
_DECISIONS = frozenset(DECISIONS)
OnRuling: TypeAlias = Overrule | Confirm


class Bearing(Struct, frozen=True, kw_only=True):
    """The decisions in force that bear on the rulings of one fact, the newest first.

    Each comes with the seq of its entry. `verdicts` overrule a ruling or confirm it.
    """

    verdicts: tuple[tuple[int, OnRuling], ...] = ()
    replies: tuple[tuple[int, Reply], ...] = ()

    def after(self, seq: int, decision: OnRuling | Reply) -> "Bearing":
        """Return what bears on the fact once this decision of entry `seq` does so, too."""
        if isinstance(decision, Reply):
            return Bearing(verdicts=self.verdicts, replies=((seq, decision), *self.replies))
        return Bearing(verdicts=((seq, decision), *self.verdicts), replies=self.replies)


NO_BEARING = Bearing()


class Orders(Struct, frozen=True, kw_only=True):
    """A log, read: the facts as they stand, what bears on each, and what fits nothing.

    `timeline` holds (seq, fact) in the order in which the facts are judged. `latest` has the seq of
    the newest verdict on each ruling and of the newest reply to each question: those must find what
    they decided on, or go to review. `misfits` are decisions that refer to nothing.
    """

    timeline: tuple[tuple[int, Fact], ...]
    bearings: Mapping[int, Bearing]
    latest: Mapping[object, int]
    misfits: frozenset[int]


def decision_of(entry: Entry) -> Decision | None:
    """Return the entry's decision, or None where it is a fact."""
    return entry.body if isinstance(entry.body, DECISIONS) else None


def fact_of(entry: Entry) -> Fact | None:
    """Return the entry's fact, or None where it is a decision."""
    body = entry.body
    return None if body.__class__ in _DECISIONS else body  # type: ignore[return-value]


def in_force(entries: Sequence[Entry]) -> tuple[dict[int, Decision], frozenset[int]]:
    """Return the decisions that nobody took back, by seq in log order, and the misfit withdrawals.

    A withdrawal can itself be withdrawn, so they are read from the newest to the oldest.
    """
    decisions = {e.seq: d for e in entries if (d := decision_of(e)) is not None}
    withdrawn: set[int] = set()
    misfits: set[int] = set()
    for seq in sorted(decisions, reverse=True):
        decision = decisions[seq]
        if seq in withdrawn or not isinstance(decision, Withdraw):
            continue
        if decision.seq in decisions and decision.seq < seq:
            withdrawn.add(decision.seq)
        else:
            misfits.add(seq)
    standing = {seq: d for seq, d in decisions.items() if seq not in withdrawn}
    return standing, frozenset(misfits)


def read_orders(entries: Iterable[Entry]) -> Orders:
    """Return what the log's decisions make of its facts.

    An inserted fact stands right after the entry it names, before what was inserted there earlier;
    where that entry is itself a withdrawn `Insert`, its place still counts. The newest `Amend` of a
    fact holds.
    """
    log = tuple(entries)
    standing, withdrawals = in_force(log)
    misfits = set(withdrawals)
    known = {entry.seq for entry in log}
    facts: dict[int, Fact | None] = {}
    inserted: dict[int, list[int]] = {}
    for entry in log:
        if (seen := fact_of(entry)) is not None:
            facts[entry.seq] = seen
        elif isinstance(entry.body, Insert):
            after = entry.body.after
            if after == 0 or (after in known and after < entry.seq):
                inserted.setdefault(after, []).append(entry.seq)
                if entry.seq in standing:
                    facts[entry.seq] = entry.body.fact
            elif entry.seq in standing:
                misfits.add(entry.seq)
    bearings: dict[int, Bearing] = {}
    latest: dict[object, int] = {}
    for seq, decision in standing.items():
        match decision:
            case Amend(seq=target, fact=fact):
                if target in facts and target < seq:
                    facts[target] = fact
                else:
                    misfits.add(seq)
            case Overrule() | Confirm() | Reply():
                bear(bearings, latest, seq, decision)
            case Insert() | Withdraw():
                pass
    return Orders(
        timeline=tuple(
            (seq, stands)
            for seq in _in_order(log, inserted)
            if (stands := facts.get(seq)) is not None
        ),
        bearings=bearings,
        latest=latest,
        misfits=frozenset(misfits),
    )


def bear(
    bearings: dict[int, Bearing], latest: dict[object, int], seq: int, decision: OnRuling | Reply
) -> int:
    """Note a decision of entry `seq`, the newest so far, that bears on one fact; return its seq."""
    if isinstance(decision, Reply):
        target = decision.seq
        latest[target, decision.question] = seq
    else:
        target = decision.ruling.seq
        latest[decision.ruling] = seq
    if target < seq:
        bearings[target] = bearings.get(target, NO_BEARING).after(seq, decision)
    return target


def _in_order(log: Sequence[Entry], inserted: dict[int, list[int]]) -> Iterator[int]:
    """Yield every seq in the order in which facts are judged, inserted ones at their places."""
    placed = {seq for seqs in inserted.values() for seq in seqs}
    waiting = [entry.seq for entry in reversed(log) if entry.seq not in placed]
    waiting.append(0)
    while waiting:
        seq = waiting.pop()
        yield seq
        waiting.extend(inserted.get(seq, ()))
