"""Entries and findings about the problem (Section ``sec:pre``): assumption, objectives, samples."""

from __future__ import annotations

from tgite_checks.bounds import instances
from tgite_checks.claims.building import NOTHING_CLAIMED, fidelity, truth
from tgite_checks.claims.model import Claim, ClaimKind, Outcome

CLAIMS = (
    Claim(
        label="assump:condorcet-gap",
        kind=ClaimKind.ASSUMPTION,
        title="A Condorcet winner and a positive global gap",
        place="Section 2, Assumption 1",
        hypotheses="A preference matrix with entries in (0, 1), p_ij = 1 - p_ji, p_ii = 1/2.",
        statement="Some arm a* has p_{a*,j} > 1/2 for every other j, and\n\n"
        "  Δ = min over i ≠ j of |p_ij - 1/2| > 0.\n\n"
        "Claimed of it: it holds for the paper's instances, and does not need a total order.",
        verdicts=truth(
            Outcome.HOLDS,
            "the instances of the three figures (even N), two of the three real matrices; implied "
            "by a strict total order; not by a Condorcet winner alone",
        ),
        not_established="How common it is: of three published real matrices one (arxiv6) has a "
        "tie.",
        checks=(instances.PAPER_INSTANCES, instances.REAL_MATRICES, instances.ORDERS),
        transcription=("tgite.preferences.require_condorcet_gap",),
    ),
    Claim(
        label="assert:delta-bai",
        kind=ClaimKind.DEFINITION,
        title="delta-BAI",
        place="Section 2",
        hypotheses="delta in (0, 1).",
        statement="Stop at a time that may depend on the data and output an arm; delta-correct if "
        "it is a* with probability at least 1 - delta; measured by E[τ]; no comparison after "
        "stopping.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established="Nothing is claimed.",
        transcription=("tgite.bai.tg_ite_bai",),
        nothing_to_check="A definition. That the joint policy of `cor:dual` does not meet it is a "
        "finding.",
    ),
    Claim(
        label="assert:weak-regret",
        kind=ClaimKind.DEFINITION,
        title="Binary weak regret",
        place="Section 2",
        hypotheses="A Condorcet winner.",
        statement="A round costs 1 if neither arm is a*, else 0; R_inf is the sum over all rounds.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established="Nothing is claimed. For N = 2 it is identically zero (finding).",
        transcription=("tgite.playing.play.play",),
        nothing_to_check="A definition; the player counts by it, see its tests.",
    ),
    Claim(
        label="assert:strong-regret",
        kind=ClaimKind.DEFINITION,
        title="Binary strong regret and self-play",
        place="Section 2",
        hypotheses="A Condorcet winner; self-comparisons are allowed and their outcomes ignored.",
        statement="A round costs 0 if both arms are a*, else 1.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established="Nothing is claimed.",
        transcription=("tgite.playing.play.play", "tgite.questions.SelfPlay"),
        nothing_to_check="A definition; the player counts by it, see its tests.",
    ),
    Claim(
        label="assert:fresh-samples",
        kind=ClaimKind.ASSERTION,
        title="Fresh samples",
        place="Section 2; Algorithms 4 and 7",
        hypotheses="A subroutine call.",
        statement="No outcome drawn during the call has been used before.",
        verdicts=fidelity(
            domain="it holds of every call, since DuelTest begins with n = 0 and S = 0"
        ),
        not_established="Nothing: it constrains no printed algorithm (finding).",
        nothing_to_check="That the tests keep no outcomes is part of `alg:dueltest`'s fidelity: "
        "the mutant that keeps them is rejected there.",
    ),
    Claim(
        label="assert:g-delta-bai",
        kind=ClaimKind.ASSERTION,
        title="(g, delta)-BAI",
        place="Section 2 and Section 5",
        hypotheses="A known g.",
        statement="The setting in which a performance gap of g is allowed; Section 5 is said to "
        "extend the results to it.",
        verdicts=truth(
            Outcome.AMBIGUOUS,
            "read as PAC (any arm within g of a*) the extension fails; read as exact "
            "identification with g ≤ Δ* known it holds",
            "delta-BAI with a known gap g ≤ Δ*.",
        ),
        not_established="What the authors meant.",
        nothing_to_check="A name; its two readings are told apart by the finding on it, whose "
        "counterexample is run.",
    ),
)
