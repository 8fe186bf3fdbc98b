"""Frames in, facts out: what the camera saw, in board millimetres, with how sure it is."""
