"""Learn how much of each hint is true: a sum that comes nearest to the true places.

python training/learn.py [--without TABLE] [--out vision/localisation/trust/law.json] FOLDER...

Prints what is left on each table by what was learned from the others.

Ridge regression, with each piece counted for less the more it errs after all (iteratively
reweighted, Holland & Welsch 1977): what is hidden, or doubted, says little.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from vision.localisation.trust.law import relative
from vision.localisation.trust.settle import FARTHEST_MM, SHARE

STRAYED_MM = 1.2
SPREAD = 0.02
"""How far all hints together are expected to move a piece, in mm, squared."""

LOOSE_MM, NEAR_MM = 0.1, 0.04
ROUNDS = 5


class Examples(NamedTuple):
    """Of n pieces the hints (n, K, 2) and what their places lack (n, 2), in mm; `table` (n,)."""

    names: tuple[str, ...]
    hints: np.ndarray
    error: np.ndarray
    table: np.ndarray

    def where(self, these: np.ndarray) -> "Examples":
        return self._replace(
            hints=self.hints[these], error=self.error[these], table=self.table[these]
        )


def read(folders: list[Path]) -> Examples:
    """The examples of all pictures in `folders`, as `examples.py` stores them."""
    paths = sorted(path for folder in folders for path in folder.glob("*.npz"))
    stored = [dict(np.load(path)) for path in paths]
    tables = [[path.stem[:-4]] * len(s["error_mm"]) for path, s in zip(paths, stored, strict=True)]
    return Examples(
        names=tuple(str(name) for name in stored[0]["names"]),
        hints=np.concatenate([s["hints_mm"] for s in stored]),
        error=np.concatenate([s["error_mm"] for s in stored]),
        table=np.concatenate([np.array(t) for t in tables]),
    )


def learned(examples: Examples) -> tuple[np.ndarray, np.ndarray]:
    """(K,) how far each hint usually moves a piece in mm, and how much of it is true."""
    usual_mm = np.sqrt((examples.hints**2).mean(axis=(0, 2))) + 1e-9
    rows = relative(examples.hints, usual_mm).transpose(0, 2, 1).reshape(-1, len(usual_mm))
    wanted = examples.error.ravel()
    amounts = np.zeros(len(usual_mm))
    for _ in range(ROUNDS):
        left = np.hypot(*(wanted - rows @ amounts).reshape(-1, 2).T)
        weighed = rows.T / np.repeat(LOOSE_MM * np.hypot(left, NEAR_MM), 2)
        normal = weighed @ rows + np.eye(len(usual_mm)) * len(usual_mm) / SPREAD
        amounts = np.linalg.solve(normal, weighed @ wanted)
    return usual_mm, amounts


def left_mm(examples: Examples, usual_mm: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """(n,) distance from the truth in mm once the steps are gone as `settle` goes them."""
    steps = np.einsum("k,nkj->nj", amounts, relative(examples.hints, usual_mm))
    length = np.maximum(np.hypot(*steps.T), 1e-9)
    steps *= SHARE * np.minimum(1, FARTHEST_MM / length)[:, None]
    return np.hypot(*(examples.error - steps).T)


def said(name: str, far_mm: np.ndarray) -> str:
    middle, most = np.quantile(far_mm, [0.5, 0.95])
    return f"{name}: median {middle:.3f}, 95 % {most:.3f}, worst {far_mm.max():.2f} mm"


def tell_each_left_out(examples: Examples) -> None:
    """Print the errors on each table, before and after a law of the other tables, and on all."""
    before_mm = np.hypot(*examples.error.T)
    after_mm = before_mm.copy()
    for table in sorted(set(examples.table)):
        own = examples.table == table
        after_mm[own] = left_mm(examples.where(own), *learned(examples.where(~own)))
        print(said(f"{table} before", before_mm[own]))
        print(said(f"{table} after", after_mm[own]))
    print(said("all before", before_mm))
    print(said("all after", after_mm))


def store(names: tuple[str, ...], usual_mm: np.ndarray, amounts: np.ndarray, out: Path) -> None:
    lines = [
        f"  {json.dumps(name)}: [{usual:.6f}, {amount:.6f}]"
        for name, usual, amount in zip(names, usual_mm, amounts, strict=True)
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="where examples.py stored them")
    parser.add_argument("--without", default="", help="a table that the law is not to know")
    parser.add_argument("--out", type=Path, help="where to store the law")
    asked = parser.parse_args()
    examples = read(asked.folders)
    near = np.hypot(*examples.error.T) < STRAYED_MM
    tell_each_left_out(examples.where(near))
    if asked.out is not None:
        usual_mm, amounts = learned(examples.where(near & (examples.table != asked.without)))
        store(examples.names, usual_mm, amounts, asked.out)


if __name__ == "__main__":
    main()
