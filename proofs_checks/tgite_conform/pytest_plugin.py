"""The pytest plugin: a test with the argument ``tgite_case`` runs once for each case.

The marker ``tgite`` takes the arguments of :func:`tgite_conform.testing.cases`. A test suite that
does not use these names loads nothing of the kit.
"""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "tgite(algorithms, flags, vectors): the cases to go through")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``tgite_case`` once for each case."""
    if "tgite_case" in metafunc.fixturenames:
        from tgite_conform.testing import cases

        marker = metafunc.definition.get_closest_marker("tgite")
        chosen = cases(**marker.kwargs) if marker else cases()
        metafunc.parametrize("tgite_case", chosen, ids=[case.id for case in chosen])
