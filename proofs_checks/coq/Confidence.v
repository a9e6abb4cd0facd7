(** * The confidence radius and the anytime confidence sequence

    [hit p ev k n s] is the probability that the event [ev] occurs at one of the next [k] duels of a
    pair, counted from [n] duels of which the first arm won [s].  Two more radii, with 1/16 less and
    1/16 more under the root, leave room for a stopping rule that is computed in floating point. *)
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

Lemma rad_exp n y : (0 < n)%nat -> 1 <= y ->
  exp (- (2 * INR n * (sqrt (ln y / (2 * INR n)) * sqrt (ln y / (2 * INR n))))) = / y.
Proof.
  intros Hn Hy. pose proof (INR_pos n Hn).
  assert (0 <= ln y). { destruct Hy as [Hy|<-]; [left; rewrite <- ln_1; apply ln_increasing; lra|rewrite ln_1; lra]. }
  rewrite sqrt_sqrt.
  - replace (- (2 * INR n * (ln y / (2 * INR n)))) with (- ln y) by (field; lra).
    rewrite exp_Ropp, exp_ln; lra.
  - apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; lra].
Qed.

Lemma c_arg_ge1 n d : (0 < n)%nat -> 0 < d < 1 -> 1 <= 2 * INR n * (INR n + 1) / d.
Proof.
  intros Hn Hd. assert (1 <= INR n) by (apply (le_INR 1); lia).
  apply Rmult_le_reg_r with d; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; nra.
Qed.

Lemma ln4 : 1 < ln 4.
Proof. rewrite <- (ln_exp 1). apply ln_increasing; [apply exp_pos|]. pose proof exp_le_3. lra. Qed.

Lemma log_term_ge1 n d : (0 < n)%nat -> 0 < d < 1 -> 1 < log_term n d.
Proof.
  intros Hn Hd. assert (1 <= INR n) by (apply (le_INR 1); lia).
  apply Rlt_le_trans with (ln 4); [apply ln4|]. assert (4 <= 2 * INR n * (INR n + 1) / d) as K.
  2:{ unfold log_term. destruct K as [K|<-]; [left; apply ln_increasing; lra|apply Rle_refl]. }
  replace 4 with (4 * d * / d) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. nra.
Qed.

Lemma c_exp n d : (0 < n)%nat -> 0 < d < 1 ->
  exp (- (2 * INR n * (c_radius n d * c_radius n d))) = d / 2 * / (INR n * (INR n + 1)).
Proof.
  intros Hn Hd. unfold c_radius, log_term. rewrite rad_exp; auto using c_arg_ge1.
  pose proof (INR_pos n Hn). field. lra.
Qed.

Lemma exp_slack : exp slack <= 16 / 15.
Proof.
  replace slack with (- - slack) by ring. rewrite exp_Ropp.
  replace (16 / 15) with (/ (15 / 16)) by field. apply Rinv_le_contravar; [lra|].
  pose proof (exp_ineq1_le (- slack)). unfold slack in *. lra.
Qed.

Lemma c_early_exp n d : (0 < n)%nat -> 0 < d < 1 ->
  exp (- (2 * INR n * (c_early n d * c_early n d))) <= 8 / 15 * d * / (INR n * (INR n + 1)).
Proof.
  intros Hn Hd. unfold c_early. pose proof (INR_pos n Hn). pose proof (log_term_ge1 n d Hn Hd).
  rewrite sqrt_sqrt.
  2:{ apply Rmult_le_pos; [unfold slack; lra|left; apply Rinv_0_lt_compat; lra]. }
  replace (- (2 * INR n * ((log_term n d - slack) / (2 * INR n)))) with (slack + - log_term n d) by (field; lra).
  rewrite exp_plus, exp_Ropp. unfold log_term. rewrite exp_ln.
  2:{ apply Rlt_le_trans with 1; [lra|]. apply c_arg_ge1; auto. }
  replace (8 / 15 * d * / (INR n * (INR n + 1))) with (16 / 15 * / (2 * INR n * (INR n + 1) / d)) by (field; lra).
  apply Rmult_le_compat_r; [|apply exp_slack].
  left. apply Rinv_0_lt_compat. apply Rdiv_lt_0_compat; [|lra]. nra.
Qed.

Lemma c_nonneg n d : 0 <= c_radius n d. Proof. apply sqrt_pos. Qed.
Lemma c_early_nonneg n d : 0 <= c_early n d. Proof. apply sqrt_pos. Qed.

Lemma c_early_le n d : (0 < n)%nat -> c_early n d <= c_radius n d.
Proof.
  intro Hn. pose proof (INR_pos n Hn). apply sqrt_le_1_alt. apply Rmult_le_compat_r; [|unfold slack; lra].
  left. apply Rinv_0_lt_compat. lra.
Qed.
Lemma c_le_late n d : (0 < n)%nat -> c_radius n d <= c_late n d.
Proof.
  intro Hn. pose proof (INR_pos n Hn). apply sqrt_le_1_alt. apply Rmult_le_compat_r; [|unfold slack; lra].
  left. apply Rinv_0_lt_compat. lra.
Qed.

(** A radius off by a factor of 1 + e and by h; [y] bounds n times the radius. *)
Lemma rounded_root n l e h y : (0 < n)%nat -> 1 <= l -> 0 <= e <= / 1000 -> 0 <= h -> 0 <= y -> e * l <= / 128 -> INR n * l <= 2 * (y * y) ->
  h * y <= / 128 -> h * (h * INR n) <= / 1000 -> let r := sqrt (l / (2 * INR n)) in
  sqrt ((l - slack) / (2 * INR n)) <= (1 - e) * r - h /\ (1 + e) * r + h <= sqrt ((l + slack) / (2 * INR n)).
Proof.
  intros Hn Hl He Hh Hy EL NL HY HN r. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  assert (0 < / (2 * INR n)) as I0 by (apply Rinv_0_lt_compat; lra). assert (0 <= r) as R0 by apply sqrt_pos.
  assert (CC : 2 * INR n * (r * r) = l) by (unfold r; rewrite sqrt_sqrt; [field; lra|apply Rmult_le_pos; lra]).
  assert (NR : INR n * r <= y) by (apply Rsqr_incr_0_var; [unfold Rsqr; nra|exact Hy]).
  assert (HC : h * (INR n * r) <= / 128) by (eapply Rle_trans; [apply Rmult_le_compat_l; [exact Hh|exact NR]|exact HY]).
  assert (HC0 : 0 <= h * (INR n * r)) by (apply Rmult_le_pos; [|apply Rmult_le_pos]; lra).
  assert (RH : 2 * h <= r) by (apply Rsqr_incr_0_var; [unfold Rsqr; apply Rmult_le_reg_l with (2 * INR n); lra|exact R0]).
  assert (0 <= h * (h * INR n)) by (repeat apply Rmult_le_pos; lra). assert (0 <= e * l) by (apply Rmult_le_pos; lra).
  assert (0 <= e * (e * l) <= / 1000 * / 128) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat; lra]).
  assert (0 <= e * (h * (INR n * r)) <= / 1000 * / 128) by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat; lra]).
  assert (SQ : forall z, z / (2 * INR n) * (2 * INR n) = z) by (intro; field; lra). split.
  - assert (0 <= (1 - e) * r - h) by nra. rewrite <- (sqrt_square ((1 - e) * r - h)) by assumption. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (2 * INR n); [lra|]. rewrite SQ. unfold slack.
    replace (((1 - e) * r - h) * ((1 - e) * r - h) * (2 * INR n))
      with ((1 - e) * (1 - e) * (2 * INR n * (r * r)) - 4 * (1 - e) * (h * (INR n * r)) + 2 * (h * (h * INR n))) by ring. rewrite CC. lra.
  - assert (0 <= (1 + e) * r + h) by nra. rewrite <- (sqrt_square ((1 + e) * r + h)) by assumption. apply sqrt_le_1_alt.
    apply Rmult_le_reg_r with (2 * INR n); [lra|]. rewrite SQ. unfold slack.
    replace (((1 + e) * r + h) * ((1 + e) * r + h) * (2 * INR n))
      with ((1 + e) * (1 + e) * (2 * INR n * (r * r)) + 4 * (1 + e) * (h * (INR n * r)) + 2 * (h * (h * INR n))) by ring. rewrite CC. lra.
Qed.

Theorem rounding_slack : rounding_slack_statement.
Proof.
  intros n d x Hn Hd HN HL. pose proof (log_term_ge1 n d Hn Hd) as L1. assert (1 <= INR n) as N1 by (apply (le_INR 1); lia).
  set (e := / 2 ^ 40). set (h := / 2 ^ 54). assert (0 < e /\ e * 2 ^ 33 = / 128) as [E0 E1] by (unfold e; split; [apply Rinv_0_lt_compat; lra|field]).
  assert (0 < h /\ h * 2 ^ 47 = / 128) as [H0 H1] by (unfold h; split; [apply Rinv_0_lt_compat; lra|field]).
  assert (e * log_term n d <= / 128) by (rewrite <- E1; apply Rmult_le_compat_l; lra).
  assert (INR n * log_term n d <= 2 ^ 60 * 2 ^ 33) by (apply Rmult_le_compat; lra).
  assert (h * (h * INR n) <= / 1000).
  { apply Rle_trans with (h * (h * 2 ^ 60)); [do 2 (apply Rmult_le_compat_l; [lra|]); exact HN|unfold h; lra]. }
  destruct (rounded_root n (log_term n d) e h (2 ^ 47)) as [A B]; auto; try lra.
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

(** How far a mean [x] is from [p], upwards ([true]) or downwards; a bound at one time, for any event that implies it. *)
Definition beyond (a : bool) (p x : R) : R := if a then x - p else p - x.
Lemma tail a p r y n ev : 0 <= p <= 1 -> (0 < n)%nat -> 0 <= r -> exp (- (2 * INR n * (r * r))) <= y ->
  (forall s, ev n s = true -> r <= beyond a p (INR s / INR n)) -> walk p n 0 0 (fun m s => ind (ev m s)) <= y.
Proof.
  intros Hp Hn Hr Hy H. eapply Rle_trans; [|exact Hy].
  destruct a; [apply hoeffding_upper|apply hoeffding_lower]; auto; intros s Hs; specialize (H s Hs); cbn [beyond] in H.
  - assert (r + p <= INR s / INR n) as H1 by lra. apply div_le_iff in H1; auto. lra.
  - assert (INR s / INR n <= p - r) as H1 by lra. apply div_ge_iff in H1; auto. lra.
Qed.

Lemma anytime_at p d k : 0 <= p <= 1 -> 0 < d < 1 -> hit p (deviates p d) k 0 0 <= d.
Proof.
  intros Hp Hd. eapply Rle_trans; [apply hit_union; auto|].
  apply Rle_trans with (d * sm (fun j => / (INR (S j) * INR (S (S j)))) k).
  2:{ pose proof (telescope_le1 k). rewrite <- (Rmult_1_r d) at 2. apply Rmult_le_compat_l; lra. }
  rewrite <- sm_scal. apply sm_le. intros j _.
  set (up := fun n s => if Rle_dec (c_radius n d) (INR s / INR n - p) then true else false).
  set (dn := fun n s => if Rle_dec (c_radius n d) (p - INR s / INR n) then true else false).
  apply Rle_trans with (walk p (S j) 0 0 (fun m t => ind (up m t)) + walk p (S j) 0 0 (fun m t => ind (dn m t))).
  - rewrite <- walk_plus. apply walk_mono; auto. intros m t _. unfold deviates, up, dn.
    destruct (Rle_dec (c_radius m d) (Rabs _)) as [h|h]; simpl.
    + unfold Rabs in h. destruct (Rcase_abs _);
      destruct (Rle_dec (c_radius m d) (INR t / INR m - p)); destruct (Rle_dec (c_radius m d) (p - INR t / INR m)); simpl; lra.
    + pose proof (ind_nonneg (if Rle_dec (c_radius m d) (INR t / INR m - p) then true else false)).
      pose proof (ind_nonneg (if Rle_dec (c_radius m d) (p - INR t / INR m) then true else false)). lra.
  - assert (INR (S (S j)) = INR (S j) + 1) as -> by apply S_INR.
    pose proof (Req_le _ _ (c_exp (S j) d ltac:(lia) Hd)) as X.
    assert (walk p (S j) 0 0 (fun m t => ind (up m t)) <= d / 2 * / (INR (S j) * (INR (S j) + 1))).
    { apply (tail true) with (r := c_radius (S j) d); auto using c_nonneg; [lia|].
      intros s. unfold up. destruct (Rle_dec _ _); [auto|discriminate]. }
    assert (walk p (S j) 0 0 (fun m t => ind (dn m t)) <= d / 2 * / (INR (S j) * (INR (S j) + 1))).
    { apply (tail false) with (r := c_radius (S j) d); auto using c_nonneg; [lia|].
      intros s. unfold dn. destruct (Rle_dec _ _); [auto|discriminate]. }
    lra.
Qed.

Lemma hit_le1 p ev (Hp : 0 <= p <= 1) k : forall n s, 0 <= hit p ev k n s <= 1.
Proof.
  induction k as [|k IH]; intros n s; [simpl; lra|]. cbn [hit].
  split; [apply conv_ge|apply conv_le]; auto; destruct (ev _ _); try lra; apply IH.
Qed.

Lemma hit_incr p ev (Hp : 0 <= p <= 1) k : forall n s, hit p ev k n s <= hit p ev (S k) n s.
Proof.
  induction k as [|k IH]; intros n s; [apply (hit_le1 p ev Hp 1)|].
  change (hit p ev (S (S k)) n s) with
    (p * (if ev (S n) (S s) then 1 else hit p ev (S k) (S n) (S s)) + (1 - p) * (if ev (S n) s then 1 else hit p ev (S k) (S n) s)).
  cbn [hit]. apply conv_mono; auto; destruct (ev _ _); try lra; apply IH.
Qed.

(** What occurs whenever the event does, with no more than [n] wins in [n] duels, and within those that are played. *)
Lemma hit_within p ev ev' (Hp : 0 <= p <= 1) : forall k n s, (s <= n)%nat ->
  (forall m t, (n < m <= n + k)%nat -> (t <= m)%nat -> ev m t = true -> ev' m t = true) -> hit p ev k n s <= hit p ev' k n s.
Proof.
  induction k as [|k IH]; intros n s Hs H; [cbn; lra|]. cbn [hit].
  assert (forall s', (s' <= S n)%nat -> (if ev (S n) s' then 1 else hit p ev k (S n) s') <= (if ev' (S n) s' then 1 else hit p ev' k (S n) s')) as G.
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
  rewrite !IH by lia. replace (S n - S s)%nat with (n - s)%nat by lia. replace (S n - s)%nat with (S (n - s)) by lia. ring.
Qed.

Theorem lem_app_anytime_cs : lem_app_anytime_cs_statement.
Proof.
  intros p d Hp Hd. split; [intro; now apply anytime_at|].
  destruct (ex_finite_lim_seq_incr (fun k => hit p (deviates p d) k 0 0) d) as [q Hq].
  - intro k. now apply hit_incr.
  - intro k. now apply anytime_at.
  - exists q. split; auto. refine (is_lim_seq_le _ _ _ _ _ Hq (is_lim_seq_const d)). intro k. now apply anytime_at.
Qed.
