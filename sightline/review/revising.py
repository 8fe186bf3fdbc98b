"""Deciding on a match that has ended: its log is opened for one decision and let go again."""

from rules.decisions import Decision
from rules.facts import Declared
from rules.said import say, told_by
from sightline.games import game_called
from sightline.match_log.log import Draft, Store
from sightline.match_log.log_file import LogBusy, LogUnwritable
from sightline.running.record import Keeper
from web.desk import Stale


def decide_on(store: Store, match: str, decision: Decision, *, seen: int, key: str) -> int:
    """Append `decision`, made on the log up to entry `seen`; return its seq once it is on disk.

    The same `key` twice is one tap. Raises Stale where the log has grown since or what it decides
    on no longer stands, ValueError where it makes no sense or the log cannot be written.
    """
    try:
        with store.open(match) as log:
            known = log.tapped(key)
            if known is not None:
                return known
            last = log.entries[-1] if log.entries else None
            if last is None or last.seq != seen:
                raise Stale(say("This match has been decided on since the page was drawn."))
            keeper = Keeper(log.header, game_called(log.header.setup.game), log.entries)
            body = keeper.checked(decision, seen=keeper.version, now_ms=last.at_ms)
            if isinstance(body, Declared):
                raise ValueError("expected a decision, got an announcement")
            (entry,) = log.append((Draft(at_ms=last.at_ms, body=body, tap=key),))
            return entry.seq
    except (LogBusy, LogUnwritable) as err:
        raise ValueError(say("not entered: {error}", error=told_by(err))) from err
