"""Packs the vectors and a checker in C into one archive, for users without Python."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from tgite_conform.format import CHECKSUMS, VERSIONS, read_folder

_PACKAGE = Path(__file__).parent
_RELEASE = _PACKAGE / "release"
_WRITTEN_HERE = ["README.md", *(path.name for path in _RELEASE.glob("*.[chj]*"))]
_WRITTEN_ELSEWHERE = {
    # The wheel has copies of these files (see pyproject.toml).
    "LICENSE": _PACKAGE.parents[1] / "LICENSE",
    **{
        name: _PACKAGE.parents[1] / "docs" / name
        for name in ("conformance.md", "conformance-reference.md")
    },
}
_TIME = 946_684_800  # The first second of 2000, because some programs warn of files of 1970.


def archive() -> bytes:
    """Return the released files as an archive, with the same bytes on every machine.

    It is not compressed, because compressed bytes depend on the library.
    """
    packed = io.BytesIO()
    top = f"tgite-vectors-{VERSIONS[-1]}"
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in sorted(_contents().items()):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mtime = len(content), _TIME
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


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
