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
  pairwise_test P N w (fun _ => BDT r g) (bd_base g) (bd_slope g).

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
Let Test : pairwise_test P N w (fun _ => BDT r g) (bd_base g) (bd_slope g) := budgeteddueltest_is_pairwise_test P r N w g HC Hr Hg.

Lemma warm_start_budgeted eps :
  pass_cost N (bd_base g) (bd_slope g) eps = INR (N - 1) * / (g * g) * (1/2 * ln (/ eps) + 23/5).
Proof. unfold pass_cost, bd_base, bd_slope, ta_extra. field. lra. Qed.

Lemma weak_bound_budgeted eps :
  weak_bound N (bd_base g) (bd_slope g) eps = INR (N - 1) * / (g * g) * (1/2 * ln (/ eps) + 23/5
    + (11/5 + 1/2 * (6 * ln 4 + 5/2)) * eps + / 64 * (22/3 + 1/2 * (10 + 248/9 * ln 4))).
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
  apply (endless_weak P N w (fun _ => BDT r g) (bd_base g) (bd_slope g) Test HN L b (1/4)); auto; [lra|].
  rewrite weak_bound_budgeted. pose proof ln4_range. replace (/ (1/4)) with 4 by field.
  rewrite <- (Rmult_1_r (C_budgeted_weak * INR (N - 1) / (g * g))), per_unit. unfold C_budgeted_weak.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|lra].
Qed.

Lemma known_gap_weak_delta_proof delta : 0 < delta < 1 -> known_gap_weak_delta P r N L w g b delta.
Proof.
  intro Hd. apply (endless_weak P N w (fun _ => BDT r g) (bd_base g) (bd_slope g) Test HN L b delta); auto.
  rewrite weak_bound_budgeted, per_unit. pose proof (ln_inv_pos delta Hd). pose proof ln4_range. unfold C_budgeted_weak_delta.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|].
  assert ((11/5 + 1/2 * (6 * ln 4 + 5/2)) * delta <= 11/5 + 1/2 * (6 * ln 4 + 5/2)) by nra. lra.
Qed.

Lemma known_gap_strong_known_proof H : (1 <= H)%nat -> known_gap_strong_known P r N L w g b H.
Proof.
  intro HH. apply (strong_known P N L w (fun _ => BDT r g) (bd_base g) (bd_slope g) Test HB H b); auto.
  apply Rplus_le_compat_r. rewrite warm_start_budgeted, Rinv_inv, per_unit. unfold C_budgeted_known.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|].
  assert (0 <= ln (INR H + 1)) by (rewrite <- ln_1; pose proof (pos_INR H); apply ln_le; lra). lra.
Qed.

Lemma known_gap_strong_anytime_proof T : (2 <= T)%nat -> known_gap_strong_anytime P r N L w g b T.
Proof.
  intro HT. apply (strong_anytime P N L w (fun _ => BDT r g) (bd_base g) (bd_slope g) Test HB T b); auto.
  rewrite phases_cost_eq. unfold bd_base, bd_slope, ta_extra, C'_budgeted_anytime.
  pose proof (levels_sum T HT) as B. pose proof (phase_count_lnln T HT) as S1. pose proof (lnln_nonneg T HT) as L0.
  pose proof (ln_T_nonneg T HT) as LT. pose proof (pos_INR (phase_count T)) as K0.
  set (k := INR (phase_count T)) in *. set (W := (INR (2 ^ (1 + phase_count T)) - INR (2 ^ 1)) * ln 2) in *.
  set (ll := ln (ln (INR T + 2))) in *. set (lt := ln (INR T + 1)) in *.
  apply Rplus_le_compat; [|exact S1]. rewrite per_unit. unfold C_budgeted_anytime.
  replace (INR (N - 1) * (k * (11 / 10 / (g * g) + 1 / 2 / (g * g) * 7) + 1 / 2 / (g * g) * W))
    with (INR (N - 1) * / (g * g) * (k * (23/5) + 1/2 * W)) by (field; lra).
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
