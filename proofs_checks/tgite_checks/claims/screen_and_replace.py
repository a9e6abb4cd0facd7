"""Entries and findings about one epoch of ScreenAndReplace (``app:screen-repair``)."""

from __future__ import annotations

from tgite_checks.bounds import screen_and_replace as true
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
from tgite_checks.fidelity import screen_and_replace as faithful

_EPOCH_BOUND = (
    "  (C N/Δ²) [ 1{c ≠ a*} (log(1/rho) + log(1/kappa) + log(1/Δ) + 1) + rho (log(1/kappa) + "
    "log(1/Δ) + 1) ]"
)
_EPOCH_AMENDED = (
    f"Under Assumption 1 with C = {certified('epoch')} (certified). Machine-checked: "
    f"{machine_checked('lem_app_screen_epoch_regret', 'C_epoch')}, with N - 1 for N and 2 "
    "log(1/Δ) + 2 in the first bracket."
)

CLAIMS = (
    Claim(
        label="alg:screen-and-replace",
        kind=ClaimKind.ALGORITHM,
        title="ScreenAndReplace: one epoch",
        place="Section 4.2, Algorithm 4",
        hypotheses="An incumbent c, levels rho and kappa.",
        statement="Test c against every other arm at level rho, in a fixed order; if none beats "
        "it, return c, else the winner of BKT on c and the arms that beat it, at level kappa.",
        verdicts=fidelity(
            domain="every path for few arms under every convention, levels included; long epochs "
            "along chosen paths; whole runs by duels"
        ),
        not_established="The fixed order of the authors: it is a parameter.",
        checks=faithful.CHECKS,
        transcription=("tgite.screen_and_replace.screen_and_replace",),
    ),
    Claim(
        label="lem:app-one-step-repair",
        kind=ClaimKind.LEMMA,
        title="One-step correction probability",
        place="Appendix C.1, Lemma 8",
        hypotheses="The incumbent c may depend on the past. Assumption 1 (every test ends), not "
        "named.",
        statement="Given the past, the epoch's result is wrong with probability at most\n\n"
        "  1{c ≠ a*} (rho + kappa) + 1{c = a*} kappa;\n\n"
        "hence unconditionally at most rho + kappa.",
        verdicts=truth(Outcome.HOLDS, "every N, incumbent and levels, under Assumption 1"),
        not_established="How much smaller it is: with c = a* a factor (N-1) rho can be gained "
        "(findings).",
        checks=(
            proved_by(
                "lem:app-one-step-repair",
                "every N ≥ 2, incumbent and levels; under Assumption 1",
                "lem_app_one_step_repair",
            ),
            true.ONE_STEP,
        ),
        transcription=("tgite.screen_and_replace.screen_and_replace",),
    ),
    Claim(
        label="lem:app-screen-epoch-regret",
        kind=ClaimKind.LEMMA,
        title="Expected weak regret of one epoch",
        place="Appendix C.1, Lemma 9",
        hypotheses="As before; Assumption 1, not named.",
        statement="Given the past, the epoch's expected weak regret is at "
        f"most\n\n{_EPOCH_BOUND},\n\nand on average the same with P(c ≠ a*) for the indicator.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, "C is not quantified", _EPOCH_AMENDED),
        not_established="The smallest constant.",
        checks=(
            *constants_of("lem:app-screen-epoch-regret"),
            proved_by(
                "lem:app-screen-epoch-regret",
                "every N ≥ 2, incumbent and levels; under Assumption 1",
                "lem_app_screen_epoch_regret",
            ),
            true.REGRET,
        ),
        transcription=("tgite.screen_and_replace.screen_and_replace",),
    ),
    Claim(
        label="eq:app-one-epoch-weak-conditional",
        kind=ClaimKind.EQUATION,
        title="The epoch's bound, given the past",
        place="Appendix C.1, in Lemma 9",
        hypotheses="As in the lemma.",
        statement=f"E[W | past] ≤\n\n{_EPOCH_BOUND}.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, "C is not quantified", _EPOCH_AMENDED),
        not_established="As for the lemma.",
        checks=(
            *constants_of("eq:app-one-epoch-weak-conditional"),
            true.REGRET,
        ),
    ),
    Claim(
        label="eq:app-one-epoch-weak",
        kind=ClaimKind.EQUATION,
        title="The epoch's bound, on average",
        place="Appendix C.1, in Lemma 9",
        hypotheses="As in the lemma; p = P(c ≠ a*).",
        statement="The same with p in the place of 1{c ≠ a*}.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            "C is not quantified",
            "It follows from the bound given the past, which is amended, by taking expectations.",
        ),
        not_established="As for the lemma.",
        checks=(true.REGRET,),
    ),
)

FINDINGS = (
    Finding(
        name="failure-from-winner-needs-two-errors",
        label="lem:app-one-step-repair",
        severity=Severity.LOOSENESS,
        place="Appendix C.1, proof of Lemma 8, the case c = a*; Appendix C.2, the recursion of p_s",
        claim="From c = a* the epoch fails with probability at most kappa; p_{s+1} ≤ rho_s + "
        "kappa_s.",
        reason="It fails only if some arm falsely beats a* and the tournament is lost besides: "
        "with fresh samples at most min(1, (N-1) rho) kappa. At epoch 5 and N = 256 that is "
        "9.5e-7 where the paper has 6.1e-5. The recursion moreover drops the factor p_s.",
        correction="p_{s+1} ≤ p_s (rho_s + kappa_s) + (1 - p_s) kappa_s min(1, (N-1) rho_s).",
        demonstration=shown.failure_needs_two_errors,
    ),
    Finding(
        name="replacement-factor-two-not-needed",
        label="lem:app-screen-epoch-regret",
        severity=Severity.LOOSENESS,
        place="Appendix C.1, proof of Lemma 9, (|B| + 1) 1{|B| > 0} ≤ 2|B|",
        claim="The replacement tournament on |B| + 1 arms costs as for 2|B| arms.",
        reason="A knockout tournament on |B| + 1 arms plays exactly |B| matches.",
        correction="Bound BKT by its m - 1 matches; no factor is lost.",
        demonstration=shown.replacement_plays_as_many_as_beat,
    ),
    Finding(
        name="fresh-samples-constrain-nothing",
        label="alg:screen-and-replace",
        severity=Severity.PRESENTATION,
        place="Section 2 (fresh samples), Algorithms 4 and 7, Section 8 (iii)",
        claim="Tests use fresh samples; the requirement is sufficient but not necessary.",
        reason="DuelTest begins with no outcomes and keeps none, so that every call of every "
        "printed algorithm has fresh samples. The words stand in two of seven places where they "
        "would apply.",
        correction="Say once that no algorithm reuses outcomes.",
    ),
)
