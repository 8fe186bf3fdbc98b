"""The games, one module or folder each. Only `rules.registry` opens them."""
