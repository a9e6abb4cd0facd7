(** * TG-ITE-BAI: one pass of TreeAscent, then stop

    The second half holds for any pairwise test and serves the other policies, too. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent Limits.
From TGITE Require Tree.
Open Scope R_scope.

(** * Proofs *)

(** ** A pass, for any pairwise test *)

Definition pass_cost (N : nat) (base slope eps : R) : R := INR (N - 1) * (base + slope * (ln (/ eps) + ta_extra)).
Definition in_range (N : nat) (o : option arm) : Prop := match o with Some x => (x < N)%nat | None => True end.

Lemma agree_ascend {cv : conventions} (t t' : R -> arm -> arm -> prog (option arm)) T Q be et :
  (forall d u v, agree T (t d u v) (t' d u v)) -> forall k h c, agree T (ascend t Q be et k h c) (ascend t' Q be et k h c).
Proof.
  intro A. induction k as [|k IH]; intros h c; cbn [ascend]; [apply agree_refl|].
  destruct (Q (S h)); [apply IH|]. apply agree_obind; [now apply agree_BKT|]. intro g. apply agree_obind; auto.
Qed.

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
  destruct F as [|F]; [simpl (INR 0); rewrite Rmult_0_l; apply pass_cost_nonneg|].
  assert (0 < INR (S F)) as HF by (apply INR_pos; lia).
  assert (0 < / INR (S F)) as HI by (apply Rinv_0_lt_compat; auto).
  apply Rle_trans with (INR (S F) * (INR (N - 1) * (base / INR (S F) + slope / INR (S F) * (ln (/ eps) + ta_extra)))).
  2:{ right. unfold pass_cost. field. lra. }
  apply Rmult_le_compat_l; [lra|].
  apply (TreeAscent_cost (fun A m => Pr P m ran_out)); auto.
  - intros; eapply Pr_ran_out_obind; eauto.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_pos; lra.
  - intros d u v Hd Hu Hv Huv. apply Rmult_le_reg_l with (INR (S F)); [lra|].
    eapply Rle_trans; [eapply pt_cut; eauto|]. right. field. lra.
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
Proof. intros. apply agree_ascend. intros; eapply pt_agree; eauto. Qed.

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

(** ** With DuelTest *)

Lemma pass_cost_dueltest N g eps : 0 < g <= 1/2 -> 0 < eps < 1 ->
  pass_cost N (dt_base g) (dt_slope g) eps <= C_bai * INR (N - 1) / (g * g) * (ln (/ eps) + ln (/ g) + 1).
Proof.
  intros Hg He. unfold pass_cost, dt_base, dt_slope, ta_extra, C_bai. pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos eps He).
  assert (0 < / (g * g)) by (apply Rinv_0_lt_compat; nra). pose proof (pos_INR (N - 1)).
  set (n := INR (N - 1)) in *. set (a := ln (/ eps)) in *. set (c := ln (/ g)) in *.
  replace (n * (16 / 7 / (g * g) * (c + 1) + 4 / 7 / (g * g) * (a + 431 / 100)))
    with (n * / (g * g) * (16 / 7 * (c + 1) + 4 / 7 * (a + 431 / 100))) by (field; lra).
  replace (15 / 4 * n / (g * g) * (a + c + 1)) with (n * / (g * g) * (15 / 4 * (a + c + 1))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra].
Qed.

Theorem cor_tlcr_bai : cor_tlcr_bai_statement.
Proof.
  intros cv P stop N L w g b delta HA Hs Hpr HB Hb Hd.
  eapply pass_identifies; eauto; [apply dueltest_is_pairwise_test; eauto|].
  apply pass_cost_dueltest; auto. apply (a_gap _ _ _ _ HA).
Qed.
