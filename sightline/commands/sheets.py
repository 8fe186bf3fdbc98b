"""`sightline sheets`: printable calibration and marker sheets (PDF)."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from calibration.board_file import read_board
from rules.board import Board
from sightline.complaint import Complaint
from sightline.printing.drawing import PAPERS, pdf_of
from sightline.printing.sheets import lens_page, lens_sheet, marker_pages

_BOARDS = Path(__file__).parents[1] / "boards"


@click.command(name="sheets")
@click.argument("board", required=False)
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The folder to write to.",
)
def command(board: str | None, paper: str, out: Path) -> None:
    """Write the calibration sheet, and the markers of BOARD.

    BOARD is a game, a table folder or a board.toml; without it, Q-Square. Print at 100 %, and check
    with the ruler on each sheet. charuco.json describes the calibration sheet to `calibrate lens`.
    """
    found = _board(board or "qsquare")
    size_mm = PAPERS[paper]
    out.mkdir(parents=True, exist_ok=True)
    sheet = lens_sheet(size_mm)
    described = {key: value for key, value in asdict(sheet).items() if key != "legacy_pattern"}
    _write(out / "calibration-sheet.pdf", pdf_of([lens_page(sheet, size_mm)], "Calibration sheet"))
    _write(out / "charuco.json", (json.dumps(described, indent=2) + "\n").encode())
    if not found.fiducials:
        click.echo(f"{found.name or found.game} has no markers: its corners are clicked instead")
        return
    try:
        pages = marker_pages(found.fiducials, size_mm)
    except ValueError as err:
        raise Complaint(f"{found.name or found.game}: {err}") from err
    _write(out / "marker-sheet.pdf", pdf_of(pages, f"Markers of {found.name or found.game}"))


def _board(named: str) -> Board:
    shipped = _BOARDS / f"{named}.toml"
    if shipped.is_file():
        return read_board(shipped)
    path = Path(named)
    if path.is_dir():
        return read_board(path / "board.toml")
    if path.is_file():
        return read_board(path)
    games = ", ".join(sorted(each.stem for each in _BOARDS.glob("*.toml")))
    raise Complaint(f"{named}: there is no such game, folder or file; the games are {games}")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    click.echo(path)
