"""A small desk that really works: it keeps views, takes decisions, and says when one is stale.

There are no rules behind it. An overrule strikes a ruling out, a withdrawal brings it back, an
answer closes its question, an announcement becomes a note: enough to see a page do its part.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Condition

from msgspec import structs

from rules.board import Board
from rules.decisions import Amend, Confirm, Decision, Overrule, Reply, Withdraw
from rules.facts import Declared, Fact
from rules.game import Clause
from rules.rulings import Ruling, RulingId, RulingKind, Standing
from web.desk import Ruled, Stale, Undoable, View


class FakeDesk:
    """Holds one view after the other; `push` makes the next one."""

    def __init__(
        self,
        view: View,
        board: Board,
        *,
        clauses: Sequence[Clause] = (),
        evidence: Mapping[str, bytes] | None = None,
        live: bytes | None = None,
    ) -> None:
        self.decided: list[tuple[Decision, int, str]] = []
        self.declared: list[tuple[Fact, int, str]] = []
        self.live_frame = live
        self._board = board
        self._clauses = tuple(clauses)
        self._evidence = dict(evidence or {})
        self._keys: dict[str, int] = {}
        self._was: dict[int, Ruled] = {}
        self._view = view
        self._news = Condition()

    def view(self) -> View:
        return self._view

    def board(self) -> Board:
        return self._board

    def clauses(self) -> Sequence[Clause]:
        return self._clauses

    def wait(self, after: int, timeout_s: float) -> View | None:
        with self._news:
            self._news.wait_for(lambda: self._view.version > after, timeout_s)
            return self._view if self._view.version > after else None

    def evidence(self, name: str) -> bytes | None:
        return self._evidence.get(name)

    def live(self) -> bytes | None:
        return self.live_frame

    def push(self, change: Callable[[View], View]) -> View:
        """Make the next view from the one that stands; its version follows by itself."""
        with self._news:
            self._view = replace(change(self._view), version=self._view.version + 1)
            self._news.notify_all()
            return self._view

    def rule(self, *rulings: Ruling, evidence: tuple[str, ...] = ()) -> View:
        """Add rulings as the next entry's."""

        def change(view: View) -> View:
            seq = view.seq + 1
            nth: dict[str, int] = {}
            ruled = []
            for ruling in rulings:
                number = nth.get(ruling.code, 0)
                nth[ruling.code] = number + 1
                ruling_id = RulingId(seq, ruling.code, number)
                ruled.append(
                    Ruled(id=ruling_id, at_ms=view.now_ms, ruling=ruling, evidence=evidence)
                )
            return replace(view, seq=seq, rulings=(*view.rulings, *ruled))

        return self.push(change)

    def decide(self, decision: Decision, *, seen: int, key: str) -> int:
        if key in self._keys:
            return self._keys[key]
        seq = self._view.seq + 1
        match decision:
            case Overrule():
                ruled = self._find(decision.ruling)
                if ruled.ruling != decision.was:
                    raise Stale("This ruling says something else now.")
                waived = structs.replace(ruled.ruling, standing=Standing.OVERRULED)
                self._settle(seq, ruled, replace(ruled, ruling=waived, overruled_by=seq))
                words = f"{decision.ruling.code} overruled"
            case Confirm():
                ruled = self._find(decision.ruling)
                self._settle(seq, ruled, replace(ruled, confirmed_by=seq))
                words = f"{decision.ruling.code} confirmed"
            case Reply():
                ruled = next(
                    found
                    for found in self._view.rulings
                    if found.id.seq == decision.seq
                    and found.ruling.question is not None
                    and found.ruling.question.key == decision.question
                )
                if ruled.answered is not None:
                    raise Stale("This question has been answered already.")
                firm = structs.replace(ruled.ruling, standing=Standing.FIRM)
                self._settle(seq, ruled, replace(ruled, ruling=firm, answered=decision.answer))
                words = f"answered “{decision.answer}”"
            case Withdraw():
                if decision.seq not in self._was:
                    raise Stale("This has been taken back already.")
                before = self._was.pop(decision.seq)
                self._settle(seq, self._find(before.id), before, undoable=False)
                self.push(
                    lambda view: replace(
                        view,
                        undoable=tuple(u for u in view.undoable if u.seq != decision.seq),
                    )
                )
                words = ""
            case Amend():
                self.push(
                    lambda view: replace(
                        view,
                        seq=seq,
                        rulings=tuple(r for r in view.rulings if r.id.seq != decision.seq),
                    )
                )
                words = ""
            case _:
                raise ValueError("this desk does not take that")
        self.decided.append((decision, seen, key))
        self._keys[key] = seq
        if words:
            done = Undoable(seq=seq, words=words)
            self.push(lambda view: replace(view, undoable=(*view.undoable, done)))
        return seq

    def declare(self, fact: Fact, *, seen: int, key: str) -> int:
        if key in self._keys:
            return self._keys[key]
        assert isinstance(fact, Declared)
        self.declared.append((fact, seen, key))
        said = f"{fact.side or 'The referee'} says: {fact.what} {fact.value}".strip()
        view = self.rule(Ruling(code="NOTE", words=said, kind=RulingKind.NOTE, side=fact.side))
        self._keys[key] = view.seq
        return view.seq

    def _find(self, ruling: RulingId) -> Ruled:
        for ruled in self._view.rulings:
            if ruled.id == ruling:
                return ruled
        raise Stale("This ruling no longer stands.")

    def _settle(self, seq: int, old: Ruled, new: Ruled, *, undoable: bool = True) -> None:
        if undoable:
            self._was[seq] = old
        self.push(
            lambda view: replace(
                view,
                seq=seq,
                rulings=tuple(new if ruled.id == old.id else ruled for ruled in view.rulings),
            )
        )
