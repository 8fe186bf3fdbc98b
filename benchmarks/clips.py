"""Facts of the reference clips: found, false, first contacts, times.

    python benchmarks/clips.py --tables FOLDER [--only TABLE/001] [--start truth] [--json OUT.jsonl]
                               [--jitter 0.2 --runs 3] [--way NAME …]

FOLDER holds table folders with `clips/NNN.mp4` and `.json`. With `--start truth` the pieces of the
first and last picture are taken from the truth, so that only the following of motion is measured.
A fact counts as found where the same fact is said within 0.1 s. `--jitter` shifts each place that a
still picture tells by normal noise of so many millimetres, anew in each of `--runs`: what is told
must not hang on tenths of a millimetre. `--way` makes other tables of these (`other_tables.py`).
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from other_tables import WAYS, Change, make  # noqa: E402

from calibration.camera_file import read_lens  # noqa: E402
from calibration.table import Table, load_table  # noqa: E402
from rules.facts import Piece  # noqa: E402
from rules.geometry import Point  # noqa: E402
from vision.answers_clip import watch_clip  # noqa: E402
from vision.frame import Frame, Observation, Picture, SeenPiece  # noqa: E402
from vision.looking import Look  # noqa: E402
from vision.observe import Looker  # noqa: E402
from vision.sources import open_source  # noqa: E402
from vision.witness import Witness  # noqa: E402

NEAR_MM, DT_S = 8.0, 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--start", choices=("seen", "truth"), default="seen")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--jitter", type=float, default=0.0, metavar="MM")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--way", action="append", default=[], choices=list(WAYS))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    answers = []
    for way in args.way or [None]:
        if way is not None:
            print(f"== {way}", flush=True)
        tally = Tally()
        answers += measured(args, way, tally)
        tally.show()
    if args.json:
        args.json.write_text("".join(json.dumps(answer) + "\n" for answer in answers))


def measured(args: argparse.Namespace, way: str | None, tally: "Tally") -> Iterator[dict[str, Any]]:
    """What is told of each clip, counted in `tally`; `way`: of the clips of another table."""
    for folder in sorted(p.parent for p in args.tables.glob("*/board.toml")):
        board = (folder / "board.toml").read_text()
        if not (folder / "clips").is_dir() or "[[lattice]]" in board:
            continue
        table, change = table_of(folder, way)
        for file in sorted((folder / "clips").glob("*.json")):
            name = f"{folder.name}/{file.stem}"
            if args.only and args.only not in name:
                continue
            truth = json.loads(file.read_text())
            for seed in range(args.runs):
                shaken = Shaken(args.jitter, seed) if args.jitter else None
                told = args.start == "truth"
                answer, spent = run(table, file, truth, told, shaken, change)
                tally.add(name, truth, answer, spent)
                yield {"clip": f"{folder.name}/clips/{file.stem}.mp4", **answer}


def table_of(folder: Path, way: str | None) -> tuple[Table, Change | None]:
    """The table in `folder`, or what a `way` makes of it, with what that makes of a frame."""
    if way is None:
        return load_table(folder), None
    change = WAYS[way](read_lens(folder / "camera.json")).picture
    with tempfile.TemporaryDirectory() as there:
        make(folder, Path(there) / folder.name, WAYS[way])
        return load_table(Path(there) / folder.name), change


def run(
    table: Table,
    file: Path,
    truth: dict[str, Any],
    told: bool,
    shaken: "Shaken | None" = None,
    change: Change | None = None,
) -> tuple[dict[str, Any], float]:
    clock = Clock(truth)
    look: Look = clock.look if told else Looker()
    if shaken is not None:
        look = shaken.over(look)
    began = time.perf_counter()
    with open_source(str(file.with_suffix(".mp4"))) as source:
        witness = Witness(table, look=look)
        frames = clock.follow(source)
        if change is not None:
            frames = (
                replace(frame, image=change(frame.in_colour()), jpeg=None, colour=None)
                for frame in frames
            )
        answer = watch_clip(frames, table, witness=witness)
    return dict(answer.as_json()), (time.perf_counter() - began) / max(truth["frames"], 1)


class Shaken:
    """Shifts what still pictures tell by normal noise of `sd_mm` on each axis."""

    def __init__(self, sd_mm: float, seed: int) -> None:
        self.sd_mm = sd_mm
        self.random = np.random.default_rng(seed)

    def over(self, look: Look) -> Look:
        def looked(picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
            seen = look(picture, table, followed)
            return replace(seen, pieces=tuple(self._shifted(piece) for piece in seen.pieces))

        return looked

    def _shifted(self, piece: SeenPiece) -> SeenPiece:
        dx, dy = (float(d) for d in self.random.normal(0.0, self.sd_mm, 2))
        return replace(piece, at=Point(piece.at.x_mm + dx, piece.at.y_mm + dy))


class Clock:
    """Knows the time of the frame last read, so that the truth can be asked in its stead."""

    def __init__(self, truth: dict[str, Any]) -> None:
        self.truth = truth
        self.now_s = 0.0
        self.first_ms: float | None = None

    def follow(self, source: Any) -> Iterator[Frame]:
        for frame in source:
            if self.first_ms is None:
                self.first_ms = frame.at_ms
            self.now_s = (frame.at_ms - self.first_ms) / 1000
            yield replace(frame, at_ms=1000 * self.now_s)

    def look(self, picture: Picture, table: Table, followed: Sequence[Piece]) -> Observation:
        del picture, table, followed
        early = not any(f["t"] < self.now_s for f in self.truth["facts"] if f["fact"] == "strike")
        pieces = self.truth["start" if early else "final"]
        return Observation(
            pieces=tuple(
                SeenPiece(
                    kind=p["kind"], colour=p["colour"], at=Point(p["x"], p["y"]), error_mm=0.06
                )
                for p in pieces
            ),
            hand=any(
                f["fact"] == "hand" and f["t"] <= self.now_s <= f["until"]
                for f in self.truth["facts"]
            ),
        )


class Tally:
    """Counts what was told of clips; `notes` holds what is amiss. It prints them unless `quiet`."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.notes: dict[str, list[str]] = {}
        self.true: Counter[str] = Counter()
        self.hit: Counter[str] = Counter()
        self.false: Counter[str] = Counter()
        self.gaps_s: list[float] = []
        self.first: list[bool] = []

    def add(self, name: str, truth: dict[str, Any], answer: dict[str, Any], spent_s: float) -> None:
        number = _matched(truth["start"], answer["start"])
        left = list(answer["facts"])
        notes = []
        for fact in truth["facts"]:
            self.true[fact["fact"]] += 1
            same = [
                a
                for a in left
                if _key(a, number) == _key(fact, None) and abs(a["t"] - fact["t"]) <= DT_S
            ]
            if not same:
                notes.append(f"missed {fact['fact']} at {fact['t']:.3f}")
                continue
            best = min(same, key=lambda a: abs(a["t"] - fact["t"]))
            left.remove(best)
            self.hit[fact["fact"]] += 1
            self.gaps_s.append(abs(best["t"] - fact["t"]))
        for fact in left:
            self.false[fact["fact"]] += 1
            notes.append(f"false {fact['fact']} at {fact['t']:.3f}")
        self.first.append(_first(truth, None) == _first(answer, number))
        if notes:
            self.notes[name] = notes
        if not self.quiet:
            print(f"{name}: {1000 * spent_s:.1f} ms a frame; {'; '.join(notes) or 'all right'}")

    def show(self) -> None:
        true, hit = sum(self.true.values()), sum(self.hit.values())
        false = sum(self.false.values())
        if not true:
            print("no clips found")
            return
        gaps = np.array(self.gaps_s or [0.0]) * 1000
        print(f"facts found     {100 * hit / true:6.2f} %  ({hit} of {true})")
        print(f"facts false     {100 * false / max(hit + false, 1):6.2f} %  ({false})")
        print(f"first contact   {sum(self.first)} of {len(self.first)} right")
        print(
            f"time error      median {np.median(gaps):.2f} ms, 95 % {np.percentile(gaps, 95):.2f}"
        )


def _matched(truth: list[dict[str, Any]], got: list[dict[str, Any]]) -> dict[int, int]:
    pairs = sorted(
        (np.hypot(t["x"] - g["x"], t["y"] - g["y"]), i, j)
        for i, t in enumerate(truth)
        for j, g in enumerate(got)
        if (t["kind"], t["colour"]) == (g["kind"], g["colour"])
    )
    found: dict[int, int] = {}
    for far, i, j in pairs:
        if far <= NEAR_MM and j not in found and i not in found.values():
            found[j] = i
    return found


def _key(fact: dict[str, Any], number: dict[int, int] | None) -> tuple[Any, ...]:
    def who(k: int | None) -> Any:
        return k if number is None or k is None else number.get(k, ("?", k))

    match fact["fact"]:
        case "contact":
            return "contact", frozenset((who(fact["a"]), who(fact["b"])))
        case "hand" | "rest" as plain:
            return (plain,)
        case other:
            return other, who(fact.get("piece")), fact.get("side") or fact.get("pocket")


def _first(told: dict[str, Any], number: dict[int, int] | None) -> Any:
    struck = next((f for f in told["facts"] if f["fact"] == "strike"), None)
    if struck is None:
        return None
    for fact in sorted(told["facts"], key=lambda f: f["t"]):
        if fact["fact"] == "contact" and struck["piece"] in (fact["a"], fact["b"]):
            return _key(fact, number)
    return None


if __name__ == "__main__":
    main()
