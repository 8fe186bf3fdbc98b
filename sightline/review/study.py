"""Looks into a match for the referee: what a decision would change, what was seen and where."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any

from calibration.table import Table
from rules.codec import fact_to_json
from rules.decisions import Confirm, Decision, Overrule
from rules.engine import Fold, as_logged
from rules.facts import Declared, Piece, Settled
from rules.game import Entry, Game, Setup, Step
from rules.geometry import Seat
from rules.orders import decision_of
from rules.rulings import Ruling, RulingId, Scoreboard, Standing
from rules.said import say
from sightline.review.alternatives import NOTHING_ALIKE, doubts_of
from sightline.review.appearance import Look, alike_in_picture
from sightline.review.lattice_moment import around_change, change_at, lattice_board
from sightline.review.outlines import overlay_of, overlay_of_change
from sightline.running.match import Change
from sightline.running.views import decision_words
from sightline.words.fact_words import words_of
from sightline.words.place_names import place_names
from web.desk import Ruled
from web.study import Item, Moment, Overlay, Preview, SeenFact

_MOST_RULINGS = 12
_MOST_FACTS = 200


class MatchStudy:
    """A fold of its own beside the running match's, so that nobody waits for a question.

    Feed it every change (it is a `Match` listener). Without `table` there are no overlays;
    `picture` gives the JPEG of a picture by its name.
    """

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        entries: Sequence[Entry],
        table: Table | None = None,
        picture: Callable[[str], bytes | None] = lambda name: None,
    ) -> None:
        self._game = game
        self._setup = setup
        self._table = table
        self._picture = picture
        self._lock = Lock()
        self._fold: Fold[Any] = Fold(game, setup, entries)
        self._evidence = {entry.seq: entry.evidence for entry in entries}
        self._place_names = place_names(game, setup)

    def heard(self, change: Change) -> None:
        with self._lock:
            self._fold.extend(change.entries)
            self._evidence.update((entry.seq, entry.evidence) for entry in change.entries)

    def preview(self, body: Decision | Declared) -> Preview:
        """Return what appending `body` would change; nothing is appended."""
        with self._lock:
            fork = self._fold.fork()
        before = tuple(fork.steps)
        review = set(fork.to_review)
        last = fork.entries[-1] if fork.entries else None
        seq = 1 if last is None else last.seq + 1
        at_ms = 0.0 if last is None else last.at_ms
        if isinstance(body, Overrule | Confirm):
            body = _as_judged(body, before)
        kept = fork.append(Entry(seq=seq, at_ms=at_ms, body=body))
        if seq in fork.to_review:
            raise ValueError(say("this would decide on something that no longer stands"))
        old_state = before[-1].state if before else fork.start
        return _difference(
            self._game,
            (old_state, before[kept:]),
            (fork.state, tuple(fork.steps[kept:])),
            review=tuple(
                decision_words(said, steps={step.seq: step for step in before})
                for entry in fork.entries
                if entry.seq in set(fork.to_review) - review
                and (said := decision_of(entry)) is not None
            ),
        )

    def moment(self, seq: int) -> Moment:
        """Return what was seen from the last settled board before entry `seq` to the next one."""
        with self._lock:
            steps = tuple(self._fold.steps)
            evidence = self._evidence.get
        here = next((n for n, step in enumerate(steps) if step.seq == seq), None)
        if here is None:
            raise ValueError(say("entry {number} holds no fact that stands", number=seq))
        on_lattice = bool(self._place_names)
        start, end = (around_change if on_lattice else _between_boards)(steps, here)
        change = change_at(steps, here, start) if on_lattice else None
        shown = steps[start : end + 1]
        settled = shown[-1].fact if shown and isinstance(shown[-1].fact, Settled) else None
        earlier = next(
            (s.fact for s in reversed(steps[:start]) if isinstance(s.fact, Settled)), None
        )
        names = _names(steps)
        return Moment(
            facts=tuple(
                SeenFact(
                    seq=step.seq,
                    at_ms=step.fact.at_ms,
                    words=words_of(step.fact, self._place_names),
                    body=fact_to_json(step.fact),
                )
                for step in shown[-_MOST_FACTS:]
            ),
            settled_seq=None if settled is None else shown[-1].seq,
            settled=settled,
            doubts=()
            if settled is None
            else doubts_of(
                settled,
                earlier,
                [step.fact for step in shown[:-1]],
                names,
                self._alike(settled, evidence(shown[-1].seq, ())),
            ),
            names=tuple(names),
            known=tuple(names.values()),
            pockets=tuple(pocket.id for pocket in self._setup.board.pockets),
            seats=tuple(seat.value for seat in Seat),
            lattice=None
            if change is None
            else lattice_board(steps, change, self._setup.board, self._place_names),
        )

    def _alike(self, board: Settled, names: Sequence[str]) -> Mapping[str, tuple[Look, ...]]:
        """Return which looks the pieces come nearest to in the board's own picture."""
        jpeg = self._picture(names[0]) if names and self._table is not None else None
        if jpeg is None or self._table is None:
            return NOTHING_ALIKE
        return alike_in_picture(jpeg, self._table, board.pieces)

    def overlay(self, ruled: Ruled, name: str) -> Overlay | None:
        """Return the pieces and lines as they were measured, for one of a ruling's pictures."""
        if self._table is None:
            return None
        with self._lock:
            steps = tuple(self._fold.steps)
            evidence = dict(self._evidence)
        if self._place_names:
            return _change_shown(self._table, name, steps, evidence)
        shows = _board_shown(name, steps, evidence)
        return None if shows is None else overlay_of(self._table, ruled.ruling, *shows)


def _as_judged(body: Overrule | Confirm, steps: Sequence[Step[Any]]) -> Overrule | Confirm:
    """Return the verdict as the log would hold it."""
    for step in steps:
        if body.ruling in step.ids:
            return replace(body, was=as_logged(step.judged[step.ids.index(body.ruling)]))
    raise ValueError(say("this ruling no longer stands"))


def _between_boards(steps: Sequence[Step[Any]], here: int) -> tuple[int, int]:
    """Return the first and last place of what led to the settled board at or after `here`."""
    end = next((n for n in range(here, len(steps)) if isinstance(steps[n].fact, Settled)), None)
    if end is None:
        end = len(steps) - 1
    start = here
    while start > 0 and not isinstance(steps[start - 1].fact, Settled):
        start -= 1
    return start, end


def _names(steps: Sequence[Step[Any]]) -> dict[str, Piece]:
    """Return every piece that was ever seen on a settled board, as it was seen last."""
    names: dict[str, Piece] = {}
    for step in steps:
        if isinstance(step.fact, Settled):
            names.update((piece.name, piece) for piece in step.fact.pieces)
    return dict(sorted(names.items()))


def _board_shown(
    name: str, steps: Sequence[Step[Any]], evidence: Mapping[int, tuple[str, ...]]
) -> tuple[Settled, str] | None:
    """Return the board that a picture shows, and what it is, in words.

    The first picture of a settled board shows it; the others were taken when the shot began.
    """
    before: Settled | None = None
    for step in steps:
        fact = step.fact
        names = evidence.get(step.seq, ())
        if name in names:
            if isinstance(fact, Settled) and names[0] == name:
                return fact, say("as it came to rest")
            return None if before is None else (before, say("as it lay before the shot"))
        if isinstance(fact, Settled):
            before = fact
    return None


def _change_shown(
    table: Table, name: str, steps: Sequence[Step[Any]], evidence: Mapping[int, tuple[str, ...]]
) -> Overlay | None:
    """Return the change on a lattice that a picture shows."""
    shown = (step.fact for step in steps if name in evidence.get(step.seq, ()))
    return next((found for fact in shown if (found := overlay_of_change(table, fact))), None)


def _difference(
    game: Game[Any],
    before: tuple[Any, Sequence[Step[Any]]],
    after: tuple[Any, Sequence[Step[Any]]],
    *,
    review: tuple[str, ...],
) -> Preview:
    old, new = game.scoreboard(before[0]), game.scoreboard(after[0])
    old_end, new_end = game.outcome(before[0]), game.outcome(after[0])
    said, says = _said(before[1]), _said(after[1])
    return Preview(
        items=tuple(_items(old, new)),
        headline_before=old.headline,
        headline_after=new.headline,
        outcome_before="" if old_end is None else old_end.words,
        outcome_after="" if new_end is None else new_end.words,
        gone=tuple(words for key, words in said.items() if key not in says)[:_MOST_RULINGS],
        fresh=tuple(words for key, words in says.items() if key not in said)[:_MOST_RULINGS],
        to_review=review,
    )


def _items(old: Scoreboard, new: Scoreboard) -> list[Item]:
    before = {side.side: dict(side.items) for side in old.sides}
    return [
        Item(
            name=side.name or side.side,
            label=label,
            before=before.get(side.side, {}).get(label, ""),
            after=value,
        )
        for side in new.sides
        for label, value in side.items
        if before.get(side.side, {}).get(label) != value
    ]


def _said(steps: Sequence[Step[Any]]) -> dict[tuple[RulingId, str, Standing], str]:
    return {
        (id, ruling.words, ruling.standing): ruling.words
        for step in steps
        for id, ruling in zip(step.ids, step.rulings, strict=True)
        if _is_told(ruling)
    }


def _is_told(ruling: Ruling) -> bool:
    return ruling.standing is not Standing.OVERRULED and not ruling.private
