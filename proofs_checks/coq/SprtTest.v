(** * SprtTest: Wald's test for a known gap, and its truncation (not in the paper)

    The likelihood ratio of p = 1/2 + g against p = 1/2 - g after a lead of k duels is ratio^k with
    ratio = (1+2g)/(1-2g), for any number of duels.  The test stops at the least lead k >= 1 for
    which 1/(1 + ratio^k) is at most the level (Wald 1945). *)
From Coq Require Import Reals Lra Psatz Lia Bool Arith.
From Coquelicot Require Import Coquelicot.
From TGITE Require Import Setting Algorithms Statements Program Hoeffding Confidence DuelTest BKT BudgetedDuelTest.
From TGITE Require Import Limits KnownGap MixtureTest.
From TGITE Require Logarithms.
Open Scope R_scope.

Definition odds (g : R) : R := (1 + 2 * g) / (1 - 2 * g).

Definition enough (g d : R) (k : nat) : bool := if Rle_dec (/ (1 + odds g ^ k)) d then true else false.

(** Return the arm that leads if its lead, of at least 1, is enough. *)
Definition sprt_rule (g : R) : rule := fun d n s =>
  if Nat.ltb n (2 * s) && enough g d (2 * s - n) then Some true
  else if Nat.ltb (2 * s) n && enough g d (n - 2 * s) then Some false else None.

Definition SPRT (g : R) : nat -> R -> arm -> arm -> prog (option arm) := DT (sprt_rule g).

(** The truncated test runs at half of the level, for at most ceil(log(2/d)/(2 g^2)) duels.  Then it
    returns the arm that leads, or the first one on a tie. *)
Definition truncated_sprt : budgeted_rule := {|
  bstop := fun g d => sprt_rule g (d / 2);
  bvote := ahead;
  bbudget := fun g d => ceil (1 / (2 * (g * g)) * ln (2 / d)) |}.

(** ** The leads *)

Definition stopping_lead (g d : R) (k : nat) : Prop :=
  (1 <= k)%nat /\ / (1 + odds g ^ k) <= d /\ forall j, (1 <= j < k)%nat -> d < / (1 + odds g ^ j).

(** The test stops when an arm leads by the least [k >= 1] with 1/(1 + ratio^k) <= d; [k] is at most
    ln(1/d)/(4g) + 1. *)
Definition sprt_stopping_lead_statement : Prop := forall g d, 0 < g < 1/2 -> 0 < d < 1 ->
  exists k, stopping_lead g d k /\ INR k <= ln (/ d) / (4 * g) + 1 /\
  forall n s, sprt_rule g d n s =
    if Nat.leb k (2 * s - n) then Some true else if Nat.leb k (n - 2 * s) then Some false else None.

(** ** SprtTest *)

(** The test ends for every pair, ties included.  For a gap of at least [g] it errs with probability at
    most [d]. *)
Definition sprt_correct_statement : Prop := forall P g d u v,
  valid P -> 0 < g < 1/2 -> 0 < d < 1 -> u <> v ->
  is_lim_seq (fun F => Pr P (SPRT g F d u v) ran_out) 0 /\
  (g <= Rabs (P u v - 1/2) ->
   (forall F, Pr P (SPRT g F d u v) (wrong (better P u v)) <= d) /\
   returns_with P (better P u v) (fun F => SPRT g F d u v) (1 - d)).

(** The expected number of duels is at most k^2 for every pair (a tie takes k^2), and at most k/(2 gap)
    for a pair with a gap. *)
Definition sprt_time_statement : Prop := forall P g d k u v,
  valid P -> 0 < g < 1/2 -> 0 < d < 1 -> stopping_lead g d k ->
  at_most (fun F => ET P (SPRT g F d u v)) (INR k * INR k) /\
  (P u v <> 1/2 -> at_most (fun F => ET P (SPRT g F d u v)) (INR k / (2 * Rabs (P u v - 1/2)))).

(** ** The truncated test *)

(** A bound of the budget: constant part and slope in log(1/d). *)
Definition ts_base (g : R) : R := 3 / 5 / (g * g).
Definition ts_slope (g : R) : R := 1 / 2 / (g * g).
Definition C_truncated : R := 3/5.

Definition truncated_sprt_test_statement : Prop := forall P g d u v,
  valid P -> 0 < g < 1/2 -> 0 < d < 1 -> u <> v ->
  (* it always answers, within its budget, which is no larger than BudgetedDuelTest's *)
  Pr P (BDT truncated_sprt g d u v) ran_out = 0 /\
  (maxT (BDT truncated_sprt g d u v) <= bbudget truncated_sprt g d <= bbudget paper_budgeted g d)%nat /\
  INR (bbudget truncated_sprt g d) <= C_truncated / (g * g) * (ln (/ d) + 1) /\
  (* for a gap of at least [g] with the better arm *)
  (g <= Rabs (P u v - 1/2) -> 1 - d <= Pr P (BDT truncated_sprt g d u v) (is_arm (better P u v))) /\
  (* it is expected to use no more duels than the test without a budget *)
  forall k, stopping_lead g (d / 2) k ->
    ET P (BDT truncated_sprt g d u v) <= INR k * INR k /\
    (P u v <> 1/2 -> ET P (BDT truncated_sprt g d u v) <= INR k / (2 * Rabs (P u v - 1/2))).

(** The truncated test satisfies all requirements of the algorithms for a known gap. *)
Definition truncated_sprt_is_pairwise_test_statement : Prop := forall P N w g,
  condorcet P N w g -> 0 < g < 1/2 ->
  pairwise_test P N w (fun _ => BDT truncated_sprt g) 1 (ts_base g) (ts_slope g).

(** * Proofs *)

Lemma odds_gt1 g : 0 < g < 1/2 -> 1 < odds g.
Proof.
  intro Hg. apply Rlt_div_r; lra.
Qed.

(** ln((1+x)/(1-x)) is at least 2x. *)
Lemma ln_odds g : 0 < g < 1/2 -> 4 * g <= ln (odds g).
Proof.
  intro Hg. pose proof (Logarithms.artanh_rest_nonneg 1 (2 * g) ltac:(lra)) as H. unfold Logarithms.artanh_rest in H.
  cbn [Logarithms.rest] in H. rewrite pow_1 in H. unfold odds. simpl (INR 0) in H. lra.
Qed.

Lemma enough_iff g d k : enough g d k = true <-> / (1 + odds g ^ k) <= d.
Proof. unfold enough. now destruct (Rle_dec _ _). Qed.
Lemma enough_not g d k : enough g d k = false <-> d < / (1 + odds g ^ k).
Proof. rewrite <- not_true_iff_false, enough_iff. split; [apply Rnot_le_lt|lra]. Qed.

Section Lead.
Variables g d : R.
Hypothesis Hg : 0 < g < 1/2.
Hypothesis Hd : 0 < d < 1.
Let o1 := odds_gt1 g Hg.

Lemma odds_pow_pos k : 0 < odds g ^ k.
Proof. apply pow_lt. lra. Qed.

Lemma enough_mono j k : (j <= k)%nat -> enough g d j = true -> enough g d k = true.
Proof.
  rewrite !enough_iff. intros H E. eapply Rle_trans; [|exact E]. pose proof (odds_pow_pos j).
  apply Rinv_le_contravar; [lra|]. apply Rplus_le_compat_l, Rle_pow; [lra|exact H].
Qed.

(** Not enough is a lead below ln(1/d)/(4g). *)
Lemma short_lead k : enough g d k = false -> INR k < ln (/ d) / (4 * g).
Proof.
  rewrite enough_not. intro E. pose proof (odds_pow_pos k) as O. pose proof (ln_odds g Hg) as L. pose proof (pos_INR k).
  apply Rinv_lt_contravar in E; [|positive]. rewrite Rinv_inv in E.
  assert (odds g ^ k < / d) as Q by lra. apply ln_increasing in Q; [|exact O]. rewrite ln_pow in Q by lra.
  apply Rlt_div_r; [lra|]. apply (Rmult_le_compat_l (INR k)) in L; lra.
Qed.

Lemma lead_exists : exists k, stopping_lead g d k.
Proof.
  assert (forall n, (exists k, stopping_lead g d k) \/ forall j, (1 <= j <= n)%nat -> enough g d j = false) as A.
  { induction n as [|n [IH|IH]]; [right; lia|auto|].
    destruct (enough g d (S n)) eqn:E; [left|right].
    - exists (S n). split; [lia|]. split; [now apply enough_iff|]. intros j Hj. apply enough_not, IH. lia.
    - intros j Hj. destruct (Nat.eq_dec j (S n)) as [->|]; [exact E|apply IH; lia]. }
  pose proof (ln_inv_pos d Hd). destruct (nfloor_ex (ln (/ d) / (4 * g)) ltac:(positive)) as [n Hn].
  destruct (A (S n)) as [|N]; [auto|]. pose proof (short_lead (S n) (N (S n) ltac:(lia))) as E. rewrite S_INR in E. lra.
Qed.

Lemma lead_bound k : stopping_lead g d k -> INR k <= ln (/ d) / (4 * g) + 1.
Proof.
  intros (H1 & _ & L). pose proof (ln_inv_pos d Hd). assert (0 < ln (/ d) / (4 * g)) as Q by positive.
  destruct k as [|[|k]]; [lia|simpl; lra|]. specialize (L (S k) ltac:(lia)). apply enough_not, short_lead in L.
  rewrite (S_INR (S k)). lra.
Qed.

Lemma rule_lead k n s : stopping_lead g d k ->
  sprt_rule g d n s = if Nat.leb k (2 * s - n) then Some true else if Nat.leb k (n - 2 * s) then Some false else None.
Proof.
  intros (H1 & H2 & H3). unfold sprt_rule.
  assert (forall j, (1 <= j)%nat -> enough g d j = Nat.leb k j) as E.
  { intros j Hj. destruct (Nat.leb_spec k j).
    - apply enough_mono with k; [auto|]. now apply enough_iff.
    - apply enough_not, H3. lia. }
  destruct (Nat.ltb_spec n (2 * s)), (Nat.ltb_spec (2 * s) n); cbn [andb]; rewrite ?E by lia;
    destruct (Nat.leb_spec k (2 * s - n)), (Nat.leb_spec k (n - 2 * s)); try lia; reflexivity.
Qed.
End Lead.

Theorem sprt_stopping_lead : sprt_stopping_lead_statement.
Proof.
  intros g d Hg Hd. destruct (lead_exists g d Hg Hd) as [k Hk]. exists k. split; [exact Hk|].
  split; [now apply lead_bound|]. intros; now apply rule_lead.
Qed.

(** ** The error: a supermartingale between two boundaries *)

Section Test.
Variable P : arm -> arm -> R.
Hypothesis P01 : forall u v, 0 <= P u v <= 1.
Variables u v : arm.
Variables g d : R.
Hypothesis Hg : 0 < g < 1/2.
Hypothesis Hd : 0 < d < 1.
Variable k : nat.
Hypothesis Hk : stopping_lead g d k.
Let stop : nat -> nat -> option bool := sprt_rule g d.
Let stop_lead n s : stop n s =
  if Nat.leb k (2 * s - n) then Some true else if Nat.leb k (n - 2 * s) then Some false else None.
Proof. now apply rule_lead. Qed.

Section Error.
Hypothesis uv : u <> v.
Variable a : bool.                     (* the wrong decision *)
Let p : R := if a then P u v else 1 - P u v.
Hypothesis Hp : p <= 1/2 - g.

(** The likelihood ratio for the wrong arm. *)
Let M (n s : nat) : R := exp (ln (odds g) * (if a then 2 * INR s - INR n else INR n - 2 * INR s)).
Let top : R := odds g ^ k.

Lemma M_step n s : P u v * M (S n) (S s) + (1 - P u v) * M (S n) s <= M n s.
Proof.
  pose proof (odds_gt1 g Hg) as O.
  pose proof (exp_pos (ln (odds g) * (if a then 2 * INR s - INR n else INR n - 2 * INR s))) as X.
  assert (p * odds g + (1 - p) * / odds g <= 1) as B.
  { assert (/ odds g < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
    assert (p * (odds g - / odds g) <= (1/2 - g) * (odds g - / odds g)) by (apply Rmult_le_compat_r; lra).
    assert (/ odds g + (1/2 - g) * (odds g - / odds g) = 1) as E by (unfold odds; field; lra). lra. }
  assert (Up : forall y z, z = y + 1 -> exp (ln (odds g) * z) = exp (ln (odds g) * y) * odds g).
  { intros y z ->. rewrite Rmult_plus_distr_l, exp_plus, Rmult_1_r, exp_ln by lra. reflexivity. }
  assert (Down : forall y z, z = y - 1 -> exp (ln (odds g) * z) = exp (ln (odds g) * y) * / odds g).
  { intros y z ->. rewrite (Up (y - 1) y) by ring. field. lra. }
  unfold M, p in *. rewrite !S_INR. destruct a.
  - rewrite (Up (2 * INR s - INR n) (2 * (INR s + 1) - _)), (Down (2 * INR s - INR n) (_ - (INR n + 1))) by ring. nra.
  - rewrite (Down (INR n - 2 * INR s) (_ - 2 * (INR s + 1))), (Up (INR n - 2 * INR s) (INR n + 1 - _)) by ring. nra.
Qed.

Lemma top_pos : 1 < top.
Proof. apply Rlt_pow_R1; [apply odds_gt1, Hg|apply Hk]. Qed.

Lemma sprt_errs f : forall n s, (if a then n < 2 * s + k else 2 * s < n + k)%nat ->
  Pr P (seqtest stop never f n s u v) (is_arm (if a then u else v)) * (top - / top) <= M n s - / top.
Proof.
  pose proof (odds_gt1 g Hg) as O. pose proof (ln_odds g Hg) as L.
  assert (top = exp (INR k * ln (odds g))) as Top by (unfold top; rewrite <- ln_pow, exp_ln by positive; reflexivity).
  assert (forall n s, (if a then n <= 2 * s + k else 2 * s <= n + k)%nat -> / top <= M n s) as Low.
  { intros n s H. rewrite Top, <- exp_Ropp. apply exp_le.
    destruct a; apply le_INR in H; rewrite plus_INR, mult_INR in H; simpl (INR 2) in H; nra. }
  assert (forall n s, (if a then k + n <= 2 * s else k + 2 * s <= n)%nat -> top <= M n s) as High.
  { intros n s H. rewrite Top. apply exp_le.
    destruct a; apply le_INR in H; rewrite plus_INR, mult_INR in H; simpl (INR 2) in H; nra. }
  unfold Pr. induction f as [|f IH]; intros n s H.
  { cbn. assert (/ top <= M n s) by (apply Low; destruct a; lia). lra. }
  cbn [seqtest expect b2n Nat.add].
  assert (G : forall s', (if a then S n <= 2 * s' + k else 2 * s' <= S n + k)%nat ->
    expect P match stop (S n) s' with Some c => Ret (pick u v (Some c)) | None => seqtest stop never f (S n) s' u v end
      (fun o => if is_arm (if a then u else v) o then 1 else 0) * (top - / top) <= M (S n) s' - / top).
  { intros s' H'. pose proof (Low (S n) s' H') as Lo.
    rewrite stop_lead.
    assert (At : forall b, (b = a -> top <= M (S n) s') ->
      expect P (Ret (tag := unit) (pick u v (Some b))) (fun o => if is_arm (if a then u else v) o then 1 else 0) *
        (top - / top) <= M (S n) s' - / top).
    { intros b H1. cbn [expect]. fold (ind (is_arm (if a then u else v) (pick u v (Some b)))).
      rewrite (pick_arm u v uv a). cbn [is_ans]. destruct (Bool.eqb a b) eqn:E; cbn; [|lra]. apply eqb_prop in E.
      specialize (H1 (eq_sym E)). lra. }
    destruct (Nat.leb_spec k (2 * s' - S n)) as [B|B].
    - apply At. intros <-. apply High. lia.
    - destruct (Nat.leb_spec k (S n - 2 * s')) as [B2|B2]; [|apply IH; destruct a; lia].
      apply At. intros <-. apply High. lia. }
  pose proof (M_step n s) as MS.
  pose proof (conv_mono (P u v) _ _ _ _ (P01 u v) (G (S s) ltac:(destruct a; lia)) (G s ltac:(destruct a; lia))) as C.
  lra.
Qed.

Lemma sprt_wrong F : Pr P (SPRT g F d u v) (is_arm (if a then u else v)) <= d.
Proof.
  pose proof top_pos as T1. assert (/ top < 1) as T2 by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  pose proof (sprt_errs F 0 0 ltac:(pose proof (proj1 Hk); destruct a; lia)) as B.
  replace (M 0 0) with 1 in B by (unfold M; rewrite <- exp_0; f_equal; destruct a; cbn; ring).
  eapply Rle_trans; [|apply Hk]. fold top. apply Rmult_le_reg_r with (top - / top); [lra|].
  eapply Rle_trans; [exact B|]. right. field. lra.
Qed.
End Error.

(** ** The time *)

Lemma going_on n s : stop n s = None -> Rabs (2 * INR s - INR n) + 1 <= 0 * INR n + INR k.
Proof.
  intro H. rewrite stop_lead in H.
  destruct (Nat.leb_spec k (2 * s - n)) as [|A]; [discriminate|].
  destruct (Nat.leb_spec k (n - 2 * s)) as [|B]; [discriminate|].
  assert (2 * s + 1 <= n + k)%nat as A' by lia. assert (n + 1 <= 2 * s + k)%nat as B' by lia.
  apply le_INR in A', B'. rewrite !plus_INR, mult_INR in A', B'. simpl (INR 2) in *. simpl (INR 1) in *.
  unfold Rabs. destruct (Rcase_abs _); lra.
Qed.

Lemma time_gap fin F : P u v <> 1/2 -> ET P (seqtest stop fin F 0 0 u v) <= INR k / (2 * Rabs (P u v - 1/2)).
Proof.
  intro H. assert (0 < Rabs (P u v - 1/2)) as G by (apply Rabs_pos_lt; lra).
  pose proof (seqtest_time P P01 stop fin u v 0 (INR k) (Rabs (P u v - 1/2)) (Rle_refl 0) F
    ltac:(apply (le_INR 1), Hk) (Rle_refl _) (fun n s _ => going_on n s)) as T. apply Rle_div_r; lra.
Qed.

(** Two states, of leads m and -m, weighed as they come about: p^m and (1-p)^m. *)
Lemma time_square_at fin f : forall n s m, (n + m = 2 * s)%nat -> (s <= n)%nat -> (m < k)%nat ->
  P u v ^ m * ET P (seqtest stop fin f n s u v) + (1 - P u v) ^ m * ET P (seqtest stop fin f n (n - s) u v)
  <= (P u v ^ m + (1 - P u v) ^ m) * (INR k * INR k - INR m * INR m).
Proof.
  set (p := P u v). set (q := 1 - p). assert (0 <= p <= 1) as Hp by apply P01.
  assert (0 <= q <= 1) as Hq by (unfold q; lra).
  assert (Pos : forall m, (m <= k)%nat -> 0 <= (p ^ m + q ^ m) * (INR k * INR k - INR m * INR m)).
  { intros m Hm. apply le_INR in Hm. pose proof (pos_INR m). apply Rmult_le_pos; [|nra].
    pose proof (pow_le p m ltac:(lra)). pose proof (pow_le q m ltac:(lra)). lra. }
  induction f as [|f IH]; intros n s m Hm Hs Hmk.
  { cbn [seqtest ET]. specialize (Pos m ltac:(lia)). lra. }
  set (G := fun s' => ET P match stop (S n) s' with
    Some c => Ret (pick u v (Some c)) | None => seqtest stop fin f (S n) s' u v end).
  assert (IG : forall s' j, (S n + j = 2 * s')%nat -> (s' <= S n)%nat -> (j <= k)%nat ->
    p ^ j * G s' + q ^ j * G (S n - s')%nat <= (p ^ j + q ^ j) * (INR k * INR k - INR j * INR j)).
  { intros s' j Hj Hs' Hjk. unfold G. rewrite !stop_lead. replace (2 * s' - S n)%nat with j by lia.
    replace (S n - 2 * (S n - s'))%nat with j by lia. destruct (Nat.leb_spec k j) as [A|A].
    - specialize (Pos j Hjk). destruct (Nat.leb k (2 * (S n - s') - S n)); cbn [ET]; lra.
    - rewrite !leb_correct_conv by lia. now apply IH. }
  assert (T : forall s, ET P (seqtest stop fin (S f) n s u v) = 1 + (p * G (S s) + q * G s)) by reflexivity.
  rewrite !T. pose proof (IG (S s) (S m) ltac:(lia) ltac:(destruct m; lia) ltac:(lia)) as A.
  replace (S n - S s)%nat with (n - s)%nat in A by lia. destruct m as [|m].
  - replace (n - s)%nat with s in * by lia. rewrite S_INR in A. simpl (INR 0) in *. unfold q in *. lra.
  - pose proof (IG s m ltac:(lia) ltac:(lia) ltac:(lia)) as B. replace (S n - s)%nat with (S (n - s)) in B by lia.
    cbn [pow] in *. rewrite !S_INR in A. rewrite !S_INR. pose proof (pos_INR m) as M0. set (j := INR m) in *.
    assert (0 <= (p - q) * (p * p ^ m - q * q ^ m)) as D.
    { destruct (Rle_dec q p).
      - assert (q * q ^ m <= p * p ^ m) by (apply (pow_incr q p (S m)); lra). apply Rmult_le_pos; lra.
      - assert (p * p ^ m <= q * q ^ m) by (apply (pow_incr p q (S m)); lra). nra. }
    apply (Rmult_le_compat_l (p * q)) in B; [|positive]. apply (Rmult_le_compat_l (j + 1)) in D; [|lra]. unfold q in *.
    lra.
Qed.

Lemma time_square fin F : ET P (seqtest stop fin F 0 0 u v) <= INR k * INR k.
Proof.
  pose proof (time_square_at fin F 0 0 0 eq_refl (le_n _) (proj1 Hk)) as H. cbn [Nat.sub pow] in H. simpl (INR 0) in H.
  lra.
Qed.
End Test.

(** ** SprtTest *)

(** The worse of two arms, by a gap of [g]: the first one if [a]. *)
Lemma better_by_gap P (P01 : forall u v, 0 <= P u v <= 1) g u v (m : prog (option arm)) d :
  0 < g -> u <> v -> leaves (one_of u v) m -> g <= Rabs (P u v - 1/2) ->
  (forall a : bool, (if a then P u v else 1 - P u v) <= 1/2 - g -> Pr P m (is_arm (if a then u else v)) <= d) ->
  Pr P m (wrong (better P u v)) <= d.
Proof.
  intros Hg Huv L Gap H. apply better_loser; auto; intro h; unfold Rabs in Gap; destruct (Rcase_abs _); try lra;
    [apply (H false)|apply (H true)]; lra.
Qed.

Theorem sprt_correct : sprt_correct_statement.
Proof.
  intros P g d u v HP Hg Hd Huv. pose proof (valid_01 P HP) as P01. destruct (lead_exists g d Hg Hd) as [k Hk].
  assert (K : forall F, INR F * Pr P (SPRT g F d u v) ran_out <= INR k * INR k).
  { intro F. eapply Rle_trans; [apply seqtest_markov; auto|apply (time_square P P01 u v g d Hg k Hk)]. }
  split; [exact (cut_vanishes P P01 _ _ K)|]. intro Hgap.
  assert (W : forall F, Pr P (SPRT g F d u v) (wrong (better P u v)) <= d).
  { intro F. apply (better_by_gap P P01 g); auto; [lra|apply seqtest_leaves|]. intros a H.
    now apply (sprt_wrong P P01 u v g d Hg k). }
  split; [exact W|]. apply (returns_of P P01 (fun F => SPRT g F d u v)) with (K := INR k * INR k); auto.
  intro F. apply DT_refines.
Qed.

Theorem sprt_time : sprt_time_statement.
Proof.
  intros P g d k u v HP Hg Hd Hk. pose proof (valid_01 P HP) as P01.
  split; [|intro H]; apply at_most_ET; auto; intro F; try apply DT_refines; [now apply time_square|now apply time_gap].
Qed.

(** ** The truncated test *)

Lemma truncated_budget g d : 0 < g < 1/2 -> 0 < d < 1 -> let M := INR (bbudget truncated_sprt g d) in
  1 / (2 * (g * g)) * ln (2 / d) <= M /\ 0 < M /\ M <= ts_base g + ts_slope g * ln (/ d).
Proof.
  intros Hg Hd M. destruct (ln_over_d 2 d ltac:(lra) Hd) as [E L]. assert (0 < g * g < 1/4) as G by nra.
  assert (0 < 1 / (2 * (g * g)) * ln (2 / d)) as Q by positive.
  destruct (ceil_spec _ Q) as [A B]. change (INR (ceil _)) with M in A, B.
  split; [exact A|]. split; [lra|]. rewrite E in B. pose proof ln2_le as L2. unfold ts_base, ts_slope.
  assert (4 <= / (g * g)) by (rewrite <- (Rinv_inv 4); apply Rinv_le_contravar; lra).
  apply (Rmult_le_compat_l (/ (g * g))) in L2; [|lra]. unfold Rdiv in *. rewrite Rinv_mult in B. lra.
Qed.

Lemma truncated_starts g d : 0 < g < 1/2 -> 0 < d < 1 -> (0 < bbudget truncated_sprt g d)%nat.
Proof. intros Hg Hd. apply INR_lt. apply (truncated_budget g d Hg Hd). Qed.

Lemma truncated_wrong P (P01 : forall u v, 0 <= P u v <= 1) u v (uv : u <> v) g d (a : bool) : 0 < g < 1/2 ->
  0 < d < 1 ->
  (if a then P u v else 1 - P u v) <= 1/2 - g -> Pr P (BDT truncated_sprt g d u v) (is_arm (if a then u else v)) <= d.
Proof.
  intros Hg Hd Hp. destruct (lead_exists g (d / 2) Hg ltac:(lra)) as [k Hk].
  destruct (truncated_budget g d Hg Hd) as (A & _ & _). pose proof (truncated_starts g d Hg Hd) as M0.
  eapply Rle_trans; [apply (seqtest_last P P01 u v uv a)|]. apply Rle_trans with (d / 2 + d / 2); [|lra].
  apply Rplus_le_compat; [apply (sprt_wrong P P01 u v g (d / 2) Hg k Hk uv a Hp)|].
  set (M := bbudget truncated_sprt g d) in *. assert (exp (- (2 * INR M * (g * g))) <= d / 2) as X.
  { replace (d / 2) with (exp (- ln (2 / d))) by (rewrite exp_Ropp, exp_ln by positive; field; lra).
    apply exp_le. apply (Rmult_le_compat_r (2 * (g * g))) in A; [|positive].
    replace (1 / (2 * (g * g)) * ln (2 / d) * (2 * (g * g))) with (ln (2 / d)) in A by (field; nra). lra. }
  apply (tail a (P u v) g _ M (fun m t => is_ans a (Some (ahead m t)))); auto; [lra|].
  intros s H. apply eqb_prop in H. destruct a; symmetry in H; apply (ahead_spec M s) in H; cbn [beyond]; lra.
Qed.

Theorem truncated_sprt_test : truncated_sprt_test_statement.
Proof.
  intros P g d u v HP Hg Hd Huv. pose proof (valid_01 P HP) as P01.
  destruct (truncated_budget g d Hg Hd) as (_ & _ & B). split; [apply BDT_answers|].
  split; [split; [apply seqtest_maxT|]|split; [|split]].
  - destruct (ln_over_d 2 d ltac:(lra) Hd) as [_ L2]. assert (0 < 1 / (2 * (g * g)) * ln (2 / d)) as Q0 by positive.
    assert (1 / (2 * (g * g)) * ln (2 / d) <= budget_real g d) as Q.
    { apply Rmult_le_compat_l; [positive|]. apply ln_le; [positive|]. apply Rmult_le_compat_r; [positive|lra]. }
    destruct (ceil_spec _ Q0) as [_ A], (ceil_spec (budget_real g d)) as [A' _]; [lra|].
    apply Nat.lt_succ_r, INR_lt. rewrite S_INR. cbn [bbudget truncated_sprt paper_budgeted]. lra.
  - eapply Rle_trans; [exact B|]. pose proof (ln_inv_pos d Hd). unfold ts_base, ts_slope, C_truncated, Rdiv.
    assert (0 <= / (g * g) * ln (/ d)) by positive. lra.
  - intro Hgap. rewrite Pr_total, BDT_answers.
    assert (Pr P (BDT truncated_sprt g d u v) (wrong (better P u v)) <= d); [|lra].
    apply (better_by_gap P P01 g); auto; [lra|apply seqtest_leaves|]. intros; now apply truncated_wrong.
  - intros k Hk.
    split; [apply (time_square P P01 u v g (d / 2) Hg k Hk)|intro H; now apply (time_gap P P01 u v g (d / 2) Hg k Hk)].
Qed.

Theorem truncated_sprt_is_pairwise_test : truncated_sprt_is_pairwise_test_statement.
Proof.
  intros P N w g HC Hg. pose proof HC as [P01 Anti Hw Win]. unfold ts_base, ts_slope.
  constructor; auto using BDT_leaves; [lra|positive|positive| | | | | | | |].
  - intros F d j Hd Hj Hjw. specialize (Win j Hj Hjw). pose proof (Anti w j).
    apply good_of; auto using BDT_leaves; rewrite Rmult_1_l.
    + apply (truncated_wrong P P01 w j (not_eq_sym Hjw) g d false); auto. lra.
    + apply (truncated_wrong P P01 j w Hjw g d true); auto. lra.
  - intros F d u v Hd _ _ _. eapply Rle_trans; [apply ET_le_max; auto|].
    eapply Rle_trans; [apply le_INR, seqtest_maxT|]. now apply truncated_budget.
  - intros F d u v Hd _ _ _. rewrite BDT_answers, Rmult_0_r. pose proof (ln_inv_pos d Hd). positive.
  - intros; apply seqtest_duels.
  - intros F d u v Hd _. unfold BDT. pose proof (truncated_starts g d Hg Hd).
    destruct (bbudget truncated_sprt g d); [lia|exact Logic.I].
  - intros; apply leaves_uncut, BDT_always.
  - intros; apply refines_refl.
  - intros; apply agree_refl.
Qed.
