"""Matches that were played at the simulated table, as far as wanted, for the pages to show."""

from collections.abc import Callable

from testkit.fake_desk import FakeDesk

from rules.rulings import Ruling
from sightline.match_log.log import MatchHeader
from sightline.running.record import Keeper
from sightline.simulated.boards import club_board
from sightline.simulated.matches import Evening, play_truly
from sightline.simulated.playing import Agreement
from web.desk import View

Seen = Callable[[Ruling], bool]


def desk_of(evening: Evening, until: Seen | None = None) -> FakeDesk:
    """A desk at which the match stands as it did after the first ruling that `until` accepts."""
    return FakeDesk(view_of(evening, until), evening.setup.board)


def view_of(evening: Evening, until: Seen | None = None) -> View:
    """The view of the match right after the first ruling that `until` accepts; else of its end."""
    entries = list(evening.referee.fold.entries)
    if until is not None:
        for step in evening.referee.steps:
            if any(until(ruling) for ruling in step.rulings):
                entries = [entry for entry in entries if entry.seq <= step.seq]
                break
        else:
            raise ValueError("expected a ruling to stop at, found none such in the match")
    header = MatchHeader(
        name="played",
        setup=evening.setup,
        started="2026-05-02T19:30:00+00:00",
        edition="1",
        table="simulated",
    )
    keeper = Keeper(header, evening.referee.game, entries)
    return keeper.view(entries[-1].at_ms + 500.0, live=False)


def played(agreement: Agreement, *, seed: int = 1, most_s: float = 3600.0) -> Evening:
    """A match of simulated players, refereed from the truth."""
    return play_truly(club_board(agreement.game), agreement, seed=seed, most_s=most_s)


def played_with(agreement: Agreement, *calls: str, first: int = 0) -> Evening:
    """The first match, of some, in which every one of these calls was made ("FOUL peg-moved").

    `first` is the seed to begin with: the one known to have them saves playing those before it.
    """
    for seed in range(first, first + 30):
        evening = played(agreement, seed=seed)
        said = [ruling.call for step in evening.referee.steps for ruling in step.rulings]
        if all(any(call.startswith(wanted) for call in said) for wanted in calls):
            return evening
    raise ValueError(f"expected a match with {', '.join(calls)}, found none in 30")
