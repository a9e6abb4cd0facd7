(** * BKT: the balanced knockout tournament on a set of arms *)
From Coq Require Import Ratan Machin.
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Basel.
Open Scope R_scope.

Lemma perm_NoDup (X Y : list arm) : Permutation Y X -> NoDup X -> NoDup Y.
Proof. intros H N. eapply Permutation_NoDup; [apply Permutation_sym; exact H|exact N]. Qed.
Lemma perm_In (X Y : list arm) a : Permutation Y X -> (In a Y <-> In a X).
Proof. intro H. split; apply Permutation_in; auto using Permutation_sym. Qed.

(** ** Correctness, for any test that seldom loses [w] *)

Fixpoint sumfrom (dr : nat -> R) (r k : nat) : R :=
  match k with O => 0 | S k' => dr r + sumfrom dr (S r) k' end.

Lemma sumfrom_nonneg f k : forall r, (forall j, (r <= j)%nat -> 0 <= f j) -> 0 <= sumfrom f r k.
Proof.
  induction k as [|k IH]; intros r H; cbn [sumfrom]; [lra|].
  apply Rplus_le_le_0_compat; [auto|apply IH; auto with arith].
Qed.

Lemma bkt_step {cv : conventions} {tag Lv} (test : Lv -> arm -> arm -> program tag (option arm)) entrants f dr r x y Y :
  let X := x :: y :: Y in
  bkt test entrants (S f) dr r X =
  obind (round test (dr r) (pairing entrants r X)) (fun Y => bkt test entrants f dr (S r) Y).
Proof. reflexivity. Qed.

Section Correct.
Context {cv : conventions}.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable test : R -> arm -> arm -> prog (option arm).

Variable w : arm.
(** A test at level [d] loses [w] to [j] with probability at most a share of [d]. *)
Variable share : R.
Hypothesis share0 : 0 <= share.
Definition good (d : R) (j : arm) : Prop :=
  Pr P (test d w j) (wrong w) <= share * d /\ Pr P (test d j w) (wrong w) <= share * d.

Definition lost (o : option (list arm)) : bool :=
  match o with None => false | Some Z => negb (existsb (Nat.eqb w) Z) end.

Lemma round_lost d : 0 <= d -> forall n X, (length X <= n)%nat -> NoDup X -> In w X ->
  (forall j, In j X -> j <> w -> good d j) ->
  Pr P (round test d X) lost <= share * d.
Proof.
  intros Hd n. assert (0 <= share * d) as Hsd by positive. induction n as [|n IH]; intros X Hn ND Hw Hg.
  { destruct X; [destruct Hw|simpl in Hn; lia]. }
  destruct X as [|u [|v Y]].
  - destruct Hw.
  - destruct Hw as [->|[]]. cbn [round]. unfold Pr; simpl. rewrite Nat.eqb_refl. simpl. lra.
  - cbn [round]. inversion ND as [|? ? Nu ND1]; subst. inversion ND1 as [|? ? Nv ND2]; subst.
    assert (C : In w Y \/ u = w \/ v = w) by (destruct Hw as [|[|]]; auto). destruct C as [C|C].
    + (* w plays in the remaining pairs *)
      apply (Pr_obind_uniform P P01); auto. intro x. apply Rle_trans with (Pr P (round test d Y) lost + 0).
      * apply (Pr_union P P01 (fun _ => True)); [lra|apply leaves_true|auto|].
        intros Z _ HZ. unfold Pr. cbn in *. destruct (Nat.eqb w x); cbn; [|rewrite HZ]; lra.
      * rewrite Rplus_0_r. apply IH; auto; [simpl in Hn; lia|]. intros j Hj. apply Hg. simpl; auto.
    + (* w plays in this pair *)
      assert (T : Pr P (test d u v) (wrong w) <= share * d).
      { destruct C as [->| ->]; apply Hg; simpl; auto; intros ->; apply Nu; simpl; auto. }
      rewrite <- (Rplus_0_r (share * d)). eapply Rle_trans; [|apply Rplus_le_compat_r, T].
      apply (Pr_union P P01 (fun _ => True)); [lra|apply leaves_true|auto|].
      intros x _ Hx. apply negb_false_iff, Nat.eqb_eq in Hx. subst x. apply (Pr_obind_uniform P P01); auto; [lra|].
      intro Z. unfold Pr. cbn. rewrite Nat.eqb_refl. cbn. lra.
Qed.

Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).

Definition sub_ok (X : list arm) (o : option (list arm)) : Prop :=
  match o with None => True | Some Z => NoDup Z /\ incl Z X /\ (length X <= 2 * length Z <= length X + 1)%nat end.

Lemma round_leaves d : forall n X, (length X <= n)%nat -> NoDup X -> leaves (sub_ok X) (round test d X).
Proof.
  intro n. induction n as [|n IH]; intros X Hn ND.
  { destruct X; simpl in *; [|lia]. repeat split; auto using incl_refl. }
  destruct X as [|u [|v Y]]; try (simpl; repeat split; auto using incl_refl; fail). cbn [round].
  - inversion ND as [|? ? Nu ND1]; subst. inversion ND1 as [|? ? Nv ND2]; subst.
    eapply leaves_bind; [apply test_leaves|]. intros [x|] Hx; [|exact Logic.I].
    eapply leaves_bind; [apply (IH Y); auto; simpl in Hn; lia|].
    intros [Z|] HZ; [|exact Logic.I]. destruct HZ as (NZ & IZ & LZ). simpl.
    assert (~ In x Z).
    { intro Hi. apply IZ in Hi. destruct Hx as [->| ->]; [apply Nu; simpl; auto|apply Nv; auto]. }
    repeat split.
    + constructor; auto.
    + intros y [->|Hy]; [destruct Hx as [->| ->]; simpl; auto|simpl; auto].
    + lia.
    + lia.
Qed.

Lemma pair_round entrants d r X : NoDup X -> leaves (sub_ok X) (round test d (pairing entrants r X)).
Proof.
  intro ND. pose proof (pairing_perm entrants r X) as H.
  eapply leaves_impl; [apply (round_leaves d _ (pairing entrants r X) (le_n _)); eapply perm_NoDup; eauto|].
  intros [Z|]; [|auto]. cbn. rewrite (Permutation_length H). intros (A & B & C). repeat split; auto; try lia.
  intros a Ha. apply (perm_In _ _ a H), B, Ha.
Qed.

Lemma bkt_correct entrants dr : (forall r, 0 <= dr r) ->
  forall fuel r X, NoDup X -> In w X ->
  (forall r j, In j X -> j <> w -> good (dr r) j) ->
  Pr P (bkt test entrants fuel dr r X) (wrong w) <= sumfrom (fun r => share * dr r) r fuel.
Proof.
  intros Hdr. set (er := fun r => share * dr r).
  assert (Her : forall r, 0 <= er r) by (intro r; apply Rmult_le_pos; auto).
  assert (SN : forall k r, 0 <= sumfrom er r k) by (intros; now apply sumfrom_nonneg).
  induction fuel as [|f IH]; intros r X ND Hw Hg.
  - destruct X as [|x [|y Y]]; cbn [bkt sumfrom]; unfold Pr; simpl; try lra.
    destruct Hw as [->|[]]. rewrite Nat.eqb_refl; simpl; lra.
  - destruct X as [|x [|y Y]].
    + destruct Hw.
    + destruct Hw as [->|[]]. cbn [bkt]. unfold Pr; simpl. rewrite Nat.eqb_refl; simpl.
      specialize (SN f (S r)). specialize (Her r). lra.
    + rewrite bkt_step. set (X := x :: y :: Y) in *. cbv zeta. cbn [sumfrom].
      pose proof (pairing_perm entrants r X) as PP.
      assert (RL : Pr P (round test (dr r) (pairing entrants r X)) lost <= er r).
      { eapply round_lost; auto.
        - eapply perm_NoDup; eauto.
        - apply (perm_In _ _ w PP); auto.
        - intros j Hj. apply (perm_In _ _ j PP) in Hj. apply Hg; auto. }
      eapply Rle_trans; [|apply Rplus_le_compat_r; exact RL].
      apply (Pr_union P P01 (sub_ok X)); [apply SN|now apply pair_round|auto|].
      intros Z (NZ & IZ & _) HZ. apply negb_false_iff, existsb_exists in HZ. destruct HZ as (w' & Hin & He).
      apply Nat.eqb_eq in He. subst w'. apply IH; auto.
Qed.

Definition in_opt (X : list arm) (o : option arm) : Prop := match o with None => True | Some x => In x X end.
Lemma bkt_leaves entrants dr : forall fuel r X, NoDup X -> leaves (in_opt X) (bkt test entrants fuel dr r X).
Proof.
  induction fuel as [|f IH]; intros r X ND; destruct X as [|x [|y Y]];
    try exact Logic.I; try (cbn; left; reflexivity).
  rewrite bkt_step. cbv zeta. set (X := x :: y :: Y) in *.
  eapply leaves_bind; [apply (pair_round entrants (dr r) r X); auto|].
  intros [Z|] HZ; [|exact Logic.I]. destruct HZ as (NZ & IZ & _).
  eapply leaves_impl; [apply IH; auto|]. intros [a|] Ha; [exact (IZ a Ha)|exact Logic.I].
Qed.
End Correct.

(** ** The levels of the rounds *)

Lemma round_level_range (d : R) r : 0 < d < 1 -> 0 < round_level d r < 1.
Proof.
  intro Hd. assert (3 < PI) by (pose proof PI2_3_2; lra).
  assert (1 <= INR (S r)) by (apply (le_INR 1); lia).
  assert (9 < PI * PI) by nra. assert (1 <= INR (S r) * INR (S r)) by nra.
  assert (9 < PI * PI * (INR (S r) * INR (S r))) by nra. unfold round_level, real_bkt_levels. split.
  - apply Rdiv_lt_0_compat; lra.
  - apply (Rlt_div_l (6 * d)); lra.
Qed.

Lemma sumfrom_shift f k : forall r, sumfrom f (S r) k = sumfrom (fun j => f (S j)) r k.
Proof. induction k; intro r; simpl; [reflexivity|]. now rewrite IHk. Qed.
Lemma sumfrom_sm f k : sumfrom f 0 k = sm f k.
Proof.
  revert f. induction k; intro f; [reflexivity|]. rewrite sm_shift. cbn [sumfrom].
  now rewrite sumfrom_shift, IHk.
Qed.

Lemma BKT_correct {cv : conventions} P (P01 : forall u v, 0 <= P u v <= 1) test w share X d :
  (forall d u v, leaves (one_of u v) (test d u v)) -> 0 <= share -> 0 < d < 1 -> NoDup X -> In w X ->
  (forall d j, 0 < d < 1 -> In j X -> j <> w -> good P test w share d j) ->
  Pr P (BKT test X d) (wrong w) <= share * d.
Proof.
  intros TL Hsh Hd ND Hin HG. eapply Rle_trans.
  - apply bkt_correct with (share := share); auto.
    + intro r. left. apply round_level_range; auto.
    + intros r j Hj Hjw. apply HG; auto. apply round_level_range; auto.
  - rewrite sumfrom_sm, sm_scal. apply Rmult_le_compat_l; [lra|]. apply bkt_levels_sum. lra.
Qed.

(** ** Cost, for any functional that adds up along sequencing (expected, worst case, running out) *)

Section Cost.
Context {cv : conventions}.
Variable cost : forall A : Type, prog (option A) -> R.
Arguments cost {A}.
Hypothesis Add : additive (@cost).

Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Variable ok : arm -> Prop.                   (* the arms that may meet *)
Variables base slope : R.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Hypothesis test_cost : forall d u v, 0 < d < 1 -> ok u -> ok v -> u <> v ->
  cost (test d u v) <= base + slope * ln (/ d).

Let C (d : R) := base + slope * ln (/ d).
Lemma C_nonneg d : 0 < d < 1 -> 0 <= C d.
Proof using base0 slope0. intro H. unfold C. pose proof (ln_inv_pos d H). positive. Qed.

Lemma round_cost d : 0 < d < 1 ->
  forall n (X : list arm), (length X <= n)%nat -> NoDup X -> (forall j, In j X -> ok j) ->
  cost (round test d X) <= INR (length X / 2) * C d.
Proof using Add test_leaves test_cost base0 slope0.
  intros Hd n. pose proof (C_nonneg d Hd) as HC. induction n as [|n IH]; intros X Hn ND HX.
  - destruct X; [|simpl in Hn; lia]. cbn [round]. rewrite (cost_some _ Add). simpl. lra.
  - destruct X as [|u [|v Y]]; cbn [round]; try (rewrite (cost_some _ Add); simpl; lra).
    inversion ND as [|? ? Nu ND1]; subst. inversion ND1 as [|? ? Nv ND2]; subst.
    assert (length (u :: v :: Y) / 2 = S (length Y / 2))%nat as ->.
    { cbn [length]. replace (S (S (length Y))) with (length Y + 1 * 2)%nat by lia. rewrite Nat.div_add by lia. lia. }
    rewrite S_INR. assert (IHY : cost (round test d Y) <= INR (length Y / 2) * C d).
    { apply IH; [cbn [length] in Hn; lia|auto|intros; apply HX; simpl; auto]. }
    assert (0 <= INR (length Y / 2) * C d) by positive.
    eapply Rle_trans; [eapply (cost_obind _ Add) with (c := INR (length Y / 2) * C d); [auto|apply test_leaves|]|].
    + intros x _. eapply Rle_trans; [apply (cost_obind _ Add) with (c := 0) (Q := fun _ => True)|lra];
        [lra|apply leaves_true|]. intros Z _. rewrite (cost_some _ Add). lra.
    + assert (cost (test d u v) <= C d).
      { apply test_cost; auto; [apply HX; simpl; auto|apply HX; simpl; auto|]. intros ->. apply Nu; simpl; auto. }
      lra.
Qed.

(** [V r] bounds what each arm that will be eliminated costs from round [r] on: at least half of them
    are eliminated in that round. *)
Lemma bkt_cost entrants dr (V : nat -> R) : (forall r, 0 < dr r < 1) -> (forall r, 0 <= V r) ->
  (forall r, C (dr r) <= V (S r)) -> (forall r, C (dr r) + V (S r) <= 2 * V r) ->
  forall f r (X : list arm), NoDup X -> (forall j, In j X -> ok j) -> (1 <= length X <= S f)%nat ->
  cost (bkt test entrants f dr r X) <= INR (length X - 1) * V r.
Proof using Add test_leaves test_cost base0 slope0.
  intros Hdr HV HC HC2. induction f as [|f IH]; intros r X ND HX HL.
  all: destruct X as [|x [|y Y]]; [simpl in HL; lia|cbn [bkt length]; rewrite (cost_some _ Add); simpl; lra|].
  - simpl in HL. lia.
  - rewrite bkt_step. cbv zeta. set (X := x :: y :: Y) in *.
    pose proof (pairing_perm entrants r X) as PP. pose proof (HV (S r)) as V1.
    set (m := length X) in *. set (c := INR ((m - 1) / 2) * V (S r)).
    assert (0 <= c) as Hc by (unfold c; positive).
    assert (2 <= m)%nat as M2 by (unfold m, X; simpl; lia).
    eapply Rle_trans; [apply (cost_obind _ Add) with (Q := sub_ok X) (c := c); auto|].
    + apply pair_round; auto.
    + intros Z (NZ & IZ & LZ). fold m in LZ. eapply Rle_trans; [apply IH; auto; lia|].
      unfold c. apply Rmult_le_compat_r; [auto|].
      apply le_INR. apply Nat.div_le_lower_bound; lia.
    + assert (RC : cost (round test (dr r) (pairing entrants r X)) <= INR (m / 2) * C (dr r)).
      { eapply Rle_trans; [apply (round_cost (dr r) (Hdr r) m (pairing entrants r X))|].
        - rewrite (Permutation_length PP). apply le_n.
        - eapply perm_NoDup; eauto.
        - intros j Hj. apply HX. apply (perm_In _ _ j PP), Hj.
        - rewrite (Permutation_length PP). fold m. apply Rle_refl. }
      assert (m / 2 + (m - 1) / 2 = m - 1)%nat as E1.
      { pose proof (Nat.div_mod m 2 ltac:(lia)). pose proof (Nat.div_mod (m - 1) 2 ltac:(lia)).
        pose proof (Nat.mod_upper_bound m 2 ltac:(lia)). pose proof (Nat.mod_upper_bound (m - 1) 2 ltac:(lia)). lia. }
      assert (2 * ((m - 1) / 2) <= m - 1)%nat as E2 by (apply Nat.mul_div_le; lia).
      assert (INR (m / 2) + INR ((m - 1) / 2) = INR (m - 1)) as F1 by (rewrite <- plus_INR, E1; reflexivity).
      assert (2 * INR ((m - 1) / 2) <= INR (m - 1)) as F2 by (rewrite <- (mult_INR 2); apply le_INR; auto).
      unfold c. pose proof (HC r) as A1. pose proof (HC2 r) as A2.
      set (q := INR ((m - 1) / 2)) in *. set (h := INR (m / 2)) in *. set (M := INR (m - 1)) in *.
      assert (h = M - q) as EH by lra. rewrite EH in RC. assert (0 <= M) by apply pos_INR.
      assert (0 <= (M - 2 * q) * (V (S r) - C (dr r))) by positive.
      assert (0 <= M * (2 * V r - C (dr r) - V (S r))) by positive. lra.
Qed.

Lemma PI_square : PI * PI / 6 <= 16463/10000.
Proof.
  pose proof PI_RGT_0. assert (PI <= 22/7); [|nra].
  pose proof (proj2 (PI_2_3_7_ineq 1)) as H'. unfold tg_alt, PI_2_3_7_tg, Ratan_seq in H'. simpl in H'. lra.
Qed.

Lemma ln_basel : ln (PI * PI / 6) <= 501/1000.
Proof.
  pose proof PI_RGT_0. pose proof PI_square.
  assert (1645/1000 <= exp (1/2)) as E by (apply (exp_lower 1 2 1645 1000 64); vm_compute; reflexivity).
  pose proof (ln_tangent (PI * PI / 6) (exp (1/2)) ltac:(nra) (exp_pos _)) as T. rewrite ln_exp in T.
  assert (PI * PI / 6 / exp (1/2) <= 16463/10000 / (1645/1000)); [|lra].
  apply Rmult_le_compat; [nra|positive|lra|apply Rinv_le_contravar; lra].
Qed.

Lemma round_level_C d r : 0 < d < 1 ->
  C (round_level d r) <= base + slope * (ln (/ d) + 501/1000 + 2 * ln (INR (S r))).
Proof using slope0.
  intro Hd. unfold C, round_level, real_bkt_levels. pose proof PI_RGT_0 as P0. pose proof ln_basel as LB.
  assert (0 < INR (S r)) as Hr by (apply INR_pos; lia).
  assert (/ (6 * d / (PI * PI * (INR (S r) * INR (S r)))) = / d * ((PI * PI / 6) * (INR (S r) * INR (S r)))) as ->
    by (field; repeat split; try lra; apply Rgt_not_eq; lra).
  rewrite (ln_mult (/ d)), (ln_mult (PI * PI / 6)), (ln_mult (INR (S r))) by positive.
  apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.

(** What the rounds add: 2 ln r on average over the rounds in which arms are eliminated, half of those
    that are left in each; exact for three rounds, then with a tangent. *)
Definition rounds_extra (r : nat) : R :=
  match r with
  | 0%nat => 1026/1000
  | 1%nat => 2052/1000
  | 2%nat => 2716/1000
  | _ => 1624/1000 + 2/5 * INR (S r)
  end.

Lemma rounds_extra_step r : 2 * ln (INR (S r)) <= rounds_extra (S r) /\
  2 * ln (INR (S r)) + rounds_extra (S r) <= 2 * rounds_extra r.
Proof.
  pose proof ln2_le as L2. assert (2 * ln 3 <= 2207/1000) as L3.
  { pose proof (ln_tangent 9 8 ltac:(lra) ltac:(lra)) as T. replace 9 with (3 * 3) in T at 1 by ring.
    replace 8 with (2 * (2 * 2)) in T at 2 by ring. rewrite !ln_mult in T by lra. lra. }
  assert (2 * ln 5 <= 3224/1000) as L5.
  { pose proof (ln_tangent 125 128 ltac:(lra) ltac:(lra)) as T. replace 125 with (5 * (5 * 5)) in T at 1 by ring.
    replace 128 with (2 * (2 * (2 * (2 * (2 * (2 * 2)))))) in T at 2 by ring. rewrite !ln_mult in T by lra. lra. }
  destruct r as [|[|[|r]]].
  - cbn [rounds_extra]. change (INR 1) with 1. rewrite ln_1. lra.
  - cbn [rounds_extra]. change (INR 2) with 2. lra.
  - cbn [rounds_extra]. replace (INR 3) with 3 by (simpl; lra). replace (INR 4) with 4 by (simpl; lra). lra.
  - cbn [rounds_extra]. assert (0 < INR (S (S (S (S r))))) as Hx by (apply INR_pos; lia).
    pose proof (ln_tangent (INR (S (S (S (S r))))) 5 Hx ltac:(lra)) as T. rewrite (S_INR (S (S (S (S r))))).
    set (x := INR (S (S (S (S r))))) in *. lra.
Qed.

Lemma BKT_cost (X : list arm) d : 0 < d < 1 -> NoDup X -> (forall j, In j X -> ok j) -> (1 <= length X)%nat ->
  cost (BKT test X d) <= INR (length X - 1) * (base + slope * (ln (/ d) + bkt_extra)).
Proof using Add test_leaves test_cost base0 slope0.
  intros Hd ND HX HL. pose proof (ln_inv_pos d Hd).
  eapply Rle_trans; [apply bkt_cost with (V := fun r => base + slope * (ln (/ d) + 501/1000 + rounds_extra r)); auto|].
  - intro r; apply round_level_range; auto.
  - intro r. assert (0 <= rounds_extra r) by (destruct r as [|[|[|r]]]; cbn [rounds_extra]; positive). positive.
  - intro r. eapply Rle_trans; [apply round_level_C; auto|]. pose proof (proj1 (rounds_extra_step r)).
    apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
  - intro r. pose proof (round_level_C d r Hd) as RC. pose proof (proj2 (rounds_extra_step r)) as W.
    apply Rmult_le_compat_l with (r := slope) in W; [|lra]. lra.
  - apply Rmult_le_compat_l; [apply pos_INR|]. unfold bkt_extra, rounds_extra.
    apply Rplus_le_compat_l, Rmult_le_compat_l; lra.
Qed.
End Cost.

(** ** Two tests that are alike make algorithms that are alike

    [alike] is any relation that sequencing keeps: longer horizons, equal first rounds, or what is executed. *)
Record sequential {tag tag'} (alike : forall A, program tag (option A) -> program tag' (option A) -> Prop) : Prop := {
  alike_none : forall A, alike A (Ret None) (Ret None);
  alike_some : forall A a, alike A (Ret (Some a)) (Ret (Some a));
  alike_obind : forall A B m m' k k',
    alike A m m' -> (forall a, alike B (k a) (k' a)) -> alike B (obind m k) (obind m' k') }.

Section Alike.
Context {cv : conventions} {tag tag' Lv Lv' : Type} {bl : bkt_levels Lv} {bl' : bkt_levels Lv'}.
Variable alike : forall A, program tag (option A) -> program tag' (option A) -> Prop.
Arguments alike {A}.
Hypothesis Seq : sequential (@alike).
Variable same : Lv -> Lv' -> Prop.
Variables (t : Lv -> arm -> arm -> program tag (option arm)) (t' : Lv' -> arm -> arm -> program tag' (option arm)).
Hypothesis tests_alike : forall l d u v, same l d -> alike (t l u v) (t' d u v).

Ltac sequence := first [apply (alike_some _ Seq) | apply (alike_none _ Seq) | apply (alike_obind _ Seq); [auto|intro]].

(** The levels of a tournament's rounds; there are fewer than entrants. *)
Definition rounds_alike (X : list arm) (l : Lv) (d : Lv') : Prop :=
  forall r, (r < length X)%nat -> same (round_level l r) (round_level d r).

Lemma BKT_alike X l d : rounds_alike X l d -> alike (BKT t X l) (BKT t' X d).
Proof.
  assert (Round : forall l d n X, same l d -> (length X <= n)%nat -> alike (round t l X) (round t' d X)).
  { clear - tests_alike Seq. intros l d n X S. revert X.
    induction n as [|n IH]; intros [|u [|v X]] H; cbn [round]; try sequence; cbn [length] in H; try lia.
    apply (alike_obind _ Seq); [apply IH; lia|intro; sequence]. }
  assert (G : forall entrants f r Y, (forall j, (j < r + f)%nat -> same (round_level l j) (round_level d j)) ->
    alike (bkt t entrants f (round_level l) r Y) (bkt t' entrants f (round_level d) r Y)).
  { induction f as [|f IH]; intros r [|x [|y Y]] S; cbn [bkt]; try sequence.
    - eapply Round; [apply S; lia|apply le_n].
    - apply IH. intros j Hj. apply S. lia. }
  intro S. exact (G X (length X) 0%nat X S).
Qed.

Lemma ascend_alike Q (be et : nat -> Lv) (be' et' : nat -> Lv') H : (forall h, (h < H)%nat -> Q (S h) <> [] ->
    rounds_alike (Q (S h)) (be (S h)) (be' (S h)) /\ same (et (S h)) (et' (S h))) ->
  forall k h c, (h + k <= H)%nat -> alike (ascend t Q be et k h c) (ascend t' Q be' et' k h c).
Proof.
  intro V. induction k as [|k IH]; intros h c Hh; cbn [ascend]; [sequence|]. specialize (V h ltac:(lia)).
  destruct (Q (S h)) as [|x X] eqn:EQ; [apply IH; lia|]. destruct V as [V1 V2]; [discriminate|].
  apply (alike_obind _ Seq); [now apply BKT_alike|intro].
  apply (alike_obind _ Seq); [now apply tests_alike|intro]. apply IH. lia.
Qed.

Lemma ScreenReplace_alike N c rho kappa rho' kappa' : same rho rho' -> (forall X, rounds_alike X kappa kappa') ->
  alike (ScreenReplace t N c rho kappa) (ScreenReplace t' N c rho' kappa').
Proof.
  intros S S'. apply (alike_obind _ Seq); [|intros [|j B]; [sequence|now apply BKT_alike]].
  induction (others N c) as [|j l IH]; cbn [screen]; repeat sequence.
Qed.
End Alike.

(** ** Longer horizons *)

Lemma refines_sequential : sequential (@refines unit).
Proof. split; [constructor|constructor|intros; now apply refines_obind]. Qed.

Lemma BKT_refines {cv : conventions} (t t' : R -> arm -> arm -> prog (option arm)) X d :
  (forall d u v, refines (t d u v) (t' d u v)) -> refines (BKT t X d) (BKT t' X d).
Proof. intro tt. now apply (BKT_alike _ refines_sequential eq); [now intros ? ? ? ? ->|]. Qed.

(** ** With DuelTest *)

Lemma DT_leaves stop F d u v : leaves (one_of u v) (DT stop F d u v).
Proof. apply seqtest_leaves. Qed.

(** The winner loses only when the other arm is returned. *)
Lemma good_of P (P01 : forall u v, 0 <= P u v <= 1) test w share d j :
  j <> w -> (forall u v, leaves (one_of u v) (test d u v)) ->
  Pr P (test d w j) (is_arm j) <= share * d -> Pr P (test d j w) (is_arm j) <= share * d -> good P test w share d j.
Proof.
  intros Hjw L A B.
  split; (eapply Rle_trans; [apply (wrong_loser P P01) with (y := j); [congruence|]|]); [apply L|exact A| |exact B].
  eapply leaves_impl; [apply L|]. intros [z|]; cbn; tauto.
Qed.

Lemma DT_good P stop F w d j : valid P -> sound stop -> 0 < d < 1 -> j <> w -> 1/2 < P w j ->
  good P (DT stop F) w (1/20) d j.
Proof.
  intros [P01 PA] Hs Hd Hjw Hp. pose proof (PA w j).
  assert (u : w <> j) by auto. apply good_of; auto using DT_leaves;
    (eapply Rle_trans; [apply (DT_wrong P P01 stop d F); auto|]; lra).
Qed.

Lemma dt_base_nonneg g : 0 < g <= 1/2 -> 0 <= dt_base g.
Proof.
  intro Hg. unfold dt_base. pose proof (ln_inv_pos g ltac:(lra)).
  positive.
Qed.
Lemma dt_slope_pos g : 0 < g -> 0 < dt_slope g.
Proof. intro Hg. unfold dt_slope. apply Rdiv_lt_0_compat; nra. Qed.

Lemma dt_base_units g : dt_base g = 16/7 * (ln (/ g) + 1) / (g * g).
Proof. unfold dt_base, Rdiv. ring. Qed.

Lemma in_units n g B S x C y : 0 < g -> 0 <= n -> B + S * x <= C * y ->
  n * (B / (g * g) + S / (g * g) * x) <= C * n / (g * g) * y.
Proof.
  intros Hg Hn H. apply (Rmult_le_compat_l (n * / (g * g))) in H; [unfold Rdiv; lra|positive].
Qed.

Theorem lem_app_bkt_subset_cost : lem_app_bkt_subset_cost_statement.
Proof.
  intros cv P stop X d g HP Hs Hd ND HL Hg Hgap bound. pose proof (valid_01 P HP) as P01.
  assert (K : forall F, ET P (BKT (DT stop F) X d) <= bound).
  { intro F. apply (BKT_cost (fun A m => ET P m)) with (ok := fun j => In j X);
      auto using ET_additive, DT_leaves, dt_base_nonneg.
    - left. apply dt_slope_pos. lra.
    - intros d' u v Hd' Hu Hv Huv. apply DT_time; auto. }
  repeat split; auto.
  - apply at_most_ET; auto. intro F. apply BKT_refines. intros; apply DT_refines.
  - unfold bound. rewrite dt_base_units. apply in_units; [lra|apply pos_INR|]. unfold C_bkt, bkt_extra.
    pose proof (ln_inv_pos d Hd). pose proof (ln_inv_gap g Hg). lra.
Qed.

Theorem lem_app_bkt_subset_correct : lem_app_bkt_subset_correct_statement.
Proof.
  intros cv P stop X w d HP Hs Hd ND Hin Hw. pose proof (valid_01 P HP) as P01.
  assert (K : forall F, Pr P (BKT (DT stop F) X d) (wrong w) <= d).
  { intro F. apply Rle_trans with (1/20 * d); [|lra]. apply BKT_correct; auto; [apply DT_leaves|lra|].
    intros d' j Hd' Hj Hjw. apply DT_good; auto. }
  split; [exact K|]. intros g Hpr Hg Hgap.
  apply (returns_of P P01 (fun F => BKT (DT stop F) X d)) with
    (K := INR (length X - 1) * (dt_base g + dt_slope g * (ln (/ d) + bkt_extra))); auto.
  - intro F. apply BKT_refines. intros; apply DT_refines.
  - intro F. apply (BKT_cost (fun A m => INR F * Pr P m ran_out)) with (ok := fun j => In j X);
      auto using cut_additive, dt_base_nonneg, DT_leaves.
    + left. apply dt_slope_pos. lra.
    + intros. apply DT_cut; auto.
    + destruct X; [destruct Hin|cbn; lia].
Qed.
