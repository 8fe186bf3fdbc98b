"""What the command line says when it cannot do what was asked."""

import click


class Complaint(click.ClickException):
    """One message that names what is wrong and what to do about it; the command exits with 2."""

    exit_code = 2
