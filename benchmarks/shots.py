"""Simulated shots: who was touched first and when, and all else that happened.

    python benchmarks/shots.py [--shots 1000] [--fps 60] [--noise 0.15]
    python benchmarks/shots.py --pictures 20 [--fps 60] [--late] [--first 0] [--show]

Without `--pictures` each shot's tracks are sampled at the frame rate with noise (one sd per axis in
mm) and solved; with it, frames are drawn and the whole witness sees them, with `--late` as one that
falls behind a fast camera now and then and is spared some frames. A shot counts where the
first contact of the struck piece comes at least 1 ms before any other contact of it. Of all that
happened (knocks of at least 5 mm/s) and all that was told within 0.1 s of it, it is counted what
was missed, what was false (`--show` lists it, by the shot's number, at which `--first` begins), and
how many told times lie within 2 of their own errors. Nobody tells
the exposure time; what it is taken wrong by, which shifts all times of a shot alike, is taken off.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests" / "support")]

from late_reader import read_late  # noqa: E402
from testkit.tracks import random_shot, tracks_of  # noqa: E402

from calibration.table import Table, load_table  # noqa: E402
from rules.facts import (  # noqa: E402
    Contacted,
    Cushioned,
    Fact,
    LeftBoard,
    Piece,
    Pocketed,
    Rebounded,
    Settled,
    Struck,
)
from sightline.simulated.boards import club_board  # noqa: E402
from sightline.simulated.physics import Run  # noqa: E402
from sightline.simulated.pieces import Lying  # noqa: E402
from sightline.simulated.shots import SimulatedShot, simulated_shot  # noqa: E402
from sightline.simulated.table import SimulatedTable, write_table  # noqa: E402
from vision.frame import Observation, Picture, SeenPiece  # noqa: E402
from vision.telling.spell_facts import spell_facts  # noqa: E402
from vision.trajectories.shots import solve_tracks  # noqa: E402
from vision.witness import Witness  # noqa: E402

CUE = "cue-puck"


def first_contact(facts: list[Fact]) -> Contacted | None:
    return next((f for f in facts if isinstance(f, Contacted) and CUE in (f.a, f.b)), None)


def truth_of(run: Run) -> tuple[str | None, float, float]:
    """(whom the cue-puck touched first, when, and the time to its next contact)."""
    hits = [
        h for h in run.happenings if h.what == "contact" and CUE in (h.a, h.b) and h.speed_mm_s >= 5
    ]
    if not hits:
        return None, 0.0, np.inf
    first = hits[0]
    gap = hits[1].at_s - first.at_s if len(hits) > 1 else np.inf
    return (first.b if first.a == CUE else first.a), first.at_s, gap


Key = tuple[str, frozenset[str]]


def key_of(fact: Fact) -> Key | None:
    match fact:
        case Struck(piece=piece, dragged=False):
            return "strike", frozenset((piece,))
        case Contacted(a=a, b=b):
            return "contact", frozenset((a, b))
        case Cushioned(piece=piece, border=border):
            return "cushion", frozenset((piece, border.value))
        case Pocketed(piece=piece, pocket=pocket):
            return "pocketed", frozenset((piece, pocket))
        case Rebounded(piece=piece, pocket=pocket):
            return "rebounded", frozenset((piece, pocket))
        case LeftBoard(piece=piece):
            return "off_board", frozenset((piece,))
        case _:
            return None


def _words(key: Key) -> str:
    return f"{key[0]} {' '.join(sorted(key[1]))}"


@dataclass(slots=True)
class Tally:
    """What happened and what was told of it, by kind; times in ms."""

    happened: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    off: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    def count(self, run: Run, facts: list[Fact], *, shift_ms: float = 0.0) -> list[str]:
        """What was missed and what was false, in words.

        `shift_ms`: by so much all times are off, as nobody told how long the shutter is open.
        """
        amiss = []
        true: list[tuple[Key, float]] = [(("strike", frozenset((CUE,))), 1000 * run.start_s)]
        for h in run.happenings:
            if h.what not in ("contact", "cushion") or h.speed_mm_s >= 5:
                where = (h.a,) if h.what == "off_board" else (h.a, h.b or h.where)
                true.append(((h.what, frozenset(where)), 1000 * h.at_s))
        told = [(key, fact) for fact in facts if (key := key_of(fact)) is not None]
        for key, at_ms in true:
            self.happened[key[0]] += 1
            near = [t for t in told if t[0] == key and abs(t[1].at_ms - at_ms) < 100]
            if not near:
                self.missed[key[0]] += 1
                amiss.append(f"missed: {_words(key)} at {at_ms:.1f} ms")
                continue
            best = min(near, key=lambda t: abs(t[1].at_ms - at_ms))
            told.remove(best)
            error_ms = getattr(best[1], "error_ms", 0.0)
            if error_ms > 0:
                self.off[key[0]].append((best[1].at_ms - at_ms - shift_ms, error_ms))
        self.false.update(key[0] for key, _ in told)
        return [*amiss, *(f"false: {_words(key)} at {fact.at_ms:.1f} ms" for key, fact in told)]

    def report(self) -> None:
        for kind in sorted(self.happened | self.false):
            line = f"{kind}: {self.happened[kind]} happened, {self.missed[kind]} missed"
            line += f", {self.false[kind]} false"
            if self.off[kind]:
                off, sd = np.array(self.off[kind]).T
                inside = 100 * np.mean(np.abs(off) < 2 * sd)
                line += f"; times off by {np.median(np.abs(off)):.3f} ms (median), "
                line += f"{inside:.1f} % within 2 sd, median sd {np.median(sd):.3f} ms"
            print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=int, default=1000)
    parser.add_argument("--fps", type=float, default=60.0)
    parser.add_argument("--noise", type=float, default=0.15)
    parser.add_argument("--exposure", type=float, default=4.0)
    parser.add_argument("--pictures", type=int, default=0)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    exposure_s = min(args.exposure / 1000, 0.95 / args.fps)
    right = counted = tied = tied_right = 0
    errors, wrong = [], []
    tally = Tally()
    board = club_board()
    table: Table | None = None
    simulated: SimulatedTable | None = None
    began = time.perf_counter()
    for seed in range(args.first, args.first + (args.pictures or args.shots)):
        shift_ms = 0.0
        if args.pictures:
            shot = simulated_shot(seed, fps=args.fps, exposure_ms=args.exposure, table=simulated)
            if table is None:
                simulated = shot.table
                with tempfile.TemporaryDirectory() as folder:
                    write_table(simulated, Path(folder))
                    table = load_table(Path(folder))
            run = shot.run
            random = np.random.default_rng(seed) if args.late else None
            facts, taken_s = _seen(shot, table, random)
            shift_ms = 500 * (taken_s - exposure_s)
        else:
            lying, run = random_shot(seed, board)
            tracks, end = tracks_of(
                run,
                lying,
                fps=args.fps,
                noise_mm=args.noise,
                exposure_s=exposure_s,
                seed=seed,
            )
            spell = solve_tracks(
                tracks, board, frame_s=1 / args.fps, until_s=end, exposure_s=exposure_s
            )
            facts = spell_facts(spell)
        for amiss in tally.count(run, facts, shift_ms=shift_ms):
            if args.show:
                print(f"shot {seed}: {amiss}")
        whom, at_s, gap = truth_of(run)
        said = first_contact(facts)
        got = None if said is None else (said.b if said.a == CUE else said.a)
        if gap < 0.001:
            tied += 1
            tied_right += got == whom
            continue
        counted += 1
        if got == whom:
            right += 1
            if said is not None:
                errors.append(abs(said.at_ms - 1000 * at_s))
        else:
            wrong.append((seed, whom, round(at_s, 4), got))
    spent = time.perf_counter() - began
    print(f"shots counted {counted}, first contact right {right} ({100 * right / counted:.2f} %)")
    if errors:
        low, high = np.median(errors), np.percentile(errors, 95)
        print(f"time error: median {low:.3f} ms, 95 % {high:.3f} ms, worst {max(errors):.2f} ms")
    tally.report()
    print(f"nearer than 1 ms to the next: {tied}, of these first named right {tied_right}")
    print(f"{1000 * spent / (counted + tied):.0f} ms a shot; wrong: {wrong[:12]}")


def _seen(
    shot: SimulatedShot, table: Table, late: np.random.Generator | None = None
) -> tuple[list[Fact], float]:
    """The facts of the drawn frames, and how many seconds the shutter was taken to be open.

    The still pictures are told, the motion is seen.
    """
    first, last = shot.facts[0].at_ms, shot.facts[-1]
    now = 0.0

    def look(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        assert isinstance(last, Settled)
        lying = [p.piece() for p in shot.lying] if now <= first else last.pieces
        return Observation(
            pieces=tuple(
                SeenPiece(kind=p.kind, colour=p.colour, at=p.at, error_mm=0.06) for p in lying
            )
        )

    witness = Witness(table, look=look)
    facts: list[Fact] = []
    for frame in shot.frames if late is None else read_late(shot.frames, late):
        now = frame.at_ms
        facts += [s.fact for s in witness.feed(replace(frame, exposure_ms=0.0))]
    facts += [s.fact for s in witness.finish()]
    told = [_in_their_names(f, witness.start_pieces, shot.lying) for f in facts]
    return told, witness.exposure_s


def _in_their_names(fact: Fact, seen: tuple[Piece, ...], lying: tuple[Lying, ...]) -> Fact:
    names = {
        piece.name: min(lying, key=lambda p: hypot(p.x_mm - piece.at.x_mm, p.y_mm - piece.at.y_mm))
        for piece in seen
    }
    match fact:
        case Contacted(a=a, b=b):
            return replace(fact, a=names[a].name, b=names[b].name)
        case (
            Struck(piece=piece)
            | Cushioned(piece=piece)
            | Pocketed(piece=piece)
            | Rebounded(piece=piece)
            | LeftBoard(piece=piece)
        ):
            return replace(fact, piece=names[piece].name)
        case _:
            return fact


if __name__ == "__main__":
    main()
