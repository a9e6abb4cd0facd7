"""Entries and findings about DuelTest (``alg:dueltest`` and the lemmas of ``app:dueltest``)."""

from __future__ import annotations

from tgite_checks.bounds import duel_test as true
from tgite_checks.bounds import sampling
from tgite_checks.bounds.demonstrations import duel_test as shown
from tgite_checks.claims.building import (
    certified,
    constants_of,
    fidelity,
    machine_checked,
    proved_by,
    truth,
)
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity
from tgite_checks.fidelity import duel_test as faithful

CLAIMS = (
    Claim(
        label="alg:dueltest",
        kind=ClaimKind.ALGORITHM,
        title="DuelTest: an anytime test of two arms",
        place="Section 2, Algorithm 1",
        hypotheses="Two different arms u, v and a level delta in (0, 1).",
        statement="Duel u and v until the mean of u's wins leaves 1/2 by more than the radius\n\n "
        " c(n, delta) = √( log(2n(n+1)/delta) / (2n) ),\n\nand return the arm that is then ahead. "
        "The logarithm is natural (said in the appendix only).",
        verdicts=fidelity(
            domain="every decision at or next to the boundary for eight levels and n up to 10^5; "
            "the law by sampling"
        ),
        not_established="That the float rule decides as the real numbers do for every n: beyond "
        "the n and levels that balls have settled, only that it never stops early by more than a "
        "relative 2^-40 is relied on, from a stated error of log and sqrt.",
        checks=(*faithful.CHECKS, sampling.DUEL_TEST),
        transcription=("tgite.duel_test.duel_test", "tgite.duel_test.c"),
    ),
    Claim(
        label="lem:app-anytime-cs",
        kind=ClaimKind.LEMMA,
        title="The anytime confidence sequence",
        place="Appendix A.1, Lemma 2",
        hypotheses="Independent outcomes with mean p; any delta in (0, 1).",
        statement="The mean of n outcomes ever leaves p by the radius with probability at most "
        "delta:\n\n  P( ∃ n ≥ 1: |mean_n - p| ≥ c(n, delta) ) ≤ delta.",
        verdicts=truth(Outcome.HOLDS, "every p in [0, 1] and delta in (0, 1)"),
        not_established="How much smaller the probability is for every p; it is enclosed for four "
        "p.",
        checks=(
            proved_by(
                "lem:app-anytime-cs",
                "every p in [0, 1] and delta in (0, 1), with ≥, in the limit of all n",
                "lem_app_anytime_cs",
                "hoeffding_upper",
                "hoeffding_lower",
            ),
            true.UNION,
            true.MISS,
        ),
        transcription=("tgite.duel_test.c",),
    ),
    Claim(
        label="lem:app-dueltest-correct",
        kind=ClaimKind.LEMMA,
        title="DuelTest returns the better arm",
        place="Appendix A.1, Lemma 3",
        hypotheses="p_uv ≠ 1/2, delta in (0, 1).",
        statement="DuelTest returns the better arm with probability at least 1 - delta.",
        verdicts=truth(
            Outcome.HOLDS,
            "every pair that does not tie, every level; also with the float rule of the "
            "transcription",
        ),
        not_established="Nothing that the lemma says; its proof bounds wrong answers only, and "
        "takes it from the next lemma that there is an answer (see the findings).",
        checks=(
            proved_by(
                "lem:app-dueltest-correct",
                "every p_uv ≠ 1/2 and delta in (0, 1): error at most (8/15) delta even with a "
                "rounded rule, at most delta/2 with the real one, and the test ends almost surely",
                "lem_app_dueltest_correct",
                "dueltest_half",
                "paper_rule_admissible",
                "rounded_rule_admissible",
            ),
            true.ERROR,
            true.EARLIEST,
        ),
        transcription=("tgite.duel_test.duel_test",),
    ),
    Claim(
        label="lem:app-dueltest-time",
        kind=ClaimKind.LEMMA,
        title="DuelTest's expected duels",
        place="Appendix A.1, Lemma 4",
        hypotheses="A pair with gap gamma = |p_uv - 1/2| in (0, 1/2]; delta in (0, 1). Its second "
        "part needs every pair used to have a gap of Δ > 0 at least: Assumption 1, which is not "
        "named.",
        statement="There is a universal constant C_dt with\n\n"
        "  E[τ] ≤ (C_dt/gamma²) ( log(1/delta) + log(1/gamma) + 1 ),\n\n"
        "and with Δ in the place of gamma for all pairs of the paper.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"there is a constant"; the second part needs Assumption 1',
            f"With C_dt = {certified('dueltest')} (certified; "
            f"{machine_checked('lem_app_dueltest_time', 'C_dt')} is machine-checked) for every "
            "gap in (0, 1/2] and every level; the second part under Assumption 1.",
        ),
        not_established="The smallest constant, but for the interval that the check on it shows.",
        checks=(
            *constants_of("lem:app-dueltest-time"),
            proved_by(
                "lem:app-dueltest-time",
                "every gap in (0, 1/2] and level in (0, 1), C_dt as shown; by Wald's identity, "
                "not by the paper's proof",
                "lem_app_dueltest_time",
            ),
            true.TIME,
            true.STEPS,
        ),
        transcription=("tgite.duel_test.duel_test",),
    ),
    Claim(
        label="eq:app-dueltest-exp",
        kind=ClaimKind.EQUATION,
        title="The displayed bound of the stopping-time lemma",
        place="Appendix A.1, in Lemma 4",
        hypotheses="As in the lemma.",
        statement="  E[τ(u, v, delta)] ≤ (C_dt/gamma²) ( log(1/delta) + log(1/gamma) + 1 ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"there is a constant"',
            f"With C_dt = {certified('dueltest')} it holds for every gap and level.",
        ),
        not_established="As for the lemma.",
        checks=(
            *constants_of("eq:app-dueltest-exp"),
            true.TIME,
        ),
    ),
)

FINDINGS = (
    Finding(
        name="dueltest-time-constant-circular",
        label="lem:app-dueltest-time",
        severity=Severity.GAP,
        place="Appendix A.1, proof of the stopping-time lemma, the boundary inversion",
        claim='C_1 and C_2 depend only on C_0, and C_2 A ≤ C_0 A/2 is had "by increasing C_0 if '
        'necessary".',
        reason="Raising C_0 raises C_2. As written the step is circular; it works because C_2 "
        "grows only like log C_0: log n_star ≤ log(2C_0) + log A + 2 log(1/gamma). With C_0 = 16 "
        "every step holds for all gaps and levels, with C_0 = 12 these estimates fail.",
        correction="Take C_0 = 16 and C_1 = log(2C_0) + 3, say so, and C_dt ≤ 18.6 follows; or "
        "replace the proof by Wald's identity with Jensen's inequality, which gives C_dt = 16/7.",
        demonstration=true.STEPS.run,
    ),
    Finding(
        name="dueltest-correctness-omits-termination",
        label="lem:app-dueltest-correct",
        severity=Severity.GAP,
        place="Appendix A.1, proof of the correctness lemma, last sentence",
        claim="The error event lies in the complement of the confidence event; hence the better "
        "arm is returned with probability at least 1 - delta.",
        reason="The step shows that the worse arm is returned with probability at most delta. That "
        "some arm is returned almost surely is shown nowhere in this proof; on a tie it is false, "
        "and there the same inclusion holds.",
        correction="Add that τ is finite almost surely when p_uv ≠ 1/2, by the stopping-time "
        "lemma.",
        demonstration=shown.hardly_ends_on_a_tie,
    ),
    Finding(
        name="dueltest-error-at-most-delta-over-24",
        label="lem:app-dueltest-correct",
        severity=Severity.LOOSENESS,
        place="Appendix A.1, the union bound",
        claim="The error is at most delta.",
        reason="No run stops before n_min(delta) ≥ 12 duels, so that the union bound spends at "
        "least 11/12 of delta on times at which nothing can happen, and half of the rest on the "
        "other side: the error is at most the sum of delta/(2n(n+1)) from n_min on, which is "
        "delta/(2 n_min) ≤ delta/24 for every gap and level. Exactly, the supremum over all gaps "
        "is 5.4e-4 at delta = 0.999 and 1.6e-5 at delta = 0.1. The factor passes to BKT, "
        "TreeAscent and all epochs.",
        correction="State delta/(2 n_min(delta)) ≤ delta/24; or shorten the test accordingly.",
        demonstration=shown.error_is_far_below,
    ),
    Finding(
        name="tie-hardly-ever-ends",
        label="alg:dueltest",
        severity=Severity.ERROR,
        place="Section 2, Algorithm 1, and every place that calls it on arms other than the winner",
        claim="The algorithms call DuelTest on arbitrary pairs of arms; the abstract assumes a "
        "Condorcet winner only.",
        reason="On a tie DuelTest ends with probability at most delta/n_min(delta): 3.23e-5 at "
        "delta = 0.1. Else it never ends, and whatever waits for it never ends.",
        correction="Assume that no two arms tie (a positive global gap), or use the budgeted test.",
        demonstration=shown.hardly_ends_on_a_tie,
    ),
    Finding(
        name="comparisons-bounded-in-expectation-only",
        label="assert:incumbent-within-linear-comparisons",
        severity=Severity.PRESENTATION,
        place='Abstract and Section 1: "within O(N) comparisons"',
        claim="A high-confidence incumbent is found within O(N) comparisons.",
        reason="The bound is one of an expectation. No number bounds the comparisons of a run: "
        "outcomes that alternate never stop DuelTest, at any level.",
        correction='"in O(N) expected comparisons", with the factor log(1/delta) + log(1/Δ) + 1 '
        "over Δ².",
        demonstration=shown.never_ends_on_alternating_outcomes,
    ),
    Finding(
        name="gap-logarithm-not-forced",
        label="assert:log-gap-redundant",
        severity=Severity.LOOSENESS,
        place="Section 5, first paragraph, and Section 8 (iv)",
        claim="The factor log(1/Δ) comes from the test's ignorance of the gap; closing it without "
        "side information is an interesting direction.",
        reason="It comes from this radius, not from ignorance: a stitched radius (dyadic blocks, "
        "Hoeffding's inequality in its maximal form) is valid for all gaps and crosses at order "
        "log log(1/gamma)/gamma². At the gap 1e-30 and delta = 0.1 it has crossed by 26/gamma², "
        "where the paper's has not by 120/gamma². The doubly logarithmic factor cannot be removed "
        "(Farrell 1964).",
        correction='Use a stitched radius: log log(1/Δ) for log(1/Δ) in every bound; "closing '
        'the gap" entirely is impossible.',
        demonstration=shown.gap_logarithm_is_not_forced,
    ),
    Finding(
        name="dueltest-tail-factor-dropped",
        label="lem:app-dueltest-time",
        severity=Severity.LOOSENESS,
        place="Appendix A.1, proof of the stopping-time lemma, the geometric tail",
        claim="The tail beyond n_star is at most 4/gamma².",
        reason="The series begins at n_star and not at 0: the factor exp(-n_star gamma²/2), "
        "1.3e-6 at C_0 = 16, is dropped. Harmless.",
        correction="Keep the factor; the tail is then negligible beside n_star.",
        demonstration=shown.a_dropped_factor,
    ),
    Finding(
        name="logarithm-base-said-late",
        label="alg:dueltest",
        severity=Severity.AMBIGUITY,
        place="Section 2, Algorithm 1, and Section 5, Algorithm 8",
        claim="log without a base, where the test is defined.",
        reason="Only the appendix says that logarithms are natural. To base ten the union bound is "
        "void (the shares of n sum to infinity); to base two it only costs more.",
        correction="Say so where the test is defined. Ruling: natural.",
    ),
    Finding(
        name="levels-called-confidence",
        label="alg:dueltest",
        severity=Severity.AMBIGUITY,
        place='Sections 2 to 4: "confidence level delta", "confidence 1/4"',
        claim="delta is called a confidence (level), and a warm start with confidence 1/4 a "
        "constant-confidence one.",
        reason="delta, epsilon, rho and kappa are probabilities of error; confidence 1/4 means an "
        "error of 1/4.",
        correction="Call them error levels. Ruling: the allowed probability of error.",
    ),
    Finding(
        name="constants-come-from-useless-levels",
        label="lem:app-dueltest-time",
        severity=Severity.LOOSENESS,
        place="Appendix A.1, Lemma 4: every delta in (0, 1)",
        claim="One constant for all levels up to 1.",
        reason="Levels near 1 are legal, and nothing breaks there: the test still takes at least "
        "12 duels. But the universal constants of the paper are attained there, where the "
        "guarantee is worthless; as delta tends to 0 DuelTest's own tends to 1/2.",
        correction="State the bounds for delta ≤ 1/2, or as base + slope log(1/delta).",
        demonstration=true.EARLIEST.run,
    ),
    Finding(
        name="gap-one-half-never-occurs",
        label="lem:app-dueltest-time",
        severity=Severity.PRESENTATION,
        place="Appendix A.1, Lemma 4 (gamma in (0, 1/2]); Section 5 (g in (0, 1/2])",
        claim="Gaps up to and including 1/2 are covered.",
        reason="Section 2 has p_ij in the open interval (0, 1), so that every gap is below 1/2: "
        "gamma = 1/2 and g = 1/2 ≤ Δ* never occur. The formulas hold there (p = 1: n_min duels).",
        correction="Write gamma, g in (0, 1/2).",
    ),
)
