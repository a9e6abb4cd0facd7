"""Tests that compile changed proofs: minutes of the prover, which not every run has to spend."""

from __future__ import annotations

import os

import pytest

compiles_changed_proofs = pytest.mark.skipif(
    not os.environ.get("TGITE_PROOFS"),
    reason="changed proofs are compiled where TGITE_PROOFS is set, as it is in CI",
)
