(** * The dyadic test: log log(1/gap) in the place of log(1/gap), with no gap known (not in the paper)

    The paper's future work (iv).  MixtureTest weighs all gaps alike, for which it pays a log(1/gap).  Here
    the gaps 1/4, 1/8, 1/16, ... are weighed, the kth of them by 1/(k(k+1)): one of them is within a factor of
    2 of the pair's, and weighs about 1/log(1/gap)^2.  After [n] duels of which an arm won [s], the evidence
    that it is the better one is
      D n s = sum over the k >= 1 with 2^k <= n of (1 + 2^-k)^s (1 - 2^-k)^(n-s) / (k(k+1)),
    and the test stops as soon as the evidence for one of the arms is at least 1/d.  It is decided in rational
    numbers.  That no test does with less as the gap tends to 0 is Farrell's theorem (1964), not proved here. *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith QArith Qreals Qpower.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT TreeAscent.
From TGITE Require Import ScreenAndReplace BudgetedDuelTest Limits BAI Weak Strong.
From TGITE Require Import MixtureTest SprtTest Likelihood BeyondPolicies.
Open Scope R_scope.

(** The gap 2^-(k+1), and what it weighs; k is [S i]. *)
Definition dyadic_gap (i : nat) : R := / 2 ^ S (S i).
Definition dyadic_weight (i : nat) : R := / (INR (S i) * INR (S (S i))).

(** The largest k with 2^k <= n is [Nat.log2 n]. *)
Definition dyadic (n s : nat) : R := sm (fun i => dyadic_weight i * likelihood (dyadic_gap i) n s) (Nat.log2 n).

Definition dyadic_rule : rule := fun d n s =>
  if reaches dyadic d n s then Some true else if reaches dyadic d n (n - s) then Some false else None.

(** The worse of two arms ([u] if they tie, and by symmetry [v]) is returned with probability at most [d]. *)
Definition dyadic_error_statement : Prop := forall P d u v F,
  valid P -> 0 < d < 1 -> u <> v -> Pr P (DT dyadic_rule F d u v) (wrong (better P u v)) <= d.

(** A pair that does not tie: the test ends, and returns the better arm with probability at least 1 - d. *)
Definition dyadic_correct_statement : Prop := forall P d u v,
  valid P -> 0 < d < 1 -> u <> v -> P u v <> 1/2 ->
  returns_with P (better P u v) (fun F => DT dyadic_rule F d u v) (1 - d).

(** The expected number of duels, [g] a lower bound of the pair's gap.  (With [mt_time], MixtureTest's, it is
    2 ln(1/g) for the 2 ln(ln(1/g) + 1).) *)
Definition C_dyadic : R := 2/3.
Definition dyadic_time_statement : Prop := forall P d g u v,
  valid P -> 0 < d < 1 -> 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  at_most (fun F => ET P (DT dyadic_rule F d u v)) (C_dyadic / (g * g) * (ln (/ d) + 2 * ln (ln (/ g) + 1) + 3/4)).

(** The dyadic test satisfies all requirements of the paper's algorithms. *)
Definition dyadic_base (g : R) : R := C_dyadic / (g * g) * (2 * ln (ln (/ g) + 1) + 3/4).
Definition dyadic_slope (g : R) : R := C_dyadic / (g * g).
Definition dyadic_is_pairwise_test_statement : Prop := forall P N w g,
  assump_condorcet_gap P N w g -> pairwise_test P N w (DT dyadic_rule) 1 (dyadic_base g) (dyadic_slope g).

(** TG-ITE-BAI with it: cor:tlcr-bai, with log log(1/gap). *)
Definition dyadic_bai_statement : Prop := forall (cv : conventions) P N L w g b delta,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> 0 < delta < 1 ->
  identifies P w (fun F => TG_ITE_BAI (DT dyadic_rule F) N L b delta) delta
    (C_dyadic * INR (N - 1) / (g * g) * (ln (/ delta) + 2 * ln (ln (/ g) + 1) + 51/10)).

(** TG-ITE-Weak with it: thm:online-weak-linear-main, with log log(1/gap). *)
Definition C_dyadic_weak : R := 26/5.
Definition dyadic_weak_statement : Prop := forall (cv : conventions) P N L w g b,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat ->
  endless_regret_at_most P (weak_regretful w) (fun F k => TG_ITE_Weak (DT dyadic_rule F) N L (1/4) k b)
    (C_dyadic_weak * INR (N - 1) / (g * g) * (ln (ln (/ g) + 1) + 1)).

(** TG-ITE-Strong with it, with a known horizon and at any time. *)
Definition dyadic_strong_known_statement : Prop := forall (cv : conventions) P N L w g b H,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (1 <= H)%nat ->
  horizon_regret_at_most P (strong_regretful w) H (fun F => TG_ITE_Strong_KnownHorizon (DT dyadic_rule F) N L H b)
    (C_dyadic * INR (N - 1) / (g * g) * (ln (INR H + 1) + 2 * ln (ln (/ g) + 1) + 51/10) + 1).
Definition dyadic_strong_anytime_statement : Prop := forall (cv : conventions) P N L w g b T,
  assump_condorcet_gap P N w g -> balanced_tree N L -> (b < N)%nat -> (2 <= T)%nat ->
  anytime_regret_at_most P (strong_regretful w) T (fun F k => TG_ITE_Strong_Anytime (DT dyadic_rule F) N L k b)
    (C_dyadic * INR (N - 1) / (g * g) *
       (4 * ln (INR T + 1) + 5/3 * (ln (ln (INR T + 2)) + 1) * (2 * ln (ln (/ g) + 1) + 51/10))
     + 5/3 * (ln (ln (INR T + 2)) + 1)).

(** The sum in rational numbers, where [K] is the largest k, and the decision at a rational level. *)
Fixpoint dyadic_Q (K n s : nat) : Q := match K with
  | O => 0
  | S i => dyadic_Q i n s + (1 # Pos.of_nat (K * S K)) * ((1 + (1 # Pos.of_nat (2 ^ K))) ^ Z.of_nat s * (1 - (1 #
    Pos.of_nat (2 ^ K))) ^ Z.of_nat (n - s))
  end.
Definition dyadic_in_rationals_statement : Prop := forall d n s,
  reaches dyadic (Q2R d) n s = Qle_bool 1 (d * dyadic_Q (Nat.log2 n) n s).

(** * Proofs *)

Lemma dyadic_gap_range i : 0 < dyadic_gap i <= 1/4.
Proof.
  unfold dyadic_gap. pose proof (pow_R1_Rle 2 i ltac:(lra)). split; [positive|].
  replace (1/4) with (/ 4) by field. apply Rinv_le_contravar; [lra|cbn [pow]; lra].
Qed.
Lemma dyadic_gap_half i : dyadic_gap i = 2 * dyadic_gap (S i).
Proof. unfold dyadic_gap. cbn [pow]. pose proof (pow_lt 2 i ltac:(lra)). field. lra. Qed.

Lemma dyadic_weight_range i : 0 < dyadic_weight i <= 1/2.
Proof.
  unfold dyadic_weight. rewrite !S_INR. pose proof (pos_INR i). split; [apply Rinv_0_lt_compat; nra|].
  replace (1/2) with (/ 2) by field. apply Rinv_le_contravar; nra.
Qed.

Lemma dyadic_term i n s : 0 <= dyadic_weight i * likelihood (dyadic_gap i) n s.
Proof.
  pose proof (dyadic_gap_range i). pose proof (dyadic_weight_range i). pose proof (L_pos (dyadic_gap i) n s ltac:(lra)).
  positive.
Qed.

(** ** The error *)

(** With a number of gaps that does not grow it is evidence, and no less of it. *)
Definition dyadic_until (K n s : nat) : R := sm (fun i => dyadic_weight i * likelihood (dyadic_gap i) n s) K.
Lemma dyadic_evidence K : evidence (dyadic_until K).
Proof.
  apply (mixture_is_evidence K dyadic_weight (fun i => likelihood (dyadic_gap i))); [|apply telescope_le1].
  intros i _. pose proof (dyadic_gap_range i).
  split; [apply Rlt_le, dyadic_weight_range|apply likelihood_is_evidence; lra].
Qed.

Lemma dyadic_hit p d F : 0 <= p <= 1/2 -> 0 < d -> hit p (reaches dyadic d) F 0 0 <= d.
Proof.
  intros Hp Hd.
  eapply Rle_trans; [|apply (evidence_error (dyadic_until (Nat.log2 F)) p d F); auto using dyadic_evidence].
  apply hit_within; auto; [lra|]. intros n s Hn _. unfold reaches.
  destruct (Rle_dec 1 (d * dyadic n s)) as [h|]; [intros _|discriminate].
  assert (dyadic n s <= dyadic_until (Nat.log2 F) n s) as M.
  { apply sm_longer; [intro; apply dyadic_term|]. apply Nat.log2_le_mono. lia. }
  apply (Rmult_le_compat_l d) in M; [|lra]. destruct (Rle_dec _ _); [reflexivity|lra].
Qed.

Lemma dyadic_two_sided : two_sided dyadic_rule.
Proof. apply (two_sided_by (reaches dyadic)); [reflexivity|]. intros. apply dyadic_hit; lra. Qed.

Theorem dyadic_error : dyadic_error_statement.
Proof. intros P d u v F. apply two_sided_error, dyadic_two_sided. Qed.

(** ** The time *)

(** As long as the test goes on, no gap's evidence suffices: those with 2^k > n are too small to have any. *)
Lemma L_at_most g n s : 0 < g < 1/2 -> (s <= n)%nat -> likelihood g n s <= (1 + 2 * g) ^ n.
Proof.
  intros Hg Hs. replace n with (s + (n - s))%nat at 2 by lia. rewrite pow_add. apply Rmult_le_compat_l; [positive|].
  apply pow_incr; lra.
Qed.

Lemma dyadic_left_out i n s : (s <= n)%nat -> (n < 2 ^ S i)%nat -> dyadic_weight i * likelihood (dyadic_gap i) n s <= 1.
Proof.
  intros Hs Hn. pose proof (dyadic_gap_range i) as Hg.
  assert (likelihood (dyadic_gap i) n s <= exp (INR n * (2 * dyadic_gap i))) as A.
  { eapply Rle_trans; [apply L_at_most; [lra|exact Hs]|]. rewrite exp_pow. apply pow_incr.
    pose proof (exp_ineq1_le (2 * dyadic_gap i)). lra. }
  destruct i as [|i].
  - assert (INR n * (2 * dyadic_gap 0) <= 1/2) as N by (destruct n as [|[|n]]; unfold dyadic_gap;
      [simpl; lra|simpl; lra|cbn in Hn; lia]).
    apply exp_le in N. pose proof exp_half_le. unfold dyadic_weight. simpl. lra.
  - assert (INR n * (2 * dyadic_gap (S i)) <= 1) as N.
    { rewrite <- dyadic_gap_half. apply Rle_div_l; [positive|]. apply lt_INR in Hn. rewrite pow_INR in Hn.
      change (INR 2) with 2 in Hn. lra. }
    apply exp_le in N. pose proof exp_le_3. pose proof (pos_INR i). unfold dyadic_weight. rewrite !S_INR.
    rewrite Rmult_comm. apply Rle_div_l; nra.
Qed.

Lemma dyadic_not_yet d i n s : 0 < d < 1 -> (s <= n)%nat -> reaches dyadic d n s = false ->
  reaches (likelihood (dyadic_gap i)) (d * dyadic_weight i) n s = false.
Proof.
  intros Hd Hs. unfold reaches. destruct (Rle_dec 1 (d * dyadic n s)) as [|h]; [discriminate|intros _].
  destruct (Rle_dec _ _) as [h'|]; [exfalso|reflexivity]. rewrite Rmult_assoc in h'.
  destruct (lt_dec i (Nat.log2 n)) as [Hi|Hi].
  - apply h. eapply Rle_trans; [exact h'|]. apply Rmult_le_compat_l; [lra|].
    apply (sm_one (fun i => dyadic_weight i * likelihood (dyadic_gap i) n s)); [intro; apply dyadic_term|exact Hi].
  - assert (n < 2 ^ S i)%nat as Hn.
    { destruct n as [|n]; [apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia|]. apply Nat.log2_lt_pow2; lia. }
    pose proof (dyadic_left_out i n s Hs Hn). nra.
Qed.

(** The growth of the logarithm, at a smaller gap than the pair's. *)
Lemma drift_below q g p : 0 < q < 1/2 -> g / 2 <= q <= g -> 1/2 + g <= p <= 1 ->
  3/2 * (g * g) <= p * ln (1 + 2 * q) + (1 - p) * ln (1 - 2 * q).
Proof.
  intros Hq Hg Hp. pose proof (ln_L_drift q (1/2 + q) Hq ltac:(lra)) as A. pose proof (ln_odds q Hq) as B.
  unfold odds in B. rewrite ln_div in B by lra. apply (Rmult_le_compat_r (p - (1/2 + q))) in B; [|lra].
  assert (0 <= (q - g / 2) * (3 * g / 2 - q)) by (apply Rmult_le_pos; lra).
  assert (4 * q * (g - q) <= 4 * q * (p - (1/2 + q))) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma dyadic_match_time P d g i u v F : valid P -> 0 < d < 1 -> dyadic_gap i <= g <= 2 * dyadic_gap i ->
  g <= Rabs (P u v - 1/2) ->
  ET P (DT dyadic_rule F d u v) <= (ln (/ (d * dyadic_weight i)) + ln (1 + 2 * dyadic_gap i)) / (3/2 * (g * g)).
Proof.
  intros HP Hd Hi Hp. pose proof (dyadic_gap_range i) as Hq. pose proof (dyadic_weight_range i) as Hw.
  pose proof (valid_01 P HP u v). assert (exists a : bool, 1/2 + g <= (if a then P u v else 1 - P u v) <= 1) as [a Ha].
  { unfold Rabs in Hp. destruct (Rcase_abs _); [exists false|exists true]; lra. }
  assert (0 < g * g) by nra. apply (likelihood_time a); auto; [lra|nra|lra|apply drift_below; lra|].
  intros n s Hs. unfold dyadic_rule. destruct (reaches dyadic d n s) eqn:E; [discriminate|].
  destruct (reaches dyadic d n (n - s)) eqn:E'; [discriminate|intros _]. destruct a; apply dyadic_not_yet; auto; lia.
Qed.

Lemma dyadic_gap_near g : 0 < g <= 1/2 -> exists i, dyadic_gap i <= g <= 2 * dyadic_gap i.
Proof.
  intro Hg. assert (exists j, dyadic_gap j <= g) as [j Hj].
  { destruct (archimed_cor1 g ltac:(lra)) as (n & H1 & H2). exists n. left. eapply Rle_lt_trans; [|exact H1].
    apply Rinv_le_contravar; [now apply lt_0_INR|]. pose proof (Nat.pow_gt_lin_r 2 (S (S n)) ltac:(lia)) as Q.
    apply lt_INR in Q. rewrite pow_INR in Q. change (INR 2) with 2 in Q. rewrite (S_INR (S n)), (S_INR n) in Q. lra. }
  induction j as [|j IH]; [exists 0%nat; unfold dyadic_gap in *; cbn in *; lra|].
  destruct (Rle_dec (dyadic_gap j) g) as [A|A]; [now apply IH|]. exists (S j). rewrite dyadic_gap_half in A. lra.
Qed.

(** What the weight costs, and the last duel: k(k+1) (1 + 1/2^k) is at most (k+1)^2, and k ln 2 at most ln(1/g). *)
Lemma dyadic_price g i : 0 < g <= 2 * dyadic_gap i ->
  ln (/ dyadic_weight i) + ln (1 + 2 * dyadic_gap i) <= 2 * ln (ln (/ g) + 1) + 3/4.
Proof.
  intros [G0 G1]. pose proof ln2_ge. pose proof ln2_le. pose proof ln_ln2. set (k := INR (S i)).
  assert (1 <= k) by (unfold k; rewrite S_INR; pose proof (pos_INR i); lra).
  assert (2 * dyadic_gap i = / 2 ^ S i) as E by (unfold dyadic_gap; cbn [pow]; field; apply pow_nonzero; lra).
  assert (2 * dyadic_gap i * (k + 1) <= 1) as Last.
  { rewrite E, Rmult_comm. apply Rle_div_l; [positive|]. rewrite Rmult_1_l. unfold k. rewrite <- S_INR, <- (pow_INR 2).
    apply le_INR, (Nat.pow_gt_lin_r 2 (S i)). lia. }
  assert (ln (/ dyadic_weight i) + ln (1 + 2 * dyadic_gap i) <= 2 * ln (k + 1)) as A.
  { replace (2 * ln (k + 1)) with (ln ((k + 1) * (k + 1))) by (rewrite ln_mult; lra).
    unfold dyadic_weight. rewrite Rinv_inv, (S_INR (S i)). fold k. rewrite <- ln_mult by nra. apply ln_le; nra. }
  assert (k * ln 2 <= ln (/ g)) as B.
  { unfold k. rewrite <- ln_pow by lra. apply ln_le; [positive|]. rewrite <- (Rinv_inv (2 ^ S i)), <- E.
    apply Rinv_le_contravar; lra. }
  assert (ln (ln 2 * (k + 1)) <= ln (ln (/ g) + 1)) as C by (apply ln_le; [positive|lra]).
  rewrite ln_mult in C by lra. lra.
Qed.

Lemma dyadic_time_at P d g u v F : valid P -> 0 < d < 1 -> 0 < g <= 1/2 -> g <= Rabs (P u v - 1/2) ->
  ET P (DT dyadic_rule F d u v) <= C_dyadic / (g * g) * (ln (/ d) + 2 * ln (ln (/ g) + 1) + 3/4).
Proof.
  intros HP Hd Hg Hp. destruct (dyadic_gap_near g Hg) as [i Hi].
  eapply Rle_trans; [apply (dyadic_match_time P d g i); auto|].
  pose proof (dyadic_price g i ltac:(lra)) as A. pose proof (dyadic_weight_range i) as Hw.
  assert (0 < / (g * g)) by (apply Rinv_0_lt_compat; nra). rewrite Rinv_mult, ln_mult by (apply Rinv_0_lt_compat; lra).
  replace ((ln (/ d) + ln (/ dyadic_weight i) + ln (1 + 2 * dyadic_gap i)) / (3/2 * (g * g)))
    with (C_dyadic / (g * g) * (ln (/ d) + (ln (/ dyadic_weight i) + ln (1 + 2 * dyadic_gap i))))
      by (unfold C_dyadic; field; lra).
  apply Rmult_le_compat_l; [unfold C_dyadic, Rdiv; lra|lra].
Qed.

Theorem dyadic_time : dyadic_time_statement.
Proof.
  intros P d g u v HP Hd Hg Hp. pose proof (valid_01 P HP) as P01.
  apply at_most_ET; auto; intro F; [apply DT_refines|now apply dyadic_time_at].
Qed.

Theorem dyadic_correct : dyadic_correct_statement.
Proof.
  intros P d u v HP Hd Huv Hne. eapply two_sided_correct; auto using dyadic_two_sided.
  intros g F Hg Gap. now apply (dyadic_time_at P d g).
Qed.

(** ** In the algorithms *)

Lemma lnln_half g : 0 < g <= 1/2 -> 1/2 <= ln (ln (/ g) + 1).
Proof.
  intro Hg. pose proof (ln_inv_gap g Hg). pose proof exp_half_le. rewrite <- (ln_exp (1/2)).
  apply ln_le; [apply exp_pos|lra].
Qed.

Theorem dyadic_is_pairwise_test : dyadic_is_pairwise_test_statement.
Proof.
  intros P N w g HA. gap_of HA. pose proof (lnln_half g Hg). unfold dyadic_base, dyadic_slope, C_dyadic.
  apply (two_sided_pairwise dyadic_rule P N w g); auto using dyadic_two_sided; try positive.
  intros F d u v Hd Hp. eapply Rle_trans; [apply (dyadic_time_at P d g); auto; apply (a_valid _ _ _ _ HA)|].
  unfold C_dyadic. lra.
Qed.

Lemma dyadic_in_units P N w g : assump_condorcet_gap P N w g ->
  pairwise_test P N w (DT dyadic_rule) 1 (2/3 * (2 * ln (ln (/ g) + 1) + 3/4) / (g * g)) (2/3 / (g * g)).
Proof.
  intro HA.
  replace (2/3 * (2 * ln (ln (/ g) + 1) + 3/4) / (g * g)) with (dyadic_base g)
    by (unfold dyadic_base, C_dyadic, Rdiv; ring).
  now apply dyadic_is_pairwise_test.
Qed.

Theorem dyadic_bai : dyadic_bai_statement.
Proof.
  intros cv P N L w g b delta HA HB Hb Hd. gap_of HA.
  eapply identifies_in_units; eauto using dyadic_in_units; unfold C_dyadic; lra.
Qed.

Theorem dyadic_weak : dyadic_weak_statement.
Proof.
  intros cv P N L w g b HA HB Hb. gap_of HA. pose proof (lnln_half g Hg). pose proof ln4_range.
  eapply weak_in_units with (e := 1/4); eauto using dyadic_in_units; try lra.
  replace (/ (1/4)) with 4 by field. unfold C_dyadic_weak. lra.
Qed.

Theorem dyadic_strong_known : dyadic_strong_known_statement.
Proof.
  intros cv P N L w g b H HA HB Hb HH. gap_of HA. unfold C_dyadic.
  eapply known_horizon_in_units; eauto using dyadic_in_units; try lra.
Qed.

Theorem dyadic_strong_anytime : dyadic_strong_anytime_statement.
Proof.
  intros cv P N L w g b T HA HB Hb HT. gap_of HA. pose proof (lnln_half g Hg). pose proof ln2_ge.
  eapply anytime_in_units; eauto using dyadic_in_units; [lra|]. intros k m k1 km k2m M B1 B2 KL L0. split; [|lra].
  unfold C_dyadic. apply (Rmult_le_compat_r (2 * ln (ln (/ g) + 1) + 51/10)) in KL; lra.
Qed.

(** ** The decision *)

Lemma Q2R_power x n : Q2R (x ^ Z.of_nat n) = Q2R x ^ n.
Proof.
  induction n as [|n IH]; [cbn; unfold Q2R; cbn; lra|]. cbn [pow]. rewrite <- IH, <- Q2R_mult. apply Qeq_eqR.
  destruct n as [|n]; [cbn; ring|]. cbn [Z.of_nat Qpower Pos.of_succ_nat]. rewrite <- Pos.add_1_l.
  apply Qpower_plus_positive.
Qed.
Lemma Q2R_inverse n : (0 < n)%nat -> Q2R (1 # Pos.of_nat n) = / INR n.
Proof. intro H. unfold Q2R. cbn [Qnum Qden]. rewrite <- (Nat2Pos.id n) at 2 by lia. rewrite INR_IPR. unfold IZR at 2.
ring. Qed.

Lemma dyadic_Q2R n s K : Q2R (dyadic_Q K n s) = dyadic_until K n s.
Proof.
  unfold dyadic_until. induction K as [|i IH]; [unfold Q2R; cbn; lra|]. cbn [dyadic_Q sm]. rewrite <- IH, Q2R_plus.
  f_equal. assert (0 < 2 ^ S i)%nat as P2 by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
  rewrite !Q2R_mult, !Q2R_power, Q2R_plus, Q2R_minus, !Q2R_inverse, mult_INR by lia.
  unfold dyadic_weight, likelihood, dyadic_gap. replace (Q2R 1) with 1 by (unfold Q2R; cbn; lra). f_equal.
  replace (2 * / 2 ^ S (S i)) with (/ INR (2 ^ S i)); [reflexivity|]. rewrite pow_INR. change (INR 2) with 2. cbn [pow].
  pose proof (pow_lt 2 i ltac:(lra)). field. lra.
Qed.

Theorem dyadic_in_rationals : dyadic_in_rationals_statement.
Proof.
  intros d n s. unfold reaches. change (dyadic n s) with (dyadic_until (Nat.log2 n) n s).
  rewrite <- dyadic_Q2R, <- Q2R_mult.
  replace 1 with (Q2R 1) by (unfold Q2R; cbn; lra). set (x := (d * _)%Q). destruct (Rle_dec (Q2R 1) (Q2R x)) as [h|h].
  - apply Rle_Qle in h. symmetry. now apply Qle_bool_iff.
  - destruct (Qle_bool 1 x) eqn:E; [|reflexivity]. exfalso. apply h, Qle_Rle. now apply Qle_bool_iff.
Qed.
