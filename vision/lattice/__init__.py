"""Reading boards on a lattice: which hole, edge or cell holds what."""
