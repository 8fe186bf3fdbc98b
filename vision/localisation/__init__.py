"""Where the pieces of one picture lie: drawn pieces are fitted to what is seen of them."""
