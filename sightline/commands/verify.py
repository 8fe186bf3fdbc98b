"""`sightline verify FILE`: is a protest file whole, and does all in it follow from its log?"""

from pathlib import Path

import click

from sightline.complaint import Complaint


@click.command(name="verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    """Prove that the protest file FILE is whole and that all it tells follows from its log.

    Its rulings are worked out anew from its facts, its page is made anew from its log, and each
    picture must be the one that the log names. Exits 2 and says where it differs if it does not.
    """
    from sightline.review.protest import verify_protest

    found = verify_protest(file)
    click.echo(
        f"{found.game}, match {found.match!r}: {found.entries} entries, {found.rulings} rulings"
    )
    click.echo(f"{found.pictures} pictures and {found.clips} clips, all as they were written")
    if found.missing:
        click.echo(f"{len(found.missing)} pictures were no longer kept when it was written")
    if found.strays:
        where = ", ".join(map(str, found.strays[:10]))
        raise Complaint(
            f"{file}: its rulings do not follow from its facts at entry {where}; it was written by "
            "other rules than these, or by hand"
        )
    click.echo("its facts give its rulings")
    if not found.page_told:
        raise Complaint(
            f"{file}: index.html is not the page that this Sightline makes of its log; it was "
            "changed by hand, or made by another Sightline: go by match.jsonl (`sightline import`)"
        )
    click.echo("its page says what its log says")
    click.echo(f"SHA-256 {found.digest}")
