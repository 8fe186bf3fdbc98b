"""`sightline room`: the review room by itself, when no match is being refereed."""

from contextlib import ExitStack
from pathlib import Path

import click

from sightline.config import db_option, tls_options


@click.command(name="room")
@db_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to serve the pages.")
@click.option("--port", default=8460, show_default=True, help="0 takes any free port.")
@click.option("--lan", is_flag=True, help="Let other devices in the network join.")
@tls_options
@click.option("--allow-host", "allowed", multiple=True, help="A further name of this machine.")
def command(
    db: Path,
    host: str,
    port: int,
    lan: bool,
    tls: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    allowed: tuple[str, ...],
) -> None:
    """Open the review room: every match of the log, frame by frame.

    Matches can be put right there, looked at again and taken away as protest files.
    """
    from sightline.match_log.archive import filed, opened
    from sightline.review.library import LogLibrary
    from sightline.review.room_desk import RoomDesk
    from sightline.serving.hosting import PageWishes, host_pages
    from sightline.stopping import wait_for_stop

    wishes = PageWishes(
        host=host, port=port, allowed=allowed, lan=lan, tls=tls, tls_cert=tls_cert, tls_key=tls_key
    )
    with ExitStack() as stack:
        store = stack.enter_context(opened(db))
        newest = filed(store, None)
        library = LogLibrary(store)
        stack.callback(library.close)
        desk = RoomDesk(newest, store.evidence(newest.header.name))
        address = host_pages(stack, desk, wishes, db.parent, library=library)
        click.echo(f"the review room is at {address.url}review/ until Ctrl-C", err=True)
        wait_for_stop()
