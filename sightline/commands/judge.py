"""`sightline judge GAME FACTS.jsonl`: the rules alone."""

import json
from pathlib import Path
from typing import BinaryIO

import click

from rules.game import Setup
from sightline.games import game_called, read_setup, setup_in, with_options
from sightline.judging import judge_lines


@click.command(name="judge")
@click.argument("game")
@click.argument("facts", type=click.File("rb"))
@click.option(
    "--setup",
    "setup_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The agreed setup (JSON): board, players, options.",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game's option.")
@click.option(
    "--player", "players", multiple=True, metavar="SEAT=NAME[:COLOUR]", help="Who sits where."
)
def command(
    game: str,
    facts: BinaryIO,
    setup_file: Path | None,
    options: tuple[str, ...],
    players: tuple[str, ...],
) -> None:
    """Read FACTS (JSON lines; - is standard input), print the rulings and the state after each.

    A line is a fact, a decision, or an entry of an exported match. Without --setup the game is
    played on its built-in board, unless the first line is an exported match's header.
    """
    judge = game_called(game)

    def agree(found: Setup | None) -> Setup:
        if setup_file is not None:
            found = read_setup(setup_file, judge.name)
        elif found is None:
            found = setup_in({}, judge.name, Path())
        return with_options(found, options, players)

    for said in judge_lines(judge, facts, facts.name, agree):
        click.echo(json.dumps(said, ensure_ascii=False))
