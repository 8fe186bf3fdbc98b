"""Joined devices and open invitations in one file beside the matches, for this user's eyes only."""

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

_LOG = logging.getLogger(__name__)


class AccessFile:
    """Keeps what `web.access` hands it. Losing the file shuts everybody out and opens nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> Mapping[str, object] | None:
        try:
            read = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as err:
            _LOG.warning("%s cannot be read (%s): every device must join anew", self._path, err)
            return None
        return read if isinstance(read, dict) else None

    def save(self, record: Mapping[str, object]) -> None:
        """Replace the file as a whole. Where the disk refuses, what was said holds until the end
        of this run, and a warning says so."""
        unfinished = self._path.with_name(self._path.name + ".part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(record, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, self._path)
        except OSError as err:
            _LOG.warning("%s cannot be written: %s", self._path, err)
