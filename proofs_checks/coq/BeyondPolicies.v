(** * The paper's algorithms with the tests of [MixtureTest] and [SprtTest] (not in the paper)

    What the paper's theorems need of a test is [pairwise_test]; MixtureTest has it under the paper's assumption, the
    truncated SprtTest for a known gap.  So the algorithms have the same guarantees with these tests, with
    constants of their own: the statements are those of [Statements], with the test replaced. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent ScreenAndReplace BudgetedDuelTest.
From TGITE Require Import Limits BAI Weak Strong KnownGap MixtureTest SprtTest.
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

    For an instance that has a winner by [g], ties may use up the budget, and all but a few of a tournament's matches are
    between other arms.  If the paper's Assumption 1 holds, and [g] is a known lower bound of all gaps, every match takes a
    quarter of it on average: the constants below are for expectations, with the same program. *)

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
  ET P (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) <= C_global_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 701/100).

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

(** Everything is in units of [n / g^2], for a test that pays (B + S ln(1/d))/g^2 at level d. *)
Section Units.
Variables (N : nat) (g B S : R).
Hypothesis Hg : 0 < g.
Let base : R := B / (g * g).
Let slope : R := S / (g * g).
Let unit : R := INR (N - 1) * / (g * g).

Lemma pass_units eps : pass_cost N base slope eps = unit * (B + S * (ln (/ eps) + 431/100)).
Proof. unfold pass_cost, base, slope, unit, ta_extra. field. lra. Qed.

Lemma tail_units : detour N base slope 1 = unit * (2 * B + S * (6 * ln 4 + 153/100)) /\
  forall share, drift N share base slope 1 = unit * (share / 64 * (20/3 * B + S * (612/100 + 248/9 * ln 4))).
Proof.
  unfold detour, drift, screen_cost, replace_cost. rewrite ln_epoch_level. unfold epoch_level, real_policy_levels.
  simpl (INR 1). replace (4 ^ (1 + 2)) with 64 by (simpl; ring). unfold base, slope, unit, bkt_extra. split; [|intro share]; field; lra.
Qed.

Lemma weak_units eps : weak_bound N 1 base slope eps = unit * (B + S * (ln (/ eps) + 431/100)
  + eps * (2 * B + S * (6 * ln 4 + 153/100)) + / 64 * (20/3 * B + S * (612/100 + 248/9 * ln 4))).
Proof. unfold weak_bound. destruct tail_units as [-> E]. rewrite E, pass_units. unfold Rdiv. ring. Qed.

(** The sum over the phases; [k] are the phases, [m] is the exponent of the last one's level, halved. *)
Lemma phases_units T : (2 <= T)%nat -> let k := INR (phase_count T) in let m := INR (2 ^ (phase_count T - 1)) in
  sumfrom (phase_cost N 1 base slope) 1 (phase_count T) = unit * (k * (B + S * (431/100)) + S * ((4 * m - 2) * ln 2)) + k.
Proof. intros HT k m. rewrite phases_cost_eq, levels_sum by auto. fold k m. unfold base, slope, unit, ta_extra. field. lra. Qed.

Lemma unit_in C x : C * INR (N - 1) / (g * g) * x = unit * (C * x).
Proof. unfold unit, Rdiv. ring. Qed.
End Units.

(** ** MixtureTest *)

Section Mixture.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N : nat) (w : arm) (g : R).
Hypothesis HA : assump_condorcet_gap P N w g.
Let Hg : 0 < g <= 1/2 := a_gap _ _ _ _ HA.
Let Test := mixture_is_pairwise_test P N w g HA.
Let B : R := 8/7 * (ln (/ g) + 3/4).
Let S : R := 4/7.

Lemma mixture_costs : mt_base g = B / (g * g) /\ mt_slope g = S / (g * g).
Proof. unfold mt_base, mt_slope, B, S, Rdiv. split; ring. Qed.

Lemma bai_proof L b delta : balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies P w (fun F => TG_ITE_BAI (DT mixture_rule F) N L b delta) delta
    (C_mixture_bai * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).
Proof.
  intros HB Hb Hd. eapply pass_identifies; eauto. destruct mixture_costs as [-> ->].
  rewrite pass_units, unit_in by lra. pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos delta Hd).
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold B, S, C_mixture_bai. lra.
Qed.

Lemma tail_proof c : (c < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => online_tail (DT mixture_rule F) N k c)
    (C_mixture_tail * INR (N - 1) / (g * g) * (ln (/ g) + 1)).
Proof.
  intro Hc. eapply endless_tail; eauto; [apply (a_N _ _ _ _ HA)|]. destruct mixture_costs as [-> ->].
  assert (0 < g) as G0 by lra. unfold tail_bound. destruct (tail_units N g B S G0) as [-> E]. rewrite E, unit_in, <- Rmult_plus_distr_l.
  pose proof (ln_inv_gap g Hg). pose proof ln4_range.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold B, S, C_mixture_tail. lra.
Qed.

Lemma weak_proof L b : balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT mixture_rule F) N L (1/4) k b)
    (C_mixture_weak * INR (N - 1) / (g * g) * (ln (/ g) + 1)).
Proof.
  intros HB Hb. eapply endless_weak; eauto; [apply (a_N _ _ _ _ HA)|lra|]. destruct mixture_costs as [-> ->].
  rewrite weak_units, unit_in by lra. pose proof (ln_inv_gap g Hg). pose proof ln4_range. replace (/ (1/4)) with 4 by field.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold B, S, C_mixture_weak. lra.
Qed.

Lemma weak_delta_proof L b delta : balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT mixture_rule F) N L delta k b)
    (C_mixture_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + ln (/ g) + 1)).
Proof.
  intros HB Hb Hd. eapply endless_weak; eauto; [apply (a_N _ _ _ _ HA)|]. destruct mixture_costs as [-> ->].
  rewrite weak_units, unit_in by lra. pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos delta Hd). pose proof ln4_range.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold B, S, C_mixture_weak_delta.
  set (K := 2 * (8/7 * (ln (/ g) + 3/4)) + 4/7 * (6 * ln 4 + 153/100)). assert (0 <= K) by (unfold K; lra).
  assert (delta * K <= K) by nra. unfold K in *. lra.
Qed.

Lemma strong_known_proof L b H : balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (DT mixture_rule F) N L H b)
    (C_mixture_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + ln (/ g) + 1) + 1).
Proof.
  intros HB Hb HH. eapply strong_known; eauto. intro Large. destruct mixture_costs as [E1 E2]. rewrite E1, E2.
  rewrite pass_units by lra. rewrite unit_in in *. rewrite Rinv_inv. unfold ta_saved, C_mixture_known, B, S in *.
  pose proof (ln_inv_gap g Hg) as A0. pose proof ln2_ge as L2. pose proof ln2_le as L2'.
  assert (1 <= INR H) as H1 by (apply (le_INR 1); auto). assert (0 < / (g * g)) as I0 by (apply Rinv_0_lt_compat; nra).
  set (n := INR (N - 1)) in *. set (a := ln (/ g)) in *. set (x := ln (INR H + 1)) in *.
  assert (1 <= n) as N1 by (apply (le_INR 1); pose proof (a_N _ _ _ _ HA); lia).
  assert (0 < x) as X0 by (unfold x; rewrite <- ln_1; apply ln_increasing; lra).
  (* what is known of H + 1 makes x large, step by step *)
  assert (Step : forall c q, 0 < c -> c <= n -> 0 < q -> q <= x + a + 1 -> 2 * a + ln (11/10 * c * q) <= x).
  { intros c q Hc Hcn Hq Hqx. unfold x. assert (0 < / g) by (apply Rinv_0_lt_compat; lra).
    replace (2 * a) with (ln (/ g * / g)) by (rewrite ln_mult by lra; unfold a; ring). rewrite <- ln_mult by nra.
    apply ln_le; [apply Rmult_lt_0_compat; nra|]. replace (/ g * / g) with (/ (g * g)) by (field; lra).
    assert (/ (g * g) * (11/10 * c * q) <= n * / (g * g) * (11/10 * (x + a + 1))); [|lra].
    replace (n * / (g * g) * (11/10 * (x + a + 1))) with (/ (g * g) * (11/10 * n * (x + a + 1))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat; lra. }
  assert (n * (8/7 * (a + 3/4) + 4/7 * (x + 431/100)) - 48/35 <= n * (11/10 * (x + a + 1))) as V.
  2:{ apply Rmult_le_compat_l with (r := / (g * g)) in V; [|lra].
      replace (n * / (g * g) * (8/7 * (a + 3/4) + 4/7 * (x + 431/100)) - 4/7 / (g * g) * (12/5) + 1)
        with (/ (g * g) * (n * (8/7 * (a + 3/4) + 4/7 * (x + 431/100)) - 48/35) + 1) by (field; lra). lra. }
  destruct (le_lt_dec (N - 1) 1) as [h|h]; [|destruct (le_lt_dec (N - 1) 2) as [h'|h']].
  - apply le_INR in h. fold n in h. change (INR 1) with 1 in h. assert (n = 1) as -> by lra.
    pose proof (Step 1 (169/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 4 5 (11/10 * 1 * (169/100)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 1 (36/10) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 19 10 (11/10 * 1 * (36/10)) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2. lra.
  - assert (N - 1 = 2)%nat as E by lia. assert (n = 2) as -> by (unfold n; rewrite E; simpl; lra).
    pose proof (Step 2 (169/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 9 5 (11/10 * 2 * (169/100)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 2 (43/10) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 16 5 (11/10 * 2 * (43/10)) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2. lra.
  - assert (3 <= n) as N3 by (replace 3 with (INR 3) by (simpl; lra); apply le_INR; lia).
    pose proof (Step 3 (169/100) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 12 5 (11/10 * 3 * (169/100)) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 3 (47/10) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 39 10 (11/10 * 3 * (47/10)) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2.
    pose proof (Step 3 (57/10) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S3.
    pose proof (ln_pow2 21 5 (11/10 * 3 * (57/10)) ltac:(lra) ltac:(lra)) as P3. simpl (INR _) in P3.
    assert (8/7 * (a + 3/4) + 4/7 * (x + 431/100) <= 11/10 * (x + a + 1)) as V by lra.
    apply Rmult_le_compat_l with (r := n) in V; lra.
Qed.

Lemma strong_anytime_proof L b T : balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (DT mixture_rule F) N L k b)
    (C_mixture_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + (ln (ln (INR T + 2)) + 1) * (ln (/ g) + 1))
     + C'_mixture_anytime * (ln (ln (INR T + 2)) + 1)).
Proof.
  intros HB Hb HT. eapply strong_anytime; eauto. destruct mixture_costs as [-> ->].
  rewrite phases_units, unit_in by (auto; lra). pose proof (phases_against_T T HT) as (k1 & km & k2m & B1 & B2).
  pose proof (lnln_nonneg T HT) as L0. pose proof (phase_count_lnln T HT) as KL. pose proof (ln_inv_gap g Hg) as G. pose proof ln2_ge. pose proof ln2_le.
  set (ll := ln (ln (INR T + 2))) in *. set (lt := ln (INR T + 1)) in *.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  apply Rplus_le_compat; [|unfold C'_mixture_anytime; lra].
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold B, S, C_mixture_anytime. set (a := ln (/ g)) in *.
  assert (693/1000 * (k - 1) <= ln 2 * (k - 1)) as Q1 by (apply Rmult_le_compat_r; lra).
  assert ((632/1000 + 693/1000 * (k - 1)) * (a + 1) <= (ll + 1) * (a + 1)) as Q2 by (apply Rmult_le_compat_r; lra).
  assert (693/1000 * m <= m * ln 2) as Q3 by nra.
  assert (0 <= (k - 1) * (a - 693/1000)) as Q4 by (apply Rmult_le_pos; lra). lra.
Qed.
End Mixture.

Theorem mixture_bai : mixture_bai_statement.
Proof. intros cv P N L w g b delta HA HB Hb Hd. now apply bai_proof. Qed.
Theorem mixture_tail : mixture_tail_statement.
Proof. intros cv P N w g c HA Hc. now apply tail_proof. Qed.
Theorem mixture_weak : mixture_weak_statement.
Proof. intros cv P N L w g b HA HB Hb. now apply weak_proof. Qed.
Theorem mixture_weak_delta : mixture_weak_delta_statement.
Proof. intros cv P N L w g b delta HA HB Hb Hd. now apply weak_delta_proof. Qed.
Theorem mixture_strong_known : mixture_strong_known_statement.
Proof. intros cv P N L w g b H HA HB Hb HH. now apply strong_known_proof. Qed.
Theorem mixture_strong_anytime : mixture_strong_anytime_statement.
Proof. intros cv P N L w g b T HA HB Hb HT. now apply strong_anytime_proof. Qed.

(** Of the drift as little may be spent on the logarithm as one likes, for a larger constant part. *)
Theorem mixture_leading_term : mixture_leading_term_statement.
Proof.
  intros N g eps Hg He. set (u := INR (N - 1) * / (g * g)). assert (0 <= u) as U0 by (apply unit_nonneg; lra).
  assert (exists e, 0 < e <= 1/8 /\ 2 * u * / (1 - e) <= 2 * u + eps / 2) as [e [E1 E2]].
  { exists (Rmin (1/8) (eps / (5 * (u + 1)))). set (e := Rmin _ _).
    assert (0 < eps / (5 * (u + 1))) as Q by (apply Rdiv_lt_0_compat; lra).
    assert (0 < e <= 1/8) as E1 by (unfold e; split; [apply Rmin_glb_lt; lra|apply Rmin_l]).
    split; [exact E1|]. assert (e <= eps / (5 * (u + 1))) as E2 by apply Rmin_r.
    apply Rmult_le_compat_r with (r := 5 * (u + 1)) in E2; [|lra].
    replace (eps / (5 * (u + 1)) * (5 * (u + 1))) with eps in E2 by (field; lra).
    apply Rmult_le_reg_r with (1 - e); [lra|]. rewrite Rmult_assoc, Rinv_l by lra.
    assert (0 <= e * u) by (apply Rmult_le_pos; lra). nra. }
  pose proof (ln_inv_gap g Hg) as G. assert (0 < / (g * g)) as I0 by (apply Rinv_0_lt_compat; nra).
  assert (0 < / (1 - e)) as I1 by (apply Rinv_0_lt_compat; lra).
  assert (ln (2 * e) <= - 1) as L1.
  { replace (- 1) with (ln (exp (- 1))) by apply ln_exp. apply ln_le; [lra|]. apply Rle_trans with (1/4); [lra|].
    replace (- 1) with (- (1)) by ring. rewrite exp_Ropp. replace (1/4) with (/ 4) by field. pose proof exp_le_3. apply Rinv_le_contravar; [apply exp_pos|lra]. }
  set (base := / (1 - e) / (g * g) * (ln (/ g) + (- ln (2 * e) - 1 + 2 * g + 2 * e * (g * g)) / 2)).
  set (slope := / (2 * (1 - e)) / (g * g)).
  assert (0 <= base) as B0 by (unfold base, Rdiv; apply Rmult_le_pos; [apply Rmult_le_pos; lra|nra]).
  assert (0 <= slope) as S0 by (unfold slope, Rdiv; apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|lra]).
  destruct (leading_term N 1 base slope) with (eps := eps / 2) as [T_0 H]; auto; try lra.
  exists T_0. intros cv P L w b T F k HA HB Hb HT. destruct (H T HT) as [T2 Q].
  assert (Test : pairwise_test P N w (DT mixture_rule) 1 base slope).
  { apply (two_sided_pairwise mixture_rule P N w g); auto using mixture_two_sided. intros F' d x y Hd Hp. apply mixture_time_gen; auto. apply (valid_01 P), (a_valid _ _ _ _ HA). }
  destruct (strong_anytime P N L w (DT mixture_rule) 1 base slope Test HB T b _ T2 Hb Q) as [R _].
  eapply Rle_trans; [apply (R F k)|]. apply Rmult_le_compat_r.
  - rewrite <- ln_1. apply ln_le; [lra|]. apply (le_INR 1). lia.
  - replace (4 * slope * INR (N - 1)) with (2 * u * / (1 - e)) by (unfold slope, u; field; lra).
    replace (C_mixture_leading * INR (N - 1) / (g * g)) with (2 * u) by (unfold C_mixture_leading, u; field; lra). lra.
Qed.

(** ** The truncated SprtTest *)

Section Truncated.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N L : nat) (w : arm) (g : R) (b : arm).
Hypothesis HC : condorcet P N w g.
Hypothesis Hg : 0 < g < 1/2.
Hypothesis HB : balanced_tree N L.
Hypothesis Hb : (b < N)%nat.
Let Test := truncated_sprt_is_pairwise_test P N w g HC Hg.
Let P01 := c_01 _ _ _ _ HC.

Lemma truncated_bai_proof delta : 0 < delta < 1 ->
  identifies_within P w (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) delta
    (C_truncated_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).
Proof.
  intro Hd. assert (A : Pr P (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) ran_out = 0) by (now apply TreeAscent_answers).
  split; [|split; [exact A|]].
  - rewrite Pr_total, A. pose proof (pass_wrong P N L w _ _ _ _ Test HB b delta Hb Hd 0). lra.
  - eapply Rle_trans; [apply (TreeAscent_cost (fun A m => INR (maxT m))) with (base := ts_base g) (slope := ts_slope g); auto|].
    + intros; eapply maxT_obind; eauto.
    + intros; apply seqtest_leaves.
    + apply (pt_base _ _ _ _ _ _ _ Test).
    + apply (pt_slope _ _ _ _ _ _ _ Test).
    + intros d u v Hd' _ _ _. eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
    + change (pass_cost N (ts_base g) (ts_slope g) delta <= C_truncated_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).
      unfold ts_base, ts_slope. rewrite pass_units, unit_in by lra. pose proof (ln_inv_pos delta Hd).
      apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_truncated_bai. lra.
Qed.

Hypothesis HN : (2 <= N)%nat.

Lemma truncated_weak_proof : endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L (1/4) k b)
    (C_truncated_weak * INR (N - 1) / (g * g)).
Proof.
  apply (endless_weak P N w _ _ _ _ Test HN L b (1/4)); auto; [lra|].
  unfold ts_base, ts_slope. rewrite <- (Rmult_1_r (C_truncated_weak * INR (N - 1) / (g * g))), weak_units, unit_in by lra.
  pose proof ln4_range. replace (/ (1/4)) with 4 by field.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_truncated_weak. lra.
Qed.

Lemma truncated_weak_delta_proof delta : 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L delta k b)
    (C_truncated_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).
Proof.
  intro Hd. apply (endless_weak P N w _ _ _ _ Test HN L b delta); auto.
  unfold ts_base, ts_slope. rewrite weak_units, unit_in by lra. pose proof (ln_inv_pos delta Hd). pose proof ln4_range.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_truncated_weak_delta.
  set (K := 2 * (3/5) + 1/2 * (6 * ln 4 + 153/100)). assert (0 <= K) by (unfold K; lra).
  assert (delta * K <= K) by nra. unfold K in *. lra.
Qed.

Lemma truncated_strong_known_proof H : (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun _ => TG_ITE_Strong_KnownHorizon (BDT truncated_sprt g) N L H b)
    (C_truncated_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + 1) + 1).
Proof.
  intro HH. apply (strong_known P N L w _ _ _ _ Test HB H b); auto. intro Large. unfold ts_base, ts_slope.
  rewrite pass_units by lra. rewrite unit_in in *. rewrite Rinv_inv. unfold ta_saved, C_truncated_known in *.
  pose proof ln2_ge as L2. assert (1 <= INR H) as H1 by (apply (le_INR 1); auto).
  set (n := INR (N - 1)) in *. set (x := ln (INR H + 1)) in *.
  assert (1 <= n) as N1 by (apply (le_INR 1); lia). assert (0 < g * g <= 1/4) by nra.
  assert (4 <= / (g * g)) as I4 by (rewrite <- (Rinv_inv 4); apply Rinv_le_contravar; lra).
  assert (0 < x) as X0 by (unfold x; rewrite <- ln_1; apply ln_increasing; lra).
  assert (Step : forall c q, 0 < c -> c <= n -> 0 < q -> q <= x + 1 -> ln (4 * c * q) <= x).
  { intros c q Hc Hcn Hq Hqx. unfold x. apply ln_le; [repeat apply Rmult_lt_0_compat; lra|].
    replace (n * / (g * g) * (1 * (x + 1))) with (/ (g * g) * (n * (x + 1))) in Large by ring.
    assert (4 * (c * q) <= / (g * g) * (n * (x + 1))); [|lra].
    apply Rmult_le_compat; [lra|apply Rmult_le_pos; lra|exact I4|]. apply Rmult_le_compat; lra. }
  assert (n * (3/5 + 1/2 * (x + 431/100)) - 6/5 <= n * (x + 1)) as V.
  2:{ apply Rmult_le_compat_l with (r := / (g * g)) in V; [|lra].
      replace (n * / (g * g) * (3/5 + 1/2 * (x + 431/100)) - 1/2 / (g * g) * (12/5) + 1)
        with (/ (g * g) * (n * (3/5 + 1/2 * (x + 431/100)) - 6/5) + 1) by (field; lra). lra. }
  destruct (le_lt_dec (N - 1) 1) as [h|h]; [|destruct (le_lt_dec (N - 1) 2) as [h'|h']].
  - apply le_INR in h. fold n in h. change (INR 1) with 1 in h. assert (n = 1) as -> by lra.
    pose proof (Step 1 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 2 1 (4 * 1 * 1) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1. lra.
  - assert (N - 1 = 2)%nat as E by lia. assert (n = 2) as -> by (unfold n; rewrite E; simpl; lra).
    pose proof (Step 2 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 3 1 (4 * 2 * 1) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 2 3 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 4 1 (4 * 2 * 3) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2. lra.
  - assert (3 <= n) as N3 by (replace 3 with (INR 3) by (simpl; lra); apply le_INR; lia).
    pose proof (Step 3 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
    pose proof (ln_pow2 7 2 (4 * 3 * 1) ltac:(lra) ltac:(lra)) as P1. simpl (INR _) in P1.
    pose proof (Step 3 (34/10) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S2.
    pose proof (ln_pow2 16 3 (4 * 3 * (34/10)) ltac:(lra) ltac:(lra)) as P2. simpl (INR _) in P2.
    assert (3/5 + 1/2 * (x + 431/100) <= x + 1) as V by lra.
    apply Rmult_le_compat_l with (r := n) in V; lra.
Qed.

Lemma truncated_strong_anytime_proof T : (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun _ k => TG_ITE_Strong_Anytime (BDT truncated_sprt g) N L k b)
    (C_truncated_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + ln (ln (INR T + 2)) + 1)
     + C'_truncated_anytime * (ln (ln (INR T + 2)) + 1)).
Proof.
  intro HT. apply (strong_anytime P N L w _ _ _ _ Test HB T b); auto. unfold ts_base, ts_slope.
  rewrite phases_units, unit_in by (auto; lra). pose proof (phases_against_T T HT) as (k1 & km & k2m & B1 & B2).
  pose proof (lnln_nonneg T HT) as L0. pose proof (phase_count_lnln T HT) as KL. pose proof ln2_ge. pose proof ln2_le.
  set (ll := ln (ln (INR T + 2))) in *. set (lt := ln (INR T + 1)) in *.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  apply Rplus_le_compat; [|unfold C'_truncated_anytime; lra].
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_truncated_anytime.
  assert (693/1000 * (k - 1) <= ln 2 * (k - 1)) as Q1 by (apply Rmult_le_compat_r; lra).
  assert (693/1000 * m <= m * ln 2) as Q3 by nra. lra.
Qed.
End Truncated.

Theorem truncated_sprt_bai : truncated_sprt_bai_statement.
Proof. intros cv P N L w g b delta HC Hg HB Hb Hd. now apply truncated_bai_proof. Qed.
Theorem truncated_sprt_weak : truncated_sprt_weak_statement.
Proof. intros cv P N L w g b HC Hg HN HB Hb. now apply truncated_weak_proof. Qed.
Theorem truncated_sprt_weak_delta : truncated_sprt_weak_delta_statement.
Proof. intros cv P N L w g b delta HC Hg HN HB Hb Hd. now apply truncated_weak_delta_proof. Qed.
Theorem truncated_sprt_strong_known : truncated_sprt_strong_known_statement.
Proof. intros cv P N L w g b H HC Hg HN HB Hb HH. now apply truncated_strong_known_proof. Qed.
Theorem truncated_sprt_strong_anytime : truncated_sprt_strong_anytime_statement.
Proof. intros cv P N L w g b T HC Hg HN HB Hb HT. now apply truncated_strong_anytime_proof. Qed.

(** ** The truncated SprtTest where no two arms are nearer than [g] *)

(** Half of the level takes a lead of at most ln(2/d)/(4g) + 1. *)
Lemma truncated_mean P (P01 : forall u v, 0 <= P u v <= 1) g d u v : 0 < g < 1/2 -> 0 < d < 1 -> g <= Rabs (P u v - 1/2) ->
  ET P (BDT truncated_sprt g d u v) <= 27/80 / (g * g) + 1/8 / (g * g) * ln (/ d).
Proof.
  intros Hg Hd Hp. assert (0 < d / 2 < 1) as Hd' by lra. destruct (lead_exists g (d / 2) Hg Hd') as [k Hk].
  assert (P u v <> 1/2) as Hne by (intro E; rewrite E, Rminus_eq_0, Rabs_R0 in Hp; lra).
  eapply Rle_trans; [apply (time_gap P P01 u v g (d / 2) Hg k Hk); exact Hne|].
  apply Rle_trans with (INR k / (2 * g)); [apply Rmult_le_compat_l; [apply pos_INR|apply Rinv_le_contravar; lra]|].
  pose proof (lead_bound g (d / 2) Hg Hd' k Hk) as B. replace (/ (d / 2)) with (2 * / d) in B by (field; lra).
  rewrite ln_mult in B by (try apply Rinv_0_lt_compat; lra). pose proof ln2_le. assert (0 < / (g * g)) as I by (apply Rinv_0_lt_compat; nra).
  apply Rle_trans with (((ln 2 + ln (/ d)) / (4 * g) + 1) / (2 * g)); [apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact B]|].
  replace (((ln 2 + ln (/ d)) / (4 * g) + 1) / (2 * g)) with (/ (g * g) * (ln 2 / 8 + g / 2) + 1/8 / (g * g) * ln (/ d)) by (field; lra).
  apply Rplus_le_compat_r. unfold Rdiv at 3. rewrite (Rmult_comm (27 / 80)). apply Rmult_le_compat_l; lra.
Qed.

Theorem truncated_sprt_global_test : truncated_sprt_global_test_statement.
Proof.
  intros P N w g HA Hg. pose proof (a_gap _ _ _ _ HA) as G. assert (0 < / (g * g)) as I by (apply Rinv_0_lt_compat; nra).
  destruct (truncated_sprt_is_pairwise_test P N w g (assump_condorcet _ _ _ _ HA) ltac:(lra)). constructor; auto; try (unfold Rdiv; lra).
  - intros F d u v Hd Hu Hv Huv. apply truncated_mean; auto; [lra|]. now apply (a_global _ _ _ _ HA).
  - intros F d u v Hd _ _ _. rewrite BDT_answers, Rmult_0_r. pose proof (ln_inv_pos d Hd). unfold Rdiv.
    assert (0 <= / (g * g) * ln (/ d)) by (apply Rmult_le_pos; lra). lra.
Qed.

Section Apart.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N L : nat) (w : arm) (g : R) (b : arm).
Hypothesis HA : assump_condorcet_gap P N w g.
Hypothesis Hg : g < 1/2.
Hypothesis HB : balanced_tree N L.
Hypothesis Hb : (b < N)%nat.
Let G : 0 < g <= 1/2 := a_gap _ _ _ _ HA.
Let Test := truncated_sprt_global_test P N w g HA Hg.

Lemma gap_bai_proof delta : 0 < delta < 1 ->
  ET P (TG_ITE_BAI (BDT truncated_sprt g) N L b delta) <= C_global_bai * INR (N - 1) / (g * g) * (ln (/ delta) + 701/100).
Proof.
  intro Hd. eapply Rle_trans; [apply (pass_ET P N L w _ _ _ _ Test HB b delta Hb Hd 0%nat)|]. rewrite pass_units, unit_in by lra.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_global_bai. lra.
Qed.

Lemma gap_weak_proof : endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L (1/4) k b)
    (C_global_weak * INR (N - 1) / (g * g)).
Proof.
  apply (endless_weak P N w _ _ _ _ Test (a_N _ _ _ _ HA) L b (1/4)); auto; [lra|].
  rewrite <- (Rmult_1_r (C_global_weak * INR (N - 1) / (g * g))), weak_units, unit_in by lra.
  pose proof ln4_range. replace (/ (1/4)) with 4 by field.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_global_weak. lra.
Qed.

Lemma gap_weak_delta_proof delta : 0 < delta < 1 ->
  endless_regret_at_most P (weak_regretful w) (fun _ k => TG_ITE_Weak (BDT truncated_sprt g) N L delta k b)
    (C_global_weak_delta * INR (N - 1) / (g * g) * (ln (/ delta) + 1)).
Proof.
  intro Hd. apply (endless_weak P N w _ _ _ _ Test (a_N _ _ _ _ HA) L b delta); auto.
  rewrite weak_units, unit_in by lra. pose proof (ln_inv_pos delta Hd). pose proof ln4_range.
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_global_weak_delta.
  set (K := 2 * (27/80) + 1/8 * (6 * ln 4 + 153/100)). assert (0 <= K) by (unfold K; lra).
  assert (delta * K <= K) by nra. unfold K in *. lra.
Qed.

Lemma gap_strong_known_proof H : (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun _ => TG_ITE_Strong_KnownHorizon (BDT truncated_sprt g) N L H b)
    (C_global_known * INR (N - 1) / (g * g) * (ln (INR H + 1) + 1) + 1).
Proof.
  intro HH. apply (strong_known P N L w _ _ _ _ Test HB H b); auto. intros _.
  rewrite pass_units, unit_in by lra. rewrite Rinv_inv. assert (0 < / (g * g)) as I by (apply Rinv_0_lt_compat; nra).
  assert (ln 2 <= ln (INR H + 1)) as X by (apply ln_le; [lra|]; apply (le_INR 1) in HH; simpl (INR 1) in HH; lra). pose proof ln2_ge.
  assert (0 <= 1/8 / (g * g) * ta_saved) by (unfold ta_saved, Rdiv; apply Rmult_le_pos; lra).
  assert (27/80 + 1/8 * (ln (INR H + 1) + 431/100) <= C_global_known * (ln (INR H + 1) + 1)) as V by (unfold C_global_known; lra).
  apply Rmult_le_compat_l with (r := INR (N - 1) * / (g * g)) in V; [lra|apply unit_nonneg; lra].
Qed.

Lemma gap_strong_anytime_proof T : (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun _ k => TG_ITE_Strong_Anytime (BDT truncated_sprt g) N L k b)
    (C_global_anytime * INR (N - 1) / (g * g) * (ln (INR T + 1) + ln (ln (INR T + 2)) + 1) + C'_global_anytime * (ln (ln (INR T + 2)) + 1)).
Proof.
  intro HT. apply (strong_anytime P N L w _ _ _ _ Test HB T b); auto.
  rewrite phases_units, unit_in by (auto; lra). pose proof (phases_against_T T HT) as (k1 & km & k2m & B1 & B2).
  pose proof (lnln_nonneg T HT) as L0. pose proof (phase_count_lnln T HT) as KL. pose proof ln2_ge. pose proof ln2_le.
  set (ll := ln (ln (INR T + 2))) in *. set (lt := ln (INR T + 1)) in *.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  apply Rplus_le_compat; [|unfold C'_global_anytime; lra].
  apply Rmult_le_compat_l; [apply unit_nonneg; lra|]. unfold C_global_anytime.
  assert (693/1000 * (k - 1) <= ln 2 * (k - 1)) as Q1 by (apply Rmult_le_compat_r; lra).
  assert (693/1000 * m <= m * ln 2) as Q3 by nra. lra.
Qed.
End Apart.

Theorem truncated_sprt_global_bai : truncated_sprt_global_bai_statement.
Proof. intros cv P N L w g b delta HA Hg HB Hb Hd. now apply (gap_bai_proof P N L w). Qed.
Theorem truncated_sprt_global_weak : truncated_sprt_global_weak_statement.
Proof. intros cv P N L w g b HA Hg HB Hb. now apply gap_weak_proof. Qed.
Theorem truncated_sprt_global_weak_delta : truncated_sprt_global_weak_delta_statement.
Proof. intros cv P N L w g b delta HA Hg HB Hb Hd. now apply gap_weak_delta_proof. Qed.
Theorem truncated_sprt_global_strong_known : truncated_sprt_global_strong_known_statement.
Proof. intros cv P N L w g b H HA Hg HB Hb HH. now apply gap_strong_known_proof. Qed.
Theorem truncated_sprt_global_strong_anytime : truncated_sprt_global_strong_anytime_statement.
Proof. intros cv P N L w g b T HA Hg HB Hb HT. now apply gap_strong_anytime_proof. Qed.
Theorem truncated_sprt_global_leading_term : truncated_sprt_global_leading_term_statement.
Proof.
  intros N g eps Hg He. assert (0 < / (g * g)) as I by (apply Rinv_0_lt_compat; nra).
  destruct (leading_term N 1 (27/80 / (g * g)) (1/8 / (g * g))) with (eps := eps) as [T_0 H]; auto; try (unfold Rdiv; lra).
  exists T_0. intros cv P L w b T k HA HB Hb HT. destruct (H T HT) as [T2 Q].
  replace (C_global_leading * INR (N - 1) / (g * g) + eps) with (4 * (1/8 / (g * g)) * INR (N - 1) + eps) by (unfold C_global_leading; field; lra).
  destruct (strong_anytime P N L w _ _ _ _ (truncated_sprt_global_test P N w g HA ltac:(lra)) HB T b _ T2 Hb Q) as [R _]. exact (R 0%nat k).
Qed.
