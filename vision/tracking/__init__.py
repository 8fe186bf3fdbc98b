"""Following the pieces from frame to frame, each by how it looked where it lay."""
