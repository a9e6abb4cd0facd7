(** * ScreenAndReplace: one epoch of winner-centric exploitation

    The incumbent meets every other arm once; if any seems to beat it, a tournament of the incumbent
    and those beaters decides. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Basel BKT.
Open Scope R_scope.

Section Others.
Context {cv : conventions}.
Variable N : nat.

Lemma others_in c j : In j (others N c) <-> (j < N)%nat /\ j <> c.
Proof.
  unfold others. rewrite (perm_In _ _ j (screening_perm _)), filter_In, in_seq.
  destruct (Nat.eqb_spec j c); cbn; split; intros; try split; try lia; destruct H; try discriminate; tauto || lia.
Qed.
Lemma others_ok c j : In j (others N c) -> (j < N)%nat /\ j <> c.
Proof. apply others_in. Qed.
Lemma count_others n c : length (filter (fun j => negb (Nat.eqb j c)) (seq 0 n)) = (if Nat.ltb c n then n - 1 else n)%nat.
Proof.
  induction n; [reflexivity|]. rewrite seq_S, filter_app, app_length, IHn. cbn [filter Nat.add]. clear IHn.
  destruct (Nat.eqb_spec n c) as [->|Hn]; cbn [negb length].
  - rewrite Nat.ltb_irrefl. destruct (Nat.ltb_spec c (S c)); lia.
  - destruct (Nat.ltb_spec c n), (Nat.ltb_spec c (S n)); lia.
Qed.
Lemma others_len c : (c < N)%nat -> length (others N c) = (N - 1)%nat.
Proof.
  intro H. unfold others. rewrite (Permutation_length (screening_perm _)), count_others. destruct (Nat.ltb_spec c N); lia.
Qed.
Lemma others_NoDup c : NoDup (others N c).
Proof. eapply perm_NoDup; [apply screening_perm|]. apply NoDup_filter, seq_NoDup. Qed.

(** The entrants of the replacement tournament. *)
Lemma entrants c B : (c < N)%nat -> NoDup B -> incl B (others N c) ->
  NoDup (candidates c B) /\ (forall j, In j (candidates c B) -> (j < N)%nat) /\
  (forall j, In j (candidates c B) <-> c = j \/ In j B) /\ length (candidates c B) = S (length B).
Proof.
  intros Hc NB IB. pose proof (candidates_perm c B) as H.
  assert (I : forall j, In j (candidates c B) <-> c = j \/ In j B) by (intro j; apply (perm_In _ _ j H)).
  repeat apply conj; auto.
  - eapply perm_NoDup; [exact H|]. constructor; auto. intro K. apply IB, others_ok in K. destruct K; congruence.
  - intros j Hj. apply I in Hj. destruct Hj as [<-|Hj]; auto. apply IB, others_ok in Hj. tauto.
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

Lemma ScreenReplace_range c r k : (c < N)%nat ->
  leaves (fun o => match o with Some x => (x < N)%nat | None => True end) (ScreenReplace test N c r k).
Proof.
  intro Hc. eapply leaves_bind; [apply screen_leaves, others_NoDup|].
  intros [B|] HB; [|exact Logic.I]. destruct HB as [NB IB]. destruct B as [|j B]; [cbn; auto|].
  destruct (entrants N c (j :: B) Hc NB IB) as (E1 & E2 & _). unfold replace_by.
  eapply leaves_impl; [apply bkt_leaves; auto|]. intros [x|] Hx; auto.
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
  - assert (T := proj2 (test_good rho c Hr Hc Hcw)).
    replace (share * rho) with (share * rho + 0) by ring.
    eapply Rle_trans; [apply (Pr_obind_le P P01) with (bad := fun x => negb (Nat.eqb x w)) (d := 0); [lra| |reflexivity]|].
    + intros x Hx. apply negb_false_iff in Hx. rewrite Hx.
      unfold Pr, obind. rewrite E_bind.
      apply Rle_trans with (expect P (screen test rho c l) (fun _ => 0)); [|rewrite E_const; lra].
      apply E_mono; auto. intros [B|]; cbn; [rewrite Nat.eqb_refl; cbn; lra|lra].
    + apply Rplus_le_compat_r. exact T.
  - destruct Hin as [->|Hin]; [congruence|]. apply (Pr_obind_uniform P P01); [apply Rmult_le_pos; lra| |reflexivity].
    intro x. eapply Rle_trans; [|apply (IH ND' Hin)].
    unfold Pr, obind. rewrite E_bind. apply E_mono; auto.
    intros [B|]; cbn; [|lra]. destruct (Nat.eqb x j); cbn; [|lra].
    destruct (Nat.eqb_spec w j); [congruence|]. cbn. lra.
Qed.

Lemma replace_wrong c B kappa : 0 < kappa < 1 -> (c < N)%nat -> NoDup B -> incl B (others N c) -> c = w \/ In w B ->
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
  intros Hr Hk Hc. unfold ScreenReplace. pose proof (others_NoDup N c) as ON. assert (0 <= share * kappa) as SK by (apply Rmult_le_pos; lra).
  rewrite Rmult_plus_distr_l. destruct (Nat.eqb_spec c w) as [->|Hcw].
  - rewrite Rmult_0_r, Rplus_0_l. unfold Pr, obind. rewrite E_bind.
    apply Rle_trans with (expect P (screen test rho w (others N w)) (fun _ => share * kappa)); [|rewrite E_const; lra].
    eapply (E_mono_leaves P P01); [apply screen_leaves; auto|].
    intros [B|] HB; [|cbn; lra]. destruct HB as [NB IB]. apply (replace_wrong w B kappa); auto.
  - assert (In w (others N c)) as Hin by (apply others_in; auto).
    eapply Rle_trans; [|apply Rplus_le_compat_r; apply (screen_finds rho c (others N c)); auto].
    unfold Pr at 1, obind. rewrite E_bind. set (g := fun o => if missing o then 1 else 0).
    apply Rle_trans with (expect P (screen test rho c (others N c)) (fun o => g o + share * kappa)).
    2:{ rewrite E_plus, E_const. apply Rle_refl. }
    eapply (E_mono_leaves P P01); [apply screen_leaves; auto|].
    intros [B|] HB; [|cbn; lra]. destruct HB as [NB IB]. unfold g; cbn [missing].
    destruct (existsb (Nat.eqb w) B) eqn:Ex; cbn [negb].
    + apply existsb_exists in Ex. destruct Ex as (w' & Hi & He). apply Nat.eqb_eq in He. subst w'.
      change (Pr P (replace_by test c kappa B) (wrong w) <= 0 + share * kappa).
      pose proof (replace_wrong c B kappa Hk Hc NB IB (or_intror Hi)). lra.
    + change (Pr P (replace_by test c kappa B) (wrong w) <= 1 + share * kappa).
      pose proof (Pr_le1 P P01 (replace_by test c kappa B) (wrong w)). lra.
Qed.
End Repair.

(** ** What an epoch costs at most, for any functional that adds up along sequencing *)

Section Cost.
Variable cost : forall A : Type, prog (option A) -> R.
Arguments cost {A}.
Hypothesis cost_some : forall A (a : A), cost (Ret (Some a)) = 0.
Hypothesis cost_obind : forall A B (Q : option A -> Prop) (m : prog (option A)) (k : A -> prog (option B)) c,
  0 <= c -> leaves Q m -> (forall a, Q (Some a) -> cost (k a) <= c) -> cost (obind m k) <= cost m + c.
Variables base slope : R.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Hypothesis test_cost : forall d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
  cost (test d u v) <= base + slope * ln (/ d).

Lemma screen_cost_nonneg d : 0 < d < 1 -> 0 <= screen_cost base slope d.
Proof using base0 slope0. intro H. pose proof (ln_inv_pos d H). unfold screen_cost. assert (0 <= slope * ln (/ d)) by (apply Rmult_le_pos; lra). lra. Qed.
Lemma replace_cost_nonneg d : 0 < d < 1 -> 0 <= replace_cost base slope d. Proof using base0 slope0.
  intro H. pose proof (ln_inv_pos d H). unfold replace_cost.
  assert (0 <= slope * (ln (/ d) + bkt_extra)) by (apply Rmult_le_pos; unfold bkt_extra; lra). lra.
Qed.

Lemma screen_total rho c l : 0 < rho < 1 -> (c < N)%nat -> (forall j, In j l -> (j < N)%nat /\ j <> c) ->
  cost (screen test rho c l) <= INR (length l) * screen_cost base slope rho.
Proof using cost_some cost_obind test_leaves test_cost base0 slope0.
  intros Hr Hc. pose proof (screen_cost_nonneg rho Hr) as C0.
  induction l as [|j l IH]; intro Hl; cbn [screen length]; [rewrite cost_some; simpl; lra|]. rewrite S_INR.
  assert (I1 : cost (screen test rho c l) <= INR (length l) * screen_cost base slope rho) by (apply IH; intros; apply Hl; simpl; auto).
  assert (0 <= INR (length l) * screen_cost base slope rho) by (apply Rmult_le_pos; [apply pos_INR|lra]).
  destruct (Hl j) as [J1 J2]; [simpl; auto|].
  eapply Rle_trans; [eapply cost_obind with (c := INR (length l) * screen_cost base slope rho); [auto|apply test_leaves|]|].
  - intros x _. eapply Rle_trans; [eapply cost_obind with (c := 0) (Q := fun _ => True); [lra|apply leaves_true|]|lra].
    intros B _. rewrite cost_some. lra.
  - pose proof (test_cost rho c j Hr Hc J1 (fun e => J2 (eq_sym e))). unfold screen_cost in *. lra.
Qed.

Lemma replace_total c B kappa : 0 < kappa < 1 -> (c < N)%nat -> NoDup B -> incl B (others N c) ->
  cost (replace_by test c kappa B) <= INR (length B) * replace_cost base slope kappa.
Proof using cost_some cost_obind test_leaves test_cost base0 slope0.
  intros Hk Hc NB IB. destruct (entrants N c B Hc NB IB) as (E1 & E2 & _ & E4).
  destruct B as [|j B]; unfold replace_by; [rewrite cost_some; cbn; lra|].
  set (X := j :: B) in *. replace (length X) with (length (candidates c X) - 1)%nat by (rewrite E4; lia).
  apply (BKT_cost (@cost)) with (ok := fun j => (j < N)%nat); auto. rewrite E4. lia.
Qed.

Lemma epoch_total c rho kappa : 0 < rho < 1 -> 0 < kappa < 1 -> (c < N)%nat ->
  cost (ScreenReplace test N c rho kappa) <= INR (N - 1) * (screen_cost base slope rho + replace_cost base slope kappa).
Proof using cost_some cost_obind test_leaves test_cost base0 slope0.
  intros Hr Hk Hc. pose proof (replace_cost_nonneg kappa Hk) as C0. pose proof (pos_INR (N - 1)) as N0.
  rewrite Rmult_plus_distr_l. eapply Rle_trans; [eapply cost_obind with (c := INR (N - 1) * replace_cost base slope kappa)|].
  - apply Rmult_le_pos; auto.
  - apply screen_leaves; auto. apply others_NoDup.
  - intros B [NB IB]. eapply Rle_trans; [apply replace_total; auto|]. apply Rmult_le_compat_r; auto.
    apply le_INR. rewrite <- (others_len N c Hc). apply NoDup_incl_length; auto.
  - apply Rplus_le_compat_r. rewrite <- (others_len N c Hc). apply screen_total; auto. apply others_ok.
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
  induction l as [|j l IH]; cbn [screen]; [reflexivity|]. unfold obind. rewrite ER_bind. unfold weak at 1. rewrite test_free.
  rewrite Rplus_0_l, <- (E_const P (test rho w j) 0). apply E_ext. intros [x|]; [|reflexivity].
  rewrite ER_bind, IH, Rplus_0_l. rewrite <- (E_const P (screen test rho w l) 0). apply E_ext. intros [B|]; reflexivity.
Qed.

(** The number of challengers that seem to beat the winner. *)
Definition beaters (o : option (list arm)) : R := match o with Some B => INR (length B) | None => 0 end.
Lemma screen_beaters rho l : 0 < rho < 1 -> (forall j, In j l -> (j < N)%nat /\ j <> w) ->
  expect P (screen test rho w l) beaters <= INR (length l) * (share * rho).
Proof.
  intros Hr. induction l as [|j l IH]; intro Hl; cbn [screen length]; [cbn; lra|]. rewrite S_INR.
  assert (I1 : expect P (screen test rho w l) beaters <= INR (length l) * (share * rho)) by (apply IH; intros; apply Hl; simpl; auto).
  destruct (Hl j) as [J1 J2]; [simpl; auto|].
  assert (0 <= INR (length l) * (share * rho)) by (apply Rmult_le_pos; [apply pos_INR|apply Rmult_le_pos; lra]).
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
  assert (ET_add : forall A B (Q : option A -> Prop) (m : prog (option A)) (k : A -> prog (option B)) c,
    0 <= c -> leaves Q m -> (forall a, Q (Some a) -> ET P (k a) <= c) -> ET P (obind m k) <= ET P m + c)
    by (intros; eapply ET_obind; eauto).
  destruct (Nat.eqb_spec c w) as [->|Hcw].
  - unfold ScreenReplace, obind. rewrite ER_bind, screen_free, !Rplus_0_l.
    apply Rle_trans with (expect P (screen test rho w (others N w)) (fun o => replace_cost base slope kappa * beaters o)).
    + eapply (E_mono_leaves P P01); [apply screen_leaves; apply others_NoDup|].
      intros [B|] HB; [|cbn; lra]. destruct HB as [NB IB]. cbn [beaters].
      eapply Rle_trans; [apply ER_le_ET; auto|]. rewrite Rmult_comm.
      apply (replace_total (fun A m => ET P m)); auto.
    + rewrite E_scal. pose proof (screen_beaters rho (others N w) Hr (fun j => others_ok N w j)) as SL.
      rewrite others_len in SL by auto. fold n1 in SL.
      apply Rmult_le_compat_l with (r := replace_cost base slope kappa) in SL; auto. lra.
  - eapply Rle_trans; [apply ER_le_ET; auto|]. apply (epoch_total (fun A m => ET P m)); auto.
Qed.
End Regret.
End Epoch.

(** ** Longer horizons, and DuelTest *)

Lemma ScreenReplace_refines {cv : conventions} (t t' : R -> arm -> arm -> prog (option arm)) N c rho kappa :
  (forall d u v, refines (t d u v) (t' d u v)) -> refines (ScreenReplace t N c rho kappa) (ScreenReplace t' N c rho kappa).
Proof.
  intro tt. apply (ScreenReplace_alike _ refines_sequential eq); auto; [now intros ? ? ? ->|now intros ? ? ? ? ->].
Qed.

Lemma seqtest_free P w stop fin f : forall n s j, expected_regret P (weak_regretful w) (seqtest stop fin f n s w j) = 0.
Proof.
  induction f as [|f IH]; intros n s j; cbn [seqtest expected_regret]; [reflexivity|].
  unfold weak_regretful at 1. rewrite Nat.eqb_refl. cbn [orb negb].
  assert (forall s', expected_regret P (weak_regretful w) match stop (S n) s'
    with Some a => Ret (pick w j (Some a)) | None => seqtest stop fin f (S n) s' w j end = 0) as G.
  { intro s'. destruct (stop (S n) s'); [reflexivity|apply IH]. }
  rewrite !G. ring.
Qed.

Section WithDuelTest.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (stop : rule) (N : nat) (w : arm) (g : R).
Hypothesis HA : assump_condorcet_gap P N w g.

Lemma DT_good_all F d j : sound stop -> 0 < d < 1 -> (j < N)%nat -> j <> w -> good P (DT stop F) w (1/20) d j.
Proof. intros Hs Hd Hj Hjw. apply DT_good; auto; [apply (a_valid _ _ _ _ HA)|apply (a_win _ _ _ _ HA); auto]. Qed.
Lemma DT_cost_all F d u v : prompt stop -> 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
  ET P (DT stop F d u v) <= dt_base g + dt_slope g * ln (/ d).
Proof.
  intros Hs Hd Hu Hv Huv. apply DT_time; auto.
  - apply valid_01, (a_valid _ _ _ _ HA).
  - apply (a_gap _ _ _ _ HA).
  - apply (a_global _ _ _ _ HA); auto.
Qed.

Lemma epoch_cut F c rho kappa : prompt stop -> 0 < rho < 1 -> 0 < kappa < 1 -> (c < N)%nat ->
  INR F * Pr P (ScreenReplace (DT stop F) N c rho kappa) ran_out <=
  INR (N - 1) * (screen_cost (dt_base g) (dt_slope g) rho + replace_cost (dt_base g) (dt_slope g) kappa).
Proof.
  intros Hs Hr Hk Hc. pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01. pose proof (a_gap _ _ _ _ HA) as Hg.
  apply (epoch_total (DT stop F) (DT_leaves stop F) N (fun A m => INR F * Pr P m ran_out)); auto using dt_base_nonneg.
  - intros. unfold Pr. cbn. ring.
  - intros. eapply cut_obind; eauto using Rle_refl.
  - left. apply dt_slope_pos. lra.
  - intros. apply DT_cut; auto. apply (a_global _ _ _ _ HA); auto.
Qed.
End WithDuelTest.

Theorem lem_app_one_step_repair : lem_app_one_step_repair_statement.
Proof.
  intros cv P stop N w g c rho kappa HA Hs Hc Hr Hk bound. pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01.
  assert (K : forall F, Pr P (ScreenReplace (DT stop F) N c rho kappa) (wrong w) <= bound).
  { intro F. assert (0 <= bound) by (unfold bound; destruct (Nat.eqb c w); lra). apply Rle_trans with (1/20 * bound); [|lra].
    apply ScreenReplace_one_step; auto; [apply DT_leaves|apply (a_in _ _ _ _ HA)|lra|]. intros; eapply DT_good_all; eauto. }
  split; [exact K|]. intro Hp.
  eapply (returns_of P P01); auto; [intro F; apply ScreenReplace_refines; intros; apply DT_refines|].
  intro F. eapply epoch_cut; eauto.
Qed.

Theorem lem_app_screen_epoch_regret : lem_app_screen_epoch_regret_statement.
Proof.
  intros cv P stop N w g c rho kappa HA Hs Hp Hc Hr Hk n Sc Rc bound.
  pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01. pose proof (a_gap _ _ _ _ HA) as Hg.
  assert (K : forall F, expected_regret P (weak_regretful w) (ScreenReplace (DT stop F) N c rho kappa) <= bound).
  { intro F. unfold bound, n, Sc, Rc. replace (rho / 20) with (1/20 * rho) by field.
    apply (epoch_regret (DT stop F)); auto using dt_base_nonneg.
    - apply DT_leaves.
    - lra.
    - intros; eapply DT_good_all; eauto.
    - intros; apply seqtest_free.
    - left. apply dt_slope_pos. lra.
    - intros; eapply DT_cost_all; eauto. }
  repeat split; auto.
  - apply limit_ER; auto. intro F. apply ScreenReplace_refines. intros; apply DT_refines.
  - unfold bound, Sc, Rc, screen_cost, replace_cost, C_epoch, bkt_extra, dt_base, dt_slope.
    pose proof (ln_inv_pos rho Hr). pose proof (ln_inv_pos kappa Hk). pose proof (ln_inv_gap g Hg).
    assert (0 <= n) by apply pos_INR. assert (0 < / (g * g)) by (apply Rinv_0_lt_compat; nra).
    set (a := ln (/ rho)) in *. set (b := ln (/ kappa)) in *. set (e := ln (/ g)) in *.
    assert (0 <= n * / (g * g)) by (apply Rmult_le_pos; lra). destruct (Nat.eqb c w).
    + replace (n * (rho / 20 * (16 / 7 / (g * g) * (e + 1) + 4 / 7 / (g * g) * (b + 153 / 100))))
        with (n * / (g * g) * (rho * (1 / 20 * (16 / 7 * (e + 1) + 4 / 7 * (b + 153 / 100))))) by (field; lra).
      replace (51 / 10 * n / (g * g) * (0 + rho * (b + e + 1)))
        with (n * / (g * g) * (rho * (51 / 10 * (b + e + 1)))) by (field; lra).
      apply Rmult_le_compat_l; [auto|]. apply Rmult_le_compat_l; lra.
    + replace (n * (16 / 7 / (g * g) * (e + 1) + 4 / 7 / (g * g) * a + (16 / 7 / (g * g) * (e + 1) + 4 / 7 / (g * g) * (b + 153 / 100))))
        with (n * / (g * g) * (32 / 7 * (e + 1) + 4 / 7 * (a + b + 153 / 100))) by (field; lra).
      replace (51 / 10 * n / (g * g) * (a + b + e + 1 + rho * (b + e + 1)))
        with (n * / (g * g) * (51 / 10 * (a + b + e + 1) + 51 / 10 * (rho * (b + e + 1)))) by (field; lra).
      assert (0 <= rho * (b + e + 1)) by (apply Rmult_le_pos; lra).
      apply Rmult_le_compat_l; [auto|lra].
Qed.
