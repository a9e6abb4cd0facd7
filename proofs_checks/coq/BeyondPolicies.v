(** * The paper's algorithms with the tests of [MixtureTest] and [SprtTest] (not in the paper)

    What the paper's theorems need of a test is [pairwise_test]; MixtureTest has it under the paper's assumption, the
    truncated SprtTest for a known gap.  So the algorithms have the same guarantees with these tests, with
    constants of their own: the statements are those of [Statements], with the test replaced. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent.
From TGITE Require Import ScreenAndReplace BudgetedDuelTest Limits BAI Weak Strong KnownGap MixtureTest SprtTest.
Open Scope R_scope.

(** ** With MixtureTest, in the place of DuelTest *)

Definition C_mixture_bai : R := 243/100.
Definition C_mixture_tail : R := 281/50.
Definition C_mixture_weak : R := 114/25.
Definition C_mixture_weak_delta : R := 161/20.
Definition C_mixture_known : R := 11/10.
Definition C_mixture_anytime : R := 59/20.
Definition C'_mixture_anytime : R := 5/3.

(** TG-ITE-BAI, as cor:tlcr-bai has it. *)
Definition mixture_bai_statement : Prop := forall (cv : conventions) P N L w g b delta,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies P w (fun F => TG_ITE_BAI (DT mixture_rule F) N L b delta) delta
    (C_mixture_bai * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).

(** The epochs of ScreenAndReplace from any incumbent, as thm:app-online-weak has it. *)
Definition mixture_tail_statement : Prop := forall (cv : conventions) P N w g c,
  assump_condorcet_gap P N w g -> (c < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => online_tail (DT mixture_rule F) N k c)
    (C_mixture_tail * INR (N - 1) / (g * g) * (ln (/ g) + 1)).

(** TG-ITE-Weak, as thm:online-weak-linear-main has it. *)
Definition mixture_weak_statement : Prop := forall (cv : conventions) P N L w g b,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT mixture_rule F) N L (1/4) k b)
    (C_mixture_weak * INR (N - 1) / (g * g) * (ln (/ g) + 1)).

(** The same after a warm start at level delta, the output of BAI, as cor:dual has it. *)
Definition mixture_weak_delta_statement : Prop := forall (cv : conventions) P N L w g b delta,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT mixture_rule F) N L delta k b)
    (C_mixture_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).

(** TG-ITE-Strong with a known horizon, as thm:strong-known-main has it. *)
Definition mixture_strong_known_statement : Prop := forall (cv : conventions) P N L w g b H,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (DT mixture_rule F) N L H b)
    (C_mixture_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + ln (/ g) + 1) + 1).

(** TG-ITE-Strong at any time, as thm:strong-anytime-main has it. *)
Definition mixture_strong_anytime_statement : Prop := forall (cv : conventions) P N L w g b T,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (DT mixture_rule F) N L k b)
    (C_mixture_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + (ln (ln (INR T + 2)) + 1) * (ln (/ g) + 1))
     + C'_mixture_anytime * (ln (ln (INR T + 2)) + 1)).

(** Its leading term; DuelTest's is proved with 16/7. *)
Definition C_mixture_leading : R := 2.
Definition mixture_leading_term_statement : Prop := forall N g eps, 0 < g <= 1/2 -> 0 < eps ->
  exists T_0, forall (cv : conventions) P L w b T F k,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (T_0 <= T)%nat ->
  regret_until P (strong_regretful w) T (TG_ITE_Strong_Anytime (DT mixture_rule F) N L k b)
    <= (C_mixture_leading * INR (N - 1) / (g * g) + eps) * ln (INR T).

(** ** With the truncated SprtTest, in the place of BudgetedDuelTest

    The five parts of thm:known-gap-extension-main. *)

Definition C_truncated_bai : R := 69/25.
Definition C_truncated_weak : R := 27/5.
Definition C_truncated_weak_delta : R := 93/10.
Definition C_truncated_known : R := 1.
Definition C_truncated_anytime : R := 57/20.
Definition C'_truncated_anytime : R := 5/3.

Definition truncated_sprt_bai_statement : Prop := forall (cv : conventions) P N L w g b delta,
  condorcet P N w g -> 0 < g < 1/2 -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies_within P w (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) delta
    (C_truncated_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).

Definition truncated_sprt_weak_statement : Prop := forall (cv : conventions) P N L w g b,
  condorcet P N w g -> 0 < g < 1/2 -> (2 <= N)%nat -> balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L (1/4) k b)
    (C_truncated_weak * INR (N - 1) / (g * g)).

Definition truncated_sprt_weak_delta_statement : Prop := forall (cv : conventions) P N L w g b delta,
  condorcet P N w g -> 0 < g < 1/2 -> (2 <= N)%nat -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L delta k b)
    (C_truncated_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).

Definition truncated_sprt_strong_known_statement : Prop := forall (cv : conventions) P N L w g b H,
  condorcet P N w g -> 0 < g < 1/2 -> (2 <= N)%nat -> balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun _ => TG_ITE_Strong_KnownHorizon (BDT truncated_sprt g) N L H b)
    (C_truncated_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + 1) + 1).

Definition truncated_sprt_strong_anytime_statement : Prop := forall (cv : conventions) P N L w g b T,
  condorcet P N w g -> 0 < g < 1/2 -> (2 <= N)%nat -> balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun _ k => TG_ITE_Strong_Anytime (BDT truncated_sprt g) N L k b)
    (C_truncated_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + ln (ln (INR T + 2)) + 1)
     + C'_truncated_anytime * (ln (ln (INR T + 2)) + 1)).

(** *** Where no two arms are nearer than [g]

    For an instance that has a winner by [g], ties may use up the budget, and all but a few of a tournament's
    matches are between other arms.  If the paper's Assumption 1 holds, and [g] is a known lower bound of all
    gaps, every match takes a quarter of it on average: the constants below are for expectations, with the same
    program. *)

Definition truncated_sprt_global_test_statement : Prop := forall P N w g,
  assump_condorcet_gap P N w g -> g < 1/2 ->
  pairwise_test P N w (fun _ => BDT truncated_sprt g) 1 (27/80 / (g * g)) (1/8 / (g * g)).

Definition C_global_bai : R := 1/8.
Definition C_global_weak : R := 33/20.
Definition C_global_weak_delta : R := 73/25.
Definition C_global_known : R := 57/100.
Definition C_global_anytime : R := 9/10.
Definition C'_global_anytime : R := 5/3.
Definition C_global_leading : R := 1/2.

(** [truncated_sprt_bai] has the probability of the answer. *)
Definition truncated_sprt_global_bai_statement : Prop := forall (cv : conventions) P N L w g b delta,
  assump_condorcet_gap P N w g -> g < 1/2 -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  ET P (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) <=
    C_global_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 701/100).

Definition truncated_sprt_global_weak_statement : Prop := forall (cv : conventions) P N L w g b,
  assump_condorcet_gap P N w g -> g < 1/2 -> balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L (1/4) k b)
    (C_global_weak * INR (N - 1) / (g * g)).

Definition truncated_sprt_global_weak_delta_statement : Prop := forall (cv : conventions) P N L w g b delta,
  assump_condorcet_gap P N w g -> g < 1/2 -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L delta k b)
    (C_global_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).

Definition truncated_sprt_global_strong_known_statement : Prop := forall (cv : conventions) P N L w g b H,
  assump_condorcet_gap P N w g -> g < 1/2 -> balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun _ => TG_ITE_Strong_KnownHorizon (BDT truncated_sprt g) N L H b)
    (C_global_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + 1) + 1).

Definition truncated_sprt_global_strong_anytime_statement : Prop := forall (cv : conventions) P N L w g b T,
  assump_condorcet_gap P N w g -> g < 1/2 -> balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun _ k => TG_ITE_Strong_Anytime (BDT truncated_sprt g) N L k b)
    (C_global_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + ln (ln (INR T + 2)) + 1)
     + C'_global_anytime * (ln (ln (INR T + 2)) + 1)).

(** Its leading term. *)
Definition truncated_sprt_global_leading_term_statement : Prop := forall N g eps, 0 < g < 1/2 -> 0 < eps ->
  exists T_0, forall (cv : conventions) P L w b T k,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (T_0 <= T)%nat ->
  regret_until P (strong_regretful w) T (TG_ITE_Strong_Anytime (BDT truncated_sprt g) N L k b)
    <= (C_global_leading * INR (N - 1) / (g * g) + eps) * ln (INR T).

(** * Proofs *)

Ltac gap_of HA :=
  pose proof (a_N _ _ _ _ HA) as HN; pose proof (a_gap _ _ _ _ HA) as Hg; pose proof (ln_inv_gap _ Hg) as LG.

Lemma one_two_more N : (2 <= N)%nat -> let n := INR (N - 1) in n = 1 \/ n = 2 \/ 3 <= n.
Proof.
  intros HN n. destruct N as [|[|[|[|N]]]]; [lia|lia|left; reflexivity|right; left; reflexivity|]. right. right.
  replace 3 with (INR 3) by (simpl; lra). apply le_INR. lia.
Qed.

Lemma anytime_leading_term N share base slope eps : 0 <= share <= 1 -> 0 <= base -> 0 <= slope -> 0 < eps ->
  exists T_0, (1 <= T_0)%nat /\ forall (cv : conventions) P L w test b T F k,
    pairwise_test P N w test share base slope ->
  balanced_tree N L -> (b < N)%nat -> (T_0 <= T)%nat ->
  regret_until P (strong_regretful w) T (TG_ITE_Strong_Anytime (test F) N L k b)
    <= (4 * slope * INR (N - 1) + eps) * ln (INR T).
Proof.
  intros Hs Hb Hsl He. destruct (leading_term N share base slope) with (eps := eps) as [T_0 H]; auto; try lra.
  exists (Nat.max 1 T_0). split; [lia|]. intros cv P L w test b T F k Test HB Hb' HT.
  destruct (H T ltac:(lia)) as [T2 Q]. apply (strong_anytime P N L w test share base slope Test HB T b _ T2 Hb' Q).
Qed.

(** ** MixtureTest *)

Lemma mixture_in_units P N w g : assump_condorcet_gap P N w g ->
  pairwise_test P N w (DT mixture_rule) 1 (8/7 * (ln (/ g) + 3/4) / (g * g)) (4/7 / (g * g)).
Proof.
  intro HA. replace (8/7 * (ln (/ g) + 3/4) / (g * g)) with (mt_base g) by (unfold mt_base, Rdiv; ring).
  now apply mixture_is_pairwise_test.
Qed.

Theorem mixture_bai : mixture_bai_statement.
Proof.
  intros cv P N L w g b delta HA HB Hb Hd. gap_of HA. pose proof (ln_inv_pos delta Hd).
  eapply identifies_in_units; eauto using mixture_in_units; unfold C_mixture_bai; lra.
Qed.

Theorem mixture_tail : mixture_tail_statement.
Proof.
  intros cv P N w g c HA Hc. gap_of HA. eapply tail_in_units; eauto using mixture_in_units; [lra|].
  unfold C_mixture_tail. lra.
Qed.

Theorem mixture_weak : mixture_weak_statement.
Proof.
  intros cv P N L w g b HA HB Hb. gap_of HA. pose proof ln4_range.
  eapply weak_in_units with (e := 1/4); eauto using mixture_in_units; try lra.
  replace (/ (1/4)) with 4 by field. unfold C_mixture_weak. lra.
Qed.

Theorem mixture_weak_delta : mixture_weak_delta_statement.
Proof.
  intros cv P N L w g b delta HA HB Hb Hd. gap_of HA. pose proof (ln_inv_pos delta Hd).
  eapply weak_in_units with (e := 1); eauto using mixture_in_units; try lra. unfold C_mixture_weak_delta. lra.
Qed.

Theorem mixture_strong_known : mixture_strong_known_statement.
Proof.
  intros cv P N L w g b H HA HB Hb HH. gap_of HA. pose proof ln2_ge. unfold C_mixture_known.
  eapply known_horizon_in_units; eauto using mixture_in_units; try lra. intros n x N1 X0 Step. fold x in Step |- *.
  set (a := ln (/ g)) in *. destruct (one_two_more N HN) as [E|[E|E]]; fold n in E.
  - rewrite E in *. grow Step (11/10) 1 (169/100) 4%nat 5%nat. grow Step (11/10) 1 (36/10) 19%nat 10%nat. lra.
  - rewrite E in *. grow Step (11/10) 2 (169/100) 9%nat 5%nat. grow Step (11/10) 2 (43/10) 16%nat 5%nat. lra.
  - grow Step (11/10) 3 (169/100) 12%nat 5%nat. grow Step (11/10) 3 (47/10) 39%nat 10%nat.
    grow Step (11/10) 3 (57/10) 21%nat 5%nat.
    assert (8/7 * (a + 3/4) + 4/7 * (x + 431/100) <= 11/10 * (x + a + 1)) as V by lra.
    apply (Rmult_le_compat_l n) in V; lra.
Qed.

Theorem mixture_strong_anytime : mixture_strong_anytime_statement.
Proof.
  intros cv P N L w g b T HA HB Hb HT. gap_of HA. pose proof ln2_ge.
  eapply anytime_in_units; eauto using mixture_in_units; [lra|]. intros k m k1 km k2m M B1 B2 KL L0.
  set (a := ln (/ g)) in *. unfold C_mixture_anytime, C'_mixture_anytime. split; [|lra].
  apply (Rmult_le_compat_r (a + 1)) in B2; [|lra].
  assert (0 <= (k - 1) * (a - 693/1000)) by (apply Rmult_le_pos; lra). lra.
Qed.

(** Of the drift as little may be spent on the logarithm as one likes, for a larger constant part. *)
Theorem mixture_leading_term : mixture_leading_term_statement.
Proof.
  intros N g eps Hg He. set (u := INR (N - 1) * / (g * g)). assert (0 <= u) as U0 by (apply unit_nonneg; lra).
  assert (exists e, 0 < e <= 1/8 /\ 2 * u / (1 - e) <= 2 * u + eps / 2) as (e & E1 & E2).
  { assert (0 < eps / (5 * (u + 1))) as Q by positive. exists (Rmin (1/8) (eps / (5 * (u + 1)))).
    pose proof (Rmin_l (1/8) (eps / (5 * (u + 1)))). pose proof (Rmin_r (1/8) (eps / (5 * (u + 1)))) as E2.
    assert (0 < Rmin (1/8) (eps / (5 * (u + 1)))) by (apply Rmin_glb_lt; lra). set (e := Rmin _ _) in *.
    split; [lra|]. apply Rle_div_l; [lra|]. apply Rle_div_r in E2; [|lra].
    assert (eps * e <= eps * (1/8)) by (apply Rmult_le_compat_l; lra). lra. }
  pose proof (ln_inv_gap g Hg) as G. assert (ln (2 * e) <= - 1) as L1.
  { rewrite <- (ln_exp (- 1)). apply ln_le; [lra|]. replace (- 1) with (- (1)) by ring. rewrite exp_Ropp.
    apply Rle_trans with (/ 3); [lra|]. apply Rinv_le_contravar; [apply exp_pos|apply exp_le_3]. }
  set (base := / (1 - e) / (g * g) * (ln (/ g) + (- ln (2 * e) - 1 + 2 * g + 2 * e * (g * g)) / 2)).
  set (slope := / (2 * (1 - e)) / (g * g)).
  destruct (anytime_leading_term N 1 base slope (eps / 2)) as (T_0 & T1 & HL);
    [lra|unfold base; positive|unfold slope; positive|lra|].
  exists T_0. intros cv P L w b T F k HA HB Hb HT.
  eapply Rle_trans; [apply (HL cv P L w (DT mixture_rule) b T F k); auto|].
  - apply (two_sided_pairwise mixture_rule P N w g); auto using mixture_two_sided;
      [unfold base; positive|unfold slope; positive|]. intros F' d x y Hd Hp.
    apply mixture_time_gen; auto. apply (valid_01 P), (a_valid _ _ _ _ HA).
  - apply Rmult_le_compat_r; [rewrite <- ln_1; apply ln_le; [lra|]; apply (le_INR 1); lia|].
    replace (4 * slope * INR (N - 1)) with (2 * u / (1 - e)) by (unfold slope, u; field; lra).
    replace (C_mixture_leading * INR (N - 1) / (g * g)) with (2 * u) by (unfold C_mixture_leading, u; field; lra). lra.
Qed.

(** ** The truncated SprtTest *)

Lemma truncated_in_units P N w g : condorcet P N w g -> 0 < g < 1/2 ->
  pairwise_test P N w (fun _ => BDT truncated_sprt g) 1 (3/5 / (g * g)) (1/2 / (g * g)).
Proof. apply truncated_sprt_is_pairwise_test. Qed.

Theorem truncated_sprt_bai : truncated_sprt_bai_statement.
Proof.
  intros cv P N L w g b delta HC Hg HB Hb Hd. pose proof (truncated_in_units P N w g HC Hg) as Test.
  assert (A : Pr P (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) ran_out = 0)
    by (apply TreeAscent_answers; auto; apply (c_01 _ _ _ _ HC)).
  split; [rewrite Pr_total, A; pose proof (pass_wrong P N L w _ _ _ _ Test HB b delta Hb Hd 0); lra|].
  split; [exact A|].
  eapply Rle_trans; [apply (TreeAscent_cost (fun A m => INR (maxT m))) with (base := ts_base g) (slope := ts_slope g);
    auto using maxT_additive, BDT_leaves; try (unfold ts_base, ts_slope; positive)|].
  - intros d u v Hd' _ _ _. eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
  - apply (in_units _ g (3/5) (1/2)); [lra|apply pos_INR|]. pose proof (ln_inv_pos delta Hd).
    unfold C_truncated_bai, ta_extra. lra.
Qed.

Theorem truncated_sprt_weak : truncated_sprt_weak_statement.
Proof.
  intros cv P N L w g b HC Hg HN HB Hb. rewrite <- (Rmult_1_r (_ / (g * g))). pose proof ln4_range.
  eapply weak_in_units with (e := 1/4); eauto using truncated_in_units; try lra.
  replace (/ (1/4)) with 4 by field. unfold C_truncated_weak. lra.
Qed.

Theorem truncated_sprt_weak_delta : truncated_sprt_weak_delta_statement.
Proof.
  intros cv P N L w g b delta HC Hg HN HB Hb Hd. pose proof (ln_inv_pos delta Hd).
  eapply weak_in_units with (e := 1); eauto using truncated_in_units; try lra. unfold C_truncated_weak_delta. lra.
Qed.

Theorem truncated_sprt_strong_known : truncated_sprt_strong_known_statement.
Proof.
  intros cv P N L w g b H HC Hg HN HB Hb HH. pose proof ln2_ge. pose proof (ln_inv_gap g ltac:(lra)).
  unfold C_truncated_known. eapply known_horizon_in_units; eauto using truncated_in_units; try lra.
  intros n x N1 X0 Step. fold x in Step |- *. destruct (one_two_more N HN) as [E|[E|E]]; fold n in E.
  - rewrite E in *. grow Step 1 1 1 0%nat 1%nat. lra.
  - rewrite E in *. grow Step 1 2 1 1%nat 1%nat. grow Step 1 2 3 2%nat 1%nat. lra.
  - grow Step 1 3 1 3%nat 2%nat. grow Step 1 3 (34/10) 10%nat 3%nat.
    assert (3/5 + 1/2 * (x + 431/100) <= 1 * (x + 1)) as V by lra. apply (Rmult_le_compat_l n) in V; lra.
Qed.

Theorem truncated_sprt_strong_anytime : truncated_sprt_strong_anytime_statement.
Proof.
  intros cv P N L w g b T HC Hg HN HB Hb HT. pose proof ln2_ge. unfold C_truncated_anytime, C'_truncated_anytime.
  eapply anytime_in_units; eauto using truncated_in_units; [lra|]. intros. split; lra.
Qed.

(** ** The truncated SprtTest where no two arms are nearer than [g] *)

(** Half of the level takes a lead of at most ln(2/d)/(4g) + 1. *)
Lemma truncated_mean P (P01 : forall u v, 0 <= P u v <= 1) g d u v :
  0 < g < 1/2 -> 0 < d < 1 -> g <= Rabs (P u v - 1/2) ->
  ET P (BDT truncated_sprt g d u v) <= 27/80 / (g * g) + 1/8 / (g * g) * ln (/ d).
Proof.
  intros Hg Hd Hp. assert (0 < d / 2 < 1) as Hd' by lra. destruct (lead_exists g (d / 2) Hg Hd') as [k Hk].
  assert (P u v <> 1/2) as Hne by (intro E; rewrite E, Rminus_eq_0, Rabs_R0 in Hp; lra).
  eapply Rle_trans; [apply (time_gap P P01 u v g (d / 2) Hg k Hk); exact Hne|].
  apply Rle_trans with (INR k / (2 * g)); [apply Rmult_le_compat_l; [apply pos_INR|apply Rinv_le_contravar; lra]|].
  pose proof (lead_bound g (d / 2) Hg Hd' k Hk) as B. replace (/ (d / 2)) with (2 * / d) in B by (field; lra).
  rewrite ln_mult in B by positive. pose proof ln2_le. apply (Rmult_le_compat_r (/ (2 * g))) in B; [|positive].
  eapply Rle_trans; [exact B|]. apply Rle_trans with (/ (g * g) * (ln 2 / 8 + g / 2) + 1/8 / (g * g) * ln (/ d));
    [right; field; lra|]. apply Rplus_le_compat_r. rewrite Rmult_comm. apply Rmult_le_compat_r; [positive|lra].
Qed.

Theorem truncated_sprt_global_test : truncated_sprt_global_test_statement.
Proof.
  intros P N w g HA Hg'. gap_of HA.
  destruct (truncated_sprt_is_pairwise_test P N w g (assump_condorcet _ _ _ _ HA) ltac:(lra)).
  constructor; auto; try positive.
  - intros F d u v Hd Hu Hv Huv. apply truncated_mean; auto; [lra|]. now apply (a_global _ _ _ _ HA).
  - intros F d u v Hd _ _ _. rewrite BDT_answers, Rmult_0_r. pose proof (ln_inv_pos d Hd).
    apply Rplus_le_le_0_compat; positive.
Qed.

Theorem truncated_sprt_global_bai : truncated_sprt_global_bai_statement.
Proof.
  intros cv P N L w g b delta HA Hg' HB Hb Hd. gap_of HA. eapply Rle_trans;
    [apply (pass_ET P N L w _ _ _ _ (truncated_sprt_global_test P N w g HA Hg') HB b delta Hb Hd 0%nat)|].
  rewrite pass_units, unit_in by lra. apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_global_bai. lra.
Qed.

Theorem truncated_sprt_global_weak : truncated_sprt_global_weak_statement.
Proof.
  intros cv P N L w g b HA Hg' HB Hb. gap_of HA. rewrite <- (Rmult_1_r (_ / (g * g))). pose proof ln4_range.
  eapply weak_in_units with (e := 1/4); eauto using truncated_sprt_global_test; try lra.
  replace (/ (1/4)) with 4 by field. unfold C_global_weak. lra.
Qed.

Theorem truncated_sprt_global_weak_delta : truncated_sprt_global_weak_delta_statement.
Proof.
  intros cv P N L w g b delta HA Hg' HB Hb Hd. gap_of HA. pose proof (ln_inv_pos delta Hd).
  eapply weak_in_units with (e := 1); eauto using truncated_sprt_global_test; try lra. unfold C_global_weak_delta. lra.
Qed.

Theorem truncated_sprt_global_strong_known : truncated_sprt_global_strong_known_statement.
Proof.
  intros cv P N L w g b H HA Hg' HB Hb HH. gap_of HA. unfold C_global_known.
  eapply known_horizon_in_units; eauto using truncated_sprt_global_test; try lra. intros n x N1 X0 _. fold x.
  assert (27/80 + 1/8 * (x + 431/100) <= 57/100 * (x + 1)) as V by lra. apply (Rmult_le_compat_l n) in V; lra.
Qed.

Theorem truncated_sprt_global_strong_anytime : truncated_sprt_global_strong_anytime_statement.
Proof.
  intros cv P N L w g b T HA Hg' HB Hb HT. gap_of HA. pose proof ln2_ge. unfold C_global_anytime, C'_global_anytime.
  eapply anytime_in_units; eauto using truncated_sprt_global_test; [lra|]. intros. split; lra.
Qed.

Theorem truncated_sprt_global_leading_term : truncated_sprt_global_leading_term_statement.
Proof.
  intros N g eps Hg He.
  destruct (anytime_leading_term N 1 (27/80 / (g * g)) (1/8 / (g * g)) eps) as (T_0 & _ & H); try positive.
  exists T_0. intros cv P L w b T k HA HB Hb HT. unfold C_global_leading.
  replace (1/2 * INR (N - 1) / (g * g)) with (4 * (1/8 / (g * g)) * INR (N - 1)) by (field; lra).
  apply (H cv P L w (fun _ => BDT truncated_sprt g) b T 0%nat k); auto.
  apply truncated_sprt_global_test; [exact HA|lra].
Qed.
