"""The lines of ``tgite --version`` about this package."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from tgite_conform.format import VERSIONS
from tgite_conform.protocol import PROTOCOL
from tgite_conform.report import REPORT_FORMAT


def versions() -> Iterator[str]:
    """Yield a line for protocol and report, and one for the vectors of each version."""
    yield f"conformance: protocol {PROTOCOL}, report {REPORT_FORMAT}"
    for one in VERSIONS:
        sums = one.folder() / "SHA256SUMS"
        if sums.exists():
            yield f"vectors {one}: SHA256SUMS {sha256(sums.read_bytes()).hexdigest()}"
