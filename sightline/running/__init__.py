"""The running match: what is seen is logged, ruled and shown."""
