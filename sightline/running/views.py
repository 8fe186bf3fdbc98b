"""What a page sees of a match: rulings with evidence, pieces as they lie, what can be undone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rules.board import Board
from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.facts import (
    Batch,
    Cleared,
    Emptied,
    Fact,
    Filled,
    HandLeft,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Removed,
    Settled,
    SightLost,
)
from rules.game import Entry, Step
from rules.orders import fact_of, in_force
from rules.rulings import Question, Ruling
from rules.said import said_again, say
from sightline.words import sight_words
from sightline.words.fact_words import correction_words
from web.desk import Ruled, Sight, Undoable
from web.reasons import reason_words

_BY = (say("{name} (scorer)"), say("{name} (referee)"), say("{name} (owner)"))
"""Who decided, as `web.taps` signs it."""
NO_FACTS: Mapping[int, Fact] = MappingProxyType({})
NO_STEPS: Mapping[int, Step[Any]] = MappingProxyType({})


def ruled_by(step: Step[object], entries: Mapping[int, Entry]) -> tuple[Ruled, ...]:
    """Return a step's rulings as a page shows them: answered questions first, then what stands."""
    evidence = _evidence_of(step.seq, entries)
    answered = tuple(
        Ruled(
            id=reply.id,
            at_ms=step.fact.at_ms,
            ruling=reply.asked,
            evidence=evidence,
            answered=reply.answer,
        )
        for reply in step.replies
    )
    return answered + tuple(
        Ruled(
            id=id,
            at_ms=step.fact.at_ms,
            ruling=ruling,
            evidence=tuple(
                dict.fromkeys(
                    (*evidence, *(e for seq in ruling.cites for e in _evidence_of(seq, entries)))
                )
            ),
            overruled_by=overruled_by,
            confirmed_by=confirmed_by,
        )
        for id, ruling, overruled_by, confirmed_by in zip(
            step.ids, step.rulings, step.overruled_by, step.confirmed_by, strict=True
        )
    )


def _evidence_of(seq: int, entries: Mapping[int, Entry]) -> tuple[str, ...]:
    entry = entries.get(seq)
    return () if entry is None else entry.evidence


def pieces_after(
    pieces: Sequence[Piece], fact: Fact, board: Board | None = None
) -> tuple[Piece, ...]:
    """Return what lies on the surface after one more fact, as far as the fact says it.

    What stands on a lattice is called by its place ("holes:3,4"); `board` says where that is.
    """
    match fact:
        case Settled(pieces=seen):
            return (
                *(p for p in pieces if _on_lattice(p) and not any(map(_on_lattice, seen))),
                *seen,
            )
        case Filled() if board is not None:
            return _filled(pieces, fact, board)
        case Emptied(place=place, kind=kind):
            there = [p for p in pieces if _place_of(p) == place]
            gone = next((p for p in there if p.kind == kind), there[-1] if there else None)
            return tuple(p for p in pieces if p is not gone)
        case Cleared():
            return tuple(p for p in pieces if not _on_lattice(p))
        case Batch(facts=facts):
            for part in facts:
                pieces = pieces_after(pieces, part, board)
        case Placed(piece=piece):
            return (*(p for p in pieces if p.name != piece.name), piece)
        case Moved(piece=name, after=after, error_mm=error_mm):
            return tuple(
                replace(p, at=after, error_mm=error_mm) if p.name == name else p for p in pieces
            )
        case Removed(piece=name) | Pocketed(piece=name) | LeftBoard(piece=name):
            return tuple(p for p in pieces if p.name != name)
    return tuple(pieces)


def _filled(pieces: Sequence[Piece], fact: Filled, board: Board) -> tuple[Piece, ...]:
    at = board.at(fact.place)
    if at is None:
        return tuple(pieces)
    stacked = any(p.name == fact.place for p in pieces)
    standing = Piece(
        name=f"{fact.place}/{fact.kind}" if stacked else fact.place,
        kind=fact.kind,
        colour=fact.colour,
        at=at,
        turn_deg=90.0 if fact.place.startswith("edges:v:") else 0.0,
    )
    return (*(p for p in pieces if p.name != standing.name), standing)


def _on_lattice(piece: Piece) -> bool:
    return ":" in piece.name


def _place_of(piece: Piece) -> str:
    return piece.name.partition("/")[0]


def pieces_of(facts: Iterable[Fact], board: Board | None = None) -> tuple[Piece, ...]:
    """Return what lies on the surface after all these facts."""
    pieces: tuple[Piece, ...] = ()
    for fact in facts:
        pieces = pieces_after(pieces, fact, board)
    return pieces


def sight_after(fact: Fact, board: Board | None = None) -> tuple[Sight, str] | None:
    """Return the state of sight that a fact tells of, with words; None where it tells nothing.

    On a lattice nothing runs on: when a hand has left, the table is still.
    """
    if board is not None and board.lattices and isinstance(fact, HandLeft):
        return Sight.STILL, sight_words.STILL
    match type(fact).__name__:
        case "Settled":
            return Sight.STILL, sight_words.STILL
        case "HandEntered":
            return Sight.HAND, sight_words.HAND
        case "HandLeft":
            return Sight.SETTLING, sight_words.COMING_TO_REST
        case "Struck":
            return Sight.SETTLING, sight_words.MOVING
        case "SightRegained":
            return Sight.SETTLING, sight_words.SEES_AGAIN
    if isinstance(fact, SightLost):
        return Sight.BLIND, sight_words.cannot_see(fact.why)
    return None


def undoable(entries: Sequence[Entry], steps: Iterable[Step[Any]]) -> tuple[Undoable, ...]:
    """Return the decisions in force, in log order, in words."""
    by_seq = {step.seq: step for step in steps}
    decisions, _ = in_force(entries)
    facts = {entry.seq: fact for entry in entries if (fact := fact_of(entry)) is not None}
    return tuple(
        Undoable(seq=seq, words=decision_words(decision, facts, by_seq))
        for seq, decision in decisions.items()
        if not isinstance(decision, Withdraw)
    )


def decision_words(
    decision: Decision,
    facts: Mapping[int, Fact] = NO_FACTS,
    steps: Mapping[int, Step[Any]] = NO_STEPS,
) -> str:
    """Return what a decision said, for people; `facts` are those it may have put right, by seq.

    A decision holds the words of its ruling in plain English; where one of `steps` (by seq) still
    says the same, its words are taken, which can be translated.
    """
    words: str
    match decision:
        case Overrule(was=was, becomes=None, ruling=ruling):
            said = _said_of(was, steps.get(ruling.seq))
            words = say("Waived {code}: {words}", code=was.code, words=said)
        case Overrule(was=was, becomes=becomes, ruling=ruling) if becomes is not None:
            words = say(
                "{code} became {other}: {words}",
                code=was.code,
                other=becomes.code,
                words=_said_of(becomes, steps.get(ruling.seq)),
            )
        case Confirm(was=was, ruling=ruling):
            said = _said_of(was, steps.get(ruling.seq))
            words = say("Confirmed {code}: {words}", code=was.code, words=said)
        case Reply(seq=seq, was=question, answer=answer) if question is not None:
            question = _asked_of(question, steps.get(seq))
            words = say(
                "Answered “{answer}” to: {question}",
                answer=next((a.words for a in question.answers if a.key == answer), answer),
                question=question.words,
            )
        case Reply(question=key, answer=answer):
            words = say("Answered “{answer}” to “{question}”", answer=answer, question=key)
        case Amend(seq=seq):
            words = correction_words(decision, facts.get(seq))
        case Insert():
            words = correction_words(decision, None)
        case Withdraw(seq=seq):
            words = say("Took back the decision of entry {number}", number=seq)
        case _:
            words = type(decision).__name__
    if decision.reason:
        words = say("{words} ({reason})", words=words, reason=reason_words(decision.reason))
    if decision.by:
        words = say("{words} — {by}", words=words, by=said_again(decision.by, _BY))
    return words


def _said_of(ruling: Ruling, step: Step[Any] | None) -> str:
    told = () if step is None else (*step.judged, *step.rulings)
    return next((each.words for each in told if each.words == ruling.words), ruling.words)


def _asked_of(question: Question, step: Step[Any] | None) -> Question:
    if step is None:
        return question
    told = (*step.judged, *step.rulings, *(reply.asked for reply in step.replies))
    return next((each.question for each in told if each.question == question), question)
