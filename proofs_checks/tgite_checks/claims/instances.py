"""Entries and findings about the instances of the Experiments section."""

from __future__ import annotations

from tgite_checks.bounds import instances as true
from tgite_checks.bounds.demonstrations import experiments as shown
from tgite_checks.claims.building import truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity

CLAIMS = (
    Claim(
        label="assert:cyclic-instances",
        kind=ClaimKind.ASSERTION,
        title="Cyclic instances satisfy Assumption 1 without a total order",
        place="Section 6, Instance design",
        hypotheses="N arms; a* beats all others by Δ*, the others form a directed cycle: i beats "
        "j by Δ_cyc iff (j - i) mod (N-1) ≤ (N-1)/2; a* is arm ⌊N/2⌋.",
        statement="Assumption 1 holds, and there is no total order.",
        verdicts=truth(
            Outcome.HOLDS,
            "even N, a label not beating itself; no total order from N = 4 on",
            "For even N, with 1 ≤ (j - i) mod (N-1) ≤ (N-2)/2. For odd N the printed rule "
            "contradicts itself.",
        ),
        not_established="Whether a* is inserted or swapped into its place: both give the same law "
        "up to names.",
        checks=(true.PAPER_INSTANCES, true.ORDERS),
        transcription=("tgite.instances.cyclic",),
    ),
    Claim(
        label="assert:sparse-instances",
        kind=ClaimKind.ASSERTION,
        title="Sparse instances have Δ_sub ≫ Δ*",
        place="Section 6, Instance design",
        hypotheses="The cyclic skeleton with a small winner gap, the other probabilities pushed "
        "toward 0.06 and 0.94.",
        statement="Assumption 1 holds; Δ_sub ≫ Δ*, the regime that WR-TINF and WR-EXP3-IX are "
        "designed for.",
        verdicts=truth(
            Outcome.FAILS,
            "Assumption 1 holds; at the printed values .44 is 1.69 times .26",
            '"Δ_sub about 1.7 times Δ*".',
        ),
        not_established="Which entries are pushed, and how far: all of them, fully, is our "
        "reading.",
        checks=(true.PAPER_INSTANCES, true.SPARSE),
        transcription=("tgite.instances.sparse",),
    ),
)

FINDINGS = (
    Finding(
        name="cyclic-rule-contradicts-itself",
        label="assert:cyclic-instances",
        severity=Severity.ERROR,
        place="Section 6, Instance design (1)",
        claim="Arm i beats arm j iff (j - i) mod (N-1) ≤ (N-1)/2.",
        reason="Taken literally each arm beats itself (distance 0), and for odd N the (N-1)/2 "
        "antipodal pairs beat each other, against p_ij = 1 - p_ji. With N = 2 there is no cycle.",
        correction="N even and 1 ≤ (j - i) mod (N-1) ≤ (N-2)/2.",
        demonstration=shown.printed_rule_contradicts_itself,
    ),
    Finding(
        name="sparse-is-not-sparse",
        label="assert:sparse-instances",
        severity=Severity.PRESENTATION,
        place="Section 6, Instance design (2), against Section 7.1",
        claim="A small winner gap, Δ_sub ≫ Δ*, the regime that WR-TINF and WR-EXP3-IX are "
        "designed to exploit.",
        reason="The printed values are .26 and .44, a ratio of 1.69. And by Section 7.1 WR-TINF "
        "matches its lower bound where the winner's gap is large, another algorithm being meant "
        "for the other regime.",
        correction="Say which regime each baseline is meant for, and use values in it.",
        demonstration=true.SPARSE.run,
    ),
    Finding(
        name="instance-details-left-open",
        label="assert:sparse-instances",
        severity=Severity.AMBIGUITY,
        place="Section 6, Instance design",
        claim="a* is relabelled to ⌊N/2⌋; probabilities are pushed toward {.06, .94}.",
        reason="Whether numbering begins at 0 or 1; whether a* is inserted there or swapped; "
        "whether all entries are pushed, and fully.",
        correction="Fix it. Rulings: from 0, inserted, all entries exactly.",
    ),
)
