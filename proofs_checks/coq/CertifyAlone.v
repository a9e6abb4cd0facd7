(** * certify: a certificate for a given arm, without a known gap (not in the paper)

    Each match goes on until MixtureTest's evidence for one of the two arms is enough.  This does not
    decide a pair that ties.  With a margin m there is a third answer: neither arm is better by m.
    It is given as soon as the likelihood of a gap of m has fallen far enough for both arms.  So
    every match ends, whatever the pair. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Limits MixtureTest.
From TGITE Require Import Likelihood Certificate.
Open Scope R_scope.

(** The champion wins at level [d] and loses at level [a]. *)
Definition evidence_rule (d a : R) (n s : nat) : option bool :=
  if reaches mixture d n s then Some true else if reaches mixture a n (n - s) then Some false else None.
(** Neither is better by [m]. *)
Definition equivalent (m d a : R) (n s : nat) : bool := sinks (likelihood m) a n s && sinks (likelihood m) d n (n - s).
(** Each kind of evidence has half of the levels; an equivalent match is not lost. *)
Definition margin_rule (m d a : R) (n s : nat) : option bool :=
  match evidence_rule (d / 2) (a / 2) n s with
  | Some b => Some b
  | None => if equivalent m (d / 2) (a / 2) n s then Some true else None
  end.

Definition C_margin : R := 168.
Definition margin_time (m d : R) : R := C_margin / (m * m) * (ln (/ d) + ln (/ m) + 1).

(** A match with a margin ends for every pair, also for ties and near ties. *)
Definition margin_match_ends_statement : Prop := forall P u v m d a,
  valid P -> 0 < m < 1/2 -> 0 < d < 1 -> 0 < a < 1 ->
  let run F := seqtest (margin_rule m d a) never F 0 0 u v in
  at_most (fun F => ET P (run F)) (margin_time m (Rmin d a)) /\ is_lim_seq (fun F => Pr P (run F) ran_out) 0.

(** [certify] with a margin.  If some arm is better than [c] by the margin, all matches are won or found
    equivalent with probability at most [d], with a budget or without.  For every instance the expected
    number of duels is bounded.  The probability of reaching a horizon is at most that bound divided by
    the horizon, so the run ends with probability 1. *)
Definition certify_with_margin_statement : Prop := forall P N c order m d a,
  valid P -> 0 < m < 1/2 -> 0 < d < 1 -> 0 < a < 1 -> (forall j, (j < N)%nat -> j <> c -> In j order) ->
  let run F := certify (seqtest (margin_rule m d a) never F 0 0) (against c order) in
  ((exists j, (j < N)%nat /\ j <> c /\ P c j <= 1/2 - m) ->
   forall F budget, Pr P (within budget (run F)) certified <= d) /\
  forall F, let duels := INR (length order) * margin_time m (Rmin d a) in
    ET P (run F) <= duels /\ INR F * Pr P (run F) ran_out <= duels.

(** * Proofs *)

Lemma Rmin_level d a : 0 < d < 1 -> 0 < a < 1 -> 0 < Rmin d a < 1.
Proof. intros. unfold Rmin. destruct (Rle_dec d a); lra. Qed.

Section Match.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables (m d a : R).
Hypothesis Hm : 0 < m < 1/2.
Hypothesis Hd : 0 < d < 1.
Hypothesis Ha : 0 < a < 1.
Variables u v : arm.

(** Far from a tie MixtureTest's evidence ends it. *)
Lemma ends_by_evidence F g : 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= mt_time (Rmin d a / 2) g.
Proof.
  intros Hg Hp. pose proof (Rmin_l d a) as M1. pose proof (Rmin_r d a) as M2. pose proof (Rmin_level d a Hd Ha) as Hl.
  set (l := Rmin d a) in *. eapply Rle_trans; [apply (stops_no_later P P01 u v _ (mixture_rule (l / 2)));
    [|apply le_n]|apply (mixture_time_at P P01 (l / 2) g u v F); auto; lra].
  intros n s _ Hs. unfold margin_rule, evidence_rule, mixture_rule.
  assert (K : forall x k, l <= x -> (k <= n)%nat -> reaches mixture (x / 2) n k = false -> evident (l / 2) n k = false).
  { intros x k Hx Hk. rewrite <- !not_true_iff_false, evident_iff by exact Hk. unfold reaches.
    destruct (Rle_dec 1 (x / 2 * mixture n k)) as [|h]; [tauto|]. intros _ E. apply h. nra. }
  destruct (reaches mixture (d / 2) n s) eqn:E1; [discriminate|].
  destruct (reaches mixture (a / 2) n (n - s)) eqn:E2; [discriminate|].
  rewrite (K d s M1 Hs E1), (K a (n - s)%nat M2 ltac:(lia) E2). reflexivity.
Qed.

(** Near it both likelihoods sink: the sum of their square roots is what is left to be done. *)
Let w := sqrt (1 + 2 * m).
Let z := sqrt (1 - 2 * m).
Let y := / sqrt (a / 2).
Let x := / sqrt (d / 2).
Definition left_to_do (n s : nat) : R := y * (w ^ s * z ^ (n - s)) + x * (z ^ s * w ^ (n - s)).

Lemma roots : 0 < z < w /\ w * w = 1 + 2 * m /\ z * z = 1 - 2 * m /\ (w + z) / 2 <= 1 - m * m / 2 /\ 0 < x /\ 0 < y.
Proof.
  destruct (mean_root m Hm) as (A & B & C & D). do 3 (split; [assumption|]). split; [|unfold x, y; split; positive].
  eapply Rle_trans; [exact D|]. unfold root_rate. nra.
Qed.

Lemma left_nonneg n s : 0 <= left_to_do n s.
Proof.
  destruct roots as ((Z0 & ZW) & _ & _ & _ & X0 & Y0). apply Rplus_le_le_0_compat; positive.
Qed.

Lemma sqrt_L n s : sqrt (likelihood m n s) = w ^ s * z ^ (n - s).
Proof.
  destruct roots as ((Z0 & ZW) & W2 & Z2 & _). rewrite <- (sqrt_square (w ^ s * z ^ (n - s))) by positive. f_equal.
  unfold likelihood. rewrite <- W2, <- Z2, !Rpow_mult_distr. ring.
Qed.

Lemma undecided n s : (s <= n)%nat -> equivalent m (d / 2) (a / 2) n s = false -> 1 <= left_to_do n s.
Proof.
  intros Hs E. destruct roots as ((Z0 & ZW) & _ & _ & _ & X0 & Y0).
  assert (K : forall e k, 0 < e -> sinks (likelihood m) e n k = false -> 1 <= / sqrt e * (w ^ k * z ^ (n - k))).
  { intros e k He Hk. unfold sinks in Hk. destruct (Rle_dec _ _) as [|h]; [discriminate|].
    rewrite <- sqrt_L, Rmult_comm. apply (Rle_div_r 1); [positive|]. rewrite Rmult_1_l. apply sqrt_le_1_alt. lra. }
  unfold left_to_do. apply andb_false_iff in E. destruct E as [E|E].
  - specialize (K (a / 2) s ltac:(lra) E). fold y in K. assert (0 <= x * (z ^ s * w ^ (n - s))) by positive. lra.
  - specialize (K (d / 2) (n - s)%nat ltac:(lra) E). fold x in K. replace (n - (n - s))%nat with s in K by lia.
    assert (0 <= y * (w ^ s * z ^ (n - s))) by positive. lra.
Qed.

(** It falls by m^2/8 of itself a duel. *)
Lemma falls p n s : (s <= n)%nat -> Rabs (p - 1/2) <= m / 8 ->
  p * left_to_do (S n) (S s) + (1 - p) * left_to_do (S n) s <= (1 - m * m / 8) * left_to_do n s.
Proof.
  intros Hs Hr. destruct roots as ((Z0 & ZW) & W2 & Z2 & Mean & X0 & Y0).
  assert (R : forall q, q - 1/2 <= m / 8 -> q * w + (1 - q) * z <= 1 - m * m / 8).
  { intros q Hq. assert (4/3 <= w + z) by (apply Rsqr_incr_0_var; [unfold Rsqr; nra|lra]). nra. }
  apply Rabs_le_between in Hr. pose proof (R p ltac:(lra)) as Rp. pose proof (R (1 - p) ltac:(lra)) as Rq.
  unfold left_to_do. rewrite Nat.sub_succ, Nat.sub_succ_l by exact Hs. cbn [pow].
  apply (Rmult_le_compat_r (y * (w ^ s * z ^ (n - s)))) in Rp; [|positive].
  apply (Rmult_le_compat_r (x * (z ^ s * w ^ (n - s)))) in Rq; [|positive]. lra.
Qed.

Lemma ends_by_sinking F : Rabs (P u v - 1/2) <= m / 8 ->
  ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= 16 / (m * m) * ln (1 + (y + x)).
Proof.
  intro Hr. destruct roots as (_ & _ & _ & _ & X0 & Y0).
  assert (left_to_do 0 0 = y + x) as Start by (unfold left_to_do; cbn; ring). rewrite <- Start.
  apply (seqtest_ind (fun n s r => ET P r <= 16 / (m * m) * ln (1 + left_to_do n s)) (fun n s => 1 <= left_to_do n s)).
  - intros n s Hs E. apply undecided; [exact Hs|]. unfold margin_rule in E.
    destruct (evidence_rule _ _ _ _); [discriminate|]. destruct (equivalent _ _ _ _ _); [discriminate|reflexivity].
  - assert (Phi : forall n s, 0 <= 16 / (m * m) * ln (1 + left_to_do n s)).
    { intros n s. pose proof (left_nonneg n s). apply Rmult_le_pos; [positive|]. rewrite <- ln_1. apply ln_le; lra. }
    intros. auto.
  - intros n s k Hs H1 A B. pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) A B) as C. cbn [ET].
    pose proof (falls (P u v) n s Hs Hr) as Fall. pose proof (left_nonneg (S n) s) as Q0.
    pose proof (left_nonneg (S n) (S s)) as Q1. set (q := left_to_do n s) in *. set (q0 := left_to_do (S n) s) in *.
    set (q1 := left_to_do (S n) (S s)) in *. pose proof (ln_tangent (1 + q0) (1 + q) ltac:(lra) ltac:(lra)) as T0.
    pose proof (ln_tangent (1 + q1) (1 + q) ltac:(lra) ltac:(lra)) as T1.
    replace ((1 + q0) / (1 + q)) with (1 - (q - q0) / (1 + q)) in T0 by (field; lra).
    replace ((1 + q1) / (1 + q)) with (1 - (q - q1) / (1 + q)) in T1 by (field; lra).
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) T1 T0) as T.
    assert (m * m / 16 <= (q - (P u v * q1 + (1 - P u v) * q0)) / (1 + q))
      as D by (apply (Rle_div_r (m * m / 16)); nra).
    apply (Rmult_le_compat_l (16 / (m * m))) in T, D; [|positive|positive].
    replace (16 / (m * m) * (m * m / 16)) with 1 in D by (field; lra). lra.
  - assert (1 <= y); [|lra]. rewrite <- Rinv_1. apply Rinv_le_contravar; [positive|]. rewrite <- sqrt_1.
    apply sqrt_le_1_alt. lra.
Qed.

Lemma margin_match_time F : ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= margin_time m (Rmin d a).
Proof.
  pose proof (Rmin_l d a) as M1. pose proof (Rmin_r d a) as M2. pose proof (ln_inv_gap m ltac:(lra)) as LM.
  pose proof ln2_le. pose proof (Rmin_level d a Hd Ha) as Hl. set (l := Rmin d a) in *.
  pose proof (ln_inv_pos l Hl) as LL. assert (0 < / (m * m)) as I by positive. assert (1 <= / l) as IL.
  { rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (0 < / m) as IM by positive. unfold margin_time, C_margin.
  destruct (Rle_lt_dec (Rabs (P u v - 1/2)) (m / 8)) as [H'|H'].
  - eapply Rle_trans; [now apply ends_by_sinking|]. assert (R : forall e, l <= e < 1 -> / sqrt (e / 2) <= 2 * / l).
    { intros e He. replace (2 * / l) with (/ (l / 2)) by (field; lra). apply Rinv_le_contravar; [lra|].
      apply Rsqr_incr_0_var; [|apply sqrt_pos]. rewrite Rsqr_sqrt by lra. unfold Rsqr. nra. }
    pose proof (R a ltac:(lra)) as Ry. pose proof (R d ltac:(lra)) as Rx. fold y in Ry. fold x in Rx.
    destruct roots as (_ & _ & _ & _ & X0 & Y0).
    assert (ln (1 + (y + x)) <= ln (2 * 2 * 2 * / l)) as T by (apply ln_le; lra).
    rewrite !ln_mult in T by lra. assert (16 * ln (1 + (y + x)) <= 168 * (ln (/ l) + ln (/ m) + 1)) as G by lra.
    apply (Rmult_le_compat_l (/ (m * m))) in G; [unfold Rdiv; lra|lra].
  - eapply Rle_trans; [apply ends_by_evidence with (g := m / 8); lra|]. fold l. unfold mt_time, mt_base, mt_slope.
    replace (8 / 7 / (m / 8 * (m / 8))) with (/ (m * m) * (512 / 7)) by (field; lra).
    replace (4 / 7 / (m / 8 * (m / 8))) with (/ (m * m) * (256 / 7)) by (field; lra).
    replace (/ (m / 8)) with (2 * 2 * 2 * / m) by (field; lra). replace (/ (l / 2)) with (2 * / l) by (field; lra).
    assert (512/7 * (ln (2 * 2 * 2 * / m) + 3/4) + 256/7 * ln (2 * / l) <= 168 * (ln (/ l) + ln (/ m) + 1)) as G
      by (rewrite !ln_mult by lra; lra).
    apply (Rmult_le_compat_l (/ (m * m))) in G; [unfold Rdiv in *; lra|lra].
Qed.
End Match.

Theorem margin_match_ends : margin_match_ends_statement.
Proof.
  intros P u v m d a HP Hm Hd Ha run. pose proof (valid_01 P HP) as P01.
  assert (T : forall F, ET P (run F) <= margin_time m (Rmin d a)) by (intro; now apply margin_match_time).
  split; [apply at_most_ET; auto; intro F; apply seqtest_refines|].
  apply (cut_vanishes P P01 run (margin_time m (Rmin d a))). intro F.
  eapply Rle_trans; [apply seqtest_markov; auto|apply T].
Qed.

Theorem certify_with_margin : certify_with_margin_statement.
Proof.
  intros P N c order m d a HP Hm Hd Ha Hall run. pose proof (valid_01 P HP) as P01. split.
  - intros He F budget.
    apply (margin_certificate_error mixture P N c order m d (margin_rule m d a)); auto; [apply W_is_evidence|lra|].
    intros n s Hs. unfold margin_rule, evidence_rule, equivalent.
    destruct (reaches mixture (d / 2) n s); [auto|]. destruct (reaches mixture (a / 2) n (n - s)); [discriminate|].
    destruct (sinks (likelihood m) (a / 2) n s), (sinks (likelihood m) (d / 2) n (n - s)); auto; discriminate.
  - intros F duels. assert (forall u v, ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= margin_time m (Rmin d a))
      as T by (intros; now apply margin_match_time).
    pose proof (Rle_trans _ _ _ (ET_nonneg P P01 _) (T c c)) as T0. unfold duels.
    replace (length order) with (length (against c order)) by apply map_length.
    split; [apply (certify_cost _ (ET_additive P P01))|apply (certify_cost _ (cut_additive P P01 F))]; auto.
    intros u v _. eapply Rle_trans; [apply seqtest_markov; auto|apply T].
Qed.
