"""Entries and findings about the known-gap extension (``sec:known-gap-budgeted-extension``)."""

from __future__ import annotations

from tgite_checks.bounds import budgeted_duel_test as true
from tgite_checks.bounds import known_gap, sampling, screen_and_replace, tournaments
from tgite_checks.bounds.demonstrations import budgeted_duel_test as shown
from tgite_checks.bounds.demonstrations import identification
from tgite_checks.claims.building import (
    certified,
    constants_of,
    fidelity,
    machine_checked,
    proved_by,
    truth,
)
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity
from tgite_checks.fidelity import budgeted_duel_test as faithful

CLAIMS = (
    Claim(
        label="alg:budgeted-dueltest",
        kind=ClaimKind.ALGORITHM,
        title="BudgetedDuelTest: a pairwise test with a fixed budget",
        place="Section 5, Algorithm 8",
        hypotheses="Two different arms, a gap g in (0, 1/2], a level delta in (0, 1).",
        statement="Duel at most M = ⌈ log(4/delta)/(2g²) ⌉ times; stop early where the mean is "
        "more than b_n(delta) - g from 1/2, with\n\n  b_n(delta) = √( log(8n²/delta)/(2n) );\n\n"
        "return the arm that is ahead, u on a tie.",
        verdicts=fidelity(
            domain="budgets of many gaps and levels; every decision at or next to the boundary "
            "for five gaps and eight levels; balanced scores; the law by sampling"
        ),
        not_established="Nothing about the authors' own code.",
        checks=(*faithful.CHECKS, sampling.BUDGETED),
        transcription=(
            "tgite.budgeted_duel_test.budgeted_duel_test",
            "tgite.budgeted_duel_test.budget",
            "tgite.budgeted_duel_test.b",
        ),
    ),
    Claim(
        label="lem:budgeted-dueltest-main",
        kind=ClaimKind.LEMMA,
        title="Validity of the budgeted test",
        place="Section 5, Lemma 1; proof in Appendix E",
        hypotheses="Any pair for the budget; |p_uv - 1/2| ≥ g for the answer.",
        statement="It uses at most M comparisons, and returns the better arm with probability at "
        "least 1 - delta (the proof: 1 - delta/2).",
        verdicts=truth(
            Outcome.HOLDS, "every g in (0, 1/2], every level, both orders of the arguments"
        ),
        not_established="Nothing that the lemma says; its budget is larger than needed (findings).",
        checks=(
            *constants_of("lem:budgeted-dueltest-main"),
            proved_by(
                "lem:budgeted-dueltest-main",
                "every g in (0, 1/2], level and pair; error at most (8/15) delta even with a "
                "rounded rule",
                "lem_budgeted_dueltest_main",
                "paper_budgeted_admissible",
            ),
            true.RADIUS,
            true.UNION,
            true.ERROR,
            true.ATTAINED,
            true.BUDGET,
        ),
        transcription=("tgite.budgeted_duel_test.budgeted_duel_test",),
    ),
    Claim(
        label="thm:known-gap-extension-main",
        kind=ClaimKind.THEOREM,
        title="TG-ITE with a known gap: five bounds",
        place="Section 5, Theorem 5",
        hypotheses="A Condorcet winner and g ≤ Δ*; no global gap.",
        statement="All success probabilities remain, and\n\n  BAI: τ ≤ (C N/g²)( log(1/delta) + 1 "
        ") in every run;\n  weak: E[R_inf] ≤ C N/g², with a delta warm start (C N/g²)( "
        "log(1/delta) + 1 );\n  strong, known H: E[R_H] ≤ (C N/g²)( log(H+1) + 1 ) + 1;\n  "
        "strong, T ≥ 2: E[R_T] ≤ (C N/g²)( log(T+1) + log log(T+2) + 1 ) + C'( log log(T+2) + 1 ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"universal constants"',
            f"Certified: C = {certified('budgeted-tree-ascent')} for BAI, "
            f"{certified('budgeted-weak')} and {certified('budgeted-weak-high-confidence')} for "
            f"the two weak bounds, {certified('budgeted-strong-known')} for the known horizon, "
            f"{certified('budgeted-strong-anytime')} with C' = 1 for the anytime one; ties among "
            "other arms allowed. (Machine-checked: 23/5, 27/2, 51/4, 23/5, 23/3 with C' = 5/3, "
            "and N - 1 for N.)",
        ),
        not_established="The smallest constants; that the bounds are improved for every g "
        "(findings).",
        checks=(
            *constants_of("thm:known-gap-extension-main"),
            proved_by(
                "thm:known-gap-extension-main",
                "every N ≥ 2, tree, start, g ≤ Δ*: all five parts",
                "thm_known_gap_extension_main",
                "budgeteddueltest_is_pairwise_test",
            ),
            tournaments.KNOWN_GAP_ERRORS,
            tournaments.BUDGETS,
            tournaments.TIES,
            tournaments.REAL_MATRICES,
            known_gap.WEAK,
            known_gap.STRONG,
        ),
        transcription=("tgite.budgeted_duel_test.known_gap",),
    ),
    Claim(
        label="lem:app-budgeted-bkt",
        kind=ClaimKind.LEMMA,
        title="BKT with the budgeted test",
        place="Appendix E, Lemma 10",
        hypotheses="A nonempty set S of m arms; for the answer an arm w of S that beats all "
        "others of S by g.",
        statement="At most (C m/g²)( log(1/delta) + 1 ) comparisons in every run; w is returned "
        "with probability at least 1 - delta.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"a universal constant"',
            "With C = "
            f"{certified('budgeted-bkt')} (certified; "
            f"{machine_checked('lem_app_budgeted_bkt', 'C_budgeted_bkt')} is machine-checked, "
            "with m - 1 for m).",
        ),
        not_established="The smallest constant.",
        checks=(
            *constants_of("lem:app-budgeted-bkt"),
            proved_by(
                "lem:app-budgeted-bkt",
                "every finite set, g and level; ties among other arms allowed",
                "lem_app_budgeted_bkt",
            ),
            tournaments.BUDGETS,
            tournaments.KNOWN_GAP_ERRORS,
        ),
        transcription=("tgite.bkt.bkt",),
    ),
    Claim(
        label="lem:app-budgeted-tree-ascent",
        kind=ClaimKind.LEMMA,
        title="TreeAscent with the budgeted test",
        place="Appendix E, Lemma 11",
        hypotheses="g ≤ Δ*; any start, tree and epsilon.",
        statement="a* is returned with probability at least 1 - epsilon; at most (C N/g²)( "
        "log(1/epsilon) + 1 ) comparisons in every run, and so much weak or strong regret.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "C is not quantified",
            f"With C = {certified('budgeted-tree-ascent')} (certified; "
            f"{machine_checked('lem_app_budgeted_tree_ascent', 'C_budgeted_ta')} is "
            "machine-checked, with N - 1 for N).",
        ),
        not_established="The smallest constant.",
        checks=(
            *constants_of("lem:app-budgeted-tree-ascent"),
            proved_by(
                "lem:app-budgeted-tree-ascent",
                "every N ≥ 2, tree, start, g ≤ Δ*; ties among other arms allowed",
                "lem_app_budgeted_tree_ascent",
            ),
            tournaments.KNOWN_GAP_ERRORS,
            tournaments.BUDGETS,
            tournaments.TIES,
        ),
        transcription=("tgite.tree_ascent.tree_ascent",),
    ),
    Claim(
        label="lem:app-budgeted-screen-epoch",
        kind=ClaimKind.LEMMA,
        title="One epoch with the budgeted test",
        place="Appendix E, Lemma 12",
        hypotheses="g ≤ Δ*; the incumbent may depend on the past.",
        statement="The result is wrong with probability at most 1{c ≠ a*}(rho + kappa) + 1{c = "
        "a*} kappa, and\n\n  E[W] ≤ (C N/g²) [ 1{c ≠ a*}( log(1/rho) + log(1/kappa) + 1 ) + rho ( "
        "log(1/kappa) + 1 ) ].",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "C is not quantified",
            f"With C = {certified('budgeted-epoch')} (certified; "
            f"{machine_checked('lem_app_budgeted_screen_epoch', 'C_budgeted_epoch')} is "
            "machine-checked, with N - 1 for N and 2 for 1 in the first bracket).",
        ),
        not_established="The smallest constant.",
        checks=(
            *constants_of("lem:app-budgeted-screen-epoch"),
            proved_by(
                "lem:app-budgeted-screen-epoch",
                "every N ≥ 2, incumbent, levels, g ≤ Δ*; ties among other arms allowed",
                "lem_app_budgeted_screen_epoch",
            ),
            screen_and_replace.KNOWN_GAP_ONE_STEP,
            screen_and_replace.KNOWN_GAP_REGRET,
        ),
        transcription=("tgite.screen_and_replace.screen_and_replace",),
    ),
)

FINDINGS = (
    Finding(
        name="known-gap-is-not-an-allowance",
        label="assert:g-delta-bai",
        severity=Severity.ERROR,
        place="Section 2 (delta-BAI), Section 5, Theorem 5: (g, delta)-BAI",
        claim="(g, delta)-BAI is the setting in which a performance gap of g is allowed; Section "
        "5 extends the results to it.",
        reason="Section 5 proves something else: the exact winner, given g ≤ Δ*. Where a gap of g "
        "is allowed g may exceed Δ*, and there the algorithm fails: with Δ* = 0.02, g = 0.1, "
        "delta = 0.05 BKT_g returns an arm that is 0.45 below a* with probability 0.245, with Δ* "
        "= 0.001 with 0.462.",
        correction="Call it delta-BAI with a known gap.",
        demonstration=identification.known_gap_is_not_an_allowance,
    ),
    Finding(
        name="budgeted-sides-differ",
        label="lem:budgeted-dueltest-main",
        severity=Severity.GAP,
        place='Appendix E, proof of the lemma, last sentence: "identical with the inequalities '
        'reversed"',
        claim="The proof for the other side is identical.",
        reason="At an even budget a tie goes to u, so that with v better the final error is a "
        "weak inequality. Hoeffding covers it, and the lemma holds; but the two errors differ: "
        "0.0041 and 0.0194 at g = 0.3, delta = 1/2, M = 12. So the order of arguments changes the "
        "law of every known-gap algorithm.",
        correction="Say so, and fix the order of arguments in BKT, merges and screening.",
        demonstration=shown.sides_differ,
    ),
    Finding(
        name="budgeted-second-case-is-empty",
        label="lem:budgeted-dueltest-main",
        severity=Severity.PRESENTATION,
        place="Appendix E, proof of the lemma, the case b_n < g; Algorithm 8, the tie rule at an "
        "early return",
        claim="The proof distinguishes b_n ≥ g and b_n < g; an early return may see a tie.",
        reason="b_n(delta) > g for every n ≤ M, g in (0, 1/2] and delta in (0, 1): for n < M "
        "since 2ng² < log(4/delta), for n = M since log 2 ≥ 1/2. The second case and the tie "
        "never occur.",
        correction="Drop both.",
        demonstration=true.RADIUS.run,
    ),
    Finding(
        name="budget-larger-than-needed",
        label="lem:budgeted-dueltest-main",
        severity=Severity.LOOSENESS,
        place="Appendix E, proof of the lemma",
        claim="The error is at most delta/2, in particular delta.",
        reason="pi²/48 + 1/4 = 0.456 of delta is what is spent; a budget with log(1.26/delta) "
        "would do.",
        correction="M = ⌈ log(1.26/delta)/(2g²) ⌉.",
        demonstration=shown.smaller_budget_suffices,
    ),
    Finding(
        name="known-gap-bounds-not-always-improved",
        label="thm:known-gap-extension-main",
        severity=Severity.LOOSENESS,
        place='Section 5, Theorem 5: "the following improved bounds"',
        claim="The bounds are improved for every valid g ≤ Δ*.",
        reason="C N/g² is below C N/Δ² (log(1/Δ) + 1) only for g above Δ/√(log(1/Δ) + 1). At the "
        "gap 0.3, g = 0.03: 1111 against 24.5; the budget is 2435 where DuelTest takes 65 duels "
        "on average; at g = 0.01 even its own mean, 69.4, exceeds DuelTest's.",
        correction='"for g of the order of Δ*".',
        demonstration=shown.bounds_are_not_improved,
    ),
    Finding(
        name="known-gap-needs-less-than-section-four",
        label="thm:known-gap-extension-main",
        severity=Severity.PRESENTATION,
        place="Section 5, before Theorem 5",
        claim="Under Assumption 1 any global lower bound is valid.",
        reason="Everything of Section 5 holds with a Condorcet winner and g ≤ Δ* alone, ties "
        "among the others included: its hypotheses are weaker than those of Sections 3 and 4, "
        "which is not said.",
        correction="State Theorem 5 without Assumption 1.",
        demonstration=tournaments.TIES.run,
    ),
)
