"""Turn pictures with known truth into what `learn.py` learns from: a case for every piece found.

python training/examples.py --out FOLDER TABLE...  (table folders with stills/NNN.jpg, NNN.json)
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from calibration.table import Table, load_table
from vision.appearance.light import Light, Standing
from vision.appearance.scene import Scene
from vision.frame import Picture
from vision.localisation import places
from vision.localisation.stand import Fit
from vision.localisation.trust.case import Case, case_of
from vision.localisation.trust.hints import hints_mm
from vision.observe import look

TAKEN_FOR_MM = 2.0
LEAST_VISIBLE = 0.75

Arrays = dict[str, np.ndarray]


def seen_at(
    table: Table, pose: dict | None, piece: dict, standing: Standing
) -> tuple[float, float]:
    """Where a piece would be found if nothing but the calibration erred.

    For rendered tables `pose` is the camera's true one: what the calibration errs is no piece's
    fault, and is not learned.
    """
    if pose is None:
        return piece["x"], piece["y"]
    turned = np.array(pose["pose"])
    point = np.array([piece["x"], piece["y"], standing.body.thickness_mm]) - turned[:3, 3]
    x, y, z = point @ turned[:3, :3]
    pixel = np.array([[pose["cx"] - pose["f"] * x / z, pose["cy"] + pose["f"] * y / z]])
    found = table.camera.to_plane(pixel, standing.body.thickness_mm)[0]
    return float(found[0]), float(found[1])


def asked(picture: Picture, table: Table) -> list[Case]:
    """The cases that the law is asked about while `picture` is looked at."""
    cases = []

    def note(
        scene: Scene, found: Fit, standing: Standing, others: Sequence[Standing], light: Light
    ) -> Fit:
        case = case_of(scene, standing.at(found.x_mm, found.y_mm), others, light)
        cases.extend([] if case is None else [case])
        return found

    with mock.patch.object(places, "settle", note):
        look(picture, table)
    return cases


def examples(picture: Picture, table: Table, truth: dict, pose: dict | None) -> Arrays | None:
    """`hints_mm` (n, K, 2) of the pieces found, what each lacks, `error_mm` (n, 2), and `names`."""
    hints: list[dict[str, np.ndarray]] = []
    errors: list[tuple[float, float]] = []
    for case in asked(picture, table):
        me = case.here
        far = [np.hypot(p["x"] - me.x_mm, p["y"] - me.y_mm) for p in truth["pieces"]]
        piece = truth["pieces"][int(np.argmin(far))]
        if min(far) <= TAKEN_FOR_MM and piece["visible"] >= LEAST_VISIBLE:
            x, y = seen_at(table, pose, piece, me)
            hints.append(hints_mm(case))
            errors.append((x - me.x_mm, y - me.y_mm))
    if not hints:
        return None
    return {
        "hints_mm": np.array([list(said.values()) for said in hints]),
        "names": np.array(list(hints[0])),
        "error_mm": np.array(errors),
    }


def main() -> None:
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("tables", type=Path, nargs="+")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for folder in asked.tables:
        table = load_table(folder)
        pose_file = folder / "pose.json"
        pose = json.loads(pose_file.read_text()) if pose_file.exists() else None
        for path in sorted((folder / "stills").glob("*.json")):
            picture = cv2.imread(str(path.with_suffix(".jpg")))
            made = examples(picture, table, json.loads(path.read_text()), pose)
            if made is not None:
                np.savez(asked.out / f"{folder.name}_{path.stem}.npz", **made)
                middle = float(np.median(np.hypot(*made["error_mm"].T)))
                print(
                    f"{folder.name} {path.stem}: {len(made['error_mm'])} pieces, {middle:.3f} mm",
                    flush=True,
                )


if __name__ == "__main__":
    main()
