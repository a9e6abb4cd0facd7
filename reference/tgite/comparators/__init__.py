"""The algorithms that the paper compares with: streams like its own, and never part of them.

Unlike the paper's algorithms these may use NumPy, and draw from random generators that are
arguments, apart from whatever draws the outcomes of duels.

Import one from its module: ``from tgite.comparators.rucb import rucb``. Their arguments come in the
order of the policies': the number of arms or the arms, what is known of a gap, the level or the
horizon where there is one, the pairwise test or the random source; then what has a default. Those
that identify an arm (``bkt_all``, ``seq_elim``, ``seq_eliminate_pac``, ``knockout``, ``wsw_pe``)
return it; those that play for a regret (``ws_w``, ``ws_s``, ``wr_tinf``, ``wr_exp3_ix``,
``versatile_db``, ``rucb``, ``rmed1``, ``double_ts``, ``merge_rucb``, ``beat_the_mean``,
``interleaved_filter``) never do. ``facts`` says of each what its authors assume.
"""
