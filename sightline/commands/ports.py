"""`sightline ports`: the serial ports that a box can be on."""

import json
from dataclasses import asdict

import click

from hardware.ports import find_ports


@click.command(name="ports")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per port.")
def command(as_json: bool) -> None:
    """List the serial ports by names that stay the same when a cable is moved."""
    ports = find_ports()
    if as_json:
        for port in ports:
            click.echo(json.dumps(asdict(port), ensure_ascii=False))
        return
    if not ports:
        click.echo("No serial ports by USB or Bluetooth. Check the box's cable; some only charge.")
    for port in ports:
        barred = "" if port.usable else "  (no permission: join the group `dialout`)"
        click.echo(f"{port.path}\n    {port.words}, now {port.device}{barred}")
