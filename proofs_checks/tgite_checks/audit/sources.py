"""The digest of all sources that can influence a result, the key of stored results.

The digest covers every file of the packages that a check can reach, and the versions of the
libraries that compute. It does not depend on which of these files a given check reaches. So an edit
of any of them runs all checks again, which takes a minute or two, and no edit is missed.
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

WITHOUT_INFLUENCE = frozenset({"audit", "cli", "schemas"})
"""Parts of ``tgite_checks`` that run, store and show results; no other part may import them.

The texts in ``claims`` do not count either. A mutant in ``claims`` counts for its own results.
"""


@functools.cache
def digest_of_checks() -> str:
    """Return the digest of all sources that can influence a result, computed once per process."""
    return _digest(WITHOUT_INFLUENCE)


@functools.cache
def digest_of_everything() -> str:
    """Return the digest of all sources and versions, which identifies a whole audit."""
    return _digest(frozenset())


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that compute."""
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
