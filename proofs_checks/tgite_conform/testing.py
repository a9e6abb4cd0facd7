"""Conformance checks for another project's test suite, as one parametrised pytest test::

    from tgite_conform.testing import conformance
    from my_package import make_stream

    test_conformance = conformance(make_stream)

An implementation is a function as ``tgite conform`` takes it, a name ``"module:function"``, or
``program("./my_program")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast

import pytest

from tgite_conform.divergence import Diverged
from tgite_conform.faults import Fault, Lacking
from tgite_conform.format import SHIPPED, Case, read_vectors
from tgite_conform.process import ProcessConnection
from tgite_conform.program import ProgramSubject
from tgite_conform.protocol import Mode
from tgite_conform.referee import Level
from tgite_conform.runner import too_long
from tgite_conform.subjects import (
    BatchSubject,
    StreamSubject,
    Subject,
    function_subject,
    python_subject,
)
from tgite_conform.time_limit import TIME_LIMIT

__all__ = ["Level", "Mode", "cases", "conformance", "program"]


def cases(
    algorithms: Iterable[str] | None = None, flags: Iterable[str] = (), vectors: Path = SHIPPED
) -> list[Case]:
    """Return the cases of these algorithms (all by default) that have all of these flags."""
    wanted = set(flags)
    names = None if algorithms is None else set(algorithms)
    return [case for case in read_vectors(vectors, names) if wanted <= set(case.flags)]


def conformance(
    implementation: object,
    chosen: Sequence[Case] | None = None,
    level: Level = Level.MATCHES,
    long: bool = False,
) -> Callable[[Case], None]:
    """Return a test that is parametrised by cases, all by default.

    It fails with the first divergence. Cases that need what the implementation lacks are skipped,
    and long ones unless ``long`` is set.
    """
    subject = _subject(implementation)
    lacking: dict[str, list[Case]] = {}
    parameters = []
    for case in cases() if chosen is None else chosen:
        if reason := subject.declaration.why_skipped(case) or too_long(subject, case, long):
            lacking.setdefault(reason.partition(":")[0], []).append(case)
        else:
            parameters.append(pytest.param(case, id=case.id))
    # What the implementation lacks is one test for each reason, not one for each case.
    for reason, some in lacking.items():
        skip = pytest.mark.skip(reason=f"{len(some)} cases: {reason}")
        parameters.append(pytest.param(some[0], id=reason, marks=skip))

    @pytest.mark.parametrize("case", parameters)
    def test(case: Case) -> None:
        try:
            subject.play(case, level)
        except Lacking as lacking:
            raise pytest.skip.Exception(str(lacking)) from None
        except (Diverged, Fault) as error:
            told = f"{case.id} ({case.name}): {error}"
            raise pytest.fail.Exception(told, pytrace=False) from None

    return cast(Callable[[Case], None], test)


def program(
    *command: str, time_limit: float = TIME_LIMIT, mode: Mode | None = None
) -> ProgramSubject:
    """Start a program that reads and writes JSON lines; return it for the functions above."""
    return ProgramSubject(ProcessConnection(command), " ".join(command), time_limit, mode)


def _subject(implementation: object) -> Subject:
    if isinstance(implementation, str):
        return python_subject(implementation, TIME_LIMIT)
    if isinstance(implementation, StreamSubject | BatchSubject | ProgramSubject):
        return implementation
    if not callable(implementation):
        raise TypeError("an implementation is a function, a name, or a program")
    return function_subject(
        implementation, getattr(implementation, "__qualname__", repr(implementation)), TIME_LIMIT
    )
