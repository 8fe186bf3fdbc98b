"""Serves the pages of a running match and tells on the terminal how to reach them."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sightline.access_file import AccessFile
from sightline.match import Match
from sightline.serve import LOOPBACK, PORT, Address, is_loopback, reachable_names, serving
from web.access import Access

EVERYWHERE = "0.0.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWishes:
    """What the command line asks of the pages.

    `lan` lets other devices reach them, and join; `video` records the match for review; `proxy` is
    the address of a TLS proxy in front of them.
    """

    host: str = LOOPBACK
    port: int = PORT
    allowed: tuple[str, ...] = ()
    lan: bool = False
    video: bool = True
    proxy: str | None = None

    @property
    def address(self) -> str:
        return EVERYWHERE if self.lan and is_loopback(self.host) else self.host


def host_pages(
    stack: ExitStack, match: Match, wishes: PageWishes, data: Path, **rooms: Any
) -> Address:
    """Serve the pages until `stack` closes. `data` is the folder that keeps who has joined."""
    host = wishes.address
    open_to_all = is_loopback(host) and wishes.proxy is None
    access = None if open_to_all else Access(AccessFile(data / "access.json"))
    address = stack.enter_context(
        serving(
            match,
            host=host,
            port=wishes.port,
            allowed_hosts=wishes.allowed,
            access=access,
            proxy=wishes.proxy,
            **rooms,
        )
    )
    if address.joining is None:
        click.echo(f"the page is at {address.url}", err=True)
        return address
    for name in reachable_names(host, wishes.allowed):
        click.echo(f"the page is at {Address(host=name, port=address.port).url}", err=True)
    click.echo(f"be its owner (one browser, within the hour): {address.joining}", err=True)
    click.echo("let other devices in on the owner's page “Devices”", err=True)
    return address
