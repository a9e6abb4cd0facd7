(** * TG-ITE-Strong: identify with TreeAscent, then self-play

    Strong regret with a known horizon and at any time.  The programs include the rounds of self-play. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith NArith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT Limits.
From TGITE Require Import TreeAscent BAI.
Open Scope R_scope.

(** ** Self-play *)

Lemma self_play_regret P w {A} n c (next : prog A) :
  expected_regret P (strong_regretful w) (self_play n c next)
  = (if Nat.eqb c w then 0 else INR n) + expected_regret P (strong_regretful w) next.
Proof.
  induction n as [|n IH]; cbn [self_play expected_regret]; [simpl; destruct (Nat.eqb c w); ring|].
  rewrite IH, S_INR. unfold strong_regretful. destruct (Nat.eqb c w); cbn; ring.
Qed.

Lemma self_play_plays {A} T : forall n c (next : prog A), plays (T - n) next -> plays T (self_play n c next).
Proof.
  induction T as [|T IH]; intros n c next H; [exact Logic.I|]. destruct n as [|n]; cbn [self_play]; [exact H|].
  cbn. intros _. apply IH. exact H.
Qed.

Lemma self_play_agree {A} T : forall n c (x y : prog A),
  agree (T - n) x y -> agree T (self_play n c x) (self_play n c y).
Proof.
  induction T as [|T IH]; intros n c x y H; [exact Logic.I|]. destruct n as [|n]; cbn [self_play]; [exact H|].
  cbn. repeat split. intros _. apply IH. exact H.
Qed.

(** ** Counting phases *)

Definition rounds (s : nat) : nat := N.to_nat (block s).

Lemma rounds_pow s : rounds s = (2 ^ (2 ^ s))%nat.
Proof. unfold rounds, block. now rewrite !Nnat.N2Nat.inj_pow, Nnat.Nat2N.id. Qed.

Lemma rounds_ge2 s : (2 <= rounds s)%nat.
Proof.
  rewrite rounds_pow. apply Nat.le_trans with (2 ^ 1)%nat; [simpl; lia|]. apply Nat.pow_le_mono_r; [lia|].
  pose proof (Nat.pow_nonzero 2 s). lia.
Qed.

Lemma phase_level_rounds s : phase_level s = / INR (rounds s).
Proof. rewrite rounds_pow, pow_INR. reflexivity. Qed.

Lemma phase_level_range s : 0 < phase_level s < 1.
Proof.
  rewrite phase_level_rounds. assert (2 <= INR (rounds s)) by (apply (le_INR 2), rounds_ge2).
  split; [positive|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.

(** The rounds of self-play in the phases [s] to [s+k-1]. *)
Fixpoint blocks (k s : nat) : nat := match k with O => O | S k' => (rounds s + blocks k' (S s))%nat end.

Lemma blocks_last k : forall s, (rounds (s + k) <= blocks (S k) s)%nat.
Proof.
  induction k as [|k IH]; intro s; cbn [blocks]; [rewrite Nat.add_0_r; lia|]. specialize (IH (S s)). cbn [blocks] in IH.
  replace (s + S k)%nat with (S s + k)%nat by lia. lia.
Qed.

Lemma blocks_mono k : forall k' s, (k <= k')%nat -> (blocks k s <= blocks k' s)%nat.
Proof. induction k as [|k IH]; intros [|k'] s H; cbn [blocks]; try lia. specialize (IH k' (S s)). lia. Qed.

Theorem phase_count_spec : phase_count_spec_statement.
Proof.
  intros T HT. unfold phase_count. set (n := (T + 2)%nat). set (m := Nat.log2_up n).
  assert (2 <= m)%nat as Hm.
  { apply Nat.le_trans with (Nat.log2_up 4); [cbn; lia|apply Nat.log2_up_le_mono; unfold n; lia]. }
  pose proof (Nat.log2_up_spec m ltac:(lia)) as [A A'].
  pose proof (Nat.log2_up_spec n ltac:(unfold n; lia)) as [B B']. fold m in B, B'.
  assert (1 <= Nat.log2_up m)%nat by (apply Nat.log2_up_pos; lia). split; [auto|split].
  - apply Nat.le_lt_trans with (2 := B). apply Nat.pow_le_mono_r; [lia|].
    replace (Nat.log2_up m - 1)%nat with (Nat.pred (Nat.log2_up m)) by lia. lia.
  - eapply Nat.le_trans; [exact B'|]. apply Nat.pow_le_mono_r; lia.
Qed.

Lemma blocks_exceed T k : (2 <= T)%nat -> (phase_count T <= k)%nat -> (T + 2 <= blocks k 1)%nat.
Proof.
  intros HT Hk. destruct (phase_count_spec T HT) as (A & _ & B). rewrite <- rounds_pow in B.
  eapply Nat.le_trans; [exact B|]. eapply Nat.le_trans; [|apply blocks_mono; exact Hk].
  replace (phase_count T) with (S (phase_count T - 1)) at 2 by lia.
  replace (phase_count T) with (1 + (phase_count T - 1))%nat at 1 by lia. apply blocks_last.
Qed.

(** ** The policies, with any pairwise test *)

Section Generic.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N L : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share base slope : R.
Hypothesis Test : pairwise_test P N w test share base slope.
Hypothesis HB : balanced_tree N L.
Let P01 := pt_P01 _ _ _ _ _ _ _ Test.
Let share01 := pt_share _ _ _ _ _ _ _ Test.

(** The pathwise bound tau + n 1{wrong}, in expectation, for a pass, [n] rounds of self-play and the rest. *)
Lemma pass_then_self_play F b eps n (next : arm -> prog (option arm)) rest : (b < N)%nat -> 0 < eps < 1 -> 0 <= rest ->
  (forall c, (c < N)%nat -> expected_regret P (strong_regretful w) (next c) <= rest) ->
  expected_regret P (strong_regretful w) (obind (TG_ITE_BAI (test F) N L b eps) (fun c => self_play n c (next c)))
  <= pass_cost N base slope eps - slope * ta_saved + share * (INR n * eps) + rest.
Proof.
  intros Hb He Hr Hn. unfold obind. rewrite ER_bind. rewrite Rplus_assoc. apply Rplus_le_compat.
  { eapply Rle_trans; [apply ER_le_ET; auto|].
    apply (TreeAscent_cost_saved (fun A m => ET P m));
      eauto using ET_additive, pt_answers, pt_base, pt_slope, pt_cost. }
  set (lost := fun o => if wrong w o then 1 else 0).
  apply Rle_trans with (expect P (TG_ITE_BAI (test F) N L b eps) (fun o => INR n * lost o + rest)).
  - eapply (E_mono_leaves P P01); [eapply pass_range; eauto|]. intros [c|] Hc; unfold lost; cbn [wrong].
    + rewrite self_play_regret. specialize (Hn c Hc). destruct (Nat.eqb c w); cbn [negb]; lra.
    + cbn. lra.
  - rewrite E_plus, E_const, E_scal. apply Rplus_le_compat_r.
    replace (share * (INR n * eps)) with (INR n * (share * eps)) by ring.
    apply Rmult_le_compat_l; [apply pos_INR|]. eapply pass_wrong; eauto.
Qed.

Lemma horizon_level_range H : (1 <= H)%nat -> 0 < / (INR H + 1) < 1.
Proof.
  intro HH. assert (1 <= INR H) by (apply (le_INR 1); auto).
  split; [positive|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.

Lemma regret_until_rounds {A} T : forall m : prog A, regret_until P (strong_regretful w) T m <= INR T.
Proof.
  unfold regret_until. induction T as [|T IH]; intros [a|t u v k]; cbn [first_rounds expected_regret]; try (simpl; lra).
  - pose proof (pos_INR (S T)). lra.
  - rewrite S_INR. pose proof (IH (k true)) as A1. pose proof (IH (k false)) as A2.
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) A1 A2). destruct (strong_regretful w u v); lra.
Qed.

(** The regret is at most the horizon, and at most what the pass costs, and a share of one round. *)
Theorem strong_known H b bound : (1 <= H)%nat -> (b < N)%nat ->
  (bound < INR H -> pass_cost N base slope (/ (INR H + 1)) - slope * ta_saved + share <= bound) ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (test F) N L H b) bound.
Proof.
  intros HH Hb Hbound. pose proof (horizon_level_range H HH) as He.
  unfold TG_ITE_Strong_KnownHorizon, plays_itself, self_play_by_duels, horizon_level, real_policy_levels.
  rewrite Nnat.Nat2N.id.
  split; [|split].
  - intro F. destruct (Rle_lt_dec (INR H) bound) as [Small|Large].
    { eapply Rle_trans; [apply regret_until_rounds|exact Small]. }
    eapply Rle_trans; [apply (regret_until_le P P01)|]. eapply Rle_trans; [|exact (Hbound Large)].
    eapply Rle_trans; [apply pass_then_self_play with (rest := 0); auto; [lra|intros; cbn; lra]|].
    assert (INR H * / (INR H + 1) <= 1) by (pose proof (pos_INR H); apply (Rle_div_l (INR H)); lra).
    assert (share * (INR H * / (INR H + 1)) <= share * 1) by (apply Rmult_le_compat_l; [apply share01|lra]). lra.
  - intros F F' H1 H2. apply agree_obind; [eapply pass_agree; eauto|intro; apply agree_refl].
  - intros F H1. eapply plays_obind; [eapply pass_range; eauto|eapply pass_uncut; eauto|].
    intros a _. apply self_play_plays. rewrite Nat.sub_diag. exact Logic.I.
Qed.

(** A phase costs its pass and, in expectation, at most a share of one round of its self-play: block times level. *)
Definition phase_cost (s : nat) : R := pass_cost N base slope (phase_level s) + share.

Lemma phases_cost_nonneg k s : 0 <= sumfrom phase_cost s k.
Proof.
  apply sumfrom_nonneg. intros j _. unfold phase_cost.
  pose proof (pass_cost_nonneg P N w test share base slope Test _ (phase_level_range j)). lra.
Qed.

Lemma phases_cost_mono k : forall k' s, (k <= k')%nat -> sumfrom phase_cost s k <= sumfrom phase_cost s k'.
Proof.
  induction k as [|k IH]; intros k' s H; [apply phases_cost_nonneg|]. destruct k' as [|k']; [lia|]. cbn [sumfrom].
  apply Rplus_le_compat_l, IH. lia.
Qed.

Lemma phases_regret F k : forall s c, (c < N)%nat ->
  expected_regret P (strong_regretful w) (phases (test F) N L k s c) <= sumfrom phase_cost s k.
Proof.
  induction k as [|k IH]; intros s c Hc; cbn [phases sumfrom]; [cbn; lra|].
  eapply Rle_trans; [apply pass_then_self_play with (rest := sumfrom phase_cost (S s) k); auto;
    [apply phase_level_range|apply phases_cost_nonneg]|].
  pose proof (pt_slope _ _ _ _ _ _ _ Test). assert (0 <= slope * ta_saved) by (unfold ta_saved; positive).
  unfold phase_cost at 2. rewrite (phase_level_rounds s) at 2. rewrite Rinv_r; [lra|].
  apply Rgt_not_eq. apply (lt_INR 0). pose proof (rounds_ge2 s). lia.
Qed.

(** The first [T] rounds lie within phases with [T] rounds of self-play. *)
Lemma phases_agree T F F' : (forall b eps, agree T (TG_ITE_BAI (test F) N L b eps) (TG_ITE_BAI (test F') N L b eps)) ->
  forall k k' s c T', (T' <= T)%nat -> (T' <= blocks k s)%nat -> (T' <= blocks k' s)%nat ->
  agree T' (phases (test F) N L k s c) (phases (test F') N L k' s c).
Proof.
  intro A. induction k as [|k IH]; intros k' s c T' H0 H1 H2.
  - cbn [blocks] in H1. replace T' with 0%nat by lia. exact Logic.I.
  - destruct k' as [|k']; [cbn [blocks] in H2; replace T' with 0%nat by lia; exact Logic.I|].
    cbn [phases blocks] in *. apply agree_obind; [apply (agree_le T); auto|].
    intro a. apply self_play_agree. fold (rounds s). apply IH; lia.
Qed.

Lemma phases_plays F k : forall s c T, (T <= F)%nat -> (T <= blocks k s)%nat -> (c < N)%nat ->
  plays T (phases (test F) N L k s c).
Proof.
  induction k as [|k IH]; intros s c T H0 H1 Hc.
  - cbn [blocks] in H1. replace T with 0%nat by lia. exact Logic.I.
  - cbn [phases blocks] in *.
    eapply plays_obind; [eapply pass_range; eauto|eapply pass_uncut; eauto; apply phase_level_range|].
    intros a Ha. apply self_play_plays. fold (rounds s). apply IH; auto; lia.
Qed.

Lemma phases_cut F k : forall s c, (c < N)%nat ->
  INR F * Pr P (phases (test F) N L k s c) ran_out <= sumfrom phase_cost s k.
Proof.
  induction k as [|k IH]; intros s c Hc; cbn [phases sumfrom]; [unfold Pr; cbn; lra|].
  eapply (cut_obind P P01); [apply phases_cost_nonneg|eapply pass_range; eauto| |].
  - pose proof (pass_cut P N L w test share base slope Test HB c _ Hc (phase_level_range s) F). unfold phase_cost. lra.
  - intros a Ha. unfold plays_itself, self_play_by_duels. unfold Pr. rewrite E_self_play. apply IH; auto.
Qed.

Theorem strong_anytime T b bound : (2 <= T)%nat -> (b < N)%nat -> sumfrom phase_cost 1 (phase_count T) <= bound ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (test F) N L k b) bound.
Proof.
  intros HT Hb Hbound. pose proof (fun k => blocks_exceed T k HT) as BK. split; [|split; [|split]].
  - intros F k. destruct (le_lt_dec (phase_count T) k) as [Hk|Hk].
    + pose proof (BK k Hk). pose proof (BK (phase_count T) (le_n _)). unfold TG_ITE_Strong_Anytime.
      rewrite (regret_until_agree P _ T _ (phases (test F) N L (phase_count T) 1 b)).
      * eapply Rle_trans; [apply (regret_until_le P P01)|]. eapply Rle_trans; [apply phases_regret; auto|exact Hbound].
      * apply (phases_agree T F F); [intros; apply agree_refl|lia|lia|lia].
    + eapply Rle_trans; [apply (regret_until_le P P01)|]. eapply Rle_trans; [apply phases_regret; auto|].
      eapply Rle_trans; [|exact Hbound]. apply phases_cost_mono. lia.
  - intros F k HF Hk. pose proof (BK k Hk). apply phases_plays; auto. lia.
  - intros F k F' k' HF HF' Hk Hk'. pose proof (BK k Hk). pose proof (BK k' Hk').
    apply (phases_agree T F F'); [intros; eapply pass_agree; eauto|lia|lia|lia].
  - intro k. apply (cut_vanishes P P01 _ (sumfrom phase_cost 1 k)). intro; apply phases_cut; auto.
Qed.
End Generic.

Lemma phases_cost_eq N share base slope k : forall s, sumfrom (phase_cost N share base slope) s k =
  INR (N - 1) * (INR k * (base + slope * ta_extra) + slope * ((INR (2 ^ (s + k)) - INR (2 ^ s)) * ln 2))
  + INR k * share.
Proof.
  induction k as [|k IH]; intro s; cbn [sumfrom].
  - rewrite Nat.add_0_r. simpl (INR 0). ring.
  - rewrite IH. replace (S s + k)%nat with (s + S k)%nat by lia. unfold phase_cost, pass_cost, phase_level.
    cbn [real_policy_levels]. rewrite Rinv_inv, (ln_pow 2), (Nat.pow_succ_r' 2 s),
      mult_INR, (S_INR k) by lra. change (INR 2) with 2. ring.
Qed.

(** ** From the number of phases to ln T and ln ln T *)

Section Forms.
Variable T : nat.
Hypothesis HT : (2 <= T)%nat.
Let x := INR T.
Let lnln := ln (ln (x + 2)).

Lemma T_real : 2 <= x. Proof. apply (le_INR 2). exact HT. Qed.

Lemma levels_sum :
  (INR (2 ^ (1 + phase_count T)) - INR (2 ^ 1)) * ln 2 = (4 * INR (2 ^ (phase_count T - 1)) - 2) * ln 2.
Proof.
  destruct (phase_count_spec T HT) as (C1 & _ & _).
  replace (1 + phase_count T)%nat with (S (S (phase_count T - 1))) by lia.
  rewrite !Nat.pow_succ_r', !mult_INR, Nat.pow_0_r. change (INR 2) with 2. change (INR 1) with 1. ring.
Qed.

(** How the number [k] of phases, the last level's exponent and the logarithms of T compare. *)
Lemma phases_against_T : let k := INR (phase_count T) in let m := INR (2 ^ (phase_count T - 1)) in
  1 <= k /\ k <= m /\ 2 * k - 2 <= m /\ m * ln 2 <= ln (x + 1) /\ 632/1000 + ln 2 * (k - 1) <= lnln + 1.
Proof.
  intros k m. destruct (phase_count_spec T HT) as (C1 & A & _). pose proof T_real. pose proof ln2_ge. pose proof ln2_le.
  assert (2 ^ (2 ^ (phase_count T - 1)) <= T + 1)%nat as A' by lia. apply le_INR in A'. clear A.
  rewrite plus_INR, pow_INR in A'. apply ln_le in A' as A; [|apply pow_lt; simpl; lra].
  rewrite ln_pow in A by (simpl; lra). change (m * ln 2 <= ln (x + 1)) in A.
  assert (k = INR (phase_count T - 1) + 1) as K by (unfold k; rewrite minus_INR by lia; simpl (INR 1); ring).
  assert (forall j, INR j + 1 <= INR (2 ^ j) /\ 2 * INR j <= INR (2 ^ j)) as G.
  { induction j as [|j [I1 I2]]; [simpl; lra|]. rewrite Nat.pow_succ_r', mult_INR, S_INR.
    change (INR 2) with 2. pose proof (pos_INR j). lra. }
  destruct (G (phase_count T - 1)%nat) as [G1 G2]. fold m in G1, G2. pose proof (pos_INR (phase_count T - 1)).
  split; [lra|]. split; [lra|]. split; [lra|]. split; [exact A|].
  assert (ln (m * ln 2) <= lnln) as B.
  { apply ln_le; [nra|]. eapply Rle_trans; [exact A|]. apply ln_le; lra. }
  rewrite ln_mult in B by lra. unfold m in B. rewrite pow_INR in B. change (INR 2) with 2 in B.
  rewrite ln_pow in B by lra.
  pose proof ln_ln2. rewrite K. lra.
Qed.

Lemma lnln_nonneg : 0 <= lnln.
Proof.
  unfold lnln. pose proof T_real. rewrite <- ln_1. apply ln_le; [lra|].
  rewrite <- (ln_exp 1). pose proof exp_le_3. apply ln_le; [apply exp_pos|lra].
Qed.

Lemma phase_count_lnln : INR (phase_count T) <= 5/3 * (lnln + 1).
Proof.
  pose proof phases_against_T as (k1 & _ & _ & _ & B). pose proof ln2_ge as L2. pose proof lnln_nonneg.
  set (k := INR (phase_count T)) in *. nra.
Qed.
End Forms.

(** The sum over the started phases, in ln T and ln ln T, and its leading term. *)
Section Leading.
Variables (N : nat) (share base slope : R).
Hypothesis share0 : 0 <= share.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Let n := INR (N - 1).

Lemma phases_cost_logarithms T : (2 <= T)%nat -> sumfrom (phase_cost N share base slope) 1 (phase_count T)
  <= 4 * slope * n * ln (INR T + 1) + 5/3 * (n * (base + slope * ta_extra) + share) * (ln (ln (INR T + 2)) + 1).
Proof.
  intro HT. rewrite phases_cost_eq, levels_sum by auto. fold n.
  pose proof (phases_against_T T HT) as (_ & _ & _ & B & _). pose proof (phase_count_lnln T HT) as K.
  assert (0 <= n) as N0 by apply pos_INR. pose proof ln2_ge.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  set (lnln := ln (ln (INR T + 2)) + 1) in *. set (u := n * (base + slope * ta_extra) + share).
  assert (0 <= u) by (unfold u, ta_extra; positive).
  assert (k * u <= 5/3 * lnln * u) as A1 by (apply Rmult_le_compat_r; lra).
  assert (slope * n * ((4 * m - 2) * ln 2) <= slope * n * (4 * ln (INR T + 1))) as A2
    by (apply Rmult_le_compat_l; [positive|lra]).
  unfold u in *. lra.
Qed.

Lemma leading_term eps : 0 < eps -> exists T_0, forall T, (T_0 <= T)%nat -> (2 <= T)%nat /\
  sumfrom (phase_cost N share base slope) 1 (phase_count T) <= (4 * slope * n + eps) * ln (INR T).
Proof.
  intro He. set (A := 4 * slope * n). set (K := 5/3 * (n * (base + slope * ta_extra) + share) + 1).
  assert (0 <= n) as N0 by apply pos_INR. assert (0 <= A) as A0 by (unfold A; positive).
  assert (0 <= n * (base + slope * ta_extra)) by (unfold ta_extra; positive). assert (0 < K) as K0 by (unfold K; lra).
  (* ln ln (T+2) <= ln T / M + ln (2 M) with M = 2 K / eps, and T_0 makes the constants small *)
  set (M := 2 * K / eps). assert (0 < M) as M0 by (unfold M; positive).
  set (X := 2 / eps * (A + K * (ln (2 * M) + 1))).
  destruct (archimed (exp X)) as [U1 _]. set (T_0 := Z.to_nat (up (exp X))).
  assert (exp X <= INR T_0) as HX.
  { unfold T_0. assert (0 < up (exp X))%Z as Z0 by (apply lt_IZR; pose proof (exp_pos X); lra).
    rewrite INR_IZR_INZ, Z2Nat.id by lia. lra. }
  exists (Nat.max 2 T_0). intros T HT. assert (2 <= T)%nat as T2 by lia. split; [exact T2|].
  assert (2 <= INR T) as T2r by (apply (le_INR 2); auto). assert (X <= ln (INR T)) as LX.
  { rewrite <- (ln_exp X). apply ln_le; [apply exp_pos|]. eapply Rle_trans; [exact HX|]. apply le_INR. lia. }
  eapply Rle_trans; [apply (phases_cost_logarithms T T2)|]. fold A. pose proof (lnln_nonneg T T2).
  set (lt := ln (INR T)) in *.
  assert (0 < lt) as LT by (apply ln_pos; lra).
  assert (ln (INR T + 1) <= lt + 1) as A1.
  { pose proof (ln_tangent (INR T + 1) (INR T) ltac:(lra) ltac:(lra)) as Q. fold lt in Q.
    assert ((INR T + 1) / INR T <= 2) by (apply Rle_div_l; lra). lra. }
  assert (ln (ln (INR T + 2)) <= lt / M + ln (2 * M)) as A2.
  { assert (ln (INR T + 2) <= 2 * lt) as B.
    { replace (2 * lt) with (ln (INR T * INR T)) by (rewrite ln_mult by lra; unfold lt; ring). apply ln_le; nra. }
    assert (0 < ln (INR T + 2)) by (apply ln_pos; lra).
    apply Rle_trans with (ln (2 * lt)); [apply ln_le; auto|].
    pose proof (ln_tangent (2 * lt) (2 * M) ltac:(lra) ltac:(lra)) as Q.
    replace (2 * lt / (2 * M)) with (lt / M) in Q by (field; lra). lra. }
  assert (X * (eps / 2) <= lt * (eps / 2)) as A3 by (apply Rmult_le_compat_r; lra).
  replace (X * (eps / 2)) with (A + K * (ln (2 * M) + 1)) in A3 by (unfold X; field; lra).
  assert (K * (lt / M) = lt * (eps / 2)) as A4 by (unfold M; field; lra).
  set (lnln := ln (ln (INR T + 2)) + 1) in *.
  assert (5/3 * (n * (base + slope * ta_extra) + share) * lnln <= K * lnln) as A5
    by (apply Rmult_le_compat_r; unfold K, lnln; lra).
  assert (K * lnln <= K * (lt / M + (ln (2 * M) + 1))) as A6 by (apply Rmult_le_compat_l; unfold lnln; lra).
  assert (A * ln (INR T + 1) <= A * (lt + 1)) as A7 by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Leading.

(** ** In units of (N-1)/g^2 *)

Lemma ln_pow2 p q y : 0 < y -> 2 ^ p <= y ^ q -> INR p * ln 2 <= INR q * ln y.
Proof. intros Hy H. rewrite <- !ln_pow by lra. apply ln_le; [positive|exact H]. Qed.

(** From [step], which bounds a logarithm from below by what is known of it: ln (C c q), with 2^p <= (C c q)^r. *)
Ltac grow step C c q p r :=
  let A := fresh in let B := fresh in
  pose proof (step c q ltac:(lra) ltac:(lra)) as A;
  pose proof (ln_pow2 p r (C * c * q) ltac:(lra) ltac:(lra)) as B; simpl (INR _) in B.

Section Units.
Context {cv : conventions}.
Variables (P : arm -> arm -> R) (N L : nat) (w : arm).
Variable test : nat -> R -> arm -> arm -> prog (option arm).
Variables share g B S : R.
Hypothesis Test : pairwise_test P N w test share (B / (g * g)) (S / (g * g)).
Hypothesis HB : balanced_tree N L.
Hypothesis Hg : 0 < g.

(** Only a bound below the horizon says anything; then H + 1 is large, and so the hypothesis may use [Step]. *)
Theorem known_horizon_in_units H b C y : (1 <= H)%nat -> (b < N)%nat -> (2 <= N)%nat -> 0 < C ->
  (let n := INR (N - 1) in let x := ln (INR H + 1) in 1 <= n -> 693/1000 <= x ->
   (forall c q, 0 < c <= n -> 0 < q <= y -> 2 * ln (/ g) + ln (C * c * q) <= x) ->
   n * (B + S * (x + 431/100)) - S * (12/5) <= n * (C * y)) ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (test F) N L H b)
    (C * INR (N - 1) / (g * g) * y + 1).
Proof.
  intros HH Hb HN HC Goal. eapply strong_known; eauto. intro Large. pose proof (pt_share _ _ _ _ _ _ _ Test).
  assert (0 < / (g * g)) as I0 by positive. assert (0 < / g) as I1 by positive.
  assert (1 <= INR H) as H1 by (apply (le_INR 1); auto). assert (1 <= INR (N - 1)) as N1 by (apply (le_INR 1); lia).
  rewrite unit_in in *. rewrite pass_units, Rinv_inv by exact Hg. unfold ta_saved.
  cbv zeta in Goal. set (n := INR (N - 1)) in *.
  assert (693/1000 <= ln (INR H + 1)) as X by (eapply Rle_trans; [apply ln2_ge|apply ln_le; lra]).
  assert (forall c q, 0 < c <= n -> 0 < q <= y -> 2 * ln (/ g) + ln (C * c * q) <= ln (INR H + 1)) as Step.
  { intros c q Hc Hq. assert (0 < C * c * q) by positive.
    replace (2 * ln (/ g)) with (ln (/ g * / g)) by (rewrite ln_mult by lra; ring).
    rewrite <- ln_mult by positive. apply ln_le; [positive|]. rewrite <- Rinv_mult.
    assert (/ (g * g) * (C * (c * q)) <= / (g * g) * (C * (n * y))); [|lra].
    do 2 (apply Rmult_le_compat_l; [lra|]). apply Rmult_le_compat; lra. }
  specialize (Goal N1 X Step). apply (Rmult_le_compat_l (/ (g * g))) in Goal; [|lra].
  replace (S / (g * g) * (12/5)) with (/ (g * g) * (S * (12/5))) by (unfold Rdiv; ring). lra.
Qed.

(** [k] are the phases, [m] is the exponent of the last one's level, halved. *)
Theorem anytime_in_units T b C C' y : (2 <= T)%nat -> (b < N)%nat -> let ll := ln (ln (INR T + 2)) in
  (forall k m, 1 <= k -> k <= m -> 2 * k - 2 <= m -> 693/1000 * m <= m * ln 2 -> m * ln 2 <= ln (INR T + 1) ->
     632/1000 + 693/1000 * (k - 1) <= ll + 1 -> k <= 5/3 * (ll + 1) -> 0 <= ll ->
     k * (B + S * (431/100)) + S * ((4 * m - 2) * ln 2) <= C * y /\ share * k <= C' * (ll + 1)) ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (test F) N L k b)
    (C * INR (N - 1) / (g * g) * y + C' * (ll + 1)).
Proof.
  intros HT Hb ll Goal. eapply strong_anytime; eauto. rewrite phases_cost_eq, levels_sum by auto.
  pose proof (phases_against_T T HT) as (k1 & km & k2m & B1 & B2). pose proof (lnln_nonneg T HT) as L0.
  pose proof (phase_count_lnln T HT) as KL. pose proof ln2_ge. fold ll in B2, L0, KL.
  set (k := INR (phase_count T)) in *. set (m := INR (2 ^ (phase_count T - 1))) in *.
  assert (693/1000 * (k - 1) <= ln 2 * (k - 1)) by (apply Rmult_le_compat_r; lra).
  assert (693/1000 * m <= m * ln 2) by nra. destruct (Goal k m) as [U V]; try lra.
  apply (Rmult_le_compat_l _ _ _ (unit_nonneg N g Hg)) in U. rewrite unit_in. unfold ta_extra.
  apply Rplus_le_compat; [|lra]. eapply Rle_trans; [right|exact U]. field. lra.
Qed.
End Units.

(** ** With DuelTest *)

Theorem thm_app_strong_known : thm_app_strong_known_statement.
Proof.
  intros cv P stop N L w g b H HA Hs Hpr HB Hb HH.
  pose proof (a_gap _ _ _ _ HA) as Hg. pose proof (a_N _ _ _ _ HA) as HN. unfold C_known.
  eapply known_horizon_in_units; eauto using dueltest_in_units; try lra. intros n x N1 X0 Step.
  pose proof (ln_inv_gap g Hg). pose proof ln2_ge. pose proof ln2_le. fold x in Step |- *. set (a := ln (/ g)) in *.
  destruct (le_lt_dec (N - 1) 1) as [h|h]; apply le_INR in h; fold n in h; simpl (INR _) in h.
  - assert (n = 1) as E by lra. rewrite E in *.
    grow Step (3/2) 1 (169/100) 4%nat 3%nat. grow Step (3/2) 1 4 2%nat 1%nat. lra.
  - grow Step (3/2) 2 (169/100) 7%nat 3%nat. grow Step (3/2) 2 (469/100) 15%nat 4%nat.
    grow Step (3/2) 2 (567/100) 4%nat 1%nat.
    assert (16/7 * (a + 1) + 4/7 * (x + 431/100) <= 3/2 * (x + a + 1)) as V by lra.
    apply (Rmult_le_compat_l n) in V; lra.
Qed.

Theorem thm_app_strong_anytime : thm_app_strong_anytime_statement.
Proof.
  intros cv P stop N L w g b T HA Hs Hpr HB Hb HT. pose proof (a_gap _ _ _ _ HA) as Hg.
  eapply anytime_in_units; eauto using dueltest_in_units; [lra|].
  intros k m k1 km k2m M B1 B2 KL L0. pose proof (ln_inv_gap g Hg). pose proof ln2_ge.
  set (a := ln (/ g)) in *. unfold C_anytime, C'_anytime. split; [|lra].
  apply (Rmult_le_compat_r (a + 1)) in B2; [|lra]. assert (0 <= (k - 1) * (a - 693/1000)) by positive. lra.
Qed.

Theorem strong_anytime_leading_term : strong_anytime_leading_term_statement.
Proof.
  intros N g eps Hg He. pose proof (dt_slope_pos g ltac:(lra)).
  destruct (leading_term N (1/20) (dt_base g) (dt_slope g)) with (eps := eps) as [T_0 H0];
    auto using dt_base_nonneg; try lra.
  exists T_0. intros cv P stop L w b T F k HA Hs Hpr HB Hb HT. destruct (H0 T HT) as [T2 Q].
  replace (C_leading * INR (N - 1) / (g * g) + eps) with (4 * dt_slope g * INR (N - 1) + eps)
    by (unfold C_leading, dt_slope; field; lra).
  eapply strong_anytime; eauto using dueltest_is_pairwise_test.
Qed.
