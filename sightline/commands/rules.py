"""`sightline rules GAME`: the rulebook, clause by clause."""

import json
from textwrap import fill

import click

from rules.codec import Json
from rules.engine import CLAUSES
from rules.game import Clause
from sightline.games import game_called


@click.command(name="rules")
@click.argument("game")
@click.argument("codes", nargs=-1, metavar="[CLAUSE]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per clause.")
def command(game: str, codes: tuple[str, ...], as_json: bool) -> None:
    """Print the clauses of GAME's rulebook, or only those named (QS-8 names all of QS-8...)."""
    found = game_called(game)
    clauses = [
        clause
        for clause in (*found.clauses(), *CLAUSES)
        if not codes or any(_names(code, clause.code) for code in codes)
    ]
    if not clauses:
        raise click.UsageError(f"{found.title} has no clause {', '.join(codes)}")
    if as_json:
        for clause in clauses:
            click.echo(json.dumps(_as_json(clause), ensure_ascii=False))
        return
    click.echo(f"{found.title}\n")
    section = ""
    for clause in clauses:
        if clause.section != section:
            section = clause.section
            click.echo(click.style(section, bold=True))
        indent = " " * 12
        words = fill(clause.words, width=96, initial_indent=indent, subsequent_indent=indent)
        click.echo(f"  {clause.code:<10}{words[12:]}")
        if clause.exceptions:
            exceptions = f"Exceptions: {clause.exceptions}"
            click.echo(fill(exceptions, width=96, initial_indent=indent, subsequent_indent=indent))


def _names(asked: str, code: str) -> bool:
    plain, code = asked.casefold(), code.casefold()
    return code == plain or (code.startswith(plain) and not code[len(plain)].isdigit())


def _as_json(clause: Clause) -> dict[str, Json]:
    return {
        "code": clause.code,
        "section": clause.section,
        "words": clause.words,
        "exceptions": clause.exceptions,
    }
