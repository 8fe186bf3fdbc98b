"""Games on a lattice at the simulated table: hands put pegs, sticks and chips on places."""
