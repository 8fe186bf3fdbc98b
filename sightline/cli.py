"""The command line: `sightline COMMAND ...`.

A command is a module of `sightline.commands` with a `command` in it (a `click.Command`), and a line
below. Modules are imported when their command is called: start-up is quick, and a part that does
not import takes no other command with it.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Any

import click

from sightline.complaint import Complaint
from sightline.heap import collect_seldom

_OURS = ("rules", "calibration", "vision", "hardware", "web", "sightline")

COMMANDS = {
    "demo": "Play a match on the simulated table and referee it from its pictures.",
    "watch": "Referee a match live, from a camera, a video or a folder of pictures.",
    "observe": "Say what pictures and videos of a table show.",
    "judge": "Read facts, print rulings and the state after each.",
    "rules": "Print a rulebook, clause by clause.",
    "matches": "List the matches in the log.",
    "review": "Print the rulings of a match.",
    "room": "Open the review room by itself, when no match is being refereed.",
    "rerun": "Look at a recording again with other settings: what comes out otherwise.",
    "replay": "Print a match as a transcript: facts, decisions and rulings.",
    "export": "Write a match to one JSON Lines file.",
    "protest": "Write a match with its evidence to one file that proves itself.",
    "verify": "Prove that a protest file is whole and its rulings follow from its facts.",
    "import": "Read a match from a JSON Lines file into the log.",
    "calibrate": "Make a table folder: lens, board, pieces.",
    "sheets": "Make printable calibration and marker sheets (PDF).",
    "ports": "List the devices on serial ports.",
    "doctor": "Say what is wrong with this set-up and what to do about it.",
}


class _Commands(click.Group):
    """Imports a subcommand's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        try:
            module = import_module(f"sightline.commands.{module_of(cmd_name)}")
        except ImportError as err:
            raise Complaint(
                f"the part that does {cmd_name!r} cannot be loaded ({err}); "
                "install Sightline again, or run `sightline doctor`"
            ) from err
        command = module.command
        if not isinstance(command, click.Command):
            raise TypeError(f"expected a click command in {module.__name__}, got {command!r}")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def module_of(command: str) -> str:
    """Return the name of a command's module: "import" is a word of Python's own."""
    return "import_" if command == "import" else command


def version() -> str:
    """Return the installed version."""
    try:
        return metadata.version("sightline-referee")
    except metadata.PackageNotFoundError:
        return "not installed"


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version=version(), prog_name="sightline")
def cli() -> None:
    """Sightline sees what players do on a real board, and says what the rulebook says of it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 2 something was wrong and said, 1 a fault of ours."""
    collect_seldom()
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    try:
        result: Any = cli.main(args=arguments, prog_name="sightline", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as err:
        err.show()
        return Complaint.exit_code
    except BrokenPipeError:
        _leave_quietly()
        return 0
    except OSError as err:
        if type(err) is OSError or not _is_ours(err):
            return _tell(f"{err.filename}: {err.strerror}" if err.filename else str(err))
        return _tell(str(err))
    except Exception as err:
        if not _is_ours(err):
            raise
        return _tell(str(err))
    return result if isinstance(result, int) else 0


def _is_ours(err: Exception) -> bool:
    """Whether it is one of our own errors, which name what is wrong and the remedy."""
    return type(err).__module__.partition(".")[0] in _OURS


def _tell(words: str) -> int:
    Complaint(words).show()
    return Complaint.exit_code


def _leave_quietly() -> None:
    """Whoever read our output has gone; say nothing more, also not while Python shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
