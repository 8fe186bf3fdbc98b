"""Lattice boards: places read right, hands, placements in clips, photographs, time.

    OPENBLAS_NUM_THREADS=1 python benchmarks/lattice.py --tables FOLDER [--real FOLDER] [--spoilt]
        [--others [--way NAME ...]]

FOLDER holds table folders with pictures whose truth is known (docs/table-folder.md); those with a
lattice are read. A place is wrong where it is told and told wrongly; unknown places are counted
apart, and a board is perfect only where every place is right; a picture that is blind is counted
alone. Reading is timed, and so is decoding the same file in gray beside it: their ratio hangs less
on the machine. `--spoilt` reads every picture again through worse cameras, in other lights and with
the camera moved. `--others` reads other tables that are made from these, each way in a row or those
ways that `--way` names (`other_tables.py`): what holds on the tables that it was tuned on alone
shows there. `--real` names a folder of labelled
photographs (`*.label.json` beside each): of every colour one example, and one of each bare square,
is taught.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from other_tables import WAYS, make

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from calibration.table import Table, load_table  # noqa: E402
from rules.facts import Batch, Emptied, Fact, Filled, HandLeft  # noqa: E402
from vision.frame import Observation, Picture  # noqa: E402
from vision.lattice.photograph import BARE, PhotographedGrid, read_photograph  # noqa: E402
from vision.lattice.read import lattice_of, read_lattice  # noqa: E402
from vision.lattice.stream import LatticeWitness  # noqa: E402
from vision.sources import open_source  # noqa: E402

Spoil = Callable[[Picture], Picture]
LATE_S = 0.3
ROUNDS = 9


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--tables", type=Path)
    ask.add_argument("--real", type=Path)
    ask.add_argument("--spoilt", action="store_true")
    ask.add_argument("--others", action="store_true", help="other tables, made from these")
    ask.add_argument("--way", action="append", default=[], choices=list(WAYS))
    args = ask.parse_args()
    cv2.setNumThreads(1)
    for folder in _folders(args.tables) if args.tables else ():
        table = load_table(folder)
        if not table.board.lattices:
            continue
        began = time.process_time()
        lattice_of(table)
        print(f"== {folder.name}: made ready in {time.process_time() - began:.2f} s")
        _stills(table, folder, "as taken", lambda picture: picture)
        for name, spoil in SPOILT.items() if args.spoilt else ():
            _stills(table, folder, name, spoil)
        _clips(table, folder)
        for way in args.way or WAYS if args.others else ():
            _other(folder, way)
    if args.real:
        _photographs(args.real)


def _other(folder: Path, way: str) -> None:
    """The stills of the table that is made from the one in `folder` in some `way`."""
    with tempfile.TemporaryDirectory() as room:
        made = Path(room)
        make(folder, made, WAYS[way])
        _stills(load_table(made), made, way, lambda picture: picture)


def _folders(tables: Path) -> list[Path]:
    if (tables / "board.toml").exists():
        return [tables]
    return sorted(file.parent for file in tables.glob("*/board.toml"))


def _stills(table: Table, folder: Path, name: str, spoil: Spoil) -> None:
    boards = perfect = places = wrong = unknown = misread = hands = right_hands = blind = 0
    spent: list[float] = []
    times: list[float] = []
    for file in sorted((folder / "stills").glob("*.json")):
        truth = json.loads(file.read_text())
        picture = spoil(_read(file.with_suffix(".jpg")))
        seen, seconds, decoding = _timed(picture, table, file.with_suffix(".jpg"))
        if seen.blind is not None:
            blind += 1
            continue
        bad = _wrong(seen, truth["lattice"])
        hands += 1
        right_hands += seen.hand == truth["hand"]
        if truth["hand"]:
            misread += bad
            continue
        spent.append(seconds)
        times.append(seconds / decoding)
        boards += 1
        perfect += not bad and not seen.unknown
        places += _places(table)
        wrong += bad
        unknown += len(seen.unknown)
    if not boards:
        return
    share = 100 * (1 - (wrong + unknown) / places)
    print(
        f"{name:12s} no hand: {places} places, {wrong} wrong, {unknown} unknown, right {share:.3f} "
        f"%; boards perfect {perfect} of {boards}; hand: {misread} places misread; "
        f"hand told right {right_hands} of {hands}; {blind} blind; "
        f"{1000 * np.median(spent):.1f} ms a picture, {np.median(times):.1f} times its gray decode"
    )


def _timed(picture: Picture, table: Table, file: Path) -> tuple[Observation, float, float]:
    """What is seen; processor seconds for that, and for decoding the picture's `file` in gray."""
    coded = np.fromfile(file, dtype=np.uint8)
    spent, decoding = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE)
        decoded = time.process_time()
        seen = read_lattice(picture, table)
        spent.append(time.process_time() - decoded)
        decoding.append(decoded - began)
    return seen, float(np.median(spent)), float(np.median(decoding))


def _places(table: Table) -> int:
    lattice = lattice_of(table)
    return sum(len(f.layer.keys) for f in lattice.fixed) + sum(
        len(c.layer.keys) for c in lattice.cells
    )


def _wrong(seen: Observation, truth: Mapping[str, Mapping[str, object]]) -> int:
    bad = 0
    for layer in {*truth, *seen.lattice}:
        want, got = truth.get(layer, {}), seen.lattice.get(layer, {})
        for key in {*want, *got}:
            told = f"{layer}:{key}" not in seen.unknown
            bad += told and _even(want.get(key)) != _even(got.get(key))
    return bad


def _even(held: object) -> object:
    if held is None or isinstance(held, str):
        return held
    stack = held if isinstance(held, list) else [held]
    return sorted((piece["kind"], piece["colour"]) for piece in stack)


def _clips(table: Table, folder: Path) -> None:
    true = hit = false = late = 0
    for file in sorted((folder / "clips").glob("*.json")):
        truth = json.loads(file.read_text())
        wanted = {
            (f["kind"], f["colour"], f["at"]) for f in truth["facts"] if f["fact"] == "placed"
        }
        hands = [f["until"] for f in truth["facts"] if f["fact"] == "hand"]
        true += len(wanted)
        for told, at_s in _told(table, file.with_suffix(".mp4")):
            if told not in wanted:
                false += 1
                continue
            wanted.discard(told)
            hit += 1
            gone = max((until for until in hands if until <= at_s + 1e-6), default=at_s)
            late += at_s - gone > LATE_S
    if true:
        print(
            f"clips        {true} placements, {hit} found, {false} false, {late} told later than "
            f"{LATE_S} s after the hand left"
        )


def _told(table: Table, clip: Path) -> Iterator[tuple[tuple[str, str, str], float]]:
    witness = LatticeWitness(table)
    for frame in open_source(clip, gray=True):
        for sighting in witness.feed(frame):
            for fact in _single(sighting.fact):
                if isinstance(fact, Filled):
                    yield (fact.kind, fact.colour, fact.place), frame.at_ms / 1000


def _single(fact: Fact) -> tuple[Fact, ...]:
    match fact:
        case Batch(facts=facts):
            return facts
        case Filled() | Emptied() | HandLeft():
            return (fact,)
        case _:
            return ()


def _photographs(folder: Path) -> None:
    for file in sorted(folder.glob("*/*.label.json")):
        label = json.loads(file.read_text())
        if not label["lattice"] or not any("col" in piece for piece in label["pieces"]):
            continue
        picture = _read(file.with_name(label["image"]))
        grid = PhotographedGrid(
            corners_px=tuple((float(u), float(v)) for u, v in label["corners"]),
            cols=label["lattice"]["cols"],
            rows=label["lattice"]["rows"],
            cells=label["lattice"]["mode"] == "cells",
        )
        truth = {(p["col"], p["row"]): str(p["colour"]) for p in label["pieces"] if "col" in p}
        examples = _examples(label, grid, truth)
        read = read_photograph(picture, grid, examples)
        wrong = sum(truth.get(r.place, BARE) != r.name for r in read)
        name = f"{file.parent.name}/{label['image']}"
        print(
            f"{name:42s} {len(read)} places, {len(truth)} pieces, {len(examples)} examples, "
            f"{wrong} wrong"
        )


def _examples(
    label: Mapping[str, Any], grid: PhotographedGrid, truth: Mapping[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """The one nearest the board's middle of each colour and of each kind of bare square."""
    chequered = label["game"] in ("checkers", "draughts")
    middle = ((grid.cols - 1) / 2, (grid.rows - 1) / 2)
    nearest = sorted(grid.places(), key=lambda p: (p[0] - middle[0]) ** 2 + (p[1] - middle[1]) ** 2)
    chosen: dict[tuple[str, int], tuple[int, int]] = {}
    for place in nearest:
        name = truth.get(place, BARE)
        kind = sum(place) % 2 if chequered and name == BARE else 0
        chosen.setdefault((name, kind), place)
    return {place: name for (name, _), place in chosen.items()}


def _read(file: Path) -> Picture:
    picture = cv2.imread(str(file))
    if picture is None:
        raise SystemExit(f"{file}: cannot be read")
    return np.asarray(picture, dtype=np.uint8)


def _lit(picture: Picture, gain: tuple[float, float, float]) -> Picture:
    light = (picture / 255.0) ** 2.2 * gain
    return np.clip(255 * light ** (1 / 2.2), 0, 255).round().astype(np.uint8)


def _noise(picture: Picture, sigma: float) -> Picture:
    added = np.random.default_rng(7).normal(0, sigma, picture.shape)
    return np.clip(picture + added, 0, 255).round().astype(np.uint8)


def _gamma(picture: Picture, power: float) -> Picture:
    return np.clip(255 * (picture / 255.0) ** power, 0, 255).round().astype(np.uint8)


def _pressed(picture: Picture, quality: int) -> Picture:
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def _blurred(picture: Picture, sigma_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), dtype=np.uint8)


def _shifted(picture: Picture, px: float) -> Picture:
    move = np.array([[1, 0, px], [0, 1, 0.7 * px]], dtype=np.float32)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpAffine(
        picture, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, dtype=np.uint8)


def _shade(picture: Picture) -> Picture:
    """One half in shade, with a soft edge."""
    across = np.linspace(-3, 3, picture.shape[1])[None, :, None]
    light = (picture / 255.0) ** 2.2 * (0.5 + 0.5 / (1 + np.exp(-8 * across)))
    return np.clip(255 * light ** (1 / 2.2), 0, 255).round().astype(np.uint8)


SPOILT: dict[str, Spoil] = {
    "gain 0.8": lambda p: _lit(p, (0.8, 0.8, 0.8)),
    "gain 1.2": lambda p: _lit(p, (1.2, 1.2, 1.2)),
    "gain 0.5": lambda p: _lit(p, (0.5, 0.5, 0.5)),
    "gain 1.5": lambda p: _lit(p, (1.5, 1.5, 1.5)),
    "warm": lambda p: _lit(p, (0.6, 0.9, 1.2)),
    "cold": lambda p: _lit(p, (1.3, 1.0, 0.75)),
    "gamma 0.8": lambda p: _gamma(p, 0.8),
    "gamma 1.25": lambda p: _gamma(p, 1.25),
    "gamma 0.75": lambda p: _gamma(p, 0.75),
    "gamma 1.3": lambda p: _gamma(p, 1.3),
    "noise 4": lambda p: _noise(p, 4.0),
    "noise 6": lambda p: _noise(p, 6.0),
    "blur 0.7 px": lambda p: _blurred(p, 0.7),
    "blur 1 px": lambda p: _blurred(p, 1.0),
    "blur 1.2 px": lambda p: _blurred(p, 1.2),
    "jpeg 65": lambda p: _pressed(p, 65),
    "shift 0.4 px": lambda p: _shifted(p, 0.4),
    "shift 0.8 px": lambda p: _shifted(p, 0.8),
    "shift 2 px": lambda p: _shifted(p, 2.0),
    "shift -9 px": lambda p: _shifted(p, -9.0),
    "half shaded": _shade,
}


if __name__ == "__main__":
    main()
