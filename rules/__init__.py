"""What was seen, and what the rulebook says of it. Pure: no clock, file, camera or numpy."""
