(** * The known-gap extension: BudgetedDuelTest in the place of DuelTest

    Given a lower bound [g] of the winner's gap.  A test ends within its budget, so that none of the
    programs here has a horizon; and no global gap is assumed: arms other than the winner may tie. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT Limits.
From TGITE Require Import TreeAscent ScreenAndReplace BudgetedDuelTest BAI Weak Strong.
Open Scope R_scope.

Definition budgeteddueltest_is_pairwise_test_statement : Prop := forall P r N w g,
  condorcet P N w g -> admissible r -> 0 < g <= 1/2 ->
  pairwise_test P N w (fun _ => BDT r g) (8/15) (bd_base g) (bd_slope g).

(** * Proofs *)

Theorem budgeteddueltest_is_pairwise_test : budgeteddueltest_is_pairwise_test_statement.
Proof.
  intros P r N w g HC Hr Hg. pose proof HC as [P01 Anti Hw Win]. destruct (bd_nonneg g ltac:(lra)) as [B0 S0].
  constructor; auto using BDT_leaves, BDT_good.
  - lra.
  - intros F d u v Hd _ _ _. eapply Rle_trans; [apply ET_le_max; auto|apply BDT_budget; auto].
  - intros F d u v Hd _ _ _. rewrite BDT_answers, Rmult_0_r. pose proof (ln_inv_pos d Hd). positive.
  - intros; apply seqtest_duels.
  - intros F d u v Hd _. unfold BDT. destruct (ad_enough r Hr g d Hg Hd) as [M0 _].
    destruct (bbudget r g d); [lia|exact Logic.I].
  - intros. apply leaves_uncut, BDT_always.
  - intros; apply refines_refl.
  - intros; apply agree_refl.
Qed.

Theorem thm_known_gap_extension_main : thm_known_gap_extension_main_statement.
Proof.
  intros cv P r N L w g b HC Hr Hg HN HB Hb. assert (0 < g) as G by lra. pose proof ln2_ge as L2.
  assert (pairwise_test P N w (fun _ => BDT r g) (8/15) (19/20 / (g * g)) (1/2 / (g * g))) as Test
    by exact (budgeteddueltest_is_pairwise_test P r N w g HC Hr Hg).
  split; [|split; [|split; [|split]]].
  - intros delta Hd. destruct (lem_app_budgeted_tree_ascent cv P r N L w g b delta HC Hr Hg HB Hb Hd) as (A & B & _).
    split; [exact A|split; [|exact B]]. apply TreeAscent_answers; auto. apply HC.
  - unfold known_gap_weak. rewrite <- (Rmult_1_r (_ / (g * g))).
    apply (weak_in_units P N w _ _ _ _ _ Test HN G L b (1/4) (1/4)); auto; try lra.
    pose proof ln4_range. replace (/ (1/4)) with 4 by field. unfold C_budgeted_weak. lra.
  - intros delta Hd. apply (weak_in_units P N w _ _ _ _ _ Test HN G L b delta 1); auto; try lra.
    pose proof (ln_inv_pos delta Hd). unfold C_budgeted_weak_delta. lra.
  - intros H HH. unfold known_gap_strong_known, C_budgeted_known.
    apply (known_horizon_in_units P N L w _ _ _ _ _ Test HB G H b); auto; [lra|].
    intros n x N1 X0 Step. fold x in Step |- *. pose proof (ln_inv_gap g Hg).
    destruct (le_lt_dec (N - 1) 1) as [h|h]; [|destruct (le_lt_dec (N - 1) 2) as [h'|h']].
    + assert (n = 1) as E by (apply le_INR in h; fold n in h; simpl (INR _) in h; lra). rewrite E in *.
      grow Step (53/50) 1 1 0%nat 1%nat. grow Step (53/50) 1 (238/100) 1%nat 1%nat. lra.
    + assert (n = 2) as E by (unfold n; replace (N - 1)%nat with 2%nat by lia; simpl; lra). rewrite E in *.
      grow Step (53/50) 2 1 1%nat 1%nat. grow Step (53/50) 2 (307/100) 2%nat 1%nat. lra.
    + assert (3 <= n) by (apply (le_INR 3) in h'; fold n in h'; simpl (INR _) in h'; lra).
      grow Step (53/50) 3 1 1%nat 1%nat. grow Step (53/50) 3 (307/100) 3%nat 1%nat.
      grow Step (53/50) 3 (446/100) 7%nat 2%nat.
      assert (1/2 * x + 621/200 <= 53/50 * (x + 1)) as V by lra. apply (Rmult_le_compat_l n) in V; lra.
  - intros T HT. apply (anytime_in_units P N L w _ _ _ _ _ Test HB G T b); auto. intros k m k1 km k2m M B1 B2 KL L0.
    unfold C_budgeted_anytime, C'_budgeted_anytime. split; lra.
Qed.
