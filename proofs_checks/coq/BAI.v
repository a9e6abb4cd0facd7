(** * TG-ITE-BAI: one pass of TreeAscent, then stop

    The second half holds for any pairwise test and serves the other policies, too. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent Limits.
From TGITE Require Tree.
Open Scope R_scope.

(** ** A pass, for any pairwise test *)

Definition pass_cost (N : nat) (base slope eps : R) : R := INR (N - 1) * (base + slope * (ln (/ eps) + ta_extra)).
Definition in_range (N : nat) (o : option arm) : Prop := match o with Some x => (x < N)%nat | None => True end.

Section Pass.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N L : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share base slope : R.
Hypothesis Test : pairwise_test P N w test share base slope.
Hypothesis HB : balanced_tree N L.

Let P01 := pt_P01 _ _ _ _ _ _ _ Test.
Let answers := pt_answers _ _ _ _ _ _ _ Test.
Let base0 := pt_base _ _ _ _ _ _ _ Test.
Let slope0 := pt_slope _ _ _ _ _ _ _ Test.

Section One.
Variables (b : arm) (eps : R).
Hypothesis Hb : (b < N)%nat.
Hypothesis He : 0 < eps < 1.

Lemma pass_cost_nonneg : 0 <= pass_cost N base slope eps.
Proof.
  pose proof (ln_inv_pos eps He). unfold pass_cost, ta_extra. apply Rmult_le_pos; [apply pos_INR|].
  assert (0 <= slope * (ln (/ eps) + 431/100)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma pass_wrong F : Pr P (TG_ITE_BAI (test F) N L b eps) (wrong w) <= share * eps.
Proof.
  apply TreeAscent_correct; auto.
  - apply (pt_share _ _ _ _ _ _ _ Test).
  - intros; eapply pt_correct; eauto.
  - eapply pt_w; eauto.
Qed.

Lemma pass_ET_saved F : ET P (TG_ITE_BAI (test F) N L b eps) <= pass_cost N base slope eps - slope * ta_saved.
Proof.
  apply (TreeAscent_cost_saved (fun A m => ET P m)); auto.
  - intros; eapply ET_obind; eauto.
  - intros; eapply pt_cost; eauto.
Qed.

Lemma pass_ET F : ET P (TG_ITE_BAI (test F) N L b eps) <= pass_cost N base slope eps.
Proof. pose proof (pass_ET_saved F). assert (0 <= slope * ta_saved) by (apply Rmult_le_pos; unfold ta_saved; auto; lra). lra. Qed.

Lemma pass_cut F : INR F * Pr P (TG_ITE_BAI (test F) N L b eps) ran_out <= pass_cost N base slope eps.
Proof.
  apply (TreeAscent_cost (fun A m => INR F * Pr P m ran_out)); auto.
  - intros. unfold Pr. cbn. ring.
  - intros. eapply cut_obind; eauto using Rle_refl.
  - intros. eapply pt_cut; eauto.
Qed.

Lemma pass_uncut F T : (T <= F)%nat -> uncut T (TG_ITE_BAI (test F) N L b eps) = true.
Proof.
  intro HT. apply cut_cost_0.
  eapply Rle_trans; [apply (TreeAscent_cost (@cut_cost T)) with (base := 0) (slope := 0); auto; try lra|].
  - intros; apply cut_cost_some.
  - intros; eapply cut_cost_obind; eauto.
  - intros. unfold cut_cost. erewrite pt_uncut by eauto. lra.
  - right. ring.
Qed.

Lemma pass_range F : leaves (in_range N) (TG_ITE_BAI (test F) N L b eps).
Proof. apply TreeAscent_range; auto. Qed.
End One.

Lemma pass_agree F F' b eps T : (T <= F)%nat -> (T <= F')%nat ->
  agree T (TG_ITE_BAI (test F) N L b eps) (TG_ITE_BAI (test F') N L b eps).
Proof.
  intros. apply (ascend_alike _ (agree_sequential T) eq) with (H := L); [now intros ? ? ? ->| |auto|lia].
  intros d ? u v <-. eapply pt_agree; eauto.
Qed.

Theorem pass_identifies b eps bound : (b < N)%nat -> 0 < eps < 1 -> pass_cost N base slope eps <= bound ->
  identifies P w (fun F => TG_ITE_BAI (test F) N L b eps) eps bound.
Proof.
  intros Hb He Hbound. set (run F := TG_ITE_BAI (test F) N L b eps).
  assert (Mono : forall F, refines (run F) (run (S F))) by (intro F; apply TreeAscent_refines; intros; eapply pt_refines; eauto).
  assert (Wrong : forall F, Pr P (run F) (wrong w) <= eps).
  { intro F. pose proof (pass_wrong b eps Hb He F). pose proof (pt_share _ _ _ _ _ _ _ Test). unfold run. nra. }
  assert (Cost : forall F, ET P (run F) <= bound) by (intro F; eapply Rle_trans; [apply pass_ET; auto|exact Hbound]).
  assert (Out : is_lim_seq (fun F => Pr P (run F) ran_out) 0).
  { apply (cut_vanishes P P01 run (pass_cost N base slope eps)). intro F. apply pass_cut; auto. }
  split; [exact Wrong|]. split; [split; [exact Cost|apply limit_ET; auto]|]. split; [intros; apply pass_agree; auto|].
  split; [exact Out|apply limit_right; auto].
Qed.
End Pass.

(** ** In units of (N-1)/g^2, for a test that costs (B + S ln(1/d))/g^2 at level d *)

Lemma unit_nonneg N g : 0 < g -> 0 <= INR (N - 1) * / (g * g).
Proof. intro Hg. apply Rmult_le_pos; [apply pos_INR|]. left. apply Rinv_0_lt_compat. nra. Qed.
Lemma unit_in N g C x : C * INR (N - 1) / (g * g) * x = INR (N - 1) * / (g * g) * (C * x).
Proof. unfold Rdiv. ring. Qed.

Lemma pass_units N g B S eps : 0 < g ->
  pass_cost N (B / (g * g)) (S / (g * g)) eps = INR (N - 1) * / (g * g) * (B + S * (ln (/ eps) + 431/100)).
Proof. intro Hg. unfold pass_cost, ta_extra. field. lra. Qed.

Theorem identifies_in_units {cv : conventions} P N w test share g B S L b eps C x :
  pairwise_test P N w test share (B / (g * g)) (S / (g * g)) -> balanced_tree N L -> (b < N)%nat -> 0 < eps < 1 -> 0 < g ->
  B + S * (ln (/ eps) + 431/100) <= C * x ->
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
