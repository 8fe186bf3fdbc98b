"""Carrom: flick the striker from the base line, pocket your colour and cover the queen."""
