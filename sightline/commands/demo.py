"""`sightline demo [GAME]`: a match on the simulated table, refereed from its pictures."""

from pathlib import Path

import click

from sightline.config import tls_options


def _size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    width, x, height = value.partition("x")
    if not (x and width.isdecimal() and height.isdecimal()):
        raise click.BadParameter(f"expected WIDTHxHEIGHT as in 960x720, got {value!r}")
    size = int(width), int(height)
    if size[0] < 480 or size[1] < 400 or size[0] * size[1] > 9_000_000:
        raise click.BadParameter(f"expected a size from 480x400 to 4K, got {value!r}")
    return size


def _options(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    options = []
    for value in values:
        name, equals, chosen = value.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"expected NAME=VALUE as in target=2, got {value!r}")
        options.append((name, chosen))
    return tuple(options)


@click.command(name="demo")
@click.argument("game", default="qsquare")
@click.option("--port", default=8460, show_default=True, help="0 takes any free port.")
@click.option("--lan", is_flag=True, help="Let other devices in the network join.")
@tls_options
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@click.option("--headless", is_flag=True, help="No page; as fast as it goes, to the end.")
@click.option("--seed", default=1, show_default=True, help="Another number, another match.")
@click.option(
    "--speed",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.05, 100),
    help="How fast time goes by on the page.",
)
@click.option("--size", default="960x720", show_default=True, callback=_size, help="Of pictures.")
@click.option("--fps", default=30.0, show_default=True, type=click.FloatRange(25, 240))
@click.option("--players", default="2", show_default=True, type=click.Choice(["2", "4"]))
@click.option("--pucks", type=click.IntRange(1, 8), help="Q-Square: of each player; 8 if not said.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_options,
    help="An option of the game's rulebook, as in target=2; may be given again.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the table folder and the match log in this folder.",
)
def command(
    game: str,
    port: int,
    lan: bool,
    tls: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    no_browser: bool,
    headless: bool,
    seed: int,
    speed: float,
    size: tuple[int, int],
    fps: float,
    players: str,
    pucks: int | None,
    options: tuple[tuple[str, str], ...],
    keep: Path | None,
) -> None:
    """Play a match of GAME on a simulated table and referee it from the pictures of its camera.

    GAME is qsquare, carrom, king-square, squarin-off or quarterback.

    No camera and no set-up are needed. The page shows what a club would see.
    """
    from sightline.demonstration import Show, show
    from sightline.serving.hosting import PageWishes

    show(
        Show(
            game=game,
            seed=seed,
            size=size,
            fps=fps,
            speed=speed,
            players=int(players),
            options=(*options, *([] if pucks is None else [("pucks_per_player", str(pucks))])),
            page=None
            if headless
            else PageWishes(port=port, lan=lan, tls=tls, tls_cert=tls_cert, tls_key=tls_key),
            browser=not no_browser,
            keep=keep,
        )
    )
