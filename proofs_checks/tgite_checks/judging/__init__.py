"""Judges, persons and counts of wins: where comparisons come from."""
