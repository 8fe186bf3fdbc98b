"""Composition: command line, match log, the running match, the simulated table."""
