(** * The confidence radius and the anytime confidence sequence *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding.
Open Scope R_scope.

(** The slack covers a relative error of 2^-40 in the radius, and an absolute error of 2^-54 in the mean
    (a quotient below 1, rounded to a double), for up to 2^60 duels and logarithms up to 2^33.  No run
    that can be played exceeds these limits. *)
Definition rounding_slack_statement : Prop := forall n d x,
  (0 < n)%nat -> 0 < d < 1 -> INR n <= 2 ^ 60 -> log_term n d <= 2 ^ 33 ->
  ((1 - / 2 ^ 40) * c_radius n d - / 2 ^ 54 <= x -> c_early n d <= x) /\
  (x <= (1 + / 2 ^ 40) * c_radius n d + / 2 ^ 54 -> x <= c_late n d).

(** * Proofs *)

Lemma ln_gt_1 x : 4 <= x -> 1 < ln x.
Proof. intro Hx. rewrite <- (ln_exp 1). pose proof exp_le_3. apply ln_increasing; [apply exp_pos|lra]. Qed.

Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intro Hx. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma over_level x d : 4 <= x -> 0 < d < 1 -> x <= x / d /\ 1 < ln (x / d).
Proof.
  intros Hx Hd. assert (x <= x / d) as H by (apply Rle_div_r; nra). split; [exact H|]. apply ln_gt_1. lra.
Qed.

Lemma log_term_ge1 n d : (0 < n)%nat -> 0 < d < 1 -> 1 < log_term n d.
Proof. intros Hn Hd. assert (1 <= INR n) by (apply (le_INR 1); lia). apply over_level; [nra|exact Hd]. Qed.

Lemma radius_mono n x y : (0 < n)%nat -> x <= y -> sqrt (x / (2 * INR n)) <= sqrt (y / (2 * INR n)).
Proof. intros Hn H. pose proof (INR_pos n Hn). apply sqrt_le_1_alt, Rmult_le_compat_r; [positive|exact H]. Qed.

(** Hoeffding's bound at a radius with [s] subtracted under the root. *)
Lemma radius_exp n y s : (0 < n)%nat -> 0 < y -> s <= ln y -> let r := sqrt ((ln y - s) / (2 * INR n)) in
  exp (- (2 * INR n * (r * r))) = exp s * / y.
Proof.
  intros Hn Hy Hs r. pose proof (INR_pos n Hn). unfold r. rewrite sqrt_sqrt by positive.
  replace (- (2 * INR n * ((ln y - s) / (2 * INR n)))) with (s + - ln y) by (field; lra).
  now rewrite exp_plus, exp_Ropp, exp_ln by exact Hy.
Qed.

Lemma c_exp n d : (0 < n)%nat -> 0 < d < 1 ->
  exp (- (2 * INR n * (c_radius n d * c_radius n d))) = d / 2 * / (INR n * (INR n + 1)).
Proof.
  intros Hn Hd. pose proof (INR_pos n Hn). pose proof (log_term_ge1 n d Hn Hd).
  unfold c_radius. rewrite <- (Rminus_0_r (log_term n d)). unfold log_term in *.
  rewrite radius_exp by (auto; positive). rewrite exp_0. field. lra.
Qed.

Lemma exp_slack : exp slack <= 16 / 15.
Proof.
  replace slack with (- - slack) by ring. rewrite exp_Ropp.
  replace (16 / 15) with (/ (15 / 16)) by field. apply Rinv_le_contravar; [lra|].
  pose proof (exp_ineq1_le (- slack)). unfold slack in *. lra.
Qed.

Lemma early_exp n y : (0 < n)%nat -> 0 < y -> slack <= ln y -> let r := sqrt ((ln y - slack) / (2 * INR n)) in
  exp (- (2 * INR n * (r * r))) <= 16 / 15 * / y.
Proof.
  intros Hn Hy Hs r. unfold r. rewrite radius_exp by assumption. apply Rmult_le_compat_r; [positive|apply exp_slack].
Qed.

Lemma c_early_exp n d : (0 < n)%nat -> 0 < d < 1 ->
  exp (- (2 * INR n * (c_early n d * c_early n d))) <= 8 / 15 * d * / (INR n * (INR n + 1)).
Proof.
  intros Hn Hd. pose proof (INR_pos n Hn). pose proof (log_term_ge1 n d Hn Hd).
  replace (8 / 15 * d * / (INR n * (INR n + 1))) with (16 / 15 * / (2 * INR n * (INR n + 1) / d)) by (field; lra).
  apply early_exp; [exact Hn|positive|]. unfold log_term, slack in *. lra.
Qed.

Lemma c_nonneg n d : 0 <= c_radius n d. Proof. apply sqrt_pos. Qed.
Lemma c_early_nonneg n d : 0 <= c_early n d. Proof. apply sqrt_pos. Qed.

(** A radius off by a factor of 1 + 2^-40 and by h; [y] bounds n times the radius. *)
Lemma rounded_root n l h y : (0 < n)%nat -> 1 <= l <= 2 ^ 33 -> 0 <= h -> 0 <= y -> INR n * l <= 2 * (y * y) ->
  h * y <= / 128 -> h * (h * INR n) <= / 1000 -> let r := sqrt (l / (2 * INR n)) in
  sqrt ((l - slack) / (2 * INR n)) <= (1 - / 2 ^ 40) * r - h /\
  (1 + / 2 ^ 40) * r + h <= sqrt ((l + slack) / (2 * INR n)).
Proof.
  intros Hn Hl Hh Hy NL HY HN r. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  set (e := / 2 ^ 40). assert (0 <= e <= / 1000) as He by (unfold e; lra).
  assert (0 <= e * l <= / 128) as EL by (unfold e; lra). assert (0 <= r) as R0 by apply sqrt_pos.
  assert (CC : 2 * INR n * (r * r) = l) by (unfold r; rewrite sqrt_sqrt; [field; lra|positive]).
  assert (NR : INR n * r <= y) by (apply Rsqr_incr_0_var; [unfold Rsqr; nra|exact Hy]).
  assert (HC : 0 <= h * (INR n * r) <= / 128).
  { split; [positive|]. eapply Rle_trans; [apply Rmult_le_compat_l; [exact Hh|exact NR]|exact HY]. }
  assert (RH : 2 * h <= r).
  { apply Rsqr_incr_0_var; [unfold Rsqr; apply Rmult_le_reg_l with (2 * INR n); lra|exact R0]. }
  assert (0 <= h * (h * INR n)) by positive.
  assert (0 <= e * (e * l) <= / 1000 * / 128) by (split; [positive|apply Rmult_le_compat; lra]).
  assert (0 <= e * (h * (INR n * r)) <= / 1000 * / 128) by (split; [positive|apply Rmult_le_compat; lra]).
  assert (Square : forall f g, (f * r + g) * (f * r + g) * (2 * INR n) =
    f * f * l + 4 * f * g * (INR n * r) + 2 * (g * (g * INR n))) by (intros; rewrite <- CC; ring). split.
  - rewrite <- (sqrt_square ((1 - e) * r - h)) by nra. apply sqrt_le_1_alt, Rle_div_l; [lra|].
    unfold Rminus at 2 3. rewrite Square. unfold slack. lra.
  - rewrite <- (sqrt_square ((1 + e) * r + h)) by nra. apply sqrt_le_1_alt, (Rle_div_r _ _ (2 * INR n)); [lra|].
    rewrite Square. unfold slack. lra.
Qed.

Theorem rounding_slack : rounding_slack_statement.
Proof.
  intros n d x Hn Hd HN HL. pose proof (log_term_ge1 n d Hn Hd) as L1. pose proof (INR_pos n Hn).
  assert (INR n * log_term n d <= 2 ^ 60 * 2 ^ 33) by (apply Rmult_le_compat; lra).
  destruct (rounded_root n (log_term n d) (/ 2 ^ 54) (2 ^ 47)) as [A B]; auto; try lra.
  unfold c_early, c_late, c_radius. split; lra.
Qed.

(** ** The union over the number of duels *)

Lemma hit_union p (Hp : 0 <= p <= 1) ev k : forall n s,
  hit p ev k n s <= sm (fun j => walk p (S j) n s (fun m t => ind (ev m t))) k.
Proof.
  induction k as [|k IH]; intros n s; [simpl; lra|]. rewrite walk_sum_step. cbn [hit].
  apply conv_mono; auto.
  - destruct (ev (S n) (S s)); simpl ind.
    + pose proof (walk_sum_nonneg p Hp ev k (S n) (S s)). lra.
    + rewrite Rplus_0_l. apply IH.
  - destruct (ev (S n) s); simpl ind.
    + pose proof (walk_sum_nonneg p Hp ev k (S n) s). lra.
    + rewrite Rplus_0_l. apply IH.
Qed.

(** How far a mean [x] is from [p], upwards ([true]) or downwards; a bound at one time, for any event that
    implies it. *)
Definition beyond (a : bool) (p x : R) : R := if a then x - p else p - x.
Lemma tail a p r y n ev : 0 <= p <= 1 -> (0 < n)%nat -> 0 <= r -> exp (- (2 * INR n * (r * r))) <= y ->
  (forall s, ev n s = true -> r <= beyond a p (INR s / INR n)) -> walk p n 0 0 (fun m s => ind (ev m s)) <= y.
Proof.
  intros Hp Hn Hr Hy H. eapply Rle_trans; [|exact Hy].
  destruct a; [apply hoeffding_upper|apply hoeffding_lower]; auto; intros s Hs; specialize (H s Hs); cbn [beyond] in H.
  - assert (r + p <= INR s / INR n) as H1 by lra. apply div_le_iff in H1; auto. lra.
  - assert (INR s / INR n <= p - r) as H1 by lra. apply Rle_div_l in H1; [lra|now apply INR_pos].
Qed.

Lemma anytime_at p d k : 0 <= p <= 1 -> 0 < d < 1 -> hit p (deviates p d) k 0 0 <= d.
Proof.
  intros Hp Hd. eapply Rle_trans; [apply hit_union; auto|].
  apply Rle_trans with (d * sm (fun j => / (INR (S j) * INR (S (S j)))) k).
  2:{ pose proof (telescope_le1 k). rewrite <- (Rmult_1_r d) at 2. apply Rmult_le_compat_l; lra. }
  rewrite <- sm_scal. apply sm_le. intros j _.
  set (ev a n s := if Rle_dec (c_radius n d) (beyond a p (INR s / INR n)) then true else false).
  set (tail_of a := walk p (S j) 0 0 (fun m t => ind (ev a m t))). apply Rle_trans with (tail_of true + tail_of false).
  - unfold tail_of. rewrite <- walk_plus. apply walk_mono; auto. intros m t _ _. unfold deviates, ev, beyond.
    destruct (Rle_dec _ (INR t / INR m - p)), (Rle_dec _ (p - INR t / INR m)), (Rle_dec _ (Rabs _)) as [h|h]; simpl;
      try lra.
    unfold Rabs in h. destruct (Rcase_abs _); lra.
  - rewrite (S_INR (S j)).
    assert (G : forall a, tail_of a <= d / 2 * / (INR (S j) * (INR (S j) + 1))).
    { intro a. rewrite <- c_exp by (auto; lia).
      apply (tail a p (c_radius (S j) d)); auto using c_nonneg, Rle_refl; [lia|].
      intros s. unfold ev. destruct (Rle_dec _ _); [auto|discriminate]. }
    pose proof (G true). pose proof (G false). lra.
Qed.

Lemma hit_le1 p ev (Hp : 0 <= p <= 1) k : forall n s, 0 <= hit p ev k n s <= 1.
Proof.
  induction k as [|k IH]; intros n s; [simpl; lra|]. cbn [hit].
  split; [apply conv_ge|apply conv_le]; auto; destruct (ev _ _); try lra; apply IH.
Qed.

Lemma hit_incr p ev (Hp : 0 <= p <= 1) k : forall n s, hit p ev k n s <= hit p ev (S k) n s.
Proof.
  induction k as [|k IH]; intros n s; [apply (hit_le1 p ev Hp 1)|]. set (k' := S k) in *. cbn [hit]. unfold k' at 1.
  cbn [hit]. apply conv_mono; auto; destruct (ev _ _); try lra; apply IH.
Qed.

(** What occurs whenever the event does, with no more than [n] wins in [n] duels, and within those that are played. *)
Lemma hit_within p ev ev' (Hp : 0 <= p <= 1) : forall k n s, (s <= n)%nat ->
  (forall m t, (n < m <= n + k)%nat -> (t <= m)%nat -> ev m t = true -> ev' m t = true) ->
    hit p ev k n s <= hit p ev' k n s.
Proof.
  induction k as [|k IH]; intros n s Hs H; [cbn; lra|]. cbn [hit].
  assert (forall s', (s' <= S n)%nat ->
    (if ev (S n) s' then 1 else hit p ev k (S n) s') <= (if ev' (S n) s' then 1 else hit p ev' k (S n) s')) as G.
  { intros s' Hs'. pose proof (H (S n) s' ltac:(lia) Hs') as H'. destruct (ev (S n) s'); [rewrite H' by auto; lra|].
    destruct (ev' (S n) s'); [apply (hit_le1 p ev Hp)|]. apply IH; [exact Hs'|]. intros m t Hm. apply H. lia. }
  apply conv_mono; [exact Hp|apply G; lia|apply G; lia].
Qed.

(** Ville's inequality: of a supermartingale that is at least 1 when the event occurs. *)
Lemma hit_super p ev (V : nat -> nat -> R) (Hp : 0 <= p <= 1) : (forall n s, (s <= n)%nat -> 0 <= V n s) ->
  (forall n s, (s <= n)%nat -> ev n s = true -> 1 <= V n s) ->
  (forall n s, (s <= n)%nat -> p * V (S n) (S s) + (1 - p) * V (S n) s <= V n s) ->
  forall k n s, (s <= n)%nat -> hit p ev k n s <= V n s.
Proof.
  intros V0 V1 Vs. induction k as [|k IH]; intros n s H; cbn [hit]; [now apply V0|]. eapply Rle_trans; [|now apply Vs].
  apply conv_mono; auto; (destruct (ev _ _) eqn:E; [apply V1; auto; lia|apply IH; lia]).
Qed.

(** The duels seen from the other arm. *)
Lemma hit_mirror p ev k : forall n s, (s <= n)%nat ->
  hit p (fun m t => ev m (m - t)%nat) k n s = hit (1 - p) ev k n (n - s).
Proof.
  induction k as [|k IH]; intros n s H; [reflexivity|]. cbn [hit].
  rewrite !IH, Nat.sub_succ, Nat.sub_succ_l by lia. ring.
Qed.

(** Monotone convergence. *)
Lemma at_most_incr u bound : (forall n, u n <= u (S n)) -> (forall n, u n <= bound) -> at_most u bound.
Proof.
  intros Up H. destruct (ex_finite_lim_seq_incr u bound Up H) as [x Hx].
  split; [exact H|]. exists x. split; [exact Hx|].
  exact (is_lim_seq_le u (fun _ => bound) x bound H Hx (is_lim_seq_const bound)).
Qed.

Theorem lem_app_anytime_cs : lem_app_anytime_cs_statement.
Proof. intros p d Hp Hd. apply at_most_incr; intro k; [now apply hit_incr|now apply anytime_at]. Qed.
