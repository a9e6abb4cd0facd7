"""Explicit universal constants: an interval [a, b] for each "there is a constant C" of the paper.

``b`` holds on the whole stated domain, by a certificate that ball arithmetic checks. ``a`` is
attained by an exact law, so no smaller constant is possible. ``constants.toml`` states the
constants. :mod:`.lines` bounds one test, :mod:`.totals` sums the tests of an algorithm,
:mod:`.cover` covers all gaps, and :mod:`.certificates` combines these. :mod:`.extremal` has the
instances that attain ``a``. ``docs/constants.md`` has the proofs in words.
"""
