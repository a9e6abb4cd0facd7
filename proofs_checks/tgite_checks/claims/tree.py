"""Entries about the tree (``subsec:fixed-tree-path-decomposition`` and ``app:tree-geometry``)."""

from __future__ import annotations

from tgite_checks.bounds import tree as true
from tgite_checks.check import Question
from tgite_checks.claims.building import NOTHING_CLAIMED, proved_by, truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity, Verdict
from tgite_checks.fidelity import tree as faithful

_FAITHFUL = Verdict(
    Outcome.HOLDS, "all starts of trees over few arms, byes at every place, and larger trees"
)

CLAIMS = (
    Claim(
        label="fig:sibling-blocks",
        kind=ClaimKind.FIGURE,
        title="The ancestor path and the sibling blocks",
        place="Section 3.2, Figure 1",
        hypotheses="N = 2^L.",
        statement="A picture of the partition of the arms, with |Q_h| = 2^(h-1); its caption "
        "repeats what the partition lemma and the theorem on TreeAscent say.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established="Nothing is claimed beyond the lemma and the theorem.",
        nothing_to_check="A picture; its statements are `lem:app-sibling-partition` and "
        "`thm:plr-repair-main`, and what its caption says of the levels is "
        "`assert:proportional-levels`.",
    ),
    Claim(
        label="lem:app-sibling-partition",
        kind=ClaimKind.LEMMA,
        title="The start and its sibling blocks partition the arms",
        place="Appendix B.1, Lemma 6",
        hypotheses="N ≥ 2 arms on the leaves of a completed balanced tree with M = 2^ceil(log2 N) "
        "leaves, the others formal byes; any start b.",
        statement="{b} and Q_1(b), ..., Q_L(b) are disjoint and make up all arms;\n\n"
        "  Σ m_h = N - 1,   mbar_h = 2^(h-1),   Σ mbar_h = M - 1,\n\n"
        "and for N = 2^L also m_h = 2^(h-1).",
        verdicts={
            **truth(Outcome.HOLDS, "every N ≥ 2, every placement of the arms, every start"),
            Question.FIDELITY: _FAITHFUL,
        },
        not_established="Nothing that the lemma says.",
        checks=(
            proved_by(
                "lem:app-sibling-partition",
                "every N, every placement of arms and byes, every start",
                "lem_app_sibling_partition",
            ),
            true.PARTITION,
            true.CAPACITY,
            faithful.PARTITION,
            faithful.BLOCKS,
        ),
        transcription=("tgite.tree.BalancedTree",),
    ),
    Claim(
        label="def:app-winner-entry-level",
        kind=ClaimKind.DEFINITION,
        title="The level at which the winner enters the path",
        place="Appendix B.1, Definition 1",
        hypotheses="A Condorcet winner a*, a start b.",
        statement="h_star(b) is 0 if b = a*, else the one h with a* in Q_h(b). Claimed: there is "
        "exactly one.",
        verdicts={
            **truth(Outcome.HOLDS, "every tree, start and winner: it follows from the partition"),
            Question.FIDELITY: _FAITHFUL,
        },
        not_established="Nothing that the definition says.",
        checks=(true.ENTRY, faithful.ENTRY),
        transcription=("tgite.tree.BalancedTree.winner_entry_level",),
    ),
)

FINDINGS = (
    Finding(
        name="byes-left-open",
        label="lem:app-sibling-partition",
        severity=Severity.AMBIGUITY,
        place="Appendix B.1: formal byes",
        claim="The additional leaves are formal byes.",
        reason="Where they stand is not said: at the last leaves, at the first, spread. "
        "Correctness does not depend on it, cost does: all byes in one block halve every other "
        "block's level.",
        correction="Fix it. Ruling: the last leaves; the others are parameters.",
    ),
    Finding(
        name="balanced-tree-undefined",
        label="thm:plr-repair-main",
        severity=Severity.AMBIGUITY,
        place='Section 3: "for every fixed balanced tree"',
        claim="The theorem quantifies over fixed balanced trees.",
        reason="The main text defines such a tree for N = 2^L only. For other N it may mean all "
        "orders of the arms, or all places of the byes too.",
        correction="Any placement of N arms on M leaves; this project takes all of them.",
    ),
)
