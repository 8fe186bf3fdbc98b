"""A folder of pictures, or one picture, as frames."""

import re
from pathlib import Path

from vision.frame import Frame
from vision.sources.jpeg import TornPicture, decode_picture
from vision.sources.source import Ended, Event, Lost, Readable, Regained, SourceError

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


class Pictures(Readable):
    """The pictures of a folder in the order of their names ("2.jpg" before "10.jpg").

    A picture is taken to have been made `1000 / fps` ms after the one before. One that is torn
    is left out and said to be `Lost`, with its name and what is wrong with it.
    """

    def __init__(self, path: Path, *, gray: bool = False, fps: float = 25.0) -> None:
        self.name = str(path)
        self.fps: float | None = fps
        self.ended: Ended | None = None
        self._gray = gray
        self._step_ms = 1000.0 / fps
        if path.is_dir():
            self._paths = sorted(
                (each for each in path.iterdir() if each.suffix.lower() in PICTURE_ENDINGS),
                key=_reading_order,
            )
            if not self._paths:
                raise SourceError(
                    self.name,
                    "there are no pictures in this folder",
                    f"put pictures there ({', '.join(PICTURE_ENDINGS)})",
                )
        elif path.is_file():
            self._paths = [path]
        else:
            raise SourceError(self.name, "there is no such file or folder", "check the path")
        self.expected: int | None = len(self._paths)
        self._next = 0
        self._whole = 0
        self._torn: list[str] = []
        self._lost = False
        self._waiting: Frame | None = None

    def _read(self, timeout_s: float) -> Event | None:
        if self._waiting is not None:
            frame, self._waiting = self._waiting, None
            return frame
        while self.ended is None:
            if self._next == len(self._paths):
                self._end()
                break
            event = self._read_one()
            if event is not None:
                return event
        return self.ended

    def close(self) -> None:
        if self.ended is None:
            self.ended = Ended(
                at_ms=self._next * self._step_ms,
                frames=self._whole,
                expected=self.expected,
                why="closed",
            )

    def _read_one(self) -> Event | None:
        path = self._paths[self._next]
        at_ms = self._next * self._step_ms
        number = self._next
        self._next += 1
        try:
            data = path.read_bytes()
            image = decode_picture(data, gray=self._gray)
        except (TornPicture, OSError) as err:
            self._torn.append(path.name)
            if self._lost:
                return None
            self._lost = True
            return Lost(at_ms=at_ms, why=f"{path}: {err}")
        self._whole += 1
        is_jpeg = data.startswith(b"\xff\xd8")
        frame = Frame(
            image=image,
            at_ms=at_ms,
            number=number,
            jpeg=data if is_jpeg else None,
            colour=(lambda: decode_picture(data)) if self._gray else None,
        )
        if self._lost:
            self._lost = False
            self._waiting = frame
            return Regained(at_ms=at_ms)
        return frame

    def _end(self) -> None:
        why = None
        if self._torn:
            why = f"{self.name}: {len(self._torn)} of {len(self._paths)} pictures cannot be read: "
            why += ", ".join(self._torn[:5]) + (", …" if len(self._torn) > 5 else "")
        self.ended = Ended(
            at_ms=len(self._paths) * self._step_ms,
            frames=self._whole,
            expected=self.expected,
            why=why,
        )


def _reading_order(path: Path) -> tuple[tuple[int, str], ...]:
    parts = re.split(r"(\d+)", path.name.lower())
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
