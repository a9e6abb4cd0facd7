"""A change of the code is seen whatever it does, even where no check tries its numbers."""

from __future__ import annotations

import tomllib
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

from tgite_checks.mutation import Mutant, mutated
from tgite_checks.proofs.recorded_code import differences, digest, present, recorded
from tgite_laws.implementation import REFERENCE

CHANGES = tomllib.loads(Path(__file__).with_name("changed_code.toml").read_text("utf-8"))


def test_the_recorded_code_is_the_present_code() -> None:
    """After a change that was read: ``python -m tgite_checks.proofs.recorded_code``."""
    assert present() == recorded()
    assert differences(REFERENCE, recorded()) == []


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


def test_words_do_not_count_as_code() -> None:
    code = 'def f(x):\n    return "# kept" + x\n'
    words = (
        '"""Of f."""\n\n\ndef f(x):  # why\n    """Return it.\n\n    So."""\n    # why\n'
        + code[10:]
    )
    assert digest(words) == digest(code) != digest(code.replace("# kept", "kept"))
    for hidden in ("x += 1; 'words'", "'words'; x += 1", "'words'; x += 1; 'words'"):
        assert digest(f"def f(x):\n    {hidden}\n{code[10:]}") != digest(code)
