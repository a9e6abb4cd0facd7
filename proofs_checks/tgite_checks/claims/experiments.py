"""Entries and findings about the figures and printed numbers of the Experiments section."""

from __future__ import annotations

from tgite_checks.bounds import printed_numbers as printed
from tgite_checks.bounds.demonstrations import experiments as shown
from tgite_checks.bounds.demonstrations import identification
from tgite_checks.claims.building import NOTHING_CLAIMED, experiment, truth
from tgite_checks.claims.model import Claim, ClaimKind, Finding, Outcome, Severity
from tgite_checks.figures import claims as examined

_NO_DEFINITION = (
    "The comparator is cited, not defined; its parameters are not given. What our reconstruction "
    "does says nothing of theirs."
)
_TEN_SEEDS = "What the authors ran: neither their code nor their seeds are published."

_OF = {check.name: check for check in examined.CHECKS}

CLAIMS = (
    Claim(
        label="fig:exp-bai",
        kind=ClaimKind.FIGURE,
        title="Figure 2 (a): BAI sample complexity against N",
        place="Section 6",
        hypotheses="Cyclic instances, Δ* = .32, Δ_cyc = .38, delta = .1, N = 8, 16, 32, 256.",
        statement="Sample complexity of TG-ITE-BAI and its baselines as N grows.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "the order of the curves of TG-ITE-BAI and BKT",
            "Exact means: BKT on all arms is 8 to 16% cheaper than TG-ITE-BAI.",
        ),
        not_established="The plotted values: the picture is not part of the text.",
        checks=(_OF["bai-near-linear"], _OF["bkt-cheaper"]),
    ),
    Claim(
        label="fig:exp-weak",
        kind=ClaimKind.FIGURE,
        title="Figure 2 (b): weak regret",
        place="Section 6",
        hypotheses="Sparse instance, N = 256, Δ* = .26, T = 50 000.",
        statement="Weak-regret curves; see the printed numbers.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "TG-ITE-Weak's curve: its printed end and its plateau lie below what every run costs",
            "About 7958 with standard deviation 111, flat from about 8900 rounds on.",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["weak-2384-impossible"], _OF["weak-plateau-impossible"]),
    ),
    Claim(
        label="fig:exp-strong",
        kind=ClaimKind.FIGURE,
        title="Figure 2 (c): strong regret",
        place="Section 6",
        hypotheses="Cyclic instance, N = 256, Δ* = .30, Δ_cyc = .38, T = 100 000.",
        statement="Strong-regret curves; see the printed numbers.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "the curves of both TG-ITE-Strong policies lie below what every run costs",
            "About 22 084 (known horizon) and 62 820 (anytime).",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["strong-5928-impossible"], _OF["strong-25337-impossible"]),
    ),
    Claim(
        label="fig:experiments",
        kind=ClaimKind.FIGURE,
        title="Figure 2 as a whole",
        place="Section 6",
        hypotheses="",
        statement="The three pictures; bands of one standard deviation over ten seeds.",
        verdicts=truth(Outcome.NOT_FALSIFIABLE, NOTHING_CLAIMED),
        not_established=_TEN_SEEDS,
        nothing_to_check="Its parts have entries of their own.",
    ),
    Claim(
        label="number:near-linear",
        kind=ClaimKind.NUMBER,
        title="TG-ITE-BAI scales near-linearly in N",
        place="Section 6, BAI scaling",
        hypotheses="As in Figure 2 (a).",
        statement="Near-linear, matching the corollary on BAI.",
        verdicts=experiment(
            Outcome.HOLDS, "exact means per arm: 46.0, 48.1, 48.9, 49.6 at N = 8, 16, 32, 256"
        ),
        not_established="Linearity beyond N = 256 on these instances; the theorem has it.",
        checks=(_OF["bai-near-linear"],),
    ),
    Claim(
        label="number:same-slope-larger-constants",
        kind=ClaimKind.NUMBER,
        title="BKT and SeqElim share the slope with larger constants",
        place="Section 6, BAI scaling",
        hypotheses="As in Figure 2 (a).",
        statement="Both have the slope of TG-ITE-BAI, with larger constants.",
        verdicts=experiment(
            Outcome.FAILS,
            "BKT is cheaper at every N; SeqElim by DuelTest (our reading) grows like log N per arm",
            '"BKT is 8 to 16% cheaper; SeqElim\'s cost per arm grows".',
        ),
        not_established="What the authors call SeqElim.",
        checks=(_OF["bkt-cheaper"], _OF["seq-elim-slope"]),
    ),
    Claim(
        label="number:wsw-pe-order-of-magnitude",
        kind=ClaimKind.NUMBER,
        title="WSW-PE grows an order of magnitude faster",
        place="Section 6, BAI scaling",
        hypotheses="As in Figure 2 (a), N = 256.",
        statement="WSW-PE grows roughly an order of magnitude faster at N = 256.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "ambiguous (ten times the cost, or ten times the growth); our reconstruction of "
            "WSW-PE costs 5 to 6 times as much as TG-ITE-BAI",
        ),
        not_established=_NO_DEFINITION,
        checks=(_OF["wsw-pe-grows-faster"],),
    ),
    Claim(
        label="number:weak-2384",
        kind=ClaimKind.NUMBER,
        title="Weak regret 2384 ± 82",
        place="Section 6, Weak regret",
        hypotheses="As in Figure 2 (b).",
        statement="TG-ITE-Weak has the lowest regret, 2384 ± 82 over ten seeds.",
        verdicts=experiment(
            Outcome.FAILS,
            "Algorithm 5 as printed: every run pays at least 5902 in its warm start, on every "
            "instance; the exact mean there is 7958",
            "7958 with standard deviation 111.",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["weak-2384-impossible"], printed.EXACT_WEAK),
        transcription=("tgite.weak.tg_ite_weak",),
    ),
    Claim(
        label="number:plateau-before-5000",
        kind=ClaimKind.NUMBER,
        title="The plateau before t = 5000",
        place="Section 6, Weak regret",
        hypotheses="As in Figure 2 (b).",
        statement="The weak-regret curve is flat before t = 5000.",
        verdicts=experiment(
            Outcome.FAILS,
            "the warm start has at least 5902 duels without the winner, so that regret still "
            "grows at t = 5000",
            "Flat from about 8900 rounds on.",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["weak-plateau-impossible"],),
    ),
    Claim(
        label="number:only-rare-false-positives",
        kind=ClaimKind.NUMBER,
        title="Only rare false-positive replacements remain",
        place="Section 6, Weak regret",
        hypotheses="As in Figure 2 (b).",
        statement="After the warm start only rare false-positive replacements add regret.",
        verdicts=experiment(
            Outcome.HOLDS,
            "1.8e-12 false beaters are expected in the first epoch: none is ever seen in ten seeds",
        ),
        not_established="Anything about the tail: the experiment cannot see it.",
        checks=(printed.FALSE_BEATERS,),
    ),
    Claim(
        label="number:weak-baselines-order",
        kind=ClaimKind.NUMBER,
        title="The order of the weak-regret baselines",
        place="Section 6, Weak regret",
        hypotheses="As in Figure 2 (b).",
        statement="WR-EXP3-IX, WR-TINF and WS-W follow at increasing distance, WS-W with the "
        "largest variance.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "cited algorithms; that WS-W varies most is so in our runs too",
        ),
        not_established=_NO_DEFINITION,
        checks=(_OF["ws-w-varies-most"],),
    ),
    Claim(
        label="number:known-horizon-5928",
        kind=ClaimKind.NUMBER,
        title="Strong regret 5928 ± 154 with known horizon",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="TG-ITE-Strong-KnownHorizon reaches 5928 ± 154.",
        verdicts=experiment(
            Outcome.FAILS,
            "Algorithm 6 as printed: every run pays at least 12 039; the exact mean is 22 084",
            "22 084 with standard deviation 284.",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["strong-5928-impossible"], printed.EXACT_KNOWN),
        transcription=("tgite.strong.tg_ite_strong_known_horizon",),
    ),
    Claim(
        label="number:flattening-7000",
        kind=ClaimKind.NUMBER,
        title="The curve flattens at about 7000 rounds",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="The known-horizon curve flattens once self-play begins, at about 7000 rounds.",
        verdicts=experiment(
            Outcome.FAILS,
            "identification takes at least 12 039 rounds in every run; and it contradicts 5928",
            "At about 22 000 rounds, at a height equal to the time.",
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["flattening-impossible"], _OF["flattening-contradicts-regret"]),
    ),
    Claim(
        label="number:four-times-below",
        kind=ClaimKind.NUMBER,
        title="Roughly four times below the next-best baseline",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="KnownHorizon's regret is roughly a quarter of the next-best baseline's; "
        "Anytime still beats every other baseline.",
        verdicts=experiment(
            Outcome.AMBIGUOUS,
            "the printed numbers: Anytime's is 4.27 times; a baseline above it is within 5% if "
            '"4" is rounded',
            "Say which baseline, and its number.",
        ),
        not_established="The baselines' numbers, which are not printed.",
        checks=(_OF["next-best-contradicts-anytime"], _OF["next-best-is-near"]),
    ),
    Claim(
        label="number:anytime-25337",
        kind=ClaimKind.NUMBER,
        title="Strong regret 25 337 ± 336, anytime",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="TG-ITE-Strong-Anytime reaches 25 337 ± 336.",
        verdicts=experiment(
            Outcome.FAILS,
            "Algorithm 7 as printed: every run pays at least 33 599; the exact mean is about 62 "
            "820",
            "About 62 820.",
        ),
        not_established=_TEN_SEEDS,
        checks=(
            _OF["strong-25337-impossible"],
            printed.EXACT_ANYTIME,
            _OF["one-gap-fits-all-three"],
        ),
        transcription=("tgite.strong.tg_ite_strong_anytime",),
    ),
    Claim(
        label="number:anytime-beats-every-baseline",
        kind=ClaimKind.NUMBER,
        title="Anytime still beats every other baseline",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="TG-ITE-Strong-Anytime's strong regret is below that of every other baseline.",
        verdicts=experiment(
            Outcome.FAILS,
            "Algorithm 7 as printed, about 62 820, against our Versatile-DB, about 34 000",
            "Drop it.",
        ),
        not_established="The authors' baselines. Versatile-DB is published, its learning rate "
        "here is ours.",
        checks=(_OF["anytime-beats-not-all"],),
    ),
    Claim(
        label="number:strong-baselines",
        kind=ClaimKind.NUMBER,
        title="The strong-regret baselines",
        place="Section 6, Strong regret",
        hypotheses="As in Figure 2 (c).",
        statement="WS-S accumulates substantial regret; WR-TINF and Versatile-DB grow too fast; "
        "WR-EXP3-IX never repeats an arm, and so has linear strong regret.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "cited algorithms; that an algorithm which never plays an arm against itself has "
            "regret T follows from the definition",
        ),
        not_established="The baselines' numbers, which are not printed.",
        nothing_to_check=_NO_DEFINITION,
    ),
    Claim(
        label="number:lowest-on-all-three",
        kind=ClaimKind.NUMBER,
        title="Lowest regret and small variance across all objectives",
        place="Section 6, last paragraph",
        hypotheses="",
        statement="TG-ITE delivers the lowest regret and consistently small variance on all three "
        "objectives; on the online ones it dominates every baseline.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "it rests on numbers that the printed algorithms cannot have, and on baselines "
            "without numbers",
        ),
        not_established=f"The comparison. {_NO_DEFINITION}",
        checks=(_OF["weak-not-lowest"],),
    ),
    Claim(
        label="number:bkt-neck-and-neck",
        kind=ClaimKind.NUMBER,
        title="BKT runs neck-and-neck with TG-ITE-BAI",
        place="Section 6, last paragraph",
        hypotheses="As in Figure 2 (a).",
        statement='On pure BAI BKT runs neck-and-neck with TG-ITE-BAI (against "larger '
        'constants" above).',
        verdicts=experiment(
            Outcome.AMBIGUOUS,
            "exact means: BKT's is 8% below at N = 8 and 16% below at N = 256, where the standard "
            'deviation is 2%: within a fifth, but not equal; and "larger constants", said '
            "above, is false",
            '"BKT is cheaper by 8 to 16%".',
        ),
        not_established=_TEN_SEEDS,
        checks=(_OF["bkt-neck-and-neck"],),
    ),
    Claim(
        label="assert:lower-bounds-explain-bkt",
        kind=ClaimKind.ASSERTION,
        title="Lower bounds explain why BKT is as good",
        place="Section 6, last paragraph",
        hypotheses="",
        statement="Instance-dependent lower bounds preclude any starting-arm-uniform global-gap "
        "procedure from matching BAI optima; so BKT's tie is expected.",
        verdicts=truth(
            Outcome.FAILS,
            "a non sequitur: BKT on all arms is itself such a procedure, with the same bound",
            "Drop the reason.",
        ),
        not_established="The cited lower bound.",
        nothing_to_check="A reason, examined by reading: BKT([N]) has no start at all and its "
        "bound is in the global gap, so that whatever the lower bound precludes for TreeAscent it "
        "precludes for BKT.",
    ),
    Claim(
        label="number:ten-seeds",
        kind=ClaimKind.NUMBER,
        title="Mean and one standard deviation over ten seeds",
        place="Section 6",
        hypotheses="",
        statement="All runs use identical preference matrices and random seeds; mean ± standard "
        "deviation over 10 seeds.",
        verdicts=experiment(
            Outcome.NOT_REPRODUCIBLE,
            "the seeds are not given; whether the deviation divides by 9 or 10 is not said",
        ),
        not_established="The runs.",
        nothing_to_check="A description of runs that are not published. With ten seeds a standard "
        "deviation is itself known to about 24%.",
    ),
    Claim(
        label="number:time-one-minute",
        kind=ClaimKind.NUMBER,
        title="All experiments complete within one minute",
        place="Appendix F",
        hypotheses="A server with an AMD Threadripper Pro 3975WX and 256 GB.",
        statement="All experiments are completed within 1 minute.",
        verdicts=experiment(Outcome.OPEN, "a time on a machine that we do not have"),
        not_established="The time.",
        nothing_to_check="It is about their machine and their code.",
    ),
)

FINDINGS = (
    Finding(
        name="weak-2384-is-impossible",
        label="number:weak-2384",
        severity=Severity.ERROR,
        place="Section 6, Weak regret; Figure 2 (b)",
        claim="TG-ITE-Weak has weak regret 2384 ± 82 at N = 256.",
        reason="The warm start plays 255 matches, the winner in at most eight of them; every "
        "other duel costs one. At the levels of epsilon = 1/4 the fewest duels without the eight "
        "longest matches are 5902, for every sequence of outcomes and every instance; even with "
        "every level at 1 they would be 247 times 12 = 2964. The exact mean at the stated gaps is "
        "7958, standard deviation 111.",
        correction="About 7958 ± 111 from Algorithm 5 as printed; or say which test was run.",
        demonstration=shown.weak_regret_is_too_low,
    ),
    Finding(
        name="plateau-before-5000-is-impossible",
        label="number:plateau-before-5000",
        severity=Severity.ERROR,
        place="Section 6, Weak regret; Figure 2 (b)",
        claim="The curve plateaus before t = 5000.",
        reason="The warm start has at least 5902 duels without the winner, each of which costs "
        "one: at t = 5000 at least 902 are still to come, in every run.",
        correction="A plateau from about 8900 rounds on.",
        demonstration=shown.plateau_is_too_early,
    ),
    Finding(
        name="strong-5928-is-impossible",
        label="number:known-horizon-5928",
        severity=Severity.ERROR,
        place="Section 6, Strong regret; Figure 2 (c)",
        claim="TG-ITE-Strong-KnownHorizon reaches 5928 ± 154.",
        reason="At level 1/100 001 and N = 256 the pass needs at least 12 039 duels in every run, "
        "each of regret one. The exact mean at the stated gaps is 22 084, standard deviation 284.",
        correction="About 22 084 ± 284.",
        demonstration=shown.known_horizon_regret_is_too_low,
    ),
    Finding(
        name="flattening-at-7000-is-impossible",
        label="number:flattening-7000",
        severity=Severity.ERROR,
        place="Section 6, Strong regret; Figure 2 (c)",
        claim="The curve flattens once self-play begins, at about 7000 rounds.",
        reason="Self-play begins after at least 12 039 rounds, in every run.",
        correction="At about 22 000 rounds.",
        demonstration=shown.flattening_is_too_early,
    ),
    Finding(
        name="anytime-25337-is-impossible",
        label="number:anytime-25337",
        severity=Severity.ERROR,
        place="Section 6, Strong regret; Figure 2 (c)",
        claim="TG-ITE-Strong-Anytime reaches 25 337 ± 336.",
        reason="The passes of phases 1 to 4 take at least 6152, 7027, 8636 and 11 784 duels, 33 "
        "599 together; before the fourth ends there are only 276 rounds of self-play. So after "
        "100 000 rounds the regret is at least 33 599 in every run. The exact mean is about 62 "
        "820.",
        correction="About 62 820.",
        demonstration=shown.anytime_regret_is_too_low,
    ),
    Finding(
        name="printed-ratio-fits-a-known-gap",
        label="number:anytime-25337",
        severity=Severity.ERROR,
        place="Section 6, Strong regret",
        claim="The two printed strong regrets come from Algorithms 6 and 7.",
        reason="Their ratio is 4.27. DuelTest's exact means have 2.84; those of BudgetedDuelTest "
        "with g = Δ* have 4.28. A hypothesis, not more: the figures were made with a cheaper, "
        "known-gap-like test. The printed standard deviations are about twice those of that "
        "test's law. Which test it was is not established.",
        correction="Say which pairwise test the figures were made with.",
        demonstration=shown.ratio_fits_a_known_gap,
    ),
    Finding(
        name="flattening-contradicts-5928",
        label="number:flattening-7000",
        severity=Severity.ERROR,
        place="Section 6, Strong regret",
        claim="5928 ± 154, and flattening at about 7000 rounds.",
        reason="During identification strong regret is one a round, and zero afterwards but for a "
        "wrong answer, of probability below 1e-5. So a curve flattens at a height equal to its "
        "time: 7000 is seven standard deviations from 5928.",
        correction="One of the two numbers is wrong.",
        demonstration=shown.flattening_is_the_regret,
    ),
    Finding(
        name="bkt-has-no-larger-constants",
        label="number:same-slope-larger-constants",
        severity=Severity.ERROR,
        place="Section 6, BAI scaling, against its last paragraph",
        claim="BKT and SeqElim share the slope with larger constants; later: BKT runs "
        "neck-and-neck.",
        reason="Exact means for TreeAscent and BKT([N]): 368 and 340 at N = 8, 769 and 689 at 16, "
        "1565 and 1368 at 32, 12 691 and 10 633 at 256. BKT is cheaper, by more the larger N is.",
        correction='"BKT is 8 to 16% cheaper".',
        demonstration=shown.knockout_is_cheaper,
    ),
    Finding(
        name="seqelim-does-not-share-the-slope",
        label="number:same-slope-larger-constants",
        severity=Severity.ERROR,
        place="Section 6, BAI scaling",
        claim="SeqElim shares the slope.",
        reason="Sequential elimination by DuelTest at level delta/(N-1), the reading that fits "
        "the text, costs 48.0 an arm at N = 8 and 70.6 at N = 256: its level brings log N. "
        "(SeqElim is not defined in the paper.)",
        correction='"its cost per arm grows like log N".',
        demonstration=shown.sequential_elimination_grows,
    ),
    Finding(
        name="four-times-is-near-equality",
        label="number:four-times-below",
        severity=Severity.LOOSENESS,
        place="Section 6, Strong regret",
        claim="Roughly 4 times below the next-best baseline; Anytime still beats every other "
        "baseline.",
        reason="If every baseline is above Anytime's 25 337, the next best is above 4.27 times; "
        '"roughly 4" then puts it below 26 676, within four printed deviations of Anytime. '
        "Either Anytime is the baseline meant, or the two claims are nearly contradictory.",
        correction="Print the baselines' numbers.",
        demonstration=shown.four_times_is_near_equality,
    ),
    Finding(
        name="false-positives-are-never-seen",
        label="number:only-rare-false-positives",
        severity=Severity.LOOSENESS,
        place="Section 6, Weak regret",
        claim="Consistent with the theorem: only rare false-positive replacements remain.",
        reason="1.8e-12 false beaters are expected in the first epoch, fewer in later ones: in "
        "ten seeds none is seen. The experiment shows the warm start and says nothing of the "
        "tail, which the theorem is about.",
        correction="Show an instance in which the tail matters.",
        demonstration=printed.FALSE_BEATERS.run,
    ),
    Finding(
        name="lower-bound-is-a-non-sequitur",
        label="assert:lower-bounds-explain-bkt",
        severity=Severity.ERROR,
        place="Section 6, last paragraph",
        claim="Lower bounds for starting-arm-uniform global-gap procedures explain BKT's tie.",
        reason="BKT on all arms is such a procedure, with the same bound.",
        correction="Drop the reason; BKT is cheaper because it has no merges.",
        demonstration=identification.knockout_alone_is_cheaper,
    ),
    Finding(
        name="words-of-the-figures-left-open",
        label="number:wsw-pe-order-of-magnitude",
        severity=Severity.AMBIGUITY,
        place='Section 6, BAI scaling: "share the slope", "an order of magnitude faster at N = '
        '256"',
        claim="Slopes and orders of growth.",
        reason='"Share the slope" may mean the same cost per arm in the limit, or two lines '
        'that look straight; "grows an order of magnitude faster" may mean ten times the cost, '
        "or ten times the increment.",
        correction="Print the numbers.",
    ),
    Finding(
        name="deviation-over-ten-seeds-left-open",
        label="number:ten-seeds",
        severity=Severity.AMBIGUITY,
        place="Section 6",
        claim="One standard deviation over ten seeds.",
        reason="Whether it divides by 9 or by 10; with ten seeds it is itself uncertain by about "
        "24%.",
        correction="Say which, and give the seeds or the runs.",
    ),
)
