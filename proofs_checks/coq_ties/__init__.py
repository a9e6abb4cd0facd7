"""Comparisons of the Coq definitions with the Python code; not part of the wheel."""
