"""The desk of the review room when no match is running: the pages have one match to show, ended."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Event

from rules.board import Board
from rules.decisions import Decision
from rules.facts import Fact
from rules.game import Clause
from rules.said import say
from sightline.match_log.archive import Filed
from sightline.match_log.evidence import EvidenceFolder
from sightline.running.record import Keeper
from sightline.words.sight_words import NOBODY_WATCHES, cannot_see
from web.desk import Sight, View

_ENDED = say("this match has ended: decide on it in the review room")


class RoomDesk:
    """Shows one match as its log has it now; nothing is decided here."""

    def __init__(self, match: Filed, evidence: EvidenceFolder) -> None:
        keeper = Keeper(match.header, match.game, match.entries)
        last_ms = match.entries[-1].at_ms if match.entries else 0.0
        view = keeper.view(last_ms, live=False)
        self._view = replace(
            view,
            sight=Sight.BLIND,
            sight_words=cannot_see(NOBODY_WATCHES),
            sight_since_ms=last_ms,
            scoreboard=replace(view.scoreboard, announcements=(), tasks=()),
            undoable=(),
        )
        self._board = match.header.setup.board
        self._clauses = keeper.clauses
        self._evidence = evidence

    def view(self) -> View:
        return self._view

    def board(self) -> Board:
        return self._board

    def clauses(self) -> Sequence[Clause]:
        return self._clauses

    def wait(self, after: int, timeout_s: float) -> View | None:
        if self._view.version > after:
            return self._view
        Event().wait(timeout_s)
        return None

    def decide(self, decision: Decision, *, seen: int, key: str) -> int:
        raise ValueError(_ENDED)

    def declare(self, fact: Fact, *, seen: int, key: str) -> int:
        raise ValueError(_ENDED)

    def evidence(self, name: str) -> bytes | None:
        return self._evidence.get(name)

    def live(self) -> bytes | None:
        return None
