"""King Square (docs/games/king_square.md)."""
