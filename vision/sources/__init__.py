"""Where frames come from: cameras, network streams, video files, folders of pictures."""

from vision.frame import Frame, Picture
from vision.sources.jpeg import TornPicture, decode_picture
from vision.sources.opening import open_source
from vision.sources.source import Ended, Event, Lost, Regained, Source, SourceError

__all__ = [
    "Ended",
    "Event",
    "Lost",
    "Regained",
    "Source",
    "SourceError",
    "TornPicture",
    "decode_picture",
    "in_colour",
    "open_source",
]


def in_colour(frame: Frame) -> Picture:
    """The frame as (H, W, 3) BGR, also where it was read gray for speed."""
    return frame.in_colour()
