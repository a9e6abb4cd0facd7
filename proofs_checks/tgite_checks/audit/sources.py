"""Which sources can influence a result: the digest by which stored results are found again.

A result depends on every file of both packages that a check can reach, and on the versions of what
computes. Which of these files one check does reach is not asked: an edit of any of them runs all
checks anew, which takes a minute or two, and no edit is ever overlooked.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import tgite
import tgite_checks

_COMPUTING = ("numpy", "scipy", "python-flint")

# What runs, keeps, judges and shows results, and what people write of them (a mutant counts by
# itself, for its own results). No other module may import from here: a test sees to it.
WITHOUT_INFLUENCE = frozenset(
    {"audit", "claims", "cli", "conformance", "judging", "schemas", "testing.py", "vectors"}
)
"""The entries of ``tgite_checks`` that cannot influence what a check finds."""


@functools.cache
def digest_of_checks() -> str:
    """Return the digest of all that can influence a result; files are read once per process."""
    return _digest(WITHOUT_INFLUENCE)


@functools.cache
def digest_of_everything() -> str:
    """Return one digest for all sources and versions: what an audit as a whole is about."""
    return _digest(frozenset())


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that compute."""
    found = {"python": sys.version.split()[0]}
    for package in _COMPUTING:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found


def _digest(without: frozenset[str]) -> str:
    digest = hashlib.sha256(repr(versions()).encode())
    for name, path in sorted(_files(without)):
        digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _files(without: frozenset[str]) -> Iterator[tuple[str, Path]]:
    for name, root in _roots():
        for path in root.rglob("*"):
            parts = path.relative_to(root).parts
            left_out = name == tgite_checks.__name__ and parts[0] in without
            hidden = any(part.startswith((".", "__pycache__")) for part in parts)
            if not left_out and not hidden and path.is_file():
                yield "/".join((name, *parts)), path


def _roots() -> Iterator[tuple[str, Path]]:
    for package in (tgite, tgite_checks):
        for path in package.__path__:
            yield package.__name__, Path(path)
