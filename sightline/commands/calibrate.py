"""`sightline calibrate lens / board / pieces TABLE …`: make the table folder."""

from pathlib import Path

import click

from sightline.complaint import Complaint

_TABLE = click.argument("table", type=click.Path(file_okay=False, path_type=Path))
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_SOURCE = click.option(
    "--source", metavar="SRC", help="Take the picture from a camera, as in `sightline watch`."
)


@click.group(name="calibrate")
def command() -> None:
    """Make the table folder TABLE: first the lens, then the board, then the pieces."""


@command.command()
@_TABLE
@click.argument("pictures", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sheet",
    "described",
    type=_FILE,
    help="The charuco.json of the printed sheet; else TABLE/lens/charuco.json.",
)
@click.option("--chessboard", metavar="COLSxROWS", help="A plain chessboard, by inner corners.")
@click.option("--square", default=25.0, show_default=True, help="Side of its squares, mm.")
def lens(
    table: Path,
    pictures: tuple[Path, ...],
    described: Path | None,
    chessboard: str | None,
    square: float,
) -> None:
    """Calibrate the lens from PICTURES of the printed sheet (else those in TABLE/lens)."""
    from calibration.damage import TableDamaged
    from calibration.lens import LensRefused
    from sightline.setting_up import fit_lens, pictures_in, sheet_used

    try:
        sheet = sheet_used(table, described, chessboard, square)
        files = pictures_in(pictures or (table / "lens",))
        click.echo(f"looking for the sheet in {len(files)} pictures …", err=True)
        fit, unused = fit_lens(table, files, sheet)
    except (TableDamaged, OSError) as err:
        raise Complaint(str(err)) from err
    for words in unused:
        click.echo(f"not used: {words}")
    for view in fit.views:
        left_out = f" left out: {view.dropped}" if view.dropped else ""
        click.echo(f"{view.name}: {view.corners} corners, {view.rms_px:.2f} px{left_out}")
    if isinstance(fit, LensRefused):
        reasons = "\n".join(f"- {reason}" for reason in fit.reasons)
        raise Complaint(f"no camera.json was written:\n{reasons}")
    click.echo(
        f"focal length {fit.lens.fx:.1f} x {fit.lens.fy:.1f} px, corners to {fit.rms_px:.2f} px,"
        f" {fit.covered:.0%} of the picture covered"
    )
    click.echo(f"expected error on a one-metre board: {fit.place_mm:.2f} mm")
    click.echo(f"wrote {table / 'camera.json'}")


@command.command()
@_TABLE
@click.option("--board", "named", metavar="GAME|FILE", help="A built-in board, or a board.toml.")
@click.option("--picture", type=_FILE, help="The picture of the empty board.")
@_SOURCE
@click.option(
    "--corner",
    "corners",
    multiple=True,
    metavar="SW=U,V",
    help="An inner corner of the surface in pixels, all four, where there are no markers.",
)
def board(
    table: Path,
    named: str | None,
    picture: Path | None,
    source: str | None,
    corners: tuple[str, ...],
) -> None:
    """Find the board in the picture of the empty table, and measure its painted lines."""
    from calibration.damage import TableDamaged
    from sightline.setting_up import photo, set_board

    try:
        loaded = set_board(table, _board(named), photo(picture, source), _corners(corners))
    except (TableDamaged, OSError) as err:
        raise Complaint(str(err)) from err
    half_x, half_y = loaded.board.width_mm / 2, loaded.board.height_mm / 2
    top = max((spec.thickness_mm for spec in loaded.board.pieces), default=0.0)
    worst = max(
        loaded.pose_error.at(x, y, top) for x in (-half_x, half_x) for y in (-half_y, half_y)
    )
    x, y, z = (float(v) for v in loaded.camera.centre_mm)
    click.echo(f"camera {z:.0f} mm above the board, {x:+.0f}, {y:+.0f} mm from its middle")
    click.echo(
        f"{loaded.stretches} places on lines and markers agree to {loaded.residual_px:.3f} px"
    )
    click.echo(
        f"expected error of the pose: {loaded.pose_error.at(0, 0, top):.3f} mm in the middle,"
        f" {worst:.3f} mm in the corners"
    )
    for line in loaded.painted.values():
        off = abs(line.off_mm[line.measured]).max(initial=0.0)
        if off > 0.1:
            click.echo(f"line {line.line.id} is painted up to {off:.2f} mm from its drawing")
        if line.width_mm != line.line.width_mm:
            click.echo(f"line {line.line.id} is {line.width_mm:.1f} mm wide")
        if not line.measured.any():
            click.echo(f"line {line.line.id} could not be seen: its drawing is relied on")


@command.command()
@_TABLE
@click.option("--picture", type=_FILE, help="The picture of the pieces laid out.")
@_SOURCE
@click.option("--places", type=_FILE, help="Where they lie: a teach.json.")
def pieces(table: Path, picture: Path | None, source: str | None, places: Path | None) -> None:
    """Learn what each piece looks like, from pieces laid out at known places."""
    from calibration.damage import TableDamaged
    from calibration.looks import looks_of
    from sightline.setting_up import photo, set_pieces

    try:
        loaded = set_pieces(table, photo(picture, source), places)
    except (TableDamaged, OSError) as err:
        raise Complaint(str(err)) from err
    assert loaded.teach is not None
    laid = [(piece.kind, piece.colour) for piece in loaded.teach.pieces]
    for spec in loaded.board.pieces:
        click.echo(f"{spec.colour} {spec.kind}: {laid.count((spec.kind, spec.colour))} laid out")
    for look in looks_of(loaded).pieces:
        if not look.taught:
            click.echo(f"{look.spec.colour} {look.spec.kind}: not learned, lay one out as well")


def _board(named: str | None) -> Path | None:
    if named is None:
        return None
    shipped = Path(__file__).parents[1] / "boards"
    if (built_in := shipped / f"{named}.toml").is_file():
        return built_in
    if not Path(named).is_file():
        games = ", ".join(sorted(each.stem for each in shipped.glob("*.toml")))
        raise Complaint(f"--board {named}: there is no such file or game; the games are {games}")
    return Path(named)


def _corners(given: tuple[str, ...]) -> dict[str, tuple[float, float]] | None:
    if not given:
        return None
    corners = {}
    for text in given:
        name, _, at = text.partition("=")
        try:
            u, v = (float(part) for part in at.split(","))
        except ValueError:
            raise Complaint(f"--corner {text}: expected NAME=U,V such as SW=496,976.8") from None
        corners[name.strip().upper()] = (u, v)
    if missing := [name for name in ("SW", "SE", "NE", "NW") if name not in corners]:
        raise Complaint(f"--corner: {', '.join(missing)} missing; give all four")
    return corners
