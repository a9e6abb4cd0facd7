(** * Evidence that one arm beats another: likelihood ratios, and their mixtures (not in the paper)

    After [n] duels of which an arm won [s], [evidence] is what a gambler owns who began with at most 1 and bets on
    that arm, at odds that are fair or worse as long as it is not the better one.  So it ever reaches 1/d with
    probability at most d (Ville 1939), and a test may say "better" as soon as it does.
    [likelihood g] is the likelihood ratio of a gap of [g] against a tie; mixtures of evidence, MixtureTest's
    [W] among them, are evidence.  All of it is decided in integers at rational [g] and levels. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith ZArith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest MixtureTest LowerBound.
Open Scope R_scope.

Record evidence (V : nat -> nat -> R) : Prop := {
  ev_starts : V 0%nat 0%nat <= 1;
  ev_nonneg : forall n s, (s <= n)%nat -> 0 <= V n s;
  ev_unfair : forall p n s, 0 <= p <= 1/2 -> (s <= n)%nat -> p * V (S n) (S s) + (1 - p) * V (S n) s <= V n s }.

(** The likelihood of [s] wins in [n] duels at p = 1/2 + g, over that at 1/2. *)
Definition likelihood (g : R) (n s : nat) : R := (1 + 2 * g) ^ s * (1 - 2 * g) ^ (n - s).

(** V n s >= 1/d *)
Definition reaches (V : nat -> nat -> R) (d : R) (n s : nat) : bool := if Rle_dec 1 (d * V n s) then true else false.
(** V n s <= e *)
Definition sinks (V : nat -> nat -> R) (e : R) (n s : nat) : bool := if Rle_dec (V n s) e then true else false.

Definition likelihood_is_evidence_statement : Prop := forall g, 0 <= g <= 1/2 -> evidence (likelihood g).
(** [K] kinds of evidence, weighed. *)
Definition mixture_is_evidence_statement : Prop := forall K (weight : nat -> R) (V : nat -> nat -> nat -> R),
  (forall i, (i < K)%nat -> 0 <= weight i /\ evidence (V i)) -> sm weight K <= 1 ->
  evidence (fun n s => sm (fun i => weight i * V i n s) K).
Definition W_is_evidence_statement : Prop := evidence mixture.

(** Whoever is not better than the other is found to be so with probability at most [d]: within every number of
    duels ... *)
Definition evidence_error_statement : Prop := forall V p d k,
  evidence V -> 0 <= p <= 1/2 -> 0 < d -> hit p (reaches V d) k 0 0 <= d.
(** ... and so by every test that says it only on that evidence, whatever else it says, and however it ends. *)
Definition one_sided_error_statement : Prop := forall V P d u v stop F,
  evidence V -> valid P -> 0 < d -> u <> v -> P u v <= 1/2 ->
  (forall n s, (s <= n)%nat -> stop n s = Some true -> reaches V d n s = true) ->
  Pr P (seqtest stop never F 0 0 u v) (is_arm u) <= d.

(** The likelihood ratio of who *is* better by [g] ever sinks to [e] with probability at most [e] ... *)
Definition likelihood_sinks_statement : Prop := forall g p e k,
  0 < g < 1/2 -> 1/2 + g <= p <= 1 -> 0 <= e -> hit p (sinks (likelihood g) e) k 0 0 <= e.
(** ... so that a test that gives it up only then seldom does. *)
Definition one_sided_loss_statement : Prop := forall g P e u v stop F,
  valid P -> 0 < g < 1/2 -> 0 <= e -> u <> v -> 1/2 + g <= P u v ->
  (forall n s, (s <= n)%nat -> stop n s = Some false -> sinks (likelihood g) e n s = true) ->
  Pr P (seqtest stop never F 0 0 u v) (is_arm v) <= e.

(** The expected number of duels, by Wald, of a test that goes on only while likelihood g < 1/d. *)
Definition L_time (g d : R) : R := (ln (/ d) + ln (1 + 2 * g)) / (2 * (g * g)).
Definition one_sided_time_statement : Prop := forall g P d u v stop fin F,
  valid P -> 0 < g < 1/2 -> 0 < d <= 1 -> 1/2 + g <= P u v ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n s = false) ->
  ET P (seqtest stop fin F 0 0 u v) <= L_time g d.

(** At g = a/b and the level c/e both are decided in integers. *)
Definition L_reaches (a b c e : Z) (n s : nat) : bool :=
  (e * b ^ Z.of_nat n <=? c * ((b + 2 * a) ^ Z.of_nat s * (b - 2 * a) ^ Z.of_nat (n - s)))%Z.
Definition L_sinks (a b c e : Z) (n s : nat) : bool :=
  (e * ((b + 2 * a) ^ Z.of_nat s * (b - 2 * a) ^ Z.of_nat (n - s)) <=? c * b ^ Z.of_nat n)%Z.
Definition likelihood_in_integers_statement : Prop := forall a b c e n s, (0 < b)%Z -> (0 < e)%Z -> (s <= n)%nat ->
  reaches (likelihood (IZR a / IZR b)) (IZR c / IZR e) n s = L_reaches a b c e n s /\
  sinks (likelihood (IZR a / IZR b)) (IZR c / IZR e) n s = L_sinks a b c e n s.

(** E[exp(h tau)], tau being the number of duels. *)
Fixpoint exp_time {A} (P : arm -> arm -> R) (h : R) (m : prog A) : R :=
  match m with
  | Ret _ => 1
  | Ask _ u v k => exp h * (P u v * exp_time P h (k true) + (1 - P u v) * exp_time P h (k false))
  end.
(** Long matches are exponentially rare. *)
Definition one_sided_exp_time_statement : Prop := forall g P d u v stop fin F,
  valid P -> 0 < g < 1/2 -> 0 < d < 1 -> 1/2 + g <= P u v ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n s = false) ->
  exp_time P (g * g / 2) (seqtest stop fin F 0 0 u v) <= sqrt ((1 + 2 * g) / d).

(** * Proofs *)

Lemma L_pos g n s : 0 < g < 1/2 -> 0 < likelihood g n s.
Proof. intro Hg. unfold likelihood. apply Rmult_lt_0_compat; apply pow_lt; lra. Qed.

Theorem likelihood_in_integers : likelihood_in_integers_statement.
Proof.
  intros a b c e n s Hb He Hs. apply IZR_lt in Hb, He.
  assert (likelihood (IZR a / IZR b) n s * IZR b ^ n = IZR ((b + 2 * a) ^ Z.of_nat s * (b - 2 * a) ^ Z.of_nat (n - s))) as E.
  { rewrite mult_IZR, <- !pow_IZR, plus_IZR, minus_IZR, mult_IZR. unfold likelihood.
    replace (IZR b ^ n) with (IZR b ^ s * IZR b ^ (n - s)) by (rewrite <- pow_add; f_equal; lia).
    replace ((1 + 2 * (IZR a / IZR b)) ^ s * (1 - 2 * (IZR a / IZR b)) ^ (n - s) * (IZR b ^ s * IZR b ^ (n - s)))
      with (((1 + 2 * (IZR a / IZR b)) ^ s * IZR b ^ s) * ((1 - 2 * (IZR a / IZR b)) ^ (n - s) * IZR b ^ (n - s))) by ring.
    rewrite <- !Rpow_mult_distr. f_equal; f_equal; field; lra. }
  assert (0 < IZR b ^ n) as Bn by (now apply pow_lt). set (x := ((b + 2 * a) ^ Z.of_nat s * (b - 2 * a) ^ Z.of_nat (n - s))%Z) in *.
  set (l := likelihood (IZR a / IZR b) n s) in *. split.
  - unfold reaches, L_reaches. fold l x.
    assert (1 <= IZR c / IZR e * l <-> (e * b ^ Z.of_nat n <= c * x)%Z) as Q.
    { split; intro H.
      - apply le_IZR. rewrite !mult_IZR, <- pow_IZR, <- E. apply Rle_trans with (IZR e * IZR b ^ n * 1); [lra|].
        replace (IZR c * (l * IZR b ^ n)) with (IZR e * IZR b ^ n * (IZR c / IZR e * l)) by (field; lra).
        apply Rmult_le_compat_l; [|exact H]. apply Rmult_le_pos; lra.
      - apply IZR_le in H. rewrite !mult_IZR, <- pow_IZR, <- E in H. apply Rmult_le_reg_l with (IZR e * IZR b ^ n); [now apply Rmult_lt_0_compat|].
        replace (IZR e * IZR b ^ n * (IZR c / IZR e * l)) with (IZR c * (l * IZR b ^ n)) by (field; lra). lra. }
    destruct (Rle_dec _ _) as [h|h]; symmetry; [apply Z.leb_le; tauto|]. apply Z.leb_gt. apply Z.nle_gt. tauto.
  - unfold sinks, L_sinks. fold l x.
    assert (l <= IZR c / IZR e <-> (e * x <= c * b ^ Z.of_nat n)%Z) as Q.
    { split; intro H.
      - apply le_IZR. rewrite !mult_IZR, <- pow_IZR, <- E.
        replace (IZR c * IZR b ^ n) with (IZR e * IZR b ^ n * (IZR c / IZR e)) by (field; lra).
        replace (IZR e * (l * IZR b ^ n)) with (IZR e * IZR b ^ n * l) by ring. apply Rmult_le_compat_l; [|exact H]. apply Rmult_le_pos; lra.
      - apply IZR_le in H. rewrite !mult_IZR, <- pow_IZR, <- E in H. apply Rmult_le_reg_l with (IZR e * IZR b ^ n); [now apply Rmult_lt_0_compat|].
        replace (IZR e * IZR b ^ n * (IZR c / IZR e)) with (IZR c * IZR b ^ n) by (field; lra). lra. }
    destruct (Rle_dec _ _) as [h|h]; symmetry; [apply Z.leb_le; tauto|]. apply Z.leb_gt. apply Z.nle_gt. tauto.
Qed.

Lemma L_win g n s : likelihood g (S n) (S s) = (1 + 2 * g) * likelihood g n s.
Proof. unfold likelihood. rewrite Nat.sub_succ. cbn [pow]. ring. Qed.
Lemma L_loss g n s : (s <= n)%nat -> likelihood g (S n) s = (1 - 2 * g) * likelihood g n s.
Proof. intro H. unfold likelihood. rewrite Nat.sub_succ_l by exact H. cbn [pow]. ring. Qed.

Theorem likelihood_is_evidence : likelihood_is_evidence_statement.
Proof.
  intros g Hg. assert (Q : forall n s, 0 <= likelihood g n s) by (intros; unfold likelihood; apply Rmult_le_pos; apply pow_le; lra).
  split.
  - unfold likelihood. cbn. lra.
  - auto.
  - intros p n s Hp H. rewrite L_win, L_loss by exact H. specialize (Q n s).
    assert (p * (1 + 2 * g) + (1 - p) * (1 - 2 * g) <= 1) as U by nra. apply (Rmult_le_compat_r (likelihood g n s)) in U; lra.
Qed.

Theorem mixture_is_evidence : mixture_is_evidence_statement.
Proof.
  intros K weight V H Sum. split.
  - eapply Rle_trans; [|exact Sum]. apply sm_le. intros i Hi. destruct (H i Hi) as [W0 [A _ _]]. nra.
  - intros n s Hs. apply Rle_trans with (sm (fun _ => 0) K); [rewrite sm_zero; lra|]. apply sm_le.
    intros i Hi. destruct (H i Hi) as [W0 [_ B _]]. specialize (B n s Hs). nra.
  - intros p n s Hp Hs. rewrite <- !sm_scal, <- sm_plus. apply sm_le. intros i Hi.
    destruct (H i Hi) as [W0 [_ _ C]]. specialize (C p n s Hp Hs).
    apply (Rmult_le_compat_l (weight i)) in C; [lra|exact W0].
Qed.

Theorem W_is_evidence : W_is_evidence_statement.
Proof.
  split.
  - unfold mixture. cbn. lra.
  - intros n s H. left. now apply W_pos.
  - intros; now apply W_super.
Qed.

Theorem evidence_error : evidence_error_statement.
Proof.
  intros V p d k [V1 V0 Vs] Hp Hd. eapply Rle_trans; [apply (hit_super p (reaches V d) (fun n s => d * V n s)); auto; [lra| | |]|].
  - intros n s H. apply Rmult_le_pos; [lra|auto].
  - intros n s _. unfold reaches. destruct (Rle_dec _ _); [auto|discriminate].
  - intros n s H. specialize (Vs p n s Hp H). apply (Rmult_le_compat_l d) in Vs; lra.
  - nra.
Qed.

Theorem one_sided_error : one_sided_error_statement.
Proof.
  intros V P d u v stop F HV HP Hd Huv Hp Hs. pose proof (valid_01 P HP) as P01.
  eapply Rle_trans; [apply (seqtest_shown P P01 u v Huv true stop (reaches V d)); exact Hs|].
  apply evidence_error; auto. split; [apply P01|exact Hp].
Qed.

(** 1/likelihood is a supermartingale when the gap is at least [g]. *)
Lemma inverse_L g p n s : 0 < g < 1/2 -> 1/2 + g <= p <= 1 -> (s <= n)%nat ->
  p * / likelihood g (S n) (S s) + (1 - p) * / likelihood g (S n) s <= / likelihood g n s.
Proof.
  intros Hg Hp H. rewrite L_win, L_loss by exact H. pose proof (L_pos g n s Hg) as L0. rewrite !Rinv_mult.
  assert (0 < / likelihood g n s) as I0 by (now apply Rinv_0_lt_compat).
  assert (p * / (1 + 2 * g) + (1 - p) * / (1 - 2 * g) <= 1) as Q.
  { apply Rmult_le_reg_r with ((1 + 2 * g) * (1 - 2 * g)); [nra|].
    replace ((p * / (1 + 2 * g) + (1 - p) * / (1 - 2 * g)) * ((1 + 2 * g) * (1 - 2 * g)))
      with (p * (1 - 2 * g) + (1 - p) * (1 + 2 * g)) by (field; lra). nra. }
  apply (Rmult_le_compat_r (/ likelihood g n s)) in Q; lra.
Qed.

Theorem likelihood_sinks : likelihood_sinks_statement.
Proof.
  intros g p e k Hg Hp He. eapply Rle_trans; [apply (hit_super p (sinks (likelihood g) e) (fun n s => e * / likelihood g n s)); auto; [lra| | |]|].
  - intros n s H. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. now apply L_pos.
  - intros n s _. unfold sinks. destruct (Rle_dec _ _) as [h|]; [intros _|discriminate]. pose proof (L_pos g n s Hg).
    apply Rmult_le_reg_r with (likelihood g n s); [assumption|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - intros n s H. pose proof (inverse_L g p n s Hg Hp H) as Q. apply (Rmult_le_compat_l e) in Q; lra.
  - unfold likelihood. cbn. right. field.
Qed.

Theorem one_sided_loss : one_sided_loss_statement.
Proof.
  intros g P e u v stop F HP Hg He Huv Hp Hs. pose proof (valid_01 P HP) as P01.
  eapply Rle_trans; [apply (seqtest_shown P P01 u v Huv false stop (sinks (likelihood g) e)); exact Hs|].
  apply likelihood_sinks; auto. split; [exact Hp|apply P01].
Qed.

(** The expected growth of the logarithm is at least 2 g^2 (Pinsker's inequality, from Hoeffding's lemma). *)
Lemma ln_L_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 -> 2 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp.
  assert (2 * (g * g) <= (1/2 + g) * ln (1 + 2 * g) + (1 - (1/2 + g)) * ln (1 - 2 * g)) as Q.
  { set (x := exp (4 * g) / (1 + 2 * g)). set (y := 1 / (1 - 2 * g)).
    assert (0 < x) by (apply Rdiv_lt_0_compat; [apply exp_pos|lra]). assert (0 < y) by (apply Rdiv_lt_0_compat; lra).
    pose proof (jensen_ln (1/2 + g) x y ltac:(lra) H H0) as J.
    assert (ln x = 4 * g - ln (1 + 2 * g)) as Ex.
    { unfold x, Rdiv. rewrite ln_mult, ln_exp, ln_Rinv; try lra; [apply exp_pos|apply Rinv_0_lt_compat; lra]. }
    assert (ln y = - ln (1 - 2 * g)) as Ey.
    { unfold y, Rdiv. rewrite Rmult_1_l, ln_Rinv; lra. }
    replace ((1/2 + g) * x + (1 - (1/2 + g)) * y) with ((exp (4 * g) + 1) / 2) in J by (unfold x, y; field; lra).
    assert (ln ((exp (4 * g) + 1) / 2) <= 2 * g + 2 * (g * g)) as U.
    { rewrite <- (ln_exp (2 * g + 2 * (g * g))). apply ln_le; [pose proof (exp_pos (4 * g)); lra|].
      pose proof (hoeffding_lemma (1/2) ltac:(lra) (4 * g)) as Hf. rewrite exp_plus.
      replace (4 * g * (4 * g) / 8) with (2 * (g * g)) in Hf by field.
      replace (4 * g * (1 - 1 / 2)) with (2 * g) in Hf by field. replace (4 * g * (1 / 2)) with (2 * g) in Hf by field.
      replace (exp (4 * g)) with (exp (2 * g) * exp (2 * g)) by (rewrite <- exp_plus; f_equal; ring).
      assert (exp (2 * g) * exp (- (2 * g)) = 1) as I by (rewrite <- exp_plus, <- exp_0; f_equal; ring).
      pose proof (exp_pos (2 * g)). apply (Rmult_le_compat_l (exp (2 * g))) in Hf; [|lra]. lra. }
    rewrite Ex, Ey in J. nra. }
  assert (0 <= (p - (1/2 + g)) * (ln (1 + 2 * g) - ln (1 - 2 * g))) as M.
  { apply Rmult_le_pos; [lra|]. assert (ln (1 - 2 * g) <= ln (1 + 2 * g)) by (apply ln_le; lra). lra. }
  lra.
Qed.

(** Wald's identity, where the logarithm is expected to grow by at least [m] a duel. *)
Lemma likelihood_time g m P d u v stop fin F : valid P -> 0 < g < 1/2 -> 0 < d <= 1 -> 0 < m ->
  m <= P u v * ln (1 + 2 * g) + (1 - P u v) * ln (1 - 2 * g) ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n s = false) ->
  ET P (seqtest stop fin F 0 0 u v) <= (ln (/ d) + ln (1 + 2 * g)) / m.
Proof.
  intros HP Hg Hd Hm Drift Hs. pose proof (valid_01 P HP) as P01. assert (0 <= ln (/ d)) as D0.
  { rewrite <- ln_1. apply ln_le; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  assert (0 <= ln (1 + 2 * g)) as G0 by (rewrite <- ln_1; apply ln_le; lra).
  assert (ln (1 - 2 * g) <= 0) as G1 by (rewrite <- ln_1; apply ln_le; lra).
  set (M := ln (/ d) + ln (1 + 2 * g)).
  assert (K : forall f n s, (s <= n)%nat -> ln (likelihood g n s) <= ln (/ d) ->
            m * ET P (seqtest stop fin f n s u v) + ln (likelihood g n s) <= M).
  { induction f as [|f IH]; intros n s Hn Hl; [cbn [seqtest ET]; unfold M; lra|]. cbn [seqtest ET].
    pose proof (L_pos g n s Hg) as L0.
    assert (ln (likelihood g (S n) (S s)) = ln (1 + 2 * g) + ln (likelihood g n s)) as Lw by (rewrite L_win, ln_mult; lra).
    assert (ln (likelihood g (S n) s) = ln (1 - 2 * g) + ln (likelihood g n s)) as Ll by (rewrite L_loss, ln_mult; lra || lia).
    assert (R : forall s', (s' <= S n)%nat -> ln (likelihood g (S n) s') <= M ->
      m * ET P match stop (S n) s' with Some a => Ret (pick u v (Some a)) | None => seqtest stop fin f (S n) s' u v end
      + ln (likelihood g (S n) s') <= M).
    { intros s' Hs' HM. destruct (stop (S n) s') as [a|] eqn:Es; [cbn [ET]; lra|]. apply IH; [exact Hs'|].
      specialize (Hs (S n) s' Hs' Es). unfold reaches in Hs. destruct (Rle_dec _ _) as [|h]; [discriminate|].
      apply ln_le; [now apply L_pos|]. apply Rmult_le_reg_l with d; [lra|]. rewrite Rinv_r by lra. lra. }
    pose proof (R (S s) ltac:(lia) ltac:(rewrite Lw; unfold M; lra)) as A.
    pose proof (R s ltac:(lia) ltac:(rewrite Ll; unfold M; lra)) as B. rewrite Lw in A. rewrite Ll in B.
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) A B) as C. cbn [b2n Nat.add] in *. lra. }
  specialize (K F 0%nat 0%nat ltac:(lia)). assert (ln (likelihood g 0 0) = 0) as Z by (unfold likelihood; cbn; rewrite Rmult_1_r; apply ln_1).
  rewrite Z in K. specialize (K D0). fold M. apply Rmult_le_reg_l with m; [lra|].
  replace (m * (M / m)) with M by (field; lra). lra.
Qed.

Theorem one_sided_time : one_sided_time_statement.
Proof.
  intros g P d u v stop fin F HP Hg Hd Hp Hs. assert (0 < g * g) by nra. apply likelihood_time; auto; [lra|].
  apply ln_L_drift; [exact Hg|]. split; [exact Hp|apply (valid_01 P HP)].
Qed.

(** 1/sqrt(L) shrinks by exp(-g^2/2) a duel. *)
Lemma root_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 -> p * / sqrt (1 + 2 * g) + (1 - p) * / sqrt (1 - 2 * g) <= exp (- (g * g / 2)).
Proof.
  intros Hg Hp. apply Rle_trans with (1 - g * g / 2); [|pose proof (exp_ineq1_le (- (g * g / 2))); lra].
  assert (0 < sqrt (1 + 2 * g)) as A by (apply sqrt_lt_R0; lra). assert (0 < sqrt (1 - 2 * g)) as B by (apply sqrt_lt_R0; lra).
  pose proof (sqrt_sqrt (1 + 2 * g) ltac:(lra)) as A2. pose proof (sqrt_sqrt (1 - 2 * g) ltac:(lra)) as B2.
  set (a := sqrt (1 + 2 * g)) in *. set (b := sqrt (1 - 2 * g)) in *.
  assert (p * / a + (1 - p) * / b <= (1/2 + g) * / a + (1/2 - g) * / b) as M.
  { assert (/ a <= / b) as I; [|nra]. apply Rinv_le_contravar; [exact B|]. apply Rsqr_incr_0_var; [unfold Rsqr; lra|lra]. }
  eapply Rle_trans; [exact M|]. replace ((1/2 + g) * / a + (1/2 - g) * / b) with ((a + b) / 2).
  2:{ replace (1/2 + g) with (a * a / 2) by lra. replace (1/2 - g) with (b * b / 2) by lra. field. lra. }
  assert (g * g <= 1/4) as G by nra. assert ((a * b) * (a * b) <= (1 - 2 * (g * g)) * (1 - 2 * (g * g))) as Q.
  { replace ((a * b) * (a * b)) with ((a * a) * (b * b)) by ring. rewrite A2, B2. nra. }
  assert (a * b <= 1 - 2 * (g * g)) as Q1 by (apply Rsqr_incr_0_var; [exact Q|lra]).
  apply Rsqr_incr_0_var; [unfold Rsqr|lra].
  replace ((a + b) / 2 * ((a + b) / 2)) with ((a * a + b * b + 2 * (a * b)) / 4) by field. rewrite A2, B2. nra.
Qed.

Theorem one_sided_exp_time : one_sided_exp_time_statement.
Proof.
  intros g P d u v stop fin F HP Hg Hd Hp Hs. pose proof (valid_01 P HP) as P01. set (h := g * g / 2).
  set (K := sqrt ((1 + 2 * g) / d)). assert (0 < (1 + 2 * g) / d) as D0 by (apply Rdiv_lt_0_compat; lra).
  assert (0 < K) as K0 by (apply sqrt_lt_R0; exact D0).
  pose proof (root_drift g (P u v) Hg ltac:(split; [exact Hp|apply P01])) as Drift. fold h in Drift.
  assert (0 < sqrt (1 + 2 * g)) as A by (apply sqrt_lt_R0; lra). assert (0 < sqrt (1 - 2 * g)) as B by (apply sqrt_lt_R0; lra).
  assert (G : forall f n s, (s <= n)%nat -> likelihood g n s < / d -> exp_time P h (seqtest stop fin f n s u v) <= K * / sqrt (likelihood g n s)).
  { assert (One : forall n s, likelihood g n s <= (1 + 2 * g) / d -> 1 <= K * / sqrt (likelihood g n s)).
    { intros n s H. pose proof (L_pos g n s Hg) as L0. assert (0 < sqrt (likelihood g n s)) as S0 by (now apply sqrt_lt_R0).
      apply Rmult_le_reg_r with (sqrt (likelihood g n s)); [exact S0|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
      apply sqrt_le_1_alt. exact H. }
    assert (Small : forall x, x < / d -> x <= (1 + 2 * g) / d).
    { intros x Hx. assert (0 < / d) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. nra. }
    induction f as [|f IH]; intros n s Hn Hl; [cbn [seqtest exp_time]; apply One, Small, Hl|].
    cbn [seqtest exp_time]. pose proof (L_pos g n s Hg) as L0. assert (0 < sqrt (likelihood g n s)) as S0 by (now apply sqrt_lt_R0).
    assert (R : forall s', (s' <= S n)%nat -> likelihood g (S n) s' <= (1 + 2 * g) / d ->
      exp_time P h match stop (S n) s' with Some a => Ret (pick u v (Some a)) | None => seqtest stop fin f (S n) s' u v end
      <= K * / sqrt (likelihood g (S n) s')).
    { intros s' Hs' Hm. destruct (stop (S n) s') as [a|] eqn:Es; [cbn [exp_time]; now apply One|]. apply IH; [exact Hs'|].
      specialize (Hs (S n) s' Hs' Es). unfold reaches in Hs. destruct (Rle_dec _ _) as [|k]; [discriminate|].
      apply Rmult_lt_reg_l with d; [lra|]. rewrite Rinv_r by lra. lra. }
    assert (0 < / d) as I0 by (apply Rinv_0_lt_compat; lra).
    pose proof (R (S s) ltac:(lia) ltac:(rewrite L_win; unfold Rdiv; nra)) as Rw.
    pose proof (R s ltac:(lia) ltac:(rewrite L_loss by exact Hn; unfold Rdiv; nra)) as Rl.
    rewrite L_win, sqrt_mult_alt in Rw by lra. rewrite L_loss, sqrt_mult_alt in Rl by (lra || lia).
    pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) Rw Rl) as C. cbn [b2n Nat.add].
    apply Rle_trans with (exp h * (K * / sqrt (likelihood g n s) * exp (- h))).
    - apply Rmult_le_compat_l; [left; apply exp_pos|]. eapply Rle_trans; [exact C|]. rewrite !Rinv_mult.
      replace (P u v * (K * (/ sqrt (1 + 2 * g) * / sqrt (likelihood g n s))) + (1 - P u v) * (K * (/ sqrt (1 - 2 * g) * / sqrt (likelihood g n s))))
        with (K * / sqrt (likelihood g n s) * (P u v * / sqrt (1 + 2 * g) + (1 - P u v) * / sqrt (1 - 2 * g))) by ring.
      apply Rmult_le_compat_l; [|exact Drift]. apply Rmult_le_pos; [lra|]. left. now apply Rinv_0_lt_compat.
    - right. replace (exp h * (K * / sqrt (likelihood g n s) * exp (- h))) with (K * / sqrt (likelihood g n s) * (exp h * exp (- h))) by ring.
      rewrite <- exp_plus, Rplus_opp_r, exp_0. ring. }
  assert (likelihood g 0 0 = 1) as L00 by (unfold likelihood; cbn; ring).
  pose proof (G F 0%nat 0%nat ltac:(lia)) as X. rewrite L00, sqrt_1, Rinv_1, Rmult_1_r in X. apply X.
  rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.
