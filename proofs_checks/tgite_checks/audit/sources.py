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
import tgite_judge
import tgite_laws

_COMPUTING = ("numpy", "scipy", "python-flint")

WITHOUT_INFLUENCE = frozenset(
    {
        "audit",
        "cli",
        "conformance",
        "schemas",
        "pytest_plugin.py",
        "testing.py",
        "vectors",
    }
)
"""What in ``tgite_checks`` runs, keeps and shows results; nothing else may import from it.

Nor do the texts of ``claims`` count; a mutant, which stands there, counts for its own results.
"""


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
            text = parts[0] == "claims" and path.suffix == ".toml"
            left_out = without and name == "tgite_checks" and (text or parts[0] in without)
            hidden = any(part.startswith((".", "__pycache__")) for part in parts)
            if not left_out and not hidden and path.is_file():
                yield "/".join((name, *parts)), path


def _roots() -> Iterator[tuple[str, Path]]:
    for package in (tgite, tgite_laws, tgite_checks, tgite_judge):
        for path in package.__path__:
            yield package.__name__, Path(path)
