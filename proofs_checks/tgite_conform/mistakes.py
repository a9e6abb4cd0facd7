"""Names the known mistakes whose cases an implementation fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tgite_conform.algorithms import Maker
from tgite_conform.runner import CaseResult, Status, said
from tgite_conform.subjects import StreamSubject
from tgite_laws.implementation import Implementation

_NEARLY_ALL, _FEWEST = 0.9, 4


def subject_of(implementation: Implementation) -> StreamSubject:
    """Return a subject that plays an implementation with the reference's interface."""
    return StreamSubject(Maker(implementation), implementation.name)


def known_mistakes(results: Sequence[CaseResult]) -> tuple[str, ...]:
    """Return the known mistakes that differ at the same duels, in nearly all cases that tell.

    The case of a mistake has a note with the duel at which that mistake, and some others, differ.
    """
    right, all_, texts = Counter[str](), Counter[str](), dict[str, str]()
    noted = [one for one in results if one.divergence or one.status is Status.CONFORMS]
    names = {one.case.mutant.name for one in noted if one.case.mutant}
    for result in noted:
        if note := result.case.mutant:
            texts[note.name] = f"{note.label}: {note.mistake} ({note.name}"
            there = result.divergence is not None and result.divergence.duel == note.duel
            named = {note.name, *note.also}
            all_.update(names if there else named)
            right.update(named if there else ())
    return tuple(
        f"{text}; {right[name]} of {all_[name]} cases)"
        for name, text in texts.items()
        if right[name] >= max(_FEWEST, _NEARLY_ALL * all_[name])
    )


def settled(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """Return the results, of which some change from "differs by convention" to "wrong".

    These are results of algorithms for which conventions leave more cases unexplained than they
    explain. Of several explanations of a case, the one that explains most cases is told.
    """
    found = [one for result in results for one in result.explanations or ()]
    times = Counter(frozenset(one.items()) for one in found)
    wrong = [one for one in results if one.status is Status.WRONG]
    in_vain = [one for one in wrong if one.explanations is not None]
    unexplained = Counter(one.case.algorithm for one in in_vain)
    by_convention = [one for one in results if one.status is Status.DIFFERS_BY_CONVENTION]
    explaining = Counter(one.case.algorithm for one in by_convention)

    def told(result: CaseResult) -> CaseResult:
        of = result.case.algorithm
        convention = result.status is Status.DIFFERS_BY_CONVENTION
        if convention and result.explanations:
            most = max(result.explanations, key=lambda one: times[frozenset(one.items())])
            result = replace(result, detail=said(result.case, most))
        if not convention or unexplained[of] <= explaining[of]:
            return result
        others = f"of {of} that explains {explaining[of]} cases, and not {unexplained[of]} others"
        return replace(result, status=Status.WRONG, detail=f"{result.detail}, but {others}")

    return tuple(map(told, results))
