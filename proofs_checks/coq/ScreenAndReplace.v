(** * ScreenAndReplace: one epoch of winner-centric exploitation

    The incumbent meets every other arm once; if any seems to beat it, a tournament of the incumbent
    and those beaters decides. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT.
From TGITE Require Import Limits TreeAscent.
Open Scope R_scope.

Section Others.
Context {cv : conventions}.
Variable N : nat.

Lemma others_in c j : In j (others N c) <-> (j < N)%nat /\ j <> c.
Proof.
  unfold others. rewrite (perm_In _ _ j (screening_perm _)), filter_In, in_seq, negb_true_iff, Nat.eqb_neq.
  intuition lia.
Qed.
Lemma others_NoDup c : NoDup (others N c).
Proof. eapply perm_NoDup; [apply screening_perm|]. apply NoDup_filter, seq_NoDup. Qed.
Lemma others_len c : (c < N)%nat -> length (others N c) = (N - 1)%nat.
Proof.
  intro Hc. assert (Permutation (c :: others N c) (seq 0 N)) as H.
  { apply NoDup_Permutation; [constructor; [rewrite others_in; tauto|apply others_NoDup]|apply seq_NoDup|].
    intro j. cbn [In]. rewrite others_in, in_seq. unfold arm in *. lia. }
  apply Permutation_length in H. rewrite seq_length in H. cbn [length] in H. unfold arm in *. lia.
Qed.

(** The entrants of the replacement tournament. *)
Lemma entrants c B : (c < N)%nat -> NoDup B -> incl B (others N c) ->
  NoDup (candidates c B) /\ (forall j, In j (candidates c B) -> (j < N)%nat) /\
  (forall j, In j (candidates c B) <-> c = j \/ In j B) /\ length (candidates c B) = S (length B).
Proof.
  intros Hc NB IB. pose proof (candidates_perm c B) as H.
  assert (I : forall j, In j (candidates c B) <-> c = j \/ In j B) by (intro j; apply (perm_In _ _ j H)).
  repeat apply conj; auto.
  - eapply perm_NoDup; [exact H|]. constructor; auto. intro K. apply IB, others_in in K. destruct K; congruence.
  - intros j Hj. apply I in Hj. destruct Hj as [<-|Hj]; auto. apply IB, others_in in Hj. tauto.
  - apply (Permutation_length H).
Qed.
End Others.

Section Epoch.
Context {cv : conventions}.
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Variable N : nat.

Definition sub_opt (l : list arm) (o : option (list arm)) : Prop :=
  match o with None => True | Some B => NoDup B /\ incl B l end.
Lemma screen_leaves rho c l : NoDup l -> leaves (sub_opt l) (screen test rho c l).
Proof.
  induction l as [|j l IH]; intro ND; cbn [screen].
  - simpl. split; [constructor|apply incl_refl].
  - inversion ND as [|? ? Nj ND']; subst. eapply leaves_bind; [apply test_leaves|].
    intros [x|] _; [|exact Logic.I]. eapply leaves_bind; [apply IH; auto|].
    intros [B|] HB; [|exact Logic.I]. destruct HB as [NB IB]. cbn.
    destruct (Nat.eqb x j); split; auto.
    + constructor; auto.
    + intros y [->|Hy]; simpl; auto.
    + intros y Hy; simpl; auto.
Qed.

Lemma ScreenReplace_range c r k : (c < N)%nat -> leaves (in_range N) (ScreenReplace test N c r k).
Proof.
  intro Hc. eapply leaves_bind; [apply screen_leaves, others_NoDup|].
  intros [B|] HB; [|exact Logic.I]. destruct HB as [NB IB]. destruct B as [|j B]; [cbn; auto|].
  destruct (entrants N c (j :: B) Hc NB IB) as (E1 & E2 & _). unfold replace_by.
  eapply leaves_impl; [apply bkt_leaves; auto|]. intros [x|] Hx; [exact (E2 x Hx)|exact Logic.I].
Qed.

(** ** One step of repair, for any test that seldom loses [w] *)

Section Repair.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable w : arm.
Hypothesis Hw : (w < N)%nat.
Variable share : R.
Hypothesis share0 : 0 <= share.
Hypothesis test_good : forall d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P test w share d j.

Definition missing (o : option (list arm)) : bool :=
  match o with None => false | Some B => negb (existsb (Nat.eqb w) B) end.

Lemma screen_finds rho c l : 0 < rho < 1 -> (c < N)%nat -> c <> w -> NoDup l -> In w l ->
  Pr P (screen test rho c l) missing <= share * rho.
Proof.
  intros Hr Hc Hcw. induction l as [|j l IH]; intros ND Hin; [destruct Hin|].
  inversion ND as [|? ? Nj ND']; subst. cbn [screen]. destruct (Nat.eq_dec j w) as [->|Hjw].
  - eapply Rle_trans; [|rewrite <- (Rplus_0_r (share * rho)); apply Rplus_le_compat_r, (test_good rho c Hr Hc Hcw)].
    apply (Pr_union P P01 (fun _ => True)); [lra|apply leaves_true|auto|]. intros x _ Hx. apply negb_false_iff in Hx.
    apply (Pr_obind_uniform P P01); auto; [lra|]. intro B. rewrite Hx. unfold Pr. cbn. rewrite Nat.eqb_refl. cbn. lra.
  - destruct Hin as [->|Hin]; [congruence|]. apply (Pr_obind_uniform P P01); auto; [positive|]. intro x.
    eapply Rle_trans; [|rewrite <- (Rplus_0_r (share * rho)); apply Rplus_le_compat_r, (IH ND' Hin)].
    apply (Pr_union P P01 (fun _ => True)); [lra|apply leaves_true|auto|]. intros B _ HB. unfold Pr. cbn in *.
    destruct (Nat.eqb x j); cbn; [destruct (Nat.eqb_spec w j); [congruence|]|]; cbn; rewrite HB; lra.
Qed.

Lemma replace_wrong c B kappa :
  0 < kappa < 1 -> (c < N)%nat -> NoDup B -> incl B (others N c) -> c = w \/ In w B ->
  Pr P (replace_by test c kappa B) (wrong w) <= share * kappa.
Proof.
  intros Hk Hc NB IB Hin. destruct B as [|j B].
  - destruct Hin as [->|[]]. unfold Pr; cbn. rewrite Nat.eqb_refl; cbn. apply Rmult_le_pos; lra.
  - destruct (entrants N c (j :: B) Hc NB IB) as (E1 & E2 & E3 & _). unfold replace_by.
    apply BKT_correct; auto. apply E3; auto.
Qed.

Lemma ScreenReplace_one_step c rho kappa : 0 < rho < 1 -> 0 < kappa < 1 -> (c < N)%nat ->
  Pr P (ScreenReplace test N c rho kappa) (wrong w) <= share * ((if Nat.eqb c w then 0 else rho) + kappa).
Proof.
  intros Hr Hk Hc. pose proof (others_NoDup N c) as ON. assert (0 <= share * kappa) as SK by positive.
  rewrite Rmult_plus_distr_l. destruct (Nat.eqb_spec c w) as [->|Hcw].
  - rewrite Rmult_0_r, Rplus_0_l.
    apply (Pr_obind_leaves P P01 (sub_opt (others N w))); auto using screen_leaves.
    intros B [NB IB]. apply (replace_wrong w B kappa); auto.
  - assert (In w (others N c)) as Hin by (apply others_in; auto).
    eapply Rle_trans; [|apply Rplus_le_compat_r; apply (screen_finds rho c (others N c)); auto].
    apply (Pr_union P P01 (sub_opt (others N c))); auto using screen_leaves.
    intros B [NB IB] HB. apply negb_false_iff, existsb_exists in HB. destruct HB as (w' & Hi & He).
    apply Nat.eqb_eq in He. subst w'. apply replace_wrong; auto.
Qed.
End Repair.

(** ** What an epoch costs at most, for any functional that adds up along sequencing *)

Section Cost.
Variable cost : forall A : Type, prog (option A) -> R.
Arguments cost {A}.
Hypothesis Add : additive (@cost).
Variables base slope : R.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Hypothesis test_cost : forall d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
  cost (test d u v) <= base + slope * ln (/ d).

Lemma screen_cost_nonneg d : 0 < d < 1 -> 0 <= screen_cost base slope d.
Proof using base0 slope0. intro H. pose proof (ln_inv_pos d H). unfold screen_cost. positive. Qed.
Lemma replace_cost_nonneg d : 0 < d < 1 -> 0 <= replace_cost base slope d.
Proof using base0 slope0. intro H. pose proof (ln_inv_pos d H). unfold replace_cost, bkt_extra. positive. Qed.

Lemma screen_total rho c l : 0 < rho < 1 -> (c < N)%nat -> (forall j, In j l -> (j < N)%nat /\ j <> c) ->
  cost (screen test rho c l) <= INR (length l) * screen_cost base slope rho.
Proof using Add test_leaves test_cost base0 slope0.
  intros Hr Hc. pose proof (screen_cost_nonneg rho Hr) as C0.
  induction l as [|j l IH]; intro Hl; cbn [screen length]; [rewrite (cost_some _ Add); simpl; lra|]. rewrite S_INR.
  set (c' := INR (length l) * screen_cost base slope rho) in *. assert (0 <= c') by (unfold c'; positive).
  assert (I1 : cost (screen test rho c l) <= c') by (apply IH; intros; apply Hl; simpl; auto).
  destruct (Hl j) as [J1 J2]; [simpl; auto|].
  eapply Rle_trans; [apply (cost_obind _ Add) with (c := c') (1 := H) (2 := test_leaves rho c j)|].
  - intros x _. eapply Rle_trans; [apply (cost_obind _ Add) with (c := 0) (Q := fun _ => True)|lra];
      [lra|apply leaves_true|]. intros B _. rewrite (cost_some _ Add). lra.
  - pose proof (test_cost rho c j Hr Hc J1 (fun e => J2 (eq_sym e))). unfold c', screen_cost in *. lra.
Qed.

Lemma replace_total c B kappa : 0 < kappa < 1 -> (c < N)%nat -> NoDup B -> incl B (others N c) ->
  cost (replace_by test c kappa B) <= INR (length B) * replace_cost base slope kappa.
Proof using Add test_leaves test_cost base0 slope0.
  intros Hk Hc NB IB. destruct (entrants N c B Hc NB IB) as (E1 & E2 & _ & E4).
  destruct B as [|j B]; unfold replace_by; [rewrite (cost_some _ Add); cbn; lra|].
  set (X := j :: B) in *. replace (length X) with (length (candidates c X) - 1)%nat by (rewrite E4; lia).
  apply (BKT_cost (@cost)) with (ok := fun j => (j < N)%nat); auto. rewrite E4. lia.
Qed.

Lemma epoch_total c rho kappa : 0 < rho < 1 -> 0 < kappa < 1 -> (c < N)%nat ->
  cost (ScreenReplace test N c rho kappa) <= INR (N - 1) * (screen_cost base slope rho + replace_cost base slope kappa).
Proof using Add test_leaves test_cost base0 slope0.
  intros Hr Hk Hc. pose proof (replace_cost_nonneg kappa Hk) as C0. pose proof (pos_INR (N - 1)) as N0.
  rewrite Rmult_plus_distr_l. set (c' := INR (N - 1) * replace_cost base slope kappa).
  eapply Rle_trans; [eapply (cost_obind _ Add) with (c := c')|]; unfold c'.
  - positive.
  - apply screen_leaves, others_NoDup.
  - intros B [NB IB]. eapply Rle_trans; [apply replace_total; auto|]. apply Rmult_le_compat_r; auto.
    apply le_INR. rewrite <- (others_len N c Hc). apply NoDup_incl_length; auto.
  - apply Rplus_le_compat_r. rewrite <- (others_len N c Hc). apply screen_total; auto. intros j Hj. now apply others_in.
Qed.
End Cost.

(** ** Weak regret: the winner's screenings are free, and its false beaters are few *)

Section Regret.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable w : arm.
Hypothesis Hw : (w < N)%nat.
Variable share : R.
Hypothesis share0 : 0 <= share.
Hypothesis test_good : forall d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P test w share d j.
Hypothesis test_free : forall d j, expected_regret P (weak_regretful w) (test d w j) = 0.
Variables base slope : R.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Hypothesis test_cost : forall d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
  ET P (test d u v) <= base + slope * ln (/ d).
Let weak := weak_regretful w.
Let n1 := INR (N - 1).

Lemma screen_free rho l : expected_regret P weak (screen test rho w l) = 0.
Proof.
  induction l as [|j l IH]; cbn [screen]; [reflexivity|]. unfold obind. rewrite ER_bind.
  unfold weak at 1. rewrite test_free, Rplus_0_l, <- (E_const P (test rho w j) 0).
  apply E_ext. intros [x|]; [|reflexivity].
  rewrite ER_bind, IH, Rplus_0_l. rewrite <- (E_const P (screen test rho w l) 0). apply E_ext. intros [B|]; reflexivity.
Qed.

(** The number of challengers that seem to beat the winner. *)
Definition beaters (o : option (list arm)) : R := match o with Some B => INR (length B) | None => 0 end.
Lemma screen_beaters rho l : 0 < rho < 1 -> (forall j, In j l -> (j < N)%nat /\ j <> w) ->
  expect P (screen test rho w l) beaters <= INR (length l) * (share * rho).
Proof.
  intros Hr. induction l as [|j l IH]; intro Hl; cbn [screen length]; [cbn; lra|]. rewrite S_INR.
  assert (I1 : expect P (screen test rho w l) beaters <= INR (length l) * (share * rho)).
  { apply IH. intros. apply Hl. simpl; auto. }
  destruct (Hl j) as [J1 J2]; [simpl; auto|]. assert (0 <= INR (length l) * (share * rho)) by positive.
  unfold obind. rewrite E_bind. set (g := fun o => if wrong w o then 1 else 0).
  apply Rle_trans with (expect P (test rho w j) (fun o => g o + INR (length l) * (share * rho))).
  - apply E_mono; auto. intros [x|]; unfold g; cbn [wrong]; [|cbn; lra]. rewrite E_bind.
    destruct (Nat.eqb_spec x j) as [->|Hx].
    + destruct (Nat.eqb_spec j w); [congruence|]. cbn [negb].
      apply Rle_trans with (expect P (screen test rho w l) (fun o => beaters o + 1)).
      * apply E_mono; auto. intros [B|]; cbn [expect beaters]; [cbn [length]; rewrite S_INR|]; lra.
      * rewrite E_plus, E_const. lra.
    + apply Rle_trans with (expect P (screen test rho w l) beaters).
      * apply E_mono; auto. intros [B|]; cbn [expect beaters]; lra.
      * destruct (negb _); lra.
  - rewrite E_plus, E_const. pose proof (proj1 (test_good rho j Hr J1 J2)) as G. unfold Pr in G. fold g in G. lra.
Qed.

Lemma epoch_regret c rho kappa : 0 < rho < 1 -> 0 < kappa < 1 -> (c < N)%nat ->
  expected_regret P weak (ScreenReplace test N c rho kappa) <=
    n1 * (if Nat.eqb c w then share * rho * replace_cost base slope kappa
          else screen_cost base slope rho + replace_cost base slope kappa).
Proof.
  intros Hr Hk Hc. pose proof (replace_cost_nonneg base slope base0 slope0 kappa Hk) as C0.
  assert (0 <= n1) as N0 by apply pos_INR.
  destruct (Nat.eqb_spec c w) as [->|Hcw].
  - unfold ScreenReplace, obind. rewrite ER_bind, screen_free, !Rplus_0_l.
    set (r := replace_cost base slope kappa) in *.
    apply Rle_trans with (expect P (screen test rho w (others N w)) (fun o => r * beaters o)).
    + eapply (E_mono_leaves P P01); [apply screen_leaves; apply others_NoDup|].
      intros [B|] HB; [|cbn; lra]. destruct HB as [NB IB]. cbn [beaters].
      eapply Rle_trans; [apply ER_le_ET; auto|]. rewrite Rmult_comm.
      apply (replace_total (fun A m => ET P m)); auto using ET_additive.
    + rewrite E_scal. pose proof (screen_beaters rho (others N w) Hr (fun j => proj1 (others_in N w j))) as SL.
      rewrite others_len in SL by auto. fold n1 in SL.
      apply (Rmult_le_compat_l r) in SL; auto. lra.
  - eapply Rle_trans; [apply ER_le_ET; auto|]. apply (epoch_total (fun A m => ET P m)); auto using ET_additive.
Qed.
End Regret.
End Epoch.

(** ** Longer horizons, and DuelTest *)

Lemma ScreenReplace_refines {cv : conventions} (t t' : R -> arm -> arm -> prog (option arm)) N c rho kappa :
  (forall d u v, refines (t d u v) (t' d u v)) ->
  refines (ScreenReplace t N c rho kappa) (ScreenReplace t' N c rho kappa).
Proof. intro tt. now apply (ScreenReplace_alike _ refines_sequential eq); [intros ? ? ? ? ->| |]. Qed.

Section Tested.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share base slope : R.
Hypothesis Test : pairwise_test P N w test share base slope.
Variables (F : nat) (c : arm) (rho kappa : R).
Hypothesis Hc : (c < N)%nat.
Hypothesis Hr : 0 < rho < 1.
Hypothesis Hk : 0 < kappa < 1.

Let P01 := pt_P01 _ _ _ _ _ _ _ Test.
Let base0 := pt_base _ _ _ _ _ _ _ Test.
Let slope0 := pt_slope _ _ _ _ _ _ _ Test.
Let share01 := pt_share _ _ _ _ _ _ _ Test.
Let answers := pt_answers _ _ _ _ _ _ _ Test F.

Lemma epoch_wrong : Pr P (ScreenReplace (test F) N c rho kappa) (wrong w) <=
  share * ((if Nat.eqb c w then 0 else rho) + kappa).
Proof. apply ScreenReplace_one_step; eauto using pt_w, pt_correct. apply share01. Qed.

Lemma tested_epoch_regret : expected_regret P (weak_regretful w) (ScreenReplace (test F) N c rho kappa) <=
  INR (N - 1) * (if Nat.eqb c w then share * rho * replace_cost base slope kappa
                 else screen_cost base slope rho + replace_cost base slope kappa).
Proof.
  apply (epoch_regret (test F)); eauto using pt_w, pt_correct, pt_cost; [apply share01|].
  intros d j. apply duels_free with (u := w) (v := j); [|eapply pt_duels; eauto].
  unfold weak_regretful. now rewrite Nat.eqb_refl.
Qed.

Lemma epoch_cut : INR F * Pr P (ScreenReplace (test F) N c rho kappa) ran_out <=
  INR (N - 1) * (screen_cost base slope rho + replace_cost base slope kappa).
Proof.
  apply (epoch_total (test F) answers N (fun A m => INR F * Pr P m ran_out)); eauto using cut_additive, pt_cut.
Qed.

(** An epoch begins with a screening, so it uses a round; it is cut off only when a test is. *)
Lemma epoch_starts : (2 <= N)%nat -> (1 <= F)%nat -> starts (ScreenReplace (test F) N c rho kappa).
Proof.
  clear Hc. intros HN HF. assert (In (if Nat.eqb c 0 then 1 else 0)%nat (others N c)) as I.
  { apply others_in. unfold arm in *. destruct (Nat.eqb_spec c 0); lia. }
  unfold ScreenReplace. destruct (others N c) as [|j l]; [destruct I|].
  do 2 apply starts_obind. eapply pt_starts; eauto.
Qed.

Lemma epoch_uncut T : (T <= F)%nat -> uncut T (ScreenReplace (test F) N c rho kappa) = true.
Proof.
  intro HT. apply cut_cost_0.
  eapply Rle_trans; [apply (epoch_total (test F) answers N (@cut_cost T)) with (base := 0) (slope := 0)|];
    auto using cut_cost_additive; try lra.
  - intros. unfold cut_cost. erewrite pt_uncut by eauto. lra.
  - unfold screen_cost, replace_cost. right. ring.
Qed.
End Tested.

Theorem lem_app_one_step_repair : lem_app_one_step_repair_statement.
Proof.
  intros cv P stop N w g c rho kappa HA Hs Hc Hr Hk bound. pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01.
  assert (K : forall F, Pr P (ScreenReplace (DT stop F) N c rho kappa) (wrong w) <= bound).
  { intro F. assert (0 <= bound) by (unfold bound; destruct (Nat.eqb c w); lra).
    apply Rle_trans with (1/20 * bound); [|lra].
    apply ScreenReplace_one_step; auto using DT_leaves; [apply (a_in _ _ _ _ HA)|lra|].
    intros d j Hd Hj Hjw. apply DT_good; auto; [apply (a_valid _ _ _ _ HA)|apply (a_win _ _ _ _ HA); auto]. }
  split; [exact K|]. intro Hp.
  eapply (returns_of P P01); auto; [intro F; apply ScreenReplace_refines; intros; apply DT_refines|].
  intro F. eapply epoch_cut; eauto using dueltest_is_pairwise_test.
Qed.

Theorem lem_app_screen_epoch_regret : lem_app_screen_epoch_regret_statement.
Proof.
  intros cv P stop N w g c rho kappa HA Hs Hp Hc Hr Hk n Sc Rc bound.
  pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01. pose proof (a_gap _ _ _ _ HA) as Hg. split.
  - apply (at_most_ER P P01 (fun F => ScreenReplace (DT stop F) N c rho kappa)).
    + intro F. apply ScreenReplace_refines. intros; apply DT_refines.
    + intro F. unfold bound, n, Sc, Rc. replace (rho / 20) with (1/20 * rho) by field.
      eapply tested_epoch_regret; eauto using dueltest_is_pairwise_test.
  - unfold bound, Sc, Rc, screen_cost, replace_cost, C_epoch, bkt_extra, dt_base, dt_slope.
    pose proof (ln_inv_pos rho Hr). pose proof (ln_inv_pos kappa Hk). pose proof (ln_inv_gap g Hg).
    assert (0 <= n * / (g * g)) by (unfold n; positive).
    set (a := ln (/ rho)) in *. set (b := ln (/ kappa)) in *. set (e := ln (/ g)) in *. destruct (Nat.eqb c w).
    + apply Rle_trans with (n * / (g * g) * (rho * (1 / 20 * (16 / 7 * (e + 1) + 4 / 7 * (b + 153 / 100))))).
      { right. field. lra. }
      apply Rle_trans with (n * / (g * g) * (rho * (51 / 10 * (b + e + 1)))); [|right; field; lra].
      apply Rmult_le_compat_l; [auto|]. apply Rmult_le_compat_l; lra.
    + apply Rle_trans with (n * / (g * g) * (32 / 7 * (e + 1) + 4 / 7 * (a + b + 153 / 100))); [right; field; lra|].
      apply Rle_trans with (n * / (g * g) * (51 / 10 * (a + b + e + 1 + rho * (b + e + 1)))); [|right; field; lra].
      assert (0 <= rho * (b + e + 1)) by positive. apply Rmult_le_compat_l; lra.
Qed.
