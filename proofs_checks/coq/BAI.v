(** * TG-ITE-BAI: one pass of TreeAscent, then stop

    What holds for any pairwise test serves the other policies, too. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent Limits.
From TGITE Require Tree.
Open Scope R_scope.

(** ** In units of (N-1)/g^2, for a test that costs (B + S ln(1/d))/g^2 at level d *)

Lemma unit_nonneg N g : 0 < g -> 0 <= INR (N - 1) * / (g * g).
Proof. intro Hg. positive. Qed.
Lemma unit_in N g C x : C * INR (N - 1) / (g * g) * x = INR (N - 1) * / (g * g) * (C * x).
Proof. unfold Rdiv. ring. Qed.

Lemma pass_units N g B S eps : 0 < g ->
  pass_cost N (B / (g * g)) (S / (g * g)) eps = INR (N - 1) * / (g * g) * (B + S * (ln (/ eps) + 431/100)).
Proof. intro Hg. unfold pass_cost, ta_extra. field. lra. Qed.

Theorem identifies_in_units {cv : conventions} P N w test share g B S L b eps C x :
  pairwise_test P N w test share (B / (g * g)) (S / (g * g)) -> balanced_tree N L -> (b < N)%nat ->
  0 < eps < 1 -> 0 < g -> B + S * (ln (/ eps) + 431/100) <= C * x ->
  identifies P w (fun F => TG_ITE_BAI (test F) N L b eps) eps (C * INR (N - 1) / (g * g) * x).
Proof.
  intros Test HB Hb He Hg H. eapply pass_identifies; eauto. rewrite pass_units, unit_in by exact Hg.
  apply Rmult_le_compat_l; [now apply unit_nonneg|exact H].
Qed.

(** ** With DuelTest *)

Lemma dueltest_in_units P stop N w g : assump_condorcet_gap P N w g -> sound stop -> prompt stop ->
  pairwise_test P N w (DT stop) (1/20) (16/7 * (ln (/ g) + 1) / (g * g)) (4/7 / (g * g)).
Proof. intros. rewrite <- dt_base_units. now apply dueltest_is_pairwise_test. Qed.

Theorem cor_tlcr_bai : cor_tlcr_bai_statement.
Proof.
  intros cv P stop N L w g b delta HA Hs Hpr HB Hb Hd. pose proof (a_gap _ _ _ _ HA) as Hg.
  eapply identifies_in_units; eauto using dueltest_in_units; [lra|].
  pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos delta Hd). unfold C_bai. lra.
Qed.
