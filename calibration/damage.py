"""What is wrong with a table folder, in words that say what to do about it."""

from pathlib import Path


class TableDamaged(Exception):
    """A file of a table folder cannot be used: which file, what is wrong, and the remedy."""

    def __init__(self, file: Path | str, what: str, remedy: str) -> None:
        self.file = Path(file)
        self.what = what
        self.remedy = remedy
        super().__init__(f"{self.file}: {what}; {remedy}")
