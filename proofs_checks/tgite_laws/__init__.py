"""Exact laws of the transcribed algorithms, as enclosures rather than simulations.

All laws follow from the law of one pairwise test (:mod:`tgite_laws.duel_test`,
:mod:`tgite_laws.budgeted_duel_test`). Forward dynamic programming computes it. All terms are
non-negative, so rounding loses at most a known relative part. Whatever is cut off is bounded.
"""
