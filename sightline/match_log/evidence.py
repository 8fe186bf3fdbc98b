"""The pictures that rulings rest on: files in one folder per match, named in the log."""

import os
import re
from hashlib import sha256
from pathlib import Path

_NAME = re.compile(r"[0-9a-f]{20}\.jpg\Z")


class EvidenceFolder:
    """Pictures by name. A name is made of the bytes, so that no damaged file is ever shown."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """Where the pictures are; other things of the match are kept beside them."""
        return self._folder

    def put(self, jpeg: bytes) -> str:
        """Keep a picture and return its name; the same picture twice is one file.

        Raises OSError where it cannot be written.
        """
        name = evidence_name(jpeg)
        path = self._folder / name
        if not path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(".part")
            unfinished.write_bytes(jpeg)
            os.replace(unfinished, path)
        return name

    def get(self, name: str) -> bytes | None:
        """Return the picture of that name, None where there is none or it is damaged."""
        if not _NAME.match(name):
            return None
        try:
            jpeg = (self._folder / name).read_bytes()
        except OSError:
            return None
        return jpeg if evidence_name(jpeg) == name else None


def evidence_name(jpeg: bytes) -> str:
    """Return the name by which a log calls a picture, made of its bytes."""
    return sha256(jpeg).hexdigest()[:20] + ".jpg"
