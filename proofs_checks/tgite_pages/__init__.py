"""Generates the pages of ``docs/`` that come from the ledger, and builds the site.

This package reads the source tree, and is not installed.
"""
