"""Explicit universal constants: for each "there is a constant C" of the paper an interval [a, b].

``b`` holds on the whole stated domain, by a certificate that ball arithmetic checks; ``a`` is
attained by an exact law, so that no smaller constant would do. ``constants.toml`` states them,
:mod:`.lines` bounds one test, :mod:`.bills` adds up the tests of an algorithm, :mod:`.cover` goes
over all gaps, :mod:`.certificates` puts these together, :mod:`.ends` has the instances that attain
``a``. ``docs/constants.md`` has the proofs for a reader.
"""
