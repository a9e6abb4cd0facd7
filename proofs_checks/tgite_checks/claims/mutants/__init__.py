"""Plausible wrong transcriptions, one module per module of ``tgite``."""
