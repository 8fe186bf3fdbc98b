"""Carrom at the simulated table: hands that place the striker, flick it, and put pieces back."""
