(** * TreeAscent: tree-guided identification *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List Permutation.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Basel BKT Limits.
From TGITE Require Tree.
Open Scope R_scope.

(** ** Capture and preservation, for any pairwise test and any blocks along a path *)

Section Ascend.
Context {cv : conventions}.
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Variable N : nat.
Variable Q : nat -> list arm.
Variable U : nat -> arm -> Prop.              (* arms under the height-h ancestor *)
Hypothesis QND : forall h, NoDup (Q h).
Hypothesis QN : forall h j, In j (Q h) -> (j < N)%nat.
Hypothesis UN : forall h j, U h j -> (j < N)%nat.
Hypothesis U_mono : forall h j, U h j -> U (S h) j.
Hypothesis U_Q : forall h j, In j (Q (S h)) -> U (S h) j.
Hypothesis U_notQ : forall h j, U h j -> ~ In j (Q (S h)).
Variables beta eta : nat -> R.

Section Deterministic.
Variable w : arm.
Variable H : nat.
Hypothesis Hw : (w < N)%nat.
Hypothesis tournament_w : forall h, (h < H)%nat -> In w (Q (S h)) -> returns w (BKT test (Q (S h)) (beta (S h))).
Hypothesis merge_w : forall h c, (h < H)%nat -> U (S h) w -> (c < N)%nat -> c <> w ->
  returns w (test (eta (S h)) w c) /\ returns w (test (eta (S h)) c w).

Lemma ascend_captures k : forall h c, (h + k <= H)%nat -> U h c ->
  (U h w -> c = w) -> U (h + k) w -> (forall j, (h <= j < h + k)%nat -> U (S j) w -> U j w \/ In w (Q (S j))) ->
  returns w (ascend test Q beta eta k h c).
Proof.
  induction k as [|k IH]; intros h c Hh HU Hc HE HS.
  - rewrite Nat.add_0_r in HE. cbn. auto.
  - cbn [ascend]. destruct (Q (S h)) as [|x l] eqn:EQ.
    + apply IH; [lia|auto| |replace (S h + k)%nat with (h + S k)%nat by lia; auto|intros; apply HS; auto; lia].
      intro HW. apply Hc. destruct (HS h ltac:(lia) HW) as [A|A]; auto. rewrite EQ in A. destruct A.
    + rewrite <- EQ. eapply leaves_bind with (Q := fun o =>
        in_opt (Q (S h)) o /\ match o with Some g => In w (Q (S h)) -> g = w | None => True end).
      { apply leaves_and; [apply bkt_leaves; auto|].
        destruct (in_dec Nat.eq_dec w (Q (S h))) as [I|I].
        - eapply leaves_impl; [apply (tournament_w h ltac:(lia) I)|]. intros [g|]; auto.
        - eapply leaves_impl; [apply leaves_true|]. intros [g|]; tauto. }
      intros [g|] [Hg Hgw]; [|exact Logic.I]. cbn in Hg.
      assert (c <> g) as Hcg by (intro E; subst g; apply (U_notQ h c HU Hg)).
      assert (R : forall a, one_of c g (Some a) -> (U (S h) w -> a = w) ->
        returns w (ascend test Q beta eta k (S h) a)).
      { intros a Ha Haw.
        apply IH; [lia|destruct Ha as [->| ->]; auto|auto| |intros; apply HS; auto; lia].
        replace (S h + k)%nat with (h + S k)%nat by lia; auto. }
      eapply leaves_bind with (Q := fun o =>
        one_of c g o /\ match o with Some a => U (S h) w -> a = w | None => True end).
      { apply leaves_and; [apply test_leaves|]. destruct (Nat.eq_dec c w) as [->|Hcw].
        - destruct (merge_w h g ltac:(lia) (U_mono _ _ HU) (QN _ _ Hg)) as [A _]; [congruence|].
          eapply leaves_impl; [exact A|]. intros [a|]; auto.
        - destruct (in_dec Nat.eq_dec w (Q (S h))) as [I|I].
          + specialize (Hgw I). subst g.
            destruct (merge_w h c ltac:(lia) (U_Q _ _ I) (UN _ _ HU) Hcw) as [_ A].
            eapply leaves_impl; [exact A|]. intros [a|]; auto.
          + eapply leaves_impl; [apply leaves_true|]. intros [a|] _; auto. intro HW. exfalso.
            destruct (HS h ltac:(lia) HW) as [A|A]; auto. }
      intros [a|] [Ha1 Ha2]; [|exact Logic.I]. apply R; auto.
Qed.
End Deterministic.

(** ** In probability *)

Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variable w : arm.
Hypothesis Hw : (w < N)%nat.
(* all that is used of the test: matches of [w] err with at most a share of their level *)
Variable share : R.
Hypothesis share0 : 0 <= share.
Hypothesis test_good : forall d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P test w share d j.
Hypothesis eta_range : forall h, 0 < eta (S h) < 1.

Definition etas (h k : nat) := sumfrom (fun h => share * eta h) (S h) k.
Lemma err_nonneg h : 0 <= share * eta (S h).
Proof. pose proof (eta_range h). positive. Qed.
Lemma etas_nonneg k h : 0 <= etas h k.
Proof. apply sumfrom_nonneg. intros [|j] Hj; [lia|apply err_nonneg]. Qed.

Lemma ascend_preserves k : forall h, U h w -> Pr P (ascend test Q beta eta k h w) (wrong w) <= etas h k.
Proof.
  induction k as [|k IH]; intros h HU.
  - unfold Pr, etas; simpl. rewrite Nat.eqb_refl; simpl; lra.
  - pose proof (eta_range h) as He. pose proof (err_nonneg h) as Hs. pose proof (etas_nonneg k (S h)) as HE.
    unfold etas in *. cbn [ascend sumfrom].
    destruct (Q (S h)) as [|x l] eqn:EQ; [specialize (IH (S h) (U_mono _ _ HU)); lra|]. rewrite <- EQ.
    apply (Pr_obind_leaves P P01 (in_opt (Q (S h)))); [lra|apply bkt_leaves; auto|reflexivity|]. intros g Hg.
    assert (g <> w) as Hgw by (intros ->; eapply U_notQ; eauto).
    eapply Rle_trans; [|apply Rplus_le_compat_r, (proj1 (test_good (eta (S h)) g He (QN _ _ Hg) Hgw))].
    apply (Pr_union P P01 (fun _ => True)); [exact HE|apply leaves_true|auto|].
    intros a _ Ha. apply negb_false_iff, Nat.eqb_eq in Ha. subst a. apply IH; auto.
Qed.

Lemma ascend_reaches hs : 0 < beta (S hs) < 1 -> In w (Q (S hs)) ->
  forall k h c, (h <= hs)%nat -> (hs < h + k)%nat -> U h c ->
  Pr P (ascend test Q beta eta k h c) (wrong w) <= share * beta (S hs) + etas h k.
Proof.
  intros Hb Hin. assert (0 <= share * beta (S hs)) as HBs by positive.
  induction k as [|k IH]; intros h c H1 H2 HU; [lia|].
  pose proof (eta_range h) as He. pose proof (err_nonneg h) as Hs. pose proof (etas_nonneg k (S h)) as HE.
  unfold etas in *. cbn [ascend sumfrom]. destruct (Nat.eq_dec h hs) as [->|Hne].
  - (* capture level *)
    destruct (Q (S hs)) as [|x l] eqn:EQ; [destruct Hin|]. rewrite <- EQ in *.
    assert (c <> w) as Hcw by (intros ->; eapply U_notQ; eauto).
    eapply Rle_trans; [|apply Rplus_le_compat_r, (BKT_correct P P01 test w share (Q (S hs))); auto].
    2:{ intros d j Hd Hj. apply test_good; auto. eapply QN; eauto. }
    apply (Pr_union P P01 (fun _ => True)); [lra|apply leaves_true|auto|].
    intros g _ Hg. apply negb_false_iff, Nat.eqb_eq in Hg. subst g.
    eapply Rle_trans; [|apply Rplus_le_compat_r, (proj2 (test_good (eta (S hs)) c He (UN _ _ HU) Hcw))].
    apply (Pr_union P P01 (fun _ => True)); [exact HE|apply leaves_true|auto|].
    intros a _ Ha. apply negb_false_iff, Nat.eqb_eq in Ha. subst a. apply ascend_preserves. apply U_Q; auto.
  - assert (G : forall c', U (S h) c' -> Pr P (ascend test Q beta eta k (S h) c') (wrong w) <=
      share * beta (S hs) + (share * eta (S h) + sumfrom (fun h => share * eta h) (S (S h)) k)).
    { intros c' Hc'. eapply Rle_trans; [apply IH; auto; lia|lra]. }
    destruct (Q (S h)) as [|x l] eqn:EQ; [apply (G c (U_mono _ _ HU))|]. rewrite <- EQ in *.
    apply (Pr_obind_leaves P P01 (in_opt (Q (S h)))); [lra|apply bkt_leaves; auto|reflexivity|]. intros g Hg.
    apply (Pr_obind_leaves P P01 (one_of c g)); [lra|apply test_leaves|reflexivity|]. intros a Ha. apply G.
    destruct Ha as [->| ->]; [apply U_mono; auto|apply U_Q; auto].
Qed.
End Ascend.

(** ** On the completed tree *)

Lemma M_real L : INR (2 ^ L - 1) = 2 ^ L - 1.
Proof. rewrite minus_INR by (pose proof (Tree.pow_pos L); lia). rewrite pow_INR. reflexivity. Qed.
Lemma pow2_ge1 h : 1 <= 2 ^ h. Proof. apply pow_R1_Rle; lra. Qed.

Section Path.
Context {cv : conventions}.
Variables N L : nat.
Variable b : arm.
Hypothesis HB : balanced_tree N L.
Hypothesis Hb : (b < N)%nat.

Definition under (h : nat) (j : arm) : Prop := (j < N)%nat /\ Tree.anc b h (leaf j) = true.
Lemma under_lt h j : under h j -> (j < N)%nat. Proof. now intros [A _]. Qed.
Lemma under_mono h j : under h j -> under (S h) j.
Proof. intros [A B]. split; auto. now apply Tree.anc_mono. Qed.
Lemma under_Q h j : In j (Tree.siblings N b (S h)) -> under (S h) j.
Proof. intro H. apply Tree.Q_iff in H. split; tauto. Qed.
Lemma under_notQ h j : under h j -> ~ In j (Tree.siblings N b (S h)).
Proof. intros [_ A] H. apply Tree.Q_iff in H. destruct H as (_ & _ & H). congruence. Qed.
Lemma under_0 : under 0 b.
Proof. split; auto. now apply Tree.anc_0. Qed.
Lemma under_split h j : under (S h) j -> under h j \/ In j (Tree.siblings N b (S h)).
Proof. intros [A B]. destruct (Tree.anc b h (leaf j)) eqn:E; [left; now split|right]. apply Tree.Q_iff. auto. Qed.

Lemma L_real : 1 <= INR L.
Proof. apply (le_INR 1). apply HB. Qed.
Lemma mbar_real h : (h < L)%nat -> INR (length (Tree.sibling_leaves L b (S h))) = 2 ^ h.
Proof.
  intros Hh. rewrite (Tree.Qbar_card b N L HB Hb (S h)) by lia.
  replace (S h - 1)%nat with h by lia. rewrite pow_INR. reflexivity.
Qed.

Lemma eta_range eps h : 0 < eps < 1 -> 0 < eta L eps h < 1.
Proof.
  pose proof L_real. unfold eta, merge_level, real_tree_levels. split; [positive|]. apply (Rlt_div_l eps); lra.
Qed.

Lemma beta_range eps h : 0 < eps < 1 -> (h < L)%nat -> 0 < beta L b eps (S h) <= eps / 2.
Proof.
  intros He Hh. unfold beta, block_level, real_tree_levels. rewrite (mbar_real h Hh), M_real.
  pose proof (pow2_ge1 h). pose proof (pow2_ge1 (L - h - 1)).
  assert (2 ^ L = 2 ^ h * (2 * 2 ^ (L - h - 1))) as E by (rewrite tech_pow_Rmult, <- pow_add; f_equal; lia).
  assert (2 * 2 ^ h <= 2 ^ L) by (rewrite E; nra). assert (0 < 2 ^ h / (2 ^ L - 1)) by positive.
  assert (2 ^ h / (2 ^ L - 1) <= 1) by (apply (Rle_div_l (2 ^ h)); lra). split; [positive|nra].
Qed.

Lemma sum_etas eps k : forall h, sumfrom (eta L eps) h k = INR k * (eps / (2 * INR L)).
Proof.
  unfold eta, merge_level, real_tree_levels. induction k as [|k IH]; intro h; cbn [sumfrom]; [simpl; ring|].
  rewrite IH, S_INR. ring.
Qed.
End Path.

Theorem lem_app_plr_capture_preserve : lem_app_plr_capture_preserve_statement.
Proof.
  intros cv test N L b w eps HB Hb Hw TL HT HM. unfold TreeAscent.
  apply ascend_captures with (N := N) (U := under N b) (H := L);
    eauto using Tree.Q_NoDup, Tree.Q_sub, under_lt, under_mono, under_Q, under_notQ, under_0.
  - intros h Hh Hin. apply HT; auto; lia.
  - intros h c Hh [_ HU] Hc Hcw. apply HM; auto; lia.
  - intros [_ H]. symmetry. now apply Tree.anc_0.
  - split; auto. apply (Tree.anc_L b N L HB Hb). apply (t_leaf _ _ HB); auto.
  - intros j _. apply under_split; auto.
Qed.

Lemma TreeAscent_correct {cv : conventions} P (P01 : forall u v, 0 <= P u v <= 1) test N L b w share eps :
  (forall d u v, leaves (one_of u v) (test d u v)) -> 0 <= share ->
  (forall d j, 0 < d < 1 -> (j < N)%nat -> j <> w -> good P test w share d j) ->
  balanced_tree N L -> (b < N)%nat -> (w < N)%nat -> 0 < eps < 1 ->
  Pr P (TreeAscent test N L b eps) (wrong w) <= share * eps.
Proof.
  intros TL Hsh TG HB Hb Hw He. pose proof (L_real N L HB) as HL. pose proof (t_L _ _ HB).
  assert (SE : sumfrom (fun h => share * eta L eps h) 1 L = share * (eps / 2)).
  { assert (forall k r, sumfrom (fun h => share * eta L eps h) r k = share * sumfrom (eta L eps) r k) as ->.
    { induction k as [|k IH]; intro r; cbn [sumfrom]; [ring|rewrite IH; ring]. }
    rewrite sum_etas. field. lra. }
  assert (0 <= share * eps) by (apply Rmult_le_pos; lra).
  assert (QN : forall h j, In j (Tree.siblings N b h) -> (j < N)%nat) by (intros; eapply Tree.Q_sub; eauto).
  unfold TreeAscent. destruct (Nat.eq_dec b w) as [->|Hbw].
  - eapply Rle_trans; [apply ascend_preserves with (N := N) (U := under N w) (share := share)|];
      eauto using Tree.Q_NoDup, under_mono, under_notQ, under_0.
    + intro; apply (eta_range N L HB); auto.
    + unfold etas. rewrite SE. lra.
  - destruct (Tree.partition_exists b N L HB Hb w Hw) as (h & Hh & Hin); [congruence|].
    destruct h as [|hs]; [lia|]. pose proof (beta_range N L b HB Hb eps hs He ltac:(lia)) as B3.
    eapply Rle_trans; [apply ascend_reaches with (N := N) (U := under N b) (hs := hs) (share := share)|];
      eauto using Tree.Q_NoDup, under_lt, under_mono, under_Q, under_notQ, under_0; try lia.
    + intro; apply (eta_range N L HB); auto.
    + lra.
    + unfold etas. rewrite SE. apply Rle_trans with (share * (eps / 2) + share * (eps / 2)); [|lra].
      apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
Qed.

(** ** Cost, for any functional that adds up along sequencing *)

Lemma sm_sumn f k : sm (fun h => INR (f (S h))) k = INR (sumn f k).
Proof. induction k; cbn [sm sumn]; [reflexivity|]. now rewrite plus_INR, IHk. Qed.
Lemma geometric L k : (k <= L)%nat ->
  sm (fun h => 2 ^ h * (INR L - INR h - 1)) k = 2 ^ k * (INR L - INR k + 1) - INR L - 1 /\
  sm (fun h => 2 ^ h) k = 2 ^ k - 1.
Proof.
  intro H. induction k as [|k IH]; [split; simpl; ring|]. destruct IH as [I1 I2]; [lia|].
  cbn [sm]. rewrite I1, I2, S_INR. split; simpl; ring.
Qed.

Section Cost.
Context {cv : conventions}.
Variable cost : forall A : Type, prog (option A) -> R.
Arguments cost {A}.
Hypothesis Add : additive (@cost).
Variable test : R -> arm -> arm -> prog (option arm).
Hypothesis test_leaves : forall d u v, leaves (one_of u v) (test d u v).
Variables N L : nat.
Variable b : arm.
Hypothesis HB : balanced_tree N L.
Hypothesis Hb : (b < N)%nat.
Variables base slope : R.
Hypothesis base0 : 0 <= base.
Hypothesis slope0 : 0 <= slope.
Hypothesis test_cost : forall d u v, 0 < d < 1 -> (u < N)%nat -> (v < N)%nat -> u <> v ->
  cost (test d u v) <= base + slope * ln (/ d).
Variable eps : R.
Hypothesis He : 0 < eps < 1.

Let Q := Tree.siblings N b.
Let be := beta L b eps.
Let et := eta L eps.

Definition level_cost (h : nat) : R := match Q h with [] => 0 | _ =>
  INR (length (Q h) - 1) * (base + slope * (ln (/ be h) + bkt_extra)) + (base + slope * ln (/ et h)) end.

Lemma ascend_cost : forall k h c, (h + k <= L)%nat -> under N b h c ->
  0 <= sumfrom level_cost (S h) k /\ cost (ascend test Q be et k h c) <= sumfrom level_cost (S h) k.
Proof.
  induction k as [|k IH]; intros h c Hh HU.
  - cbn [ascend sumfrom]. rewrite (cost_some _ Add). lra.
  - cbn [ascend sumfrom]. unfold level_cost at 1 3. destruct (Q (S h)) as [|x l] eqn:EQ.
    { rewrite !Rplus_0_l. apply IH; [lia|]. now apply under_mono. }
    assert (B1 : 0 < be (S h) < 1) by (pose proof (beta_range N L b HB Hb eps h He ltac:(lia)); unfold be; lra).
    assert (B2 : 0 < et (S h) < 1) by (apply (eta_range N L HB); auto). rewrite <- EQ.
    set (bc := INR (length (Q (S h)) - 1) * (base + slope * (ln (/ be (S h)) + bkt_extra))).
    assert (0 <= bc) as P1 by (pose proof (ln_inv_pos _ B1); unfold bc, bkt_extra; positive).
    pose proof (C_nonneg base slope base0 slope0 _ B2) as P2. cbv beta in P2.
    destruct (IH (S h) c ltac:(lia) (under_mono _ _ _ _ HU)) as [P3 _]. split; [lra|].
    assert (G1 : cost (BKT test (Q (S h)) (be (S h))) <= bc).
    { apply (BKT_cost (@cost)) with (ok := fun j => (j < N)%nat); auto;
        [apply Tree.Q_NoDup|intros; eapply Tree.Q_sub; eauto|rewrite EQ; simpl; lia]. }
    set (mc := base + slope * ln (/ et (S h))) in *. set (rest := sumfrom level_cost (S (S h)) k) in *.
    eapply Rle_trans; [eapply (cost_obind _ Add) with (c := mc + rest);
      [lra|apply bkt_leaves; auto; apply Tree.Q_NoDup|]|lra].
    intros g Hg. cbn in Hg. assert (c <> g) as Hcg by (intros ->; eapply under_notQ; eauto).
    assert (G2 : cost (test (et (S h)) c g) <= mc)
      by (apply test_cost; auto; [eapply under_lt; eauto|eapply Tree.Q_sub; eauto]).
    eapply Rle_trans; [eapply (cost_obind _ Add) with (c := rest); [lra|apply test_leaves|]|lra].
    intros a Ha. apply IH; [lia|]. destruct Ha as [->| ->]; [now apply under_mono|now apply under_Q].
Qed.

Lemma ln_beta h : (h < L)%nat -> ln (/ be (S h)) <= ln (/ eps) + ln 2 + ln 2 * (INR L - INR h).
Proof.
  intro Hh. pose proof (beta_range N L b HB Hb eps h He Hh) as [B _].
  unfold be, beta, block_level, real_tree_levels in B |- *. rewrite (mbar_real N L b HB Hb h Hh), M_real in B |- *.
  pose proof (pow2_ge1 h). pose proof (pow2_ge1 (L - h)).
  assert (2 ^ L = 2 ^ h * 2 ^ (L - h)) as E by (rewrite <- pow_add; f_equal; lia).
  assert (2 ^ 1 <= 2 ^ (L - h)) by (apply Rle_pow; [lra|lia]). rewrite pow_1 in *.
  assert (1 < 2 ^ L) by nra. assert (0 < / eps) by positive.
  assert (/ (eps / 2 * (2 ^ h / (2 ^ L - 1))) <= / eps * (2 * 2 ^ (L - h))) as K.
  { replace (/ (eps / 2 * (2 ^ h / (2 ^ L - 1)))) with (/ eps * (2 * ((2 ^ L - 1) / 2 ^ h)))
      by (field; repeat split; lra).
    do 2 (apply Rmult_le_compat_l; [lra|]). apply (Rle_div_l (2 ^ L - 1)); lra. }
  assert (0 < / (eps / 2 * (2 ^ h / (2 ^ L - 1)))) by positive.
  apply Rle_trans with (ln (/ eps * (2 * 2 ^ (L - h)))); [apply ln_le; lra|].
  rewrite !ln_mult by lra. rewrite ln_pow by lra. rewrite minus_INR by lia. lra.
Qed.

(** A merge instead of a match: ln L for (L - h) ln 2, which is more on the last levels only. *)
Lemma ln_eta h : (h < L)%nat ->
  ln (/ et (S h)) <= ln (/ eps) + ln 2 + ln 2 * (INR L - INR h) + INR L / 2 * (2 ^ h / 2 ^ L).
Proof.
  intro Hh. unfold et, eta, merge_level, real_tree_levels. pose proof (L_real N L HB) as L1.
  assert (0 < / eps) by positive.
  replace (/ (eps / (2 * INR L))) with (/ eps * (2 * INR L)) by (field; lra).
  rewrite !ln_mult by lra. pose proof ln2_le as L2. pose proof (pow2_ge1 (L - h)) as P1.
  assert (2 ^ h / 2 ^ L = / 2 ^ (L - h)) as ->.
  { replace L with (h + (L - h))%nat at 1 by lia. rewrite pow_add. field. split; apply pow_nonzero; lra. }
  assert (0 < / 2 ^ (L - h)) by positive. assert (0 < INR L * / 2 ^ (L - h)) as Y0 by positive.
  pose proof (ln_tangent _ 2 Y0 ltac:(lra)) as T.
  rewrite ln_mult, ln_Rinv, ln_pow, minus_INR in T by (lra || lia). lra.
Qed.

(** A pass costs less still than is stated, which tells when there are two or three arms. *)
Definition ta_saved : R := 12/5.
Theorem TreeAscent_cost_saved :
  cost (TreeAscent test N L b eps) <= INR (N - 1) * (base + slope * (ln (/ eps) + ta_extra)) - slope * ta_saved.
Proof.
  pose proof (L_real N L HB) as HLr. pose proof (ln_inv_pos eps He) as LP.
  pose proof ln2_le as L2. pose proof ln2_ge as L2'.
  set (m := fun h => length (Q h)). set (z := ln (/ eps)) in *.
  set (Cc := base + slope * (z + 2 * ln 2 + bkt_extra)).
  set (played := fun h => if Nat.eqb (m (S h)) 0 then 0 else bkt_extra).
  set (level := fun h => INR (m (S h)) * Cc + slope *
    (ln 2 * (2 ^ h * (INR L - INR h - 1)) + INR L / 2 * (2 ^ h / 2 ^ L) - played h)).
  assert (LV : forall h, (h < L)%nat -> level_cost (S h) <= level h).
  { intros h Hh. assert (1 <= INR L - INR h) as Lh by (rewrite <- minus_INR by lia; apply (le_INR 1); lia).
    pose proof (pow2_ge1 h) as P2h. pose proof (pow2_ge1 L) as P2L.
    assert (0 <= 2 ^ h * (INR L - INR h - 1)) by positive.
    assert (0 <= INR L / 2 * (2 ^ h / 2 ^ L)) as D1 by positive.
    assert (0 <= ln 2 * (2 ^ h * (INR L - INR h - 1))) by positive.
    unfold level, level_cost, m, played, m. unfold arm in *. destruct (Q (S h)) as [|x l] eqn:EQ.
    - cbn [length Nat.eqb]. simpl (INR 0). rewrite Rmult_0_l, Rplus_0_l. positive.
    - assert (length (x :: l) - 1 = length l)%nat as -> by (simpl; lia).
      assert (INR (length (x :: l)) = INR (length l) + 1) as -> by (cbn [length]; apply S_INR). cbn [length Nat.eqb].
      pose proof (ln_beta h Hh) as B. pose proof (ln_eta h Hh) as E.
      assert (INR (length l) + 1 <= 2 ^ h) as M2.
      { rewrite <- S_INR, <- (mbar_real N L b HB Hb h) by lia. apply le_INR.
        pose proof (Tree.Q_le_Qbar b N L HB Hb (S h)) as QQ. fold Q in QQ. unfold arm in *. now rewrite EQ in QQ. }
      pose proof (pos_INR (length l)) as L0. unfold Cc, bkt_extra.
      set (y := INR (length l)) in *. set (lb := ln (/ be (S h))) in *. set (le := ln (/ et (S h))) in *.
      set (t := INR L - INR h) in *. set (e := INR L / 2 * (2 ^ h / 2 ^ L)) in *. fold z in B, E.
      assert (y * lb <= y * (z + ln 2 + ln 2 * t)) by (apply Rmult_le_compat_l; lra).
      assert ((y + 1) * (ln 2 * (t - 1)) <= 2 ^ h * (ln 2 * (t - 1))) by (apply Rmult_le_compat_r; [positive|lra]).
      assert (y * (lb + 153 / 100) + le <=
        (y + 1) * (z + 2 * ln 2 + 153 / 100) + (ln 2 * (2 ^ h * (t - 1)) + e - 153 / 100)) as W by lra.
      apply Rmult_le_compat_l with (r := slope) in W; [|lra]. lra. }
  destruct (ascend_cost L 0 b ltac:(lia) (under_0 N b Hb)) as [_ R].
  eapply Rle_trans; [exact R|]. rewrite sumfrom_shift, sumfrom_sm. eapply Rle_trans; [apply sm_le; exact LV|].
  assert (G : forall k, sm level k = Cc * sm (fun h => INR (m (S h))) k +
    slope * (ln 2 * sm (fun h => 2 ^ h * (INR L - INR h - 1)) k +
             INR L / 2 * / 2 ^ L * sm (fun h => 2 ^ h) k - sm played k)).
  { induction k as [|k IHk]; [simpl; ring|]. cbn [sm]. rewrite IHk. unfold level, Rdiv. ring. }
  destruct (geometric L L (le_n _)) as [G1 G2]. rewrite G, G1, G2, sm_sumn.
  unfold m at 1, Q. rewrite (Tree.sum_m b N L HB Hb).
  assert (PL : bkt_extra <= sm played L).
  { assert (forall k, (if Nat.eqb (sumn m k) 0 then 0 else bkt_extra) <= sm played k) as I.
    { induction k as [|k IHk]; cbn [sumn sm]; [simpl; lra|]. unfold played at 2.
      destruct (Nat.eqb_spec (sumn m k) 0) as [E1|E1], (Nat.eqb_spec (m (S k)) 0) as [E2|E2],
               (Nat.eqb_spec (sumn m k + m (S k)) 0) as [E3|E3]; unfold bkt_extra in *; try lia; lra. }
    specialize (I L). unfold m, Q in I. rewrite (Tree.sum_m b N L HB Hb) in I. fold Q m in I.
    pose proof (t_tight _ _ HB). assert (0 < 2 ^ (L - 1))%nat by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
    destruct (Nat.eqb_spec (N - 1) 0); [lia|exact I]. }
  assert (M2 : 2 ^ L <= 2 * INR (N - 1)).
  { replace (2 ^ L) with (INR (2 ^ L)) by (rewrite pow_INR; reflexivity). rewrite <- (mult_INR 2). apply le_INR.
    pose proof (t_tight _ _ HB). pose proof (t_L _ _ HB).
    replace L with (S (L - 1)) at 1 by lia. rewrite Nat.pow_succ_r'. lia. }
  pose proof (pow2_ge1 L) as P2. assert (0 < / 2 ^ L) as I2 by positive.
  assert (INR L / 2 * / 2 ^ L * (2 ^ L - 1) <= INR L / 2) as TL.
  { assert (/ 2 ^ L * 2 ^ L = 1) by (apply Rinv_l; lra). assert (0 <= INR L / 2 * / 2 ^ L) by positive. nra. }
  set (n := INR (N - 1)) in *. assert (0 <= n) by apply pos_INR. unfold Cc, bkt_extra, ta_extra, ta_saved in *.
  set (rest := ln 2 * (2 ^ L * (INR L - INR L + 1) - INR L - 1)).
  assert (rest <= ln 2 * (2 * n - INR L - 1)) by (apply Rmult_le_compat_l; lra).
  assert (slope * (rest + INR L / 2 * / 2 ^ L * (2 ^ L - 1) - sm played L) <= slope * (2 * ln 2 * n - 12 / 5)) as W
    by (apply Rmult_le_compat_l; nra).
  assert (slope * (n * (4 * ln 2)) <= slope * (n * (278/100))) by (do 2 (apply Rmult_le_compat_l; [lra|]); lra). lra.
Qed.

Theorem TreeAscent_cost : cost (TreeAscent test N L b eps) <= INR (N - 1) * (base + slope * (ln (/ eps) + ta_extra)).
Proof. pose proof TreeAscent_cost_saved. assert (0 <= slope * ta_saved) by (unfold ta_saved; positive). lra. Qed.
End Cost.

Lemma TreeAscent_refines {cv : conventions} (t t' : R -> arm -> arm -> prog (option arm)) N L b eps :
  (forall d u v, refines (t d u v) (t' d u v)) -> refines (TreeAscent t N L b eps) (TreeAscent t' N L b eps).
Proof. intro tt. apply (ascend_alike _ refines_sequential eq) with (H := L); [now intros ? ? ? ? ->|now split|lia]. Qed.

Definition in_range (N : nat) (o : option arm) : Prop := match o with Some x => (x < N)%nat | None => True end.
Lemma TreeAscent_range {cv : conventions} (test : R -> arm -> arm -> prog (option arm)) N L b eps :
  (forall d u v, leaves (one_of u v) (test d u v)) -> (b < N)%nat -> leaves (in_range N) (TreeAscent test N L b eps).
Proof.
  intros TL. unfold TreeAscent. generalize (beta L b eps) (eta L eps) 0%nat. intros be et h.
  enough (forall k h c, (c < N)%nat -> leaves (in_range N) (ascend test (Tree.siblings N b) be et k h c)) by auto.
  induction k as [|k IH]; intros h' c Hc; cbn [ascend]; [cbn; auto|].
  destruct (Tree.siblings N b (S h')) as [|x l] eqn:EQ; [auto|]. rewrite <- EQ.
  eapply leaves_bind; [apply bkt_leaves; auto; apply Tree.Q_NoDup|]. intros [y|] Hy; [|exact Logic.I]. cbn in Hy.
  eapply leaves_bind; [apply TL|]. intros [a|] Ha; [|exact Logic.I].
  apply IH. destruct Ha as [->| ->]; auto. eapply Tree.Q_sub; eauto.
Qed.

(** ** A pass, for any pairwise test *)

Definition pass_cost (N : nat) (base slope eps : R) : R := INR (N - 1) * (base + slope * (ln (/ eps) + ta_extra)).

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
Proof. pose proof (ln_inv_pos eps He). unfold pass_cost, ta_extra. positive. Qed.

Lemma pass_wrong F : Pr P (TG_ITE_BAI (test F) N L b eps) (wrong w) <= share * eps.
Proof.
  apply TreeAscent_correct; eauto using pt_correct, pt_w. apply (pt_share _ _ _ _ _ _ _ Test).
Qed.

Lemma pass_ET F : ET P (TG_ITE_BAI (test F) N L b eps) <= pass_cost N base slope eps.
Proof. apply (TreeAscent_cost (fun A m => ET P m)); eauto using ET_additive, pt_cost. Qed.

Lemma pass_cut F : INR F * Pr P (TG_ITE_BAI (test F) N L b eps) ran_out <= pass_cost N base slope eps.
Proof. apply (TreeAscent_cost (fun A m => INR F * Pr P m ran_out)); eauto using cut_additive, pt_cut. Qed.

Lemma pass_uncut F T : (T <= F)%nat -> uncut T (TG_ITE_BAI (test F) N L b eps) = true.
Proof.
  intro HT. apply cut_cost_0. rewrite <- (Rmult_0_r (INR (N - 1))), <- (Rplus_0_r 0) at 1.
  rewrite <- (Rmult_0_l (ln (/ eps) + ta_extra)).
  apply (TreeAscent_cost (@cut_cost T)); auto using cut_cost_additive; try lra.
  intros. unfold cut_cost. erewrite pt_uncut by eauto. lra.
Qed.

Lemma pass_range F : leaves (in_range N) (TG_ITE_BAI (test F) N L b eps).
Proof. apply TreeAscent_range; auto. Qed.
End One.

Lemma pass_agree F F' b eps T : (T <= F)%nat -> (T <= F')%nat ->
  agree T (TG_ITE_BAI (test F) N L b eps) (TG_ITE_BAI (test F') N L b eps).
Proof.
  intros. apply (ascend_alike _ (agree_sequential T) eq) with (H := L); [|now split|lia].
  intros d ? u v <-. eapply pt_agree; eauto.
Qed.

Theorem pass_identifies b eps bound : (b < N)%nat -> 0 < eps < 1 -> pass_cost N base slope eps <= bound ->
  identifies P w (fun F => TG_ITE_BAI (test F) N L b eps) eps bound.
Proof.
  intros Hb He Hbound. set (run F := TG_ITE_BAI (test F) N L b eps).
  assert (Mono : forall F, refines (run F) (run (S F))).
  { intro F. apply TreeAscent_refines. intros. eapply pt_refines; eauto. }
  assert (Wrong : forall F, Pr P (run F) (wrong w) <= eps).
  { intro F. pose proof (pass_wrong b eps Hb He F). pose proof (pt_share _ _ _ _ _ _ _ Test). unfold run. nra. }
  split; [exact Wrong|split; [|split]].
  - apply (at_most_ET P P01 run Mono). intro F. eapply Rle_trans; [apply pass_ET; auto|exact Hbound].
  - intros; apply pass_agree; auto.
  - apply (returns_of P P01 run Mono w eps (pass_cost N base slope eps) Wrong). intro F. apply pass_cut; auto.
Qed.
End Pass.

(** ** With DuelTest *)

Theorem thm_app_plr_correctness : thm_app_plr_correctness_statement.
Proof.
  intros cv P stop N L w g b eps HA HB Hb He Hs Hpr.
  destruct (pass_identifies P N L w (DT stop) _ _ _ (dueltest_is_pairwise_test P stop N w g HA Hs Hpr) HB b eps _ Hb He
    (Rle_refl _)) as (W & _ & _ & R). now split.
Qed.

Theorem thm_app_plr_cost : thm_app_plr_cost_statement.
Proof.
  intros cv P stop N L w g b eps HA HB Hb He Hpr. pose proof (valid_01 P (a_valid _ _ _ _ HA)) as P01.
  pose proof (a_gap _ _ _ _ HA) as Hg.
  assert (K : forall F, ET P (TreeAscent (DT stop F) N L b eps) <= ta_time N g eps).
  { intro F. apply (TreeAscent_cost (fun A m => ET P m)); auto using ET_additive, DT_leaves, dt_base_nonneg.
    - left. apply dt_slope_pos. lra.
    - intros d u v Hd Hu Hv Huv. apply DT_time; auto. apply (a_global _ _ _ _ HA); auto. }
  assert (M : forall F, refines (TreeAscent (DT stop F) N L b eps) (TreeAscent (DT stop (S F)) N L b eps)).
  { intro F. apply TreeAscent_refines. intros; apply DT_refines. }
  split; [|split].
  - apply (at_most_ET P P01 (fun F => TreeAscent (DT stop F) N L b eps)); auto.
  - apply (at_most_ER P P01 (fun F => TreeAscent (DT stop F) N L b eps)); auto.
    intro F. eapply Rle_trans; [apply ER_le_ET; auto|apply K].
  - unfold ta_time. rewrite dt_base_units. apply in_units; [lra|apply pos_INR|]. unfold C_TA, ta_extra.
    pose proof (ln_inv_pos eps He). pose proof (ln_inv_gap g Hg). lra.
Qed.
