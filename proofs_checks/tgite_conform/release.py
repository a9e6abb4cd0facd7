"""Packs the vectors and a checker in C into one archive, for users without Python."""

from __future__ import annotations

import io
import struct
import tarfile
import zlib
from pathlib import Path

from tgite_conform.format import CHECKSUMS, VERSIONS, read_folder

_PACKAGE = Path(__file__).parent
_RELEASE = _PACKAGE / "release"
_WRITTEN_HERE = ("README.md", "check.c", "example.c", "sha256.h", "tgite.h", "vectors.h")
_WRITTEN_ELSEWHERE = {
    # The wheel has copies of these files (see pyproject.toml).
    "LICENSE": _PACKAGE.parents[1] / "LICENSE",
    **{
        name: _PACKAGE.parents[1] / "docs" / name
        for name in ("conformance.md", "conformance-reference.md")
    },
}
_TIME = 946_684_800  # The first second of 2000, because some programs warn of files of 1970.
_LARGEST_BLOCK = 65_535


def archive() -> bytes:
    """Return the released files as an archive (tar.gz), with the same bytes on every machine."""
    packed = io.BytesIO()
    top = f"tgite-vectors-{VERSIONS[-1]}"
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted(_contents().items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mtime = len(content), _TIME
            tar.addfile(entry, io.BytesIO(content))
    return _as_gzip(packed.getvalue())


def _contents() -> dict[str, bytes]:
    texts = {name: _RELEASE / name for name in _WRITTEN_HERE}
    texts["vectors.schema.json"] = _PACKAGE / "schemas" / "vectors.schema.json"
    for name, source in _WRITTEN_ELSEWHERE.items():
        beside = _RELEASE / name
        texts[name] = beside if beside.exists() else source
    # Read as text, so that line ends are the same on every machine.
    found = {name: path.read_text(encoding="utf-8").encode() for name, path in texts.items()}
    for version in VERSIONS:
        folder = version.folder()
        names = {f"{case.algorithm}.json" for case in read_folder(folder)}
        for name in (CHECKSUMS, *names):
            found[f"{folder.name}/{name}"] = (folder / name).read_bytes()
    return found


def _as_gzip(content: bytes) -> bytes:
    """Return gzip data without compression, because compressed bytes depend on the library."""
    pieces = [
        content[start : start + _LARGEST_BLOCK] for start in range(0, len(content), _LARGEST_BLOCK)
    ]
    header = b"\x1f\x8b\x08" + bytes(6) + b"\xff"  # Deflate; no name, no time; system unknown.
    blocks = b"".join(
        struct.pack("<BHH", piece is pieces[-1], len(piece), _LARGEST_BLOCK - len(piece)) + piece
        for piece in pieces
    )
    return header + blocks + struct.pack("<II", zlib.crc32(content), len(content))
