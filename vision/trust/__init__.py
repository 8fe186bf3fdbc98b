"""Which pixels about a piece to believe: learned from rendered tables, used for the last place."""
