"""The referee's pages."""

from web.app import create_app
from web.desk import Desk, Ruled, Sight, Stale, Undoable, View

__all__ = ["Desk", "Ruled", "Sight", "Stale", "Undoable", "View", "create_app"]
