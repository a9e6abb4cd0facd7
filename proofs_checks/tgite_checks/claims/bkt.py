"""Entries and findings about BKT (``alg:bkt`` and ``lem:app-bkt-subset``)."""

from __future__ import annotations

from tgite_checks.bounds import bkt as true
from tgite_checks.bounds import sampling, tournaments
from tgite_checks.bounds.demonstrations import identification, policies
from tgite_checks.claims.building import (
    certified,
    constants_of,
    fidelity,
    machine_checked,
    proved_by,
    truth,
)
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity
from tgite_checks.fidelity import bkt as faithful
from tgite_checks.fidelity import schedules

CLAIMS = (
    Claim(
        label="alg:bkt",
        kind=ClaimKind.ALGORITHM,
        title="BKT: a balanced knockout tournament on any set of arms",
        place="Section 2, Algorithm 2",
        hypotheses="A nonempty set S of arms and a level delta in (0, 1).",
        statement="While more than one arm is left: pair them in a fixed order (one sits out if "
        "their number is odd), play each pair by DuelTest at round r's level\n\n  delta_r = 6 "
        "delta / (π² r²),\n\nand keep the winners and the arm that sat out. Return the arm that "
        "is left.",
        verdicts=fidelity(
            domain="every path of tournaments of a few arms under every convention, long ones "
            "along chosen paths, whole runs by duels, and the survivor's law by sampling"
        ),
        not_established="Which pairing order the authors used: the text leaves it, the checks "
        "cover ours and the alternatives.",
        checks=(*faithful.CHECKS, schedules.BKT_ROUNDS, sampling.BKT),
        transcription=("tgite.bkt.bkt", "tgite.schedules.bkt_round_level"),
    ),
    Claim(
        label="lem:app-bkt-subset",
        kind=ClaimKind.LEMMA,
        title="BKT on any candidate set: cost, and correctness where one arm beats all others",
        place="Appendix A.2, Lemma 5",
        hypotheses="A nonempty set S of m arms, delta in (0, 1). For the cost all gaps within S "
        "are at least Δ > 0 (Assumption 1, not named). For correctness an arm w of S with p_wj > "
        "1/2 for all other j of S; that the other arms do not tie is needed and not said.",
        statement="For m ≥ 2 the expected comparisons are at most\n\n"
        "  (C_bkt m/Δ²) ( log(1/delta) + log(1/Δ) + 1 ),\n\n"
        "and w is returned with probability at least 1 - delta.",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"a universal constant"; the second part fails as stated where two arms of S other '
            "than w tie",
            f"With no tie in S: C_bkt = {certified('bkt')} (certified; "
            f"{machine_checked('lem_app_bkt_subset_cost', 'C_bkt')} is machine-checked, with m - "
            "1 for m) for every m ≥ 1, and w is returned with probability at least 1 - delta.",
        ),
        not_established="The smallest constant.",
        checks=(
            *constants_of("lem:app-bkt-subset"),
            proved_by(
                "lem:app-bkt-subset",
                "every finite set, every pairing order and place of the bye, all gaps at least g",
                "lem_app_bkt_subset_correct",
                "lem_app_bkt_subset_cost",
                "bkt_levels_sum",
            ),
            true.HALVING,
            true.LOG_SUM,
            true.R_LOG_R,
            true.LEVELS_SUM,
            tournaments.ERRORS,
            tournaments.COSTS,
        ),
        transcription=("tgite.bkt.bkt",),
    ),
    Claim(
        label="eq:app-bkt-cost",
        kind=ClaimKind.EQUATION,
        title="The displayed bound on BKT's comparisons",
        place="Appendix A.2, in Lemma 5",
        hypotheses="As in the lemma, m ≥ 2.",
        statement="  E[τ_BKT(S, delta)] ≤ (C_bkt m/Δ²) ( log(1/delta) + log(1/Δ) + 1 ).",
        verdicts=truth(
            Outcome.NOT_FALSIFIABLE,
            '"a universal constant"',
            f"With C_bkt = {certified('bkt')} it holds for every m ≥ 1.",
        ),
        not_established="As for the lemma.",
        checks=(
            *constants_of("eq:app-bkt-cost"),
            tournaments.COSTS,
        ),
    ),
)

FINDINGS = (
    Finding(
        name="bkt-correctness-needs-untied-others",
        label="lem:app-bkt-subset",
        severity=Severity.ERROR,
        place="Appendix A.2, Lemma 5, second property",
        claim="If w beats every other arm of S, BKT returns w with probability at least 1 - delta.",
        reason="Nothing is asked of the other arms. If two of them tie and meet, their match "
        "hardly ever ends and w is not returned: with S = (x, y, w), x and y tied, delta = 1/10, "
        "w is returned with probability 1.71e-5.",
        correction="Add that no two arms of S tie. (That w is not eliminated holds without it.)",
        demonstration=identification.a_tie_stops_the_knockout,
    ),
    Finding(
        name="bkt-random-opponents",
        label="lem:app-bkt-subset",
        severity=Severity.GAP,
        place="Appendix A.2, proof of Lemma 5, the union over rounds and the sum of costs",
        claim="Each of w's matches is wrong with probability at most delta_r, by the lemma on a "
        "pair; each match has the lemma's expected length.",
        reason="Both lemmas are about a fixed pair, but w's opponent and the pairs of a round are "
        "random. One has to condition on the history before each match, as the proofs about "
        "TreeAscent and epochs say of themselves. The number of matches in each round is not "
        "random, so that it works.",
        correction="Say that the match is conditioned on the past, whose outcomes are independent "
        "of it.",
    ),
    Finding(
        name="bkt-cost-applied-to-one-arm",
        label="eq:app-bkt-cost",
        severity=Severity.GAP,
        place="Appendix B.3, proof of the cost theorem, the subtree terms",
        claim="The bound, stated for m ≥ 2, is applied to blocks with m_h = 1 (always at h = 1) "
        "and 0.",
        reason="Out of its stated range; the true cost there is 0, so nothing breaks.",
        correction='Drop "if m ≥ 2": with m - 1 for m the bound holds for every m ≥ 1.',
        demonstration=policies.one_arm_blocks_are_free,
    ),
    Finding(
        name="bkt-has-finitely-many-rounds",
        label="lem:app-bkt-subset",
        severity=Severity.LOOSENESS,
        place="Appendix A.2, proof of Lemma 5, the sum of delta_r over all r ≥ 1",
        claim="The levels of all rounds sum to delta.",
        reason="A tournament has ceil(log2 m) rounds: with two arms it spends 0.608 delta, with "
        "eight 0.827 delta, with 64 0.907 delta.",
        correction="Normalise by the rounds that there are, or state the smaller sum.",
        demonstration=identification.rounds_are_few,
    ),
    Finding(
        name="bkt-pairing-left-open",
        label="alg:bkt",
        severity=Severity.AMBIGUITY,
        place='Section 2, Algorithm 2: "a fixed deterministic order"',
        claim="Arms are paired in a fixed order, one receives a bye.",
        reason="Which order, who gets the bye, and where that arm stands in the next round is not "
        "said: by number with the last arm sitting out, with the first, or in the order of the "
        "winners. It decides who meets whom; with the budgeted test also who is the first "
        "argument, which wins ties.",
        correction="Fix it. Ruling: in the order of S, last arm sits out and stays last; the "
        "others are parameters.",
    ),
)
