"""A change of the code is seen whatever it does, even where no check tries its numbers."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import reduce
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from beartype.door import is_bearable

from golden import table
from tgite_checks.mutation import Mutant, mutated
from tgite_checks.proofs.recorded_code import differences, digest, present, recorded
from tgite_laws.implementation import REFERENCE

USES: tuple[Callable[[Any], object], ...] = (
    *(msgspec.json.Decoder, msgspec.inspect.type_info, inspect.getmembers, get_type_hints, copy),
    *(lambda one: isinstance(object(), one), lambda one: is_bearable(object(), one)),
    *(lambda one: one(), lambda one: type("", (one,), {})()),
)
CHANGES = {one: table("checks/changed_code.toml", one) for one in ("text", "names", "environment")}


def test_the_recorded_code_is_the_present_code() -> None:
    """After a change that was read: ``python -m tgite_checks.proofs.recorded_code``."""
    assert present() == recorded()


@pytest.mark.parametrize(("module", "original", "replaced"), CHANGES["text"])
def test_a_changed_text_is_seen(module: str, original: str, replaced: str) -> None:
    code = mutated(Mutant("changed", "", module, original, replaced, ""))
    assert f"tgite.{module} is not the code that was read and recorded" in differences(
        code, {module: recorded()[module]}
    )


@pytest.mark.parametrize(("module", "name", "value"), CHANGES["names"])
def test_a_name_that_is_bound_from_outside_is_seen(
    monkeypatch: pytest.MonkeyPatch, module: str, name: str, value: str
) -> None:
    *within, last = name.split(".")
    place = reduce(getattr, within, import_module(f"tgite.{module}"))
    monkeypatch.setattr(place, last, eval(value), raising=False)
    said = differences(REFERENCE, {module: recorded()[module]})
    assert any(f"{one} of" in "".join(said) or f": {one}" in said[0] for one in [*within, last])


@pytest.mark.parametrize(("file", "text", "said"), CHANGES["environment"])
def test_a_library_that_is_changed_before_the_code_is_loaded_is_seen(
    tmp_path: Path, file: str, text: str, said: str
) -> None:
    (tmp_path / file).write_text(text, "utf-8")
    asks = f"from {differences.__module__} import *; print(differences(REFERENCE, {{}}))"
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run([sys.executable, "-c", asks], env=paths, capture_output=True, text=True)
    assert said in done.stdout


def test_what_is_used_is_not_taken_for_changed() -> None:
    """Libraries note in a class and in a function what they found out about it."""
    for name in recorded().keys() - {"__init__", "comparators/facts.toml"}:
        for one, use in product(vars(import_module(f"tgite.{name}")).values(), USES):
            with suppress(Exception):
                use(one)
    assert differences(REFERENCE, recorded()) == []


def test_words_do_not_count_as_code() -> None:
    code = 'def f(x):\n    return "# kept" + x\n'
    words = (
        '"""Of f."""\n\n\ndef f(x):  # why\n    """Return it.\n\n    So."""\n    # why\n'
        + code[10:]
    )
    assert digest(words) == digest(code) != digest(code.replace("# kept", "kept"))
    for hidden in ("x += 1; 'words'", "'words'; x += 1", "'words'; x += 1; 'words'"):
        assert digest(f"def f(x):\n    {hidden}\n{code[10:]}") != digest(code)
