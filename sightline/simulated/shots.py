"""Single shots on the simulated table, with their truth: the test bench of the seeing part."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import atan2, cos, exp, hypot, log, pi, sin, sqrt
from pathlib import Path

from rules.board import Board
from rules.facts import Fact
from sightline.simulated.cueing import stroke_stick
from sightline.simulated.discs import Surface
from sightline.simulated.physics import Run, play
from sightline.simulated.pieces import Lying, free_place, name_of, surface_of
from sightline.simulated.scene import Scene
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from sightline.simulated.truth import bodies_at, clip_truth, shot_facts
from vision.frame import Frame

SCENARIOS = ("clean", "graze", "ricochet", "together", "jump", "scratch", "random")
STRIKE_S = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedShot:
    """One shot: what lay, what followed, its facts, and the frames that show it.

    `facts` have their times in ms of the frames' clock and end with Settled; `clip` is the truth in
    the form of a reference table's clip. `frames` can be iterated as often as wanted.
    """

    table: SimulatedTable
    lying: tuple[Lying, ...]
    run: Run
    facts: tuple[Fact, ...]
    clip: Mapping[str, object]
    frames: "Film"
    scenario: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """Frames of a shot, drawn when they are asked for. Frame k is exposed from k / fps on."""

    table: SimulatedTable
    lying: tuple[Lying, ...]
    run: Run
    struck: str
    fps: float
    count: int
    exposure_s: float

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Frame]:
        for k in range(self.count):
            yield self.frame(k)

    def frame(self, k: int) -> Frame:
        """Frame number `k`."""
        start_s = k / self.fps
        picture = self.table.photographer.frame(self.scene, start_s, self.exposure_s)
        return Frame(
            image=picture, at_ms=1000 * start_s, number=k, exposure_ms=1000 * self.exposure_s
        )

    def scene(self, at_s: float) -> Scene:
        """What stands before the camera at an instant."""
        first = self.run.paths[self.struck][1]
        struck = next(p for p in self.lying if p.name == self.struck)
        stick = stroke_stick(
            (struck.x_mm, struck.y_mm),
            struck.radius_mm,
            (first.vx_mm_s, first.vy_mm_s),
            self.run.start_s - at_s,
        )
        return Scene(
            bodies=bodies_at(self.run, self.lying, at_s),
            sticks=() if stick is None else (stick,),
        )


def simulated_shot(
    seed: int,
    *,
    fps: float = 60.0,
    size: tuple[int, int] = (1280, 720),
    exposure_ms: float = 4.0,
    scenario: str = "random",
    pieces: int = 12,
    table: SimulatedTable | None = None,
    folder: Path | None = None,
) -> SimulatedShot:
    """A shot at a random layout. The same arguments give the same shot.

    `scenario`: "clean" (a full hit on a free piece), "graze" (a thin one), "ricochet" (a cushion
    first), "together" (two pieces hit at nearly the same time, the gap uniform in its logarithm
    from 0.02 to 30 ms), "jump" (the struck piece flies off the board), "scratch" (towards a
    pocket), "random" (any speed and direction). Give the `table` of an earlier shot to save setting
    up another; give `folder` to have the table folder written there. Raises ValueError for another
    scenario.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"scenario must be one of {', '.join(SCENARIOS)}, not {scenario!r}")
    table = set_up_table(size, seed=seed) if table is None else table
    if folder is not None:
        write_table(table, folder)
    rng = random.Random(f"shot {seed} {scenario} {pieces}")
    surface = surface_of(table.board, slowing_mm_s2=rng.uniform(900, 2200))
    lying, run = _find(rng, table.board, surface, scenario, pieces)
    frames = int(fps * (run.rest_s + 1.25)) + 1
    exposure_s = min(exposure_ms / 1000, 0.95 / fps)
    return SimulatedShot(
        table=table,
        lying=lying,
        run=run,
        facts=shot_facts(run, lying, "cue-puck"),
        clip=clip_truth(run, lying, "cue-puck", fps=fps, frames=frames, exposure_s=exposure_s),
        frames=Film(
            table=table,
            lying=lying,
            run=run,
            struck="cue-puck",
            fps=fps,
            count=frames,
            exposure_s=exposure_s,
        ),
        scenario=scenario,
        folder=folder,
    )


def _find(
    rng: random.Random, board: Board, surface: Surface, scenario: str, count: int
) -> tuple[tuple[Lying, ...], Run]:
    """Draws layouts and aims until one does what the scenario wants."""
    for _ in range(400):
        lying = random_layout(rng, board, count)
        aim = _aim(rng, board, lying, scenario)
        if aim is None:
            continue
        lying, push = aim
        hops = (lambda speed: speed > 250) if scenario == "jump" else (lambda speed: False)
        run = play(
            surface, [p.disc() for p in lying], {"cue-puck": push}, start_s=STRIKE_S, hops=hops
        )
        if _serves(run, scenario):
            return lying, run
    raise RuntimeError(f"no layout for a {scenario!r} shot was found in 400 tries")


def _serves(run: Run, scenario: str) -> bool:
    told = [h for h in run.happenings if h.speed_mm_s >= 5 or h.what != "contact"]
    kinds = [h.what for h in told]
    match scenario:
        case "clean" | "graze":
            return bool(kinds) and kinds[0] == "contact"
        case "ricochet":
            return "contact" in kinds and kinds[0] == "cushion"
        case "together":
            contacts = [h for h in told if h.what == "contact" and "cue-puck" in (h.a, h.b)]
            return len(contacts) >= 2 and contacts[1].at_s - contacts[0].at_s < 0.03
        case "jump":
            return "off_board" in kinds
        case "scratch":
            return any(h.what in ("pocketed", "rebounded") and h.a == "cue-puck" for h in told)
        case _:
            return True


def random_layout(rng: random.Random, board: Board, count: int) -> tuple[Lying, ...]:
    """`count` pieces strewn over the surface: the cue-puck, the Queen, the rest of both colours."""
    laid: list[Lying] = []
    numbers: dict[str, int] = {}
    specs = list(board.pieces)
    pucks = [s for s in specs if s.kind == "puck"]
    alone = [s for s in specs if s.kind != "puck"]
    for k in range(count):
        spec = alone[k] if k < len(alone) else pucks[k % len(pucks)]
        half_x = board.width_mm / 2 - spec.diameter_mm / 2
        half_y = board.height_mm / 2 - spec.diameter_mm / 2
        while True:
            x, y = rng.uniform(-half_x, half_x), rng.uniform(-half_y, half_y)
            if free_place(board, spec, x, y, laid, 1.0):
                break
        numbers[spec.colour] = numbers.get(spec.colour, 0) + 1
        name = name_of(spec, numbers[spec.colour])
        laid.append(Lying(name=name, spec=spec, x_mm=x, y_mm=y))
    return tuple(laid)


Aim = tuple[tuple[Lying, ...], tuple[float, float]]


def _aim(rng: random.Random, board: Board, lying: tuple[Lying, ...], scenario: str) -> Aim | None:
    cue = lying[0]
    target = rng.choice(lying[1:])
    speed = exp(rng.uniform(log(700), log(4200)))
    angle = atan2(target.y_mm - cue.y_mm, target.x_mm - cue.x_mm)
    far = hypot(target.x_mm - cue.x_mm, target.y_mm - cue.y_mm)
    reach = cue.radius_mm + target.radius_mm
    match scenario:
        case "clean":
            angle += rng.uniform(-0.5, 0.5) * reach / far
        case "graze":
            angle += rng.choice((-1, 1)) * rng.uniform(0.85, 0.995) * reach / far
        case "ricochet":
            side = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
            wall_x = 2 * (board.width_mm / 2 - cue.radius_mm) * side[0]
            wall_y = 2 * (board.height_mm / 2 - cue.radius_mm) * side[1]
            x = wall_x - target.x_mm if side[0] else target.x_mm
            y = wall_y - target.y_mm if side[1] else target.y_mm
            angle = atan2(y - cue.y_mm, x - cue.x_mm)
        case "together":
            return _aim_at_two(rng, board, lying, speed, angle)
        case "scratch":
            pocket = rng.choice(board.pockets).centre
            angle = atan2(pocket.y_mm - cue.y_mm, pocket.x_mm - cue.x_mm)
            angle += rng.uniform(-0.06, 0.06)
        case "jump":
            speed = rng.uniform(2500, 4500)
            angle += rng.uniform(-0.3, 0.3) * reach / far
        case _:
            angle = rng.uniform(-pi, pi)
    return lying, (speed * cos(angle), speed * sin(angle))


def _aim_at_two(
    rng: random.Random, board: Board, lying: tuple[Lying, ...], speed: float, angle: float
) -> Aim | None:
    """Lays two pieces astride the cue-puck's line, so that it meets them a chosen time apart."""
    cue, others = lying[0], list(lying[1:])
    ux, uy = cos(angle), sin(angle)
    gap_mm = exp(rng.uniform(log(2e-5), log(0.03))) * speed
    first_way = rng.uniform(120, 420)
    laid: list[Lying] = [cue]
    for way, side, piece in ((first_way, 1, others[0]), (first_way + gap_mm, -1, others[1])):
        reach = cue.radius_mm + piece.radius_mm
        aside = side * rng.uniform(0.55, 0.95) * reach
        ahead = way + sqrt(reach**2 - aside**2)
        x, y = cue.x_mm + ux * ahead - uy * aside, cue.y_mm + uy * ahead + ux * aside
        if not free_place(board, piece.spec, x, y, laid, 0.5):
            return None
        laid.append(Lying(name=piece.name, spec=piece.spec, x_mm=x, y_mm=y))
    for other in others[2:]:
        if not free_place(board, other.spec, other.x_mm, other.y_mm, laid, 1.0):
            return None
        laid.append(other)
    return tuple(laid), (speed * ux, speed * uy)
