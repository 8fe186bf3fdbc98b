"""The last place of a piece: what its drawing leaves over is weighed by what experience says."""
