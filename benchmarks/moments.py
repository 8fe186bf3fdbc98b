"""A moment of a simulated match looked at again: what was seen of it, and what truly happened.

    python benchmarks/games.py carrom --first-seed 203 --matches 1 --keep kept
    python benchmarks/moments.py kept/carrom-2-203.jsonl 1573000-1582500 [--pictures FOLDER]
        [--before-s 20]

The match is played again from its seed, without pictures, and what was seen the first time is
handed to the referee until the moment (ms of match time) begins; from there on its pictures are
drawn and looked at by today's code. What is seen (<) and what truly happened (>) is told in order
of time. Begin where all lies still and no hand is there. With `--before-s` pictures are drawn and
looked at so long before the moment as well, but nothing that is seen then is handed on: so the code
knows by then what it would know in the whole match. With `--pictures` each picture is written there
as a PNG.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from benchmarks.cameras import STEADY, through  # noqa: E402
from benchmarks.rooms import room  # noqa: E402
from calibration.table import Table, load_table  # noqa: E402
from rules.codec import fact_from_json, fact_to_json  # noqa: E402
from rules.facts import Fact, Piece, Settled  # noqa: E402
from rules.game import Step  # noqa: E402
from rules.transcript import fact_line  # noqa: E402
from sightline.simulated.optics.renderer import Photographer, Picture  # noqa: E402
from sightline.simulated.repertoire import agreement_on  # noqa: E402
from sightline.simulated.scene import Scene  # noqa: E402
from sightline.simulated.seen import Eye, SeenMatch, play_before_camera  # noqa: E402
from sightline.simulated.table import write_table  # noqa: E402
from vision.answers_clip import witness_of  # noqa: E402
from vision.frame import Frame, Sighting  # noqa: E402

CHOSEN = ("game", "players", "option", "size", "fps", "most_s", "flawless", "room", "camera")
"""What of the options of games.py makes a match what it is, beside its seed."""


class Keeping:
    """An eye that keeps what it sees: a line of what was chosen, then one for each sighting."""

    def __init__(self, eye: Eye, path: Path, chosen: dict[str, Any], seed: int) -> None:
        self._eye = eye
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
        self._path = path
        self._write({**chosen, "seed": seed})

    def feed(self, frame: Frame) -> Iterable[Sighting]:
        for sighting in self._eye.feed(frame):
            self._write({"frame": frame.number, "saw": fact_to_json(sighting.fact)})
            yield sighting

    def _write(self, value: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(value) + "\n")


class Recalling:
    """An eye that tells what was seen before, until the moment begins, and what it sees from then
    on; it looks from `look_ms` on."""

    def __init__(
        self, kept: Sequence[dict[str, Any]], table: Table, begin_ms: float, look_ms: float
    ) -> None:
        self._kept = kept
        self._table = table
        self._begin_ms = begin_ms
        self._look_ms = look_ms
        self._next = 0
        self._pieces: tuple[Piece, ...] = ()
        self._eye: Eye | None = None

    def feed(self, frame: Frame) -> Iterable[Sighting]:
        sees: Iterable[Sighting] = ()
        if frame.at_ms >= self._look_ms:
            if self._eye is None:
                self._eye = witness_of(self._table, pieces=self._pieces)
            sees = list(self._eye.feed(frame))
        if frame.at_ms >= self._begin_ms:
            yield from sees
            return
        while self._next < len(self._kept) and self._kept[self._next]["frame"] <= frame.number:
            fact = fact_from_json(self._kept[self._next]["saw"])
            self._next += 1
            if isinstance(fact, Settled):
                self._pieces = fact.pieces
            yield Sighting(fact=fact)


class Shuttered:
    """A photographer who takes no picture before the moment begins; noise is as it would be."""

    def __init__(self, photographer: Photographer, begin_ms: float, folder: Path | None) -> None:
        self._photographer = photographer
        self._begin_ms = begin_ms
        self._folder = folder
        self._black = np.zeros((1, 1, 3), np.uint8)

    def begin_again(self, film: int = 1) -> None:
        self._photographer.begin_again(film)

    def frame(self, scene: Callable[[float], Scene], start_s: float, exposure_s: float) -> Picture:
        if 1000 * start_s < self._begin_ms:
            self._photographer.miss()
            return self._black
        picture = self._photographer.frame(scene, start_s, exposure_s)
        if self._folder is not None:
            cv2.imwrite(str(self._folder / f"{1000 * start_s:.0f}.png"), picture)
        return picture


def look_again(
    path: Path,
    begin_ms: float,
    end_ms: float,
    folder: Path | None = None,
    *,
    before_ms: float = 0.0,
) -> SeenMatch:
    """The match of a kept file, played until `end_ms` and looked at from `begin_ms` on, or from so
    long before that already."""
    look_ms = begin_ms - before_ms
    chosen, *kept = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    width, height = (int(n) for n in chosen["size"].split("x"))
    options = [(name, value) for name, _, value in (o.partition("=") for o in chosen["option"])]
    played_in = room(chosen["game"], (width, height), chosen.get("room", 0))
    with tempfile.TemporaryDirectory() as tables:
        table = load_table(write_table(played_in.at_setup, Path(tables) / "table"))
        at_match = through(played_in.at_match, chosen.get("camera", STEADY))
        photographer = Shuttered(at_match.photographer, look_ms, folder)
        return play_before_camera(
            replace(at_match, photographer=cast(Photographer, photographer)),
            table,
            Recalling(kept, table, begin_ms, look_ms),
            agreement_on(chosen["game"], chosen["players"], options),
            seed=chosen["seed"],
            fps=chosen["fps"],
            most_s=min(chosen["most_s"], end_ms / 1000),
        )


def _lines(steps: Iterable[Step[Any]], mark: str) -> list[tuple[float, str]]:
    return [
        (step.fact.at_ms, f"{mark} {_words(step.fact)} | {'; '.join(said)}")
        for step in steps
        for said in [[f"{r.code} {r.call}" for r in step.rulings]]
    ]


def _words(fact: Fact) -> str:
    return f"@{fact.at_ms:.0f} settled" if isinstance(fact, Settled) else fact_line(fact)[:170]


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("kept", type=Path)
    ask.add_argument("moment", metavar="FROM-UNTIL", help="ms of match time")
    ask.add_argument("--pictures", type=Path, metavar="FOLDER")
    ask.add_argument("--before-s", type=float, default=0.0, metavar="SECONDS")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    begin_ms, end_ms = (float(n) for n in args.moment.split("-"))
    if args.pictures is not None:
        args.pictures.mkdir(parents=True, exist_ok=True)
    before_ms = 1000 * args.before_s
    match = look_again(args.kept, begin_ms, end_ms, args.pictures, before_ms=before_ms)
    seen, true = match.seen.steps, match.evening.truth.steps
    for at_ms, line in sorted(_lines(seen, "<") + _lines(true, ">")):
        if at_ms >= begin_ms:
            print(line)


if __name__ == "__main__":
    main()
