"""Entries and findings about the strong-regret policies (``subsec:strong-policy``)."""

from __future__ import annotations

from tgite_checks.bounds import strong as true
from tgite_checks.bounds.demonstrations import identification
from tgite_checks.bounds.demonstrations import policies as shown
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
from tgite_checks.fidelity import strong as faithful

_KNOWN_FORM = "  E[R_H^str] ≤ (C N/Δ²) ( log(H+1) + log(1/Δ) + 1 ) + 1"
_KNOWN_AMENDED = (
    f"Under Assumption 1 with C = {certified('strong-known')} (certified, using R_H ≤ H; "
    f"{machine_checked('thm_app_strong_known', 'C_known')} is machine-checked, with N - 1 for N), "
    "for every H ≥ 1."
)
_ANYTIME_FORM = (
    "  E[R_T^str] ≤ (C N/Δ²) [ log(T+1) + (log log(T+2) + 1)(log(1/Δ) + 1) ] + C' (log log(T+2) + "
    "1)"
)
_EXTRA = machine_checked("thm_app_strong_anytime", "C'_anytime")
_ANYTIME_AMENDED = (
    f"Under Assumption 1 with C = {certified('strong-anytime')} and C' = 1 (certified, using R_T "
    f"≤ T; {machine_checked('thm_app_strong_anytime', 'C_anytime')} and {_EXTRA} are "
    "machine-checked, with N - 1 for N), for every T ≥ 2."
)

CLAIMS = (
    Claim(
        label="alg:tlcr-strong-known",
        kind=ClaimKind.ALGORITHM,
        title="TG-ITE-Strong-KnownHorizon: identify, then self-play",
        place="Section 4.3, Algorithm 6",
        hypotheses="A start b_0, a balanced tree, a horizon H ≥ 1.",
        statement="Run TreeAscent at level 1/(H+1) until it ends or H rounds have passed; if it "
        "ends by then, play its answer against itself for the rest.",
        verdicts=fidelity(
            domain="the cut at every horizon on runs by duels, every path for few arms, every "
            "convention"
        ),
        not_established="Nothing about the authors' own code.",
        checks=(
            faithful.CUT,
            faithful.KNOWN_PATHS,
            faithful.conventions,
            schedules.KNOWN_HORIZON,
        ),
        transcription=(
            "tgite.strong.tg_ite_strong_known_horizon",
            "tgite.schedules.known_horizon_level",
        ),
    ),
    Claim(
        label="thm:strong-known-main",
        kind=ClaimKind.THEOREM,
        title="Known-horizon strong regret",
        place="Section 4.3, Theorem 3",
        hypotheses="Self-play convention; every H ≥ 1; Assumption 1, not named.",
        statement=f"{_KNOWN_FORM}.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, "C is not quantified", _KNOWN_AMENDED),
        not_established="The smallest constant. As R_H ≤ H, the statement says nothing where its "
        "right side exceeds H, as with the imported constant at the paper's own experiment.",
        checks=(
            *constants_of("thm:strong-known-main"),
            proved_by(
                "thm:strong-known-main",
                "every N ≥ 2, tree, start, H ≥ 1; under Assumption 1",
                "thm_app_strong_known",
            ),
            true.KNOWN_HORIZON,
        ),
        transcription=("tgite.strong.tg_ite_strong_known_horizon",),
    ),
    Claim(
        label="thm:app-strong-known",
        kind=ClaimKind.THEOREM,
        title="Known-horizon strong regret, appendix",
        place="Appendix D.1, Theorem 9",
        hypotheses="As in the main text.",
        statement=f"{_KNOWN_FORM}.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, "C is not quantified", _KNOWN_AMENDED),
        not_established="As for the main text's theorem, which is the same.",
        checks=(
            *constants_of("thm:app-strong-known"),
            proved_by(
                "thm:app-strong-known",
                "every N ≥ 2, tree, start, H ≥ 1; under Assumption 1",
                "thm_app_strong_known",
            ),
            true.LEVELS,
            true.KNOWN_HORIZON,
        ),
        transcription=("tgite.strong.tg_ite_strong_known_horizon",),
    ),
    Claim(
        label="alg:tlcr-strong-anytime",
        kind=ClaimKind.ALGORITHM,
        title="TG-ITE-Strong-Anytime: phases of identification and self-play",
        place="Section 4.3, Algorithm 7",
        hypotheses="A start b_0 and a balanced tree.",
        statement="For s = 1, 2, ...: c_s is TreeAscent's answer from c_{s-1} at level epsilon_s; "
        "then play c_s against itself B_s times, with\n\n  epsilon_s = 2^-2^s,   B_s = 2^2^s.",
        verdicts=fidelity(
            domain="every path of the first phases for few arms under every convention, levels "
            "and blocks included; long runs along chosen paths; whole runs by duels"
        ),
        not_established="Phases beyond the ones explored, but for their levels and blocks.",
        checks=(
            faithful.ANYTIME_PATHS,
            faithful.PHASES,
            faithful.conventions,
            faithful.rigged,
            faithful.long,
            schedules.ANYTIME_PHASES,
        ),
        transcription=(
            "tgite.strong.tg_ite_strong_anytime",
            "tgite.schedules.anytime_level",
            "tgite.schedules.self_play_rounds",
        ),
    ),
    Claim(
        label="thm:strong-anytime-main",
        kind=ClaimKind.THEOREM,
        title="Horizonless strong regret",
        place="Section 4.3, Theorem 4",
        hypotheses="Self-play convention; every T ≥ 2; Assumption 1, not named.",
        statement=f"{_ANYTIME_FORM};\n\nfor fixed Δ the leading term is O(N Δ^-2 log T).",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, '"universal constants"', _ANYTIME_AMENDED),
        not_established="The smallest constants. The leading coefficient is at most "
        f"{machine_checked('strong_anytime_leading_term', 'C_leading')} (N-1)/Δ², machine-checked.",
        checks=(
            *constants_of("thm:strong-anytime-main"),
            proved_by(
                "thm:strong-anytime-main",
                "every N ≥ 2, tree, start, T ≥ 2; under Assumption 1; and the leading term",
                "thm_app_strong_anytime",
                "strong_anytime_leading_term",
            ),
            true.ANYTIME,
        ),
        transcription=("tgite.strong.tg_ite_strong_anytime",),
    ),
    Claim(
        label="thm:app-strong-anytime",
        kind=ClaimKind.THEOREM,
        title="Horizonless strong regret, appendix",
        place="Appendix D.2, Theorem 10",
        hypotheses="As in the main text.",
        statement=f"{_ANYTIME_FORM}.\n\nThe additive term comes from S_T phases of B_s epsilon_s "
        "= 1.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, '"universal constants"', _ANYTIME_AMENDED),
        not_established="As for the main text's theorem, which is the same.",
        checks=(
            *constants_of("thm:app-strong-anytime"),
            proved_by(
                "thm:app-strong-anytime",
                "every N ≥ 2, tree, start, T ≥ 2; under Assumption 1",
                "thm_app_strong_anytime",
                "phase_count_spec",
            ),
            true.PHASES,
            true.PHASE_SUMS,
            true.LEVELS,
            true.ANYTIME,
        ),
        transcription=("tgite.strong.tg_ite_strong_anytime",),
    ),
)

FINDINGS = (
    Finding(
        name="phase-count-slack",
        label="thm:app-strong-anytime",
        severity=Severity.LOOSENESS,
        place='Appendix D.2, the definition of S_T ("harmless endpoint slack")',
        claim="K_T ≤ S_T = 2 + ceil(log2 log2(T+2)), and 2^(S_T+1) - 2 ≤ 16 log2(T+2).",
        reason="S_T exceeds the phases that can have begun by 2 or 3, at every T. As their costs "
        "double, the sum is bounded by up to 15.94 log2(T+2) where 4 log2(T+2) holds: a factor of "
        "four in C.",
        correction="K_T ≤ 1 + log2 log2 T for K_T ≥ 2, and 4 log2(T+2).",
        demonstration=shown.phases_are_fewer,
    ),
    Finding(
        name="second-horizon-not-needed",
        label="thm:strong-anytime-main",
        severity=Severity.PRESENTATION,
        place="Section 4.3, Theorem 4: every T ≥ 2",
        claim="The theorem excludes T = 1.",
        reason="log log(T+2) is positive from T = 1 on, so that only T = 0 has to be excluded.",
        correction="every T ≥ 1.",
        demonstration=shown.first_horizon_is_no_exception,
    ),
    Finding(
        name="strong-bounds-vacuous-at-the-experiment",
        label="thm:strong-known-main",
        severity=Severity.LOOSENESS,
        place="Section 4.3, Theorems 3 and 4; Section 6, N = 256, T = 100 000",
        claim="The bounds guarantee regret of order N log T.",
        reason="The proofs import the constant of the pass, which is at least 3.37; with it the "
        "known-horizon bound at the paper's own experiment exceeds 131 000, more than the horizon "
        "of 100 000, which bounds the regret of every policy.",
        correction="Keep min(τ, H) in the proof; the statement's own best constant is near 1.04.",
        demonstration=identification.bound_is_vacuous,
    ),
    Finding(
        name="symbols-with-several-meanings",
        label="alg:tlcr-strong-known",
        severity=Severity.AMBIGUITY,
        place="Throughout; Table 1 against Section 4.3",
        claim="One symbol for one thing.",
        reason="S is an arm set, a count of wins and a bound on phases; M leaves and a budget; g "
        "a gap and (g_h) a representative; T a horizon, a tree and counts; H a horizon and a "
        "history; c an arm and a radius; b an arm and a radius. The known horizon is T in Section "
        "2 and H in the algorithm.",
        correction="One name for each; H for the known horizon throughout.",
    ),
)
