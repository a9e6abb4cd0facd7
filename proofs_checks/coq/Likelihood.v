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
Proof. intro Hg. unfold likelihood. positive. Qed.
Lemma L_start g : likelihood g 0 0 = 1.
Proof. unfold likelihood. cbn. ring. Qed.
Lemma L_win g n s : likelihood g (S n) (S s) = (1 + 2 * g) * likelihood g n s.
Proof. unfold likelihood. rewrite Nat.sub_succ. cbn [pow]. ring. Qed.
Lemma L_loss g n s : (s <= n)%nat -> likelihood g (S n) s = (1 - 2 * g) * likelihood g n s.
Proof. intro H. unfold likelihood. rewrite Nat.sub_succ_l by exact H. cbn [pow]. ring. Qed.

(** Real numbers are compared in integers, in units of 1/[k]. *)
Lemma Rle_in_integers x y k a b : 0 < k -> IZR a = k * x -> IZR b = k * y ->
  (if Rle_dec x y then true else false) = (a <=? b)%Z.
Proof.
  intros K A B. destruct (Rle_dec x y) as [h|h], (Z.leb_spec a b) as [h'|h']; try reflexivity; exfalso.
  - apply IZR_lt in h'. apply (Rmult_le_compat_l k) in h; lra.
  - apply h, Rmult_le_reg_l with k; [exact K|]. apply IZR_le in h'. lra.
Qed.

Theorem likelihood_in_integers : likelihood_in_integers_statement.
Proof.
  intros a b c e n s Hb He Hs. apply IZR_lt in Hb, He. unfold reaches, sinks, L_reaches, L_sinks.
  set (x := ((b + 2 * a) ^ Z.of_nat s * (b - 2 * a) ^ Z.of_nat (n - s))%Z).
  assert (IZR x = IZR b ^ n * likelihood (IZR a / IZR b) n s) as E.
  { unfold x, likelihood. rewrite mult_IZR, <- !pow_IZR, plus_IZR, minus_IZR, mult_IZR.
    replace n with (s + (n - s))%nat at 2 by lia. rewrite pow_add.
    transitivity ((IZR b * (1 + 2 * (IZR a / IZR b))) ^ s * (IZR b * (1 - 2 * (IZR a / IZR b))) ^ (n - s));
      [f_equal; f_equal; field; lra|rewrite !Rpow_mult_distr; ring]. }
  split; apply Rle_in_integers with (IZR e * IZR b ^ n); try positive; rewrite !mult_IZR, <- ?pow_IZR, ?E; field; lra.
Qed.

Theorem likelihood_is_evidence : likelihood_is_evidence_statement.
Proof.
  intros g Hg. assert (Q : forall n s, 0 <= likelihood g n s) by (intros; unfold likelihood; positive).
  split; [rewrite L_start; lra|auto|]. intros p n s Hp H. rewrite L_win, L_loss by exact H. specialize (Q n s).
  assert (p * (1 + 2 * g) + (1 - p) * (1 - 2 * g) <= 1) as U by nra.
  apply (Rmult_le_compat_r (likelihood g n s)) in U; lra.
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

Lemma not_reached V d n s : 0 < d -> reaches V d n s = false -> V n s < / d.
Proof.
  intro Hd. unfold reaches. destruct (Rle_dec _ _); [discriminate|intros _].
  apply Rmult_lt_reg_l with d; [exact Hd|]. rewrite Rinv_r; lra.
Qed.

Theorem evidence_error : evidence_error_statement.
Proof.
  intros V p d k [V1 V0 Vs] Hp Hd.
  eapply Rle_trans; [apply (hit_super p (reaches V d) (fun n s => d * V n s)); auto; [lra| | |]|].
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
  { replace (p * / (1 + 2 * g) + (1 - p) * / (1 - 2 * g))
      with ((p * (1 - 2 * g) + (1 - p) * (1 + 2 * g)) / ((1 + 2 * g) * (1 - 2 * g))) by (field; lra).
    apply Rle_div_l; nra. }
  apply (Rmult_le_compat_r (/ likelihood g n s)) in Q; lra.
Qed.

Theorem likelihood_sinks : likelihood_sinks_statement.
Proof.
  intros g p e k Hg Hp He. pose proof (fun n s => L_pos g n s Hg) as L0. eapply Rle_trans;
    [apply (hit_super p (sinks (likelihood g) e) (fun n s => e * / likelihood g n s)); auto; [lra| | |]|].
  - intros n s H. specialize (L0 n s). positive.
  - intros n s _. unfold sinks. destruct (Rle_dec _ _) as [h|]; [intros _|discriminate].
    apply Rle_div_r; [apply L0|lra].
  - intros n s H. pose proof (inverse_L g p n s Hg Hp H) as Q. apply (Rmult_le_compat_l e) in Q; lra.
  - rewrite L_start. lra.
Qed.

Theorem one_sided_loss : one_sided_loss_statement.
Proof.
  intros g P e u v stop F HP Hg He Huv Hp Hs. pose proof (valid_01 P HP) as P01.
  eapply Rle_trans; [apply (seqtest_shown P P01 u v Huv false stop (sinks (likelihood g) e)); exact Hs|].
  apply likelihood_sinks; auto. split; [exact Hp|apply P01].
Qed.

(** The expected growth of the logarithm is at least 2 g^2 (Pinsker's inequality, from Hoeffding's lemma). *)
Lemma ln_L_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 ->
  2 * (g * g) <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g).
Proof.
  intros Hg Hp. assert (0 <= (p - (1/2 + g)) * (ln (1 + 2 * g) - ln (1 - 2 * g))) as M.
  { apply Rmult_le_pos; [lra|]. assert (ln (1 - 2 * g) <= ln (1 + 2 * g)) by (apply ln_le; lra). lra. }
  set (x := exp (4 * g) / (1 + 2 * g)). set (y := 1 / (1 - 2 * g)).
  pose proof (jensen_ln (1/2 + g) x y ltac:(lra) ltac:(unfold x; positive) ltac:(unfold y; positive)) as J.
  replace (ln x) with (4 * g - ln (1 + 2 * g)) in J by (unfold x; rewrite ln_div, ln_exp by positive; ring).
  replace (ln y) with (- ln (1 - 2 * g)) in J by (unfold y; rewrite ln_div, ln_1 by positive; ring).
  replace ((1/2 + g) * x + (1 - (1/2 + g)) * y) with ((1 + exp (4 * g)) / 2) in J by (unfold x, y; field; lra).
  assert (ln ((1 + exp (4 * g)) / 2) <= 2 * g + 2 * (g * g)) as U; [|nra].
  rewrite <- (ln_exp (2 * g + 2 * (g * g))). apply ln_le; [pose proof (exp_pos (4 * g)); lra|apply exp_mean].
Qed.

(** ** One match

    To show [Q n s m] of a match [m] after [n] duels with [s] wins: it goes on only where it is [going].  Its answers,
    and a duel from where it is going, have to satisfy [Q]. *)
Lemma seqtest_ind (Q : nat -> nat -> prog (option arm) -> Prop) (going : nat -> nat -> Prop) stop fin u v :
  (forall n s, (s <= n)%nat -> stop n s = None -> going n s) ->
  (forall n s o, (s <= n)%nat -> going n s -> Q n s (Ret o) /\ Q (S n) (S s) (Ret o) /\ Q (S n) s (Ret o)) ->
  (forall n s k, (s <= n)%nat -> going n s -> Q (S n) (S s) (k true) -> Q (S n) s (k false) -> Q n s (Duel u v k)) ->
  forall F, going 0%nat 0%nat -> Q 0%nat 0%nat (seqtest stop fin F 0 0 u v).
Proof.
  intros Going Ends Duels F.
  enough (forall f n s, (s <= n)%nat -> going n s -> Q n s (seqtest stop fin f n s u v)) by auto.
  induction f as [|f IH]; intros n s Hs H; [now apply Ends|]. apply Duels; auto; cbn [b2n Nat.add];
    (destruct (stop (S n) _) eqn:E; [now apply (Ends n s)|]); (apply IH; [|apply Going; [|exact E]]); lia.
Qed.

(** Wald's identity for the first arm, or else for the second one, where the logarithm is expected to grow by at least
    [m] a duel. *)
Lemma likelihood_time (a : bool) g m P d u v stop fin F : valid P -> 0 < g < 1/2 -> 0 < d <= 1 -> 0 < m ->
  (let p := if a then P u v else 1 - P u v in m <= p * ln (1 + 2 * g) + (1 - p) * ln (1 - 2 * g)) ->
  (forall n s, (s <= n)%nat -> stop n s = None -> reaches (likelihood g) d n (if a then s else n - s) = false) ->
  ET P (seqtest stop fin F 0 0 u v) <= (ln (/ d) + ln (1 + 2 * g)) / m.
Proof.
  intros HP Hg Hd Hm Drift Hs. pose proof (valid_01 P HP) as P01. set (up := ln (1 + 2 * g)) in *.
  set (down := ln (1 - 2 * g)) in *. assert (0 <= up) by (unfold up; rewrite <- ln_1; apply ln_le; lra).
  assert (down <= 0) by (unfold down; rewrite <- ln_1; apply ln_le; lra).
  set (l := fun n s => ln (likelihood g n (if a then s else n - s)%nat)).
  assert (Won : forall n s, (s <= n)%nat -> l (S n) (S s) = (if a then up else down) + l n s).
  { intros n s Hn. unfold l.
    destruct a; rewrite ?Nat.sub_succ, ?L_win, ?L_loss, ln_mult by (lia || lra || now apply L_pos);
      reflexivity. }
  assert (Lost : forall n s, (s <= n)%nat -> l (S n) s = (if a then down else up) + l n s).
  { intros n s Hn. unfold l. destruct a; rewrite ?Nat.sub_succ_l, ?L_win, ?L_loss, ln_mult
      by (lia || lra || now apply L_pos); reflexivity. }
  assert (l 0%nat 0%nat = 0) as Start by (unfold l; destruct a; cbn [Nat.sub]; rewrite L_start; apply ln_1).
  apply Rle_div_r; [lra|].
  replace (_ * m) with (m * ET P (seqtest stop fin F 0 0 u v) + l 0%nat 0%nat) by (rewrite Start; ring).
  apply (seqtest_ind (fun n s r => m * ET P r + l n s <= ln (/ d) + up) (fun n s => l n s <= ln (/ d))).
  - intros n s Hn E. apply ln_le; [now apply L_pos|]. left. apply not_reached; [lra|auto].
  - intros n s o Hn Hl. cbn [ET]. rewrite Won, Lost by exact Hn. destruct a; lra.
  - intros n s k Hn _ A B. pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) A B) as C.
    rewrite Won, Lost in C by exact Hn. cbn [ET]. destruct a; lra.
  - rewrite Start, <- ln_1. apply ln_le; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Theorem one_sided_time : one_sided_time_statement.
Proof.
  intros g P d u v stop fin F HP Hg Hd Hp Hs. assert (0 < g * g) by nra.
  apply (likelihood_time true); auto; [lra|]. apply ln_L_drift; [exact Hg|]. split; [exact Hp|apply (valid_01 P HP)].
Qed.

(** The mean of the two roots, or of their inverses. *)
Definition root_rate (g : R) : R := g * g / 2 * (1 + g * g).
Lemma mean_root g : 0 < g < 1/2 -> let a := sqrt (1 + 2 * g) in let b := sqrt (1 - 2 * g) in
  0 < b < a /\ a * a = 1 + 2 * g /\ b * b = 1 - 2 * g /\ (a + b) / 2 <= 1 - root_rate g.
Proof.
  intros Hg a b. assert (a * a = 1 + 2 * g) as A by (apply sqrt_sqrt; lra).
  assert (b * b = 1 - 2 * g) as B by (apply sqrt_sqrt; lra). split; [split; [unfold b; positive|apply sqrt_lt_1; lra]|].
  split; [exact A|]. split; [exact B|]. unfold root_rate. assert (0 < g * g < 1/4) as G by nra. set (x := g * g) in *.
  assert (a * b <= 1 - 2 * x - 2 * (x * x)) as Q.
  { apply Rsqr_incr_0_var; [unfold Rsqr|nra]. replace (a * b * (a * b)) with ((a * a) * (b * b)) by ring.
    rewrite A, B. replace ((1 + 2 * g) * (1 - 2 * g)) with (1 - 4 * x) by (unfold x; ring).
    assert (0 <= x * x * x) by positive. assert (0 <= x * x * x * x) by positive. lra. }
  apply Rsqr_incr_0_var; [unfold Rsqr|nra]. assert (0 <= (x / 2 * (1 + x)) * (x / 2 * (1 + x))) by apply Rle_0_sqr. lra.
Qed.

(** 1/sqrt(L) shrinks by exp(-[root_rate g]) a duel, a little more than exp(-g^2/2). *)
Lemma sharp_root_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 ->
  p * / sqrt (1 + 2 * g) + (1 - p) * / sqrt (1 - 2 * g) <= exp (- root_rate g).
Proof.
  intros Hg Hp. destruct (mean_root g Hg) as ([B AB] & A2 & B2 & Mean). pose proof (exp_ineq1_le (- root_rate g)).
  set (a := sqrt (1 + 2 * g)) in *. set (b := sqrt (1 - 2 * g)) in *.
  assert (/ a <= / b) by (apply Rinv_le_contravar; lra).
  apply Rle_trans with ((1/2 + g) * / a + (1/2 - g) * / b); [nra|].
  replace ((1/2 + g) * / a + (1/2 - g) * / b) with ((a + b) / 2); [lra|].
  replace (1/2 + g) with (a * a / 2) by lra. replace (1/2 - g) with (b * b / 2) by lra. field. lra.
Qed.
Lemma root_drift g p : 0 < g < 1/2 -> 1/2 + g <= p <= 1 ->
  p * / sqrt (1 + 2 * g) + (1 - p) * / sqrt (1 - 2 * g) <= exp (- (g * g / 2)).
Proof. intros Hg Hp. eapply Rle_trans; [now apply sharp_root_drift|]. apply exp_le. unfold root_rate. nra. Qed.

Theorem one_sided_exp_time : one_sided_exp_time_statement.
Proof.
  intros g P d u v stop fin F HP Hg Hd Hp Hs. pose proof (valid_01 P HP) as P01. set (h := g * g / 2).
  set (K := sqrt ((1 + 2 * g) / d)). assert (0 < K) by (unfold K; positive). assert (1 < / d) as D.
  { rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  pose proof (root_drift g (P u v) Hg ltac:(split; [exact Hp|apply P01])) as Drift. fold h in Drift.
  assert (Root : forall n s, 0 < / sqrt (likelihood g n s)) by (intros n s; pose proof (L_pos g n s Hg); positive).
  replace K with (K * / sqrt (likelihood g 0 0)) by (rewrite L_start, sqrt_1; field).
  apply (seqtest_ind (fun n s m => exp_time P h m <= K * / sqrt (likelihood g n s))
    (fun n s => likelihood g n s < / d)).
  - intros n s Hn E. apply not_reached; [lra|auto].
  - assert (One : forall n s, likelihood g n s <= (1 + 2 * g) / d -> 1 <= K * / sqrt (likelihood g n s)).
    { intros n s H'. pose proof (L_pos g n s Hg). apply Rle_div_r; [positive|]. rewrite Rmult_1_l.
      now apply sqrt_le_1_alt. }
    intros n s o Hn Hl. repeat split; apply One; rewrite ?L_win, ?(L_loss g n s Hn); unfold Rdiv; nra.
  - intros n s k Hn _ A B. pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) A B) as C.
    rewrite L_win, L_loss, !sqrt_mult_alt, !Rinv_mult in C by (lra || exact Hn). cbn [exp_time].
    pose proof (Root n s). pose proof (exp_pos h). set (r := / sqrt (likelihood g n s)) in *.
    apply Rle_trans with (exp h * (K * r * exp (- h))).
    + apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_compat_l (K * r)) in Drift; [lra|positive].
    + rewrite exp_Ropp. right. field. lra.
  - rewrite L_start. exact D.
Qed.
