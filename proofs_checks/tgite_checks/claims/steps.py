"""Entries for the steps of the paper's proofs that were examined and found right.

Those that found something stand in the findings of the other modules.
"""

from __future__ import annotations

from tgite_checks.bounds import bkt, budgeted_duel_test, duel_test, strong, tree, tree_ascent, weak
from tgite_checks.check import Check
from tgite_checks.claims.building import truth
from tgite_checks.claims.model import Claim, ClaimKind, Outcome


def _step(
    name: str, place: str, title: str, statement: str, argument: str, *checks: Check
) -> Claim:
    """Make an entry: a step that ``checks`` compute, or that the ``argument`` settles in words."""
    return Claim(
        label=f"assert:step-{name}",
        kind=ClaimKind.ASSERTION,
        title=title,
        place=place,
        hypotheses="Those of the proof in which it stands.",
        statement=statement,
        verdicts=truth(
            Outcome.HOLDS, argument if checks else "examined by reading: no computation is involved"
        ),
        not_established="Nothing that the step says.",
        checks=checks,
        nothing_to_check="" if checks else f"By reading: {argument}",
    )


CLAIMS = (
    _step(
        "union-bound",
        "Appendix A.1, proof of Lemma 2",
        "The shares of delta",
        "2 exp(-2n c(n, delta)²) = delta/(n(n+1)), and the sum of 1/(n(n+1)) is 1.",
        "c squared times 2n is log(2n(n+1)/delta); the sum telescopes",
        duel_test.UNION,
    ),
    _step(
        "wrong-stop-leaves-confidence",
        "Appendix A.1, proof of Lemma 3",
        "A wrong stop leaves the confidence interval",
        "If v is returned at τ and u is better, p_uv - mean_τ > c(τ, delta).",
        "The mean is below 1/2 - c by the strict stopping rule, p_uv above 1/2; the mean is not "
        "1/2 at a stop, since c > 0. So the event is missed strictly, which the lemma's ≥ covers.",
    ),
    _step(
        "boundary-inversion",
        "Appendix A.1, proof of Lemma 4",
        "Beyond n_star the radius is at most half the gap",
        "For n ≥ n_star: log(2n(n+1)/delta) ≤ n gamma²/2, given a C_0 that is large enough.",
        "the derivative gamma²/2 - 2/n is not negative for n ≥ 4/gamma², and ⌈x⌉ ≤ 2x for x ≥ 1; "
        "the choice of C_0 is the finding on this proof, the inequalities hold with C_0 = 16",
        duel_test.STEPS,
    ),
    _step(
        "not-stopped-means-low-mean",
        "Appendix A.1, proof of Lemma 4",
        "Not having stopped means a low mean",
        "{τ > n} lies in {mean_n - p ≤ -gamma/2}, which has probability at most exp(-n gamma²/2).",
        "Not stopped: the mean is at most 1/2 + c ≤ 1/2 + gamma/2 = p - gamma/2. Hoeffding's "
        "one-sided inequality with gamma/2 gives exp(-2n (gamma/2)²).",
    ),
    _step(
        "geometric-tail",
        "Appendix A.1, proof of Lemma 4",
        "The geometric tail is at most 4/gamma²",
        "1 - e^-x ≥ x/2 on (0, 1], so that the tail is at most 1/(1 - e^-x) ≤ 2/x = 4/gamma², x = "
        "gamma²/2.",
        "the function 1 - e^-x - x/2 is concave, 0 at 0 and 0.13 at 1",
        duel_test.STEPS,
    ),
    _step(
        "gap-to-global-gap",
        "Appendix A.1, Lemma 4, second part",
        "From the pair's gap to the global gap",
        "The bound with gamma is at most the one with Δ ≤ gamma.",
        "1/gamma² and log(1/gamma) both fall in gamma.",
    ),
    _step(
        "halving",
        "Appendix A.2, proof of Lemma 5",
        "Halving",
        "|X_{r-1}| ≤ ⌈m/2^{r-1}⌉, K_r ≤ ⌊|X_{r-1}|/2⌋ ≤ m/2^r + 1, at most ⌈log2 m⌉ rounds, m - 1 "
        "matches.",
        "every tournament up to 512 arms; in general by ⌈⌈x⌉/2⌉ = ⌈x/2⌉",
        bkt.HALVING,
    ),
    _step(
        "level-sum",
        "Appendix A.2, proof of Lemma 5",
        "The levels of the rounds",
        "The sum of 6 delta/(pi² r²) over r ≥ 1 is delta.",
        "Euler's sum; over the rounds that there are it is less",
        bkt.LEVELS_SUM,
    ),
    _step(
        "log-round-sum",
        "Appendix A.2, proof of Lemma 5",
        "The logarithms of the rounds",
        "Σ K_r log r ≤ C m + C R log R, and R log R ≤ C m for m ≥ 2.",
        "0.51 m altogether, and R log R ≤ (2/3) m",
        bkt.LOG_SUM,
        bkt.R_LOG_R,
    ),
    _step(
        "completed-tree-size",
        "Appendix B.1",
        "The completed tree has fewer than 2N leaves",
        "M = 2^⌈log2 N⌉ < 2N.",
        "even M ≤ 2N - 2, with equality at N = 2^k + 1",
        tree.CAPACITY,
    ),
    _step(
        "merge-has-two-arms",
        "Appendix B.2, Algorithm 9",
        "A merge has two different arms",
        "c_{h-1} ≠ g_h, as DuelTest requires.",
        "c_{h-1} lies in U_{h-1}(b), g_h in Q_h(b), and these are disjoint by the partition.",
    ),
    _step(
        "capture-and-preserve",
        "Appendix B.2, proof of Lemma 7",
        "Both cases of capture and preservation",
        "With h_star = 0 the winner is kept from the start, with h_star > 0 from its entry.",
        "every path for few arms",
        tree_ascent.CAPTURE,
    ),
    _step(
        "merge-failures-given-history",
        "Appendix B.2, proof of Theorem 6",
        "The failure of a merge, given the history",
        "P(F_h) ≤ eta_h.",
        "Given the history before the merge its two arms are fixed and its outcomes fresh, so "
        "that the lemma on a pair applies; then average. If a* is not among the two, F_h does not "
        "happen.",
    ),
    _step(
        "levels-sum-to-epsilon",
        "Appendix B.2, proof of Theorem 6",
        "The levels sum to epsilon",
        "Σ beta_h = epsilon/2 = Σ eta_h.",
        "exactly, by the capacities' sum M - 1",
        tree_ascent.BUDGET,
    ),
    _step(
        "size-weighted-sum",
        "Appendix B.3, proof of Theorem 7",
        "The size-weighted sum of logarithms",
        "Σ m_h log(1/beta_h) ≤ Σ mbar_h log(1/beta_h) = (M-1) log(2/epsilon) + Σ mbar_h "
        "log((M-1)/mbar_h) ≤ (M-1) log(2/epsilon) + 2M log 2.",
        "the first step since beta_h < 1; the last since (M-1)/2^{h-1} < 2^{L-h+1} and the sum of "
        "j/2^j is below 2",
        tree_ascent.ENTROPY,
    ),
    _step(
        "merge-terms",
        "Appendix B.3, proof of Theorem 7",
        "The merges cost no more",
        "L ≤ M and L log(2L) ≤ C M.",
        "C = log 2 serves, with equality at L = 2",
        tree_ascent.MERGES,
    ),
    _step(
        "two-versions-agree",
        "Section 3.3 against Appendix B.2",
        "The main text's algorithm is the appendix's for N = 2^L",
        "M = N and mbar_h = m_h.",
        "every path at N = 2, 4, 8",
        tree_ascent.TWO_TEXTS,
    ),
    _step(
        "one-step-cases",
        "Appendix C.1, proof of Lemma 8",
        "Both cases of one-step correction",
        "c ≠ a*: at most rho + (1 - rho) kappa ≤ rho + kappa; c = a*: at most kappa.",
        "Given the past, c meets a* exactly once, and the tournament's outcomes are fresh after "
        "the screening that made its set. If B is empty c is returned.",
    ),
    _step(
        "epoch-three-terms",
        "Appendix C.1, proof of Lemma 9",
        "The three contributions to an epoch's regret",
        "Screening from a wrong incumbent, its tournament, and the false beaters' tournament.",
        "From a* every screening duel has a* in it and is free. E|B| ≤ (N-1) rho by linearity; "
        "(|B|+1) 1{|B|>0} ≤ 2|B|; the tower property applies since the tournament is fresh given "
        "B.",
    ),
    _step(
        "tail-index-shift",
        "Appendix C.2, proof of Theorem 8",
        "The recursion and its index",
        "p_{s+1} ≤ rho_s + kappa_s = 2 · 4^-(s+2), that is p_s ≤ 2 · 4^-(s+1) for s ≥ 2; both "
        "series converge.",
        "their values are 17/16 and 35/16",
        weak.TAIL_SUMS,
    ),
    _step(
        "tail-monotone-convergence",
        "Appendix C.2, proof of Theorem 8",
        "Exchanging the sum and the expectation",
        "E[R_tail] = Σ E[W_s], and a finite expectation means finite almost surely.",
        "The W_s are not negative and belong to disjoint stretches of time; each epoch ends "
        "almost surely by Δ > 0.",
    ),
    _step(
        "warm-start-addition",
        "Appendix C.2, proofs of Corollaries 3 and 4",
        "Warm start and tail are added",
        "R_inf = W_0 + R_tail, and log 4 is absorbed.",
        "Δ < 1/2, so that log(1/Δ) + 1 ≥ 1.69 and log 4 ≤ 0.82 times it. The tail's theorem is "
        "uniform in c_0.",
    ),
    _step(
        "known-horizon-pathwise",
        "Appendix D.1, proof of Theorem 9",
        "The pathwise bound with known horizon",
        "R_H ≤ min(τ, H) + (H - τ)^+ 1{wrong} ≤ τ + H 1{wrong}, and H epsilon_H ≤ 1.",
        "H epsilon_H = H/(H+1). At τ = H no self-play is left; at H = 1 the level is 1/2 and the "
        "bound trivial",
        strong.LEVELS,
    ),
    _step(
        "phase-counting",
        "Appendix D.2, proof of Theorem 10",
        "Counting the phases",
        "A phase s ≥ 2 that has begun by T has 2^(2^(s-1)) ≤ T; K_T ≤ S_T ≤ 3 + log2 log2(T+2).",
        "exactly, at every T next to which a count changes; with room to spare (finding)",
        strong.PHASES,
    ),
    _step(
        "phase-sums",
        "Appendix D.2, proof of Theorem 10",
        "Summing over the phases",
        "Σ 2^s = 2^(S_T+1) - 2 ≤ 16 log2(T+2) ≤ C log(T+1); B_s epsilon_s = 1; log(1/epsilon_s) = "
        "2^s log 2.",
        "C = 29.13 serves from T = 2 on",
        strong.PHASE_SUMS,
        strong.LEVELS,
    ),
    _step(
        "phases-given-history",
        "Appendix D.2, proof of Theorem 10",
        "Each phase's pass, given the history",
        "The guarantees of TreeAscent apply given the history before the phase, c_{s-1} included.",
        "They are uniform in the start, which is fixed given the history, and the pass is fresh; "
        "S_T is not random.",
    ),
    _step(
        "budgeted-early-return",
        "Appendix E, proof of Lemma 1",
        "A wrong early return leaves b_n",
        "With b_n ≥ g: p_uv - mean_n > b_n; the sum of exp(-2n b_n²) = delta/(8n²) is at most "
        "delta/4.",
        "pi²/48 = 0.206; the case b_n < g is empty (finding)",
        budgeted_duel_test.UNION,
        budgeted_duel_test.RADIUS,
    ),
    _step(
        "budgeted-final-majority",
        "Appendix E, proof of Lemma 1",
        "The final majority",
        "exp(-2Mg²) ≤ delta/4.",
        "M ≥ log(4/delta)/(2g²); on the side of v the weak inequality is covered by Hoeffding too",
        budgeted_duel_test.ERROR,
    ),
    _step(
        "budgeted-ceiling",
        "Appendix E, proofs of Lemmas 10 to 12",
        "The ceilings are absorbed",
        "⌈log(4/delta)/(2g²)⌉ ≤ (C/g²)(log(1/delta) + 1).",
        "1 ≤ 1/(4g²), so that 19/20 + log(1/delta)/2 over g² serves",
        budgeted_duel_test.BUDGET,
    ),
    _step(
        "budgeted-needs-winner-gap-only",
        "Appendix E, proofs of Lemmas 10 to 12",
        "Only the winner's gap is used",
        "The sums and unions are those of the other sections; a gap of g is needed of a*'s "
        "matches only.",
        "The union bounds follow a* alone, and the cost of the other matches is bounded by their "
        "budgets. Assumption 1 is used nowhere in Section 5.",
    ),
)
