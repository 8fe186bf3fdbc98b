"""The places of all pieces that move, or may be about to, in one frame: who is found where."""

from collections.abc import Callable, Sequence
from functools import partial
from math import hypot

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.motion.body import Body
from vision.motion.covered import is_aside, keep
from vision.motion.falling import Disc, Mouths, seen_in_mouth, stays_in_mouth
from vision.motion.fitting import Fix
from vision.motion.flying import look_past_border
from vision.motion.following import follow, intact, is_gone, lose, on_its_way, reseal, sets_off
from vision.motion.foresight import Runner, foresee
from vision.motion.ground import Ground
from vision.motion.hand_like import at_mouth, is_hand
from vision.motion.hands import HandWatch
from vision.motion.held import by_unseen, lies_by_hand
from vision.motion.lying import half_seen
from vision.motion.pushing import near_mover, push_on
from vision.motion.returning import shows_at_home
from vision.motion.seeking import ahead, around, fit_on, looks_like, reach_of, search
from vision.motion.shutter import Shutter
from vision.motion.smear import fitted_as_smeared, misfit
from vision.motion.stamp import Cover
from vision.motion.tint import is_darker_another, is_of_another, tint_of
from vision.motion.twins import alike, seems_pushed, untwined

Gray = NDArray[np.uint8]
_LONG_LOST = 12
_LIKE_ITSELF = 0.85
_FAST_PX = 14  # in a frame: slower, and the lens blurs more than the shutter


class Measuring:
    """One frame's work: make it, `run` it, and the bodies have one sample more."""

    def __init__(
        self,
        ground: Ground,
        board: Board,
        hands: HandWatch,
        shutter: Shutter,
        *,
        frame_s: float,
        exposure_s: float,
        in_colour: Callable[[], Gray] | None = None,
    ) -> None:
        self.ground = ground
        self.board = board
        self.hands = hands
        self.shutter = shutter
        self.frame_s = frame_s
        self.exposure_s = exposure_s
        self._in_colour = in_colour
        self._bodies: Sequence[Body] = ()
        self._at_ms = 0.0
        self.awake: list[Body] = []
        self.runners: list[Runner] = []
        self.fixes: dict[int, Fix] = {}
        self._half_seen: dict[int, list[Fix]] = {}

    def run(
        self, picture: Gray, bodies: Sequence[Body], at_ms: float, frame: int, *, time_shutter: bool
    ) -> None:
        """Measure `bodies` in `picture`; `time_shutter` where nobody tells the exposure."""
        self._bodies, self._at_ms = bodies, at_ms
        self.awake = awake = [b for b in bodies if b.awake and not b.gone]
        if not awake:
            return
        self.runners = [
            Runner(b.x_mm, b.y_mm, b.vx_mm_s, b.vy_mm_s, b.known.radius_mm, b.mass) for b in awake
        ]
        if any(b.vx_mm_s or b.vy_mm_s for b in awake):
            foresee(self.runners, self.frame_s, self.board.width_mm / 2, self.board.height_mm / 2)
        self.fixes = {
            k: seal.fix
            for k, body in enumerate(awake)
            if (seal := intact(body, picture, self.ground))
        }
        fresh = [k for k in range(len(awake)) if k not in self.fixes]
        if fresh:
            self._find(picture, fresh, frame)
            for k in self.fixes:
                awake[k].sinks = awake[k].sank = False
            self._refine(picture, fresh)
            self._smear(picture, fresh)
            self._find_sinking(fresh)
            if time_shutter and not self.shutter.sure:
                self._time_shutter(picture, fresh)
            for k in fresh:  # what sets another off has lost speed by the frame after
                found, body = self.fixes.get(k), awake[k]
                if found is not None and not body.moved and sets_off(found, body):
                    body.push = max(body.push, push_on(body, self._found(), self.frame_s))
        for k, body in enumerate(awake):
            found = self.fixes.get(k)
            if found is None:
                lose(body, self.runners[k], self.board, frame_s=self.frame_s)
            else:
                follow(body, found, at_ms, frame, frame_s=self.frame_s)
                reseal(body, found, picture, self.ground)
            if k not in self.fixes and k in self._half_seen:
                keep(body, self._half_seen[k], at_ms, frame)
            body.aside = body.aside + 1 if is_aside(body, at_ms) else 0
            if body.lost and not body.flew and (body.moved or body.push > 0):
                look_past_border(
                    self.ground,
                    picture,
                    body,
                    self.board,
                    at_ms,
                    frame,
                    reach_mm=reach_of(body, self.frame_s),
                    twin_lost=self._twin_is_lost(k),
                    in_colour=self._in_colour,
                )
            body.gone = body.flew is not None or is_gone(body, self.board, self.frame_s)

    # -- finding -----------------------------------------------------------------------------

    def _found(self) -> list[tuple[Body, Fix]]:
        """Each piece that was found by now, and where."""
        return [(self.awake[k], found) for k, found in self.fixes.items()]

    def _cover(self, k: int) -> Cover:
        runner = self.runners[k]
        blur = (runner.vx_mm_s * self.exposure_s, runner.vy_mm_s * self.exposure_s)
        return self.awake[k].cover(self.fixes.get(k), (runner.x_mm, runner.y_mm), blur)

    def _find(self, picture: Gray, fresh: Sequence[int], frame: int) -> None:
        awake = self.awake
        offers: list[tuple[float, int, Fix]] = []
        weak: list[int] = []
        first: dict[int, Fix] = {}
        for k in sorted(fresh, key=lambda k: (awake[k].lost, not awake[k].moved)):
            body, runner = awake[k], self.runners[k]
            if not body.moved and self._covered(body):
                if body.cued:  # the hand that hides where it lay may have struck it
                    weak.append(k)
                continue
            # where a lost piece might be says little: it must not hide one that lies there
            lately = 3 if body.moved else 1
            others = tuple(
                self._cover(i)
                for i in range(len(awake))
                if i != k and (i in self.fixes or awake[i].lost < lately)
            )
            lies = shows_at_home(self.ground, picture, body, others)
            if lies is not None:
                self.fixes[k] = lies
                continue
            blur = (runner.vx_mm_s * self.exposure_s, runner.vy_mm_s * self.exposure_s)
            guess = (runner.x_mm, runner.y_mm)
            found = fit_on(self.ground, picture, body, guess, blur_mm=blur, others=others)
            off = hypot(found.x_mm - guess[0], found.y_mm - guess[1])
            limit = 0.6 * body.known.radius_mm + 0.3 * hypot(*blur) + 4
            sure = found.share > body.enough and not self._may_be_pushed(found, body, fresh)
            if off < limit and sure and self._apart(found, body):
                self.fixes[k] = found
                continue
            weak.append(k)
            first[k] = found
            if off < limit and body.moved and looks_like(body, found):
                offers.append((found.share / body.best, k, found))
        # what a cue sets off, then what runs: they say how far they can have sent the others
        ranks = {k: 0 if awake[k].cued else 1 if awake[k].runs >= 2 else 2 for k in weak}
        last = max(ranks.values(), default=0)
        for rank in sorted(set(ranks.values())):
            for k in (k for k in weak if ranks[k] == rank):
                if awake[k].lost > _LONG_LOST and not awake[k].held and (frame + k) % 4:
                    continue  # long lost: look for it now and then
                offers += self._seek(picture, k, first.get(k))
            pushed = [self._may_be_pushed(found, awake[k], weak) for _, k, found in offers]
            ranked = sorted(zip(pushed, offers, strict=True), key=lambda o: (o[0], -o[1][0]))
            for another, (_, k, found) in ranked:
                if k in self.fixes or not self._apart(found, awake[k]):
                    continue
                if ranks[k] > rank or (another and rank < last):
                    continue  # it is looked for elsewhere first, or its like is
                if not self._is_another(awake[k], found):
                    self.fixes[k] = found
        self.fixes = untwined(self.fixes, offers, awake, self.runners)

    def _find_sinking(self, fresh: Sequence[int]) -> None:
        """Look into the pockets for what was just lost; of two alike nobody knows which it is."""
        before, awake = self.ground.begun, self.awake
        if before is None or before.ndim != 3 or self._in_colour is None:
            return
        for k in (k for k in fresh if k not in self.fixes):
            body = awake[k]
            if not (body.moved or body.push > 0):
                continue
            mouths = Mouths(
                ground=self.ground,
                board=self.board,
                before=before,
                now=self._in_colour,
                others=self._discs(k),
            )
            if not body.lost:
                body.sank |= stays_in_mouth(mouths, body)
            if self._twin_is_lost(k):
                continue
            found = seen_in_mouth(mouths, body, reach_mm=reach_of(body, self.frame_s))
            if found is not None:
                self.fixes[k], body.sinks = found, True
                body.sank |= body.moved  # in the air it would still look like itself

    def _twin_is_lost(self, k: int) -> bool:
        """Whether its like is found nowhere either."""
        lost = (other for i, other in enumerate(self.awake) if i != k and i not in self.fixes)
        return any(alike(other, self.awake[k]) for other in lost)

    def _discs(self, k: int) -> list[Disc]:
        """Where all pieces lay and are now, but for where piece `k` is."""
        return [
            (x, y, other.known.radius_mm)
            for i, other in enumerate(self.awake)
            for x, y in (other.home, self._place(i))
            if i != k or (x, y) == other.home
        ]

    def _place(self, k: int) -> tuple[float, float]:
        """Where a piece was found by now, or is thought to be."""
        found = self.fixes.get(k)
        return self.awake[k].last if found is None else (found.x_mm, found.y_mm)

    def _seek(
        self, picture: Gray, k: int, first: Fix | None = None
    ) -> list[tuple[float, int, Fix]]:
        """(how good, k, where) for all places where piece `k` might be.

        `first` is the one that was found from where it was foreseen, however far off that lies.
        """
        body, runner = self.awake[k], self.runners[k]
        lies = lies_by_hand(body, self.ground, self.hands, self._in_colour, self._at_ms)
        others = tuple(self._cover(i) for i in self.fixes)
        body.push = max(body.push, push_on(body, self._found(), self.frame_s))
        twins = any(
            i != k and i not in self.fixes and alike(body, other)
            for i, other in enumerate(self.awake)
        )
        lying = tuple(
            self._cover(i)
            for i, other in enumerate(self.awake)
            if i != k and i not in self.fixes and not other.moved
        )
        offers = []
        places = search(
            self.ground,
            picture,
            body,
            frame_s=self.frame_s,
            exposure_s=self.exposure_s,
            others=others,
            lying=lying,
            twins=twins,
            hands=self.hands,
        )
        if first is not None and not body.moved and first.share > _LIKE_ITSELF * body.best:
            places.append(first)
        if lies:  # about there: it may have been pushed a little
            places = [p for p in places if body.may_lie_at(p) or body.showed_near(p)]
        self._half_seen[k] = places
        stays = 0.0 if body.moved else body.share_at_home(places)
        if half_seen(stays, body.best, body.shown):
            body.lies(self._at_ms)
        for found in places:
            in_hand = body.may_be_a_hand(found) or self._in_hand(body, found)
            if found.share < stays or in_hand:
                continue
            if body.moved or self._plausible(body, found):
                bonus = 0.1 if on_its_way(found, body, runner) else 0.0
                offers.append((found.share / body.best + bonus, k, found))
        score, _, best = max(offers, key=lambda offer: offer[0], default=(0.0, k, None))
        plain = score > 0.9 or body.is_as_foreseen(first, best)
        if body.lost <= 3 and not body.inside and not plain:
            for found in ahead(
                self.ground,
                picture,
                body,
                runner,
                frame_s=self.frame_s,
                exposure_s=self.exposure_s,
                others=others,
            ):
                if not self._in_hand(body, found):
                    offers.append((found.share / body.best + 0.1, k, found))
        poor = all(found.share <= body.least for _, _, found in offers)
        if poor and body.moved and body.lost == 0 and not body.inside:
            for found in around(
                self.ground,
                picture,
                body,
                frame_s=self.frame_s,
                exposure_s=self.exposure_s,
                others=others,
            ):
                if not self._in_hand(body, found):
                    offers.append((found.share / body.best, k, found))
        return offers

    def _may_be_pushed(self, found: Fix, body: Body, sought: Sequence[int]) -> bool:
        """Whether what was found for a piece may be its like, pushed on, of those still sought."""
        return any(seems_pushed(found, body, self.awake[i]) for i in sought if i not in self.fixes)

    def _apart(self, found: Fix, body: Body) -> bool:
        """Whether no other piece has been found, nor one of its like lay, where this would be."""
        lay = 0.25 * body.known.radius_mm
        if any(
            other is not body
            and not other.moved
            and alike(other, body)
            and other.away_mm(found) < lay
            for other in self.awake
        ):
            return False
        for k, other in self.fixes.items():
            reach = 0.75 * (body.known.radius_mm + self.awake[k].known.radius_mm)
            if self.awake[k] is not body and (
                hypot(found.x_mm - other.x_mm, found.y_mm - other.y_mm) < reach
            ):
                return False
        return True

    def _is_another(self, body: Body, found: Fix) -> bool:
        """Whether what was found for a piece has the colour of another."""
        if self._in_colour is None or body.tint is None:
            return False
        place = (found.x_mm, found.y_mm, body.known.radius_mm)
        seen = tint_of(body.stamp.plane, self._in_colour(), *place)
        others = [
            b.tint
            for b in self._bodies
            if b.tint is not None and b.known.colour != body.known.colour
        ]
        if seen is None:
            return False
        sunk = at_mouth(found, self.board)  # in the dark
        return is_of_another(seen, body.tint, others) or (
            not sunk and is_darker_another(seen, body.tint, others)
        )

    def _refine(self, picture: Gray, fresh: Sequence[int]) -> None:
        """Neighbours once more, each with the other where it was now found."""
        for k in fresh:
            old = self.fixes.get(k)
            if old is None:
                continue
            body = self.awake[k]
            near = [
                i
                for i, other in self.fixes.items()
                if i != k
                and hypot(other.x_mm - old.x_mm, other.y_mm - old.y_mm)
                < 1.4 * (body.known.radius_mm + self.awake[i].known.radius_mm) + 8
            ]
            if not near:
                continue
            place = (old.x_mm, old.y_mm)
            new = fit_on(
                self.ground,
                picture,
                body,
                place,
                blur_mm=self._blur(body, self.runners[k], old),
                others=tuple(self._cover(i) for i in near),
            )
            close = hypot(new.x_mm - place[0], new.y_mm - place[1]) < 0.5 * body.known.radius_mm
            if close and new.share > old.share - 0.05:
                self.fixes[k] = new

    def _smear(self, picture: Gray, fresh: Sequence[int]) -> None:
        """Fit what was at rest in the frame before as smeared as it looks."""
        for k in fresh:
            found, body = self.fixes.get(k), self.awake[k]
            if found is not None and not body.moved and sets_off(found, body):
                self.fixes[k] = fitted_as_smeared(
                    body,
                    picture,
                    self.ground.backdrop,
                    found,
                    self._blur(body, body, found),
                    others=tuple(self._cover(i) for i in self.fixes if i != k),
                    exposure_s=self.exposure_s,
                )

    def _blur(self, body: Body, runner: Runner | Body, found: Fix) -> tuple[float, float]:
        """What a piece ran during the exposure: by its speed, or from rest by where it is."""
        if body.moved:
            return runner.vx_mm_s * self.exposure_s, runner.vy_mm_s * self.exposure_s
        part = self.exposure_s / (self.frame_s * min(body.lost + 1, 4))
        return (found.x_mm - body.home[0]) * part, (found.y_mm - body.home[1]) * part

    def _time_shutter(self, picture: Gray, fresh: Sequence[int]) -> None:
        """Let fast pieces that run free tell by their blur how long the shutter was open."""
        for k in fresh:
            found, body = self.fixes.get(k), self.awake[k]
            run = body.speed * self.frame_s / self.ground.pitch
            if found is None or body.runs < 2 or run < _FAST_PX or found.share < 0.8 or body.lost:
                continue
            before = body.samples[-1]
            way = (found.x_mm - before.x_mm, found.y_mm - before.y_mm)
            speed = (way[0] / self.frame_s, way[1] / self.frame_s)
            if hypot(speed[0] - body.vx_mm_s, speed[1] - body.vy_mm_s) > 0.12 * body.speed:
                continue
            others = tuple(self._cover(i) for i in self.fixes if i != k)
            self.shutter.learn(
                partial(misfit, body, picture, self.ground.backdrop, found, way, others)
            )

    # -- judging what was found --------------------------------------------------------------

    def _covered(self, body: Body) -> bool:
        """Whether a hand hides a good part of a resting piece (as of the frame before)."""
        share = self.hands.share_over(self.ground.box_of(*body.home, body.known, 1.0))
        return share > 0.2

    def _in_hand(self, body: Body, found: Fix) -> bool:
        """Whether it is a hand that looks somewhat like the piece there."""
        return is_hand(
            body,
            found,
            hypot(*self._blur(body, body, found)),
            ground=self.ground,
            hands=self.hands,
            board=self.board,
            in_colour=self._in_colour,
        )

    def _plausible(self, body: Body, found: Fix) -> bool:
        """A piece half hidden by a hand or a cue seems to shift a little: that is no motion."""
        away = body.away_mm(found)
        pushed = body.cued or body.push > 0 or near_mover(body, self.awake, self.frame_s)
        if away < 0.6 * body.known.radius_mm:
            part = 0.85 if pushed and away > 1.5 else 0.96
            return found.share > max(part * body.best, 0.78)
        if any(
            other is not body
            and not other.moved
            and alike(other, body)
            and other.away_mm(found) < body.known.radius_mm
            for other in self.awake
        ):
            return False  # that is its like, which something hides in part
        if not pushed and by_unseen(body, self.awake):
            return found.share > _LIKE_ITSELF * body.best
        if not pushed and self.hands.was_over(0.4):
            return False  # a hand may hide it or carry it: the next still picture will tell
        return found.share > (0.5 if pushed else 0.96) * body.best
