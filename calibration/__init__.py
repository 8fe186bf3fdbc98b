"""Picture to board and back: lens, pose, painted lines, what each piece looks like here."""
