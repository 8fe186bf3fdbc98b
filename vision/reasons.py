"""Why no ruling can be made from a picture. Facts hold it in plain English; pages say it anew."""

from rules.said import say

SIZED_OTHERWISE = say("the picture is {size}, the table was set up with {usual}")
SIZE_CHANGED = say("the picture's size changed")
REPEATED = say("the camera sends the same picture again and again")
ROWS_MISSING = say("a part of the picture is missing ({share} % of its rows repeat themselves)")
FILLED_GREY = say("a part of the picture is missing (filled with grey)")
FILLED_GREEN = say("a part of the picture is missing (filled with green)")
DARK = say("the picture is dark: no light, or the lens is covered")
OVEREXPOSED = say("the picture is overexposed")
NOTHING_SHOWN = say("the picture shows nothing: the lens is covered")
TORN = say("the picture is torn {share} % down")
ELSEWHERE = say("the picture does not show this table: the camera is covered or looks elsewhere")
OUT_OF_FOCUS = say("the picture is out of focus")
MOVED = say("the camera or the board has been moved since the table was set up")
DAMAGED = say("damaged at frame {number}")
SILENT = say("{camera}: no picture came for {seconds} s")
ALL_DAMAGED = say("{camera}: every picture comes damaged: {error}")

REASONS = (
    SIZED_OTHERWISE,
    SIZE_CHANGED,
    REPEATED,
    ROWS_MISSING,
    FILLED_GREY,
    FILLED_GREEN,
    DARK,
    OVEREXPOSED,
    NOTHING_SHOWN,
    TORN,
    ELSEWHERE,
    OUT_OF_FOCUS,
    MOVED,
    DAMAGED,
    SILENT,
    ALL_DAMAGED,
)
