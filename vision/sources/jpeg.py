"""JPEG bytes to a picture, refusing those that decode "without an error" to something half grey.

libjpeg fills what it cannot read with grey and only *warns*; OpenCV drops the warning. simplejpeg
decodes with the same library, to the same pixels, and hands the warning out.
"""

import re
from dataclasses import dataclass

import cv2
import numpy as np
import simplejpeg

from vision.frame import Picture

_START = b"\xff\xd8"
_END = b"\xff\xd9"
_EXIF_ORIENTATION = b"\x01\x12\x00\x03\x00\x00\x00\x01"
_EXTRANEOUS = re.compile(r"(\d+) extraneous bytes before marker")
_PADDING_BYTES = 4
_LEARNING_FRAMES = 20


class TornPicture(ValueError):
    """The bytes are not a whole picture; the message says in which way."""


def decode_jpeg(data: bytes, *, gray: bool = False) -> Picture:
    """The picture, (H, W, 3) BGR or (H, W) gray; `TornPicture` where any is missing or garbled.

    A few bytes of padding before a marker, which many webcams write, are no damage.
    """
    if not data:
        raise TornPicture("the picture is empty")
    if not data.startswith(_START):
        raise TornPicture("the picture does not begin as a JPEG does")
    if data.rfind(_END, max(2, len(data) - 4096)) < 0:
        data += _END  # some cameras leave it out; where more than this is missing, decoding tells
    colourspace = "GRAY" if gray else "BGR"
    try:
        picture = simplejpeg.decode_jpeg(data, colorspace=colourspace)
    except ValueError as err:
        words = str(err)
        padding = _EXTRANEOUS.search(words)
        if padding is None or int(padding.group(1)) > _PADDING_BYTES:
            raise TornPicture(_in_words(words)) from err
        return decode_believed(data, gray=gray)
    return _plane(picture)


def decode_believed(data: bytes, *, gray: bool = False) -> Picture:
    """The picture, (H, W, 3) BGR or (H, W) gray, of bytes that are believed to be whole."""
    colourspace = "GRAY" if gray else "BGR"
    return _plane(simplejpeg.decode_jpeg(data, colorspace=colourspace, strict=False))


@dataclass(slots=True)
class JpegStream:
    """Decodes one camera's pictures, learning whether that camera pads its pictures.

    Some cameras write stray bytes into every picture. What a camera does from its first picture
    on in most of them is its habit and not damage.
    """

    gray: bool = False
    seen: int = 0
    padded: int = 0

    def decode(self, data: bytes) -> Picture:
        """The picture; `TornPicture` where it is not whole."""
        try:
            picture = decode_jpeg(data, gray=self.gray)
        except TornPicture as torn:
            if _EXTRANEOUS.search(str(torn)) is None:
                raise
            self._count(padded=True)
            if 2 * self.padded <= self.seen or self.seen < _LEARNING_FRAMES:
                raise
            return decode_believed(data, gray=self.gray)
        self._count(padded=False)
        return picture

    def _count(self, *, padded: bool) -> None:
        if self.seen >= 10 * _LEARNING_FRAMES:
            self.seen //= 2
            self.padded //= 2
        self.seen += 1
        self.padded += padded


def decode_picture(data: bytes, *, gray: bool = False) -> Picture:
    """Any picture file's bytes, upright as its EXIF says; `TornPicture` if it is not whole."""
    if data.startswith(_START):
        picture = decode_jpeg(data, gray=gray)
        if not _turned(data):
            return picture
    if not data:
        raise TornPicture("the file is empty")
    flags = cv2.IMREAD_GRAYSCALE if gray else cv2.IMREAD_COLOR
    decoded = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    if decoded is None:
        raise TornPicture("this is not a picture of a kind that can be read")
    return np.asarray(decoded, dtype=np.uint8)


def _in_words(words: str) -> str:
    if "premature end" in words:
        return "the picture's data end too early"
    if _EXTRANEOUS.search(words) or "marker" in words or "Huffman" in words:
        return f"the picture's data are garbled ({words})"
    return f"the picture does not decode ({words})"


def _turned(data: bytes) -> bool:
    """Whether EXIF asks for a turn; a false yes only costs a second decode."""
    head = data[: 1 << 16]
    if b"Exif\x00\x00" not in head:
        return False
    for tag in (_EXIF_ORIENTATION + b"\x00", b"\x12\x01\x03\x00\x01\x00\x00\x00"):
        at = head.find(tag)
        if at >= 0 and any(byte > 1 for byte in head[at + 8 : at + 10]):
            return True
    return False


def _plane(picture: Picture) -> Picture:
    if picture.ndim == 3 and picture.shape[2] == 1:
        return picture.reshape(picture.shape[:2])
    return picture
