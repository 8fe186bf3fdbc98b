"""Applies the rulebook to one fact: a list of calls, each with the effect that it has.

The bench works on a state of its own, so that a call made late in a fact rests on those before it.
"""

from collections.abc import Callable

from msgspec.structs import replace

from rules.calls import Called
from rules.facts import (
    Batch,
    Cleared,
    Declared,
    Emptied,
    Fact,
    Filled,
    Loose,
    Restored,
    Settled,
)
from rules.games.quarterback import corrections, frames, sayings, setting_out
from rules.games.quarterback import effects as e
from rules.games.quarterback import state as s
from rules.games.quarterback.acts import Move
from rules.games.quarterback.book import close_half
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.making import after_catch
from rules.games.quarterback.passing import is_forward, pass_refusal
from rules.games.quarterback.pieces import ATTACK, DEFENCE, MOVEMENT, opposed, other, side_of
from rules.games.quarterback.places import changes_in
from rules.games.quarterback.routes import Seen, barrier, find_route, net_pushes, third
from rules.games.quarterback.sight import agreeing, differences, noticed
from rules.games.quarterback.state import Change, Correction, Displaced, State
from rules.games.quarterback.steps import Event, Made, Refused, allowance, position_of
from rules.games.quarterback.walking import Walked, walk

JUDGED = (Filled, Emptied, Batch, Cleared, Settled, Restored, Loose, Declared)


class Bench:
    """Judges facts in turn and keeps what it said."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.calls: list[Called[State]] = []
        self.waiting: frozenset[Change] = frozenset()  # half-done, and no part of a foul

    def say(self, call: str, code: str, effect: object = None, **detail: str) -> None:
        self.calls.append(Called(call, code, effect, self.state, detail))
        if effect is not None:
            self.state = e.apply(self.state, effect)

    @property
    def fouled(self) -> bool:
        return any(call.verb == "FOUL" for call in self.calls)

    def judge(self, fact: Fact) -> None:
        """Judge one fact."""
        if not isinstance(fact, JUDGED):
            return
        standing = self.state.correction
        if standing is not None and standing.idle and not isinstance(fact, Restored):
            corrections.fixed(self)  # what displaced nothing is put right as soon as play goes on
        if self.state.correction is not None:
            corrections.while_it_stands(self, fact)
            return
        before = self.state
        changes = everything_gone(before) if isinstance(fact, Cleared) else changes_in(before, fact)
        self.state, news = noticed(before, changes)
        if not self.state.playing:
            setting_out.judge(self, fact, before, news)
            return
        self._in_play(fact, before)
        turn_over = self.state.turn not in ("", before.turn)
        if turn_over and self.state.playing and self.state.correction is None:
            frames.left_behind(self, before.turn)

    def _in_play(self, fact: Fact, before: State) -> None:
        match fact:
            case Batch(facts=parts, ordered=True):
                self.state = before
                for part in parts:
                    self.judge(part)
            case Batch(facts=parts):
                frames.judge(self, fact, before, complete=len(parts) == 1)
                for part in parts:
                    if isinstance(part, Declared):
                        self.judge(part)
            case Filled() | Emptied():
                frames.judge(self, fact, before, complete=False)
            case Cleared() | Settled():
                frames.judge(self, fact, before, complete=True)
            case Restored():
                self.state = agreeing(self.state)
            case Loose(place=place):
                self.say("INFO between-squares", "QB-10.6", place=place)
            case Declared():
                sayings.judge(self, fact)

    # Moves

    def name(self, square: int) -> str:
        return self.state.terms.field.name(square) if square >= 0 else "off the board"

    def foul(
        self,
        reason: str,
        code: str,
        side: str | None,
        **detail: str,
    ) -> None:
        """Say a foul; what differs from the record is to be put right (nothing between halves)."""
        found = tuple(each for each in differences(self.state) if each not in self.waiting)
        correction = Correction(reason=reason, side=side, off=found, idle=not found)
        self.say(f"FOUL {reason}", code, e.Stop(correction), **detail)

    def refused(self, found: Refused, side: str, letter: str = "") -> None:
        """Say why a step or a pass is not legal."""
        self.foul(
            found.reason,
            found.code,
            side,
            mover=letter,
            start=self.name(found.start),
            to=self.name(found.to),
            square=self.name(found.square),
            by=found.letter,
            steps=str(found.steps),
        )

    def move(self, act: Move) -> None:
        """Judge a move by the order of section 4.11."""
        side, letter = side_of(act.letter), act.letter
        here = self.in_turn(side, letter=letter, start=self.name(act.start))
        if here is None:
            return
        terms, at = here.terms, position_of(here)
        if here.grid[act.start] != letter:
            detail = {"letter": letter, "start": self.name(act.start)}
            self.foul("no-such-piece", "QB-10.1", side, **detail)
            return
        left = self._steps_left(here, act)
        if left is None:
            return
        if not terms.null_move and act.seen and act.squares[0] == act.squares[-1]:
            self.foul("no-action", "QB-3.14", side)
            return
        path = act.squares
        firsts = frozenset(each.start for each in act.displaced)
        if act.seen:
            walked = walk(terms, at, letter, path, left, displaced=firsts)
        else:
            found = self._explained(here, act, left)
            if found is None:
                return
            walked = found
        if isinstance(walked, Refused):
            self.refused(walked, side, letter)
            return
        pushed = net_pushes(walked)
        if any(each not in pushed for each in act.displaced):
            wrong = next(each for each in act.displaced if each not in pushed)
            right = next((p for p in pushed if p.start == wrong.start), None)
            self.foul(
                "wrong-push",
                "QB-10.5",
                side,
                letter=wrong.letter,
                start=self.name(wrong.start),
                to="" if right is None else self.name(right.end),
            )
            return
        if side != self.state.turn:
            self.end_turn(side, cut=True)
        if not act.seen:
            route = "-".join(map(self.name, walked.squares))
            self.say(f"PATH {route}", "QB-10.3", letter=letter, route=route)
        self._go(letter, walked, left, seen=act.seen)
        if self.state.turn:
            self._due([each for each in pushed if each not in act.displaced])
        if self.state.turn and self.state.correction is None:
            self.turn_over()

    def in_turn(self, side: str, **detail: str) -> State | None:
        """The state in which `side` acts, its turn begun if need be; None after a foul."""
        state = self.state
        if not state.turn:
            reason, code = ("match-over", "QB-9.3") if state.over else ("half-over", "QB-2.4")
            self.foul(reason, code, side, **detail)
            return None
        if side == state.turn:
            return state
        if not state.acted or (state.terms.declared_end and s.sides_left(state)):
            self.foul("out-of-turn", "QB-10.2", side, **detail)
            return None
        return replace(state, turn=side, moves=0, passes=0, going=None, done=(), tokens=())

    def _steps_left(self, here: State, act: Move) -> int | None:
        """The steps that the piece still has; None after a foul (QB-3.8 to 3.13)."""
        side, letter, start = side_of(act.letter), act.letter, act.start
        detail = {"letter": letter, "start": self.name(start)}
        if here.going is not None and here.going[0] == start:
            return here.going[1]
        moved = dict(here.done)
        if start in moved:
            last = here.last_moved
            if last is not None and last[0] == start:
                return 0
            left = moved[start]
            by = "" if last is None else here.grid[last[0]] + self.name(last[0])
            if left:
                self.foul("interrupted", "QB-3.10", side, by=by, **detail)
            else:
                self.foul("moved-twice", "QB-3.13", side, **detail)
            return None
        barred = third(here, letter, start)
        if barred is not None:
            self.foul(barred[0], barred[1], side, **detail)
            return None
        return allowance(here.terms, letter, start)

    def _explained(self, here: State, act: Move, left: int) -> Walked | None:
        """The route of a move of which only start and end were seen; None after a foul."""
        terms, at, letter = here.terms, position_of(here), act.letter
        start, end = act.squares
        seen = Seen(letter, start, end, act.displaced, act.picked)
        found = find_route(terms, at, seen, left)
        if found is None and at.loose:  # the disc may go before the piece, or after it
            found = find_route(terms, at, replace(seen, picked=not act.picked), left)
        if found is not None:
            return found
        side = side_of(letter)
        far = terms.field.distance(start, end)
        if far == 1:
            firsts = frozenset(each.start for each in act.displaced)
            direct = walk(terms, at, letter, act.squares, left, seen=False, displaced=firsts)
            if isinstance(direct, Refused):
                self.refused(direct, side, letter)
                return None
            return direct
        if far > left:
            code = MOVEMENT[letter.upper()]
            self.refused(Refused("too-far", code, start, end, steps=left), side, letter)
        else:
            self._no_route(here, seen, left)
        return None

    def _no_route(self, here: State, seen: Seen, left: int) -> None:
        """Say that no route is free, and the step that bars the way (QB-3.7)."""
        detail = {"mover": seen.letter, "start": self.name(seen.start), "to": self.name(seen.end)}
        why = barrier(here.terms, position_of(here), seen, left)
        if why is not None:
            detail |= {
                "why": why.reason,
                "why_code": why.code,
                "why_start": self.name(why.start),
                "why_to": self.name(why.to),
                "why_square": self.name(why.square),
                "why_by": why.letter,
            }
        side = side_of(seen.letter)
        self.foul("no-legal-path", "QB-3.7", side, steps=str(left), **detail)

    def _go(self, letter: str, walked: Walked, left: int, *, seen: bool) -> None:
        """Say a legal move and what it brought about."""
        grid, text = _steps_taken(self.state, walked)
        steps = len(walked.squares) - 1
        tackled = walked.made[-1].events[-1:] if walked.ended else ()
        stepped_on = bool(tackled) and tackled[0].steps_on
        end = walked.squares[-2] if stepped_on else walked.squares[-1]
        if not seen:
            text += "~"
        kept = left - steps
        code = MOVEMENT[letter.upper()]
        names = [self.name(square) for square in walked.squares]
        go = e.Go(letter, walked.squares[0], end, kept, grid, text)
        self.say("OK", code, go, letter=letter, start=names[0], to=names[-1])
        for made in walked.made:
            for event in made.events:
                self._event(event, end)

    def _event(self, event: Event, end: int) -> None:
        """Say one effect of a move; `end` is where the mover stands after it."""
        letter, code, at = event.letter, event.code, self.name(event.square)
        match event.verb:
            case "PUSH":
                piece = Displaced(letter, event.start, event.square)
                effect = e.Push(piece) if code == "QB-6.3" else None
                start = self.name(event.start)
                self.say(f"PUSH {letter}{start}>{at}", code, effect, letter=letter, square=at)
            case "NO-PUSH":
                self.say(
                    f"NO-PUSH {letter}{at}", code, letter=letter, square=at,
                    to=self.name(event.start),
                )  # fmt: skip
            case "RELEASE":
                self.say(f"RELEASE {letter}{at}", code, e.Free(), letter=letter, square=at)
            case "PICKUP":
                taker = end if self.state.grid[end] == letter else event.square
                self.say(f"PICKUP {at}", code, e.Take(taker), letter=letter, square=at)
            case "INTERCEPT":
                self.say(f"INTERCEPT {at}", code, e.Seize(event.square), letter=letter, square=at)
                self.end_half(0, "QB-2.6")
            case "TACKLE":
                self.tackle(event.square, code, event.start if event.start >= 0 else None)
            case _:
                self.end_half(self.state.terms.touchdown or 0, event.code)

    def _due(self, missing: list[Displaced]) -> None:
        """Say which pushes are still to be carried out on the board (QB-10.5)."""
        off = []
        for change in differences(self.state):
            for each in missing:
                ours = change.letter == each.letter
                if ours and change.square == (each.start if change.came else each.end):
                    off.append(change)
        missing = [p for p in missing if any(not c.came and c.square == p.end for c in off)]
        if not missing:
            return
        correction = Correction(reason="push-due", off=tuple(off), due=tuple(missing))
        shown = " ".join(f"{p.letter}{self.name(p.start)}>{self.name(p.end)}" for p in missing)
        self.say(f"PUSH-DUE {shown}", "QB-10.5", e.Stop(correction), pieces=shown)

    # Turns and halves

    def turn_over(self) -> None:
        """End the turn by itself where nothing is left to do in it (QB-10.7)."""
        state = self.state
        if state.correction is not None or not state.turn or state.going is not None:
            return
        if state.turn == DEFENCE:
            spent = state.moves >= state.terms.defender_moves
        elif state.terms.singles_exempt:
            spent = (
                state.moves + state.passes >= 3
                or state.passes >= 2
                or (state.moves == 2 and state.passes == 0 and not _may_still_pass(state))
            )
        else:
            spent = state.moves + state.passes >= 2
        if spent:
            self.end_turn(other(state.turn))

    def end_turn(self, to: str, *, cut: bool = False) -> None:
        self.say(f"TURN {to}", "QB-2.3", e.EndTurn(to, cut), side=to)

    def tackle(self, square: int, code: str, start: int | None = None) -> None:
        """The carrier is tackled: points, and the half is over (QB-2.4 to 2.7)."""
        at = self.name(square)
        letter = self.state.grid[square]
        self.say(f"TACKLE {at}", code, e.Tackle(square, start), letter=letter, square=at)
        points, by = self.state.terms.points_at(square)
        self.end_half(points, by, said={"QB-2.10": "concede", "QB-2.12": "stall"}.get(code, ""))

    def end_half(self, points: int, code: str, said: str = "") -> None:
        """Say points and end of the half, and what the match book makes of it."""
        self.say(f"POINTS {points}", code, points=str(points))
        self.say("HALF-END", "QB-2.4", e.EndHalf(points, said))
        close_half(self)

    # Passes

    def passed(self, start: int, end: int, *, inferred: bool = False) -> None:
        """Judge a pass; one inferred from the ball disc says so first (QB-10.4)."""
        detail = {"start": self.name(start), "to": self.name(end)}
        if inferred:
            self.say("INFO pass-inferred", "QB-10.4", **detail)
        here = self.in_turn(ATTACK, **detail)
        if here is None:
            return
        found = pass_refusal(here, start, end)
        if found is not None:
            letter = here.grid[start]
            self.refused(found, ATTACK, "" if letter == EMPTY else letter)
            return
        if self.state.turn != ATTACK:
            self.end_turn(ATTACK, cut=True)
        forward = is_forward(here, start, end)
        self.say("OK", "QB-8.5", e.Pass(start, end, forward, inferred), **detail)
        self._arrived(start, end)
        if self.state.turn:
            self.turn_over()

    def _arrived(self, start: int, end: int) -> None:
        target, at = self.state.grid[end], self.name(end)
        if target == EMPTY:
            self.say(f"LOOSE {at}", "QB-8.8", square=at)
        elif opposed(target, self.state.grid[start]):
            self.say(f"INTERCEPT {at}", "QB-8.9", e.Seize(end), letter=target, square=at)
            self.end_half(0, "QB-2.6")
        else:
            self.say(f"CATCH {target}{at}", "QB-8.7", e.Take(end), letter=target, square=at)
            found = after_catch(self.state.terms, self.state.grid, target, end)
            if found is not None and found.verb == "TACKLE":
                self.tackle(end, found.code)
            elif found is not None:
                self.end_half(self.state.terms.touchdown or 0, found.code)


def _may_still_pass(state: State) -> bool:
    """With singles_exempt: whether a pass may follow two moves."""
    return any(state.grid[square] == "S" for square, _ in state.done)


def _steps_taken(state: State, walked: Walked) -> tuple[str, str]:
    """The grid after a move's own steps, tackle and pushes by a Single apart; and its text."""
    name = state.terms.field.name
    grid, text = state.grid, ""
    for here, to, made in zip(walked.squares, walked.squares[1:], walked.made, strict=False):
        text += _text_of(made, name(to), name)
        if any(event.steps_on for event in made.events):
            continue
        letter = grid[here]
        first = made.events[0] if made.events else None
        if first is not None and first.code == "QB-6.2":
            grid = s.put(grid, first.square, first.letter)
        grid = s.put(s.put(grid, here, EMPTY), to, letter)
    return grid, text


def _text_of(made: Made, square: str, name: Callable[[int], str]) -> str:
    """A step for the record: `-d5`, `^d5{td5>d6}`, `xd8`, `-c2*` (section 1.2)."""
    mark, ball, inside = "-", "", []
    for n, event in enumerate(made.events):
        if event.steps_on:
            mark = "x"
        elif event.verb == "TACKLE":
            inside.append(f"x{name(event.square)}")
        elif event.verb == "PUSH":
            mark = "^" if event.code == "QB-6.2" else mark
            inside.append(f"{event.letter}{name(event.start)}>{name(event.square)}")
        elif event.verb in ("PICKUP", "INTERCEPT"):
            before = made.events[n - 1] if n else None
            if before is not None and before.verb == "PUSH" and before.square == event.square:
                inside[-1] += "*"
            else:
                ball = "*"
    return f"{mark}{square}{ball}" + (f"{{{','.join(inside)}}}" if inside else "")


def everything_gone(state: State) -> list[Change]:
    """The changes that sweep the board."""
    found = [Change(n, letter, False) for n, letter in enumerate(state.table) if letter != EMPTY]
    return found + ([] if state.disc is None else [Change(state.disc, "*", False)])
