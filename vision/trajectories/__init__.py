"""Free paths of the pieces, and the knocks, cushions and falls where such paths meet."""
