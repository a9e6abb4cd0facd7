"""Entries and findings about Table 1: its rows repeat the theorems."""

from __future__ import annotations

from tgite_checks.bounds import strong, tournaments, weak
from tgite_checks.bounds.demonstrations import policies as shown
from tgite_checks.claims.building import certified, truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity

CLAIMS = (
    Claim(
        label="tab:policies-summary:bai",
        kind=ClaimKind.TABLE_ROW,
        title="delta-BAI: TreeAscent, then stop",
        place="Section 1, Table 1, row 1",
        hypotheses="As in `cor:tlcr-bai`; Assumption 1.",
        statement="  O( (N/Δ²)( log(1/delta) + log(1/Δ) + 1 ) ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "an O; the same as `cor:tlcr-bai`",
            f"With the constant {certified('tree-ascent')}.",
        ),
        not_established="As for the corollary.",
        checks=(tournaments.COSTS,),
    ),
    Claim(
        label="tab:policies-summary:weak",
        kind=ClaimKind.TABLE_ROW,
        title="Weak regret: warm start, then ScreenAndReplace",
        place="Section 1, Table 1, row 2",
        hypotheses="As in `thm:online-weak-linear-main`.",
        statement="  O( (N/Δ²)( log(1/Δ) + 1 ) ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "an O; the same as `thm:online-weak-linear-main`",
            f"With the constant {certified('weak')}.",
        ),
        not_established="As for the theorem.",
        checks=(weak.REGRET,),
    ),
    Claim(
        label="tab:policies-summary:strong-known",
        kind=ClaimKind.TABLE_ROW,
        title="Strong regret, known horizon",
        place="Section 1, Table 1, row 3",
        hypotheses="As in `thm:strong-known-main`.",
        statement="  O( (N/Δ²)( log H + log(1/Δ) + 1 ) ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "an O; `thm:strong-known-main` with log H for log(H+1) and the + 1 absorbed",
            f"With the constant {certified('strong-known')} for the theorem's right side.",
        ),
        not_established="As for the theorem.",
        checks=(strong.KNOWN_HORIZON,),
    ),
    Claim(
        label="tab:policies-summary:strong-anytime",
        kind=ClaimKind.TABLE_ROW,
        title="Strong regret, anytime",
        place="Section 1, Table 1, row 4",
        hypotheses="As in `thm:strong-anytime-main`.",
        statement="  O( (N/Δ²)[ log T + (log log T + 1) log(1/Δ) + 1 ] ).",
        verdicts=truth(
            Outcome.AMBIGUOUS,
            "not defined at T = 1; at T = 2 its factor is .63 where the theorem's is 1.33",
            "log log(T+2) for log log T, as in `thm:strong-anytime-main`; then with C = 8, C' = "
            "5/3.",
        ),
        not_established="As for the theorem.",
        checks=(strong.ANYTIME,),
    ),
)

FINDINGS = (
    Finding(
        name="table-has-log-log-t",
        label="tab:policies-summary:strong-anytime",
        severity=Severity.ERROR,
        place="Section 1, Table 1, row 4, against Section 4.3, Theorem 4",
        claim="The factor log log T + 1.",
        reason="The theorem has log log(T+2) + 1. At T = 1 the table's is minus infinity; at T = "
        "2 it is 0.633 where the theorem's is 1.327, so that the row follows only with about "
        "twice the constant.",
        correction="log log(T+2).",
        demonstration=shown.first_horizon_is_no_exception,
    ),
)
