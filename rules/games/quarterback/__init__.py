"""Quarterback: American football on squares (docs/games/quarterback.md)."""
