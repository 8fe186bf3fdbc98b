"""The lines between Sightline and a box: pure bytes, no port (docs/hardware-protocol.md).

A line is `<number> <word> <argument>...*<checksum>` and a line feed, all ASCII. The checksum is
CRC-8 (polynomial 0x07, start 0) of all before the star, as two hexadecimal digits. Numbers run
from 0 to 255 and around, each side counting its own; `OK <number>` answers the other side's line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

LONGEST_BYTES = 80
_ALLOWED = frozenset(range(0x21, 0x7F)) - {ord("*")}


def _row(byte: int) -> int:
    for _ in range(8):
        byte = (byte << 1 ^ 0x07) & 0xFF if byte & 0x80 else byte << 1
    return byte


_TABLE = bytes(_row(byte) for byte in range(256))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line as it was meant."""

    number: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbled:
    """Something came that is no line; `why` says in which way."""

    why: str


def checksum(data: bytes) -> int:
    """CRC-8, polynomial 0x07 (the one of SMBus), from 0."""
    crc = 0
    for byte in data:
        crc = _TABLE[crc ^ byte]
    return crc


def encode(line: Line) -> bytes:
    """The bytes of a line; ValueError for what no line can carry."""
    if not 0 <= line.number <= 255 or not line.words:
        raise ValueError(f"expected a number from 0 to 255 and a word, got {line}")
    if not all(word and set(word.encode()) <= _ALLOWED for word in line.words):
        raise ValueError(f"expected words of printable ASCII without space or star, got {line}")
    body = " ".join((str(line.number), *line.words)).encode("ascii")
    whole = body + f"*{checksum(body):02X}\n".encode("ascii")
    if len(whole) > LONGEST_BYTES:
        raise ValueError(f"expected a line of at most {LONGEST_BYTES} bytes, got {len(whole)}")
    return whole


def decode(raw: bytes) -> Line | Garbled:
    """One line without its line feed."""
    body, star, digits = raw.rpartition(b"*")
    if not star or len(digits) != 2:
        return Garbled(why="no checksum")
    try:
        stated = int(digits, 16)
        words: Sequence[str] = body.decode("ascii").split(" ")
    except ValueError:
        return Garbled(why="not a line of text")
    if stated != checksum(body):
        return Garbled(why="wrong checksum")
    number, *rest = words
    if not (number.isdigit() and len(number) <= 3 and int(number) <= 255) or not all(rest):
        return Garbled(why="no number")
    if not rest:
        return Garbled(why="nothing said")
    return Line(number=int(number), words=tuple(rest))


@dataclass(slots=True)
class Decoder:
    """Cuts a stream of bytes into lines; after garbage it finds its feet at the next line feed."""

    _held: bytearray = field(default_factory=bytearray)
    _skipping: bool = False

    def feed(self, data: bytes) -> tuple[Line | Garbled, ...]:
        """What is complete with these bytes."""
        found: list[Line | Garbled] = []
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._held += piece
            if not self._skipping and len(self._held) <= LONGEST_BYTES:
                raw = bytes(self._held).rstrip(b"\r")
                if raw:
                    found.append(decode(raw))
            elif not self._skipping:
                found.append(Garbled(why="too long"))
            self._held.clear()
            self._skipping = False
        if not self._skipping:
            self._held += rest
            if len(self._held) > LONGEST_BYTES:
                self._held.clear()
                self._skipping = True
                found.append(Garbled(why="too long"))
        return tuple(found)
