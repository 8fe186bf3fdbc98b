"""What a legal step of a move does, in the order of section 4.11 of the rulebook."""

from rules.games.quarterback.field import EMPTY, TOP, Step
from rules.games.quarterback.legality import (
    entered,
    next_to_single,
    push_barred,
    pushable,
    tackled_beside,
)
from rules.games.quarterback.state import put
from rules.games.quarterback.steps import Event, Made, Manner, Position, Refused
from rules.games.quarterback.terms import Terms


def make(terms: Terms, at: Position, letter: str, start: int, step: Step, how: Manner) -> Made:
    """What a legal step does, in the order of section 4.11."""
    to = step.to
    if not at.loose and to == at.ball and at.grid[to] != EMPTY:
        code = "QB-7.3" if letter == "s" and at.grid[to] in "TQ" else "QB-7.2"
        return Made(at, (Event("TACKLE", code, start=start, square=to),), ended=True)
    grid, pushed = entered(terms, at, letter, start, step)
    carries = not at.loose and at.ball == start
    now = Position(grid, to if carries else at.ball, at.loose, at.released)
    if pushed is None and _only_moves(terms, at, letter, to, carries):
        return Made(now)
    making = _Making(terms, now)
    if pushed is not None:
        making.push(pushed)
    if not making.ended:
        making.release(letter, to, how)
        making.reach(letter, to, carries)
    if letter in "Ss" and not making.ended:
        making.beside(letter, to, how, carries)
    return Made(making.at, tuple(making.events), making.ended)


def _only_moves(terms: Terms, at: Position, letter: str, to: int, carries: bool) -> bool:
    """Whether a step on to a free square can do nothing else: release, reach or push nothing."""
    if letter in "Ss" or (at.loose and at.ball == to):
        return False
    may_release = letter in "DQ" and not at.released
    may_score = carries and terms.touchdown is not None
    return not (may_release or may_score) or terms.field.row(to) < 1


class _Making:
    """The effects of one step as they add up."""

    def __init__(self, terms: Terms, at: Position) -> None:
        self.terms = terms
        self.at = at
        self.events: list[Event] = []
        self.ended = False

    def push(self, pushed: Event) -> None:
        """A piece was pushed; it may reach the ball, and by a house rule release the defence."""
        self.events.append(pushed)
        letter, to = pushed.letter, pushed.square
        at = self.at
        if (
            self.terms.release_by_push
            and letter in "DQ"
            and not at.released
            and self.terms.field.row(to) >= 1
        ):
            self.events.append(Event("RELEASE", "QB-4.3", letter, square=to))
            self.at = Position(at.grid, at.ball, at.loose, True)
        self.reach(letter, to, False)

    def release(self, letter: str, to: int, how: Manner) -> None:
        at = self.at
        crossed = letter in "DQ" and not at.released and self.terms.field.row(to) >= 1
        if crossed and (how.seen or how.last):
            self.events.append(Event("RELEASE", "QB-4.3", letter, square=to))
            self.at = Position(at.grid, at.ball, at.loose, True)

    def reach(self, letter: str, to: int, carries: bool) -> None:
        """A piece came to a square: a loose ball there is its own."""
        at = self.at
        if at.loose and at.ball == to:
            if letter.islower():
                self.events.append(Event("INTERCEPT", "QB-8.9", letter, square=to))
                self.ended = True
                return
            self.events.append(Event("PICKUP", "QB-8.8", letter, square=to))
            self.at = Position(at.grid, to, False, at.released)
            self.held(letter, to)
        elif carries:
            self.scored(to)

    def held(self, letter: str, square: int) -> None:
        """A piece has just got the ball: house rules may end the half here."""
        found = after_catch(self.terms, self.at.grid, letter, square)
        if found is not None:
            self.events.append(found)
            self.ended = True

    def scored(self, square: int) -> None:
        if self.terms.touchdown is not None and self.terms.field.row(square) == TOP:
            self.events.append(Event("TOUCHDOWN", "QB-2.8", square=square))
            self.ended = True

    def beside(self, letter: str, to: int, how: Manner, carries: bool) -> None:
        """A Single came to a square: it tackles the carrier next to it, or pushes all away."""
        terms, before = self.terms, self.at
        if tackled_beside(terms, before, letter, to):
            self.events.append(Event("TACKLE", "QB-7.3", square=before.ball))
            self.ended = True
            return
        carries = not before.loose and before.ball == to
        for square, way in pushable(terms, before, before.grid, letter, to, how.displaced):
            at = self.at
            pushed = at.grid[square]
            if carries:
                self.events.append(Event("NO-PUSH", "QB-6.6", pushed, square=square))
                continue
            landing = push_barred(terms, at, pushed, square, way, at.grid)
            if isinstance(landing, Refused):
                self.events.append(Event("NO-PUSH", landing.code, pushed, landing.to, square))
                continue
            grid = put(put(at.grid, square, EMPTY), landing, pushed)
            self.at = Position(grid, at.ball, at.loose, at.released)
            self.push(Event("PUSH", "QB-6.3", pushed, square, landing))
            if self.ended:
                return


def after_catch(terms: Terms, grid: str, letter: str, square: int) -> Event | None:
    """What a house rule makes of a piece that has just got the ball: a tackle or a touchdown."""
    if (
        terms.tackle_on_catch
        and letter in "TQ"
        and next_to_single(terms, grid, letter, square) is not None
    ):
        return Event("TACKLE", "QB-7.3", square=square)
    if terms.touchdown is not None and terms.field.row(square) == TOP:
        return Event("TOUCHDOWN", "QB-2.8", square=square)
    return None
