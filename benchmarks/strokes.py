"""Strokes of Carrom and Q-Square, watched at 30 frames a second: what is told of them.

    python benchmarks/strokes.py {open,soft,pushed,hidden,beneath,nudged,break,cued,aimed,left}
        [--strokes 140] [--first 0] [--camera webcam] [--show]

`open`: the striker is flicked up the board at one of many men, at any speed and at any instant of a
frame. `soft`: so, but it stops within 14 mm. `pushed`: so, but the finger pushes it along the base
line first. `hidden`: it is flicked back at a man who lies by its base line, where the hand that
flicks lies over both. `break`: it is flicked at the rack of nineteen. `beneath`: the hand that
flicks it back pushed it there and lies over half of it all the while. `nudged`: so, but pushed by a
centimetre at most, or not at all. `cued`: a cue strikes the cue-puck of Q-Square at a puck close to
it, by a cushion, with others beside that. `aimed`: so, but with the cue over the surface from the
first picture on. `left`: so, but with the other player's cue left there, which goes as this one
comes. The frames are drawn and watched; still pictures are told by the truth, for they are not what
is measured here. Counted are the strokes told as such, by the struck piece and nothing else, and
not as a drag; those told from where that lay, to a millimetre; those told as hidden when struck,
and of the others those told from within twice their error; what that touched first, told rightly,
asked about with that among the answers, or else told wrongly or not at all; falls told and false;
strokes after which something is told to have been moved by the hand, though nothing was; and those
after which it is known how many men of each colour lie there. `--camera` changes the pictures as
clubs' cameras and lamps do (`cameras.py`). `--show` names those that went wrong.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from testkit.carrom_table import canonical_rack  # noqa: E402
from testkit.flicks import (  # noqa: E402
    FPS,
    STRUCK_S,
    Man,
    Set,
    beside_cue,
    carrom_tables,
    cue_stroke,
    flick,
    qsquare_tables,
    watched,
)

from benchmarks.cameras import CAMERAS, STEADY, through  # noqa: E402
from calibration.table import Table  # noqa: E402
from rules.facts import (  # noqa: E402
    Contacted,
    Fact,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Removed,
    Settled,
    Struck,
    Unclear,
)
from rules.geometry import Point  # noqa: E402
from rules.verdicts import Verdict, order  # noqa: E402
from sightline.simulated.acts.cue import Stroke as CueStroke  # noqa: E402
from sightline.simulated.carrom.flick import PUSHED_S, Flick  # noqa: E402

Point2 = tuple[float, float]
STRUCK = {"striker", "cue-puck"}
_MOUTH_MM = 110.0  # from a corner: nearer, it would lie in a pocket
_POCKET_MM, _LIP_MM = 470.0, 38.5  # Q-Square's, from the middle along both sides; its radius
_AIMED_S = 1.4  # before it, the cue is not there yet
_SAME_MM = 1.0
_THERE_S = 0.5  # before that the cue is there already


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """What is struck lies `at` its place and is sent towards `aim`, mm; `men` lie about."""

    at: tuple[float, float]
    men: tuple[Man, ...]
    aim: tuple[float, float]
    speed_mm_s: float
    struck_s: float = STRUCK_S
    pushed_mm: float = 0.0  # along the base line, before it is struck
    cue_tip_mm: tuple[float, float] | None = None  # of the other player's, left there at first


def open_stroke(seed: int) -> Stroke:
    """A stroke up the board at one of many men."""
    random = np.random.default_rng(seed)
    at = (float(random.uniform(-200, 200)), -252.6)
    men: list[Man] = []
    for _ in range(int(random.integers(4, 16))):
        x, y = (float(n) for n in random.uniform((-340, -200), (340, 340)))
        colour = ("black", "white")[int(random.integers(2))]
        if all(hypot(x - u, y - v) > 31.5 for _, u, v in men):
            men.append((colour, x, y))
    aim = (men[0][1] + float(random.normal(0, 8)), men[0][2] + float(random.normal(0, 8)))
    struck_s = STRUCK_S + float(random.choice((0.0, random.uniform(0, 1 / FPS))))
    speed = float(random.uniform(700, 5000))
    return Stroke(at=at, men=tuple(men), aim=aim, speed_mm_s=speed, struck_s=struck_s)


def soft_stroke(seed: int) -> Stroke:
    """One that touches nothing: it stops within some millimetres."""
    random = np.random.default_rng(seed)
    at = float(random.uniform(-180, 180)), float(random.uniform(-256, -248))
    aim = float(random.uniform(-300, 300)), float(random.uniform(-200, 200))
    return Stroke(at=at, men=(("white", *aim),), aim=aim, speed_mm_s=float(random.uniform(55, 160)))


def pushed_stroke(seed: int) -> Stroke:
    """The like, with the striker pushed along the base line first by the hand that flicks it."""
    random = np.random.default_rng(seed)
    stroke = open_stroke(seed)
    far = float(np.copysign(random.uniform(4, 160), stroke.at[0]))
    return replace(stroke, struck_s=PUSHED_S + float(random.uniform(0.2, 1.0)), pushed_mm=far)


def hidden_stroke(seed: int) -> Stroke:
    """A stroke back at a man by the base line, with others about."""
    random = np.random.default_rng(seed)
    at = (float(random.uniform(-200, 200)), -252.6)
    men: list[Man] = []

    def by_base(half_mm: float, rows: tuple[float, float]) -> tuple[float, float]:
        x = float(np.clip(at[0] + random.uniform(-half_mm, half_mm), -340, 340))
        return x, float(random.uniform(*rows))

    def lay(colour: str, place: tuple[float, float]) -> None:
        free = all(hypot(place[0] - x, place[1] - y) > 33 for _, x, y in men)
        if free and hypot(place[0] - at[0], place[1] - at[1]) > 40:
            men.append((colour, *place))

    colours = ("black", "white")
    while not men:
        lay(colours[seed % 2], by_base(110, (-352, -275)))
    for _ in range(int(random.integers(1, 5))):
        colour = colours[int(random.integers(2))]
        lay(colour, (float(random.uniform(-330, 330)), float(random.uniform(-200, 330))))
    if random.random() < 0.5:
        lay(colours[int(random.integers(2))], by_base(120, (-352, -200)))
    speed = float(random.uniform(900, 3000))
    aim = (men[0][1] + float(random.normal(0, 8)), men[0][2] + float(random.normal(0, 8)))
    return Stroke(at=at, men=tuple(men), aim=aim, speed_mm_s=speed)


def beneath_stroke(seed: int) -> Stroke:
    """The striker is flicked back from half beneath the hand that pushed it there."""
    random = np.random.default_rng(seed)
    at = float(random.uniform(-180, 180)), float(random.uniform(-256, -243))
    far = float(random.uniform(20, 110)) * float(random.choice((-1, 1)))
    if abs(at[0] - far) > 200:
        far = -far
    aside = -float(np.copysign(random.uniform(60, 110), far))
    return _flicked_back(random, at, aside, far)


def nudged_stroke(seed: int) -> Stroke:
    """The like, but pushed by a centimetre at most, or not at all."""
    random = np.random.default_rng(seed)
    at = float(random.uniform(-180, 180)), float(random.uniform(-256, -240))
    far = float(random.uniform(1.5, 12)) * float(random.choice((-1, 0, 1)))
    aside = float(random.uniform(60, 110)) * float(random.choice((-1, 1)))
    return _flicked_back(random, at, aside, far)


def _flicked_back(
    random: np.random.Generator, at: Point2, aside_mm: float, pushed_mm: float
) -> Stroke:
    """At a man behind it and so far aside."""
    aim = (
        float(np.clip(at[0] + aside_mm, -330, 330)),
        float(random.uniform(-335, -295)),
    )
    return Stroke(
        at=at,
        men=(("white", *aim), ("black", -90.0, 100.0)),
        aim=aim,
        speed_mm_s=float(random.uniform(600, 1200)),
        struck_s=PUSHED_S + 0.9,
        pushed_mm=pushed_mm,
    )


def break_stroke(seed: int) -> Stroke:
    """A stroke at the rack, whose men touch or nearly do."""
    random = np.random.default_rng(seed)
    at = (float(random.uniform(-200, 200)), -252.6)
    turn_deg, apart = float(random.uniform(0, 360)), float(random.uniform(1.001, 1.016))
    men: list[Man] = [
        (piece.colour, apart * piece.at.x_mm, apart * piece.at.y_mm)
        for piece in canonical_rack(turn_deg).values()
    ]
    aim = float(random.normal(0, 20)), float(random.normal(0, 10))
    struck_s = STRUCK_S + float(random.uniform(0, 1 / FPS))
    speed = float(random.uniform(1200, 5500))
    return Stroke(at=at, men=tuple(men), aim=aim, speed_mm_s=speed, struck_s=struck_s)


def cued_stroke(seed: int) -> Stroke:
    """A stroke at a puck close to the cue-puck by a cushion, with others beside it."""
    random = np.random.default_rng(seed)
    edge, puck, cue = 508.0, 12.5, 25.0
    pucks = [(_POCKET_MM, _POCKET_MM)]
    while _over_pocket(*pucks[0]):
        along = float(random.uniform(-440, 440))
        pucks = [(along, edge - puck - _beside_cushion(random))]
    others = int(random.integers(1, 4))
    while len(pucks) <= others:
        aside = float(random.choice((-1, 1)) * random.uniform(2 * puck, 90))
        x, y = pucks[0][0] + aside, edge - puck - _beside_cushion(random)
        apart = all(hypot(x - u, y - v) > 2 * puck + 0.1 for u, v in pucks)
        if abs(x) < 460 and apart and not _over_pocket(x, y):
            pucks.append((x, y))
    while True:
        way, gap = float(random.uniform(0, 2 * np.pi)), float(random.uniform(1, 60))
        far = puck + cue + gap
        x, y = pucks[0][0] + far * np.cos(way), pucks[0][1] + far * np.sin(way)
        free = all(hypot(x - u, y - v) > puck + cue + 0.5 for u, v in pucks)
        at_corner = hypot(edge - abs(x), edge - abs(y)) < _MOUTH_MM
        if max(abs(x), abs(y)) < edge - cue and free and not at_corner:
            break
    aim = pucks[0][0] + float(random.normal(0, 8)), pucks[0][1] + float(random.normal(0, 8))
    places = [*pucks, (float(x), float(y)), aim]
    for _ in range(int(random.integers(4))):  # which cushion it is
        places = [(-v, u) for u, v in places]
    *laid, at, aim = places
    return Stroke(
        at=at,
        men=tuple((("red", "blue")[int(random.integers(2))], u, v) for u, v in laid),
        aim=aim,
        speed_mm_s=float(random.uniform(500, 4000)),
        struck_s=_AIMED_S + float(random.choice((0.0, random.uniform(0, 1 / FPS)))),
    )


def _over_pocket(x: float, y: float) -> bool:
    """Whether what lies there would have fallen."""
    return hypot(_POCKET_MM - abs(x), _POCKET_MM - abs(y)) < _LIP_MM


def _beside_cushion(random: np.random.Generator) -> float:
    """How far, in mm, the rim of a puck is from the cushion that it lies at, or near to."""
    return float(random.choice((0.1, random.uniform(0.1, 60))))


def aimed_stroke(seed: int) -> Stroke:
    """The like, with the cue over the surface from the first still picture on."""
    return replace(cued_stroke(seed), struck_s=_THERE_S)


def left_stroke(seed: int) -> Stroke:
    """The like, with the other player's cue left there, which goes as this one comes."""
    random = np.random.default_rng(seed)
    stroke = cued_stroke(seed)
    x, y = (float(n + random.uniform(-150, 150)) for n in stroke.at)
    return replace(stroke, cue_tip_mm=(x, y))


WAYS = {
    "open": open_stroke,
    "soft": soft_stroke,
    "pushed": pushed_stroke,
    "hidden": hidden_stroke,
    "beneath": beneath_stroke,
    "nudged": nudged_stroke,
    "break": break_stroke,
    "cued": cued_stroke,
    "aimed": aimed_stroke,
    "left": left_stroke,
}
CUED = {"cued", "aimed", "left"}


def drawn(table: Table, stroke: Stroke) -> tuple[Table, list[Man], float, Point2, Point2]:
    """What `flick` and `cue_stroke` are told of a stroke, in their order."""
    return table, [*stroke.men], stroke.speed_mm_s, stroke.at, stroke.aim


def counted(tables: Set, stroke: Stroke, seed: int, *, cued: bool) -> Counter[str]:
    """What was told of one stroke, as names with a count of each."""
    place = drawn(tables[1], stroke)
    act = (
        cue_stroke(*place, struck_s=stroke.struck_s)
        if cued
        else flick(*place, struck_s=stroke.struck_s, pushed_mm=stroke.pushed_mm)
    )
    if stroke.cue_tip_mm is not None and isinstance(act, CueStroke):
        act = beside_cue(act, stroke.cue_tip_mm)
    facts, start = watched(tables, act, film=seed)
    strikes = [f for f in facts if isinstance(f, Struck)]
    told = [f for f in strikes if f.piece == act.struck]
    off_mm = [f.at.distance_mm(Point(*stroke.at)) for f in told]
    moved = [f for f in facts if isinstance(f, Moved | Placed | Removed)]
    if stroke.pushed_mm:  # the striker was moved by hand indeed
        moved = [f for f in moved if not (isinstance(f, Moved) and f.piece == act.struck)]
    fell, falls_told = falls(act.facts()), falls(facts)
    return Counter(
        {
            "strokes": 1,
            "struck": int([(f.piece, f.dragged) for f in strikes] == [(act.struck, False)]),
            f"first touch {_first_touch(act, facts, start)}": 1,
            "falls": fell.total(),
            "falls told": (fell & falls_told).total(),
            "false falls": (falls_told - fell).total(),
            "struck where it lay": int(len(told) == 1 and off_mm[0] < _SAME_MM),
            "struck hidden": int(any(f.hidden for f in told)),
            "struck within twice its error": int(
                len(told) == 1 and not told[0].hidden and off_mm[0] < 2 * told[0].error_mm
            ),
            "moved by hand": int(bool(moved)),
            "men known after it": int(_lying(facts) == Counter(p.spec.colour for p in act.after)),
        }
    )


def _lying(facts: Sequence[Fact]) -> Counter[str]:
    """How many men of each colour, and strikers, lie there as told last: none, if never told."""
    told = [fact.pieces for fact in facts if isinstance(fact, Settled)]
    return Counter(piece.colour for piece in told[-1]) if told else Counter()


def falls(facts: Sequence[Fact]) -> Counter[tuple[str, str]]:
    """Into which pocket which colour fell; of men of one colour nobody knows which is which."""
    return Counter((f.pocket, f.piece.split("-")[0]) for f in facts if isinstance(f, Pocketed))


def _first_touch(act: Flick | CueStroke, facts: Sequence[Fact], start: Sequence[Piece]) -> str:
    """How the struck piece's first touch was told."""
    lay = {piece.name: _lying_at(piece.at, act) for piece in start}
    true = next((name for f in act.facts() if (name := _touched(f))), "")
    for fact in sorted(facts, key=lambda f: f.at_ms):
        if name := _touched(fact):
            if any(_cannot_be_told_apart(fact, other) for other in facts):
                return "asked"
            return "right" if lay[name] == true else "wrong"
        if isinstance(fact, Unclear):
            offered = {
                lay[name] for answer in fact.answers for f in answer if (name := _touched(f))
            }
            nothing = not true and () in fact.answers
            return "asked" if true in offered or nothing or not offered else "asked without it"
    return "untold" if true else "right"


def _cannot_be_told_apart(touch: Fact, other: Fact) -> bool:
    """Whether nobody knows which of two touches came first; then the rules ask."""
    if not (isinstance(touch, Contacted) and isinstance(other, Contacted)):
        return False
    if _touched(other) in ("", _touched(touch)):
        return False
    times = touch.at_ms, touch.error_ms, other.at_ms, other.error_ms
    return order(*times) is Verdict.CLOSE


def _lying_at(at: Point, act: Flick | CueStroke) -> str:
    """What lay nearest to a place before the stroke."""
    return min(act.before, key=lambda piece: at.distance_mm(Point(piece.x_mm, piece.y_mm))).name


def _touched(fact: Fact) -> str:
    """The man that the struck piece touched; empty: the fact tells no touch of it."""
    if not isinstance(fact, Contacted) or not {fact.a, fact.b} & STRUCK:
        return ""
    return fact.b if fact.a in STRUCK else fact.a


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("way", choices=WAYS)
    ask.add_argument("--strokes", type=int, default=140)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--camera", default=STEADY, choices=[STEADY, *CAMERAS])
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        cued = args.way in CUED
        simulated, table = (qsquare_tables if cued else carrom_tables)(Path(folder) / "table")
        for seed in range(args.first, args.first + args.strokes):
            tables = through(simulated, args.camera), table
            found = counted(tables, WAYS[args.way](seed), seed, cued=cued)
            total += found
            right = found["first touch right"] or found["first touch asked"]
            well = found["struck"] and right and found["falls"] == found["falls told"]
            well = well and bool(found["men known after it"] and found["struck where it lay"])
            if args.show and not (well and not found["false falls"] + found["moved by hand"]):
                print(f"{seed}: {dict(found)}", flush=True)
    for name, count in sorted(total.items()):
        print(f"{name:30} {count}")
    print(f"{(time.process_time() - began) / args.strokes:.1f} s a stroke")


if __name__ == "__main__":
    main()
