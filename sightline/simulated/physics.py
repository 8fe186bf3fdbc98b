"""Discs on a board with cushions and pockets, from event to event, exactly and repeatably.

Between events every disc slides along a straight line, slowed by a constant friction, so the time
of each contact is the root of a polynomial and not the end of a time step (the way of pooltool:
Kiefl, "Pooltool: a Python package for realistic billiards simulation", JOSS 2024). Discs are
smooth: an impulse acts along the line of centres. Times are seconds, masses grams.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, sqrt

from rules.geometry import Seat
from sightline.simulated.discs import Disc, Hole, Surface
from sightline.simulated.foresight import Coming, Kind, next_alone, next_contact, way_to_edge
from sightline.simulated.motion import GRAVITY_MM_S2, Phase, Stretch

FAINT_MM_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that happened to disc `a` at `at_s`, at (x, y) with `speed_mm_s`.

    `what`: "contact" (with `b`; the speed is that of the approach), "cushion" (`where` is the
    seat), "pocketed" and "rebounded" (`where` is the pocket; the moment its centre passed the rim
    inwards), "off_board" (its centre passed the surface's edge in the air).
    """

    at_s: float
    what: str
    a: str
    b: str = ""
    where: str = ""
    x_mm: float = 0.0
    y_mm: float = 0.0
    speed_mm_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All that followed from one push: each disc's stretches in order, and what happened."""

    discs: tuple[Disc, ...]
    paths: Mapping[str, tuple[Stretch, ...]]
    happenings: tuple[Happening, ...]
    start_s: float
    rest_s: float

    def stretch(self, name: str, at_s: float) -> Stretch:
        """The stretch that `name` is on at `at_s`."""
        path = self.paths[name]
        low, high = 0, len(path)
        while high - low > 1:
            middle = (low + high) // 2
            if path[middle].start_s <= at_s:
                low = middle
            else:
                high = middle
        return path[low]

    def place(self, name: str, at_s: float) -> tuple[float, float]:
        """(x, y) of the disc's centre, mm."""
        return self.stretch(name, at_s).place(at_s)

    def gone(self) -> Mapping[str, Happening]:
        """The discs that fell or left the board, with how."""
        return {h.a: h for h in self.happenings if h.what in ("pocketed", "off_board")}

    def final(self) -> Mapping[str, tuple[float, float]]:
        """Where each disc that is still on the surface came to rest."""
        gone = self.gone()
        return {
            d.name: self.paths[d.name][-1].place(float("inf"))
            for d in self.discs
            if d.name not in gone
        }


def play(
    surface: Surface,
    discs: Sequence[Disc],
    pushes: Mapping[str, tuple[float, float]],
    *,
    start_s: float = 0.0,
    hops: Callable[[float], bool] = lambda speed_mm_s: False,
) -> Run:
    """What follows when `pushes` (name -> velocity in mm/s) set discs moving at `start_s`.

    `hops` is asked at each contact, with the speed of either disc, whether that disc jumps; it
    then leaves the board if the way to the border is free. Raises ValueError for an unknown name.
    """
    unknown = set(pushes) - {disc.name for disc in discs}
    if unknown:
        raise ValueError(f"no disc called {', '.join(sorted(unknown))}")
    return _Play(surface, discs, start_s, hops).run(pushes)


class _Play:
    def __init__(
        self,
        surface: Surface,
        discs: Sequence[Disc],
        start_s: float,
        hops: Callable[[float], bool],
    ) -> None:
        self.surface = surface
        self.discs = tuple(discs)
        self.hops = hops
        self.start_s = start_s
        self.now: list[Stretch] = [
            Stretch(start_s=start_s, x_mm=d.x_mm, y_mm=d.y_mm) for d in self.discs
        ]
        self.paths: list[list[Stretch]] = [[s] for s in self.now]
        self.over: list[tuple[Hole, float] | None] = [None] * len(self.discs)
        self.out = [False] * len(self.discs)
        self.alone: list[Coming] = [(float("inf"), Kind.STOP, "")] * len(self.discs)
        self.pairs: dict[tuple[int, int], float] = {}
        self.happenings: list[Happening] = []
        self.rest_s = start_s

    def run(self, pushes: Mapping[str, tuple[float, float]]) -> Run:
        names = {disc.name: i for i, disc in enumerate(self.discs)}
        for name, (vx, vy) in pushes.items():
            self._set(names[name], self.start_s, vx, vy)
        for name in pushes:
            self._foresee(names[name])
        for _ in range(100_000):
            at_s, index, pair = self._next()
            if at_s == float("inf"):
                break
            if pair is not None:
                self._collide(*pair, at_s)
            else:
                self._alone(index, at_s)
        else:
            raise RuntimeError("the discs did not come to rest within 100,000 events")
        fell = {h.a: h.at_s for h in self.happenings if h.what == "pocketed"}
        return Run(
            discs=self.discs,
            paths={d.name: tuple(p) for d, p in zip(self.discs, self.paths, strict=True)},
            happenings=tuple(
                # what a falling disc still touches inside its pocket is part of the fall
                h
                for h in sorted(self.happenings, key=lambda h: h.at_s)
                if h.what != "cushion" or h.at_s < fell.get(h.a, float("inf"))
            ),
            start_s=self.start_s,
            rest_s=self.rest_s,
        )

    # what comes next

    def _next(self) -> tuple[float, int, tuple[int, int] | None]:
        best, index = min((entry[0], i) for i, entry in enumerate(self.alone))
        pair = min(self.pairs, key=self.pairs.__getitem__, default=None)
        if pair is not None and self.pairs[pair] < best:
            return self.pairs[pair], -1, pair
        return best, index, None

    def _foresee(self, i: int) -> None:
        """Works out anew what comes next for disc `i`, alone and with each other."""
        if self.out[i]:
            self.alone[i] = (float("inf"), Kind.STOP, "")
        else:
            self.alone[i] = next_alone(self.surface, self.discs[i], self.now[i], self.over[i])
        for j in range(len(self.discs)):
            if j == i:
                continue
            key = (min(i, j), max(i, j))
            when = self._foresee_contact(*key)
            if when is None:
                self.pairs.pop(key, None)
            else:
                self.pairs[key] = when

    def _foresee_contact(self, i: int, j: int) -> float | None:
        a, b = self.now[i], self.now[j]
        touchable = (Phase.SLIDING, Phase.OVER_POCKET)
        if self.out[i] or self.out[j] or a.phase not in touchable or b.phase not in touchable:
            return None
        return next_contact(a, b, self.discs[i].radius_mm + self.discs[j].radius_mm)

    # what happens

    def _set(self, i: int, at_s: float, vx: float, vy: float, **changes: object) -> None:
        s = self.now[i]
        x, y = s.place(at_s)
        phase = s.phase
        stretch = Stretch(
            start_s=at_s,
            x_mm=x,
            y_mm=y,
            vx_mm_s=vx,
            vy_mm_s=vy,
            slowing_mm_s2=self.surface.slowing_mm_s2 if phase is Phase.SLIDING else 0.0,
            phase=phase,
            lift_mm=s.height_mm(at_s),
            lift_mm_s=s.climb_mm_s(at_s),
        )
        self.now[i] = replace(stretch, **changes)  # type: ignore[arg-type]
        self.paths[i].append(self.now[i])
        self.rest_s = max(self.rest_s, at_s)

    def _tell(self, at_s: float, what: str, i: int, **more: object) -> None:
        x, y = self.now[i].place(at_s)
        told = Happening(at_s=at_s, what=what, a=self.discs[i].name, x_mm=x, y_mm=y)
        self.happenings.append(replace(told, **more))  # type: ignore[arg-type]

    def _alone(self, i: int, at_s: float) -> None:
        s = self.now[i]
        _, kind, where = self.alone[i]
        vx, vy = s.velocity(at_s)
        if kind == Kind.STOP:
            self._set(i, at_s, 0.0, 0.0)
        elif kind == Kind.CUSHION:
            keep = self.surface.bounce_cushion
            across = abs(vx) if where in (Seat.E, Seat.W) else abs(vy)
            self._tell(at_s, "cushion", i, where=str(where), speed_mm_s=across)
            if where in (Seat.E, Seat.W):
                vx = -vx * keep
            else:
                vy = -vy * keep
            self._set(i, at_s, vx, vy)
        elif kind == Kind.RIM_IN:
            hole = next(h for h in self.surface.holes if h.id == where)
            self.over[i] = (hole, at_s)
            self._set(i, at_s, vx, vy, phase=Phase.OVER_POCKET, slowing_mm_s2=0.0)
        elif kind == Kind.RIM_OUT:
            self._leave_pocket(i, at_s, vx, vy)
        elif kind == Kind.CAUGHT:
            self._catch(i, at_s, vx, vy)
        elif kind == Kind.EDGE:
            self._tell(at_s, "off_board", i, where=str(where), speed_mm_s=s.speed_mm_s)
            self.out[i] = True
            self.rest_s = max(self.rest_s, at_s)
        self._foresee(i)

    def _leave_pocket(self, i: int, at_s: float, vx: float, vy: float) -> None:
        over = self.over[i]
        assert over is not None
        hole, entered = over
        x, y = self.now[i].place(entered)
        self._tell(at_s, "rebounded", i, where=hole.id, speed_mm_s=hypot(vx, vy), x_mm=x, y_mm=y)
        self.over[i] = None
        keep = self.surface.lip_keeps
        self._set(
            i,
            at_s,
            vx * keep,
            vy * keep,
            phase=Phase.SLIDING,
            slowing_mm_s2=self.surface.slowing_mm_s2,
            lift_mm=0.0,
            lift_mm_s=0.0,
        )

    def _catch(self, i: int, at_s: float, vx: float, vy: float) -> None:
        over = self.over[i]
        assert over is not None
        hole, entered = over
        self._tell(entered, "pocketed", i, where=hole.id, speed_mm_s=hypot(vx, vy))
        x, y = self.paths[i][-1].place(at_s)
        self.out[i] = True
        # it hits the far wall of the pocket and drops: only a picture will ever see this part
        room = max(0.0, hole.radius_mm - 0.6 * self.discs[i].radius_mm)
        off = hypot(x - hole.x_mm, y - hole.y_mm)
        calm = 0.25 if off < room else 0.0
        self._set(i, at_s, vx * calm, vy * calm, phase=Phase.CAUGHT, slowing_mm_s2=6000.0)

    def _collide(self, i: int, j: int, at_s: float) -> None:
        a, b = self.now[i], self.now[j]
        ax, ay = a.place(at_s)
        bx, by = b.place(at_s)
        avx, avy = a.velocity(at_s)
        bvx, bvy = b.velocity(at_s)
        far = hypot(bx - ax, by - ay)
        nx, ny = (bx - ax) / far, (by - ay) / far
        closing = (avx - bvx) * nx + (avy - bvy) * ny
        ma, mb = self.discs[i].mass_g, self.discs[j].mass_g
        before = ma * (avx**2 + avy**2) + mb * (bvx**2 + bvy**2)
        parting = self.surface.bounce_discs * max(0.0, closing)
        faint = parting < FAINT_MM_S
        if faint:
            # pressed against each other while both slow down: kept a hair apart, gaining nothing
            parting = FAINT_MM_S
        push = (closing + parting) / (1 / ma + 1 / mb)
        avx, avy = avx - push / ma * nx, avy - push / ma * ny
        bvx, bvy = bvx + push / mb * nx, bvy + push / mb * ny
        if faint:
            after = ma * (avx**2 + avy**2) + mb * (bvx**2 + bvy**2)
            share = sqrt(before / after) if after > before else 1.0
            avx, avy, bvx, bvy = avx * share, avy * share, bvx * share, bvy * share
        radius = self.discs[i].radius_mm
        self._tell(
            at_s,
            "contact",
            i,
            b=self.discs[j].name,
            x_mm=ax + nx * radius,
            y_mm=ay + ny * radius,
            speed_mm_s=max(0.0, closing),
        )
        self._set(i, at_s, avx, avy)
        self._set(j, at_s, bvx, bvy)
        for k in (i, j):
            speed = self.now[k].speed_mm_s
            if speed > 0 and self.hops(speed):
                self._launch(k, at_s)
        self._foresee(i)
        self._foresee(j)

    def _launch(self, i: int, at_s: float) -> None:
        """Disc `i` jumps, high enough to clear the border, if nothing stands in its way."""
        s, disc = self.now[i], self.discs[i]
        way, _ = way_to_edge(self.surface, s, 0.0)
        ux, uy = s.vx_mm_s / s.speed_mm_s, s.vy_mm_s / s.speed_mm_s
        for j, other in enumerate(self.discs):
            if j == i or self.out[j]:
                continue
            x, y = self.now[j].place(at_s)
            ahead = (x - s.x_mm) * ux + (y - s.y_mm) * uy
            aside = abs((x - s.x_mm) * uy - (y - s.y_mm) * ux)
            if 0 < ahead < way and aside < disc.radius_mm + other.radius_mm + 2:
                return
        flight_s = way / s.speed_mm_s
        rise = self.surface.border_height_mm + 8.0 + disc.radius_mm * 0.2
        climb = rise / flight_s + 0.5 * GRAVITY_MM_S2 * flight_s if flight_s > 0 else 0.0
        if flight_s <= 0.02 or climb > 0.9 * s.speed_mm_s:
            return
        self.now[i] = replace(s, phase=Phase.FLYING, slowing_mm_s2=0.0, lift_mm_s=climb)
        self.paths[i][-1] = self.now[i]
