"""Exact laws: what the transcribed algorithms do, as enclosures rather than simulations.

Everything follows from the law of one pairwise test (:mod:`tgite_laws.duel_test`,
:mod:`tgite_laws.budgeted_duel_test`), computed by forward dynamic programming in which
every term is non-negative, so that rounding can only lose a known relative part and whatever is
cut off is bounded.
"""
