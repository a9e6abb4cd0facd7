"""Demonstrations of findings about the paper: each run shows what its finding says, or fails.

A module is named after the module of ``tgite`` whose claims it is about; the findings themselves
stand in ``tgite_checks.claims``.
"""
