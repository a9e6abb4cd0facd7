"""Fidelity checks: does the code do what the text says? One module per module of ``tgite``."""
