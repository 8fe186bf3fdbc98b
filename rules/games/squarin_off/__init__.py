"""Squarin' Off (docs/games/squarin_off.md)."""
