"""The conformance kit: does another implementation ask the same duels and give the same answers?

``format`` reads and writes the vectors; ``generate`` makes them from the list in ``cases``;
``referee`` judges one run against one case; ``subjects`` and ``program`` run an implementation in
Python or behind a pipe; ``runner`` and ``report`` put it together. ``law_check`` is for
implementations that draw their own randomness.
"""
