"""What a shot's facts say: first contact, borders before it, crossing, drops and departures."""

from collections.abc import Iterable
from math import hypot

from msgspec import Struct, field

from rules.case import YES_NO, Case
from rules.departures import UNSEEN_MS, Gone
from rules.doubts import Doubt
from rules.facts import (
    Cushioned,
    Fact,
    Piece,
    Travelled,
)
from rules.games.qsquare.state import Shot, State
from rules.games.qsquare.zones import DeadCall
from rules.geometry import PARTNER, Point, Seat
from rules.phrases import BORDERS
from rules.said import listed, say
from rules.verdicts import SIGMAS, Verdict, order, verdict

DEAD_OR_LIVE = (("yes", say("Yes, it was dead")), ("no", say("No, it was live")))
STILL_MM = 2.0
TOUCHING_MM = 1.5

CUE = "cue-puck"
QUEEN = "queen"
PUCK = "puck"


class Touch(Struct, frozen=True, kw_only=True):
    """A contact of the cue-puck with another piece."""

    name: str
    at_ms: float
    error_ms: float


class Reading(Struct):
    """A shot read along one way; what is not certain is asked of the case's oracle when needed."""

    case: Case
    state: State
    shot: Shot
    rest: dict[str, Piece]
    facts: tuple[Fact, ...]
    cue: str
    before: dict[str, Piece]
    touches: tuple[Touch, ...] = ()
    gone: tuple[Gone, ...] = ()
    _dead: dict[str, str] = field(default_factory=dict)
    _calls: dict[str, DeadCall] = field(default_factory=dict)

    def kind(self, name: str) -> str:
        piece = self.before.get(name)
        return piece.kind if piece else self.state.kind_of(name)[0]

    def colour(self, name: str) -> str:
        piece = self.before.get(name)
        return piece.colour if piece else self.state.kind_of(name)[1]

    # -- borders ---------------------------------------------------------------------------

    def borders_before(self, touch: Touch | None, only: Seat | None = None) -> tuple[Seat, ...]:
        """Return the borders that the cue-puck touched before a contact, in order."""
        found: list[Seat] = []
        for fact in self.facts:
            if not isinstance(fact, Cushioned) or fact.piece != self.cue:
                continue
            if only is not None and fact.border is not only:
                continue
            if fact.border in found:
                continue
            if touch is None or self._before(fact, touch):
                found.append(fact.border)
        return tuple(found)

    def _before(self, fact: Cushioned, touch: Touch) -> bool:
        match order(fact.at_ms, fact.error_ms, touch.at_ms, touch.error_ms):
            case Verdict.YES:
                return True
            case Verdict.NO:
                return False
        return self.case.oracle.yes(
            Doubt(
                key=f"border-{fact.border}-before-{touch.name}",
                words=say(
                    "Did the cue-puck touch the {border} border before {touch}?",
                    border=BORDERS[fact.border],
                    touch=touch.name,
                ),
                answers=YES_NO,
                piece=touch.name,
                margin_ms=touch.at_ms - fact.at_ms,
                error_ms=hypot(fact.error_ms, touch.error_ms),
            )
        )

    def touched_opposite(self, touch: Touch | None) -> bool:
        """Return whether the border opposite the shooter was touched before a contact."""
        return bool(self.borders_before(touch, PARTNER[self.state.shooter])) or self._unseen(touch)

    def touched_any(self, touch: Touch | None) -> bool:
        return bool(self.borders_before(touch)) or self._unseen(touch)

    def _unseen(self, touch: Touch | None) -> bool:
        """Ask for a border that may have been touched while nothing could be seen."""
        blind = self.shot.blind_ms
        if blind is None or (touch is not None and touch.at_ms <= blind):
            return False
        opposite = BORDERS[PARTNER[self.state.shooter]]
        return self.case.oracle.yes(
            Doubt(
                key="border-unseen",
                words=say(
                    "Sight was lost: did the cue-puck touch the {opposite} border first?",
                    opposite=opposite,
                ),
                answers=(("no", say("No")), ("yes", say("Yes"))),
            )
        )

    # -- crossing --------------------------------------------------------------------------

    def crossed(self) -> bool:
        """Test H2: whether the cue-puck's hole met a Home Zone line, or passed it (QS-4.8)."""
        seat = self.state.shooter
        ground = self.state.terms.ground
        margins = [
            (call.margin_mm, error_mm, call.line)
            for at, error_mm in self._way()
            for call in ground.placement(seat, at)
        ]
        margin, error, line = min(margins, key=lambda each: each[0] - SIGMAS * each[1])
        borders = self.borders_before(None)
        beyond = any(verdict(far, amiss) is Verdict.NO for far, amiss, _ in margins)
        if beyond or PARTNER[seat] in borders:
            return True
        if any(isinstance(f, Travelled) and f.piece == self.cue for f in self.facts):
            return not self.case.holds(
                margin,
                error,
                f"stayed-home-{line}",
                say(
                    "Did the cue-puck stay behind the line {line} (the line never in its hole)?",
                    line=line,
                ),
                piece=self.cue,
                line=line,
            )
        rest = self.rest.get(self.cue)
        if rest and not borders and rest.at.distance_mm(self.shot.strike.at) <= STILL_MM:
            return False
        return not self.case.oracle.yes(
            Doubt(
                key="stayed-home",
                words=say("Did the cue-puck stay inside the Home Zone all the time?"),
                answers=(
                    ("no", say("No, it crossed the line")),
                    ("yes", say("Yes, it stayed inside")),
                ),
                piece=self.cue,
            )
        )

    def _way(self) -> list[tuple[Point, float]]:
        """The corners of the cue-puck's way, each with its error.

        Where it lay at the strike, and where it rests, still pictures have shown well: a corner
        that is nearer to those than it is known says nothing more.
        """
        strike = self.shot.strike
        known = [(strike.at, strike.error_mm)]
        if self.cue in self.rest:
            known.append((self.rest[self.cue].at, self.rest[self.cue].error_mm))
        corners = [
            (at, max(strike.error_mm, fact.error_mm))
            for fact in self.facts
            if isinstance(fact, Travelled) and fact.piece == self.cue
            for at in fact.path
            if all(at.distance_mm(place) > SIGMAS * fact.error_mm for place, _ in known)
        ]
        pockets = self.state.terms.ground.board.pockets
        fell = {gone.pocket for gone in self.gone if gone.name == self.cue}
        into = [(p.centre, strike.error_mm) for p in pockets if p.id in fell]
        return [*known, *corners, *into]

    # -- dead pucks ------------------------------------------------------------------------

    def dead_call(self, name: str) -> DeadCall | None:
        piece = self.before.get(name)
        if piece is None:
            return None
        call = self._calls.get(name)
        if call is None:
            ground = self.state.terms.ground
            call = self._calls[name] = ground.dead(
                self.state.terms.dead_seats(self.state.shooter),
                piece.at,
                ground.radius_mm(piece.kind, piece.colour),
                ground.hole_mm(piece.kind, piece.colour),
            )
        return call

    def dead(self, name: str) -> str:
        """Return "red", "home" or "live" for a puck as it lay before the shot (test H3)."""
        if name in self._dead:
            return self._dead[name]
        call = self.dead_call(name)
        where = "live"
        if call is not None:
            piece = self.before[name]
            if self._inside(call.red_mm, piece, "red"):
                where = "red"
            elif call.margin_mm > call.red_mm and self._inside(call.margin_mm, piece, "dead"):
                where = "home"
        self._dead[name] = where
        return where

    def _inside(self, margin: float, piece: Piece, key: str) -> bool:
        return self.case.holds(
            margin,
            piece.error_mm,
            f"{key}-{piece.name}",
            lambda: say(
                "Was at least half of {piece} inside the red line before the shot?"
                if key == "red"
                else "Was at least half of {piece} inside the Dead Zone before the shot?",
                piece=piece.name,
            ),
            piece=piece.name,
            at=piece.at,
            answers=DEAD_OR_LIVE,
        )

    def targets(self) -> list[str]:
        """Return the target pucks that lay on the table before the shot."""
        colour = self.state.terms.colours[1 - self.state.side]
        return [p.name for p in self.before.values() if p.kind == PUCK and p.colour == colour]

    def all_dead(self) -> bool:
        """Return whether there was a target puck, and all of them were dead (QS-8n)."""
        targets = self.targets()
        if not targets:
            return False
        close = []
        for name in targets:
            if name in self._dead:
                sure = Verdict.NO if self._dead[name] == "live" else Verdict.YES
            else:
                call = self.dead_call(name)
                margin = call.margin_mm if call else -UNSEEN_MS
                sure = verdict(margin, self.before[name].error_mm)
            if sure is Verdict.NO:
                return False
            if sure is Verdict.CLOSE:
                close.append(name)
        return all(self.dead(name) != "live" for name in close)

    # -- first contact ---------------------------------------------------------------------

    def first(self) -> tuple[Touch, ...]:
        """Return the first contact; two or more where the referee says they were at once."""
        blind = self.shot.blind_ms
        if blind is not None and not any(t.at_ms <= blind for t in self.touches):
            return self._unseen_first()
        if not self.touches:
            return self._unseen_first() if self._disturbed() else ()
        firsts = [
            touch
            for touch in self.touches
            if not any(
                order(other.at_ms, other.error_ms, touch.at_ms, touch.error_ms) is Verdict.YES
                for other in self.touches
            )
        ]
        names = list(dict.fromkeys(touch.name for touch in firsts))
        if len(names) == 1:
            return (firsts[0],)
        answer = self.case.oracle.pick(
            Doubt(
                key="first",
                words=say("Which did the cue-puck touch first: {names}?", names=listed(names)),
                answers=(*((name, name) for name in names), ("split", say("All at once"))),
                piece=names[0],
                margin_ms=firsts[1].at_ms - firsts[0].at_ms,
                error_ms=hypot(firsts[0].error_ms, firsts[1].error_ms),
            )
        )
        if answer == "split":
            return tuple(firsts)
        return tuple(touch for touch in firsts if touch.name == answer)[:1]

    def _unseen_first(self) -> tuple[Touch, ...]:
        """Ask what was hit first while nothing could be seen, by what difference it can make."""
        state = self.state
        blind = self.shot.blind_ms
        classes: dict[str, str] = {}
        for name, piece in self.before.items():
            if piece.kind == QUEEN:
                classes.setdefault("queen", name)
            elif piece.kind == PUCK and piece.colour == state.terms.colours[state.side]:
                classes.setdefault("own", name)
            elif piece.kind == PUCK:
                classes.setdefault({"live": "target"}.get(w := self.dead(name), w), name)
        words = {
            "target": say("A live puck to be pocketed"),
            "home": say("A puck dead in the Home Zone or by its pockets"),
            "red": say("A puck dead inside the red line"),
            "own": say("A puck of the shooter’s own colour"),
            "queen": say("The Queen"),
            "none": say("Nothing"),
        }
        answers = tuple((k, w) for k, w in words.items() if k in classes or k == "none")
        answer = self.case.oracle.pick(
            Doubt(
                key="first-unseen",
                words=say(
                    "It was not seen: what did the cue-puck touch first?"
                    if blind is None
                    else "Sight was lost during the shot: what did the cue-puck touch first?"
                ),
                answers=answers,
            )
        )
        if answer == "none":
            return ()
        at_ms = self.shot.strike.at_ms if blind is None else blind
        return (Touch(name=classes[answer], at_ms=at_ms + 1.0, error_ms=0.0),)

    def _disturbed(self) -> bool:
        """Return whether other pieces left or moved, though no contact of the cue-puck was seen."""
        if any(gone.name != self.cue for gone in self.gone):
            return True
        for name, piece in self.before.items():
            rest = self.rest.get(name)
            if name != self.cue and rest is not None:
                reach = STILL_MM + SIGMAS * hypot(piece.error_mm, rest.error_mm)
                if rest.at.distance_mm(piece.at) > reach:
                    return True
        return False

    def order_before(self, name: str, others: Iterable[Gone], last: Gone) -> bool:
        """Return whether all of `others` were gone before `last` fell (section 6, step 4)."""
        sure, close = True, False
        for other in others:
            match order(other.at_ms, other.error_ms, last.at_ms, last.error_ms):
                case Verdict.NO:
                    sure = False
                case Verdict.CLOSE:
                    close = True
        if not sure or not close:
            return sure
        return self.case.oracle.yes(
            Doubt(
                key=f"all-before-{name}",
                words=say(
                    "Were {names} gone before {last} fell?",
                    names=listed(g.name for g in others),
                    last=last.name,
                ),
                answers=YES_NO,
                piece=last.name,
            )
        )
