"""What a piece looks like on this table in this light: drawn, so that it can be compared."""
