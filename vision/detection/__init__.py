"""Where there may be pieces in a picture, and what reaches in over the border."""
