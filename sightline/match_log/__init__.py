"""The log of matches on disk: facts and decisions, and the pictures that rulings rest on."""
