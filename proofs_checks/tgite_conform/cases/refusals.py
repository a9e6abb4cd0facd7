"""Negative cases: inputs that the paper or the model does not admit. What is bad is in the name."""

from __future__ import annotations

from collections.abc import Iterator

from tgite_conform.algorithms import ALGORITHMS, Group
from tgite_conform.cases.choices import FIRST_ARM_IS_ONE
from tgite_conform.format import Parameter, Parameters
from tgite_conform.record import Recipe

_GOOD: dict[str, Parameter] = {
    "u": 0,
    "v": 1,
    "S": (0, 1, 2),
    "N": 4,
    "b": 1,
    "b_0": 1,
    "c": 1,
    "H": 100,
    "delta": "1/10",
    "epsilon": "1/10",
    "rho": "1/64",
    "kappa": "1/64",
    "warm_start": "1/4",
    "g": "2/5",
    "against": "1/20",
    "margin": "1/10",
    "budget": 100,
    "order": (3, 0, 2),
    "assumes": "nothing",
}

_BAD_LEVELS = ("0", "1", "-1/10", "2", "nan", "1/0", "", "ten percent")
_BAD: dict[str, tuple[Parameter, ...]] = {
    "u": (-1,),
    "v": (0, -1),
    "S": ((), (0, 1, 0), (-1, 0)),
    **dict.fromkeys(("b", "b_0", "c"), (-1, 4)),
    "N": (1, 0, -3),
    "H": (0, -1),
    "g": ("0", "-1/10", "51/100", "1", "nan"),
    "margin": ("0", "-1/10", "1/2", "51/100", "nan"),
    "budget": (0, -1),
    "order": ((), (3, 0), (3, 0, 0), (3, 0, 1), (3, 0, 2, 4), (3, 0, 2, 2)),
    "assumes": ("", "everything"),
}


def recipes(group: Group) -> Iterator[Recipe]:
    """Yield the recipes of a group's algorithms."""
    for algorithm in group.algorithms:
        described = ALGORITHMS[algorithm]
        good = {name: _GOOD[name] for name in described.parameters}
        for name in described.parameters:
            if group is Group.BEYOND and name != "g" and not described.is_a_test:
                continue  # As with the paper's tests.
            for value in _bad_values(algorithm, name):
                changed = {**good, name: value}
                if name == "N":
                    # So that the number of arms alone is bad.
                    changed.update({arm: 0 for arm in ("b", "b_0", "c") if arm in changed})
                    changed.pop("order", None)
                if name == "c":
                    changed.pop("order", None)
                shown = list(value) if isinstance(value, tuple) else value
                yield Recipe(f"{name} = {shown}", algorithm, changed, None, bad=name)
    if group is not Group.PAPER:
        return
    given: Parameters = {"N": 4, "b": 0, "epsilon": "1/10"}
    name = "b = 0 where arms are numbered from 1"
    yield Recipe(name, "tree_ascent", given, None, FIRST_ARM_IS_ONE, bad="b")
    name, given = f"{name}, known gap", {**given, "g": "2/5"}
    yield Recipe(name, "tree_ascent_g", given, None, FIRST_ARM_IS_ONE, bad="b")


def _bad_values(algorithm: str, name: str) -> Iterator[Parameter]:
    row = ALGORITHMS[algorithm]
    yield from _BAD.get(name, _BAD_LEVELS)
    if name == "g" and not row.test.of_the_paper:
        yield "1/2"  # as the ratio of the likelihoods would be infinite
    if row.base == "tree_ascent_power_of_two" and name == "N":
        yield from (3, 6)
    # Only rho's levels may have the factor, and those of a test.
    if name not in (*_BAD, "rho") and not row.is_a_test:
        yield "1/4 * 6/pi^2"
