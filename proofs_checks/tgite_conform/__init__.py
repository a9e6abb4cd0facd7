"""The conformance kit: does an implementation ask for the reference's duels and give its answers?

``format`` reads and writes vectors, ``recorder`` makes their cases from the rows in ``cases``,
``referee`` judges a run against a case, ``subjects`` and ``program`` run an implementation,
``runner`` and ``report`` put it together. ``law`` checks implementations that draw their own
randomness.
"""
