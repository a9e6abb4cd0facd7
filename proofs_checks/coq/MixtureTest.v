(** * MixtureTest: DuelTest's guarantee for a third of the duels (not in the paper)

    After [n] duels of which an arm won [s], the evidence that it is the better one is
      mixture n s = (C(n+1, 0) + ... + C(n+1, s)) / ((n+1) C(n, s)) = 2^(n+1) int_{1/2}^1 x^s (1-x)^(n-s) dx,
    a likelihood ratio against a fair coin, averaged over all p > 1/2.  The test stops as soon as the
    evidence for one of the arms is at least 1/d.  It is decided in integers. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT Limits.
Open Scope R_scope.

Fixpoint binom (n k : nat) : nat := match n, k with
  | _, O => 1 | O, S _ => 0 | S n', S k' => binom n' k' + binom n' k end.
(** C(n, 0) + ... + C(n, k) *)
Fixpoint binoms (n k : nat) : nat := match k with O => binom n 0 | S k' => binoms n k' + binom n k end.

Definition mixture (n s : nat) : R := INR (binoms (S n) s) / (INR (S n) * INR (binom n s)).

(** mixture n s >= 1/d *)
Definition evident (d : R) (n s : nat) : bool :=
  if Rle_dec (INR (S n) * INR (binom n s)) (d * INR (binoms (S n) s)) then true else false.

Definition mixture_rule : rule := fun d n s =>
  if evident d n s then Some true else if evident d n (n - s) then Some false else None.

(** The worse of two arms ([u] if they tie, and by symmetry [v]) is returned with probability at most [d]. *)
Definition mixture_error_statement : Prop := forall P d u v F,
  valid P -> 0 < d < 1 -> u <> v -> Pr P (DT mixture_rule F d u v) (wrong (better P u v)) <= d.

(** Wherever DuelTest stops, so does MixtureTest, and they return the same arm: no run of it is longer. *)
Definition mixture_dominates_statement : Prop := forall d n s a,
  0 < d < 1 -> (0 < n)%nat -> (s <= n)%nat -> paper_rule d n s = Some a -> mixture_rule d n s = Some a.

(** So no more duels are expected, whatever the pair and the horizon, and no end is less likely. *)
Definition mixture_no_longer_statement : Prop := forall P d u v F,
  valid P -> 0 < d < 1 ->
  ET P (DT mixture_rule F d u v) <= ET P (DT paper_rule F d u v) /\
  Pr P (DT mixture_rule F d u v) ran_out <= Pr P (DT paper_rule F d u v) ran_out.

(** Arms that tie: the test is likely to go on for ever; it ends with probability at most 2d. *)
Definition mixture_tie_statement : Prop := forall P d u v F,
  valid P -> 0 < d < 1 -> u <> v -> P u v = 1/2 -> 1 - 2 * d <= Pr P (DT mixture_rule F d u v) ran_out.

(** A pair that does not tie: the test ends, and returns the better arm with probability at least 1 - d. *)
Definition mixture_correct_statement : Prop := forall P d u v,
  valid P -> 0 < d < 1 -> u <> v -> P u v <> 1/2 ->
  returns_with P (better P u v) (fun F => DT mixture_rule F d u v) (1 - d).

(** A bound of the expected number of duels, [g] a lower bound of the pair's gap: its constant part and its
    slope in log(1/d).  The log(1/g) has half of DuelTest's coefficient: the evidence after n duels with a mean
    of 1/2 + r is at least exp(2 n r^2) / (n+1), and DuelTest stops at 2 n (n+1) / d. *)
Definition mt_base (g : R) : R := 8 / 7 / (g * g) * (ln (/ g) + 3/4).
Definition mt_slope (g : R) : R := 4 / 7 / (g * g).
Definition mt_time (d g : R) : R := mt_base g + mt_slope g * ln (/ d).
Definition C_mixture : R := 8 / 7.

Definition mixture_time_statement : Prop := forall P d g u v,
  valid P -> 0 < d < 1 -> 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  at_most (fun F => ET P (DT mixture_rule F d u v)) (mt_time d g) /\
  mt_time d g <= C_mixture / (g * g) * (ln (/ d) + ln (/ g) + 1).

(** It has everything that the paper's algorithms need of their test. *)
Definition mixture_is_pairwise_test_statement : Prop := forall P N w g,
  assump_condorcet_gap P N w g -> pairwise_test P N w (DT mixture_rule) 1 (mt_base g) (mt_slope g).

(** * Proofs *)

Lemma times_quotient a b c : a * (b / c) = a * b / c.
Proof. unfold Rdiv. ring. Qed.

Lemma binom_pos n : forall k, (k <= n)%nat -> (0 < binom n k)%nat.
Proof. induction n as [|n IH]; intros [|k] H; cbn; try lia. specialize (IH k). lia. Qed.
Lemma binom_INR n k : (k <= n)%nat -> 0 < INR (binom n k).
Proof. intro H. apply lt_0_INR. now apply binom_pos. Qed.
Lemma binom_0 n : binom n 0 = 1%nat. Proof. destruct n; reflexivity. Qed.
Lemma binom_absorb n : forall k, (S k * binom (S n) (S k) = S n * binom n k)%nat.
Proof.
  induction n; intros k.
  - destruct k; cbn; lia.
  - replace (binom (S (S n)) (S k)) with (binom (S n) k + binom (S n) (S k))%nat by reflexivity. destruct k as [|k].
    + specialize (IHn 0%nat). rewrite !binom_0 in *. lia.
    + pose proof (IHn (S k)) as A. pose proof (IHn k) as B.
      replace (binom (S n) (S k)) with (binom n k + binom n (S k))%nat in * by reflexivity. nia.
Qed.
Lemma binom_absorb' n k : (k <= n)%nat -> ((S n - k) * binom (S n) k = S n * binom n k)%nat.
Proof.
  intros H. destruct k as [|k]. { rewrite !binom_0. lia. }
  pose proof (binom_absorb n k) as A. 
  replace (binom (S n) (S k)) with (binom n k + binom n (S k))%nat in * by reflexivity. nia.
Qed.
Lemma binoms_step n k : (binoms (S n) (S k) = 2 * binoms n k + binom n (S k))%nat.
Proof.
  induction k as [|k IH].
  - cbn [binoms]. rewrite !binom_0. replace (binom (S n) 1) with (binom n 0 + binom n 1)%nat by reflexivity.
    rewrite binom_0. lia.
  - replace (binoms (S n) (S (S k))) with (binoms (S n) (S k) + binom (S n) (S (S k)))%nat by reflexivity.
    rewrite IH. replace (binom (S n) (S (S k))) with (binom n (S k) + binom n (S (S k)))%nat by reflexivity.
    cbn [binoms]. lia.
Qed.
Lemma binoms_step' n k : (binoms (S n) k + binom n k = 2 * binoms n k)%nat.
Proof. destruct k as [|k]; [cbn; rewrite !binom_0; lia|]. rewrite binoms_step. cbn [binoms]. lia. Qed.

(** ** A martingale under a fair coin *)
Lemma W_fair n s : (s <= n)%nat -> mixture (S n) (S s) + mixture (S n) s = 2 * mixture n s.
Proof.
  intros H. unfold mixture. rewrite binoms_step. pose proof (binoms_step' (S n) s) as Q.
  assert (INR (binoms (S (S n)) s) = 2 * INR (binoms (S n) s) - INR (binom (S n) s)) as ->.
  { apply (f_equal INR) in Q. rewrite plus_INR, mult_INR in Q. simpl (INR 2) in Q. lra. }
  rewrite plus_INR, mult_INR. simpl (INR 2).
  pose proof (binom_absorb n s) as A. pose proof (binom_absorb' n s H) as B. apply (f_equal INR) in A.
  apply (f_equal INR) in B. rewrite !mult_INR in A, B. rewrite minus_INR in B by lia. pose proof (binom_INR n s H).
  pose proof (le_INR _ _ H). pose proof (pos_INR s). set (x := INR (binom n s)) in *.
  set (y := INR (binom (S n) s)) in *. set (z := INR (binom (S n) (S s))) in *. rewrite !S_INR in *.
  set (N := INR n) in *. set (k := INR s) in *. assert (z = (N + 1) * x / (k + 1)) as -> by (field_simplify_eq; lra).
  assert (y = (N + 1) * x / (N + 1 - k)) as -> by (field_simplify_eq; lra). field. repeat split; lra.
Qed.

Lemma W_pos n s : (s <= n)%nat -> 0 < mixture n s.
Proof.
  intros H. apply Rdiv_lt_0_compat.
  - apply lt_0_INR. induction s; cbn [binoms]; rewrite ?binom_0; lia.
  - apply Rmult_lt_0_compat; apply lt_0_INR; [lia|now apply binom_pos].
Qed.

(** ** More wins, more evidence *)

Lemma binom_shift n k : (S k <= n)%nat -> INR (binom n k) * (INR n - INR k) = INR (binom n (S k)) * (INR k + 1).
Proof.
  intro H. destruct n as [|m]; [lia|].
  pose proof (binom_absorb m k) as A. pose proof (binom_absorb' m k ltac:(lia)) as B.
  assert ((S m - k) * binom (S m) k = S k * binom (S m) (S k))%nat as C by lia.
  apply (f_equal INR) in C. rewrite !mult_INR, minus_INR, (S_INR k) in C by lia. lra.
Qed.

Definition tail_ratio (n s : nat) : R := INR (binoms (S n) s) / INR (binom n s).
Lemma tail_ratio_nonneg n s : (s <= n)%nat -> 0 <= tail_ratio n s.
Proof. intro H. pose proof (binom_INR n s H). unfold tail_ratio. positive. Qed.

Lemma mixture_ratio n s : (s <= n)%nat -> mixture n s = tail_ratio n s / INR (S n).
Proof.
  intro H. unfold mixture, tail_ratio. pose proof (binom_INR n s H). pose proof (lt_0_INR (S n) ltac:(lia)). field. lra.
Qed.

Lemma tail_ratio_step n s : (S s <= n)%nat -> tail_ratio n (S s) = 1 + (INR s + 1) / (INR n - INR s) * (tail_ratio n s
  + 1).
Proof.
  intro H. unfold tail_ratio.
  replace (binoms (S n) (S s)) with (binoms (S n) s + (binom n s + binom n (S s)))%nat by reflexivity.
  rewrite !plus_INR. pose proof (binom_shift n s H) as Q. pose proof (binom_INR n s ltac:(lia)).
  pose proof (lt_INR s n ltac:(lia)). pose proof (pos_INR s).
  assert (INR (binom n (S s)) = INR (binom n s) * (INR n - INR s) / (INR s + 1)) as E by (field_simplify_eq; lra).
  rewrite E. field. repeat split; lra.
Qed.

Lemma tail_ratio_mono n : forall s, (S s <= n)%nat -> tail_ratio n s <= tail_ratio n (S s).
Proof.
  induction s as [|s IH]; intro H.
  - rewrite tail_ratio_step by exact H. assert (tail_ratio n 0 = 1) as ->. { unfold tail_ratio. rewrite !binom_0. simpl.
    lra. }
    pose proof (lt_INR 0 n ltac:(lia)). simpl (INR 0) in *.
    assert (0 < (0 + 1) / (INR n - 0)) by positive. lra.
  - rewrite (tail_ratio_step n (S s)) by exact H. rewrite (tail_ratio_step n s) at 1 by lia. specialize (IH ltac:(lia)).
    pose proof (lt_INR (S s) n ltac:(lia)). pose proof (pos_INR s). pose proof (tail_ratio_nonneg n s ltac:(lia)).
    rewrite S_INR in *. apply Rplus_le_compat_l, Rmult_le_compat; [positive|lra| |lra].
    apply Rmult_le_compat; [lra|positive|lra|apply Rinv_le_contravar; lra].
Qed.

Lemma W_mono n s : (S s <= n)%nat -> mixture n s <= mixture n (S s).
Proof.
  intro H. rewrite !mixture_ratio by lia. apply Rmult_le_compat_r; [positive|now apply tail_ratio_mono].
Qed.

(** ** A supermartingale when the first arm is not the better one *)
Lemma W_super p n s : 0 <= p <= 1/2 -> (s <= n)%nat -> p * mixture (S n) (S s) + (1 - p) * mixture (S n) s
  <= mixture n s.
Proof. intros Hp H. pose proof (W_fair n s H). pose proof (W_mono (S n) s ltac:(lia)). nra. Qed.

(** ** Ville's inequality *)

Lemma evident_iff d n s : (s <= n)%nat -> (evident d n s = true <-> 1 <= d * mixture n s).
Proof.
  intro H. pose proof (binom_INR n s H). unfold evident, mixture.
  rewrite times_quotient, <- Rle_div_r, Rmult_1_l by positive. now destruct (Rle_dec _ _).
Qed.

Lemma mixture_hit p d k : 0 <= p <= 1/2 -> 0 < d < 1 -> hit p (evident d) k 0 0 <= d.
Proof.
  intros Hp Hd. eapply Rle_trans; [apply (hit_super p (evident d) (fun n s => d * mixture n s)); auto; [lra| | |]|].
  - intros n s H. pose proof (W_pos n s H). nra.
  - intros n s H. now apply evident_iff.
  - intros n s H. pose proof (W_super p n s Hp H) as Q. apply (Rmult_le_compat_l d) in Q; lra.
  - unfold mixture. cbn. lra.
Qed.

(** ** What the algorithms need, of any rule that spends its level on each side *)

Definition two_sided (stop : rule) : Prop := forall P d F u v, valid P -> 0 < d < 1 -> u <> v ->
  (1/2 <= P u v -> Pr P (DT stop F d u v) (is_arm v) <= d) /\ (P u v <= 1/2 -> Pr P (DT stop F d u v) (is_arm u) <= d).

Lemma two_sided_by (ev : R -> nat -> nat -> bool) stop :
  (forall d n s, stop d n s = if ev d n s then Some true else if ev d n (n - s)%nat then Some false else None) ->
  (forall p d k, 0 <= p <= 1/2 -> 0 < d < 1 -> hit p (ev d) k 0 0 <= d) -> two_sided stop.
Proof.
  intros Rule Hit P d F u v HP Hd Huv. pose proof (valid_01 P HP) as P01. pose proof (P01 u v). split; intro H'.
  - eapply Rle_trans; [apply (seqtest_shown P P01 u v Huv false (stop d) (fun n s => ev d n (n - s)%nat))|].
    + intros n s _. rewrite Rule. destruct (ev d n s); [discriminate|].
      destruct (ev d n (n - s)%nat); [auto|discriminate].
    + rewrite (hit_mirror (P u v) (ev d)) by lia. apply Hit; lra.
  - eapply Rle_trans; [apply (seqtest_shown P P01 u v Huv true (stop d) (ev d))|apply Hit; lra].
    intros n s _. rewrite Rule. destruct (ev d n s); [auto|]. destruct (ev d n (n - s)%nat); discriminate.
Qed.

Lemma mixture_two_sided : two_sided mixture_rule.
Proof. apply (two_sided_by evident); [reflexivity|]. intros. now apply mixture_hit. Qed.

Lemma two_sided_pairwise stop P N w g base slope : two_sided stop -> assump_condorcet_gap P N w g -> 0 <= base ->
  0 <= slope ->
  (forall F d u v, 0 < d < 1 -> g <= Rabs (P u v - 1/2) -> ET P (DT stop F d u v) <= base + slope * ln (/ d)) ->
  pairwise_test P N w (DT stop) 1 base slope.
Proof.
  intros Two [HN Hg HP Hw Win Gap] B0 S0 Time. pose proof (valid_01 P HP) as P01. constructor; auto.
  - lra.
  - intros; apply DT_leaves.
  - intros F d j Hd Hj Hjw. specialize (Win j Hj Hjw). pose proof (proj2 HP w j).
    destruct (Two P d F w j HP Hd (not_eq_sym Hjw)) as [A _], (Two P d F j w HP Hd Hjw) as [_ B].
    apply good_of; auto using DT_leaves; rewrite Rmult_1_l; [apply A|apply B]; lra.
  - intros F d u v Hd Hu Hv Huv. eapply Rle_trans; [apply seqtest_markov; auto|]. apply Time; auto.
  - intros; apply seqtest_duels.
  - intros F d u v _ HF. destruct F; [lia|exact Logic.I].
  - intros; now apply seqtest_uncut.
  - intros; apply DT_refines.
  - intros; now apply seqtest_agree.
Qed.

Lemma two_sided_error stop P d u v F : two_sided stop -> valid P -> 0 < d < 1 -> u <> v ->
  Pr P (DT stop F d u v) (wrong (better P u v)) <= d.
Proof.
  intros Two HP Hd Huv. destruct (Two P d F u v HP Hd Huv). apply (better_loser P (valid_01 P HP)); auto.
  apply seqtest_leaves.
Qed.

Lemma two_sided_correct stop P d u v (time : R -> R) :
  two_sided stop -> valid P -> 0 < d < 1 -> u <> v -> P u v <> 1/2 ->
  (forall g F, 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) -> ET P (DT stop F d u v) <= time g) ->
  returns_with P (better P u v) (fun F => DT stop F d u v) (1 - d).
Proof.
  intros Two HP Hd Huv Hne Time. pose proof (valid_01 P HP) as P01. set (g := Rabs (P u v - 1/2)) in *.
  assert (0 < g <= 1/2) as Hg by (pose proof (P01 u v); split; [apply Rabs_pos_lt; lra|apply Rabs_le; lra]).
  apply (returns_of P P01 (fun F => DT stop F d u v)) with (K := time g); intro F;
    [apply DT_refines|now apply two_sided_error|].
  eapply Rle_trans; [apply seqtest_markov; auto|apply Time; lra].
Qed.

Theorem mixture_error : mixture_error_statement.
Proof. intros P d u v F. apply two_sided_error, mixture_two_sided. Qed.

(** ** Dominance *)

Lemma binom_pow x n : 0 <= x -> forall k, INR (binom n k) * x ^ k <= (1 + x) ^ n.
Proof.
  intro Hx. induction n as [|n IH]; intros [|k]; [simpl; lra|simpl; lra| |].
  - rewrite Rmult_1_l. apply pow_R1_Rle. lra.
  - pose proof (IH k) as A. pose proof (IH (S k)) as B. cbn [binom pow] in *. rewrite plus_INR.
    apply (Rmult_le_compat_l x) in A; [lra|exact Hx].
Qed.

(** Hoeffding's lemma for a fair coin. *)
Lemma exp_mean r : (1 + exp (4 * r)) / 2 <= exp (2 * r + 2 * (r * r)).
Proof.
  pose proof (hoeffding_lemma (1/2) ltac:(lra) (4 * r)) as H. pose proof (exp_pos (2 * r)). rewrite exp_plus.
  apply (Rmult_le_compat_l (exp (2 * r))) in H; [|lra]. replace (4 * r * (4 * r) / 8) with (2 * (r * r)) in H by field.
  assert (exp (2 * r) * exp (4 * r * (1 - 1/2)) = exp (4 * r)) by (rewrite <- exp_plus; f_equal; field).
  replace (4 * r * (1/2)) with (2 * r) in H by field.
  assert (exp (2 * r) * exp (- (2 * r)) = 1) by (rewrite exp_Ropp; field; lra). lra.
Qed.

Lemma binom_hoeffding n s : (0 < n)%nat ->
  INR (binom n s) <= 2 ^ n * exp (- (2 * INR n * ((INR s / INR n - 1/2) * (INR s / INR n - 1/2)))).
Proof.
  intro Hn. pose proof (INR_pos n Hn). set (r := INR s / INR n - 1/2). pose proof (exp_mean r) as M.
  pose proof (exp_pos (4 * r)). pose proof (binom_pow (exp (4 * r)) n ltac:(lra) s) as B. rewrite <- exp_pow in B.
  apply Rmult_le_reg_r with (exp (INR s * (4 * r))); [apply exp_pos|]. eapply Rle_trans; [exact B|].
  apply Rle_trans with ((2 * exp (2 * r + 2 * (r * r))) ^ n); [apply pow_incr; lra|].
  rewrite Rpow_mult_distr, <- exp_pow, Rmult_assoc, <- exp_plus. right. do 2 f_equal. unfold r. field. lra.
Qed.

Lemma binoms_middle s : binoms (S (2 * s)) s = (2 ^ (2 * s))%nat.
Proof.
  induction s as [|s IH]; [reflexivity|].
  replace (2 * S s)%nat with (S (S (2 * s))) by lia. rewrite binoms_step. pose proof (binoms_step' (S (2 * s)) s) as Q.
  assert (binom (S (2 * s)) (S s) = binom (S (2 * s)) s) as Sym.
  { apply INR_eq. pose proof (binom_shift (S (2 * s)) s ltac:(lia)) as B. rewrite S_INR, mult_INR in B.
    simpl (INR 2) in B. pose proof (pos_INR s). apply Rmult_eq_reg_r with (INR s + 1); lra. }
  replace (binom (S (S (2 * s))) (S s)) with (binom (S (2 * s)) s + binom (S (2 * s)) (S s))%nat by reflexivity.
  rewrite Sym, !Nat.pow_succ_r'. lia.
Qed.

Lemma binoms_half s : forall k n, (n + k = 2 * s)%nat -> (2 ^ n <= binoms (S n) s)%nat.
Proof.
  induction k as [|k IH]; intros n H; [replace n with (2 * s)%nat by lia; now rewrite binoms_middle|].
  specialize (IH (S n) ltac:(lia)). pose proof (binoms_step' (S n) s). rewrite Nat.pow_succ_r' in IH. lia.
Qed.

(** The evidence is at least exp(2 n r^2) / (n+1). *)
Lemma not_yet_evident d n s : 0 < d < 1 -> (0 < n)%nat -> 1/2 <= INR s / INR n -> evident d n s = false ->
  2 * INR n * ((INR s / INR n - 1/2) * (INR s / INR n - 1/2)) <= ln ((INR n + 1) / d).
Proof.
  intros Hd Hn Hc. unfold evident. destruct (Rle_dec _ _) as [|h]; [discriminate|intros _]. apply Rnot_lt_le. intro H.
  apply h.
  pose proof (INR_pos n Hn) as Pn. pose proof (pow_lt 2 n ltac:(lra)) as P2.
  pose proof (binom_hoeffding n s Hn) as B. set (r := INR s / INR n - 1/2) in *.
  assert (exp (- (2 * INR n * (r * r))) <= d / (INR n + 1)) as Le.
  { replace (d / (INR n + 1)) with (exp (- ln ((INR n + 1) / d)))
      by (rewrite exp_Ropp, exp_ln by positive; field; lra). left. apply exp_increasing. lra. }
  assert (2 ^ n <= INR (binoms (S n) s)) as Half.
  { change 2 with (INR 2). rewrite <- pow_INR. apply le_INR, (binoms_half s (2 * s - n)).
    enough (n <= 2 * s)%nat by lia. apply INR_le. rewrite mult_INR. simpl (INR 2).
    apply (div_le_iff s n (1/2) Hn) in Hc. lra. }
  apply (Rmult_le_compat_l (2 ^ n)) in Le; [|lra]. apply (Rmult_le_compat_l d) in Half; [|lra].
  apply Rle_trans with (2 := Half). rewrite S_INR, Rmult_comm, Rle_div_r by lra.
  eapply Rle_trans; [exact B|]. eapply Rle_trans; [exact Le|]. right. field. lra.
Qed.

Lemma evident_if d n s : 0 < d < 1 -> (0 < n)%nat -> c_radius n d < INR s / INR n - 1/2 -> evident d n s = true.
Proof.
  intros Hd Hn Hc. destruct (evident d n s) eqn:E; [reflexivity|exfalso]. pose proof (c_nonneg n d) as C0.
  pose proof (not_yet_evident d n s Hd Hn ltac:(lra) E) as Q. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  set (r := INR s / INR n - 1/2) in *. assert (ln ((INR n + 1) / d) <= log_term n d) as L.
  { apply ln_le; [positive|]. apply Rmult_le_compat_r; [positive|nra]. }
  assert (r <= c_radius n d); [|lra]. rewrite <- (sqrt_square r) by lra. apply sqrt_le_1_alt.
  apply (Rle_div_r (r * r)); lra.
Qed.

Lemma tail_ratio_small n : forall s, (2 * s <= n)%nat -> tail_ratio n s <= 2 * INR s + 1.
Proof.
  induction s as [|s IH]; intro H.
  - unfold tail_ratio. rewrite !binom_0. simpl. lra.
  - rewrite tail_ratio_step by lia. specialize (IH ltac:(lia)). pose proof (tail_ratio_nonneg n s ltac:(lia)).
    apply le_INR in H. rewrite mult_INR in H. rewrite (S_INR s) in *. simpl (INR 2) in H.
    assert (0 < (INR s + 1) / (INR n - INR s) <= 1) by (split; [positive|apply Rle_div_l; lra]). nra.
Qed.

Lemma not_evident d n s : 0 < d < 1 -> (2 * s <= n)%nat -> evident d n s = false.
Proof.
  intros Hd H. apply not_true_is_false. rewrite evident_iff, mixture_ratio, times_quotient by lia.
  pose proof (tail_ratio_small n s H) as Q. pose proof (lt_0_INR (S n) ltac:(lia)).
  rewrite <- Rle_div_r, S_INR in * by assumption. apply le_INR in H. rewrite mult_INR in H. simpl (INR 2) in H. nra.
Qed.

Theorem mixture_dominates : mixture_dominates_statement.
Proof.
  intros d n s a Hd Hn Hs. unfold paper_rule, mixture_rule. pose proof (INR_pos n Hn) as Pn.
  destruct (Rlt_dec (c_radius n d) _) as [h|]; [|discriminate]. unfold Rabs in h.
  destruct (Rlt_dec (1/2) (INR s / INR n)) as [g|g]; intros [= <-].
  - rewrite evident_if; auto. destruct (Rcase_abs _); lra.
  - assert (c_radius n d < INR (n - s) / INR n - 1/2) as Q.
    { rewrite minus_INR by exact Hs. replace ((INR n - INR s) / INR n) with (1 - INR s / INR n) by (field; lra).
      destruct (Rcase_abs _); lra. }
    rewrite not_evident, evident_if; auto. apply INR_le. rewrite mult_INR. simpl (INR 2).
    assert (INR s <= 1/2 * INR n) by (apply Rle_div_l; lra). lra.
Qed.

(** A rule that stops no later expects no more duels, and runs out no more often. *)
Lemma stops_no_later P (P01 : forall u v, 0 <= P u v <= 1) u v stop stop' :
  (forall n s, (0 < n)%nat -> (s <= n)%nat -> stop n s = None -> stop' n s = None) ->
  forall f n s, (s <= n)%nat -> ET P (seqtest stop never f n s u v) <= ET P (seqtest stop' never f n s u v) /\
    Pr P (seqtest stop never f n s u v) ran_out <= Pr P (seqtest stop' never f n s u v) ran_out.
Proof.
  intro H. induction f as [|f IH]; intros n s Hs; [split; apply Rle_refl|]. cbn [seqtest ET expect].
  split; [apply Rplus_le_compat_l|]; (apply conv_mono; [apply P01| |]);
    (match goal with |- _ match ?x with Some _ => _ | None => _ end <= _ => destruct x as [a|] eqn:Es
                   | |- _ match ?x with Some _ => _ | None => _ end _ <= _ => destruct x as [a|] eqn:Es end;
     [|rewrite (H (S n)) by (auto; cbn; lia); apply IH; cbn; lia]); try (apply ET_nonneg; auto);
    (eapply Rle_trans; [|apply (Pr_nonneg P P01)]; destruct a; cbn; lra).
Qed.

Theorem mixture_no_longer : mixture_no_longer_statement.
Proof.
  intros P d u v F HP Hd. apply (stops_no_later P (valid_01 P HP) u v (mixture_rule d) (paper_rule d)); [|apply le_n].
  intros n s Hn Hs E. destruct (paper_rule d n s) as [a|] eqn:Ep; [|reflexivity].
  now rewrite (mixture_dominates d n s a) in E by auto.
Qed.

Theorem mixture_tie : mixture_tie_statement.
Proof.
  intros P d u v F HP Hd Huv Tie. pose proof (valid_01 P HP) as P01.
  destruct (mixture_two_sided P d F u v HP Hd Huv) as [A B].
  pose proof (wrong_loser P P01 u v _ Huv (DT_leaves mixture_rule F d u v)) as W. rewrite (Pr_total P u) in B. lra.
Qed.

(** ** The time *)

(** With [e] of the drift spent on the tangent of the logarithm; the smaller [e], the closer to 1/2 is the slope. *)
Definition mt_line (d g e : R) : R := 1 + e * g + / (2 * g) * (2 * ln (/ g) - ln (2 * e) - 1 + ln (/ d)).

Lemma mixture_goes_on d g e n s : 0 < d < 1 -> 0 < g <= 1/2 -> 0 < e -> (0 < n)%nat -> mixture_rule d n s = None ->
  Rabs (2 * INR s - INR n) + 1 <= (1 + e) * g * INR n + mt_line d g e.
Proof.
  intros Hd Hg He Hn H. unfold mixture_rule in H. destruct (evident d n s) eqn:E1; [discriminate|].
  destruct (evident d n (n - s)) eqn:E2; [discriminate|]. pose proof (INR_pos n Hn) as N0.
  set (r := Rabs (INR s / INR n - 1/2)). assert (Rabs (2 * INR s - INR n) = 2 * INR n * r) as ->.
  { replace (2 * INR s - INR n) with (2 * INR n * (INR s / INR n - 1/2)) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (2 * INR n)) by lra. reflexivity. }
  set (L := ln ((INR n + 1) / d)). assert (2 * INR n * (r * r) <= L) as Q.
  { unfold r, Rabs. destruct (Rcase_abs _) as [A|A]; [|apply not_yet_evident; auto; lra].
    assert (INR s < 1/2 * INR n) by (apply Rlt_div_l; lra). assert (s <= n)%nat as Hs by (apply INR_le; lra).
    assert (INR (n - s) / INR n - 1/2 = - (INR s / INR n - 1/2)) as M by (rewrite minus_INR by exact Hs; field; lra).
    pose proof (not_yet_evident d n (n - s) Hd Hn ltac:(lra) E2) as Q. rewrite M in Q. exact Q. }
  assert (0 < / (2 * g)) as G0 by positive. assert (0 <= L) as L0 by nra.
  pose proof (root_tangent g (INR n) r L ltac:(lra) ltac:(lra) L0 Q) as T1.
  (* tangent of the logarithm at 1/(2 e g^2) *)
  assert (L <= (INR n + 1) * (2 * e * (g * g)) + 2 * ln (/ g) - ln (2 * e) - 1 + ln (/ d)) as T2.
  { pose proof (ln_tangent (INR n + 1) (/ (2 * e * (g * g))) ltac:(lra) ltac:(positive)) as T.
    replace ((INR n + 1) / / (2 * e * (g * g))) with ((INR n + 1) * (2 * e * (g * g))) in T by (field; lra).
    rewrite ln_Rinv, (ln_mult (2 * e)), (ln_mult g) in T by positive. unfold L. rewrite ln_div, !ln_Rinv by lra. lra. }
  apply (Rmult_le_compat_l (/ (2 * g))) in T2; [|lra].
  replace (/ (2 * g) * ((INR n + 1) * (2 * e * (g * g)) + 2 * ln (/ g) - ln (2 * e) - 1 + ln (/ d)))
    with ((INR n + 1) * (e * g) + / (2 * g) * (2 * ln (/ g) - ln (2 * e) - 1 + ln (/ d))) in T2 by (field; lra).
  unfold mt_line. lra.
Qed.

(** What is paid at level d, as constant part and slope in log(1/d); 3/8 are 2 ln 2 - 1, rounded down. *)
Lemma mixture_time_gen P (P01 : forall u v, 0 <= P u v <= 1) d g e u v F : 0 < d < 1 -> 0 < g <= 1/2 -> 0 < e <= 1/8 ->
  g <= Rabs (P u v - 1/2) ->
  ET P (DT mixture_rule F d u v) <= / (1 - e) / (g * g) * (ln (/ g) + (- ln (2 * e) - 1 + 2 * g + 2 * e * (g * g)) /
    2) + / (2 * (1 - e)) / (g * g) * ln (/ d).
Proof.
  intros Hd Hg He Hp. pose proof (ln_inv_gap g Hg). pose proof (ln_inv_pos d Hd). 
  assert (ln (2 * e) <= 0) as E0 by (rewrite <- ln_1; apply ln_le; lra).
  assert (1 <= mt_line d g e) as B1.
  { assert (0 <= / (2 * g) * (2 * ln (/ g) - ln (2 * e) - 1 + ln (/ d))) by positive.
    assert (0 < e * g) by positive. unfold mt_line. lra. }
  pose proof (seqtest_time P P01 (mixture_rule d) never u v ((1 + e) * g) (mt_line d g e) g ltac:(nra) F B1 Hp
    (fun n s Hn => mixture_goes_on d g e n s Hd Hg ltac:(lra) Hn)) as T.
  replace (2 * g - (1 + e) * g) with ((1 - e) * g) in T by ring. apply Rmult_le_reg_l with ((1 - e) * g); [nra|].
  eapply Rle_trans; [exact T|]. unfold mt_line. right. field. nra.
Qed.

Lemma mixture_time_at P (P01 : forall u v, 0 <= P u v <= 1) d g u v F : 0 < d < 1 -> 0 < g <= 1/2 ->
  g <= Rabs (P u v - 1/2) ->
  ET P (DT mixture_rule F d u v) <= mt_time d g.
Proof.
  intros Hd Hg Hp. eapply Rle_trans; [apply (mixture_time_gen P P01 d g (1/8) u v F); auto; lra|].
  assert (- ln (2 * (1/8)) = 2 * ln 2) as -> by (replace (2 * (1/8))
    with (/ (2 * 2)) by field; rewrite ln_Rinv, ln_mult by lra; ring).
  pose proof ln2_le. assert (0 < / (g * g)) by positive.
  replace (/ (1 - 1/8)) with (8/7) by field. replace (/ (2 * (1 - 1/8))) with (4/7) by field.
  apply Rplus_le_compat_r. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. nra.
Qed.

Theorem mixture_time : mixture_time_statement.
Proof.
  intros P d g u v HP Hd Hg Hp. pose proof (valid_01 P HP) as P01. pose proof (ln_inv_pos d Hd). split.
  - apply at_most_ET; auto; intro F; [apply DT_refines|now apply mixture_time_at].
  - assert (0 <= / (g * g) * ln (/ d)) by positive. unfold mt_time, mt_base, mt_slope, C_mixture, Rdiv.
    assert (0 < / (g * g)) by positive. lra.
Qed.

Theorem mixture_correct : mixture_correct_statement.
Proof.
  intros P d u v HP Hd Huv Hne. pose proof (valid_01 P HP) as P01.
  apply (two_sided_correct mixture_rule P d u v (mt_time d)); auto using mixture_two_sided.
  intros. now apply mixture_time_at.
Qed.

Theorem mixture_is_pairwise_test : mixture_is_pairwise_test_statement.
Proof.
  intros P N w g HA. pose proof (a_gap _ _ _ _ HA) as Hg. pose proof (ln_inv_gap g Hg).
  apply (two_sided_pairwise mixture_rule P N w g); auto using mixture_two_sided;
    [unfold mt_base; positive|unfold mt_slope; positive|].
  intros F d u v Hd Hp. apply mixture_time_at; auto. apply (valid_01 P), (a_valid _ _ _ _ HA).
Qed.
