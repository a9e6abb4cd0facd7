"""Entries and findings about TreeAscent, in both versions (``alg:plr-pass``, ``alg:app-plr``)."""

from __future__ import annotations

from tgite_checks.bounds import sampling, tournaments
from tgite_checks.bounds import tree_ascent as true
from tgite_checks.bounds.demonstrations import identification as shown
from tgite_checks.claims.building import (
    certified,
    constants_of,
    fidelity,
    machine_checked,
    proved_by,
    truth,
)
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity
from tgite_checks.fidelity import schedules
from tgite_checks.fidelity import tree_ascent as faithful

_UNNAMED = (
    "Assumption 1, which the statement does not name; without it (two arms tie) the pass may never "
    "end, see the findings."
)

CLAIMS = (
    Claim(
        label="alg:plr-pass",
        kind=ClaimKind.ALGORITHM,
        title="TreeAscent, main text: N a power of two",
        place="Section 3.3, Algorithm 3",
        hypotheses="A start b, a balanced tree over N = 2^L arms, a level epsilon in (0, 1).",
        statement="With c_0 = b, for h = 1, ..., L: let g_h be the winner of BKT on the sibling "
        "block Q_h at level beta_h, and c_h the winner of DuelTest of c_{h-1} and g_h at level "
        "eta_h, where\n\n  beta_h = (epsilon/2) m_h/(N-1),   eta_h = epsilon/(2L).\n\nReturn c_L.",
        verdicts={
            **fidelity(domain="every path for few arms, levels included; refusal of other N"),
            **truth(
                Outcome.HOLDS, "N = 2, 4, 8: the same matches, levels and answers as the appendix"
            ),
        },
        not_established="Agreement with the appendix by enumeration ends at N = 8; beyond, it "
        "follows from M = N and m_h = mbar_h.",
        checks=(faithful.MAIN_PATHS, faithful.AGREEMENT, true.TWO_TEXTS),
        transcription=("tgite.tree_ascent.tree_ascent_power_of_two",),
    ),
    Claim(
        label="alg:app-plr",
        kind=ClaimKind.ALGORITHM,
        title="TreeAscent, appendix: any number of arms",
        place="Appendix B.2, Algorithm 9",
        hypotheses="A start b, a completed balanced tree with M leaves, a level epsilon in (0, 1).",
        statement="As in the main text, with the capacities in the place of the sizes,\n\n"
        "  beta_h = (epsilon/2) mbar_h/(M-1),   eta_h = epsilon/(2L),\n\n"
        "and an empty block is passed over.",
        verdicts=fidelity(
            domain="every path for few arms under every convention, levels included; long passes "
            "along chosen paths; whole runs by duels; the law of the duels by sampling"
        ),
        not_established="Nothing about the authors' own code, which is not published.",
        checks=(
            *(
                check
                for check in faithful.CHECKS
                if check not in (faithful.MAIN_PATHS, faithful.AGREEMENT)
            ),
            schedules.TREEASCENT_SHARES,
            sampling.TREE_ASCENT,
        ),
        transcription=(
            "tgite.tree_ascent.tree_ascent",
            "tgite.schedules.block_level",
            "tgite.schedules.merge_level",
        ),
    ),
    Claim(
        label="thm:plr-repair-main",
        kind=ClaimKind.THEOREM,
        title="Tree-guided identification",
        place="Section 3.3, Theorem 1",
        hypotheses=f"Any balanced tree, start and epsilon in (0, 1). {_UNNAMED}",
        statement="  P(TreeAscent returns a*) ≥ 1 - epsilon,\n\n"
        "  E[τ_TA] ≤ (C N/Δ²) ( log(1/epsilon) + log(1/Δ) + 1 )\n\n"
        "for a universal constant C; also for arbitrary N ≥ 2 in the appendix's version.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"a universal constant"; the first display fails where two arms tie',
            "Under Assumption 1 the first display holds, and the second with C = "
            f"{certified('tree-ascent')} (certified; {machine_checked('cor_tlcr_bai', 'C_bai')} "
            "is machine-checked, with N - 1 for N), for every N ≥ 2, tree, start and epsilon.",
        ),
        not_established="That the tree is needed: BKT on all arms has the same two properties "
        "(findings).",
        checks=(
            *constants_of("thm:plr-repair-main"),
            proved_by(
                "thm:plr-repair-main",
                "every N ≥ 2, tree, start, epsilon; under Assumption 1",
                "thm_app_plr_correctness",
                "thm_app_plr_cost",
            ),
            tournaments.ERRORS,
            tournaments.COSTS,
        ),
        transcription=("tgite.tree_ascent.tree_ascent",),
    ),
    Claim(
        label="lem:app-plr-capture-preserve",
        kind=ClaimKind.LEMMA,
        title="Capture and preservation of the winner",
        place="Appendix B.2, Lemma 7",
        hypotheses="If h_star > 0, the block's tournament returns a*; every merge from max(1, "
        "h_star) on that has a* returns it; every call ends (not said).",
        statement="The pass returns a*.",
        verdicts=truth(Outcome.HOLDS, "every tree, start and winner, if every call ends"),
        not_established="Nothing that the lemma says.",
        checks=(
            proved_by(
                "lem:app-plr-capture-preserve",
                "every tree, start and winner, any pairwise test that returns one of its two arms",
                "lem_app_plr_capture_preserve",
            ),
            true.CAPTURE,
        ),
        transcription=("tgite.tree_ascent.tree_ascent",),
    ),
    Claim(
        label="thm:app-plr-correctness",
        kind=ClaimKind.THEOREM,
        title="Correctness of one identification pass",
        place="Appendix B.2, Theorem 6",
        hypotheses=f"Any start and epsilon in (0, 1). {_UNNAMED}",
        statement="  P(TreeAscent(b, T, epsilon) = a*) ≥ 1 - epsilon.",
        verdicts=truth(
            Outcome.HOLDS,
            "every N, tree, start and epsilon, under Assumption 1",
            "Under Assumption 1. (In its proof even epsilon/2 is what is spent, see the findings.)",
        ),
        not_established="How small the error is for every instance; it is enclosed for the "
        "figures' ones.",
        checks=(
            proved_by(
                "thm:app-plr-correctness",
                "every N ≥ 2, tree, start, epsilon; under Assumption 1",
                "thm_app_plr_correctness",
            ),
            true.BUDGET,
            tournaments.ERRORS,
            tournaments.REAL_MATRICES,
        ),
        transcription=("tgite.tree_ascent.tree_ascent",),
    ),
    Claim(
        label="thm:app-plr-cost",
        kind=ClaimKind.THEOREM,
        title="One-pass identification cost",
        place="Appendix B.3, Theorem 7",
        hypotheses=f"Any start and epsilon in (0, 1). {_UNNAMED}",
        statement="  E[τ_TA(b, epsilon)] ≤ (C_TA N/Δ²) ( log(1/epsilon) + log(1/Δ) + 1 ),\n\n"
        "and the same for the weak regret of the pass.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"a universal constant"',
            f"Under Assumption 1 with C_TA = {certified('tree-ascent')} (certified; "
            f"{machine_checked('cor_tlcr_bai', 'C_bai')} is machine-checked, with N - 1 for N), "
            "for every N, tree, start and epsilon.",
        ),
        not_established="The smallest constant, but for the interval that the check on it shows.",
        checks=(
            *constants_of("thm:app-plr-cost"),
            proved_by(
                "thm:app-plr-cost",
                "every N ≥ 2, tree, start, epsilon; under Assumption 1",
                "thm_app_plr_cost",
                "cor_tlcr_bai",
            ),
            true.ENTROPY,
            true.MERGES,
            tournaments.COSTS,
            tournaments.REAL_MATRICES,
        ),
        transcription=("tgite.tree_ascent.tree_ascent",),
    ),
    Claim(
        label="assert:proportional-levels",
        kind=ClaimKind.ASSERTION,
        title="Levels proportional to the block sizes keep the sum linear",
        place="Section 3.3, after Algorithm 3; caption of Figure 1",
        hypotheses="beta_h = (epsilon/2) m_h/(N-1).",
        statement="Proportionality is what keeps Σ m_h log(1/beta_h) linear in N, where a uniform "
        "allocation would give N log log N.",
        verdicts=truth(
            Outcome.FAILS,
            "the wrong uniform allocation is compared with",
            "A uniform beta_h = epsilon/2 is valid by the same proof, keeps the sum linear, and "
            "is cheaper; only the uniform epsilon/(2L) gives N log log N.",
        ),
        not_established="Nothing of the authors' reasons.",
        checks=(true.ENTROPY, true.ONE_LEVEL),
    ),
)

FINDINGS = (
    Finding(
        name="treeascent-implied-by-bkt",
        label="thm:plr-repair-main",
        severity=Severity.ERROR,
        place='Section 3, Theorem 1; Section 1: "crucial role", "key challenge"',
        claim="The tree-based decomposition addresses the key challenge of identifying within "
        "O(N).",
        reason="The lemma on BKT, applied to all arms, is the theorem: BKT([N], epsilon) returns "
        "a* with probability at least 1 - epsilon at the same order of cost, from no start. It "
        "can stand for TreeAscent in every policy and theorem of the paper, and is cheaper: by "
        "factors of 1.10 (N = 8), 1.18 (64) and 1.20 (256) at epsilon = 1/4 and gap 0.3, of 1.04 "
        "and 1.08 (N = 8, 64) at epsilon = 1e-5.",
        correction="Attribute O(N) identification to BKT; or state a bound of TreeAscent that BKT "
        "lacks. The paper has none.",
        demonstration=shown.knockout_alone_is_cheaper,
    ),
    Finding(
        name="start-arm-buys-nothing",
        label="alg:plr-pass",
        severity=Severity.ERROR,
        place='Section 3, "uniformly over b"; Section 4.3, the next phase starts at c_{s-1}; '
        "Section 8 (i)",
        claim="The pass starts from an incumbent; rebuilding the tree with the incumbent at the "
        "leaf would reduce the cost of confirming it.",
        reason="No bound improves with b = a*, and neither does the cost: at N = 256 (gaps "
        ".30/.38, H = 10^5) the exact mean is 22 061 from the winner itself and 22 084 from the "
        "other half, 0.1%. Every arm is a leaf of every tree, and the pass starts at that leaf by "
        "definition, so that the proposal of Section 8 (i) is what is done already.",
        correction='Drop "warm start" for the incumbent of a phase, and direction (i).',
        demonstration=shown.start_does_not_matter,
    ),
    Finding(
        name="one-blocks-level-is-enough",
        label="assert:proportional-levels",
        severity=Severity.LOOSENESS,
        place="Section 3.3, after Algorithm 3; Appendix B.2, the union bound",
        claim="The levels beta_h must be shared out among the blocks.",
        reason="The winner lies in one block, so that the failure bound is 1{h_star > 0} "
        "beta_{h_star} + Σ eta_h; replacing it by Σ beta_h gives the rest away. With beta_h = "
        "epsilon/2 for every h the bound is epsilon, and Σ m_h log(1/beta_h) = (N-1) "
        "log(2/epsilon), half of the proportional rule's at epsilon = 1/2 and large N.",
        correction="beta_h = epsilon/2 for every block.",
        demonstration=shown.one_blocks_level_is_enough,
    ),
    Finding(
        name="half-of-epsilon-never-spent",
        label="thm:app-plr-correctness",
        severity=Severity.LOOSENESS,
        place="Appendix B.2, the union bound",
        claim="The pass errs with probability at most epsilon.",
        reason="By the paper's own lemmas it errs with probability at most epsilon/2, for every N "
        "and start: one block spends beta, only merges from h_star on see the winner, and a block "
        "of m arms has only ceil(log2 m) rounds. With N = 2 beta_1 is never spendable.",
        correction="State epsilon/2, or run the pass at 2 epsilon.",
        demonstration=shown.half_of_epsilon_is_spare,
    ),
    Finding(
        name="merge-levels-of-no-use",
        label="thm:app-plr-correctness",
        severity=Severity.LOOSENESS,
        place="Appendix B.2, Algorithm 9, eta_h",
        claim="eta_h = epsilon/(2L) is set aside for each of the L merges.",
        reason="There is no merge at an empty block, and merges below h_star do not see the "
        "winner. With N = 17 and the last arm as start four of five merges do not happen.",
        correction="Share epsilon/2 among the merges that take place.",
        demonstration=shown.merge_levels_of_no_use,
    ),
    Finding(
        name="clustered-byes-are-the-worst-case",
        label="thm:app-plr-cost",
        severity=Severity.LOOSENESS,
        place='Appendix B.3, "since M < 2N"',
        claim="Passing from M to N loses at most a factor of two.",
        reason="Byes themselves cost nothing; what they cost is in the levels, which are shared "
        "out over M - 1 leaves. N = 2^k + 1 with all byes in one block is the worst case of the "
        "constant: 22.9 duels an arm at the least at N = 1025, 21.2 at 1024 and 21.3 at 2048.",
        correction="Share the levels out by m_h/(N-1), empty blocks getting none.",
        demonstration=shown.clustered_byes_cost_most,
    ),
    Finding(
        name="block-representative-is-an-accident",
        label="assert:coarse-winner-structure",
        severity=Severity.ERROR,
        place='Section 4.2, Remark: "a coarse multi-level winner structure over all arms"',
        claim="The warm start also establishes a coarse multi-level winner structure over all "
        "arms.",
        reason="Appendices A.2 and B.1 say the opposite: a block without a* yields a bracket "
        "representative only, and a local maximum need not exist. Even without noise each arm of "
        "a 3-cycle represents its block of four in 8 of the 24 orders: the order decides.",
        correction="Drop the remark, or assume transitivity.",
        demonstration=shown.representative_is_an_accident,
    ),
    Finding(
        name="tie-stops-the-pass",
        label="thm:plr-repair-main",
        severity=Severity.ERROR,
        place="Section 3, Theorem 1; abstract and Section 1",
        claim="For every tree, start and epsilon the pass returns a* with probability at least 1 "
        "- epsilon.",
        reason="With a Condorcet winner and two other arms that tie and are siblings the pass "
        "almost surely never ends: three arms, epsilon = 1/10, P(never ends) > 0.99999. The same "
        "on the real matrix arxiv6, whose arms 3 and 5 tie. In index order that matrix's tie is "
        "met only after errors, so that the default tree hides it.",
        correction="State Assumption 1. All cost bounds, termination, total correctness, and the "
        "theorems on weak and strong regret need it; the confidence sequence, the lemma on a "
        "pair, partial correctness, and everything of Section 5 do not.",
        demonstration=shown.a_tie_stops_the_pass,
    ),
    Finding(
        name="capture-omits-termination",
        label="lem:app-plr-capture-preserve",
        severity=Severity.GAP,
        place="Appendix B.2, Lemma 7",
        claim="If the capture and the merges with a* go right, the pass returns a*.",
        reason="The premises say nothing of the other calls. If one of them does not end (two "
        "other arms tie), the pass returns nothing, though no premise is broken.",
        correction="Add that every call ends.",
        demonstration=shown.a_tie_stops_the_pass,
    ),
    Finding(
        name="assumption-and-constants-not-stated",
        label="thm:plr-repair-main",
        severity=Severity.GAP,
        place="Theorems on identification and on strong regret, Corollary on BAI, Lemmas on BKT, "
        "on the time of a pair, on an epoch; their versions with a known gap",
        claim="The statements stand without Assumption 1; the constant C appears unquantified.",
        reason="Only the weak-regret theorems name Assumption 1, though all of these need it (but "
        "for the known gap). C is not quantified in the corollary on BAI, the theorems on the "
        "known horizon, the lemma on an epoch, the corollary on the high-confidence warm start, "
        "and two budgeted lemmas.",
        correction='Name the assumption in each, and say "there is a universal constant C".',
    ),
)
