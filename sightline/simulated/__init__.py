"""A simulated table: discs that slide, a camera, players who err, and the truth."""
