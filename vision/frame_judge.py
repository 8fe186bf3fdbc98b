"""Judging the frames of a stream: all of them quickly, some thoroughly, and whether they hang."""

from rules.said import written
from vision import reasons
from vision.frame import Picture
from vision.frame_health import judge_frame, missing_part, normal_of, same_picture

_THOROUGH_EVERY = 8
_FROZEN_FRAMES = 15


class FrameJudge:
    """Call it with each frame of a source, in order: why that frame cannot be trusted, or None.

    Every frame is looked at for missing parts, which costs next to nothing; every eighth is judged
    thoroughly, and each one as long as something was wrong with the one before. A live camera that
    sends the very same picture for the 15th time hangs; videos of a quiet table repeat themselves.
    """

    def __init__(self, reference: Picture, *, live: bool) -> None:
        """`reference`: a sound picture of the same view, usually the table's `empty`."""
        self._normal = normal_of(reference)
        self._live = live
        self._since_thorough = _THOROUGH_EVERY
        self._unsound = False
        self._last: Picture | None = None
        self._repeats = 0

    def __call__(self, picture: Picture) -> str | None:
        reason = self._hanging(picture) or self._fault(picture)
        self._unsound = reason is not None
        return reason

    def _fault(self, picture: Picture) -> str | None:
        self._since_thorough += 1
        resized = self._normal.size != (picture.shape[1], picture.shape[0])
        if self._unsound or resized or self._since_thorough >= _THOROUGH_EVERY:
            self._since_thorough = 0
            return judge_frame(picture, reference=self._normal)
        return missing_part(picture, self._normal)

    def _hanging(self, picture: Picture) -> str | None:
        if not self._live:
            return None
        same = self._last is not None and same_picture(self._last, picture)
        self._repeats = self._repeats + 1 if same else 0
        self._last = picture
        if self._repeats < _FROZEN_FRAMES:
            return None
        return written(reasons.REPEATED)
