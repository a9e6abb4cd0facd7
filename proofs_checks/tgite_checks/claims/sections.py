"""Entries for the paper's headings, which claim nothing themselves: where their claims stand."""

from __future__ import annotations

from tgite_checks.claims.building import NOTHING_CLAIMED, truth
from tgite_checks.claims.model import Claim, ClaimKind, Outcome


def _section(label: str, place: str, title: str, claims: str) -> Claim:
    return Claim(
        label=label,
        kind=ClaimKind.SECTION,
        title=title,
        place=place,
        hypotheses="",
        statement=claims,
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established="Nothing is claimed by the heading.",
        nothing_to_check="A heading. What its section claims has entries of its own.",
    )


CLAIMS = (
    _section(
        "sec:introduction",
        "Section 1",
        "Introduction",
        "Its claims: `tab:policies-summary`, `assert:no-stronger-assumption`, "
        "`assert:first-unified-framework`, `assert:incumbent-within-linear-comparisons`, "
        "`assert:matches-optimal-identification`, `assert:improves-winner-stays`.",
    ),
    _section(
        "sec:pre",
        "Section 2",
        "Problem formulation",
        "Its definitions: `assump:condorcet-gap`, `assert:delta-bai`, `assert:weak-regret`, "
        "`assert:strong-regret`, `assert:g-delta-bai`, `assert:fresh-samples`.",
    ),
    _section(
        "sec:tree-guided-identification",
        "Section 3",
        "Tree-guided identification",
        "Its claims stand under its subsections.",
    ),
    _section(
        "subsec:statistical-primitives",
        "Section 3.1",
        "Statistical primitives",
        "It announces `alg:dueltest`, `alg:bkt` and `lem:app-bkt-subset`.",
    ),
    _section(
        "subsec:fixed-tree-path-decomposition",
        "Section 3.2",
        "Tree-based tournament decomposition",
        "Its partition is `lem:app-sibling-partition`.",
    ),
    _section(
        "subsec:tree-ascent-pass",
        "Section 3.3",
        "Global winner identification by TreeAscent",
        "Its claims: `alg:plr-pass`, `thm:plr-repair-main`, `assert:proportional-levels`.",
    ),
    _section(
        "sec:identification-to-exploitation",
        "Section 4",
        "Objective-specific exploitation",
        "Its claims stand under its subsections.",
    ),
    _section(
        "subsec:bai-policy",
        "Section 4.1",
        "BAI: identify, then stop",
        "Its claims: `cor:tlcr-bai`, `assert:near-optimal-in-gap`.",
    ),
    _section(
        "subsec:weak-policy",
        "Section 4.2",
        "Weak regret",
        "Its claims: `alg:screen-and-replace`, `alg:tlcr-weak`, `thm:online-weak-linear-main`, "
        "`cor:dual`, `assert:weak-suboptimal-in-gap`, `assert:dual-optimality-is-hard`, "
        "`assert:coarse-winner-structure`.",
    ),
    _section(
        "subsec:strong-policy",
        "Section 4.3",
        "Strong regret",
        "Its claims: `alg:tlcr-strong-known`, `thm:strong-known-main`, `alg:tlcr-strong-anytime`, "
        "`thm:strong-anytime-main`, `assert:strong-suboptimal-in-gap`.",
    ),
    _section(
        "sec:known-gap-budgeted-extension",
        "Section 5",
        "Known-gap budgeted extension",
        "Its claims: `alg:budgeted-dueltest`, `lem:budgeted-dueltest-main`, "
        "`thm:known-gap-extension-main`, `assert:only-winner-matches-matter`, "
        "`assert:known-gap-removes-log`, `assert:log-gap-redundant`.",
    ),
    _section(
        "sec:experiments",
        "Section 6",
        "Experiments",
        "Its claims are the entries under `fig:experiments`, the numbers `number:...`, "
        "`assert:cyclic-instances` and `assert:sparse-instances`.",
    ),
    _section(
        "sec:rw",
        "Section 7",
        "Related work",
        "Bounds of other papers, cited; what it compares with them: "
        "`assert:improves-winner-stays`, `assert:weak-suboptimal-in-gap`, "
        "`assert:removes-n-squared`.",
    ),
    _section(
        "rw:rm",
        "Section 7.1",
        "Regret minimization for dueling bandits",
        "Its claims about this paper: `assert:improves-winner-stays`, `assert:removes-n-squared`.",
    ),
    _section(
        "rw:bai",
        "Section 7.2",
        "Pure exploration for dueling bandits",
        "Its claims about this paper: `assert:matches-optimal-identification`.",
    ),
    _section(
        "sec:future",
        "Section 8",
        "Limitations and future work",
        "Proposals; see the findings on `alg:plr-pass` (i), `alg:screen-and-replace` (iii) and "
        "`assert:log-gap-redundant` (iv).",
    ),
    _section(
        "app:primitives",
        "Appendix A",
        "Primitive tests and tournament subroutines",
        "Its claims stand under its subsections.",
    ),
    _section(
        "app:dueltest",
        "Appendix A.1",
        "DuelTest",
        "Its claims: `lem:app-anytime-cs`, `lem:app-dueltest-correct`, `lem:app-dueltest-time`.",
    ),
    _section("app:bkt", "Appendix A.2", "BKT", "Its claim: `lem:app-bkt-subset`."),
    _section(
        "app:tlr-proofs",
        "Appendix B",
        "Tree-guided identification",
        "Its claims stand under its subsections.",
    ),
    _section(
        "app:tree-geometry",
        "Appendix B.1",
        "Tree-based tournament decomposition",
        "Its claims: `lem:app-sibling-partition`, `def:app-winner-entry-level`, and M < 2N, which "
        "is checked with the former.",
    ),
    _section(
        "app:plr-correctness",
        "Appendix B.2",
        "Correctness of TreeAscent",
        "Its claims: `alg:app-plr`, `lem:app-plr-capture-preserve`, `thm:app-plr-correctness`.",
    ),
    _section(
        "app:plr-cost", "Appendix B.3", "Cost of TreeAscent", "Its claim: `thm:app-plr-cost`."
    ),
    _section(
        "app:weak-proofs", "Appendix C", "Weak regret", "Its claims stand under its subsections."
    ),
    _section(
        "app:screen-repair",
        "Appendix C.1",
        "ScreenAndReplace",
        "Its claims: `lem:app-one-step-repair`, `lem:app-screen-epoch-regret`.",
    ),
    _section(
        "app:online-weak-algorithm",
        "Appendix C.2",
        "TG-ITE-Weak",
        "Its claims: `thm:app-online-weak`, `cor:app-weak-warm-start`, "
        "`cor:app-weak-high-confidence-warm-start`.",
    ),
    _section(
        "app:strong-proofs",
        "Appendix D",
        "Strong regret",
        "Its claims stand under its subsections.",
    ),
    _section(
        "app:strong-known-horizon",
        "Appendix D.1",
        "TG-ITE-Strong-KnownHorizon",
        "Its claim: `thm:app-strong-known`.",
    ),
    _section(
        "app:strong-horizonless",
        "Appendix D.2",
        "TG-ITE-Strong-Anytime",
        "Its claim: `thm:app-strong-anytime`.",
    ),
    _section(
        "app:known-gap-budgeted-proofs",
        "Appendix E",
        "Known-gap budgeted extension",
        "Its claims: `lem:app-budgeted-bkt`, `lem:app-budgeted-tree-ascent`, "
        "`lem:app-budgeted-screen-epoch`, and the proofs of Section 5.",
    ),
    _section(
        "app:time",
        "Appendix F",
        "Experiment implementation details",
        "Its claims: `number:time-one-minute`; the baselines' code, adapted from another paper's "
        "supplement.",
    ),
)
