"""Entries and findings about what is asserted outside of statements: abstract, remarks, outlook."""

from __future__ import annotations

import functools
from fractions import Fraction

from tgite_checks.bounds import instances, tournaments
from tgite_checks.bounds import tree_ascent as ascent
from tgite_checks.bounds.demonstrations import duel_test, identification, policies
from tgite_checks.check import Check, Kind, Question
from tgite_checks.claims.building import certified, truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity

TIE_STOPS_THE_PASS = Check(
    name="tie-stops-the-pass-check",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="a Condorcet winner among three arms, the others tied and siblings, epsilon = 1/10 "
    "(standard: arxiv6 too): the pass never ends with probability above 0.999",
    run=identification.a_tie_stops_the_pass,
    refuses={
        "the same of the known-gap pass": functools.partial(
            identification.a_tie_stops_the_pass, known_gap=True
        )
    },
)

KNOCKOUT_CHEAPER = Check(
    name="knockout-alone-is-cheaper",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="N = 8 and 64 (standard: 256 too), all gaps .3, levels 1/4 and 1e-5: BKT on all arms "
    "keeps its level and costs at most what TreeAscent costs",
    run=identification.knockout_alone_is_cheaper,
    refuses={
        "at most 4/5 of it": functools.partial(
            identification.knockout_alone_is_cheaper, factor=Fraction(4, 5)
        )
    },
)

SMALL_GAP = Check(
    name="one-small-gap-costs",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="four arms, Delta* = .3, one other pair of gap 0.1, 0.03 (standard: 0.01): the pass "
    "costs more than 5/x^2 duels, the known-gap pass at most 88",
    run=identification.one_small_gap_costs_much,
    refuses={
        "more than 50/x^2": functools.partial(identification.one_small_gap_costs_much, multiple=50)
    },
)

BINARY_UNITS = Check(
    name="binary-weak-regret-lower-bound",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="N = 256, all gaps Delta = 1e-3 to 1e-6: every policy has binary weak regret above "
    "0.007 N/Delta^2 on some instance, by a change of measure",
    run=policies.binary_weak_regret_needs_more,
    refuses={
        "above 0.01 N/Delta^2, by the same argument": functools.partial(
            policies.binary_weak_regret_needs_more, thousandths=10
        )
    },
)

STITCHED = Check(
    name="stitched-radius-crosses-earlier",
    question=Question.TRUTH,
    kind=Kind.CERTIFIED,
    domain="delta = 1/10, gaps 1e-16 to 1e-120: a radius that knows no gap crosses by 48/gap^2, "
    "the paper's not by 4 log10(1/gap)/gap^2",
    run=duel_test.gap_logarithm_is_not_forced,
    refuses={
        "the paper's not by 8 log10(1/gap)/gap^2": functools.partial(
            duel_test.gap_logarithm_is_not_forced, multiple=8
        )
    },
)

_CITED = (
    "A comparison with bounds of other papers, which are not part of this project: it would take "
    "their statements and proofs."
)

CLAIMS = (
    Claim(
        label="assert:no-stronger-assumption",
        kind=ClaimKind.ASSERTION,
        title="No stronger assumption than a Condorcet winner",
        place="Abstract; Section 1",
        hypotheses="A Condorcet winner.",
        statement="The results hold without requiring stronger assumptions (beyond the Condorcet "
        "winner).",
        verdicts=truth(
            Outcome.FAILS,
            "Sections 3 and 4 need a positive gap of every pair; on a tie the algorithms do not "
            "end",
            '"A Condorcet winner and no ties"; with a known gap g ≤ Δ* the Condorcet winner '
            "alone does suffice.",
        ),
        not_established="Nothing: the counterexample is exact.",
        checks=(TIE_STOPS_THE_PASS, tournaments.TIES),
    ),
    Claim(
        label="assert:weaker-than-total-order",
        kind=ClaimKind.ASSERTION,
        title="Assumption 1 is weaker than a total order",
        place="Section 1; Section 4.2, Remark",
        hypotheses="Finitely many arms.",
        statement="WS-W's linear-log bound requires the stronger assumption of a total order.",
        verdicts=truth(
            Outcome.HOLDS,
            "a strict total order of finitely many arms implies Assumption 1; the cyclic "
            "instances satisfy it without an order",
        ),
        not_established="What the cited bound needs.",
        checks=(instances.ORDERS,),
    ),
    Claim(
        label="assert:first-unified-framework",
        kind=ClaimKind.ASSERTION,
        title="The first framework for all three objectives",
        place="Abstract; Sections 1, 4.2",
        hypotheses="",
        statement="The first unified framework; the first winner-stays-style algorithm with O(N) "
        'weak regret ("to our knowledge").',
        verdicts=truth(Outcome.OPEN, "a claim of priority"),
        not_established="Whether it is so.",
        nothing_to_check="Priority cannot be computed.",
    ),
    Claim(
        label="assert:incumbent-within-linear-comparisons",
        kind=ClaimKind.ASSERTION,
        title="A high-confidence incumbent within O(N) comparisons",
        place="Abstract; Section 1",
        hypotheses="Assumption 1.",
        statement="The tree-guided identification finds a high-confidence incumbent within O(N) "
        "comparisons.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "an O that hides log(1/epsilon), Δ^-2 and log(1/Δ), and means the expectation",
            f"{certified('tree-ascent')} N/Δ² (log(1/epsilon) + log(1/Δ) + 1) comparisons in "
            "expectation; no bound holds for every run.",
        ),
        not_established="As for `thm:plr-repair-main`.",
        checks=(tournaments.COSTS,),
    ),
    Claim(
        label="assert:treeascent-is-crucial",
        kind=ClaimKind.ASSERTION,
        title="The tree-based decomposition is what makes O(N) possible",
        place="Section 1; Section 3; Section 6, last paragraph",
        hypotheses="Assumption 1.",
        statement="TreeAscent plays the crucial role; the key challenge, O(N) identification, is "
        "addressed by the tree-based decomposition.",
        verdicts=truth(
            Outcome.FAILS,
            "no statement of the paper supports it: BKT on all arms has the same guarantee, at "
            "less cost",
            '"BKT on all arms serves as well".',
        ),
        not_established="That TreeAscent has no use: a bound that BKT lacks might exist, the "
        "paper has none.",
        checks=(KNOCKOUT_CHEAPER,),
    ),
    Claim(
        label="assert:matches-optimal-identification",
        kind=ClaimKind.ASSERTION,
        title="Matches optimal BAI strategies in N",
        place="Section 1; Section 4.1, Remark; Section 7.2",
        hypotheses="",
        statement="O(N) sample complexity matches the current optimal BAI strategies without "
        "strong stochastic transitivity or the stochastic triangle inequality.",
        verdicts=truth(Outcome.OPEN, "rests on lower and upper bounds of other papers"),
        not_established="The cited bounds.",
        nothing_to_check=_CITED,
    ),
    Claim(
        label="assert:near-optimal-in-gap",
        kind=ClaimKind.ASSERTION,
        title="Near-optimal in the gap",
        place="Section 4.1, Remark; Section 4.2, Remark; Section 7.1",
        hypotheses="Assumption 1.",
        statement="The bound is near-optimal in Δ; against Δ* it is slightly looser; BAI needs "
        "Ω(1/Δ²).",
        verdicts=truth(
            Outcome.FAILS,
            "with Δ* fixed the cost grows like 1/x² in another pair's gap x, and a version of the "
            "paper's own does not",
            '"near-optimal in the worst case Δ = Δ*".',
        ),
        not_established="Optimality in the worst case, which is a matter of cited lower bounds.",
        checks=(SMALL_GAP,),
    ),
    Claim(
        label="assert:improves-winner-stays",
        kind=ClaimKind.ASSERTION,
        title="Improves WS-W from N log N to N, and closes both gaps of WSW-PE",
        place="Abstract; Sections 1, 4.2, 7.1, 7.3",
        hypotheses="",
        statement="O(N) weak regret against O(N log N/Δ^6); O(N) in both objectives against O(N "
        "log N).",
        verdicts=truth(
            Outcome.OPEN,
            "upper bounds are compared; with delta shrinking in N the joint policy's own bound "
            "has the logarithm again",
        ),
        not_established="That the other algorithms' regret is of the order of their bounds.",
        nothing_to_check=_CITED,
    ),
    Claim(
        label="assert:removes-n-squared",
        kind=ClaimKind.ASSERTION,
        title="Removes the N² term of WS-S",
        place="Section 7.1",
        hypotheses="",
        statement="Under global-gap accounting the strong-regret result removes the N² "
        "exploration term of WS-S.",
        verdicts=truth(Outcome.OPEN, "upper bounds under different assumptions are compared"),
        not_established="The cited bound, and whether it is attained under Assumption 1.",
        nothing_to_check=_CITED,
    ),
    Claim(
        label="assert:weak-suboptimal-in-gap",
        kind=ClaimKind.ASSERTION,
        title="Sub-optimal in the gap against N/Δ*",
        place="Section 4.2, Remark; Section 7.1",
        hypotheses="The paper's binary weak regret.",
        statement="The cited O(N/Δ*) is better in the gap; the dependence on Δ is sub-optimal.",
        verdicts=truth(
            Outcome.FAILS,
            "for binary weak regret N/Δ* is impossible: every policy pays 0.007 N/Δ² on some "
            "instance",
            "In binary units the theorem is optimal up to log(1/Δ) where Δ = Δ*; N/Δ* is a bound "
            "of gap-weighted regret.",
        ),
        not_established="The units of the cited paper, but for this: no policy satisfies N/Δ* in "
        "binary ones.",
        checks=(BINARY_UNITS,),
    ),
    Claim(
        label="assert:strong-suboptimal-in-gap",
        kind=ClaimKind.ASSERTION,
        title="Strong regret optimal in N and T, sub-optimal in the gap",
        place="Section 4.3, Remark",
        hypotheses="The paper's binary strong regret.",
        statement="Other algorithms usually achieve N log T/Δ; the results are optimal in N and "
        "T, sub-optimal in Δ, which reflects a trade-off.",
        verdicts=truth(
            Outcome.AMBIGUOUS,
            "those bounds are of gap-weighted regret but for WS-S; the latter's binary bound has "
            "1/Δ² too",
            "In binary units TG-ITE-Strong matches WS-S in Δ: N log_β(T)/(2p-1) with β ≤ p/(1-p) "
            "is (N log T)/(8Δ²)(1 + o(1)).",
        ),
        not_established="The cited bounds.",
        nothing_to_check=_CITED,
    ),
    Claim(
        label="assert:dual-optimality-is-hard",
        kind=ClaimKind.ASSERTION,
        title="Optimality in both objectives conjectured hard",
        place="Section 4.2, Remark",
        hypotheses="",
        statement="BAI needs Ω(1/Δ²), more than the 1/Δ* of weak regret: so both at once would be "
        "hard (conjecture).",
        verdicts=truth(
            Outcome.OPEN,
            "a conjecture; its reason compares binary with gap-weighted units",
            "In binary units both need 1/Δ*² in the worst case, and the stated tension disappears.",
        ),
        not_established="The conjecture.",
        nothing_to_check="A conjecture. That N/Δ* is impossible in binary units is "
        "`assert:weak-suboptimal-in-gap`.",
    ),
    Claim(
        label="assert:coarse-winner-structure",
        kind=ClaimKind.ASSERTION,
        title="A coarse multi-level winner structure over all arms",
        place="Section 4.2, Remark",
        hypotheses="Assumption 1.",
        statement="The warm start also establishes a coarse multi-level winner structure over all "
        "arms within O(N).",
        verdicts=truth(
            Outcome.FAILS,
            "a block without a* yields an accident of the bracket; the appendix says so itself",
            '"one representative of each block, which means nothing without transitivity".',
        ),
        not_established="Uses of the representatives under transitivity.",
        checks=(
            Check(
                name="block-representative",
                question=Question.TRUTH,
                kind=Kind.EXHAUSTIVE,
                domain="three arms in a cycle and one that loses to all, no noise, all 24 orders: "
                "each of the three represents 8",
                run=identification.representative_is_an_accident,
                refuses={
                    "one arm represents all orders": functools.partial(
                        identification.representative_is_an_accident, each=24
                    )
                },
            ),
        ),
    ),
    Claim(
        label="assert:only-winner-matches-matter",
        kind=ClaimKind.ASSERTION,
        title="Correctness needs accurate decisions on the winner's matches only",
        place="Section 5, before Algorithm 8",
        hypotheses="Every match ends.",
        statement="The proofs need accurate decisions on comparisons with a*; the others may end "
        "either way.",
        verdicts=truth(
            Outcome.HOLDS,
            "every path of the pass for few arms; by proof with the budgeted test for all",
        ),
        not_established="Nothing that is said.",
        checks=(ascent.CAPTURE, tournaments.TIES),
    ),
    Claim(
        label="assert:known-gap-removes-log",
        kind=ClaimKind.ASSERTION,
        title="The extension removes log(1/Δ) and makes BAI's cost deterministic",
        place="Section 5, after Theorem 5",
        hypotheses="g ≤ Δ* known.",
        statement="Every residual log(1/Δ) goes, and the stopping time is bounded in every run.",
        verdicts=truth(
            Outcome.HOLDS,
            "all of Section 5; for g of the order of Δ* it is an improvement",
        ),
        not_established="That it is cheaper for every g: it is not (finding).",
        checks=(tournaments.BUDGETS, tournaments.KNOWN_GAP_ERRORS),
    ),
    Claim(
        label="assert:log-gap-redundant",
        kind=ClaimKind.ASSERTION,
        title="The factor log(1/Δ) is redundant, and due to the anytime radius",
        place="Section 5, first paragraph; Section 8 (iv)",
        hypotheses="No known gap.",
        statement="The redundant factor log(1/Δ) originates from the anytime radius; removing it "
        "without side information is an interesting direction.",
        verdicts=truth(
            Outcome.AMBIGUOUS,
            "half right: it originates from this radius; a stitched one has log log(1/Δ), which "
            "cannot be removed",
            '"can be reduced to log log(1/Δ) by a stitched radius".',
        ),
        not_established="The cited lower bound (Farrell 1964).",
        checks=(STITCHED,),
    ),
    Claim(
        label="assert:benign-trade-off",
        kind=ClaimKind.ASSERTION,
        title="The trade-off between BAI and regret is relatively benign",
        place="Abstract; Section 1",
        hypotheses="",
        statement="The results provide evidence that the trade-off is alleviated in dueling "
        "bandits.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, "an interpretation"),
        not_established="Everything about it.",
        nothing_to_check="An interpretation of the results.",
    ),
)

FINDINGS = (
    Finding(
        name="global-gap-is-a-stronger-assumption",
        label="assert:no-stronger-assumption",
        severity=Severity.ERROR,
        place="Abstract; Section 1 against Section 2, Assumption 1, and Section 4.2, Remark",
        claim="The Condorcet-winner assumption, without requiring stronger ones.",
        reason="The theorems need the smallest gap of all pairs to be positive, which a Condorcet "
        "winner does not imply; and the algorithm needs it, not only the proof: on a tie its "
        "match ends with probability below 1e-4. The remark of Section 4.2 admits the extra "
        "assumption against the abstract. (A strict total order implies it: against WS-W it is "
        "weaker, against Saad et al. stronger.)",
        correction='"a Condorcet winner and no ties".',
        demonstration=identification.a_tie_stops_the_pass,
    ),
    Finding(
        name="binary-against-gap-weighted-units",
        label="assert:weak-suboptimal-in-gap",
        severity=Severity.ERROR,
        place="Section 4.2, Remark; Section 4.3, Remark; Section 7.1",
        claim="N/Δ* (weak) and N log T/Δ (strong) of other papers are better in the gap than N/Δ².",
        reason="Those bounds are of gap-weighted regret. For the paper's binary regret N/Δ* is "
        "impossible: by a change of measure every policy has binary weak regret above 0.007 N/Δ² "
        "on some instance with all gaps Δ. So the theorem is optimal up to log(1/Δ) when Δ = Δ*, "
        "and the conjectured tension is one of units.",
        correction="Compare in one unit: divide by the gap, or say binary.",
        demonstration=policies.binary_weak_regret_needs_more,
    ),
)
