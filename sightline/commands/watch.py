"""`sightline watch TABLE --source SRC`: referee a match live."""

from pathlib import Path

import click

from sightline.config import db_option, tls_options


@click.command(name="watch")
@click.argument("table", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--source",
    default="0",
    show_default=True,
    metavar="SRC",
    help="A camera's index, an rtsp:// or http:// address, a video file, a folder of pictures.",
)
@click.option("--game", help="The game; else the one that the table's board.toml names.")
@click.option(
    "--setup",
    "setup_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What was agreed (JSON): players, options.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game's option.")
@click.option(
    "--player", "players", multiple=True, metavar="SEAT=NAME[:COLOUR]", help="Who sits where."
)
@db_option
@click.option("--match", "name", help="The match to begin, or to go on with, by name.")
@click.option("--new", is_flag=True, help="Begin a new match, even if one is unfinished here.")
@click.option("--headless", is_flag=True, help="No page; print the rulings.")
@click.option("--json", "as_json", is_flag=True, help="Print facts and rulings as JSON lines.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to serve the page.")
@click.option("--port", default=8460, show_default=True, help="0 takes any free port.")
@click.option("--lan", is_flag=True, help="Let other devices in the network join.")
@click.option("--proxy", metavar="ADDRESS", help="The address of a TLS proxy in front of the page.")
@tls_options
@click.option("--no-video", is_flag=True, help="Do not record the match for review.")
@click.option("--allow-host", "allowed", multiple=True, help="A further name of this machine.")
@click.option("--box", "ports", multiple=True, metavar="PORT", help="A box with buzzer and lamps.")
@click.option(
    "--button",
    "buttons",
    multiple=True,
    metavar="N=WHAT",
    help="What button N of a box declares: 0=pause, 1=concede/S, 2=spoiled=replay.",
)
@click.option("--fast", is_flag=True, help="Read a recording as fast as it can be read.")
def command(
    table: Path,
    source: str,
    game: str | None,
    setup_file: Path | None,
    options: tuple[str, ...],
    players: tuple[str, ...],
    db: Path,
    name: str | None,
    new: bool,
    headless: bool,
    as_json: bool,
    host: str,
    port: int,
    lan: bool,
    proxy: str | None,
    tls: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    no_video: bool,
    allowed: tuple[str, ...],
    ports: tuple[str, ...],
    buttons: tuple[str, ...],
    fast: bool,
) -> None:
    """Referee a match on the table of the folder TABLE.

    A match that was interrupted goes on: by its --match name, or the newest unfinished one of this
    table. Ctrl-C ends the watch; the match can be taken up again later.
    """
    from sightline.match_log.taking_up import Place
    from sightline.run import Wishes, watch
    from sightline.running.boxes import BoxWishes
    from sightline.serving.hosting import PageWishes

    pages = PageWishes(
        host=host,
        port=port,
        allowed=allowed,
        lan=lan,
        video=not no_video,
        proxy=proxy,
        tls=tls,
        tls_cert=tls_cert,
        tls_key=tls_key,
    )
    watch(
        table,
        source,
        Wishes(game=game, setup_file=setup_file, options=options, players=players),
        Place(db=db, name=name, new=new),
        page=None if headless else pages,
        as_json=as_json,
        fast=fast or headless,
        boxes=BoxWishes(ports=ports, buttons=buttons),
    )
