"""Entries and findings about BAI (``cor:tlcr-bai`` and the definitions around it)."""

from __future__ import annotations

from tgite_checks.bounds import tournaments
from tgite_checks.bounds.demonstrations import identification as shown
from tgite_checks.check import Question
from tgite_checks.claims.building import certified, constants_of, machine_checked, proved_by, truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity, Verdict
from tgite_checks.fidelity import bai as faithful

CLAIMS = (
    Claim(
        label="cor:tlcr-bai",
        kind=ClaimKind.COROLLARY,
        title="Fixed-confidence identification",
        place="Section 4.1, Corollary 1",
        hypotheses="delta in (0, 1); Assumption 1, which is not named.",
        statement="TG-ITE-BAI, one pass at level delta, returns a* with probability at least 1 - "
        "delta and\n\n  E[τ_BAI] ≤ (C N/Δ²) ( log(1/delta) + log(1/Δ) + 1 ).",
        verdicts={
            **truth(
                Outcome.NOT_FALSIFIABLE,
                "C is not even quantified",
                f"Under Assumption 1 with C = {certified('tree-ascent')} (certified; "
                f"{machine_checked('cor_tlcr_bai', 'C_bai')} is machine-checked, with N - 1 for "
                "N).",
            ),
            Question.FIDELITY: Verdict(
                Outcome.HOLDS, "every path for few arms, every convention, rigged runs"
            ),
        },
        not_established="The smallest constant.",
        checks=(
            *constants_of("cor:tlcr-bai"),
            proved_by(
                "cor:tlcr-bai",
                "every N ≥ 2, tree, start, delta; under Assumption 1",
                "cor_tlcr_bai",
            ),
            tournaments.ERRORS,
            tournaments.COSTS,
            *faithful.CHECKS,
        ),
        transcription=("tgite.bai.tg_ite_bai",),
    ),
)

FINDINGS = (
    Finding(
        name="bai-remark-drops-delta",
        label="cor:tlcr-bai",
        severity=Severity.AMBIGUITY,
        place="Section 4.1, Remark",
        claim="The corollary guarantees O((N/Δ²) log(1/Δ)).",
        reason="log(1/delta) is dropped: either delta is a constant there, or it is a slip. "
        '"Near-optimal in Δ" holds in the worst case Δ = Δ*; instance by instance it is false '
        "(see the finding on one small gap).",
        correction="Keep log(1/delta), and say in which sense it is near-optimal.",
    ),
    Finding(
        name="one-small-gap-costs-much",
        label="assert:near-optimal-in-gap",
        severity=Severity.ERROR,
        place='Section 4.1, Remark; Section 4.2, Remark; Section 7.1: "slightly looser"',
        claim="The result is near-optimal in Δ; the loss against Δ* is slight; BAI is known to "
        "need Ω(1/Δ²).",
        reason="With Δ* = 0.3 and one pair of other arms at gap x the exact expected duels of the "
        "pass (N = 4, level 1/10) are 1017 at x = 0.1 and 12 847 at x = 0.03, growing like 1/x²; "
        "the paper's own known-gap version needs at most 88 at every x. So the loss is unbounded, "
        "and Ω(1/Δ²) with the global Δ does not follow from worst-case lower bounds, in which Δ = "
        "Δ*: with a known gap the paper itself stays below it.",
        correction='"near-optimal in the worst case Δ = Δ*"; Ω(1/Δ*²) for BAI.',
        demonstration=shown.one_small_gap_costs_much,
    ),
)
