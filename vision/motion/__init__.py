"""Pieces in motion: following them through frames, and what happened between the frames."""
