"""The record of a match as it grows: its fold, the view made of it, and which taps still fit it."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import CLAUSES, Fold, as_logged
from rules.facts import Declared, Fact, Piece
from rules.game import Clause, Entry, Game, Step
from rules.orders import fact_of, in_force
from rules.rulings import Outcome, Scoreboard, Standing
from rules.said import say
from sightline.match_log.log import MatchHeader
from sightline.running.views import pieces_after, pieces_of, ruled_by, sight_after, undoable
from sightline.words.sight_words import NOT_YET
from web.desk import Ruled, Sight, Stale, Undoable, View

_LOG = logging.getLogger(__name__)


class Keeper:
    """Folds entries and knows, for each step, in which version of the view it last changed.

    For one thread. `version` grows with every change that a page could show.
    """

    def __init__(self, header: MatchHeader, game: Game[Any], entries: Sequence[Entry]) -> None:
        self._header = header
        self._game = game
        self._board = header.setup.board
        self.clauses: tuple[Clause, ...] = (*game.clauses(), *CLAUSES)
        self._fold: Fold[Any] = Fold(game, header.setup, ())
        self._entries: dict[int, Entry] = {}
        self._steps: list[Step[Any]] = []
        self._ruled: list[tuple[Ruled, ...]] = []
        self._rulings: tuple[Ruled, ...] = ()
        self._pieces: tuple[Piece, ...] = ()
        self._undoable: tuple[Undoable, ...] = ()
        self._since: dict[int, int] = {}
        self._ruled_since = 0
        self._sight = Sight.SETTLING
        self._sight_words: str = NOT_YET
        self._sight_since_ms = 0.0
        self._alarm = ""
        self._warnings: dict[str, str] = {}
        self.version = 1
        if entries:
            self.add(entries, entries[-1].at_ms)
            self._since = dict.fromkeys(self._since, 1)
            self._ruled_since = 1
            self.version = 1

    def add(self, entries: Sequence[Entry], now_ms: float) -> tuple[Step[Any], ...]:
        """Fold more entries; return the steps that are new, or other than they were."""
        self.version += 1
        self._entries.update((entry.seq, entry) for entry in entries)
        before = self._steps
        kept = self._fold.extend(entries)
        self._steps = list(self._fold.steps)
        fresh = tuple(self._steps[kept:])
        old = {step.seq: step for step in before[kept:]}
        changed = tuple(step for step in fresh if not _says_the_same(old.get(step.seq), step))
        gone = old.keys() - {step.seq for step in fresh}
        for seq in {step.seq for step in changed} | gone:
            self._since[seq] = self.version
        if gone or any(step.rulings for step in changed):
            self._ruled_since = self.version
        self._show(kept, fresh)
        if any(fact_of(entry) is None for entry in entries):
            self._undoable = undoable(self._fold.entries, self._steps)
        for entry in entries:
            if (fact := fact_of(entry)) is not None:
                self._see(fact, now_ms)
        return changed

    def look(self, sight: Sight, words: str, now_ms: float) -> None:
        """Note how well the table can be seen, where that changes anything."""
        if (sight, words) != (self._sight, self._sight_words):
            if sight is not self._sight:
                self._sight_since_ms = now_ms
            self._sight, self._sight_words = sight, words
            self.version += 1

    def alarm(self, words: str, now_ms: float) -> None:
        """Say that nothing is being written down, and why, until called without words."""
        if words != self._alarm:
            self._alarm = words
            self._sight_since_ms = now_ms
            self.version += 1

    def warn(self, about: str, words: str) -> None:
        """Say what does not work, under the name `about`, until called for it without words."""
        if words != self._warnings.get(about, ""):
            self._warnings = {**self._warnings, about: words}
            self.version += 1

    def view(self, now_ms: float, *, live: bool) -> View:
        scoreboard, outcome = self._standing()
        return View(
            version=self.version,
            seq=self._fold.entries[-1].seq if self._fold.entries else 0,
            match=self._header.name,
            game=self._header.setup.game,
            title=self._game.title,
            sight=Sight.BLIND if self._alarm else self._sight,
            sight_words=self._alarm or self._sight_words,
            sight_since_ms=self._sight_since_ms,
            now_ms=now_ms,
            scoreboard=scoreboard,
            players=self._header.setup.players,
            pieces=self._pieces,
            rulings=self._rulings,
            to_review=self._fold.to_review,
            undoable=self._undoable,
            outcome=outcome,
            live_picture=live,
            warnings=tuple(filter(None, self._warnings.values())),
        )

    def _standing(self) -> tuple[Scoreboard, Outcome | None]:
        state = self._fold.state
        try:
            return self._game.scoreboard(state), self._game.outcome(state)
        except Exception:
            _LOG.exception("the game cannot tell the score")
            headline = say("Sightline has a fault of its own; the referee keeps the score by hand.")
            return Scoreboard(phase=say("fault"), headline=headline), None

    def checked(
        self, body: Decision | Declared, *, seen: int, now_ms: float
    ) -> Decision | Declared:
        """Return a tap as the log shall hold it.

        Raises Stale where what it is about has changed since version `seen` or no longer stands,
        ValueError where it never made sense.
        """
        if seen > self.version:
            raise Stale(say("Sightline was started again since this page was drawn."))
        match body:
            case Declared():
                if self._ruled_since > seen:
                    raise Stale(say("There has been a new ruling since this page was drawn."))
                return replace(body, at_ms=now_ms)
            case Amend(seq=seq):
                self._fresh(seq, seen)
                return body
            case Insert(after=after):
                if after != 0:
                    self._fresh(after, seen)
                return body
            case Overrule() | Confirm():
                return self._checked_verdict(body)
            case Reply():
                return self._checked_reply(body, seen)
            case Withdraw():
                return self._checked_withdrawal(body)
        raise ValueError(f"expected a decision, got {type(body).__name__}")

    def _fresh(self, seq: int, seen: int) -> None:
        entry = self._entries.get(seq)
        if entry is None or not (fact_of(entry) is not None or isinstance(entry.body, Insert)):
            raise ValueError(
                say("expected an entry that holds a fact, got entry {number}", number=seq)
            )
        if self._since.get(seq, 0) > seen:
            raise Stale(say("This has changed since the page was drawn."))

    def _checked_verdict(self, body: Overrule | Confirm) -> Overrule | Confirm:
        for step in self._steps:
            if step.seq == body.ruling.seq and body.ruling in step.ids:
                nth = step.ids.index(body.ruling)
                said = as_logged(body.was)
                if said not in (as_logged(step.judged[nth]), as_logged(step.rulings[nth])):
                    raise Stale(say("This ruling has changed since the page was drawn."))
                if step.overruled_by[nth] is not None and said != as_logged(step.rulings[nth]):
                    raise Stale(say("This ruling has been overruled already."))
                if isinstance(body, Confirm):
                    return self._checked_confirmation(body, step, nth)
                becomes = None if body.becomes is None else as_logged(body.becomes)
                return replace(body, was=as_logged(step.judged[nth]), becomes=becomes)
        raise Stale(say("This ruling no longer stands."))

    def _checked_confirmation(self, body: Confirm, step: Step[Any], nth: int) -> Confirm:
        if step.rulings[nth].standing is Standing.OPEN:
            raise ValueError(say("this is too close to call: answer its question"))
        if step.overruled_by[nth] is not None:
            raise Stale(say("This ruling has been overruled; take that back first."))
        if step.confirmed_by[nth] is not None:
            raise Stale(say("This ruling has been confirmed already."))
        return replace(body, was=as_logged(step.judged[nth]))

    def _checked_reply(self, body: Reply, seen: int) -> Reply:
        for step in self._steps:
            if step.seq != body.seq:
                continue
            for ruling in step.rulings:
                question = ruling.question
                if ruling.standing is not Standing.OPEN or question is None:
                    continue
                if question.key != body.question:
                    continue
                if body.was not in (None, question) or self._since.get(body.seq, 0) > seen:
                    raise Stale(say("This question has changed since the page was drawn."))
                if body.answer not in {answer.key for answer in question.answers}:
                    known = ", ".join(answer.key for answer in question.answers)
                    refused = say(
                        "expected one of the answers {known}, got {answer}",
                        known=known,
                        answer=repr(body.answer),
                    )
                    raise ValueError(refused)
                return replace(body, was=question)
        raise Stale(say("This question is no longer open."))

    def _checked_withdrawal(self, body: Withdraw) -> Withdraw:
        entry = self._entries.get(body.seq)
        if entry is None or fact_of(entry) is not None:
            refused = say("expected the entry of a decision, got entry {number}", number=body.seq)
            raise ValueError(refused)
        decisions, _ = in_force(self._fold.entries)
        if body.seq not in decisions:
            raise Stale(say("This decision has been taken back already."))
        return body

    def _show(self, kept: int, fresh: Sequence[Step[Any]]) -> None:
        more = [_told(ruled_by(step, self._entries)) for step in fresh]
        if kept == len(self._ruled):
            self._ruled += more
            self._rulings = (*self._rulings, *(r for ruled in more for r in ruled))
            for step in fresh:
                self._pieces = pieces_after(self._pieces, step.fact, self._board)
        else:
            self._ruled[kept:] = more
            self._rulings = tuple(r for ruled in self._ruled for r in ruled)
            self._pieces = pieces_of((step.fact for step in self._steps), self._board)

    def _see(self, fact: Fact, now_ms: float) -> None:
        found = sight_after(fact, self._board)
        if found is not None:
            self.look(*found, now_ms)


def _told(rulings: tuple[Ruled, ...]) -> tuple[Ruled, ...]:
    """Return what the pages may tell while the game runs: private rulings are for the log alone."""
    return tuple(ruled for ruled in rulings if not ruled.ruling.private)


def _says_the_same(old: Step[Any] | None, new: Step[Any]) -> bool:
    return old is not None and (
        (old.fact, old.rulings, old.ids, old.overruled_by, old.confirmed_by, old.replies)
        == (new.fact, new.rulings, new.ids, new.overruled_by, new.confirmed_by, new.replies)
    )
