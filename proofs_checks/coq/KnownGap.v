(** * The known-gap extension: BudgetedDuelTest in the place of DuelTest

    Given a lower bound [g] of the winner's gap.  A test ends within its budget, so that none of the
    programs here has a horizon; and no global gap is assumed: arms other than the winner may tie. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent ScreenAndReplace BudgetedDuelTest.
From TGITE Require Import Limits BAI Weak Strong.
Open Scope R_scope.

Definition budgeteddueltest_is_pairwise_test_statement : Prop := forall P r N w g,
  condorcet P N w g -> admissible r -> 0 < g <= 1/2 ->
  pairwise_test P N w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g).

(** * Proofs *)

Lemma seqtest_vote_uncut stop (vote : nat -> nat -> bool) u v T : forall f n s,
  uncut T (seqtest stop (fun n s => Some (vote n s)) f n s u v) = true.
Proof.
  induction T as [|T IH]; intros f n s; [reflexivity|]. destruct f as [|f].
  - cbn. destruct (vote n s); reflexivity.
  - cbn [seqtest uncut]. apply andb_true_iff.
    split; (destruct (stop _ _) as [[|]|]; [destruct T; reflexivity|destruct T; reflexivity|apply IH]).
Qed.

Theorem budgeteddueltest_is_pairwise_test : budgeteddueltest_is_pairwise_test_statement.
Proof.
  intros P r N w g HC Hr Hg. pose proof HC as [P01 Anti Hw Win]. destruct (bd_nonneg g ltac:(lra)) as [B0 S0].
  constructor; auto.
  - lra.
  - intros; apply BDT_leaves.
  - intros F d j Hd Hj Hjw. apply BDT_good; auto.
  - intros F d u v Hd _ _ _. eapply Rle_trans; [apply ET_le_max; auto|apply BDT_budget; auto].
  - intros F d u v Hd _ _ _. rewrite BDT_answers, Rmult_0_r. pose proof (ln_inv_pos d Hd).
    assert (0 <= bd_slope g * ln (/ d)) by (apply Rmult_le_pos; lra). lra.
  - intros; apply seqtest_duels.
  - intros F d u v Hd _. unfold BDT. destruct (ad_enough r Hr g d Hg Hd) as [M0 _]. destruct (bbudget r g d); [lia|exact Logic.I].
  - intros; apply seqtest_vote_uncut.
  - intros; apply refines_refl.
  - intros; apply agree_refl.
Qed.

Section KnownGap.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (r : budgeted_rule) (N L : nat) (w : arm) (g : R) (b : arm).
Hypothesis HC : condorcet P N w g.
Hypothesis Hr : admissible r.
Hypothesis Hg : 0 < g <= 1/2.
Hypothesis HN : (2 <= N)%nat.
Hypothesis HB : balanced_tree N L.
Hypothesis Hb : (b < N)%nat.
Let Test : pairwise_test P N w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g) := budgeteddueltest_is_pairwise_test P r N w g HC Hr Hg.

Lemma warm_start_budgeted eps :
  pass_cost N (bd_base g) (bd_slope g) eps = INR (N - 1) * / (g * g) * (1/2 * ln (/ eps) + 621/200).
Proof. unfold pass_cost, bd_base, bd_slope, ta_extra. field. lra. Qed.

Lemma weak_bound_budgeted eps :
  weak_bound N (8/15) (bd_base g) (bd_slope g) eps = INR (N - 1) * / (g * g) * (1/2 * ln (/ eps) + 621/200
    + 8/15 * (19/10 + 1/2 * (6 * ln 4 + 153/100)) * eps + 8/15 * (/ 64 * (19/3 + 1/2 * (612/100 + 248/9 * ln 4)))).
Proof.
  unfold weak_bound. rewrite warm_start_budgeted. unfold detour, drift, screen_cost, replace_cost.
  rewrite ln_epoch_level. unfold epoch_level, real_policy_levels. simpl (INR 1). replace (4 ^ (1 + 2)) with 64 by (simpl; ring).
  unfold bd_base, bd_slope, bkt_extra. field. lra.
Qed.

Lemma per_unit C x : C * INR (N - 1) / (g * g) * x = INR (N - 1) * / (g * g) * (C * x).
Proof. unfold Rdiv. ring. Qed.

Lemma known_gap_bai_proof delta : 0 < delta < 1 -> known_gap_bai P r N L w g b delta.
Proof.
  intro Hd. destruct (lem_app_budgeted_tree_ascent cv P r N L w g b delta HC Hr Hg HB Hb Hd) as (A & B & _).
  split; [exact A|split; [|exact B]]. apply TreeAscent_answers; auto. apply HC.
Qed.

Lemma known_gap_weak_proof : known_gap_weak P r N L w g b.
Proof.
  apply (endless_weak P N w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g) Test HN L b (1/4)); auto; [lra|].
  rewrite weak_bound_budgeted. pose proof ln4_range. replace (/ (1/4)) with 4 by field.
  rewrite <- (Rmult_1_r (C_budgeted_weak * INR (N - 1) / (g * g))), per_unit. unfold C_budgeted_weak.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|lra].
Qed.

Lemma known_gap_weak_delta_proof delta : 0 < delta < 1 -> known_gap_weak_delta P r N L w g b delta.
Proof.
  intro Hd. apply (endless_weak P N w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g) Test HN L b delta); auto.
  rewrite weak_bound_budgeted, per_unit. pose proof (ln_inv_pos delta Hd). pose proof ln4_range. unfold C_budgeted_weak_delta.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|].
  set (K := 8/15 * (19/10 + 1/2 * (6 * ln 4 + 153/100))). assert (0 <= K) by (unfold K; lra).
  assert (K * delta <= K) by nra. unfold K in *. lra.
Qed.

Lemma known_gap_strong_known_proof H : (1 <= H)%nat -> known_gap_strong_known P r N L w g b H.
Proof.
  intro HH. apply (strong_known P N L w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g) Test HB H b); auto.
  intro Large. rewrite warm_start_budgeted, Rinv_inv. rewrite per_unit in *. unfold bd_slope, ta_saved, C_budgeted_known in *.
  pose proof ln2_ge as L2. assert (1 <= INR H) as H1 by (apply (le_INR 1); auto).
  set (n := INR (N - 1)) in *. set (x := ln (INR H + 1)) in *.
  assert (1 <= n) as N1 by (apply (le_INR 1); lia). assert (0 < g * g <= 1/4) by nra.
  assert (4 <= / (g * g)) as I4 by (rewrite <- (Rinv_inv 4); apply Rinv_le_contravar; lra).
  assert (0 < x) as X0 by (unfold x; rewrite <- ln_1; apply ln_increasing; lra).
  replace (n * / (g * g) * (1 / 2 * x + 621 / 200) - 1 / 2 / (g * g) * (12 / 5) + 8 / 15)
    with (/ (g * g) * (n * (1/2 * x + 621/200) - 6/5) + 8/15) by (field; lra).
  replace (n * / (g * g) * (53 / 50 * (x + 1)) + 1) with (/ (g * g) * (n * (53/50 * (x + 1))) + 1) in * by ring.
  assert (Step : forall c q, 0 < c -> c <= n -> 0 < q -> q <= x + 1 -> ln (4 * c * (53/50 * q)) <= x).
  { intros c q Hc Hcn Hq Hqx. unfold x. apply ln_le; [repeat apply Rmult_lt_0_compat; lra|].
    assert (4 * (c * (53/50 * q)) <= / (g * g) * (n * (53/50 * (x + 1)))); [|lra].
    apply Rmult_le_compat; [lra|apply Rmult_le_pos; lra|exact I4|]. apply Rmult_le_compat; lra. }
  assert (n * (1/2 * x + 621/200) - 6/5 <= n * (53/50 * (x + 1))) as W.
  2:{ apply Rmult_le_compat_l with (r := / (g * g)) in W; lra. }
  destruct (le_lt_dec (N - 1) 1) as [h|h]; [|destruct (le_lt_dec (N - 1) 2) as [h'|h']].
  - apply le_INR in h. fold n in h. change (INR 1) with 1 in h. assert (n = 1) as -> by lra.
    pose proof (Step 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 2 1 (4 * 1 * (53/50 * 1)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 1 (238/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 3 1 (4 * 1 * (53/50 * (238/100))) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2. lra.
  - assert (N - 1 = 2)%nat as E by lia. assert (n = 2) as -> by (unfold n; rewrite E; simpl; lra).
    pose proof (Step 2 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 3 1 (4 * 2 * (53/50 * 1)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 2 (307/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 4 1 (4 * 2 * (53/50 * (307/100))) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2. lra.
  - assert (3 <= n) as N3 by (change 3 with (INR 3) || (replace 3 with (INR 3) by (simpl; lra)); apply le_INR; lia).
    pose proof (Step 3 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 3 1 (4 * 3 * (53/50 * 1)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 3 (307/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 5 1 (4 * 3 * (53/50 * (307/100))) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2.
    pose proof (Step 3 (446/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S3.
    pose proof (ln_pow2 11 2 (4 * 3 * (53/50 * (446/100))) ltac:(lra) ltac:(lra)) as P3. simpl (INR _) in P3.
    assert (1/2 * x + 621/200 <= 53/50 * (x + 1)) as V by lra.
    apply Rmult_le_compat_l with (r := n) in V; lra.
Qed.

Lemma known_gap_strong_anytime_proof T : (2 <= T)%nat -> known_gap_strong_anytime P r N L w g b T.
Proof.
  intro HT. apply (strong_anytime P N L w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g) Test HB T b); auto.
  rewrite phases_cost_eq, levels_sum by auto. unfold bd_base, bd_slope, ta_extra, C'_budgeted_anytime.
  pose proof (phases_against_T T HT) as (k1 & km & k2m & B1 & B2). pose proof (lnln_nonneg T HT) as L0.
  pose proof ln2_ge. pose proof ln2_le.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  set (ll := ln (ln (INR T + 2))) in *. set (lt := ln (INR T + 1)) in *.
  assert (693/1000 * (k - 1) <= ln 2 * (k - 1)) as Q1 by (apply Rmult_le_compat_r; lra).
  assert (693/1000 * m <= m * ln 2) as Q3 by nra.
  apply Rplus_le_compat; [|lra]. rewrite per_unit. unfold C_budgeted_anytime.
  replace (INR (N - 1) * (k * (19 / 20 / (g * g) + 1 / 2 / (g * g) * (431 / 100)) + 1 / 2 / (g * g) * ((4 * m - 2) * ln 2)))
    with (INR (N - 1) * / (g * g) * (k * (621/200) + 1/2 * ((4 * m - 2) * ln 2))) by (field; lra).
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. lra.
Qed.
End KnownGap.

Theorem thm_known_gap_extension_main : thm_known_gap_extension_main_statement.
Proof.
  intros cv P r N L w g b HC Hr Hg HN HB Hb.
  split; [intros; apply known_gap_bai_proof; auto|]. split; [apply known_gap_weak_proof; auto|].
  split; [intros; apply known_gap_weak_delta_proof; auto|].
  split; [intros; apply known_gap_strong_known_proof; auto|intros; apply known_gap_strong_anytime_proof; auto].
Qed.
