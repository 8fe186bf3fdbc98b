"""Timers, buzzers and buttons. Optional: no match ever needs one."""
