"""Serves the pages of a running match and tells on the terminal how to reach them."""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from sightline.complaint import Complaint
from sightline.serving.access_file import AccessFile
from sightline.serving.certificates import (
    Certificate,
    club_certificate,
    fingerprint,
    given_certificate,
)
from sightline.serving.serve import (
    LOOPBACK,
    PORT,
    Address,
    is_loopback,
    names_of,
    reachable_names,
    serving,
)
from web.access import Access
from web.desk import Desk

EVERYWHERE = "0.0.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWishes:
    """What the command line asks of the pages.

    `lan` lets other devices reach them, and join; `video` records the match for review; `proxy` is
    the address of a TLS proxy in front of them. `tls` makes them speak TLS themselves, with the
    club's own certificate or with `tls_cert` and `tls_key`, files that were got elsewhere.
    """

    host: str = LOOPBACK
    port: int = PORT
    allowed: tuple[str, ...] = ()
    lan: bool = False
    video: bool = True
    proxy: str | None = None
    tls: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None

    @property
    def address(self) -> str:
        return EVERYWHERE if self.lan and is_loopback(self.host) else self.host


def host_pages(
    stack: ExitStack, desk: Desk, wishes: PageWishes, data: Path, **rooms: Any
) -> Address:
    """Serve the pages of `desk` until `stack` closes. `data` keeps who has joined."""
    host = wishes.address
    open_to_all = is_loopback(host) and wishes.proxy is None
    certificate = certificate_of(wishes, data)
    access = None if open_to_all else Access(AccessFile(data / "access.json"))
    address = stack.enter_context(
        serving(
            desk,
            host=host,
            port=wishes.port,
            allowed_hosts=wishes.allowed,
            access=access,
            proxy=wishes.proxy,
            certificate=certificate,
            **rooms,
        )
    )
    if address.joining is None:
        click.echo(f"the page is at {address.url}", err=True)
        return address
    for name in reachable_names(host, wishes.allowed):
        click.echo(f"the page is at {replace(address, host=name).url}", err=True)
    click.echo(f"be its owner (one browser, within the hour): {address.joining}", err=True)
    click.echo("let other devices in on the owner's page “Devices”", err=True)
    if certificate is not None and certificate.authority is not None:
        click.echo(
            "other devices trust it once they have installed the club's authority, "
            f"{address.url}authority.crt (SHA-256 {fingerprint(certificate.authority)})",
            err=True,
        )
    return address


def certificate_of(wishes: PageWishes, data: Path) -> Certificate | None:
    """Return the certificate to speak TLS with, None for plain HTTP; the club's is in `data`."""
    if wishes.proxy is not None and (wishes.tls or wishes.tls_cert is not None):
        raise Complaint("--proxy is for a TLS proxy in front: give it or --tls, not both")
    if (wishes.tls_cert is None) != (wishes.tls_key is None):
        raise Complaint("give --tls-cert and --tls-key together")
    if wishes.tls_cert is not None and wishes.tls_key is not None:
        return given_certificate(wishes.tls_cert, wishes.tls_key)
    if not wishes.tls:
        return None
    names = {"localhost", LOOPBACK, *names_of(wishes.address), *wishes.allowed}
    return club_certificate(data / "tls", names)
