"""Looking into matches afterwards: recordings, protests, what would have been."""
