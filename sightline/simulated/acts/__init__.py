"""What people do at the simulated table, one thing after another, each with its truth."""
