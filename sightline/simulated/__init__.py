"""A simulated table: discs that slide, a camera that photographs them, players who err, and the truth."""
