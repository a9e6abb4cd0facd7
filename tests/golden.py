"""Golden files: what is printed is compared whole with a file that TGITE_UPDATE=1 writes anew."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from tgite_laws.cli.main import status


def same_as(file: Path, text: str) -> None:
    """Compare a text with a golden file, or write the file where that is asked for."""
    if os.environ.get("TGITE_UPDATE"):
        file.write_text(text, "utf-8")
    kept = file.read_text("utf-8").splitlines()
    changes = list(unified_diff(kept, text.splitlines(), file.name, "now", n=0, lineterm=""))
    assert not changes, "\n".join([*changes, "TGITE_UPDATE=1 pytest writes it anew"])


def errors(calls: Mapping[str, Callable[[], object]]) -> str:
    """Make calls that must fail; return under the name of each what it raises."""
    told = []
    for name, call in calls.items():
        try:
            said = f"returned {call()!r}"
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        told.append(f"{name}\n{textwrap.indent(said, '  ')}\n")
    return "\n".join(told)


def transcript(file: Path) -> str:
    """Run a transcript's commands in the working directory; return it with what they print now.

    Lines of standard error begin with ``!``; an exit status other than 0 stands in brackets.
    """
    commands = re.findall(r"^\$ (.*)$", file.read_text("utf-8"), re.MULTILINE)
    text = "".join(line + "\n" for command in commands for line in _played(command))
    for folder in (Path(__file__).parent, Path.cwd()):
        text = text.replace(f"{folder}/", "")
    return re.sub(r"\b\d+\.\d s\b", "0.0 s", text)


def _played(command: str) -> Iterator[str]:
    yield f"$ {command}"
    words = shlex.split(command)
    if words[0] != "tgite":
        ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        yield from ran.stdout.splitlines()
        return
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        ended = status(words[1:])
    yield from (line.rstrip() for line in out.getvalue().splitlines())
    yield from (f"! {line.rstrip()}" for line in err.getvalue().splitlines())
    if ended:
        yield f"[{ended}]"


def table(file: str, name: str) -> Any:
    """Return a table of cases from a TOML file of ``tests``."""
    return tomllib.loads((Path(__file__).parent / file).read_text("utf-8"))[name]
