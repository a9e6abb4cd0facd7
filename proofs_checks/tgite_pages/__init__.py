"""The pages of ``docs/`` that are made from the ledger, and the site of all pages.

This package reads the source tree, and is not installed.
"""
