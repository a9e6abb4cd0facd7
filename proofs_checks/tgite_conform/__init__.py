"""The conformance kit: compares an implementation's duels and answers with the reference's.

``format`` reads and writes vectors, ``recorder`` makes their cases from the rows in ``cases``,
``referee`` compares a run with a case, ``subjects`` and ``program`` run an implementation,
``runner`` and ``report`` run all cases and report on them. ``law`` checks implementations that draw
their own randomness.
"""
