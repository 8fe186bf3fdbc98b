"""What `observe` makes of the reference stills: pieces, places, line calls, hands.

    python benchmarks/stills.py --tables FOLDER [--only TABLE] [--every N] [--worst N] [--classes]
                                [--hands] [--others [--way NAME …]]

FOLDER holds table folders with `stills/NNN.jpg` and their truth `.json` (docs/table-folder.md), or
is one of them. A piece is found where one is said within 8 mm. Each row says the figure and what it
was measured on. `--others` measures other tables that are made from these, each way in a row
(`other_tables.py`): what holds on the tables that it was tuned on alone shows there. `--hands`
measures only stills in which a hand is over the table.
"""

import argparse
import json
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from other_tables import WAYS, make  # noqa: E402

from calibration.table import load_table  # noqa: E402
from vision.frame import Observation  # noqa: E402
from vision.observe import look  # noqa: E402

NEAR_MM = 8.0
WORTH_NAMING = 0.8
HEADER = (
    f"{'':13}  found false  right   median 95 %  worst  2 sigma  wrong >0.3  close   hand\n"
    f"{'':13}      %     %      %       mm    mm     mm        %  calls   mm      %"
)


@dataclass(slots=True)
class Tally:
    """What was counted over all stills."""

    wanted: int = 0  # pieces of which 0.6 or more is seen
    found: int = 0
    misnamed: int = 0
    said: int = 0
    false: int = 0
    errors_mm: list[float] = field(default_factory=list)  # of pieces of which 0.75 is seen
    sigmas: list[float] = field(default_factory=list)
    calls: int = 0
    firm_wrong: list[float] = field(default_factory=list)  # their true margins
    close_far: int = 0
    missing: int = 0
    beyond: int = 0  # calls with a margin beyond 0.5 mm
    stills: int = 0
    hands_right: int = 0
    seconds: list[float] = field(default_factory=list)
    again_seconds: list[float] = field(default_factory=list)
    worst: list[tuple[float, str]] = field(default_factory=list)
    classes: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """Error in mm and in sigmas of each piece, by what it has in common with others."""

    def add(self, name: str, truth: dict[str, Any], seen: Observation) -> None:
        self.stills += 1
        self.hands_right += seen.hand == truth["hand"]
        pieces = truth["pieces"]
        of = self._places(name, pieces, seen, truth.get("conditions", {}).get("light", "any light"))
        self._lines(name, truth.get("line_tests", []), pieces, seen, of)

    def _places(
        self, name: str, pieces: list[Any], seen: Observation, light: str
    ) -> dict[int, int]:
        pairs = sorted(
            (hypot(p["x"] - q.at.x_mm, p["y"] - q.at.y_mm), i, j)
            for i, p in enumerate(pieces)
            for j, q in enumerate(seen.pieces)
        )
        of: dict[int, int] = {}
        same: set[int] = set()
        for exact in (True, False):
            for error_mm, i, j in pairs:
                p, q = pieces[i], seen.pieces[j]
                alike = (p["kind"], p["colour"]) == (q.kind, q.colour)
                if error_mm > NEAR_MM or i in of or j in of.values() or (exact and not alike):
                    continue
                of[i] = j
                if alike:
                    same.add(i)
                    if p.get("visible", 1.0) >= 0.75:
                        self.errors_mm.append(error_mm)
                        sigmas = error_mm / max(q.error_mm, 1e-9)
                        self.sigmas.append(sigmas)
                        table = name.split("/")[0]
                        for what in ("", f" {p['colour']} {p['kind']}", f", {light}"):
                            alike_ones = self.classes.setdefault(table + what, [])
                            alike_ones.append((error_mm, sigmas))
                        self.worst.append((error_mm, f"{name} {p['colour']} {p['kind']}"))
        for i, p in enumerate(pieces):
            if p.get("visible", 1.0) >= 0.6:
                self.wanted += 1
                self.found += i in of
                self.misnamed += i in of and i not in same
                if i not in of:
                    self.worst.append((99.0, f"{name} {p['colour']} {p['kind']} not found"))
        self.said += len(seen.pieces)
        self.false += len(seen.pieces) - len(of)
        return of

    def _lines(
        self, name: str, tests: list[Any], pieces: list[Any], seen: Observation, of: dict[int, int]
    ) -> None:
        said = {(test.piece, test.line): test for test in seen.line_tests}
        for test in tests:
            if pieces[test["piece"]].get("visible", 1.0) < 0.6:
                continue
            self.calls += 1
            margin = float(test["margin_mm"])
            self.beyond += abs(margin) > 0.5
            call = said.get((of.get(test["piece"], -1), test["line"]))
            if call is None:
                self.missing += 1
            elif call.seen is None:
                self.close_far += abs(margin) > 0.5
            elif call.seen != test["seen"]:
                self.firm_wrong.append(abs(margin))
                self.worst.append((abs(margin), f"{name} line {test['line']} called wrong"))

    def class_rows(self) -> Iterator[tuple[str, str]]:
        for what, errors in sorted(self.classes.items()):
            errors_mm, sigmas = np.array(errors).T
            middle, most = np.quantile(errors_mm, [0.5, 0.95])
            within = " ".join(f"{100 * np.mean(sigmas < k):5.1f}" for k in (1, 2, 3))
            yield what, f"{middle:.3f} {most:.3f}   {within}   of {len(errors)}"

    def row(self) -> str:
        """All that has a goal, in the order of `HEADER`."""

        def share(part: float, whole: float) -> float:
            return 100 * part / whole if whole else float("nan")

        middle, most, worst = np.quantile(self.errors_mm or [np.nan], [0.5, 0.95, 1.0])
        within = np.mean(np.array(self.sigmas or [np.nan]) <= 2)
        far = sum(margin > 0.3 for margin in self.firm_wrong)
        return (
            f"{share(self.found, self.wanted):6.2f} {share(self.false, self.said):5.2f} "
            f"{share(self.found - self.misnamed, self.found):6.2f}   "
            f"{middle:.3f} {most:.3f} {worst:.3f}  {100 * within:5.1f}   "
            f"{len(self.firm_wrong):3} {far:3} {share(self.close_far, self.beyond):6.2f}   "
            f"{self.hands_right:2} of {self.stills}"
        )

    def rows(self) -> Iterator[tuple[str, str]]:
        def share(part: float, whole: float) -> str:
            return f"{100 * part / whole:.2f} %" if whole else "-"

        yield (
            "pieces found (0.6 or more seen)",
            f"{share(self.found, self.wanted)} of {self.wanted}",
        )
        yield "false pieces", f"{share(self.false, self.said)} of {self.said} said"
        right = self.found - self.misnamed
        yield "kind and colour right", f"{share(right, self.found)} of {self.found}"
        errors = np.array(self.errors_mm or [np.nan])
        quantiles = np.quantile(errors, [0.5, 0.95, 1.0])
        words = ", ".join(f"{q:.3f}" for q in quantiles)
        yield "place error, mm: median, 95 %, worst", f"{words} (of {len(self.errors_mm)})"
        sigmas = np.array(self.sigmas or [np.nan])
        yield "errors within 2 sigma", share(float((sigmas <= 2).sum()), len(self.sigmas))
        wrong = len(self.firm_wrong)
        far = sum(margin > 0.3 for margin in self.firm_wrong)
        yield "line calls firm but wrong", f"{share(wrong, self.calls)} of {self.calls}"
        yield "  of these beyond a margin of 0.3 mm", str(far)
        yield "line calls close beyond 0.5 mm", f"{share(self.close_far, self.beyond)}"
        yield "line calls not made", share(self.missing, self.calls)
        yield "hand right", f"{share(self.hands_right, self.stills)} of {self.stills}"
        yield "processor seconds a still", f"{np.median(self.seconds):.2f}"
        yield "  looked at again, unchanged", f"{np.median(self.again_seconds):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--classes", action="store_true", help="each table, look and light too")
    parser.add_argument("--hands", action="store_true", help="only stills with a hand")
    parser.add_argument("--others", action="store_true", help="other tables, made from these")
    parser.add_argument("--way", action="append", default=[], choices=list(WAYS))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.others:
        _measure_others(options)
        return
    total = Tally()
    for folder in _folders(options.tables):
        if options.only in folder.name:
            _measure(folder, options, total)
    if not total.stills:
        sys.exit(f"no stills of discs below {options.tables}")
    print()
    for what, figure in total.rows():
        print(f"{what:42s} {figure}")
    if options.classes:
        print("\nplace error, mm: median, 95 %; % of errors within 1, 2, 3 sigma")
        for what, figures in total.class_rows():
            print(f"{what:42s} {figures}")
    print("\nworst:")
    for error, where in sorted(total.worst, reverse=True)[: options.worst]:
        print(f"  {error:8.3f}  {where}")


def _measure_others(options: argparse.Namespace) -> None:
    print(HEADER)
    for name in options.way or WAYS:
        total = Tally()
        for folder in _folders(options.tables):
            if options.only in folder.name:
                with tempfile.TemporaryDirectory() as there:
                    other = Path(there) / folder.name
                    make(folder, other, WAYS[name])
                    _measure(other, options, total, quiet=True)
        print(f"{name:13} {total.row()}", flush=True)
        for error, where in sorted(total.worst, reverse=True)[: options.worst]:
            if error > WORTH_NAMING:
                print(f"    {error:8.3f}  {where}", flush=True)


def _folders(tables: Path) -> list[Path]:
    found = (
        [tables]
        if (tables / "board.toml").exists()
        else [path.parent for path in sorted(tables.glob("*/board.toml"))]
    )
    return [
        folder
        for folder in found
        if tomllib.loads((folder / "board.toml").read_text())["game"] in ("qsquare", "carrom")
    ]


def _measure(
    folder: Path, options: argparse.Namespace, total: Tally, *, quiet: bool = False
) -> None:
    stills = sorted((folder / "stills").glob("*.json"))[:: options.every]
    if options.hands:
        stills = [path for path in stills if json.loads(path.read_text())["hand"]]
    table = load_table(folder) if stills else None
    for path in stills:
        assert table is not None
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        if picture is None:
            sys.exit(f"{path.with_suffix('.jpg')} cannot be read")
        began = time.process_time()
        first = look(np.asarray(picture, dtype=np.uint8), table)
        total.seconds.append(time.process_time() - began)
        seen = first.seen
        total.add(f"{folder.name}/{path.stem}", json.loads(path.read_text()), seen)
        if quiet:
            continue
        grain = np.random.default_rng(0).normal(0, 1.5, picture.shape)
        again = np.clip(picture + grain, 0, 255).astype(np.uint8)
        began = time.process_time()
        look(again, table, first)
        total.again_seconds.append(time.process_time() - began)
        print(f"{folder.name}/{path.stem}: {len(seen.pieces)} pieces", flush=True)


if __name__ == "__main__":
    main()
