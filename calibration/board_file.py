"""Reads `board.toml` into a `Board`, and says exactly what is wrong with one that cannot be read."""
