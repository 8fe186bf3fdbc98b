"""From paths and still pictures to facts: what was struck, touched, moved and pocketed."""
