"""The algorithms that the paper compares with, as streams; the paper's modules never import them.

Unlike the paper's algorithms these may use NumPy and may draw random numbers. They draw them from
generators that are arguments, never from the one that draws the outcomes of duels.

Import one from its module: ``from tgite.comparators.rucb import rucb``. Their arguments come in the
same order as the policies':

1. the number of arms, or the arms;
2. what is known of a gap;
3. the level or the horizon, if there is one;
4. the pairwise test or the random source;
5. arguments with a default.

Comparators that identify an arm (``bkt_all``, ``seq_elim``, ``seq_eliminate_pac``, ``knockout``,
``wsw_pe``) return it. Those that minimise regret (``ws_w``, ``ws_s``, ``wr_tinf``, ``wr_exp3_ix``,
``versatile_db``, ``rucb``, ``rmed1``, ``rmed2``, ``double_ts``, ``merge_rucb``, ``beat_the_mean``,
``interleaved_filter``) never return. :mod:`tgite.comparators.facts` says what the authors of each
one assume.
"""
