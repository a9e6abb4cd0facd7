(** * certify: a certificate for a given arm, without a known gap (not in the paper)

    Each match goes on until MixtureTest's evidence for one of the two arms is enough.  This does not
    decide a pair that ties.  With a margin m there is a third answer: neither arm is better by m.
    It is given as soon as the likelihood of a gap of m has fallen far enough for both arms.  So
    every match ends, whatever the pair. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest Limits MixtureTest Likelihood Certificate.
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
  ((exists j, (j < N)%nat /\ j <> c /\ P c j <= 1/2 - m) -> forall F budget, Pr P (within budget (run F)) certified <= d) /\
  forall F, let duels := INR (length order) * margin_time m (Rmin d a) in
    ET P (run F) <= duels /\ INR F * Pr P (run F) ran_out <= duels.

(** * Proofs *)

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
  intros Hg Hp. pose proof (Rmin_l d a) as M1. pose proof (Rmin_r d a) as M2. set (l := Rmin d a) in *.
  assert (0 < l) as L0 by (unfold l, Rmin; destruct (Rle_dec d a); lra).
  eapply Rle_trans; [apply (stops_no_later P P01 u v _ (mixture_rule (l / 2)));
    [|apply le_n]|apply (mixture_time_at P P01 (l / 2) g u v F); auto; lra].
  intros n s _ Hs. unfold margin_rule, evidence_rule, mixture_rule.
  assert (forall x k, l <= x -> (k <= n)%nat -> reaches mixture (x / 2) n k = false -> evident (l / 2) n k = false) as K.
  { intros x k Hx Hk E. destruct (evident (l / 2) n k) eqn:V; [|reflexivity]. apply evident_W in V; [|exact Hk|lra].
    unfold reaches in E. destruct (Rle_dec _ _) as [|h]; [discriminate|]. exfalso. apply h. pose proof (W_pos n k Hk). nra. }
  destruct (reaches mixture (d / 2) n s) eqn:E1; [discriminate|]. destruct (reaches mixture (a / 2) n (n - s)) eqn:E2; [discriminate|]. intros _.
  rewrite (K d s M1 Hs E1), (K a (n - s)%nat M2 ltac:(lia) E2). reflexivity.
Qed.

(** Near it both likelihoods sink: the sum of their square roots is what is left to be done. *)
Let w := sqrt (1 + 2 * m).
Let z := sqrt (1 - 2 * m).
Let y := / sqrt (a / 2).
Let x := / sqrt (d / 2).
Definition left_to_do (n s : nat) : R := y * (w ^ s * z ^ (n - s)) + x * (z ^ s * w ^ (n - s)).

Lemma roots : 0 < z < w /\ w * w = 1 + 2 * m /\ z * z = 1 - 2 * m /\ 0 < x /\ 0 < y.
Proof.
  assert (0 < sqrt (a / 2)) by (apply sqrt_lt_R0; lra). assert (0 < sqrt (d / 2)) by (apply sqrt_lt_R0; lra).
  unfold w, z. repeat split; try (apply sqrt_sqrt; lra); try (apply Rinv_0_lt_compat; lra).
  - apply sqrt_lt_R0. lra.
  - apply sqrt_lt_1; lra.
Qed.

Lemma left_nonneg n s : 0 <= left_to_do n s.
Proof.
  destruct roots as ((Z0 & ZW) & _ & _ & X0 & Y0).
  assert (forall i j, 0 <= w ^ i * z ^ j) as Q by (intros; apply Rmult_le_pos; apply pow_le; lra).
  unfold left_to_do. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; [apply Q|rewrite Rmult_comm; apply Q].
Qed.

Lemma sqrt_L n s : sqrt (likelihood m n s) = w ^ s * z ^ (n - s).
Proof.
  assert (forall b k, 0 <= b -> sqrt (b ^ k) = sqrt b ^ k) as Q.
  { intros b k Hb. induction k as [|k IH]; cbn [pow]; [apply sqrt_1|]. rewrite sqrt_mult, IH; auto. now apply pow_le. }
  unfold likelihood. rewrite sqrt_mult, !Q by (try apply pow_le; lra). reflexivity.
Qed.

Lemma undecided n s : (s <= n)%nat -> equivalent m (d / 2) (a / 2) n s = false -> 1 <= left_to_do n s.
Proof.
  intros Hs E. destruct roots as ((Z0 & ZW) & _ & _ & X0 & Y0).
  assert (forall e k, 0 < e -> sinks (likelihood m) e n k = false -> 1 <= / sqrt e * (w ^ k * z ^ (n - k))) as K.
  { intros e k He Hk. unfold sinks in Hk. destruct (Rle_dec _ _) as [|h]; [discriminate|]. rewrite <- sqrt_L.
    assert (0 < sqrt e) by (now apply sqrt_lt_R0). apply Rmult_le_reg_l with (sqrt e); [auto|].
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_r, Rmult_1_l by lra. apply sqrt_le_1_alt. lra. }
  assert (forall i j, 0 <= w ^ i * z ^ j) as Q by (intros; apply Rmult_le_pos; apply pow_le; lra).
  unfold equivalent in E. apply andb_false_iff in E. unfold left_to_do. destruct E as [E|E].
  - specialize (K (a / 2) s ltac:(lra) E). fold y in K. pose proof (Q (n - s)%nat s). nra.
  - specialize (K (d / 2) (n - s)%nat ltac:(lra) E). fold x in K. replace (n - (n - s))%nat with s in K by lia. pose proof (Q s (n - s)%nat).
    rewrite (Rmult_comm (z ^ s)). nra.
Qed.

(** It falls by m^2/8 of itself a duel. *)
Lemma falls p n s : (s <= n)%nat -> 0 <= p <= 1 -> Rabs (p - 1/2) <= m / 8 ->
  p * left_to_do (S n) (S s) + (1 - p) * left_to_do (S n) s <= (1 - m * m / 8) * left_to_do n s.
Proof.
  intros Hs Hp Hr. destruct roots as ((Z0 & ZW) & W2 & Z2 & X0 & Y0).
  assert (0 <= y * (w ^ s * z ^ (n - s))) as A0 by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; apply pow_le; lra]).
  assert (0 <= x * (z ^ s * w ^ (n - s))) as B0 by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; apply pow_le; lra]).
  assert (forall q, Rabs (q - 1/2) <= m / 8 -> q * w + (1 - q) * z <= 1 - m * m / 8) as R.
  { intros q Hq. assert (q - 1/2 <= m / 8) as Hq' by (eapply Rle_trans; [apply Rle_abs|exact Hq]).
    assert ((w + z) / 2 <= 1 - m * m / 2) as Mean.
    { assert (w * z <= 1 - 2 * (m * m)) as G.
      { apply Rsqr_incr_0_var; [unfold Rsqr|nra]. replace (w * z * (w * z)) with ((w * w) * (z * z)) by ring. rewrite W2, Z2.
        assert (0 <= m * m * (m * m)) by nra. nra. }
      apply Rsqr_incr_0_var; [unfold Rsqr|nra].
      replace ((w + z) / 2 * ((w + z) / 2)) with ((w * w + z * z + 2 * (w * z)) / 4) by field. rewrite W2, Z2.
      replace ((1 - m * m / 2) * (1 - m * m / 2)) with (1 - m * m + m * m * (m * m) / 4) by field. assert (0 <= m * m * (m * m)) by nra. lra. }
    assert (w - z <= 3 * m) as Diff.
    { assert (4/3 <= w + z). { apply Rsqr_incr_0_var; [unfold Rsqr|lra]. nra. }
      assert ((w - z) * (w + z) = 4 * m) by (ring_simplify; nra). nra. }
    replace (q * w + (1 - q) * z) with ((w + z) / 2 + (q - 1/2) * (w - z)) by field. nra. }
  pose proof (R p Hr) as Rp.
  assert (Rabs (1 - p - 1/2) <= m / 8) as Hr' by (rewrite <- Rabs_Ropp; replace (- (1 - p - 1/2)) with (p - 1/2) by lra; exact Hr).
  pose proof (R (1 - p) Hr') as Rq. unfold left_to_do. rewrite Nat.sub_succ, Nat.sub_succ_l by exact Hs. cbn [pow].
  set (A := y * (w ^ s * z ^ (n - s))) in *. set (B := x * (z ^ s * w ^ (n - s))) in *.
  replace (p * (y * (w * w ^ s * z ^ (n - s)) + x * (z * z ^ s * w ^ (n - s))) + (1 - p) * (y * (w ^ s * (z * z ^
    (n - s))) + x * (z ^ s * (w * w ^ (n - s)))))
    with ((p * w + (1 - p) * z) * A + ((1 - p) * w + (1 - (1 - p)) * z) * B) by (unfold A, B; ring).
  replace ((1 - m * m / 8) * (A + B)) with ((1 - m * m / 8) * A + (1 - m * m / 8) * B) by ring.
  apply Rplus_le_compat; apply Rmult_le_compat_r; auto.
Qed.

Lemma ends_by_sinking F : Rabs (P u v - 1/2) <= m / 8 ->
  ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= 16 / (m * m) * ln (1 + (y + x)).
Proof.
  intro Hr. set (C := 16 / (m * m)). assert (0 < C) as C0 by (apply Rdiv_lt_0_compat; nra).
  assert (forall n s, 0 <= C * ln (1 + left_to_do n s)) as Phi.
  { intros n s. pose proof (left_nonneg n s). apply Rmult_le_pos; [lra|]. rewrite <- ln_1. apply ln_le; lra. }
  assert (forall f n s, (s <= n)%nat -> 1 <= left_to_do n s ->
    ET P (seqtest (margin_rule m d a) never f n s u v) <= C * ln (1 + left_to_do n s)) as G.
  { induction f as [|f IH]; intros n s Hs H1; [cbn [seqtest ET]; apply Phi|]. cbn [seqtest ET].
    assert (forall s', (s' <= S n)%nat -> ET P match margin_rule m d a (S n) s' with Some b => Ret (pick u v (Some b))
        | None => seqtest (margin_rule m d a) never f (S n) s' u v end <= C * ln (1 + left_to_do (S n) s')) as K.
    { intros s' Hs'. destruct (margin_rule m d a (S n) s') eqn:E; [cbn [ET]; apply Phi|]. apply IH; [exact Hs'|]. apply undecided; [exact Hs'|].
      unfold margin_rule in E. destruct (evidence_rule _ _ _ _); [discriminate|]. destruct (equivalent _ _ _ _ _); [discriminate|reflexivity]. }
    pose proof (K (S s) ltac:(lia)) as K1. pose proof (K s ltac:(lia)) as K0. cbn [b2n Nat.add].
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) K1 K0) as M.
    pose proof (falls (P u v) n s Hs (P01 u v) Hr) as Fall.
    pose proof (left_nonneg n s) as Q. pose proof (left_nonneg (S n) s) as Q0. pose proof (left_nonneg (S n) (S s)) as Q1.
    set (q := left_to_do n s) in *. set (q0 := left_to_do (S n) s) in *. set (q1 := left_to_do (S n) (S s)) in *.
    pose proof (ln_tangent (1 + q0) (1 + q) ltac:(lra) ltac:(lra)) as T0. pose proof (ln_tangent (1 + q1) (1 + q) ltac:(lra) ltac:(lra)) as T1.
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) T1 T0) as T.
    assert (P u v * ln (1 + q1) + (1 - P u v) * ln (1 + q0) <= ln (1 + q) - m * m / 16) as D.
    { eapply Rle_trans; [exact T|].
      replace (P u v * ((1 + q1) / (1 + q) + ln (1 + q) - 1) + (1 - P u v) * ((1 + q0) / (1 + q) + ln (1 + q) - 1))
        with (ln (1 + q) - (q - (P u v * q1 + (1 - P u v) * q0)) / (1 + q)) by (field; lra).
      assert (m * m / 16 <= (q - (P u v * q1 + (1 - P u v) * q0)) / (1 + q)); [|lra].
      apply Rmult_le_reg_r with (1 + q); [lra|]. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra. }
    apply (Rmult_le_compat_l C) in D; [|lra].
    assert (C * (m * m / 16) = 1) as C1 by (unfold C; field; lra). lra. }
  assert (left_to_do 0 0 = y + x) as Start by (unfold left_to_do; cbn; ring). rewrite <- Start. apply G; [apply le_n|].
  destruct roots as (_ & _ & _ & X0 & Y0). rewrite Start.
  assert (1 <= y); [|lra]. unfold y. rewrite <- Rinv_1. apply Rinv_le_contravar; [apply sqrt_lt_R0; lra|].
  rewrite <- sqrt_1. apply sqrt_le_1_alt. lra.
Qed.

Lemma margin_match_time F : ET P (seqtest (margin_rule m d a) never F 0 0 u v) <= margin_time m (Rmin d a).
Proof.
  pose proof (Rmin_l d a) as M1. pose proof (Rmin_r d a) as M2. pose proof (ln_inv_gap m ltac:(lra)) as LM. pose proof ln2_le. pose proof ln2_ge.
  assert (0 < Rmin d a) as L0 by (unfold Rmin; destruct (Rle_dec d a); lra). set (l := Rmin d a) in *.
  assert (l < 1) as L1 by lra. pose proof (ln_inv_pos l ltac:(lra)) as LL. assert (0 < / (m * m)) as I by (apply Rinv_0_lt_compat; nra).
  assert (0 < / l) as IL by (apply Rinv_0_lt_compat; lra). assert (0 < / m) as IM by (apply Rinv_0_lt_compat; lra).
  unfold margin_time, C_margin. replace (168 / (m * m)) with (/ (m * m) * 168) by (unfold Rdiv; ring).
  destruct (Rle_lt_dec (Rabs (P u v - 1/2)) (m / 8)) as [H'|H'].
  - eapply Rle_trans; [now apply ends_by_sinking|]. replace (16 / (m * m)) with (/ (m * m) * 16) by (unfold Rdiv; ring). rewrite !Rmult_assoc.
    apply Rmult_le_compat_l; [lra|]. assert (forall e, l <= e < 1 -> / sqrt (e / 2) <= 2 / l) as R.
    { intros e He. assert (l / 2 <= sqrt (e / 2)) as Q.
      { apply Rsqr_incr_0_var; [|apply sqrt_pos]. rewrite Rsqr_sqrt by lra. unfold Rsqr. nra. }
      replace (2 / l) with (/ (l / 2)) by (field; lra). apply Rinv_le_contravar; lra. }
    pose proof (R a ltac:(lra)) as Ry. pose proof (R d ltac:(lra)) as Rx. fold y in Ry. fold x in Rx.
    destruct roots as (_ & _ & _ & X0 & Y0). assert (ln (1 + (y + x)) <= ln (2 * 2 * 2 * / l)) as T.
    { apply ln_le; [lra|]. assert (1 <= / l) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra). unfold Rdiv in Ry, Rx. lra. }
    rewrite !ln_mult in T by lra. lra.
  - eapply Rle_trans; [apply ends_by_evidence with (g := m / 8); lra|]. fold l. unfold mt_time, mt_base, mt_slope.
    replace (8 / 7 / (m / 8 * (m / 8))) with (/ (m * m) * (512 / 7)) by (field; lra).
    replace (4 / 7 / (m / 8 * (m / 8))) with (/ (m * m) * (256 / 7)) by (field; lra).
    replace (/ (m / 8)) with (2 * 2 * 2 * / m) by (field; lra). replace (/ (l / 2)) with (2 * / l) by (field; lra).
    rewrite !ln_mult, !Rmult_assoc, <- Rmult_plus_distr_l by lra. apply Rmult_le_compat_l; [lra|]. lra.
Qed.
End Match.

Lemma margin_time_pos m d : 0 < m < 1/2 -> 0 < d < 1 -> 0 <= margin_time m d.
Proof.
  intros Hm Hd. unfold margin_time, C_margin. pose proof (ln_inv_pos d Hd). pose proof (ln_inv_gap m ltac:(lra)).
  apply Rmult_le_pos; [|lra]. left. apply Rdiv_lt_0_compat; nra.
Qed.
Lemma Rmin_level d a : 0 < d < 1 -> 0 < a < 1 -> 0 < Rmin d a < 1.
Proof. intros. unfold Rmin. destruct (Rle_dec d a); lra. Qed.

Theorem margin_match_ends : margin_match_ends_statement.
Proof.
  intros P u v m d a HP Hm Hd Ha run. pose proof (valid_01 P HP) as P01.
  assert (forall F, ET P (run F) <= margin_time m (Rmin d a)) as T by (intro; now apply margin_match_time).
  split; [split; [exact T|apply (limit_ET P P01); auto; intro F; apply seqtest_refines]|].
  apply (cut_vanishes P P01 run (margin_time m (Rmin d a))). intro F. eapply Rle_trans; [apply seqtest_markov; auto|apply T].
Qed.

Lemma certify_cut P (P01 : forall u v, 0 <= P u v <= 1) F (test : arm -> arm -> prog (option arm)) e pairs : 0 <= e ->
  (forall u v, In (u, v) pairs -> INR F * Pr P (test u v) ran_out <= e) ->
  INR F * Pr P (certify test pairs) ran_out <= INR (length pairs) * e.
Proof.
  intros He H. induction pairs as [|[x y] rest IH]; [unfold Pr; cbn; lra|]. cbn [certify length]. rewrite S_INR.
  eapply Rle_trans; [apply (cut_obind P P01) with (Q := fun _ => True) (K := e) (K' := INR (length rest) * e)|lra]; auto using leaves_true.
  - apply Rmult_le_pos; [apply pos_INR|exact He].
  - apply H. now left.
  - intros z _. destruct (Nat.eqb z x); [apply IH; intros; apply H; now right|unfold Pr; cbn].
    rewrite Rmult_0_r. apply Rmult_le_pos; [apply pos_INR|exact He].
Qed.

Theorem certify_with_margin : certify_with_margin_statement.
Proof.
  intros P N c order m d a HP Hm Hd Ha Hall run. pose proof (valid_01 P HP) as P01. pose proof (Rmin_level d a Hd Ha) as Hl.
  pose proof (margin_time_pos m (Rmin d a) Hm Hl) as T0. split.
  - intros He F budget. apply (margin_certificate_error mixture P N c order m d (margin_rule m d a) F budget); auto; [apply W_is_evidence|lra|].
    intros n s Hs. unfold margin_rule, evidence_rule.
    destruct (reaches mixture (d / 2) n s); [auto|]. destruct (reaches mixture (a / 2) n (n - s)); [discriminate|].
    unfold equivalent. destruct (sinks (likelihood m) (a / 2) n s); [|discriminate].
    destruct (sinks (likelihood m) (d / 2) n (n - s)); [auto|discriminate].
  - intros F duels. set (T := margin_time m (Rmin d a)) in *. assert (length (against c order) = length order) as HL by apply map_length.
    unfold duels. rewrite <- HL. split; [apply certify_time; auto; intros u v _; now apply margin_match_time|].
    apply certify_cut; auto. intros u v _. eapply Rle_trans; [apply seqtest_markov; auto|now apply margin_match_time].
Qed.
