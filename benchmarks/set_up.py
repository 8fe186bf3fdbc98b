"""How well tables are calibrated: residuals, predicted error, paint, time; lenses; drawn truth.

python benchmarks/set_up.py --tables FOLDER
python benchmarks/set_up.py --synthetic 20
"""

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from calibration.board_file import read_board  # noqa: E402
from calibration.camera import Camera, Lens  # noqa: E402
from calibration.camera_file import read_lens  # noqa: E402
from calibration.landmarks import Landmarks, find_markers  # noqa: E402
from calibration.lens import LensFit, calibrate_lens  # noqa: E402
from calibration.pose import PoseFit, first_pose, refine_pose  # noqa: E402
from calibration.sheet import View, find_sheet, read_sheet  # noqa: E402
from calibration.table import Table, derive, load_table  # noqa: E402


def main() -> None:
    """Print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, help="a folder of reference tables")
    parser.add_argument("--synthetic", type=int, default=0, help="pictures with known pose")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.tables is not None:
        for folder in sorted(p.parent for p in asked.tables.glob("*/board.toml")):
            _report(folder)
    if asked.synthetic:
        _synthetic(asked.synthetic, asked.seed)


def _report(folder: Path) -> None:
    table = load_table(folder)
    cost, baseline = _cost(folder, table)
    half_x, half_y = table.board.width_mm / 2, table.board.height_mm / 2
    top = max((spec.thickness_mm for spec in table.board.pieces), default=0.0)
    corners = [table.pose_error.at(x, y, top) for x in (-half_x, half_x) for y in (-half_y, half_y)]
    off = [float(np.abs(line.off_mm).max(initial=0.0)) for line in table.painted.values()]
    print(
        f"{folder.name:22s} {table.stretches:4d} stretches, residual {table.residual_px:.3f} px;"
        f" predicted at the tops {table.pose_error.at(0, 0, top):.3f} mm in the middle,"
        f" {max(corners):.3f} in the corners; paint off by {max(off, default=0.0):.3f} mm at most;"
        f" derived in {cost / baseline:.0f} times the decode of empty.jpg"
    )
    if (folder / "lens" / "charuco.json").exists():
        _lens(folder, table)


def _cost(folder: Path, table: Table) -> tuple[float, float]:
    """CPU seconds of deriving all from the empty picture, and of decoding that picture."""
    coded = np.frombuffer((folder / "empty.jpg").read_bytes(), dtype=np.uint8)
    decode, work = [], []
    for _ in range(3):
        begun = time.process_time()
        cv2.imdecode(coded, cv2.IMREAD_COLOR)
        decode.append(time.process_time() - begun)
        begun = time.process_time()
        derive(folder, table.board, table.camera.lens, table.empty)
        work.append(time.process_time() - begun)
    return min(work), max(min(decode), 1e-6)


def _lens(folder: Path, table: Table) -> None:
    sheet = read_sheet(folder / "lens" / "charuco.json")
    pictures = sorted((folder / "lens").glob("*.jpg"))
    seen = [find_sheet(np.asarray(cv2.imread(str(p))), sheet, p.name) for p in pictures]
    fit = calibrate_lens([view for view in seen if isinstance(view, View)])
    if not isinstance(fit, LensFit):
        print(f"    lens refused: {'; '.join(fit.reasons)}")
        return
    board, empty = read_board(folder / "board.toml"), table.empty
    found = _pose(fit.lens, empty, board)
    if found is None:
        print("    lens: the board was not found with it")
        return
    grid = np.linspace(-0.45, 0.45, 7)
    tops = np.array([(x * board.width_mm, y * board.height_mm, 8.0) for x in grid for y in grid])
    seen_px = table.camera.project(tops)
    off = np.hypot(*(found.to_plane(seen_px, 8.0) - tops[:, :2]).T)
    given = read_lens(folder / "camera.json")
    print(
        f"    lens from {len(fit.views)} views: corners {fit.rms_px:.3f} px, focal length"
        f" {fit.lens.fx - given.fx:+.2f} px against camera.json; places at the tops differ by"
        f" {np.sqrt(np.mean(off**2)):.3f} mm rms, {off.max():.3f} worst;"
        f" expected {fit.place_mm:.3f}"
    )


def _pose(lens: Lens, empty: np.ndarray, board: object) -> Camera | None:
    from rules.board import Board

    assert isinstance(board, Board)
    marks = find_markers(empty, board)
    if not isinstance(marks, Landmarks):
        return None
    first = first_pose(lens, marks)
    if not isinstance(first, Camera):
        return None
    fit = refine_pose(empty, first, board, marks)
    return fit.camera if isinstance(fit, PoseFit) else None


def _synthetic(count: int, seed: int) -> None:
    from testkit.painted_board import Look, camera_over, photograph, small_lens, square_board

    rng = np.random.default_rng(seed)
    board = square_board()
    grid = (-180.0, -90.0, 0.0, 90.0, 180.0)
    tops = np.array([(x, y, 8.0) for x in grid for y in grid])
    made, told, spread = [], [], []
    for _ in range(count):
        camera = camera_over(small_lens(), rng)
        look = Look(blur_px=rng.uniform(0.5, 0.9), noise=rng.uniform(1, 4))
        picture = photograph(board, camera, rng, look)
        marks = find_markers(picture, board)
        assert isinstance(marks, Landmarks)
        first = first_pose(camera.lens, marks)
        assert isinstance(first, Camera)
        fit = refine_pose(picture, first, board, marks)
        if not isinstance(fit, PoseFit):
            print(f"not found: {fit.reason}")
            continue
        off = fit.camera.to_plane(camera.project(tops), 8.0) - tops[:, :2]
        error = np.array([fit.error.at(*top) for top in tops])
        made.append(np.sqrt(np.mean(np.sum(off**2, axis=1))))
        told.append(np.sqrt(2 * np.mean(error**2)))
        spread.append(np.mean(np.sum(off**2, axis=1) / (2 * error**2)))
    print(
        f"{len(made)} of {count} poses at 600 x 480: error at the tops {np.median(made):.4f} mm"
        f" median, {max(made):.4f} worst; predicted {np.median(told):.4f}; chi-squared per degree"
        f" of freedom {np.mean(spread):.2f}"
    )


if __name__ == "__main__":
    main()
