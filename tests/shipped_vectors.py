"""The vectors that come with the package, read once for all tests."""

from __future__ import annotations

from tgite_checks.conformance.format import SHIPPED, read_folder

CASES = read_folder(SHIPPED)
