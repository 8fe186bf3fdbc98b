"""Second looks at recordings, asked for in the review room: `sightline rerun` in a process beside.

One at a time, and it gives way to the referee: looking at pictures takes all of a processor.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any

from rules.said import said_again, say
from sightline.words.kept_words import unkept
from web.library import DifferenceLine, LookAgain

OURS = (sys.executable, "-m", "sightline", "rerun")
_LONGEST_WORDS = 400
_PROBLEMS = (
    say("match {match}: nothing is recorded of this part of the match"),
    say("match {match}: entry {number} holds no fact"),
    say("match {match} names no table folder; give one with --table"),
)
"""What a second look says where it cannot be taken, in the words of the process that takes it."""


class SecondLooks:
    """The second look that runs or was the last one. `command` is what is run for it."""

    def __init__(self, db: Path, command: Sequence[str] = OURS) -> None:
        self._db = db
        self._command = tuple(command)
        self._lock = Lock()
        self._look: LookAgain | None = None
        self._process: subprocess.Popen[str] | None = None

    def begin(self, match: str, seq: int, table: str) -> None:
        """Look again at what led to entry `seq`. ValueError while another look runs."""
        with self._lock:
            if self._look is not None and self._look.state == "running":
                raise ValueError(say("a second look is being taken already; wait until it is done"))
            arguments = [f"--db={self._db}", f"--entry={seq}", "--json", f"--table={table}"]
            try:
                process = subprocess.Popen(
                    [*self._command, *arguments, "--", match],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            except OSError as err:
                raise ValueError(say("a second look cannot be taken: {error}", error=err)) from err
            self._process = process
            self._look = LookAgain(match=match, seq=seq, table=Path(table).name, state="running")
        Thread(target=self._follow, args=(process,), name="second look", daemon=True).start()

    @property
    def look(self) -> LookAgain | None:
        return self._look

    def close(self) -> None:
        """End the look that runs, if one does."""
        with self._lock:
            if self._process is not None:
                self._process.terminate()
                self._process.wait(timeout=5)

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        errors: list[str] = []
        listening = Thread(target=_read_all, args=(process.stderr, errors), daemon=True)
        listening.start()
        result: dict[str, Any] | None = None
        for line in process.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if "facts" in said:
                result = said
            elif "done" in said:
                self._tell(done=int(said["done"]), of=int(said["of"]))
        process.wait()
        listening.join()
        process.stdout.close()
        process.stderr.close()
        try:
            if result is None or process.returncode != 0:
                raise ValueError("it ended without a result")
            self._tell(
                state="done",
                frames=int(result["frames"]),
                facts=_lines(result["facts"]),
                rulings=_lines(result["rulings"]),
            )
        except (ValueError, KeyError, TypeError):
            words = "".join(errors).strip().removeprefix("Error: ")[:_LONGEST_WORDS]
            self._tell(
                state="failed",
                words=said_again(words, _PROBLEMS)
                if words
                else say("it was ended before it was done"),
            )

    def _tell(self, **news: Any) -> None:
        with self._lock:
            if self._look is not None:
                known = {name: getattr(self._look, name) for name in LookAgain.__slots__}
                self._look = LookAgain(**(known | news))


def _read_all(stream: IO[str], said: list[str]) -> None:
    said.append(stream.read())


def _lines(said: Sequence[dict[str, Any]]) -> tuple[DifferenceLine, ...]:
    return tuple(
        DifferenceLine(
            sign=str(line["sign"]),
            at_ms=float(line["at_ms"]),
            words=unkept(line.get("told", line["words"])),
        )
        for line in said
    )
