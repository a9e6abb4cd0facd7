"""The algorithms that the paper compares with: streams like its own, and never part of them.

Unlike the paper's algorithms these may use NumPy, and draw from random generators that are
arguments, apart from whatever draws the outcomes of duels.
"""
