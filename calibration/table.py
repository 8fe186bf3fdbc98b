"""The table folder: everything about one physical table and its camera (docs/table-folder.md)."""
