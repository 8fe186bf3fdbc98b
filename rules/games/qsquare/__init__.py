"""Q-Square: pocket the other side's pucks with a cue and a cue-puck, then the Queen."""
